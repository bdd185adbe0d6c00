// Exit codes and messages: what the program says to words it can not take, and to files and devices that fail.
#include "tests/cli/program_fixture.h"

#include <algorithm>
#include <sys/stat.h>
#include <sys/sysmacros.h>

namespace dl
{
namespace
{

constexpr int kUsage = 2, kBadInput = 3, kNoDevice = 4;

class Usage : public Program
{
protected:
    std::vector<std::string> nullRender(std::vector<std::string> more = {})
    {
        std::vector<std::string> words = {"render", scene("alpha-modes"), "--out", path("out"), "--backend", "null"};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    void refused(const std::string& text, const std::vector<std::string>& more) { fails(kUsage, text, nullRender(more)); }
};

using BadInput = Usage;
using BadOutput = Usage;
using BadDevice = Usage;

} // namespace

TEST_F(Usage, NamesWhatIsMissing)
{
    fails(kUsage, "render, inspect and replay", {});
    fails(kUsage, "no command \"draw\"", {"draw"});
    fails(kUsage, "INPUT", {"render"});
    fails(kUsage, "--out", {"render", "a.glb"});
    fails(kUsage, "FILE", {"inspect"});
    fails(kUsage, "CAPTURE", {"replay"});
    refused("--bogus", {"--bogus"});
    refused("--eye", {"--target", "1,2,3"});
    refused("--target", {"--eye", "1,2,3"});
}

TEST_F(Usage, PrintsHelpAndVersionToStdout)
{
    for (const std::vector<std::string>& words :
        {std::vector<std::string>{"--help"}, {"--version"}, {"render", "--help"}, {"inspect", "--help"}, {"replay", "--help"}})
        EXPECT_NE(done(words).out, "");
}

TEST_F(Usage, TakesPictureSizesWithinLimitsOnly)
{
    for (const char* size : {"1x1", "8192x1", "1x8192"})
        EXPECT_EQ(drawloom(nullRender({"--size", size})).exitCode, 0) << size;
    for (const char* size :
        {"0x1", "1x0", "8193x1", "1x8193", "-1x5", "100", "x", "axb", "1e3x4", "10x10x", " 10x10", "4294967297x1", "99999999999x1"})
        refused("--size: takes WIDTHxHEIGHT", {"--size", size});
}

TEST_F(Usage, TakesFiniteVectorsOnly)
{
    EXPECT_EQ(drawloom(nullRender({"--eye", "-1,-2.5,1e3", "--target", "0,0,0"})).exitCode, 0);
    for (const char* vector : {"nan,0,0", "0,inf,0", "1,2", "1,2,3,4", "a,b,c", "1e39,0,0", "2e9,0,0", "", "1,,2", "1, 2,3"})
    {
        refused("--eye: takes X,Y,Z", {"--eye", vector, "--target", "0,0,0"});
        refused("--orbit: takes YAW,PITCH,DIST", {"--orbit", vector});
    }
}

TEST_F(Usage, RefusesCamerasThatContradict)
{
    refused("same point", {"--eye", "1,2,3", "--target", "1,2,3"});
    refused("negative", {"--orbit", "0,0,-1"});
    refused("excludes", {"--orbit", "0,0,1", "--camera", "camera"});
    refused("excludes", {"--eye", "0,0,1", "--target", "0,0,0", "--camera", "camera"});
}

TEST_F(Usage, RefusesNumbersOutOfRange)
{
    for (const char* frames : {"0", "-1", "1.5", "100001", "x"})
        refused("--frames", {"--frames", frames});
    for (const char* time : {"nan", "inf", "-1", "1e7", "x"})
        refused("--time: takes seconds", {"--time", time});
    for (const char* threads : {"-1", "257", "x"})
        refused("--threads", {"--threads", threads});
}

TEST_F(Usage, NamesTheOptionTheValueAndWhatIsAllowed)
{
    refused("--msaa: takes 1 or 4, got \"x\"", {"--msaa=x"});
    refused("--msaa: takes 1 or 4, got \"3\"", {"--msaa=3"});
    refused("--frames: takes a whole number, 1 to 100000, got \"-1\"", {"--frames=-1"});
    refused("--threads: takes a whole number, 0 to 256, got \"many\"", {"--threads", "many"});
    refused("--time: takes seconds, 0 to 1000000, got \"soon\"", {"--time", "soon"});
    refused("--size: takes WIDTHxHEIGHT, each 1 to 8192, as in 640x400, got \"8193x1\"", {"--size", "8193x1"});
    refused("--shadows: takes on or off, got \"maybe\"", {"--shadows", "maybe"});
    refused("--view: takes batches, overdraw, normals, albedo, lod, mips or velocity, got \"nope\"", {"--view", "nope"});
    fails(kUsage, "--backend: takes vulkan or null, got \"metal\"", {"render", "a.glb", "--out", path("out"), "--backend", "metal"});
    refused(std::string(64, 'x') + "\" (see", {"--msaa", std::string(1000, 'x')});
}

TEST_F(Usage, RefusesPicksThatCanNotBeAnswered)
{
    const std::vector<std::string> render = {"render", scene("alpha-modes"), "--out", path("out"), "--size", "40x30", "--pick"};
    const auto pick = [&](const char* texel, const std::string& text, std::vector<std::string> more = {})
    {
        std::vector<std::string> words = render;
        words.emplace_back(texel);
        words.insert(words.end(), more.begin(), more.end());
        fails(kUsage, text, words);
    };
    pick("40,0", "outside");
    pick("0,30", "outside");
    pick("-1,0", "takes X,Y");
    pick("1", "takes X,Y");
    pick("1,2,3", "takes X,Y");
    pick("1,1", "--view", {"--view", "normals"});
    pick("1,1", "--backend null", {"--backend", "null"});
}

TEST_F(Usage, RefusesEmptyWords)
{
    fails(kUsage, "empty", {"render", "", "--out", path("out")});
    fails(kUsage, "empty", {"render", scene("alpha-modes"), "--out", ""});
    fails(kUsage, "empty", {"inspect", ""});
    fails(kUsage, "empty", {"replay", ""});
    for (const char* option : {"--camera", "--capture", "--trace", "--driver"})
        refused("empty", {option, ""});
}

TEST_F(Usage, RefusesUnknownNames)
{
    refused("--view", {"--view", "nope"});
    refused("--msaa", {"--msaa", "2"});
    refused("--shadows", {"--shadows", "maybe"});
    refused("--backend", {"--backend", "metal"});
    fails(kBadInput, "it has \"camera\"", nullRender({"--camera", "nope"}));
}

TEST_F(BadInput, IsOneLineAndCodeThree)
{
    writeText(path("empty.glb"), "");
    writeText(path("empty.scene.json"), "");
    writeText(path("text.gltf"), "this is not JSON\nnor is this");
    writeText(path("text.png"), "this is no image");
    std::filesystem::create_directories(path("folder.glb"));
    for (const char* name : {"absent.glb", "empty.glb", "empty.scene.json", "text.gltf", "folder.glb", "absent", "."})
    {
        fails(kBadInput, "", {"render", path(name), "--out", path("out"), "--backend", "null"});
        fails(kBadInput, "", {"inspect", path(name)});
        fails(kBadInput, "", {"inspect", "--json", path(name)});
    }
    fails(kBadInput, "neither PNG, JPEG, WebP, KTX2 nor Radiance HDR", {"inspect", path("text.png")});
    fails(kBadInput, "no such file", {"inspect", path("absent.png")});
    fails(kBadInput, "no such file", {"inspect", path("absent")});
    const std::string accepted = "inspect takes a .glb, a .gltf, a composition (*.scene.json) or an image (PNG, JPEG, WebP, KTX2, HDR)";
    fails(kBadInput, "is a folder; " + accepted, {"inspect", path(".")});
    fails(kBadInput, "is a folder", {"inspect", path("folder.glb")});
    fails(kBadInput, "is a folder", {"render", path("."), "--out", path("out"), "--backend", "null"});
    writeText(path("notes.txt"), "no scene");
    fails(kBadInput, "is nothing that can be inspected; " + accepted, {"inspect", path("notes.txt")});
    EXPECT_FALSE(std::filesystem::exists(path("out"))) << "no folder is left behind for inputs that can not be read";
}

TEST_F(BadInput, OfJsonIsNamedByLineAndColumn)
{
    writeText(path("comma.scene.json"), "{\"drawloomScene\": 1,\n \"assets\": {},\n \"placements\": [],\n}\n");
    fails(kBadInput, "JSON: line 4, column 1: a name in double quotes is expected", {"inspect", path("comma.scene.json")});
    writeText(path("key.scene.json"), R"({"drawloomScene": 1, "assets": {}, "placements": [], "cameras": 1})");
    fails(kBadInput, "does not know \"cameras\"; it knows drawloomScene, name, note, root, roots, assets, placements, camera, light",
        {"inspect", path("key.scene.json")});
}

TEST_F(Usage, InspectPrintsShortNumbers)
{
    const std::string text = done({"inspect", scene("deformed")}).out;
    const std::string json = done({"inspect", "--json", scene("deformed")}).out;
    for (const std::string& out : {text, json})
    {
        std::size_t digits = 0, longest = 0;
        for (const char c : out)
        {
            digits = c >= '0' && c <= '9' ? digits + 1 : c == '.' ? digits : 0;
            longest = std::max(longest, digits);
        }
        EXPECT_LE(longest, 8U) << out;
    }
}

TEST_F(BadInput, OfTheSharedBrokenFilesNeverEndsOtherwise)
{
    const std::filesystem::path folder = "../shared/assets/broken";
    if (!std::filesystem::exists(folder))
        GTEST_SKIP() << folder << " is absent";
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    {
        const std::string extension = entry.path().extension().string();
        if (!entry.is_regular_file() || (extension != ".glb" && extension != ".gltf" && extension != ".png"))
            continue;
        if (++count % 8 != 0) // the importer's own tests read them all; this is about the program around it
            continue;
        const ProgramResult result = drawloom({"inspect", "--json", entry.path().string()});
        ASSERT_TRUE(result.exitCode == 0 || result.exitCode == kBadInput) << entry.path() << result.err;
        EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), result.exitCode == 0 ? 0 : 1) << entry.path() << result.err;
        if (result.exitCode == 0)
            parseJson(result.out);
    }
    EXPECT_GT(count, 100U);
}

