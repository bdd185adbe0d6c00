// drawloom/graph/pass_function.h - a pass's execute callback, stored without heap. Used by the pass builders.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace dl::graph
{

class PassContext;

/// Holds a callable of up to kCapacityBytes; larger captures do not compile: capture a pointer to a struct instead.
class PassFunction
{
public:
    static constexpr std::size_t kCapacityBytes = 128;

    PassFunction() = default;
    template <class F>
        requires(!std::is_same_v<std::remove_cvref_t<F>, PassFunction>)
    explicit PassFunction(F&& fn)
    {
        using Fn = std::remove_cvref_t<F>;
        static_assert(sizeof(Fn) <= kCapacityBytes && alignof(Fn) <= alignof(std::max_align_t), "capture less, or a pointer to it");
        static_assert(std::is_nothrow_move_constructible_v<Fn>);
        new (m_storage) Fn(std::forward<F>(fn));
        m_call = [](void* storage, PassContext& context) { (*static_cast<Fn*>(storage))(context); };
        m_move = [](void* target, void* source)
        {
            if (target != nullptr)
                new (target) Fn(std::move(*static_cast<Fn*>(source)));
            static_cast<Fn*>(source)->~Fn();
        };
    }
    PassFunction(PassFunction&& other) noexcept { take(other); }
    PassFunction& operator=(PassFunction&& other) noexcept
    {
        if (this != &other)
        {
            reset();
            take(other);
        }
        return *this;
    }
    ~PassFunction() { reset(); }

    explicit operator bool() const { return m_call != nullptr; }
    void operator()(PassContext& context) { m_call(m_storage, context); }
    void reset()
    {
        if (m_move != nullptr)
            m_move(nullptr, m_storage);
        m_call = nullptr;
        m_move = nullptr;
    }

private:
    void take(PassFunction& other)
    {
        if (other.m_move != nullptr)
            other.m_move(m_storage, other.m_storage);
        m_call = std::exchange(other.m_call, nullptr);
        m_move = std::exchange(other.m_move, nullptr);
    }

    void (*m_call)(void*, PassContext&) = nullptr;
    void (*m_move)(void* target, void* source) = nullptr; ///< no target: only destroys the source
    alignas(std::max_align_t) std::byte m_storage[kCapacityBytes];
};

} // namespace dl::graph
