// Motion of what is infinitely far: the camera's rotation alone. Where nothing was drawn (depth GreaterEqual at the far plane).
#import "drawloom/render/shaders/fullscreen.wgsl"
#import "drawloom/render/shaders/velocity.wgsl"
#import "drawloom/resource/shaders/library_bindings.wgsl"

@fragment
fn fs_main(in: FullscreenVaryings) -> @location(0) vec2f {
    // Homogeneous, so that an infinite far plane (w = 0) works too.
    let near = view.inverseViewProjection * vec4f(in.ndc, 1.0, 1.0);
    let far = view.inverseViewProjection * vec4f(in.ndc, 0.0, 1.0);
    let direction = vec4f(normalize(far.xyz * near.w - near.xyz * far.w), 0.0);
    return velocityOf((view.viewProjection * direction).xyw, (view.previousViewProjection * direction).xyw);
}
