#include "sample.h"

#include "drawloom/asset/png_write.h"
#include "drawloom/gpu/vulkan/vulkan_device.h"

#include <cstdio>

namespace dl::samples
{
namespace
{

Primitive makeBox()
{
    Primitive box;
    for (int axis = 0; axis < 3; ++axis)
        for (const float side : {-1.0f, 1.0f})
        {
            const auto first = static_cast<std::uint32_t>(box.positions.size());
            vec3 normal(0.0f), u(0.0f), v(0.0f);
            normal[axis] = side;
            u[(axis + 1) % 3] = side; // keeps the winding
            v[(axis + 2) % 3] = 1.0f;
            for (const vec2 corner : {vec2(-1, -1), vec2(1, -1), vec2(1, 1), vec2(-1, 1)})
            {
                box.positions.push_back(0.5f * (normal + corner.x * u + corner.y * v));
                box.normals.push_back(normal);
            }
            for (const std::uint32_t i : {0U, 1U, 2U, 0U, 2U, 3U})
                box.indices.push_back(first + i);
        }
    return box;
}

/// What `drawloom` means by them (apps/cli/exit_codes.h): samples read no files, so that what is not found is a driver.
int exitCodeOf(const Error& error)
{
    switch (error.code)
    {
    case ErrorCode::Io: return 3;
    case ErrorCode::NotFound:
    case ErrorCode::Unsupported:
    case ErrorCode::OutOfMemory:
    case ErrorCode::DeviceLost: return 4;
    default: return 1;
    }
}

} // namespace

int runSample(int argc, char** argv, const SampleAbout& about, Result<void> (*run)(const Arguments& arguments))
{
    const std::string_view first = argc > 1 ? argv[1] : "";
    const bool isHelp = first == "--help" || first == "-h";
    if (isHelp || argc > (about.takesDriver ? 3 : 2) || first.substr(0, 1) == "-")
    {
        std::fprintf(
            isHelp ? stdout : stderr, "usage: sample_%s [OUT.png%s]   %s\n", about.name, about.takesDriver ? " [DRIVER]" : "", about.what);
        return isHelp ? 0 : 2;
    }
    Arguments arguments;
    arguments.out = argc > 1 ? std::string(first) : std::string(about.name) + ".png";
    if (argc > 2)
        arguments.driver = argv[2];
    const Result<void> result = run(arguments);
    if (!result)
        std::fprintf(stderr, "sample_%s: %s\n", about.name, result.error().message.c_str());
    return result ? 0 : exitCodeOf(result.error());
}

Result<std::unique_ptr<gpu::Device>> createDevice(const Arguments& arguments)
{
    gpu::VulkanDeviceSettings settings;
    settings.driverNamePart = arguments.driver;
    return gpu::createVulkanDevice(settings);
}

Result<Box> addBox(Renderer& renderer, std::string_view name, const Material& material)
{
    GpuResources& resources = renderer.resources();
    Box box;
    DL_TRY_ASSIGN(MeshData data, packPrimitive(makeBox(), 0, name));
    DL_TRY_ASSIGN(box.range, resources.geometry().add(std::move(data)));
    DL_TRY_ASSIGN(box.textures, resources.textureSets().acquire({})); // five neutral ones
    DrawMaterialDesc row{.name = std::string(name), .params = packMaterial(material), .textureSet = box.textures, .surface = {}};
    DL_TRY_ASSIGN(box.material, renderer.library().addMaterial(row));
    MeshSetDesc set;
    set.name = name;
    set.lods.emplace_back().sections.emplace_back().range = box.range;
    set.materials = {box.material};
    set.bounds = {vec3(-0.5f), vec3(0.5f)};
    DL_TRY_ASSIGN(box.meshSet, renderer.library().addMeshSet(set));
    return box;
}

Result<void> removeBox(Renderer& renderer, const Box& box)
{
    DL_TRY(renderer.library().removeMeshSet(box.meshSet));
    DL_TRY(renderer.library().removeMaterial(box.material));
    renderer.resources().textureSets().release(box.textures);
    renderer.resources().geometry().remove(box.range); // reused once the GPU has read it for the last time
    return {};
}

Result<void> writePicture(Renderer& renderer, const FrameDesc& frame, const std::string& path)
{
    DL_TRY_ASSIGN(const OffscreenPicture result, renderOffscreen(renderer, {}, frame));
    DL_TRY(writePng(path, result.picture));
    std::printf("wrote %s\n", path.c_str());
    return {};
}

} // namespace dl::samples
