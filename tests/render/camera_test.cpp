// The camera that fits a scene: nothing of its bounds is outside the picture, however wide or high that is.
#include "drawloom/render/camera.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace dl
{
namespace
{

/// The largest share of the picture's half width or height that a corner of the box reaches.
float reachOf(const Aabb& box, std::uint32_t width, std::uint32_t height)
{
    const RenderCamera camera = orbitCamera(box, 35.0f, 22.0f, 0.0f, 0.7f, static_cast<float>(width) / static_cast<float>(height));
    const mat4 toClip = viewProjection(camera, width, height);
    float reach = 0.0f;
    for (int corner = 0; corner < 8; ++corner)
    {
        const vec3 sign((corner & 1) != 0 ? 1.0f : -1.0f, (corner & 2) != 0 ? 1.0f : -1.0f, (corner & 4) != 0 ? 1.0f : -1.0f);
        const vec3 point = box.centre() + box.halfExtent() * sign;
        const vec4 clip = toClip * vec4(difference(toWorldPosition(point.x, point.y, point.z), camera.position), 1.0f);
        EXPECT_GT(clip.w, camera.zNear);
        reach = std::max({reach, std::fabs(clip.x / clip.w), std::fabs(clip.y / clip.w)});
    }
    return reach;
}

TEST(OrbitCamera, FitsTheSceneIntoWideAndHighPictures)
{
    constexpr std::uint32_t kSizes[][2] = {{640, 400}, {400, 640}, {1000, 100}, {100, 1000}, {64, 64}};
    for (const auto& [width, height] : kSizes)
    {
        for (const vec3& half : {vec3(50, 0.5f, 0.5f), vec3(0.5f, 50, 0.5f), vec3(0.5f, 0.5f, 50), vec3(0.01f)})
            EXPECT_LE(reachOf({vec3(3, 4, 5) - half, vec3(3, 4, 5) + half}, width, height), 1.0f) << width << "x" << height;
        EXPECT_GE(reachOf({vec3(-1), vec3(1)}, width, height), 0.7f) << width << "x" << height << ": no farther than it must be";
    }
}

} // namespace
} // namespace dl
