// drawloom/asset/material.h - a glTF 2.0 metallic-roughness material as CPU data.
#pragma once

#include "drawloom/asset/image.h"
#include "drawloom/core/maths.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dl
{

constexpr std::uint32_t kNoIndex = UINT32_MAX;

/// Use of a texture by a material: which image, how sampled, which UV set, KHR_texture_transform.
struct TextureRef
{
    std::uint32_t imageIndex = kNoIndex; ///< into SceneDescription::images; kNoIndex: no texture
    SamplerSettings sampler;
    std::uint32_t uvSet = 0; ///< 0 or 1 (KHR_texture_transform's texCoord already applied)
    vec2 uvOffset = vec2(0.0f);
    vec2 uvScale = vec2(1.0f);
    float uvRotation = 0.0f; ///< radians, as the extension defines it
    bool isPresent() const { return imageIndex != kNoIndex; }
    friend bool operator==(const TextureRef&, const TextureRef&) = default;
};

enum class AlphaMode : std::uint8_t
{
    Opaque,
    Mask,
    Blend
};

/// A material extension that is kept for export and not drawn, as JSON with its textures taken out: json[0], the
/// members of textures[0]'s textureInfo, json[1], ... json.back(); one more text than textures.
struct MaterialExtension
{
    std::string name; ///< "KHR_materials_clearcoat"
    std::vector<std::string> json;
    std::vector<TextureRef> textures;
    friend bool operator==(const MaterialExtension&, const MaterialExtension&) = default;
};

struct Material
{
    std::string name;
    vec4 baseColorFactor = vec4(1.0f); ///< linear
    float metallicFactor = 1.0f;
    float roughnessFactor = 1.0f;
    float normalScale = 1.0f;
    float occlusionStrength = 1.0f;
    vec3 emissiveFactor = vec3(0.0f); ///< linear, KHR_materials_emissive_strength multiplied in
    float alphaCutoff = 0.5f;
    AlphaMode alphaMode = AlphaMode::Opaque;
    bool isDoubleSided = false;
    bool isUnlit = false;                          ///< KHR_materials_unlit
    TextureRef baseColor;                          ///< sRGB
    TextureRef metallicRoughness;                  ///< linear, G roughness, B metalness
    TextureRef normal;                             ///< linear, tangent space, +Y up
    TextureRef occlusion;                          ///< linear, R
    TextureRef emissive;                           ///< sRGB
    std::vector<MaterialExtension> keptExtensions; ///< clearcoat, sheen, ...: exported again, not drawn
    std::vector<std::string> unusedExtensions;     ///< names of all that are not drawn, the kept ones first

    /// Calls `visit` with every texture, those of kept extensions too.
    template <class Visit> void forEachTexture(Visit&& visit) { visitTextures(*this, visit); }
    template <class Visit> void forEachTexture(Visit&& visit) const { visitTextures(*this, visit); }

private:
    template <class Self, class Visit> static void visitTextures(Self& self, Visit& visit)
    {
        for (auto* texture : {&self.baseColor, &self.metallicRoughness, &self.normal, &self.occlusion, &self.emissive})
            visit(*texture);
        for (auto& extension : self.keptExtensions)
            for (auto& texture : extension.textures)
                visit(texture);
    }
};

} // namespace dl
