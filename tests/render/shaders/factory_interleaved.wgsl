// A user's vertex factory: one stream of 32 bytes, position at 0, normal at 12, UV at 24 (row D10 of the draw cases).
#flag NORMALS - the pass reads normals and tangents
#flag UVS - the pass reads texture coordinates
#import "drawloom/draw/shaders/factory.wgsl"
#import "drawloom/resource/shaders/library_bindings.wgsl"

struct FactoryInput {
    @builtin(instance_index) instanceIndex: u32,
    @location(0) position: vec3f,
#if NORMALS
    @location(1) normal: vec3f,
#endif
#if UVS
    @location(2) uv: vec2f,
#endif
}

fn fetchInstanceIndex(input: FactoryInput) -> u32 {
    return input.instanceIndex;
}

fn fetchVertex(input: FactoryInput, instance: InstanceRecord) -> Vertex {
#if NORMALS
    return Vertex(input.position, input.normal, vec4f(1.0, 0.0, 0.0, 1.0));
#else
    return Vertex(input.position, vec3f(0.0), vec4f(0.0));
#endif
}

#if UVS
fn fetchDetail(input: FactoryInput) -> DetailInput {
    return DetailInput(input.uv, input.uv, vec4f(1.0), 0u); // white, the mesh set's first material
}
#endif
