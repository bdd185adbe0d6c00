// drawloom/asset/detail/gltf_object.h - reads properties of one JSON object of a glTF file with checks of type and range.
// A property of the wrong type fails the import with the object's path; an absent one gives the default.
#pragma once

#include "drawloom/asset/detail/gltf_state.h"

#include <initializer_list>

namespace dl::detail
{

/// Refers to its parent for paths: keep the parent alive, as nested scopes do.
class GltfObject
{
public:
    /// One element of a list of the file: `meshes[3]`.
    GltfObject(GltfState& state, JsonValue value, const char* list, std::size_t index);
    /// The file's root object.
    GltfObject(GltfState& state, JsonValue value);

    GltfState& state() const { return *m_state; }
    bool has(std::string_view key) const { return m_value.find(key).has_value(); }
    /// `meshes[2].primitives[0]`, with the object's name if it has one.
    std::string path() const;
    std::string path(std::string_view key) const;
    bool fail(const std::string& message) const;
    bool fail(std::string_view key, const std::string& message) const;

    float number(std::string_view key, float fallback) const;
    /// Clamps into the range, with a warning.
    float number(std::string_view key, float fallback, float least, float most) const;
    std::uint64_t count(std::string_view key, std::uint64_t fallback) const;
    /// Fails if absent.
    std::uint64_t requiredCount(std::string_view key) const;
    bool flag(std::string_view key, bool fallback) const;
    std::string_view text(std::string_view key) const;
    /// kNoIndex if absent; fails if it is not below `limit`.
    std::uint32_t index(std::string_view key, std::size_t limit) const;
    std::uint32_t requiredIndex(std::string_view key, std::size_t limit) const;
    /// True if the property is there with exactly out.size() finite numbers.
    bool numbers(std::string_view key, std::span<float> out) const;
    /// Any length; empty if absent.
    std::vector<float> numberList(std::string_view key) const;
    std::vector<std::uint32_t> indexList(std::string_view key, std::size_t limit) const;
    std::optional<GltfObject> object(const char* key) const;
    std::optional<GltfObject> extension(const char* name) const;
    /// Elements of an array property (fails if it is not an array of objects).
    std::vector<GltfObject> objects(const char* key) const;
    std::vector<std::pair<std::string_view, JsonValue>> members() const { return m_value.members(); }
    JsonValue value() const { return m_value; }

private:
    GltfObject(const GltfObject& parent, JsonValue value, const char* key, std::size_t index = SIZE_MAX);
    std::string bare() const;
    std::optional<JsonValue> find(std::string_view key) const;

    GltfState* m_state;
    JsonValue m_value;
    const GltfObject* m_parent = nullptr;
    const char* m_key = "";
    std::size_t m_index = SIZE_MAX;
};

/// A non-owning reading of a top-level list that must be an array of objects; fails otherwise.
std::vector<JsonValue> readObjectList(const GltfObject& parent, const char* key);

} // namespace dl::detail
