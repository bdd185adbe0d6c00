#include "drawloom/render/light_list.h"

#include "drawloom/scene/scene_instance.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace dl
{
namespace
{

constexpr float kHalfPi = 1.57079633f;
constexpr float kNearestMetres = 1.0f;    // nearer lights count as this near: a lamp at the eye is not worth all the others
constexpr float kLeastConeWidth = 0.001f; // of the cosines, as KHR_lights_punctual's sample code has it

constexpr std::array<LightReasonInfo, static_cast<std::size_t>(LightReason::Count)> kReasons = {{
    {"light-over-cap", "More lights reach the view than the shaders take; this one is among those with the least influence at the camera."},
    {"light-invalid", "A number of the light is not finite, or its colour, intensity or range is negative."},
}};

bool isFinite(vec3 v)
{
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

bool isValid(const FrameLight& light, vec3 position, vec3 color)
{
    const bool isPlaced = light.type == LightType::Directional || isFinite(position);
    const bool isAimed = light.type == LightType::Point || isFinite(light.direction);
    const bool isCone = light.type != LightType::Spot || (std::isfinite(light.innerConeRadians) && std::isfinite(light.outerConeRadians));
    const bool isBright = isFinite(color) && std::min({color.x, color.y, color.z}) >= 0.0f && light.intensity >= 0.0f;
    return isPlaced && isAimed && isCone && isBright && std::isfinite(light.rangeMetres) && light.rangeMetres >= 0.0f;
}

vec3 unitDirection(vec3 direction)
{
    const glm::dvec3 wide(direction); // the square of a float may overflow or vanish
    const double length = glm::length(wide);
    return length > 0.0 ? vec3(wide / length) : vec3(0, 0, -1);
}

/// KHR_lights_punctual: attenuation = saturate(cosine * scale + offset)^2, 1 within the inner cone and 0 outside the outer.
void packCone(const FrameLight& light, LightRecord& record)
{
    const float outer = std::clamp(light.outerConeRadians, 0.0f, kHalfPi);
    const float inner = std::clamp(light.innerConeRadians, 0.0f, outer);
    const float scale = 1.0f / std::max(kLeastConeWidth, std::cos(inner) - std::cos(outer));
    record.spot.x = scale;
    record.directionOffset.w = -std::cos(outer) * scale;
}

LightRecord pack(const FrameLight& light, vec3 position, vec3 color)
{
    LightRecord record;
    const std::uint32_t type = light.type == LightType::Directional ? kLightDirectional
                               : light.type == LightType::Point     ? kLightPoint
                                                                    : kLightSpot;
    record.colorType = vec4(color, static_cast<float>(type));
    if (light.type != LightType::Point)
        record.directionOffset = vec4(unitDirection(light.direction), 0.0f);
    if (light.type != LightType::Directional)
        record.positionRange = vec4(position, light.rangeMetres);
    if (light.type == LightType::Spot)
        packCone(light, record);
    return record;
}

bool reaches(const LightRecord& record, LightType type, const cull::CullView& view)
{
    const float range = record.positionRange.w;
    if (type == LightType::Directional || range == 0.0f)
        return true;
    for (std::uint32_t i = 0; i < view.planeCount; ++i)
        if (glm::dot(vec3(view.planes[i]), vec3(record.positionRange)) + view.planes[i].w < -range)
            return false;
    return true;
}

float influenceLux(const LightRecord& record, LightType type)
{
    const float strongest = std::max({record.colorType.x, record.colorType.y, record.colorType.z});
    if (type == LightType::Directional)
        return strongest;
    const float distance = std::max(glm::length(vec3(record.positionRange)), kNearestMetres);
    return strongest / distance / distance; // no square: far lights stay finite
}

} // namespace

const LightReasonInfo& lightReasonInfo(LightReason reason)
{
    return kReasons[static_cast<std::size_t>(reason)];
}

FrameLight toFrameLight(const PlacedLight& placed)
{
    FrameLight light;
    light.name = placed.name;
    light.type = placed.light.type;
    light.position = normalised({placed.cell, placed.world.translation()});
    light.direction = placed.world.transformVector(vec3(0, 0, -1));
    light.color = placed.light.color;
    light.intensity = placed.light.intensity;
    light.rangeMetres = placed.light.range;
    light.innerConeRadians = placed.light.innerConeRadians;
    light.outerConeRadians = placed.light.outerConeRadians;
    return light;
}

void LightList::build(
    std::span<const FrameLight> lights, std::span<SceneInstance* const> scenes, const WorldPosition& origin, const mat4& viewProjection)
{
    m_candidates.clear();
    m_records.clear();
    m_refusalCount = 0;
    const cull::CullView view = cull::extractView(viewProjection);
    std::uint32_t index = 0;
    for (const FrameLight& light : lights)
        add(light, index++, origin, view);
    bool hasSun = false;
    for (const SceneInstance* scene : scenes)
        for (const PlacedLight& placed : scene->lights())
        {
            const bool isSun = !hasSun && placed.light.type == LightType::Directional;
            hasSun |= isSun;
            if (!isSun)
                add(toFrameLight(placed), index++, origin, view);
        }
    keepStrongest();
    for (const Candidate& candidate : std::span(m_candidates).first(std::min<std::size_t>(m_candidates.size(), kMaxLights)))
        m_records.push_back(candidate.record);
}

void LightList::add(const FrameLight& light, std::uint32_t index, const WorldPosition& origin, const cull::CullView& view)
{
    const vec3 position = light.type == LightType::Directional ? vec3(0.0f) : difference(light.position, origin);
    const vec3 color = light.color * light.intensity;
    if (!isValid(light, position, color))
    {
        refuse(LightReason::Invalid, light.name, index, 0.0f);
        return;
    }
    const LightRecord record = pack(light, position, color);
    const float influence = influenceLux(record, light.type);
    if (std::max({color.x, color.y, color.z}) > 0.0f && reaches(record, light.type, view))
        m_candidates.push_back({record, light.name, index, influence});
}

void LightList::refuse(LightReason reason, std::string_view name, std::uint32_t index, float influenceLux)
{
    if (m_refusalCount == m_refusals.size())
        m_refusals.emplace_back();
    LightRefusal& refusal = m_refusals[m_refusalCount++];
    refusal.reason = reason;
    refusal.name.assign(name);
    refusal.index = index;
    refusal.influenceLux = influenceLux;
}

/// The first kMaxLights candidates are the chosen ones, in the order of the lights; the others are refused, in that order, too.
void LightList::keepStrongest()
{
    if (m_candidates.size() <= kMaxLights)
        return;
    const auto byIndex = [](const Candidate& a, const Candidate& b) { return a.index < b.index; };
    const auto cap = m_candidates.begin() + kMaxLights;
    std::nth_element(m_candidates.begin(), cap, m_candidates.end(), [](const Candidate& a, const Candidate& b)
        { return a.influenceLux != b.influenceLux ? a.influenceLux > b.influenceLux : a.index < b.index; });
    std::sort(m_candidates.begin(), cap, byIndex);
    std::sort(cap, m_candidates.end(), byIndex);
    for (auto refused = cap; refused != m_candidates.end(); ++refused)
        refuse(LightReason::OverCap, refused->name, refused->index, refused->influenceLux);
}

} // namespace dl
