// Files that say the same in different ways must give the same picture: compressed and plain geometry, strips and lists, sparse
// and dense accessors, the texture-transform board and what its author marked on it. On both software drivers.
#include "drawloom/asset/gltf_import.h"
#include "tests/golden/draco_copy.h"
#include "tests/golden/golden_scene.h"
#include "tests/render/driver_fixture.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <unistd.h>

namespace dl::golden
{
namespace
{

namespace fs = std::filesystem;
const fs::path kAssets = "../shared/assets";

class Pairs : public DriverTest
{
protected:
    void SetUp() override
    {
        if (!fs::exists(kAssets))
            GTEST_SKIP() << "../shared/assets is absent";
        DriverTest::SetUp();
        if (IsSkipped())
            return;
        m_folder = fs::temp_directory_path() / ("drawloom-pairs-" + std::to_string(::getpid()));
        fs::create_directories(m_folder);
    }
    void TearDown() override
    {
        std::error_code ignored;
        fs::remove_all(m_folder, ignored);
    }

    static SceneDescription read(const fs::path& path)
    {
        Result<SceneDescription> scene = importGltf(path);
        EXPECT_TRUE(scene) << (scene ? "" : scene.error().message);
        return scene ? std::move(*scene) : SceneDescription{};
    }
    Image draw(const SceneDescription& scene, float yawDegrees = 20.0f, float pitchDegrees = 12.0f)
    {
        const GoldenScene how = {.name = "pair", .file = "pair", .yawDegrees = yawDegrees, .pitchDegrees = pitchDegrees};
        Result<Image> picture = drawGoldenScene(*m_device, how, scene);
        EXPECT_TRUE(picture) << (picture ? "" : picture.error().message);
        return picture ? std::move(*picture) : Image{};
    }
    void expectAlike(const Image& a, const Image& b, float maxMean, const std::string& what)
    {
        const Result<GoldenVerdict> verdict = compareWithGolden(a, b);
        ASSERT_TRUE(verdict) << what << ": " << verdict.error().message;
        EXPECT_LE(verdict->mean, maxMean) << what << ": " << verdict->text;
        RecordProperty(what, std::to_string(verdict->mean));
        std::size_t covered = 0;
        for (std::size_t i = 3; i < a.bytes.size(); i += 4)
            covered += a.bytes[i] != std::byte{0} ? 1 : 0;
        EXPECT_GT(covered, 2000U) << what << ": hardly anything was drawn";
    }

    fs::path m_folder;
};

std::string textOf(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Every sparse accessor of a .glb with its values laid over its base in a buffer of its own; nothing else changes.
std::string denseCopy(const std::string& glb)
{
    const auto wordAt = [&](std::size_t at)
    {
        std::uint32_t value = 0;
        std::memcpy(&value, glb.data() + at, sizeof value);
        return value;
    };
    const std::size_t jsonBytes = wordAt(12);
    nlohmann::json json = nlohmann::json::parse(glb.substr(20, jsonBytes));
    std::string bin = glb.substr(20 + jsonBytes + 8, wordAt(20 + jsonBytes));
    const std::map<std::string, std::size_t> components = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}};
    const auto startOf = [&](const nlohmann::json& view, std::size_t offset)
    { return json.at("bufferViews").at(view.at("bufferView").get<std::size_t>()).value("byteOffset", std::size_t(0)) + offset; };
    std::size_t sparseCount = 0;
    for (nlohmann::json& accessor : json.at("accessors"))
    {
        if (!accessor.contains("sparse"))
            continue;
        ++sparseCount;
        EXPECT_EQ(accessor.at("componentType"), 5126);
        const std::size_t size = components.at(accessor.at("type").get<std::string>()) * sizeof(float);
        const std::size_t count = accessor.at("count").get<std::size_t>();
        std::string data(count * size, '\0');
        if (accessor.contains("bufferView"))
            data = bin.substr(startOf(accessor, accessor.value("byteOffset", std::size_t(0))), data.size());
        const nlohmann::json sparse = accessor.at("sparse");
        const std::size_t indices = startOf(sparse.at("indices"), sparse.at("indices").value("byteOffset", std::size_t(0)));
        const std::size_t values = startOf(sparse.at("values"), sparse.at("values").value("byteOffset", std::size_t(0)));
        const int type = sparse.at("indices").at("componentType").get<int>();
        const std::size_t width = type == 5121 ? 1 : type == 5123 ? 2 : 4;
        for (std::size_t i = 0; i < sparse.at("count").get<std::size_t>(); ++i)
        {
            std::uint32_t target = 0;
            std::memcpy(&target, bin.data() + indices + i * width, width);
            data.replace(target * size, size, bin, values + i * size, size);
        }
        accessor.erase("sparse");
        accessor.erase("byteOffset");
        bin.resize((bin.size() + 3) / 4 * 4);
        accessor["bufferView"] = json.at("bufferViews").size();
        json["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", bin.size()}, {"byteLength", data.size()}});
        bin += data;
    }
    EXPECT_GT(sparseCount, 0U);
    json["buffers"][0] = {{"byteLength", bin.size()}, {"uri", "dense.bin"}};
    return json.dump() + '\n' + bin;
}

} // namespace

