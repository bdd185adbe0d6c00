// drawloom/render/camera.h - the camera of a frame: where it stands in the world and how it projects.
#pragma once

#include "drawloom/core/maths.h"
#include "drawloom/draw/view.h"

#include <cstdint>

namespace dl
{

struct RenderCamera
{
    WorldPosition position;
    vec3 forward = vec3(0, 0, -1); ///< unit
    vec3 up = vec3(0, 1, 0);       ///< unit, perpendicular to forward
    bool isOrthographic = false;
    float yFovRadians = 0.8f;
    float halfWidth = 1.0f, halfHeight = 1.0f; ///< orthographic only, metres
    float aspect = 0.0f;                       ///< width / height; 0: the picture's
    float zNear = 0.1f;                        ///< metres, > 0
    float zFar = 0.0f;                         ///< metres; 0: infinite (perspective only)
};

/// A camera at `eye` that looks at `target` with +Y up (+Z where it looks straight up or down).
RenderCamera lookAtCamera(const glm::dvec3& eye, const glm::dvec3& target);

/// From the frame's origin (= the camera's position) to the view: a rotation only.
mat4 viewRotation(const RenderCamera& camera);
/// From frame-origin-relative positions to clip space for a picture of the given size.
mat4 viewProjection(const RenderCamera& camera, std::uint32_t width, std::uint32_t height);

/// A camera outside `bounds` that sees all of it: on a sphere around its centre at yaw (about +Y, 0 looks along -Z) and
/// pitch (positive looks down), degrees. distance 0: as near as the whole box fits. An empty box counts as a unit cube.
RenderCamera orbitCamera(const Aabb& bounds, float yawDegrees, float pitchDegrees, float distance, float yFovRadians, float aspect);

} // namespace dl
