#include "drawloom/render/camera.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dl
{
namespace
{

float positiveFar(float zFar)
{
    return zFar > 0.0f ? zFar : std::numeric_limits<float>::infinity();
}

void setOrientation(RenderCamera& camera, vec3 forward)
{
    camera.forward = glm::normalize(forward);
    const vec3 worldUp = std::abs(camera.forward.y) > 0.9999f ? vec3(0, 0, 1) : vec3(0, 1, 0);
    const vec3 right = glm::normalize(glm::cross(camera.forward, worldUp));
    camera.up = glm::cross(right, camera.forward);
}

} // namespace

RenderCamera lookAtCamera(const glm::dvec3& eye, const glm::dvec3& target)
{
    RenderCamera camera;
    camera.position = toWorldPosition(eye.x, eye.y, eye.z);
    const glm::dvec3 direction = target - eye;
    setOrientation(camera, glm::dot(direction, direction) > 0.0 ? vec3(glm::normalize(direction)) : vec3(0, 0, -1));
    return camera;
}

mat4 viewRotation(const RenderCamera& camera)
{
    return lookAt(vec3(0.0f), camera.forward, camera.up);
}

mat4 viewProjection(const RenderCamera& camera, std::uint32_t width, std::uint32_t height)
{
    const float aspect = camera.aspect > 0.0f ? camera.aspect : static_cast<float>(width) / static_cast<float>(height);
    if (camera.isOrthographic)
        return orthographicReversed(camera.halfWidth, camera.halfHeight, camera.zNear, std::max(camera.zFar, camera.zNear + 1e-3f)) *
               viewRotation(camera);
    return perspectiveReversed(camera.yFovRadians, aspect, camera.zNear, positiveFar(camera.zFar)) * viewRotation(camera);
}

RenderCamera orbitCamera(const Aabb& bounds, float yawDegrees, float pitchDegrees, float distance, float yFovRadians, float aspect)
{
    const Aabb box = bounds.isEmpty() ? Aabb{vec3(-0.5f), vec3(0.5f)} : bounds;
    const float yaw = glm::radians(yawDegrees);
    const float pitch = glm::radians(pitchDegrees);
    const vec3 backward(std::sin(yaw) * std::cos(pitch), std::sin(pitch), std::cos(yaw) * std::cos(pitch));
    RenderCamera camera;
    setOrientation(camera, -backward);
    camera.yFovRadians = yFovRadians;
    const vec3 right = glm::cross(camera.forward, camera.up);
    const float tanY = std::tan(0.5f * yFovRadians);
    const float tanX = tanY * aspect;
    float fit = 0.0f;
    float nearestCorner = std::numeric_limits<float>::infinity();
    const float radius = std::max(glm::length(box.halfExtent()), 1e-4f);
    for (int corner = 0; corner < 8; ++corner)
    {
        const vec3 offset =
            box.halfExtent() * vec3((corner & 1) != 0 ? 1.0f : -1.0f, (corner & 2) != 0 ? 1.0f : -1.0f, (corner & 4) != 0 ? 1.0f : -1.0f);
        const float along = glm::dot(offset, backward); // towards the camera
        fit = std::max({fit, along + std::abs(glm::dot(offset, right)) / tanX, along + std::abs(glm::dot(offset, camera.up)) / tanY});
        nearestCorner = std::min(nearestCorner, -along);
    }
    const float used = distance > 0.0f ? distance : std::max(fit * 1.05f, radius * 1e-2f);
    const glm::dvec3 eye = glm::dvec3(box.centre()) + static_cast<double>(used) * glm::dvec3(backward);
    camera.position = toWorldPosition(eye.x, eye.y, eye.z);
    camera.zNear = std::max(0.5f * (used + nearestCorner), used * 1e-3f);
    return camera;
}

} // namespace dl
