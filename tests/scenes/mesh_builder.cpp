#include "tests/scenes/mesh_builder.h"

#include "drawloom/asset/tangents.h"

#include <cmath>
#include <utility>
#include <vector>

namespace dl::scenes
{

namespace
{

constexpr float kPi = 3.14159265f;

vec3 anyNormalTo(vec3 v)
{
    const vec3 axis = std::fabs(v.y) < 0.9f ? vec3(0, 1, 0) : vec3(1, 0, 0);
    return glm::normalize(glm::cross(axis, v));
}

/// Outward normals of a profile's segments: one per point (averaged).
std::vector<vec2> smoothNormals(std::span<const vec2> profile)
{
    std::vector<vec2> normals(profile.size(), vec2(0.0f));
    for (std::size_t i = 0; i + 1 < profile.size(); ++i)
    {
        const vec2 along = profile[i + 1] - profile[i];
        if (glm::length(along) < 1e-6f)
            continue;
        const vec2 normal = glm::normalize(vec2(along.y, -along.x));
        normals[i] += normal;
        normals[i + 1] += normal;
    }
    for (vec2& normal : normals)
        normal = glm::length(normal) > 1e-6f ? glm::normalize(normal) : vec2(0, 1);
    if (!profile.empty() && profile.front().x == 0.0f)
        normals.front() = vec2(0, profile.front().y < profile.back().y ? -1.0f : 1.0f);
    if (!profile.empty() && profile.back().x == 0.0f)
        normals.back() = vec2(0, profile.front().y < profile.back().y ? 1.0f : -1.0f);
    return normals;
}

} // namespace

mat4 alignY(vec3 from, vec3 to)
{
    const vec3 y = glm::normalize(to - from);
    const vec3 x = anyNormalTo(y);
    const vec3 z = glm::cross(x, y);
    return mat4(vec4(x, 0), vec4(y, 0), vec4(z, 0), vec4(from, 1));
}

std::uint32_t MeshBuilder::addVertex(vec3 position, vec3 normal, vec2 uv)
{
    m_primitive.positions.push_back(vec3(transform * vec4(position, 1.0f)));
    // Normals go with the inverse transpose: the transforms here may stretch.
    m_primitive.normals.push_back(glm::normalize(glm::transpose(glm::inverse(mat3(transform))) * normal));
    m_primitive.uv0.push_back(uv);
    if (color)
        m_primitive.colors.push_back(*color);
    return m_primitive.vertexCount() - 1;
}

void MeshBuilder::addTriangle(std::uint32_t a, std::uint32_t b, std::uint32_t c)
{
    m_primitive.indices.insert(m_primitive.indices.end(), {a, b, c});
}

void MeshBuilder::addQuad(vec3 a, vec3 b, vec3 c, vec3 d, const vec2 (&uvs)[4])
{
    const vec3 normal = glm::normalize(glm::cross(c - a, d - b));
    const vec3 corners[4] = {a, b, c, d};
    std::uint32_t ids[4];
    for (int i = 0; i < 4; ++i)
        ids[i] = addVertex(corners[i], normal, uvs[i]);
    addTriangle(ids[0], ids[1], ids[2]);
    addTriangle(ids[0], ids[2], ids[3]);
}

void MeshBuilder::quad(vec3 a, vec3 b, vec3 c, vec3 d)
{
    const vec3 right = glm::normalize(b - a);
    const vec3 up = glm::normalize(glm::cross(glm::cross(c - a, d - b), right));
    const auto uv = [&](vec3 p) { return vec2(glm::dot(p, right), -glm::dot(p, up)) * uvPerMetre; };
    addQuad(a, b, c, d, {uv(a), uv(b), uv(c), uv(d)});
}

void MeshBuilder::quadFitted(vec3 a, vec3 b, vec3 c, vec3 d)
{
    addQuad(a, b, c, d, {vec2(0, 1), vec2(1, 1), vec2(1, 0), vec2(0, 0)});
}

void MeshBuilder::triangle(vec3 a, vec3 b, vec3 c)
{
    const vec3 normal = glm::normalize(glm::cross(b - a, c - a));
    const vec3 right = glm::normalize(b - a);
    const vec3 up = glm::cross(normal, right);
    const auto uv = [&](vec3 p) { return vec2(glm::dot(p, right), -glm::dot(p, up)) * uvPerMetre; };
    const std::uint32_t first = addVertex(a, normal, uv(a));
    addVertex(b, normal, uv(b));
    addVertex(c, normal, uv(c));
    addTriangle(first, first + 1, first + 2);
}

void MeshBuilder::box(vec3 min, vec3 max)
{
    taperedBox(min, max, vec2(1.0f));
}

void MeshBuilder::taperedBox(vec3 min, vec3 max, vec2 topScale)
{
    const vec3 middle = 0.5f * (min + max);
    const vec2 half = vec2(max.x - min.x, max.z - min.z) * 0.5f * topScale;
    const vec3 low[4] = {vec3(min.x, min.y, max.z), vec3(max.x, min.y, max.z), vec3(max.x, min.y, min.z), vec3(min.x, min.y, min.z)};
    const vec3 high[4] = {vec3(middle.x - half.x, max.y, middle.z + half.y), vec3(middle.x + half.x, max.y, middle.z + half.y),
        vec3(middle.x + half.x, max.y, middle.z - half.y), vec3(middle.x - half.x, max.y, middle.z - half.y)};
    for (int i = 0; i < 4; ++i)
        quad(low[i], low[(i + 1) % 4], high[(i + 1) % 4], high[i]);
    quad(high[0], high[1], high[2], high[3]);
    quad(low[3], low[2], low[1], low[0]);
}

void MeshBuilder::lathe(std::initializer_list<vec2> profile, std::uint32_t segmentCount, Edges edges)
{
    lathe(std::span<const vec2>(profile.begin(), profile.size()), segmentCount, edges);
}

void MeshBuilder::lathe(std::span<const vec2> profile, std::uint32_t segmentCount, Edges edges)
{
    if (edges == Edges::Hard)
    {
        for (std::size_t i = 0; i + 1 < profile.size(); ++i)
            lathe(profile.subspan(i, 2), segmentCount, Edges::Smooth);
        return;
    }
    float widest = 0.0f;
    for (const vec2& point : profile)
        widest = std::max(widest, point.x);
    // A whole number of repeats around, so that the seam does not show.
    const float repeats = std::max(1.0f, std::round(2.0f * kPi * widest * uvPerMetre));
    std::vector<vec2> normals = smoothNormals(profile);
    if (profile.size() == 2) // one straight band: its own normal, at a pole too
    {
        const vec2 along = profile[1] - profile[0];
        normals[0] = normals[1] = glm::normalize(vec2(along.y, -along.x));
    }
    const std::uint32_t first = vertexCount();
    const std::uint32_t columns = segmentCount + 1;
    float length = 0.0f;
    for (std::size_t ring = 0; ring < profile.size(); ++ring)
    {
        if (ring > 0)
            length += glm::length(profile[ring] - profile[ring - 1]);
        for (std::uint32_t s = 0; s < columns; ++s)
        {
            const float part = static_cast<float>(s) / static_cast<float>(segmentCount);
            const float angle = 2.0f * kPi * static_cast<float>(s % segmentCount) / static_cast<float>(segmentCount);
            const vec3 around(std::sin(angle), 0.0f, std::cos(angle));
            addVertex(around * profile[ring].x + vec3(0, profile[ring].y, 0), around * normals[ring].x + vec3(0, normals[ring].y, 0),
                vec2(part * repeats, -length * uvPerMetre));
        }
    }
    for (std::uint32_t ring = 0; ring + 1 < profile.size(); ++ring)
        for (std::uint32_t s = 0; s < segmentCount; ++s)
        {
            const std::uint32_t a = first + ring * columns + s;
            const std::uint32_t b = a + columns;
            if (profile[ring].x > 0.0f)
                addTriangle(a, a + 1, b + 1);
            if (profile[ring + 1].x > 0.0f)
                addTriangle(a, b + 1, b);
        }
}

void MeshBuilder::ellipsoid(vec3 centre, vec3 radii, std::uint32_t segmentCount, std::uint32_t ringCount)
{
    const mat4 outer = transform;
    transform = transform * mat4(vec4(radii.x, 0, 0, 0), vec4(0, radii.y, 0, 0), vec4(0, 0, radii.z, 0), vec4(centre, 1));
    std::vector<vec2> profile;
    for (std::uint32_t i = 0; i <= ringCount; ++i)
    {
        const float angle = kPi * static_cast<float>(i) / static_cast<float>(ringCount);
        const bool isPole = i == 0 || i == ringCount;
        profile.emplace_back(isPole ? 0.0f : std::sin(angle), -std::cos(angle));
    }
    lathe(profile, segmentCount);
    transform = outer;
}

void MeshBuilder::rod(vec3 from, vec3 to, float fromRadius, float toRadius, std::uint32_t segmentCount, Edges edges)
{
    const mat4 outer = transform;
    transform = transform * alignY(from, to);
    const float length = glm::length(to - from);
    if (edges == Edges::Smooth)
    {
        lathe({vec2(fromRadius, 0), vec2(toRadius, length)}, segmentCount);
        lathe({vec2(0, 0), vec2(fromRadius, 0)}, segmentCount);
        lathe({vec2(toRadius, length), vec2(0, length)}, segmentCount);
    }
    else
    {
        lathe({vec2(0, 0), vec2(fromRadius, 0), vec2(toRadius, length), vec2(0, length)}, segmentCount, Edges::Hard);
    }
    transform = outer;
}

void MeshBuilder::limb(vec3 from, vec3 to, float fromRadius, float toRadius, std::uint32_t segmentCount, std::uint32_t ringCount)
{
    const mat4 outer = transform;
    transform = transform * alignY(from, to);
    const float length = glm::length(to - from);
    std::vector<vec2> profile = {vec2(0, -0.7f * fromRadius), vec2(0.72f * fromRadius, -0.45f * fromRadius)};
    for (std::uint32_t i = 0; i <= ringCount; ++i)
    {
        const float part = static_cast<float>(i) / static_cast<float>(ringCount);
        profile.emplace_back(glm::mix(fromRadius, toRadius, part), part * length);
    }
    profile.emplace_back(0.72f * toRadius, length + 0.45f * toRadius);
    profile.emplace_back(0.0f, length + 0.7f * toRadius);
    lathe(profile, segmentCount);
    transform = outer;
}

void MeshBuilder::bind(std::uint32_t firstVertex, const std::function<VertexSkin(vec3)>& weights)
{
    m_primitive.skin.resize(vertexCount());
    for (std::uint32_t i = firstVertex; i < vertexCount(); ++i)
        m_primitive.skin[i] = weights(m_primitive.positions[i]);
}

Primitive MeshBuilder::take(std::uint32_t materialIndex, bool wantsTangents)
{
    Primitive out = std::exchange(m_primitive, Primitive{});
    out.materialIndex = materialIndex;
    for (const vec3& position : out.positions)
        out.bounds.include(position);
    if (wantsTangents)
        generateTangents(out, 0);
    return out;
}

} // namespace dl::scenes
