// Hostile files through `drawloom inspect`: the shared broken ones by the rule of exit codes, and files made to fill memory
// or time. Each run is measured: processor time and the most memory that the process held.
#include "tests/asset/shared_index.h"
#include "tests/cli/program_fixture.h"

#include <algorithm>
#include <map>

namespace dl
{
namespace
{

constexpr int kBadInput = 3;
constexpr double kMaxSeconds = 2.0;
constexpr std::uint64_t kMaxBytes = 300'000'000;

class Hostile : public Program
{
protected:
    /// Within time and memory, and 0 or 3.
    ProgramResult inspect(const std::string& file, std::uint64_t maxBytes = kMaxBytes)
    {
        ProgramResult result = drawloom({"inspect", "--json", file});
        EXPECT_TRUE(result.exitCode == 0 || result.exitCode == kBadInput) << file << ": " << result.exitCode << " " << result.err;
        EXPECT_LE(result.cpuSeconds, kMaxSeconds) << file;
        EXPECT_LE(result.maxRssBytes, maxBytes) << file;
        EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), result.exitCode == 0 ? 0 : 1) << file << ": " << result.err;
        return result;
    }
    void isRefused(const std::string& text, const std::string& name, const std::string& bytes, std::uint64_t maxBytes = 60'000'000)
    {
        writeText(path(name), bytes);
        const ProgramResult result = inspect(path(name), maxBytes);
        EXPECT_EQ(result.exitCode, kBadInput) << name;
        EXPECT_NE(result.err.find(text), std::string::npos) << name << ": " << result.err;
    }
};

bool isInspected(const std::filesystem::path& file)
{
    for (const char* extension : {".gltf", ".glb", ".png", ".jpg", ".jpeg", ".webp", ".ktx2"})
        if (file.extension() == extension)
            return true;
    return false;
}

bool listsAFault(const std::string& json)
{
    const nlohmann::json facts = parseJson(json);
    for (const nlohmann::json& issue : facts.at("issues"))
        if (issue.at("severity") != "info")
            return true;
    return false;
}

std::string bigEndian(std::uint32_t value)
{
    return {static_cast<char>(value >> 24U), static_cast<char>(value >> 16U), static_cast<char>(value >> 8U), static_cast<char>(value)};
}

std::uint32_t crcOf(const std::string& bytes)
{
    std::uint32_t crc = 0xffffffffU;
    for (const char c : bytes)
    {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xedb88320U : 0U);
    }
    return ~crc;
}

std::string pngChunk(const std::string& type, const std::string& data)
{
    return bigEndian(static_cast<std::uint32_t>(data.size())) + type + data + bigEndian(crcOf(type + data));
}

/// A deflate stream of one fixed-Huffman block: a zero byte, then `matches` times 258 copies of it.
std::string zeroBomb(std::size_t matches)
{
    std::string out = "\x78\x01";
    std::uint32_t bits = 0;
    int bitCount = 0;
    const auto put = [&](std::uint32_t code, int length, bool isHuffman)
    {
        for (int i = 0; i < length; ++i)
        {
            const std::uint32_t bit = (isHuffman ? code >> static_cast<unsigned>(length - 1 - i) : code >> static_cast<unsigned>(i)) & 1U;
            bits |= bit << static_cast<unsigned>(bitCount++);
            if (bitCount == 8)
            {
                out += static_cast<char>(bits);
                bits = 0;
                bitCount = 0;
            }
        }
    };
    put(1, 1, false); // last block
    put(1, 2, false); // fixed codes
    put(0x30, 8, true);
    for (std::size_t i = 0; i < matches; ++i)
    {
        put(0xc5, 8, true); // length 258
        put(0, 5, true);    // one byte back
    }
    put(0, 7, true);
    put(0, 7, false);
    return out; // no checksum: nobody should come so far
}

std::string png(std::uint32_t width, std::uint32_t height, char depth, char colour, const std::string& before, const std::string& data)
{
    return "\x89PNG\r\n\x1a\n" + pngChunk("IHDR", bigEndian(width) + bigEndian(height) + depth + colour + std::string(3, '\0')) + before +
           pngChunk("IDAT", data) + pngChunk("IEND", "");
}

