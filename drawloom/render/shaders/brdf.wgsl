// glTF 2.0, appendix B: GGX distribution, height-correlated Smith visibility (Heitz, "Understanding the Masking-Shadowing
// Function", JCGT 2014), Schlick's Fresnel, Lambert.
#import "drawloom/render/shaders/constants.wgsl"

const kDielectricF0: f32 = 0.04; // index of refraction 1.5
const kMinAlpha: f32 = 0.002; // keeps the highlight of a mirror finite in half floats

fn distributionGgx(nDotH: f32, alpha: f32) -> f32 {
    let a2 = alpha * alpha;
    let f = nDotH * nDotH * (a2 - 1.0) + 1.0;
    return a2 / (kPi * f * f);
}

fn visibilitySmith(nDotL: f32, nDotV: f32, alpha: f32) -> f32 {
    let a2 = alpha * alpha;
    let viewTerm = nDotL * sqrt(nDotV * nDotV * (1.0 - a2) + a2);
    let lightTerm = nDotV * sqrt(nDotL * nDotL * (1.0 - a2) + a2);
    return 0.5 / max(viewTerm + lightTerm, 1e-6);
}

fn fresnelSchlick(f0: vec3f, vDotH: f32) -> vec3f {
    let m = 1.0 - vDotH;
    let m2 = m * m;
    return f0 + (vec3f(1.0) - f0) * (m2 * m2 * m);
}

// Light that leaves towards `v` for unit irradiance perpendicular to `l`, times the cosine. `scattered`: of multipleScattering().
fn reflected(diffuse: vec3f, f0: vec3f, scattered: vec3f, roughness: f32, n: vec3f, v: vec3f, l: vec3f) -> vec3f {
    let nDotL = saturate(dot(n, l));
    let nDotV = max(abs(dot(n, v)), 1e-4);
    let h = normalize(v + l);
    let alpha = max(roughness * roughness, kMinAlpha);
    let vDotH = saturate(dot(v, h));
    let specular = scattered * fresnelSchlick(f0, vDotH) * (distributionGgx(saturate(dot(n, h)), alpha) * visibilitySmith(nDotL, nDotV, alpha));
    // B.2 mixes whole materials by metalness: only the dielectric, which has the diffuse layer, takes its reflection off it.
    let entering = 1.0 - fresnelSchlick(vec3f(kDielectricF0), vDotH).x;
    return (entering * diffuse / kPi + specular) * nDotL;
}
