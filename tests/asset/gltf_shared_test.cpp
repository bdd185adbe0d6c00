// Every model of the shared folders that this importer promises to read, held against the facts of index.tsv (made by
// another tool), and every broken file against the verdict in broken_verdicts.tsv.
#include "drawloom/asset/gltf_import.h"
#include "drawloom/asset/image_decode.h"
#include "tests/asset/shared_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <set>

namespace dl::test
{
namespace
{

constexpr const char* kFolders[] = {"kaykit-", "quaternius-", "kenney-", "flight-helmet/", "fox/", "rigged-figure/", "morph/", "town/",
    "uris/", "many-cubes/", "vertex-colors/", "negative-scale/", "texture-transform-test/", "primitive-modes/", "sparse-morph/",
    "cornell-two-uv/", "compressed/", "suzanne-variants/original/", "suzanne-variants/Suzanne_meshopt",
    "suzanne-variants/Suzanne_quantized", "barn-lamp-ktx2/", "image-formats/"};

bool isPromised(const std::string& file)
{
    return std::any_of(std::begin(kFolders), std::end(kFolders), [&](const char* folder) { return file.rfind(folder, 0) == 0; });
}

std::size_t countIssues(const SceneDescription& scene, const std::string& code)
{
    return static_cast<std::size_t>(
        std::count_if(scene.issues.begin(), scene.issues.end(), [&](const ImportIssue& issue) { return issue.code == code; }));
}

/// What index.tsv counts, from our side.
struct SceneFacts
{
    std::size_t primitives = 0, triangles = 0, drawnTriangles = 0, maxVertices = 0, uvSets = 0, colored = 0, morphTargets = 0, joints = 0,
                mirroredNodes = 0;
};

std::size_t triangleCount(const Mesh& mesh)
{
    std::size_t count = 0;
    for (const Primitive& primitive : mesh.primitives)
        count += primitive.triangleCount();
    return count;
}

SceneFacts factsOf(const SceneDescription& scene)
{
    SceneFacts facts;
    facts.primitives = countIssues(scene, "primitive-dropped");
    for (const Mesh& mesh : scene.meshes)
    {
        facts.primitives += mesh.primitives.size();
        facts.triangles += triangleCount(mesh);
        for (const Primitive& primitive : mesh.primitives)
        {
            facts.maxVertices = std::max<std::size_t>(facts.maxVertices, primitive.vertexCount());
            facts.uvSets = std::max<std::size_t>(facts.uvSets, !primitive.uv1.empty() ? 2 : !primitive.uv0.empty() ? 1 : 0);
            facts.colored += primitive.colors.empty() ? 0 : 1;
            facts.morphTargets = std::max(facts.morphTargets, primitive.morphTargets.size());
        }
    }
    std::set<std::uint32_t> joints;
    for (const Skin& skin : scene.skins)
        joints.insert(skin.jointNodes.begin(), skin.jointNodes.end());
    facts.joints = joints.size();
    const std::vector<Affine> world = computeWorldTransforms(scene);
    for (std::size_t i = 0; i < scene.nodes.size(); ++i)
    {
        if (scene.nodes[i].meshIndex == kNoIndex)
            continue;
        facts.drawnTriangles += triangleCount(scene.meshes[scene.nodes[i].meshIndex]);
        facts.mirroredNodes += world[i].determinant() < 0.0f ? 1 : 0;
    }
    return facts;
}

void checkInvariants(const SceneDescription& scene)
{
    for (std::size_t i = 0; i < scene.nodes.size(); ++i)
        ASSERT_TRUE(scene.nodes[i].parent == kNoIndex || scene.nodes[i].parent < i);
    for (const Mesh& mesh : scene.meshes)
        for (const Primitive& primitive : mesh.primitives)
        {
            const std::size_t count = primitive.positions.size();
            ASSERT_GT(count, 0U);
            ASSERT_EQ(primitive.indices.size() % 3, 0U);
            for (const std::uint32_t index : primitive.indices)
                ASSERT_LT(index, count);
            ASSERT_EQ(primitive.normals.size(), count);
            for (const vec3 normal : primitive.normals)
                ASSERT_NEAR(glm::length(normal), 1.0f, 1e-3f);
            for (const vec4 tangent : primitive.tangents)
            {
                ASSERT_NEAR(glm::length(vec3(tangent)), 1.0f, 1e-3f);
                ASSERT_EQ(std::fabs(tangent.w), 1.0f);
            }
            for (const std::size_t size : {primitive.tangents.size(), primitive.uv0.size(), primitive.uv1.size(), primitive.colors.size(),
                     primitive.skin.size(), primitive.skin1.size()})
                ASSERT_TRUE(size == 0 || size == count);
            ASSERT_EQ(primitive.morphTargets.size(), mesh.morphWeights.size());
        }
    for (const Image& image : scene.images)
        ASSERT_EQ(image.bytes.size(), image.levelOffset(image.mipCount)) << image.name;
}

TEST(GltfImport, ReadsEverySharedModelWithTheCountsOfTheIndex)
{
    const std::filesystem::path assets = sharedAssets();
    if (assets.empty())
        GTEST_SKIP() << "../shared/assets is not there";
    std::size_t fileCount = 0;
    for (const TsvRow& row : readTsv(assets / "index.tsv"))
    {
        const std::string file = row.at("file");
        if (!isPromised(file))
            continue;
        SCOPED_TRACE(file);
        ++fileCount;
        const Result<SceneDescription> scene = importGltf(assets / file);
        if (!scene)
        {
            ADD_FAILURE() << scene.error().message;
            continue;
        }
        checkInvariants(*scene);
        const SceneFacts facts = factsOf(*scene);
        EXPECT_EQ(scene->nodes.size(), numberOf(row, "nodes"));
        EXPECT_EQ(scene->meshes.size(), numberOf(row, "meshes"));
        EXPECT_EQ(facts.primitives, numberOf(row, "prims"));
        EXPECT_EQ(facts.triangles, numberOf(row, "triangles"));
        EXPECT_EQ(facts.uvSets, numberOf(row, "uv_sets"));
        EXPECT_EQ(scene->materials.size(), numberOf(row, "materials"));
        EXPECT_EQ(scene->images.size(), numberOf(row, "textures"));
        EXPECT_EQ(scene->skins.size(), numberOf(row, "skins"));
        EXPECT_EQ(facts.joints, numberOf(row, "joints"));
        EXPECT_EQ(scene->animations.size(), numberOf(row, "animations"));
        EXPECT_EQ(facts.morphTargets, numberOf(row, "morph"));
        EXPECT_EQ(facts.colored, numberOf(row, "vertex_colors"));
        EXPECT_EQ(facts.mirroredNodes, numberOf(row, "mirrored_nodes"));
        const bool isListsOnly = row.at("primitive_modes") == "4";
        if (isListsOnly) // the index counts drawn triangles of lists alone
        {
            EXPECT_EQ(facts.drawnTriangles, numberOf(row, "drawn_triangles"));
        }
        if (isListsOnly && countIssues(*scene, "flat-normals") == 0 && countIssues(*scene, "split-vertices") == 0) // these add vertices
        {
            EXPECT_EQ(facts.maxVertices, numberOf(row, "max_vertices"));
        }
        for (const char* code : {"missing-image", "broken-image", "image-too-large", "uri-outside-folder"})
            EXPECT_EQ(countIssues(*scene, code), 0U) << code;
    }
    EXPECT_GT(fileCount, 250U);
}

/// One line of broken_verdicts.tsv: the outcome and, after a tab, the message or the issues' codes.
std::string verdictOf(const Result<SceneDescription>& scene)
{
    if (!scene)
        return std::string(toString(scene.error().code)) + '\t' + scene.error().message;
    std::set<std::string> codes;
    for (const ImportIssue& issue : scene->issues)
        codes.insert(issue.code);
    std::string joined;
    for (const std::string& code : codes)
        joined += (joined.empty() ? "" : " ") + code;
    return "ok\t" + joined;
}

std::string verdictOf(const Result<Image>& image, bool isDamaged)
{
    if (!image)
        return std::string(toString(image.error().code)) + '\t' + image.error().message;
    return "ok\t" + std::to_string(image->width) + " x " + std::to_string(image->height) + (isDamaged ? " damaged-image" : "");
}

Result<Image> decodeFile(const std::filesystem::path& path, bool refusesDamage)
{
    std::ifstream file(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    return decodeImage(std::as_bytes(std::span(text)), path.filename().string(), {.refusesDamage = refusesDamage});
}

std::map<std::string, std::string> judgeBrokenFiles(const std::filesystem::path& folder)
{
    std::map<std::string, std::string> verdicts;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    {
        const std::string extension = entry.path().extension().string();
        const std::string name = std::filesystem::relative(entry.path(), folder).string();
        if (extension == ".gltf" || extension == ".glb")
            verdicts[name] = verdictOf(importGltf(entry.path(), {.checksFormat = true}));
        else if (extension == ".png" || extension == ".jpg" || extension == ".jpeg" || extension == ".webp" || extension == ".ktx2")
            verdicts[name] = verdictOf(decodeFile(entry.path(), false), !decodeFile(entry.path(), true));
    }
    return verdicts;
}

TEST(GltfImport, JudgesEveryBrokenFileAsTheVerdictTableSays)
{
    const std::filesystem::path assets = sharedAssets();
    if (assets.empty())
        GTEST_SKIP() << "../shared/assets is not there";
    std::map<std::string, std::string> expected;
    for (const TsvRow& row : readTsv("tests/asset/broken_verdicts.tsv"))
        expected[row.at("file")] = row.at("outcome") + '\t' + row.at("detail");
    const std::map<std::string, std::string> verdicts = judgeBrokenFiles(assets / "broken");
    EXPECT_GT(verdicts.size(), 190U);
    EXPECT_EQ(expected.size(), verdicts.size());
    const std::string actualPath = testing::TempDir() + "broken_verdicts.tsv";
    std::ofstream actual(actualPath);
    actual << "file\toutcome\tdetail\n";
    for (const auto& [name, verdict] : verdicts)
    {
        actual << name << '\t' << verdict << '\n';
        EXPECT_EQ(expected[name], verdict) << name << "; the table as it is now: " << actualPath;
    }
}

} // namespace
} // namespace dl::test
