// drawloom/core/result.h - a value or an error, with the names of std::expected. Used by every fallible call.
#pragma once

#include "drawloom/core/assert.h"

#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace dl
{

/// What kind of failure it was; the message says which object, the numbers, and what to change.
enum class ErrorCode : std::uint8_t
{
    InvalidArgument, ///< the caller passed something that can never work
    OutOfRange,      ///< a number lies outside what the object can ever hold
    OutOfBudget,     ///< full now; the message names the setting to raise
    OutOfMemory,     ///< the driver or the system refused memory
    NotFound,        ///< no such file, node, camera, driver
    AlreadyExists,   ///< the name is taken
    StaleId,         ///< the id names something that was removed
    Unsupported,     ///< this device, build or version can not do it
    BadFile,         ///< the file's content is wrong
    Io,              ///< reading or writing failed
    Cancelled,       ///< the caller cancelled it
    DeviceLost,      ///< the GPU is gone; create a new device
};

/// The enumerator's name, as reports print it.
std::string_view toString(ErrorCode code);

struct Error
{
    ErrorCode code = ErrorCode::InvalidArgument;
    std::string message; ///< one line, names what and where
};

/// Puts where-information in front of an error's message: `while reading "a.glb": ...`.
Error withContext(Error error, std::string_view context);

/// A value or an error. value() on an error (and error() on a value) is a caller's bug and asserts.
template <class T> class [[nodiscard]] Result
{
public:
    using value_type = T;

    Result(const T& value) : m_hasValue(true) { new (&m_storage.value) T(value); }
    Result(T&& value) : m_hasValue(true) { new (&m_storage.value) T(std::move(value)); }
    Result(Error error) : m_hasValue(false) { new (&m_storage.error) Error(std::move(error)); }
    Result(const Result& other) : m_hasValue(other.m_hasValue)
    {
        if (m_hasValue)
            new (&m_storage.value) T(other.m_storage.value);
        else
            new (&m_storage.error) Error(other.m_storage.error);
    }
    Result(Result&& other) noexcept : m_hasValue(other.m_hasValue)
    {
        if (m_hasValue)
            new (&m_storage.value) T(std::move(other.m_storage.value));
        else
            new (&m_storage.error) Error(std::move(other.m_storage.error));
    }
    Result& operator=(Result other) noexcept
    {
        this->~Result();
        return *new (this) Result(std::move(other));
    }
    ~Result()
    {
        if (m_hasValue)
            m_storage.value.~T();
        else
            m_storage.error.~Error();
    }

    bool has_value() const { return m_hasValue; }
    explicit operator bool() const { return m_hasValue; }

    T& value() &
    {
        DL_ASSERT(m_hasValue, "value() of a Result that holds an error");
        return m_storage.value;
    }
    const T& value() const&
    {
        DL_ASSERT(m_hasValue, "value() of a Result that holds an error");
        return m_storage.value;
    }
    T&& value() &&
    {
        DL_ASSERT(m_hasValue, "value() of a Result that holds an error");
        return std::move(m_storage.value);
    }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }
    template <class U> T value_or(U&& fallback) const& { return m_hasValue ? m_storage.value : static_cast<T>(std::forward<U>(fallback)); }

    const Error& error() const&
    {
        DL_ASSERT(!m_hasValue, "error() of a Result that holds a value");
        return m_storage.error;
    }
    Error&& error() &&
    {
        DL_ASSERT(!m_hasValue, "error() of a Result that holds a value");
        return std::move(m_storage.error);
    }

private:
    union Storage
    {
        Storage() {}
        ~Storage() {}
        T value;
        Error error;
    } m_storage;
    bool m_hasValue;
};

/// Success or an error: `return {};` is success.
template <> class [[nodiscard]] Result<void>
{
public:
    using value_type = void;

    Result() = default;
    Result(Error error) : m_error(std::move(error)), m_hasValue(false) {}

    bool has_value() const { return m_hasValue; }
    explicit operator bool() const { return m_hasValue; }
    void value() const { DL_ASSERT(m_hasValue, "value() of a Result that holds an error"); }
    const Error& error() const&
    {
        DL_ASSERT(!m_hasValue, "error() of a Result that holds a value");
        return m_error;
    }
    Error&& error() &&
    {
        DL_ASSERT(!m_hasValue, "error() of a Result that holds a value");
        return std::move(m_error);
    }

private:
    Error m_error;
    bool m_hasValue = true;
};

} // namespace dl

/// Returns the error of `expression` (a Result) from the calling function, if it has one.
#define DL_TRY(expression)                                                                                                                 \
    do                                                                                                                                     \
    {                                                                                                                                      \
        if (auto dlTryResult = (expression); !dlTryResult)                                                                                 \
            return std::move(dlTryResult).error();                                                                                         \
    } while (false)

#define DL_CONCAT_INNER(a, b) a##b
#define DL_CONCAT(a, b) DL_CONCAT_INNER(a, b)

/// `DL_TRY_ASSIGN(auto image, decodePng(bytes));` declares or assigns the value, or returns the error.
#define DL_TRY_ASSIGN(target, expression) DL_TRY_ASSIGN_INNER(DL_CONCAT(dlResult, __LINE__), target, expression)
#define DL_TRY_ASSIGN_INNER(name, target, expression)                                                                                      \
    auto name = (expression);                                                                                                              \
    if (!name)                                                                                                                             \
        return std::move(name).error();                                                                                                    \
    target = std::move(name).value()
