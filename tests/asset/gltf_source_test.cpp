// Where bytes come from: URIs of every kind, GLB chunks, images of a glTF, and what must never be read.
#include "tests/asset/gltf_builder.h"
#include "tests/asset/image_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <fstream>

namespace dl::test
{
namespace
{

using testing::HasSubstr;

/// A folder of its own with files, removed at the end.
class TempFolder
{
public:
    TempFolder()
    {
        m_path = std::filesystem::path(testing::TempDir()) / ("drawloom_asset_" + std::to_string(::getpid()));
        std::filesystem::remove_all(m_path);
        std::filesystem::create_directories(m_path / "model");
    }
    ~TempFolder() { std::filesystem::remove_all(m_path); }
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;

    std::filesystem::path model() const { return m_path / "model"; }
    void write(const std::string& name, std::span<const std::byte> bytes) const
    {
        std::ofstream file(model() / name, std::ios::binary);
        file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
    Result<SceneDescription> import(const std::string& rest, const GltfImportSettings& settings = {}) const
    {
        const std::string text = R"({"asset":{"version":"2.0"},)" + rest + "}";
        write("test.gltf", std::as_bytes(std::span(text)));
        return importGltf(model() / "test.gltf", settings);
    }

private:
    std::filesystem::path m_path;
};

std::string imageText(const std::string& uri)
{
    return R"("images":[{"uri":")" + uri + R"("}])";
}

std::string triangleText(const std::string& uri, std::size_t byteLength = 36)
{
    return R"("buffers":[{"byteLength":)" + std::to_string(byteLength) + R"(,"uri":")" + uri +
           R"("}],"bufferViews":[{"buffer":0,"byteLength":36}],"accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":3}],)" +
           meshText(R"("POSITION":0)");
}

const std::vector<float> kTriangle = {0, 0, 0, 1, 0, 0, 0, 1, 0};

TEST(GltfUri, ReadsPercentEncodedUnicodeAndNestedNames)
{
    const TempFolder folder;
    std::filesystem::create_directories(folder.model() / "sub");
    const auto bytes = std::as_bytes(std::span(kTriangle));
    folder.write("a b.bin", bytes);
    folder.write("\xe2\x9d\xa4.bin", bytes);
    folder.write("sub/100%.bin", bytes);
    for (const char* uri : {"a%20b.bin", "a b.bin", "%E2%9D%A4.bin", "\xe2\x9d\xa4.bin", "./sub/100%.bin", "sub/100%25.bin",
             "sub%2F100%25.bin", "sub\\\\100%25.bin"})
    {
        const Result<SceneDescription> scene = folder.import(triangleText(uri));
        EXPECT_TRUE(scene) << uri << ": " << errorOf(scene);
    }
    EXPECT_THAT(errorOf(folder.import(triangleText("none.bin"))), HasSubstr("buffers[0]: \"none.bin\": "));
    EXPECT_EQ(folder.import(triangleText("none.bin")).error().code, ErrorCode::NotFound);
    EXPECT_THAT(errorOf(folder.import(triangleText("a%20b.bin", 37))),
        HasSubstr("buffers[0]: byteLength is 37, but only 36 bytes are there (\"a%20b.bin\")"));
}

