#include "drawloom/resource/property_layout.h"

#include "drawloom/resource/gpu_structs.h"

namespace dl
{

namespace
{
Error badLayout(const std::string& what)
{
    return {ErrorCode::InvalidArgument, "property layout: " + what};
}
} // namespace

Result<PropertyLayout> PropertyLayout::create(std::span<const PropertyDesc> properties)
{
    PropertyLayout layout;
    layout.m_properties.assign(properties.begin(), properties.end());
    for (const PropertyDesc& property : properties)
        layout.m_blockWords += property.rate == PropertyRate::PerBlock ? property.wordCount : 0;
    layout.m_instanceWords = layout.m_blockWords != 0 ? 1 : 0; // the link
    std::uint32_t blockOffset = 0;
    for (std::size_t i = 0; i < properties.size(); ++i)
    {
        const PropertyDesc& property = properties[i];
        if (property.name.empty())
            return badLayout("property " + std::to_string(i) + " has no name");
        for (std::size_t k = 0; k < i; ++k)
            if (properties[k].name == property.name)
                return badLayout("the name \"" + property.name + "\" stands twice");
        if (property.wordCount == 0 || property.wordCount > property.defaultWords.size())
            return badLayout("\"" + property.name + "\" has " + std::to_string(property.wordCount) + " words; 1 to 16 are allowed");
        if (property.materialWord != kNoMaterialWord &&
            property.materialWord + std::uint64_t(property.wordCount) > sizeof(MaterialParams) / 4)
            return badLayout("\"" + property.name + "\" takes its default from behind MaterialParams' end");
        std::uint32_t& offset = property.rate == PropertyRate::PerBlock ? blockOffset : layout.m_instanceWords;
        layout.m_locations.push_back({offset, property.wordCount, property.rate});
        offset += property.wordCount;
    }
    return layout;
}

Result<std::uint32_t> PropertyLayout::find(std::string_view name) const
{
    std::string known;
    for (std::uint32_t i = 0; i < m_properties.size(); ++i)
    {
        if (m_properties[i].name == name)
            return i;
        known += (i == 0 ? "" : ", ") + m_properties[i].name;
    }
    return Error{ErrorCode::NotFound, "no property \"" + std::string(name) + "\"; the layout has: " + known};
}

} // namespace dl
