// Which instance covers a pixel, for picking: (heap page << 20 | index in the page) + 1; 0 is nothing.
#flag MASKED - discard by alpha
#import "drawloom/draw/shaders/mesh_vertex.wgsl"
#if MASKED
#import "drawloom/render/shaders/mesh_fragment.wgsl"

@fragment
fn fs_main(in: Varyings, @builtin(front_facing) isFront: bool) -> @location(0) u32 {
    if (isCutAway(maskedAlpha(in, isFront), in.material)) {
        discard;
    }
    return in.objectId;
}
#else

@fragment
fn fs_main(in: Varyings) -> @location(0) u32 {
    return in.objectId;
}
#endif
