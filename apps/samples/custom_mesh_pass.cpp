// Three boxes, of which the mesh pass of outline_feature.cpp takes one: A is selected and opaque, B is not selected, C is
// selected and blended. docs/extending/mesh_pass.md tells more. usage: sample_custom_mesh_pass [OUT.png [DRIVER]]
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
    } boxes[] = {{"A", {.baseColorFactor = {0.1f, 0.5f, 0.2f, 1}, .metallicFactor = 0}, BatchFlag::Selected},
        {"B", {.baseColorFactor = {0.1f, 0.2f, 0.6f, 1}, .metallicFactor = 0}, {}},
        {"C", {.baseColorFactor = {0.7f, 0.6f, 0.1f, 0.5f}, .metallicFactor = 0, .alphaMode = AlphaMode::Blend}, BatchFlag::Selected}};
    float x = -1.5f;
    for (const auto& box : boxes)
    {
        DL_TRY_ASSIGN(const Box made, addBox(renderer, box.name, box.material));
        InstanceDesc instance;
        instance.meshSet = made.meshSet;
        instance.transform.affine = toAffine(Trs{.translation = vec3(x, 0, 0)});
        instance.flags = box.flags;
        renderer.registry().add(instance);
        x += 1.5f;
    }
    return {};
}

Result<void> run(const Arguments& arguments)
{
    DL_TRY_ASSIGN(const gpu::ShaderArchive shaders, gpu::ShaderArchive::open(sampleShaders())); // outlives the renderer
    DL_TRY_ASSIGN(const std::unique_ptr<gpu::Device> device, createDevice(arguments));
    DL_TRY_ASSIGN(const std::unique_ptr<Renderer> renderer, Renderer::create(*device));
    DL_TRY_ASSIGN(const std::unique_ptr<OutlineFeature> outline, OutlineFeature::create(*device, *renderer, shaders));
    renderer->addFeature(*outline);
    DL_TRY(addBoxes(*renderer));

    FrameDesc frame;
    frame.camera = lookAtCamera({2.0, 1.5, 4.5}, {0.0, 0.0, 0.0});
    DL_TRY(writePicture(*renderer, frame, arguments.out));
    for (const PassFrameStats& pass : renderer->stats().passes)
        if (pass.name == "mask")
            std::printf("mask: %u draw of %u batches\n", pass.draws, pass.batches);
    // A mesh set is offered once as declared and once for each set of flags or overrides that instances give it.
    for (const FrameRefusal& refusal : renderer->collectRefusals(true))
        if (refusal.stage == "mask")
            std::printf("mask: %s: %s\n", refusal.subject.c_str(), refusal.code.c_str());
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
