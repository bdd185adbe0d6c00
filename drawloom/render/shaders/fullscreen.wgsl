// One triangle that covers the target, at the far plane (0: depth is reversed). Draw 3 vertices without buffers.
struct FullscreenVaryings {
    @builtin(position) clip: vec4f,
    @location(0) ndc: vec2f,
}

@vertex
fn vs_main(@builtin(vertex_index) index: u32) -> FullscreenVaryings {
    let ndc = vec2f(f32((index << 1u) & 2u), f32(index & 2u)) * 2.0 - vec2f(1.0);
    return FullscreenVaryings(vec4f(ndc, 0.0, 1.0), ndc);
}
