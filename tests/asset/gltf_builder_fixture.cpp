#include "tests/asset/gltf_builder.h"

#include <algorithm>

namespace dl::test
{
namespace
{

std::string join(const std::vector<std::string>& parts)
{
    std::string out;
    for (const std::string& part : parts)
        out += (out.empty() ? "" : ",") + part;
    return out;
}

} // namespace

std::string encodeBase64(std::span<const std::byte> bytes)
{
    constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3)
    {
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 3; ++k)
            bits = (bits << 8U) | (i + k < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k)
            out += i + k <= bytes.size() ? kDigits[(bits >> (18 - 6 * k)) & 63U] : '=';
    }
    return out;
}

std::size_t GltfBuilder::addView(std::span<const std::byte> bytes, std::size_t byteStride)
{
    m_bytes.resize((m_bytes.size() + 3) / 4 * 4);
    std::string view = R"({"buffer":0,"byteOffset":)" + std::to_string(m_bytes.size()) + R"(,"byteLength":)" + std::to_string(bytes.size());
    if (byteStride != 0)
        view += R"(,"byteStride":)" + std::to_string(byteStride);
    m_views.push_back(view + "}");
    m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
    return m_views.size() - 1;
}

std::size_t GltfBuilder::addAccessor(
    std::string_view type, int componentType, std::size_t count, std::size_t view, std::size_t byteOffset, std::string_view extra)
{
    return addZeros(type, componentType, count,
        R"(,"bufferView":)" + std::to_string(view) + R"(,"byteOffset":)" + std::to_string(byteOffset) + std::string(extra));
}

std::size_t GltfBuilder::addZeros(std::string_view type, int componentType, std::size_t count, std::string_view extra)
{
    m_accessors.push_back(R"({"type":")" + std::string(type) + R"(","componentType":)" + std::to_string(componentType) + R"(,"count":)" +
                          std::to_string(count) + std::string(extra) + "}");
    return m_accessors.size() - 1;
}

std::string GltfBuilder::text(std::string_view rest) const
{
    return R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":)" + std::to_string(m_bytes.size()) +
           R"(,"uri":"data:application/octet-stream;base64,)" + encodeBase64(m_bytes) + R"("}],"bufferViews":[)" + join(m_views) +
           R"(],"accessors":[)" + join(m_accessors) + "]," + std::string(rest) + "}";
}

Result<SceneDescription> GltfBuilder::import(std::string_view rest, const GltfImportSettings& settings) const
{
    return importText(text(rest), settings);
}

Result<SceneDescription> importText(std::string_view text, const GltfImportSettings& settings)
{
    return importGltfFromMemory(std::as_bytes(std::span(text)), {}, settings);
}

std::string errorOf(const Result<SceneDescription>& scene)
{
    return scene ? "imported" : scene.error().message;
}

bool hasIssue(const SceneDescription& scene, std::string_view code)
{
    return std::any_of(scene.issues.begin(), scene.issues.end(), [&](const ImportIssue& issue) { return issue.code == code; });
}

std::string meshText(std::string_view attributes, std::string_view more)
{
    return R"("meshes":[{"primitives":[{"attributes":{)" + std::string(attributes) + "}" + std::string(more) + "}]}]";
}

} // namespace dl::test
