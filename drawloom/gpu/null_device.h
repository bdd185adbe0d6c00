// drawloom/gpu/null_device.h - a device without a GPU: plays copies on the CPU, counts everything else, fails on demand.
// Used by tests, `--backend null`, benchmarks of the frame's CPU side, and replays.
#pragma once

#include "drawloom/gpu/device.h"
#include "drawloom/gpu/object_kind.h"

#include <memory>

namespace dl::gpu
{

struct NullDeviceSettings
{
    Limits limits;
    Features features =
        Feature::TextureCompressionBc | Feature::TimestampQuery | Feature::IndirectFirstInstance | Feature::MultiDrawIndirect;
    bool keepsContents = true; ///< false: writes and copies are counted only, readbacks answer zeros

    // Failures. Numbers count from 1; 0 means never.
    ObjectCounts failNthCreation;                        ///< by kind: the nth creation of that kind fails with OutOfMemory, once
    std::uint64_t loseAtSubmission = 0;                  ///< that submit fails with DeviceLost, and everything after it
    std::uint32_t pollsUntilDone = 0;                    ///< a submission's completions come that many polls late
    std::uint32_t pollsUntilPipelineReady = 0;           ///< a pipeline is ready that many polls late
    std::string failPipelineLabel;                       ///< pipelines with this label end in PipelineFailed
    ErrorCode failPipelineCode = ErrorCode::Unsupported; ///< and this is their Completion::code
    std::uint32_t failPipelineCount = UINT32_MAX;        ///< so many of them
};

/// What ran between the begin and the end of passes with one label.
struct NullPassStats
{
    std::string label;
    bool isCompute = false;
    std::uint64_t passCount = 0; ///< how often a pass of this label ran
    std::uint64_t drawCount = 0; ///< draw commands; an indirect one counts as one
    std::uint64_t indirectDrawCount = 0;
    std::uint64_t instanceCount = 0; ///< indirect arguments are read from the buffer's content on the CPU
    std::uint64_t triangleCount = 0; ///< of triangle topologies, times instances
    std::uint64_t dispatchCount = 0;
    std::uint64_t pipelineBindCount = 0, bindGroupBindCount = 0, vertexBufferBindCount = 0, indexBufferBindCount = 0;
    friend bool operator==(const NullPassStats&, const NullPassStats&) = default;
};

struct NullDeviceStats
{
    std::uint64_t submissionCount = 0, commandCount = 0;
    std::uint64_t renderPassCount = 0, computePassCount = 0;
    NullPassStats total; ///< over all passes, label empty
    std::uint64_t barrierCommandCount = 0, textureBarrierCount = 0, bufferBarrierCount = 0;
    std::uint64_t bytesWritten = 0;  ///< writeBuffer, writeTexture
    std::uint64_t bytesCopied = 0;   ///< copies and clears
    std::uint64_t bytesReadBack = 0; ///< readbackBuffer
    ObjectCounts created, destroyed;
    std::vector<NullPassStats> passes; ///< in order of first appearance
};

/// Trusts its caller like every backend, but stays inside its memory whatever the stream says. Buffers and textures read
/// as zero until written; draws, dispatches and attachment clears change no content; timestamps resolve to 0, 1, 2...
/// `submit` allocates nothing after warm-up: once its buffers were written and its pass labels and readbacks were seen.
class NullDevice : public Device
{
public:
    virtual const NullDeviceStats& stats() const = 0;
    virtual void resetStats() = 0;
    virtual NullDeviceSettings& settings() = 0; ///< failures can be armed at any time; limits and features are fixed at creation
    /// Empty while nothing was written or contents are not kept.
    virtual std::span<const std::byte> bufferContent(BufferId id) const = 0;
    /// One mip, all its layers or depth slices, rows tightly packed in blocks. Empty while nothing was written.
    virtual std::span<const std::byte> textureContent(TextureId id, std::uint32_t mip) const = 0;
    virtual std::uint64_t liveObjectCount(ObjectKind kind) const = 0;
};

std::unique_ptr<NullDevice> createNullDevice(const NullDeviceSettings& settings = {});

} // namespace dl::gpu
