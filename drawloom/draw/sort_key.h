// drawloom/draw/sort_key.h - 64-bit sort keys whose layout each mesh pass declares as named bit fields, high bits first.
#pragma once

#include "drawloom/core/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dl
{

/// Where a field's value comes from.
enum class KeySource : std::uint8_t
{
    ExplicitOrder, ///< the mesh set's order, smaller first
    DepthNear,     ///< nearest first (a run's nearest instance)
    DepthFar,      ///< farthest first
    Pipeline,      ///< rank of the pipeline slot, equal for equal state in every process
    TextureSet,
    HeapPage,
    GeometryPage,
    MeshRange,
    Submission, ///< place in the order of registration: sections of mesh sets, then dynamic batches
};
inline constexpr std::size_t kKeySourceCount = 9;

/// A field narrower than its source keeps the source's low bits (depth: the high ones): such a field costs joins, never
/// correctness, because joining compares the sources themselves. Fields that decide the picture are marked, and stand above all
/// others: an optimisation must never overrule them.
struct KeyField
{
    std::string_view name; ///< for documentation and dumps; a literal
    KeySource source = KeySource::Pipeline;
    std::uint8_t bits = 0;
    bool isCorrectness = false;
};

enum class SortOrder : std::uint8_t
{
    FrontToBack, ///< coarse depth, then state: depth passes
    State,       ///< state, then near first: opaque colour
    BackToFront, ///< explicit order, far first, across meshes and materials; runs are expanded to single instances
    Sequence,    ///< explicit order, then the order of registration: overlays, editors' gizmos
};

/// The library's layout for an order.
std::span<const KeyField> defaultKeyFields(SortOrder order);

/// Values of one item, before packing.
struct KeyValues
{
    std::array<std::uint32_t, kKeySourceCount> bySource = {}; ///< indexed by KeySource; depths through depthBits()
    std::uint32_t& operator[](KeySource source) { return bySource[static_cast<std::size_t>(source)]; }
    std::uint32_t operator[](KeySource source) const { return bySource[static_cast<std::size_t>(source)]; }
};

/// Monotone in the depth; 0 for depths at or behind the eye.
std::uint32_t depthBits(float depth);

class KeyLayout
{
public:
    /// OutOfRange when the fields need more than 64 bits or one more than 32; InvalidArgument for a field of 0 bits, a source
    /// named twice, or a correctness field below another.
    static Result<KeyLayout> create(std::span<const KeyField> fields);

    std::uint64_t pack(const KeyValues& values) const
    {
        std::uint64_t key = 0;
        for (std::size_t i = 0; i < m_fieldCount; ++i)
        {
            const Step step = m_steps[i];
            const std::uint32_t raw = values.bySource[step.source] ^ step.flip;
            key |= static_cast<std::uint64_t>((raw >> step.drop) & step.mask) << step.shift;
        }
        return key;
    }
    /// The fields and their values, "pipeline=3 textureSet=1 ...", for dumps.
    std::string describe(std::uint64_t key) const;
    std::span<const KeyField> fields() const { return m_fields; }

private:
    struct Step
    {
        std::uint8_t source = 0, drop = 0, shift = 0;
        std::uint32_t mask = 0, flip = 0;
    };
    std::array<Step, kKeySourceCount> m_steps = {};
    std::size_t m_fieldCount = 0;
    std::vector<KeyField> m_fields;
};

} // namespace dl
