// Seeded random edits of what no sensible program would write: transforms that are not numbers, no scale or a negative one, far
// cells, empty LOD ranges, dead ids, from several threads while the owner draws. The frame must stay valid and end empty.
#include "drawloom/scene/scene_registry.h"
#include "tests/draw/draw_world.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <random>
#include <thread>

namespace dl
{
namespace
{

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

class Edits
{
public:
    Edits(SceneRegistry& registry, std::vector<MeshSetId> sets, std::vector<VisibilityGroupId> groups, std::uint64_t seed)
        : m_registry(registry), m_sets(std::move(sets)), m_groups(std::move(groups)), m_random(seed)
    {
    }
    void one()
    {
        switch (below(10))
        {
        case 0:
        case 1:
        case 2: m_ids.push_back(m_registry.add(anyInstance())); break;
        case 3: m_registry.move(anyId(), anyTransform()); break;
        case 4: m_registry.remove(anyId()); break; // the id stays: later edits of it are stale
        case 5: m_registry.setMeshSet(anyId(), m_sets[below(m_sets.size())]); break;
        case 6: m_registry.hide(anyId(), below(2) == 0); break;
        case 7: m_registry.setLayers(anyId(), static_cast<std::uint32_t>(m_random())); break;
        case 8: m_registry.setLocalBounds(anyId(), {vec3(anyFloat()), vec3(anyFloat())}); break;
        default: m_registry.setFlags(anyId(), BatchFlags(static_cast<std::uint32_t>(below(2)))); break;
        }
    }
    void removeAll()
    {
        for (const InstanceId id : m_ids)
            m_registry.remove(id);
    }

private:
    std::size_t below(std::size_t count) { return m_random() % count; }
    float anyFloat()
    {
        constexpr float kFloats[] = {0.0f, -0.0f, 1.0f, -1.0f, 1e-38f, 1e30f, -1e30f, 3e38f, kNan, kInf, -kInf, 1023.9999f, -1e-7f};
        return kFloats[below(std::size(kFloats))];
    }
    InstanceId anyId()
    {
        if (m_ids.empty() || below(20) == 0)
            return {static_cast<std::uint32_t>(m_random()), static_cast<std::uint32_t>(m_random())};
        return m_ids[below(m_ids.size())];
    }
    WorldTransform anyTransform()
    {
        constexpr std::int32_t kCells[] = {
            0, 0, 0, 1, -1, 9765, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min()};
        WorldTransform transform;
        if (below(3) == 0)
            for (vec4& row : transform.affine.rows)
                row = vec4(anyFloat(), anyFloat(), anyFloat(), anyFloat());
        transform.affine.rows[2].w -= 5.0f;
        for (int axis = 0; axis < 3; ++axis)
            transform.cell[axis] = kCells[below(std::size(kCells))];
        return below(2) == 0 ? normalised(transform) : transform;
    }
    InstanceDesc anyInstance()
    {
        InstanceDesc desc;
        desc.meshSet = below(16) == 0 ? MeshSetId{77, 3} : m_sets[below(m_sets.size())];
        desc.transform = anyTransform();
        desc.layers = static_cast<std::uint32_t>(m_random());
        desc.visibilityGroup = m_groups[below(m_groups.size())];
        if (below(3) == 0)
            desc.lodRange = cull::LodRange{vec3(anyFloat()), anyFloat(), anyFloat(), anyFloat()};
        return desc;
    }

