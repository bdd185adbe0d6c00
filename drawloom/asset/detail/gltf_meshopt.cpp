// drawloom/asset/detail/gltf_meshopt.cpp - see the header. Sizes and strides are held against the extension's rules and
// against what the codecs can pack at best before memory is taken: a short stream can not ask for gigabytes.
#include "drawloom/asset/detail/gltf_meshopt.h"

#include <meshoptimizer.h>

#include <algorithm>

namespace dl::detail
{
namespace
{

constexpr const char* kExtension = "EXT_meshopt_compression";
constexpr std::uint64_t kMaxStrideBytes = 256;   // of an attribute, by the extension
constexpr std::uint64_t kMaxPackingRatio = 64;   // attributes: 16 equal bytes take two bits
constexpr std::uint64_t kTriangleTailBytes = 17; // header and code table of a TRIANGLES stream
constexpr std::uint64_t kIndexTailBytes = 5;     // header and padding of an INDICES stream
constexpr std::uint64_t kMaxCount = UINT32_MAX;

enum class Mode : std::uint8_t
{
    Attributes,
    Triangles,
    Indices
};
enum class Filter : std::uint8_t
{
    None,
    Octahedral,
    Quaternion,
    Exponential
};

struct Stream
{
    Mode mode = Mode::Attributes;
    Filter filter = Filter::None;
    std::uint64_t count = 0, strideBytes = 0;
    std::span<const std::byte> bytes;
};

bool readMode(const GltfObject& extension, Mode& out)
{
    constexpr std::string_view kNames[] = {"ATTRIBUTES", "TRIANGLES", "INDICES"};
    const std::string_view name = extension.text("mode");
    const auto* const found = std::find(std::begin(kNames), std::end(kNames), name);
    if (found == std::end(kNames))
        return extension.fail("mode", "\"" + std::string(name.substr(0, 32)) + "\" is none of ATTRIBUTES, TRIANGLES, INDICES");
    out = static_cast<Mode>(found - std::begin(kNames));
    return true;
}

bool readFilter(const GltfObject& extension, Filter& out)
{
    constexpr std::string_view kNames[] = {"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL"};
    const std::string_view name = extension.has("filter") ? extension.text("filter") : kNames[0];
    const auto* const found = std::find(std::begin(kNames), std::end(kNames), name);
    if (found == std::end(kNames))
        return extension.fail("filter", "\"" + std::string(name.substr(0, 32)) + "\" is none of NONE, OCTAHEDRAL, QUATERNION, EXPONENTIAL");
    out = static_cast<Filter>(found - std::begin(kNames));
    return true;
}

bool fitsStride(const Stream& stream)
{
    if (stream.mode != Mode::Attributes)
        return stream.strideBytes == 2 || stream.strideBytes == 4;
    if (stream.strideBytes == 0 || stream.strideBytes > kMaxStrideBytes || stream.strideBytes % 4 != 0)
        return false;
    switch (stream.filter)
    {
    case Filter::Octahedral: return stream.strideBytes == 4 || stream.strideBytes == 8;
    case Filter::Quaternion: return stream.strideBytes == 8;
    case Filter::None:
    case Filter::Exponential: return true;
    }
    return false;
}

/// The fewest bytes that `stream.count` elements can be packed in.
std::uint64_t leastBytes(const Stream& stream)
{
    switch (stream.mode)
    {
    case Mode::Attributes: return stream.count * stream.strideBytes / kMaxPackingRatio + 1;
    case Mode::Triangles: return stream.count / 3 + kTriangleTailBytes;
    case Mode::Indices: return stream.count + kIndexTailBytes;
    }
    return 0;
}

bool checkStream(const GltfObject& view, const GltfObject& extension, const Stream& stream)
{
    if (stream.filter != Filter::None && stream.mode != Mode::Attributes)
        return extension.fail("filter", "is for the mode ATTRIBUTES alone");
    if (!fitsStride(stream))
        return extension.fail("byteStride", std::to_string(stream.strideBytes) + " does not fit the mode and filter");
    if (stream.count == 0 || stream.count > kMaxCount)
        return extension.fail("count", std::to_string(stream.count) + " must be 1 to " + std::to_string(kMaxCount));
    if (stream.mode == Mode::Triangles && stream.count % 3 != 0)
        return extension.fail("count", std::to_string(stream.count) + " corners of triangles are no multiple of three");
    const std::uint64_t byteLength = view.requiredCount("byteLength");
    if (byteLength != stream.count * stream.strideBytes)
        return view.fail("byteLength", "is " + std::to_string(byteLength) + ", but " + kExtension + " gives " +
                                           std::to_string(stream.count) + " elements of " + std::to_string(stream.strideBytes) + " bytes");
    const std::uint64_t byteStride = view.count("byteStride", stream.strideBytes);
    if (byteStride != stream.strideBytes)
        return view.fail("byteStride",
            "is " + std::to_string(byteStride) + ", but " + kExtension + " gives " + std::to_string(stream.strideBytes) + " bytes");
    if (stream.bytes.size() < leastBytes(stream))
        return extension.fail("byteLength", std::to_string(stream.bytes.size()) + " bytes can not hold " + std::to_string(stream.count) +
                                                " elements of " + std::to_string(stream.strideBytes) + " bytes");
    return !view.state().failed();
}

bool openStream(const GltfObject& view, const GltfObject& extension, Stream& out)
{
    GltfState& state = view.state();
    const std::uint32_t bufferIndex = extension.requiredIndex("buffer", state.buffers.size());
    const std::uint64_t byteOffset = extension.count("byteOffset", 0);
    const std::uint64_t byteLength = extension.requiredCount("byteLength");
    out.count = extension.requiredCount("count");
    out.strideBytes = extension.requiredCount("byteStride");
    if (state.failed() || !readMode(extension, out.mode) || !readFilter(extension, out.filter) || !loadBuffer(state, bufferIndex))
        return false;
    const std::span<const std::byte> bytes = state.buffers[bufferIndex].bytes;
    if (byteOffset > bytes.size() || byteLength > bytes.size() - byteOffset)
        return extension.fail("byteOffset " + std::to_string(byteOffset) + " + byteLength " + std::to_string(byteLength) +
                              " ends past buffers[" + std::to_string(bufferIndex) + "] of " + std::to_string(bytes.size()) + " bytes");
    out.bytes = bytes.subspan(static_cast<std::size_t>(byteOffset), static_cast<std::size_t>(byteLength));
    return checkStream(view, extension, out);
}

int decode(const Stream& stream, std::byte* out)
{
    const auto* bytes = reinterpret_cast<const unsigned char*>(stream.bytes.data());
    const auto count = static_cast<std::size_t>(stream.count);
    const auto stride = static_cast<std::size_t>(stream.strideBytes);
    switch (stream.mode)
    {
    case Mode::Attributes: return meshopt_decodeVertexBuffer(out, count, stride, bytes, stream.bytes.size());
    case Mode::Triangles: return meshopt_decodeIndexBuffer(out, count, stride, bytes, stream.bytes.size());
    case Mode::Indices: return meshopt_decodeIndexSequence(out, count, stride, bytes, stream.bytes.size());
    }
    return -1;
}

void applyFilter(const Stream& stream, std::byte* values)
{
    const auto count = static_cast<std::size_t>(stream.count);
    const auto stride = static_cast<std::size_t>(stream.strideBytes);
    switch (stream.filter)
    {
    case Filter::None: break;
    case Filter::Octahedral: meshopt_decodeFilterOct(values, count, stride); break;
    case Filter::Quaternion: meshopt_decodeFilterQuat(values, count, stride); break;
    case Filter::Exponential: meshopt_decodeFilterExp(values, count, stride); break;
    }
}

/// What the decoder's return values mean.
const char* problemOf(int code)
{
    switch (code)
    {
    case -1: return "the stream is of another mode, or of a version that is not known";
    case -2: return "the stream ends too early";
    default: return "the stream is damaged";
    }
}

} // namespace

bool isFallbackBuffer(const GltfObject& buffer)
{
    const std::optional<GltfObject> extension = buffer.extension(kExtension);
    return extension && extension->flag("fallback", false);
}

bool openMeshoptView(const GltfObject& view, std::uint32_t viewIndex, const GltfObject& extension, GltfBufferView& out)
{
    GltfState& state = view.state();
    std::vector<std::byte>& decoded = state.decodedViews[viewIndex];
    if (decoded.empty())
    {
        Stream stream;
        if (!openStream(view, extension, stream) || !state.takeBytes(stream.count, stream.strideBytes, view.path()))
            return false;
        std::vector<std::byte> bytes(static_cast<std::size_t>(stream.count * stream.strideBytes));
        if (const int code = decode(stream, bytes.data()); code != 0)
            return extension.fail(std::string(problemOf(code)) + " (meshoptimizer " + std::to_string(code) + ")");
        applyFilter(stream, bytes.data());
        decoded = std::move(bytes);
    }
    out.bytes = decoded;
    out.byteStride = view.count("byteStride", 0);
    return !state.failed();
}

} // namespace dl::detail
