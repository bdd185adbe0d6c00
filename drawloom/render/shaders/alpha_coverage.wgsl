// Alpha of masked materials as coverage of a multisampled frame, after Ben Golus, "Anti-aliased Alpha Test: The Esoteric Alpha To
// Coverage" (2017): alpha is sharpened by its change over a pixel, so that the cut is one pixel wide however near it is. The
// shader writes the sample mask itself: then one rule holds on every driver, and a depth pass needs no colour target.
// Changes of alpha come from the surface at shifted texture coordinates, not from derivatives of alpha: at the edges of triangles
// those are wrong where a driver gives helper invocations no storage buffers.
#flag NORMALS - the pass hands over position, normal and tangent
#flag SURFACE_ALPHA_TEXELS - the surface has surfaceAlphaTexels() (the composer finds out)
#import "drawloom/render/shaders/mesh_fragment.wgsl"

fn alphaAt(input: SurfaceInput, shift: vec4f) -> f32 {
    var there = input;
    there.uv0 += shift.xy;
    there.uv1 += shift.zw;
    return alphaOfSurface(there);
}

// The share of the pixel that the material covers, 0 to 1.
fn alphaCoverage(input: SurfaceInput) -> f32 {
    let alpha = alphaOfSurface(input);
    let changeX = alphaAt(input, 0.5 * input.uvDx) - alphaAt(input, -0.5 * input.uvDx);
    let changeY = alphaAt(input, 0.5 * input.uvDy) - alphaAt(input, -0.5 * input.uvDy);
    let change = max(abs(changeX) + abs(changeY), 1e-4);
    let sharp = saturate((alpha - materials[input.material].alphaCutoff) / change + 0.5);
#if SURFACE_ALPHA_TEXELS
    // Where a pixel holds several texels, filtered alpha is the covered share already; cutting it would lose thin things.
    return mix(sharp, saturate(alpha), smoothstep(1.0, 2.0, surfaceAlphaTexels(input)));
#else
    return sharp;
#endif
}

// Four samples say five shares; a pattern of 2 x 2 pixels rounds, so that the mean over a few pixels is right.
fn coverageMask(coverage: f32, pixel: vec2u) -> u32 {
    let rounding = array<f32, 4>(0.125, 0.625, 0.875, 0.375);
    let masks = array<u32, 5>(0u, 1u, 9u, 11u, 15u); // opposite samples first
    return masks[min(u32(coverage * 4.0 + rounding[(pixel.x & 1u) + 2u * (pixel.y & 1u)]), 4u)];
}
