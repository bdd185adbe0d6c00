// Tests of drawloom/resource/gpu_resources.h as a whole, the upload queue and the deform heap.
#include "tests/gpu/allocation_count.h"
#include "tests/resource/resource_harness.h"

#include <array>
#include <cstring>

namespace dl
{
namespace
{

UploadPayload payloadOf(std::size_t bytes, std::uint8_t value)
{
    auto data = std::make_shared<std::vector<std::byte>>(bytes, static_cast<std::byte>(value));
    return {std::shared_ptr<const std::byte>(data, data->data()), bytes};
}

struct UploadHarness
{
    UploadHarness() : buffer(*harness.null, retired, amount, bufferDesc()) { EXPECT_TRUE(buffer.reserve(65536)); }
    static GrowableBufferDesc bufferDesc() { return {"target", gpu::BufferUsage::Storage, gpu::Access::StorageRead, 65536}; }
    void drain(std::uint64_t budget)
    {
        queue.drain(batch, budget);
        stream.clear();
        batch.emit(stream);
        EXPECT_TRUE(harness.null->submit(stream.bytes()));
    }
    ResourceHarness harness;
    MemoryAmount amount, staging;
    RetireQueue retired{*harness.null};
    GrowableBuffer buffer;
    UploadQueue queue{staging};
    WriteBatch batch;
    gpu::CommandStream stream;
};

TEST(UploadQueue, KeepsToItsBudgetAndPutsHighPrioritiesFirst)
{
    UploadHarness u;
    const UploadId low = u.queue.addBuffer(u.buffer, 0, payloadOf(1000, 1), 0);
    const UploadId high = u.queue.addBuffer(u.buffer, 1000, payloadOf(1000, 2), 5);
    u.drain(1200);
    EXPECT_FALSE(u.queue.isPending(high));
    EXPECT_TRUE(u.queue.isPending(low));
    EXPECT_EQ(u.queue.stats().sentFrameBytes, 1200U);
    EXPECT_EQ(u.queue.stats().pendingBytes, 800U);
    EXPECT_EQ(u.staging.current, 1000U);
    u.drain(800);
    EXPECT_FALSE(u.queue.isPending(low));
    EXPECT_EQ(u.queue.stats().pendingCount, 0U);
    EXPECT_EQ(u.staging.current, 0U);
    EXPECT_EQ(u.staging.peak, 2000U);
    EXPECT_EQ(u.harness.read<std::uint8_t>(u.buffer.id(), 999), 1);
    EXPECT_EQ(u.harness.read<std::uint8_t>(u.buffer.id(), 1999), 2);
    u.drain(800);
    EXPECT_EQ(u.queue.stats().sentFrameBytes, 0U);
}

TEST(UploadQueue, MakesProgressWithoutABudget)
{
    UploadHarness u;
    const UploadId id = u.queue.addBuffer(u.buffer, 0, payloadOf(10000, 3));
    int frames = 0;
    while (u.queue.isPending(id) && frames < 10)
    {
        u.drain(0);
        ++frames;
    }
    EXPECT_EQ(frames, 3); // 4096 bytes each
    EXPECT_EQ(u.harness.read<std::uint8_t>(u.buffer.id(), 9999), 3);
}

TEST(UploadQueue, CancelDropsTheRestAndStaleIdsAreRefused)
{
    UploadHarness u;
    const UploadId id = u.queue.addBuffer(u.buffer, 0, payloadOf(2000, 1));
    u.drain(400);
    EXPECT_TRUE(u.queue.cancel(id));
    EXPECT_FALSE(u.queue.cancel(id));
    EXPECT_EQ(u.queue.stats().pendingBytes, 0U);
    EXPECT_EQ(u.staging.current, 0U);
    u.drain(4000);
    EXPECT_EQ(u.queue.stats().sentFrameBytes, 0U);
    EXPECT_EQ(u.queue.stats().cancelledCount, 1U);
}

TEST(UploadQueue, SendsTexturesInWholeRowsOfBlocks)
{
    UploadHarness u;
    const gpu::TextureUsages usage = gpu::TextureUsage::CopyDst | gpu::TextureUsage::Sampled;
    const gpu::TextureId texture =
        *u.harness.null->createTexture({"t", gpu::Format::BC7RgbaUnorm, gpu::TextureDimension::D2, 64, 64, 1, 1, 1, usage});
    auto bytes = std::make_shared<std::vector<std::byte>>(4096);
    for (std::size_t i = 0; i < bytes->size(); ++i)
        (*bytes)[i] = static_cast<std::byte>(i * 7);
    u.queue.addTexture({texture, gpu::Format::BC7RgbaUnorm, 0, 64, 64}, {std::shared_ptr<const std::byte>(bytes, bytes->data()), 4096});
    u.batch.barrierBefore({texture, 0, 1, 0, 1, gpu::AccessFlags(), gpu::Access::CopyWrite});
    u.drain(700); // two rows of 256 bytes
    EXPECT_EQ(u.queue.stats().sentFrameBytes, 512U);
    while (u.queue.stats().pendingCount != 0)
        u.drain(1000);
    const auto content = u.harness.null->textureContent(texture, 0);
    ASSERT_EQ(content.size(), bytes->size());
    EXPECT_EQ(std::memcmp(content.data(), bytes->data(), content.size()), 0);
}

TEST(DeformHeap, JobsNameTheRangeAndItsOutput)
{
    ResourceHarness harness;
    GeometryPool& pool = harness.resources->geometry();
    DeformHeap& deform = harness.resources->deform();
    const MeshRangeId rigid = *pool.add(makeMesh(9, 1.0f));
    const MeshRangeId mesh = *pool.add(makeMesh(100, 2.0f, 2, 1));
    EXPECT_EQ(deform.allocate(rigid).error().code, ErrorCode::InvalidArgument);
    const DeformSlotId slot = *deform.allocate(mesh);
    const std::array<Affine, 2> joints{};
    harness.begin();
    EXPECT_FALSE(*deform.addJob(slot, deform.addJoints(joints), 0)) << "not resident yet";
    ASSERT_TRUE(harness.end());
    harness.begin();
    deform.addJoints(joints);
    const std::uint32_t jointOffset = deform.addJoints(joints);
    const std::array<float, 1> weights = {0.5f};
    ASSERT_TRUE(*deform.addJob(slot, jointOffset, deform.addMorphWeights(weights)));
    ASSERT_TRUE(harness.end());
    ASSERT_EQ(deform.dispatches().size(), 1U);
    EXPECT_EQ(deform.dispatches()[0].workgroupCount, 2U);
    const auto job = harness.read<DeformJob>(deform.jobs().buffer().id(), 0);
    EXPECT_EQ(job.sourceVertex, pool.range(mesh).baseVertex);
    EXPECT_EQ(job.jointOffset, 2U);
    EXPECT_EQ(job.flags, kDeformSkinnedBit | kDeformMorphedBit | kDeformSecondInfluencesBit);
    EXPECT_EQ(deform.deformOffset(slot) + pool.range(mesh).baseVertex * kDeformedVertexWords, job.outWord);
    EXPECT_TRUE(harness.resources->bindings().deformPageGroup(0));
    EXPECT_TRUE(deform.free(slot));
    EXPECT_FALSE(deform.free(slot));
    EXPECT_EQ(deform.addJob(slot, 0, 0).error().code, ErrorCode::StaleId);
}

TEST(DeformHeap, GrowthOfTheOutputKeepsTheVerticesOfEarlierFrames)
{
    ResourceHarness harness;
    GeometryPool& pool = harness.resources->geometry();
    DeformHeap& deform = harness.resources->deform();
    const MeshRangeId mesh = *pool.add(makeMesh(100, 2.0f, 1));
    ASSERT_TRUE(deform.allocate(mesh));
    ASSERT_TRUE(harness.frame());
    const gpu::BufferId old = deform.output().id();
    gpu::CommandStream stream; // stands in for the compute pass
    const std::array<std::uint32_t, 1> word = {12345};
    stream.writeBuffer(old, 400, std::as_bytes(std::span(word)));
    ASSERT_TRUE(harness.null->submit(stream.bytes()));
    for (int i = 0; i < 20; ++i)
        ASSERT_TRUE(deform.allocate(mesh));
    ASSERT_TRUE(harness.frame());
    EXPECT_NE(deform.output().id(), old);
    EXPECT_EQ(harness.read<std::uint32_t>(deform.output().id(), 100), 12345U);
}

TEST(DeformHeap, CopiesWhatTheFrameBeforeHeld)
{
    ResourceHarness harness;
    DeformHeap& deform = harness.resources->deform();
    const MeshRangeId mesh = *harness.resources->geometry().add(makeMesh(100, 2.0f, 1));
    ASSERT_TRUE(harness.frame());
    const std::uint64_t bytes = std::uint64_t(100) * kDeformedVertexWords * 4;
    const DeformSlotId a = *deform.allocate(mesh), b = *deform.allocate(mesh);
    const std::array<Affine, 2> joints{};
    using Copies = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
    Copies before, after;
    const auto frame = [&](bool isWanted, std::initializer_list<DeformSlotId> jobs, bool isRun = true)
    {
        harness.begin();
        deform.setPreviousWanted(isWanted);
        for (const DeformSlotId slot : jobs)
            ASSERT_TRUE(*deform.addJob(slot, deform.addJoints(joints), 0));
        ASSERT_TRUE(harness.end());
        before.clear();
        after.clear();
        if (isWanted)
        {
            for (const DeformCopy& copy : deform.copiesBeforeJobs())
                before.emplace_back(copy.offset, copy.bytes);
            for (const DeformCopy& copy : deform.copiesAfterJobs())
                after.emplace_back(copy.offset, copy.bytes);
        }
        if (isRun)
            deform.setJobsRun();
    };
    frame(false, {a});
    EXPECT_LT(deform.previous().bytes(), bytes) << "nobody asked";
    frame(true, {b});
    EXPECT_GE(deform.previous().bytes(), deform.output().bytes());
    const Copies whole = {{0, deform.output().bytes()}};
    EXPECT_EQ(before, whole) << "the first frame that asks";
    EXPECT_EQ(after, (Copies{{bytes, bytes}})) << "the first pose of b";
    frame(true, {a});
    EXPECT_EQ(before, (Copies{{0, 2 * bytes}})) << "a changes now, b changed before; neighbours are one copy";
    EXPECT_TRUE(after.empty());
    frame(true, {});
    EXPECT_EQ(before, (Copies{{0, bytes}})) << "a comes to rest";
    frame(true, {});
    EXPECT_TRUE(before.empty());
    frame(false, {b});
    frame(true, {});
    EXPECT_EQ(before, whole) << "the frame before kept nothing";
    frame(true, {b}, false);
    EXPECT_EQ(before, (Copies{{bytes, bytes}}));
    frame(true, {});
    EXPECT_EQ(before, whole) << "the frame before was lost";
    EXPECT_TRUE(deform.free(b));
    const DeformSlotId next = *deform.allocate(mesh);
    frame(true, {next});
    EXPECT_EQ(after, (Copies{{bytes, bytes}})) << "the place of b, a first pose again";
}

TEST(GpuResources, AWarmFrameAllocatesNothingAndRebuildsNothing)
{
    ResourceHarness harness({}, {}, false); // the validation device allocates
    GpuResources& r = *harness.resources;
    const MeshRangeId mesh = *r.geometry().add(makeMesh(100, 2.0f, 1));
    const DeformSlotId slot = *r.deform().allocate(mesh);
    const InstanceBlockId block = *r.instances().allocateBlock(10000);
    const HeapId first = r.instances().block(block).firstId;
    ASSERT_TRUE(r.textureSets().acquire({}));
    const std::array<Affine, 20> joints{};
    r.movers().setWanted(true);
    r.deform().setPreviousWanted(true);
    const auto frame = [&](std::uint32_t number)
    {
        harness.begin();
        Affine transform;
        for (std::uint32_t i = number % 10; i < 10000; i += 10) // a tenth of the instances moves
        {
            transform.rows[0].w = static_cast<float>(number);
            ASSERT_TRUE(r.movers().record(first + i, transform));
            r.instances().setTransform(first + i, transform);
        }
        ASSERT_TRUE(r.views().push(ViewUniforms{}));
        ASSERT_TRUE(r.deform().addJob(slot, r.deform().addJoints(joints), 0));
        const std::uint32_t ids = *r.ids().allocate(10000);
        for (std::uint32_t& id : r.ids().at(ids, 10000))
            id = first;
        r.cells().writeOrigins({}, r.bindings().frameUniforms().cellOrigins);
        ASSERT_TRUE(harness.end());
    };
    for (std::uint32_t i = 0; i < 20; ++i)
        frame(i);
    const std::uint64_t groups = harness.null->stats().created[gpu::ObjectKind::BindGroup];
    const std::uint64_t buffers = harness.null->stats().created[gpu::ObjectKind::Buffer];
    const std::size_t before = gpu::allocationCount();
    for (std::uint32_t i = 0; i < 50; ++i)
        frame(i);
    EXPECT_EQ(gpu::allocationCount(), before);
    EXPECT_EQ(harness.null->stats().created[gpu::ObjectKind::BindGroup], groups);
    EXPECT_EQ(harness.null->stats().created[gpu::ObjectKind::Buffer], buffers);
}

TEST(GpuResources, DestructionLeavesNoObjectBehind)
{
    ResourceHarness harness;
    GpuResources& r = *harness.resources;
    const MeshRangeId mesh = *r.geometry().add(makeMesh(100, 2.0f, 1));
    ASSERT_TRUE(r.deform().allocate(mesh));
    ASSERT_TRUE(r.instances().allocateBlock(10));
    ASSERT_TRUE(r.textureSets().acquire({}));
    ASSERT_TRUE(harness.frame());
    ASSERT_TRUE(r.geometry().add(makeMesh(100000, 2.0f))); // grown, not flushed
    harness.resources.reset();
    for (std::uint32_t kind = 0; kind < gpu::kObjectKindCount; ++kind)
        EXPECT_EQ(harness.null->liveObjectCount(static_cast<gpu::ObjectKind>(kind)), 0U)
            << gpu::toString(static_cast<gpu::ObjectKind>(kind));
}

TEST(GpuResources, EveryFailingCreationLeavesNoObjectBehind)
{
    for (const gpu::ObjectKind kind : {gpu::ObjectKind::Buffer, gpu::ObjectKind::Texture, gpu::ObjectKind::TextureView,
             gpu::ObjectKind::BindGroupLayout, gpu::ObjectKind::BindGroup})
    {
        gpu::NullDeviceSettings settings;
        settings.failNthCreation[kind] = 1;
        const auto null = gpu::createNullDevice(settings);
        const auto created = GpuResources::create(*null);
        ASSERT_FALSE(created) << gpu::toString(kind);
        EXPECT_EQ(created.error().code, ErrorCode::OutOfMemory);
        for (std::uint32_t k = 0; k < gpu::kObjectKindCount; ++k)
            EXPECT_EQ(null->liveObjectCount(static_cast<gpu::ObjectKind>(k)), 0U) << gpu::toString(kind);
    }
}

TEST(GpuResources, AFailedFlushCanBeTriedAgain)
{
    ResourceHarness harness;
    ASSERT_TRUE(harness.resources->instances().allocateBlock(10));
    constexpr auto kGroup = gpu::ObjectKind::BindGroup;
    harness.null->settings().failNthCreation[kGroup] = harness.null->stats().created[kGroup] + 1;
    EXPECT_FALSE(harness.frame());
    EXPECT_EQ(harness.lastError.code, ErrorCode::OutOfMemory);
    EXPECT_TRUE(harness.frame());
    EXPECT_TRUE(harness.resources->bindings().libraryGroup(0));
}

TEST(IdList, RefusesMoreIdsThanABindingHolds)
{
    gpu::NullDeviceSettings device;
    device.limits.maxStorageBindingBytes = 40000;
    ResourceHarness harness({}, device);
    IdList& ids = harness.resources->ids();
    EXPECT_EQ(*ids.allocate(4000), 0U);
    EXPECT_EQ(*ids.allocate(6000), 4000U);
    EXPECT_EQ(ids.allocate(1).error().code, ErrorCode::OutOfBudget);
    EXPECT_EQ(ids.size(), 10000U);
}

} // namespace
} // namespace dl