TEST_P(Pairs, SuzanneInEveryEncoding)
{
    const fs::path folder = kAssets / "suzanne-variants";
    const SceneDescription original = read(folder / "original/Suzanne.gltf");
    const Image plain = draw(original);
    // Their images are of a quarter of the size and 4 to 27 kB short; with the original's, what is left is the geometry's part:
    // normals of 8 bits in the first two.
    const std::pair<const char*, float> limits[] = {
        {"Suzanne_quantized.glb", 0.015f}, {"Suzanne_meshopt.glb", 0.015f}, {"Suzanne_webp.glb", 0.0f}};
    for (const auto& [file, limit] : limits)
    {
        SceneDescription scene = read(folder / file);
        expectAlike(plain, draw(scene), 0.04f, file);
        ASSERT_EQ(scene.images.size(), original.images.size());
        scene.images = original.images;
        expectAlike(plain, draw(scene), limit, std::string(file) + " with the original's images");
    }
    // No Draco file of it is at hand: Draco's own encoder makes one.
    const Result<fs::path> draco = writeDracoCopy(folder / "original/Suzanne.gltf", m_folder);
    ASSERT_TRUE(draco) << draco.error().message;
    EXPECT_LT(fs::file_size(m_folder / "draco.bin"), fs::file_size(folder / "original/Suzanne.bin") / 4) << "not compressed";
    expectAlike(plain, draw(read(*draco)), 0.01f, "Draco");
}

TEST_P(Pairs, StripsFansAndLists)
{
    const fs::path folder = kAssets / "primitive-modes";
    const Image list = draw(read(folder / "Mesh_PrimitiveMode_06.gltf"), 0.0f, 0.0f);
    expectAlike(list, draw(read(folder / "Mesh_PrimitiveMode_04.gltf"), 0.0f, 0.0f), 0.0f, "strip");
    expectAlike(list, draw(read(folder / "Mesh_PrimitiveMode_05.gltf"), 0.0f, 0.0f), 0.0f, "fan");
}

TEST_P(Pairs, SparseAndDenseAccessors)
{
    const std::string both = denseCopy(textOf(kAssets / "sparse-morph/singleBlendshapeCube_sparse.glb"));
    const std::size_t end = both.find('\n');
    std::ofstream(m_folder / "dense.gltf", std::ios::binary) << both.substr(0, end);
    std::ofstream(m_folder / "dense.bin", std::ios::binary) << both.substr(end + 1);
    SceneDescription sparse = read(kAssets / "sparse-morph/singleBlendshapeCube_sparse.glb"), dense = read(m_folder / "dense.gltf");
    const Image rest = draw(sparse);
    for (SceneDescription* scene : {&sparse, &dense})
        scene->animations.clear(); // which would set the weights
    for (SceneDescription* scene : {&sparse, &dense})
        for (Mesh& mesh : scene->meshes)
            for (float& weight : mesh.morphWeights)
                weight = 1.0f;
    const Image shaped = draw(sparse);
    expectAlike(shaped, draw(dense), 0.0f, "dense");
    EXPECT_TRUE(rest.bytes != shaped.bytes) << "the morph target does nothing, so the pair says nothing";
}

/// KHR_texture_transform as its text has it: translation * rotation * scale, in UV space.
vec2 transformed(const TextureRef& texture, vec2 uv)
{
    const float c = std::cos(texture.uvRotation), s = std::sin(texture.uvRotation);
    const vec2 scaled = uv * texture.uvScale;
    return texture.uvOffset + vec2(c * scaled.x + s * scaled.y, -s * scaled.x + c * scaled.y);
}

