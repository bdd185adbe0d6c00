// Vertex factory of rigid meshes: everything comes from the vertex streams.
#flag NORMALS - the pass reads normals and tangents
#import "drawloom/draw/shaders/factory.wgsl"
#import "drawloom/resource/shaders/library_bindings.wgsl"

struct FactoryInput {
    @builtin(instance_index) instanceIndex: u32,
    @location(0) position: vec3f,
#if NORMALS
    @location(1) normal: vec4f,
    @location(2) tangent: vec4f,
#endif
}

fn fetchInstanceIndex(input: FactoryInput) -> u32 {
    return input.instanceIndex;
}

fn fetchVertex(input: FactoryInput, instance: InstanceRecord) -> Vertex {
#if NORMALS
    return Vertex(input.position, input.normal.xyz, input.tangent);
#else
    return Vertex(input.position, vec3f(0.0), vec4f(0.0));
#endif
}
