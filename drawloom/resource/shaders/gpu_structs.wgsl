// Structs and constants that C++ and WGSL share. Written by scripts/shaders from gpu_structs.json: change that file,
// not this one.

const kCellSizeMetres: f32 = 1024.0; // edge of one cell of the world
const kMaxCellSlots: u32 = 256u; // cells that one frame can name
const kMaxViews: u32 = 64u; // views that one frame can cull for
const kDeformedVertexWords: u32 = 5u; // position f32 x3, normal and tangent octahedral snorm16x2
const kInstancePageCapacity: u32 = 1048576u; // records in one page of the instance heap
const kUniformStrideBytes: u32 = 256u; // distance of two ViewUniforms or DeformJobs in a dynamic-offset buffer
const kPositionStrideBytes: u32 = 12u; // vertex stream 0
const kNormalStrideBytes: u32 = 16u; // vertex stream 1
const kUvStrideBytes: u32 = 24u; // vertex stream 2
const kTextureBaseColor: u32 = 0u; // order of the five textures in G2, uvMatrix, uvOffset and the flags
const kTextureMetallicRoughness: u32 = 1u;
const kTextureNormal: u32 = 2u;
const kTextureOcclusion: u32 = 3u;
const kTextureEmissive: u32 = 4u;
const kMaterialTextureCount: u32 = 5u;
const kDebugNone: u32 = 0u; // ViewUniforms.debugMode
const kDebugBatches: u32 = 1u; // one colour for what broke a draw from the one before, brightness by draw
const kDebugOverdraw: u32 = 2u; // constant colour, to be blended additively
const kDebugNormals: u32 = 3u; // shading normal, 0.5 + 0.5 n
const kDebugAlbedo: u32 = 4u; // base colour
const kDebugLod: u32 = 5u; // one colour for each level of detail
const kDebugMips: u32 = 6u; // mip level that the base colour texture is sampled at
const kMaxLights: u32 = 64u; // point, spot and further directional lights of one frame
const kMaxCascades: u32 = 4u; // shadow cascades of the sun
const kLightDirectional: u32 = 0u; // LightRecord.colorType.w
const kLightPoint: u32 = 1u;
const kLightSpot: u32 = 2u;
const kDeformWorkgroupSize: u32 = 64u; // vertices of one workgroup of the pass deform
const kIdIndexShift: u32 = 0u; // a word of `ids`: index of the record in its page of the instance heap
const kIdIndexMask: u32 = 1048575u; // after the shift
const kIdLodShift: u32 = 20u; // a word of `ids`: level of detail that is drawn
const kIdLodMask: u32 = 7u; // after the shift
const kIdDrawShift: u32 = 23u; // a word of `ids`: DrawFrameSettings::tagsDraws: low bits of the draw's number in its pass
const kIdDrawMask: u32 = 63u; // after the shift
const kIdBreakShift: u32 = 29u; // a word of `ids`: the same: what broke it from the draw before (JoinBreak)
const kIdBreakMask: u32 = 7u; // after the shift
const kInstanceCellSlotShift: u32 = 0u; // InstanceRecord.flags
const kInstanceCellSlotMask: u32 = 255u; // after the shift
const kInstanceLayersShift: u32 = 8u; // InstanceRecord.flags
const kInstanceLayersMask: u32 = 65535u; // after the shift
const kInstanceMirroredBit: u32 = 16777216u; // InstanceRecord.flags: negative determinant: the winding is flipped
const kInstanceSelectedBit: u32 = 33554432u; // InstanceRecord.flags
const kInstanceDeformedBit: u32 = 67108864u; // InstanceRecord.flags
const kInstanceHeapPageShift: u32 = 27u; // InstanceRecord.flags: page of the instance heap that holds the record; InstanceHeap::write sets it, object_id reads it
const kInstanceHeapPageMask: u32 = 31u; // after the shift
const kMaterialUsesUv1Shift: u32 = 0u; // MaterialParams.flags: bit i: texture i reads uv1
const kMaterialUsesUv1Mask: u32 = 31u; // after the shift
const kMaterialUnlitBit: u32 = 32u; // MaterialParams.flags
const kMaterialHasNormalMapBit: u32 = 64u; // MaterialParams.flags
const kMaterialAlphaMaskBit: u32 = 128u; // MaterialParams.flags
const kMaterialBlendedBit: u32 = 256u; // MaterialParams.flags
const kMaterialDoubleSidedBit: u32 = 512u; // MaterialParams.flags
const kMaterialTexturePresentShift: u32 = 10u; // MaterialParams.flags: bit i: texture i is there
const kMaterialTexturePresentMask: u32 = 31u; // after the shift
const kDeformSkinnedBit: u32 = 1u; // DeformJob.flags
const kDeformMorphedBit: u32 = 2u; // DeformJob.flags
const kDeformSecondInfluencesBit: u32 = 4u; // DeformJob.flags: two skin records a vertex, one after the other
const kDeformMorphNormalsBit: u32 = 8u; // DeformJob.flags
const kDeformMorphTangentsBit: u32 = 16u; // DeformJob.flags
const kDeformFlatNormalsBit: u32 = 32u; // DeformJob.flags: vertices 3i to 3i + 2 are a triangle and take its normal

