// tests/gpu/gpu_world.h - a null device behind the validation device, with the objects of a small valid frame.
#pragma once

#include "drawloom/gpu/command_stream.h"
#include "drawloom/gpu/null_device.h"
#include "drawloom/gpu/validation_device.h"

#include <algorithm>
#include <string>
#include <vector>

namespace dl::gpu
{

struct BarrierList
{
    std::vector<TextureBarrier> textures;
    std::vector<BufferBarrier> buffers;
};

/// An upload, a depth and colour pass, a tonemap pass that samples the colour, a compute pass that fills a storage buffer
/// which the tonemap pass reads, and a readback. `frame` can leave out one barrier.
class GpuWorld
{
public:
    explicit GpuWorld(const NullDeviceSettings& nullSettings = {}, bool refuses = true) : null(createNullDevice(nullSettings))
    {
        ValidationSettings settings;
        settings.refusesInvalidStreams = refuses;
        settings.handler = [this](const ValidationMessage& message) { messages.push_back(message); };
        checked = createValidationDevice(*null, settings);
        device = checked.get();
        create(*device);
    }

    /// Creates all objects on any device.
    void create(Device& d);
    /// Writes one whole frame. Barriers are numbered in order of declaration; number `skipped` is left out.
    void frame(CommandStream& s, int skipped = -1);
    /// The frame's uploads, with their barriers.
    void uploads(CommandStream& s);
    int barrierCount() const { return m_barrierNumber; }

    void submit(const CommandStream& s)
    {
        lastSubmit = device->submit(s.bytes()).has_value();
        device->poll(completions);
    }
    bool has(ValidationRule rule) const
    {
        return std::any_of(messages.begin(), messages.end(), [&](const ValidationMessage& m) { return m.rule == rule; });
    }
    std::string text() const
    {
        std::string all;
        for (const ValidationMessage& m : messages)
            all += std::string(toString(m.rule)) + ": " + m.text + "\n";
        return all;
    }
    void beginColor(CommandStream& s, std::string_view label = "opaque");
    void bindOpaque(CommandStream& s);
    static void toState(CommandStream& s, TextureId texture, AccessFlags before, AccessFlags after)
    {
        const TextureBarrier barrier[] = {{.texture = texture, .before = before, .after = after}};
        s.barriers(barrier, {});
    }
    static void toState(CommandStream& s, BufferId buffer, AccessFlags before, AccessFlags after)
    {
        const BufferBarrier barrier[] = {{.buffer = buffer, .before = before, .after = after}};
        s.barriers({}, barrier);
    }

    std::unique_ptr<NullDevice> null;
    std::unique_ptr<ValidationDevice> checked;
    Device* device = nullptr;
    std::vector<ValidationMessage> messages;
    std::vector<Completion> completions;
    bool lastSubmit = false;

    static constexpr std::uint32_t kSize = 64;
    BufferId vertices, indices, uniforms, storage, arguments, target;
    TextureId hdr, depth, ldr, albedo;
    TextureViewId hdrView, depthView, ldrView, albedoView;
    SamplerId sampler;
    ShaderModuleId module;
    BindGroupLayoutId frameLayout, tonemapLayout, computeLayout;
    BindGroupId frameGroup, tonemapGroup, computeGroup;
    PipelineId opaque, tonemap, compute;
    QuerySetId queries;

private:
    void barrier(CommandStream& s, BarrierList list, int skipped);
    int m_barrierNumber = 0;
    bool m_isFirstFrame = true;
};

} // namespace dl::gpu