std::string littleEndian64(std::uint64_t value)
{
    std::string out;
    for (unsigned shift = 0; shift < 64; shift += 8)
        out += static_cast<char>(value >> shift);
    return out;
}

std::string gltf(const std::string& rest)
{
    return R"({"asset":{"version":"2.0"},)" + rest + "}";
}

/// One primitive over these accessors, with a buffer of 12 bytes behind them.
std::string primitiveOver(const std::string& accessors, const std::string& attributes, const std::string& more = "")
{
    return gltf(R"("buffers":[{"byteLength":12,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAA"}],)"
                R"("bufferViews":[{"buffer":0,"byteLength":12}],"accessors":[)" +
                accessors + R"(],"meshes":[{"primitives":[{"attributes":{)" + attributes + "}" + more + "}]}]");
}

TEST_F(Hostile, SharedFilesEndAsTheIndexSaysInTimeAndMemory)
{
    const std::filesystem::path assets = test::sharedAssets();
    if (assets.empty())
        GTEST_SKIP() << "../shared/assets is absent";
    std::map<std::string, std::size_t> errorsOf;
    for (const test::TsvRow& row : test::readTsv(assets / "index.tsv"))
        errorsOf[row.at("file")] = row.at("validator_errors") == "0" ? 0 : 1; // "-1": no glTF at all
    // Without validator errors, and refused for what they need.
    const std::map<std::string, std::string> refused = {};
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(assets / "broken"))
    {
        if (!entry.is_regular_file() || !isInspected(entry.path()))
            continue;
        ++count;
        const std::string name = std::filesystem::relative(entry.path(), assets).string();
        const ProgramResult result = inspect(entry.path().string());
        const auto listed = errorsOf.find(name);
        if (listed == errorsOf.end())
            continue;
        if (listed->second == 0)
        {
            EXPECT_EQ(result.exitCode, refused.contains(name) ? kBadInput : 0) << name << ": " << result.err;
        }
        else if (result.exitCode == 0)
        {
            EXPECT_TRUE(listsAFault(result.out)) << name;
        }
    }
    EXPECT_GT(count, 190U);
}

