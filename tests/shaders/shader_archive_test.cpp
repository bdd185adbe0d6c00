// Shader archives as files: what is right opens, what is damaged or malicious is refused or harmless.
#include "drawloom/gpu/shader_archive.h"
#include "tests/shaders/archive_fixture.h"

#include <gtest/gtest.h>

#include <random>

using namespace dl;
using namespace dl::gpu;
using namespace dl::test;

namespace
{

std::span<const std::byte> bytesOf(const std::vector<std::uint32_t>& words)
{
    return std::as_bytes(std::span(words));
}

std::vector<EntrySpec> twoEntries()
{
    return {
        {.name = "depth.rigid.standard", .inputLocations = {0, 1, 4}, .bindings = {{0, 0}, {0, 1}, {3, 0}}}, {.name = "sky", .stages = 3}};
}

ErrorCode errorOf(const std::vector<std::uint32_t>& words)
{
    const Result<ShaderArchive> archive = ShaderArchive::open(bytesOf(words));
    EXPECT_FALSE(archive);
    return archive ? ErrorCode::Cancelled : archive.error().code;
}

// Reads everything that an archive hands out; the sanitizers judge.
std::uint64_t touch(const ShaderArchive& archive)
{
    std::uint64_t sum = 0;
    for (const ShaderEntry& entry : archive.entries())
    {
        for (std::uint32_t word : entry.spirv)
            sum += word;
        for (char c : entry.wgsl)
            sum += static_cast<unsigned char>(c);
        for (const ShaderVariable& variable : entry.vertexInputs)
            sum += variable.location + variable.name.size() + static_cast<unsigned char>(variable.name.back());
        for (const ShaderBinding& binding : entry.bindings)
            sum += binding.binding + static_cast<unsigned char>(binding.name.back());
        EXPECT_EQ(archive.find(entry.name), &entry);
    }
    return sum;
}

} // namespace

TEST(ShaderArchive, FindsWhatWasPacked)
{
    const std::vector<EntrySpec> specs = twoEntries();
    const std::vector<std::uint32_t> words = makeArchive(specs);
    const Result<ShaderArchive> archive = ShaderArchive::open(bytesOf(words));
    ASSERT_TRUE(archive) << archive.error().message;
    ASSERT_EQ(archive->entries().size(), 2U);
    const ShaderEntry* depth = archive->find("depth.rigid.standard");
    ASSERT_NE(depth, nullptr);
    EXPECT_EQ(depth->wgsl, specs[0].wgsl);
    EXPECT_EQ(std::vector(depth->spirv.begin(), depth->spirv.end()), specs[0].spirv);
    ASSERT_EQ(depth->vertexInputs.size(), 3U);
    EXPECT_EQ(depth->vertexInputs[2].location, 4U);
    EXPECT_EQ(depth->vertexInputs[2].componentCount, 3);
    ASSERT_EQ(depth->bindings.size(), 3U);
    EXPECT_EQ(depth->bindings[2].group, 3U);
    EXPECT_TRUE(depth->hasVertex && !depth->hasFragment && !depth->hasCompute);
    EXPECT_TRUE(archive->find("sky")->hasFragment);
}

TEST(ShaderArchive, KnowsNoEntryOfAnotherName)
{
    const std::vector<std::uint32_t> words = makeArchive(twoEntries());
    const Result<ShaderArchive> archive = ShaderArchive::open(bytesOf(words));
    ASSERT_TRUE(archive);
    for (const char* name : {"", "depth", "depth.rigid.standard.", "sk", "sky.", "zzz"})
        EXPECT_EQ(archive->find(name), nullptr) << name;
}

TEST(ShaderArchive, MayBeEmpty)
{
    const std::vector<std::uint32_t> words = makeArchive({});
    const Result<ShaderArchive> archive = ShaderArchive::open(bytesOf(words));
    ASSERT_TRUE(archive);
    EXPECT_TRUE(archive->entries().empty());
    EXPECT_EQ(archive->find("sky"), nullptr);
}

TEST(ShaderArchive, RefusesEveryTruncation)
{
    const std::vector<std::uint32_t> words = makeArchive(twoEntries());
    for (std::size_t size = 0; size < words.size() * 4; ++size)
    {
        // A block of exactly this size: a read behind it is a read behind an allocation.
        const std::vector<std::byte> copy(bytesOf(words).begin(), bytesOf(words).begin() + static_cast<std::ptrdiff_t>(size));
        const Result<ShaderArchive> archive = ShaderArchive::open(copy);
        ASSERT_FALSE(archive) << size;
        EXPECT_EQ(archive.error().code, ErrorCode::BadFile) << size;
    }
}

TEST(ShaderArchive, RefusesEveryFlippedBit)
{
    std::vector<std::uint32_t> words = makeArchive(twoEntries());
    for (std::size_t bit = 0; bit < words.size() * 32; ++bit)
    {
        words[bit / 32] ^= 1U << (bit % 32);
        EXPECT_EQ(errorOf(words), ErrorCode::BadFile) << bit;
        words[bit / 32] ^= 1U << (bit % 32);
    }
    EXPECT_TRUE(ShaderArchive::open(bytesOf(words)));
}

