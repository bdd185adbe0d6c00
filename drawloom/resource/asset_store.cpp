#include "drawloom/resource/asset_store.h"

#include "drawloom/core/log.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace dl
{

namespace
{
class MipJob final : public LoadJob
{
public:
    MipJob(std::shared_ptr<MipSource> source, std::uint32_t firstMip, std::uint32_t count)
        : m_source(std::move(source)), m_firstMip(firstMip), m_count(count)
    {
    }
    Result<LoadedBytes> run(const CancelToken& cancel) override { return m_source->load(m_firstMip, m_count, cancel); }

private:
    std::shared_ptr<MipSource> m_source;
    std::uint32_t m_firstMip, m_count;
};

std::uint64_t toTag(TextureAssetId id)
{
    return std::uint64_t(id.generation) << 32U | id.index;
}

TextureAssetId fromTag(std::uint64_t tag)
{
    return {static_cast<std::uint32_t>(tag), static_cast<std::uint32_t>(tag >> 32U)};
}

/// Of loads and uploads: whole numbers.
std::int32_t toQueuePriority(float priority)
{
    constexpr float kLimit = 1e9f;
    return static_cast<std::int32_t>(std::clamp(priority, -kLimit, kLimit));
}
} // namespace

AssetStore::AssetStore(GpuResources& resources, const AssetStoreSettings& settings)
    : m_resources(&resources), m_settings(settings), m_loads(settings.loads)
{
}

AssetStore::~AssetStore()
{
    m_assets.forEach(
        [this](TextureAssetId, Asset& asset)
        {
            cancelLoad(asset);
            m_resources->textures().remove(asset.slot);
        });
}

Result<TextureAssetId> AssetStore::acquire(const TextureAssetDesc& desc)
{
    DL_ASSERT(desc.source != nullptr, "a texture asset without a source");
    if (const auto known = m_byKey.find(desc.key); desc.key != 0 && known != m_byKey.end())
    {
        m_assets.get(known->second).refCount += 1;
        return known->second;
    }
    Asset asset;
    DL_TRY_ASSIGN(asset.slot, m_resources->textures().add(desc.texture));
    asset.source = desc.source;
    asset.key = desc.key;
    asset.refCount = 1;
    const TextureAssetId id = m_assets.add(std::move(asset));
    if (desc.key != 0)
        m_byKey.emplace(desc.key, id);
    return id;
}

bool AssetStore::release(TextureAssetId id)
{
    Asset* asset = m_assets.find(id);
    if (asset == nullptr)
        return false;
    if (--asset->refCount != 0)
        return true;
    cancelLoad(*asset);
    m_resources->textures().remove(asset->slot);
    if (asset->key != 0)
        m_byKey.erase(asset->key);
    return m_assets.remove(id);
}

void AssetStore::demand(TextureAssetId id, std::uint32_t mip, float priority)
{
    Asset& asset = m_assets.get(id);
    if (std::isnan(priority))
        priority = -std::numeric_limits<float>::infinity(); // no order has room for it
    asset.priority = asset.wantedMip == kNoMip ? priority : std::max(asset.priority, priority);
    asset.wantedMip = std::min(asset.wantedMip, mip);
}

void AssetStore::cancelLoad(Asset& asset)
{
    if (m_loads.cancel(asset.load))
        m_stats.droppedCount += 1;
    asset.load = {};
    asset.loadingMip = kNoMip;
}

void AssetStore::fail(Asset& asset, Error error)
{
    m_stats.failedCount += 1;
    if (error.code == ErrorCode::OutOfMemory) // pressure passes; asking in every frame would load the file in every frame
    {
        asset.waitFrames = asset.nextWaitFrames;
        asset.nextWaitFrames = std::min(asset.nextWaitFrames * 2, kMaxRetryFrames);
        return;
    }
    asset.hasFailed = true;
    asset.error = withContext(std::move(error), "while loading mips of \"" + m_resources->textures().desc(asset.slot).label + "\"");
    log(LogLevel::Warning, asset.error.message);
}

// The finest mip that is there, on its way to the GPU, or being loaded.
std::uint32_t AssetStore::heldMip(const Asset& asset) const
{
    if (asset.loadingMip != kNoMip)
        return asset.loadingMip;
    const TextureSlotState& state = m_resources->textures().state(asset.slot);
    return state.pendingMip != kNoMip ? state.pendingMip : state.residentMip;
}

void AssetStore::applyCompletion(LoadCompletion& completion)
{
    Asset* asset = m_assets.find(fromTag(completion.tag));
    if (asset == nullptr || asset->load != completion.id)
        return;
    const std::uint32_t firstMip = asset->loadingMip;
    asset->load = {};
    asset->loadingMip = kNoMip;
    if (!completion.result)
        return fail(*asset, std::move(completion.result).error());
    const TextureSlotDesc& desc = m_resources->textures().desc(asset->slot);
    const LoadedBytes bytes = *completion.result;
    std::array<UploadPayload, kMaxMipCount> levels;
    std::uint32_t count = 0;
    std::uint64_t offset = 0;
    for (std::uint32_t mip = firstMip; mip < desc.mipCount; ++mip)
    {
        const std::uint64_t size = TextureSlots::mipTailBytes(desc, mip) - TextureSlots::mipTailBytes(desc, mip + 1);
        if (bytes == nullptr || size > bytes->size() - offset)
            break; // setResidentMips says what is missing, if anything is
        levels[count++] = {std::shared_ptr<const std::byte>(bytes, bytes->data() + offset), size};
        offset += size;
    }
    const Result<void> applied =
        m_resources->textures().setResidentMips(asset->slot, firstMip, std::span(levels).first(count), toQueuePriority(asset->priority));
    if (!applied)
        return fail(*asset, applied.error());
    asset->nextWaitFrames = 1;
    m_stats.loadedCount += 1;
}

void AssetStore::startLoad(TextureAssetId id, Asset& asset, std::uint32_t mip)
{
    cancelLoad(asset);
    const TextureSlots& slots = m_resources->textures();
    const std::uint32_t resident = slots.state(asset.slot).residentMip;
    const std::uint32_t end = resident == kNoMip ? slots.desc(asset.slot).mipCount : resident;
    const Result<LoadId> load =
        m_loads.submit(std::make_unique<MipJob>(asset.source, mip, end - mip), toQueuePriority(asset.priority), toTag(id));
    if (!load)
        return; // the queue is full: planned again in the next frame
    asset.load = *load;
    asset.loadingMip = mip;
}

void AssetStore::plan()
{
    TextureSlots& slots = m_resources->textures();
    m_textures.clear();
    m_planned.clear();
    m_assets.forEach(
        [&](TextureAssetId id, Asset& asset)
        {
            const TextureSlotDesc& desc = slots.desc(asset.slot);
            MipTexture texture;
            texture.coarsestMip = TextureSlots::smallestBaseMip(desc);
            for (std::uint32_t mip = 0; mip <= texture.coarsestMip; ++mip)
                texture.tailBytes[mip] = TextureSlots::mipTailBytes(desc, mip);
            texture.residentMip = heldMip(asset);
            texture.wantedMip = std::min(asset.wantedMip, texture.coarsestMip);
            slots.setWantedMip(asset.slot, texture.wantedMip);
            asset.waitFrames -= asset.waitFrames != 0 ? 1 : 0;
            const bool isHeldBack = asset.hasFailed || asset.waitFrames != 0; // what it asks for goes to the others
            if (isHeldBack && texture.residentMip != kNoMip)
                texture.wantedMip = std::max(texture.wantedMip, texture.residentMip);
            asset.framesUnwanted = texture.wantedMip > texture.residentMip ? asset.framesUnwanted + 1 : 0;
            texture.framesUnwanted = asset.framesUnwanted;
            texture.priority = asset.wantedMip == kNoMip ? -1.0f : asset.priority;
            asset.wantedMip = kNoMip;
            if (isHeldBack && texture.residentMip == kNoMip)
                return; // nothing of it can be had
            m_textures.push_back(texture);
            m_planned.push_back(id);
        });
    planMips(m_textures, m_settings.policy, m_plan);
    m_stats.plannedBytes = m_plan.plannedBytes;
    m_stats.deniedBytes = m_plan.deniedBytes;
}

void AssetStore::update()
{
    m_completions.clear();
    m_loads.poll(m_completions);
    for (LoadCompletion& completion : m_completions)
        applyCompletion(completion);
    plan();
    for (const MipDecision& decision : m_plan.decisions)
    {
        const TextureAssetId id = m_planned[decision.textureIndex];
        Asset& asset = m_assets.get(id);
        if (asset.waitFrames != 0)
            continue;
        if (decision.isUpgrade || m_resources->textures().state(asset.slot).residentMip > decision.mip)
        {
            startLoad(id, asset, decision.mip); // also when a finer load is to become a coarser one
            continue;
        }
        cancelLoad(asset);
        if (const Result<void> dropped = m_resources->textures().setResidentMips(asset.slot, decision.mip); !dropped)
            fail(asset, dropped.error());
    }
}

AssetStoreStats AssetStore::stats() const
{
    AssetStoreStats stats = m_stats;
    stats.assetCount = static_cast<std::uint32_t>(m_assets.size());
    stats.loadingCount = 0;
    m_assets.forEach([&stats](TextureAssetId, const Asset& asset) { stats.loadingCount += asset.load ? 1U : 0U; });
    return stats;
}

} // namespace dl
