// Debug views, chosen by ViewUniforms.debugMode (kDebug...). Overdraw is meant for additive blending (One, One) without depth
// writes; FrameUniforms.params.w scales it.
#flag MASKED - discard by alpha
#import "drawloom/render/shaders/mesh_fragment.wgsl"
#import "drawloom/resource/shaders/texture_set.wgsl"

// Bits well mixed (Jarzynski and Olano, "Hash Functions for GPU Rendering", JCGT 2020: pcg).
fn hash(value: u32) -> u32 {
    let state = value * 747796405u + 2891336453u;
    let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

// What broke the draw from the one before it, in the order of JoinBreak: first draw grey, pipeline red, texture set orange, heap page
// violet, geometry page blue, mesh range green, dynamic batch yellow, joining off white (docs/debugging.md). Its draws differ by how
// bright they are.
fn batchColor(idWord: u32) -> vec3f {
    var colors = array<vec3f, 8>(vec3f(0.45, 0.45, 0.45), vec3f(0.95, 0.06, 0.05), vec3f(0.95, 0.40, 0.02), vec3f(0.55, 0.10, 0.80),
        vec3f(0.06, 0.20, 0.95), vec3f(0.06, 0.75, 0.12), vec3f(0.90, 0.80, 0.05), vec3f(0.95, 0.95, 0.95));
    let bits = hash((idWord >> kIdDrawShift) & kIdDrawMask);
    return (0.3 + 0.7 * f32(bits & 255u) / 255.0) * colors[(idWord >> kIdBreakShift) & kIdBreakMask];
}

// LOD 0 to 7: white, green, cyan, blue, violet, red, orange, yellow (docs/debugging.md).
fn lodColor(lod: u32) -> vec3f {
    var colors = array<vec3f, 8>(vec3f(0.80, 0.80, 0.80), vec3f(0.10, 0.70, 0.12), vec3f(0.05, 0.65, 0.70), vec3f(0.06, 0.15, 0.85),
        vec3f(0.55, 0.08, 0.75), vec3f(0.85, 0.05, 0.05), vec3f(0.90, 0.35, 0.02), vec3f(0.85, 0.75, 0.02));
    return colors[lod];
}

// Texels to a pixel along the longer axis of its footprint, as an isotropic sampler counts: log2 is the mip level that is
// taken, 0 where one texel of the finest mip meets one pixel. Four mips of unused detail are full blue, a texel that fills
// 4 x 4 pixels is full red.
fn mipColor(input: SurfaceInput) -> vec3f {
    let at = materialUv(input, kTextureBaseColor);
    let size = vec2f(textureDimensions(baseColorTexture));
    let texels = max(length(at.dx * size), length(at.dy * size));
    let level = log2(max(texels, 1e-6));
    let green = vec3f(0.05, 0.75, 0.05);
    let detailed = mix(green, vec3f(0.02, 0.05, 0.90), clamp(level / 4.0, 0.0, 1.0));
    let color = mix(detailed, vec3f(0.90, 0.02, 0.02), clamp(-level / 2.0, 0.0, 1.0));
    return select(vec3f(0.2), color, materialHas(input.material, 1u << (kMaterialTexturePresentShift + kTextureBaseColor)));
}

// Enough of the light to see shapes by.
fn shade(s: Surface) -> f32 {
    return 0.65 + 0.35 * dot(s.normal, frame.sunDirection.xyz);
}

fn debugColor(s: Surface, input: SurfaceInput, in: Varyings) -> vec3f {
    switch view.debugMode {
        case kDebugBatches: {
            return batchColor(in.idWord) * shade(s);
        }
        case kDebugOverdraw: {
            return vec3f(0.10, 0.04, 0.01) * frame.params.w;
        }
        case kDebugNormals: {
            return 0.5 + 0.5 * s.normal;
        }
        case kDebugLod: {
            return lodColor((in.idWord >> kIdLodShift) & kIdLodMask) * shade(s);
        }
        case kDebugMips: {
            return mipColor(input) * shade(s);
        }
        default: {
            return s.baseColor;
        }
    }
}

@fragment
fn fs_main(in: Varyings, @builtin(front_facing) isFront: bool) -> @location(0) vec4f {
    let input = surfaceInput(in, isFront);
    let s = surface(input);
#if MASKED
    if (isCutAway(s.alpha, in.material)) {
        discard;
    }
#endif
    return vec4f(debugColor(s, input, in), 1.0);
}
