// A pass of the user's own: one flat colour.
#import "drawloom/draw/shaders/mesh_vertex.wgsl"

@fragment
fn fs_main() -> @location(0) vec4f {
    return vec4f(1.0, 0.5, 0.0, 1.0);
}
