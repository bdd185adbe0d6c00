#include "tests/golden/draco_copy.h"

#include "drawloom/asset/gltf_import.h"

#include <draco/compression/encode.h>
#include <draco/mesh/mesh.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace dl::golden
{
namespace
{

using Type = draco::GeometryAttribute::Type;

template <class Vector> int addAttribute(draco::Mesh& mesh, Type type, const std::vector<Vector>& values)
{
    constexpr int kComponents = sizeof(Vector) / sizeof(float);
    draco::GeometryAttribute attribute;
    attribute.Init(type, nullptr, kComponents, draco::DT_FLOAT32, false, sizeof(Vector), 0);
    const int id = mesh.AddAttribute(attribute, true, static_cast<std::uint32_t>(values.size()));
    for (std::size_t i = 0; i < values.size(); ++i)
        mesh.attribute(id)->SetAttributeValue(draco::AttributeValueIndex(static_cast<std::uint32_t>(i)), &values[i]);
    return static_cast<int>(mesh.attribute(id)->unique_id());
}

} // namespace

Result<std::filesystem::path> writeDracoCopy(const std::filesystem::path& gltf, const std::filesystem::path& folder)
{
    DL_TRY_ASSIGN(const SceneDescription scene, importGltf(gltf, {.decodeImages = false}));
    const Primitive& primitive = scene.meshes.at(0).primitives.at(0);
    draco::Mesh mesh;
    mesh.set_num_points(primitive.vertexCount());
    for (std::size_t i = 0; i < primitive.indices.size(); i += 3)
        mesh.AddFace({draco::PointIndex(primitive.indices[i]), draco::PointIndex(primitive.indices[i + 1]),
            draco::PointIndex(primitive.indices[i + 2])});
    nlohmann::json attributes = {{"POSITION", addAttribute(mesh, Type::POSITION, primitive.positions)},
        {"NORMAL", addAttribute(mesh, Type::NORMAL, primitive.normals)},
        {"TEXCOORD_0", addAttribute(mesh, Type::TEX_COORD, primitive.uv0)}};
    draco::Encoder encoder;
    encoder.SetAttributeQuantization(Type::POSITION, 14);
    encoder.SetAttributeQuantization(Type::NORMAL, 12);
    encoder.SetAttributeQuantization(Type::TEX_COORD, 14);
    encoder.SetTrackEncodedProperties(true);
    draco::EncoderBuffer buffer;
    if (const draco::Status status = encoder.EncodeMeshToBuffer(mesh, &buffer); !status.ok())
        return Error{ErrorCode::Io, status.error_msg_string()};
    std::ofstream(folder / "draco.bin", std::ios::binary).write(buffer.data(), static_cast<std::streamsize>(buffer.size()));

    std::ifstream file(gltf);
    nlohmann::json json = nlohmann::json::parse(file);
    const std::size_t points = encoder.num_encoded_points(), faces = encoder.num_encoded_faces();
    const vec3 min = primitive.bounds.min, max = primitive.bounds.max;
    json["accessors"] = {
        {{"componentType", 5126}, {"count", points}, {"type", "VEC3"}, {"min", {min.x, min.y, min.z}}, {"max", {max.x, max.y, max.z}}},
        {{"componentType", 5126}, {"count", points}, {"type", "VEC3"}}, {{"componentType", 5126}, {"count", points}, {"type", "VEC2"}},
        {{"componentType", 5125}, {"count", faces * 3}, {"type", "SCALAR"}}};
    json["buffers"] = {{{"byteLength", buffer.size()}, {"uri", "draco.bin"}}};
    json["bufferViews"] = {{{"buffer", 0}, {"byteLength", buffer.size()}}};
    json["extensionsUsed"] = json["extensionsRequired"] = {"KHR_draco_mesh_compression"};
    nlohmann::json& out = json["meshes"][0]["primitives"][0];
    out["attributes"] = {{"POSITION", 0}, {"NORMAL", 1}, {"TEXCOORD_0", 2}};
    out["indices"] = 3;
    out["extensions"] = {{"KHR_draco_mesh_compression", {{"bufferView", 0}, {"attributes", attributes}}}};
    for (const nlohmann::json& image : json["images"])
    {
        const std::string uri = image.at("uri").get<std::string>();
        std::filesystem::copy_file(gltf.parent_path() / uri, folder / uri, std::filesystem::copy_options::overwrite_existing);
    }
    std::ofstream(folder / "draco.gltf") << json.dump();
    return folder / "draco.gltf";
}

} // namespace dl::golden
