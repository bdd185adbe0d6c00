// One directional light and the sky, on a surface. Radiance is linear; the tonemap pass applies the exposure.
#import "drawloom/render/shaders/brdf.wgsl"
#import "drawloom/render/shaders/sky.wgsl"
#import "drawloom/render/shaders/surface.wgsl"

fn lit(s: Surface, position: vec3f) -> vec3f {
    if (s.isUnlit) {
        return s.baseColor;
    }
    let v = normalize(view.eye.xyz - position);
    let metallic = saturate(s.metallic);
    let roughness = saturate(s.roughness);
    let diffuse = s.baseColor * (1.0 - metallic);
    let f0 = mix(vec3f(0.04), s.baseColor, metallic);
    let direct = reflected(diffuse, f0, roughness, s.normal, v, frame.sunDirection.xyz) * frame.sunColor.rgb;

    let reflectance = ambientReflectance(f0, roughness, saturate(abs(dot(s.normal, v))));
    let ambient = (vec3f(1.0) - reflectance) * diffuse * skyAmbient(s.normal) + reflectance * skyReflection(reflect(-v, s.normal), roughness);
    return direct + ambient * (s.occlusion * frame.params.z) + s.emissive;
}
