// drawloom/resource/detail/fresh_buffer.h - gives a new buffer defined content, so that a group may bind it in frames in which
// nobody has anything to write. For the heaps.
#pragma once

#include "drawloom/resource/write_batch.h"

#include <algorithm>
#include <array>

namespace dl
{

/// Zeros its first bytes if no stream ever wrote it. Not beside other writes of the same batch.
inline void writeFresh(WriteBatch& batch, GrowableBuffer& buffer)
{
    static constexpr std::array<std::byte, 256> kZeros{};
    if (!buffer.state)
        batch.write(buffer, 0, std::span(kZeros).first(static_cast<std::size_t>(std::min<std::uint64_t>(buffer.bytes(), kZeros.size()))));
}

/// The whole of a frame's list, or zeros into a buffer that never held one.
inline void writeList(WriteBatch& batch, GrowableBuffer& buffer, std::span<const std::byte> list)
{
    if (list.empty())
        writeFresh(batch, buffer);
    else
        batch.write(buffer, 0, list);
}

} // namespace dl
