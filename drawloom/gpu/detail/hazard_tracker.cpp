// drawloom/gpu/detail/hazard_tracker.cpp - the rules of the barrier model as code; rule numbers are that header's.
#include "drawloom/gpu/detail/hazard_tracker.h"

#include "drawloom/gpu/barrier_model.h"
#include "drawloom/gpu/detail/text.h"

#include <algorithm>
#include <bit>

namespace dl::gpu
{

/// A whole buffer (texture null) or one subresource.
struct HazardTracker::Subject
{
    const BufferRecord* buffer = nullptr;
    const TextureRecord* texture = nullptr;
    std::uint32_t mip = 0, layer = 0;

    std::string name() const
    {
        if (buffer != nullptr)
            return formatText("buffer \"%s\"", buffer->label.c_str());
        if (texture->layerCount() == 1)
            return formatText("texture \"%s\" mip %u", texture->label.c_str(), mip);
        return formatText("texture \"%s\" mip %u layer %u", texture->label.c_str(), mip, layer);
    }
};

namespace
{

const char* verbOf(AccessFlags access)
{
    switch (static_cast<Access>(access.bits))
    {
    case Access::IndirectRead: return "read as indirect arguments";
    case Access::IndexRead: return "read as indices";
    case Access::VertexRead: return "read as vertices";
    case Access::UniformRead: return "read as uniforms";
    case Access::StorageRead: return "read as storage";
    case Access::SampledRead: return "sampled";
    case Access::DepthRead: return "read as depth attachment";
    case Access::CopyRead: return "copied from";
    case Access::StorageWrite: return "written as storage";
    case Access::ColorWrite: return "drawn to as colour";
    case Access::DepthWrite: return "drawn to as depth";
    case Access::CopyWrite: return "written by a copy";
    default: return "used";
    }
}

bool overlaps(std::uint32_t a, std::uint32_t aCount, std::uint32_t b, std::uint32_t bCount)
{
    return a < std::uint64_t(b) + bCount && b < std::uint64_t(a) + aCount;
}

bool overlaps(const TextureRegion& a, const TextureRegion& b)
{
    return a.mip == b.mip && overlaps(a.x, a.width, b.x, b.width) && overlaps(a.y, a.height, b.y, b.height) &&
           overlaps(a.layerOrZ, a.layersOrDepth, b.layerOrZ, b.layersOrDepth);
}

/// Adds [begin, end); false if it overlaps what is there. Neighbours are merged, so that sequential uploads stay one range.
bool addRange(std::vector<ByteRange>& ranges, ByteRange added)
{
    const auto next = std::lower_bound(
        ranges.begin(), ranges.end(), added.begin, [](const ByteRange& range, std::uint64_t begin) { return range.end < begin; });
    auto last = next;
    bool isDisjoint = true;
    while (last != ranges.end() && last->begin <= added.end)
    {
        isDisjoint = isDisjoint && (last->end == added.begin || last->begin == added.end);
        added = {.begin = std::min(added.begin, last->begin), .end = std::max(added.end, last->end)};
        ++last;
    }
    if (next == last)
        ranges.insert(next, added);
    else
    {
        *next = added;
        ranges.erase(next + 1, last);
    }
    return isDisjoint;
}

} // namespace

PlaceIndex HazardTracker::place(std::string_view text)
{
    const auto found = std::find(m_places.begin(), m_places.end(), text);
    if (found != m_places.end())
        return static_cast<PlaceIndex>(found - m_places.begin());
    m_places.emplace_back(text);
    return static_cast<PlaceIndex>(m_places.size() - 1);
}

void HazardTracker::report(ValidationRule rule, const Subject& subject, const std::string& text, bool isError)
{
    m_reporter.reportInStream(rule, subject.name() + ": " + text, isError);
}

/// Rules 1-4; true if it was in order.
bool HazardTracker::use(RangeState& range, AccessFlags access, UseSite site, bool needsContent, const Subject& subject)
{
    const bool isWrite = isWriteState(access);
    const bool isFirstOfBuffer = subject.buffer != nullptr && !range.state;
    bool isInOrder = true;
    if (!isFirstOfBuffer && !range.state.contains(access))
    {
        const std::string what = formatText("%s %s", verbOf(access), m_places[site.place].c_str());
        const std::string state = toString(range.state);
        if (range.isUsed)
            report(ValidationRule::MissingBarrier, subject,
                formatText("%s after %s %s without a barrier (its state is %s)", what.c_str(), toString(range.lastAccess).c_str(),
                    m_places[range.lastPlace].c_str(), state.c_str()));
        else
            report(ValidationRule::MissingBarrier, subject,
                formatText("%s, but its state is %s: a barrier to %s is missing", what.c_str(), state.c_str(), toString(access).c_str()));
        isInOrder = false;
    }
    else if (isWrite && site.scope != 0 && range.writeScope != 0 && range.writeScope != site.scope)
    {
        report(ValidationRule::MissingBarrier, subject,
            formatText("%s %s after %s %s without a barrier", verbOf(access), m_places[site.place].c_str(),
                toString(range.lastAccess).c_str(), m_places[range.lastPlace].c_str()));
        isInOrder = false;
    }
    if (needsContent && !range.isDefined)
    {
        report(ValidationRule::UndefinedContent, subject,
            formatText(
                "%s %s, but nothing has written it since it was created or discarded", verbOf(access), m_places[site.place].c_str()));
        range.isDefined = true;
    }
    // After a message the use counts as the new state, so that what follows is judged from there.
    if (isFirstOfBuffer || !isInOrder)
        range.state = (subject.buffer != nullptr && !isWrite && !isWriteState(range.state)) ? range.state | access : access;
    range.writeScope = isWrite ? site.scope : 0;
    range.isDefined = range.isDefined || isWrite;
    range.isUsed = true;
    range.lastAccess = access;
    range.lastPlace = site.place;
    return isInOrder;
}

void HazardTracker::useBuffer(BufferRecord& buffer, AccessFlags access, UseSite site)
{
    use(buffer.range, access, site, !isWriteState(access), {.buffer = &buffer});
}

void HazardTracker::writeBufferByCopy(BufferRecord& buffer, std::uint64_t offset, std::uint64_t bytes, UseSite site)
{
    const Subject subject{.buffer = &buffer};
    if (!buffer.range.state || !buffer.range.state.contains(Access::CopyWrite))
        buffer.written.clear();
    use(buffer.range, Access::CopyWrite, site, false, subject);
    if (bytes != 0 && !addRange(buffer.written, {.begin = offset, .end = offset + bytes}))
        report(ValidationRule::MissingBarrier, subject,
            formatText("bytes %llu to %llu written by a copy %s after an overlapping CopyWrite without a barrier",
                static_cast<unsigned long long>(offset), static_cast<unsigned long long>(offset + bytes), m_places[site.place].c_str()));
}

void HazardTracker::useTexture(TextureRecord& texture, SubresourceRange r, AccessFlags access, UseSite site, bool needsContent)
{
    for (std::uint32_t mip = r.baseMip; mip < r.baseMip + r.mipCount; ++mip)
        for (std::uint32_t layer = r.baseLayer; layer < r.baseLayer + r.layerCount; ++layer)
            use(texture.range(mip, layer), access, site, needsContent, {.texture = &texture, .mip = mip, .layer = layer});
}

void HazardTracker::writeTextureByCopy(TextureRecord& texture, const TextureRegion& region, UseSite site)
{
    const bool isVolume = texture.shape.isVolume;
    const SubresourceRange range{
        .baseMip = region.mip, .baseLayer = isVolume ? 0 : region.layerOrZ, .layerCount = isVolume ? 1 : region.layersOrDepth};
    useTexture(texture, range, Access::CopyWrite, site, false);
    const std::uint32_t partCount = isVolume ? 1 : region.layersOrDepth; // one part per layer: barriers may name single layers
    for (std::uint32_t i = 0; i < partCount; ++i)
    {
        TextureRegion part = region;
        part.layerOrZ += i;
        part.layersOrDepth = isVolume ? region.layersOrDepth : 1;
        const auto isHit = [&](const TextureRegion& other) { return overlaps(part, other); };
        if (std::any_of(texture.written.begin(), texture.written.end(), isHit))
            report(ValidationRule::MissingBarrier, {.texture = &texture, .mip = region.mip, .layer = range.baseLayer + i},
                formatText("%ux%u texels at %u,%u written by a copy %s after an overlapping CopyWrite without a barrier", region.width,
                    region.height, region.x, region.y, m_places[site.place].c_str()));
        else
            texture.written.push_back(part);
    }
}

void HazardTracker::discard(TextureRecord& texture, SubresourceRange r)
{
    for (std::uint32_t mip = r.baseMip; mip < r.baseMip + r.mipCount; ++mip)
        for (std::uint32_t layer = r.baseLayer; layer < r.baseLayer + r.layerCount; ++layer)
            texture.range(mip, layer).isDefined = false;
}

void HazardTracker::applyBarrier(RangeState& range, AccessFlags before, AccessFlags after, bool isCovered, const Subject& subject)
{
    if (range.barrierCommand == m_barrierCommand)
        report(ValidationRule::IllegalBarrier, subject, "has two barriers in one command, whose order is not defined");
    range.barrierCommand = m_barrierCommand;
    if (!isCovered)
        report(ValidationRule::BarrierBefore, subject,
            formatText("barrier %s -> %s, but its state is %s (last used: %s %s)", toString(before).c_str(), toString(after).c_str(),
                toString(range.state).c_str(), toString(range.lastAccess).c_str(), m_places[range.lastPlace].c_str()));
    if (before == after && range.state == after && !isWriteState(after))
        report(
            ValidationRule::RedundantBarrier, subject, formatText("barrier %s -> the same does nothing", toString(before).c_str()), false);
    range.isDefined = range.isDefined && before;
    range.state = after;
    range.writeScope = 0;
    range.isUsed = false;
}

void HazardTracker::barrier(BufferRecord& buffer, const BufferBarrier& b)
{
    const Subject subject{.buffer = &buffer};
    if (!isLegalBufferState(b.before) || !isLegalBufferState(b.after) || !b.after)
        return report(ValidationRule::IllegalBarrier, subject,
            formatText("barrier %s -> %s is not between legal buffer states", toString(b.before).c_str(), toString(b.after).c_str()));
    applyBarrier(buffer.range, b.before, b.after, coversBufferState(b.before, buffer.range.state), subject);
    buffer.written.clear();
}

void HazardTracker::barrier(TextureRecord& texture, const TextureBarrier& b)
{
    const Subject whole{.texture = &texture, .mip = b.baseMip, .layer = b.baseLayer};
    if (!isLegalTextureState(b.before) || !isLegalTextureState(b.after) || !b.after)
        return report(ValidationRule::IllegalBarrier, whole,
            formatText("barrier %s -> %s is not between legal texture states", toString(b.before).c_str(), toString(b.after).c_str()));
    const std::uint64_t mipEnd = std::uint64_t(b.baseMip) + b.mipCount, layerEnd = std::uint64_t(b.baseLayer) + b.layerCount;
    if (b.mipCount == 0 || b.layerCount == 0 || mipEnd > texture.shape.mipCount || layerEnd > texture.layerCount())
        return report(ValidationRule::IllegalBarrier, whole,
            formatText("barrier over mips %u+%u, layers %u+%u of a texture with %u mips, %u layers", b.baseMip, b.mipCount, b.baseLayer,
                b.layerCount, texture.shape.mipCount, texture.layerCount()));
    for (std::uint32_t mip = b.baseMip; mip < mipEnd; ++mip)
        for (std::uint32_t layer = b.baseLayer; layer < layerEnd; ++layer)
        {
            RangeState& range = texture.range(mip, layer);
            const bool isCovered = coversTextureState(b.before, range.state);
            applyBarrier(range, b.before, b.after, isCovered, {.texture = &texture, .mip = mip, .layer = layer});
        }
    // A D3 texture has one layer in the model: its barrier covers all depth slices.
    std::erase_if(texture.written,
        [&](const TextureRegion& w)
        {
            const bool isLayerInside = texture.shape.isVolume || (w.layerOrZ >= b.baseLayer && w.layerOrZ < layerEnd);
            return w.mip >= b.baseMip && w.mip < mipEnd && isLayerInside;
        });
}

} // namespace dl::gpu
