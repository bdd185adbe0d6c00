// Draws a line of 3 pixels around what the mask covers.
#flag OCCLUDED - the line of what lies behind something
#import "drawloom/render/shaders/fullscreen.wgsl"

@group(1) @binding(0) var mask: texture_2d<f32>;

const kWidth: i32 = 3;
#if OCCLUDED
const kColor: vec3f = vec3f(0.1, 0.4, 1.0);
#else
const kColor: vec3f = vec3f(1.0, 0.45, 0.0);
#endif

@fragment
fn fs_main(in: FullscreenVaryings) -> @location(0) vec4f {
    let texel = vec2i(in.clip.xy);
    let last = vec2i(textureDimensions(mask)) - 1;
    if (textureLoad(mask, texel, 0).r > 0.0) {
        discard;
    }
    var covered = 0.0;
    for (var y = -kWidth; y <= kWidth; y++) {
        for (var x = -kWidth; x <= kWidth; x++) {
            if (x * x + y * y <= kWidth * kWidth) {
                covered = max(covered, textureLoad(mask, clamp(texel + vec2i(x, y), vec2i(0), last), 0).r);
            }
        }
    }
    if (covered == 0.0) {
        discard;
    }
    return vec4f(kColor, 1.0);
}
