// Our pictures beside those of three.js: same file, camera, lights, tone mapping. differences.tsv holds the figures that were
// looked at and why the two differ; README.md says how to read it.
#include "drawloom/asset/png_write.h"
#include "drawloom/gpu/vulkan/vulkan_device.h"
#include "tests/golden/flip.h"
#include "tests/reference/reference_draw.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sys/wait.h>

namespace dl::reference
{
namespace
{

const std::filesystem::path kWorkFolder = "build/reference";
constexpr float kNeedsReason = 0.01f; // a mean above it has a reason in differences.tsv
constexpr float kMeanMargin = 0.005f; // of browsers and drivers, over the figure that stands in differences.tsv

struct Difference
{
    float mean = 0.0f, p99 = 0.0f;
    std::string reason;
};

/// By scene. Columns: scene, mean, p99, reason; the first line names them.
std::map<std::string, Difference> readDifferences()
{
    std::map<std::string, Difference> differences;
    std::ifstream file("tests/reference/differences.tsv");
    std::string line;
    std::getline(file, line);
    for (std::string name, mean, p99, reason;
        std::getline(file, name, '\t') && std::getline(file, mean, '\t') && std::getline(file, p99, '\t') && std::getline(file, reason);)
        differences[name] = {std::strtof(mean.c_str(), nullptr), std::strtof(p99.c_str(), nullptr), reason};
    return differences;
}

/// Draws everything once, ours first, before the tests; they compare.
class Pictures : public testing::Environment
{
public:
    std::string skipReason, failure;
    std::map<std::string, Image> ours;
    std::string table;

    void SetUp() override
    {
        if (!std::filesystem::exists(kAssetsFolder))
        {
            skipReason = "../shared/assets is absent";
            return;
        }
        const Result<void> drawn = drawOurs();
        if (!drawn)
            failure = drawn.error().message;
        else if (skipReason.empty())
            letThreeDraw();
    }
    void TearDown() override
    {
        if (!table.empty())
            fmt::print("\n{:<18} {:<12} {:>6} {:>6}  {}\n{}\n", "scene", "light", "mean", "p99", "why they differ", table);
    }

private:
    Result<void> drawOurs()
    {
        std::filesystem::create_directories(kWorkFolder);
        const Result<std::unique_ptr<gpu::Device>> device = gpu::createVulkanDevice({.driverNamePart = "llvmpipe"});
        if (!device)
        {
            skipReason = "no Vulkan driver llvmpipe on this machine";
            return {};
        }
        std::vector<std::string> jobs;
        for (const ReferenceScene& scene : referenceScenes())
        {
            DL_TRY_ASSIGN(DrawnScene drawn, drawReferenceScene(**device, scene, kWorkFolder));
            jobs.push_back(std::move(drawn.job));
            ours[scene.name] = std::move(drawn.picture);
        }
        return writeJobs(jobs, kWorkFolder);
    }
    void letThreeDraw()
    {
        const std::string log = (kWorkFolder / "driver.log").string();
        if (std::system("command -v node npm >/dev/null") != 0)
        {
            skipReason = "node or npm is not installed (scripts/bootstrap test installs them)";
            return;
        }
        const int status =
            std::system(("node tests/reference/three/driver.mjs build/three-tools " + kWorkFolder.string() + " >" + log + " 2>&1").c_str());
        std::ifstream file(log);
        const std::string words((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
        if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
            skipReason = words;
        else if (status != 0)
            failure = "three/driver.mjs: " + words;
    }
};

Pictures* const s_pictures = static_cast<Pictures*>(testing::AddGlobalTestEnvironment(new Pictures));

std::vector<std::uint8_t> coveredByEither(const Image& a, const Image& b)
{
    std::vector<std::uint8_t> covered(std::size_t(kWidth) * kHeight);
    for (std::size_t i = 0; i < covered.size(); ++i)
        covered[i] = a.bytes[i * 4 + 3] != std::byte{0} || b.bytes[i * 4 + 3] != std::byte{0} ? 1 : 0;
    return covered;
}

void writeOpaque(const std::string& name, Image picture)
{
    for (std::size_t i = 3; i < picture.bytes.size(); i += 4)
        picture.bytes[i] = std::byte{255};
    EXPECT_TRUE(writePng(kWorkFolder / (name + ".png"), picture));
}

std::string caseName(const testing::TestParamInfo<std::size_t>& info)
{
    std::string name = referenceScenes()[info.param].name;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

class Reference : public testing::TestWithParam<std::size_t>
{
};

} // namespace

TEST_P(Reference, LooksAsThreeJsDrawsIt)
{
    const ReferenceScene& scene = referenceScenes()[GetParam()];
    if (!s_pictures->skipReason.empty())
        GTEST_SKIP() << s_pictures->skipReason;
    ASSERT_EQ(s_pictures->failure, "");
    const Image& ours = s_pictures->ours.at(scene.name);
    const Result<Image> three = readDrawnByThree(scene.name, kWorkFolder);
    ASSERT_TRUE(three) << three.error().message;
    const Result<golden::FlipResult> flip = golden::computeFlip(*three, ours, {}, coveredByEither(ours, *three));
    ASSERT_TRUE(flip) << flip.error().message;
    writeOpaque(scene.name + "-ours", ours);
    writeOpaque(scene.name + "-three", *three);
    writeOpaque(scene.name + "-difference", golden::makeFlipHeatMap(*flip, kWidth, kHeight));

    const std::map<std::string, Difference> differences = readDifferences();
    const auto found = differences.find(scene.name);
    EXPECT_NE(found, differences.end()) << "differences.tsv has no line for " << scene.name;
    const Difference known = found != differences.end() ? found->second : Difference{};
    s_pictures->table +=
        fmt::format("{:<18} {:<12} {:.4f} {:.4f}  {}\n", scene.name, toString(scene.lighting), flip->mean, flip->p99, known.reason);
    const std::string where = "pictures: " + (kWorkFolder / scene.name).string() + "-{ours,three,difference}.png";
    EXPECT_GT(flip->coveredCount, std::uint64_t(kWidth) * kHeight / 20) << "hardly anything is drawn; " << where;
    EXPECT_LE(flip->mean, maxMean(scene.lighting)) << where;
    EXPECT_LE(flip->mean, known.mean + kMeanMargin) << "more than differences.tsv says; " << where;
    EXPECT_TRUE(flip->mean <= kNeedsReason || known.reason.size() > 1) << "they differ, and differences.tsv says no reason; " << where;
}

INSTANTIATE_TEST_SUITE_P(ThreeJs, Reference, testing::Range(std::size_t(0), referenceScenes().size()), caseName);

TEST(Reference, KnowsOnlyDifferencesOfScenesThatAreDrawn)
{
    for (const auto& [name, difference] : readDifferences())
        EXPECT_TRUE(std::any_of(
            referenceScenes().begin(), referenceScenes().end(), [&](const ReferenceScene& scene) { return scene.name == name; }))
            << name;
}

} // namespace dl::reference
