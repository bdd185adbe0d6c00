// drawloom/asset/detail/gltf_export_buffer.h - the binary chunk of a .glb that is being written, with its buffer views and
// accessors. For gltf_export.cpp.
#pragma once

#include "drawloom/asset/detail/json_writer.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace dl::detail
{

enum class AccessorType : std::uint8_t
{
    Scalar,
    Vec2,
    Vec3,
    Vec4,
    Mat4
};
constexpr std::uint32_t kGltfUnsignedShort = 5123;
constexpr std::uint32_t kGltfUnsignedInt = 5125;
constexpr std::uint32_t kGltfFloat = 5126;
constexpr std::uint32_t kTargetNone = 0;
constexpr std::uint32_t kTargetVertices = 34962;
constexpr std::uint32_t kTargetIndices = 34963;

class GltfExportBuffer
{
public:
    /// Copies the bytes, aligned to 4, and returns the index of their view.
    std::uint32_t addView(std::span<const std::byte> bytes, std::uint32_t target = kTargetNone);
    /// A tightly packed array in a view of its own; returns the accessor's index. Bounds (min and max) of floats on demand.
    template <class T> std::uint32_t addAccessor(
        const std::vector<T>& values, std::uint32_t componentType, AccessorType type, std::uint32_t target, bool hasBounds = false)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        return addAccessorBytes(std::as_bytes(std::span<const T>(values)), componentType, type, target, hasBounds);
    }

    void writeViews(JsonWriter& json) const;
    void writeAccessors(JsonWriter& json) const;
    const std::vector<std::byte>& bytes() const { return m_bytes; }
    bool hasViews() const { return !m_views.empty(); }
    bool hasAccessors() const { return !m_accessors.empty(); }

private:
    struct View
    {
        std::size_t offset, size;
        std::uint32_t target;
    };
    struct Accessor
    {
        std::uint32_t view, componentType;
        std::size_t count;
        AccessorType type;
        std::vector<float> min, max;
    };
    std::uint32_t addAccessorBytes(
        std::span<const std::byte> bytes, std::uint32_t componentType, AccessorType type, std::uint32_t target, bool hasBounds);

    std::vector<std::byte> m_bytes;
    std::vector<View> m_views;
    std::vector<Accessor> m_accessors;
};

} // namespace dl::detail
