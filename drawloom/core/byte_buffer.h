// drawloom/core/byte_buffer.h - owned bytes of a fixed size that are not zeroed first: for what is written whole right after,
// such as a file's content. Large ones lie in large pages (core/huge_pages.h).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace dl
{

/// Move-only; empty after it was moved from.
class ByteBuffer
{
public:
    /// So many zeros can be read behind the end of a buffer that was made with a size: parsers read whole vectors.
    static constexpr std::size_t kPaddingBytes = 64;

    ByteBuffer() = default;
    /// The content is indeterminate until it is written. size + kPaddingBytes fits std::size_t.
    explicit ByteBuffer(std::size_t size);
    ByteBuffer(ByteBuffer&& other) noexcept : m_bytes(std::move(other.m_bytes)), m_size(std::exchange(other.m_size, 0)) {}
    ByteBuffer& operator=(ByteBuffer&& other) noexcept
    {
        m_bytes = std::move(other.m_bytes);
        m_size = std::exchange(other.m_size, 0);
        return *this;
    }

    std::byte* data() { return m_bytes.get(); }
    const std::byte* data() const { return m_bytes.get(); }
    std::size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    std::byte* begin() { return data(); }
    std::byte* end() { return data() + m_size; }
    const std::byte* begin() const { return data(); }
    const std::byte* end() const { return data() + m_size; }

private:
    std::unique_ptr<std::byte[]> m_bytes;
    std::size_t m_size = 0;
};

} // namespace dl
