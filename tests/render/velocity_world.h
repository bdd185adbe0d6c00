// tests/render/velocity_world.h - boxes before a camera on a driver with both validations, and what the velocity of each texel
// must be, by casting rays in double precision. Used by velocity_test.cpp.
#pragma once

#include "drawloom/render/offscreen.h"
#include "tests/render/driver_fixture.h"

#include <gtest/gtest.h>

#include <optional>

namespace dl
{

/// A box of the scene as velocity should see it: where it is and where it was. The same transform: at rest.
struct ExpectedBox
{
    vec3 half = vec3(0.5f); ///< in its own space
    WorldTransform now, before;
};

inline WorldTransform placedAt(double x, double y, double z, const glm::quat& rotation = glm::quat(1, 0, 0, 0))
{
    const WorldPosition position = toWorldPosition(x, y, z);
    return {position.cell, toAffine(Trs{.translation = position.offset, .rotation = rotation})};
}

class VelocityWorld : public DriverTest
{
protected:
    static constexpr std::uint32_t kWidth = 96, kHeight = 64;

    void SetUp() override;
    void TearDown() override;
    virtual RendererSettings settings() const { return {.width = kWidth, .height = kHeight}; }

    Primitive boxPrimitive(vec3 half) const;
    MeshRangeId addRange(const Primitive& primitive);
    /// A mesh set of one box a level of detail; the first is used down to a height of half the picture.
    MeshSetId addBoxes(std::initializer_list<vec3> halves);
    InstanceId add(MeshSetId set, const WorldTransform& transform);

    /// A frame with velocity from `camera`; its texels stay in `velocity`.
    void draw(const RenderCamera& camera, bool readsVelocity = true);
    /// Frames until everything is there.
    void settle(const RenderCamera& camera);
    /// Compares every texel whose centre and surroundings show the same surface. `before` is the camera of the last frame.
    void expect(std::span<const ExpectedBox> boxes, const RenderCamera& before, const char* what);
    void expectRest(const char* what);
    /// Texels that `expect` compared on boxes.
    std::size_t comparedCount = 0;

    std::unique_ptr<Renderer> renderer;
    RenderCamera camera; ///< of the last frame
    std::vector<vec2> velocity;
    MaterialId material;
};

} // namespace dl
