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

} // namespace

Arguments parseArguments(int argc, char** argv, std::string_view defaultOut)
{
    Arguments arguments;
    arguments.out = argc > 1 ? argv[1] : std::string(defaultOut);
    if (argc > 2)
        arguments.driver = argv[2];
    return arguments;
}

Result<std::unique_ptr<gpu::Device>> createDevice(const Arguments& arguments)
{
    gpu::VulkanDeviceSettings settings;
    settings.driverNamePart = arguments.driver;
    return gpu::createVulkanDevice(settings);
}

Result<MeshSetId> addBox(Renderer& renderer, std::string_view name, const Material& material)
{
    GpuResources& resources = renderer.resources();
    DL_TRY_ASSIGN(MeshData data, packPrimitive(makeBox(), 0, name));
    DL_TRY_ASSIGN(const MeshRangeId range, resources.geometry().add(std::move(data)));
    DL_TRY_ASSIGN(const TextureSetId textures, resources.textureSets().acquire({})); // five neutral ones
    DrawMaterialDesc row{.name = std::string(name), .params = packMaterial(material), .textureSet = textures, .surface = {}};
    DL_TRY_ASSIGN(const MaterialId materialId, renderer.library().addMaterial(row));
    MeshSetDesc set;
    set.name = name;
    set.lods.emplace_back().sections.emplace_back().range = range;
    set.materials = {materialId};
    set.bounds = {vec3(-0.5f), vec3(0.5f)};
    return renderer.library().addMeshSet(set);
}

Result<void> writePicture(Renderer& renderer, const FrameDesc& frame, const std::string& path)
{
    DL_TRY_ASSIGN(const OffscreenPicture result, renderOffscreen(renderer, {}, frame));
    DL_TRY(writePng(path, result.picture));
    std::printf("wrote %s\n", path.c_str());
    return {};
}

int finish(const Result<void>& result)
{
    if (!result)
        std::fprintf(stderr, "sample: %s\n", result.error().message.c_str());
    return result ? 0 : 1;
}

} // namespace dl::samples
