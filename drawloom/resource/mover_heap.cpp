#include "drawloom/resource/mover_heap.h"

#include "drawloom/resource/detail/fresh_buffer.h"

#include <algorithm>
#include <cstring>

namespace dl
{

namespace
{
constexpr std::size_t kHeaderWords = 4, kCellWords = 2, kTransformWords = sizeof(Affine) / 4;
constexpr std::size_t kFirstCellCount = 64;
} // namespace

MoverHeap::MoverHeap(gpu::Device& device, RetireQueue& retired, MemoryAmount& amount)
    : m_buffer(device, retired, amount, {"previous transforms", gpu::BufferUsage::Storage, gpu::Access::StorageRead, 4096}),
      m_table(kFirstCellCount, 0)
{
}

void MoverHeap::onFrameDrawn()
{
    ++m_frameNumber;
    if (m_ids.empty())
        return;
    std::fill(m_table.begin(), m_table.end(), 0U);
    m_ids.clear();
    m_previous.clear();
    m_isForgotten.clear();
}

// The cell of `id`, or the empty one where it would go. The shader does the same.
std::uint32_t MoverHeap::findCell(HeapId id) const
{
    const auto mask = static_cast<std::uint32_t>(m_table.size() - 1);
    std::uint32_t cell = id * 0x9E3779B1U >> 7U & mask; // Fibonacci hashing: neighbours spread
    while (m_table[cell] != 0 && m_ids[m_table[cell] - 1] != id)
        cell = (cell + 1) & mask;
    return cell;
}

void MoverHeap::growTable()
{
    m_table.assign(m_table.size() * 2, 0U);
    for (std::uint32_t slot = 0; slot < m_ids.size(); ++slot)
        m_table[findCell(m_ids[slot])] = slot + 1;
}

std::uint32_t MoverHeap::insert(HeapId id)
{
    if (m_ids.size() * 2 >= m_table.size())
        growTable();
    const std::uint32_t cell = findCell(id);
    m_ids.push_back(id);
    m_previous.emplace_back();
    m_isForgotten.push_back(0);
    m_table[cell] = static_cast<std::uint32_t>(m_ids.size());
    return m_table[cell] - 1;
}

Result<std::uint32_t> MoverHeap::record(HeapId id, const Affine& previous)
{
    if (const std::uint32_t entry = m_table[findCell(id)]; entry != 0)
        return entry - 1;
    // A mover takes its transform and, at worst, four cells (the table is a quarter full just after it grew).
    constexpr std::size_t kWorstBytes = (kTransformWords + 4 * kCellWords) * 4;
    if ((m_ids.size() + kFirstCellCount) * kWorstBytes > m_buffer.maxBytes())
        return Error{ErrorCode::OutOfBudget,
            std::to_string(m_ids.size()) + " instances move in one frame; the buffer of previous transforms is full"};
    const std::uint32_t slot = insert(id);
    m_previous[slot] = previous;
    return slot;
}

void MoverHeap::forget(HeapId id)
{
    // Without an entry there is nothing to forget; who records afterwards in the same frame is told by frameNumber().
    if (const std::uint32_t entry = m_table[findCell(id)]; entry != 0)
        m_isForgotten[entry - 1] = 1;
}

void MoverHeap::changeCell(HeapId id, vec3 shift)
{
    if (const std::uint32_t entry = m_table[findCell(id)]; entry != 0)
        for (int axis = 0; axis < 3; ++axis)
            m_previous[entry - 1].rows[axis].w += shift[axis];
}

std::uint32_t MoverHeap::slotOf(HeapId id) const
{
    const std::uint32_t entry = m_table[findCell(id)];
    return entry == 0 || m_isForgotten[entry - 1] != 0 ? kNotMoving : entry - 1;
}

std::size_t MoverHeap::uploadWords() const
{
    return kHeaderWords + m_table.size() * kCellWords + m_previous.size() * kTransformWords;
}

Result<void> MoverHeap::prepare()
{
    DL_TRY(m_buffer.reserve((m_isWanted ? uploadWords() : kHeaderWords) * 4));
    return {};
}

void MoverHeap::collectWrites(WriteBatch& batch)
{
    if (!m_isWanted)
    {
        writeFresh(batch, m_buffer);
        return;
    }
    m_upload.assign(uploadWords(), 0U);
    m_upload[0] = static_cast<std::uint32_t>(m_table.size() - 1);
    m_upload[1] = static_cast<std::uint32_t>((kHeaderWords + m_table.size() * kCellWords) / 4);
    for (std::size_t cell = 0; cell < m_table.size(); ++cell)
    {
        if (m_table[cell] == 0)
            continue;
        const std::uint32_t slot = m_table[cell] - 1;
        m_upload[kHeaderWords + cell * kCellWords] = m_ids[slot] + 1;
        m_upload[kHeaderWords + cell * kCellWords + 1] = m_isForgotten[slot] != 0 ? kNotMoving : slot;
    }
    if (!m_previous.empty())
        std::memcpy(m_upload.data() + m_upload[1] * std::size_t(4), m_previous.data(), m_previous.size() * sizeof(Affine));
    batch.write(m_buffer, 0, std::as_bytes(std::span(m_upload)));
}

} // namespace dl
