// Depth alone. Masked materials discard by alpha; all others have no fragment stage.
#flag MASKED - discard by alpha
#import "drawloom/draw/shaders/mesh_vertex.wgsl"
#if MASKED
#import "drawloom/render/shaders/mesh_fragment.wgsl"

@fragment
fn fs_main(in: Varyings, @builtin(front_facing) isFront: bool) {
    if (isCutAway(maskedAlpha(in, isFront), in.material)) {
        discard;
    }
}
#endif
