// Scene descriptions become instances: counts, deformed parts, textures by use, animation, and taking it all back.
#include "drawloom/scene/detail/deform_bounds.h"
#include "drawloom/scene/scene_instance.h"
#include "tests/draw/draw_world.h"

#include <gtest/gtest.h>

namespace dl
{

namespace
{
Primitive quad(std::uint32_t material = kNoIndex)
{
    Primitive primitive;
    primitive.positions = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    primitive.normals.assign(4, vec3(0, 0, 1));
    primitive.uv0 = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    primitive.indices = {0, 1, 2, 0, 2, 3};
    primitive.bounds = {vec3(-1, -1, 0), vec3(1, 1, 0)};
    primitive.materialIndex = material;
    return primitive;
}

Image white()
{
    Image image;
    image.name = "white.png";
    image.width = image.height = 2;
    image.bytes.assign(16, std::byte(255));
    return image;
}

Node meshNode(std::uint32_t mesh, vec3 translation)
{
    Node node;
    node.meshIndex = mesh;
    node.local.translation = translation;
    return node;
}

/// A quad of two materials with one image, used twice and once three times; a skinned quad; a morphed one; a camera, a light.
SceneDescription sample()
{
    SceneDescription scene;
    scene.name = "sample";
    scene.images.push_back(white());
    Material painted;
    painted.name = "painted";
    painted.baseColor.imageIndex = painted.normal.imageIndex = 0;
    scene.materials.push_back(painted);
    scene.meshes.push_back({"two parts", {quad(0), quad()}, {}});
    Primitive skinned = quad();
    skinned.skin.assign(4, VertexSkin{{0, 0, 0, 0}, {1, 0, 0, 0}});
    scene.meshes.push_back({"skinned", {skinned}, {}});
    Primitive morphed = quad();
    morphed.morphTargets.push_back({"up", std::vector<vec3>(4, vec3(0, 2, 0)), {}, {}});
    scene.meshes.push_back({"morphed", {morphed}, {0.0f}});
    scene.nodes.push_back(meshNode(0, vec3(0, 0, -10)));
    Node copies = meshNode(0, vec3(0, 0, -20));
    copies.instances.assign(3, Affine{});
    scene.nodes.push_back(copies);
    Node joint;
    joint.local.translation = vec3(0, 0, -5);
    scene.nodes.push_back(joint);
    Node skinNode = meshNode(1, vec3(100, 100, 100)); // ignored, as glTF says
    skinNode.skinIndex = 0;
    scene.nodes.push_back(skinNode);
    scene.skins.push_back({"skin", {2}, {mat4(1.0f)}, kNoIndex});
    scene.nodes.push_back(meshNode(2, vec3(0, 0, -8)));
    Node eye;
    eye.cameraIndex = 0;
    eye.lightIndex = 0;
    eye.local.translation = vec3(0, 3, 0);
    scene.nodes.push_back(eye);
    scene.cameras.push_back({});
    scene.lights.push_back({});
    Animation animation;
    animation.durationSeconds = 1.0f;
    animation.channels.push_back({2, AnimationPath::Translation, Interpolation::Linear, {0, 1}, {0, 0, -5, 4, 0, -5}});
    animation.channels.push_back({4, AnimationPath::Weights, Interpolation::Linear, {0, 1}, {0, 1}});
    animation.channels.push_back({0, AnimationPath::Translation, Interpolation::Linear, {0, 1}, {0, 0, -10, 0, 5, -10}});
    scene.animations.push_back(animation);
    return scene;
}

struct SceneWorld : DrawWorld
{
    SceneWorld() : registry(*library) {}
    void frame(SceneInstance* scene)
    {
        if (scene != nullptr)
        {
            ASSERT_TRUE(scene->uploadFrame());
        }
        registry.applyEdits();
        DrawSource* const sources[] = {&registry};
        const View view = camera();
        const ViewGroup group;
        DrawWorld::frame(sources, {{&view, 1}, {&group, 1}, {}});
    }
    SceneRegistry registry;
};
} // namespace

TEST(SceneInstance, PlacesNodesMaterialsAndTexturesByUse)
{
    SceneWorld world;
    Result<std::unique_ptr<SceneInstance>> made = SceneInstance::create(sample(), *world.library, world.registry);
    ASSERT_TRUE(made) << made.error().message;
    SceneInstance& scene = *made.value();
    EXPECT_EQ(scene.counts().nodes, 6U);
    EXPECT_EQ(scene.counts().instances, 6U);
    EXPECT_EQ(scene.counts().deformedInstances, 2U);
    EXPECT_EQ(scene.counts().triangles, 4U * 4U + 2U + 2U);
    EXPECT_EQ(scene.counts().textures, 2U) << "one image as colour and as data";
    for (int i = 0; i < 3; ++i)
        world.frame(&scene);
    ASSERT_TRUE(world.messages.empty()) << world.messages.front();
    EXPECT_EQ(world.stats("forward").drawsBefore, 4U * 2U + 2U);
    EXPECT_EQ(world.stats("forward").draws, 4U) << "two parts, the skinned and the morphed one";
    ASSERT_EQ(scene.cameras().size(), 1U);
    EXPECT_EQ(scene.cameras()[0].world.translation(), vec3(0, 3, 0));
    EXPECT_EQ(scene.lights().size(), 1U);
    EXPECT_TRUE(world.registry.refusals().empty());
}

TEST(SceneInstance, AnimationMovesNodesJointsAndMorphs)
{
    SceneWorld world;
    const std::unique_ptr<SceneInstance> scene = std::move(SceneInstance::create(sample(), *world.library, world.registry)).value();
    world.frame(scene.get());
    world.frame(scene.get());
    EXPECT_EQ(world.resources->deform().dispatches().size(), 0U) << "forgotten at the frame's end";
    scene->update(0.5f);
    ASSERT_TRUE(scene->uploadFrame());
    EXPECT_EQ(world.resources->deform().dispatches().size(), 2U) << "both poses changed";
    const Aabb bounds = scene->bounds();
    EXPECT_FLOAT_EQ(bounds.max.x, 3.0f) << "the skinned quad went 2 m along with its joint";
    EXPECT_FLOAT_EQ(bounds.max.y, 3.5f) << "the moved node: 1 + 2.5";
    world.registry.applyEdits();
    EXPECT_EQ(world.resources->movers().movers().size(), 1U) << "skin and morph do not move their instances";
    world.frame(nullptr);
    ASSERT_TRUE(scene->uploadFrame());
    EXPECT_TRUE(world.resources->deform().dispatches().empty()) << "nothing changed, nothing to deform";
    EXPECT_TRUE(world.messages.empty()) << world.messages.front();
}

TEST(SceneInstance, TakesEverythingBack)
{
    SceneWorld world;
    const std::size_t materials = world.resources->materials().size();
    {
        const std::unique_ptr<SceneInstance> scene = std::move(SceneInstance::create(sample(), *world.library, world.registry)).value();
        world.frame(scene.get());
        EXPECT_GT(world.resources->materials().size(), materials);
    }
    EXPECT_EQ(world.resources->materials().size(), materials);
    EXPECT_EQ(world.resources->textures().size(), 0U);
    EXPECT_EQ(world.resources->deform().slotCount(), 0U);
    EXPECT_EQ(world.resources->geometry().stats().rangeCount, 0U);
    EXPECT_EQ(world.registry.stats().instanceCount, 0U);
    world.frame(nullptr);
    EXPECT_EQ(world.stats("forward").draws, 0U);
    EXPECT_TRUE(world.messages.empty()) << world.messages.front();
}

TEST(SceneInstance, AnEmptySceneIsNoError)
{
    SceneWorld world;
    const Result<std::unique_ptr<SceneInstance>> scene = SceneInstance::create(SceneDescription{}, *world.library, world.registry);
    ASSERT_TRUE(scene);
    EXPECT_TRUE(scene.value()->bounds().isEmpty());
}

TEST(SceneInstance, ABrokenMeshIsRefusedByName)
{
    SceneWorld world;
    SceneDescription scene = sample();
    scene.meshes[0].primitives[1].indices[0] = 99;
    const Result<std::unique_ptr<SceneInstance>> refused = SceneInstance::create(scene, *world.library, world.registry);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("mesh \"two parts\" primitive 1"), std::string::npos) << refused.error().message;
    EXPECT_EQ(world.resources->geometry().stats().rangeCount, 0U) << "what was made is taken back";
}

