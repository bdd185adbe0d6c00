// drawloom/asset/mesh.h - CPU meshes: primitives as indexed triangle lists in structure-of-arrays form.
#pragma once

#include "drawloom/asset/material.h"
#include "drawloom/core/maths.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace dl
{

/// Up to four influences of one vertex set (JOINTS_0 / WEIGHTS_0); weights sum to one.
struct VertexSkin
{
    std::uint16_t joints[4] = {0, 0, 0, 0}; ///< into Skin::jointNodes
    float weights[4] = {0, 0, 0, 0};
};

/// Displacements of one morph target; each array is empty or has vertexCount elements.
struct MorphTarget
{
    std::string name;
    std::vector<vec3> positions;
    std::vector<vec3> normals;
    std::vector<vec3> tangents;
};

/// What a primitive wears under a variant (KHR_materials_variants).
struct VariantMaterial
{
    std::uint32_t variantIndex = kNoIndex; ///< into SceneDescription::variants; kNoIndex: under those that have no entry, and under none
    std::uint32_t materialIndex = kNoIndex;
    friend bool operator==(const VariantMaterial&, const VariantMaterial&) = default;
};

/// One section of a mesh: one material, one triangle list. Optional arrays are empty or have vertexCount elements.
struct Primitive
{
    std::vector<vec3> positions; ///< vertexCount > 0
    std::vector<vec3> normals;   ///< unit; made flat by the importer where the file has none
    std::vector<vec4> tangents;  ///< xyz unit, w = +-1; empty without UVs or normal map
    std::vector<vec2> uv0, uv1;
    std::vector<vec4> colors; ///< linear, COLOR_0 (alpha 1 where the file has RGB)
    std::vector<VertexSkin> skin;
    std::vector<VertexSkin> skin1;      ///< JOINTS_1 / WEIGHTS_1: influences 5 to 8
    std::vector<std::uint32_t> indices; ///< multiple of 3, each < vertexCount
    std::vector<MorphTarget> morphTargets;
    std::uint32_t materialIndex = kNoIndex;        ///< kNoIndex: glTF's default material
    std::vector<VariantMaterial> variantMaterials; ///< see applyVariant; empty, or the first has no variant
    Aabb bounds;                                   ///< of positions (bind pose, no morph)
    /// The file has no normals: they are the triangles', deformed ones as well. Then no triangles share vertices, vertex i is
    /// corner i, and exporters leave normals and tangents out.
    bool hasFlatNormals = false;

    std::uint32_t vertexCount() const { return static_cast<std::uint32_t>(positions.size()); }
    std::uint32_t triangleCount() const { return static_cast<std::uint32_t>(indices.size() / 3); }
};

struct Mesh
{
    std::string name;
    std::vector<Primitive> primitives;
    std::vector<float> morphWeights; ///< defaults; size = number of targets of every primitive
};

} // namespace dl
