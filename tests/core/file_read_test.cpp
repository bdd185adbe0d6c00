#include "drawloom/core/file_read.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <utility>

namespace dl
{
namespace
{

class FileRead : public testing::Test
{
protected:
    void SetUp() override { std::filesystem::create_directories(m_folder); }
    void TearDown() override { std::filesystem::remove_all(m_folder); }
    std::filesystem::path write(const char* name, const std::string& text) const
    {
        std::ofstream(m_folder / name, std::ios::binary) << text;
        return m_folder / name;
    }
    static std::string textOf(const ByteBuffer& bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

    std::filesystem::path m_folder =
        std::filesystem::temp_directory_path() / ("drawloom-file-read-" + std::to_string(static_cast<long>(::getpid())));
};

} // namespace

TEST_F(FileRead, GivesTheWholeFile)
{
    std::string text;
    for (int i = 0; i < 100'000; ++i)
        text += static_cast<char>(i * 7);
    const Result<ByteBuffer> bytes = readFile(write("long", text), text.size());
    ASSERT_TRUE(bytes) << bytes.error().message;
    EXPECT_EQ(textOf(*bytes), text);
    const Result<ByteBuffer> none = readFile(write("empty", ""), 0);
    ASSERT_TRUE(none) << none.error().message;
    EXPECT_TRUE(none->empty());
}

TEST_F(FileRead, NamesThePathAndWhatIsWrongWithIt)
{
    const std::filesystem::path absent = m_folder / "absent";
    EXPECT_EQ(readFile(absent, 1).error().code, ErrorCode::NotFound);
    EXPECT_EQ(readFile(absent, 1).error().message, "\"" + absent.string() + "\": no such file");
    EXPECT_EQ(readFile(m_folder, 1).error().code, ErrorCode::Io);
    EXPECT_EQ(readFile(m_folder, 1).error().message, "\"" + m_folder.string() + "\": not a regular file");
    EXPECT_EQ(readFile("/dev/zero", 1).error().code, ErrorCode::Io) << "endless";
    const std::filesystem::path four = write("four", "1234");
    EXPECT_EQ(readFile(four, 3).error().code, ErrorCode::OutOfBudget);
    EXPECT_EQ(readFile(four, 3).error().message, "\"" + four.string() + "\": 4 bytes, past the limit of 3");
    EXPECT_TRUE(readFile(four, 4));
    EXPECT_EQ(readFile(four, {.maxBytes = 3, .limitName = "maxThings"}).error().message,
        "\"" + four.string() + "\": 4 bytes, past the limit of 3; raise maxThings");
}

TEST_F(FileRead, TakesNoMoreThanTheFirstBytesThatAreWanted)
{
    const std::filesystem::path huge = write("huge", "head and");
    std::filesystem::resize_file(huge, std::uintmax_t(1) << 40U); // sparse
    const Result<ByteBuffer> head = readFile(huge, {.maxBytes = 4, .firstBytes = 4});
    ASSERT_TRUE(head) << head.error().message;
    EXPECT_EQ(textOf(*head), "head");
    std::byte first[4] = {};
    const Result<FileHead> facts = readFileHead(huge, first);
    ASSERT_TRUE(facts) << facts.error().message;
    EXPECT_EQ(facts->readBytes, 4U);
    EXPECT_EQ(facts->fileBytes, std::uint64_t(1) << 40U);
    EXPECT_EQ(first[3], std::byte{'d'});
    EXPECT_EQ(readFileHead(write("two", "ab"), first)->readBytes, 2U);
    EXPECT_EQ(readFileHead(m_folder / "absent", first).error().code, ErrorCode::NotFound);
}

TEST_F(FileRead, GivesWhatTheSystemMakesUpWhenItIsRead)
{
    const char* made = "/proc/self/status"; // a regular file of no size
    if (!std::filesystem::exists(made))
        GTEST_SKIP() << made << " is absent";
    const Result<ByteBuffer> bytes = readFile(made, 1U << 20U);
    ASSERT_TRUE(bytes) << bytes.error().message;
    EXPECT_EQ(textOf(*bytes).substr(0, 5), "Name:");
    EXPECT_EQ(readFile(made, 4).error().code, ErrorCode::OutOfBudget);
    EXPECT_EQ(readFile(made, {.maxBytes = 4, .firstBytes = 4}).value().size(), 4U);
}

TEST_F(FileRead, LeavesNothingBehindInABufferThatWasMoved)
{
    ByteBuffer from = std::move(*readFile(write("two", "ab"), 2));
    ByteBuffer to = std::move(from);
    EXPECT_EQ(textOf(to), "ab");
    EXPECT_EQ(from.size(), 0U); // NOLINT(bugprone-use-after-move): what is left is asked for
    from = std::move(to);
    EXPECT_EQ(textOf(from), "ab");
    EXPECT_EQ(to.size(), 0U); // NOLINT(bugprone-use-after-move)
}

} // namespace dl
