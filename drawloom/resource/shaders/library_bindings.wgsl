// Bind groups 0 (frame and view) and 3 (the library's tables), as LibraryBindings lays them out. The composer drops what an
// entry does not read.
#import "drawloom/resource/shaders/gpu_structs.wgsl"

@group(0) @binding(0) var<uniform> frame: FrameUniforms;
@group(0) @binding(1) var<uniform> view: ViewUniforms;

@group(3) @binding(0) var<storage, read> instances: array<InstanceRecord>; // one page of the instance heap
@group(3) @binding(1) var<storage, read> ids: array<u32>; // kId...: indices into `instances`, with the LOD; instance_index indexes this list
@group(3) @binding(2) var<storage, read> materials: array<MaterialParams>;
@group(3) @binding(3) var<storage, read> properties: array<u32>; // vertex stage only
@group(3) @binding(4) var<storage, read> deform: array<u32>; // kDeformedVertexWords a vertex
@group(3) @binding(5) var<storage, read> previousTransforms: array<vec4u>; // frames with velocity: header, table, rows (MoverHeap)
@group(3) @binding(6) var<storage, read> previousDeform: array<u32>; // frames with velocity: `deform` of the frame before
