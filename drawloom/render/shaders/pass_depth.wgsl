// Depth alone. Masked materials discard by alpha, or in multisampled frames leave out the samples that alpha does not cover; the
// passes behind test with Equal, sample by sample, so this is the only pass that has to know. All others have no fragment stage.
#flag MASKED - discard by alpha
#flag COVERAGE - with MASKED: alpha becomes coverage of four samples
#import "drawloom/draw/shaders/mesh_vertex.wgsl"
#if MASKED && !COVERAGE
#import "drawloom/render/shaders/mesh_fragment.wgsl"

@fragment
fn fs_main(in: Varyings, @builtin(front_facing) isFront: bool) {
    if (isCutAway(maskedAlpha(in, isFront), in.material)) {
        discard;
    }
}
#endif
#if MASKED && COVERAGE
#import "drawloom/render/shaders/alpha_coverage.wgsl"

@fragment
fn fs_main(in: Varyings, @builtin(front_facing) isFront: bool) -> @builtin(sample_mask) u32 {
    return coverageMask(alphaCoverage(surfaceInput(in, isFront)), vec2u(in.clip.xy));
}
#endif
