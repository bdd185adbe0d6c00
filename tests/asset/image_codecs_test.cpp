// PNG, JPEG, WebP and HDR beyond the basics of image_test.cpp, and the shared image files against known values.
#include "drawloom/asset/gltf_import.h"
#include "drawloom/asset/image_decode.h"
#include "tests/asset/gltf_builder.h"
#include "tests/asset/image_files.h"
#include "tests/asset/shared_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <webp/encode.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>

namespace dl::test
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::byte> bytesOf(std::string_view text)
{
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> readFile(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return bytesOf(std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>()));
}

std::vector<float> floatsOf(const Image& image)
{
    std::vector<float> out(image.bytes.size() / sizeof(float));
    std::memcpy(out.data(), image.bytes.data(), image.bytes.size());
    return out;
}

std::vector<std::byte> webpFile(const std::vector<std::uint8_t>& rgba, int width, int height)
{
    std::uint8_t* data = nullptr;
    const std::size_t size = WebPEncodeLosslessRGBA(rgba.data(), width, height, width * 4, &data);
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    std::vector<std::byte> out(bytes, bytes + size);
    WebPFree(data);
    return out;
}

std::string hdrFile(std::string_view resolution, std::string_view texels, std::string_view format = "32-bit_rle_rgbe")
{
    return "#?RADIANCE\n# made by a test\nFORMAT=" + std::string(format) + "\nEXPOSURE=2\n\n" + std::string(resolution) + "\n" +
           std::string(texels);
}

std::string errorOfImage(std::string_view file, const ImageLimits& limits = {})
{
    const Result<Image> image = decodeImage(bytesOf(file), "x", limits);
    return image ? "decoded" : std::string(toString(image.error().code)) + " " + image.error().message;
}

TEST(ImageKind, IsToldByTheFirstBytes)
{
    EXPECT_EQ(imageFileKind(onePixelPng(1, 2, 3, 4)), ImageFileKind::Png);
    EXPECT_EQ(imageFileKind(greyJpegFile(1, 1, 0)), ImageFileKind::Jpeg);
    EXPECT_EQ(imageFileKind(webpFile({1, 2, 3, 255}, 1, 1)), ImageFileKind::Webp);
    EXPECT_EQ(imageFileKind(encodeKtx2File({.levels = {std::vector<std::byte>(4)}})), ImageFileKind::Ktx2);
    EXPECT_EQ(imageFileKind(bytesOf("#?RGBE\n")), ImageFileKind::Hdr);
    EXPECT_EQ(imageFileKind({}), ImageFileKind::Unknown);
    EXPECT_EQ(imageFileKind(bytesOf("RIFF....WAVE")), ImageFileKind::Unknown);
    EXPECT_EQ(toString(ImageFileKind::Ktx2), "KTX2");
}

TEST(PngDecode, ReadsInterlacedRows)
{
    const std::uint8_t file[] = {0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00,
        0x00, 0x05, 0x00, 0x00, 0x00, 0x03, 0x08, 0x00, 0x00, 0x00, 0x01, 0x09, 0x5a, 0xaa, 0xb2, 0x00, 0x00, 0x00, 0x1e, 0x49, 0x44, 0x41,
        0x54, 0x78, 0x9c, 0x63, 0x60, 0x66, 0xd0, 0x66, 0x10, 0x67, 0x48, 0xaf, 0xee, 0x67, 0xe0, 0x55, 0x64, 0x28, 0x6c, 0x65, 0x30, 0xb5,
        0xf7, 0x0c, 0x8e, 0x05, 0x00, 0x25, 0xfa, 0x04, 0x48, 0xc0, 0xde, 0x10, 0xc4, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae,
        0x42, 0x60, 0x82};
    const Result<Image> image = decodeImage(std::as_bytes(std::span(file)), "adam7");
    ASSERT_TRUE(image) << image.error().message;
    ASSERT_EQ(image->bytes.size(), 5U * 3U * 4U);
    for (std::size_t y = 0; y < 3; ++y)
        for (std::size_t x = 0; x < 5; ++x)
            EXPECT_EQ(std::to_integer<std::size_t>(image->bytes[(y * 5 + x) * 4]), 10 * y * 5 + 10 * x + 3);
}

