// drawloom/cull/detail/compress_lanes.h - for each set of 8 lanes, which lanes come first when the set is moved to the front.
#pragma once

#include <cstdint>

namespace dl::cull::detail
{

struct CompressLanes
{
    alignas(8) std::uint8_t lanes[256][8] = {};

    constexpr CompressLanes()
    {
        for (std::uint32_t set = 0; set < 256; ++set)
            for (std::uint32_t lane = 0, next = 0; lane < 8; ++lane)
                if ((set >> lane & 1U) != 0)
                    lanes[set][next++] = static_cast<std::uint8_t>(lane);
    }
};

inline constexpr CompressLanes kCompressLanes; ///< 2 KiB

} // namespace dl::cull::detail
