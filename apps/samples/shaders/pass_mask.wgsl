// Every pixel that the mesh covers becomes 1. Reads positions only, so that it joins across all materials.
#import "drawloom/draw/shaders/mesh_vertex.wgsl"

@fragment
fn fs_main() -> @location(0) vec4f {
    return vec4f(1.0);
}
