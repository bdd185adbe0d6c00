// Lit colour, linear HDR. Blended materials leave as premultiplied alpha (blend One, OneMinusSrcAlpha).
#flag MASKED - discard by alpha
#flag BLENDED - premultiplied output
#import "drawloom/render/shaders/lighting.wgsl"
#import "drawloom/render/shaders/mesh_fragment.wgsl"
#import "drawloom/render/shaders/specular_aa.wgsl"

@fragment
fn fs_main(in: Varyings, @builtin(front_facing) isFront: bool) -> @location(0) vec4f {
    var s = surface(surfaceInput(in, isFront));
    s.roughness = filteredRoughness(saturate(s.roughness), normalize(in.normal));
#if MASKED
    if (isCutAway(s.alpha, in.material)) {
        discard;
    }
#endif
    let color = lit(s, in.position, select(-1.0, 1.0, isFront) * normalize(in.normal));
#if BLENDED
    return vec4f(color * s.alpha, s.alpha);
#else
    return vec4f(color, 1.0);
#endif
}
