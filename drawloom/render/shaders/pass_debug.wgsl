// Debug views, chosen by ViewUniforms.debugMode (kDebug...). Overdraw is meant for additive blending (One, One) without depth
// writes; FrameUniforms.params.w scales it.
#flag MASKED - discard by alpha
#import "drawloom/render/shaders/mesh_fragment.wgsl"

// Bits well mixed (Jarzynski and Olano, "Hash Functions for GPU Rendering", JCGT 2020: pcg).
fn hash(value: u32) -> u32 {
    let state = value * 747796405u + 2891336453u;
    let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

fn batchColor(batch: u32) -> vec3f {
    let bits = hash(batch);
    return 0.15 + 0.85 * vec3f(vec3u(bits, bits >> 8u, bits >> 16u) & vec3u(255u)) / 255.0;
}

fn debugColor(s: Surface, batch: u32) -> vec3f {
    switch view.debugMode {
        case kDebugBatches: {
            return batchColor(batch) * (0.65 + 0.35 * dot(s.normal, frame.sunDirection.xyz));
        }
        case kDebugOverdraw: {
            return vec3f(0.10, 0.04, 0.01) * frame.params.w;
        }
        case kDebugNormals: {
            return 0.5 + 0.5 * s.normal;
        }
        default: {
            return s.baseColor;
        }
    }
}

@fragment
fn fs_main(in: Varyings, @builtin(front_facing) isFront: bool) -> @location(0) vec4f {
    let s = surface(surfaceInput(in, isFront));
#if MASKED
    if (isCutAway(s.alpha, in.material)) {
        discard;
    }
#endif
    return vec4f(debugColor(s, in.batch), 1.0);
}
