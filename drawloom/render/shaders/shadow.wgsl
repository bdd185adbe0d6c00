// How much of the sun reaches a point: cascades of shadow maps (drawloom/render/shadow_cascades.h), filtered by comparison.
// Normal offset: Holbert, "Saying Goodbye to Shadow Acne", GDC 2011.
#import "drawloom/render/shaders/lighting_bindings.wgsl"

// A tap lies up to softness + 1 texels away in x and y; the normal offset pays for two texels along the steepest way, this for
// the rest: a plane never shadows itself. Bounded where the sun grazes, and there is hardly any light.
const kSlopeBiasTexels: f32 = 1.5;
const kMinCosine: f32 = 0.05;

// Nine taps, each bilinear in comparisons, weighted as a tent: as wide as softness + 1 texels to each side.
fn cascadeVisibility(cascade: u32, position: vec3f, normal: vec3f) -> f32 {
    let cosine = dot(normal, frame.sunDirection.xyz);
    let sine = sqrt(saturate(1.0 - cosine * cosine)); // a plane that faces the sun has no slope to pay for
    let moved = position + normal * (lighting.cascadeTexels[cascade] * lighting.shadowParams.z * sine);
    let matrix = lighting.cascadeMatrices[cascade];
    var at = (matrix * vec4f(moved, 1.0)).xyz;
    let depthPerMetre = length(vec3f(matrix[0].z, matrix[1].z, matrix[2].z));
    at.z += kSlopeBiasTexels * lighting.cascadeTexels[cascade] * depthPerMetre * sine / max(abs(cosine), kMinCosine);
    let spacing = lighting.viewForward.w * lighting.shadowParams.y;
    var sum = 0.0;
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let weight = f32((2 - abs(x)) * (2 - abs(y)));
            sum += weight * textureSampleCompareLevel(shadowMap, shadowSampler, at.xy + vec2f(f32(x), f32(y)) * spacing, cascade, at.z);
        }
    }
    return sum / 16.0;
}

// 1: all of it, 0: none. `position` relative to the frame origin, `normal` unit (of the mesh, not of its normal map),
// `viewDistance` along the view direction in metres.
fn sunVisibility(position: vec3f, normal: vec3f, viewDistance: f32) -> f32 {
    let count = u32(lighting.shadowParams.x);
    var cascade = 0u;
    while (cascade < count && viewDistance > lighting.cascadeFar[cascade]) {
        cascade++;
    }
    if (cascade == count) {
        return 1.0;
    }
    let end = lighting.cascadeFar[cascade];
    let band = end * lighting.shadowParams.w; // where it blends into the next cascade, or into light
    let blend = saturate((viewDistance - (end - band)) / band);
    let visible = cascadeVisibility(cascade, position, normal);
    if (blend == 0.0) {
        return visible;
    }
    if (cascade + 1u == count) {
        return mix(visible, 1.0, blend);
    }
    return mix(visible, cascadeVisibility(cascade + 1u, position, normal), blend);
}
