// Levels of detail that buildLods makes: closed borders, a bounded error, the same bytes each time.
#include "drawloom/asset/lod_build.h"

#include "drawloom/core/hash.h"
#include "drawloom/core/parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <random>

namespace dl
{
namespace
{

/// A grid of `cells` x `cells` quads over [0, 1]^2, lifted by `height`; smooth normals are left out.
Primitive grid(std::uint32_t cells, const std::function<vec3(float, float)>& at)
{
    Primitive p;
    for (std::uint32_t y = 0; y <= cells; ++y)
        for (std::uint32_t x = 0; x <= cells; ++x)
            p.positions.push_back(at(static_cast<float>(x) / static_cast<float>(cells), static_cast<float>(y) / static_cast<float>(cells)));
    for (std::uint32_t y = 0; y < cells; ++y)
        for (std::uint32_t x = 0; x < cells; ++x)
        {
            const std::uint32_t a = y * (cells + 1) + x, b = a + 1, c = a + cells + 1, d = c + 1;
            p.indices.insert(p.indices.end(), {a, b, d, a, d, c});
        }
    for (const vec3& position : p.positions)
        p.bounds.include(position);
    return p;
}

Primitive flat(std::uint32_t cells)
{
    Primitive p = grid(cells, [](float x, float y) { return vec3(x, y, 0.0f); });
    p.normals.assign(p.positions.size(), vec3(0, 0, 1));
    return p;
}

/// A unit sphere by a cube's faces, welded where they meet.
Primitive sphere(std::uint32_t cells)
{
    Primitive p;
    std::map<std::array<int, 3>, std::uint32_t> known;
    for (int face = 0; face < 6; ++face)
    {
        const Primitive side = grid(cells,
            [face](float x, float y)
            {
                vec3 v(0.0f);
                const float sign = face % 2 == 0 ? 1.0f : -1.0f;
                v[face / 2] = sign;
                v[(face / 2 + 1) % 3] = (2.0f * x - 1.0f) * sign;
                v[(face / 2 + 2) % 3] = 2.0f * y - 1.0f;
                return v;
            });
        for (const std::uint32_t index : side.indices)
        {
            const vec3 v = side.positions[index];
            const std::array<int, 3> key = {static_cast<int>(std::lround(v.x * 1e4f)), static_cast<int>(std::lround(v.y * 1e4f)),
                static_cast<int>(std::lround(v.z * 1e4f))};
            const auto [at, isNew] = known.try_emplace(key, static_cast<std::uint32_t>(p.positions.size()));
            if (isNew)
                p.positions.push_back(glm::normalize(v));
            p.indices.push_back(at->second);
        }
    }
    p.normals = p.positions;
    p.bounds = {vec3(-1), vec3(1)};
    return p;
}

SceneDescription sceneOf(std::vector<Primitive> primitives)
{
    SceneDescription scene;
    Mesh& mesh = scene.meshes.emplace_back();
    mesh.name = "mesh";
    mesh.morphWeights.assign(primitives.empty() ? 0 : primitives[0].morphTargets.size(), 0.0f);
    mesh.primitives = std::move(primitives);
    scene.nodes.emplace_back().meshIndex = 0;
    return scene;
}

std::size_t triangles(const Mesh& mesh)
{
    std::size_t count = 0;
    for (const Primitive& p : mesh.primitives)
        count += p.triangleCount();
    return count;
}

/// Positions of the edges that belong to one triangle of the primitive alone.
std::vector<std::array<float, 3>> borderOf(const Primitive& p, const std::function<bool(vec3)>& filter)
{
    const auto key = [&](std::uint32_t i) { return std::array<float, 3>{p.positions[i].x, p.positions[i].y, p.positions[i].z}; };
    std::map<std::pair<std::array<float, 3>, std::array<float, 3>>, int> edges;
    for (std::size_t i = 0; i < p.indices.size(); ++i)
    {
        const auto a = key(p.indices[i]), b = key(p.indices[i % 3 == 2 ? i - 2 : i + 1]);
        ++edges[{std::min(a, b), std::max(a, b)}];
    }
    std::vector<std::array<float, 3>> out;
    for (const auto& [edge, count] : edges)
        for (const auto& end : {edge.first, edge.second})
            if (count == 1 && filter(vec3(end[0], end[1], end[2])))
                out.push_back(end);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

/// Distance of a point to a triangle by brute force: projection if it falls inside, else the nearest edge.
float distanceTo(vec3 p, vec3 a, vec3 b, vec3 c)
{
    const auto toEdge = [&](vec3 s, vec3 e)
    {
        const vec3 d = e - s;
        const float length2 = glm::dot(d, d);
        return glm::distance(p, s + d * (length2 > 0 ? std::clamp(glm::dot(p - s, d) / length2, 0.0f, 1.0f) : 0.0f));
    };
    float best = std::min({toEdge(a, b), toEdge(b, c), toEdge(c, a)});
    const vec3 n = glm::cross(b - a, c - a);
    const float n2 = glm::dot(n, n);
    if (n2 > 0)
    {
        const vec3 q = p - n * (glm::dot(p - a, n) / n2);
        if (glm::dot(glm::cross(b - a, q - a), n) >= 0 && glm::dot(glm::cross(c - b, q - b), n) >= 0 &&
            glm::dot(glm::cross(a - c, q - c), n) >= 0)
            best = std::min(best, glm::distance(p, q));
    }
    return best;
}

/// The largest distance of random points of `from` to `to`.
float sampledDistance(const Primitive& from, const Primitive& to, std::uint32_t seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> unit(0.0f, 1.0f);
    float worst = 0.0f;
    for (int i = 0; i < 400; ++i)
    {
        const std::size_t t = random() % from.triangleCount();
        float u = unit(random), v = unit(random);
        if (u + v > 1.0f)
            u = 1.0f - u, v = 1.0f - v;
        const vec3 a = from.positions[from.indices[3 * t]], b = from.positions[from.indices[3 * t + 1]],
                   c = from.positions[from.indices[3 * t + 2]];
        const vec3 p = a + u * (b - a) + v * (c - a);
        float best = 1e9f;
        for (std::size_t k = 0; k < to.indices.size(); k += 3)
            best = std::min(
                best, distanceTo(p, to.positions[to.indices[k]], to.positions[to.indices[k + 1]], to.positions[to.indices[k + 2]]));
        worst = std::max(worst, best);
    }
    return worst;
}

std::uint64_t hashOf(const SceneDescription& scene)
{
    std::uint64_t hash = 0;
    const auto add = [&hash](const auto& values)
    { hash = hashCombine(hash, hashBytes(std::as_bytes(std::span(values.data(), values.size())))); };
    for (const Mesh& mesh : scene.meshes)
        for (const Primitive& p : mesh.primitives)
        {
            add(p.positions);
            add(p.normals);
            add(p.indices);
        }
    for (const Node& node : scene.nodes)
        add(node.lods);
    return hash;
}

} // namespace

TEST(BuildLods, TurnsAFlatPlaneIntoTwoTriangles)
{
    SceneDescription scene = sceneOf({flat(16)});
    const LodBuildResult built = buildLods(scene, {.maxLevelCount = 7, .ratio = 0.25f});
    ASSERT_FALSE(built.levels.empty());
    EXPECT_EQ(triangles(scene.meshes.back()), 2U);
    EXPECT_EQ(scene.meshes.back().primitives[0].positions.size(), 4U) << "only the corners are carried";
    EXPECT_LT(built.levels.back().errorMetres, 1e-5f);
    EXPECT_EQ(scene.nodes[0].lods.size(), built.levels.size() + 1);
    EXPECT_EQ(scene.nodes[0].lods[0].meshIndex, 0U);
}

TEST(BuildLods, HalvesASphereLevelByLevelWithGrowingErrors)
{
    SceneDescription scene = sceneOf({sphere(16)});
    const std::size_t original = triangles(scene.meshes[0]);
    const LodBuildResult built = buildLods(scene);
    ASSERT_GE(built.levels.size(), 3U);
    for (std::size_t i = 0; i < built.levels.size(); ++i)
    {
        const BuiltLod& lod = built.levels[i];
        const double wanted = static_cast<double>(original) / std::pow(2.0, static_cast<double>(i + 1));
        EXPECT_NEAR(static_cast<double>(lod.triangleCount), wanted, 0.1 * wanted);
        EXPECT_EQ(lod.triangleCount, triangles(scene.meshes[lod.levelMeshIndex]));
        EXPECT_EQ(scene.nodes[0].lods[i].minCoverage, lod.switchSize);
        EXPECT_EQ(lod.switchSize, lodSwitchSize(lod.errorMetres, std::sqrt(3.0f)));
        if (i > 0)
        {
            EXPECT_GE(lod.errorMetres, built.levels[i - 1].errorMetres);
            EXPECT_LE(lod.switchSize, built.levels[i - 1].switchSize);
        }
    }
    EXPECT_EQ(scene.nodes[0].lods.back().minCoverage, 0.0f) << "nothing is culled for being small";
}

TEST(BuildLods, KeepsItsErrorAgainstSampledDistances)
{
    const std::vector<Primitive> shapes = {
        sphere(12), grid(40, [](float x, float y) { return vec3(x, y, 0.05f * std::sin(9.0f * x) * std::cos(7.0f * y)); })};
    for (const Primitive& shape : shapes)
    {
        SceneDescription scene = sceneOf({shape});
        const LodBuildResult built = buildLods(scene);
        ASSERT_FALSE(built.levels.empty());
        for (const BuiltLod& lod : built.levels)
        {
            const Primitive& level = scene.meshes[lod.levelMeshIndex].primitives[0];
            constexpr float kBetweenVertices = 1.5f; // the error is measured at vertices
            EXPECT_LE(sampledDistance(shape, level, 3), kBetweenVertices * lod.errorMetres) << "level " << lod.level;
            EXPECT_LE(sampledDistance(level, shape, 4), kBetweenVertices * lod.errorMetres) << "level " << lod.level;
            EXPECT_GT(sampledDistance(shape, level, 5), 0.05f * lod.errorMetres) << "the error is no wild guess";
        }
    }
}

TEST(BuildLods, LeavesNoCracksBetweenPrimitives)
{
    const auto wave = [](float x, float y) { return vec3(x, y, 0.08f * std::sin(6.0f * y) * std::cos(3.0f * x)); };
    Primitive left = grid(24, wave);
    Primitive right = grid(24, [&](float x, float y) { return wave(1.0f + x, y); });
    SceneDescription scene = sceneOf({left, right});
    scene.materials.resize(2);
    scene.meshes[0].primitives[1].materialIndex = 1;
    const LodBuildResult built = buildLods(scene);
    ASSERT_GE(built.levels.size(), 2U);
    const auto isSeam = [](vec3 p) { return p.x == 1.0f; };
    for (const BuiltLod& lod : built.levels)
    {
        const Mesh& mesh = scene.meshes[lod.levelMeshIndex];
        ASSERT_EQ(mesh.primitives.size(), 2U);
        const auto a = borderOf(mesh.primitives[0], isSeam), b = borderOf(mesh.primitives[1], isSeam);
        EXPECT_EQ(a, b) << "level " << lod.level;
        EXPECT_GE(a.size(), 2U);
        EXPECT_EQ(mesh.primitives[1].materialIndex, 1U);
    }
    EXPECT_LT(borderOf(scene.meshes.back().primitives[0], isSeam).size(), borderOf(left, isSeam).size()) << "the border gets coarser, too";
}

TEST(BuildLods, CountsAttributesAsErrors)
{
    // The plane could be two triangles; what is painted on it says otherwise.
    Primitive painted = flat(32);
    painted.colors.assign(painted.positions.size(), vec4(1.0f));
    for (std::size_t i = 0; i < painted.colors.size(); ++i)
        painted.colors[i].x = 0.5f + 0.5f * std::sin(12.0f * painted.positions[i].x);
    SceneDescription scene = sceneOf({painted});
    const LodBuildResult built = buildLods(scene, {.maxLevelCount = 7, .maxRelativeError = 1.0f, .minSwitchPixels = 0.0f});
    ASSERT_FALSE(built.levels.empty());
    EXPECT_GT(built.levels.back().errorMetres, 0.02f);
    SceneDescription plain = sceneOf({flat(32)});
    const LodBuildResult same = buildLods(plain, {.maxLevelCount = 7, .maxRelativeError = 1.0f, .minSwitchPixels = 0.0f});
    EXPECT_LT(same.levels.back().errorMetres, 1e-5f);
}

TEST(BuildLods, CountsUvsOnlyWhereThereIsATexture)
{
    Primitive p = flat(32);
    for (const vec3& position : p.positions)
        p.uv0.emplace_back(position.x * position.x, position.y);
    for (const bool isTextured : {false, true})
    {
        SceneDescription scene = sceneOf({p});
        scene.materials.emplace_back();
        scene.images.emplace_back();
        scene.meshes[0].primitives[0].materialIndex = 0;
        if (isTextured)
            scene.materials[0].baseColor.imageIndex = 0;
        const LodBuildResult built = buildLods(scene, {.maxLevelCount = 7, .maxRelativeError = 1.0f, .minSwitchPixels = 0.0f});
        ASSERT_FALSE(built.levels.empty());
        if (isTextured)
        {
            EXPECT_GT(built.levels.back().errorMetres, 0.01f);
        }
        else
        {
            EXPECT_LT(built.levels.back().errorMetres, 1e-5f);
        }
    }
}

TEST(BuildLods, KeepsTheVerticesOfSkinnedAndMorphedMeshes)
{
    Primitive skinned = sphere(12);
    for (const vec3& position : skinned.positions)
        skinned.skin.push_back({{0, 1, 0, 0}, {0.5f + 0.5f * position.y, 0.5f - 0.5f * position.y, 0, 0}});
    Primitive morphed = sphere(12);
    morphed.morphTargets.push_back({"up", std::vector<vec3>(morphed.positions.size(), vec3(0, 1, 0)), {}, {}});
    for (const Primitive& shape : {skinned, morphed})
    {
        SceneDescription scene = sceneOf({shape});
        const LodBuildResult built = buildLods(scene);
        ASSERT_FALSE(built.levels.empty());
        for (const BuiltLod& lod : built.levels)
        {
            const Mesh& mesh = scene.meshes[lod.levelMeshIndex];
            EXPECT_EQ(mesh.primitives[0].positions, shape.positions);
            EXPECT_EQ(mesh.primitives[0].skin.size(), shape.skin.size());
            EXPECT_EQ(mesh.primitives[0].morphTargets.size(), shape.morphTargets.size());
            EXPECT_EQ(mesh.morphWeights.size(), shape.morphTargets.size());
            EXPECT_LT(mesh.primitives[0].indices.size(), shape.indices.size());
        }
    }
}

TEST(BuildLods, HoldsSkinWeightsThatPositionsDoNotShow)
{
    Primitive p = flat(32); // two joints, with a border in the middle of a flat sheet
    for (const vec3& position : p.positions)
        p.skin.push_back(position.x < 0.5f ? VertexSkin{{0, 0, 0, 0}, {1, 0, 0, 0}} : VertexSkin{{1, 0, 0, 0}, {1, 0, 0, 0}});
    SceneDescription scene = sceneOf({p});
    const LodBuildResult built = buildLods(scene, {.maxLevelCount = 7, .maxRelativeError = 1.0f, .minSwitchPixels = 0.0f});
    ASSERT_FALSE(built.levels.empty());
    EXPECT_GT(built.levels.back().errorMetres, 0.02f);
}

TEST(BuildLods, RefusesASoupOfTrianglesThatReachAcrossTheMesh)
{
    std::mt19937 random(3);
    const auto point = [&random] { return vec3(random() % 1000U, random() % 1000U, random() % 1000U) * 0.001f; };
    Primitive soup;
    for (std::uint32_t i = 0; i < 3 * 12000; ++i)
    {
        soup.positions.push_back(point());
        soup.normals.emplace_back(0, 0, 1);
        soup.indices.push_back(i);
    }
    SceneDescription scene = sceneOf({soup});
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_TRUE(buildLods(scene).levels.empty());
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10)) << "minutes without the limit";
    ASSERT_FALSE(scene.issues.empty());
    EXPECT_EQ(scene.issues[0].code, "lod-not-built");
    EXPECT_NE(scene.issues[0].message.find("reach across"), std::string::npos) << scene.issues[0].message;
}

