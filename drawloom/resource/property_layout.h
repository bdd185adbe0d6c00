// drawloom/resource/property_layout.h - which values the instances of a block own besides their record, and where in the
// property heap a shader finds them. Made once per material kind, named by blocks of the instance heap.
#pragma once

#include "drawloom/core/result.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dl
{

enum class PropertyRate : std::uint8_t
{
    PerInstance,
    PerBlock, ///< one value shared by all instances of a block
};

constexpr std::uint32_t kNoMaterialWord = UINT32_MAX;

struct PropertyDesc
{
    std::string name;
    std::uint32_t wordCount = 1; ///< 1..16
    PropertyRate rate = PropertyRate::PerInstance;
    std::array<std::uint32_t, 16> defaultWords{};
    /// First word of the default in MaterialParams (its offset / 4); kNoMaterialWord: defaultWords.
    std::uint32_t materialWord = kNoMaterialWord;
};

/// Where a property lies. Per instance: properties[record.propertyOffset + wordOffset]. Through the link:
/// properties[properties[record.propertyOffset] + wordOffset].
struct PropertyLocation
{
    std::uint32_t wordOffset = 0, wordCount = 0;
    PropertyRate rate = PropertyRate::PerInstance;
};

/// An instance's words: [link to the block's words, if there are any][per-instance values in declared order].
class PropertyLayout
{
public:
    /// InvalidArgument: no or too many words, a name twice or empty, a materialWord outside MaterialParams.
    static Result<PropertyLayout> create(std::span<const PropertyDesc> properties);

    /// Words per instance, the link included; 0: instances own nothing.
    std::uint32_t instanceWords() const { return m_instanceWords; }
    std::uint32_t blockWords() const { return m_blockWords; }
    bool hasLink() const { return m_blockWords != 0; }
    std::span<const PropertyDesc> properties() const { return m_properties; }
    std::span<const PropertyLocation> locations() const { return m_locations; }
    /// Index into properties(); NotFound names the layout's properties.
    Result<std::uint32_t> find(std::string_view name) const;

private:
    std::vector<PropertyDesc> m_properties;
    std::vector<PropertyLocation> m_locations;
    std::uint32_t m_instanceWords = 0, m_blockWords = 0;
};

} // namespace dl
