// drawloom/asset/detail/gltf_mesh.cpp - meshes of a glTF: which primitives are kept, and their indices.
#include "drawloom/asset/detail/gltf_mesh.h"

#include "drawloom/asset/detail/gltf_accessor.h"
#include "drawloom/asset/detail/gltf_draco.h"
#include "drawloom/asset/detail/gltf_variants.h"
#include "drawloom/core/huge_pages.h"

#include <algorithm>

namespace dl::detail
{
namespace
{

constexpr std::uint64_t kTriangles = 4;
constexpr std::uint64_t kTriangleStrip = 5;
constexpr std::uint64_t kTriangleFan = 6;

/// The extras that exporters agree on: mesh.extras.targetNames.
std::vector<std::string> readTargetNames(const GltfObject& mesh)
{
    std::vector<std::string> out;
    const std::optional<JsonValue> extras = mesh.value().find("extras");
    const std::optional<JsonValue> names = extras ? extras->find("targetNames") : std::nullopt;
    if (names)
        for (const JsonValue name : names->elements())
            out.emplace_back(name.string().value_or(std::string_view()));
    return out;
}

std::vector<std::uint32_t> stripToList(const std::vector<std::uint32_t>& strip)
{
    std::vector<std::uint32_t> list;
    list.reserve((strip.size() - 2) * 3);
    for (std::size_t i = 0; i + 2 < strip.size(); ++i)
        list.insert(list.end(), {strip[i], strip[i + 1 + i % 2], strip[i + 2 - i % 2]});
    return list;
}

std::vector<std::uint32_t> fanToList(const std::vector<std::uint32_t>& fan)
{
    std::vector<std::uint32_t> list;
    list.reserve((fan.size() - 2) * 3);
    for (std::size_t i = 0; i + 2 < fan.size(); ++i)
        list.insert(list.end(), {fan[i + 1], fan[i + 2], fan[0]});
    return list;
}

bool readRawIndices(const GltfObject& primitive, std::vector<std::uint32_t>& indices, std::uint32_t vertexCount)
{
    GltfState& state = primitive.state();
    const std::uint32_t index = primitive.index("indices", state.lists.accessors.size());
    if (state.failed())
        return false;
    if (!indices.empty()) // Draco's, checked there
        return true;
    if (index == kNoIndex)
    {
        if (!state.takeBytes(vertexCount, sizeof(std::uint32_t), primitive.path()))
            return false;
        indices.resize(vertexCount);
        for (std::uint32_t i = 0; i < vertexCount; ++i)
            indices[i] = i;
        return true;
    }
    GltfAccessor accessor;
    if (!openAccessor(state, index, accessor) || !checkType(state, accessor, 1, 1, primitive.path("indices")) ||
        !readUints(state, accessor, indices))
        return false;
    std::uint32_t most = 0; // without a branch, so that the compiler takes eight at once
    for (const std::uint32_t i : indices)
        most = std::max(most, i);
    if (most < vertexCount)
        return true;
    const auto bad = std::find_if(indices.begin(), indices.end(), [&](std::uint32_t i) { return i >= vertexCount; });
    return primitive.fail("indices", "entry " + std::to_string(bad - indices.begin()) + " of " + accessor.path() + " is " +
                                         std::to_string(*bad) + ", there are " + std::to_string(vertexCount) + " vertices");
}

/// False: dropped or failed.
bool readPrimitive(const GltfObject& object, const std::vector<std::string>& targetNames, Primitive& out)
{
    GltfState& state = object.state();
    const std::uint64_t mode = object.count("mode", kTriangles);
    out.materialIndex = object.index("material", state.scene.materials.size());
    if (state.failed())
        return false;
    if (mode > kTriangleFan)
        return object.fail("mode", std::to_string(mode) + " is no primitive mode");
    if (mode < kTriangles)
    {
        state.warn("primitive-dropped", object.path(), "points and lines (mode " + std::to_string(mode) + ") are not drawn");
        return false;
    }
    const std::optional<GltfObject> attributes = object.object("attributes");
    if (state.failed())
        return false;
    if (!attributes)
        return object.fail("attributes", "is required");
    if (!attributes->has("POSITION"))
    {
        state.warn("primitive-dropped", object.path(), "it has no POSITION and is not drawn");
        return false;
    }
    state.decodedAccessors.clear();
    if (const std::optional<GltfObject> draco = object.extension("KHR_draco_mesh_compression");
        state.failed() || (draco && !readDraco(object, *draco, mode, out)))
        return false;
    if (!readAttributes(object, out) || !readMorphTargets(object, targetNames, out) || !readIndices(object, mode, out))
        return false;
    if (out.normals.empty() && !makeFlatNormals(object, out))
        return false;
    if (out.indices.empty())
    {
        state.warn("primitive-dropped", object.path(), "it has no complete triangle");
        return false;
    }
    readVariantMaterials(object, out);
    if (!state.failed())
        finishPrimitive(object, out);
    return !state.failed();
}

void readWeights(const GltfObject& object, Mesh& mesh)
{
    GltfState& state = object.state();
    const std::size_t targetCount = mesh.primitives.empty() ? 0 : mesh.primitives.front().morphTargets.size();
    for (const Primitive& primitive : mesh.primitives)
        if (primitive.morphTargets.size() != targetCount)
            object.fail("primitives", "have " + std::to_string(targetCount) + " and " + std::to_string(primitive.morphTargets.size()) +
                                          " morph targets; every primitive of a mesh needs as many");
    mesh.morphWeights = object.numberList("weights");
    if (!mesh.morphWeights.empty() && mesh.morphWeights.size() != targetCount)
        state.warn("weights-count", object.path("weights"),
            std::to_string(mesh.morphWeights.size()) + " weights for " + std::to_string(targetCount) + " morph targets");
    mesh.morphWeights.resize(targetCount, 0.0f);
}

} // namespace

bool readIndices(const GltfObject& primitive, std::uint64_t mode, Primitive& out)
{
    GltfState& state = primitive.state();
    if (!readRawIndices(primitive, out.indices, out.vertexCount()))
        return false;
    if (out.indices.size() < 3)
        out.indices.clear();
    else if (mode != kTriangles)
    {
        if (!state.takeBytes(out.indices.size() - 2, 3 * sizeof(std::uint32_t), primitive.path()))
            return false;
        out.indices = mode == kTriangleStrip ? stripToList(out.indices) : fanToList(out.indices);
    }
    else if (const std::size_t rest = out.indices.size() % 3; rest != 0)
    {
        state.warn("incomplete-triangle", primitive.path(), std::to_string(out.indices.size()) + " corners are no multiple of three");
        out.indices.resize(out.indices.size() - rest);
    }
    return true;
}

void readMeshes(GltfState& state)
{
    reserveInHugePages(state.scene.meshes, state.lists.meshes.size());
    for (std::size_t i = 0; i < state.lists.meshes.size() && !state.failed(); ++i)
    {
        const GltfObject object(state, state.lists.meshes[i], "meshes", i);
        Mesh& mesh = state.scene.meshes.emplace_back();
        mesh.name = object.text("name");
        const std::vector<std::string> targetNames = readTargetNames(object);
        if (!object.has("primitives"))
            object.fail("primitives", "is required");
        for (const GltfObject& primitive : object.objects("primitives"))
        {
            Primitive out;
            if (state.failed())
                return;
            if (readPrimitive(primitive, targetNames, out))
                mesh.primitives.push_back(std::move(out));
        }
        readWeights(object, mesh);
    }
}

} // namespace dl::detail