TEST(PngDecode, RefusesMoreTexelsThanTheFileCanHold)
{
    std::vector<std::byte> grown = encodePngFile(2048, 2048, 0, 8, std::vector<std::byte>(2048U * 2048U));
    EXPECT_TRUE(decodeImage(grown, "dense")) << "the densest file that zlib makes is still read";
    grown.resize(2000);
    const Result<Image> image = decodeImage(grown, "bomb");
    ASSERT_FALSE(image);
    EXPECT_THAT(image.error().message, HasSubstr("2048 x 2048 texels can not be in 2000 bytes"));
}

TEST(JpegDecode, ReadsProgressiveAndRefusesCmykByName)
{
    const Result<Image> image = decodeImage(progressiveJpegFile(90), "p.jpg");
    ASSERT_TRUE(image) << image.error().message;
    EXPECT_NEAR(std::to_integer<int>(image->bytes[400]), 90, 1);
    const Result<Image> inks = decodeImage(cmykJpegFile(), "inks.jpg");
    ASSERT_FALSE(inks);
    EXPECT_EQ(inks.error().code, ErrorCode::Unsupported);
    EXPECT_THAT(inks.error().message, HasSubstr("\"inks.jpg\": JPEG in CMYK"));
}

TEST(WebpDecode, KeepsLosslessTexelsAndHoldsItsLimits)
{
    const std::vector<std::uint8_t> rgba = {1, 2, 3, 255, 200, 100, 50, 128, 9, 8, 7, 255, 0, 255, 0, 1, 4, 4, 4, 255, 5, 5, 5, 255};
    const std::vector<std::byte> file = webpFile(rgba, 3, 2);
    const Result<Image> image = decodeImage(file, "w.webp", {.maxSideTexels = 3, .maxTexels = 6, .maxDecodedBytes = 24});
    ASSERT_TRUE(image) << image.error().message;
    EXPECT_EQ(image->width, 3U);
    EXPECT_EQ(image->height, 2U);
    EXPECT_TRUE(image->hasAlpha);
    EXPECT_EQ(std::memcmp(image->bytes.data(), rgba.data(), rgba.size()), 0);
    EXPECT_EQ(decodeImage(file, "w", {.maxTexels = 5}).error().code, ErrorCode::OutOfBudget);
    for (std::size_t size = 12; size < file.size(); ++size)
    {
        const Result<Image> cut = decodeImage(std::span(file).first(size), "cut");
        ASSERT_FALSE(cut) << size;
        EXPECT_EQ(cut.error().code, ErrorCode::BadFile);
        EXPECT_THAT(cut.error().message, HasSubstr("image \"cut\": WebP: "));
    }
}

TEST(HdrDecode, ReadsFlatTexelsAsLinearFloats)
{
    const Result<Image> image = decodeImage(bytesOf(hdrFile("-Y 1 +X 2", std::string("\x80\x40\x00\x81\xff\x01\x02\x00", 8))), "flat");
    ASSERT_TRUE(image) << image.error().message;
    EXPECT_EQ(image->format, ImageFormat::Rgba32F);
    EXPECT_FALSE(image->hasAlpha);
    EXPECT_THAT(floatsOf(*image), ElementsAre(1.0f, 0.5f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f)); // exponent 0 is black
}

TEST(HdrDecode, RepeatsTexelsInTheOldWay)
{
    const std::string row("\x80\x00\x00\x82\x01\x01\x01\x02\x01\x01\x01\x01", 12); // 1 + 2 + 1 * 256
    const Result<Image> image = decodeImage(bytesOf(hdrFile("-Y 1 +X 259", row)), "old");
    ASSERT_TRUE(image) << image.error().message;
    EXPECT_EQ(floatsOf(*image)[258 * 4], 2.0f);
    EXPECT_THAT(errorOfImage(hdrFile("-Y 1 +X 258", row)), HasSubstr("row 0 of 1 is broken"));
    EXPECT_THAT(errorOfImage(hdrFile("-Y 1 +X 2", std::string("\x01\x01\x01\x02", 4))), HasSubstr("BadFile")) << "nothing to repeat";
}

