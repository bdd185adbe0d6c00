// tests/gpu/command_stream_test.cpp - writer, reader and dump of command streams, hostile bytes included.
#include "drawloom/gpu/barrier_model.h"
#include "drawloom/gpu/command_stream.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace dl::gpu
{
namespace
{

constexpr std::uint32_t kSeed = 20240611;

std::span<const std::byte> bytesOf(std::string_view text)
{
    return std::as_bytes(std::span(text.data(), text.size()));
}

class RandomStream
{
public:
    explicit RandomStream(std::uint32_t seed) : m_random(seed) {}

    std::uint32_t number(std::uint32_t bound) { return static_cast<std::uint32_t>(m_random() % bound); }
    template <class IdType> IdType id() { return {number(1000), 1 + number(9)}; }
    TextureRegion region()
    {
        return {.texture = id<TextureId>(), .mip = number(9), .x = number(64), .y = number(64), .width = number(64), .height = number(64)};
    }
    std::vector<std::byte> data(std::uint32_t bound)
    {
        std::vector<std::byte> bytes(number(bound));
        for (std::byte& b : bytes)
            b = static_cast<std::byte>(number(256));
        return bytes;
    }

    /// Appends one random command; returns its operation.
    Op add(CommandStream& s)
    {
        const Op op = static_cast<Op>(number(kOpCount));
        switch (op)
        {
        case Op::WriteBuffer: s.writeBuffer(id<BufferId>(), number(4096), data(60)); break;
        case Op::WriteTexture: s.writeTexture(region(), 16, 4, data(60)); break;
        case Op::CopyBufferToBuffer: s.copyBufferToBuffer({id<BufferId>(), id<BufferId>(), 4, 8, 16}); break;
        case Op::CopyBufferToTexture: s.copyBufferToTexture({region(), id<BufferId>(), 0, 256, 4}); break;
        case Op::CopyTextureToBuffer: s.copyTextureToBuffer({region(), id<BufferId>(), 0, 256, 4}); break;
        case Op::CopyTextureToTexture: s.copyTextureToTexture({region(), region()}); break;
        case Op::ClearBuffer: s.clearBuffer(id<BufferId>(), 0, number(100)); break;
        case Op::ResolveQueries: s.resolveQueries({id<QuerySetId>(), 0, number(4), id<BufferId>(), 256}); break;
        case Op::ReadbackBuffer: s.readbackBuffer(id<BufferId>(), 0, number(100), number(100)); break;
        case Op::Barriers: addBarriers(s); break;
        case Op::BeginRenderPass: addRenderPass(s); break;
        case Op::EndRenderPass: s.endRenderPass(); break;
        case Op::BeginComputePass: s.beginComputePass({.label = "compute", .querySet = id<QuerySetId>(), .endQuery = 1}); break;
        case Op::EndComputePass: s.endComputePass(); break;
        case Op::SetPipeline: s.setPipeline(id<PipelineId>()); break;
        case Op::SetBindGroup: addBindGroup(s); break;
        case Op::SetVertexBuffer: s.setVertexBuffer(number(8), id<BufferId>(), number(100)); break;
        case Op::SetIndexBuffer: s.setIndexBuffer(id<BufferId>(), static_cast<IndexFormat>(number(2)), number(100)); break;
        case Op::SetViewport: s.setViewport({1, 2, 3, 4, 0, 1}); break;
        case Op::SetScissor: s.setScissor({1, 2, 3, number(100)}); break;
        case Op::Draw: s.draw({number(99), number(99), number(99), number(99)}); break;
        case Op::DrawIndexed: s.drawIndexed({number(99), 1, number(99), -5, number(99)}); break;
        case Op::DrawIndexedIndirect: s.drawIndexedIndirect(id<BufferId>(), number(99), number(9)); break;
        case Op::Dispatch: s.dispatch(number(9), number(9), number(9)); break;
        case Op::DispatchIndirect: s.dispatchIndirect(id<BufferId>(), number(99)); break;
        case Op::PushDebugGroup: s.pushDebugGroup(std::string(number(20), 'x')); break;
        case Op::PopDebugGroup: s.popDebugGroup(); break;
        }
        return op;
    }

private:
    void addBarriers(CommandStream& s)
    {
        const std::vector<TextureBarrier> textures(number(3), {.texture = id<TextureId>(), .after = Access::SampledRead});
        const std::vector<BufferBarrier> buffers(
            1 + number(3), {.buffer = id<BufferId>(), .after = Access::VertexRead | Access::IndexRead});
        s.barriers(textures, buffers);
    }
    void addRenderPass(CommandStream& s)
    {
        const std::vector<ColorAttachment> colors(number(9), {.view = id<TextureViewId>()});
        s.beginRenderPass({.label = std::string_view("a render pass").substr(number(13)), .width = 640, .height = 480, .colors = colors});
    }
    void addBindGroup(CommandStream& s)
    {
        const std::vector<std::uint32_t> offsets(number(kMaxDynamicOffsets + 1), 256);
        s.setBindGroup(number(4), id<BindGroupId>(), offsets);
    }
    std::mt19937 m_random;
};

std::size_t lineCount(const std::string& text)
{
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(CommandStream, ReaderGivesBackWhatWasWritten)
{
    CommandStream stream;
    stream.writeBuffer({3, 1}, 16, bytesOf("0123456"));
    const std::uint32_t offsets[] = {256, 512};
    stream.setBindGroup(2, {7, 4}, offsets);
    const ColorAttachment colors[] = {{.view = {1, 1}}, {.view = {2, 1}, .load = LoadOp::Load}};
    stream.beginRenderPass({.label = "opaque", .width = 64, .height = 32, .colors = colors, .depth = {.view = {5, 1}}});

    CommandReader reader(stream.bytes());
    const CommandView write = reader.next().value();
    ASSERT_EQ(write.op, Op::WriteBuffer);
    EXPECT_EQ(write.record<WriteBufferCmd>().buffer, (BufferId{3, 1}));
    EXPECT_EQ(write.record<WriteBufferCmd>().offset, 16U);
    ASSERT_EQ(write.trailing<WriteBufferCmd>().size(), 7U);
    EXPECT_EQ(std::memcmp(write.trailing<WriteBufferCmd>().data(), "0123456", 7), 0);
    const CommandView group = reader.next().value();
    EXPECT_EQ((group.element<SetBindGroupCmd, std::uint32_t>(1)), 512U);
    const CommandView pass = reader.next().value();
    EXPECT_EQ((pass.element<BeginRenderPassCmd, ColorAttachment>(1).load), LoadOp::Load);
    EXPECT_EQ(pass.trailing<BeginRenderPassCmd>().size(), 2 * sizeof(ColorAttachment) + 6);
    EXPECT_TRUE(reader.isAtEnd());
}

TEST(CommandStream, EmptyStreamIsAtEndAndDumpsNothing)
{
    CommandStream stream;
    stream.barriers({}, {});
    EXPECT_TRUE(stream.isEmpty());
    EXPECT_TRUE(CommandReader(stream.bytes()).isAtEnd());
    EXPECT_EQ(dumpStream(stream.bytes()), "");
    EXPECT_FALSE(CommandReader(stream.bytes()).next());
}

TEST(CommandStream, WarmStreamKeepsItsMemory)
{
    CommandStream stream;
    for (int i = 0; i < 1000; ++i)
        stream.draw({});
    const std::byte* before = stream.bytes().data();
    stream.clear();
    for (int i = 0; i < 1000; ++i)
        stream.draw({});
    EXPECT_EQ(stream.bytes().data(), before);
}

TEST(CommandStream, AppendJoinsStreamsInOrder)
{
    CommandStream a, b, whole;
    a.draw({.vertexCount = 3});
    b.dispatch(1, 2, 3);
    whole.draw({.vertexCount = 3});
    whole.dispatch(1, 2, 3);
    a.append(b);
    EXPECT_TRUE(std::equal(a.bytes().begin(), a.bytes().end(), whole.bytes().begin(), whole.bytes().end()));
}

TEST(CommandStream, DumpShowsPassesBarriersAndData)
{
    CommandStream stream;
    const TextureBarrier toColor[] = {{.texture = {4, 1}, .after = Access::ColorWrite}};
    const BufferBarrier toRead[] = {{.buffer = {2, 1}, .before = Access::CopyWrite, .after = Access::VertexRead | Access::IndexRead}};
    stream.barriers(toColor, toRead);
    const ColorAttachment colors[] = {{.view = {9, 1}, .clear = {0, 0.5f, 1, 1}}};
    stream.beginRenderPass({.label = "opaque", .width = 8, .height = 4, .colors = colors});
    stream.setIndexBuffer({2, 1}, IndexFormat::Uint16, 64);
    stream.drawIndexed({.indexCount = 36, .instanceCount = 10, .baseVertex = -2, .firstInstance = 5});
    stream.endRenderPass();
    EXPECT_EQ(dumpStream(stream.bytes()), "Barriers t4 mips 0+1 layers 0+1 None->ColorWrite b2 CopyWrite->IndexRead|VertexRead\n"
                                          "BeginRenderPass \"opaque\" 8x4 color v9 clear store (0 0.5 1 1)\n"
                                          "  SetIndexBuffer b2+64 uint16\n"
                                          "  DrawIndexed indices 0+36 base -2 instances 5+10\n"
                                          "EndRenderPass\n");
}

TEST(CommandReader, ReadsRandomStreamsToTheEnd)
{
    SCOPED_TRACE(testing::Message() << "seed " << kSeed);
    RandomStream random(kSeed);
    CommandStream stream;
    std::vector<Op> ops;
    for (int i = 0; i < 5000; ++i)
        ops.push_back(random.add(stream));
    CommandReader reader(stream.bytes());
    for (const Op op : ops)
    {
        const Result<CommandView> view = reader.next();
        ASSERT_TRUE(view) << view.error().message;
        ASSERT_EQ(view->op, op);
    }
    EXPECT_TRUE(reader.isAtEnd());
    EXPECT_EQ(lineCount(dumpStream(stream.bytes())), ops.size());
}

TEST(CommandReader, SameCommandsGiveSameBytes)
{
    CommandStream a, b;
    for (CommandStream* stream : {&a, &b})
    {
        std::vector<std::byte> dirty(1 << 20, std::byte(stream == &a ? 0xAA : 0x55)); // freed memory differs
        dirty.clear();
        dirty.shrink_to_fit();
        RandomStream random(kSeed + 1);
        for (int i = 0; i < 2000; ++i)
            random.add(*stream);
    }
    EXPECT_TRUE(std::equal(a.bytes().begin(), a.bytes().end(), b.bytes().begin(), b.bytes().end()));
}

TEST(CommandReader, RefusesEveryTruncation)
{
    RandomStream random(kSeed + 2);
    CommandStream stream;
    for (int i = 0; i < 60; ++i)
        random.add(stream);
    std::vector<std::size_t> ends = {0};
    CommandReader whole(stream.bytes());
    while (!whole.isAtEnd())
    {
        ASSERT_TRUE(whole.next());
        ends.push_back(whole.offset());
    }
    for (std::size_t bytes = 0; bytes < stream.bytes().size(); ++bytes)
    {
        const std::vector<std::byte> cut(stream.bytes().begin(), stream.bytes().begin() + static_cast<std::ptrdiff_t>(bytes));
        CommandReader reader(cut);
        bool isRefused = false;
        while (!isRefused && !reader.isAtEnd())
            isRefused = !reader.next();
        const bool isCommandEnd = std::find(ends.begin(), ends.end(), bytes) != ends.end();
        ASSERT_EQ(isRefused, !isCommandEnd) << "cut to " << bytes;
    }
}

TEST(CommandReader, SurvivesRandomByteChanges)
{
    SCOPED_TRACE(testing::Message() << "seed " << kSeed + 3);
    RandomStream random(kSeed + 3);
    int refusedCount = 0;
    for (int round = 0; round < 400; ++round)
    {
        CommandStream stream;
        for (int i = 0; i < 20; ++i)
            random.add(stream);
        std::vector<std::byte> bytes(stream.bytes().begin(), stream.bytes().end());
        for (int i = 0; i < 3; ++i)
            bytes[random.number(static_cast<std::uint32_t>(bytes.size()))] = static_cast<std::byte>(random.number(256));
        refusedCount += dumpStream(bytes).find("! command stream") != std::string::npos ? 1 : 0;
    }
    EXPECT_GT(refusedCount, 50);
    EXPECT_LT(refusedCount, 400);
}

/// Writes `value` at `offset` of a copy of the stream and reads the first command.
template <class T> Result<CommandView> readPatched(const CommandStream& stream, std::size_t offset, T value)
{
    static std::vector<std::byte> bytes;
    bytes.assign(stream.bytes().begin(), stream.bytes().end());
    std::memcpy(bytes.data() + offset, &value, sizeof(value));
    return CommandReader(bytes).next();
}

TEST(CommandReader, RefusesWrongHeaders)
{
    CommandStream stream;
    stream.draw({});
    EXPECT_TRUE(readPatched(stream, 0, static_cast<std::uint16_t>(Op::Draw)));
    EXPECT_FALSE(readPatched(stream, 0, static_cast<std::uint16_t>(kOpCount)));
    EXPECT_FALSE(readPatched(stream, 2, std::uint16_t(1)));
    for (const std::uint32_t bytes : {0U, 8U, 16U, 23U, 32U, 0xFFFFFFF8U})
        EXPECT_FALSE(readPatched(stream, 4, bytes)) << bytes;
}

TEST(CommandReader, RefusesCountsThatDoNotFit)
{
    CommandStream group;
    group.setBindGroup(0, {1, 1}, std::vector<std::uint32_t>(3, 0));
    const std::size_t offsetCount = sizeof(CommandHeader) + 4;
    EXPECT_TRUE(readPatched(group, offsetCount, 4U)); // the padding reads as a fourth offset of 0
    EXPECT_FALSE(readPatched(group, offsetCount, 5U));
    EXPECT_FALSE(readPatched(group, offsetCount, 0x40000003U)); // wraps in 32 bits
    CommandStream barriers;
    const BufferBarrier one[] = {{.buffer = {1, 1}, .after = Access::CopyRead}};
    barriers.barriers({}, one);
    EXPECT_FALSE(readPatched(barriers, sizeof(CommandHeader), 0x8000000U));
    EXPECT_FALSE(readPatched(barriers, sizeof(CommandHeader) + 4, 2U));
}

TEST(CommandReader, RefusesFieldsOutOfRange)
{
    CommandStream index;
    index.setIndexBuffer({1, 1}, IndexFormat::Uint32);
    const std::size_t record = sizeof(CommandHeader);
    EXPECT_FALSE(readPatched(index, record + offsetof(SetIndexBufferCmd, format), std::uint8_t(2)));
    EXPECT_FALSE(readPatched(index, record + offsetof(SetIndexBufferCmd, reserved) + 6, std::uint8_t(1)));
    CommandStream pass;
    const ColorAttachment colors[] = {{.view = {9, 1}}};
    pass.beginRenderPass({.label = "p", .width = 8, .height = 4, .colors = colors});
    const std::size_t color = record + sizeof(BeginRenderPassCmd);
    EXPECT_FALSE(readPatched(pass, color + offsetof(ColorAttachment, load), std::uint8_t(2)));
    EXPECT_FALSE(readPatched(pass, color + offsetof(ColorAttachment, store), std::uint8_t(2)));
    EXPECT_FALSE(readPatched(pass, record + offsetof(BeginRenderPassCmd, depth) + offsetof(DepthAttachment, isReadOnly), std::uint8_t(2)));
    EXPECT_FALSE(readPatched(pass, pass.bytes().size() - 1, std::uint8_t(1))) << "padding";
}

TEST(BarrierModel, KnowsTheLegalStates)
{
    EXPECT_TRUE(isLegalBufferState(Access::VertexRead | Access::IndexRead));
    EXPECT_TRUE(isLegalBufferState(Access::CopyWrite));
    EXPECT_FALSE(isLegalBufferState(Access::CopyWrite | Access::VertexRead));
    EXPECT_FALSE(isLegalBufferState(Access::StorageWrite | Access::CopyWrite));
    EXPECT_FALSE(isLegalBufferState(Access::SampledRead));
    EXPECT_FALSE(isLegalBufferState(Access::ColorWrite));
    EXPECT_TRUE(isLegalTextureState(Access::DepthRead | Access::SampledRead));
    EXPECT_TRUE(isLegalTextureState(Access::StorageWrite));
    EXPECT_FALSE(isLegalTextureState(Access::CopyRead | Access::SampledRead));
    EXPECT_FALSE(isLegalTextureState(Access::VertexRead));
    EXPECT_EQ(layoutOf({}), TextureLayout::Undefined);
    EXPECT_EQ(layoutOf(Access::DepthRead | Access::SampledRead), TextureLayout::DepthReadOnly);
    EXPECT_EQ(layoutOf(Access::SampledRead), TextureLayout::ShaderReadOnly);
    EXPECT_EQ(layoutOf(Access::StorageWrite), TextureLayout::General);
}

TEST(BarrierModel, BeforeCoversTheState)
{
    EXPECT_TRUE(coversBufferState(Access::VertexRead | Access::IndexRead, Access::IndexRead));
    EXPECT_FALSE(coversBufferState(Access::VertexRead, Access::VertexRead | Access::IndexRead));
    EXPECT_TRUE(coversBufferState({}, Access::StorageWrite));
    EXPECT_FALSE(coversTextureState(Access::SampledRead, {}));
    EXPECT_TRUE(coversTextureState({}, Access::SampledRead));
}

} // namespace
} // namespace dl::gpu
