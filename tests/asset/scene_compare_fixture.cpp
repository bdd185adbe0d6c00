#include "tests/asset/scene_compare.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace dl::test
{
namespace
{

template <class T> bool sameBytes(const std::vector<T>& a, const std::vector<T>& b)
{
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

bool isNear(const Affine& a, const Affine& b)
{
    const float tolerance = 1e-5f * std::max(1.0f, maxScale(a));
    for (int row = 0; row < 3; ++row)
        for (int c = 0; c < 4; ++c)
            if (!(std::fabs(a.rows[row][c] - b.rows[row][c]) <= std::max(tolerance, 1e-5f * std::fabs(a.rows[row][c]))))
                return false;
    return true;
}

std::string at(const char* list, std::size_t index)
{
    return std::string(list) + '[' + std::to_string(index) + ']';
}

/// `NAME` if the condition does not hold.
#define DL_SAME(condition, name)                                                                                                           \
    do                                                                                                                                     \
    {                                                                                                                                      \
        if (!(condition))                                                                                                                  \
            return std::string(name);                                                                                                      \
    } while (false)

bool sameSkin(const std::vector<VertexSkin>& a, const std::vector<VertexSkin>& b)
{
    if (a.size() != b.size())
        return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (int c = 0; c < 4; ++c)
            if ((a[i].weights[c] == 0.0f ? 0 : a[i].joints[c]) != b[i].joints[c] ||
                !(std::fabs(a[i].weights[c] - b[i].weights[c]) <= 1e-6f))
                return false;
    return true;
}

std::vector<VariantMaterial> sorted(std::vector<VariantMaterial> entries)
{
    std::sort(
        entries.begin(), entries.end(), [](const VariantMaterial& a, const VariantMaterial& b) { return a.variantIndex < b.variantIndex; });
    return entries.size() == 1 ? std::vector<VariantMaterial>() : entries; // no entry but the file's own material
}

std::string compare(const Primitive& a, const Primitive& b)
{
    DL_SAME(sameBytes(a.positions, b.positions), "positions");
    DL_SAME(sameBytes(a.normals, b.normals), "normals");
    DL_SAME(sameBytes(a.tangents, b.tangents), "tangents");
    DL_SAME(sameBytes(a.uv0, b.uv0), "uv0");
    DL_SAME(sameBytes(a.uv1, b.uv1), "uv1");
    DL_SAME(sameBytes(a.colors, b.colors), "colors");
    DL_SAME(sameBytes(a.indices, b.indices), "indices");
    DL_SAME(sameSkin(a.skin, b.skin), "skin");
    DL_SAME(sameSkin(a.skin1, b.skin1), "skin1");
    DL_SAME(a.materialIndex == b.materialIndex, "materialIndex");
    DL_SAME(sorted(a.variantMaterials) == sorted(b.variantMaterials), "variantMaterials");
    DL_SAME(a.bounds.min == b.bounds.min && a.bounds.max == b.bounds.max, "bounds");
    DL_SAME(a.morphTargets.size() == b.morphTargets.size(), "morphTargets");
    for (std::size_t i = 0; i < a.morphTargets.size(); ++i)
    {
        DL_SAME(a.morphTargets[i].name == b.morphTargets[i].name, at("morphTargets", i) + ".name");
        const MorphTarget& target = a.morphTargets[i];
        const bool isStill = target.positions.empty() && target.normals.empty() && target.tangents.empty(); // written as zeros
        DL_SAME(sameBytes(isStill ? std::vector<vec3>(a.positions.size(), vec3(0.0f)) : target.positions, b.morphTargets[i].positions),
            at("morphTargets", i) + ".positions");
        DL_SAME(sameBytes(a.morphTargets[i].normals, b.morphTargets[i].normals), at("morphTargets", i) + ".normals");
        DL_SAME(sameBytes(a.morphTargets[i].tangents, b.morphTargets[i].tangents), at("morphTargets", i) + ".tangents");
    }
    return {};
}

bool same(const TextureRef& a, const TextureRef& b)
{
    return a == b || (!a.isPresent() && !b.isPresent());
}

std::string compare(const Material& a, const Material& b)
{
    DL_SAME(a.name == b.name, "name");
    DL_SAME(a.baseColorFactor == b.baseColorFactor && a.metallicFactor == b.metallicFactor && a.roughnessFactor == b.roughnessFactor,
        "factors");
    DL_SAME(a.normalScale == b.normalScale && a.occlusionStrength == b.occlusionStrength, "amounts");
    DL_SAME(a.emissiveFactor == b.emissiveFactor, "emissiveFactor");
    DL_SAME(a.alphaMode == b.alphaMode && (a.alphaMode != AlphaMode::Mask || a.alphaCutoff == b.alphaCutoff), "alpha");
    DL_SAME(a.isDoubleSided == b.isDoubleSided && a.isUnlit == b.isUnlit, "flags");
    DL_SAME(same(a.baseColor, b.baseColor), "baseColor");
    DL_SAME(same(a.metallicRoughness, b.metallicRoughness), "metallicRoughness");
    DL_SAME(same(a.normal, b.normal) && same(a.occlusion, b.occlusion) && same(a.emissive, b.emissive), "textures");
    DL_SAME(a.keptExtensions == b.keptExtensions, "keptExtensions");
    return {};
}

std::string compareNodes(const SceneDescription& a, const SceneDescription& b, const std::vector<std::uint32_t>& meshes)
{
    DL_SAME(a.nodes.size() == b.nodes.size(), "nodes");
    const auto meshOf = [&](std::uint32_t mesh) { return mesh == kNoIndex ? kNoIndex : meshes[mesh]; };
    for (std::size_t i = 0; i < a.nodes.size(); ++i)
    {
        const Node& x = a.nodes[i];
        const Node& y = b.nodes[i];
        const std::string where = at("nodes", i) + ".";
        DL_SAME(x.name == y.name, where + "name");
        DL_SAME(x.parent == y.parent, where + "parent");
        DL_SAME(meshOf(x.meshIndex) == y.meshIndex, where + "meshIndex");
        DL_SAME(y.meshIndex == kNoIndex || x.skinIndex == y.skinIndex, where + "skinIndex");
        DL_SAME(x.cameraIndex == y.cameraIndex && x.lightIndex == y.lightIndex, where + "camera or light");
        DL_SAME(x.local.translation == y.local.translation && x.local.scale == y.local.scale && x.matrix == y.matrix, where + "local");
        DL_SAME(isNear(toAffine(x.local), toAffine(y.local)), where + "rotation");
        DL_SAME(sameBytes(x.morphWeights, y.morphWeights), where + "morphWeights");
        DL_SAME(x.instances.size() == y.instances.size(), where + "instances");
        for (std::size_t k = 0; k < x.instances.size(); ++k)
            DL_SAME(isNear(x.instances[k], y.instances[k]), where + at("instances", k));
        DL_SAME(x.lods.size() == y.lods.size(), where + "lods");
        for (std::size_t k = 0; k < x.lods.size(); ++k)
            DL_SAME(meshOf(x.lods[k].meshIndex) == y.lods[k].meshIndex && x.lods[k].minCoverage == y.lods[k].minCoverage,
                where + at("lods", k));
    }
    return {};
}

std::string compareAnimations(const SceneDescription& a, const SceneDescription& b)
{
    std::size_t next = 0;
    for (std::size_t i = 0; i < a.animations.size(); ++i)
    {
        const Animation& x = a.animations[i];
        const std::string where = at("animations", i) + ".";
        if (x.channels.empty())
            continue;
        DL_SAME(next < b.animations.size(), where);
        const Animation& y = b.animations[next++];
        DL_SAME(x.name == y.name && x.durationSeconds == y.durationSeconds && x.channels.size() == y.channels.size(), where);
        for (std::size_t c = 0; c < x.channels.size(); ++c)
        {
            DL_SAME(x.channels[c].nodeIndex == y.channels[c].nodeIndex && x.channels[c].path == y.channels[c].path &&
                        x.channels[c].interpolation == y.channels[c].interpolation,
                where + at("channels", c));
            DL_SAME(sameBytes(x.channels[c].times, y.channels[c].times), where + at("channels", c) + ".times");
            DL_SAME(sameBytes(x.channels[c].values, y.channels[c].values), where + at("channels", c) + ".values");
        }
    }
    DL_SAME(next == b.animations.size(), "animations");
    return {};
}

std::string compareRest(const SceneDescription& a, const SceneDescription& b)
{
    DL_SAME(a.skins.size() == b.skins.size(), "skins");
    for (std::size_t i = 0; i < a.skins.size(); ++i)
        DL_SAME(a.skins[i].jointNodes == b.skins[i].jointNodes && a.skins[i].skeletonRoot == b.skins[i].skeletonRoot &&
                    sameBytes(a.skins[i].inverseBindMatrices, b.skins[i].inverseBindMatrices),
            at("skins", i));
    DL_SAME(a.images.size() == b.images.size(), "images");
    for (std::size_t i = 0; i < a.images.size(); ++i)
        DL_SAME(a.images[i].name == b.images[i].name && a.images[i].width == b.images[i].width &&
                    a.images[i].height == b.images[i].height && a.images[i].hasAlpha == b.images[i].hasAlpha,
            at("images", i));
    DL_SAME(a.cameras.size() == b.cameras.size(), "cameras");
    for (std::size_t i = 0; i < a.cameras.size(); ++i)
    {
        const Camera& x = a.cameras[i];
        const Camera& y = b.cameras[i];
        DL_SAME(x.isOrthographic == y.isOrthographic && x.zNear == y.zNear && (x.zFar == y.zFar || x.isOrthographic), at("cameras", i));
        DL_SAME(x.isOrthographic ? x.xMag == y.xMag && x.yMag == y.yMag : x.yFovRadians == y.yFovRadians && x.aspect == y.aspect,
            at("cameras", i));
    }
    DL_SAME(a.lights.size() == b.lights.size(), "lights");
    for (std::size_t i = 0; i < a.lights.size(); ++i)
    {
        const Light& x = a.lights[i];
        const Light& y = b.lights[i];
        DL_SAME(x.type == y.type && x.color == y.color && x.intensity == y.intensity && x.range == y.range, at("lights", i));
        DL_SAME(x.type != LightType::Spot || (x.innerConeRadians == y.innerConeRadians && x.outerConeRadians == y.outerConeRadians),
            at("lights", i) + ".spot");
    }
    DL_SAME(a.variants == b.variants, "variants");
    return {};
}

} // namespace

std::string firstDifference(const SceneDescription& written, const SceneDescription& read)
{
    std::vector<std::uint32_t> meshes;
    std::uint32_t meshCount = 0;
    for (const Mesh& mesh : written.meshes)
        meshes.push_back(mesh.primitives.empty() ? kNoIndex : meshCount++);
    if (std::string difference = compareNodes(written, read, meshes); !difference.empty())
        return difference;
    DL_SAME(read.meshes.size() == meshCount, "meshes");
    for (std::size_t i = 0; i < written.meshes.size(); ++i)
    {
        if (meshes[i] == kNoIndex)
            continue;
        const Mesh& a = written.meshes[i];
        const Mesh& b = read.meshes[meshes[i]];
        DL_SAME(
            a.name == b.name && sameBytes(a.morphWeights, b.morphWeights) && a.primitives.size() == b.primitives.size(), at("meshes", i));
        for (std::size_t p = 0; p < a.primitives.size(); ++p)
            if (const std::string difference = compare(a.primitives[p], b.primitives[p]); !difference.empty())
                return at("meshes", i) + "." + at("primitives", p) + "." + difference;
    }
    DL_SAME(written.materials.size() == read.materials.size(), "materials");
    for (std::size_t i = 0; i < written.materials.size(); ++i)
        if (const std::string difference = compare(written.materials[i], read.materials[i]); !difference.empty())
            return at("materials", i) + "." + difference;
    if (std::string difference = compareAnimations(written, read); !difference.empty())
        return difference;
    return compareRest(written, read);
}

} // namespace dl::test
