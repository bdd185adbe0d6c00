// Fog by distance, blended over the frame's colour (One, OneMinusSrcAlpha), and a darker rim.
#import "drawloom/render/shaders/fullscreen.wgsl"
#import "drawloom/resource/shaders/library_bindings.wgsl"

@group(1) @binding(0) var depth: texture_depth_2d;

const kFog: vec3f = vec3f(0.55, 0.62, 0.7);
const kClearMetres: f32 = 4.0; // no fog up to here
const kHalfMetres: f32 = 8.0; // and so far beyond, half of the light is fog
const kRim: f32 = 0.35; // what the corners lose

@fragment
fn fs_main(in: FullscreenVaryings) -> @location(0) vec4f {
    let depthHere = textureLoad(depth, vec2i(in.clip.xy), 0);
    var fog = 1.0; // nothing was drawn: the sky
    if (depthHere > 0.0) {
        let point = view.inverseViewProjection * vec4f(in.ndc, depthHere, 1.0);
        let metres = distance(point.xyz / point.w, view.eye.xyz);
        fog = 1.0 - exp2(-max(metres - kClearMetres, 0.0) / kHalfMetres);
    }
    let rim = 1.0 - kRim * 0.5 * dot(in.ndc, in.ndc);
    return vec4f(kFog * fog * rim, 1.0 - (1.0 - fog) * rim);
}
