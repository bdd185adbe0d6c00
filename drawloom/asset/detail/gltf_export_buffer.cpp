// drawloom/asset/detail/gltf_export_buffer.cpp - see the header.
#include "drawloom/asset/detail/gltf_export_buffer.h"

#include <algorithm>
#include <cstring>

namespace dl::detail
{
namespace
{

struct TypeFacts
{
    const char* name;
    std::size_t componentCount;
};
constexpr TypeFacts kTypes[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};

const TypeFacts& factsOf(AccessorType type)
{
    return kTypes[static_cast<std::size_t>(type)];
}

} // namespace

std::uint32_t GltfExportBuffer::addView(std::span<const std::byte> bytes, std::uint32_t target)
{
    m_bytes.resize((m_bytes.size() + 3) / 4 * 4);
    m_views.push_back({m_bytes.size(), bytes.size(), target});
    m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
    return static_cast<std::uint32_t>(m_views.size() - 1);
}

std::uint32_t GltfExportBuffer::addAccessorBytes(
    std::span<const std::byte> bytes, std::uint32_t componentType, AccessorType type, std::uint32_t target, bool hasBounds)
{
    const std::size_t components = factsOf(type).componentCount;
    const std::size_t componentBytes = componentType == kGltfUnsignedShort ? 2 : 4;
    Accessor accessor{addView(bytes, target), componentType, bytes.size() / (components * componentBytes), type, {}, {}};
    for (std::size_t i = 0; hasBounds && i < accessor.count; ++i)
    {
        float element[16];
        std::memcpy(element, &bytes[i * components * sizeof(float)], components * sizeof(float));
        if (i == 0)
        {
            accessor.min.assign(element, element + components);
            accessor.max = accessor.min;
        }
        for (std::size_t c = 0; c < components; ++c)
        {
            accessor.min[c] = std::min(accessor.min[c], element[c]);
            accessor.max[c] = std::max(accessor.max[c], element[c]);
        }
    }
    m_accessors.push_back(std::move(accessor));
    return static_cast<std::uint32_t>(m_accessors.size() - 1);
}

void GltfExportBuffer::writeViews(JsonWriter& json) const
{
    json.beginArray("bufferViews");
    for (const View& view : m_views)
    {
        json.beginObject();
        json.member("buffer", std::uint32_t(0));
        json.member("byteOffset", view.offset);
        json.member("byteLength", view.size);
        if (view.target != kTargetNone)
            json.member("target", view.target);
        json.endObject();
    }
    json.endArray();
}

void GltfExportBuffer::writeAccessors(JsonWriter& json) const
{
    json.beginArray("accessors");
    for (const Accessor& accessor : m_accessors)
    {
        json.beginObject();
        json.member("bufferView", accessor.view);
        json.member("componentType", accessor.componentType);
        json.member("count", accessor.count);
        json.member("type", factsOf(accessor.type).name);
        if (!accessor.min.empty())
        {
            json.member("min", std::span<const float>(accessor.min));
            json.member("max", std::span<const float>(accessor.max));
        }
        json.endObject();
    }
    json.endArray();
}

} // namespace dl::detail
