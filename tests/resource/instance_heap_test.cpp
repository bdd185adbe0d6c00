// Tests of the instance heap, the property heap and its layouts, the material table, cells, movers, visibility groups.
#include "tests/resource/random_numbers.h"
#include "tests/resource/resource_harness.h"

#include <array>
#include <bit>
#include <cmath>

namespace dl
{
namespace
{

InstanceRecord recordAt(float x)
{
    InstanceRecord record;
    record.row0 = vec4(1, 0, 0, x);
    record.flags = kInstanceSelectedBit;
    return record;
}

TEST(InstanceHeap, RecordsReachTheGpuWithHeapOwnedFields)
{
    ResourceHarness harness;
    InstanceHeap& heap = harness.resources->instances();
    harness.begin();
    const InstanceBlockId id = *heap.allocateBlock(3);
    InstanceRecord record = recordAt(7);
    record.flags |= 9U << kInstanceHeapPageShift; // not the caller's to set
    record.propertyOffset = 99;
    heap.write(id, 2, record);
    ASSERT_TRUE(harness.end());
    const HeapId heapId = heap.block(id).firstId + 2;
    const auto stored = harness.read<InstanceRecord>(heap.pageBuffer(heapPage(heapId)).id(), heapIndex(heapId));
    EXPECT_EQ(stored.row0.w, 7.0f);
    EXPECT_EQ(stored.flags, kInstanceSelectedBit);
    EXPECT_EQ(stored.propertyOffset, 0U);
}

TEST(InstanceHeap, UploadsOnlyWhatChanged)
{
    ResourceHarness harness;
    InstanceHeap& heap = harness.resources->instances();
    const InstanceBlockId id = *heap.allocateBlock(10000);
    ASSERT_TRUE(harness.frame());
    harness.null->resetStats();
    ASSERT_TRUE(harness.frame());
    const std::uint64_t idle = harness.null->stats().bytesWritten;
    harness.null->resetStats();
    harness.begin();
    heap.setTransform(heap.block(id).firstId + 5000, Affine{});
    ASSERT_TRUE(harness.end());
    EXPECT_LE(harness.null->stats().bytesWritten - idle, 8 * sizeof(InstanceRecord));
    EXPECT_GT(harness.null->stats().bytesWritten, idle);
}

TEST(InstanceHeap, GrowthOfAPageKeepsEarlierRecords)
{
    ResourceHarness harness;
    InstanceHeap& heap = harness.resources->instances();
    const InstanceBlockId first = *heap.allocateBlock(1);
    heap.write(first, 0, recordAt(3));
    ASSERT_TRUE(harness.frame());
    const gpu::BindGroupId group = harness.resources->bindings().libraryGroup(0);
    ASSERT_TRUE(heap.allocateBlock(5000));
    ASSERT_TRUE(harness.frame());
    EXPECT_EQ(harness.read<InstanceRecord>(heap.pageBuffer(0).id(), heap.block(first).firstId).row0.w, 3.0f);
    EXPECT_NE(harness.resources->bindings().libraryGroup(0), group);
}

TEST(InstanceHeap, TakesAWholePageAndRefusesOneMore)
{
    gpu::NullDeviceSettings device;
    device.keepsContents = false;
    ResourceHarness harness({}, device);
    InstanceHeap& heap = harness.resources->instances();
    EXPECT_EQ(heap.allocateBlock(0).error().code, ErrorCode::OutOfRange);
    EXPECT_EQ(heap.allocateBlock(kInstancePageCapacity + 1).error().code, ErrorCode::OutOfRange);
    const auto whole = heap.allocateBlock(kInstancePageCapacity);
    ASSERT_TRUE(whole);
    const auto next = heap.allocateBlock(1);
    ASSERT_TRUE(next);
    EXPECT_EQ(heapPage(heap.block(*next).firstId), 1U);
    EXPECT_TRUE(heap.freeBlock(*whole));
    EXPECT_EQ(heapPage(heap.block(*heap.allocateBlock(1)).firstId), 0U);
    EXPECT_EQ(heap.record(1U << kHeapPageShift).flags >> kInstanceHeapPageShift, 1U);
}

TEST(InstanceHeap, FreedBlocksAreReusedAndStaleIdsRefused)
{
    ResourceHarness harness;
    InstanceHeap& heap = harness.resources->instances();
    const InstanceBlockId id = *heap.allocateBlock(10);
    const HeapId first = heap.block(id).firstId;
    heap.write(id, 0, recordAt(1));
    EXPECT_TRUE(heap.freeBlock(id));
    EXPECT_FALSE(heap.freeBlock(id));
    EXPECT_FALSE(heap.contains(id));
    const InstanceBlockId again = *heap.allocateBlock(10);
    EXPECT_EQ(heap.block(again).firstId, first);
    EXPECT_NE(again, id);
    EXPECT_EQ(heap.record(first).row0.w, 0.0f);
    EXPECT_EQ(heap.liveRecordCount(), 10U);
}

TEST(InstanceHeap, AFailedAllocationTakesNothing)
{
    ResourceHarness harness;
    ASSERT_TRUE(harness.frame());
    const auto layout = PropertyLayout::create(std::array{PropertyDesc{"tint", 4, PropertyRate::PerInstance, {}, kNoMaterialWord}});
    InstanceHeap& heap = harness.resources->instances();
    const std::uint64_t created = harness.null->stats().created[gpu::ObjectKind::Buffer];
    harness.null->settings().failNthCreation[gpu::ObjectKind::Buffer] = created + 1; // the page; the properties fit
    const auto failed = heap.allocateBlock(100, &*layout);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, ErrorCode::OutOfMemory);
    EXPECT_EQ(heap.blockCount(), 0U);
    EXPECT_EQ(heap.pageCount(), 0U);
    const InstanceBlockId first = *heap.allocateBlock(1, &*layout);
    EXPECT_EQ(heap.block(first).properties.offset, 1U) << "the failed block's words came back";
}

TEST(PropertyLayout, PerBlockValuesAreReachedThroughTheLink)
{
    ResourceHarness harness;
    InstanceHeap& heap = harness.resources->instances();
    std::array<PropertyDesc, 3> descs;
    descs[0] = {"tint", 4, PropertyRate::PerInstance, {}, offsetof(MaterialParams, baseColorFactor) / 4};
    descs[1] = {"wind", 2, PropertyRate::PerBlock, {11, 12}, kNoMaterialWord};
    descs[2] = {"phase", 1, PropertyRate::PerInstance, {13}, kNoMaterialWord};
    const auto layout = PropertyLayout::create(descs);
    ASSERT_TRUE(layout) << layout.error().message;
    EXPECT_EQ(layout->instanceWords(), 6U);
    EXPECT_EQ(layout->blockWords(), 2U);
    MaterialParams material;
    material.baseColorFactor = vec4(0.25f, 0.5f, 0.75f, 1.0f);
    harness.begin();
    const InstanceBlockId id = *heap.allocateBlock(3, &*layout, &material);
    const std::array<std::uint32_t, 1> phase = {77};
    heap.writeProperty(id, *layout->find("phase"), 1, phase);
    const std::array<std::uint32_t, 2> wind = {21, 22};
    heap.writeProperty(id, *layout->find("wind"), 0, wind);
    ASSERT_TRUE(harness.end());
    const gpu::BufferId words = harness.resources->properties().buffer().id();
    for (std::uint32_t i = 0; i < 3; ++i)
    {
        const std::uint32_t offset = heap.record(heap.block(id).firstId + i).propertyOffset;
        const auto link = harness.read<std::uint32_t>(words, offset);
        EXPECT_EQ(harness.read<std::uint32_t>(words, link + 1), 22U);
        EXPECT_EQ(std::bit_cast<float>(harness.read<std::uint32_t>(words, offset + layout->locations()[0].wordOffset + 2)), 0.75f);
        EXPECT_EQ(harness.read<std::uint32_t>(words, offset + layout->locations()[2].wordOffset), i == 1 ? 77U : 13U);
    }
}

TEST(PropertyLayout, RefusesBadDeclarationsAndNamesUnknownProperties)
{
    const auto create = [](const PropertyDesc& a, const PropertyDesc& b) { return PropertyLayout::create(std::array{a, b}); };
    EXPECT_FALSE(create({"a"}, {"a"}));
    EXPECT_FALSE(create({"a"}, {""}));
    EXPECT_FALSE(create({"a", 0}, {"b"}));
    EXPECT_FALSE(create({"a", 17}, {"b"}));
    EXPECT_FALSE(create({"a", 2, PropertyRate::PerInstance, {}, sizeof(MaterialParams) / 4 - 1}, {"b"}));
    const auto layout = create({"a", 16}, {"b"});
    ASSERT_TRUE(layout);
    EXPECT_NE(layout->find("c").error().message.find("a, b"), std::string::npos);
}

TEST(PropertyHeap, EqualMaterialListsShareTheirWords)
{
    ResourceHarness harness;
    PropertyHeap& heap = harness.resources->properties();
    const std::array<MaterialTableIndex, 2> list = {4, 5}, other = {5, 4};
    const std::uint32_t a = *heap.acquireMaterialList(list), b = *heap.acquireMaterialList(list), c = *heap.acquireMaterialList(other);
    EXPECT_EQ(a, b);
    EXPECT_NE(a, c);
    EXPECT_NE(a, 0U);
    EXPECT_EQ(heap.words()[a + 1], 5U);
    heap.releaseMaterialList(a);
    EXPECT_EQ(heap.materialListCount(), 2U);
    heap.releaseMaterialList(b);
    EXPECT_EQ(heap.materialListCount(), 1U);
    EXPECT_EQ(*heap.acquireMaterialList(list), a) << "freed words are reused";
    EXPECT_EQ(heap.acquireMaterialList({}).error().code, ErrorCode::InvalidArgument);
}

TEST(MaterialTable, UpdatesOneRowAndReusesRemovedOnes)
{
    ResourceHarness harness;
    MaterialTable& table = harness.resources->materials();
    MaterialParams params;
    const MaterialId a = *table.add(params, {});
    const MaterialId b = *table.add(params, {});
    for (int i = 0; i < 200; ++i)
        ASSERT_TRUE(table.add(params, {}));
    ASSERT_TRUE(harness.frame());
    params.roughnessFactor = 0.25f;
    EXPECT_TRUE(table.update(b, params));
    ASSERT_TRUE(harness.frame());
    EXPECT_EQ(harness.read<MaterialParams>(table.buffer().id(), table.tableIndex(b)).roughnessFactor, 0.25f);
    EXPECT_EQ(harness.read<MaterialParams>(table.buffer().id(), table.tableIndex(a)).roughnessFactor, 1.0f);
    EXPECT_TRUE(table.remove(a));
    EXPECT_FALSE(table.update(a, params));
    EXPECT_FALSE(table.remove(a));
    EXPECT_FALSE(table.setTextureSet(a, {}));
    EXPECT_EQ(table.tableIndex(*table.add(params, {})), 0U);
}

TEST(MaterialTable, PacksTheTextureTransformAsTheExtensionWritesIt)
{
    Material material;
    material.normal.imageIndex = 0;
    material.normal.uvSet = 1;
    material.normal.uvScale = vec2(2, 3);
    material.normal.uvOffset = vec2(0.5f, 0.25f);
    material.normal.uvRotation = 1.5707964f; // (1, 0) turns to (0, -1): counter-clockwise with V down
    material.alphaMode = AlphaMode::Mask;
    const MaterialParams params = packMaterial(material);
    const vec4 m = params.uvMatrix[kTextureNormal];
    EXPECT_NEAR(m.x, 0.0f, 1e-6f);
    EXPECT_NEAR(m.y, -2.0f, 1e-6f);
    EXPECT_NEAR(m.z, 3.0f, 1e-6f);
    EXPECT_NEAR(m.w, 0.0f, 1e-6f);
    EXPECT_EQ(params.uvOffset[1].x, 0.5f);
    EXPECT_EQ(params.uvOffset[1].y, 0.25f);
    EXPECT_EQ(params.flags,
        1U << (kMaterialUsesUv1Shift + 2) | kMaterialHasNormalMapBit | kMaterialAlphaMaskBit | 1U << (kMaterialTexturePresentShift + 2));
}

TEST(CellTable, HoldsExactlyItsSlotsAndSaysWhatToDo)
{
    CellTable table;
    for (int i = 0; i < static_cast<int>(kMaxCellSlots); ++i)
        ASSERT_TRUE(table.acquire(i32vec3(i, 0, -i)));
    const auto refused = table.acquire(i32vec3(0, 1, 0));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::OutOfBudget);
    EXPECT_NE(refused.error().message.find("256"), std::string::npos);
    EXPECT_EQ(*table.acquire(i32vec3(7, 0, -7)), 7U);
    table.release(7);
    EXPECT_EQ(table.residentCount(), kMaxCellSlots);
    table.release(7);
    EXPECT_EQ(*table.acquire(i32vec3(0, 1, 0)), 7U);
}