TEST(HdrDecode, ReadsRunsOfChannelsAndEveryOrderOfRows)
{
    const std::string head("\x02\x02\x00\x08", 4);
    const std::string red("\x08\x10\x20\x30\x40\x50\x60\x70\x80", 9); // eight values
    const std::string rest("\x88\x00\x83\x80\x85\x00\x88\x88", 8);    // green 0; blue 128 three times, then 0; exponent 136
    const std::string dark = head + std::string("\x88\x01\x88\x00\x88\x00\x88\x88", 8);
    const std::string rows = head + red + rest + dark;
    const auto redOf = [&](std::string_view resolution, std::size_t texel)
    {
        const Result<Image> image = decodeImage(bytesOf(hdrFile(resolution, rows)), "runs");
        return image ? floatsOf(*image)[texel * 4] : -1.0f;
    };
    EXPECT_EQ(redOf("-Y 2 +X 8", 0), 16.0f);
    EXPECT_EQ(redOf("-Y 2 +X 8", 7), 128.0f);
    EXPECT_EQ(redOf("-Y 2 +X 8", 8), 1.0f);
    EXPECT_EQ(redOf("-Y 2 -X 8", 0), 128.0f);
    EXPECT_EQ(redOf("+Y 2 +X 8", 0), 1.0f);
    EXPECT_EQ(redOf("+Y 2 +X 8", 8), 16.0f);
    const Result<Image> image = decodeImage(bytesOf(hdrFile("-Y 2 +X 8", rows)), "runs");
    ASSERT_TRUE(image);
    EXPECT_EQ(floatsOf(*image)[2 * 4 + 2], 128.0f);
    EXPECT_EQ(floatsOf(*image)[3 * 4 + 2], 0.0f);
    const std::string file = hdrFile("-Y 2 +X 8", rows);
    for (std::size_t size = 10; size < file.size(); ++size)
        EXPECT_THAT(errorOfImage(std::string_view(file).substr(0, size)), HasSubstr("BadFile image \"x\": HDR: ")) << size;
}

TEST(HdrDecode, RefusesWhatItCanNotRead)
{
    EXPECT_THAT(
        errorOfImage(hdrFile("-Y 1 +X 1", "abcd", "32-bit_rle_xyze")), HasSubstr("Unsupported image \"x\": HDR: FORMAT=32-bit_rle_xyze"));
    EXPECT_THAT(errorOfImage(hdrFile("+X 1 -Y 1", "abcd")), HasSubstr("stored by columns"));
    EXPECT_THAT(errorOfImage(hdrFile("-Y one +X 1", "abcd")), HasSubstr("is no size"));
    EXPECT_THAT(errorOfImage(hdrFile("-Y 99999999999999999999 +X 1", "abcd")), HasSubstr("is no size"));
    EXPECT_THAT(errorOfImage(hdrFile("-Y 4294967296 +X 4294967296", "abcd")), HasSubstr("OutOfBudget"));
    EXPECT_THAT(errorOfImage(hdrFile("-Y 0 +X 1", "")), HasSubstr("has no texels"));
    EXPECT_THAT(errorOfImage(hdrFile("-Y 1 +X 8", std::string("\x02\x02\x00\x09", 4))), HasSubstr("row 0")) << "a row of another width";
    EXPECT_THAT(errorOfImage(hdrFile("-Y 16 +X 4", "abcd"), {.maxDecodedBytes = 1023}), HasSubstr("OutOfBudget"));
    EXPECT_THAT(errorOfImage("#?RADIANCE\n" + std::string(70000, 'a')), HasSubstr("the header has no end"));
}

