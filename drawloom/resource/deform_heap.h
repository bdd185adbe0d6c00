// drawloom/resource/deform_heap.h - vertices of skinned and morphed instances (G3 binding 4) and the jobs of the compute pass
// that writes them. A slot keeps its place while its instance lives; a job is added in the frames in which its pose changes.
#pragma once

#include "drawloom/core/maths.h"
#include "drawloom/resource/geometry_pool.h"
#include "drawloom/resource/gpu_structs.h"
#include "drawloom/resource/growable_buffer.h"
#include "drawloom/resource/range_allocator.h"
#include "drawloom/resource/resource_ids.h"
#include "drawloom/resource/uniform_ring.h"

#include <cstdint>
#include <span>
#include <vector>

namespace dl
{

/// One dispatch of the pass `deform`: group 0 with dynamicOffset, group 1 of the page, workgroupCount x 1 x 1.
struct DeformDispatch
{
    std::uint32_t pageIndex = 0, dynamicOffset = 0, workgroupCount = 0;
};

/// A range of the deform output, to be copied to the same place among the previous vertices.
struct DeformCopy
{
    std::uint64_t offset = 0, bytes = 0;
};

/// Owner thread only. The pass binds jobGroup() and pageGroup(page) of LibraryBindings; `output` is StorageRead before and after it
/// (its barriers to StorageWrite and back are the pass's).
class DeformHeap
{
public:
    DeformHeap(gpu::Device& device, RetireQueue& retired, GeometryPool& geometry, MemoryAmount& amount);
    ~DeformHeap();
    DeformHeap(const DeformHeap&) = delete;
    DeformHeap& operator=(const DeformHeap&) = delete;

    /// Room for the vertices of one instance of a deformed range. OutOfBudget: 128 MiB are full; OutOfMemory. Failed: unchanged.
    Result<DeformSlotId> allocate(MeshRangeId range);
    bool free(DeformSlotId id);
    /// Goes into InstanceRecord::deformOffset.
    std::uint32_t deformOffset(DeformSlotId id) const;

    /// Forgets the last frame's jobs, joints and weights.
    void beginFrame();
    /// Joint matrices (jointWorld x inverseBind, relative to the instance) and morph weights of this frame; shared by several
    /// slots of one character through the returned offsets.
    std::uint32_t addJoints(std::span<const Affine> joints);
    std::uint32_t addMorphWeights(std::span<const float> weights);
    /// Deforms `slot` in this frame. Ranges that are not resident are skipped (false). `jointOffset`, `weightOffset` are what the two calls
    /// above returned; ignored for ranges that need none. OutOfBudget: 65,536 jobs.
    Result<bool> addJob(DeformSlotId slot, std::uint32_t jointOffset, std::uint32_t weightOffset);
    std::span<const DeformDispatch> dispatches() const { return m_dispatches; }
    /// The frame's stream was submitted with its jobs. Without this call beginFrame counts them as lost.
    void setJobsRun() { m_isRun = true; }
    /// Frames whose jobs never ran (no pipeline yet, a frame that failed): who posed in one of them has to do it again.
    std::uint64_t lostFrameCount() const { return m_lostFrameCount; }

    /// Frames with velocity keep the vertices of the frame before (G3 binding 6, in the places of the output). Before
    /// GpuResources::flush; holds until it is changed. Without it the buffer is a few bytes.
    void setPreviousWanted(bool isWanted) { m_isPreviousWanted = isWanted; }
    /// After flush, in frames that want it: what is copied before the jobs run (whatever changed in the last frame or will
    /// change in this one), and after (poses that have no earlier one: they stand still). Valid until the next beginFrame.
    std::span<const DeformCopy> copiesBeforeJobs();
    std::span<const DeformCopy> copiesAfterJobs();

    /// Copies the vertices when the output grew; part of GpuResources::flush.
    void emitCopies(gpu::CommandStream& stream);
    Result<void> prepare();
    void collectWrites(WriteBatch& batch);

    GrowableBuffer& output() { return m_output; }
    const GrowableBuffer& output() const { return m_output; }
    const GrowableBuffer& previous() const { return m_previous; }
    const GrowableBuffer& joints() const { return m_jointBuffer; }
    const GrowableBuffer& morphWeights() const { return m_weightBuffer; }
    const UniformRing& jobs() const { return m_jobs; }
    std::uint32_t slotCount() const { return static_cast<std::uint32_t>(m_slots.size()); }

private:
    struct Slot
    {
        MeshRangeId range;
        RangeAllocation words;
        bool isPosed = false; ///< its vertices were written
    };
    void addCopy(DeformSlotId id);
    void joinCopies();

    GeometryPool* m_geometry;
    RetireQueue* m_retired;
    MemoryAmount* m_amount;
    GrowableBuffer m_output, m_previous, m_jointBuffer, m_weightBuffer;
    UniformRing m_jobs;
    RangeAllocator m_words;
    SlotTable<DeformSlotId, Slot> m_slots;
    std::vector<Affine> m_joints;
    std::vector<float> m_weights;
    std::vector<DeformDispatch> m_dispatches;
    std::vector<DeformSlotId> m_jobSlots, m_lastJobSlots; ///< of this frame, of the last one that ran
    std::vector<DeformCopy> m_copies;
    bool m_isPreviousWanted = false;
    bool m_isPreviousCurrent = false; ///< the last frame kept its previous vertices, and ran
    bool m_isPreviousCopied = false;  ///< this frame keeps them
    std::uint32_t m_previousVersion = 0;
    gpu::BufferId m_oldOutput; ///< to be copied from; none: nothing
    std::uint64_t m_oldBytes = 0;
    bool m_isRun = false;
    std::uint64_t m_lostFrameCount = 0;
};

} // namespace dl
