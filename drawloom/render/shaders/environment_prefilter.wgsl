// The first factor of the split sum (Karis, "Real Shading in Unreal Engine 4", SIGGRAPH 2013): radiance as a GGX lobe around
// each direction sees it, one level of the cube a dispatch. Importance sampling, each sample read at the level of the source
// whose texels cover its share of the lobe (Krivanek and Colbert, "Real-time Shading with Filtered Importance Sampling", 2008):
// a small bright sun makes no sparks.
// The same pipeline makes the source's own levels: bound to one level alone it halves it.
#import "drawloom/render/shaders/environment_cube.wgsl"

// Faces as layers: SwiftShader does not bring the borders of a cube up to date for compute shaders, which then filter garbage.
@group(0) @binding(0) var source: texture_2d_array<f32>;
@group(0) @binding(1) var cubeSampler: sampler;
@group(0) @binding(2) var cube: texture_storage_2d_array<rgba16float, write>;

const kLastSize: u32 = 4u; // edge of the level of roughness 1 (kLastEnvironmentLevelTexels)
const kSamplesOfOneTexel: u32 = 2048u; // a level of n texels' edge gets an n-th: few texels and wide lobes many samples
const kLevelBias: f32 = 1.0; // neighbouring samples overlap

// Two axes perpendicular to n, continuous but straight down (Frisvad, "Building an Orthonormal Basis from a 3D Unit Vector
// Without Normalization", 2012): a frame that jumps would show as a seam.
fn tangentFrame(n: vec3f) -> mat3x3f {
    if (n.y < -0.9999) {
        return mat3x3f(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 0.0, 1.0), n);
    }
    let a = 1.0 / (1.0 + n.y);
    let b = -n.x * n.z * a;
    return mat3x3f(vec3f(1.0 - n.x * n.x * a, -n.x, b), vec3f(b, -n.z, 1.0 - n.z * n.z * a), n);
}

fn hammersley(i: u32, count: u32) -> vec2f {
    return vec2f((f32(i) + 0.5) / f32(count), f32(reverseBits(i)) * 2.3283064365386963e-10);
}

fn filtered(n: vec3f, roughness: f32, count: u32) -> vec3f {
    let frame = tangentFrame(n);
    let a2 = roughness * roughness * roughness * roughness;
    let sourceSize = f32(textureDimensions(source).x);
    let texelAngle = 4.0 * kPi / (6.0 * sourceSize * sourceSize);
    var sum = vec3f(0.0);
    var weight = 0.0;
    for (var i = 0u; i < count; i++) {
        let u = hammersley(i, count);
        let cosine2 = (1.0 - u.x) / (1.0 + (a2 - 1.0) * u.x); // of the half vector; the eye looks along n
        let nDotL = 2.0 * cosine2 - 1.0;
        if (nDotL <= 0.0) {
            continue;
        }
        let f = cosine2 * (a2 - 1.0) + 1.0;
        let density = a2 / (4.0 * kPi * f * f); // of directions of light
        let level = 0.5 * log2(1.0 / (f32(count) * density * texelAngle)) + kLevelBias;
        let radius = 2.0 * sqrt(cosine2 * (1.0 - cosine2));
        let local = vec3f(radius * cos(2.0 * kPi * u.y), radius * sin(2.0 * kPi * u.y), nDotL);
        let at = facePoint(frame * local);
        sum += textureSampleLevel(source, cubeSampler, at.point, at.face, max(level, 0.0)).rgb * nDotL;
        weight += nDotL;
    }
    return sum / weight;
}

// The mean of four texels by their solid angles: plain means would make a sun near a corner of the cube up to twice as bright.
fn halved(face: u32, texel: vec2u, size: u32) -> vec3f {
    var sum = vec4f(0.0); // radiance and weight
    for (var i = 0u; i < 4u; i++) {
        let child = texel * 2u + vec2u(i % 2u, i / 2u);
        let direction = faceDirection(face, (vec2f(child) + 0.5) / f32(2u * size));
        let weight = pow(dot(direction, direction), -1.5);
        sum += vec4f(textureLoad(source, child, face, 0).rgb, 1.0) * weight;
    }
    return sum.rgb / sum.w;
}

@compute @workgroup_size(8, 8)
fn cs_main(@builtin(global_invocation_id) id: vec3u) {
    let size = textureDimensions(cube).x;
    if (any(id.xy >= vec2u(size))) {
        return;
    }
    if (textureNumLevels(source) == 1u) {
        textureStore(cube, id.xy, id.z, vec4f(halved(id.z, id.xy, size), 1.0));
        return;
    }
    let n = normalize(faceDirection(id.z, (vec2f(id.xy) + 0.5) / f32(size)));
    let sourceSize = textureDimensions(source).x;
    let level = log2(f32(sourceSize / size));
    if (size == sourceSize) {
        textureStore(cube, id.xy, id.z, textureLoad(source, id.xy, id.z, 0));
        return;
    }
    let roughness = roughnessOfLevel(level, log2(f32(sourceSize / kLastSize)));
    let count = clamp(kSamplesOfOneTexel / size, 16u, 512u);
    textureStore(cube, id.xy, id.z, vec4f(filtered(n, roughness, count), 1.0));
}
