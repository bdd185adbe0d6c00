// drawloom/resource/upload_queue.h - payloads (mesh streams, mip levels) on their way to the GPU, within a byte budget per
// frame. Filled by the geometry pool and the texture slots, drained by GpuResources::flush.
#pragma once

#include "drawloom/gpu/types.h"
#include "drawloom/resource/memory_stats.h"
#include "drawloom/resource/resource_ids.h"
#include "drawloom/resource/write_batch.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace dl
{

/// Bytes that stay alive as long as somebody holds them; usually an alias into a larger object.
struct UploadPayload
{
    std::shared_ptr<const std::byte> data;
    std::uint64_t bytes = 0;
};

/// One mip level of one 2D texture; the payload holds its rows of blocks tightly packed.
struct TextureUploadTarget
{
    gpu::TextureId texture;
    gpu::Format format = gpu::Format::RGBA8Unorm;
    std::uint32_t mip = 0, width = 0, height = 0; ///< of the level
};

struct UploadStats
{
    std::uint64_t pendingBytes = 0, pendingCount = 0;
    std::uint64_t sentBytes = 0;      ///< since the start
    std::uint64_t sentFrameBytes = 0; ///< by the last drain
    std::uint64_t cancelledCount = 0;
};

/// First in, first out within a priority; higher priorities first. A payload larger than what is left of the budget is sent in pieces
/// (rows of blocks for textures); at least one piece goes out per drain, so nothing starves under a small budget.
/// Not thread safe.
class UploadQueue
{
public:
    explicit UploadQueue(MemoryAmount& stagingBytes) : m_staging(&stagingBytes) {}

    /// The buffer must live until the upload is done or cancelled; multiples of 4 bytes.
    UploadId addBuffer(GrowableBuffer& target, std::uint64_t offset, UploadPayload payload, std::int32_t priority = 0);
    /// The texture is in CopyWrite whenever a drain may write it (its owner's barriers).
    UploadId addTexture(const TextureUploadTarget& target, UploadPayload payload, std::int32_t priority = 0);
    /// False for an id that is done, cancelled or none.
    bool isPending(UploadId id) const { return m_uploads.contains(id); }
    /// Drops what was not sent yet. False as above.
    bool cancel(UploadId id);

    /// Moves up to `budgetBytes` into the batch. Payloads stay alive until the next drain.
    void drain(WriteBatch& batch, std::uint64_t budgetBytes);

    const UploadStats& stats() const { return m_stats; }

private:
    struct Upload
    {
        GrowableBuffer* buffer = nullptr; ///< null: a texture
        TextureUploadTarget texture;
        std::uint64_t offset = 0, sent = 0;
        UploadPayload payload;
    };
    struct Entry
    {
        std::int32_t priority = 0;
        std::uint64_t sequence = 0;
        UploadId id;
    };
    UploadId add(Upload upload, std::int32_t priority);
    std::uint64_t sendPiece(WriteBatch& batch, Upload& upload, std::uint64_t budgetBytes, bool isFirst);

    SlotTable<UploadId, Upload> m_uploads;
    std::vector<Entry> m_order; ///< a heap: best priority, then lowest sequence
    std::vector<UploadPayload> m_inFlight;
    std::uint64_t m_sequence = 0;
    MemoryAmount* m_staging;
    UploadStats m_stats;
};

} // namespace dl