TEST(BuildLods, LeavesDegenerateMeshesAlone)
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    Primitive broken = sphere(8);
    broken.positions[5].y = nan;
    Primitive outOfRange = sphere(8);
    outOfRange.indices[7] = 1000000;
    Primitive shortNormals = sphere(8);
    shortNormals.normals.pop_back();
    Primitive huge = sphere(8);
    for (vec3& position : huge.positions)
        position *= 3e38f;
    for (const Primitive& p : {broken, outOfRange, shortNormals, huge})
    {
        SceneDescription scene = sceneOf({p});
        const LodBuildResult built = buildLods(scene);
        EXPECT_TRUE(built.levels.empty());
        EXPECT_EQ(built.refusedMeshCount, 1U);
        ASSERT_EQ(scene.issues.size(), 2U);
        EXPECT_EQ(scene.issues[0].code, "lod-not-built");
        EXPECT_TRUE(scene.nodes[0].lods.empty());
    }
    Primitive none = sphere(8);
    none.indices.clear();
    Primitive one = flat(1);
    one.indices.resize(3);
    Primitive point = sphere(8); // all of it at one place
    point.positions.assign(point.positions.size(), vec3(1.0f));
    Primitive lines = sphere(8); // triangles without area
    for (std::size_t i = 0; i < lines.indices.size(); i += 3)
        lines.indices[i + 2] = lines.indices[i];
    for (const Primitive& p : {none, one, point, lines})
    {
        SceneDescription scene = sceneOf({p});
        const LodBuildResult built = buildLods(scene, {.minTriangleCount = 0});
        ASSERT_EQ(scene.issues.size(), 1U);
        EXPECT_EQ(scene.issues[0].code, "lods-built");
        EXPECT_EQ(scene.meshes.size(), 1U + built.levels.size());
    }
    SceneDescription empty;
    EXPECT_EQ(buildLods(empty).meshCount, 0U);
    SceneDescription noPrimitives = sceneOf({});
    EXPECT_TRUE(buildLods(noPrimitives, {.minTriangleCount = 0}).levels.empty());
}

