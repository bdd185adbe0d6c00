// Widens a highlight by what the normal turns within the pixel, or it would flicker where a surface bends sharply: Tokuyoshi
// and Kaplanyan, "Improved Geometric Specular Antialiasing", I3D 2019.

const kPixelVariance: f32 = 0.15915494; // of the pixel's filter: 1 / (2 pi)
const kMaxKernelAlpha2: f32 = 0.18;

// `normal`: of the geometry, unit: that of a normal map depends on buffers, whose derivatives may be wrong at edges. In uniform
// control flow.
fn filteredRoughness(roughness: f32, normal: vec3f) -> f32 {
    let dx = dpdx(normal);
    let dy = dpdy(normal);
    let kernel = min(2.0 * kPixelVariance * (dot(dx, dx) + dot(dy, dy)), kMaxKernelAlpha2);
    let alpha = roughness * roughness;
    return sqrt(sqrt(saturate(alpha * alpha + kernel)));
}
