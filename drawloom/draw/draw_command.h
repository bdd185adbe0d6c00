// drawloom/draw/draw_command.h - what a pass remembers about a batch: slots only, no instances, no GPU objects. Built when
// batch and pass meet; rebuilt only when vertex layout, pipeline key or topology changes.
#pragma once

#include "drawloom/draw/mesh_set.h"
#include "drawloom/draw/reason_codes.h"

#include <cstdint>
#include <type_traits>

namespace dl
{

constexpr std::uint32_t kNoPipelineSlot = UINT32_MAX;

struct DrawCommand
{
    MeshRangeId range;                                               ///< none: external
    ExternalGeometryId external;                                     ///< none: range
    MaterialId material;                                             ///< its texture set is looked up when the draw is made
    std::uint32_t pipelines[2] = {kNoPipelineSlot, kNoPipelineSlot}; ///< slots; [1] with flipped winding, made when first needed
    ReasonCode refusal = ReasonCode::None;                           ///< None: the command is valid
    std::uint8_t explicitOrder = 128;
    std::uint8_t reserved = 0;
    std::uint32_t reserved2 = 0;
    friend bool operator==(const DrawCommand&, const DrawCommand&) = default;
};
static_assert(std::is_trivially_copyable_v<DrawCommand>);
static_assert(sizeof(DrawCommand) == 40, "one command must stay within a cache line");

} // namespace dl
