// The pipeline cache on disk: kept by driver, and nothing that happens to the file keeps a device from being made.
#include "drawloom/core/log.h"
#include "tests/gpu_vulkan/vulkan_fixture.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/stat.h>

namespace dl::gpu
{
namespace
{

namespace fs = std::filesystem;

std::string readAll(const fs::path& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void writeAll(const fs::path& path, const std::string& bytes)
{
    std::ofstream(path, std::ios::binary) << bytes;
}

class PipelineCacheFile : public testing::TestWithParam<const char*>, LogSink
{
protected:
    void SetUp() override
    {
        char name[] = "/tmp/drawloom-pipelines-XXXXXX";
        m_folder = fs::path(mkdtemp(name)) / "not made yet";
        m_oldSink = setLogSink(this);
        if (const auto device = make(); !device)
            GTEST_SKIP() << device.error().message;
        m_lines.clear();
    }
    void TearDown() override
    {
        setLogSink(m_oldSink);
        fs::remove_all(m_folder.parent_path());
    }
    void write(LogLevel level, std::string_view line) override
    {
        if (level >= LogLevel::Warning)
            m_lines.emplace_back(line);
    }
    Result<std::unique_ptr<Device>> make()
    {
        VulkanDeviceSettings settings;
        settings.driverNamePart = GetParam();
        settings.pipelineCacheFolder = m_folder;
        return createVulkanDevice(settings);
    }
    /// The only file in the folder.
    fs::path save()
    {
        const auto device = std::move(make()).value();
        const Result<void> saved = saveVulkanPipelineCache(*device, m_folder);
        EXPECT_TRUE(saved) << saved.error().message;
        EXPECT_EQ(std::distance(fs::directory_iterator(m_folder), fs::directory_iterator()), 1);
        return fs::directory_iterator(m_folder)->path();
    }
    /// A device is made all the same; the one warning names the file and holds `why`.
    void expectWarning(const fs::path& path, const std::string& why)
    {
        m_lines.clear();
        const auto device = make();
        ASSERT_TRUE(device) << device.error().message;
        ASSERT_EQ(m_lines.size(), 1U) << why;
        EXPECT_NE(m_lines[0].find(path.string()), std::string::npos) << m_lines[0];
        EXPECT_NE(m_lines[0].find(why), std::string::npos) << m_lines[0];
    }

    fs::path m_folder;
    std::vector<std::string> m_lines;

private:
    LogSink* m_oldSink = nullptr;
};

TEST_P(PipelineCacheFile, IsMadeWithItsFolderAndTakenWithoutAWord)
{
    ASSERT_TRUE(make());
    EXPECT_TRUE(m_lines.empty()) << "no file yet is nothing to warn of";
    const fs::path path = save();
    EXPECT_GT(fs::file_size(path), 56U);
    ASSERT_TRUE(make());
    EXPECT_TRUE(m_lines.empty()) << m_lines[0];
    EXPECT_EQ(save(), path) << "replaced, not doubled";
}

TEST_P(PipelineCacheFile, SurvivesEveryKindOfDamage)
{
    const fs::path path = save();
    const std::string good = readAll(path);
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{55}})
    {
        writeAll(path, good.substr(0, size));
        expectWarning(path, "is torn");
    }
    writeAll(path, good.substr(0, good.size() - 1));
    expectWarning(path, "does not hold what its header says");
    writeAll(path, good + "x");
    expectWarning(path, "does not hold what its header says");
    for (std::size_t at = 0; at < good.size(); at += at < 56 ? 1 : 97)
    {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 0x10);
        writeAll(path, bad);
        expectWarning(path, at < 8 ? "is no pipeline cache" : at < 40 ? "belongs to another driver" : at < 48 ? "is torn" : "was changed");
    }
    fs::remove(path);
    fs::create_directory(path);
    expectWarning(path, "");
    fs::remove(path);
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    expectWarning(path, "");
    EXPECT_FALSE(saveVulkanPipelineCache(**make(), m_folder)) << "and does not wait for a reader";
    fs::remove(path);
    writeAll(path, good);
    m_lines.clear();
    ASSERT_TRUE(make());
    EXPECT_TRUE(m_lines.empty());
}

TEST_P(PipelineCacheFile, SaysWhyItCanNotBeWritten)
{
    writeAll(m_folder, "a file where the folder should be");
    const auto device = make();
    ASSERT_TRUE(device);
    const Result<void> saved = saveVulkanPipelineCache(**device, m_folder);
    ASSERT_FALSE(saved);
    EXPECT_EQ(saved.error().code, ErrorCode::Io);
    EXPECT_NE(saved.error().message.find(m_folder.string()), std::string::npos) << saved.error().message;
}

DL_INSTANTIATE_VULKAN(PipelineCacheFile);

} // namespace
} // namespace dl::gpu
