// Ambient light on a surface: the environment's irradiance on its diffuse layer, its prefiltered radiance by the split sum, and
// what bounces between microfacets, so that nothing is lost (Fdez-Aguera, "A Multiple-Scattering Microfacet Model for Real-Time
// Image-based Lighting", JCGT 2019). A white surface in white light stays white.
#import "drawloom/render/shaders/brdf.wgsl"
#import "drawloom/render/shaders/environment_cube.wgsl"
#import "drawloom/render/shaders/lighting_bindings.wgsl"

const kBrdfTableTexels: f32 = 32.0; // kBrdfTableSize
const kMaxAmbient: f32 = 65504.0; // what the target's half floats hold

fn irradianceTerm(i: u32) -> vec3f {
    return lighting.irradiance[i].rgb;
}

// The environment's irradiance / pi. Three bands of a bright sun dip below zero behind it.
fn environmentIrradiance(n: vec3f) -> vec3f {
    let band1 = irradianceTerm(1u) * n.y + irradianceTerm(2u) * n.z + irradianceTerm(3u) * n.x;
    let band2 = irradianceTerm(4u) * (n.x * n.y) + irradianceTerm(5u) * (n.y * n.z) + irradianceTerm(6u) * (3.0 * n.z * n.z - 1.0)
        + irradianceTerm(7u) * (n.x * n.z) + irradianceTerm(8u) * (n.x * n.x - n.y * n.y);
    return max(irradianceTerm(0u) + band1 + band2, vec3f(0.0));
}

// Where a rough lobe's weight lies, between the mirror direction and the normal: Lagarde and de Rousiers, "Moving Frostbite to
// Physically Based Rendering", 2014.
fn dominantReflection(n: vec3f, v: vec3f, roughness: f32) -> vec3f {
    let smoothness = 1.0 - roughness * roughness;
    return mix(n, reflect(-v, n), smoothness * (sqrt(smoothness) + roughness * roughness));
}

// Scale and bias of f0. The table's outermost texels are its ends: 0 and 1.
fn brdfTerms(nDotV: f32, roughness: f32) -> vec2f {
    let at = (vec2f(nDotV, roughness) * (kBrdfTableTexels - 1.0) + 0.5) / kBrdfTableTexels;
    return textureSampleLevel(brdfTable, lightingSampler, at, 0.0).rg;
}

// Times the specular part of light from one direction: what one bounce between microfacets loses comes back by further ones
// (Turquin, "Practical Multiple Scattering Compensation for Microfacet Models", 2019).
fn multipleScattering(f0: vec3f, nDotV: f32, roughness: f32) -> vec3f {
    let table = brdfTerms(nDotV, roughness);
    let kept = select(table.x + table.y, 1.0, table.x + table.y <= 0.0); // no table yet: nothing is lost
    return vec3f(1.0) + f0 * (1.0 / kept - 1.0);
}

struct Scattering {
    single: vec3f, // of radiance along the lobe
    multiple: vec3f, // of irradiance / pi
}

// `table`: scale and bias of f0.
fn scattering(f0: vec3f, table: vec2f) -> Scattering {
    let single = f0 * table.x + vec3f(table.y);
    let lost = 1.0 - table.x - table.y; // to further bounces
    let average = f0 + (vec3f(1.0) - f0) / 21.0; // Fresnel over the hemisphere
    return Scattering(single, single * average * lost / (vec3f(1.0) - average * lost));
}

// `v`: unit, towards the eye. Before occlusion.
fn ambientLight(baseColor: vec3f, metallic: f32, roughness: f32, n: vec3f, v: vec3f) -> vec3f {
    let turn = lighting.environmentParams.zw;
    let level = levelOfRoughness(roughness, lighting.environmentParams.y);
    let radiance = textureSampleLevel(environmentMap, lightingSampler, turnedBack(dominantReflection(n, v, roughness), turn), level).rgb;
    let irradiance = environmentIrradiance(turnedBack(n, turn));
    let table = brdfTerms(abs(dot(n, v)), roughness);
    let dielectric = scattering(vec3f(kDielectricF0), table);
    let metal = scattering(saturate(baseColor), table);
    let single = mix(dielectric.single, metal.single, metallic);
    let multiple = mix(dielectric.multiple, metal.multiple, metallic);
    let entering = (vec3f(1.0) - dielectric.single - dielectric.multiple) * (1.0 - metallic);
    let sent = single * radiance + (multiple + entering * baseColor) * irradiance;
    return min(sent * lighting.environmentParams.x, vec3f(kMaxAmbient));
}