TEST_F(Hostile, JsonIsLimitedBeforeItIsWalked)
{
    isRefused("JSON", "arrays.gltf", gltf(R"("extras":)" + std::string(200'000, '[') + std::string(200'000, ']')));
    isRefused("JSON", "open.gltf", std::string(200'000, '['));
    std::string objects = "1";
    for (int i = 0; i < 2000; ++i)
        objects = R"({"a":)" + objects + "}";
    isRefused("JSON", "objects.gltf", gltf(R"("extras":)" + objects));
    isRefused("JSON", "arrays.scene.json", R"({"drawloomScene":1,"note":)" + std::string(200'000, '[') + std::string(200'000, ']') + "}");
}

TEST_F(Hostile, FaultsWithoutNumberAreCut)
{
    std::string materials = R"({"alphaMode":"X"})";
    for (int i = 0; i < 50'000; ++i)
        materials += R"(,{"alphaMode":"X"})";
    writeText(path("many.gltf"), gltf(R"("materials":[)" + materials + "]"));
    const ProgramResult result = inspect(path("many.gltf"));
    ASSERT_EQ(result.exitCode, 0);
    const nlohmann::json issues = parseJson(result.out).at("issues");
    EXPECT_EQ(issues.size(), 2001U);
    EXPECT_EQ(issues.back().at("code"), "issues-cut");
}

TEST_F(Hostile, ListsOfHalfAMillionEmptyEntriesAreListedInPart)
{
    std::string entries = "{}";
    for (int i = 1; i < 500'000; ++i)
        entries += ",{}";
    for (const char* list : {"images", "nodes", "materials"})
    {
        writeText(path("many.gltf"), gltf("\"" + std::string(list) + "\":[" + entries + "]"));
        const ProgramResult result = inspect(path("many.gltf"));
        ASSERT_EQ(result.exitCode, 0) << list;
        const nlohmann::json facts = parseJson(result.out);
        EXPECT_EQ(facts.at("scene").at(std::string(list) == "images" ? "textures" : list), 500'000) << list;
        if (facts.contains(list))
        {
            EXPECT_EQ(facts.at(list).size(), 100'000U);
            EXPECT_EQ(facts.at("notListed").at(list), 400'000);
        }
    }
}

TEST_F(Hostile, APictureThatManyImagesNameIsDecodedOnce)
{
    // 515 bytes a row with its filter, 4127 rows: what 8238 matches and their first byte unpack to.
    const std::uint32_t size = 515 * 4127;
    writeText(path("one.png"), png(4112, 4127, 1, 0, "", zeroBomb(8238) + bigEndian(size % 65521U << 16U | 1U)));
    std::string images = R"({"uri":"one.png"})";
    for (int i = 1; i < 100; ++i)
        images += R"(,{"uri":"one.png"})";
    writeText(path("many.gltf"), gltf("\"images\":[" + images + "]"));
    const ProgramResult result = inspect(path("many.gltf"), 200'000'000);
    ASSERT_EQ(result.exitCode, 0) << result.err;
    EXPECT_EQ(parseJson(result.out).at("images").size(), 1U);
}

TEST_F(Hostile, NamesDoNotMeetEachOtherPairwiseAndAreShortInMessages)
{
    std::string declared = R"("E")";
    std::string used = R"("F":{})";
    for (int i = 0; i < 100'000; ++i)
    {
        declared += ",\"E" + std::to_string(i) + '"';
        used += ",\"F" + std::to_string(i) + "\":{}";
    }
    writeText(path("pairs.gltf"), gltf(R"("extensionsUsed":[)" + declared + R"(],"nodes":[{"extensions":{)" + used + "}}]"));
    EXPECT_EQ(inspect(path("pairs.gltf")).exitCode, 0);
    isRefused("can not be read without nnnn", "long.gltf", gltf(R"("extensionsRequired":[")" + std::string(2'000'000, 'n') + "\"]"));
    EXPECT_LT(inspect(path("long.gltf")).err.size(), 1000U);
}

TEST_F(Hostile, SparseFilesAreNotReadBeforeTheirHeadIsJudged)
{
    const std::string head = std::string("glTF\x02\0\0\0\x30\0\0\0\x1c\0\0\0JSON", 20);
    writeText(path("sparse.glb"), head + R"({"asset":{"version":"2.0"}})" + " ");
    std::filesystem::resize_file(path("sparse.glb"), 1'900'000'000);
    EXPECT_EQ(inspect(path("sparse.glb"), 60'000'000).exitCode, 0);
}

TEST_F(Hostile, WhatFillsTheBudgetNamesTheOptionThatRaisesIt)
{
    const std::string zeros = primitiveOver(R"({"componentType":5126,"type":"VEC3","count":200000})", R"("POSITION":0)");
    writeText(path("zeros.gltf"), zeros);
    fails(kBadInput, "raise maxDecodedBytes (--max-memory, now 1 MiB)", {"inspect", path("zeros.gltf"), "--max-memory", "1"});
    fails(kBadInput, "raise maxDecodedBytes (--max-memory, now 1 MiB)",
        {"render", path("zeros.gltf"), "--out", path("out"), "--backend", "null", "--max-memory", "1"});
    EXPECT_EQ(inspect(path("zeros.gltf")).exitCode, 0);
}

TEST_F(Hostile, MemoryThatTheSystemRefusesIsSaidInOneLine)
{
    std::string nodes = "{}";
    for (int i = 1; i < 2'000'000; ++i)
        nodes += ",{}";
    writeText(path("many.gltf"), gltf("\"nodes\":[" + nodes + "]"));
    const ProgramResult result =
        runProgram("/bin/sh", {"-c", R"(ulimit -v 500000; exec "$0" inspect "$1")", DRAWLOOM_PROGRAM, path("many.gltf")});
    EXPECT_EQ(result.exitCode, kBadInput) << result.err;
    EXPECT_NE(result.err.find("no memory left while inspecting"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("many.gltf"), std::string::npos) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

TEST_F(Hostile, AccessorsOf2To31ElementsTakeNoMemory)
{
    const std::string view = R"("bufferView":0,"componentType":5126,"type":"VEC3","count":)";
    const std::string none = R"("componentType":5126,"type":"VEC3","count":)";
    for (const char* count : {"2147483648", "4294967296", "9007199254740992", "715827883"})
    {
        isRefused("do not fit", "view.gltf", primitiveOver("{" + view + count + "}", R"("POSITION":0)"));
        isRefused("maxVertexCount", "zeros.gltf", primitiveOver("{" + none + count + "}", R"("POSITION":0)"));
        isRefused("", "sparse.gltf",
            primitiveOver("{" + none + R"(3,"sparse":{"count":)" + count +
                              R"(,"indices":{"bufferView":0,"componentType":5125},"values":{"bufferView":0}}})",
                R"("POSITION":0)"));
        isRefused("", "indices.gltf",
            primitiveOver(
                R"({"bufferView":0,"componentType":5126,"type":"VEC3","count":1},{"componentType":5125,"type":"SCALAR","count":)" +
                    std::string(count) + "}",
                R"("POSITION":0)", R"(,"indices":1)"),
            100'000'000);
        isRefused("", "keys.gltf",
            gltf(
                R"("nodes":[{}],"accessors":[{"componentType":5126,"type":"SCALAR","count":)" + std::string(count) +
                R"(}],"animations":[{"samplers":[{"input":0,"output":0}],"channels":[{"sampler":0,"target":{"node":0,"path":"scale"}}]}])"),
            100'000'000);
    }
}

TEST_F(Hostile, ImagesOf2To31TexelsAndBombsTakeNoMemory)
{
    isRefused("exceeds the limit", "wide.png", png(2147483647, 1, 8, 6, "", "x"));
    isRefused("exceed the limit", "square.png", png(46341, 46341, 1, 0, "", "x"));
    isRefused("can not be in", "forged.png", png(8192, 8192, 8, 6, "", "x"));
    // 2^28 texels of one bit, all there, in 200 kB.
    isRefused("exceed the limit", "bomb.png", png(16384, 16384, 1, 0, "", zeroBomb(130'200)));
    // A profile and a text that would unpack to a gigabyte, before an honest texel.
    const std::string texel("\x78\x01\x01\x05\x00\xfa\xff\x00\x00\x00\x00\x00\x00\x05\x00\x01", 16);
    const std::string bomb = zeroBomb(4'000'000);
    for (const auto& [type, head] :
        {std::pair<std::string, std::string>{"iCCP", std::string("p\0\0", 3)}, {"zTXt", std::string("t\0\0", 3)}})
    {
        writeText(path("chunk.png"), png(1, 1, 8, 6, pngChunk(type, head + bomb), texel));
        inspect(path("chunk.png"), 100'000'000);
    }
    isRefused("exceed the limit", "wide.hdr", "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2 +X 1073741824\n\x02\x02");
}

TEST_F(Hostile, ZstandardBombsInKtx2StopAtTheLevelsSize)
{
    std::string file = readText("tests/fuzz/seeds/image/rgb_zstd.ktx2");
    ASSERT_GT(file.size(), 104U);
    std::string bomb("\x28\xb5\x2f\xfd\x00\x58", 6); // no content size, window of 2 MiB
    for (int i = 0; i < 8000; ++i)                   // blocks of 128 KiB of one byte: a gigabyte
    {
        const std::uint32_t block = (i == 7999 ? 1U : 0U) | (1U << 1U) | (131'072U << 3U);
        bomb += std::string{static_cast<char>(block), static_cast<char>(block >> 8U), static_cast<char>(block >> 16U), 'x'};
    }
    file.resize((file.size() + 7) / 8 * 8, '\0');
    file.replace(80, 16, littleEndian64(file.size()) + littleEndian64(bomb.size()));
    isRefused("Zstandard", "bomb.ktx2", file + bomb);
    file.replace(96, 8, littleEndian64(1ULL << 31U));
    isRefused("", "size.ktx2", file + bomb);
}

TEST_F(Hostile, CompressedGeometryCanNotAskForMoreThanItsBytesHold)
{
    const auto meshopt = [&](const std::string& mode, const std::string& stride, const std::string& count, const std::string& length)
    {
        return gltf(
            R"("extensionsUsed":["EXT_meshopt_compression"],"buffers":[{"byteLength":12,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAA"}],)"
            R"("bufferViews":[{"buffer":0,"byteLength":)" +
            length + R"(,"extensions":{"EXT_meshopt_compression":{"buffer":0,"byteLength":12,"mode":")" + mode + R"(","byteStride":)" +
            stride + R"(,"count":)" + count +
            R"(}}}],"accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":1}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}])");
    };
    isRefused("can not hold", "attributes.gltf", meshopt("ATTRIBUTES", "256", "16777216", "4294967296"));
    isRefused("can not hold", "triangles.gltf", meshopt("TRIANGLES", "4", "2147483646", "8589934584"));
    isRefused("can not hold", "indices.gltf", meshopt("INDICES", "4", "2147483648", "8589934592"));
    isRefused("", "draco.gltf",
        primitiveOver(R"({"componentType":5126,"type":"VEC3","count":67108864},{"componentType":5125,"type":"SCALAR","count":2147483646})",
            R"("POSITION":0)", R"(,"indices":1,"extensions":{"KHR_draco_mesh_compression":{"bufferView":0,"attributes":{"POSITION":0}}})"));
}

TEST_F(Hostile, StrictRefusesWhatIsAWarningElse)
{
    const std::string text = gltf(R"("images":[{"uri":"absent.png"}],"textures":[{"source":0}],)"
                                  R"("materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}])");
    writeText(path("missing.gltf"), text);
    EXPECT_TRUE(listsAFault(inspect(path("missing.gltf")).out));
    fails(kBadInput, "absent.png", {"inspect", path("missing.gltf"), "--strict"});
    const std::vector<std::string> render = {"render", path("missing.gltf"), "--out", path("out"), "--backend", "null", "--size", "8x8"};
    EXPECT_EQ(drawloom(render).exitCode, 0);
    std::vector<std::string> strict = render;
    strict.emplace_back("--strict");
    fails(kBadInput, "absent.png", strict);
    writeText(path("broken.png"), "\x89PNG\r\n\x1a\nnot at all");
    writeText(path("broken.gltf"), gltf(R"("images":[{"uri":"broken.png"}])"));
    EXPECT_TRUE(listsAFault(inspect(path("broken.gltf")).out));
    fails(kBadInput, "broken.png", {"inspect", path("broken.gltf"), "--strict"});
    writeText(path("rule.gltf"), gltf(R"("nodes":[])"));
    EXPECT_TRUE(listsAFault(inspect(path("rule.gltf")).out)) << "glTF has no empty arrays";
    fails(kBadInput, "empty array", {"inspect", path("rule.gltf"), "--strict"});
    done({"inspect", scene("alpha-modes"), "--strict"});
}

TEST_F(Hostile, ImagesOutsideTheFolderAreNamedAndNotRead)
{
    writeText(path("secret.png"), "secret");
    std::filesystem::create_directories(path("in"));
    std::filesystem::create_symlink("../secret.png", path("in/link.png"));
    for (const std::string& uri :
        {std::string("../../etc/passwd"), std::string("../secret.png"), std::string("%2e%2e/secret.png"), std::string("..\\\\secret.png"),
            std::string("/etc/passwd"), std::string("file:///etc/passwd"), std::string("link.png"), std::string("%2Fetc%2Fpasswd")})
    {
        writeText(path("in/a.gltf"), gltf(R"("images":[{"uri":")" + uri + R"("}])"));
        const nlohmann::json issues = parseJson(inspect(path("in/a.gltf")).out).at("issues");
        ASSERT_FALSE(issues.empty()) << uri;
        EXPECT_EQ(issues[0].at("code"), "uri-outside-folder") << uri;
        fails(kBadInput, "is refused", {"inspect", path("in/a.gltf"), "--strict"});
        writeText(path("in/b.gltf"), gltf(R"("buffers":[{"byteLength":1,"uri":")" + uri + R"("}])"));
        fails(kBadInput, "is refused", {"inspect", path("in/b.gltf"), "--strict"});
    }
}

} // namespace
} // namespace dl