TEST(GltfUri, NeverLeavesTheFolder)
{
    const TempFolder folder;
    const auto bytes = std::as_bytes(std::span(kTriangle));
    folder.write("../outside.bin", bytes);
    folder.write("inside.bin", bytes);
    std::filesystem::create_symlink("../outside.bin", folder.model() / "link.bin");
    std::filesystem::create_symlink("inside.bin", folder.model() / "fine.bin");
    std::filesystem::create_directory_symlink("..", folder.model() / "up");
    EXPECT_TRUE(folder.import(triangleText("fine.bin"))) << "a link that stays inside is fine";
    const std::string absolute = (folder.model() / "inside.bin").string();
    for (const std::string& uri : {std::string("../outside.bin"), std::string("%2e%2e/outside.bin"), std::string("..\\\\outside.bin"),
             std::string("model/../../outside.bin"), std::string("link.bin"), std::string("up/outside.bin"), absolute, "file://" + absolute,
             std::string("C:/x.bin"), std::string("http://example.com/x.bin"), std::string("inside.bin%00.png"), std::string("")})
    {
        const Result<SceneDescription> scene = folder.import(triangleText(uri));
        ASSERT_FALSE(scene) << uri;
        EXPECT_EQ(scene.error().code, ErrorCode::InvalidArgument) << uri;
        EXPECT_THAT(scene.error().message, HasSubstr("buffers[0]: URI \"")) << uri;
        EXPECT_THAT(scene.error().message, HasSubstr("is refused")) << uri;
    }
    EXPECT_FALSE(folder.import(triangleText("up"))) << "a folder is no file";
    const Result<SceneDescription> image = folder.import(imageText("../outside.bin"));
    ASSERT_TRUE(image) << errorOf(image);
    EXPECT_TRUE(hasIssue(*image, "uri-outside-folder"));
    EXPECT_EQ(image->images[0].width, 1U);
}

TEST(GltfUri, ReadsNothingExternalWithoutAFolder)
{
    const std::string text = R"({"asset":{"version":"2.0"},)" + triangleText("CMakeLists.txt") + "}";
    EXPECT_THAT(errorOf(importText(text)), HasSubstr("the glTF has no folder"));
}

TEST(GltfUri, DecodesDataUrisAndRefusesBadOnes)
{
    const std::string data = encodeBase64(std::as_bytes(std::span(kTriangle)));
    const auto importUri = [](const std::string& uri) { return importText(R"({"asset":{"version":"2.0"},)" + triangleText(uri) + "}"); };
    for (const std::string prefix : {"data:application/octet-stream;base64,", "data:;base64,", "DATA:application/gltf-buffer;base64,"})
    {
        const Result<SceneDescription> scene = importUri(prefix + data);
        ASSERT_TRUE(scene) << errorOf(scene);
        EXPECT_EQ(scene->meshes[0].primitives[0].positions[1], vec3(1, 0, 0));
    }
    EXPECT_EQ(errorOf(importUri("data:;base64,AA!A")), "buffers[0]: data URI: character 2 of the data is not base64");
    EXPECT_EQ(errorOf(importUri("data:;base64")), "buffers[0]: data URI without a comma before its data");
    EXPECT_THAT(errorOf(importUri("data:;base64,AAAA")), HasSubstr("byteLength is 36, but only 3 bytes are there"));
}

TEST(GltfSource, FilesThatAreTooLongSayWhatToRaise)
{
    const TempFolder folder;
    folder.write("long.bin", std::vector<std::byte>(5000));
    EXPECT_THAT(errorOf(folder.import(triangleText("long.bin"), {.maxFileBytes = 4999})),
        HasSubstr("long.bin\": 5000 bytes, past the limit of 4999; raise maxFileBytes"));
    EXPECT_THAT(errorOf(importGltf(folder.model() / "test.gltf", {.maxFileBytes = 30})), HasSubstr("raise maxFileBytes"));
    EXPECT_THAT(errorOf(folder.import(triangleText("long.bin"), {.maxDecodedBytes = 4999})), HasSubstr("raise maxDecodedBytes"))
        << "what the budget does not hold is not even read";
}

TEST(GltfSource, NamesTheFilesThatItRead)
{
    const TempFolder folder;
    folder.write("long.bin", std::vector<std::byte>(5000));
    const Result<SceneDescription> scene = folder.import(triangleText("long.bin"));
    ASSERT_TRUE(scene) << errorOf(scene);
    ASSERT_EQ(scene->sourceFiles.size(), 1U);
    EXPECT_TRUE(std::filesystem::equivalent(scene->sourceFiles[0], folder.model() / "long.bin"));
}

