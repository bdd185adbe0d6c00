// drawloom/asset/detail/gltf_export_material.cpp - see the header.
#include "drawloom/asset/detail/gltf_export_material.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace dl::detail
{
namespace
{

class MaterialWriter
{
public:
    MaterialWriter(JsonWriter& json, std::set<std::string>& extensionsUsed) : m_json(json), m_extensionsUsed(extensionsUsed) {}

    void write(const Material& m)
    {
        m_json.beginObject();
        if (!m.name.empty())
            m_json.member("name", m.name);
        m_json.beginObject("pbrMetallicRoughness");
        if (m.baseColorFactor != vec4(1.0f))
            m_json.member("baseColorFactor", std::span<const float>(&m.baseColorFactor.x, 4));
        m_json.member("metallicFactor", m.metallicFactor);
        m_json.member("roughnessFactor", m.roughnessFactor);
        texture("baseColorTexture", m.baseColor);
        texture("metallicRoughnessTexture", m.metallicRoughness);
        m_json.endObject();
        texture("normalTexture", m.normal, "scale", m.normalScale);
        texture("occlusionTexture", m.occlusion, "strength", m.occlusionStrength);
        texture("emissiveTexture", m.emissive);
        emission(m);
        if (m.alphaMode != AlphaMode::Opaque)
            m_json.member("alphaMode", m.alphaMode == AlphaMode::Mask ? "MASK" : "BLEND");
        if (m.alphaMode == AlphaMode::Mask)
            m_json.member("alphaCutoff", m.alphaCutoff);
        if (m.isDoubleSided)
            m_json.member("doubleSided", true);
        m_json.endObject();
    }

    void writeTextures()
    {
        if (!m_textures.empty())
            m_json.beginArray("textures");
        for (const auto& [imageIndex, samplerIndex] : m_textures)
        {
            m_json.beginObject();
            m_json.member("source", imageIndex);
            m_json.member("sampler", samplerIndex);
            m_json.endObject();
        }
        if (!m_textures.empty())
            m_json.endArray();
        if (!m_samplers.empty())
            m_json.beginArray("samplers");
        for (const SamplerSettings& sampler : m_samplers)
            writeSampler(sampler);
        if (!m_samplers.empty())
            m_json.endArray();
    }

private:
    /// Factors beyond one go to KHR_materials_emissive_strength; a power of two keeps the product exact. All extensions.
    void emission(const Material& m)
    {
        const float largest = std::max({m.emissiveFactor.x, m.emissiveFactor.y, m.emissiveFactor.z});
        const float strength = largest > 1.0f ? std::exp2(std::min(std::ceil(std::log2(largest)), 127.0f)) : 1.0f;
        const vec3 factor = m.emissiveFactor / strength;
        if (largest > 0.0f)
            m_json.member("emissiveFactor", std::span<const float>(&factor.x, 3));
        if (strength == 1.0f && !m.isUnlit && m.keptExtensions.empty())
            return;
        m_json.beginObject("extensions");
        if (m.isUnlit)
        {
            m_extensionsUsed.insert("KHR_materials_unlit");
            m_json.beginObject("KHR_materials_unlit");
            m_json.endObject();
        }
        if (strength != 1.0f)
        {
            m_extensionsUsed.insert("KHR_materials_emissive_strength");
            m_json.beginObject("KHR_materials_emissive_strength");
            m_json.member("emissiveStrength", strength);
            m_json.endObject();
        }
        for (const MaterialExtension& extension : m.keptExtensions)
            kept(extension);
        m_json.endObject();
    }

    void kept(const MaterialExtension& extension)
    {
        m_extensionsUsed.insert(extension.name);
        m_json.key(extension.name);
        for (std::size_t i = 0; i < extension.json.size(); ++i)
        {
            m_json.append(extension.json[i]);
            m_json.beginMembers();
            if (i < extension.textures.size())
                textureMembers(extension.textures[i]);
        }
        m_json.continueObject();
    }

    void texture(std::string_view name, const TextureRef& ref, std::string_view amountName = {}, float amount = 1.0f)
    {
        if (!ref.isPresent())
            return;
        m_json.beginObject(name);
        textureMembers(ref);
        if (!amountName.empty() && amount != 1.0f)
            m_json.member(amountName, amount);
        m_json.endObject();
    }

    void textureMembers(const TextureRef& ref)
    {
        m_json.member("index", textureIndex(ref));
        if (ref.uvSet != 0)
            m_json.member("texCoord", ref.uvSet);
        if (ref.uvOffset != vec2(0.0f) || ref.uvScale != vec2(1.0f) || ref.uvRotation != 0.0f)
        {
            m_extensionsUsed.insert("KHR_texture_transform");
            m_json.beginObject("extensions");
            m_json.beginObject("KHR_texture_transform");
            m_json.member("offset", std::span<const float>(&ref.uvOffset.x, 2));
            m_json.member("rotation", ref.uvRotation);
            m_json.member("scale", std::span<const float>(&ref.uvScale.x, 2));
            m_json.endObject();
            m_json.endObject();
        }
    }

    std::uint32_t textureIndex(const TextureRef& ref)
    {
        auto sampler = std::find(m_samplers.begin(), m_samplers.end(), ref.sampler);
        if (sampler == m_samplers.end())
            sampler = m_samplers.insert(sampler, ref.sampler);
        const std::pair<std::uint32_t, std::uint32_t> key(ref.imageIndex, static_cast<std::uint32_t>(sampler - m_samplers.begin()));
        auto found = std::find(m_textures.begin(), m_textures.end(), key);
        if (found == m_textures.end())
            found = m_textures.insert(found, key);
        return static_cast<std::uint32_t>(found - m_textures.begin());
    }

    void writeSampler(const SamplerSettings& sampler)
    {
        const auto wrap = [](WrapMode mode) -> std::uint32_t
        {
            return mode == WrapMode::Repeat ? 10497 : mode == WrapMode::MirroredRepeat ? 33648 : 33071;
        };
        const bool isMinLinear = sampler.minFilter == TexelFilter::Linear;
        const bool isMipLinear = sampler.mipFilter == TexelFilter::Linear;
        const std::uint32_t withMips = 9984U + (isMinLinear ? 1U : 0U) + (isMipLinear ? 2U : 0U);
        m_json.beginObject();
        m_json.member("magFilter", sampler.magFilter == TexelFilter::Linear ? 9729U : 9728U);
        m_json.member("minFilter", sampler.hasMips ? withMips : isMinLinear ? 9729U : 9728U);
        m_json.member("wrapS", wrap(sampler.wrapU));
        m_json.member("wrapT", wrap(sampler.wrapV));
        m_json.endObject();
    }

    JsonWriter& m_json;
    std::set<std::string>& m_extensionsUsed;
    std::vector<SamplerSettings> m_samplers;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_textures;
};

} // namespace

void writeMaterials(JsonWriter& json, const SceneDescription& scene, std::set<std::string>& extensionsUsed)
{
    if (scene.materials.empty())
        return;
    MaterialWriter writer(json, extensionsUsed);
    json.beginArray("materials");
    for (const Material& material : scene.materials)
        writer.write(material);
    json.endArray();
    writer.writeTextures();
}

} // namespace dl::detail
