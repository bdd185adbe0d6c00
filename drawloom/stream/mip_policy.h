// drawloom/stream/mip_policy.h - which mips of which textures shall be resident under a byte budget. Pure functions over plain
// arrays: the same inputs give the same plan. Used by the asset store, which carries the plan out.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace dl
{

constexpr std::uint32_t kPolicyMaxMips = 15;

/// How a texture is seen by one instance (or one group of them).
struct MipDemand
{
    float distanceMetres = 0.0f;     ///< from the eye to the nearest point of the bounds, scaled by nothing
    float uvPerMetre = 0.0f;         ///< UV density of the mesh in the world: sqrt(area in UV / area in square metres)
    float pixelsPerUnit = 0.0f;      ///< pixels that one metre covers at one metre's distance: height / (2 tan(fovY / 2))
    std::uint32_t textureTexels = 0; ///< longer side of mip 0
    float bias = 0.0f;               ///< in mips; positive is coarser
};

/// Finest mip worth having: log2 of texels per pixel, rounded down (the finer one), clamped to [0, mipCount - 1]. Distance or pixels of
/// zero ask for mip 0; no UV density asks for the coarsest.
std::uint32_t wantedMip(const MipDemand& demand, std::uint32_t mipCount);

/// One texture as the policy sees it.
struct MipTexture
{
    std::array<std::uint64_t, kPolicyMaxMips> tailBytes{}; ///< bytes of mips m.. ; descending, tailBytes[coarsestMip] is the least
    std::uint32_t coarsestMip = 0;                         ///< always kept while the texture is referenced
    std::uint32_t residentMip = UINT32_MAX;                ///< finest one now (or on its way); UINT32_MAX: none
    std::uint32_t wantedMip = 0;                           ///< of this frame's demand, clamped to coarsestMip by the policy
    float priority = 0.0f;                                 ///< higher first; visible textures above invisible ones
    std::uint32_t framesUnwanted = 0;                      ///< frames since residentMip was last wanted that fine
};

struct MipPolicySettings
{
    std::uint64_t budgetBytes = std::uint64_t(512) << 20U;
    std::uint32_t keepFrames = 60;                         ///< finer mips than wanted stay that long, while the budget allows
    std::uint64_t maxLoadBytes = std::uint64_t(32) << 20U; ///< new bytes that one plan asks for
};

struct MipDecision
{
    std::uint32_t textureIndex = 0;
    std::uint32_t mip = 0; ///< new finest mip
    bool isUpgrade = false;
};

struct MipPlan
{
    std::vector<MipDecision> decisions;     ///< downgrades first, then upgrades by priority; only changes
    std::uint64_t plannedBytes = 0;         ///< of all textures once the plan is carried out
    std::vector<std::uint32_t> order, mips; ///< textures by priority; the planned finest mip of each texture
    std::uint64_t deniedBytes = 0;          ///< wanted but not affordable: the pressure, to be reported
};

/// Coarsest mips of all are granted first, even past the budget; then finer ones, mip by mip over all textures in order of priority
/// (ties by index), so that every texture gets its next mip before one gets two; then, with what is left, mips kept from before.
/// Reuses the memory of `plan`.
void planMips(std::span<const MipTexture> textures, const MipPolicySettings& settings, MipPlan& plan);

} // namespace dl
