// drawloom/draw/reason_codes.h - why something was not drawn. One table; docs/reason_codes.md mirrors it (tested), and
// tests/draw fails for a code that no test produces. Mesh passes of users add their own codes (MeshPassDesc::userReasons).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace dl
{

enum class ReasonCode : std::uint16_t
{
    None,               ///< drawn
    PassTakesNoOpaque,  ///< the pass names no shader for opaque materials
    PassTakesNoMasked,  ///< the pass names no shader for alpha-masked materials
    PassTakesNoBlended, ///< the pass names no shader for blended materials
    NotSelected,        ///< the pass draws batches that carry BatchFlag::Selected only
    CastsNoShadow,      ///< the batch carries BatchFlag::NoShadow
    MissingPermutation, ///< no archive holds PASS.FACTORY.SURFACE
    LayoutMismatch,     ///< the factory's vertex layout does not fit the shader's inputs
    OutsideStreamSet,   ///< the shader reads an attribute outside the stream set that the pass chose
    PipelineFailed,     ///< the device refused the pipeline
    PipelinePending,    ///< frame: the pipeline is still being made, the draw was skipped
    MeshNotResident,    ///< frame: the mesh range has no geometry on the device yet
    StaleMeshSet,       ///< frame: a source named a mesh set or LOD that does not exist
    IdListFull,         ///< frame: the id list had no room; raise its capacity
    DynamicRingFull,    ///< frame: the transient ring had no room for a dynamic batch; raise its capacity
    StaleCommand,       ///< frame, while commands are verified: a cached command is not what would be built now
    Count,
};

/// First code that a user's pass may return; kFirstUserReason + i is named by its MeshPassDesc::userReasons[i].
constexpr std::uint16_t kFirstUserReason = 0x4000;
constexpr ReasonCode userReason(std::uint16_t i)
{
    return static_cast<ReasonCode>(kFirstUserReason + i);
}

struct ReasonInfo
{
    std::string_view name; ///< "missing-permutation", as reports print it
    bool isFailure;        ///< false: the pass meant it (a filter); true: somebody should look at it
    std::string_view text; ///< one sentence
};

/// Of the library's own codes; a user's code gives the name "user".
const ReasonInfo& reasonInfo(ReasonCode code);

/// One line of the report's refusal list.
struct Refusal
{
    std::string subject; ///< mesh set, section and material
    std::string stage;   ///< the pass, or "frame"
    ReasonCode code = ReasonCode::None;
    std::string codeName; ///< reasonInfo's or the user's
    std::string detail;
};

} // namespace dl
