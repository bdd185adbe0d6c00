// drawloom/cull/detail/groups.h - what CullGroups holds and its kernels read. A group's corners are the smallest and largest
// of the terms that its objects' own tests use (widened corners of boxes; centres and reaches of spheres), without rounding.
// The group's test has the objects' order of operations, and float sums and products are monotone, so
//   value of the group's far corner < limit   implies the same for each object: all are outside,
//   value of the group's near corner >= limit implies it for each object's far corner: none is outside of this plane,
// bit for bit. A group with an object that is not a number or beyond kTame gets NaN corners, and is tested by object.
#pragma once

#include "drawloom/cull/detail/kernels.h"

#include <vector>

namespace dl::cull::detail
{

constexpr float kTame = 1e30f; ///< metres; below, no sum of the test overflows for unit normals

struct alignas(64) CacheLine
{
    float values[16];
};

enum GroupField : std::uint32_t
{
    LowX,
    HighX,
    LowY,
    HighY,
    LowZ,
    HighZ,
    LeastReach, ///< spheres; boxes: 0
    MostReach,
    GroupFieldCount,
};

struct GroupStore
{
    static constexpr std::size_t kPadding = 16; ///< groups that may be read behind the last

    bool isBox = true, hasLayers = false;
    std::size_t objectCount = 0, groupCount = 0;
    std::vector<std::uint32_t> order;  ///< id of each sorted object, whole groups
    std::vector<std::uint32_t> slots;  ///< sorted position of each id
    std::vector<CacheLine> objects;    ///< a group: x of its 64 objects, y, z, then half extents or radius
    std::vector<std::uint32_t> layers; ///< sorted, whole groups; empty without layers
    std::vector<float> fields[GroupFieldCount];
    std::vector<std::uint32_t> anyLayers, allLayers; ///< of each group's objects; empty without layers
    std::vector<std::uint32_t> movedGroups;          ///< whose corners are to be fitted again
    std::vector<std::uint8_t> isMoved;               ///< a group is in movedGroups
    double builtExtent = 0;
    float growth = 1.0f;

    std::size_t floatsPerObject() const { return isBox ? 6 : 4; }
    float* groupObjects(std::size_t group) { return objects.data()->values + group * kGroupObjects * floatsPerObject(); }
    const float* groupObjects(std::size_t group) const { return objects.data()->values + group * kGroupObjects * floatsPerObject(); }
    std::size_t sizeOf(std::size_t group) const
    {
        const std::size_t left = objectCount - group * kGroupObjects;
        return left < kGroupObjects ? left : kGroupObjects;
    }
    Arrays arraysOf(std::size_t group) const
    {
        const float* x = groupObjects(group);
        constexpr std::size_t n = kGroupObjects;
        return {x, x + n, x + 2 * n, x + 3 * n, isBox ? x + 4 * n : nullptr, isBox ? x + 5 * n : nullptr,
            hasLayers ? layers.data() + group * n : nullptr};
    }

    void build(const Arrays& arrays, std::size_t count);
    void copyObjects(const Arrays& arrays);
    /// Writes one object's terms (boxes: centre and half extents; spheres: centre and radius) and marks its group.
    void move(std::uint32_t id, const float* terms);
    void fitGroup(std::size_t group);
    void fitMoved();
    double sumOfExtents() const;
};

/// Groups [begin, end); appends to `output` in their order.
void cullGroupsSimd(const GroupStore& store, std::span<const View> views, std::size_t begin, std::size_t end, Output& output);

} // namespace dl::cull::detail