/// Sums of image_sums.tsv, made by a decoder of its own that shares no code with this library or libspng.
TEST(ImageDecode, ReadsEverySharedPngWithTheTexelsOfAnotherDecoder)
{
    const std::filesystem::path assets = sharedAssets();
    if (assets.empty())
        GTEST_SKIP() << "../shared/assets is not there";
    const std::vector<TsvRow> rows = readTsv("tests/asset/image_sums.tsv");
    ASSERT_EQ(rows.size(), 52U);
    for (const TsvRow& row : rows)
    {
        SCOPED_TRACE(row.at("file"));
        const Result<Image> image = decodeImage(readFile(assets / "image-formats/png" / row.at("file")), row.at("file"));
        ASSERT_TRUE(image) << image.error().message;
        EXPECT_EQ(image->width, numberOf(row, "width"));
        EXPECT_EQ(image->height, numberOf(row, "height"));
        std::size_t sums[4] = {};
        std::uint32_t weighted = 0;
        for (std::size_t i = 0; i < image->bytes.size(); ++i)
        {
            const auto value = std::to_integer<std::uint32_t>(image->bytes[i]);
            sums[i % 4] += value;
            weighted += static_cast<std::uint32_t>(i + 1) * value;
        }
        EXPECT_THAT(sums, ElementsAre(numberOf(row, "red"), numberOf(row, "green"), numberOf(row, "blue"), numberOf(row, "alpha")));
        EXPECT_EQ(weighted, numberOf(row, "weighted"));
    }
}

/// Texels of level 0 whose colours are the same in two Rgba8 images, within two of 255.
std::size_t equalTexelCount(const Image& a, const Image& b)
{
    std::size_t count = 0;
    for (std::size_t i = 0; i + 3 < a.levelBytes(0); i += 4)
    {
        int most = 0;
        for (std::size_t channel = 0; channel < 3; ++channel)
            most = std::max(most, std::abs(std::to_integer<int>(a.bytes[i + channel]) - std::to_integer<int>(b.bytes[i + channel])));
        count += most <= 2 ? 1 : 0;
    }
    return count;
}

TEST(ImageDecode, ReadsTheSharedWebpKtx2AndHdrFiles)
{
    const std::filesystem::path assets = sharedAssets();
    if (assets.empty())
        GTEST_SKIP() << "../shared/assets is not there";
    const auto decode = [&](const char* file) { return decodeImage(readFile(assets / file), file); };
    for (const char* file : {"image-formats/webp/test-lossless.webp", "image-formats/webp/test-lossy.webp",
             "image-formats/jpeg/testorig.jpg", "image-formats/jpeg/testimgint.jpg", "barn-lamp-ktx2/AnisotropyBarnLamp_normalbump.ktx2",
             "barn-lamp-ktx2/AnisotropyBarnLamp_occlusionroughnessmetal.ktx2", "barn-lamp-ktx2/AnisotropyBarnLamp_anisotropy.ktx2"})
    {
        const Result<Image> image = decode(file);
        ASSERT_TRUE(image) << image.error().message;
        EXPECT_EQ(image->format, ImageFormat::Rgba8) << file;
    }
    const Result<Image> rgb = decode("image-formats/ktx2/2d_rgb8.ktx2");
    const Result<Image> rgba = decode("image-formats/ktx2/2d_rgba8.ktx2");
    ASSERT_TRUE(rgb && rgba);
    EXPECT_EQ(rgb->mipCount, 6U);
    EXPECT_EQ(rgba->mipCount, 6U);
    EXPECT_GT(equalTexelCount(*rgb, *rgba), 1450U) << "of 1600: the same picture with another label";
    EXPECT_EQ(decode("image-formats/ktx2/2d_bc1.ktx2")->format, ImageFormat::Bc1);
    EXPECT_EQ(decode("image-formats/ktx2/2d_bc7.ktx2")->format, ImageFormat::Bc7);
    EXPECT_THAT(decode("image-formats/ktx2/2d_uastc.ktx2").error().message, HasSubstr("Basis Universal (UASTC)"));
    const Result<Image> normals = decode("barn-lamp-ktx2/AnisotropyBarnLamp_normalbump.ktx2");
    double blue = 0.0;
    for (std::size_t i = 2; i < normals->bytes.size(); i += 4)
        blue += std::to_integer<int>(normals->bytes[i]);
    EXPECT_GT(blue / (1024.0 * 1024.0), 200.0) << "normals point out of the surface";
    const Result<Image> sky = decode("env-hdr/kiara_1_dawn_1k.hdr");
    ASSERT_TRUE(sky) << sky.error().message;
    EXPECT_EQ(sky->width, 1024U);
    const std::vector<float> texels = floatsOf(*sky);
    EXPECT_TRUE(std::all_of(texels.begin(), texels.end(), [](float v) { return std::isfinite(v) && v >= 0.0f; }));
    EXPECT_GT(*std::max_element(texels.begin(), texels.end()), 2.0f) << "brighter than white somewhere";
    const Result<Image> red = decode("broken/validator/ext/EXT_texture_webp/data/image/VP8L_red.webp");
    ASSERT_TRUE(red) << red.error().message;
    EXPECT_EQ(std::to_integer<int>(red->bytes[0]), 255);
    EXPECT_EQ(std::to_integer<int>(red->bytes[1]), 0);
}

