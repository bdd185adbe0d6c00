// tests/fuzz/fuzz_meshopt.cpp - any bytes as one compressed stream of EXT_meshopt_compression: every mode, filter, stride and
// count, with the view's sizes right, so that the decoders are reached. The first bytes choose, the rest is the stream.
#include "drawloom/asset/gltf_import.h"
#include "tests/fuzz/fuzz_glb.h"
#include "tests/fuzz/fuzz_reached.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    constexpr const char* kModes[] = {"ATTRIBUTES", "TRIANGLES", "INDICES"};
    constexpr const char* kFilters[] = {"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL"};
    dl::fuzz::Choices choices({data, size});
    const std::uint8_t mode = choices.byte() % 3;
    const std::uint8_t filter = mode == 0 ? choices.byte() % 4 : 0;
    const std::uint64_t stride = mode == 0 ? 4 + choices.byte() % 4 * 4 : 2 + choices.byte() % 2 * 2;
    const std::uint64_t count = 1 + choices.byte() + 256 * (choices.byte() % 16);
    const std::string countText = std::to_string(count);
    const std::string strideText = std::to_string(stride);
    const std::string length = std::to_string(choices.rest().size());
    // Attributes are read as colours of four bytes, which take any bits; indices over as many vertices as there may be.
    const std::string accessor = mode == 0
                                     ? R"({"bufferView":0,"type":"VEC4","componentType":5121,"normalized":true,"count":)" + countText + "}"
                                     : R"({"bufferView":0,"type":"SCALAR","componentType":)" + std::string(stride == 2 ? "5123" : "5125") +
                                           R"(,"count":)" + countText + "}";
    const std::string vertexCount = mode == 0 ? countText : "65536";
    const std::string json =
        R"({"asset":{"version":"2.0"},"extensionsUsed":["EXT_meshopt_compression"],"buffers":[{"byteLength":)" + length +
        R"(}],"bufferViews":[{"buffer":0,"byteLength":)" + std::to_string(count * stride) +
        (mode == 0 ? R"(,"byteStride":)" + strideText : "") + R"(,"extensions":{"EXT_meshopt_compression":{"buffer":0,"byteLength":)" +
        length + R"(,"byteStride":)" + strideText + R"(,"count":)" + countText + R"(,"mode":")" + kModes[mode] + R"(","filter":")" +
        kFilters[filter] + R"("}}}],"accessors":[)" + accessor + R"(,{"type":"VEC3","componentType":5126,"count":)" + vertexCount +
        R"(}],"meshes":[{"primitives":[{"attributes":{"POSITION":1)" + (mode == 0 ? R"(,"COLOR_0":0})" : R"(},"indices":0)") + "}]}]}";
    const dl::GltfImportSettings settings{.maxFileBytes = 1U << 20U, .maxDecodedBytes = 32U << 20U, .maxVertexCount = 1U << 18U};
    const dl::Result<dl::SceneDescription> scene = dl::importGltfFromMemory(dl::fuzz::makeGlb(json, choices.rest()), {}, settings);
    if (!scene)
    {
        dl::fuzz::require(!scene.error().message.empty());
        return 0;
    }
    if (mode == 0 && filter == 0)
        DL_FUZZ_REACHED("attributes");
    if (mode == 0 && filter != 0)
        DL_FUZZ_REACHED("filter");
    if (mode == 1)
        DL_FUZZ_REACHED("triangles");
    if (mode == 2)
        DL_FUZZ_REACHED("indices");
    return 0;
}