TEST_P(Pairs, TheTextureTransformBoardAndTransformsInItsUvs)
{
    const SceneDescription board = read(kAssets / "texture-transform-test/TextureTransformTest.gltf");
    SceneDescription baked = board;
    std::size_t count = 0;
    for (Mesh& mesh : baked.meshes)
        for (Primitive& primitive : mesh.primitives)
        {
            const TextureRef& texture = board.materials.at(primitive.materialIndex).baseColor;
            for (vec2& uv : primitive.uv0)
                uv = transformed(texture, uv);
        }
    for (Material& material : baked.materials)
    {
        count +=
            material.baseColor.uvOffset != vec2(0.0f) || material.baseColor.uvRotation != 0.0f || material.baseColor.uvScale != vec2(1.0f)
                ? 1
                : 0;
        material.baseColor.uvOffset = vec2(0.0f);
        material.baseColor.uvScale = vec2(1.0f);
        material.baseColor.uvRotation = 0.0f;
    }
    EXPECT_EQ(count, 6U);
    expectAlike(draw(board, 0.0f, 0.0f), draw(baked, 0.0f, 0.0f), 0.0005f, "baked");
}

/// The board's lower row shows an arrow three times, whose tip its author marked: "Correct" where a reader with transforms sees
/// it, "Not Supported" where one without does, "Error" where one that turns the wrong way does.
TEST_P(Pairs, TheTextureTransformBoardsArrowsPointAtItsMarkers)
{
    SceneDescription board = read(kAssets / "texture-transform-test/TextureTransformTest.gltf");
    const auto nodeOf = [&](const std::string& name) -> Node&
    {
        const auto found = std::find_if(board.nodes.begin(), board.nodes.end(), [&](const Node& node) { return node.name == name; });
        EXPECT_NE(found, board.nodes.end()) << name;
        return *found;
    };
    // Where the arrow ends in its own texture: what the marker for readers without transforms lies on.
    const vec3 plain = nodeOf("Scale - Not Supported").local.translation;
    const vec2 tip(0.5f + plain.x, 0.5f - plain.y);
    Image& arrow = board.images.at(1);
    ASSERT_EQ(arrow.name, "Arrow.png");
    for (std::uint32_t y = 0; y < arrow.height; ++y)
        for (std::uint32_t x = 0; x < arrow.width; ++x)
        {
            const vec2 uv((static_cast<float>(x) + 0.5f) / static_cast<float>(arrow.width),
                (static_cast<float>(y) + 0.5f) / static_cast<float>(arrow.height));
            const bool isTip = glm::distance(uv, tip) < 0.06f;
            std::byte* texel = arrow.bytes.data() + (std::size_t(y) * arrow.width + x) * 4;
            texel[0] = std::byte(isTip ? 255 : 0);
            texel[1] = texel[2] = std::byte(0);
            texel[3] = std::byte(255);
        }
    arrow.contentHash = 1;
    for (Node& node : board.nodes)
        if (node.name.find(" - ") != std::string::npos || node.name.starts_with("Offset"))
            node.meshIndex = kNoIndex;
    // The quads alone remain, 1 by 1 metre beside each other: their places in the picture are found by what they cover.
    for (const char* name : {"Rotation", "Scale", "All"})
    {
        SceneDescription alone = board;
        for (Node& node : alone.nodes)
            if (node.name != name)
                node.meshIndex = kNoIndex;
        const Image picture = draw(alone, 0.0f, 0.0f);
        int left = kGoldenWidth, right = 0, top = kGoldenHeight, bottom = 0;
        vec3 sum(0.0f);
        for (int y = 0; y < static_cast<int>(kGoldenHeight); ++y)
            for (int x = 0; x < static_cast<int>(kGoldenWidth); ++x)
            {
                const std::byte* texel = picture.bytes.data() + (std::size_t(y) * kGoldenWidth + std::size_t(x)) * 4;
                if (texel[3] == std::byte{0})
                    continue;
                left = std::min(left, x);
                right = std::max(right, x + 1);
                top = std::min(top, y);
                bottom = std::max(bottom, y + 1);
                if (std::to_integer<int>(texel[0]) > std::to_integer<int>(texel[1]) + 60)
                    sum += vec3(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f, 1.0f);
            }
        ASSERT_GT(sum.z, 20.0f) << name << ": the tip is nowhere to be seen";
        ASSERT_GT(right - left, 100) << name;
        // In the quad's metres, from its middle, y up.
        const vec2 found((sum.x / sum.z - static_cast<float>(left)) / static_cast<float>(right - left) - 0.5f,
            0.5f - (sum.y / sum.z - static_cast<float>(top)) / static_cast<float>(bottom - top));
        const vec3 marked = nodeOf(std::string(name) + " - Correct").local.translation;
        EXPECT_NEAR(found.x, marked.x, 0.03f) << name;
        EXPECT_NEAR(found.y, std::max(marked.y, -0.5f), 0.04f) << name << " (a tip past the edge is cut by it)";
    }
}

INSTANTIATE_TEST_SUITE_P(SoftwareDrivers, Pairs, testing::Values("llvmpipe", "swiftshader"),
    [](const testing::TestParamInfo<const char*>& driver) { return std::string(driver.param); });

} // namespace dl::golden
