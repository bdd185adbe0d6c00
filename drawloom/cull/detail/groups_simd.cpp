// The two-level kernel in Highway: classifies 64 groups against all views, asks for the memory of those that a plane cuts,
// and meanwhile works on the 64 groups before.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "drawloom/cull/detail/groups_simd.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include "drawloom/cull/detail/batch-inl.h"
#include "drawloom/cull/detail/groups.h"

#include <hwy/cache_control.h>

#include <algorithm>

#ifndef DRAWLOOM_CULL_GROUP_TILE
#define DRAWLOOM_CULL_GROUP_TILE
namespace dl::cull::detail
{

constexpr std::size_t kTileGroups = 64, kMaxViews = 64;
constexpr std::uint8_t kCutByLayers = 64; ///< some of the group may be in no layer of the view

/// What each view is to do with each group: 0 takes it whole; the planes that cut it, as bits, and kCutByLayers; kSeesNothing.
struct GroupTile
{
    std::size_t first = 0, count = 0;
    std::uint64_t seen = 0; ///< groups that some view sees something of
    std::uint64_t cut = 0;  ///< groups of which some view must test the objects
    std::uint8_t codes[kMaxViews][kTileGroups];
};

} // namespace dl::cull::detail
#endif

HWY_BEFORE_NAMESPACE();
namespace dl::cull::detail::HWY_NAMESPACE
{

/// The value of one corner of each group: the far one for bigger = farX.., the near one for the opposites.
HWY_INLINE VF cornerValue(const GroupStore& store, std::size_t g, const Plane& plane, std::uint32_t flip)
{
    const F32 d;
    const VF x = hn::LoadU(d, store.fields[LowX + (plane.farX ^ flip)].data() + g);
    const VF y = hn::LoadU(d, store.fields[LowY + (plane.farY ^ flip)].data() + g);
    const VF z = hn::LoadU(d, store.fields[LowZ + (plane.farZ ^ flip)].data() + g);
    const VF xy = hn::Add(hn::Mul(hn::Set(d, plane.x), x), hn::Mul(hn::Set(d, plane.y), y));
    const VF value = hn::Add(xy, hn::Mul(hn::Set(d, plane.z), z));
    return store.isBox ? value : hn::Add(value, hn::LoadU(d, store.fields[MostReach - flip].data() + g));
}

/// Which of a vector of groups from `g` on the view sees nothing of, by planes and layers.
HWY_INLINE Mask unseenGroups(const GroupStore& store, std::size_t g, const View& view)
{
    const F32 d;
    const U32 du;
    Mask unseen = hn::Lt(hn::Zero(d), hn::Zero(d));
    for (std::uint32_t p = 0; p < view.planeCount; ++p)
        unseen = hn::Or(unseen, hn::Lt(cornerValue(store, g, view.planes[p], 0), hn::Set(d, view.planes[p].limit)));
    if (!store.hasLayers)
        return unseen;
    const VU shared = hn::And(hn::LoadU(du, store.anyLayers.data() + g), hn::Set(du, view.layerMask));
    return hn::Or(unseen, hn::RebindMask(d, hn::Eq(shared, hn::Zero(du))));
}

/// What must be tested of the objects: planes, layers.
HWY_INLINE VU cutsOf(const GroupStore& store, std::size_t g, const View& view)
{
    const F32 d;
    const U32 du;
    VU cuts = hn::Zero(du);
    for (std::uint32_t p = 0; p < view.planeCount; ++p)
    {
        const Mask isWithin = hn::Ge(cornerValue(store, g, view.planes[p], 1), hn::Set(d, view.planes[p].limit));
        cuts = hn::Or(cuts, hn::IfThenZeroElse(hn::RebindMask(du, isWithin), hn::Set(du, 1U << p)));
    }
    if (!store.hasLayers)
        return cuts;
    const VU shared = hn::And(hn::LoadU(du, store.allLayers.data() + g), hn::Set(du, view.layerMask));
    return hn::Or(cuts, hn::IfThenElseZero(hn::Eq(shared, hn::Zero(du)), hn::Set(du, kCutByLayers)));
}

HWY_INLINE std::uint64_t bitsOf(Mask mask)
{
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(F32(), mask, bytes);
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes, sizeof(bits)); // little endian
    return bits;
}

/// One view's codes of one vector of groups.
HWY_INLINE void classify(const GroupStore& store, const View& view, std::size_t g, std::uint8_t* codes, GroupTile& tile)
{
    const F32 d;
    const U32 du;
    const hn::Rebind<std::uint8_t, F32> bytes;
    const Mask unseen = unseenGroups(store, tile.first + g, view);
    if (hn::AllTrue(d, unseen))
        return hn::StoreU(hn::Set(bytes, kSeesNothing), bytes, codes);
    const VU cuts = cutsOf(store, tile.first + g, view);
    const VU code = hn::IfThenElse(hn::RebindMask(du, unseen), hn::Set(du, kSeesNothing), cuts);
    hn::StoreU(hn::DemoteTo(bytes, hn::BitCast(hn::RebindToSigned<U32>(), code)), bytes, codes);
    const Mask isCut = hn::RebindMask(d, hn::Ne(cuts, hn::Zero(du)));
    tile.seen |= bitsOf(hn::Not(unseen)) << g;
    tile.cut |= bitsOf(hn::AndNot(unseen, isCut)) << g;
}