TEST_F(BadInput, OfReplayIsRefused)
{
    done(nullRender({"--capture", path("good")}));
    const std::string good = readText(path("good"));
    ASSERT_GT(good.size(), 1000U);
    for (const std::size_t size : {std::size_t(0), std::size_t(10), std::size_t(40), good.size() / 2, good.size() - 1})
    {
        writeText(path("cut"), good.substr(0, size));
        fails(kBadInput, "capture", {"replay", path("cut"), "--backend", "null"});
    }
    std::string damaged = good;
    damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
    writeText(path("damaged"), damaged);
    fails(kBadInput, "damaged", {"replay", path("damaged"), "--backend", "null"});
    fails(kBadInput, "not a capture file", {"replay", scene("alpha-modes"), "--backend", "null"});
    fails(kBadInput, "no such file", {"replay", path("absent"), "--backend", "null"});
    fails(kBadInput, "", {"replay", path("."), "--backend", "null"});
}

TEST_F(BadOutput, OfAnyKindIsNamed)
{
    writeText(path("file"), "here");
    const std::string good = scene("alpha-modes");
    fails(kBadInput, "cannot make the folder", {"render", good, "--out", path("file"), "--backend", "null"});
    fails(kBadInput, "cannot make the folder", {"render", good, "--out", path("file/sub"), "--backend", "null"});
    EXPECT_EQ(readText(path("file")), "here");
    for (const char* option : {"--capture", "--trace"})
    {
        fails(kBadInput, "cannot write", nullRender({option, path("absent/file")}));
        fails(kBadInput, "cannot write", nullRender({option, path(".")}));
    }
    std::filesystem::create_directories(path("out/commands.txt"));
    fails(kBadInput, "commands.txt", nullRender({"--dump-commands"}));
}

