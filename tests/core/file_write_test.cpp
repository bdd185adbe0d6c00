#include "drawloom/core/file_read.h"
#include "drawloom/core/file_write.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <span>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace dl
{
namespace
{

namespace fs = std::filesystem;

class FileWrite : public testing::Test
{
protected:
    void SetUp() override { fs::create_directories(m_folder); }
    void TearDown() override { fs::remove_all(m_folder); }
    static Result<void> write(const fs::path& path, const std::string& text) { return writeFile(path, std::as_bytes(std::span(text))); }
    static std::string read(const fs::path& path)
    {
        const Result<ByteBuffer> bytes = readFile(path, 1000);
        return bytes ? std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()) : bytes.error().message;
    }
    std::size_t fileCount() const
    {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(m_folder), fs::directory_iterator()));
    }

    fs::path m_folder = fs::temp_directory_path() / ("drawloom-file-write-" + std::to_string(static_cast<long>(::getpid())));
};

} // namespace

TEST_F(FileWrite, ReplacesWhatIsThereAndKeepsItsMode)
{
    const fs::path file = m_folder / "a";
    ASSERT_TRUE(write(file, "first"));
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
    ASSERT_TRUE(write(file, "second, longer"));
    EXPECT_EQ(read(file), "second, longer");
    EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    ASSERT_TRUE(write(file, ""));
    EXPECT_EQ(read(file), "");
    EXPECT_EQ(fileCount(), 1U) << "nothing is left beside it";
}

TEST_F(FileWrite, FollowsALinkAndTouchesNothingElse)
{
    ASSERT_TRUE(write(m_folder / "target", "old"));
    ASSERT_TRUE(write(m_folder / "victim", "victim"));
    fs::create_symlink("target", m_folder / "link");
    fs::create_symlink("victim", m_folder / "link.part");
    ASSERT_TRUE(write(m_folder / "link", "new"));
    EXPECT_EQ(read(m_folder / "target"), "new");
    EXPECT_EQ(read(m_folder / "victim"), "victim");
    EXPECT_TRUE(fs::is_symlink(m_folder / "link"));
}

TEST_F(FileWrite, LeavesDevicesAndSaysWhatFails)
{
    EXPECT_TRUE(write("/dev/null", "gone"));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
    const Result<void> full = write("/dev/full", "more than nothing");
    ASSERT_FALSE(full);
    EXPECT_EQ(full.error().code, ErrorCode::Io);
    EXPECT_NE(full.error().message.find("\"/dev/full\""), std::string::npos);
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
    const Result<void> nowhere = write(m_folder / "no/such/folder", "x");
    ASSERT_FALSE(nowhere);
    EXPECT_NE(nowhere.error().message.find("folder"), std::string::npos);
    EXPECT_EQ(fileCount(), 0U);
}

TEST_F(FileWrite, APipeIsNoFileToRead)
{
    const fs::path pipe = m_folder / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_NE(read(pipe).find("not a regular file"), std::string::npos) << "and reading does not wait for a writer";
}

} // namespace dl
