// The contract of a material. A surface module imports this file and defines
//   fn surface(input: SurfaceInput) -> Surface                     what the lighting needs; called once a fragment
// and, if it wants to (the composer finds them by name):
//   fn surfaceAlpha(input: SurfaceInput) -> f32                    alpha alone, for masked passes; normals are then not there
//   fn surfaceAlphaTexels(input: SurfaceInput) -> f32              how many texels of alpha a pixel spans, for multisampled frames
//   fn displace(input: DisplaceInput) -> Vertex                    moves a vertex, in the mesh's space
//   fn instanceValues(propertyOffset: u32) -> vec4f                vertex stage: per-instance values -> SurfaceInput.values
// Sample with textureSampleGrad and the gradients of materialUv(): drivers may give zeros for storage buffers in the helper
// invocations at a triangle's edge, and then the implicit derivative of anything that a material's values touched is wrong.
#flag SURFACE_DISPLACE - the surface has displace() (the composer finds out)
#import "drawloom/resource/shaders/library_bindings.wgsl"
#if SURFACE_DISPLACE
#import "drawloom/draw/shaders/factory.wgsl"
#endif

struct SurfaceInput {
    uv0: vec2f,
    uv1: vec2f,
    uvDx: vec4f, // change of (uv0, uv1) to the next pixel in x
    uvDy: vec4f, // and in y
    color: vec4f, // vertex colour, linear; white where the mesh has none
    material: u32, // into `materials`
    values: vec4f, // of instanceValues(), or zero
    position: vec3f, // in the frame's space (relative to the main camera)
    normal: vec3f, // unit, of the front side
    tangent: vec4f, // xyz unit or zero, w: sign of the bitangent
    isFront: bool,
}

struct Surface {
    baseColor: vec3f, // linear
    alpha: f32, // after the alpha mode: 1 for opaque materials
    normal: vec3f, // unit, in the frame's space, of the side that is seen
    metallic: f32,
    roughness: f32, // perceptual
    occlusion: f32, // dims ambient light only
    emissive: vec3f,
    isUnlit: bool,
}

#if SURFACE_DISPLACE
struct DisplaceInput {
    vertex: Vertex,
    uv0: vec2f,
    uv1: vec2f,
    color: vec4f,
    material: u32,
    propertyOffset: u32, // into `properties`: this instance's own values
    time: f32, // seconds
}
#endif

fn materialHas(material: u32, bit: u32) -> bool {
    return (materials[material].flags & bit) != 0u;
}

struct TextureUv {
    uv: vec2f,
    dx: vec2f,
    dy: vec2f,
}

// Texture coordinates and their gradients for one of the material's textures (kTexture...): set and transform
// (KHR_texture_transform).
fn materialUv(input: SurfaceInput, texture: u32) -> TextureUv {
    let usesUv1 = ((materials[input.material].flags >> (kMaterialUsesUv1Shift + texture)) & 1u) != 0u;
    let m = materials[input.material].uvMatrix[texture];
    let matrix = mat2x2f(m.xy, m.zw);
    let offsets = materials[input.material].uvOffset[texture / 2u];
    var out: TextureUv;
    out.uv = matrix * select(input.uv0, input.uv1, usesUv1) + select(offsets.xy, offsets.zw, texture % 2u == 1u);
    out.dx = matrix * select(input.uvDx.xy, input.uvDx.zw, usesUv1);
    out.dy = matrix * select(input.uvDy.xy, input.uvDy.zw, usesUv1);
    return out;
}

// The normal of a tangent-space sample, on the side that is seen (glTF 2.0, 3.9.3 and 3.9.4: a back face reverses it).
fn mappedNormal(input: SurfaceInput, sampled: vec3f, scale: f32) -> vec3f {
    let n = normalize(input.normal);
    let side = select(-1.0, 1.0, input.isFront);
    let length2 = dot(input.tangent.xyz, input.tangent.xyz);
    let t = input.tangent.xyz * inverseSqrt(max(length2, 1e-12));
    let b = cross(n, t) * input.tangent.w;
    let local = (sampled * 2.0 - vec3f(1.0)) * vec3f(scale, scale, 1.0);
    let mapped = normalize(local.x * t + local.y * b + local.z * n);
    return side * select(n, mapped, length2 > 1e-12);
}

// glTF's alpha modes: what remains of a texture's alpha.
fn alphaOf(material: u32, alpha: f32) -> f32 {
    return select(1.0, alpha, materialHas(material, kMaterialAlphaMaskBit | kMaterialBlendedBit));
}
