// Motion of what is seen, for temporal filters and motion blur. Drawn behind the depth prepass with Equal, so that alpha has
// been tested; with depth of its own (multisampled frames) MASKED tests it here.
#flag MASKED - discard by alpha
#import "drawloom/render/shaders/velocity.wgsl"
#import "drawloom/draw/shaders/mesh_vertex.wgsl"
#if MASKED
#import "drawloom/render/shaders/mesh_fragment.wgsl"

@fragment
fn fs_main(in: Varyings, @builtin(front_facing) isFront: bool) -> @location(0) vec2f {
    if (isCutAway(maskedAlpha(in, isFront), in.material)) {
        discard;
    }
    return velocityOf(in.clipNow, in.clipBefore);
}
#else

@fragment
fn fs_main(in: Varyings) -> @location(0) vec2f {
    return velocityOf(in.clipNow, in.clipBefore);
}
#endif
