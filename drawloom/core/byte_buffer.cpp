#include "drawloom/core/byte_buffer.h"

#include "drawloom/core/huge_pages.h"

#include <cstring>

namespace dl
{

ByteBuffer::ByteBuffer(std::size_t size) : m_bytes(std::make_unique_for_overwrite<std::byte[]>(size + kPaddingBytes)), m_size(size)
{
    adviseHugePages(m_bytes.get(), size);
    std::memset(m_bytes.get() + size, 0, kPaddingBytes);
}

} // namespace dl
