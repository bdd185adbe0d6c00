// drawloom/gpu/detail/capture_tracker.cpp - snapshots: what is alive, what that needs, what it holds.
#include "drawloom/gpu/detail/capture_tracker.h"

#include <algorithm>

namespace dl::gpu
{
namespace
{

constexpr std::size_t kNoEntry = SIZE_MAX;
constexpr std::size_t kMinDeadCountToCompact = 256;

bool isGpuWrite(AccessFlags state)
{
    return state.intersects(Access::StorageWrite | Access::ColorWrite | Access::DepthWrite);
}

} // namespace

void CaptureTracker::add(CapturedObject object)
{
    if (object.kind == ObjectKind::Buffer)
    {
        const auto id = object.id<struct BufferTag>();
        m_contents.addBuffer(id, object.buffer.bytes);
        m_buffers.insert(id, {.states = std::vector<AccessFlags>(1)});
    }
    if (object.kind == ObjectKind::Texture)
    {
        const auto id = object.id<struct TextureTag>();
        const std::uint32_t layerCount = object.texture.dimension == TextureDimension::D3 ? 1 : object.texture.depthOrLayers;
        m_contents.addTexture(id, object.texture);
        m_textures.insert(
            id, {.states = std::vector<AccessFlags>(std::size_t(object.texture.mipCount) * layerCount), .layerCount = layerCount});
    }
    m_entries.push_back({.object = std::move(object)});
}

std::size_t CaptureTracker::entryOf(ObjectKind kind, std::uint32_t index, std::uint32_t generation) const
{
    for (std::size_t i = m_entries.size(); i-- > 0;)
    {
        const CapturedObject& object = m_entries[i].object;
        if (object.kind == kind && object.index == index && object.generation == generation)
            return i;
    }
    return kNoEntry;
}

void CaptureTracker::remove(ObjectKind kind, std::uint32_t index, std::uint32_t generation)
{
    const std::size_t entry = entryOf(kind, index, generation);
    if (entry == kNoEntry || !m_entries[entry].isAlive)
        return;
    m_entries[entry].isAlive = false;
    ++m_deadCount;
    if (kind == ObjectKind::Buffer)
    {
        m_contents.remove(BufferId{index, generation});
        m_buffers.erase(BufferId{index, generation});
    }
    if (kind == ObjectKind::Texture)
    {
        m_contents.remove(TextureId{index, generation});
        m_textures.erase(TextureId{index, generation});
    }
    if (m_deadCount > kMinDeadCountToCompact && m_deadCount * 2 > m_entries.size())
        compact();
}

/// Forgets dead entries that no live one needs.
void CaptureTracker::compact()
{
    std::vector<bool> needed(m_entries.size());
    markNeeded(needed);
    std::size_t kept = 0;
    m_deadCount = 0;
    for (std::size_t i = 0; i < m_entries.size(); ++i)
    {
        if (!needed[i] && !m_entries[i].isAlive)
            continue;
        m_deadCount += m_entries[i].isAlive ? 0 : 1;
        if (kept != i)
            m_entries[kept] = std::move(m_entries[i]);
        ++kept;
    }
    m_entries.resize(kept);
}

bool CaptureTracker::isAlive(ObjectKind kind, std::uint32_t index, std::uint32_t generation) const
{
    const std::size_t entry = entryOf(kind, index, generation);
    return entry != kNoEntry && m_entries[entry].isAlive;
}

/// Views and groups whose resources died can not be created again, and nothing valid uses them.
bool CaptureTracker::hasDependencies(const CapturedObject& o) const
{
    if (o.kind == ObjectKind::TextureView)
        return m_textures.contains(o.view.texture);
    if (o.kind != ObjectKind::BindGroup)
        return true;
    return std::all_of(o.groupEntries.begin(), o.groupEntries.end(),
        [&](const BindGroupEntry& e)
        {
            const std::size_t view = e.view ? entryOf(ObjectKind::TextureView, e.view.index, e.view.generation) : kNoEntry;
            const bool isViewRight = !e.view || (view != kNoEntry && m_entries[view].isAlive && hasDependencies(m_entries[view].object));
            const bool isSamplerRight = !e.sampler || isAlive(ObjectKind::Sampler, e.sampler.index, e.sampler.generation);
            return (!e.buffer || m_buffers.contains(e.buffer)) && isViewRight && isSamplerRight;
        });
}

/// Live objects, and the layouts and modules that they were made from even if those were destroyed.
void CaptureTracker::markNeeded(std::vector<bool>& needed) const
{
    const auto mark = [&](ObjectKind kind, std::uint32_t index, std::uint32_t generation)
    {
        const std::size_t entry = generation != 0 ? entryOf(kind, index, generation) : kNoEntry;
        if (entry != kNoEntry)
            needed[entry] = true;
    };
    for (std::size_t i = 0; i < m_entries.size(); ++i)
    {
        const CapturedObject& o = m_entries[i].object;
        if (!m_entries[i].isAlive || !hasDependencies(o))
            continue;
        needed[i] = true;
        mark(ObjectKind::BindGroupLayout, o.groupLayout.index, o.groupLayout.generation);
        for (const BindGroupLayoutId layout : o.layouts)
            mark(ObjectKind::BindGroupLayout, layout.index, layout.generation);
        mark(ObjectKind::ShaderModule, o.firstModule.index, o.firstModule.generation);
        mark(ObjectKind::ShaderModule, o.fragmentModule.index, o.fragmentModule.generation);
    }
}

void CaptureTracker::firstCopy(BufferId id, Access access)
{
    States* states = m_buffers.find(id);
    if (states != nullptr && !states->states[0])
        states->states[0] = access;
}

void CaptureTracker::barriers(const CommandView& view)
{
    const auto cmd = view.record<BarriersCmd>();
    for (std::uint32_t i = 0; i < cmd.textureCount; ++i)
    {
        const auto b = view.element<BarriersCmd, TextureBarrier>(i);
        States* states = m_textures.find(b.texture);
        if (states == nullptr)
            continue;
        states->isGpuWritten = states->isGpuWritten || isGpuWrite(b.before) || isGpuWrite(b.after);
        const std::uint64_t mipCount = states->states.size() / states->layerCount;
        const std::uint64_t mipEnd = std::min(std::uint64_t(b.baseMip) + b.mipCount, mipCount);
        const std::uint64_t layerEnd = std::min<std::uint64_t>(std::uint64_t(b.baseLayer) + b.layerCount, states->layerCount);
        for (std::uint64_t mip = b.baseMip; mip < mipEnd; ++mip)
            for (std::uint64_t layer = b.baseLayer; layer < layerEnd; ++layer)
                states->states[mip * states->layerCount + layer] = b.after;
    }
    for (std::uint32_t i = 0; i < cmd.bufferCount; ++i)
    {
        const auto b = view.element<BarriersCmd, BufferBarrier>(i, cmd.textureCount * sizeof(TextureBarrier));
        if (States* states = m_buffers.find(b.buffer))
        {
            states->isGpuWritten = states->isGpuWritten || isGpuWrite(b.before) || isGpuWrite(b.after);
            states->states[0] = b.after;
        }
    }
}

void CaptureTracker::follow(std::span<const std::byte> stream)
{
    CommandReader reader(stream);
    while (!reader.isAtEnd())
    {
        const Result<CommandView> view = reader.next();
        if (!view)
            return;
        switch (view->op)
        {
        case Op::Barriers: barriers(*view); break;
        case Op::WriteBuffer: firstCopy(view->record<WriteBufferCmd>().buffer, Access::CopyWrite); break;
        case Op::ClearBuffer: firstCopy(view->record<ClearBufferCmd>().buffer, Access::CopyWrite); break;
        case Op::CopyBufferToBuffer: firstCopy(view->record<CopyBufferToBufferCmd>().target, Access::CopyWrite); break;
        case Op::CopyTextureToBuffer: firstCopy(view->record<CopyBufferTextureCmd>().buffer, Access::CopyWrite); break;
        case Op::ResolveQueries: firstCopy(view->record<ResolveQueriesCmd>().target, Access::CopyWrite); break;
        default: break;
        }
        m_contents.execute(*view);
    }
}

void CaptureTracker::writeSnapshot(std::vector<std::byte>& body)
{
    std::vector<bool> needed(m_entries.size());
    markNeeded(needed);
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        if (needed[i])
            writeCreate(body, m_entries[i].object);
    const auto write =
        [&](CaptureEvent event, std::uint32_t index, std::uint32_t generation, const States& states, std::span<const std::byte> bytes)
    {
        writeContent(body, event,
            {.index = index, .generation = generation, .isGpuWritten = states.isGpuWritten, .states = states.states, .bytes = bytes});
    };
    m_buffers.forEach([&](BufferId id, const States& states)
        { write(CaptureEvent::BufferContent, id.index, id.generation, states, m_contents.bufferContent(id)); });
    m_textures.forEach([&](TextureId id, const States& states)
        { write(CaptureEvent::TextureContent, id.index, id.generation, states, m_contents.textureContent(id)); });
    // Layouts and modules that are dead but needed were created above; they die again at once.
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        if (needed[i] && !m_entries[i].isAlive)
            writeDestroy(body, m_entries[i].object.kind, m_entries[i].object.index, m_entries[i].object.generation);
}

} // namespace dl::gpu
