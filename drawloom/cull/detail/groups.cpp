#include "drawloom/cull/detail/groups.h"

#include "drawloom/core/parallel.h"
#include "drawloom/cull/detail/morton.h"

#include <algorithm>
#include <limits>

namespace dl::cull::detail
{

namespace
{

constexpr std::size_t kFitGrain = 256;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

struct Span
{
    float low = kTame, high = -kTame;
    bool isTame = true;

    void include(float least, float most)
    {
        isTame = isTame && least > -kTame && most < kTame; // false for NaN
        low = std::min(low, least);
        high = std::max(high, most);
    }
};

} // namespace

void GroupStore::build(const Arrays& arrays, std::size_t count)
{
    objectCount = count;
    groupCount = (count + kGroupObjects - 1) / kGroupObjects;
    hasLayers = arrays.layerMasks != nullptr;
    order.assign(groupCount * kGroupObjects, 0);
    sortByMorton(arrays, count, order);
    slots.resize(count);
    for (std::size_t i = 0; i < count; ++i)
        slots[order[i]] = static_cast<std::uint32_t>(i);
    copyObjects(arrays);
    for (std::vector<float>& field : fields)
        field.assign(groupCount + kPadding, kNan);
    movedGroups.clear();
    movedGroups.reserve(groupCount);
    isMoved.assign(groupCount, 0);
    parallelFor(groupCount, kFitGrain,
        [this](std::size_t begin, std::size_t end)
        {
            for (std::size_t group = begin; group < end; ++group)
                fitGroup(group);
        });
    builtExtent = sumOfExtents();
    growth = 1.0f;
}

void GroupStore::copyObjects(const Arrays& arrays)
{
    const float* const sources[] = {arrays.x, arrays.y, arrays.z, arrays.a, arrays.b, arrays.c};
    objects.assign(groupCount * kGroupObjects * floatsPerObject() / 16, CacheLine{});
    for (std::size_t i = 0; i < objectCount; ++i)
    {
        float* object = groupObjects(i / kGroupObjects) + i % kGroupObjects;
        for (std::size_t term = 0; term < floatsPerObject(); ++term)
            object[term * kGroupObjects] = sources[term][order[i]];
    }
    layers.assign(hasLayers ? groupCount * kGroupObjects : 0, 0);
    anyLayers.assign(hasLayers ? groupCount + kPadding : 0, 0);
    allLayers.assign(hasLayers ? groupCount + kPadding : 0, UINT32_MAX);
    for (std::size_t i = 0; hasLayers && i < objectCount; ++i)
    {
        layers[i] = arrays.layerMasks[order[i]];
        anyLayers[i / kGroupObjects] |= layers[i];
        allLayers[i / kGroupObjects] &= layers[i];
    }
}

void GroupStore::move(std::uint32_t id, const float* terms)
{
    const std::size_t group = slots[id] / kGroupObjects;
    float* object = groupObjects(group) + slots[id] % kGroupObjects;
    for (std::size_t term = 0; term < floatsPerObject(); ++term)
        object[term * kGroupObjects] = terms[term];
    if (isMoved[group] == 0)
        movedGroups.push_back(static_cast<std::uint32_t>(group));
    isMoved[group] = 1;
}

void GroupStore::fitGroup(std::size_t group)
{
    const Arrays a = arraysOf(group);
    Span x, y, z, reach;
    for (std::size_t i = 0; i < sizeOf(group); ++i)
    {
        const float sphere = isBox ? 0.0f : sphereReach(a.x[i], a.y[i], a.z[i], a.a[i]);
        const float reachX = isBox ? boxReach(a.x[i], a.a[i]) : 0.0f;
        const float reachY = isBox ? boxReach(a.y[i], a.b[i]) : 0.0f;
        const float reachZ = isBox ? boxReach(a.z[i], a.c[i]) : 0.0f;
        x.include(a.x[i] - reachX, a.x[i] + reachX);
        y.include(a.y[i] - reachY, a.y[i] + reachY);
        z.include(a.z[i] - reachZ, a.z[i] + reachZ);
        reach.include(sphere, sphere);
    }
    const bool isTame = x.isTame && y.isTame && z.isTame && reach.isTame;
    const float values[GroupFieldCount] = {x.low, x.high, y.low, y.high, z.low, z.high, reach.low, reach.high};
    for (std::size_t field = 0; field < GroupFieldCount; ++field)
        fields[field][group] = isTame ? values[field] : kNan;
}

void GroupStore::fitMoved()
{
    if (movedGroups.empty())
        return;
    parallelFor(movedGroups.size(), kFitGrain,
        [this](std::size_t begin, std::size_t end)
        {
            for (std::size_t i = begin; i < end; ++i)
            {
                fitGroup(movedGroups[i]);
                isMoved[movedGroups[i]] = 0;
            }
        });
    movedGroups.clear();
    growth = builtExtent > 0.0 ? static_cast<float>(sumOfExtents() / builtExtent) : 1.0f;
}

double GroupStore::sumOfExtents() const
{
    double sum = 0.0;
    for (std::size_t group = 0; group < groupCount; ++group)
        for (const std::uint32_t low : {LowX, LowY, LowZ})
        {
            const float extent = fields[low + 1][group] - fields[low][group];
            sum += extent >= 0.0f ? static_cast<double>(extent) : 0.0; // not for NaN
        }
    return sum;
}

} // namespace dl::cull::detail