TEST_F(BadOutput, OnAFullDiskIsNamedAndDevicesStayDevices)
{
    if (!std::filesystem::is_character_file("/dev/full"))
        GTEST_SKIP() << "/dev/full is absent";
    // A node of our own where we may make one: a program that replaces what it should write to must not harm the machine.
    // Who may not make one can not replace the real one either.
    const bool isOurs = ::mknod(path("full").c_str(), S_IFCHR | 0600, ::makedev(1, 7)) == 0;
    if (!isOurs)
        std::filesystem::create_symlink("/dev/full", path("full"));
    for (const char* option : {"--capture", "--trace"})
        fails(kBadInput, "No space left", nullRender({option, path("full")}));
    EXPECT_TRUE(std::filesystem::is_character_file(path("full")));
    EXPECT_EQ(std::filesystem::is_symlink(path("full")), !isOurs);
    fails(kBadInput, "standard output", nullRender({"--json"}), "/dev/full");
    fails(kBadInput, "standard output", {"inspect", scene("alpha-modes")}, "/dev/full");
}

TEST_F(BadOutput, ThatWouldOverwriteAnotherFileOfTheRunIsRefusedBeforeWork)
{
    const auto same = [&](const std::string& text, const std::vector<std::string>& more)
    {
        refused(text, more);
        EXPECT_FALSE(std::filesystem::exists(path("out"))) << text;
    };
    const std::string picture = path("out/picture.png");
    same("--trace and the picture of --out are the same file \"" + picture + "\"", {"--trace", picture});
    same("--capture and the picture of --out are the same file", {"--capture", path("./x/../out/picture.png")});
    same("--trace and --report's report.json are the same file", {"--report", "--trace", path("out/report.json")});
    same("--trace and --dump-commands' commands.txt are the same file", {"--dump-commands", "--trace", path("out/commands.txt")});
    same("--trace and --capture are the same file", {"--capture", path("one"), "--trace", path("one")});
    writeText(path("input.gltf"), R"({"asset":{"version":"2.0"}})");
    std::filesystem::create_hard_link(path("input.gltf"), path("linked.gltf"));
    std::filesystem::create_symlink(path("input.gltf"), path("pointed.gltf"));
    for (const char* name : {"input.gltf", "linked.gltf", "pointed.gltf"})
        fails(kUsage, "--trace and the input are the same file",
            {"render", path("input.gltf"), "--out", path("out"), "--backend", "null", "--trace", path(name)});
    EXPECT_EQ(readText(path("input.gltf")), R"({"asset":{"version":"2.0"}})");
    done(nullRender({"--trace", path("out/trace.json"), "--capture", path("out/capture")}));
}

