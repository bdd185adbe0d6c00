// drawloom/gpu/validation_device.h - a decorator that checks every call and every stream before the inner device, which
// trusts its caller, sees them. Covers descs, lifetimes, stream order, usage flags and missing barriers (hazards are found
// from the stream alone, by the rules of gpu/barrier_model.h). Tests and --validate wrap their device in it.
#pragma once

#include "drawloom/gpu/device.h"

#include <functional>
#include <memory>

namespace dl::gpu
{

enum class ValidationRule : std::uint8_t
{
    // descs: the creation fails with InvalidArgument and the inner device is not called
    BufferDesc,
    TextureDesc,
    TextureViewDesc,
    SamplerDesc,
    ShaderModuleDesc,
    BindGroupLayoutDesc,
    BindGroupDesc,
    VertexLayout,
    PipelineDesc,
    QuerySetDesc,
    FeatureMissing,
    // lifetimes
    StaleId,               ///< never created, or destroyed before the stream that names it was submitted
    ViewOfDestroyedObject, ///< a view or bind group outlived what it shows
    PipelineNotReady,
    // streams
    MalformedStream,
    PassOrder,   ///< nesting of passes and debug groups, commands in the wrong place
    CopyRange,   ///< offsets, sizes, alignments and regions of writes, copies, clears, readbacks
    UsageFlags,  ///< the object was not created for this use
    Attachments, ///< sizes, formats, sample counts, view ranges of a render pass
    PipelineForPass,
    MissingPipeline,
    MissingBindGroup,
    BindGroupLayoutMismatch,
    DynamicOffsets,
    MissingVertexBuffer,
    MissingIndexBuffer,
    DrawRange, ///< indices, vertices, instances or indirect arguments outside their buffers
    ViewportScissor,
    QueryRange,
    DispatchRange,
    // hazards (gpu/barrier_model.h)
    IllegalBarrier, ///< a state that does not exist, a range outside the texture, two barriers for one range
    BarrierBefore,  ///< `before` does not cover the range's state
    MissingBarrier,
    UndefinedContent, ///< read or loaded before anything wrote it, or after it was discarded
    RedundantBarrier, ///< a warning
};
constexpr std::uint32_t kValidationRuleCount = static_cast<std::uint32_t>(ValidationRule::RedundantBarrier) + 1;
std::string_view toString(ValidationRule rule);

struct ValidationMessage
{
    ValidationRule rule = ValidationRule::StaleId;
    bool isError = true;
    std::string text; ///< one line with kinds, labels and numbers
};

struct ValidationSettings
{
    /// Called during the call that is wrong. Null: messages go to the log (core/log.h).
    std::function<void(const ValidationMessage&)> handler;
    /// A stream with errors is not given to the inner device (which might crash on it); submit fails with InvalidArgument.
    bool refusesInvalidStreams = true;
    std::uint32_t maxMessagesPerStream = 32; ///< the rest of that stream is counted only
};

struct ValidationStats
{
    std::uint64_t errorCount = 0, warningCount = 0;
    std::uint64_t checkedStreamCount = 0, checkedCommandCount = 0;
};

/// Costs a hash-free walk of each stream on the CPU and memory for each object's desc. States carry over between
/// submissions. After a missing barrier the use is taken as the new state, so that one mistake gives one message.
class ValidationDevice : public Device
{
public:
    virtual Device& inner() = 0;
    virtual const ValidationStats& stats() const = 0;
};

/// `inner` is not owned and must outlive the result. All objects must be created through the decorator.
std::unique_ptr<ValidationDevice> createValidationDevice(Device& inner, ValidationSettings settings = {});

} // namespace dl::gpu