TEST(CellTable, OriginsAreExactFarFromTheWorldsOrigin)
{
    CellTable table;
    const std::int32_t far = 1 << 30;
    const std::uint32_t slot = *table.acquire(i32vec3(far + 1, -far, 2));
    std::array<vec4, kMaxCellSlots> origins;
    table.writeOrigins({i32vec3(far, -far, 0), vec3(1000.5f, 0.25f, 0)}, origins);
    EXPECT_EQ(vec3(origins[slot]), vec3(23.5f, -0.25f, 2048.0f));
}

TEST(CellTable, SplitsPositionsIntoCellAndOffset)
{
    const WorldPosition p = toWorldPosition(-0.5, 1024.0, 2047.75);
    EXPECT_EQ(p.cell, i32vec3(-1, 1, 1));
    EXPECT_EQ(p.offset, vec3(1023.5f, 0.0f, 1023.75f));
    const WorldPosition edge = toWorldPosition(-1e-9, 0, 0); // rounds up to the border of the next cell
    EXPECT_EQ(edge.cell.x, 0);
    EXPECT_EQ(edge.offset.x, 0.0f);
    EXPECT_EQ(normalised({i32vec3(1, 0, 0), vec3(-1, 1024, 3000)}).cell, i32vec3(0, 1, 2));
    EXPECT_EQ(toWorldPosition(1e30, 0, 0).cell.x, INT32_MAX);
}

