// A draw source of a user's own: a field of 100,000 boxes that never enters the scene registry (field_source.h). Tiles of it are
// freed and filled again while frames are drawn. docs/extending/draw_source.md tells more.
// usage: sample_draw_source [OUT.png [DRIVER]]
#include "field_source.h"
#include "sample.h"

#include "fieldShaders.h"

#include <cstdio>

namespace dl::samples
{
namespace
{

/// Each tile has a colour, each box a shade of it.
Result<void> plant(FieldSource& field, std::uint32_t tile, std::uint32_t seed)
{
    DL_TRY(field.fill(tile, FieldSource::sizeOf(tile), seed));
    if (tile % 3 != 0) // the others keep the material's colour
        field.setColor(tile, vec4(0.2f + 0.1f * static_cast<float>(tile % 7), 0.5f, 0.1f * static_cast<float>(tile % 5), 1));
    for (std::uint32_t i = 0; i < field.count(tile); ++i)
        field.setTint(tile, i, vec4(vec3(0.4f + 0.2f * static_cast<float>(i % 4)), 1));
    return {};
}

Result<void> drawField(Renderer& renderer, FieldSource& field, const FrameDesc& frame)
{
    for (std::uint32_t tile = 0; tile < FieldSource::kTileCount; ++tile)
        DL_TRY(plant(field, tile, 0));
    for (std::uint32_t i = 0; i < 24; ++i) // one tile grows anew in each frame, another's boxes rise
    {
        field.clear(i);
        DL_TRY(plant(field, i, i + 1));
        for (std::uint32_t box = 0; box < 50; ++box)
            DL_TRY(field.move(40, box, field.position(40, box) + vec3(0, 0.2f, 0)));
        DL_TRY(drawScenes(renderer, {}, frame));
    }
    return {};
}

/// A scene of the registry's beside the source: shadows fall on it.
InstanceId addGround(SceneRegistry& registry, const Box& box)
{
    InstanceDesc instance;
    instance.meshSet = box.meshSet;
    const float side = 8.0f * FieldSource::kTileMetres;
    instance.transform.affine = toAffine(Trs{.translation = vec3(0, -0.5f, 0), .scale = vec3(side, 1, side)});
    return registry.add(instance);
}

void report(const Renderer& renderer)
{
    for (const PassFrameStats& pass : renderer.stats().passes)
        if (pass.isMeshPass && pass.drawsBefore != 0)
            std::printf("%s: %u boxes in %u draws\n", pass.name.c_str(), pass.drawsBefore, pass.draws);
    const FrameLods& lods = renderer.stats().lods;
    std::printf("levels of detail: %u boxes whole, %u without their bottom\n", lods.instances[0], lods.instances[1]);
}

Result<void> run(const Arguments& arguments)
{
    DL_TRY_ASSIGN(const gpu::ShaderArchive shaders, gpu::ShaderArchive::open(fieldShaders())); // outlives the renderer
    DL_TRY_ASSIGN(const std::unique_ptr<gpu::Device> device, createDevice(arguments));
    DL_TRY_ASSIGN(const std::unique_ptr<Renderer> renderer, Renderer::create(*device));
    DL_TRY_ASSIGN(std::unique_ptr<FieldSource> field, FieldSource::create(*renderer, shaders));
    renderer->addSource(*field);
    DL_TRY_ASSIGN(const Box ground, addBox(*renderer, "ground", {.baseColorFactor = {0.45f, 0.4f, 0.3f, 1}, .metallicFactor = 0}));
    const InstanceId groundInstance = addGround(renderer->registry(), ground);
    renderer->registry().applyEdits();
    GpuResources& resources = renderer->resources();
    const std::uint32_t registryBlocks = resources.instances().blockCount(); // it keeps them
    FrameDesc frame;
    frame.camera = lookAtCamera({-40.0, 14.0, 60.0}, {20.0, -6.0, -10.0});
    Result<void> drawn = drawField(*renderer, *field, frame);
    if (drawn)
        drawn = writePicture(*renderer, frame, arguments.out);
    if (drawn)
        report(*renderer);
    renderer->removeSource(*field); // before it dies
    field.reset();
    renderer->registry().remove(groundInstance);
    renderer->registry().applyEdits();
    DL_TRY(removeBox(*renderer, ground));
    std::printf("left behind: %u meshes, %zu materials, %u blocks\n", resources.geometry().stats().rangeCount, resources.materials().size(),
        resources.instances().blockCount() - registryBlocks);
    return drawn;
}

} // namespace
} // namespace dl::samples

int main(int argc, char** argv)
{
    using namespace dl::samples;
    return runSample(argc, argv, {"draw_source", "Draws a field of 100,000 boxes from a draw source of its own."}, &run);
}
