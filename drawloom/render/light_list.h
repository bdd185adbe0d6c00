// drawloom/render/light_list.h - the lights of one frame beside the sun: what callers place in the world, chosen and packed for
// the shaders. Units and formulas of KHR_lights_punctual. Used by the renderer; pure CPU.
#pragma once

#include "drawloom/asset/scene_description.h"
#include "drawloom/cull/cull.h"
#include "drawloom/resource/cell_table.h"
#include "drawloom/resource/gpu_structs.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dl
{

class SceneInstance;
struct PlacedLight;

/// A light placed in the world.
struct FrameLight
{
    std::string_view name; ///< for refusals
    LightType type = LightType::Point;
    WorldPosition position;              ///< not of directional ones
    vec3 direction = {0, 0, -1};         ///< the way it shines (not of points); need not be unit, zero: -Z
    vec3 color = vec3(1.0f);             ///< linear
    float intensity = 1.0f;              ///< candela (point, spot), lux (directional)
    float rangeMetres = 0.0f;            ///< no light arrives from here on; 0: infinite
    float innerConeRadians = 0.0f;       ///< spot: full intensity inside, half the cone's opening
    float outerConeRadians = 0.7853982f; ///< spot: none outside; inner < outer <= pi / 2, else cut to that
};
/// A light of a file. Scales of nodes change neither range nor intensity. The name is `placed`'s.
FrameLight toFrameLight(const PlacedLight& placed);

enum class LightReason : std::uint8_t
{
    OverCap, ///< more than kMaxLights reach the view, and this one is among the weakest
    Invalid, ///< a number is not finite, or a colour, intensity or range is negative
    Count,
};
struct LightReasonInfo
{
    std::string_view name; ///< "light-over-cap", as reports print it; docs/reason_codes.md
    std::string_view text; ///< one sentence
};
const LightReasonInfo& lightReasonInfo(LightReason reason);

struct LightRefusal
{
    LightReason reason = LightReason::OverCap;
    std::string name;        ///< the light's, may be empty
    std::uint32_t index = 0; ///< in the order of the lights
    float influenceLux = 0.0f;
};

/// One frame's choice. Warm, it allocates nothing. Not thread safe.
///
/// Left out without a word: black lights, and those with a finite range whose sphere lies outside of the view, for they light
/// nothing that is seen. Of the others the kMaxLights with the most influence stay. Influence is the illuminance in lux that
/// the light's strongest channel would give at the camera, range and cone left out and the distance counted as 1 m at
/// least; a directional light's is its own. Of equal ones the earlier stays. Records keep the order of the lights.
class LightList
{
public:
    /// In the order of `lights`, then `scenes` (posed; all their lights but the first directional one of them all, which is the sun:
    /// firstSun). `origin`: the frame's, the main camera. `viewProjection`: from there to clip space. Nothing is kept of the inputs.
    void build(std::span<const FrameLight> lights, std::span<SceneInstance* const> scenes, const WorldPosition& origin,
        const mat4& viewProjection);

    /// Relative to the frame origin; up to kMaxLights.
    std::span<const LightRecord> records() const { return m_records; }
    std::span<const LightRefusal> refusals() const { return std::span(m_refusals).first(m_refusalCount); }
    /// Lights that reach the view, those over the cap included.
    std::uint32_t reachingCount() const { return static_cast<std::uint32_t>(m_candidates.size()); }

private:
    struct Candidate
    {
        LightRecord record;
        std::string_view name; ///< of the inputs: during build only
        std::uint32_t index = 0;
        float influenceLux = 0.0f;
    };
    void add(const FrameLight& light, std::uint32_t index, const WorldPosition& origin, const cull::CullView& view);
    void refuse(LightReason reason, std::string_view name, std::uint32_t index, float influenceLux);
    void keepStrongest();

    std::vector<Candidate> m_candidates;
    std::vector<LightRecord> m_records;
    std::vector<LightRefusal> m_refusals; ///< never shrinks: its strings keep their memory
    std::size_t m_refusalCount = 0;
};

} // namespace dl
