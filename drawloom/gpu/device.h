// drawloom/gpu/device.h - a GPU as Drawloom sees it: objects by id, one-way command streams, answers by polling.
// Implemented by gpu/vulkan, the null device and the decorators for validation and capture; nothing in it that WebGPU could not
// play. Backends trust their caller; wrap them in the validation device to have every call and stream checked.
#pragma once

#include "drawloom/core/result.h"
#include "drawloom/gpu/descs.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dl::gpu
{

struct DeviceInfo
{
    std::string name;    ///< the adapter, "llvmpipe (LLVM 15.0.6, 256 bits)"
    std::string driver;  ///< driver and version
    std::string backend; ///< "vulkan", "null"
    Limits limits;
    Features features;
    float timestampPeriodNs = 1.0f;
};

/// Grows by one with every submitted stream; 0 means none.
using SubmissionIndex = std::uint64_t;

enum class CompletionKind : std::uint8_t
{
    SubmissionDone, ///< `submission` and all before it are finished
    Readback,       ///< `token`'s bytes have arrived
    PipelineReady,  ///< `pipeline` can be used
    PipelineFailed, ///< `message` says why
    DeviceLost,     ///< once; everything after it fails with ErrorCode::DeviceLost
    Failed,         ///< a creation or submission of before failed late (WebGPU); `message` says which
};

struct Completion
{
    CompletionKind kind = CompletionKind::SubmissionDone;
    SubmissionIndex submission = 0;
    std::uint64_t token = 0;
    PipelineId pipeline;
    std::vector<std::byte> bytes;
    std::string message;
    ErrorCode code = ErrorCode::Unsupported; ///< of a failure: OutOfMemory may be asked for again
};

/// Bytes of device memory by kind, as the backend allocated them.
struct DeviceMemoryStats
{
    std::uint64_t bufferBytes = 0, bufferPeakBytes = 0;
    std::uint64_t textureBytes = 0, texturePeakBytes = 0;
    std::uint64_t stagingBytes = 0, stagingPeakBytes = 0; ///< host-visible copies in flight
};

/// One thread at a time. Creation fails with Unsupported, OutOfMemory, InvalidArgument or DeviceLost and then changes
/// nothing. Destroying an object that a submitted stream names is allowed: it dies after that stream completes.
class Device
{
public:
    virtual ~Device() = default;

    virtual const DeviceInfo& info() const = 0;

    virtual Result<BufferId> createBuffer(const BufferDesc& desc) = 0;
    virtual Result<TextureId> createTexture(const TextureDesc& desc) = 0;
    virtual Result<TextureViewId> createTextureView(const TextureViewDesc& desc) = 0;
    virtual Result<SamplerId> createSampler(const SamplerDesc& desc) = 0;
    virtual Result<ShaderModuleId> createShaderModule(const ShaderModuleDesc& desc) = 0;
    virtual Result<BindGroupLayoutId> createBindGroupLayout(const BindGroupLayoutDesc& desc) = 0;
    virtual Result<BindGroupId> createBindGroup(const BindGroupDesc& desc) = 0;
    /// Pipelines are compiled beside the frames: creation returns at once, the id can be put into streams once PipelineReady was
    /// polled (earlier use is a caller's bug), and what the driver refuses comes as PipelineFailed. Modules may be destroyed at once.
    virtual Result<PipelineId> createRenderPipeline(const RenderPipelineDesc& desc) = 0;
    virtual Result<PipelineId> createComputePipeline(const ComputePipelineDesc& desc) = 0;
    virtual Result<QuerySetId> createQuerySet(const QuerySetDesc& desc) = 0;

    virtual void destroy(BufferId id) = 0;
    virtual void destroy(TextureId id) = 0;
    virtual void destroy(TextureViewId id) = 0;
    virtual void destroy(SamplerId id) = 0;
    virtual void destroy(ShaderModuleId id) = 0;
    virtual void destroy(BindGroupLayoutId id) = 0;
    virtual void destroy(BindGroupId id) = 0;
    virtual void destroy(PipelineId id) = 0;
    virtual void destroy(QuerySetId id) = 0;

    /// Plays a finished CommandStream (gpu/command_stream.h). The bytes are read during the call.
    virtual Result<SubmissionIndex> submit(std::span<const std::byte> stream) = 0;

    /// Appends what has happened since the last poll, in order. Never blocks.
    virtual void poll(std::vector<Completion>& completions) = 0;

    /// Blocks until everything submitted is finished and every pipeline is ready or failed; native programs only (WebGPU: Unsupported).
    /// Poll afterwards.
    virtual Result<void> waitIdle() = 0;

    virtual DeviceMemoryStats memoryStats() const = 0;
};

} // namespace dl::gpu
