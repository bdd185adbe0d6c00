// drawloom/gpu/detail/capture_events.cpp - the event list of a capture: one byte for the kind, then its fields.
#include "drawloom/gpu/detail/capture_events.h"

#include "drawloom/gpu/detail/text.h"

namespace dl::gpu
{
namespace
{

constexpr std::uint32_t kMaxStateCount = 1U << 16U;

void writeKind(CaptureWriter& a, CaptureEvent event)
{
    auto raw = static_cast<std::uint8_t>(event);
    a.number(raw);
}

void writeBlock(CaptureWriter& a, std::span<const std::byte> bytes)
{
    std::uint64_t count = bytes.size();
    a.number(count);
    a.bytes(bytes.data(), bytes.size());
}

std::span<const std::byte> readBlock(CaptureReader& a)
{
    std::uint64_t count = 0;
    a.number(count);
    return a.take(count);
}

CapturedContent readContent(CaptureReader& a)
{
    CapturedContent content;
    std::uint8_t isGpuWritten = 0;
    std::uint32_t stateCount = 0;
    a.number(content.index);
    a.number(content.generation);
    a.number(isGpuWritten);
    a.number(stateCount);
    if (isGpuWritten > 1 || stateCount > kMaxStateCount || stateCount > a.left() / 4)
        a.fail();
    content.isGpuWritten = isGpuWritten != 0;
    content.states.resize(a.isFailed() ? 0 : stateCount);
    for (AccessFlags& state : content.states)
    {
        a.number(state.bits);
        if (state.bits >= 2 * static_cast<std::uint32_t>(Access::CopyWrite))
            a.fail();
    }
    content.bytes = readBlock(a);
    return content;
}

Result<void> readDestroy(CaptureReader& a, CaptureSink& sink)
{
    std::uint8_t kind = 0;
    std::uint32_t index = 0, generation = 0;
    a.number(kind);
    a.number(index);
    a.number(generation);
    if (kind >= kObjectKindCount)
        a.fail();
    return a.isFailed() ? Result<void>() : sink.destroy(static_cast<ObjectKind>(kind), index, generation);
}

/// One event; the caller looks at `a.isFailed()`.
Result<void> readEvent(CaptureReader& a, CaptureSink& sink)
{
    std::uint8_t event = 0;
    a.number(event);
    switch (static_cast<CaptureEvent>(event))
    {
    case CaptureEvent::Create:
    {
        CapturedObject object;
        archive(a, object);
        return a.isFailed() ? Result<void>() : sink.create(object);
    }
    case CaptureEvent::BufferContent:
    {
        const CapturedContent content = readContent(a);
        return a.isFailed() ? Result<void>() : sink.bufferContent(content);
    }
    case CaptureEvent::TextureContent:
    {
        const CapturedContent content = readContent(a);
        return a.isFailed() ? Result<void>() : sink.textureContent(content);
    }
    case CaptureEvent::Destroy: return readDestroy(a, sink);
    case CaptureEvent::Submit:
    {
        const std::span<const std::byte> stream = readBlock(a);
        return a.isFailed() ? Result<void>() : sink.submit(stream);
    }
    }
    a.fail();
    return {};
}

} // namespace

Result<void> readEvents(std::span<const std::byte> body, CaptureSink& sink)
{
    CaptureReader a(body);
    while (a.left() != 0)
    {
        const std::size_t offset = body.size() - a.left();
        DL_TRY(readEvent(a, sink));
        if (a.isFailed())
            return Error{ErrorCode::BadFile, formatText("capture, offset %zu: an event is cut off or has a field out of range", offset)};
    }
    return {};
}

void writeCreate(std::vector<std::byte>& body, CapturedObject& object)
{
    CaptureWriter a(body);
    writeKind(a, CaptureEvent::Create);
    archive(a, object);
}

void writeContent(std::vector<std::byte>& body, CaptureEvent event, const CapturedContent& content)
{
    CaptureWriter a(body);
    writeKind(a, event);
    CapturedContent copy = content;
    std::uint8_t isGpuWritten = content.isGpuWritten ? 1 : 0;
    auto stateCount = static_cast<std::uint32_t>(content.states.size());
    a.number(copy.index);
    a.number(copy.generation);
    a.number(isGpuWritten);
    a.number(stateCount);
    for (AccessFlags& state : copy.states)
        a.number(state.bits);
    writeBlock(a, content.bytes);
}

void writeDestroy(std::vector<std::byte>& body, ObjectKind kind, std::uint32_t index, std::uint32_t generation)
{
    CaptureWriter a(body);
    writeKind(a, CaptureEvent::Destroy);
    auto raw = static_cast<std::uint8_t>(kind);
    a.number(raw);
    a.number(index);
    a.number(generation);
}

void writeSubmit(std::vector<std::byte>& body, std::span<const std::byte> stream)
{
    CaptureWriter a(body);
    writeKind(a, CaptureEvent::Submit);
    writeBlock(a, stream);
}

} // namespace dl::gpu