/// One material whose base colour is texture 0; images are given as data URIs.
std::string textureScene(std::string_view texture, const std::vector<std::vector<std::byte>>& images, std::string_view more = {})
{
    std::string list;
    for (const std::vector<std::byte>& image : images)
        list += std::string(list.empty() ? "" : ",") + R"({"uri":"data:application/octet-stream;base64,)" + encodeBase64(image) + "\"}";
    return R"({"asset":{"version":"2.0"},"materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],"textures":[)" +
           std::string(texture) + "],\"images\":[" + list + "]" + std::string(more) + "}";
}

TEST(GltfTextureSources, PrefersWebpAndFallsBackWhereItIsBroken)
{
    constexpr std::string_view kTexture = R"({"source":0,"extensions":{"EXT_texture_webp":{"source":1}}})";
    const std::string required = R"(,"extensionsUsed":["EXT_texture_webp"],"extensionsRequired":["EXT_texture_webp"])";
    const std::vector<std::byte> webp = webpFile({9, 8, 7, 255}, 1, 1);
    const Result<SceneDescription> scene = importText(textureScene(kTexture, {onePixelPng(1, 1, 1, 255), webp}, required));
    ASSERT_TRUE(scene) << scene.error().message;
    EXPECT_EQ(scene->materials[0].baseColor.imageIndex, 1U);
    EXPECT_EQ(std::to_integer<int>(scene->images[1].bytes[0]), 9);
    EXPECT_TRUE(scene->issues.empty());

    const std::vector<std::byte> cut(webp.begin(), webp.end() - 4);
    const Result<SceneDescription> saved =
        importText(textureScene(kTexture, {onePixelPng(1, 1, 1, 255), cut}, required), {.isStrict = true});
    ASSERT_TRUE(saved) << saved.error().message;
    EXPECT_EQ(saved->materials[0].baseColor.imageIndex, 0U);
    ASSERT_TRUE(hasIssue(*saved, "broken-image"));
    EXPECT_THAT(saved->issues[0].message, HasSubstr("its fallback is used"));

    const Result<SceneDescription> lost = importText(textureScene(R"({"extensions":{"EXT_texture_webp":{"source":0}}})", {cut}));
    ASSERT_TRUE(lost) << lost.error().message;
    EXPECT_EQ(lost->images[0].width, 1U);
    EXPECT_EQ(lost->issues[0].severity, IssueSeverity::Warning);
}

TEST(GltfTextureSources, GivesNoTextureTheFallbackOfAnother)
{
    const std::vector<std::byte> webp = webpFile({9, 8, 7, 255}, 1, 1);
    const std::vector<std::byte> cut(webp.begin(), webp.end() - 4);
    const std::vector<std::vector<std::byte>> images = {onePixelPng(200, 0, 0, 255), onePixelPng(0, 200, 0, 255), cut};
    constexpr std::string_view kRed = R"({"source":0,"extensions":{"EXT_texture_webp":{"source":2}}})";
    constexpr std::string_view kGreen = R"({"source":1,"extensions":{"EXT_texture_webp":{"source":2}}})";
    for (const std::string_view other : {kGreen, std::string_view(R"({"source":2})")})
    {
        std::string text = textureScene(std::string(kRed) + "," + std::string(other), images); // both textures name the broken image
        const std::string_view used = R"("materials":[)";
        text.insert(text.find(used) + used.size(), R"({"pbrMetallicRoughness":{"baseColorTexture":{"index":1}}},)");
        const Result<SceneDescription> scene = importText(text);
        ASSERT_TRUE(scene) << scene.error().message;
        for (const Material& material : scene->materials)
        {
            EXPECT_EQ(material.baseColor.imageIndex, 2U) << "its own, neutral";
            EXPECT_EQ(std::to_integer<int>(scene->images[2].bytes[0]), 255);
        }
        ASSERT_TRUE(hasIssue(*scene, "broken-image"));
        EXPECT_EQ(scene->issues[0].severity, IssueSeverity::Warning);
        EXPECT_FALSE(importText(text, {.isStrict = true}));
    }
}

