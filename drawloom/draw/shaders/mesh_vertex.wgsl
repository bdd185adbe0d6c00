// The vertex shader of every mesh pass: factory -> displace() of the surface -> transform. A pass module imports it, chooses
// by flags what is passed on, and adds its fs_main.
#flag NORMALS - pass on position, normal and tangent
#flag UVS - pass on texture coordinates, vertex colour and the material's index
#flag OBJECT_ID - pass on the instance's id
#flag VELOCITY - pass on where the vertex is and was, in clip space
#flag SELECTED_ONLY - instances without kInstanceSelectedBit give no triangles (BatchFlag::Selected or SceneRegistry::mark set it)
#flag ID_WORD - pass on the word of `ids`: the level of detail and, in debug views, the draw
#flag SURFACE_DISPLACE - the surface has displace() (the composer finds out)
#flag SURFACE_VALUES - the surface has instanceValues() (the composer finds out)
#flag FACTORY_DETAIL - the factory has fetchDetail() (the composer finds out)
#flag FACTORY_PREVIOUS - the factory has fetchPreviousPosition() (the composer finds out)
#import "@factory"
#import "drawloom/draw/shaders/transform.wgsl"
#if VELOCITY
#import "drawloom/draw/shaders/previous_transform.wgsl"
#endif
#if UVS || SURFACE_DISPLACE
#import "@surface"
#endif

struct DetailInput {
    @location(3) uv0: vec2f,
    @location(4) uv1: vec2f,
    @location(5) color: vec4f,
    @location(6) part: u32,
}

struct Varyings {
    @builtin(position) @invariant clip: vec4f,
#if UVS
    @location(0) uv: vec4f, // uv0, uv1
    @location(1) color: vec4f,
    @location(2) @interpolate(flat) material: u32, // into `materials`
#endif
#if NORMALS
    @location(4) position: vec3f, // in the frame's space
    @location(5) normal: vec3f,
    @location(6) tangent: vec4f,
#endif
#if OBJECT_ID
    @location(7) @interpolate(flat) objectId: u32,
#endif
#if SURFACE_VALUES && UVS
    @location(8) @interpolate(flat) values: vec4f,
#endif
#if VELOCITY
    @location(9) clipNow: vec3f, // x, y, w
    @location(10) clipBefore: vec3f,
#endif
#if ID_WORD
    @location(12) @interpolate(flat) idWord: u32, // kId...
#endif
}

#if UVS && !FACTORY_DETAIL
@vertex
fn vs_main(source: FactoryInput, detail: DetailInput) -> Varyings {
#else
@vertex
fn vs_main(source: FactoryInput) -> Varyings {
#endif
    let idWord = ids[fetchInstanceIndex(source)];
    let id = idWord & kIdIndexMask;
    let instance = instances[id];
    var vertex = fetchVertex(source, instance);
#if UVS && FACTORY_DETAIL
    let detail = fetchDetail(source);
#endif
#if UVS
    let material = properties[instance.materialRef + detail.part];
#endif
#if VELOCITY
    var before = vertex;
#if FACTORY_PREVIOUS
    before.position = fetchPreviousPosition(source, instance);
#endif
#if SURFACE_DISPLACE
    before = displace(DisplaceInput(before, detail.uv0, detail.uv1, detail.color, material, instance.propertyOffset, view.previousTime));
#endif
#endif
#if SURFACE_DISPLACE
    vertex = displace(DisplaceInput(vertex, detail.uv0, detail.uv1, detail.color, material, instance.propertyOffset, frame.params.x));
#endif
    var out: Varyings;
    out.clip = clipPosition(instance, vertex.position);
#if UVS
    out.uv = vec4f(detail.uv0, detail.uv1);
    out.color = detail.color;
    out.material = material;
#endif
#if NORMALS
    out.position = framePosition(instance, vertex.position);
    out.normal = frameNormal(instance, vertex.normal);
    out.tangent = frameTangent(instance, vertex.tangent);
#endif
#if OBJECT_ID
    let page = (instance.flags >> kInstanceHeapPageShift) & kInstanceHeapPageMask;
    out.objectId = ((page << 20u) | id) + 1u;
#endif
#if VELOCITY
    out.clipNow = out.clip.xyw;
    out.clipBefore = (view.previousViewProjection * vec4f(previousFramePosition(instance, id, before.position), 1.0)).xyw;
#endif
#if SURFACE_VALUES && UVS
    out.values = instanceValues(instance.propertyOffset);
#endif
#if ID_WORD
    out.idWord = idWord;
#endif
#if SELECTED_ONLY
    if ((instance.flags & kInstanceSelectedBit) == 0u) {
        out.clip = vec4f(0.0, 0.0, -1.0, 1.0); // every vertex in front of the near plane
    }
#endif
    return out;
}
