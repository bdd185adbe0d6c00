// Shows velocity: red grows with motion to the right, green with motion up, half is rest, 16 texels a frame are the ends; by the
// square root, so that a tenth of a texel shows.
#import "drawloom/render/shaders/fullscreen.wgsl"
#import "drawloom/resource/shaders/library_bindings.wgsl"

@group(1) @binding(0) var velocity: texture_2d<f32>;

const kEndTexels: f32 = 16.0;

@fragment
fn fs_main(in: FullscreenVaryings) -> @location(0) vec4f {
    let texels = textureLoad(velocity, vec2i(in.clip.xy), 0).xy * view.viewport.xy;
    let shown = sign(texels) * sqrt(abs(texels) / kEndTexels);
    return vec4f(saturate(vec2f(0.5) + shown * vec2f(0.5, -0.5)), 0.5, 1.0);
}
