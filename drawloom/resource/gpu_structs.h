// drawloom/resource/gpu_structs.h - structs and constants that C++ and WGSL share. Written by scripts/shaders from
// gpu_structs.json: change that file, not this one.
#pragma once

#include "drawloom/core/maths.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

// clang-format off
namespace dl
{

inline constexpr float kCellSizeMetres = 1024.0f; ///< edge of one cell of the world
inline constexpr std::uint32_t kMaxCellSlots = 256U; ///< cells that one frame can name
inline constexpr std::uint32_t kMaxViews = 64U; ///< views that one frame can cull for
inline constexpr std::uint32_t kDeformedVertexWords = 5U; ///< position f32 x3, normal and tangent octahedral snorm16x2
inline constexpr std::uint32_t kInstancePageCapacity = 1048576U; ///< records in one page of the instance heap
inline constexpr std::uint32_t kUniformStrideBytes = 256U; ///< distance of two ViewUniforms or DeformJobs in a dynamic-offset buffer
inline constexpr std::uint32_t kPositionStrideBytes = 12U; ///< vertex stream 0
inline constexpr std::uint32_t kNormalStrideBytes = 16U; ///< vertex stream 1
inline constexpr std::uint32_t kUvStrideBytes = 24U; ///< vertex stream 2
inline constexpr std::uint32_t kTextureBaseColor = 0U; ///< order of the five textures in G2, uvMatrix, uvOffset and the flags
inline constexpr std::uint32_t kTextureMetallicRoughness = 1U;
inline constexpr std::uint32_t kTextureNormal = 2U;
inline constexpr std::uint32_t kTextureOcclusion = 3U;
inline constexpr std::uint32_t kTextureEmissive = 4U;
inline constexpr std::uint32_t kMaterialTextureCount = 5U;
inline constexpr std::uint32_t kDebugNone = 0U; ///< ViewUniforms.debugMode
inline constexpr std::uint32_t kDebugBatches = 1U; ///< one colour for what broke a draw from the one before, brightness by draw
inline constexpr std::uint32_t kDebugOverdraw = 2U; ///< constant colour, to be blended additively
inline constexpr std::uint32_t kDebugNormals = 3U; ///< shading normal, 0.5 + 0.5 n
inline constexpr std::uint32_t kDebugAlbedo = 4U; ///< base colour
inline constexpr std::uint32_t kDebugLod = 5U; ///< one colour for each level of detail
inline constexpr std::uint32_t kDebugMips = 6U; ///< mip level that the base colour texture is sampled at
inline constexpr std::uint32_t kMaxLights = 64U; ///< point, spot and further directional lights of one frame
inline constexpr std::uint32_t kMaxCascades = 4U; ///< shadow cascades of the sun
inline constexpr std::uint32_t kLightDirectional = 0U; ///< LightRecord.colorType.w
inline constexpr std::uint32_t kLightPoint = 1U;
inline constexpr std::uint32_t kLightSpot = 2U;
inline constexpr std::uint32_t kDeformWorkgroupSize = 64U; ///< vertices of one workgroup of the pass deform
inline constexpr std::uint32_t kIdIndexShift = 0U; ///< a word of `ids`: index of the record in its page of the instance heap
inline constexpr std::uint32_t kIdIndexMask = 1048575U; ///< after the shift
inline constexpr std::uint32_t kIdLodShift = 20U; ///< a word of `ids`: level of detail that is drawn
inline constexpr std::uint32_t kIdLodMask = 7U; ///< after the shift
inline constexpr std::uint32_t kIdDrawShift = 23U; ///< a word of `ids`: DrawFrameSettings::tagsDraws: low bits of the draw's number in its pass
inline constexpr std::uint32_t kIdDrawMask = 63U; ///< after the shift
inline constexpr std::uint32_t kIdBreakShift = 29U; ///< a word of `ids`: the same: what broke it from the draw before (JoinBreak)
inline constexpr std::uint32_t kIdBreakMask = 7U; ///< after the shift
inline constexpr std::uint32_t kInstanceCellSlotShift = 0U; ///< InstanceRecord.flags
inline constexpr std::uint32_t kInstanceCellSlotMask = 255U; ///< after the shift
inline constexpr std::uint32_t kInstanceLayersShift = 8U; ///< InstanceRecord.flags
inline constexpr std::uint32_t kInstanceLayersMask = 65535U; ///< after the shift
inline constexpr std::uint32_t kInstanceMirroredBit = 16777216U; ///< InstanceRecord.flags: negative determinant: the winding is flipped
inline constexpr std::uint32_t kInstanceSelectedBit = 33554432U; ///< InstanceRecord.flags
inline constexpr std::uint32_t kInstanceDeformedBit = 67108864U; ///< InstanceRecord.flags
inline constexpr std::uint32_t kInstanceHeapPageShift = 27U; ///< InstanceRecord.flags: page of the instance heap that holds the record; InstanceHeap::write sets it, object_id reads it
inline constexpr std::uint32_t kInstanceHeapPageMask = 31U; ///< after the shift
inline constexpr std::uint32_t kMaterialUsesUv1Shift = 0U; ///< MaterialParams.flags: bit i: texture i reads uv1
inline constexpr std::uint32_t kMaterialUsesUv1Mask = 31U; ///< after the shift
inline constexpr std::uint32_t kMaterialUnlitBit = 32U; ///< MaterialParams.flags
inline constexpr std::uint32_t kMaterialHasNormalMapBit = 64U; ///< MaterialParams.flags
inline constexpr std::uint32_t kMaterialAlphaMaskBit = 128U; ///< MaterialParams.flags
inline constexpr std::uint32_t kMaterialBlendedBit = 256U; ///< MaterialParams.flags
inline constexpr std::uint32_t kMaterialDoubleSidedBit = 512U; ///< MaterialParams.flags
inline constexpr std::uint32_t kMaterialTexturePresentShift = 10U; ///< MaterialParams.flags: bit i: texture i is there
inline constexpr std::uint32_t kMaterialTexturePresentMask = 31U; ///< after the shift
inline constexpr std::uint32_t kDeformSkinnedBit = 1U; ///< DeformJob.flags
inline constexpr std::uint32_t kDeformMorphedBit = 2U; ///< DeformJob.flags
inline constexpr std::uint32_t kDeformSecondInfluencesBit = 4U; ///< DeformJob.flags: two skin records a vertex, one after the other
inline constexpr std::uint32_t kDeformMorphNormalsBit = 8U; ///< DeformJob.flags
inline constexpr std::uint32_t kDeformMorphTangentsBit = 16U; ///< DeformJob.flags
inline constexpr std::uint32_t kDeformFlatNormalsBit = 32U; ///< DeformJob.flags: vertices 3i to 3i + 2 are a triangle and take its normal

/// One instance of the instance heap. 64 bytes.
struct InstanceRecord
{
    vec4 row0 = vec4(0.0f); ///< 3x4 transform relative to the cell's origin, row by row; w is the translation
    vec4 row1 = vec4(0.0f);
    vec4 row2 = vec4(0.0f);
    std::uint32_t materialRef = 0; ///< first word in `properties` of this instance's material-table indices, one a part
    std::uint32_t deformOffset = 0; ///< first word in `deform` minus baseVertex * kDeformedVertexWords, mod 2^32
    std::uint32_t propertyOffset = 0; ///< first word in `properties` of this instance's own values
    std::uint32_t flags = 0; ///< kInstance...
};
static_assert(sizeof(InstanceRecord) == 64 && std::is_trivially_copyable_v<InstanceRecord>);
static_assert(offsetof(InstanceRecord, row0) == 0);
static_assert(offsetof(InstanceRecord, row1) == 16);
static_assert(offsetof(InstanceRecord, row2) == 32);
static_assert(offsetof(InstanceRecord, materialRef) == 48);
static_assert(offsetof(InstanceRecord, deformOffset) == 52);
static_assert(offsetof(InstanceRecord, propertyOffset) == 56);
static_assert(offsetof(InstanceRecord, flags) == 60);

/// One material of the material table; the values mean what glTF 2.0 says. 192 bytes.
struct MaterialParams
{
    vec4 baseColorFactor = vec4(1.0f);
    vec3 emissiveFactor = vec3(0.0f); ///< linear, strength multiplied in
    float normalScale = 1.0f;
    float metallicFactor = 1.0f;
    float roughnessFactor = 1.0f;
    float occlusionStrength = 1.0f;
    float alphaCutoff = 0.5f;
    std::array<vec4, 5> uvMatrix = {}; ///< texture i: (a, b, c, d): uv' = (a u + c v + ox, b u + d v + oy)
    std::array<vec4, 3> uvOffset = {}; ///< texture i: (ox, oy) in half i % 2 of vector i / 2
    std::uint32_t flags = 0; ///< kMaterial...
    std::uint32_t reserved0 = 0;
    std::uint32_t reserved1 = 0;
    std::uint32_t reserved2 = 0;
};
static_assert(sizeof(MaterialParams) == 192 && std::is_trivially_copyable_v<MaterialParams>);
static_assert(offsetof(MaterialParams, baseColorFactor) == 0);
static_assert(offsetof(MaterialParams, emissiveFactor) == 16);
static_assert(offsetof(MaterialParams, normalScale) == 28);
static_assert(offsetof(MaterialParams, metallicFactor) == 32);
static_assert(offsetof(MaterialParams, roughnessFactor) == 36);
static_assert(offsetof(MaterialParams, occlusionStrength) == 40);
static_assert(offsetof(MaterialParams, alphaCutoff) == 44);
static_assert(offsetof(MaterialParams, uvMatrix) == 48);
static_assert(offsetof(MaterialParams, uvOffset) == 128);
static_assert(offsetof(MaterialParams, flags) == 176);
static_assert(offsetof(MaterialParams, reserved0) == 180);
static_assert(offsetof(MaterialParams, reserved1) == 184);
static_assert(offsetof(MaterialParams, reserved2) == 188);

/// One frame: G0 binding 0. 4192 bytes.
struct FrameUniforms
{
    std::array<vec4, 256> cellOrigins = {}; ///< xyz: the cell's origin relative to the frame origin (the main camera), metres
    vec4 sunDirection = vec4(0.0f); ///< xyz: unit, towards the sun
    vec4 sunColor = vec4(0.0f); ///< rgb: linear, intensity multiplied in
    vec4 skyZenith = vec4(0.0f); ///< rgb: linear radiance; w: intensity of the environment as background
    vec4 skyHorizon = vec4(0.0f); ///< the same; w: cosine of the environment's turn about +Y
    vec4 skyGround = vec4(0.0f); ///< the same; w: sine of that turn
    vec4 params = vec4(0.0f); ///< x time in s, y exposure, z radiance of the sun's disc by that of its light (0: no disc), w debug scale
};
static_assert(sizeof(FrameUniforms) == 4192 && std::is_trivially_copyable_v<FrameUniforms>);
static_assert(offsetof(FrameUniforms, cellOrigins) == 0);
static_assert(offsetof(FrameUniforms, sunDirection) == 4096);
static_assert(offsetof(FrameUniforms, sunColor) == 4112);
static_assert(offsetof(FrameUniforms, skyZenith) == 4128);
static_assert(offsetof(FrameUniforms, skyHorizon) == 4144);
static_assert(offsetof(FrameUniforms, skyGround) == 4160);
static_assert(offsetof(FrameUniforms, params) == 4176);

/// One view: G0 binding 1, dynamic offset in steps of kUniformStrideBytes. 240 bytes.
struct ViewUniforms
{
    mat4 viewProjection = mat4(1.0f); ///< relative to the frame origin -> clip, reversed depth 0..1
    mat4 inverseViewProjection = mat4(1.0f);
    mat4 previousViewProjection = mat4(1.0f); ///< of the last drawn frame, from positions relative to this frame's origin
    vec4 eye = vec4(0.0f); ///< xyz: relative to the frame origin
    vec4 viewport = vec4(0.0f); ///< width, height, 1 / width, 1 / height
    std::uint32_t layerMask = 65535;
    std::uint32_t viewIndex = 0;
    std::uint32_t debugMode = 0; ///< kDebug...
    float previousTime = 0.0f; ///< FrameUniforms.params.x of the last drawn frame, for displaced vertices
};
static_assert(sizeof(ViewUniforms) == 240 && std::is_trivially_copyable_v<ViewUniforms>);
static_assert(offsetof(ViewUniforms, viewProjection) == 0);
static_assert(offsetof(ViewUniforms, inverseViewProjection) == 64);
static_assert(offsetof(ViewUniforms, previousViewProjection) == 128);
static_assert(offsetof(ViewUniforms, eye) == 192);
static_assert(offsetof(ViewUniforms, viewport) == 208);
static_assert(offsetof(ViewUniforms, layerMask) == 224);
static_assert(offsetof(ViewUniforms, viewIndex) == 228);
static_assert(offsetof(ViewUniforms, debugMode) == 232);
static_assert(offsetof(ViewUniforms, previousTime) == 236);

/// One light beside the sun; formulas of KHR_lights_punctual. 64 bytes.
struct LightRecord
{
    vec4 positionRange = vec4(0.0f); ///< xyz: relative to the frame origin, metres; w: range, 0 is infinite
    vec4 colorType = vec4(0.0f); ///< rgb: linear, intensity multiplied in (candela; lux if directional); w: kLight...
    vec4 directionOffset = vec4(0.0f); ///< xyz: unit, the way it shines; w: offset of the spot's angular falloff
    vec4 spot = vec4(0.0f); ///< x: scale of the spot's angular falloff
};
static_assert(sizeof(LightRecord) == 64 && std::is_trivially_copyable_v<LightRecord>);
static_assert(offsetof(LightRecord, positionRange) == 0);
static_assert(offsetof(LightRecord, colorType) == 16);
static_assert(offsetof(LightRecord, directionOffset) == 32);
static_assert(offsetof(LightRecord, spot) == 48);

/// What lights a frame beside FrameUniforms' sun: G1 binding 0 of the lit passes. 4592 bytes.
struct LightUniforms
{
    std::array<mat4, 4> cascadeMatrices = {}; ///< relative to the frame origin -> (u, v, reversed depth, 1) of the cascade's layer
    vec4 cascadeFar = vec4(0.0f); ///< distance along the view direction at which each cascade ends, metres
    vec4 cascadeTexels = vec4(0.0f); ///< edge of one texel of each cascade, metres
    vec4 shadowParams = vec4(0.0f); ///< x count of cascades (0: nothing shadows), y 1 / resolution, z normal offset in texels, w part of the last cascade over which it fades
    std::array<vec4, 9> irradiance = {}; ///< the environment's irradiance / pi in spherical harmonics to band 2, constants of basis and cosine multiplied in: sum of rgb_i * (1, y, z, x, x y, y z, 3 z z - 1, x z, x x - y y)
    vec4 environmentParams = vec4(0.0f); ///< x intensity, y last mip of the cube, z cosine and w sine of its turn about +Y
    vec4 viewForward = vec4(0.0f); ///< xyz: unit, the way the main camera looks; w: distance of two taps of the shadow filter in texels
    std::uint32_t lightCount = 0;
    std::uint32_t reserved0 = 0;
    std::uint32_t reserved1 = 0;
    std::uint32_t reserved2 = 0;
    std::array<LightRecord, 64> lights = {};
};
static_assert(sizeof(LightUniforms) == 4592 && std::is_trivially_copyable_v<LightUniforms>);
static_assert(offsetof(LightUniforms, cascadeMatrices) == 0);
static_assert(offsetof(LightUniforms, cascadeFar) == 256);
static_assert(offsetof(LightUniforms, cascadeTexels) == 272);
static_assert(offsetof(LightUniforms, shadowParams) == 288);
static_assert(offsetof(LightUniforms, irradiance) == 304);
static_assert(offsetof(LightUniforms, environmentParams) == 448);
static_assert(offsetof(LightUniforms, viewForward) == 464);
static_assert(offsetof(LightUniforms, lightCount) == 480);
static_assert(offsetof(LightUniforms, reserved0) == 484);
static_assert(offsetof(LightUniforms, reserved1) == 488);
static_assert(offsetof(LightUniforms, reserved2) == 492);
static_assert(offsetof(LightUniforms, lights) == 496);

/// One mesh instance to deform: G0 binding 0 of the pass deform, dynamic offset in steps of kUniformStrideBytes. 48 bytes.
struct DeformJob
{
    std::uint32_t sourceVertex = 0; ///< first vertex in the geometry page
    std::uint32_t vertexCount = 0;
    std::uint32_t outWord = 0; ///< first word written in `deform`
    std::uint32_t jointOffset = 0; ///< first joint matrix (3 vec4, row by row) in `joints`
    std::uint32_t skinOffset = 0; ///< first record of the skin stream; record = skinOffset + vertex * setCount + set
    std::uint32_t morphOffset = 0; ///< first word of the morph stream; target-major: + (target * vertexCount + vertex) * words; words = 3 (position) + 3 (if normals) + 3 (if tangents)
    std::uint32_t morphTargetCount = 0;
    std::uint32_t morphWeightOffset = 0; ///< first word in `morphWeights`
    std::uint32_t flags = 0; ///< kDeform...
    std::uint32_t reserved0 = 0;
    std::uint32_t reserved1 = 0;
    std::uint32_t reserved2 = 0;
};
static_assert(sizeof(DeformJob) == 48 && std::is_trivially_copyable_v<DeformJob>);
static_assert(offsetof(DeformJob, sourceVertex) == 0);
static_assert(offsetof(DeformJob, vertexCount) == 4);
static_assert(offsetof(DeformJob, outWord) == 8);
static_assert(offsetof(DeformJob, jointOffset) == 12);
static_assert(offsetof(DeformJob, skinOffset) == 16);
static_assert(offsetof(DeformJob, morphOffset) == 20);
static_assert(offsetof(DeformJob, morphTargetCount) == 24);
static_assert(offsetof(DeformJob, morphWeightOffset) == 28);
static_assert(offsetof(DeformJob, flags) == 32);
static_assert(offsetof(DeformJob, reserved0) == 36);
static_assert(offsetof(DeformJob, reserved1) == 40);
static_assert(offsetof(DeformJob, reserved2) == 44);

} // namespace dl
// clang-format on
