// glTF's metallic-roughness material, and KHR_materials_unlit. Absent textures are bound as neutral ones, so that there is
// one shader.
#import "drawloom/render/shaders/surface.wgsl"
#import "drawloom/resource/shaders/texture_set.wgsl"

fn standardBaseColor(input: SurfaceInput) -> vec4f {
    let at = materialUv(input, kTextureBaseColor);
    let sampled = textureSampleGrad(baseColorTexture, baseColorSampler, at.uv, at.dx, at.dy);
    return sampled * materials[input.material].baseColorFactor * input.color;
}

fn surfaceAlpha(input: SurfaceInput) -> f32 {
    return alphaOf(input.material, standardBaseColor(input).a);
}

fn surfaceAlphaTexels(input: SurfaceInput) -> f32 {
    let at = materialUv(input, kTextureBaseColor);
    let size = vec2f(textureDimensions(baseColorTexture));
    return max(length(at.dx * size), length(at.dy * size));
}

fn surface(input: SurfaceInput) -> Surface {
    let material = input.material;
    let base = standardBaseColor(input);
    let metallicRoughnessAt = materialUv(input, kTextureMetallicRoughness);
    let metallicRoughness = textureSampleGrad(metallicRoughnessTexture, metallicRoughnessSampler, metallicRoughnessAt.uv, metallicRoughnessAt.dx, metallicRoughnessAt.dy).bg;
    let normalAt = materialUv(input, kTextureNormal);
    let bump = textureSampleGrad(normalTexture, normalSampler, normalAt.uv, normalAt.dx, normalAt.dy).xyz;
    let occlusionAt = materialUv(input, kTextureOcclusion);
    let occlusion = textureSampleGrad(occlusionTexture, occlusionSampler, occlusionAt.uv, occlusionAt.dx, occlusionAt.dy).r;
    let emissiveAt = materialUv(input, kTextureEmissive);
    let emissive = textureSampleGrad(emissiveTexture, emissiveSampler, emissiveAt.uv, emissiveAt.dx, emissiveAt.dy).rgb;

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
