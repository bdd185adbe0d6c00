// Three boxes, of which the mesh pass of outline_feature.cpp takes one: A is selected and opaque, B is not selected and stands
// before a part of A, C is selected and blended. A line goes around what is seen of A, another around what B hides.
// docs/extending/mesh_pass.md tells more. usage: sample_custom_mesh_pass [OUT.png [DRIVER]]
#include "box.h"
#include "outline_feature.h"
#include "sample.h"

#include "sampleShaders.h"

#include <cstdio>

namespace dl::samples
{
namespace
{

Result<void> addBoxes(Renderer& renderer)
{
    const struct
    {
        const char* name;
        Material material;
        BatchFlags flags;
        vec3 position;
    } boxes[] = {{"A", {.baseColorFactor = {0.1f, 0.5f, 0.2f, 1}, .metallicFactor = 0}, BatchFlag::Selected, {-1, 0, 0}},
        {"B", {.baseColorFactor = {0.3f, 0.3f, 0.35f, 1}, .metallicFactor = 0}, {}, {0, -0.2f, 0.9f}},
        {"C", {.baseColorFactor = {0.7f, 0.6f, 0.1f, 0.5f}, .metallicFactor = 0, .alphaMode = AlphaMode::Blend}, BatchFlag::Selected,
            {1.3f, 0, 0}}};
    for (const auto& box : boxes)
    {
        DL_TRY_ASSIGN(const Box made, addBox(renderer, box.name, box.material));
        InstanceDesc instance;
        instance.meshSet = made.meshSet;
        instance.transform.affine = toAffine(Trs{.translation = box.position});
        instance.flags = box.flags;
        renderer.registry().add(instance);
    }
    return {};
}

void report(const Renderer& renderer)
{
    for (const PassFrameStats& pass : renderer.stats().passes)
        if (pass.name == "mask" || pass.name == "mask occluded")
            std::printf("%s: %u draw, %u command of %u batches\n", pass.name.c_str(), pass.draws, pass.commands, pass.batches);
    // A mesh set is offered once as declared and once for each set of flags or overrides that instances give it.
    for (const FrameRefusal& refusal : renderer.collectRefusals(true))
        if (refusal.stage == "mask")
            std::printf("mask: %s: %s\n", refusal.subject.c_str(), refusal.code.c_str());
}

Result<void> run(const Arguments& arguments)
{
    DL_TRY_ASSIGN(const gpu::ShaderArchive shaders, gpu::ShaderArchive::open(sampleShaders())); // outlives the renderer
    DL_TRY_ASSIGN(const std::unique_ptr<gpu::Device> device, createDevice(arguments));
    RendererSettings settings;
    settings.sampleCount = 4;
    DL_TRY_ASSIGN(const std::unique_ptr<Renderer> renderer, Renderer::create(*device, settings));
    std::unique_ptr<OutlineFeature> outlines[2];
    for (const OutlinePart part : {OutlinePart::Visible, OutlinePart::Occluded})
    {
        std::unique_ptr<OutlineFeature>& outline = outlines[static_cast<std::size_t>(part)];
        DL_TRY_ASSIGN(outline, OutlineFeature::create(*device, *renderer, shaders, {.part = part, .sampleCount = settings.sampleCount}));
        renderer->addFeature(*outline);
    }
    DL_TRY(addBoxes(*renderer));
    FrameDesc frame;
    frame.camera = lookAtCamera({1.2, 1.6, 4.5}, {0.0, 0.0, 0.0});
    DL_TRY(writePicture(*renderer, frame, arguments.out));
    report(*renderer);
    for (const auto& outline : outlines)
        renderer->removeFeature(*outline);
    return {};
}

} // namespace
} // namespace dl::samples

int main(int argc, char** argv)
{
    using namespace dl::samples;
    return runSample(argc, argv, {"custom_mesh_pass", "Outlines one of three boxes by a mesh pass of its own."}, &run);
}
