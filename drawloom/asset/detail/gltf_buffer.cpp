// drawloom/asset/detail/gltf_buffer.cpp - loads buffers on first use and opens views of them.
#include "drawloom/asset/detail/gltf_accessor.h"
#include "drawloom/asset/detail/gltf_meshopt.h"
#include "drawloom/asset/detail/gltf_source.h"
#include "drawloom/core/file_read.h"

namespace dl::detail
{
namespace
{

bool readExternal(const GltfObject& object, std::string_view uri, GltfBuffer& buffer)
{
    GltfState& state = object.state();
    Result<ByteBuffer> bytes = Error{};
    if (isDataUri(uri))
    {
        if (!state.takeBytes(uri.size() / 4 * 3, object.path()))
            return false;
        bytes = decodeDataUri(uri);
    }
    else
    {
        Result<std::filesystem::path> path = resolveInside(state.baseFolder, uri);
        if (!path)
            return state.fail(path.error().code, object.path(), path.error().message);
        bytes = readFile(*path, state.readingSettings());
        state.scene.sourceFiles.push_back(path->string());
        if (bytes && !state.takeBytes(bytes->size(), object.path()))
            return false;
    }
    if (!bytes)
        return state.fail(bytes.error().code, object.path(), bytes.error().message);
    buffer.owned = std::move(*bytes);
    buffer.bytes = buffer.owned;
    return true;
}

} // namespace

bool loadBuffer(GltfState& state, std::uint32_t index)
{
    GltfBuffer& buffer = state.buffers[index];
    if (state.failed() || buffer.isLoaded)
        return !state.failed();
    const GltfObject object(state, state.lists.buffers[index], "buffers", index);
    const std::uint64_t byteLength = object.requiredCount("byteLength");
    const std::string_view uri = object.text("uri");
    if (state.failed())
        return false;
    if (!object.has("uri") && isFallbackBuffer(object))
        return object.fail("is a fallback buffer without data; only views with EXT_meshopt_compression may name it");
    if (object.has("uri"))
    {
        if (!readExternal(object, uri, buffer))
            return false;
    }
    else if (index == 0 && state.binChunk)
        buffer.bytes = *state.binChunk;
    else
        return object.fail("has no uri, and there is no GLB chunk for it");
    if (buffer.bytes.size() < byteLength)
        return object.fail("byteLength is " + std::to_string(byteLength) + ", but only " + std::to_string(buffer.bytes.size()) +
                           " bytes are there" + (uri.empty() ? std::string() : " (\"" + shortText(uri) + "\")"));
    buffer.bytes = buffer.bytes.first(static_cast<std::size_t>(byteLength));
    buffer.isLoaded = true;
    return true;
}

bool openBufferView(GltfState& state, std::uint32_t index, GltfBufferView& out)
{
    const GltfObject object(state, state.lists.bufferViews[index], "bufferViews", index);
    if (const std::optional<GltfObject> meshopt = object.extension("EXT_meshopt_compression"))
        return openMeshoptView(object, index, *meshopt, out);
    const std::uint32_t bufferIndex = object.requiredIndex("buffer", state.buffers.size());
    const std::uint64_t byteOffset = object.count("byteOffset", 0);
    const std::uint64_t byteLength = object.requiredCount("byteLength");
    out.byteStride = object.count("byteStride", 0);
    if (state.failed() || !loadBuffer(state, bufferIndex))
        return false;
    const std::span<const std::byte> bytes = state.buffers[bufferIndex].bytes;
    if (byteOffset > bytes.size() || byteLength > bytes.size() - byteOffset)
        return object.fail("byteOffset " + std::to_string(byteOffset) + " + byteLength " + std::to_string(byteLength) +
                           " ends past buffers[" + std::to_string(bufferIndex) + "] of " + std::to_string(bytes.size()) + " bytes");
    out.bytes = bytes.subspan(static_cast<std::size_t>(byteOffset), static_cast<std::size_t>(byteLength));
    return true;
}

} // namespace dl::detail