TEST(GltfSource, SparseFilesAreReadAsFarAsTheirHeadCounts)
{
    const TempFolder folder;
    const auto write = [&](std::uint32_t length, std::uint32_t jsonBytes)
    {
        const std::string json = R"({"asset":{"version":"2.0"}})"
                                 " ";
        const std::uint32_t head[] = {0x46546c67U, 2, length, jsonBytes, 0x4e4f534aU};
        std::string text(reinterpret_cast<const char*>(head), sizeof head);
        text += json;
        folder.write("a.glb", std::as_bytes(std::span(text)));
        std::filesystem::resize_file(folder.model() / "a.glb", std::uintmax_t(1) << 40U);
        return importGltf(folder.model() / "a.glb");
    };
    const Result<SceneDescription> scene = write(48, 28);
    ASSERT_TRUE(scene) << errorOf(scene);
    ASSERT_TRUE(hasIssue(*scene, "trailing-bytes"));
    EXPECT_EQ(scene->issues[0].message, std::to_string((std::uint64_t(1) << 40U) - 48) + " bytes after its end are ignored");
    EXPECT_THAT(errorOf(write(UINT32_MAX, 28)), HasSubstr("raise maxFileBytes"));
    EXPECT_THAT(errorOf(write(UINT32_MAX, 1U << 30U)), HasSubstr("raise maxJsonBytes"));
}

TEST(GltfImages, DecodesPngAndJpegFromFilesDataUrisAndBufferViews)
{
    const TempFolder folder;
    folder.write("red.png", onePixelPng(255, 0, 0, 255));
    folder.write("misnamed.png", greyJpegFile(8, 8, 50));
    const std::vector<std::byte> blue = onePixelPng(0, 0, 255, 128);
    folder.write("all.bin", blue);
    const std::string size = std::to_string(blue.size());
    const Result<SceneDescription> scene = folder.import(
        R"("images":[{"uri":"red.png"},{"uri":"misnamed.png"},{"uri":"data:image/png;base64,)" + encodeBase64(onePixelPng(0, 255, 0, 255)) +
        R"("},{"bufferView":0,"mimeType":"image/png","name":"blue"}],"buffers":[{"uri":"all.bin","byteLength":)" + size +
        R"(}],"bufferViews":[{"buffer":0,"byteLength":)" + size + "}]");
    ASSERT_TRUE(scene) << errorOf(scene);
    EXPECT_TRUE(scene->issues.empty());
    const auto red = [&](std::size_t image) { return std::to_integer<int>(scene->images[image].bytes[0]); };
    EXPECT_EQ(red(0), 255);
    EXPECT_EQ(red(1), 50);
    EXPECT_EQ(std::to_integer<int>(scene->images[2].bytes[1]), 255);
    EXPECT_EQ(std::to_integer<int>(scene->images[3].bytes[2]), 255);
    EXPECT_TRUE(scene->images[3].hasAlpha);
    EXPECT_EQ(scene->images[0].name, "red.png");
    EXPECT_EQ(scene->images[2].name, "images[2]");
    EXPECT_EQ(scene->images[3].name, "blue");
    EXPECT_NE(scene->images[0].contentHash, scene->images[2].contentHash);
    EXPECT_NE(scene->images[0].contentHash, 0U);
}

TEST(GltfImages, OfOneSourceAreDecodedOnceAndBecomeOne)
{
    const TempFolder folder;
    const std::vector<std::byte> blue = onePixelPng(0, 0, 255, 128);
    folder.write("red.png", onePixelPng(255, 0, 0, 255));
    folder.write("green.png", onePixelPng(0, 255, 0, 255));
    folder.write("all.bin", blue);
    const std::string size = std::to_string(blue.size());
    const std::string rest =
        R"("images":[{"uri":"red.png"},{"uri":"./r%65d.png"},{"bufferView":0,"mimeType":"image/png"},)"
        R"({"uri":"red.png"},{"bufferView":1,"mimeType":"image/png"},{"uri":"green.png"}],"buffers":[{"uri":"all.bin","byteLength":)" +
        size + R"(}],"bufferViews":[{"buffer":0,"byteLength":)" + size + R"(},{"buffer":0,"byteLength":)" + size +
        R"(}],"textures":[{"source":3},{"source":4},{"source":5}],"materials":[{"normalTexture":{"index":0},)"
        R"("pbrMetallicRoughness":{"baseColorTexture":{"index":1}},"emissiveTexture":{"index":2}}])";
    // Room for one texel of each picture, and the files.
    const std::uint64_t bytes = 3 * 4 + blue.size() + 2 * onePixelPng(255, 0, 0, 255).size();
    const Result<SceneDescription> scene = folder.import(rest, {.maxDecodedBytes = bytes});
    ASSERT_TRUE(scene) << errorOf(scene);
    EXPECT_EQ(scene->images.size(), 3U);
    EXPECT_TRUE(hasIssue(*scene, "image-shared"));
    EXPECT_EQ(scene->materials[0].normal.imageIndex, 0U);
    EXPECT_EQ(scene->materials[0].baseColor.imageIndex, 1U);
    EXPECT_EQ(scene->materials[0].emissive.imageIndex, 2U);
}

