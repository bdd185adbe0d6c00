// What a renderer without a feature would see: each mutation must turn at least one golden picture red.
#include "tests/golden/golden_scene.h"

#include <cmath>
#include <utility>

namespace dl::golden
{
namespace
{

void dropNormalMaps(SceneDescription& scene)
{
    for (Material& material : scene.materials)
        material.normal = {};
}

void flipWinding(SceneDescription& scene)
{
    for (Mesh& mesh : scene.meshes)
        for (Primitive& primitive : mesh.primitives)
            for (std::size_t i = 0; i + 2 < primitive.indices.size(); i += 3)
                std::swap(primitive.indices[i + 1], primitive.indices[i + 2]);
}

/// Base colour read as if it were linear: encode the stored values once more, so that decoding gives the stored ones.
void wrongColourSpace(SceneDescription& scene)
{
    for (const Material& material : scene.materials)
    {
        if (!material.baseColor.isPresent())
            continue;
        Image& image = scene.images[material.baseColor.imageIndex];
        if (image.format != ImageFormat::Rgba8 || image.name == "mutated")
            continue;
        for (std::size_t i = 0; i < image.bytes.size(); ++i)
            if (i % 4 != 3)
            {
                const float linear = static_cast<float>(image.bytes[i]) / 255.0f;
                const float encoded = linear <= 0.0031308f ? 12.92f * linear : 1.055f * std::pow(linear, 1.0f / 2.4f) - 0.055f;
                image.bytes[i] = static_cast<std::byte>(std::lround(encoded * 255.0f));
            }
        image.name = "mutated";
    }
}

void dropSkins(SceneDescription& scene)
{
    for (Node& node : scene.nodes)
        node.skinIndex = kNoIndex;
    for (Mesh& mesh : scene.meshes)
        for (Primitive& primitive : mesh.primitives)
        {
            primitive.skin.clear();
            primitive.skin1.clear();
        }
}

void dropMorphs(SceneDescription& scene)
{
    for (Mesh& mesh : scene.meshes)
    {
        for (Primitive& primitive : mesh.primitives)
            primitive.morphTargets.clear();
        mesh.morphWeights.clear();
    }
    for (Node& node : scene.nodes)
        node.morphWeights.clear();
    for (Animation& animation : scene.animations)
        std::erase_if(animation.channels, [](const AnimationChannel& channel) { return channel.path == AnimationPath::Weights; });
}

void ignoreAlphaModes(SceneDescription& scene)
{
    for (Material& material : scene.materials)
        material.alphaMode = AlphaMode::Opaque;
}

void dropTextureTransforms(SceneDescription& scene)
{
    for (Material& material : scene.materials)
        for (TextureRef* texture :
            {&material.baseColor, &material.metallicRoughness, &material.normal, &material.occlusion, &material.emissive})
        {
            texture->uvOffset = vec2(0.0f);
            texture->uvScale = vec2(1.0f);
            texture->uvRotation = 0.0f;
        }
}

void dropVertexColours(SceneDescription& scene)
{
    for (Mesh& mesh : scene.meshes)
        for (Primitive& primitive : mesh.primitives)
            primitive.colors.clear();
}

void dropOcclusion(SceneDescription& scene)
{
    for (Material& material : scene.materials)
        material.occlusion = {};
}

void dropEmissive(SceneDescription& scene)
{
    for (Material& material : scene.materials)
    {
        material.emissive = {};
        material.emissiveFactor = vec3(0.0f);
    }
}

void lightUnlit(SceneDescription& scene)
{
    for (Material& material : scene.materials)
        material.isUnlit = false;
}

void cullDoubleSided(SceneDescription& scene)
{
    for (Material& material : scene.materials)
        material.isDoubleSided = false;
}

void flattenRoughness(SceneDescription& scene)
{
    for (Material& material : scene.materials)
    {
        material.metallicFactor = 0.0f;
        material.roughnessFactor = 1.0f;
    }
}

} // namespace

std::span<const Mutation> mutations()
{
    static constexpr Mutation all[] = {{"normal maps", "surface-board", dropNormalMaps}, {"winding", "mirrored", flipWinding},
        {"sRGB", "texture-board", wrongColourSpace}, {"skins", "deformed", dropSkins}, {"morph targets", "deformed", dropMorphs},
        {"alpha modes", "alpha-modes", ignoreAlphaModes}, {"texture transforms", "texture-board", dropTextureTransforms},
        {"vertex colours", "vertex-colours", dropVertexColours}, {"occlusion", "surface-board", dropOcclusion},
        {"emissive", "surface-board", dropEmissive}, {"unlit", "vertex-colours", lightUnlit},
        {"double sided", "sidedness", cullDoubleSided}, {"metalness and roughness", "sphere-sweep", flattenRoughness}};
    return all;
}

} // namespace dl::golden