TEST(ShaderArchive, RefusesMisalignedBytes)
{
    std::vector<std::uint32_t> words = makeArchive(twoEntries());
    words.push_back(0);
    const Result<ShaderArchive> archive = ShaderArchive::open(bytesOf(words).subspan(1, words.size() * 4 - 4));
    ASSERT_FALSE(archive);
    EXPECT_EQ(archive.error().code, ErrorCode::InvalidArgument);
}

TEST(ShaderArchive, RefusesNamesOutOfOrderOrTwice)
{
    std::vector<EntrySpec> specs = twoEntries();
    std::swap(specs[0], specs[1]);
    EXPECT_EQ(errorOf(makeArchive(specs)), ErrorCode::BadFile);
    specs[1].name = specs[0].name;
    EXPECT_EQ(errorOf(makeArchive(specs)), ErrorCode::BadFile);
}

TEST(ShaderArchive, TakesTheLongestNameAndNoLonger)
{
    std::vector<EntrySpec> specs = {{.name = std::string(256, 'n')}};
    EXPECT_TRUE(ShaderArchive::open(bytesOf(makeArchive(specs))).has_value());
    specs[0].name += 'n';
    EXPECT_EQ(errorOf(makeArchive(specs)), ErrorCode::BadFile);
    specs[0].name.clear();
    EXPECT_EQ(errorOf(makeArchive(specs)), ErrorCode::BadFile);
}

TEST(ShaderArchive, TakesTheHighestLocationAndBindingAndNoHigher)
{
    std::vector<EntrySpec> specs = {{.name = "a", .inputLocations = {31}, .bindings = {{3, 1000}}}};
    EXPECT_TRUE(ShaderArchive::open(bytesOf(makeArchive(specs))).has_value());
    specs[0].inputLocations = {32};
    EXPECT_EQ(errorOf(makeArchive(specs)), ErrorCode::BadFile);
    specs[0].inputLocations = {};
    specs[0].bindings = {{4, 0}};
    EXPECT_EQ(errorOf(makeArchive(specs)), ErrorCode::BadFile);
    specs[0].bindings = {{3, 1001}};
    EXPECT_EQ(errorOf(makeArchive(specs)), ErrorCode::BadFile);
    specs[0].bindings = {{3, 0}, {2, 0}};
    EXPECT_EQ(errorOf(makeArchive(specs)), ErrorCode::BadFile);
}

TEST(ShaderArchive, RefusesACountThatTheFileCanNotHold)
{
    std::vector<std::uint32_t> words = makeArchive(twoEntries());
    for (std::uint32_t count : {3U, 4096U, 4097U, 0x80000000U, 0xFFFFFFFFU})
    {
        words[4] = count;
        sealArchive(words);
        EXPECT_EQ(errorOf(words), ErrorCode::BadFile) << count;
    }
}

TEST(ShaderArchive, RefusesWhatIsNotSpirvAndHasNoStage)
{
    std::vector<EntrySpec> specs = {{.name = "a"}};
    specs[0].spirv[0] = 0x03022307;
    EXPECT_EQ(errorOf(makeArchive(specs)), ErrorCode::BadFile);
    specs[0].spirv = {0x07230203, 0, 0, 0};
    EXPECT_EQ(errorOf(makeArchive(specs)), ErrorCode::BadFile);
    EXPECT_EQ(errorOf(makeArchive(std::vector<EntrySpec>{{.name = "a", .stages = 0}})), ErrorCode::BadFile);
    EXPECT_EQ(errorOf(makeArchive(std::vector<EntrySpec>{{.name = "a", .stages = 8}})), ErrorCode::BadFile);
}

TEST(ShaderArchive, SaysWhichVersionItReads)
{
    std::vector<std::uint32_t> words = makeArchive(twoEntries());
    words[1] = 2;
    const Result<ShaderArchive> archive = ShaderArchive::open(bytesOf(words));
    ASSERT_FALSE(archive);
    EXPECT_NE(archive.error().message.find("version 2"), std::string::npos) << archive.error().message;
}

TEST(ShaderArchive, SurvivesMaliceBehindARightChecksum)
{
    const std::uint32_t seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 engine(seed);
    const auto random = [&engine] { return static_cast<std::uint32_t>(engine()); };
    const std::vector<std::uint32_t> original = makeArchive(twoEntries());
    const std::uint32_t interesting[] = {0, 1, 3, 4, 5, 31, 32, 255, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFC, 0xFFFFFFFF,
        static_cast<std::uint32_t>(original.size() * 4), static_cast<std::uint32_t>(original.size() * 4 - 4)};
    std::uint32_t openedCount = 0;
    for (int round = 0; round < 20000; ++round)
    {
        std::vector<std::uint32_t> words = original;
        for (std::uint32_t change = 0; change <= random() % 3; ++change)
        {
            std::uint32_t& word = words[4 + random() % (words.size() - 4)];
            word = random() % 2 == 0 ? interesting[random() % std::size(interesting)] : word + random() % 9 - 4;
        }
        sealArchive(words);
        if (const Result<ShaderArchive> archive = ShaderArchive::open(bytesOf(words)))
        {
            ++openedCount;
            touch(*archive);
        }
    }
    EXPECT_GT(openedCount, 0U) << "no mutation was harmless: the rounds tested the first check only";
    EXPECT_LT(openedCount, 20000U);
}
