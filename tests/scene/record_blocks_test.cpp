// Single records of the instance heap: no record twice, blocks come and go, and a full heap costs no more than an empty one.
#include "drawloom/scene/detail/record_blocks.h"

#include "drawloom/gpu/null_device.h"
#include "drawloom/resource/gpu_resources.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <unordered_map>

namespace dl::detail
{
namespace
{

constexpr std::uint32_t kBlockRecords = 1024;

struct Heap
{
    std::unique_ptr<gpu::NullDevice> device = gpu::createNullDevice();
    std::unique_ptr<GpuResources> resources = std::move(GpuResources::create(*device)).value();
    RecordBlocks records{resources->instances()};
    std::uint32_t blockCount() { return resources->instances().blockCount(); }
};

/// Nanoseconds for a record from each of `blockCount` blocks to be freed and taken again, oldest first, all others full: the
/// fastest of some runs, per step.
double nsPerStep(std::uint32_t blockCount)
{
    Heap heap;
    std::vector<RecordPlace> places;
    for (std::uint32_t i = 0; i < blockCount * kBlockRecords; ++i)
        places.push_back(heap.records.allocate(nullptr, i).value());
    double best = 1e30;
    for (int run = 0; run < 7; ++run)
    {
        const auto begin = std::chrono::steady_clock::now();
        for (std::uint32_t step = 0; step < 2000; ++step)
        {
            RecordPlace& place = places[step % blockCount * kBlockRecords];
            heap.records.free(place);
            place = heap.records.allocate(nullptr, step).value();
        }
        best = std::min(best, std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() / 2000);
    }
    return best;
}

} // namespace

TEST(RecordBlocks, GivesNoRecordTwiceAndKnowsItsOwner)
{
    Heap heap;
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const PropertyDesc tint{.name = "tint"};
    const PropertyLayout layout = PropertyLayout::create(std::span(&tint, 1)).value();
    const PropertyLayout* const layouts[] = {nullptr, &layout};
    std::unordered_map<std::uint32_t, std::pair<RecordPlace, std::uint32_t>> live; // by heap id: place, owner
    std::uint32_t nextOwner = 0;
    for (int round = 0; round < 30; ++round)
    {
        const bool isGrowing = round % 6 < 4;
        for (int i = 0; i < 1500; ++i)
        {
            if (live.empty() || random() % 10 < (isGrowing ? 8U : 2U))
            {
                const RecordPlace place = heap.records.allocate(layouts[random() % 2], nextOwner).value();
                ASSERT_TRUE(live.emplace(place.heapId, std::pair(place, nextOwner++)).second) << "given twice";
                continue;
            }
            const auto any = std::next(live.begin(), static_cast<std::ptrdiff_t>(random() % std::min<std::size_t>(live.size(), 16)));
            heap.records.free(any->second.first);
            ASSERT_EQ(heap.records.owner(any->first), kNoOwner);
            live.erase(any);
        }
        for (const auto& [id, entry] : live)
            ASSERT_EQ(heap.records.owner(id), entry.second);
    }
    for (const auto& [id, entry] : live)
        heap.records.free(entry.first);
    EXPECT_LE(heap.blockCount(), 2U) << "one block with room stays for each layout";
    EXPECT_EQ(heap.records.owner(0x7FFFFFFF), kNoOwner);
}

TEST(RecordBlocks, KeepsOneEmptyBlockAndFreesTheOthers)
{
    Heap heap;
    std::vector<RecordPlace> places;
    for (std::uint32_t i = 0; i < 3 * kBlockRecords; ++i)
        places.push_back(heap.records.allocate(nullptr, i).value());
    EXPECT_EQ(heap.blockCount(), 3U);
    for (const RecordPlace& place : places)
        heap.records.free(place);
    EXPECT_EQ(heap.blockCount(), 1U);
    for (std::uint32_t i = 0; i <= kBlockRecords; ++i)
        ASSERT_TRUE(heap.records.allocate(nullptr, i));
    EXPECT_EQ(heap.blockCount(), 2U) << "the kept one is filled first";
}

TEST(RecordBlocks, CostsTheSameForAThousandFullBlocks)
{
    const double few = nsPerStep(4), many = nsPerStep(1000);
    EXPECT_LT(many, 12.0 * few) << few << " ns with 4 blocks, " << many << " ns with 1000: a scan would cost 250 times as much";
}

} // namespace dl::detail