TEST(GltfImages, OfOneBrokenSourceAreNeutralAsTheirUsesAsk)
{
    const TempFolder folder;
    folder.write("broken.png", std::as_bytes(std::span("\x89PNG\r\n\x1a\n and no more")));
    const Result<SceneDescription> scene =
        folder.import(R"("images":[{"uri":"broken.png"},{"uri":"broken.png"}],"textures":[{"source":0},{"source":1}],)"
                      R"("materials":[{"normalTexture":{"index":1},"emissiveTexture":{"index":0}}])");
    ASSERT_TRUE(scene) << errorOf(scene);
    ASSERT_EQ(scene->images.size(), 2U);
    EXPECT_EQ(std::to_integer<int>(scene->images[0].bytes[0]), 255);
    EXPECT_EQ(std::to_integer<int>(scene->images[1].bytes[0]), 128);
    EXPECT_EQ(scene->issues.size(), 2U);
}

TEST(GltfImages, PutsANeutralTexelWhereAnImageIsMissingOrBroken)
{
    const TempFolder folder;
    folder.write("broken.png", std::as_bytes(std::span("\x89PNG\r\n\x1a\n and no more")));
    folder.write("text.webp", std::as_bytes(std::span("RIFF")));
    const std::string rest =
        R"("images":[{"uri":"none.png"},{"uri":"broken.png"},{"uri":"text.webp"},{}],"textures":[{"source":0}],"materials":[{"normalTexture":{"index":0}}])";
    const Result<SceneDescription> scene = folder.import(rest);
    ASSERT_TRUE(scene) << errorOf(scene);
    ASSERT_EQ(scene->issues.size(), 4U);
    const char* codes[] = {"missing-image", "broken-image", "image-format-unsupported", "missing-image"};
    for (std::size_t i = 0; i < 4; ++i)
    {
        EXPECT_EQ(scene->issues[i].code, codes[i]);
        EXPECT_EQ(scene->issues[i].severity, IssueSeverity::Warning);
        EXPECT_EQ(scene->issues[i].where, "images[" + std::to_string(i) + "]");
        ASSERT_EQ(scene->images[i].bytes.size(), 4U);
        const int expected = i == 0 ? 128 : 255; // the first is a normal map: flat; the others leave factors alone
        EXPECT_EQ(std::to_integer<int>(scene->images[i].bytes[0]), expected);
        EXPECT_EQ(std::to_integer<int>(scene->images[i].bytes[2]), 255);
    }
    const Result<SceneDescription> strict = importGltf(folder.model() / "test.gltf", {.isStrict = true});
    ASSERT_FALSE(strict);
    EXPECT_THAT(strict.error().message, HasSubstr("images[0]: "));
}

TEST(GltfImages, RefusesTexelsPastTheLimitsBeforeDecoding)
{
    const TempFolder folder;
    folder.write("big.png", encodePngFile(64, 64, 0, 8, std::vector<std::byte>(4096)));
    ASSERT_TRUE(folder.import(imageText("big.png")));
    const Result<SceneDescription> tooLarge = importGltf(folder.model() / "test.gltf", {.maxImageTexels = 4095});
    ASSERT_TRUE(tooLarge) << errorOf(tooLarge);
    EXPECT_TRUE(hasIssue(*tooLarge, "image-too-large"));
    EXPECT_TRUE(importGltf(folder.model() / "test.gltf", {.maxDecodedBytes = 20000}));
    const Result<SceneDescription> overBudget = importGltf(folder.model() / "test.gltf", {.maxDecodedBytes = 16000});
    ASSERT_FALSE(overBudget);
    EXPECT_EQ(overBudget.error().code, ErrorCode::OutOfBudget);
}

