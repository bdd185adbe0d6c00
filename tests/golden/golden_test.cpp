// Golden pictures: each scene on each software driver against the picture that a person has looked at.
#include "drawloom/asset/image_decode.h"
#include "drawloom/asset/png_write.h"
#include "drawloom/gpu/vulkan/vulkan_device.h"
#include "tests/golden/golden_scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

namespace dl::golden
{
namespace
{

/// One device per driver for all tests; gone before the program's statics (the drivers' among them) are.
class Drivers : public testing::Environment
{
public:
    gpu::Device* find(const std::string& name)
    {
        if (!m_devices.contains(name))
        {
            Result<std::unique_ptr<gpu::Device>> device = gpu::createVulkanDevice({.driverNamePart = name});
            m_devices[name] = device ? std::move(device).value() : nullptr;
        }
        return m_devices[name].get();
    }
    void TearDown() override { m_devices.clear(); }

private:
    std::map<std::string, std::unique_ptr<gpu::Device>> m_devices;
};

Drivers* const s_drivers = static_cast<Drivers*>(testing::AddGlobalTestEnvironment(new Drivers));

gpu::Device* driver(const std::string& name)
{
    return s_drivers->find(name);
}

Result<Image> readPicture(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (bytes.empty())
        return Error{ErrorCode::NotFound, "no golden picture " + path + "; make it with build/release/bin/golden_update and look at it"};
    return decodeImage(std::as_bytes(std::span(bytes)), path);
}

struct Case
{
    std::string driver;
    const GoldenScene* scene = nullptr;
};

std::vector<Case> allCases()
{
    std::vector<Case> cases;
    for (const char* name : {"llvmpipe", "swiftshader"})
        for (const GoldenScene& scene : goldenScenes())
            cases.push_back({name, &scene});
    return cases;
}

std::string caseName(const testing::TestParamInfo<Case>& info)
{
    std::string name = info.param.driver + "_" + info.param.scene->name;
    for (char& c : name)
        c = c == '-' ? '_' : c;
    return name;
}

class GoldenPicture : public testing::TestWithParam<Case>
{
};

} // namespace

TEST_P(GoldenPicture, IsDrawnAsItWasLookedAt)
{
    const auto& [driverName, scene] = GetParam();
    gpu::Device* device = driver(driverName);
    if (device == nullptr)
        GTEST_SKIP() << "no Vulkan driver " << driverName << " on this machine";
    const Result<SceneDescription> description = loadGoldenScene(*scene);
    if (!description && description.error().code == ErrorCode::NotFound && !std::filesystem::exists("../shared/assets"))
        GTEST_SKIP() << description.error().message;
    ASSERT_TRUE(description) << description.error().message;
    const Result<Image> got = drawGoldenScene(*device, *scene, *description);
    ASSERT_TRUE(got) << got.error().message;
    const Result<Image> golden = readPicture(goldenPath(driverName, scene->name));
    ASSERT_TRUE(golden) << golden.error().message;
    const Result<GoldenVerdict> verdict = compareWithGolden(*golden, *got);
    ASSERT_TRUE(verdict) << verdict.error().message;
    if (verdict->isEqualEnough)
        return;
    const std::filesystem::path folder = "build/golden/" + driverName;
    std::filesystem::create_directories(folder);
    (void)writePng(folder / (scene->name + "-got.png"), *got);
    (void)writePng(folder / (scene->name + "-expected.png"), *golden);
    (void)writePng(folder / (scene->name + "-diff.png"), verdict->difference);
    FAIL() << scene->name << ": " << verdict->text << "; pictures in " << folder.string();
}

INSTANTIATE_TEST_SUITE_P(AllDrivers, GoldenPicture, testing::ValuesIn(allCases()), caseName);

TEST(GoldenPictures, TurnRedForEveryFeatureThatIsTakenAway)
{
    gpu::Device* device = driver("llvmpipe");
    if (device == nullptr)
        GTEST_SKIP() << "no Vulkan driver llvmpipe on this machine";
    for (const Mutation& mutation : mutations())
    {
        const auto scene =
            std::find_if(goldenScenes().begin(), goldenScenes().end(), [&](const GoldenScene& s) { return s.name == mutation.scene; });
        ASSERT_NE(scene, goldenScenes().end()) << mutation.scene;
        Result<SceneDescription> description = loadGoldenScene(*scene);
        ASSERT_TRUE(description) << description.error().message;
        mutation.apply(*description);
        const Result<Image> got = drawGoldenScene(*device, *scene, *description);
        const Result<Image> golden = readPicture(goldenPath("llvmpipe", scene->name));
        ASSERT_TRUE(got && golden) << scene->name;
        const Result<GoldenVerdict> verdict = compareWithGolden(*golden, *got);
        ASSERT_TRUE(verdict) << verdict.error().message;
        EXPECT_FALSE(verdict->isEqualEnough) << mutation.scene << " does not notice that " << mutation.feature
                                             << " went missing: " << verdict->text;
    }
}

} // namespace dl::golden
