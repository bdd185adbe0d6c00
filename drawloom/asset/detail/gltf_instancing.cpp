// drawloom/asset/detail/gltf_instancing.cpp - see the header.
#include "drawloom/asset/detail/gltf_instancing.h"

#include "drawloom/asset/detail/gltf_accessor.h"

#include <cmath>

namespace dl::detail
{
namespace
{

/// The attribute's values, `rows` to an instance; empty if it is absent. The first one read sets `count`.
std::vector<float> readAttribute(const GltfObject& attributes, const char* name, std::uint32_t rows, std::uint64_t& count)
{
    GltfState& state = attributes.state();
    std::vector<float> out;
    const std::uint32_t index = attributes.index(name, state.lists.accessors.size());
    GltfAccessor accessor;
    if (state.failed() || index == kNoIndex || !openAccessor(state, index, accessor) ||
        !checkType(state, accessor, rows, 1, attributes.path(name)))
        return out;
    if (count != 0 && accessor.count() != count)
    {
        attributes.fail(name,
            accessor.path() + " has " + std::to_string(accessor.count()) + " instances, an attribute before it " + std::to_string(count));
        return out;
    }
    count = accessor.count();
    const bool isNormalized = accessor.isNormalized || rows == 4; // rotations in integers always are
    readFloats(state, accessor, isNormalized, out);
    return out;
}

Trs makeTrs(const std::vector<float>& t, const std::vector<float>& r, const std::vector<float>& s, std::size_t i)
{
    Trs out;
    if (!t.empty())
        out.translation = vec3(t[3 * i], t[3 * i + 1], t[3 * i + 2]);
    if (!s.empty())
        out.scale = vec3(s[3 * i], s[3 * i + 1], s[3 * i + 2]);
    if (r.empty())
        return out;
    const quat rotation(r[4 * i + 3], r[4 * i], r[4 * i + 1], r[4 * i + 2]);
    const float length = std::sqrt(glm::dot(rotation, rotation));
    if (length > 0.0f && std::isfinite(length))
        out.rotation = rotation / length;
    return out;
}

} // namespace

void readInstances(const GltfObject& node, Node& out)
{
    GltfState& state = node.state();
    const std::optional<GltfObject> extension = node.extension("EXT_mesh_gpu_instancing");
    if (!extension || out.meshIndex == kNoIndex || state.failed())
        return;
    const std::optional<GltfObject> attributes = extension->object("attributes");
    if (!attributes)
        return;
    for (const auto& [name, value] : attributes->members())
        if (name != "TRANSLATION" && name != "ROTATION" && name != "SCALE")
            state.note("attribute-ignored", attributes->path(name), "is not read");
    std::uint64_t count = 0;
    const std::vector<float> translations = readAttribute(*attributes, "TRANSLATION", 3, count);
    const std::vector<float> rotations = readAttribute(*attributes, "ROTATION", 4, count);
    const std::vector<float> scales = readAttribute(*attributes, "SCALE", 3, count);
    if (state.failed() || !state.takeBytes(count, sizeof(Affine), attributes->path()))
        return;
    out.instances.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        out.instances.push_back(toAffine(makeTrs(translations, rotations, scales, i)));
}

} // namespace dl::detail
