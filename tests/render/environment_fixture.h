// tests/render/environment_fixture.h - a renderer on a software driver, under our validation, whose radiance before tone mapping
// and whose environment cube are read back as floats.
#pragma once

#include "drawloom/render/offscreen.h"
#include "tests/render/driver_fixture.h"
#include "tests/scenes/scenes.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace dl
{

constexpr std::uint32_t kRadianceSize = 192; ///< of the pictures; rows are whole multiples of 256 bytes
constexpr std::uint32_t kCubeSize = 32, kCubeLevels = 4;

/// Copies FrameBoard::color and the environment's cube into buffers, every frame.
class RadianceReader final : public RenderFeature
{
public:
    Result<void> addPasses(FramePoint point, FrameBoard& board) override;
    void onCompletion(const gpu::Completion& completion) override;

    vec3 at(std::uint32_t x, std::uint32_t y) const;
    vec3 cubeAt(std::uint32_t level, std::uint32_t face, std::uint32_t x, std::uint32_t y) const;

    Renderer* renderer = nullptr; ///< set by the fixture

private:
    std::vector<std::byte> m_picture;
    std::vector<std::vector<std::byte>> m_levels = std::vector<std::vector<std::byte>>(kCubeLevels);
};

class EnvironmentOnDriver : public DriverTest
{
protected:
    void SetUp() override;
    void TearDown() override;
    /// Settles and draws once more; the sun is off unless the frame says otherwise.
    void draw(const FrameDesc& frame);
    static FrameDesc dark();

    std::unique_ptr<Renderer> m_renderer;
    std::unique_ptr<SceneInstance> m_scene;
    RadianceReader m_reader;
};

/// One texel, or `width` x `height` of one radiance.
Image constantEnvironment(vec3 radiance, std::uint32_t width = 1, std::uint32_t height = 1);
/// Unit; the point of a face, 0..1 each, by the conventions of Vulkan and WebGPU.
vec3 cubeDirection(std::uint32_t face, float u, float v);
std::string driverName(const testing::TestParamInfo<const char*>& driver);

} // namespace dl