TEST(MoverHeap, HoldsTheMoversOfOneFrameWithTheFirstTransform)
{
    ResourceHarness harness;
    MoverHeap& movers = harness.resources->movers();
    harness.begin();
    movers.setWanted(true);
    Affine previous;
    for (HeapId id = 0; id < 1000; ++id)
    {
        previous.rows[0].w = static_cast<float>(id);
        ASSERT_EQ(*movers.record(id * 37, previous), id);
    }
    previous.rows[0].w = -1;
    EXPECT_EQ(*movers.record(37, previous), 1U);
    EXPECT_EQ(movers.slotOf(999 * 37), 999U);
    EXPECT_EQ(movers.slotOf(1), kNotMoving);
    const std::uint64_t frame = movers.frameNumber();
    ASSERT_TRUE(harness.end());
    EXPECT_NE(movers.frameNumber(), frame);
    EXPECT_EQ(movers.slotOf(37), kNotMoving);
    EXPECT_TRUE(movers.movers().empty());
    // As the shader looks them up.
    const auto word = [&](std::uint32_t at) { return harness.read<std::uint32_t>(movers.buffer().id(), at); };
    for (HeapId id = 0; id < 37 * 1000; ++id)
    {
        std::uint32_t cell = id * 0x9E3779B1U >> 7U & word(0);
        while (word(4 + 2 * cell) != 0 && word(4 + 2 * cell) != id + 1)
            cell = (cell + 1) & word(0);
        const std::uint32_t slot = word(4 + 2 * cell) == 0 ? kNotMoving : word(5 + 2 * cell);
        ASSERT_EQ(slot, id % 37 == 0 ? id / 37 : kNotMoving) << id;
        if (slot != kNotMoving)
        {
            ASSERT_EQ(std::bit_cast<float>(word(word(1) * 4 + slot * 12 + 3)), static_cast<float>(slot)) << id;
        }
    }
    ASSERT_TRUE(harness.frame());
    EXPECT_EQ(word(4), 0U) << "an empty table";
}

