// drawloom/draw/vertex_factory.cpp - built-in factories and the checks of vertex layouts against themselves and shaders.
#include "drawloom/draw/vertex_factory.h"

#include "drawloom/resource/gpu_structs.h"

#include <algorithm>

namespace dl
{

namespace
{
std::string quoted(std::string_view text)
{
    return "\"" + std::string(text) + "\"";
}

std::uint32_t endOf(const FactoryAttribute& attribute)
{
    return attribute.offset + gpu::vertexFormatBytes(attribute.format);
}

std::string bytesOf(const FactoryAttribute& attribute)
{
    return quoted(attribute.name) + " (" + std::string(gpu::toString(attribute.format)) + ", bytes " + std::to_string(attribute.offset) +
           ".." + std::to_string(endOf(attribute) - 1) + ")";
}

gpu::ScalarKind kindOf(gpu::VertexFormat format)
{
    switch (format)
    {
    case gpu::VertexFormat::Uint8x4:
    case gpu::VertexFormat::Uint16x2:
    case gpu::VertexFormat::Uint16x4:
    case gpu::VertexFormat::Uint32:
    case gpu::VertexFormat::Uint32x2:
    case gpu::VertexFormat::Uint32x4: return gpu::ScalarKind::Uint;
    case gpu::VertexFormat::Sint32: return gpu::ScalarKind::Sint;
    default: return gpu::ScalarKind::Float;
    }
}

std::string_view nameOf(gpu::ScalarKind kind)
{
    return kind == gpu::ScalarKind::Float ? "float" : kind == gpu::ScalarKind::Sint ? "sint" : "uint";
}

std::string_view nameOf(StreamSet set)
{
    return set == StreamSet::Full ? "full" : set == StreamSet::Position ? "position" : "position+normal";
}

bool isInSet(AttributeRole role, StreamSet set)
{
    return set == StreamSet::Full || role == AttributeRole::Position || (set == StreamSet::PositionNormal && role == AttributeRole::Normal);
}

Error invalid(std::string message)
{
    return Error{ErrorCode::InvalidArgument, std::move(message)};
}

Result<void> checkStream(const FactoryStream& stream, const std::string& where)
{
    if (stream.stride == 0 || stream.stride % 4 != 0)
        return invalid(where + "stride of " + std::to_string(stream.stride) + " bytes is not a positive multiple of 4");
    for (const FactoryAttribute& attribute : stream.attributes)
    {
        if (attribute.name.empty())
            return invalid(where + "attribute at location " + std::to_string(attribute.location) + " has no name");
        if (attribute.offset % 4 != 0)
            return invalid(where + "attribute " + bytesOf(attribute) + " does not start at a multiple of 4");
        if (attribute.offset >= stream.stride || endOf(attribute) > stream.stride)
            return invalid(
                where + "attribute " + bytesOf(attribute) + " lies outside the stride of " + std::to_string(stream.stride) + " bytes");
    }
    for (std::size_t i = 0; i < stream.attributes.size(); ++i)
        for (std::size_t k = i + 1; k < stream.attributes.size(); ++k)
        {
            const FactoryAttribute& a = stream.attributes[i];
            const FactoryAttribute& b = stream.attributes[k];
            const std::uint32_t begin = std::max(a.offset, b.offset), end = std::min(endOf(a), endOf(b));
            if (begin < end)
                return invalid(where + "attribute " + bytesOf(a) + " overlaps attribute " + bytesOf(b) + " by " +
                               std::to_string(end - begin) + " bytes");
        }
    return {};
}

const FactoryAttribute* findAttribute(const VertexFactoryDesc& factory, std::uint32_t location)
{
    for (const FactoryStream& stream : factory.streams)
        for (const FactoryAttribute& attribute : stream.attributes)
            if (attribute.location == location)
                return &attribute;
    return nullptr;
}
} // namespace

VertexFactoryDesc rigidFactoryDesc()
{
    using gpu::VertexFormat;
    VertexFactoryDesc desc{"rigid", {}};
    desc.streams.push_back(
        {StreamSource::PoolPosition, kPositionStrideBytes, {{"position", 0, VertexFormat::Float32x3, 0, AttributeRole::Position}}});
    desc.streams.push_back({StreamSource::PoolNormal, kNormalStrideBytes,
        {{"normal", 1, VertexFormat::Snorm16x4, 0, AttributeRole::Normal},
            {"tangent", 2, VertexFormat::Snorm16x4, 8, AttributeRole::Normal}}});
    desc.streams.push_back({StreamSource::PoolUv, kUvStrideBytes,
        {{"uv0", 3, VertexFormat::Float32x2, 0}, {"uv1", 4, VertexFormat::Float32x2, 8}, {"color", 5, VertexFormat::Unorm8x4, 16},
            {"part", 6, VertexFormat::Uint32, 20}}});
    return desc;
}

VertexFactoryDesc deformedFactoryDesc()
{
    VertexFactoryDesc desc = rigidFactoryDesc();
    desc.name = "deformed";
    desc.streams.erase(desc.streams.begin(), desc.streams.begin() + 2);
    return desc;
}

Result<void> checkVertexFactory(const VertexFactoryDesc& desc)
{
    const std::string where = "vertex factory " + quoted(desc.name) + ": ";
    if (desc.name.empty())
        return invalid("a vertex factory needs a name");
    if (desc.streams.size() > 4)
        return invalid(where + std::to_string(desc.streams.size()) + " streams, at most 4 are taken");
    std::uint32_t sources = 0;
    std::vector<std::uint32_t> locations;
    for (const FactoryStream& stream : desc.streams)
    {
        const auto source = static_cast<std::uint32_t>(stream.source);
        DL_TRY(checkStream(stream, where + "stream " + std::to_string(&stream - desc.streams.data()) + ": "));
        if ((sources >> source & 1U) != 0)
            return invalid(where + "two streams read the same source");
        sources |= 1U << source;
        for (const FactoryAttribute& attribute : stream.attributes)
        {
            if (std::find(locations.begin(), locations.end(), attribute.location) != locations.end())
                return invalid(where + "attribute " + quoted(attribute.name) + " repeats location " + std::to_string(attribute.location));
            locations.push_back(attribute.location);
        }
    }
    return {};
}

Result<void> checkVertexInputs(const VertexFactoryDesc& factory, StreamSet set, const gpu::ShaderEntry& shader)
{
    const std::string where = "shader " + quoted(shader.name) + " with vertex factory " + quoted(factory.name) + ": ";
    for (const gpu::ShaderVariable& input : shader.vertexInputs)
    {
        const std::string name = "input " + quoted(input.name) + " at location " + std::to_string(input.location);
        const FactoryAttribute* attribute = findAttribute(factory, input.location);
        if (attribute == nullptr)
            return invalid(where + name + " has no attribute in the factory");
        if (kindOf(attribute->format) != input.kind)
            return invalid(where + name + " is " + std::string(nameOf(input.kind)) + ", attribute " + quoted(attribute->name) + " is " +
                           std::string(gpu::toString(attribute->format)));
        if (!isInSet(attribute->role, set))
            return Error{
                ErrorCode::Unsupported, where + name + " lies outside the stream set " + quoted(nameOf(set)) + " that the pass chose"};
    }
    return {};
}

std::vector<std::uint32_t> streamsReadBy(const VertexFactoryDesc& factory, const gpu::ShaderEntry& shader)
{
    std::vector<std::uint32_t> read;
    for (std::uint32_t i = 0; i < factory.streams.size(); ++i)
        for (const gpu::ShaderVariable& input : shader.vertexInputs)
        {
            const auto& attributes = factory.streams[i].attributes;
            if (std::any_of(attributes.begin(), attributes.end(), [&](const FactoryAttribute& a) { return a.location == input.location; }))
            {
                read.push_back(i);
                break;
            }
        }
    return read;
}

} // namespace dl
