// The sky where nothing was drawn: test depth with GreaterEqual (or Equal) against the cleared far plane.
#import "drawloom/render/shaders/fullscreen.wgsl"
#import "drawloom/render/shaders/sky.wgsl"

const kSunCosine: f32 = 0.99996; // the sun's half angle, half a degree: twice the real one
const kSunEdge: f32 = 0.00002;
const kSunRadiance: f32 = 20.0; // relative to the light's colour

@fragment
fn fs_main(in: FullscreenVaryings) -> @location(0) vec4f {
    // Homogeneous, so that an infinite far plane (w = 0) works too.
    let near = view.inverseViewProjection * vec4f(in.ndc, 1.0, 1.0);
    let far = view.inverseViewProjection * vec4f(in.ndc, 0.0, 1.0);
    let direction = normalize(far.xyz * near.w - near.xyz * far.w);
    let sun = smoothstep(kSunCosine - kSunEdge, kSunCosine + kSunEdge, dot(direction, frame.sunDirection.xyz));
    return vec4f(skyRadiance(direction, 0.0) + frame.sunColor.rgb * (sun * kSunRadiance), 1.0);
}