TEST(BuildLods, SeesThroughVerticesThatAFileHoldsManyTimes)
{
    // One vertex a corner, as exporters leave it that write tangents; no normal map shows those.
    Primitive shared = sphere(24);
    Primitive corners = shared;
    for (auto* values : {&corners.positions, &corners.normals})
        values->clear();
    corners.uv0.clear();
    corners.tangents.clear();
    for (std::size_t i = 0; i < shared.indices.size(); ++i)
    {
        const std::uint32_t from = shared.indices[i];
        corners.positions.push_back(shared.positions[from]);
        corners.normals.push_back(shared.normals[from]);
        if (!shared.uv0.empty())
            corners.uv0.push_back(shared.uv0[from]);
        corners.tangents.emplace_back(1.0f, 0.0f, static_cast<float>(i) * 1e-3f, 1.0f);
        corners.indices[i] = static_cast<std::uint32_t>(i);
    }
    SceneDescription scene = sceneOf({corners}), peer = sceneOf({shared});
    const LodBuildResult built = buildLods(scene), expected = buildLods(peer);
    ASSERT_FALSE(expected.levels.empty());
    ASSERT_EQ(built.levels.size(), expected.levels.size());
    for (std::size_t i = 0; i < built.levels.size(); ++i)
        EXPECT_EQ(built.levels[i].triangleCount, expected.levels[i].triangleCount);
}

