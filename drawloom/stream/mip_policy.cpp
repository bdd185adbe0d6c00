#include "drawloom/stream/mip_policy.h"

#include <algorithm>
#include <cmath>

namespace dl
{

std::uint32_t wantedMip(const MipDemand& demand, std::uint32_t mipCount)
{
    const std::uint32_t coarsest = mipCount == 0 ? 0 : mipCount - 1;
    if (!(demand.uvPerMetre > 0.0f))
        return coarsest;
    if (!(demand.distanceMetres > 0.0f) || !(demand.pixelsPerUnit > 0.0f))
        return 0;
    const float texelsPerMetre = demand.uvPerMetre * static_cast<float>(demand.textureTexels);
    const float texelsPerPixel = texelsPerMetre * demand.distanceMetres / demand.pixelsPerUnit;
    const float mip = std::floor(std::log2(std::max(texelsPerPixel, 1e-20f)) + demand.bias);
    return static_cast<std::uint32_t>(std::clamp(mip, 0.0f, static_cast<float>(coarsest)));
}

namespace
{
std::uint64_t bytesAt(const MipTexture& texture, std::uint32_t mip)
{
    return texture.tailBytes[std::min(mip, texture.coarsestMip)];
}

std::uint32_t target(const MipTexture& texture, const MipPolicySettings& settings, bool isKeeping)
{
    const std::uint32_t wanted = std::min(texture.wantedMip, texture.coarsestMip);
    if (!isKeeping || texture.residentMip >= wanted || texture.framesUnwanted > settings.keepFrames)
        return wanted;
    return texture.residentMip; // finer than wanted, kept for a while
}

struct Planner
{
    std::span<const MipTexture> textures;
    const MipPolicySettings& settings;
    MipPlan& plan;
    std::uint64_t loadBytes = 0;

    bool isLoad(std::uint32_t i, std::uint32_t mip) const { return mip < textures[i].residentMip; }
    // New bytes that going from what is planned to `mip` reads.
    std::uint64_t loadOf(std::uint32_t i, std::uint32_t mip) const
    {
        if (!isLoad(i, mip))
            return 0;
        const std::uint32_t from = std::min(plan.mips[i], textures[i].residentMip);
        return bytesAt(textures[i], mip) - (from > textures[i].coarsestMip ? 0 : bytesAt(textures[i], from));
    }

    // One mip finer for every texture that is not at its target, in order, until nothing changes.
    void refine(bool isKeeping)
    {
        bool hasChanged = true;
        while (hasChanged)
        {
            hasChanged = false;
            for (const std::uint32_t i : plan.order)
            {
                const std::uint32_t mip = plan.mips[i];
                if (mip <= target(textures[i], settings, isKeeping))
                    continue;
                const std::uint64_t more = bytesAt(textures[i], mip - 1) - bytesAt(textures[i], mip);
                const std::uint64_t load = loadOf(i, mip - 1);
                if (plan.plannedBytes + more > settings.budgetBytes || loadBytes + load > settings.maxLoadBytes)
                    continue;
                plan.mips[i] = mip - 1;
                plan.plannedBytes += more;
                loadBytes += load;
                hasChanged = true;
            }
        }
    }
};
} // namespace

void planMips(std::span<const MipTexture> textures, const MipPolicySettings& settings, MipPlan& plan)
{
    const auto count = static_cast<std::uint32_t>(textures.size());
    plan.decisions.clear();
    plan.plannedBytes = plan.deniedBytes = 0;
    plan.order.resize(count);
    plan.mips.resize(count);
    for (std::uint32_t i = 0; i < count; ++i)
    {
        plan.order[i] = i;
        plan.mips[i] = textures[i].coarsestMip;
        plan.plannedBytes += bytesAt(textures[i], textures[i].coarsestMip);
    }
    std::sort(plan.order.begin(), plan.order.end(), [&textures](std::uint32_t a, std::uint32_t b)
        { return textures[a].priority != textures[b].priority ? textures[a].priority > textures[b].priority : a < b; });

    Planner planner{textures, settings, plan};
    planner.refine(false);
    for (std::uint32_t i = 0; i < count; ++i)
        plan.deniedBytes += bytesAt(textures[i], target(textures[i], settings, false)) - bytesAt(textures[i], plan.mips[i]);
    planner.refine(true);

    for (const bool isUpgrade : {false, true})
        for (const std::uint32_t i : plan.order)
            if (plan.mips[i] != textures[i].residentMip && planner.isLoad(i, plan.mips[i]) == isUpgrade)
                plan.decisions.push_back({i, plan.mips[i], isUpgrade});
}

} // namespace dl
