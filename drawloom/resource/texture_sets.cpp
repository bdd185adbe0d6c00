#include "drawloom/resource/texture_sets.h"

#include "drawloom/core/hash.h"

#include <algorithm>

namespace dl
{

namespace
{
constexpr std::array<const char*, kMaterialTextureCount> kNeutralLabels = {
    "neutral base colour", "neutral metallic-roughness", "neutral normal", "neutral occlusion", "neutral emissive"};
constexpr std::array<std::array<std::uint8_t, 4>, kMaterialTextureCount> kNeutralTexels = {
    {{255, 255, 255, 255}, {255, 255, 255, 255}, {128, 128, 255, 255}, {255, 255, 255, 255}, {255, 255, 255, 255}}};

std::uint64_t hashOf(const TextureSetDesc& desc)
{
    std::uint64_t hash = 0;
    for (std::uint32_t i = 0; i < kMaterialTextureCount; ++i)
    {
        const SamplerSettings& s = desc.samplers[i];
        hash = hashCombine(hash, std::uint64_t(desc.slots[i].generation) << 32U | desc.slots[i].index);
        const std::array<std::uint8_t, 6> fields = {static_cast<std::uint8_t>(s.wrapU), static_cast<std::uint8_t>(s.wrapV),
            static_cast<std::uint8_t>(s.magFilter), static_cast<std::uint8_t>(s.minFilter), static_cast<std::uint8_t>(s.mipFilter),
            static_cast<std::uint8_t>(s.hasMips ? 1 : 0)};
        hash = hashCombine(hash, hashBytes(std::as_bytes(std::span(fields))));
    }
    return hash;
}
} // namespace

TextureSets::TextureSets(gpu::Device& device, RetireQueue& retired, TextureSlots& slots, SamplerCache& samplers, ResourceMemory& memory)
    : m_device(&device), m_retired(&retired), m_slots(&slots), m_samplers(&samplers), m_memory(&memory)
{
}

TextureSets::~TextureSets()
{
    m_sets.forEach([this](TextureSetId, Set& set) { m_retired->retire(set.group); });
    for (const Neutral& neutral : m_neutral)
    {
        m_retired->retire(neutral.view);
        m_retired->retire(neutral.texture);
    }
    m_retired->destroyAll(); // groups before the samplers that they name
}

Result<void> TextureSets::initialise(gpu::BindGroupLayoutId layout)
{
    m_layout = layout;
    for (std::uint32_t i = 0; i < kMaterialTextureCount; ++i)
    {
        gpu::TextureDesc desc;
        desc.label = kNeutralLabels[i];
        desc.format = gpu::Format::RGBA8Unorm;
        desc.usage = gpu::TextureUsage::Sampled | gpu::TextureUsage::CopyDst;
        DL_TRY_ASSIGN(m_neutral[i].texture, m_device->createTexture(desc));
        gpu::TextureViewDesc view;
        view.label = desc.label;
        view.texture = m_neutral[i].texture;
        DL_TRY_ASSIGN(m_neutral[i].view, m_device->createTextureView(view));
    }
    return {};
}

void TextureSets::link(TextureSetId id, const Set& set)
{
    for (std::uint32_t i = 0; i < kMaterialTextureCount; ++i)
    {
        const TextureSlotId slot = set.desc.slots[i];
        if (!slot)
            continue;
        if (slot.index >= m_users.size())
            m_users.resize(slot.index + 1);
        std::vector<TextureSetId>& users = m_users[slot.index];
        if (std::find(users.begin(), users.end(), id) == users.end())
            users.push_back(id);
    }
}

void TextureSets::unlink(TextureSetId id, const Set& set)
{
    for (const TextureSlotId slot : set.desc.slots)
        if (slot)
            std::erase(m_users[slot.index], id);
}

void TextureSets::touch(TextureSetId id, Set& set)
{
    if (set.isTouched)
        return;
    set.isTouched = true;
    m_touched.push_back(id);
}

Result<TextureSetId> TextureSets::acquire(const TextureSetDesc& desc)
{
    for (std::uint32_t i = 0; i < kMaterialTextureCount; ++i)
        if (desc.slots[i] && !m_slots->contains(desc.slots[i]))
            return Error{ErrorCode::StaleId, std::string("a texture set names a removed texture as ") + kNeutralLabels[i]};
    const std::uint64_t hash = hashOf(desc);
    const auto [first, last] = m_byHash.equal_range(hash);
    for (auto it = first; it != last; ++it)
        if (m_sets.get(it->second).desc == desc)
        {
            m_sets.get(it->second).refCount += 1;
            return it->second;
        }
    Set set;
    set.desc = desc;
    set.hash = hash;
    set.refCount = 1;
    const TextureSetId id = m_sets.add(set);
    m_byHash.emplace(hash, id);
    link(id, set);
    touch(id, m_sets.get(id));
    m_stats.setCount += 1;
    return id;
}

bool TextureSets::release(TextureSetId id)
{
    Set* set = m_sets.find(id);
    if (set == nullptr)
        return false;
    if (--set->refCount != 0)
        return true;
    m_retired->retire(set->group);
    unlink(id, *set);
    const auto [first, last] = m_byHash.equal_range(set->hash);
    for (auto it = first; it != last; ++it)
        if (it->second == id)
        {
            m_byHash.erase(it);
            break;
        }
    m_stats.setCount -= 1;
    return m_sets.remove(id);
}

void TextureSets::collectWrites(WriteBatch& batch)
{
    if (m_isNeutralWritten)
        return;
    for (std::uint32_t i = 0; i < kMaterialTextureCount; ++i)
    {
        gpu::TextureRegion region;
        region.texture = m_neutral[i].texture;
        region.width = region.height = 1;
        batch.barrierBefore({region.texture, 0, 1, 0, 1, gpu::AccessFlags(), gpu::Access::CopyWrite});
        batch.write(region, 4, 1, std::as_bytes(std::span(kNeutralTexels[i])));
        batch.barrierAfter({region.texture, 0, 1, 0, 1, gpu::Access::CopyWrite, gpu::Access::SampledRead});
    }
    m_isNeutralWritten = true;
}

bool TextureSets::rebuild(Set& set)
{
    std::array<gpu::BindGroupEntry, kMaterialTextureCount * 2> entries;
    for (std::uint32_t i = 0; i < kMaterialTextureCount; ++i)
    {
        const TextureSlotId slot = set.desc.slots[i];
        const gpu::TextureViewId view = slot && m_slots->contains(slot) ? m_slots->view(slot) : gpu::TextureViewId();
        entries[i].binding = i;
        entries[i].view = view ? view : m_neutral[i].view;
        const Result<gpu::SamplerId> sampler = m_samplers->acquire(set.desc.samplers[i]);
        if (!sampler)
            return false;
        entries[kMaterialTextureCount + i].binding = kMaterialTextureCount + i;
        entries[kMaterialTextureCount + i].sampler = *sampler;
    }
    const Result<gpu::BindGroupId> group = m_device->createBindGroup({"texture set", m_layout, entries});
    if (!group)
        return false;
    m_retired->retire(set.group);
    set.group = *group;
    m_stats.bindGroupsCreated += 1;
    m_stats.bindGroupsCreatedFrame += 1;
    return true;
}

void TextureSets::update()
{
    m_stats.bindGroupsCreatedFrame = 0;
    for (const TextureSlotId slot : m_slots->changed())
        if (slot.index < m_users.size())
            for (const TextureSetId id : m_users[slot.index])
                touch(id, m_sets.get(id));
    m_slots->clearChanged();
    m_failed.clear();
    for (const TextureSetId id : m_touched)
    {
        Set* set = m_sets.find(id);
        if (set == nullptr)
            continue;
        if (rebuild(*set))
            set->isTouched = false;
        else
            m_failed.push_back(id);
    }
    m_touched.swap(m_failed);
    if (m_touched.empty())
        return;
    m_stats.bindGroupFailures += m_touched.size();
    m_retired->holdTextures();
}

} // namespace dl
