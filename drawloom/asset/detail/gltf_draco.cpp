// drawloom/asset/detail/gltf_draco.cpp - see the header.
#include "drawloom/asset/detail/gltf_draco.h"

#include "drawloom/asset/detail/draco_decode.h"
#include "drawloom/asset/detail/gltf_mesh.h"

namespace dl::detail
{
namespace
{

constexpr std::uint64_t kTriangles = 4;
constexpr std::uint64_t kIndexBytes = 2 * sizeof(std::uint32_t); // Draco's copy and ours

/// The accessor that `primitive`'s attribute `name` points at, opened.
bool openNamed(const GltfObject& attributes, const std::string& name, GltfAccessor& out)
{
    GltfState& state = attributes.state();
    const std::uint32_t index = attributes.requiredIndex(name, state.lists.accessors.size());
    return !state.failed() && openAccessor(state, index, out);
}

/// What the stream must have to fill the accessors; `accessors` are those of request.attributes.
bool makeRequest(const GltfObject& primitive, const GltfObject& extension, DracoRequest& request, std::vector<std::uint32_t>& accessors)
{
    GltfState& state = primitive.state();
    const std::optional<GltfObject> attributes = primitive.object("attributes");
    const std::optional<GltfObject> ids = extension.object("attributes");
    GltfAccessor accessor;
    if (state.failed() || !attributes || !ids)
        return extension.fail("attributes", "is required, here and in the primitive");
    if (!openNamed(*attributes, "POSITION", accessor) || !checkVertexCount(primitive, accessor.count()))
        return false;
    request.pointCount = accessor.count();
    if (!openNamed(primitive, "indices", accessor))
        return false;
    request.maxIndexCount = accessor.count();
    std::uint64_t bytes = 0;
    for (const auto& [name, value] : ids->members())
    {
        const std::uint64_t id = ids->count(name, 0);
        if (!openNamed(*attributes, std::string(name), accessor))
            return false;
        if (accessor.columns != 1 || accessor.count() != request.pointCount || id > UINT32_MAX)
            return ids->fail(name, accessor.path() + " must hold " + std::to_string(request.pointCount) + " scalars or vectors");
        request.attributes.push_back({static_cast<std::uint32_t>(id), accessor.rows, accessor.elements.componentType});
        accessors.push_back(accessor.index);
        bytes += accessor.rows * sizeof(float) * 2; // Draco's copy and ours, at most
    }
    return state.takeBytes(request.pointCount, bytes, primitive.path()) &&
           state.takeBytes(request.maxIndexCount, kIndexBytes, primitive.path());
}

} // namespace

bool readDraco(const GltfObject& primitive, const GltfObject& extension, std::uint64_t mode, Primitive& out)
{
    GltfState& state = primitive.state();
    if (mode != kTriangles)
        return state.fail(
            ErrorCode::Unsupported, extension.path(), "mode " + std::to_string(mode) + " is not read, only triangle lists (4)");
    const std::uint32_t viewIndex = extension.requiredIndex("bufferView", state.lists.bufferViews.size());
    GltfBufferView view;
    DracoRequest request;
    std::vector<std::uint32_t> accessors;
    if (state.failed() || !openBufferView(state, viewIndex, view) || !makeRequest(primitive, extension, request, accessors))
        return false;
    request.bytes = view.bytes;
    Result<DracoMesh> mesh = decodeDraco(request);
    if (!mesh)
        return state.fail(mesh.error().code, extension.path(), mesh.error().message);
    if (mesh->indices.empty())
        return extension.fail("the Draco stream has no triangle");
    out.indices = std::move(mesh->indices);
    for (std::size_t i = 0; i < accessors.size(); ++i)
        state.decodedAccessors.push_back({accessors[i], std::move(mesh->values[i])});
    return true;
}

} // namespace dl::detail
