// What every vertex factory hands over. A factory module defines
//   struct FactoryInput {...}                                              its vertex attributes and builtins
//   fn fetchInstanceIndex(input: FactoryInput) -> u32                      instance_index as the draw has it
//   fn fetchVertex(input: FactoryInput, instance: InstanceRecord) -> Vertex
//   fn fetchDetail(input: FactoryInput) -> DetailInput                     optional: texture coordinates, colour and part where
//                                                                          they are not the attributes at locations 3 to 6
//   fn fetchPreviousPosition(input: FactoryInput, instance: InstanceRecord) -> vec3f
//                                                                          optional: the position in the last drawn frame, where
//                                                                          the factory moves vertices

struct Vertex { // in the mesh's space
    position: vec3f,
    normal: vec3f, // these two only where the pass sets the flag NORMALS
    tangent: vec4f,
}
