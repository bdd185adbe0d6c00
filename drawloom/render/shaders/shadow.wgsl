// How much of the sun reaches a point.
#import "drawloom/render/shaders/lighting_bindings.wgsl"

// 1: all of it, 0: none. `position` relative to the frame origin, `normal` unit, `viewDistance` along the view direction in metres.
fn sunVisibility(position: vec3f, normal: vec3f, viewDistance: f32) -> f32 {
    return 1.0;
}
