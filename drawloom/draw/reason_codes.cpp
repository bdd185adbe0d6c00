// drawloom/draw/reason_codes.cpp - the table behind reasonInfo.
#include "drawloom/draw/reason_codes.h"

#include "drawloom/core/assert.h"

#include <array>
#include <cstddef>

namespace dl
{

namespace
{
constexpr std::array<ReasonInfo, static_cast<std::size_t>(ReasonCode::Count)> kTable = {{
    {"none", false, "Drawn."},
    {"pass-takes-no-opaque", false, "The pass names no shader for opaque materials."},
    {"pass-takes-no-masked", false, "The pass names no shader for alpha-masked materials."},
    {"pass-takes-no-blended", false, "The pass names no shader for blended materials."},
    {"not-selected", false, "The pass draws selected batches only."},
    {"casts-no-shadow", false, "The batch is marked as casting no shadow."},
    {"missing-permutation", true, "No shader archive holds this combination of pass, factory and surface."},
    {"layout-mismatch", true, "The vertex layout of the factory does not fit the inputs of the shader."},
    {"outside-stream-set", true, "The shader reads an attribute outside the stream set that the pass chose."},
    {"pipeline-failed", true, "The device refused the pipeline."},
    {"pipeline-pending", true, "The pipeline is still being made; the draw was left out of this frame."},
    {"mesh-not-resident", true, "The geometry has not reached the device yet; the draw was left out of this frame."},
    {"stale-mesh-set", true, "The mesh set or level of detail does not exist (any more)."},
    {"id-list-full", true, "The id list of the frame had no room for the instances; raise its capacity."},
    {"dynamic-ring-full", true, "The transient ring had no room for a dynamic batch; raise its capacity."},
    {"stale-command", true, "A cached command is not what its batch would get now; a filter that is not pure, or a defect."},
}};
constexpr ReasonInfo kUser = {"user", false, "A code of the pass's author."};
} // namespace

const ReasonInfo& reasonInfo(ReasonCode code)
{
    const auto index = static_cast<std::size_t>(code);
    if (index >= kFirstUserReason)
        return kUser;
    DL_ASSERT(index < kTable.size(), "a reason code that the table does not hold");
    return kTable[index];
}

} // namespace dl
