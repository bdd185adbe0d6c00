// drawloom/resource/memory_stats.h - bytes of GPU memory by kind, for reports and budgets.
#pragma once

#include "drawloom/gpu/types.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace dl
{

struct MemoryAmount
{
    std::uint64_t current = 0, peak = 0;

    void add(std::uint64_t bytes)
    {
        current += bytes;
        peak = current > peak ? current : peak;
    }
    void remove(std::uint64_t bytes) { current -= bytes; }
};

constexpr std::size_t kFormatCount = static_cast<std::size_t>(gpu::Format::BC7RgbaUnormSrgb) + 1;

struct ResourceMemory
{
    MemoryAmount meshBytes;                                        ///< buffers of the geometry pages, free room included
    MemoryAmount textureBytes;                                     ///< textures of all slots, old ones until they are destroyed
    std::array<MemoryAmount, kFormatCount> textureBytesByFormat{}; ///< the same, by gpu::Format
    MemoryAmount instanceBytes; ///< instances, ids, draw arguments, properties, materials, deform, movers, uniforms
    MemoryAmount stagingBytes;  ///< payloads that wait in the upload queue
};

} // namespace dl
