// drawloom/resource/geometry_pool.h - vertex and index data of all meshes in few large buffers, so that different meshes
// share their bindings and join. A page has one base vertex for all its streams. Used by mesh sets (draw) and GpuResources.
#pragma once

#include "drawloom/resource/frame_timeline.h"
#include "drawloom/resource/growable_buffer.h"
#include "drawloom/resource/range_allocator.h"
#include "drawloom/resource/resource_ids.h"
#include "drawloom/resource/upload_queue.h"
#include "drawloom/resource/vertex_streams.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace dl
{

/// Where a mesh lies now. Read it when a draw is encoded (after GpuResources::flush), never keep it over a frame.
struct MeshRange
{
    std::uint32_t pageIndex = 0;
    std::uint32_t baseVertex = 0, vertexCount = 0;
    std::uint32_t firstIndex = 0, indexCount = 0; ///< indices are relative to baseVertex
    std::uint32_t skinOffset = 0;                 ///< first record of the page's skin buffer
    std::uint32_t morphOffset = 0;                ///< first word of the page's morph buffer
    std::uint32_t skinSetCount = 0, morphTargetCount = 0;
    bool hasMorphNormals = false, hasMorphTangents = false, hasFlatNormals = false;
    bool isResident = false; ///< all bytes were sent; false: do not draw it
    bool isDeformed() const { return skinSetCount != 0 || morphTargetCount != 0; }
};

/// Buffers of one page, none for streams that no range of it uses. `version` grows whenever one of them is another object.
struct GeometryPage
{
    gpu::BufferId position, normal, uv, index, skin, morph;
    std::uint32_t version = 0;
};

struct GeometryPoolSettings
{
    std::uint64_t maxBufferBytes = std::uint64_t(128) << 20U; ///< of each buffer of a page; cut to the device's limits
    std::uint32_t firstVertexCount = 1U << 14U;               ///< of a new page; it doubles up to maxBufferBytes
    std::uint32_t firstIndexCount = 1U << 16U;
    std::uint32_t maxPageCount = 64;
};

struct GeometryPoolStats
{
    std::uint32_t pageCount = 0, rangeCount = 0, residentRangeCount = 0;
    std::uint64_t usedVertexCount = 0, usedIndexCount = 0;
    std::uint64_t relocatedCount = 0; ///< since the start
};

/// Owner thread only; see GpuResources for the order of calls within a frame.
class GeometryPool
{
public:
    GeometryPool(gpu::Device& device, RetireQueue& retired, UploadQueue& uploads, FrameTimeline& timeline, MemoryAmount& meshBytes,
        const GeometryPoolSettings& settings);
    ~GeometryPool();
    GeometryPool(const GeometryPool&) = delete;
    GeometryPool& operator=(const GeometryPool&) = delete;

    /// Takes the data and queues its upload. InvalidArgument: malformed data. OutOfRange: larger than a page can be.
    /// OutOfBudget: maxPageCount pages are full. OutOfMemory: the device's. Failed: the pool is unchanged.
    Result<MeshRangeId> add(MeshData&& data, std::int32_t priority = 0);
    /// The range is reused once every submission that may read it has completed. False for a stale id.
    bool remove(MeshRangeId id);
    bool contains(MeshRangeId id) const { return m_ranges.contains(id); }

    /// Of a live id (a stale one is a caller's bug). O(1).
    const MeshRange& range(MeshRangeId id) const { return m_ranges.get(id).range; }
    /// Where it will lie when this frame's draws are encoded: moves that the next flush makes are made. For draw arguments, which go
    /// out with that flush.
    MeshRange rangeAfterFlush(MeshRangeId id) const;
    GeometryPage page(std::uint32_t pageIndex) const;
    std::uint32_t pageBound() const { return static_cast<std::uint32_t>(m_pages.size()); }

    /// Moves a range into another page at the next flush; commands that hold the id stay as they are. StaleId, InvalidArgument
    /// (not resident, deformed, same page, no such page, already moving), OutOfBudget (no room there).
    Result<void> relocate(MeshRangeId id, std::uint32_t pageIndex);
    /// Empties the least used page into the others, up to `maxBytes` in this call; an empty page's buffers are released.
    /// Returns the bytes that will be copied.
    std::uint64_t compact(std::uint64_t maxBytes);

    /// Copies of growth and relocation; before the upload queue is drained. Part of GpuResources::flush.
    void emitCopies(gpu::CommandStream& stream);
    /// Sets isResident of ranges whose uploads are done; after the drain.
    void updateResidency();
    /// Frees what completed submissions no longer read.
    void reclaim();

    GeometryPoolStats stats() const;

private:
    enum Stream : std::uint32_t
    {
        Position,
        Normal,
        Uv,
        Index,
        Skin,
        Morph,
        StreamCount
    };
    struct StreamBuffer;
    struct Page;
    struct Placement
    {
        RangeAllocation vertices, indices, skin, morph;
    };
    struct Range
    {
        MeshRange range;
        Placement placement;
        std::array<UploadId, StreamCount> uploads;
        bool isMoving = false;
    };
    struct Retired
    {
        std::uint64_t frame = 0;
        std::uint32_t pageIndex = 0;
        Placement placement;
    };
    struct Move
    {
        std::uint32_t fromPage = 0, toPage = 0;
        Placement from, to;
        MeshRangeId id;
    };

    struct Counts
    {
        std::uint32_t vertices = 0, indices = 0, skin = 0, morph = 0;
    };
    static Counts countsOf(const MeshData& data);
    static Counts countsOf(const Placement& placement);
    static void setOffsets(MeshRange& range, std::uint32_t pageIndex, const Placement& placement);
    Result<std::uint32_t> place(const Counts& counts, std::string_view name, Placement& placement);
    Result<Placement> placeInPage(Page& page, const Counts& counts);
    void freePlacement(Page& page, const Placement& placement);
    void queueUploads(Range& range, Page& page, const std::shared_ptr<MeshData>& data, std::int32_t priority);
    void retirePlacement(std::uint32_t pageIndex, const Placement& placement);
    void releaseEmptyPage(std::uint32_t pageIndex);

    gpu::Device* m_device;
    RetireQueue* m_retired;
    UploadQueue* m_uploads;
    FrameTimeline* m_timeline;
    MemoryAmount* m_meshBytes;
    GeometryPoolSettings m_settings;
    std::vector<std::unique_ptr<Page>> m_pages;
    SlotTable<MeshRangeId, Range> m_ranges;
    std::vector<MeshRangeId> m_pending; ///< not resident yet
    std::vector<Retired> m_retiredRanges;
    std::vector<Move> m_moves;
    std::uint64_t m_relocatedCount = 0;
};

} // namespace dl
