// drawloom/scene/detail/scene_images.cpp - see the header.
#include "drawloom/scene/detail/scene_images.h"

#include "drawloom/resource/gpu_resources.h"

#include <memory>

namespace dl::detail
{

SceneImages::~SceneImages()
{
    for (const TextureSetId set : m_sets)
        m_resources.textureSets().release(set);
    for (const std::vector<Slot>& slots : m_slots)
        for (const Slot& slot : slots)
            if (slot.id)
                m_resources.textures().remove(slot.id);
}

Result<TextureSlotId> SceneImages::slotOf(const SceneDescription& scene, std::uint32_t imageIndex, ImageUse use)
{
    const Image& image = scene.images[imageIndex];
    if (use == ImageUse::Normal && image.format != ImageFormat::Bc5)
        use = ImageUse::Data; // the same texels
    std::vector<Slot>& slots = m_slots[static_cast<std::size_t>(use)];
    slots.resize(scene.images.size());
    Slot& slot = slots[imageIndex];
    if (slot.isSettled)
        return slot.id;
    const bool hasBc = m_resources.device().info().features.contains(gpu::Feature::TextureCompressionBc);
    Result<Image> converted = convertForUse(image, use, hasBc);
    slot.isSettled = true;
    if (!converted)
    {
        m_issues.push_back({IssueSeverity::Warning, "image-format-unsupported", "images[" + std::to_string(imageIndex) + "]",
            converted.error().message + "; a neutral texture is drawn"});
        return slot.id;
    }
    Result<TextureSlotId> added = m_resources.textures().add(std::make_shared<const Image>(std::move(*converted)), encodingOf(use));
    if (!added)
        return withContext(std::move(added).error(), "image \"" + image.name + "\"");
    slot.id = *added;
    ++m_slotCount;
    return slot.id;
}

Result<TextureSetId> SceneImages::acquireSet(const SceneDescription& scene, const Material& material)
{
    const TextureRef* textures[kMaterialTextureCount] = {
        &material.baseColor, &material.metallicRoughness, &material.normal, &material.occlusion, &material.emissive};
    TextureSetDesc desc;
    for (std::uint32_t i = 0; i < kMaterialTextureCount; ++i)
    {
        if (!textures[i]->isPresent() || textures[i]->imageIndex >= scene.images.size() ||
            scene.images[textures[i]->imageIndex].bytes.empty())
            continue; // broken images draw as the neutral texture; the importer has listed them
        const ImageUse use = i == kTextureBaseColor || i == kTextureEmissive ? ImageUse::Color
                             : i == kTextureNormal                           ? ImageUse::Normal
                                                                             : ImageUse::Data;
        DL_TRY_ASSIGN(desc.slots[i], slotOf(scene, textures[i]->imageIndex, use));
        desc.samplers[i] = textures[i]->sampler;
    }
    DL_TRY_ASSIGN(const TextureSetId set, m_resources.textureSets().acquire(desc));
    m_sets.push_back(set);
    return set;
}

} // namespace dl::detail
