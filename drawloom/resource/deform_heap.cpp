#include "drawloom/resource/deform_heap.h"

#include "drawloom/resource/detail/fresh_buffer.h"

#include <algorithm>
#include <utility>

namespace dl
{

DeformHeap::DeformHeap(gpu::Device& device, RetireQueue& retired, GeometryPool& geometry, MemoryAmount& amount)
    : m_geometry(&geometry), m_retired(&retired), m_amount(&amount),
      m_output(device, retired, amount,
          {"deformed vertices", gpu::BufferUsage::Storage | gpu::BufferUsage::CopySrc, gpu::Access::StorageRead, 4096}),
      m_previous(device, retired, amount,
          {"previous vertices", gpu::BufferUsage::Storage | gpu::BufferUsage::CopySrc, gpu::Access::StorageRead, 16}),
      m_jointBuffer(device, retired, amount, {"joints", gpu::BufferUsage::Storage, gpu::Access::StorageRead, 4096}),
      m_weightBuffer(device, retired, amount, {"morph weights", gpu::BufferUsage::Storage, gpu::Access::StorageRead, 1024}),
      m_jobs(device, retired, amount, "deform jobs")
{
}

DeformHeap::~DeformHeap()
{
    m_retired->retire(m_oldOutput, m_oldBytes, m_amount);
}

Result<DeformSlotId> DeformHeap::allocate(MeshRangeId rangeId)
{
    if (!m_geometry->contains(rangeId))
        return Error{ErrorCode::StaleId, "a deform slot for a mesh range that was removed"};
    const MeshRange& range = m_geometry->range(rangeId);
    if (!range.isDeformed())
        return Error{ErrorCode::InvalidArgument, "a deform slot for a rigid mesh range"};
    const std::uint64_t words = std::uint64_t(range.vertexCount) * kDeformedVertexWords;
    if (words * 4 > m_output.maxBytes())
        return Error{ErrorCode::OutOfRange, std::to_string(range.vertexCount) + " deformed vertices do not fit the output buffer"};
    RangeAllocation allocation = m_words.allocate(static_cast<std::uint32_t>(words));
    if (!allocation.isValid())
    {
        const gpu::BufferId before = m_output.id();
        const std::uint64_t bytesBefore = m_output.bytes();
        const bool wasWritten = static_cast<bool>(m_output.state);
        DL_TRY(m_output.reserve((m_words.capacity() + words - m_words.freeTailCount()) * 4, false));
        if (before != m_output.id() && (m_oldOutput || !wasWritten))
            m_retired->retire(before, bytesBefore, m_amount);
        else if (before && before != m_output.id())
        {
            m_oldOutput = before;
            m_oldBytes = bytesBefore;
        }
        m_words.grow(static_cast<std::uint32_t>(m_output.bytes() / 4));
        allocation = m_words.allocate(static_cast<std::uint32_t>(words));
    }
    return m_slots.add({rangeId, allocation, false});
}

bool DeformHeap::free(DeformSlotId id)
{
    const Slot* slot = m_slots.find(id);
    if (slot == nullptr)
        return false;
    m_words.free(slot->words);
    return m_slots.remove(id);
}

std::uint32_t DeformHeap::deformOffset(DeformSlotId id) const
{
    const Slot& slot = m_slots.get(id);
    return slot.words.offset - m_geometry->range(slot.range).baseVertex * kDeformedVertexWords;
}

void DeformHeap::beginFrame()
{
    if (!m_dispatches.empty() && !m_isRun)
        ++m_lostFrameCount;
    if (m_isRun)
    {
        for (const DeformSlotId id : m_jobSlots)
            if (m_slots.contains(id))
                m_slots.get(id).isPosed = true;
        std::swap(m_lastJobSlots, m_jobSlots);
    }
    m_isPreviousCurrent = m_isRun && m_isPreviousCopied;
    m_isPreviousCopied = false;
    m_jobSlots.clear();
    m_isRun = false;
    m_joints.clear();
    m_weights.clear();
    m_dispatches.clear();
    m_jobs.beginFrame();
}

std::uint32_t DeformHeap::addJoints(std::span<const Affine> joints)
{
    const auto first = static_cast<std::uint32_t>(m_joints.size());
    m_joints.insert(m_joints.end(), joints.begin(), joints.end());
    return first;
}

std::uint32_t DeformHeap::addMorphWeights(std::span<const float> weights)
{
    const auto first = static_cast<std::uint32_t>(m_weights.size());
    m_weights.insert(m_weights.end(), weights.begin(), weights.end());
    return first;
}

Result<bool> DeformHeap::addJob(DeformSlotId slotId, std::uint32_t jointOffset, std::uint32_t weightOffset)
{
    const Slot* slot = m_slots.find(slotId);
    if (slot == nullptr || !m_geometry->contains(slot->range))
        return Error{ErrorCode::StaleId, "a deform job for a slot or a mesh range that was removed"};
    const MeshRange& range = m_geometry->range(slot->range);
    if (!range.isResident)
        return false;
    DeformJob job;
    job.sourceVertex = range.baseVertex;
    job.vertexCount = range.vertexCount;
    job.outWord = slot->words.offset;
    job.jointOffset = jointOffset;
    job.skinOffset = range.skinOffset;
    job.morphOffset = range.morphOffset;
    job.morphTargetCount = range.morphTargetCount;
    job.morphWeightOffset = weightOffset;
    job.flags = (range.skinSetCount != 0 ? kDeformSkinnedBit : 0U) | (range.morphTargetCount != 0 ? kDeformMorphedBit : 0U) |
                (range.skinSetCount == 2 ? kDeformSecondInfluencesBit : 0U) | (range.hasMorphNormals ? kDeformMorphNormalsBit : 0U) |
                (range.hasMorphTangents ? kDeformMorphTangentsBit : 0U) | (range.hasFlatNormals ? kDeformFlatNormalsBit : 0U);
    DL_TRY_ASSIGN(const std::uint32_t offset, m_jobs.push(job));
    m_jobSlots.push_back(slotId);
    m_dispatches.push_back({range.pageIndex, offset, (range.vertexCount + kDeformWorkgroupSize - 1U) / kDeformWorkgroupSize});
    return true;
}

void DeformHeap::emitCopies(gpu::CommandStream& stream)
{
    if (!m_oldOutput)
        return;
    WriteBatch::copyFromOld(stream, m_oldOutput, m_output.reads(), m_output, m_oldBytes);
    m_retired->retire(m_oldOutput, m_oldBytes, m_amount);
    m_oldOutput = {};
}

void DeformHeap::addCopy(DeformSlotId id)
{
    const Slot* slot = m_slots.find(id);
    if (slot != nullptr)
        m_copies.push_back({std::uint64_t(slot->words.offset) * 4, std::uint64_t(slot->words.count) * 4});
}

void DeformHeap::joinCopies()
{
    std::sort(m_copies.begin(), m_copies.end(), [](const DeformCopy& a, const DeformCopy& b) { return a.offset < b.offset; });
    std::size_t kept = 0;
    for (const DeformCopy& copy : m_copies)
    {
        if (kept != 0 && copy.offset <= m_copies[kept - 1].offset + m_copies[kept - 1].bytes)
        {
            DeformCopy& last = m_copies[kept - 1];
            last.bytes = std::max(last.bytes, copy.offset + copy.bytes - last.offset);
        }
        else
        {
            m_copies[kept++] = copy;
        }
    }
    m_copies.resize(kept);
}

std::span<const DeformCopy> DeformHeap::copiesBeforeJobs()
{
    m_copies.clear();
    const bool isSameBuffer = std::exchange(m_previousVersion, m_previous.version()) == m_previous.version();
    m_isPreviousCopied = true;
    if (m_slots.size() == 0)
        return {};
    if (!m_isPreviousCurrent || !isSameBuffer)
    {
        m_copies.push_back({0, m_output.bytes()});
        return m_copies;
    }
    for (const std::vector<DeformSlotId>* slots : {&m_lastJobSlots, &m_jobSlots})
        for (const DeformSlotId id : *slots)
            addCopy(id);
    joinCopies();
    return m_copies;
}

std::span<const DeformCopy> DeformHeap::copiesAfterJobs()
{
    m_copies.clear();
    for (const DeformSlotId id : m_jobSlots)
        if (const Slot* slot = m_slots.find(id); slot != nullptr && !slot->isPosed)
            addCopy(id);
    joinCopies();
    return m_copies;
}

Result<void> DeformHeap::prepare()
{
    DL_TRY(m_output.reserve(std::size_t(kDeformedVertexWords) * 4));
    if (m_words.capacity() == 0)
        m_words.grow(static_cast<std::uint32_t>(m_output.bytes() / 4));
    DL_TRY(m_previous.reserve(m_isPreviousWanted ? m_output.bytes() : 16));
    DL_TRY(m_jointBuffer.reserve(std::max<std::size_t>(m_joints.size(), 1) * sizeof(Affine)));
    DL_TRY(m_weightBuffer.reserve(std::max<std::size_t>(m_weights.size(), 1) * 4));
    return m_jobs.prepare();
}

void DeformHeap::collectWrites(WriteBatch& batch)
{
    writeFresh(batch, m_output);
    writeFresh(batch, m_previous);
    writeList(batch, m_jointBuffer, std::as_bytes(std::span(m_joints)));
    writeList(batch, m_weightBuffer, std::as_bytes(std::span(m_weights)));
    m_jobs.collectWrites(batch);
}

} // namespace dl
