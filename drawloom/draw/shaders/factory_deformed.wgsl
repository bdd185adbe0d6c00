// Vertex factory of skinned and morphed meshes: the pass deform has written this frame's vertices into `deform`; in frames with
// velocity `previousDeform` holds those of the frame before.
#flag NORMALS - the pass reads normals and tangents
#import "drawloom/draw/shaders/factory.wgsl"
#import "drawloom/draw/shaders/octahedral.wgsl"
#import "drawloom/resource/shaders/library_bindings.wgsl"

struct FactoryInput {
    @builtin(vertex_index) vertexIndex: u32, // includes the base vertex, deformOffset takes it off again
    @builtin(instance_index) instanceIndex: u32,
}

fn fetchInstanceIndex(input: FactoryInput) -> u32 {
    return input.instanceIndex;
}

fn fetchVertex(input: FactoryInput, instance: InstanceRecord) -> Vertex {
    let word = instance.deformOffset + input.vertexIndex * kDeformedVertexWords;
    let position = bitcast<vec3f>(vec3u(deform[word], deform[word + 1u], deform[word + 2u]));
#if NORMALS
    return Vertex(position, unpackOctahedral(deform[word + 3u]), unpackTangent(deform[word + 4u]));
#else
    return Vertex(position, vec3f(0.0), vec4f(0.0));
#endif
}

fn fetchPreviousPosition(input: FactoryInput, instance: InstanceRecord) -> vec3f {
    let word = instance.deformOffset + input.vertexIndex * kDeformedVertexWords;
    return bitcast<vec3f>(vec3u(previousDeform[word], previousDeform[word + 1u], previousDeform[word + 2u]));
}