    SceneRegistry& m_registry;
    std::vector<MeshSetId> m_sets;
    std::vector<VisibilityGroupId> m_groups;
    std::mt19937_64 m_random;
    std::vector<InstanceId> m_ids;
};

struct MonkeyWorld : DrawWorld
{
    MonkeyWorld() : registry(*library)
    {
        const MaterialId opaque = addMaterial("opaque"), blended = addMaterial("blended", kMaterialBlendedBit);
        sets = {addMeshSet("a", addRange(), opaque), addMeshSet("b", addRange(1.0f), blended)};
        for (int i = 0; i < 130; ++i) // past two words of bits
            groups.push_back(resources->visibility().add(i % 3 != 0));
        groups.push_back({});
        groups.push_back({1000, 1}); // stale
    }
    void frame(std::mt19937_64& random)
    {
        for (int i = 0; i < 20; ++i)
            resources->visibility().set(groups[random() % groups.size()], random() % 2 == 0);
        registry.applyEdits();
        DrawSource* const sources[] = {&registry};
        const View view = camera();
        const ViewGroup group;
        constexpr double kPlaces[] = {0.0, 0.0, 1024.0, -1e-9, 1e7, 2.1990232e12, -3e12};
        const auto place = [&] { return kPlaces[random() % std::size(kPlaces)]; };
        DrawWorld::frame(sources, {{&view, 1}, {&group, 1}, toWorldPosition(place(), place(), place())});
    }
    void expectClean() { ASSERT_TRUE(messages.empty()) << messages.front(); }
    SceneRegistry registry;
    std::vector<MeshSetId> sets;
    std::vector<VisibilityGroupId> groups;
};

void flushAndSubmit(DrawWorld& world)
{
    gpu::CommandStream stream;
    world.resources->beginFrame();
    ASSERT_TRUE(world.resources->flush(stream));
    world.resources->onSubmitted(world.device->submit(stream.bytes()).value());
}

} // namespace

TEST(SceneRegistryMonkey, RandomNonsenseDrawsCleanFramesAndEndsEmpty)
{
    for (std::uint64_t seed = 1; seed <= 12; ++seed)
    {
        SCOPED_TRACE("seed " + std::to_string(seed));
        MonkeyWorld world;
        Edits edits(world.registry, world.sets, world.groups, seed);
        std::mt19937_64 random(seed);
        for (int frame = 0; frame < 30; ++frame)
        {
            for (int i = 0; i < 60; ++i)
                edits.one();
            world.frame(random);
            world.expectClean();
        }
        EXPECT_GT(world.registry.stats().instanceCount, 20U);
        edits.removeAll();
        world.frame(random);
        world.expectClean();
        EXPECT_EQ(world.registry.stats().instanceCount, 0U);
        EXPECT_EQ(world.resources->cells().residentCount(), 0U);
        for (const MeshSetId set : world.sets)
            EXPECT_TRUE(world.library->removeMeshSet(set)) << "a variant is still held";
    }
}

TEST(SceneRegistryMonkey, FourThreadsEditWhileTheOwnerDraws)
{
    MonkeyWorld world;
    std::vector<std::unique_ptr<Edits>> edits;
    for (std::uint64_t i = 0; i < 4; ++i)
        edits.push_back(std::make_unique<Edits>(world.registry, world.sets, world.groups, 100 + i));
    std::atomic<std::uint32_t> runningCount = 4;
    std::vector<std::thread> threads;
    for (const std::unique_ptr<Edits>& own : edits)
        threads.emplace_back(
            [&runningCount, &own]
            {
                for (int i = 0; i < 3000; ++i)
                    own->one();
                --runningCount;
            });
    std::mt19937_64 random(5);
    do
        world.frame(random);
    while (runningCount != 0);
    for (std::thread& thread : threads)
        thread.join();
    for (const std::unique_ptr<Edits>& own : edits)
        own->removeAll();
    world.frame(random);
    world.expectClean();
    EXPECT_EQ(world.registry.stats().instanceCount, 0U);
    EXPECT_EQ(world.resources->cells().residentCount(), 0U);
}

TEST(SceneRegistry, TransformsAtTheWorldsEndStayWhereTheyAre)
{
    WorldTransform transform;
    transform.cell = {std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min(), 0};
    transform.affine.rows[0].w = 5000.0f;
    transform.affine.rows[1].w = -5000.0f;
    transform.affine.rows[2].w = -1e-7f;
    const WorldTransform result = normalised(transform);
    EXPECT_EQ(result.cell, transform.cell) << "z: a hair below the border is the border";
    EXPECT_EQ(result.affine.translation(), vec3(5000.0f, -5000.0f, 0.0f));
}

TEST(SceneRegistry, GivesAMillionInstancesBack)
{
    DrawWorld::Settings settings;
    settings.null.keepsContents = false;
    settings.isValidated = false;
    DrawWorld world(settings);
    SceneRegistry registry(*world.library);
    InstanceDesc desc;
    desc.meshSet = world.addMeshSet("a", world.addRange(), world.addMaterial("m"));
    std::uint64_t bytes[2] = {};
    for (int round = 0; round < 2; ++round)
    {
        std::vector<InstanceId> ids;
        for (int i = 0; i < 1000000; ++i)
            ids.push_back(registry.add(desc));
        registry.applyEdits();
        EXPECT_EQ(registry.stats().instanceCount, 1000000U);
        flushAndSubmit(world);
        bytes[round] = world.resources->memory().instanceBytes.current;
        for (const InstanceId id : ids)
            registry.remove(id);
        registry.applyEdits();
        EXPECT_EQ(registry.stats().instanceCount, 0U);
        EXPECT_TRUE(registry.refusals().empty());
        flushAndSubmit(world);
    }
    EXPECT_EQ(bytes[0], bytes[1]) << "the second million reuses what the first gave back";
}

} // namespace dl
