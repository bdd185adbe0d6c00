// drawloom/cull/detail/prepare.h - the arrays and views of a call as the kernels take them: limits widened by the rounding of the
// planes' own offset, far corners picked, once per call.
#pragma once

#include "drawloom/cull/cull.h"
#include "drawloom/cull/detail/kernels.h"

namespace dl::cull::detail
{

/// Asserts that every array has `count` elements; empty layer masks stay empty.
Arrays arraysOf(const CullBoxes& boxes, std::size_t count);
Arrays arraysOf(const CullSpheres& spheres, std::size_t count);

class Views
{
public:
    explicit Views(std::span<const CullView> views);

    std::span<const View> span() const { return {m_items, m_count}; }
    /// No view has a layer.
    bool seeNothing() const { return m_seeNothing; }

private:
    View m_items[kMaxViewCount];
    std::size_t m_count = 0;
    bool m_seeNothing = true;
};

} // namespace dl::cull::detail
