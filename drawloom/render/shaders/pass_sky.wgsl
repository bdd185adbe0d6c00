// The environment where nothing was drawn: test depth with GreaterEqual (or Equal) against the cleared far plane. The sun's disc
// is drawn here alone: a procedural sky has none, so that the light is not counted twice.
#import "drawloom/render/shaders/environment_cube.wgsl"
#import "drawloom/render/shaders/fullscreen.wgsl"
#import "drawloom/resource/shaders/library_bindings.wgsl"

@group(1) @binding(0) var picture: texture_2d<f32>; // equirectangular, with mips

const kSunCosine: f32 = 0.99996; // the sun's half angle, half a degree: twice the real one
const kSunEdge: f32 = 0.00002;
const kMaxRadiance: f32 = 65504.0; // of the target's half floats

fn pictureTexel(x: i32, y: i32, size: vec2i, level: i32) -> vec3f {
    return textureLoad(picture, vec2i((x + size.x) % size.x, clamp(y, 0, size.y - 1)), level).rgb;
}

// Loads instead of a sampler: it knows that left and right edge meet, and takes its level from the angle that a pixel covers.
fn pictureRadiance(direction: vec3f, pixelRadians: f32) -> vec3f {
    let rows = f32(textureDimensions(picture, 0).y);
    let level = clamp(i32(log2(max(pixelRadians * rows / kPi, 1.0))), 0, i32(textureNumLevels(picture)) - 1);
    let size = vec2i(textureDimensions(picture, level));
    let point = equirectPoint(direction) * vec2f(size) - vec2f(0.5);
    let corner = vec2i(floor(point));
    let inside = point - floor(point);
    let top = mix(pictureTexel(corner.x, corner.y, size, level), pictureTexel(corner.x + 1, corner.y, size, level), inside.x);
    let bottom = mix(pictureTexel(corner.x, corner.y + 1, size, level), pictureTexel(corner.x + 1, corner.y + 1, size, level), inside.x);
    return mix(top, bottom, inside.y);
}

@fragment
fn fs_main(in: FullscreenVaryings) -> @location(0) vec4f {
    // Homogeneous, so that an infinite far plane (w = 0) works too.
    let near = view.inverseViewProjection * vec4f(in.ndc, 1.0, 1.0);
    let far = view.inverseViewProjection * vec4f(in.ndc, 0.0, 1.0);
    let direction = normalize(far.xyz * near.w - near.xyz * far.w);
    let pixelRadians = max(length(dpdx(direction)), length(dpdy(direction)));
    let sun = smoothstep(kSunCosine - kSunEdge, kSunCosine + kSunEdge, dot(direction, frame.sunDirection.xyz));
    let turn = vec2f(frame.skyHorizon.w, frame.skyGround.w);
    let sky = pictureRadiance(turnedBack(direction, turn), pixelRadians) * frame.skyZenith.w;
    return vec4f(min(sky + frame.sunColor.rgb * (sun * frame.params.z), vec3f(kMaxRadiance)), 1.0);
}
