// The shortest whole program: loads a glTF file, draws it, writes a picture. usage: sample_render_scene SCENE.glb [OUT.png]
#include <drawloom/asset/gltf_import.h>
#include <drawloom/asset/png_write.h>
#include <drawloom/gpu/vulkan/vulkan_device.h>
#include <drawloom/render/offscreen.h>

#include <cstdio>
#include <cstring>

static dl::Result<void> drawScene(const dl::SceneDescription& description, dl::gpu::Device& device, const char* out)
{
    DL_TRY_ASSIGN(const auto renderer, dl::Renderer::create(device, {.width = 960, .height = 600}));
    DL_TRY_ASSIGN(const auto scene, dl::SceneInstance::create(description, renderer->library(), renderer->registry()));

    dl::FrameDesc frame;
    frame.camera = dl::orbitCamera(scene->bounds(), 30.0f, 20.0f, 0.0f, 0.8f, 960.0f / 600.0f);
    dl::SceneInstance* const scenes[] = {scene.get()};
    DL_TRY_ASSIGN(const dl::OffscreenPicture result, dl::renderOffscreen(*renderer, scenes, frame));
    DL_TRY(dl::writePng(out, result.picture));

    const dl::FrameStats& stats = renderer->stats();
    std::printf("%s: %u draws instead of %u\n", out, stats.draws, stats.drawsBefore);
    return {};
}

// With the exit codes of drawloom: 3 bad input, or an output that can not be written; 4 no device.
static int fail(int exitCode, const dl::Error& error)
{
    return std::fprintf(stderr, "sample_render_scene: %s\n", error.message.c_str()), exitCode;
}

int main(int argc, char** argv)
{
    const bool isHelp = argc > 1 && (std::strcmp(argv[1], "--help") == 0 || std::strcmp(argv[1], "-h") == 0);
    if (argc < 2 || argc > 3 || argv[1][0] == '-')
        return std::fputs("usage: sample_render_scene SCENE.glb [OUT.png]\n", isHelp ? stdout : stderr), isHelp ? 0 : 2;
    const auto description = dl::importGltf(argv[1]);
    if (!description)
        return fail(3, description.error());
    const auto device = dl::gpu::createVulkanDevice({}); // or adoptVulkanDevice: your engine's own
    if (!device)
        return fail(4, device.error());
    const dl::Result<void> drawn = drawScene(*description, **device, argc > 2 ? argv[2] : "scene.png");
    return drawn ? 0 : fail(drawn.error().code == dl::ErrorCode::DeviceLost ? 4 : 3, drawn.error());
}
