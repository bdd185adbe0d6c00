// drawloom/gpu/detail/capture_events.h - the events of a capture's body, handed to a sink one by one.
#pragma once

#include "drawloom/core/result.h"
#include "drawloom/gpu/detail/capture_archive.h"

namespace dl::gpu
{

/// States and bytes of one object at the snapshot. Bytes are empty where copies never wrote.
struct CapturedContent
{
    std::uint32_t index = 0, generation = 0;
    bool isGpuWritten = false;
    std::vector<AccessFlags> states; ///< one of a buffer; mip-major (mip, layer) of a texture
    std::span<const std::byte> bytes;
};

class CaptureSink
{
public:
    virtual ~CaptureSink() = default;
    virtual Result<void> create(CapturedObject& object) = 0;
    virtual Result<void> bufferContent(const CapturedContent& content) = 0;
    virtual Result<void> textureContent(const CapturedContent& content) = 0;
    virtual Result<void> destroy(ObjectKind kind, std::uint32_t index, std::uint32_t generation) = 0;
    virtual Result<void> submit(std::span<const std::byte> stream) = 0;
};

/// BadFile when the bytes are no event list, or the sink's error.
Result<void> readEvents(std::span<const std::byte> body, CaptureSink& sink);

void writeCreate(std::vector<std::byte>& body, CapturedObject& object);
void writeContent(std::vector<std::byte>& body, CaptureEvent event, const CapturedContent& content);
void writeDestroy(std::vector<std::byte>& body, ObjectKind kind, std::uint32_t index, std::uint32_t generation);
void writeSubmit(std::vector<std::byte>& body, std::span<const std::byte> stream);

} // namespace dl::gpu
