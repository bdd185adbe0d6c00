// bench/sort_keys.h - draw items of a plausible scene, packed by the library's default key layouts. For bench_sort.
#pragma once

#include "drawloom/draw/draw_sort.h"

#include <cstdint>
#include <vector>

namespace dl::bench
{

enum class KeyKind : std::uint8_t
{
    Depth,   ///< SortOrder::FrontToBack
    Opaque,  ///< SortOrder::State
    Blended, ///< SortOrder::BackToFront
    Random,  ///< 64 random bits
};

/// Payload = index. 3,000 meshes on 8 geometry pages, common ones first, in 800 materials of 300 pipelines and 400 texture
/// sets, on 3 heap pages; a disc of objects around the eye, one blended item in 16 with an explicit order.
std::vector<SortItem> sceneItems(KeyKind kind, std::size_t count, std::uint32_t seed);

} // namespace dl::bench
