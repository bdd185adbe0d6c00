// drawloom/asset/detail/gltf_accessor.h - buffers, buffer views and accessors of a glTF as arrays of floats or integers.
// All offsets are checked in 64 bits against the real size of the data before anything is allocated.
#pragma once

#include "drawloom/asset/detail/gltf_object.h"

#include <type_traits>

namespace dl::detail
{

enum class ComponentType : std::uint16_t
{
    Int8 = 5120,
    Uint8 = 5121,
    Int16 = 5122,
    Uint16 = 5123,
    Uint32 = 5125,
    Float = 5126,
};

struct GltfBufferView
{
    std::span<const std::byte> bytes;
    std::uint64_t byteStride = 0; ///< 0: tightly packed
};

/// Elements `strideBytes` apart. Every element lies inside `bytes`; empty bytes mean all zeros.
struct ElementArray
{
    std::span<const std::byte> bytes;
    std::uint64_t count = 0, strideBytes = 0;
    ComponentType componentType = ComponentType::Float;
};

struct GltfAccessor
{
    std::uint32_t index = kNoIndex;
    ElementArray elements;
    std::uint32_t rows = 1, columns = 1; ///< rows x columns components; more than one column for matrices only
    bool isNormalized = false;
    ElementArray sparseIndices, sparseValues; ///< count 0: not sparse

    std::uint32_t components() const { return rows * columns; }
    std::uint64_t count() const { return elements.count; }
    std::string path() const { return "accessors[" + std::to_string(index) + "]"; }
};

// All return false after state.fail().
bool loadBuffer(GltfState& state, std::uint32_t index);
bool openBufferView(GltfState& state, std::uint32_t index, GltfBufferView& out);
bool openAccessor(GltfState& state, std::uint32_t index, GltfAccessor& out);
/// Fails naming `user` (as `meshes[0].primitives[0].POSITION`) if the accessor has another type.
bool checkType(GltfState& state, const GltfAccessor& accessor, std::uint32_t rows, std::uint32_t columns, const std::string& user);
/// components() floats an element. Integers become floats as they are, or by glTF's rules if `isNormalized`.
/// Refuses what is not finite.
bool readFloats(GltfState& state, const GltfAccessor& accessor, bool isNormalized, std::vector<float>& out);
/// The same as vectors of components() floats each: most files' are copied as they lie there.
template <class Vector> bool readVectors(GltfState& state, const GltfAccessor& accessor, bool isNormalized, std::vector<Vector>& out);
bool readUints(GltfState& state, const GltfAccessor& accessor, std::vector<std::uint32_t>& out);

// What readVectors is made of.

/// Counts the memory that the values take.
bool takeFloats(GltfState& state, const GltfAccessor& accessor);
/// The elements where they lie as components of this type, one behind the other and aligned to four bytes; null if they do not.
const std::byte* tightElements(const GltfAccessor& accessor, ComponentType type);
bool checkFinite(GltfState& state, const GltfAccessor& accessor, std::span<const float> values);
/// Into memory of the caller, count() * components() zeros.
bool readFloats(GltfState& state, const GltfAccessor& accessor, bool isNormalized, float* out);

template <class Vector> bool readVectors(GltfState& state, const GltfAccessor& accessor, bool isNormalized, std::vector<Vector>& out)
{
    static_assert(std::is_trivially_copyable_v<Vector> && sizeof(Vector) % sizeof(float) == 0 && alignof(Vector) == alignof(float));
    if (!takeFloats(state, accessor))
        return false;
    const auto count = static_cast<std::size_t>(accessor.count());
    if (const std::byte* tight = tightElements(accessor, ComponentType::Float))
    {
        const auto* first = reinterpret_cast<const Vector*>(tight);
        out.assign(first, first + count); // not into zeros: new memory is touched once
        return checkFinite(state, accessor, {&out.front()[0], count * accessor.components()});
    }
    out.assign(count, Vector(0.0f));
    return readFloats(state, accessor, isNormalized, &out.front()[0]);
}

} // namespace dl::detail
