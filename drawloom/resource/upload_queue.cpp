#include "drawloom/resource/upload_queue.h"

#include <algorithm>

namespace dl
{

namespace
{
// std::push_heap keeps the "largest" in front: the one that goes first.
template <class Entry> bool goesLater(const Entry& a, const Entry& b)
{
    return a.priority != b.priority ? a.priority < b.priority : a.sequence > b.sequence;
}
} // namespace

UploadId UploadQueue::addBuffer(GrowableBuffer& target, std::uint64_t offset, UploadPayload payload, std::int32_t priority)
{
    DL_ASSERT(payload.bytes % 4 == 0 && offset % 4 == 0, "buffer uploads are multiples of four bytes");
    Upload upload;
    upload.buffer = &target;
    upload.offset = offset;
    upload.payload = std::move(payload);
    return add(std::move(upload), priority);
}

UploadId UploadQueue::addTexture(const TextureUploadTarget& target, UploadPayload payload, std::int32_t priority)
{
    DL_ASSERT(payload.bytes == gpu::textureLevelBytes(target.format, target.width, target.height, 1), "a level of another size");
    Upload upload;
    upload.texture = target;
    upload.payload = std::move(payload);
    return add(std::move(upload), priority);
}

UploadId UploadQueue::add(Upload upload, std::int32_t priority)
{
    DL_ASSERT(upload.payload.data != nullptr && upload.payload.bytes > 0, "an empty payload");
    m_staging->add(upload.payload.bytes);
    m_stats.pendingBytes += upload.payload.bytes;
    m_stats.pendingCount += 1;
    const UploadId id = m_uploads.add(std::move(upload));
    m_order.push_back({priority, m_sequence++, id});
    std::push_heap(m_order.begin(), m_order.end(), goesLater<Entry>);
    return id;
}

bool UploadQueue::cancel(UploadId id)
{
    const Upload* upload = m_uploads.find(id);
    if (upload == nullptr)
        return false;
    m_stats.pendingBytes -= upload->payload.bytes - upload->sent;
    m_stats.pendingCount -= 1;
    m_stats.cancelledCount += 1;
    m_staging->remove(upload->payload.bytes);
    m_uploads.remove(id); // its entry in the heap is dropped when it comes up
    return true;
}

std::uint64_t UploadQueue::sendPiece(WriteBatch& batch, Upload& upload, std::uint64_t budgetBytes, bool isFirst)
{
    const std::uint64_t left = upload.payload.bytes - upload.sent;
    std::uint64_t unit = 4, piece = 0;
    std::uint64_t rowBytes = 0;
    const gpu::FormatInfo* info = nullptr;
    if (upload.buffer == nullptr)
    {
        info = &gpu::formatInfo(upload.texture.format);
        const std::uint32_t blocksAcross = (upload.texture.width + info->blockTexels - 1U) / info->blockTexels;
        unit = rowBytes = std::uint64_t(blocksAcross) * info->blockBytes;
    }
    piece = std::min(left, budgetBytes - budgetBytes % unit);
    if (piece == 0)
    {
        if (!isFirst)
            return 0;
        piece = std::min(left, upload.buffer == nullptr ? unit : std::uint64_t(4096)); // progress under any budget
    }
    // One command's size is a 32-bit number.
    const std::uint64_t maxPiece = std::uint64_t(256) << 20U;
    if (piece > maxPiece)
        piece = std::max(unit, maxPiece - maxPiece % unit);

    const std::span<const std::byte> data(upload.payload.data.get() + upload.sent, static_cast<std::size_t>(piece));
    if (upload.buffer != nullptr)
        batch.write(*upload.buffer, upload.offset + upload.sent, data);
    else
    {
        const auto firstRow = static_cast<std::uint32_t>(upload.sent / rowBytes);
        const auto rows = static_cast<std::uint32_t>(piece / rowBytes);
        gpu::TextureRegion region;
        region.texture = upload.texture.texture;
        region.mip = upload.texture.mip;
        region.y = firstRow * info->blockTexels;
        region.width = upload.texture.width;
        region.height = std::min(rows * info->blockTexels, upload.texture.height - region.y);
        batch.write(region, static_cast<std::uint32_t>(rowBytes), rows, data);
    }
    return piece;
}

void UploadQueue::drain(WriteBatch& batch, std::uint64_t budgetBytes)
{
    m_inFlight.clear();
    m_stats.sentFrameBytes = 0;
    while (!m_order.empty())
    {
        Upload* upload = m_uploads.find(m_order.front().id);
        const std::uint64_t spent = m_stats.sentFrameBytes;
        if (upload != nullptr)
        {
            const std::uint64_t rest = budgetBytes > spent ? budgetBytes - spent : 0;
            const std::uint64_t piece = sendPiece(batch, *upload, rest, spent == 0);
            if (piece == 0)
                break;
            upload->sent += piece;
            m_stats.sentFrameBytes += piece;
            m_stats.sentBytes += piece;
            m_stats.pendingBytes -= piece;
            m_inFlight.push_back(upload->payload);
            if (upload->sent < upload->payload.bytes)
                continue;
            m_stats.pendingCount -= 1;
            m_staging->remove(upload->payload.bytes);
            m_uploads.remove(m_order.front().id);
        }
        std::pop_heap(m_order.begin(), m_order.end(), goesLater<Entry>);
        m_order.pop_back();
    }
}

} // namespace dl
