// drawloom/asset/detail/gltf_check_data.cpp - buffers, views and accessors, used or not: what they declare against what is
// there, alignment, least and greatest values, values that their use forbids.
#include "drawloom/asset/detail/gltf_accessor.h"
#include "drawloom/asset/detail/gltf_check.h"
#include "drawloom/asset/detail/gltf_source.h"

#include <algorithm>
#include <cmath>

namespace dl::detail
{
namespace
{

constexpr std::uint64_t kElementArrayTarget = 34963;
constexpr std::uint64_t kMaxChunkPadding = 3;

std::uint64_t componentBytes(std::uint64_t componentType)
{
    return componentType <= 5121 ? 1 : componentType <= 5123 ? 2 : 4;
}

/// Rows and columns of a type that openAccessor() would take; zeros for another.
std::pair<std::uint64_t, std::uint64_t> shapeOf(std::string_view type)
{
    constexpr std::string_view kNames[] = {"SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"};
    constexpr std::pair<std::uint64_t, std::uint64_t> kShapes[] = {{1, 1}, {2, 1}, {3, 1}, {4, 1}, {2, 2}, {3, 3}, {4, 4}};
    const auto* const found = std::find(std::begin(kNames), std::end(kNames), type);
    return found == std::end(kNames) ? std::pair<std::uint64_t, std::uint64_t>() : kShapes[found - std::begin(kNames)];
}

bool isBufferMime(std::string_view uri)
{
    std::string mime(uri.substr(5, uri.find_first_of(";,") - 5)); // after "data:"
    std::transform(mime.begin(), mime.end(), mime.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    return mime == "application/octet-stream" || mime == "application/gltf-buffer";
}

} // namespace

void FormatCheck::checkBuffers()
{
    for (std::uint32_t i = 0; i < m_state.lists.buffers.size(); ++i)
    {
        const GltfObject buffer(m_state, m_state.lists.buffers[i], "buffers", i);
        attempt(
            [&]
            {
                if (buffer.requiredCount("byteLength") == 0 && !m_state.failed())
                    buffer.fail("byteLength", "must be at least 1");
            });
        const std::string_view uri = buffer.text("uri");
        if (isDataUri(uri) && !isBufferMime(uri))
            report(buffer.path("uri"), "has a media type that is not a buffer's");
        const bool isChunk = i == 0 && !buffer.has("uri") && m_state.isGlb;
        if (!uri.empty() || isChunk)
            attempt([&] { loadBuffer(m_state, i); });
        if (isChunk && m_state.binChunk && m_state.binChunk->size() > buffer.count("byteLength", 0) + kMaxChunkPadding)
            report(buffer.path("byteLength"), "is shorter than the BIN chunk of " + std::to_string(m_state.binChunk->size()) + " bytes");
    }
}

void FormatCheck::checkBufferViews()
{
    for (std::uint32_t i = 0; i < m_state.lists.bufferViews.size(); ++i)
    {
        const GltfObject view(m_state, m_state.lists.bufferViews[i], "bufferViews", i);
        attempt(
            [&]
            {
                const std::uint32_t bufferIndex = view.requiredIndex("buffer", m_state.buffers.size());
                const std::uint64_t offset = view.count("byteOffset", 0);
                const std::uint64_t length = view.requiredCount("byteLength");
                const std::uint64_t stride = view.count("byteStride", 4);
                if (m_state.failed())
                    return;
                const std::uint64_t room =
                    GltfObject(m_state, m_state.lists.buffers[bufferIndex], "buffers", bufferIndex).count("byteLength", 0);
                if (length == 0 || offset > room || length > room - offset)
                    report(view.path(), std::to_string(length) + " bytes from byte " + std::to_string(offset) + " do not fit buffers[" +
                                            std::to_string(bufferIndex) + "] of " + std::to_string(room) + " bytes");
                if (stride < 4 || stride > 252 || stride % 4 != 0)
                    report(view.path("byteStride"), "must be a multiple of 4 from 4 to 252");
                if (view.has("byteStride") && view.count("target", 0) == kElementArrayTarget)
                    report(view.path("byteStride"), "is not for views of indices");
            });
    }
}

/// Alignment and room by what the file declares; the data may be absent.
void FormatCheck::checkPlacement(const GltfObject& accessor)
{
    const std::uint64_t componentType = accessor.count("componentType", 0);
    const std::uint64_t size = componentBytes(componentType);
    const auto [rows, columns] = shapeOf(accessor.text("type"));
    const std::uint64_t count = accessor.count("count", 0);
    if (accessor.flag("normalized", false) && componentType > 5123)
        report(accessor.path("normalized"), "is for integers of 8 and 16 bits");
    const std::uint32_t viewIndex = accessor.index("bufferView", m_state.lists.bufferViews.size());
    if (m_state.failed() || viewIndex == kNoIndex || rows == 0 || count == 0)
        return;
    const GltfObject view(m_state, m_state.lists.bufferViews[viewIndex], "bufferViews", viewIndex);
    const std::uint64_t column = columns == 1 ? rows * size : (rows * size + 3) / 4 * 4;
    const std::uint64_t element = column * (columns - 1) + rows * size;
    const std::uint64_t offset = accessor.count("byteOffset", 0);
    const std::uint64_t stride = view.count("byteStride", columns == 1 ? element : column * columns);
    const std::uint64_t room = view.count("byteLength", 0);
    if (m_state.failed())
        return;
    if (offset % size != 0 || (view.count("byteOffset", 0) + offset) % size != 0 || stride % size != 0 || (columns > 1 && offset % 4 != 0))
        report(accessor.path(), "is not aligned to its components of " + std::to_string(size) + " bytes");
    const bool fits = offset <= room && element <= room - offset && (stride == 0 || count - 1 <= (room - offset - element) / stride);
    if (!fits)
        report(accessor.path(), std::to_string(count) + " elements of " + std::to_string(element) + " bytes from byte " +
                                    std::to_string(offset) + " do not fit bufferViews[" + std::to_string(viewIndex) + "]");
}

void FormatCheck::checkBounds(const GltfObject& accessor, const char* key, const std::vector<float>& actual)
{
    const std::optional<JsonValue> declared = accessor.value().find(key);
    if (!declared)
        return;
    double numbers[16] = {};
    if (declared->numbers(numbers) != actual.size())
        return report(accessor.path(key), "must hold " + std::to_string(actual.size()) + " numbers");
    for (std::size_t i = 0; i < actual.size(); ++i)
        if (static_cast<float>(numbers[i]) != actual[i])
            return report(accessor.path(key),
                "says " + std::to_string(numbers[i]) + " for component " + std::to_string(i) + ", the data " + std::to_string(actual[i]));
}

void FormatCheck::checkContent(const GltfObject& accessor, std::uint32_t index)
{
    GltfAccessor opened;
    std::vector<float> values;
    const std::uint64_t usedBytes = m_state.usedBytes;
    if (m_checkedBytes > m_state.settings.maxDecodedBytes) // many accessors of the same data: enough is enough
        return;
    attempt(
        [&]
        {
            if (openAccessor(m_state, index, opened))
                readFloats(m_state, opened, false, values);
        });
    m_state.usedBytes = usedBytes; // the values go with this function
    m_checkedBytes += values.size() * sizeof(float);
    const std::size_t components = opened.components();
    if (values.empty() || values.size() % components != 0)
        return;
    std::vector<float> least(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(components));
    std::vector<float> most = least;
    for (std::size_t i = 0; i < values.size(); i += components)
        for (std::size_t c = 0; c < components; ++c)
        {
            least[c] = std::min(least[c], values[i + c]);
            most[c] = std::max(most[c], values[i + c]);
        }
    checkBounds(accessor, "min", least);
    checkBounds(accessor, "max", most);
    const float lowest = *std::min_element(least.begin(), least.end());
    const float highest = *std::max_element(most.begin(), most.end());
    const bool isFloat = opened.elements.componentType == ComponentType::Float;
    const std::uint64_t type = accessor.count("componentType", 0);
    const float restart = type == 5121 ? 255.0f : type == 5123 ? 65535.0f : 4294967295.0f;
    if ((m_uses[index] & kUsedAsIndices) != 0 && highest >= restart)
        report(accessor.path(), "holds the primitive restart value, which is no index");
    if ((m_uses[index] & kUsedAsColor) != 0 && isFloat && (lowest < 0.0f || highest > 1.0f))
        report(accessor.path(), "holds colours outside 0 to 1");
    if ((m_uses[index] & kUsedAsWeights) != 0 && lowest < 0.0f)
        report(accessor.path(), "holds negative weights");
    if ((m_uses[index] & kUsedAsInverseBind) == 0 || components != 16)
        return;
    for (std::size_t i = 0; i < values.size(); i += 16)
        if (values[i + 3] != 0.0f || values[i + 7] != 0.0f || values[i + 11] != 0.0f || values[i + 15] != 1.0f)
            return report(accessor.path(), "holds an inverse bind matrix whose last row is not 0 0 0 1");
}

void FormatCheck::checkAccessors()
{
    for (std::uint32_t i = 0; i < m_state.lists.accessors.size(); ++i)
    {
        const GltfObject accessor(m_state, m_state.lists.accessors[i], "accessors", i);
        const std::size_t before = m_count;
        attempt([&] { checkPlacement(accessor); });
        const std::uint32_t view = accessor.index("bufferView", m_state.lists.bufferViews.size());
        const std::uint32_t buffer =
            view == kNoIndex
                ? kNoIndex
                : GltfObject(m_state, m_state.lists.bufferViews[view], "bufferViews", view).index("buffer", m_state.buffers.size());
        const bool hasData = buffer != kNoIndex && m_state.buffers[buffer].isLoaded;
        const bool isCompressed = view != kNoIndex && !m_state.decodedViews[view].empty();
        if (m_count == before && (hasData || isCompressed))
            checkContent(accessor, i);
        m_state.error.reset();
    }
}

void FormatCheck::checkTextures()
{
    for (std::size_t i = 0; i < m_state.lists.textures.size(); ++i)
    {
        const GltfObject texture(m_state, m_state.lists.textures[i], "textures", i);
        attempt([&] { texture.index("sampler", m_state.lists.samplers.size()); });
        attempt([&] { texture.index("source", m_state.lists.images.size()); });
    }
    for (std::size_t i = 0; i < m_state.lists.images.size(); ++i)
    {
        const GltfObject image(m_state, m_state.lists.images[i], "images", i);
        const bool isWebp = image.text("mimeType") == "image/webp" || image.text("uri").starts_with("data:image/webp");
        if (isWebp && !isDeclared(kWebpExtension))
            report(image.path(), "is a WebP, and " + std::string(kWebpExtension) + " is not declared in extensionsUsed");
    }
    m_state.error.reset();
}

} // namespace dl::detail
