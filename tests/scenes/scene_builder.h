// tests/scenes/scene_builder.h - adds materials, meshes and nodes to a SceneDescription and hands out their indices.
#pragma once

#include "drawloom/asset/scene_description.h"
#include "tests/scenes/texture_synth.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dl::scenes
{

class SceneBuilder
{
public:
    explicit SceneBuilder(std::string name) { scene.name = std::move(name); }

    SceneDescription scene;

    std::uint32_t addImage(Image image);
    std::uint32_t addMaterial(Material material);
    /// A material over the three images of a surface; `tune` values multiply.
    std::uint32_t addSurface(const std::string& name, SurfaceImages images);
    /// One colour (linear), no textures.
    std::uint32_t addPlain(const std::string& name, vec3 color, float roughness, float metalness = 0.0f);
    std::uint32_t addMesh(const std::string& name, std::vector<Primitive> primitives);
    std::uint32_t addNode(const std::string& name, const Trs& local, std::uint32_t parent = kNoIndex, std::uint32_t meshIndex = kNoIndex);

    /// Node "camera", cameras[0].
    void addCamera(vec3 eye, vec3 target, float yFovDegrees);
    /// Node "sun": light shines along its -Z, from `towardsSun`.
    void addSun(vec3 towardsSun, vec3 color, float intensity);
    /// A light at `place` that shines along `direction` (not of points); node of its name. Cones are set by the caller.
    Light& addLight(const std::string& name, LightType type, vec3 place, vec3 direction, vec3 color, float intensity);
    /// Checks what every scene must hold (validity of indices) and returns it.
    SceneDescription take();
};

Trs at(vec3 translation);
/// Turned about the Y axis, counter-clockwise from above.
Trs atYaw(vec3 translation, float yawRadians, vec3 scale = vec3(1.0f));
/// The rotation that turns -Z towards `direction` with +Y up.
quat facing(vec3 direction);
TextureRef texture(std::uint32_t imageIndex);

} // namespace dl::scenes