TEST_F(BadOutput, ThatAnInputNamesAsItsOwnIsRefused)
{
    std::filesystem::create_directory(path("model"));
    writeText(path("model/m.gltf"),
        R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":36,"uri":"report.json"}],"bufferViews":[{"buffer":0,"byteLength":36}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[0,0,0]}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}]})");
    writeText(path("model/report.json"), std::string(36, '\0'));
    writeText(path("town.scene.json"), R"({"drawloomScene":1,"assets":{"a":"model/m.gltf"},"placements":[{"asset":"a"}]})");
    std::filesystem::create_symlink(path("model/report.json"), path("link"));
    for (const char* input : {"model/m.gltf", "town.scene.json"})
    {
        fails(kUsage, "--report's report.json would overwrite",
            {"render", path(input), "--out", path("model"), "--backend", "null", "--report"});
        fails(
            kUsage, "--trace would overwrite", {"render", path(input), "--out", path("out"), "--backend", "null", "--trace", path("link")});
    }
    fails(kUsage, "--trace would overwrite",
        {"render", path("town.scene.json"), "--out", path("out"), "--backend", "null", "--trace", path("model/m.gltf")});
    EXPECT_EQ(readText(path("model/report.json")), std::string(36, '\0'));
}

TEST_F(BadOutput, LeavesTheOldFileAndFollowsLinks)
{
    writeText(path("target"), "old");
    std::filesystem::create_symlink(path("target"), path("link"));
    done(nullRender({"--trace", path("link")}));
    EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
    EXPECT_NE(readText(path("target")), "old");
    for (const auto& entry : std::filesystem::directory_iterator(path(".")))
        EXPECT_NE(entry.path().extension(), ".part");
}

TEST_F(BadDevice, IsCodeFour)
{
    fails(kNoDevice, "no usable Vulkan driver", {"render", scene("alpha-modes"), "--out", path("out"), "--driver", "no such driver"});
    fails(kNoDevice, "lost", nullRender({"--lose-device-at", "1"}));
    fails(kNoDevice, "lost", nullRender({"--lose-device-at", "5", "--frames", "10"}));
    fails(kUsage, "--backend null", {"render", scene("alpha-modes"), "--out", path("out"), "--lose-device-at", "1"});
}

} // namespace dl
