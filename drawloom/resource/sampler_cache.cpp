#include "drawloom/resource/sampler_cache.h"

namespace dl
{

namespace
{
gpu::AddressMode toAddressMode(WrapMode mode)
{
    switch (mode)
    {
    case WrapMode::Repeat: return gpu::AddressMode::Repeat;
    case WrapMode::MirroredRepeat: return gpu::AddressMode::MirrorRepeat;
    default: return gpu::AddressMode::ClampToEdge;
    }
}

gpu::Filter toFilter(TexelFilter filter)
{
    return filter == TexelFilter::Nearest ? gpu::Filter::Nearest : gpu::Filter::Linear;
}
} // namespace

gpu::SamplerDesc toSamplerDesc(const SamplerSettings& settings, std::uint16_t maxAnisotropy)
{
    gpu::SamplerDesc desc;
    desc.label = "material";
    desc.addressU = toAddressMode(settings.wrapU);
    desc.addressV = toAddressMode(settings.wrapV);
    desc.magFilter = toFilter(settings.magFilter);
    desc.minFilter = toFilter(settings.minFilter);
    desc.mipFilter = settings.hasMips ? toFilter(settings.mipFilter) : gpu::Filter::Nearest;
    // Not 0, where every sample would count as magnified: Vulkan 1.3, VkSamplerCreateInfo, notes on GL_NEAREST and GL_LINEAR.
    desc.maxLod = settings.hasMips ? 32.0f : 0.25f;
    const bool isLinear =
        desc.magFilter == gpu::Filter::Linear && desc.minFilter == gpu::Filter::Linear && desc.mipFilter == gpu::Filter::Linear;
    desc.maxAnisotropy = isLinear && maxAnisotropy > 1 ? maxAnisotropy : std::uint16_t(1);
    return desc;
}

SamplerCache::~SamplerCache()
{
    for (const Entry& entry : m_samplers)
        m_device->destroy(entry.id);
}

Result<gpu::SamplerId> SamplerCache::acquire(const SamplerSettings& settings)
{
    for (const Entry& entry : m_samplers)
        if (entry.settings == settings)
            return entry.id;
    DL_TRY_ASSIGN(const gpu::SamplerId id, m_device->createSampler(toSamplerDesc(settings, m_maxAnisotropy)));
    m_samplers.push_back({settings, id});
    return id;
}

} // namespace dl
