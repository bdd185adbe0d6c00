// tests/fuzz/fuzz_draco.cpp - any bytes as a Draco stream, with the counts and attributes that a glTF would ask for. The first
// bytes choose these, the rest is the stream.
#include "drawloom/asset/detail/draco_decode.h"
#include "tests/fuzz/fuzz_glb.h"
#include "tests/fuzz/fuzz_reached.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace dl::detail;
    constexpr ComponentType kTypes[] = {ComponentType::Float, ComponentType::Uint8, ComponentType::Uint16, ComponentType::Int16};
    dl::fuzz::Choices choices({data, size});
    DracoRequest request;
    request.pointCount = choices.byte() + 256U * (choices.byte() % 16U);
    request.maxIndexCount = 3U * (choices.byte() + 256U * (choices.byte() % 16U));
    const int attributeCount = choices.byte() % 4;
    for (int i = 0; i < attributeCount; ++i)
        request.attributes.push_back({choices.byte() % 8U, 1U + choices.byte() % 4U, kTypes[choices.byte() % 4]});
    request.bytes = std::as_bytes(choices.rest());
    const dl::Result<DracoMesh> mesh = decodeDraco(request);
    if (!mesh)
    {
        dl::fuzz::require(!mesh.error().message.empty());
        return 0;
    }
    DL_FUZZ_REACHED("mesh");
    dl::fuzz::require(mesh->indices.size() <= request.maxIndexCount && mesh->values.size() == request.attributes.size());
    for (const std::uint32_t index : mesh->indices)
        dl::fuzz::require(index < request.pointCount);
    return 0;
}
