// tests/gpu/capture_test.cpp - captured frames replay alone; damaged captures give clean errors.
#include "drawloom/gpu/capture.h"
#include "tests/gpu/gpu_world.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <random>

namespace dl::gpu
{
namespace
{

/// A null device behind a capture device, with the world's objects.
struct Recorded
{
    std::unique_ptr<NullDevice> null = createNullDevice();
    std::unique_ptr<CaptureDevice> device = createCaptureDevice(*null);
    GpuWorld world;
    std::vector<Completion> completions;

    Recorded() { world.create(*device); }
    CommandStream frame()
    {
        CommandStream stream;
        world.frame(stream);
        EXPECT_TRUE(device->submit(stream.bytes()));
        completions.clear();
        device->poll(completions);
        return stream;
    }
};

std::vector<std::byte> readbackOf(const std::vector<Completion>& completions)
{
    for (const Completion& c : completions)
        if (c.kind == CompletionKind::Readback)
            return c.bytes;
    return {};
}

/// The second frame of the world, captured.
Capture captureSecondFrame(Recorded& recorded, std::string* dump = nullptr)
{
    recorded.frame();
    recorded.device->beginCapture();
    recorded.null->resetStats();
    const CommandStream stream = recorded.frame();
    if (dump != nullptr)
        *dump = dumpStream(stream.bytes());
    return recorded.device->endCapture().value();
}

TEST(Capture, FrameReplaysAloneWithTheSameCountsDumpAndReadback)
{
    Recorded recorded;
    std::string dump;
    const Capture capture = captureSecondFrame(recorded, &dump);
    EXPECT_EQ(capture.summary().streamCount, 1U);
    EXPECT_GT(capture.summary().contentBytes, 16384U);
    EXPECT_EQ(capture.summary().gpuContentCount, 4U); // hdr, depth, ldr, storage

    const Capture loaded = decodeCapture(encodeCapture(capture)).value();
    GpuWorld clean; // its checked device must stay silent while the frame plays
    const auto target = createNullDevice();
    std::string messages;
    ValidationSettings settings;
    settings.handler = [&](const ValidationMessage& m) { messages += m.text + "\n"; };
    const auto checked = createValidationDevice(*target, settings);
    const Result<ReplayResult> replay = replayCapture(loaded, *checked);
    ASSERT_TRUE(replay) << replay.error().message << "\n" << messages;
    EXPECT_EQ(messages, "");
    EXPECT_EQ(replay->dump, dump);
    EXPECT_EQ(target->stats().passes, recorded.null->stats().passes);
    EXPECT_EQ(target->stats().total, recorded.null->stats().total);
    ASSERT_EQ(replay->readbacks.size(), 1U);
    EXPECT_EQ(replay->readbacks[0].token, 42U);
    EXPECT_EQ(replay->readbacks[0].bytes, readbackOf(recorded.completions));
    for (std::uint32_t kind = 0; kind < kObjectKindCount; ++kind)
        EXPECT_EQ(target->liveObjectCount(static_cast<ObjectKind>(kind)), 0U) << kind;
}

TEST(Capture, SnapshotRestoresTexturesAndBuffers)
{
    const auto null = createNullDevice();
    const auto device = createCaptureDevice(*null);
    const TextureId texture = device
                                  ->createTexture({.label = "array",
                                      .dimension = TextureDimension::D2Array,
                                      .width = 8,
                                      .height = 4,
                                      .depthOrLayers = 2,
                                      .mipCount = 2,
                                      .usage = TextureUsage::CopyDst | TextureUsage::CopySrc})
                                  .value();
    const BufferId buffer =
        device->createBuffer({.label = "out", .bytes = 1024, .usage = BufferUsage::CopyDst | BufferUsage::CopySrc}).value();
    std::vector<std::byte> data(4 * 2 * 4 * 2);
    for (std::size_t i = 0; i < data.size(); ++i)
        data[i] = static_cast<std::byte>(i + 1);
    const TextureRegion region{.texture = texture, .mip = 1, .width = 4, .height = 2, .layersOrDepth = 2};
    CommandStream stream;
    const TextureBarrier toWrite[] = {{.texture = texture, .mipCount = 2, .layerCount = 2, .after = Access::CopyWrite}};
    stream.barriers(toWrite, {});
    stream.writeTexture(region, 16, 2, data);
    const TextureBarrier toRead[] = {
        {.texture = texture, .baseMip = 1, .layerCount = 2, .before = Access::CopyWrite, .after = Access::CopyRead}};
    stream.barriers(toRead, {});
    ASSERT_TRUE(device->submit(stream.bytes()));
    device->beginCapture();
    stream.clear();
    stream.copyTextureToBuffer({region, buffer, 0, 256, 2});
    GpuWorld::toState(stream, buffer, Access::CopyWrite, Access::CopyRead);
    stream.readbackBuffer(buffer, 0, 1024, 5);
    ASSERT_TRUE(device->submit(stream.bytes()));
    const Capture capture = device->endCapture().value();

    const auto target = createNullDevice();
    std::string messages;
    ValidationSettings settings;
    settings.handler = [&](const ValidationMessage& m) { messages += m.text + "\n"; };
    const auto checked = createValidationDevice(*target, settings);
    const Result<ReplayResult> replay = replayCapture(capture, *checked);
    ASSERT_TRUE(replay) << replay.error().message;
    EXPECT_EQ(messages, "");
    for (std::size_t row = 0; row < 4; ++row)
        EXPECT_EQ(std::memcmp(replay->readbacks[0].bytes.data() + row * 256, data.data() + row * 16, 16), 0) << row;
}

TEST(Capture, ObjectsMadeAndDestroyedDuringTheFrameReplayToo)
{
    Recorded recorded;
    recorded.frame();
    recorded.device->destroy(recorded.world.frameLayout); // still needed by groups and pipelines
    recorded.device->destroy(recorded.world.module);
    const BufferId gone = recorded.device->createBuffer({.label = "gone", .bytes = 16, .usage = BufferUsage::CopyDst}).value();
    recorded.device->destroy(gone);
    recorded.device->beginCapture();
    const BufferId fresh =
        recorded.device->createBuffer({.label = "fresh", .bytes = 16, .usage = BufferUsage::CopyDst | BufferUsage::CopySrc}).value();
    CommandStream stream;
    stream.writeBuffer(fresh, 4, std::as_bytes(std::span("abc")));
    GpuWorld::toState(stream, fresh, Access::CopyWrite, Access::CopyRead);
    stream.readbackBuffer(fresh, 4, 4, 9);
    ASSERT_TRUE(recorded.device->submit(stream.bytes()));
    recorded.device->destroy(fresh);
    recorded.frame();
    const Capture capture = recorded.device->endCapture().value();
    EXPECT_EQ(capture.summary().streamCount, 2U);
    const auto target = createNullDevice();
    const Result<ReplayResult> replay = replayCapture(capture, *target);
    ASSERT_TRUE(replay) << replay.error().message;
    ASSERT_EQ(replay->readbacks.size(), 2U);
    EXPECT_EQ(std::memcmp(replay->readbacks[0].bytes.data(), "abc", 4), 0);
    EXPECT_EQ(replay->readbacks[1].streamIndex, 1U);
    EXPECT_EQ(target->liveObjectCount(ObjectKind::Buffer), 0U);
    EXPECT_EQ(target->stats().created[ObjectKind::BindGroupLayout], 3U);
}

TEST(Capture, EmptyCaptureAndMissingBegin)
{
    const auto null = createNullDevice();
    const auto device = createCaptureDevice(*null);
    EXPECT_EQ(device->endCapture().error().code, ErrorCode::InvalidArgument);
    device->beginCapture();
    const Capture capture = device->endCapture().value();
    EXPECT_EQ(capture.summary().objectCount, 0U);
    const Capture loaded = decodeCapture(encodeCapture(capture)).value();
    EXPECT_EQ(replayCapture(loaded, *null)->streamCount, 0U);
}

TEST(Capture, FilesRoundTripAndMissingOnesAreNotFound)
{
    Recorded recorded;
    const Capture capture = captureSecondFrame(recorded);
    const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "drawloom_capture_test.dlcap";
    ASSERT_TRUE(saveCapture(capture, path.string()));
    const Result<Capture> loaded = loadCapture(path.string());
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_TRUE(std::equal(loaded->body().begin(), loaded->body().end(), capture.body().begin(), capture.body().end()));
    EXPECT_EQ(loadCapture(path.string(), {.maxBytes = 100}).error().code, ErrorCode::OutOfBudget);
    std::filesystem::remove(path);
    EXPECT_EQ(loadCapture(path.string()).error().code, ErrorCode::NotFound);
    EXPECT_EQ(saveCapture(capture, "/nowhere/capture").error().code, ErrorCode::Io);
}

TEST(Capture, EveryFlippedByteAndTruncationOfAFileIsRefused)
{
    Recorded recorded;
    const std::vector<std::byte> file = encodeCapture(captureSecondFrame(recorded));
    ASSERT_TRUE(decodeCapture(file));
    for (std::size_t i = 0; i < file.size(); ++i)
    {
        std::vector<std::byte> damaged = file;
        damaged[i] ^= std::byte(0x41);
        // zstd has bits without meaning: what is accepted must be the same capture
        if (const Result<Capture> capture = decodeCapture(damaged, {.maxBytes = 1U << 24U}))
        {
            EXPECT_TRUE(encodeCapture(*capture) == file) << "byte " << i;
        }
    }
    for (std::size_t bytes = 0; bytes < file.size(); bytes += bytes < 64 ? 1 : 13)
        EXPECT_FALSE(decodeCapture(std::span(file).first(bytes))) << bytes;
    std::vector<std::byte> newer = file;
    newer[8] = std::byte(2);
    EXPECT_EQ(decodeCapture(newer).error().code, ErrorCode::Unsupported);
    EXPECT_EQ(decodeCapture(file, {.maxBytes = 1000}).error().code, ErrorCode::OutOfBudget);
}

/// Behind the hash: the event reader, and the replay through the validation device, stand alone.
TEST(Capture, DamagedBodiesGiveCleanErrors)
{
    constexpr std::uint32_t kSeed = 77;
    SCOPED_TRACE(testing::Message() << "seed " << kSeed);
    std::mt19937 random(kSeed);
    Recorded recorded;
    const Capture capture = captureSecondFrame(recorded);
    const std::vector<std::byte> body(capture.body().begin(), capture.body().end());
    std::size_t refusedCount = 0, failedCount = 0, playedCount = 0;
    for (std::size_t i = 0; i < body.size(); i += body.size() > 3000 && i > 3000 ? 97 : 3)
    {
        std::vector<std::byte> damaged = body;
        damaged[i] = static_cast<std::byte>(random());
        Result<Capture> read = Capture::fromBody(std::move(damaged));
        if (!read)
        {
            EXPECT_EQ(read.error().code, ErrorCode::BadFile) << read.error().message;
            ++refusedCount;
            continue;
        }
        const auto target = createNullDevice();
        ValidationSettings settings;
        settings.handler = [](const ValidationMessage&) {};
        const auto checked = createValidationDevice(*target, settings);
        (replayCapture(*read, *checked) ? playedCount : failedCount) += 1;
    }
    EXPECT_GT(refusedCount, 50U);
    EXPECT_GT(failedCount, 50U);
    EXPECT_GT(playedCount, 50U);
    for (std::size_t bytes = 1; bytes < body.size(); bytes += 61)
        if (const Result<Capture> read = Capture::fromBody({body.begin(), body.begin() + static_cast<std::ptrdiff_t>(bytes)}))
        {
            EXPECT_EQ(read->summary().streamCount, 0U) << "cut between two events";
        }
}

TEST(Capture, ReplayReportsTheTargetsFailures)
{
    Recorded recorded;
    const Capture capture = captureSecondFrame(recorded);
    NullDeviceSettings settings;
    settings.failNthCreation[ObjectKind::Texture] = 3;
    const auto full = createNullDevice(settings);
    EXPECT_EQ(replayCapture(capture, *full).error().code, ErrorCode::OutOfMemory);
    EXPECT_EQ(full->liveObjectCount(ObjectKind::Buffer), 0U);
    settings = {};
    settings.failPipelineLabel = "tonemap";
    EXPECT_FALSE(replayCapture(capture, *createNullDevice(settings)));
    settings = {};
    settings.loseAtSubmission = 2;
    EXPECT_EQ(replayCapture(capture, *createNullDevice(settings)).error().code, ErrorCode::DeviceLost);
    settings = {};
    settings.pollsUntilDone = 5;
    settings.pollsUntilPipelineReady = 7;
    EXPECT_TRUE(replayCapture(capture, *createNullDevice(settings)));
}

} // namespace
} // namespace dl::gpu