std::string chunk(std::uint32_t type, const std::string& content)
{
    std::string out(8, '\0');
    for (std::size_t i = 0; i < 4; ++i)
    {
        out[i] = static_cast<char>((content.size() >> (8 * i)) & 0xffU);
        out[i + 4] = static_cast<char>((type >> (8 * i)) & 0xffU);
    }
    return out + content;
}

std::string glb(const std::string& chunks, std::uint32_t version = 2, std::size_t extraLength = 0)
{
    std::string out("glTF");
    for (const std::size_t value : {std::size_t(version), chunks.size() + 12 + extraLength})
        for (std::size_t i = 0; i < 4; ++i)
            out += static_cast<char>((value >> (8 * i)) & 0xffU);
    return out + chunks;
}

constexpr std::uint32_t kJson = 0x4e4f534aU;
constexpr std::uint32_t kBin = 0x004e4942U;

TEST(GltfGlb, ReadsItsOwnChunkAndIgnoresUnknownOnes)
{
    std::string rest = triangleText("");
    const std::string uri = R"(,"uri":"")";
    rest.erase(rest.find(uri), uri.size());
    const std::string json = R"({"asset":{"version":"2.0"},)" + rest + "}";
    const std::string bin(reinterpret_cast<const char*>(kTriangle.data()), 36);
    const Result<SceneDescription> scene = importText(glb(chunk(kJson, json) + chunk(kBin, bin) + chunk(1, "user")));
    ASSERT_TRUE(scene) << errorOf(scene);
    EXPECT_EQ(scene->meshes[0].primitives[0].positions[2], vec3(0, 1, 0));
    EXPECT_EQ(errorOf(importText(glb(chunk(kJson, json)))), "buffers[0]: has no uri, and there is no GLB chunk for it");
    const Result<SceneDescription> trailing = importText(glb(chunk(kJson, json) + chunk(kBin, bin)) + "more");
    ASSERT_TRUE(trailing) << errorOf(trailing);
    EXPECT_TRUE(hasIssue(*trailing, "trailing-bytes"));
}

TEST(GltfGlb, RefusesBrokenContainers)
{
    const std::string json = R"({"asset":{"version":"2.0"}})";
    EXPECT_TRUE(importText(glb(chunk(kJson, json))));
    EXPECT_EQ(errorOf(importText(glb(chunk(kJson, json), 1))), "GLB: container version 1, only 2 is read");
    EXPECT_EQ(errorOf(importText(glb(chunk(kJson, json), 2, 1))),
        "GLB: cut off, its header says " + std::to_string(json.size() + 21) + " bytes, there are " + std::to_string(json.size() + 20));
    EXPECT_EQ(errorOf(importText(glb(chunk(kBin, json)))), "GLB: the first chunk is not JSON");
    EXPECT_EQ(errorOf(importText(glb(chunk(kJson, "")))), "GLB: no JSON chunk");
    EXPECT_EQ(errorOf(importText("glTF")), "GLB: cut off after 4 bytes, before the first chunk");
    const std::string whole = glb(chunk(kJson, json));
    for (std::size_t size = 4; size < whole.size(); ++size)
        EXPECT_THAT(errorOf(importText(whole.substr(0, size))), HasSubstr("GLB: cut off"));
}

TEST(GltfFile, NamesWhatCanNotBeRead)
{
    EXPECT_EQ(errorOf(importGltf("no/such/file.glb")), "while importing \"file.glb\": \"no/such/file.glb\": no such file");
    EXPECT_EQ(importGltf("no/such/file.glb").error().code, ErrorCode::NotFound);
    EXPECT_THAT(errorOf(importGltf("drawloom")), HasSubstr("not a regular file"));
}

} // namespace
} // namespace dl::test
