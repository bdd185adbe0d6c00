// drawloom/scene/detail/scene_images.cpp - see the header.
#include "drawloom/scene/detail/scene_images.h"

#include "drawloom/asset/image_mips.h"
#include "drawloom/resource/gpu_resources.h"

#include <memory>

namespace dl::detail
{

namespace
{
bool isBlockCompressed(ImageFormat format)
{
    return imageBlockTexels(format) > 1;
}

/// Grey and grey-alpha images mean the same value in red, green and blue.
Image expandGrey(const Image& source)
{
    Image image = source;
    const std::size_t channels = source.format == ImageFormat::R8 ? 1 : 2;
    image.format = ImageFormat::Rgba8;
    image.bytes.resize(source.bytes.size() / channels * 4);
    for (std::size_t i = 0; i < source.bytes.size() / channels; ++i)
    {
        const std::byte grey = source.bytes[i * channels];
        std::byte* texel = image.bytes.data() + i * 4;
        texel[0] = texel[1] = texel[2] = grey;
        texel[3] = channels == 2 ? source.bytes[i * channels + 1] : std::byte(255);
    }
    return image;
}

std::shared_ptr<const Image> prepare(const Image& source, ImageEncoding encoding)
{
    const bool isGrey = source.format == ImageFormat::R8 || source.format == ImageFormat::Rg8;
    auto image = std::make_shared<Image>(isGrey ? expandGrey(source) : source);
    if (image->mipCount == 1 && !isBlockCompressed(image->format))
        buildMips(*image, encoding);
    return image;
}
} // namespace

SceneImages::~SceneImages()
{
    for (const TextureSetId set : m_sets)
        m_resources.textureSets().release(set);
    for (const std::vector<TextureSlotId>& slots : m_slots)
        for (const TextureSlotId slot : slots)
            if (slot)
                m_resources.textures().remove(slot);
}

Result<TextureSlotId> SceneImages::slotOf(const SceneDescription& scene, std::uint32_t imageIndex, ImageEncoding encoding)
{
    std::vector<TextureSlotId>& slots = m_slots[encoding == ImageEncoding::Srgb ? 1 : 0];
    slots.resize(scene.images.size());
    if (slots[imageIndex])
        return slots[imageIndex];
    const Image& image = scene.images[imageIndex];
    Result<TextureSlotId> slot = m_resources.textures().add(prepare(image, encoding), encoding);
    if (!slot)
        return withContext(std::move(slot).error(), "image \"" + image.name + "\"");
    slots[imageIndex] = slot.value();
    ++m_slotCount;
    return slot.value();
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
        const bool isColor = i == kTextureBaseColor || i == kTextureEmissive;
        DL_TRY_ASSIGN(desc.slots[i], slotOf(scene, textures[i]->imageIndex, isColor ? ImageEncoding::Srgb : ImageEncoding::Linear));
        desc.samplers[i] = textures[i]->sampler;
    }
    DL_TRY_ASSIGN(const TextureSetId set, m_resources.textureSets().acquire(desc));
    m_sets.push_back(set);
    return set;
}

} // namespace dl::detail
