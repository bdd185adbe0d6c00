// tests/cull/cull_scene.h - random scenes and views for the tests of culling, and results as one mask an object.
#pragma once

#include "drawloom/cull/cull.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace dl::cull
{

struct Scene
{
    std::vector<float> x, y, z, ex, ey, ez;
    std::vector<std::uint32_t> layers;

    void add(vec3 centre, vec3 extent, std::uint32_t layer = 1)
    {
        x.push_back(centre.x);
        y.push_back(centre.y);
        z.push_back(centre.z);
        ex.push_back(extent.x);
        ey.push_back(extent.y);
        ez.push_back(extent.z);
        layers.push_back(layer);
    }
    std::size_t size() const { return x.size(); }
    CullBoxes boxes() const { return {x, y, z, ex, ey, ez, layers}; }
    CullSpheres spheres() const { return {x, y, z, ex, layers}; }
};

class Random
{
public:
    explicit Random(std::uint32_t seed) : m_engine(seed) {}
    float between(float low, float high) { return low + (high - low) * static_cast<float>(m_engine() >> 8U) / 16777216.0f; }
    vec3 point(float range) { return vec3(between(-range, range), between(-range, range), between(-range, range)); }
    std::uint32_t bits() { return static_cast<std::uint32_t>(m_engine()); }

private:
    std::mt19937 m_engine;
};

inline Scene randomScene(Random& random, std::size_t count)
{
    Scene scene;
    for (std::size_t i = 0; i < count; ++i)
    {
        const float range = i % 7 == 0 ? 100000.0f : 200.0f;
        const vec3 extent = glm::abs(random.point(i % 3 == 0 ? 0.01f : 20.0f));
        scene.add(random.point(range), i % 11 == 0 ? vec3(0.0f) : extent, 1U << (random.bits() % 32U));
    }
    return scene;
}

inline mat4 randomViewProjection(Random& random)
{
    const vec3 eye = random.point(150.0f);
    const mat4 view = lookAt(eye, eye + random.point(1.0f) + vec3(0.01f), vec3(0, 1, 0));
    const float zNear = random.between(0.01f, 1.0f);
    switch (random.bits() % 3U)
    {
    case 0:
        return perspectiveReversed(random.between(0.2f, 2.5f), random.between(0.3f, 3.0f), zNear, random.between(50.0f, 5000.0f)) * view;
    case 1: return perspectiveReversed(random.between(0.2f, 2.5f), 1.5f, zNear, std::numeric_limits<float>::infinity()) * view;
    default:
        return orthographicReversed(random.between(1.0f, 300.0f), random.between(1.0f, 300.0f), 0.0f, random.between(10.0f, 2000.0f)) *
               view;
    }
}

inline std::vector<CullView> randomViews(Random& random, std::size_t count)
{
    std::vector<CullView> views;
    for (std::size_t v = 0; v < count; ++v)
        views.push_back(extractView(randomViewProjection(random), v % 2 == 0 ? UINT32_MAX : random.bits()));
    return views;
}

/// Boxes that touch a plane of a view from outside, up to the float grid; `widening` as in cull.h, 0: exactly.
inline void addTouching(Scene& scene, const std::vector<CullView>& views, Random& random, int count, double widening)
{
    for (int i = 0; i < count; ++i)
    {
        const CullView& view = views[random.bits() % views.size()];
        const glm::dvec4 plane(view.planes[random.bits() % view.planeCount]);
        const glm::dvec3 normal(plane);
        const glm::dvec3 on(random.point(300.0f));
        const vec3 extent = glm::abs(random.point(5.0f));
        glm::dvec3 centre = on;
        for (int step = 0; step < 3; ++step)
        {
            const glm::dvec3 reach = glm::dvec3(extent) * (1.0 + widening) + glm::abs(centre) * widening;
            centre = on - normal * (glm::dot(normal, on) + plane.w + std::fabs(plane.w) * widening + glm::dot(glm::abs(normal), reach));
        }
        scene.add(vec3(centre), extent, UINT32_MAX);
    }
}

using Masks = std::vector<std::uint64_t>;

/// One mask an object; no object may come twice.
inline Masks masksOf(const VisibleObjects& visible, std::size_t count)
{
    Masks masks(count, 0);
    for (std::size_t i = 0; i < visible.ids().size(); ++i)
    {
        const std::uint32_t id = visible.ids()[i];
        EXPECT_LT(id, count);
        EXPECT_EQ(masks[id], 0U);
        EXPECT_NE(visible.viewMask(i), 0U);
        masks[id] = visible.viewMask(i);
    }
    return masks;
}

} // namespace dl::cull