TEST(MoverHeap, ForgetsWhoJumpedUntilTheNextFrame)
{
    ResourceHarness harness;
    MoverHeap& movers = harness.resources->movers();
    movers.setWanted(true);
    movers.forget(7); // nothing to forget
    ASSERT_TRUE(movers.record(7, {}));
    ASSERT_TRUE(movers.record(8, {}));
    movers.forget(7);
    ASSERT_TRUE(movers.record(7, {}));
    EXPECT_EQ(movers.slotOf(7), kNotMoving);
    EXPECT_EQ(movers.slotOf(8), 1U);
    ASSERT_TRUE(harness.frame());
    ASSERT_TRUE(movers.record(7, {}));
    EXPECT_EQ(movers.slotOf(7), 0U);
}

TEST(MoverHeap, KeepsMovesOfAFrameThatWasNotDrawn)
{
    ResourceHarness harness;
    MoverHeap& movers = harness.resources->movers();
    ASSERT_TRUE(movers.record(3, {}));
    harness.begin();
    harness.stream.clear();
    ASSERT_TRUE(harness.resources->flush(harness.stream));
    harness.resources->onSubmitted(*harness.gpuDevice().submit(harness.stream.bytes()), false);
    EXPECT_EQ(movers.slotOf(3), 0U);
    ASSERT_TRUE(harness.frame());
    EXPECT_EQ(movers.slotOf(3), kNotMoving);
}

