// What `drawloom render` writes: files, a report whose sums hold against the recorded commands, the same bytes each time.
#include "tests/asset/shared_index.h"
#include "tests/cli/program_fixture.h"

#include <cstdio>
#include <map>
#include <set>
#include <sstream>

namespace dl
{
namespace
{

struct PassCount
{
    std::uint64_t draws = 0, calls = 0, triangles = 0, instances = 0; ///< triangles and instances: of direct draws
};

/// Draws by pass, counted from the text of the command stream.
std::map<std::string, PassCount> countDraws(const std::string& commands)
{
    std::map<std::string, PassCount> passes;
    std::istringstream lines(commands);
    std::string pass;
    for (std::string line; std::getline(lines, line);)
    {
        unsigned long long first = 0, count = 0, firstInstance = 0, instances = 0;
        long long base = 0;
        if (const std::size_t quote = line.find('"'); line.rfind("BeginRenderPass", 0) == 0 || line.rfind("BeginComputePass", 0) == 0)
            pass = line.substr(quote + 1, line.find('"', quote + 1) - quote - 1);
        else if (std::sscanf(line.c_str(), " DrawIndexed indices %llu+%llu base %lld instances %llu+%llu", &first, &count, &base,
                     &firstInstance, &instances) == 5 ||
                 std::sscanf(line.c_str(), " Draw vertices %llu+%llu instances %llu+%llu", &first, &count, &firstInstance, &instances) == 4)
        {
            passes[pass].draws += 1;
            passes[pass].calls += 1;
            passes[pass].triangles += count / 3 * instances;
            passes[pass].instances += instances;
        }
        else if (std::sscanf(line.c_str(), " DrawIndexedIndirect b%llu+%llu x%llu", &first, &firstInstance, &count) == 3)
        {
            passes[pass].draws += count;
            passes[pass].calls += 1;
        }
    }
    return passes;
}

class Render : public Program
{
protected:
    ProgramResult render(const std::string& input, const std::string& out, std::vector<std::string> more)
    {
        std::vector<std::string> words = {"render", input, "--out", path(out), "--size", "240x150"};
        words.insert(words.end(), more.begin(), more.end());
        return done(words);
    }
    nlohmann::json report(const std::string& out) { return parseJson(readText(path(out + "/report.json"))); }
};

class RenderDriver : public Render, public ::testing::WithParamInterface<const char*>
{
protected:
    void SetUp() override
    {
        if (!hasDriver(GetParam()))
            GTEST_SKIP() << "the Vulkan driver " << GetParam() << " is not installed";
    }
};

void expectFields(const nlohmann::json& json, const std::vector<const char*>& names, const std::string& where)
{
    for (const char* name : names)
        EXPECT_TRUE(json.contains(name)) << where << "." << name;
}

} // namespace

TEST_F(Render, ReportsEveryField)
{
    render(scene("alpha-modes"), "out", {"--backend", "null", "--report"});
    const nlohmann::json json = report("out");
    EXPECT_EQ(json.at("drawloomReport"), 1);
    EXPECT_TRUE(json.at("picture").at("file").is_null());
    expectFields(json.at("scene"),
        {"nodes", "meshes", "primitives", "materials", "textures", "triangles", "instances", "skins", "morphTargets"}, "scene");
    expectFields(json.at("device"), {"name", "driver", "backend"}, "device");
    expectFields(json.at("frame").at("cpuMs"), {"edits", "cull", "sort", "join", "encode", "submit"}, "cpuMs");
    for (const nlohmann::json& pass : json.at("frame").at("passes"))
        expectFields(pass,
            {"name", "batches", "commands", "drawsBefore", "draws", "drawCalls", "whyNotOneDraw", "triangles", "cpuMs", "gpuMs"}, "pass");
    for (const char* kind :
        {"meshBytes", "textureBytes", "instanceBytes", "transientBytes", "transientBytesWithoutAliasing", "stagingBytes"})
    {
        const nlohmann::json& bytes = json.at("memory").at(kind);
        EXPECT_GT(bytes.at("peak"), 0) << kind;
        EXPECT_LE(bytes.at("current"), bytes.at("peak")) << kind;
    }
    std::uint64_t byFormat = 0;
    for (const nlohmann::json& bytes : json.at("memory").at("textureBytes").at("byFormat"))
        byFormat += bytes.at("current").get<std::uint64_t>();
    EXPECT_EQ(json.at("memory").at("textureBytes").at("current"), byFormat);
    EXPECT_LE(json.at("memory").at("transientBytes").at("current"), json.at("memory").at("transientBytesWithoutAliasing").at("current"));
}

TEST_F(Render, BuildsLodsAndReportsWhatTheySave)
{
    const std::vector<std::string> view = {"--backend", "null", "--report", "--eye", "60,40,80", "--target", "0,2,0"};
    render(scene("town-square"), "plain", view);
    const nlohmann::json plain = report("plain").at("frame").at("lods");
    EXPECT_EQ(plain.at("trianglesSaved"), 0);
    ASSERT_EQ(plain.at("instances").size(), 1U);
    EXPECT_FALSE(report("plain").contains("lodBuild"));
    std::vector<std::string> more = view;
    more.emplace_back("--build-lods");
    render(scene("town-square"), "built", more);
    const nlohmann::json built = report("built");
    const nlohmann::json& lods = built.at("frame").at("lods");
    EXPECT_GT(lods.at("instances").size(), 1U);
    EXPECT_GT(lods.at("trianglesSaved"), 0);
    EXPECT_EQ(lods.at("triangles").get<std::uint64_t>() + lods.at("trianglesSaved").get<std::uint64_t>(), plain.at("triangles"));
    EXPECT_EQ(built.at("scene").at("meshes").get<std::uint64_t>(),
        report("plain").at("scene").at("meshes").get<std::uint64_t>() + built.at("lodBuild").at("levels").get<std::uint64_t>());
    EXPECT_GT(built.at("scene").at("lodLevels"), 0);
}

TEST_F(Render, ReportsSumsThatTheRecordedCommandsHold)
{
    for (const char* view : {"", "overdraw", "velocity"})
    {
        std::vector<std::string> more = {
            "--backend", "null", "--report", "--dump-commands", "--submission", "joined", "--camera", "camera"};
        if (view[0] != 0)
            more.insert(more.end(), {"--view", view});
        render(scene("town-square"), "out", more);
        const nlohmann::json frame = report("out").at("frame");
        const auto counted = countDraws(readText(path("out/commands.txt")));
        std::uint64_t draws = 0, drawsBefore = 0;
        for (const nlohmann::json& pass : frame.at("passes"))
        {
            const auto found = counted.find(pass.at("name"));
            const PassCount count = found != counted.end() ? found->second : PassCount{};
            EXPECT_EQ(pass.at("draws"), count.draws) << pass;
            EXPECT_EQ(pass.at("drawCalls"), count.calls) << pass;
            EXPECT_EQ(pass.at("triangles"), count.triangles) << pass;
            EXPECT_EQ(pass.at("drawsBefore"), count.instances) << pass; // one instance of a draw for each visible (instance, section)
            EXPECT_LE(pass.at("commands"), pass.at("batches")) << pass;
            draws += count.draws;
            drawsBefore += count.instances;
        }
        EXPECT_EQ(frame.at("draws"), draws);
        EXPECT_EQ(frame.at("drawsBefore"), drawsBefore);
        EXPECT_GT(draws, 50U);
        EXPECT_LT(draws, drawsBefore);
    }
}

TEST_F(Render, RecordsRunsOfEqualStateAsOneMultiDraw)
{
    std::map<std::string, nlohmann::json> frames;
    std::map<std::string, std::map<std::string, PassCount>> counted;
    for (const char* submission : {"each", "joined", "indirect"})
    {
        render(scene("town-square"), "out",
            {"--backend", "null", "--report", "--dump-commands", "--submission", submission, "--camera", "camera"});
        frames[submission] = report("out").at("frame");
        counted[submission] = countDraws(readText(path("out/commands.txt")));
    }
    for (const char* submission : {"each", "joined", "indirect"})
        for (const nlohmann::json& pass : frames[submission].at("passes"))
        {
            const PassCount& count = counted[submission][pass.at("name")];
            EXPECT_EQ(pass.at("draws"), count.draws) << submission << pass;
            EXPECT_EQ(pass.at("drawCalls"), count.calls) << submission << pass;
            std::uint64_t breaks = 0;
            for (const auto& [field, draws] : pass.at("whyNotOneDraw").items())
                breaks += draws.get<std::uint64_t>();
            EXPECT_EQ(breaks, pass.at("batches") != 0 ? count.draws : 0) << submission << pass << ": every draw has one reason";
        }
    EXPECT_EQ(frames["each"].at("draws"), frames["each"].at("drawsBefore"));
    EXPECT_EQ(frames["indirect"].at("draws"), frames["joined"].at("draws"));
    EXPECT_EQ(frames["joined"].at("draws"), frames["joined"].at("drawCalls"));
    EXPECT_LT(frames["indirect"].at("drawCalls").get<double>(), frames["indirect"].at("draws").get<double>() / 4);
}

TEST_F(Render, DrawsARealTownInAtMostEightCallsAPass)
{
    const std::filesystem::path assets = test::sharedAssets();
    if (assets.empty())
        GTEST_SKIP() << "../shared/assets is absent";
    render((assets / "town/town.glb").string(), "out", {"--backend", "null", "--report"}); // 3,625 nodes, 238 materials
    const nlohmann::json passes = report("out").at("frame").at("passes");
    std::size_t drawingPasses = 0;
    for (const nlohmann::json& pass : passes)
    {
        EXPECT_LE(pass.at("drawCalls"), 8) << pass;
        drawingPasses += pass.at("draws") > 100 ? 1 : 0;
    }
    EXPECT_GE(drawingPasses, 5U);
}

TEST_F(Render, CountsASceneAsInspectDoes)
{
    for (const char* name : {"alpha-modes", "deformed"})
    {
        render(scene(name), "out", {"--backend", "null", "--report"});
        const nlohmann::json inspected = parseJson(done({"inspect", "--json", scene(name)}).out);
        EXPECT_EQ(report("out").at("scene"), inspected.at("scene"));
        EXPECT_GT(inspected.at("scene").at("trianglesDrawn"), 0);
    }
    const nlohmann::json one = parseJson(done({"inspect", "--json", scene("deformed")}).out).at("scene");
    done({"render", scene("deformed"), scene("deformed"), "--out", path("twice"), "--backend", "null", "--report"});
    for (const auto& [key, value] : report("twice").at("scene").items())
        EXPECT_EQ(value, 2 * one.at(key).get<std::uint64_t>()) << key;
}

TEST_F(Render, SaysInOneLineThatValidationFoundNothing)
{
    const std::vector<std::string> words = {
        "render", scene("alpha-modes"), "--out", path("out"), "--backend", "null", "--validate", "--report", "--capture", path("c")};
    const ProgramResult spoken = drawloom(words);
    EXPECT_EQ(spoken.exitCode, 0);
    EXPECT_EQ(spoken.err, "drawloom: validation: no findings\n");
    EXPECT_EQ(report("out").at("validation"), (nlohmann::json{{"faults", 0}, {"warnings", 0}}));
    for (const char* silence : {"--quiet", "--json"})
    {
        std::vector<std::string> silent = words;
        silent.emplace_back(silence);
        EXPECT_EQ(done(silent).exitCode, 0);
    }
    EXPECT_EQ(drawloom({"replay", path("c"), "--backend", "null", "--validate"}).err, "drawloom: validation: no findings\n");
    done({"replay", path("c"), "--backend", "null"});
    render(scene("alpha-modes"), "out", {"--backend", "null", "--report"});
    EXPECT_FALSE(report("out").contains("validation")) << "nothing was validated";
}

/// Two animations that lift the same quad, the first by 1, the second by 5.
std::string twoAnimations()
{
    return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,"name":"quad"}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"buffers":[{"byteLength":76,"uri":"data:application/octet-stream;base64,)"
           "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAKBAAAAAAA=="
           R"("}],"bufferViews":[{"buffer":0,"byteLength":76}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},
{"bufferView":0,"byteOffset":36,"componentType":5126,"count":1,"type":"SCALAR","min":[0],"max":[0]},
{"bufferView":0,"byteOffset":40,"componentType":5126,"count":1,"type":"VEC3"},
{"bufferView":0,"byteOffset":64,"componentType":5126,"count":1,"type":"VEC3"}],
"animations":[{"name":"step","channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}],"samplers":[{"input":1,"output":2}]},
{"name":"leap","channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}],"samplers":[{"input":1,"output":3}]}]})";
}

TEST_F(Render, PlaysTheAnimationThatIsAskedFor)
{
    writeText(path("two.gltf"), twoAnimations());
    std::map<std::string, std::string> commands; // the frame holds the instance's transform
    for (const char* animation : {"", "0", "step", "1", "leap"})
    {
        std::vector<std::string> more = {"--backend", "null", "--dump-commands", "--eye", "0,0,9", "--target", "0,0,0"};
        if (animation[0] != 0)
            more.insert(more.end(), {"--animation", animation});
        render(path("two.gltf"), "out", more);
        commands[animation] = readText(path("out/commands.txt"));
    }
    EXPECT_EQ(commands["0"], commands[""]);
    EXPECT_EQ(commands["step"], commands[""]);
    EXPECT_EQ(commands["leap"], commands["1"]);
    EXPECT_NE(commands["leap"], commands["step"]) << "at 5 m up the quad is out of sight";
    const auto refused = [&](const char* animation, const std::string& text, const std::string& file)
    { fails(3, text, {"render", file, "--out", path("out"), "--backend", "null", "--animation", animation}); };
    refused("2", "no animation \"2\": there are 0 \"step\", 1 \"leap\"", path("two.gltf"));
    refused("fly", "there are 0 \"step\", 1 \"leap\"", path("two.gltf"));
    refused("0", "the input has no animations", scene("alpha-modes"));
    done({"render", path("two.gltf"), scene("alpha-modes"), "--out", path("out"), "--backend", "null", "--animation", "leap"});
}

TEST_F(Render, LooksThroughTheCompositionsOwnCamera)
{
    std::filesystem::copy_file(scene("alpha-modes"), path("a.glb")); // has a camera of its own, named "camera" too
    const auto composition = [&](const std::string& camera)
    {
        writeText(path("a.scene.json"),
            R"({"drawloomScene":1,"assets":{"a":"a.glb"},"placements":[{"asset":"a","translation":[0,1,0]}])" + camera + "}");
        return path("a.scene.json");
    };
    const auto commands = [&](const std::string& input, const std::vector<std::string>& camera)
    {
        std::vector<std::string> more = {"--backend", "null", "--capture", path("out.capture")};
        more.insert(more.end(), camera.begin(), camera.end());
        render(input, "out", more);
        return readText(path("out.capture")); // the view's matrices are among its bytes
    };
    const std::string own = composition(R"(,"camera":{"eye":[1,2,9],"target":[0,0,0]})");
    const std::string seen = commands(own, {});
    EXPECT_EQ(seen, commands(own, {}));
    EXPECT_NE(seen, commands(own, {"--orbit", "35,22,0"})) << "an option wins";
    EXPECT_NE(seen, commands(own, {"--eye", "1,2,8", "--target", "0,0,0"}));
    const std::string fitted = commands(own, {"--orbit", "35,22,0"});
    EXPECT_EQ(fitted, commands(composition(""), {})) << "the camera of a placed asset does not take over";
}

/// 256 cells of the world can be resident: what lies in the next two is not drawn, and the last frame's report still says so.
TEST_F(Render, ListsWhatFoundNoRoomInTheWorld)
{
    writeText(path("two.gltf"), twoAnimations());
    writeText(path("wide.scene.json"), R"({"drawloomScene":1,"assets":{"a":"two.gltf"},
"placements":[{"asset":"a","grid":{"count":[258,1,1],"spacing":[1024,0,0],"centred":false}}]})");
    const ProgramResult drawn =
        drawloom({"render", path("wide.scene.json"), "--out", path("out"), "--backend", "null", "--report", "--frames", "3"});
    EXPECT_EQ(drawn.exitCode, 0);
    EXPECT_EQ(std::count(drawn.err.begin(), drawn.err.end(), '\n'), 2) << drawn.err;
    EXPECT_EQ(drawn.err.rfind("drawloom: warning: instance 256 in edits: cell (256, 0, 0) would be resident cell 257", 0), 0U) << drawn.err;
    EXPECT_NE(drawn.out.find("3 notices"), std::string::npos) << drawn.out;
    const nlohmann::json refusals = report("out").at("refusals");
    ASSERT_EQ(refusals.size(), 2U);
    for (const nlohmann::json& refusal : refusals)
    {
        EXPECT_EQ(refusal.at("stage"), "edits");
        EXPECT_EQ(refusal.at("code"), "OutOfBudget");
        EXPECT_NE(refusal.at("detail").get<std::string>().find("would be resident cell 257 of 256"), std::string::npos) << refusal;
    }
}

TEST_F(Render, SaysTheFirstWarningsOnStderrAndCountsTheRest)
{
    const auto withMissing = [&](int count)
    {
        std::string images;
        for (int i = 0; i < count; ++i)
            images += std::string(i == 0 ? "" : ",") + R"({"uri":"absent)" + std::to_string(i) + R"(.png"})";
        writeText(path("missing.gltf"), R"({"asset":{"version":"2.0"},"images":[)" + images + "]}");
        return std::vector<std::string>{"render", path("missing.gltf"), "--out", path("out"), "--backend", "null"};
    };
    std::vector<std::string> words = withMissing(1);
    const ProgramResult one = drawloom(words);
    EXPECT_EQ(one.exitCode, 0);
    EXPECT_EQ(one.err.rfind("drawloom: warning: images[0]", 0), 0U) << one.err;
    EXPECT_NE(one.err.find("(missing-image)\n"), std::string::npos) << one.err;
    EXPECT_NE(one.out.find("\n1 notice of"), std::string::npos) << one.out;
    for (const char* silent : {"--quiet", "--json"})
    {
        words.emplace_back(silent);
        EXPECT_EQ(drawloom(words).err, "") << silent;
        words.pop_back();
    }
    const std::string seven = drawloom(withMissing(7)).err;
    EXPECT_EQ(std::count(seven.begin(), seven.end(), '\n'), 6) << seven;
    EXPECT_NE(seven.find("drawloom: 2 more warnings: --report lists all\n"), std::string::npos) << seven;
}

TEST_F(Render, PrintsPureJsonOrNothing)
{
    const nlohmann::json json = parseJson(render(scene("alpha-modes"), "out", {"--backend", "null", "--json"}).out);
    EXPECT_EQ(json.at("drawloomReport"), 1);
    EXPECT_EQ(json.at("inputs"), nlohmann::json::array({scene("alpha-modes")}));
    EXPECT_EQ(render(scene("alpha-modes"), "out", {"--backend", "null", "--quiet", "--report"}).out, "");
    done({"render", scene("alpha-modes"), "--out", path("out"), "--backend", "null", "--capture", path("c"), "--quiet"});
    EXPECT_EQ(parseJson(done({"replay", path("c"), "--backend", "null", "--json"}).out).at("drawloomReplay"), 1);
    EXPECT_EQ(done({"replay", path("c"), "--backend", "null", "--quiet"}).out, "");
}

TEST_F(Render, WritesATraceThatNamesTheStages)
{
    render(scene("alpha-modes"), "out", {"--backend", "null", "--trace", path("trace.json"), "--frames", "3"});
    const nlohmann::json trace = parseJson(readText(path("trace.json")));
    std::map<std::string, int> spans;
    for (const nlohmann::json& event : trace.at("traceEvents"))
        ++spans[event.at("name")];
    EXPECT_GE(spans["frame"], 4);
    for (const char* name : {"load", "prepare", "settle", "submit"})
        EXPECT_GE(spans[name], 1) << name;
}

TEST_F(Render, MakesTheSameCommandsForAnyThreadCount)
{
    std::string first;
    for (const char* threads : {"1", "1", "2"})
    {
        render(scene("town-square"), "out", {"--backend", "null", "--dump-commands", "--threads", threads, "--time", "0.4"});
        const std::string commands = readText(path("out/commands.txt"));
        EXPECT_GT(commands.size(), 1000U);
        if (first.empty())
            first = commands;
        EXPECT_TRUE(commands == first) << "with --threads " << threads;
    }
}

TEST_F(Render, KeepsTheReportPageSelfContained)
{
    render(scene("alpha-modes"), "out", {"--backend", "null", "--report"});
    const std::string page = readText(path("out/report.html"));
    EXPECT_EQ(page.find("@DATA@"), std::string::npos);
    EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
    EXPECT_NE(page.find("memory.stagingBytes.current), \"GPU memory, staging included\""), std::string::npos)
        << "the card leaves nothing out";
    for (const char* outside : {"src=\"http", "href=\"http", "src=\"//", "@import", "url(http"})
        EXPECT_EQ(page.find(outside), std::string::npos) << outside;
}

TEST_F(Render, KeepsHostileNamesOutOfThePageMarkup)
{
    std::filesystem::create_directories(path("<script>"));
    std::filesystem::copy_file(scene("alpha-modes"), path("<script>/evil.glb"));
    render(path("<script>/evil.glb"), "out", {"--backend", "null", "--report"});
    EXPECT_EQ(readText(path("out/report.html")).find("<script>/evil"), std::string::npos);
    parseJson(readText(path("out/report.json")));
}

TEST_P(RenderDriver, DrawsTheSamePictureEachTime)
{
    std::string first;
    for (const char* threads : {"1", "2", "2"})
    {
        render(
            scene("deformed"), "out", {"--driver", GetParam(), "--threads", threads, "--time", "0.7", "--validate", "--quiet", "--report"});
        const std::string picture = readText(path("out/picture.png"));
        EXPECT_GT(picture.size(), 2000U) << "an empty picture packs into less";
        if (first.empty())
            first = picture;
        EXPECT_TRUE(picture == first) << "with --threads " << threads;
    }
    EXPECT_EQ(report("out").at("picture").at("file"), "picture.png");
    const nlohmann::json facts = parseJson(done({"inspect", "--json", path("out/picture.png")}).out).at("image");
    EXPECT_EQ(facts.at("width"), 240);
    EXPECT_EQ(facts.at("height"), 150);
    EXPECT_EQ(facts.at("format"), "PNG");
}

TEST_P(RenderDriver, KeepsThePipelineCacheAndSurvivesItsDamage)
{
    const std::vector<std::string> words = {"--driver", GetParam(), "--pipeline-cache", path("cache/of/mine")};
    render(scene("two-blended"), "first", words);
    ASSERT_EQ(std::distance(std::filesystem::directory_iterator(path("cache/of/mine")), std::filesystem::directory_iterator()), 1);
    render(scene("two-blended"), "second", words); // without a word on stderr
    const std::filesystem::path file = std::filesystem::directory_iterator(path("cache/of/mine"))->path();
    writeText(file, readText(file) + "torn");
    std::vector<std::string> again = {"render", scene("two-blended"), "--out", path("third"), "--size", "240x150"};
    again.insert(again.end(), words.begin(), words.end());
    const ProgramResult result = drawloom(again);
    EXPECT_EQ(result.exitCode, 0) << result.err;
    EXPECT_NE(result.err.find(file.string()), std::string::npos) << result.err;
    EXPECT_EQ(readText(path("first/picture.png")), readText(path("third/picture.png")));
    render(scene("two-blended"), "fourth", words); // the third run wrote it anew
}

TEST_P(RenderDriver, DrawsEachView)
{
    std::map<std::string, std::string> seen;
    for (const char* view : {"batches", "overdraw", "normals", "albedo", "lod", "mips", "velocity"})
    {
        render(scene("alpha-modes"), "out", {"--driver", GetParam(), "--view", view, "--validate", "--quiet"});
        const auto [other, isNew] = seen.emplace(readText(path("out/picture.png")), view);
        EXPECT_TRUE(isNew) << view << " looks like " << other->second;
    }
}

TEST_P(RenderDriver, SaysWhichNodeIsSeen)
{
    const ProgramResult floor = render(scene("alpha-modes"), "out", {"--driver", GetParam(), "--pick", "120,75", "--camera", "camera"});
    EXPECT_NE(floor.out.find("picked 120,75: node "), std::string::npos) << floor.out;
    render(scene("alpha-modes"), "out", {"--driver", GetParam(), "--pick", "120,75", "--camera", "camera", "--quiet", "--report"});
    EXPECT_EQ(report("out").at("pick").at("node").at("input"), scene("alpha-modes"));
    render(scene("alpha-modes"), "out", {"--driver", GetParam(), "--pick", "0,0", "--eye", "0,9,0", "--target", "0,99,0", "--report"});
    EXPECT_TRUE(report("out").at("pick").at("node").is_null());
}

/// --frames 3: the pose does not change in the captured frame, so that a capture has to do its deform jobs again.
TEST_P(RenderDriver, CapturesFramesThatReplayToTheSamePicture)
{
    std::vector<std::string> inputs = {scene("deformed"), scene("alpha-modes")};
    const std::string static_ = "../shared/assets/morph/MorphPrimitivesTest/MorphPrimitivesTest.gltf"; // deformed, not animated
    if (std::filesystem::exists(static_))
        inputs.push_back(static_);
    for (const std::string& input : inputs)
    {
        render(input, "drawn", {"--driver", GetParam(), "--frames", "3", "--capture", path("capture")});
        done({"replay", path("capture"), "--out", path("replayed"), "--driver", GetParam()});
        EXPECT_TRUE(readText(path("drawn/picture.png")) == readText(path("replayed/picture.png"))) << input;
        const nlohmann::json counts = parseJson(done({"replay", path("capture"), "--backend", "null", "--json"}).out);
        EXPECT_EQ(counts.at("streams"), 1);
        EXPECT_EQ(counts.at("pictures"), 0);
    }
}

TEST_P(RenderDriver, CapturesMultisampledFramesAndVelocity)
{
    const std::vector<std::string> options[] = {{"--msaa", "4"}, {"--view", "velocity", "--time", "0.5"}};
    std::set<std::string> pictures;
    for (const std::vector<std::string>& option : options)
    {
        std::vector<std::string> more = {"--driver", GetParam(), "--frames", "2", "--validate", "--capture", path("capture")};
        more.insert(more.end(), option.begin(), option.end());
        render(scene("deformed"), "drawn", more);
        done({"replay", path("capture"), "--out", path("replayed"), "--driver", GetParam(), "--validate"});
        EXPECT_TRUE(readText(path("drawn/picture.png")) == readText(path("replayed/picture.png"))) << option.front();
        pictures.insert(readText(path("drawn/picture.png")));
    }
    render(scene("deformed"), "drawn", {"--driver", GetParam(), "--frames", "2"});
    pictures.insert(readText(path("drawn/picture.png")));
    EXPECT_EQ(pictures.size(), 3U) << "samples and views show";
}

INSTANTIATE_TEST_SUITE_P(
    Drivers, RenderDriver, ::testing::Values("llvmpipe", "swiftshader"), [](const auto& driver) { return std::string(driver.param); });

TEST_F(Render, DrawsTheCompositions)
{
    if (!std::filesystem::exists("../shared/assets/compositions"))
        GTEST_SKIP() << "../shared/assets is absent";
    const ProgramResult made = runProgram("scripts/compositions", {"--out", path("scenes")});
    ASSERT_EQ(made.exitCode, 0) << made.err;
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path("scenes")))
    {
        ++count;
        render(entry.path().string(), "out", {"--backend", "null", "--report", "--validate", "--quiet"});
        const nlohmann::json json = report("out");
        EXPECT_GT(json.at("frame").at("draws"), 2) << entry.path();
        EXPECT_LE(json.at("frame").at("draws"), json.at("frame").at("drawsBefore")) << entry.path();
        EXPECT_EQ(json.at("refusals"), nlohmann::json::array()) << entry.path();
    }
    EXPECT_EQ(count, 5U);
}

} // namespace dl
