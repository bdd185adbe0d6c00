// drawloom/asset/detail/gltf_material.cpp - materials, textures and samplers of a glTF, with the material extensions that
// the library draws.
#include "drawloom/asset/detail/gltf_material_extension.h"
#include "drawloom/asset/detail/gltf_object.h"
#include "drawloom/core/huge_pages.h"

#include <algorithm>
#include <limits>
#include <map>

namespace dl::detail
{
namespace
{

constexpr float kNoLimit = std::numeric_limits<float>::max();
constexpr std::uint32_t kUvSetCount = 2;

WrapMode readWrap(const GltfObject& sampler, const char* key)
{
    switch (const std::uint64_t code = sampler.count(key, 10497))
    {
    case 10497: return WrapMode::Repeat;
    case 33071: return WrapMode::ClampToEdge;
    case 33648: return WrapMode::MirroredRepeat;
    default: sampler.state().warn("unknown-value", sampler.path(key), std::to_string(code) + " is no wrap mode; REPEAT is used");
    }
    return WrapMode::Repeat;
}

void readMinFilter(const GltfObject& sampler, SamplerSettings& out)
{
    const std::uint64_t code = sampler.count("minFilter", 9987);
    const bool isKnown = code == 9728 || code == 9729 || (code >= 9984 && code <= 9987);
    if (!isKnown)
    {
        sampler.state().warn("unknown-value", sampler.path("minFilter"), std::to_string(code) + " is no filter; linear is used");
        return;
    }
    out.minFilter = code == 9728 || code == 9984 || code == 9986 ? TexelFilter::Nearest : TexelFilter::Linear;
    out.mipFilter = code == 9984 || code == 9985 ? TexelFilter::Nearest : TexelFilter::Linear;
    out.hasMips = code >= 9984;
}

SamplerSettings readSampler(GltfState& state, std::uint32_t index)
{
    SamplerSettings out;
    const GltfObject sampler(state, state.lists.samplers[index], "samplers", index);
    const std::uint64_t magFilter = sampler.count("magFilter", 9729);
    if (magFilter != 9728 && magFilter != 9729)
        state.warn("unknown-value", sampler.path("magFilter"), std::to_string(magFilter) + " is no filter; linear is used");
    out.magFilter = magFilter == 9728 ? TexelFilter::Nearest : TexelFilter::Linear;
    readMinFilter(sampler, out);
    out.wrapU = readWrap(sampler, "wrapS");
    out.wrapV = readWrap(sampler, "wrapT");
    return out;
}

std::uint32_t readUvSet(const GltfObject& object, std::uint32_t fallback)
{
    const std::uint64_t uvSet = object.count("texCoord", fallback);
    if (uvSet < kUvSetCount)
        return static_cast<std::uint32_t>(uvSet);
    object.state().warn(
        "uv-set-unsupported", object.path("texCoord"), "set " + std::to_string(uvSet) + " is not read, only 0 and 1; set 0 is used");
    return 0;
}

void readTransform(const GltfObject& info, TextureRef& out)
{
    const std::optional<GltfObject> transform = info.extension("KHR_texture_transform");
    if (!transform)
        return;
    float pair[2] = {0.0f, 0.0f};
    if (transform->numbers("offset", pair))
        out.uvOffset = vec2(pair[0], pair[1]);
    if (transform->numbers("scale", pair))
        out.uvScale = vec2(pair[0], pair[1]);
    out.uvRotation = transform->number("rotation", 0.0f);
    out.uvSet = readUvSet(*transform, out.uvSet);
}

/// Who cannot be read is replaced for all textures alike: those that name it with different fallbacks get none.
void noteFallback(GltfState& state, std::uint32_t image, std::uint32_t fallback)
{
    std::uint32_t& known = state.imageFallbacks[image];
    known = known == kUnusedImage || known == fallback ? fallback : kNoIndex;
}

/// The WebP where there is one, with `source` as its fallback. kNoIndex, with a warning: nothing that is read.
std::uint32_t chooseImage(const GltfObject& texture)
{
    GltfState& state = texture.state();
    const std::size_t imageCount = state.lists.images.size();
    const std::uint32_t source = texture.index("source", imageCount);
    const std::optional<GltfObject> webp = texture.extension(kWebpExtension);
    const std::uint32_t webpSource = webp ? webp->index("source", imageCount) : kNoIndex;
    if (state.failed())
        return kNoIndex;
    if (webpSource != kNoIndex)
    {
        noteFallback(state, webpSource, source != webpSource ? source : kNoIndex);
        return webpSource;
    }
    if (source == kNoIndex && texture.extension(kBasisExtension))
        state.warn("missing-image", texture.path(),
            "its only source is Basis Universal (KHR_texture_basisu), which is not read; the material goes without it");
    else if (source == kNoIndex)
        state.warn("texture-without-image", texture.path(), "has no source that is read; the material goes without it");
    else if (source != kNoIndex)
        noteFallback(state, source, kNoIndex);
    return source;
}

TextureRef readTexture(const GltfObject& owner, const char* key)
{
    const std::optional<GltfObject> info = owner.object(key);
    return info ? readTextureInfo(*info) : TextureRef{};
}

void clampAll(const GltfObject& owner, const char* key, std::span<float> values)
{
    const auto isInside = [](float value) { return value >= 0.0f && value <= 1.0f; };
    if (std::all_of(values.begin(), values.end(), isInside))
        return;
    owner.state().warn("clamped-value", owner.path(key), "lies outside 0 to 1 and was clamped");
    for (float& value : values)
        value = std::clamp(value, 0.0f, 1.0f);
}

void readMetallicRoughness(const GltfObject& material, Material& out)
{
    const std::optional<GltfObject> pbr = material.object("pbrMetallicRoughness");
    if (!pbr)
        return;
    float color[4] = {1.0f, 1.0f, 1.0f, 1.0f};
    pbr->numbers("baseColorFactor", color);
    clampAll(*pbr, "baseColorFactor", color);
    out.baseColorFactor = vec4(color[0], color[1], color[2], color[3]);
    out.metallicFactor = pbr->number("metallicFactor", 1.0f, 0.0f, 1.0f);
    out.roughnessFactor = pbr->number("roughnessFactor", 1.0f, 0.0f, 1.0f);
    out.baseColor = readTexture(*pbr, "baseColorTexture");
    out.metallicRoughness = readTexture(*pbr, "metallicRoughnessTexture");
}

void readNormalAndOcclusion(const GltfObject& material, Material& out)
{
    if (const std::optional<GltfObject> normal = material.object("normalTexture"))
    {
        out.normal = readTextureInfo(*normal);
        out.normalScale = normal->number("scale", 1.0f);
    }
    if (const std::optional<GltfObject> occlusion = material.object("occlusionTexture"))
    {
        out.occlusion = readTextureInfo(*occlusion);
        out.occlusionStrength = occlusion->number("strength", 1.0f, 0.0f, 1.0f);
    }
}

void readEmission(const GltfObject& material, Material& out)
{
    float color[3] = {0.0f, 0.0f, 0.0f};
    material.numbers("emissiveFactor", color);
    clampAll(material, "emissiveFactor", color);
    out.emissiveFactor = vec3(color[0], color[1], color[2]);
    out.emissive = readTexture(material, "emissiveTexture");
    if (const std::optional<GltfObject> strength = material.extension("KHR_materials_emissive_strength"))
        out.emissiveFactor *= strength->number("emissiveStrength", 1.0f, 0.0f, kNoLimit);
}

void readAlpha(const GltfObject& material, Material& out)
{
    const std::string_view mode = material.has("alphaMode") ? material.text("alphaMode") : std::string_view("OPAQUE");
    if (mode == "MASK")
        out.alphaMode = AlphaMode::Mask;
    else if (mode == "BLEND")
        out.alphaMode = AlphaMode::Blend;
    else if (mode != "OPAQUE")
        material.state().warn(
            "unknown-value", material.path("alphaMode"), "\"" + std::string(mode.substr(0, 32)) + "\" is no alpha mode; OPAQUE is used");
    out.alphaCutoff = material.number("alphaCutoff", 0.5f, 0.0f, kNoLimit);
    out.isDoubleSided = material.flag("doubleSided", false);
}

void readExtensions(const GltfObject& material, Material& out)
{
    const std::optional<GltfObject> extensions = material.object("extensions");
    if (!extensions)
        return;
    std::vector<std::string> others;
    for (const auto& [name, value] : extensions->members())
    {
        const std::string key(name);
        const bool isTaken = std::any_of(out.keptExtensions.begin(), out.keptExtensions.end(),
            [&](const MaterialExtension& extension) { return extension.name == name; });
        if (isTaken) // a name twice in one object: the first counts
            continue;
        if (name == "KHR_materials_unlit")
            out.isUnlit = true;
        else if (name == "KHR_materials_emissive_strength")
            continue;
        else if (const std::optional<GltfObject> kept = isKeptMaterialExtension(name) ? extensions->object(key.c_str()) : std::nullopt)
        {
            readMaterialExtension(*kept, out.keptExtensions.emplace_back());
            out.keptExtensions.back().name = key;
            out.unusedExtensions.push_back(key);
        }
        else
            others.push_back(key);
    }
    out.unusedExtensions.insert(out.unusedExtensions.end(), others.begin(), others.end());
}

/// One line for each extension, however many materials have it.
void reportKept(GltfState& state)
{
    std::map<std::string, std::size_t> counts;
    for (const Material& material : state.scene.materials)
        for (const MaterialExtension& extension : material.keptExtensions)
            ++counts[extension.name];
    for (const auto& [name, count] : counts)
        state.note("material-extension-not-drawn", "materials",
            name + " of " + std::to_string(count) + " materials is kept for export; they are drawn as metallic-roughness without it");
}

} // namespace

TextureRef readTextureInfo(const GltfObject& info)
{
    TextureRef out;
    GltfState& state = info.state();
    const std::uint32_t textureIndex = info.requiredIndex("index", state.lists.textures.size());
    if (state.failed())
        return out;
    const GltfObject texture(state, state.lists.textures[textureIndex], "textures", textureIndex);
    out.imageIndex = chooseImage(texture);
    const std::uint32_t samplerIndex = texture.index("sampler", state.lists.samplers.size());
    if (state.failed())
        return out;
    if (samplerIndex != kNoIndex)
        out.sampler = readSampler(state, samplerIndex);
    out.uvSet = readUvSet(info, 0);
    readTransform(info, out);
    return out;
}

void readMaterials(GltfState& state)
{
    reserveInHugePages(state.scene.materials, state.lists.materials.size());
    for (std::size_t i = 0; i < state.lists.materials.size() && !state.failed(); ++i)
    {
        const GltfObject material(state, state.lists.materials[i], "materials", i);
        Material& out = state.scene.materials.emplace_back();
        out.name = material.text("name");
        readMetallicRoughness(material, out);
        readNormalAndOcclusion(material, out);
        readEmission(material, out);
        readAlpha(material, out);
        readExtensions(material, out);
    }
    if (!state.failed())
        reportKept(state);
}

} // namespace dl::detail
