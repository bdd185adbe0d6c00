// A shading model of a user's own: a surface that shades itself, here in bands as a cartoon does (shaders/surface_toon.wgsl), beside
// the library's. usage: sample_shading_model [OUT.png [DRIVER]]
#include "box.h"
#include "sample.h"

#include "effectShaders.h"

namespace dl::samples
{
namespace
{

/// Boxes of one colour, turned step by step, on a floor; the front row in the surface `toon`, the other in glTF's.
Result<void> addBoxes(Renderer& renderer)
{
    const Material red{.baseColorFactor = {0.8f, 0.15f, 0.1f, 1}, .metallicFactor = 0},
        grey{.baseColorFactor = {0.5f, 0.5f, 0.5f, 1}, .metallicFactor = 0};
    const SurfaceId toon = renderer.library().addSurface("toon");
    DL_TRY_ASSIGN(const Box drawn, addBox(renderer, "toon", red, toon));
    DL_TRY_ASSIGN(const Box lit, addBox(renderer, "lit", red));
    DL_TRY_ASSIGN(const Box floor, addBox(renderer, "floor", grey, toon));
    const auto add = [&](MeshSetId meshSet, const Trs& trs)
    {
        InstanceDesc instance;
        instance.meshSet = meshSet;
        instance.transform.affine = toAffine(trs);
        renderer.registry().add(instance);
    };
    for (int i = 0; i < 4; ++i)
    {
        const float x = 1.6f * (static_cast<float>(i) - 1.5f);
        const quat turn = glm::angleAxis(0.4f * static_cast<float>(i), vec3(0, 1, 0));
        add(drawn.meshSet, {.translation = vec3(x, 0.5f, 0.5f), .rotation = turn});
        add(lit.meshSet, {.translation = vec3(x, 0.5f, -1.5f), .rotation = turn});
    }
    add(floor.meshSet, {.translation = vec3(0, -0.05f, 0), .scale = vec3(12, 0.1f, 8)});
    return {};
}

Result<void> run(const Arguments& arguments)
{
    DL_TRY_ASSIGN(const gpu::ShaderArchive shaders, gpu::ShaderArchive::open(effectShaders())); // outlives the renderer
    DL_TRY_ASSIGN(const std::unique_ptr<gpu::Device> device, createDevice(arguments));
    DL_TRY_ASSIGN(const std::unique_ptr<Renderer> renderer, Renderer::create(*device));
    renderer->library().addArchive(shaders);
    DL_TRY(addBoxes(*renderer));
    FrameDesc frame;
    frame.camera = lookAtCamera({2.0, 3.5, 6.0}, {0.0, 0.2, -0.4});
    return writePicture(*renderer, frame, arguments.out);
}

} // namespace
} // namespace dl::samples

int main(int argc, char** argv)
{
    using namespace dl::samples;
    return runSample(argc, argv, {"shading_model", "Shades boxes as a cartoon does, by a surface of its own."}, &run);
}
