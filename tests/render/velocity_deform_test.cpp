// Velocity of skins and morphs: a box bound to a turning joint and one that a morph target pushes are boxes that move.
#include "tests/render/velocity_world.h"

#include <algorithm>
#include <array>

namespace dl
{
namespace
{

const RenderCamera kCamera = lookAtCamera({0.0, 0.0, 4.0}, {0.0, 0.0, 0.0});
constexpr vec3 kPivot(0.3f, 0.6f, 0.0f), kPush(0.8f, -0.3f, 0.2f), kMorphPlace(-0.4f, -0.7f, 0.0f);
constexpr vec3 kSkinHalf(0.6f, 0.3f, 0.3f), kMorphHalf(0.3f);

class VelocityOfPoses : public VelocityWorld
{
protected:
    void TearDown() override
    {
        scenes.clear();
        VelocityWorld::TearDown();
    }

    /// Joint 1 turns by one radian a second about z through kPivot, the weight of the morph target grows from 0 to 1.
    SceneDescription describe() const
    {
        SceneDescription scene;
        Primitive skinned = boxPrimitive(kSkinHalf);
        skinned.skin.assign(skinned.positions.size(), VertexSkin{{1, 0, 0, 0}, {1, 0, 0, 0}});
        Primitive morphed = boxPrimitive(kMorphHalf);
        morphed.morphTargets.push_back({"push", std::vector<vec3>(morphed.positions.size(), kPush), {}, {}});
        scene.meshes.push_back({"skinned", {skinned}, {}});
        scene.meshes.push_back({"morphed", {morphed}, {0.0f}});
        scene.nodes.resize(4);
        scene.nodes[1].parent = 0;
        scene.nodes[1].local.translation = kPivot;
        scene.nodes[2].meshIndex = scene.nodes[2].skinIndex = 0;
        scene.nodes[3].meshIndex = 1;
        scene.nodes[3].local.translation = kMorphPlace;
        scene.skins.push_back({"skin", {0, 1}, {mat4(1.0f), toMatrix(Trs{.translation = -kPivot})}, kNoIndex});
        const glm::quat end = glm::angleAxis(1.0f, vec3(0, 0, 1));
        Animation animation;
        animation.durationSeconds = 1.0f;
        animation.channels.push_back({1, AnimationPath::Rotation, Interpolation::Linear, {0, 1}, {0, 0, 0, 1, end.x, end.y, end.z, end.w}});
        animation.channels.push_back({3, AnimationPath::Weights, Interpolation::Linear, {0, 1}, {0, 1}});
        scene.animations.push_back(animation);
        return scene;
    }
    void addScene() { scenes.push_back(std::move(*SceneInstance::create(describe(), renderer->library(), renderer->registry()))); }

    void pose(float seconds)
    {
        for (const auto& scene : scenes)
            scene->update(seconds);
    }
    void drawPosed(bool readsVelocity = true)
    {
        ASSERT_TRUE(renderer->beginFrame());
        for (const auto& scene : scenes)
            ASSERT_TRUE(scene->uploadFrame());
        camera = kCamera;
        const Result<void> drawn = renderer->renderFrame({.camera = kCamera, .readVelocity = readsVelocity, .readObjectIds = true});
        ASSERT_TRUE(drawn) << drawn.error().message;
        ASSERT_TRUE(renderer->finish());
        const std::span<const vec2> texels = renderer->velocity();
        velocity.assign(texels.begin(), texels.end());
    }
    void settlePosed(float seconds)
    {
        pose(seconds);
        do
            drawPosed();
        while (!renderer->isSettled());
        drawPosed();
    }

    static std::array<ExpectedBox, 2> expected(float now, float before)
    {
        const auto skin = [](float seconds)
        {
            const Affine turn = toAffine(Trs{.translation = kPivot, .rotation = glm::angleAxis(seconds, vec3(0, 0, 1))});
            return WorldTransform{i32vec3(0), compose(turn, toAffine(Trs{.translation = -kPivot}))};
        };
        const auto morph = [](float seconds)
        { return WorldTransform{i32vec3(0), toAffine(Trs{.translation = kMorphPlace + seconds * kPush})}; };
        return {ExpectedBox{kSkinHalf, skin(now), skin(before)}, ExpectedBox{kMorphHalf, morph(now), morph(before)}};
    }
    bool isAnythingSeen()
    {
        const std::span<const std::uint32_t> ids = renderer->objectIds();
        return std::any_of(ids.begin(), ids.end(), [](std::uint32_t id) { return id != 0; });
    }

    std::vector<std::unique_ptr<SceneInstance>> scenes;
};

TEST_P(VelocityOfPoses, IsThatOfTheJointAndTheMorph)
{
    addScene();
    settlePosed(0.2f);
    expectRest("nothing was posed");
    pose(0.3f);
    drawPosed();
    expect(expected(0.3f, 0.2f), kCamera, "posed");
    EXPECT_GT(comparedCount, 300U);
    pose(0.45f);
    drawPosed();
    expect(expected(0.45f, 0.3f), kCamera, "posed again");
    drawPosed();
    expectRest("not posed: no deform job ran");
    pose(0.45f);
    drawPosed();
    expectRest("posed as before");
}

TEST_P(VelocityOfPoses, IsRightAfterFramesThatDidNotAsk)
{
    addScene();
    settlePosed(0.2f);
    pose(0.5f);
    drawPosed(false);
    pose(0.6f);
    drawPosed();
    expect(expected(0.6f, 0.5f), kCamera, "the frame before had no velocity");
    pose(0.7f);
    drawPosed(false);
    drawPosed();
    expectRest("posed in a frame without velocity, at rest since");
}

TEST_P(VelocityOfPoses, RestsInTheFirstPictureOfAFigure)
{
    addScene();
    settlePosed(0.2f);
    scenes.clear();
    drawPosed();
    addScene(); // takes the deform slots of the figure that has gone
    float seconds = 0.4f;
    do
    {
        pose(seconds += 0.05f);
        drawPosed();
        ASSERT_LT(seconds, 0.9f);
    } while (!isAnythingSeen());
    expectRest("first picture");
    pose(seconds + 0.05f);
    drawPosed();
    expect(expected(seconds + 0.05f, seconds), kCamera, "second picture");
    EXPECT_GT(comparedCount, 300U);
}

TEST_P(VelocityOfPoses, SurvivesTheGrowthOfTheHeap)
{
    addScene();
    settlePosed(0.2f);
    const std::uint64_t bytes = renderer->resources().deform().output().bytes();
    pose(0.3f);
    for (int i = 0; i < 20; ++i)
        addScene(); // not resident yet
    drawPosed();
    EXPECT_GT(renderer->resources().deform().output().bytes(), bytes);
    expect(expected(0.3f, 0.2f), kCamera, "the frame in which the heap grew");
    settlePosed(0.3f); // the new figures stand in the old one
    expectRest("all of them");
    pose(0.4f);
    drawPosed();
    expect(expected(0.4f, 0.3f), kCamera, "in the larger heap");
}

INSTANTIATE_TEST_SUITE_P(SoftwareDrivers, VelocityOfPoses, testing::Values("llvmpipe", "swiftshader"),
    [](const testing::TestParamInfo<const char*>& driver) { return std::string(driver.param); });

} // namespace
} // namespace dl
