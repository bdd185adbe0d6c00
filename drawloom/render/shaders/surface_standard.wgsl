// glTF's metallic-roughness material, and KHR_materials_unlit. Absent textures are bound as neutral ones, so that there is
// one shader and every sample stands in uniform control flow.
#import "drawloom/render/shaders/surface.wgsl"
#import "drawloom/resource/shaders/texture_set.wgsl"

fn standardBaseColor(input: SurfaceInput) -> vec4f {
    let sampled = textureSample(baseColorTexture, baseColorSampler, materialUv(input, kTextureBaseColor));
    return sampled * materials[input.material].baseColorFactor * input.color;
}

fn surfaceAlpha(input: SurfaceInput) -> f32 {
    return alphaOf(input.material, standardBaseColor(input).a);
}

fn surface(input: SurfaceInput) -> Surface {
    let material = input.material;
    let base = standardBaseColor(input);
    let metallicRoughness = textureSample(metallicRoughnessTexture, metallicRoughnessSampler, materialUv(input, kTextureMetallicRoughness)).bg;
    let bump = textureSample(normalTexture, normalSampler, materialUv(input, kTextureNormal)).xyz;
    let occlusion = textureSample(occlusionTexture, occlusionSampler, materialUv(input, kTextureOcclusion)).r;
    let emissive = textureSample(emissiveTexture, emissiveSampler, materialUv(input, kTextureEmissive)).rgb;

    var out: Surface;
    out.baseColor = base.rgb;
    out.alpha = alphaOf(material, base.a);
    out.metallic = metallicRoughness.x * materials[material].metallicFactor;
    out.roughness = metallicRoughness.y * materials[material].roughnessFactor;
    out.occlusion = 1.0 + materials[material].occlusionStrength * (occlusion - 1.0);
    out.emissive = emissive * materials[material].emissiveFactor;
    out.isUnlit = materialHas(material, kMaterialUnlitBit);
    let flat_ = select(-1.0, 1.0, input.isFront) * normalize(input.normal);
    out.normal = select(flat_, mappedNormal(input, bump, materials[material].normalScale), materialHas(material, kMaterialHasNormalMapBit));
    return out;
}
