// drawloom/draw/pipeline_slots.h - render pipelines by state, behind stable slots: made once at declaration, ready later.
#pragma once

#include "drawloom/draw/mesh_pass.h"
#include "drawloom/draw/vertex_factory.h"
#include "drawloom/gpu/device.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace dl
{

constexpr std::uint32_t kNoPipelineState = UINT32_MAX;

/// Everything that tells two pipelines apart; passes of equal state share them. 32-bit fields: hashed and compared as bytes.
struct PipelineKey
{
    std::uint32_t stateIndex = 0;  ///< DrawTables::Pass::stateIndex: targets, depth, samples, group 1
    std::uint32_t shaderIndex = 0; ///< name and stream set
    std::uint32_t factoryIndex = 0;
    std::uint32_t surfaceIndex = 0;
    std::uint32_t cullMode = 0; ///< gpu::CullMode
    std::uint32_t isMirrored = 0;
    std::uint32_t topology = 0;
    friend bool operator==(const PipelineKey&, const PipelineKey&) = default;
};

enum class PipelineState : std::uint8_t
{
    Pending,
    Ready,
    Failed,
};

struct PipelineSlot
{
    PipelineKey key;
    gpu::PipelineId pipeline;
    PipelineState state = PipelineState::Pending;
    ReasonCode refusal = ReasonCode::None; ///< of a failed slot
    std::uint8_t groupMask = 0;            ///< bit g: the shader reads group g
    std::uint8_t vertexStreamCount = 0;
    StreamSource streams[4] = {}; ///< buffer of vertex slot k
    std::uint32_t rank = 0;       ///< order among all slots by sortName: the same between two pipelines of a pass in every process
    std::string label;            ///< "opaque: forward.rigid.standard double-sided", by the pass that asked first
    std::string sortName;         ///< without the pass
    std::string message;          ///< why it failed
};

} // namespace dl
