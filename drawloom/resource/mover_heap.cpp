#include "drawloom/resource/mover_heap.h"

#include "drawloom/resource/detail/fresh_buffer.h"

#include <algorithm>

namespace dl
{

MoverHeap::MoverHeap(gpu::Device& device, RetireQueue& retired, MemoryAmount& amount)
    : m_buffer(device, retired, amount, {"previous transforms", gpu::BufferUsage::Storage, gpu::Access::StorageRead, 4096}), m_table(64, 0)
{
}

void MoverHeap::beginFrame()
{
    if (m_ids.empty())
        return;
    std::fill(m_table.begin(), m_table.end(), 0U);
    m_ids.clear();
    m_previous.clear();
}

// The cell of `id`, or the empty one where it would go.
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

Result<std::uint32_t> MoverHeap::record(HeapId id, const Affine& previous)
{
    std::uint32_t cell = findCell(id);
    if (m_table[cell] != 0)
        return m_table[cell] - 1;
    if ((m_previous.size() + 1) * sizeof(Affine) > m_buffer.maxBytes())
        return Error{ErrorCode::OutOfBudget,
            std::to_string(m_previous.size()) + " instances move in one frame; the buffer of previous transforms is full"};
    if (m_ids.size() * 2 >= m_table.size())
    {
        growTable();
        cell = findCell(id);
    }
    m_ids.push_back(id);
    m_previous.push_back(previous);
    m_table[cell] = static_cast<std::uint32_t>(m_ids.size());
    return static_cast<std::uint32_t>(m_ids.size() - 1);
}

std::uint32_t MoverHeap::slotOf(HeapId id) const
{
    const std::uint32_t entry = m_table[findCell(id)];
    return entry == 0 ? kNotMoving : entry - 1;
}

Result<void> MoverHeap::prepare()
{
    DL_TRY(m_buffer.reserve(std::max<std::size_t>(m_previous.size(), 1) * sizeof(Affine)));
    return {};
}

void MoverHeap::collectWrites(WriteBatch& batch)
{
    writeList(batch, m_buffer, std::as_bytes(std::span(m_previous)));
}

} // namespace dl
