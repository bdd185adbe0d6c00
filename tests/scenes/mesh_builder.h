// tests/scenes/mesh_builder.h - puts primitives together from simple solids with normals, UVs in metres and tangents.
#pragma once

#include "drawloom/asset/mesh.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>

namespace dl::scenes
{

enum class Edges : std::uint8_t
{
    Smooth,
    Hard
};

/// Everything is added under `transform` (no mirroring). UVs are in the shape's own metres times `uvPerMetre`.
class MeshBuilder
{
public:
    mat4 transform = mat4(1.0f);
    float uvPerMetre = 1.0f;
    std::optional<vec4> color; ///< set before the first shape: the primitive gets vertex colours

    /// Counter-clockwise from the front: lower left, lower right, upper right, upper left.
    void quad(vec3 a, vec3 b, vec3 c, vec3 d);
    /// The same with UVs (0,1) (1,1) (1,0) (0,0).
    void quadFitted(vec3 a, vec3 b, vec3 c, vec3 d);
    void triangle(vec3 a, vec3 b, vec3 c);
    void box(vec3 min, vec3 max);
    /// A box whose top is scaled about its middle.
    void taperedBox(vec3 min, vec3 max, vec2 topScale);
    /// Turns a profile of (radius, y), from bottom to top, about the Y axis.
    void lathe(std::span<const vec2> profile, std::uint32_t segmentCount, Edges edges = Edges::Smooth);
    void lathe(std::initializer_list<vec2> profile, std::uint32_t segmentCount, Edges edges = Edges::Smooth);
    void ellipsoid(vec3 centre, vec3 radii, std::uint32_t segmentCount, std::uint32_t ringCount);
    /// A capped cone from `from` to `to`.
    void rod(vec3 from, vec3 to, float fromRadius, float toRadius, std::uint32_t segmentCount, Edges edges = Edges::Smooth);
    /// A rod with rounded ends and `ringCount` rings between, for limbs that bend.
    void limb(vec3 from, vec3 to, float fromRadius, float toRadius, std::uint32_t segmentCount, std::uint32_t ringCount);

    std::uint32_t vertexCount() const { return m_primitive.vertexCount(); }
    /// Gives every vertex from `firstVertex` on its influences.
    void bind(std::uint32_t firstVertex, const std::function<VertexSkin(vec3)>& weights);

    /// The primitive with tangents (unless told not to) and bounds; the builder is empty then.
    Primitive take(std::uint32_t materialIndex, bool wantsTangents = true);

private:
    std::uint32_t addVertex(vec3 position, vec3 normal, vec2 uv);
    void addTriangle(std::uint32_t a, std::uint32_t b, std::uint32_t c);
    void addQuad(vec3 a, vec3 b, vec3 c, vec3 d, const vec2 (&uvs)[4]);

    Primitive m_primitive;
};

/// The rigid transform that moves the Y axis onto from -> to.
mat4 alignY(vec3 from, vec3 to);

} // namespace dl::scenes