HWY_INLINE void classify(const GroupStore& store, std::span<const View> views, std::size_t first, std::size_t end, GroupTile& tile)
{
    tile.first = first;
    tile.count = std::min(kTileGroups, end - first);
    tile.seen = tile.cut = 0;
    for (std::size_t v = 0; v < views.size(); ++v)
        if (views[v].layerMask == 0)
            std::memset(tile.codes[v], kSeesNothing, kTileGroups);
        else
            for (std::size_t g = 0; g < tile.count; g += kLanes)
                classify(store, views[v], g, tile.codes[v] + g, tile);
    const std::uint64_t existing = ~0ULL >> (kTileGroups - tile.count);
    tile.seen &= existing;
    tile.cut &= existing;
}

HWY_INLINE void prefetch(const GroupStore& store, const GroupTile& tile)
{
    const std::size_t floats = kGroupObjects * store.floatsPerObject();
    for (std::uint64_t left = tile.cut; left != 0; left &= left - 1)
    {
        const float* objects = store.groupObjects(tile.first + static_cast<std::size_t>(std::countr_zero(left)));
        for (std::size_t i = 0; i < floats; i += 16)
            hwy::Prefetch(objects + i);
    }
    for (std::uint64_t left = tile.seen; left != 0; left &= left - 1)
    {
        const std::size_t group = tile.first + static_cast<std::size_t>(std::countr_zero(left));
        for (std::size_t i = 0; i < kGroupObjects; i += 16)
            hwy::Prefetch(store.order.data() + group * kGroupObjects + i);
    }
}

/// No view cuts the group.
HWY_INLINE void takeWhole(const GroupStore& store, const GroupTile& tile, std::size_t g, std::span<const View> views, Output& output)
{
    const U32 du;
    const std::uint32_t* ids = store.order.data() + (tile.first + g) * kGroupObjects;
    for (std::size_t i = 0; i < kGroupObjects; i += kLanes)
        hn::StoreU(hn::LoadU(du, ids + i), du, output.ids + output.count + i);
    const std::size_t size = store.sizeOf(tile.first + g);
    if (views.size() > 1)
    {
        std::uint64_t mask = 0;
        for (std::size_t v = 0; v < views.size(); ++v)
            mask |= static_cast<std::uint64_t>(tile.codes[v][g] == 0) << v;
        std::fill_n(output.masks + output.count, size, mask);
    }
    output.count += size;
}

template <class Batch>
HWY_INLINE void testObjects(const GroupStore& store, const GroupTile& tile, std::size_t g, std::span<const View> views, Output& output)
{
    const U32 du;
    const std::size_t group = tile.first + g;
    const Arrays arrays = store.arraysOf(group);
    const std::size_t size = store.sizeOf(group);
    const auto planesOf = [&tile, g](std::size_t v) HWY_ATTR
    { return tile.codes[v][g] == kSeesNothing ? std::uint32_t{kSeesNothing} : tile.codes[v][g] & (kCutByLayers - 1U); };
    const std::uint32_t* ids = store.order.data() + group * kGroupObjects;
    Batch batch;
    for (std::size_t i = 0; i < size; i += kBatch)
    {
        batch.load(arrays, i);
        const Scope scope{arrays.layerMasks == nullptr ? nullptr : arrays.layerMasks + i, size - i};
        const Four<VU> names{hn::LoadU(du, ids + i), hn::LoadU(du, ids + i + kLanes), hn::LoadU(du, ids + i + 2 * kLanes),
            hn::LoadU(du, ids + i + 3 * kLanes)};
        cullBatch(batch, scope, names, views, planesOf, output);
    }
}

template <class Batch> HWY_INLINE void work(const GroupStore& store, std::span<const View> views, const GroupTile& tile, Output& output)
{
    for (std::uint64_t left = tile.seen; left != 0; left &= left - 1)
    {
        const auto g = static_cast<std::size_t>(std::countr_zero(left));
        if ((tile.cut >> g & 1U) == 0)
            takeWhole(store, tile, g, views, output);
        else
            testObjects<Batch>(store, tile, g, views, output);
    }
}

void groups(const GroupStore& store, std::span<const View> views, std::size_t begin, std::size_t end, Output& output)
{
    GroupTile tiles[2];
    Output local = output;
    for (std::size_t first = begin, turn = 0; first < end + kTileGroups; first += kTileGroups, ++turn)
    {
        if (first < end)
        {
            classify(store, views, first, end, tiles[turn & 1U]);
            prefetch(store, tiles[turn & 1U]);
        }
        if (first == begin)
            continue;
        const GroupTile& before = tiles[(turn + 1) & 1U];
        if (store.isBox)
            work<BoxBatch>(store, views, before, local);
        else
            work<SphereBatch>(store, views, before, local);
    }
    output = local;
}

} // namespace dl::cull::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dl::cull::detail
{

HWY_EXPORT(groups);

void cullGroupsSimd(const GroupStore& store, std::span<const View> views, std::size_t begin, std::size_t end, Output& output)
{
    HWY_DYNAMIC_DISPATCH(groups)(store, views, begin, end, output);
}

} // namespace dl::cull::detail
#endif
