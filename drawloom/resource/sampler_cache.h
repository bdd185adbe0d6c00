// drawloom/resource/sampler_cache.h - one sampler object for each distinct sampling state. Used by the texture sets.
#pragma once

#include "drawloom/asset/image.h"
#include "drawloom/gpu/device.h"

#include <cstdint>
#include <vector>

namespace dl
{

/// Owner thread only. Samplers live as long as the cache: there are at most 144 states.
class SamplerCache
{
public:
    SamplerCache(gpu::Device& device, std::uint16_t maxAnisotropy) : m_device(&device), m_maxAnisotropy(maxAnisotropy) {}
    ~SamplerCache();
    SamplerCache(const SamplerCache&) = delete;
    SamplerCache& operator=(const SamplerCache&) = delete;

    Result<gpu::SamplerId> acquire(const SamplerSettings& settings);
    std::size_t size() const { return m_samplers.size(); }

private:
    struct Entry
    {
        SamplerSettings settings;
        gpu::SamplerId id;
    };
    gpu::Device* m_device;
    std::uint16_t m_maxAnisotropy;
    std::vector<Entry> m_samplers;
};

/// The device's sampler of a glTF sampler.
gpu::SamplerDesc toSamplerDesc(const SamplerSettings& settings, std::uint16_t maxAnisotropy);

} // namespace dl