TEST(DeformBounds, HoldEveryPosedVertex)
{
    Primitive primitive = quad();
    primitive.skin = {
        {{0, 1, 0, 0}, {0.5f, 0.5f, 0, 0}}, {{0, 0, 0, 0}, {1, 0, 0, 0}}, {{1, 0, 0, 0}, {1, 0, 0, 0}}, {{1, 0, 0, 0}, {1, 0, 0, 0}}};
    primitive.morphTargets.push_back({"t", {{0, 0, 3}, {0, 0, 0}, {0, 0, 0}, {0, 0, -1}}, {}, {}});
    Affine joints[2];
    joints[1].rows[1].w = 4.0f;
    const float weights[] = {0.5f};
    const Aabb box = detail::DeformBounds::of(primitive).posed(joints, weights);
    for (std::size_t v = 0; v < 4; ++v)
    {
        const vec3 p = primitive.positions[v] + 0.5f * primitive.morphTargets[0].positions[v];
        vec3 posed(0.0f);
        for (int k = 0; k < 2; ++k)
            posed += primitive.skin[v].weights[k] * joints[primitive.skin[v].joints[k]].transformPoint(p);
        EXPECT_TRUE(glm::all(glm::lessThanEqual(box.min, posed)) && glm::all(glm::lessThanEqual(posed, box.max))) << v;
    }
    EXPECT_LE(box.max.y, 5.0f);
}

} // namespace dl
