// Tests of drawloom/resource/asset_store.h.
#include "drawloom/resource/asset_store.h"
#include "tests/resource/resource_harness.h"

#include <atomic>
#include <limits>

namespace dl
{
namespace
{

constexpr std::uint32_t kSide = 64, kMips = 7;

/// Levels filled with 10 + mip; fails for mips finer than `finestMip`.
class PatternSource final : public MipSource
{
public:
    explicit PatternSource(std::uint32_t finestMip = 0) : m_finestMip(finestMip) {}
    Result<LoadedBytes> load(std::uint32_t firstMip, std::uint32_t count, const CancelToken&) override
    {
        loads.fetch_add(1);
        if (firstMip < m_finestMip)
            return Error{ErrorCode::BadFile, "this mip is broken"};
        auto bytes = std::make_shared<std::vector<std::byte>>();
        for (std::uint32_t mip = firstMip; mip < firstMip + count; ++mip)
            bytes->insert(bytes->end(), std::size_t(kSide >> mip) * (kSide >> mip) * 4, static_cast<std::byte>(10 + mip));
        return LoadedBytes(bytes);
    }
    std::atomic<int> loads{0};

private:
    std::uint32_t m_finestMip;
};

TextureAssetDesc assetOf(std::shared_ptr<MipSource> source, std::uint64_t key = 0)
{
    return {key, {"streamed", gpu::Format::RGBA8Unorm, kSide, kSide, kMips}, std::move(source)};
}

struct StoreHarness : ResourceHarness
{
    explicit StoreHarness(std::uint32_t workers = 0) : store(*resources, AssetStoreSettings{{}, {workers, 64}}) {}
    void step(TextureAssetId id, std::uint32_t mip)
    {
        begin();
        if (id)
            store.demand(id, mip, 1.0f);
        store.waitForLoads();
        store.update();
        ASSERT_TRUE(end());
    }
    std::uint32_t residentMip(TextureAssetId id) { return resources->textures().state(store.slot(id)).residentMip; }
    std::byte texel(TextureAssetId id, std::uint32_t level)
    {
        const auto bytes = null->textureContent(resources->textures().texture(store.slot(id)), level);
        return bytes.empty() ? std::byte(0) : bytes[0];
    }
    AssetStore store;
};

TEST(AssetStore, LoadsWhatIsWantedAndDropsItLater)
{
    for (const std::uint32_t workers : {0U, 2U})
    {
        StoreHarness h(workers);
        const TextureAssetId id = *h.store.acquire(assetOf(std::make_shared<PatternSource>()));
        for (int i = 0; i < 3; ++i)
            h.step(id, 2);
        EXPECT_EQ(h.residentMip(id), 2U);
        EXPECT_EQ(h.texel(id, 0), std::byte(12));
        EXPECT_EQ(h.texel(id, 4), std::byte(16));
        for (int i = 0; i < 3; ++i)
            h.step(id, 0);
        EXPECT_EQ(h.residentMip(id), 0U);
        EXPECT_EQ(h.texel(id, 1), std::byte(11));
        for (std::uint32_t i = 0; i < MipPolicySettings{}.keepFrames; ++i)
            h.step({}, 0);
        EXPECT_EQ(h.residentMip(id), 0U) << "kept for a while";
        h.step({}, 0);
        h.step({}, 0);
        EXPECT_EQ(h.residentMip(id), kMips - 1);
        EXPECT_EQ(h.texel(id, 0), std::byte(16));
        EXPECT_EQ(h.store.stats().failedCount, 0U);
    }
}

TEST(AssetStore, NothingIsLoadedTwiceWhenNothingChanges)
{
    StoreHarness h;
    const auto source = std::make_shared<PatternSource>();
    const TextureAssetId id = *h.store.acquire(assetOf(source));
    for (int i = 0; i < 20; ++i)
        h.step(id, 1);
    EXPECT_EQ(source->loads.load(), 1);
    EXPECT_EQ(h.store.stats().loadedCount, 1U);
    EXPECT_EQ(h.store.stats().loadingCount, 0U);
}

TEST(AssetStore, EqualKeysAreOneAssetUntilTheLastRelease)
{
    StoreHarness h;
    const TextureAssetId a = *h.store.acquire(assetOf(std::make_shared<PatternSource>(), 5));
    const TextureAssetId b = *h.store.acquire(assetOf(std::make_shared<PatternSource>(), 5));
    const TextureAssetId c = *h.store.acquire(assetOf(std::make_shared<PatternSource>()));
    EXPECT_EQ(a, b);
    EXPECT_NE(a, c);
    EXPECT_TRUE(h.store.release(a));
    EXPECT_TRUE(h.store.contains(a));
    EXPECT_TRUE(h.store.release(a));
    EXPECT_FALSE(h.store.contains(a));
    EXPECT_FALSE(h.store.release(a));
    EXPECT_NE(*h.store.acquire(assetOf(std::make_shared<PatternSource>(), 5)), a);
}

TEST(AssetStore, AReleasedAssetDropsItsLoad)
{
    StoreHarness h;
    const TextureAssetId id = *h.store.acquire(assetOf(std::make_shared<PatternSource>()));
    h.begin();
    h.store.demand(id, 0, 1.0f);
    h.store.update(); // the load is queued, nothing ran
    ASSERT_TRUE(h.store.release(id));
    const TextureAssetId next = *h.store.acquire(assetOf(std::make_shared<PatternSource>()));
    ASSERT_TRUE(h.end());
    EXPECT_EQ(next.index, id.index);
    EXPECT_EQ(h.store.stats().droppedCount, 1U);
    for (int i = 0; i < 3; ++i)
        h.step(next, 5);
    EXPECT_EQ(h.residentMip(next), 5U);
}

TEST(AssetStore, ABrokenMipLeavesTheCoarserOnes)
{
    StoreHarness h;
    const auto source = std::make_shared<PatternSource>(3);
    const TextureAssetId id = *h.store.acquire(assetOf(source));
    for (int i = 0; i < 3; ++i)
        h.step(id, 4);
    EXPECT_EQ(h.store.failure(id), nullptr);
    for (int i = 0; i < 10; ++i)
        h.step(id, 0);
    EXPECT_EQ(h.residentMip(id), 4U);
    ASSERT_NE(h.store.failure(id), nullptr);
    EXPECT_NE(h.store.failure(id)->message.find("streamed"), std::string::npos);
    EXPECT_EQ(source->loads.load(), 2) << "tried once, not every frame";
}

TEST(AssetStore, StaysWithinItsBudget)
{
    StoreHarness h;
    MipPolicySettings policy;
    policy.budgetBytes = 64000;
    h.store.setPolicy(policy);
    std::vector<TextureAssetId> ids;
    for (int i = 0; i < 8; ++i)
        ids.push_back(*h.store.acquire(assetOf(std::make_shared<PatternSource>())));
    for (int frame = 0; frame < 40; ++frame)
    {
        h.begin();
        for (std::size_t i = 0; i < ids.size(); ++i)
            h.store.demand(ids[i], 0, static_cast<float>(i));
        h.store.waitForLoads();
        h.store.update();
        ASSERT_TRUE(h.end());
        ASSERT_LE(h.resources->memory().textureBytes.current, policy.budgetBytes);
    }
    EXPECT_EQ(h.residentMip(ids[7]), 0U) << "the most important one";
    EXPECT_GT(h.store.stats().deniedBytes, 0U);
    EXPECT_GT(h.resources->memory().textureBytes.current, policy.budgetBytes / 2);
}

TEST(AssetStore, TriesAgainAfterTheDeviceRanOutOfMemory)
{
    StoreHarness h;
    const TextureAssetId id = *h.store.acquire(assetOf(std::make_shared<PatternSource>()));
    for (int i = 0; i < 3; ++i)
        h.step(id, 3);
    h.null->settings().failNthCreation[gpu::ObjectKind::Texture] = h.null->stats().created[gpu::ObjectKind::Texture] + 1;
    for (int i = 0; i < 2; ++i)
        h.step(id, 0);
    EXPECT_EQ(h.residentMip(id), 3U);
    EXPECT_EQ(h.store.stats().failedCount, 1U);
    EXPECT_EQ(h.store.failure(id), nullptr);
    for (int i = 0; i < 3; ++i)
        h.step(id, 0);
    EXPECT_EQ(h.residentMip(id), 0U);
}

/// The device never has memory for the finer mips: asking in every frame would load the file in every frame.
TEST(AssetStore, BacksOffWhileTheDeviceHasNoMemory)
{
    StoreHarness h;
    const auto source = std::make_shared<PatternSource>(), other = std::make_shared<PatternSource>();
    const TextureAssetId id = *h.store.acquire(assetOf(source));
    for (int i = 0; i < 3; ++i)
        h.step(id, 3);
    ASSERT_EQ(h.residentMip(id), 3U);
    source->loads = 0;
    const TextureAssetId second = *h.store.acquire(assetOf(other));
    std::uint64_t& refused = h.null->settings().failNthCreation[gpu::ObjectKind::Texture];
    std::uint64_t attempts = h.null->stats().created[gpu::ObjectKind::Texture];
    const auto wholeFrame = [&](TextureAssetId wanted, bool isRefusing)
    {
        refused = isRefusing ? attempts + 1 : 0;
        const std::uint64_t failures = h.store.stats().failedCount, created = h.null->stats().created[gpu::ObjectKind::Texture];
        h.step(wanted, 0);
        attempts += h.store.stats().failedCount - failures + h.null->stats().created[gpu::ObjectKind::Texture] - created;
    };
    for (int i = 0; i < 4; ++i)
        wholeFrame(second, false);
    EXPECT_EQ(h.residentMip(second), 0U);
    for (int i = 0; i < 2000; ++i)
        wholeFrame(id, true);
    EXPECT_EQ(h.residentMip(id), 3U) << "it keeps what it has";
    EXPECT_EQ(h.store.failure(id), nullptr);
    EXPECT_GE(source->loads, 8);
    EXPECT_LE(source->loads, 9 + static_cast<int>(2000 / AssetStore::kMaxRetryFrames) + 1) << "1 + 2 + 4 ... + 256, then every 256";
    for (std::uint32_t i = 0; i < AssetStore::kMaxRetryFrames + 4; ++i)
        wholeFrame(id, false);
    EXPECT_EQ(h.residentMip(id), 0U) << "memory came back";
}

TEST(AssetStore, TakesAnyNumberAsPriority)
{
    StoreHarness h;
    for (const float priority :
        {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(), 3e38f})
    {
        const TextureAssetId id = *h.store.acquire(assetOf(std::make_shared<PatternSource>()));
        for (int i = 0; i < 3; ++i)
        {
            h.begin();
            h.store.demand(id, 0, priority);
            h.store.waitForLoads();
            h.store.update();
            ASSERT_TRUE(h.end());
        }
        EXPECT_EQ(h.residentMip(id), 0U) << priority;
        EXPECT_TRUE(h.store.release(id));
    }
}

} // namespace
} // namespace dl
