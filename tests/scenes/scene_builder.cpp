#include "tests/scenes/scene_builder.h"

#include "drawloom/core/assert.h"

#include <cmath>
#include <utility>

namespace dl::scenes
{

Trs at(vec3 translation)
{
    return {.translation = translation};
}

Trs atYaw(vec3 translation, float yawRadians, vec3 scale)
{
    return {.translation = translation, .rotation = glm::angleAxis(yawRadians, vec3(0, 1, 0)), .scale = scale};
}

quat facing(vec3 direction)
{
    const vec3 z = -glm::normalize(direction);
    const vec3 x = glm::normalize(glm::cross(std::fabs(z.y) > 0.999f ? vec3(0, 0, 1) : vec3(0, 1, 0), z));
    return glm::normalize(glm::quat_cast(mat3(x, glm::cross(z, x), z)));
}

TextureRef texture(std::uint32_t imageIndex)
{
    TextureRef ref;
    ref.imageIndex = imageIndex;
    return ref;
}

std::uint32_t SceneBuilder::addImage(Image image)
{
    scene.images.push_back(std::move(image));
    return static_cast<std::uint32_t>(scene.images.size() - 1);
}

std::uint32_t SceneBuilder::addMaterial(Material material)
{
    scene.materials.push_back(std::move(material));
    return static_cast<std::uint32_t>(scene.materials.size() - 1);
}

std::uint32_t SceneBuilder::addSurface(const std::string& name, SurfaceImages images)
{
    Material material;
    material.name = name;
    material.baseColor = texture(addImage(std::move(images.baseColor)));
    material.normal = texture(addImage(std::move(images.normal)));
    material.metallicRoughness = texture(addImage(std::move(images.orm)));
    material.occlusion = material.metallicRoughness;
    return addMaterial(std::move(material));
}

std::uint32_t SceneBuilder::addPlain(const std::string& name, vec3 color, float roughness, float metalness)
{
    Material material;
    material.name = name;
    material.baseColorFactor = vec4(color, 1.0f);
    material.roughnessFactor = roughness;
    material.metallicFactor = metalness;
    return addMaterial(std::move(material));
}

std::uint32_t SceneBuilder::addMesh(const std::string& name, std::vector<Primitive> primitives)
{
    scene.meshes.push_back({.name = name, .primitives = std::move(primitives), .morphWeights = {}});
    return static_cast<std::uint32_t>(scene.meshes.size() - 1);
}

std::uint32_t SceneBuilder::addNode(const std::string& name, const Trs& local, std::uint32_t parent, std::uint32_t meshIndex)
{
    Node node;
    node.name = name;
    node.local = local;
    node.parent = parent;
    node.meshIndex = meshIndex;
    scene.nodes.push_back(std::move(node));
    return static_cast<std::uint32_t>(scene.nodes.size() - 1);
}

void SceneBuilder::addCamera(vec3 eye, vec3 target, float yFovDegrees)
{
    Camera camera;
    camera.name = "camera";
    camera.yFovRadians = glm::radians(yFovDegrees);
    camera.zNear = 0.05f;
    scene.cameras.push_back(camera);
    const std::uint32_t node = addNode("camera", {.translation = eye, .rotation = facing(target - eye)});
    scene.nodes[node].cameraIndex = static_cast<std::uint32_t>(scene.cameras.size() - 1);
}

void SceneBuilder::addSun(vec3 towardsSun, vec3 color, float intensity)
{
    Light light;
    light.name = "sun";
    light.color = color;
    light.intensity = intensity;
    scene.lights.push_back(light);
    const std::uint32_t node = addNode("sun", {.rotation = facing(-towardsSun)});
    scene.nodes[node].lightIndex = static_cast<std::uint32_t>(scene.lights.size() - 1);
}

Light& SceneBuilder::addLight(const std::string& name, LightType type, vec3 place, vec3 direction, vec3 color, float intensity)
{
    scene.lights.push_back({.name = name, .type = type, .color = color, .intensity = intensity});
    const std::uint32_t node = addNode(name, {.translation = place, .rotation = facing(direction)});
    scene.nodes[node].lightIndex = static_cast<std::uint32_t>(scene.lights.size() - 1);
    return scene.lights.back();
}

SceneDescription SceneBuilder::take()
{
    for (std::size_t i = 0; i < scene.nodes.size(); ++i)
    {
        const Node& node = scene.nodes[i];
        DL_ASSERT(node.parent == kNoIndex || node.parent < i, "a parent comes before its children");
        DL_ASSERT(node.meshIndex == kNoIndex || node.meshIndex < scene.meshes.size(), "a node names a mesh that is not there");
        DL_ASSERT(node.skinIndex == kNoIndex || node.skinIndex < scene.skins.size(), "a node names a skin that is not there");
    }
    return std::move(scene);
}

} // namespace dl::scenes