// One instance of the instance heap. 64 bytes.
struct InstanceRecord {
    row0: vec4f, // 3x4 transform relative to the cell's origin, row by row; w is the translation
    row1: vec4f,
    row2: vec4f,
    materialRef: u32, // first word in `properties` of this instance's material-table indices, one a part
    deformOffset: u32, // first word in `deform` minus baseVertex * kDeformedVertexWords, mod 2^32
    propertyOffset: u32, // first word in `properties` of this instance's own values
    flags: u32, // kInstance...
}

// One material of the material table; the values mean what glTF 2.0 says. 192 bytes.
struct MaterialParams {
    baseColorFactor: vec4f,
    emissiveFactor: vec3f, // linear, strength multiplied in
    normalScale: f32,
    metallicFactor: f32,
    roughnessFactor: f32,
    occlusionStrength: f32,
    alphaCutoff: f32,
    uvMatrix: array<vec4f, 5>, // texture i: (a, b, c, d): uv' = (a u + c v + ox, b u + d v + oy)
    uvOffset: array<vec4f, 3>, // texture i: (ox, oy) in half i % 2 of vector i / 2
    flags: u32, // kMaterial...
    reserved0: u32,
    reserved1: u32,
    reserved2: u32,
}

// One frame: G0 binding 0. 4192 bytes.
struct FrameUniforms {
    cellOrigins: array<vec4f, 256>, // xyz: the cell's origin relative to the frame origin (the main camera), metres
    sunDirection: vec4f, // xyz: unit, towards the sun
    sunColor: vec4f, // rgb: linear, intensity multiplied in
    skyZenith: vec4f, // rgb: linear radiance; w: intensity of the environment as background
    skyHorizon: vec4f, // the same; w: cosine of the environment's turn about +Y
    skyGround: vec4f, // the same; w: sine of that turn
    params: vec4f, // x time in s, y exposure, z radiance of the sun's disc by that of its light (0: no disc), w debug scale
}

// One view: G0 binding 1, dynamic offset in steps of kUniformStrideBytes. 240 bytes.
struct ViewUniforms {
    viewProjection: mat4x4f, // relative to the frame origin -> clip, reversed depth 0..1
    inverseViewProjection: mat4x4f,
    previousViewProjection: mat4x4f, // of the last drawn frame, from positions relative to this frame's origin
    eye: vec4f, // xyz: relative to the frame origin
    viewport: vec4f, // width, height, 1 / width, 1 / height
    layerMask: u32,
    viewIndex: u32,
    debugMode: u32, // kDebug...
    previousTime: f32, // FrameUniforms.params.x of the last drawn frame, for displaced vertices
}

// One light beside the sun; formulas of KHR_lights_punctual. 64 bytes.
struct LightRecord {
    positionRange: vec4f, // xyz: relative to the frame origin, metres; w: range, 0 is infinite
    colorType: vec4f, // rgb: linear, intensity multiplied in (candela; lux if directional); w: kLight...
    directionOffset: vec4f, // xyz: unit, the way it shines; w: offset of the spot's angular falloff
    spot: vec4f, // x: scale of the spot's angular falloff
}

// What lights a frame beside FrameUniforms' sun: G1 binding 0 of the lit passes. 4592 bytes.
struct LightUniforms {
    cascadeMatrices: array<mat4x4f, 4>, // relative to the frame origin -> (u, v, reversed depth, 1) of the cascade's layer
    cascadeFar: vec4f, // distance along the view direction at which each cascade ends, metres
    cascadeTexels: vec4f, // edge of one texel of each cascade, metres
    shadowParams: vec4f, // x count of cascades (0: nothing shadows), y 1 / resolution, z normal offset in texels, w part of the last cascade over which it fades
    irradiance: array<vec4f, 9>, // the environment's irradiance / pi in spherical harmonics to band 2, constants of basis and cosine multiplied in: sum of rgb_i * (1, y, z, x, x y, y z, 3 z z - 1, x z, x x - y y)
    environmentParams: vec4f, // x intensity, y last mip of the cube, z cosine and w sine of its turn about +Y
    viewForward: vec4f, // xyz: unit, the way the main camera looks; w: distance of two taps of the shadow filter in texels
    lightCount: u32,
    reserved0: u32,
    reserved1: u32,
    reserved2: u32,
    lights: array<LightRecord, 64>,
}

// One mesh instance to deform: G0 binding 0 of the pass deform, dynamic offset in steps of kUniformStrideBytes. 48 bytes.
struct DeformJob {
    sourceVertex: u32, // first vertex in the geometry page
    vertexCount: u32,
    outWord: u32, // first word written in `deform`
    jointOffset: u32, // first joint matrix (3 vec4, row by row) in `joints`
    skinOffset: u32, // first record of the skin stream; record = skinOffset + vertex * setCount + set
    morphOffset: u32, // first word of the morph stream; target-major: + (target * vertexCount + vertex) * words; words = 3 (position) + 3 (if normals) + 3 (if tangents)
    morphTargetCount: u32,
    morphWeightOffset: u32, // first word in `morphWeights`
    flags: u32, // kDeform...
    reserved0: u32,
    reserved1: u32,
    reserved2: u32,
}
