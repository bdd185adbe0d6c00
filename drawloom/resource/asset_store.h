// drawloom/resource/asset_store.h - streamed textures: the room `stream` decides which mips shall be resident, this store loads
// them and puts them into their slots. Owned by a renderer or a viewer; called once per frame before GpuResources::flush.
#pragma once

#include "drawloom/resource/gpu_resources.h"
#include "drawloom/stream/load_queue.h"
#include "drawloom/stream/mip_policy.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace dl
{

/// Where the mips of one texture come from. Called on worker threads, by several at once for different textures only.
class MipSource
{
public:
    virtual ~MipSource() = default;
    /// Levels firstMip .. firstMip + count - 1 one behind the other, each tightly packed as Image holds it.
    virtual Result<LoadedBytes> load(std::uint32_t firstMip, std::uint32_t count, const CancelToken& cancel) = 0;
};

struct TextureAssetDesc
{
    std::uint64_t key = 0; ///< of the content; assets with equal keys are one. 0: never shared
    TextureSlotDesc texture;
    std::shared_ptr<MipSource> source;
};

struct AssetStoreSettings
{
    MipPolicySettings policy;
    LoadQueueSettings loads;
};

struct AssetStoreStats
{
    std::uint32_t assetCount = 0, loadingCount = 0;
    std::uint64_t loadedCount = 0, failedCount = 0, droppedCount = 0; ///< dropped: cancelled by a newer plan or a release
    std::uint64_t plannedBytes = 0, deniedBytes = 0;                  ///< of the last plan
};

/// Owner thread only.
class AssetStore
{
public:
    static constexpr std::uint32_t kMaxRetryFrames = 256;

    AssetStore(GpuResources& resources, const AssetStoreSettings& settings = {});
    /// Cancels all loads; slots are removed.
    ~AssetStore();
    AssetStore(const AssetStore&) = delete;
    AssetStore& operator=(const AssetStore&) = delete;

    /// Reference-counted. The coarsest mip is loaded first. Errors: those of TextureSlots::add.
    Result<TextureAssetId> acquire(const TextureAssetDesc& desc);
    /// False for a stale id. The last release cancels its load and removes the slot.
    bool release(TextureAssetId id);
    bool contains(TextureAssetId id) const { return m_assets.contains(id); }
    TextureSlotId slot(TextureAssetId id) const { return m_assets.get(id).slot; }
    /// Why its last load failed; it keeps the mips it has and asks for no finer ones. nullptr while none failed. A device without
    /// memory is no such failure: it is tried again after 1, 2, 4 ... and at last every kMaxRetryFrames frames.
    const Error* failure(TextureAssetId id) const
    {
        const Asset& asset = m_assets.get(id);
        return asset.hasFailed ? &asset.error : nullptr;
    }

    /// In this frame somebody wants mips from `mip` on (wantedMip of stream/mip_policy.h). The finest and the highest priority
    /// of all calls since the last update count; without a call the coarsest mip is enough.
    void demand(TextureAssetId id, std::uint32_t mip, float priority);
    /// Applies loads that arrived, plans, starts loads and drops mips. Never blocks.
    void update();

    void setPolicy(const MipPolicySettings& policy) { m_settings.policy = policy; }
    /// Blocks until the loads that are under way have arrived; the next update applies them. Tests and native tools.
    void waitForLoads() { m_loads.waitIdle(); }
    AssetStoreStats stats() const;

private:
    struct Asset
    {
        std::shared_ptr<MipSource> source;
        TextureSlotId slot;
        std::uint64_t key = 0;
        std::uint32_t refCount = 0;
        LoadId load;
        std::uint32_t loadingMip = kNoMip;
        std::uint32_t wantedMip = kNoMip;
        float priority = 0.0f;
        std::uint32_t framesUnwanted = 0;
        bool hasFailed = false;
        std::uint32_t waitFrames = 0, nextWaitFrames = 1; ///< until memory is asked for again, after it was refused
        Error error;
    };
    std::uint32_t heldMip(const Asset& asset) const;
    void cancelLoad(Asset& asset);
    void fail(Asset& asset, Error error);
    void applyCompletion(LoadCompletion& completion);
    void startLoad(TextureAssetId id, Asset& asset, std::uint32_t mip);
    void plan();

    GpuResources* m_resources;
    AssetStoreSettings m_settings;
    SlotTable<TextureAssetId, Asset> m_assets;
    std::unordered_map<std::uint64_t, TextureAssetId> m_byKey;
    std::vector<LoadCompletion> m_completions;
    std::vector<MipTexture> m_textures;
    std::vector<TextureAssetId> m_planned;
    MipPlan m_plan;
    AssetStoreStats m_stats;
    LoadQueue m_loads; ///< last: its workers end before the sources go
};

} // namespace dl
