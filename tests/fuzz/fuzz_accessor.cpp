// tests/fuzz/fuzz_accessor.cpp - accessors of every type, stride, offset and sparseness over any data, used as attributes,
// indices, keys and inverse bind matrices. The first bytes choose, the rest is the buffer.
#include "drawloom/asset/gltf_import.h"
#include "tests/fuzz/fuzz_glb.h"
#include "tests/fuzz/fuzz_reached.h"

namespace
{

constexpr const char* kTypes[] = {"SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"};
constexpr int kComponentTypes[] = {5120, 5121, 5122, 5123, 5125, 5126, 5124};
constexpr const char* kAttributes[] = {"POSITION", "NORMAL", "TANGENT", "TEXCOORD_0", "COLOR_0", "JOINTS_0", "WEIGHTS_0"};

std::string accessorText(dl::fuzz::Choices& choices)
{
    const auto number = [](std::uint64_t value) { return std::to_string(value); };
    std::string text = R"({"type":")" + std::string(kTypes[choices.byte() % 7]) + R"(","componentType":)" +
                       number(static_cast<std::uint64_t>(kComponentTypes[choices.byte() % 7])) + R"(,"count":)" + number(choices.count());
    const std::uint8_t flags = choices.byte();
    if ((flags & 1U) != 0)
        text += R"(,"normalized":true)";
    if ((flags & 2U) == 0)
        text += R"(,"bufferView":0,"byteOffset":)" + number(choices.count());
    if ((flags & 4U) != 0)
        text += R"(,"sparse":{"count":)" + number(choices.count()) + R"(,"indices":{"bufferView":1,"byteOffset":)" +
                number(choices.count()) + R"(,"componentType":)" + number(static_cast<std::uint64_t>(kComponentTypes[choices.byte() % 7])) +
                R"(},"values":{"bufferView":1,"byteOffset":)" + number(choices.count()) + "}}";
    return text + "}";
}

/// Accessors 0 and 1 are the fuzzed ones, 2 has positions of zeros, 3 two keys.
std::string fileText(dl::fuzz::Choices& choices)
{
    const std::string accessors = accessorText(choices) + "," + accessorText(choices);
    const std::uint64_t vertexCount = choices.byte();
    const std::uint8_t use = choices.byte();
    const std::string first = kAttributes[use % 7];
    const std::string second = kAttributes[use / 7 % 7];
    const std::string stride = std::to_string(choices.byte());
    const std::string offset = std::to_string(choices.count());
    const std::string length = std::to_string(choices.rest().size());
    std::string attributes = R"(")" + first + R"(":0)";
    if (second != first)
        attributes += R"(,")" + second + R"(":1)";
    if (first != "POSITION" && second != "POSITION")
        attributes += R"(,"POSITION":2)";
    return R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":)" + length + R"(}],"bufferViews":[{"buffer":0,"byteLength":)" + length +
           (stride == "0" ? "" : R"(,"byteStride":)" + stride) + R"(},{"buffer":0,"byteOffset":)" + offset +
           R"(,"byteLength":64}],"accessors":[)" + accessors + R"(,{"type":"VEC3","componentType":5126,"count":)" +
           std::to_string(vertexCount + 1) +
           R"(},{"type":"SCALAR","componentType":5126,"count":1}],"meshes":[{"primitives":[{"attributes":{)" + attributes + "}" +
           (use % 5 == 0 ? R"(,"indices":1)" : "") + R"(}]}],"nodes":[{"mesh":0},{}])" +
           (use % 3 == 0 ? R"(,"skins":[{"joints":[1],"inverseBindMatrices":1}])" : "") +
           (use % 4 == 0
                   ? R"(,"animations":[{"samplers":[{"input":3,"output":1}],"channels":[{"sampler":0,"target":{"node":1,"path":"rotation"}}]}])"
                   : "") +
           "}";
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    dl::fuzz::Choices choices({data, size});
    const std::string json = fileText(choices);
    const std::vector<std::byte> glb = dl::fuzz::makeGlb(json, choices.rest());
    const dl::GltfImportSettings settings{
        .maxFileBytes = 1U << 20U, .maxDecodedBytes = 16U << 20U, .maxVertexCount = 1U << 18U, .checksFormat = true};
    const dl::Result<dl::SceneDescription> scene = dl::importGltfFromMemory(glb, {}, settings);
    if (!scene)
    {
        dl::fuzz::require(!scene.error().message.empty());
        return 0;
    }
    if (json.find("sparse") != std::string::npos)
        DL_FUZZ_REACHED("sparse");
    for (const dl::Mesh& mesh : scene->meshes)
        for (const dl::Primitive& primitive : mesh.primitives)
        {
            DL_FUZZ_REACHED("primitive");
            if (!primitive.colors.empty())
                DL_FUZZ_REACHED("colors");
            for (const std::uint32_t index : primitive.indices)
                dl::fuzz::require(index < primitive.vertexCount());
            dl::fuzz::require(primitive.normals.size() == primitive.positions.size());
        }
    return 0;
}