TEST(MoverHeap, UploadsNothingThatNobodyReads)
{
    ResourceHarness harness;
    MoverHeap& movers = harness.resources->movers();
    for (HeapId id = 0; id < 1000; ++id)
        ASSERT_TRUE(movers.record(id, {}));
    ASSERT_TRUE(harness.frame());
    EXPECT_LT(movers.buffer().bytes(), 1000 * sizeof(Affine));
}

TEST(VisibilityGroups, AllFlipsOfAFrameShowTogether)
{
    VisibilityGroups groups;
    std::vector<VisibilityGroupId> ids;
    for (int i = 0; i < 130; ++i)
        ids.push_back(groups.add(i % 2 == 0));
    for (const VisibilityGroupId id : ids)
        groups.set(id, !groups.isVisible(id));
    EXPECT_TRUE(groups.isVisible(ids[128]));
    groups.beginFrame();
    EXPECT_FALSE(groups.isVisible(ids[128]));
    EXPECT_TRUE(groups.isVisible(ids[129]));
    EXPECT_EQ(groups.bits()[2], 2U);
    groups.set(ids[0], true);
    groups.set(ids[0], false); // the last one wins
    groups.beginFrame();
    EXPECT_FALSE(groups.isVisible(ids[0]));
    EXPECT_TRUE(groups.remove(ids[0]));
    EXPECT_FALSE(groups.set(ids[0], true));
    EXPECT_TRUE(groups.isVisible(ids[0])) << "a stale group hides nothing";
    EXPECT_TRUE(groups.isVisible({}));
}

} // namespace
} // namespace dl
