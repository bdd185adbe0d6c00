// The sun, the frame's other lights and ambient light, on a surface. Radiance is linear; the tonemap pass applies the exposure.
#import "drawloom/render/shaders/brdf.wgsl"
#import "drawloom/render/shaders/ibl.wgsl"
#import "drawloom/render/shaders/light.wgsl"
#import "drawloom/render/shaders/shadow.wgsl"
#import "drawloom/render/shaders/surface.wgsl"

// `meshNormal`: unit, of the side that is seen, without the normal map: shadows are cast by meshes.
fn lit(s: Surface, position: vec3f, meshNormal: vec3f) -> vec3f {
    if (s.isUnlit) {
        return s.baseColor;
    }
    let v = normalize(view.eye.xyz - position);
    let metallic = saturate(s.metallic);
    let roughness = saturate(s.roughness);
    let diffuse = s.baseColor * (1.0 - metallic);
    let f0 = mix(vec3f(kDielectricF0), s.baseColor, metallic);

    let scattered = multipleScattering(f0, abs(dot(s.normal, v)), roughness);
    let sun = frame.sunDirection.xyz;
    var direct = reflected(diffuse, f0, scattered, roughness, s.normal, v, sun) * frame.sunColor.rgb;
    if (dot(s.normal, sun) > 0.0) {
        direct *= sunVisibility(position, meshNormal, dot(position - view.eye.xyz, lighting.viewForward.xyz));
    }
    for (var i = 0u; i < lighting.lightCount; i++) {
        let arriving = arrivingLight(lighting.lights[i], position);
        if (any(arriving.irradiance > vec3f(0.0))) { // most of many lights end before they come here
            direct += reflected(diffuse, f0, scattered, roughness, s.normal, v, arriving.direction) * arriving.irradiance;
        }
    }
    return direct + ambientLight(s.baseColor, metallic, roughness, s.normal, v) * s.occlusion + s.emissive;
}
