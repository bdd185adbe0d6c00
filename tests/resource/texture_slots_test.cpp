// Tests of drawloom/resource/texture_slots.h, texture_sets.h, sampler_cache.h.
#include "tests/resource/random_numbers.h"
#include "tests/resource/resource_harness.h"

namespace dl
{
namespace
{

/// Every byte of mip m is 10 + m.
std::shared_ptr<Image> makeImage(std::uint32_t side, std::uint32_t mipCount)
{
    auto image = std::make_shared<Image>();
    image->name = "test";
    image->width = image->height = side;
    image->mipCount = mipCount;
    for (std::uint32_t mip = 0; mip < mipCount; ++mip)
        image->bytes.insert(image->bytes.end(), image->levelBytes(mip), static_cast<std::byte>(10 + mip));
    return image;
}

void expectMips(const ResourceHarness& harness, TextureSlotId id, std::uint32_t baseMip, std::uint32_t mipCount)
{
    const TextureSlots& slots = harness.resources->textures();
    EXPECT_EQ(slots.state(id).residentMip, baseMip);
    for (std::uint32_t mip = baseMip; mip < mipCount; ++mip)
    {
        const auto bytes = harness.null->textureContent(slots.texture(id), mip - baseMip);
        const std::size_t side = std::max(slots.desc(id).width >> mip, 1U);
        ASSERT_EQ(bytes.size(), side * side * 4) << mip;
        EXPECT_EQ(bytes.front(), static_cast<std::byte>(10 + mip));
        EXPECT_EQ(bytes.back(), static_cast<std::byte>(10 + mip));
    }
}

TextureSetDesc setOf(TextureSlotId slot)
{
    TextureSetDesc desc;
    desc.slots[kTextureBaseColor] = slot;
    return desc;
}

TEST(TextureSlots, OnlyTheResidentMipsExist)
{
    ResourceHarness harness;
    TextureSlots& slots = harness.resources->textures();
    const TextureSlotId id = *slots.add(makeImage(16, 5), ImageEncoding::Linear, 2);
    EXPECT_EQ(slots.state(id).residentMip, kNoMip);
    ASSERT_TRUE(harness.frame());
    expectMips(harness, id, 2, 5);
    ASSERT_TRUE(slots.setResidentMips(id, 0)); // two uploaded, three copied
    ASSERT_TRUE(harness.frame());
    expectMips(harness, id, 0, 5);
    ASSERT_TRUE(slots.setResidentMips(id, 4));
    ASSERT_TRUE(harness.frame());
    expectMips(harness, id, 4, 5);
    EXPECT_EQ(slots.textureCount(), 1U);
    EXPECT_EQ(harness.resources->memory().textureBytes.current, 4U);
    const auto rgba = static_cast<std::size_t>(gpu::Format::RGBA8Unorm);
    EXPECT_EQ(harness.resources->memory().textureBytesByFormat[rgba].current, 4U);
    EXPECT_GT(harness.resources->memory().textureBytes.peak, 1024U);
}

TEST(TextureSlots, TheOldMipsShowUntilTheLastByteWentOut)
{
    GpuResourcesSettings settings;
    settings.uploadBytesPerFrame = 1000;
    ResourceHarness harness(settings);
    TextureSlots& slots = harness.resources->textures();
    const TextureSlotId id = *slots.add(makeImage(32, 6), ImageEncoding::Linear, 5);
    ASSERT_TRUE(harness.frame());
    const gpu::TextureViewId old = slots.view(id);
    ASSERT_TRUE(slots.setResidentMips(id, 0));
    int frames = 0;
    while (slots.state(id).residentMip != 0)
    {
        EXPECT_EQ(slots.view(id), old);
        ASSERT_LT(++frames, 20);
        ASSERT_TRUE(harness.frame());
        EXPECT_LE(harness.resources->uploads().stats().sentFrameBytes, 1000U);
    }
    EXPECT_GE(frames, 5);
    expectMips(harness, id, 0, 6);
}

TEST(TextureSlots, ANewRequestReplacesThePendingOne)
{
    GpuResourcesSettings settings;
    settings.uploadBytesPerFrame = 500;
    ResourceHarness harness(settings);
    TextureSlots& slots = harness.resources->textures();
    const TextureSlotId id = *slots.add(makeImage(32, 6), ImageEncoding::Linear, 5);
    ASSERT_TRUE(harness.frame());
    ASSERT_TRUE(slots.setResidentMips(id, 0));
    ASSERT_TRUE(harness.frame());
    ASSERT_TRUE(slots.setResidentMips(id, 3));
    ASSERT_TRUE(harness.frame());
    expectMips(harness, id, 3, 6);
    ASSERT_TRUE(slots.setResidentMips(id, 0));
    ASSERT_TRUE(slots.setResidentMips(id, 3)); // back to what is there
    ASSERT_TRUE(harness.frame());
    EXPECT_EQ(slots.textureCount(), 1U);
    EXPECT_EQ(harness.resources->uploads().stats().pendingBytes, 0U);
    EXPECT_EQ(harness.null->liveObjectCount(gpu::ObjectKind::Texture), 1U + kMaterialTextureCount);
}

TEST(TextureSlots, RefusesWhatCanNotBeATexture)
{
    ResourceHarness harness;
    TextureSlots& slots = harness.resources->textures();
    const auto isRefused = [&slots](gpu::Format format, std::uint32_t width, std::uint32_t height, std::uint32_t mips)
    {
        const auto id = slots.add(TextureSlotDesc{"bad", format, width, height, mips});
        return !id && id.error().code == ErrorCode::InvalidArgument;
    };
    EXPECT_TRUE(isRefused(gpu::Format::RGBA8Unorm, 0, 4, 1));
    EXPECT_TRUE(isRefused(gpu::Format::RGBA8Unorm, 8193, 4, 1));
    EXPECT_TRUE(isRefused(gpu::Format::RGBA8Unorm, 4, 4, 4));
    EXPECT_TRUE(isRefused(gpu::Format::RGBA8Unorm, 4, 4, 0));
    EXPECT_TRUE(isRefused(gpu::Format::BC7RgbaUnorm, 6, 8, 1));
    EXPECT_TRUE(isRefused(gpu::Format::Depth32Float, 4, 4, 1));
    EXPECT_TRUE(slots.add(TextureSlotDesc{"good", gpu::Format::RGBA8Unorm, 8192, 1, 14}));
    const TextureSlotId bc = *slots.add(TextureSlotDesc{"bc", gpu::Format::BC7RgbaUnorm, 64, 64, 7});
    EXPECT_EQ(TextureSlots::smallestBaseMip(slots.desc(bc)), 4U);
    EXPECT_EQ(slots.setResidentMips(bc, 5).error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(slots.setResidentMips(bc, 4).error().code, ErrorCode::InvalidArgument) << "its levels are missing";
    EXPECT_TRUE(slots.remove(bc));
    EXPECT_EQ(slots.setResidentMips(bc, 4).error().code, ErrorCode::StaleId);
    EXPECT_FALSE(textureFormat(ImageFormat::R8, ImageEncoding::Srgb));
}

TEST(TextureSlots, AFailedCreationLeavesTheResidentMips)
{
    for (const gpu::ObjectKind kind : {gpu::ObjectKind::Texture, gpu::ObjectKind::TextureView})
    {
        ResourceHarness harness;
        TextureSlots& slots = harness.resources->textures();
        const TextureSlotId id = *slots.add(makeImage(16, 5), ImageEncoding::Srgb, 2);
        ASSERT_TRUE(harness.frame());
        harness.null->settings().failNthCreation[kind] = harness.null->stats().created[kind] + 1;
        const auto failed = slots.setResidentMips(id, 0);
        ASSERT_FALSE(failed);
        EXPECT_EQ(failed.error().code, ErrorCode::OutOfMemory);
        EXPECT_EQ(slots.textureCount(), 1U);
        EXPECT_EQ(harness.resources->uploads().stats().pendingCount, 0U);
        ASSERT_TRUE(harness.frame());
        expectMips(harness, id, 2, 5);
        EXPECT_EQ(harness.null->liveObjectCount(gpu::ObjectKind::Texture), 1U + kMaterialTextureCount);
    }
}

TEST(TextureSets, EqualSetsAreOneAndAbsentTexturesAreNeutral)
{
    ResourceHarness harness;
    TextureSets& sets = harness.resources->textureSets();
    const TextureSetId a = *sets.acquire({}), b = *sets.acquire({});
    TextureSetDesc nearest;
    nearest.samplers[2].magFilter = TexelFilter::Nearest;
    const TextureSetId c = *sets.acquire(nearest);
    EXPECT_EQ(a, b);
    EXPECT_NE(a, c);
    EXPECT_FALSE(sets.bindGroup(a));
    ASSERT_TRUE(harness.frame());
    EXPECT_TRUE(sets.bindGroup(a));
    EXPECT_TRUE(sets.release(a));
    EXPECT_TRUE(sets.contains(b));
    EXPECT_TRUE(sets.release(b));
    EXPECT_FALSE(sets.release(b));
    ASSERT_TRUE(harness.frame());
    EXPECT_EQ(sets.stats().setCount, 1U);
    const TextureSlotId stale = *harness.resources->textures().add(makeImage(4, 1), ImageEncoding::Linear);
    harness.resources->textures().remove(stale);
    EXPECT_EQ(sets.acquire(setOf(stale)).error().code, ErrorCode::StaleId);
}

TEST(TextureSets, ARemovedTextureTurnsNeutral)
{
    ResourceHarness harness;
    TextureSlots& slots = harness.resources->textures();
    TextureSets& sets = harness.resources->textureSets();
    const TextureSlotId slot = *slots.add(makeImage(4, 3), ImageEncoding::Linear);
    const TextureSetId set = *sets.acquire(setOf(slot));
    ASSERT_TRUE(harness.frame());
    const gpu::BindGroupId group = sets.bindGroup(set);
    ASSERT_TRUE(slots.remove(slot));
    ASSERT_TRUE(harness.frame());
    EXPECT_NE(sets.bindGroup(set), group);
    EXPECT_EQ(harness.resources->memory().textureBytes.current, 0U);
}

TEST(TextureSets, AFailedGroupKeepsTheOldOneAndItsTextureAlive)
{
    ResourceHarness harness;
    TextureSlots& slots = harness.resources->textures();
    TextureSets& sets = harness.resources->textureSets();
    const TextureSlotId slot = *slots.add(makeImage(8, 4), ImageEncoding::Linear);
    const TextureSetId set = *sets.acquire(setOf(slot));
    ASSERT_TRUE(harness.frame());
    const gpu::BindGroupId group = sets.bindGroup(set);
    ASSERT_TRUE(slots.setResidentMips(slot, 2));
    constexpr auto kGroup = gpu::ObjectKind::BindGroup;
    harness.null->settings().failNthCreation[kGroup] = harness.null->stats().created[kGroup] + 1;
    ASSERT_TRUE(harness.frame());
    EXPECT_EQ(sets.bindGroup(set), group);
    EXPECT_EQ(sets.stats().bindGroupFailures, 1U);
    EXPECT_EQ(harness.null->liveObjectCount(gpu::ObjectKind::Texture), 2U + kMaterialTextureCount);
    ASSERT_TRUE(harness.frame());
    EXPECT_NE(sets.bindGroup(set), group);
    EXPECT_EQ(harness.null->liveObjectCount(gpu::ObjectKind::Texture), 1U + kMaterialTextureCount);
}

TEST(TextureSets, RepublishingTwoHundredTexturesRebuildsEachTouchedGroupOnce)
{
    GpuResourcesSettings settings;
    settings.uploadBytesPerFrame = std::uint64_t(1) << 30U;
    ResourceHarness harness(settings);
    TextureSlots& slots = harness.resources->textures();
    TextureSets& sets = harness.resources->textureSets();
    std::vector<TextureSlotId> ids;
    for (int i = 0; i < 200; ++i)
        ids.push_back(*slots.add(makeImage(16, 5), ImageEncoding::Srgb));
    std::vector<TextureSetId> setIds;
    for (std::size_t i = 0; i < 100; ++i) // two textures each: both change, one group is made
    {
        TextureSetDesc desc;
        desc.slots[kTextureBaseColor] = ids[2 * i];
        desc.slots[kTextureEmissive] = ids[2 * i + 1];
        setIds.push_back(*sets.acquire(desc));
    }
    const TextureSetId untouched = *sets.acquire({});
    ASSERT_TRUE(harness.frame());
    const gpu::BindGroupId untouchedGroup = sets.bindGroup(untouched);
    EXPECT_EQ(sets.stats().bindGroupsCreatedFrame, 101U);
    for (std::uint32_t frame = 0; frame < 100; ++frame)
    {
        const std::uint64_t created = harness.null->stats().created[gpu::ObjectKind::BindGroup];
        const gpu::BindGroupId before = sets.bindGroup(setIds[50]);
        for (const TextureSlotId id : ids)
            ASSERT_TRUE(slots.setResidentMips(id, 1 + frame % 4));
        ASSERT_TRUE(harness.frame());
        ASSERT_EQ(harness.null->stats().created[gpu::ObjectKind::BindGroup] - created, 100U);
        ASSERT_NE(sets.bindGroup(setIds[50]), before);
        ASSERT_EQ(harness.null->liveObjectCount(gpu::ObjectKind::Texture), 200U + kMaterialTextureCount);
        ASSERT_EQ(harness.null->liveObjectCount(gpu::ObjectKind::TextureView), 200U + kMaterialTextureCount);
    }
    EXPECT_EQ(sets.bindGroup(untouched), untouchedGroup);
    expectMips(harness, ids[0], 4, 5);
    const std::uint64_t created = harness.null->stats().created[gpu::ObjectKind::BindGroup];
    for (int i = 0; i < 10; ++i)
    {
        for (const TextureSlotId id : ids)
            ASSERT_TRUE(slots.setResidentMips(id, 4)); // what is there
        ASSERT_TRUE(harness.frame());
    }
    EXPECT_EQ(harness.null->stats().created[gpu::ObjectKind::BindGroup], created);
    EXPECT_EQ(harness.resources->memory().textureBytes.current, 200U * 4);
}

TEST(SamplerCache, MakesEachStateOnceAndClampsWithoutMips)
{
    ResourceHarness harness;
    SamplerCache cache(*harness.null, 8);
    SamplerSettings settings;
    const auto a = cache.acquire(settings), b = cache.acquire(settings);
    EXPECT_EQ(*a, *b);
    settings.wrapV = WrapMode::MirroredRepeat;
    EXPECT_NE(*cache.acquire(settings), *a);
    EXPECT_EQ(cache.size(), 2U);
    EXPECT_EQ(toSamplerDesc(settings, 8).maxAnisotropy, 8);
    settings.hasMips = false;
    EXPECT_EQ(toSamplerDesc(settings, 8).maxLod, 0.25f) << "level 0 alone, and still minified where it is";
    EXPECT_EQ(toSamplerDesc(settings, 8).maxAnisotropy, 1);
}

} // namespace
} // namespace dl