TEST(BuildLods, DropsTrianglesThatCrowdByRepeatingThemselves)
{
    Primitive p = flat(8);
    for (std::uint32_t i = 0; i < 200'000; ++i)
        p.indices.insert(p.indices.end(), {0, 1, 10});
    SceneDescription scene = sceneOf({p});
    const LodBuildResult built = buildLods(scene);
    ASSERT_EQ(built.builtMeshCount, 1U);
    EXPECT_LE(built.levels[0].triangleCount, 128U);
    EXPECT_LT(built.ms, 10'000.0);
}

TEST(BuildLods, RefusesMeshesWhoseTrianglesMeetInOnePoint)
{
    constexpr std::uint32_t kSides = 200'000;
    Primitive fan;
    fan.positions.emplace_back(0.0f);
    for (std::uint32_t i = 0; i < kSides; ++i)
    {
        const float angle = 6.2831853f * static_cast<float>(i) / static_cast<float>(kSides);
        fan.positions.emplace_back(std::cos(angle), std::sin(angle), std::sin(7.0f * angle));
        fan.indices.insert(fan.indices.end(), {0, 1 + i, 1 + (i + 1) % kSides});
    }
    SceneDescription scene = sceneOf({fan});
    const LodBuildResult built = buildLods(scene);
    EXPECT_EQ(built.refusedMeshCount, 1U);
    EXPECT_EQ(scene.issues[0].message, "too many of its triangles meet in one point");
    EXPECT_LT(built.ms, 10'000.0);
    // Each triangle with vertices of its own, which differ in what does not move them.
    Primitive apart = fan;
    apart.positions.clear();
    for (std::uint32_t i = 0; i < fan.indices.size(); ++i)
    {
        apart.positions.push_back(fan.positions[fan.indices[i]]);
        apart.normals.push_back(glm::normalize(vec3(1.0f, static_cast<float>(i / 3), 0.0f)));
        apart.indices[i] = i;
    }
    scene = sceneOf({apart});
    EXPECT_EQ(buildLods(scene).refusedMeshCount, 1U);
}

TEST(BuildLods, StopsWhereAMeshDoesNotGetSmaller)
{
    // Triangles that share nothing: no edge can go.
    Primitive soup;
    for (std::uint32_t i = 0; i < 100; ++i)
    {
        const vec3 at(static_cast<float>(i), 0, 0);
        soup.positions.insert(soup.positions.end(), {at, at + vec3(0.5f, 0, 0), at + vec3(0, 0.5f, 0)});
        soup.indices.insert(soup.indices.end(), {i * 3, i * 3 + 1, i * 3 + 2});
        soup.bounds.include(at);
    }
    SceneDescription scene = sceneOf({soup});
    const LodBuildResult built = buildLods(scene, {.maxRelativeError = 0.001f});
    EXPECT_TRUE(built.levels.empty());
    EXPECT_TRUE(scene.nodes[0].lods.empty());
    ASSERT_EQ(scene.issues.size(), 1U) << "nothing is wrong with it";
    EXPECT_EQ(scene.issues[0].code, "lods-built");
}

TEST(BuildLods, LeavesNodesWithLevelsOfTheirOwnAlone)
{
    SceneDescription scene = sceneOf({sphere(12)});
    scene.nodes[0].lods = {{0, 0.2f}};
    scene.nodes.emplace_back().meshIndex = 0;
    scene.nodes.emplace_back().meshIndex = 0;
    const LodBuildResult built = buildLods(scene);
    EXPECT_EQ(built.meshCount, 1U);
    EXPECT_EQ(scene.nodes[0].lods.size(), 1U);
    EXPECT_GT(scene.nodes[1].lods.size(), 1U);
    EXPECT_EQ(scene.nodes[1].lods, scene.nodes[2].lods) << "one set of levels for all users of a mesh";
    EXPECT_EQ(buildLods(scene).meshCount, 0U) << "once is enough";
}

TEST(BuildLods, GivesTheSameBytesForAnyThreadCount)
{
    SceneDescription source;
    for (std::uint32_t i = 0; i < 40; ++i)
    {
        Mesh& mesh = source.meshes.emplace_back();
        const float lift = 0.01f * static_cast<float>(i);
        mesh.primitives = {grid(8 + i % 5, [lift](float x, float y) { return vec3(x, y, lift * std::sin(5.0f * x + y)); })};
    }
    for (std::uint32_t i = 0; i < 10000; ++i)
        source.nodes.emplace_back().meshIndex = i % 40;
    std::uint64_t hashes[2] = {};
    std::size_t calls = 0;
    for (std::uint32_t threads = 1; threads <= 2; ++threads)
    {
        setThreadCount(threads);
        SceneDescription scene = source;
        const LodBuildResult built = buildLods(scene, {.onProgress = [](void* user, std::size_t done, std::size_t count)
                                                          { *static_cast<std::size_t*>(user) += done < count ? 1 : 0; },
                                                          .progressUser = &calls});
        EXPECT_GT(built.levels.size(), 40U);
        hashes[threads - 1] = hashOf(scene);
    }
    setThreadCount(0);
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_EQ(calls, 4U);
}

TEST(LodSwitchSize, KeepsTheErrorUnderItsPixelsAtEveryNearerPoint)
{
    const LodBuildSettings settings;
    for (const float error : {0.001f, 0.01f, 0.1f})
        for (const float fov : {0.3f, 0.8f, 1.5f})
        {
            // The distance at which the size is the threshold; the nearest point of the sphere is a radius closer.
            const float scale = 1.0f / std::tan(0.5f * fov);
            const float distance = 2.0f * scale / lodSwitchSize(error, 2.0f, settings);
            ASSERT_GT(distance, 2.0f) << "never from inside";
            EXPECT_LE(error * settings.referenceHeight * scale / (2.0f * (distance - 2.0f)), settings.maxErrorPixels * 1.001f);
        }
    EXPECT_EQ(lodSwitchSize(0.0f, 2.0f, settings), 1.0f);
}

} // namespace dl
