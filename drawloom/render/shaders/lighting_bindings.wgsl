// Group 1 of every lit pass (drawloom/render/lighting.h): what lights the frame beside the sun of FrameUniforms. Neutral where
// there is nothing: no shadow, a black environment.
#import "drawloom/resource/shaders/gpu_structs.wgsl"

@group(1) @binding(0) var<uniform> lighting: LightUniforms;
@group(1) @binding(1) var shadowMap: texture_depth_2d_array; // a layer each cascade, reversed depth
@group(1) @binding(2) var shadowSampler: sampler_comparison; // GreaterEqual: 1 where the reference is not behind the map
@group(1) @binding(3) var environmentMap: texture_cube<f32>; // radiance, prefiltered by roughness along the mips
@group(1) @binding(4) var lightingSampler: sampler; // linear in texels and mips, clamped
@group(1) @binding(5) var brdfTable: texture_2d<f32>; // split sum: (n.v, perceptual roughness) -> scale and bias of f0
