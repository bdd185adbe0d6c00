// tests/fuzz/fuzz_gltf.cpp - any bytes through the glTF importer and what renderers do with its result: a scene or one
// error, nothing else. Limits are small, so that a large allocation is a finding and not a slow run.
#include "drawloom/asset/gltf_export.h"
#include "drawloom/asset/gltf_import.h"
#include "drawloom/asset/image_mips.h"

#include "tests/fuzz/fuzz_reached.h"

namespace
{

using dl::fuzz::require;

/// The promises of mesh.h and scene_description.h that others rely on without checks.
void checkScene(const dl::SceneDescription& scene)
{
    for (std::size_t i = 0; i < scene.nodes.size(); ++i)
    {
        const dl::Node& node = scene.nodes[i];
        require(node.parent == dl::kNoIndex || node.parent < i);
        require(node.meshIndex == dl::kNoIndex || node.meshIndex < scene.meshes.size());
        require(node.skinIndex == dl::kNoIndex || node.skinIndex < scene.skins.size());
        require(node.cameraIndex == dl::kNoIndex || node.cameraIndex < scene.cameras.size());
        require(node.lightIndex == dl::kNoIndex || node.lightIndex < scene.lights.size());
    }
    for (const dl::Mesh& mesh : scene.meshes)
        for (const dl::Primitive& primitive : mesh.primitives)
        {
            require(primitive.vertexCount() > 0 && primitive.normals.size() == primitive.positions.size());
            require(primitive.indices.size() % 3 == 0);
            for (const std::uint32_t index : primitive.indices)
                require(index < primitive.vertexCount());
            require(primitive.materialIndex == dl::kNoIndex || primitive.materialIndex < scene.materials.size());
            require(primitive.morphTargets.size() == mesh.morphWeights.size());
        }
    for (const dl::Image& image : scene.images)
        require(image.bytes.size() == image.levelOffset(image.mipCount));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const dl::GltfImportSettings settings{.maxFileBytes = 1U << 20U,
        .maxDecodedBytes = 16U << 20U,
        .maxImageTexels = 1U << 18U,
        .maxVertexCount = 1U << 18U,
        .checksFormat = true};
    dl::Result<dl::SceneDescription> scene = dl::importGltfFromMemory(std::as_bytes(std::span(data, size)), {}, settings);
    if (!scene)
    {
        require(!scene.error().message.empty());
        return 0;
    }
    checkScene(*scene);
    if (!scene->meshes.empty() && !scene->meshes[0].primitives.empty())
        DL_FUZZ_REACHED("mesh");
    if (!scene->animations.empty() && !scene->animations[0].channels.empty())
        DL_FUZZ_REACHED("animation");
    if (!scene->images.empty() && scene->images[0].width > 1)
        DL_FUZZ_REACHED("image");
    if (const dl::Result<std::vector<std::byte>> glb = dl::exportGlbToMemory(*scene))
    {
        // What can be written can be read.
        require(dl::importGltfFromMemory(*glb, {}, {.decodeImages = false}).has_value());
        DL_FUZZ_REACHED("export");
    }
    for (const dl::Animation& animation : scene->animations)
        dl::applyAnimation(*scene, animation, 0.5f * animation.durationSeconds);
    (void)dl::computeSceneBounds(*scene);
    for (dl::Image& image : scene->images)
        if (dl::imageBlockTexels(image.format) == 1)
            dl::buildMips(image, dl::ImageEncoding::Srgb);
    return 0;
}