TEST(GltfTextureSources, RefusesBasisUnlessAnotherSourceStandsBesideIt)
{
    constexpr std::string_view kRequired = R"(,"extensionsUsed":["KHR_texture_basisu"],"extensionsRequired":["KHR_texture_basisu"])";
    constexpr std::string_view kUsed = R"(,"extensionsUsed":["KHR_texture_basisu"])";
    constexpr std::string_view kAlone = R"({"extensions":{"KHR_texture_basisu":{"source":0}}})";
    constexpr std::string_view kBeside = R"({"source":1,"extensions":{"KHR_texture_basisu":{"source":0}}})";
    const std::vector<std::byte> basis =
        encodeKtx2File({.vkFormat = 0, .width = 4, .height = 4, .colorModel = 166, .levels = {std::vector<std::byte>(16)}});
    const std::vector<std::byte> png = onePixelPng(50, 1, 1, 255);

    EXPECT_THAT(errorOf(importText(textureScene(kAlone, {basis}, kRequired))), HasSubstr("KHR_texture_basisu, which is not supported"));
    const Result<SceneDescription> beside = importText(textureScene(kBeside, {basis, png}, kRequired), {.isStrict = true});
    ASSERT_TRUE(beside) << beside.error().message;
    EXPECT_EQ(beside->materials[0].baseColor.imageIndex, 1U);
    EXPECT_EQ(std::to_integer<int>(beside->images[1].bytes[0]), 50);
    const Result<SceneDescription> alone = importText(textureScene(kAlone, {basis}, kUsed));
    ASSERT_TRUE(alone) << alone.error().message;
    EXPECT_FALSE(alone->materials[0].baseColor.isPresent());
    ASSERT_TRUE(hasIssue(*alone, "missing-image"));
    EXPECT_THAT(errorOf(importText(textureScene(kAlone, {basis}, kUsed), {.isStrict = true})), HasSubstr("Basis Universal"));
    const Result<SceneDescription> direct = importText(textureScene(R"({"source":0})", {basis}));
    ASSERT_TRUE(direct);
    ASSERT_TRUE(hasIssue(*direct, "image-format-unsupported"));
    EXPECT_THAT(direct->issues[0].message, HasSubstr("Basis Universal (UASTC)"));
}

TEST(GltfTextureSources, TakesKtx2AsAnImageSourceWithItsMips)
{
    const Result<SceneDescription> scene = importText(textureScene(R"({"source":0})",
        {encodeKtx2File({.width = 2, .height = 2, .levelCount = 2, .levels = {std::vector<std::byte>(16), std::vector<std::byte>(4)}})}));
    ASSERT_TRUE(scene) << scene.error().message;
    EXPECT_TRUE(scene->issues.empty());
    EXPECT_EQ(scene->images[0].mipCount, 2U);
    const std::filesystem::path assets = sharedAssets();
    if (assets.empty())
        GTEST_SKIP() << "../shared/assets is not there";
    const Result<SceneDescription> lamp = importGltf(assets / "barn-lamp-ktx2/AnisotropyBarnLamp.gltf");
    ASSERT_TRUE(lamp) << lamp.error().message;
    EXPECT_EQ(lamp->images[0].width, 1024U);
    EXPECT_FALSE(hasIssue(*lamp, "image-format-unsupported"));
    const Result<SceneDescription> board = importGltf(assets / "image-formats/image-board.gltf");
    ASSERT_TRUE(board) << board.error().message;
    EXPECT_TRUE(board->issues.empty());
}

} // namespace
} // namespace dl::test
