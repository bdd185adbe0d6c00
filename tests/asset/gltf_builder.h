// tests/asset/gltf_builder.h - writes small glTF texts for tests: binary data as one data URI, accessors by call, the rest
// as JSON text of the test.
#pragma once

#include "drawloom/asset/gltf_import.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dl::test
{

std::string encodeBase64(std::span<const std::byte> bytes);

class GltfBuilder
{
public:
    /// A buffer view of its own (aligned to 4); returns its index.
    std::size_t addView(std::span<const std::byte> bytes, std::size_t byteStride = 0);
    /// An accessor over a new view; `extra` is appended, as `,"normalized":true`. Returns its index.
    template <class T>
    std::size_t add(std::string_view type, int componentType, std::size_t count, const std::vector<T>& values, std::string_view extra = {})
    {
        return addAccessor(type, componentType, count, addView(std::as_bytes(std::span(values))), 0, extra);
    }
    std::size_t addAccessor(
        std::string_view type, int componentType, std::size_t count, std::size_t view, std::size_t byteOffset, std::string_view extra = {});
    /// An accessor without a view: zeros, unless `extra` makes it sparse.
    std::size_t addZeros(std::string_view type, int componentType, std::size_t count, std::string_view extra = {});
    std::size_t addFloats(std::string_view type, std::size_t count, const std::vector<float>& values)
    {
        return add(type, 5126, count, values);
    }

    /// The whole text; `rest` is the other members, as `"meshes":[...]`.
    std::string text(std::string_view rest) const;
    Result<SceneDescription> import(std::string_view rest, const GltfImportSettings& settings = {}) const;

private:
    std::vector<std::byte> m_bytes;
    std::vector<std::string> m_views, m_accessors;
};

Result<SceneDescription> importText(std::string_view text, const GltfImportSettings& settings = {});
/// The message of a failed import, or "imported".
std::string errorOf(const Result<SceneDescription>& scene);
bool hasIssue(const SceneDescription& scene, std::string_view code);

/// `"meshes":[{"primitives":[{"attributes":{ATTRIBUTES}MORE}]}]`
std::string meshText(std::string_view attributes, std::string_view more = {});

} // namespace dl::test
