// tests/resource/resource_harness.h - GpuResources on a null device, driven frame by frame.
#pragma once

#include "drawloom/gpu/null_device.h"
#include "drawloom/gpu/validation_device.h"
#include "drawloom/resource/gpu_resources.h"

#include <gtest/gtest.h>

namespace dl
{

struct ResourceHarness
{
    explicit ResourceHarness(const GpuResourcesSettings& settings = {}, const gpu::NullDeviceSettings& device = {}, bool isValidated = true)
        : null(gpu::createNullDevice(device))
    {
        if (isValidated)
        {
            gpu::ValidationSettings validation;
            validation.handler = [](const gpu::ValidationMessage& message) { ADD_FAILURE() << message.text; };
            validated = gpu::createValidationDevice(*null, validation);
        }
        auto created = GpuResources::create(gpuDevice(), settings);
        EXPECT_TRUE(created) << (created ? "" : created.error().message);
        resources = std::move(created).value();
    }
    gpu::Device& gpuDevice() { return validated ? static_cast<gpu::Device&>(*validated) : *null; }

    void begin()
    {
        completions.clear();
        gpuDevice().poll(completions);
        for (const gpu::Completion& completion : completions)
            if (completion.kind == gpu::CompletionKind::SubmissionDone)
                resources->onCompleted(completion.submission);
        resources->beginFrame();
    }
    bool end()
    {
        stream.clear();
        const Result<void> flushed = resources->flush(stream);
        if (!flushed)
            lastError = flushed.error();
        const auto submitted = gpuDevice().submit(stream.bytes());
        EXPECT_TRUE(submitted);
        if (submitted)
            resources->onSubmitted(*submitted);
        return flushed.has_value();
    }
    bool frame()
    {
        begin();
        return end();
    }

    template <class T> T read(gpu::BufferId buffer, std::size_t index) const
    {
        T value{};
        const auto bytes = null->bufferContent(buffer);
        EXPECT_LE((index + 1) * sizeof(T), bytes.size());
        if ((index + 1) * sizeof(T) <= bytes.size())
            __builtin_memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
        return value;
    }

    std::unique_ptr<gpu::NullDevice> null;
    std::unique_ptr<gpu::ValidationDevice> validated; ///< every message is a failed test
    std::unique_ptr<GpuResources> resources;
    gpu::CommandStream stream;
    std::vector<gpu::Completion> completions;
    Error lastError;
};

/// A grid of `vertexCount` distinct positions with a fan of triangles.
inline MeshData makeMesh(std::uint32_t vertexCount, float seed, std::uint32_t skinSets = 0, std::uint32_t morphTargets = 0)
{
    MeshData data;
    data.name = "test";
    data.positions.resize(vertexCount);
    data.normals.resize(vertexCount);
    data.uvs.resize(vertexCount);
    for (std::uint32_t i = 0; i < vertexCount; ++i)
        data.positions[i] = vec3(seed, static_cast<float>(i), 1.0f);
    for (std::uint32_t i = 2; i < vertexCount; ++i)
        data.indices.insert(data.indices.end(), {0, i - 1, i});
    data.skinSetCount = skinSets;
    data.skin.resize(std::size_t(vertexCount) * skinSets);
    data.morphTargetCount = morphTargets;
    data.morph.assign(morphTargets == 0 ? 0 : std::size_t(vertexCount) * morphTargets * 3, seed);
    return data;
}

} // namespace dl
