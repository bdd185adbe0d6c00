// drawloom/asset/detail/gltf_export_instances.cpp - see the header.
#include "drawloom/asset/detail/gltf_export_instances.h"

#include <cmath>
#include <optional>

namespace dl::detail
{
namespace
{

/// The TRS that makes this transform within float precision, if there is one (no shear).
std::optional<Trs> toTrs(const Affine& affine)
{
    const auto column = [&affine](int c) { return vec3(affine.rows[0][c], affine.rows[1][c], affine.rows[2][c]); };
    Trs out;
    out.translation = affine.translation();
    out.scale = vec3(glm::length(column(0)), glm::length(column(1)), glm::length(column(2)));
    if (!(out.scale.x > 0.0f && out.scale.y > 0.0f && out.scale.z > 0.0f))
        return std::nullopt;
    if (affine.determinant() < 0.0f)
        out.scale.x = -out.scale.x;
    out.rotation = glm::normalize(glm::quat_cast(mat3(column(0) / out.scale.x, column(1) / out.scale.y, column(2) / out.scale.z)));
    const Affine again = toAffine(out);
    const float tolerance = 4e-6f * maxScale(affine);
    for (int row = 0; row < 3; ++row)
        for (int c = 0; c < 3; ++c)
            if (!(std::fabs(again.rows[row][c] - affine.rows[row][c]) <= tolerance))
                return std::nullopt;
    return out;
}

} // namespace

std::vector<Trs> instancesOf(const Node& node)
{
    std::vector<Trs> out;
    if (node.meshIndex == kNoIndex || node.skinIndex != kNoIndex)
        return out;
    for (const Affine& instance : node.instances)
    {
        const std::optional<Trs> trs = toTrs(instance);
        if (!trs)
            return {};
        out.push_back(*trs);
    }
    return out;
}

void writeInstances(GltfExport& out, const std::vector<Trs>& instances)
{
    out.extensionsUsed.insert("EXT_mesh_gpu_instancing");
    out.extensionsRequired.insert("EXT_mesh_gpu_instancing");
    std::vector<vec3> translations;
    std::vector<vec4> rotations;
    std::vector<vec3> scales;
    for (const Trs& trs : instances)
    {
        translations.push_back(trs.translation);
        rotations.emplace_back(trs.rotation.x, trs.rotation.y, trs.rotation.z, trs.rotation.w);
        scales.push_back(trs.scale);
    }
    out.json.beginObject("EXT_mesh_gpu_instancing");
    out.json.beginObject("attributes");
    out.json.member("TRANSLATION", out.buffer.addAccessor(translations, kGltfFloat, AccessorType::Vec3, kTargetNone));
    out.json.member("ROTATION", out.buffer.addAccessor(rotations, kGltfFloat, AccessorType::Vec4, kTargetNone));
    out.json.member("SCALE", out.buffer.addAccessor(scales, kGltfFloat, AccessorType::Vec3, kTargetNone));
    out.json.endObject();
    out.json.endObject();
}

} // namespace dl::detail
