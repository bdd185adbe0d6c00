// Ambient light: what a surface sends towards the eye of the light that comes from everywhere.
#import "drawloom/render/shaders/brdf.wgsl"
#import "drawloom/render/shaders/lighting_bindings.wgsl"
#import "drawloom/render/shaders/sky.wgsl"

// `diffuse`: albedo of the diffuse part, `f0`: reflectance at normal incidence, `v`: unit, towards the eye. Before occlusion.
fn ambientLight(diffuse: vec3f, f0: vec3f, roughness: f32, normal: vec3f, v: vec3f) -> vec3f {
    let reflectance = ambientReflectance(f0, roughness, saturate(abs(dot(normal, v))));
    let ambient = (vec3f(1.0) - reflectance) * diffuse * skyAmbient(normal) + reflectance * skyReflection(reflect(-v, normal), roughness);
    return ambient * frame.params.z;
}
