// drawloom/asset/detail/draco_decode.cpp - see the header. The one file of the room that is compiled with exceptions.
#include "drawloom/asset/detail/draco_decode.h"

#include <draco/compression/mesh/mesh_edgebreaker_decoder.h>
#include <draco/compression/mesh/mesh_sequential_decoder.h>
#include <draco/core/varint_decoding.h>
#include <draco/mesh/mesh.h>

#include <cstring>
#include <exception>
#include <memory>
#include <new>

namespace dl::detail
{
namespace
{

constexpr std::uint8_t kLeastMajorVersion = 2;
constexpr std::uint16_t kCompactVersion = DRACO_BITSTREAM_VERSION(2, 2);
constexpr std::uint64_t kMaxFacesPerByte = 1024; // regular grids reach some hundreds; more is a stream made to fill memory
constexpr std::uint64_t kMaxComponents = 128;    // of all attributes of a point together

struct Counts
{
    std::uint32_t faces = 0, points = 0;
};

/// The counts in front of a sequential mesh's connectivity.
bool readSequentialCounts(draco::DecoderBuffer buffer, Counts& out)
{
    if (buffer.bitstream_version() < kCompactVersion)
        return buffer.Decode(&out.faces) && buffer.Decode(&out.points);
    return draco::DecodeVarint(&out.faces, &buffer) && draco::DecodeVarint(&out.points, &buffer);
}

/// The same of an edgebreaker mesh: vertices are points before attribute seams split them.
bool readEdgebreakerCounts(draco::DecoderBuffer buffer, Counts& out)
{
    std::uint32_t newVertices = 0;
    if (buffer.bitstream_version() < kCompactVersion && !draco::DecodeVarint(&newVertices, &buffer))
        return false;
    return draco::DecodeVarint(&out.points, &buffer) && draco::DecodeVarint(&out.faces, &buffer);
}

/// One of Draco's decoders that stops where the stream asks for more than the request allows.
template <class Base> class LimitedDecoder final : public Base
{
public:
    explicit LimitedDecoder(const DracoRequest& request) : m_request(request) {}
    const std::string& problem() const { return m_problem; }

protected:
    bool DecodeConnectivity() override
    {
        Counts counts;
        const bool isRead = std::is_same_v<Base, draco::MeshSequentialDecoder> ? readSequentialCounts(*this->buffer(), counts)
                                                                               : readEdgebreakerCounts(*this->buffer(), counts);
        if (!isRead)
            return stop("it ends before its counts");
        if (std::uint64_t(counts.faces) * 3 > m_request.maxIndexCount)
            return stop("it has " + std::to_string(counts.faces) + " triangles, the accessors have room for " +
                        std::to_string(m_request.maxIndexCount / 3));
        if (counts.points > m_request.pointCount)
            return stop("it has " + std::to_string(counts.points) + " points, the accessors have " + std::to_string(m_request.pointCount));
        if (counts.faces > m_request.bytes.size() * kMaxFacesPerByte || counts.points > m_request.bytes.size() * kMaxFacesPerByte)
            return stop(std::to_string(counts.faces) + " triangles and " + std::to_string(counts.points) + " points can not come from " +
                        std::to_string(m_request.bytes.size()) + " bytes");
        return Base::DecodeConnectivity();
    }

    /// All attributes are declared, none is decoded yet.
    bool DecodeAllAttributes() override
    {
        const draco::PointCloud& cloud = *this->point_cloud();
        if (cloud.num_points() != m_request.pointCount)
            return stop(
                "it has " + std::to_string(cloud.num_points()) + " points, the accessors have " + std::to_string(m_request.pointCount));
        std::uint64_t componentCount = 0;
        for (std::int32_t i = 0; i < cloud.num_attributes(); ++i)
            componentCount += cloud.attribute(i)->num_components();
        if (componentCount > kMaxComponents)
            return stop("a point has " + std::to_string(componentCount) + " components, more than " + std::to_string(kMaxComponents));
        return Base::DecodeAllAttributes();
    }

private:
    bool stop(std::string problem)
    {
        m_problem = std::move(problem);
        return false;
    }

    const DracoRequest& m_request;
    std::string m_problem;
};

Error badStream(const std::string& problem)
{
    return Error{ErrorCode::BadFile, "the Draco stream can not be used: " + problem};
}

template <class Base> Result<void> decodeWith(const DracoRequest& request, draco::Mesh& mesh)
{
    draco::DecoderBuffer buffer;
    buffer.Init(reinterpret_cast<const char*>(request.bytes.data()), request.bytes.size());
    LimitedDecoder<Base> decoder(request);
    const draco::Status status = decoder.Decode(draco::DecoderOptions(), &buffer, &mesh);
    if (!decoder.problem().empty())
        return badStream(decoder.problem());
    if (!status.ok())
        return badStream(status.error_msg_string());
    return {};
}

Result<void> decodeMesh(const DracoRequest& request, draco::Mesh& mesh)
{
    draco::DecoderBuffer buffer;
    draco::DracoHeader header{};
    buffer.Init(reinterpret_cast<const char*>(request.bytes.data()), request.bytes.size());
    const draco::Status status = draco::PointCloudDecoder::DecodeHeader(&buffer, &header);
    if (!status.ok())
        return badStream(status.error_msg_string());
    if (header.encoder_type != draco::TRIANGULAR_MESH)
        return Error{ErrorCode::Unsupported, "the Draco stream is no mesh"};
    if (header.version_major < kLeastMajorVersion)
        return Error{ErrorCode::Unsupported, "Draco bitstream " + std::to_string(header.version_major) + "." +
                                                 std::to_string(header.version_minor) + " is not read, only 2.0 and later"};
    switch (header.encoder_method)
    {
    case draco::MESH_SEQUENTIAL_ENCODING: return decodeWith<draco::MeshSequentialDecoder>(request, mesh);
    case draco::MESH_EDGEBREAKER_ENCODING: return decodeWith<draco::MeshEdgebreakerDecoder>(request, mesh);
    default: return badStream("its method " + std::to_string(header.encoder_method) + " is unknown");
    }
}

Result<std::vector<std::uint32_t>> copyIndices(const draco::Mesh& mesh, std::uint64_t maxIndexCount)
{
    std::vector<std::uint32_t> out;
    if (std::uint64_t(mesh.num_faces()) * 3 > maxIndexCount)
        return badStream("it has " + std::to_string(mesh.num_faces()) + " triangles");
    out.reserve(std::size_t(mesh.num_faces()) * 3);
    for (draco::FaceIndex face(0); face < mesh.num_faces(); ++face)
        for (const draco::PointIndex& point : mesh.face(face))
        {
            if (point.value() >= mesh.num_points())
                return badStream("triangle " + std::to_string(face.value()) + " names point " + std::to_string(point.value()) + " of " +
                                 std::to_string(mesh.num_points()));
            out.push_back(point.value());
        }
    return out;
}

template <class T>
bool copyValues(const draco::PointAttribute& attribute, std::uint32_t pointCount, std::uint32_t componentCount, std::vector<std::byte>& out)
{
    std::vector<T> element(componentCount);
    const std::size_t elementBytes = componentCount * sizeof(T);
    out.resize(pointCount * elementBytes);
    for (std::uint32_t i = 0; i < pointCount; ++i)
    {
        const draco::AttributeValueIndex value = attribute.mapped_index(draco::PointIndex(i));
        if (value.value() >= attribute.size() ||
            !attribute.ConvertValue<T>(value, static_cast<std::int8_t>(componentCount), element.data()))
            return false;
        std::memcpy(out.data() + i * elementBytes, element.data(), elementBytes);
    }
    return true;
}

bool copyAs(ComponentType type, const draco::PointAttribute& attribute, std::uint32_t pointCount, std::uint32_t componentCount,
    std::vector<std::byte>& out)
{
    switch (type)
    {
    case ComponentType::Int8: return copyValues<std::int8_t>(attribute, pointCount, componentCount, out);
    case ComponentType::Uint8: return copyValues<std::uint8_t>(attribute, pointCount, componentCount, out);
    case ComponentType::Int16: return copyValues<std::int16_t>(attribute, pointCount, componentCount, out);
    case ComponentType::Uint16: return copyValues<std::uint16_t>(attribute, pointCount, componentCount, out);
    case ComponentType::Uint32: return copyValues<std::uint32_t>(attribute, pointCount, componentCount, out);
    case ComponentType::Float: return copyValues<float>(attribute, pointCount, componentCount, out);
    }
    return false;
}

/// Every value that a point may name lies in the attribute's buffer; explicit maps have an entry for every point.
bool isWhole(const draco::PointAttribute& attribute, std::uint32_t pointCount)
{
    const draco::DataBuffer* buffer = attribute.buffer();
    const std::uint64_t tightBytes = std::uint64_t(draco::DataTypeLength(attribute.data_type())) * attribute.num_components();
    if (buffer == nullptr || attribute.size() == 0 || attribute.byte_stride() < 0 || attribute.byte_offset() < 0 || tightBytes == 0)
        return false;
    if (!attribute.is_mapping_identity() && attribute.indices_map_size() < pointCount)
        return false;
    const std::uint64_t lastBegin =
        std::uint64_t(attribute.byte_offset()) + (std::uint64_t(attribute.size()) - 1) * std::uint64_t(attribute.byte_stride());
    return lastBegin + tightBytes <= buffer->data_size();
}

Result<std::vector<std::byte>> copyAttribute(const draco::Mesh& mesh, const DracoAttribute& request)
{
    const std::string name = "attribute " + std::to_string(request.uniqueId);
    const draco::PointAttribute* attribute = mesh.GetAttributeByUniqueId(request.uniqueId);
    if (attribute == nullptr)
        return badStream("it has no " + name);
    if (attribute->num_components() != request.componentCount)
        return badStream(name + " has " + std::to_string(attribute->num_components()) + " components, the accessor " +
                         std::to_string(request.componentCount));
    if (attribute->data_type() == draco::DT_BOOL) // no type of glTF; Draco reads any byte as a bool
        return badStream(name + " holds booleans");
    const bool isFloat = attribute->data_type() == draco::DT_FLOAT32 || attribute->data_type() == draco::DT_FLOAT64;
    if (isFloat && request.componentType != ComponentType::Float)
        return badStream(name + " holds floats, the accessor integers");
    std::vector<std::byte> out;
    if (!isWhole(*attribute, mesh.num_points()) ||
        !copyAs(request.componentType, *attribute, mesh.num_points(), request.componentCount, out))
        return badStream(name + " does not have all its values, or not of the accessor's type");
    return out;
}

Result<DracoMesh> decodeThrowing(const DracoRequest& request)
{
    draco::Mesh mesh;
    DracoMesh out;
    DL_TRY(decodeMesh(request, mesh));
    if (mesh.num_points() != request.pointCount)
        return badStream(
            "it has " + std::to_string(mesh.num_points()) + " points, the accessors have " + std::to_string(request.pointCount));
    DL_TRY_ASSIGN(out.indices, copyIndices(mesh, request.maxIndexCount));
    for (const DracoAttribute& attribute : request.attributes)
    {
        DL_TRY_ASSIGN(std::vector<std::byte> values, copyAttribute(mesh, attribute));
        out.values.push_back(std::move(values));
    }
    return out;
}

} // namespace

Result<DracoMesh> decodeDraco(const DracoRequest& request)
{
    try
    {
        return decodeThrowing(request);
    }
    catch (const std::bad_alloc&)
    {
        return Error{ErrorCode::OutOfMemory, "the Draco stream needs more memory than there is"};
    }
    catch (const std::exception& problem)
    {
        return badStream(problem.what());
    }
}

} // namespace dl::detail
