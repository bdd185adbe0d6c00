// Tangents against values worked out by hand, against a table of the reference implementation's, and as properties of
// random input. The table is tests/tangents/run_reference's (tangent_reference table).
#include "drawloom/asset/detail/tangent_groups.h"
#include "drawloom/asset/tangents.h"
#include "tests/asset/shared_index.h"
#include "tests/asset/tangent_meshes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>
#include <fstream>
#include <limits>
#include <random>

namespace dl::test
{
namespace
{

constexpr std::uint32_t kTableSize = 3; // as in tests/tangents/tangent_reference.cpp

std::uint32_t below(std::mt19937& random, std::uint32_t limit)
{
    return static_cast<std::uint32_t>(random() % limit);
}

/// Two triangles over the unit square, +Z; UVs upright in the picture.
Primitive makeQuad()
{
    Primitive p;
    p.positions = {vec3(0, 0, 0), vec3(1, 0, 0), vec3(0, 1, 0), vec3(1, 1, 0)};
    p.normals.assign(4, vec3(0, 0, 1));
    p.uv0 = {vec2(0, 1), vec2(1, 1), vec2(0, 0), vec2(1, 0)};
    p.indices = {0, 1, 2, 2, 1, 3};
    return p;
}

/// Three columns of vertices, the middle one shared by a quad and its mirror image (u = |x|); every array is filled.
Primitive makeMirroredPair()
{
    Primitive p;
    for (int y = 0; y < 2; ++y)
        for (int x = -1; x <= 1; ++x)
        {
            p.positions.emplace_back(x, y, 0);
            p.uv0.emplace_back(std::abs(x), 1 - y);
        }
    p.normals.assign(6, vec3(0, 0, 1));
    p.indices = {0, 1, 3, 3, 1, 4, 1, 2, 4, 4, 2, 5};
    p.morphTargets.resize(2);
    for (std::uint32_t i = 0; i < 6; ++i)
    {
        const auto f = static_cast<float>(i);
        p.uv1.emplace_back(f, 1);
        p.colors.emplace_back(f, 2, 0, 1);
        p.skin.push_back({{static_cast<std::uint16_t>(i), 0, 0, 0}, {1, 0, 0, 0}});
        p.skin1.push_back({{static_cast<std::uint16_t>(i + 10), 0, 0, 0}, {0, 0, 0, 0}});
        p.morphTargets[0].positions.emplace_back(f, 3, 0);
        p.morphTargets[1].normals.emplace_back(f, 4, 0);
        p.morphTargets[1].tangents.emplace_back(f, 5, 0);
    }
    return p;
}

void expectUnitAcrossNormals(const Primitive& p)
{
    ASSERT_EQ(p.tangents.size(), p.positions.size());
    for (std::size_t i = 0; i < p.tangents.size(); ++i)
    {
        EXPECT_NEAR(glm::length(vec3(p.tangents[i])), 1.0f, 1e-5f) << "vertex " << i;
        EXPECT_NEAR(glm::dot(vec3(p.tangents[i]), p.normals[i]), 0.0f, 1e-5f) << "vertex " << i;
        EXPECT_EQ(std::fabs(p.tangents[i].w), 1.0f) << "vertex " << i;
    }
}

TEST(Tangents, OfAQuadPointAlongU)
{
    Primitive quad = makeQuad();
    generateTangents(quad, 0);
    EXPECT_THAT(quad.tangents, testing::Each(vec4(1, 0, 0, 1)));
    EXPECT_EQ(quad.positions.size(), 4U) << "one group, nothing to split";
    EXPECT_EQ(quad.indices, makeQuad().indices);
}

TEST(Tangents, TurnWithTheUvs)
{
    for (int degrees = 0; degrees < 360; degrees += 15)
    {
        const float angle = glm::radians(static_cast<float>(degrees));
        for (const float mirror : {1.0f, -1.0f})
        {
            Primitive quad = makeQuad();
            for (std::size_t i = 0; i < 4; ++i)
            {
                const vec3 p = quad.positions[i];
                const float along = std::cos(angle) * p.x + std::sin(angle) * p.y;
                const float up = -std::sin(angle) * p.x + std::cos(angle) * p.y;
                quad.uv0[i] = vec2(mirror * along, -up); // V grows downwards
            }
            generateTangents(quad, 0);
            ASSERT_EQ(quad.tangents.size(), 4U);
            for (const vec4 tangent : quad.tangents)
            {
                EXPECT_NEAR(tangent.x, mirror * std::cos(angle), 1e-5f) << degrees;
                EXPECT_NEAR(tangent.y, mirror * std::sin(angle), 1e-5f) << degrees;
                EXPECT_EQ(tangent.w, mirror) << degrees;
            }
        }
    }
}

TEST(Tangents, WeighDirectionsByTheCornersAngle)
{
    // Around vertex 0: a right angle with dP/du = (1, 0), then half of one with dP/du = (1, 1), both with dP/dv = (0, -1).
    Primitive p;
    p.positions = {vec3(0, 0, 0), vec3(1, 0, 0), vec3(0, 1, 0), vec3(-1, 1, 0)};
    p.normals.assign(4, vec3(0, 0, 1));
    p.uv0 = {vec2(0, 0), vec2(1, 0), vec2(0, -1), vec2(-1, -2)};
    p.indices = {0, 1, 2, 0, 2, 3};
    generateTangents(p, 0);
    ASSERT_EQ(p.tangents.size(), 4U);
    const vec2 expected = glm::normalize(vec2(1, 0) * 2.0f + glm::normalize(vec2(1, 1)));
    EXPECT_NEAR(p.tangents[0].x, expected.x, 1e-6f);
    EXPECT_NEAR(p.tangents[0].y, expected.y, 1e-6f);
}

TEST(Tangents, SplitTheVerticesOfAMirroredSeamInEveryArray)
{
    Primitive p = makeMirroredPair();
    generateTangents(p, 0);
    ASSERT_EQ(p.positions.size(), 8U) << "the two vertices of the middle column";
    for (std::size_t triangle = 0; triangle < 4; ++triangle)
        for (std::size_t i = 0; i < 3; ++i)
        {
            const bool isMirrored = triangle < 2;
            EXPECT_EQ(p.tangents[p.indices[triangle * 3 + i]], isMirrored ? vec4(-1, 0, 0, -1) : vec4(1, 0, 0, 1)) << triangle;
            EXPECT_EQ(p.positions[p.indices[triangle * 3 + i]], p.positions[makeMirroredPair().indices[triangle * 3 + i]]);
        }
    const std::uint32_t sources[2] = {1, 4};
    for (std::size_t i = 0; i < 2; ++i)
    {
        const std::size_t copy = 6 + i;
        const std::uint32_t source = sources[i];
        EXPECT_EQ(p.normals.at(copy), p.normals[source]);
        EXPECT_EQ(p.uv0.at(copy), p.uv0[source]);
        EXPECT_EQ(p.uv1.at(copy), p.uv1[source]);
        EXPECT_EQ(p.colors.at(copy), p.colors[source]);
        EXPECT_EQ(p.skin.at(copy).joints[0], source);
        EXPECT_EQ(p.skin1.at(copy).joints[0], source + 10);
        EXPECT_EQ(p.morphTargets[0].positions.at(copy), p.morphTargets[0].positions[source]);
        EXPECT_EQ(p.morphTargets[1].normals.at(copy), p.morphTargets[1].normals[source]);
        EXPECT_EQ(p.morphTargets[1].tangents.at(copy), p.morphTargets[1].tangents[source]);
    }
    EXPECT_TRUE(p.morphTargets[0].normals.empty()) << "what is absent stays absent";
}

TEST(Tangents, UseTheUvSetAskedFor)
{
    Primitive quad = makeQuad();
    quad.uv1 = {vec2(1, 1), vec2(1, 0), vec2(0, 1), vec2(0, 0)}; // u falls as y grows
    generateTangents(quad, 1);
    EXPECT_THAT(quad.tangents, testing::Each(vec4(0, -1, 0, 1)));
}

TEST(Tangents, CountEqualVerticesAsOne)
{
    for (const TangentMesh& mesh : makeTangentMeshes(6))
    {
        Primitive shared = mesh.primitive;
        Primitive apart = unshared(mesh.primitive);
        const detail::TangentGroups groups = detail::buildTangentGroups(apart, apart.uv0);
        generateTangents(shared, 0);
        generateTangents(apart, 0);
        EXPECT_EQ(apart.positions.size(), mesh.primitive.indices.size()) << "a vertex of one corner is never split";
        for (std::size_t i = 0; i < apart.indices.size(); ++i)
        {
            if (groups.groups[i] != detail::kNoTangentGroup)
            {
                ASSERT_EQ(shared.tangents[shared.indices[i]], apart.tangents[i]) << mesh.name << " corner " << i;
            }
        }
    }
    Primitive quad = makeQuad();
    quad.positions[1].y = -0.0f;
    quad.positions.push_back(vec3(1, 0, 0));
    quad.normals.push_back(quad.normals[1]);
    quad.uv0.push_back(quad.uv0[1]);
    EXPECT_EQ(detail::buildTangentGroups(quad, quad.uv0).welded, (std::vector<std::uint32_t>{0, 1, 2, 3, 1})) << "-0 is 0";
}

TEST(Tangents, AgreeWithTheReferenceCornerByCorner)
{
    std::ifstream table("tests/asset/tangent_reference.tsv");
    ASSERT_TRUE(table) << "run from the repository's root";
    std::size_t cornerCount = 0;
    for (const TangentMesh& mesh : makeTangentMeshes(kTableSize))
    {
        Primitive made = unshared(mesh.primitive);
        generateTangents(made, 0);
        std::size_t undefined = 0;
        for (std::size_t i = 0; i < made.tangents.size(); ++i, ++cornerCount)
        {
            std::string name;
            vec4 reference;
            ASSERT_TRUE(table >> name >> reference.x >> reference.y >> reference.z >> reference.w);
            ASSERT_EQ(name, mesh.name);
            const vec4 tangent = made.tangents[i];
            const bool isSame = tangent.w == reference.w && glm::dot(vec3(tangent), vec3(reference)) > 0.999f;
            // The reference leaves +X where no triangle has a say, and zero where its sum cancels: there ours is any direction.
            const bool isUndefined = reference == vec4(1, 0, 0, 1) || vec3(reference) == vec3(0.0f);
            undefined += !isSame && isUndefined ? 1 : 0;
            EXPECT_TRUE(isSame || isUndefined) << mesh.name << " corner " << i;
        }
        EXPECT_LE(undefined, 12U) << mesh.name;
    }
    EXPECT_GT(cornerCount, 1500U);
}

TEST(Tangents, OfNothingAreNothing)
{
    Primitive p;
    generateTangents(p, 0);
    EXPECT_TRUE(p.tangents.empty());
    Primitive loose = makeQuad();
    loose.indices.clear();
    generateTangents(loose, 0);
    expectUnitAcrossNormals(loose);
}

TEST(Tangents, OfTrianglesWithoutAreaAreThoseOfTheirVertices)
{
    Primitive p = makeQuad();
    p.indices.insert(p.indices.begin(), {0, 0, 1, 3, 3, 3, 2, 1, 2});
    generateTangents(p, 0);
    EXPECT_EQ(p.positions.size(), 4U);
    EXPECT_THAT(p.tangents, testing::Each(vec4(1, 0, 0, 1)));
}

TEST(Tangents, OfTrianglesWithoutUvAreaFollowTheirNeighbours)
{
    Primitive p = makeQuad(); // and a strip of the right side whose UVs are one line
    p.positions.insert(p.positions.end(), {vec3(2, 0, 0), vec3(2, 1, 0)});
    p.normals.resize(6, vec3(0, 0, 1));
    p.uv0.insert(p.uv0.end(), {vec2(1, 1), vec2(1, 0)});
    p.indices.insert(p.indices.end(), {1, 4, 3, 3, 4, 5});
    generateTangents(p, 0);
    EXPECT_EQ(p.positions.size(), 6U);
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_EQ(p.tangents[i], vec4(1, 0, 0, 1)) << i;
    expectUnitAcrossNormals(p);
}

TEST(Tangents, AreFiniteForAnyBits)
{
    const std::uint32_t seed = std::random_device()();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const float odd[] = {
        std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 3.4e38f, -3.4e38f, 1e-45f, 0.0f, -0.0f, 1.0f};
    for (int round = 0; round < 200; ++round)
    {
        Primitive p;
        const std::uint32_t vertexCount = 1 + below(random, 12);
        const auto value = [&] { return random() % 3 == 0 ? odd[random() % 8] : static_cast<float>(random() % 5) - 2.0f; };
        for (std::uint32_t i = 0; i < vertexCount; ++i)
        {
            p.positions.emplace_back(value(), value(), value());
            p.normals.emplace_back(value(), value(), value());
            p.uv0.emplace_back(value(), value());
        }
        const std::uint32_t triangleCount = below(random, 30);
        for (std::uint32_t i = 0; i < triangleCount * 3; ++i)
            p.indices.push_back(below(random, vertexCount));
        const std::size_t indexCount = p.indices.size();
        generateTangents(p, 0);
        ASSERT_EQ(p.indices.size(), indexCount);
        ASSERT_EQ(p.tangents.size(), p.positions.size());
        for (const std::uint32_t index : p.indices)
            ASSERT_LT(index, p.positions.size());
        for (const vec4 tangent : p.tangents)
        {
            ASSERT_NEAR(glm::length(vec3(tangent)), 1.0f, 1e-5f);
            ASSERT_EQ(std::fabs(tangent.w), 1.0f);
        }
    }
}

TEST(Tangents, KeepTheirPromisesForRandomMeshes)
{
    const std::uint32_t seed = std::random_device()();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> unit(-1.0f, 1.0f);
    for (int round = 0; round < 50; ++round)
    {
        Primitive p;
        const std::uint32_t vertexCount = 3 + below(random, 40);
        for (std::uint32_t i = 0; i < vertexCount; ++i)
        {
            p.positions.emplace_back(unit(random), unit(random), unit(random));
            p.normals.push_back(glm::normalize(vec3(unit(random), unit(random), 1.5f)));
            p.uv0.emplace_back(unit(random), unit(random));
        }
        for (std::uint32_t i = 0; i < 150; ++i)
            p.indices.push_back(below(random, vertexCount));
        const Primitive before = p;
        const std::uint64_t bound = planTangentsBound(p.positions.size(), p.indices.size());
        const TangentPlan plan = planTangents(p, 0);
        EXPECT_LE(plan.tangents.size() * sizeof(vec4) + (plan.indices.size() + plan.copySources.size()) * sizeof(std::uint32_t), bound);
        generateTangents(p, 0);
        EXPECT_EQ(plan.tangents, p.tangents) << "the same input gives the same bytes";
        expectUnitAcrossNormals(p);
        for (std::size_t i = 0; i < p.indices.size(); ++i)
        {
            ASSERT_EQ(p.positions[p.indices[i]], before.positions[before.indices[i]]);
            ASSERT_EQ(p.uv0[p.indices[i]], before.uv0[before.indices[i]]);
        }
    }
}

TEST(Tangents, TakeLinearithmicTimeForHubsAndSharedEdges)
{
    // 100,000 triangles at one edge, all running the same way round: each is a group of its own at both ends.
    Primitive p;
    constexpr std::uint32_t kCount = 100000;
    p.positions = {vec3(0, 0, 0), vec3(0, 1, 0)};
    p.uv0 = {vec2(0, 0), vec2(0, 1)};
    for (std::uint32_t i = 0; i < kCount; ++i)
    {
        const float angle = static_cast<float>(i) * 1e-5f;
        p.positions.emplace_back(std::cos(angle), 0.3f, std::sin(angle));
        p.uv0.emplace_back(1.0f, static_cast<float>(i) * 1e-5f);
        p.indices.insert(p.indices.end(), {0, 1, i + 2});
    }
    p.normals.assign(p.positions.size(), vec3(0, 0, 1));
    const std::clock_t start = std::clock();
    generateTangents(p, 0);
    EXPECT_LT(std::clock() - start, 10 * CLOCKS_PER_SEC) << "a quadratic walk takes minutes";
    EXPECT_GT(p.positions.size(), std::size_t(kCount) * 2);
}

} // namespace
} // namespace dl::test
