// A procedural sky of three colours (zenith, horizon, ground): its radiance, that radiance blurred for rough reflections, and
// its cosine-weighted average for diffuse light.
#import "drawloom/resource/shaders/library_bindings.wgsl"

// `blur` 0: as the background shows it; 1: as wide as a hemisphere. The horizon softens with it.
fn skyRadiance(direction: vec3f, blur: f32) -> vec3f {
    let height = direction.y;
    let above = mix(frame.skyHorizon.rgb, frame.skyZenith.rgb, pow(saturate(height), 0.6));
    let below = mix(frame.skyHorizon.rgb, frame.skyGround.rgb, smoothstep(0.0, 0.25, -height));
    let width = mix(0.01, 0.9, blur);
    return mix(below, above, smoothstep(-width, width, height));
}

// Irradiance / pi. A plane tilted to cosine c from the zenith sees the sky with weight (1 + c) / 2; 0.77 is the cosine-weighted
// mean of height^0.6 over the upper hemisphere, 0.5 that near the horizon.
fn skyAmbient(normal: vec3f) -> vec3f {
    let above = mix(frame.skyHorizon.rgb, frame.skyZenith.rgb, mix(0.5, 0.77, saturate(normal.y)));
    let below = mix(frame.skyHorizon.rgb, frame.skyGround.rgb, 0.85);
    return mix(below, above, 0.5 + 0.5 * normal.y);
}

fn skyReflection(direction: vec3f, roughness: f32) -> vec3f {
    return mix(skyRadiance(direction, roughness), skyAmbient(direction), roughness * roughness);
}
