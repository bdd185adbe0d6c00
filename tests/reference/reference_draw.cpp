#include "tests/reference/reference_draw.h"

#include "drawloom/asset/gltf_export.h"
#include "drawloom/asset/image_decode.h"
#include "drawloom/render/offscreen.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <span>

namespace dl::reference
{
namespace
{

constexpr float kFovRadians = 0.7f;
constexpr float kFarOverNear = 5000.0f; // three.js has no infinite far plane; scenes end well before
const SunSettings kSun = {.direction = vec3(0.45f, 0.8f, 0.6f), .color = vec3(1.0f), .intensity = 3.0f};
const SunSettings kNoSun = {.color = vec3(0.0f), .intensity = 0.0f};

RenderCamera chooseCamera(const ReferenceScene& scene, const SceneInstance& instance)
{
    if (!instance.cameras().empty())
        return toRenderCamera(instance.cameras().front());
    return orbitCamera(instance.bounds(), scene.yawDegrees, scene.pitchDegrees, 0.0f, kFovRadians,
        static_cast<float>(kWidth) / static_cast<float>(kHeight));
}

FrameDesc makeFrame(const ReferenceScene& scene, SceneInstance& instance)
{
    FrameDesc frame;
    frame.timeSeconds = scene.timeSeconds;
    frame.camera = chooseCamera(scene, instance);
    SceneInstance* const scenes[] = {&instance};
    frame.sun = scene.lighting == Lighting::Sun          ? kSun
                : scene.lighting == Lighting::FileLights ? firstSun(scenes).value_or(kNoSun)
                                                         : kNoSun;
    frame.sky = {.zenith = vec3(0.0f), .horizon = vec3(0.0f), .ground = vec3(0.0f), .ambientIntensity = 0.0f};
    frame.shadows.isEnabled = false; // the other side draws none
    return frame;
}

Result<Image> readEnvironment()
{
    const std::string path = std::string(kAssetsFolder) + "/" + kEnvironmentFile;
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    return decodeImage(std::as_bytes(std::span(bytes)), path);
}

std::string cameraJson(const RenderCamera& camera)
{
    const vec3 z = -camera.forward;
    const vec3 x = glm::cross(camera.up, z);
    const vec3 eye = difference(camera.position, WorldPosition{});
    const float world[] = {x.x, x.y, x.z, 0, camera.up.x, camera.up.y, camera.up.z, 0, z.x, z.y, z.z, 0, eye.x, eye.y, eye.z, 1};
    return fmt::format(R"({{"world": [{}], "yFovDegrees": {}, "near": {}, "far": {}}})", fmt::join(world, ", "),
        glm::degrees(camera.yFovRadians), camera.zNear, camera.zNear * kFarOverNear);
}

std::string jobJson(const ReferenceScene& scene, const RenderCamera& camera, bool hasAnimation)
{
    const std::string url = scene.file.empty() ? "/generated/" + scene.name + ".glb" : "/assets/" + scene.file;
    const std::string sun = scene.lighting != Lighting::Sun
                                ? "null"
                                : fmt::format(R"({{"towards": [{}, {}, {}], "color": [{}, {}, {}], "intensity": {}}})", kSun.direction.x,
                                      kSun.direction.y, kSun.direction.z, kSun.color.x, kSun.color.y, kSun.color.z, kSun.intensity);
    const std::string environment = scene.lighting != Lighting::Environment
                                        ? "null"
                                        : fmt::format(R"({{"url": "/assets/{}", "rotationRadians": 0}})", kEnvironmentFile);
    return fmt::format(R"({{"name": "{}", "url": "{}", "timeSeconds": {}, "keepsLights": {}, "sun": {}, "environment": {}, "camera": {}}})",
        scene.name, url, hasAnimation ? fmt::format("{}", scene.timeSeconds) : "null", scene.lighting == Lighting::FileLights, sun,
        environment, cameraJson(camera));
}

Result<void> writeText(const std::filesystem::path& path, const std::string& text)
{
    std::ofstream file(path, std::ios::binary);
    file << text;
    if (!file.flush())
        return Error{ErrorCode::Io, "can not write " + path.string()};
    return {};
}

} // namespace

Result<DrawnScene> drawReferenceScene(gpu::Device& device, const ReferenceScene& scene, const std::filesystem::path& workFolder)
{
    DL_TRY_ASSIGN(const SceneDescription description, loadReferenceScene(scene));
    if (scene.file.empty())
        DL_TRY(exportGlb(description, workFolder / (scene.name + ".glb")));
    DL_TRY_ASSIGN(const std::unique_ptr<Renderer> renderer, Renderer::create(device, {.width = kWidth, .height = kHeight}));
    DL_TRY_ASSIGN(
        const std::unique_ptr<SceneInstance> instance, SceneInstance::create(description, renderer->library(), renderer->registry()));
    instance->update(scene.timeSeconds);
    const FrameDesc frame = makeFrame(scene, *instance);
    if (scene.lighting == Lighting::Environment)
    {
        DL_TRY_ASSIGN(const Image picture, readEnvironment());
        DL_TRY(renderer->setEnvironment(picture));
    }
    SceneInstance* const scenes[] = {instance.get()};
    DL_TRY_ASSIGN(OffscreenPicture drawn, renderOffscreen(*renderer, scenes, frame, true));
    for (std::size_t i = 0; i < drawn.objectIds.size(); ++i)
        drawn.picture.bytes[i * 4 + 3] = drawn.objectIds[i] != 0 ? std::byte{255} : std::byte{0};
    drawn.picture.hasAlpha = true;
    return DrawnScene{std::move(drawn.picture), jobJson(scene, frame.camera, instance->animationCount() > 0)};
}

Result<void> writeJobs(const std::vector<std::string>& jobs, const std::filesystem::path& workFolder)
{
    return writeText(workFolder / "jobs.json", fmt::format("{{\"width\": {}, \"height\": {}, \"exposure\": {}, \"scenes\": [\n{}\n]}}\n",
                                                   kWidth, kHeight, FrameDesc{}.exposure, fmt::join(jobs, ",\n")));
}

Result<Image> readDrawnByThree(const std::string& name, const std::filesystem::path& workFolder)
{
    const std::filesystem::path path = workFolder / (name + ".rgba");
    Image image;
    image.name = name;
    image.width = kWidth;
    image.height = kHeight;
    image.format = ImageFormat::Rgba8;
    image.hasAlpha = true;
    image.bytes.resize(std::size_t(kWidth) * kHeight * 4);
    std::ifstream file(path, std::ios::binary);
    file.read(reinterpret_cast<char*>(image.bytes.data()), static_cast<std::streamsize>(image.bytes.size()));
    if (!file || file.peek() != std::ifstream::traits_type::eof())
        return Error{ErrorCode::NotFound, path.string() + " is not there, or not of " + std::to_string(image.bytes.size()) + " bytes"};
    return image;
}

} // namespace dl::reference
