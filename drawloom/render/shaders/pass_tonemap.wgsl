// HDR to display: exposure, then the Khronos PBR Neutral tone mapper (Khronos Group, "PBR Neutral Tone Mapping
// Specification", 2024). Writes linear values; the sRGB target encodes them. Debug views pass unchanged.
#import "drawloom/render/shaders/fullscreen.wgsl"
#import "drawloom/resource/shaders/library_bindings.wgsl"

@group(1) @binding(0) var hdr: texture_2d<f32>;

const kFresnel90: f32 = 0.04; // what a dielectric adds to its base colour
const kCompressionStart: f32 = 0.8 - kFresnel90;
const kDesaturation: f32 = 0.15;

fn pbrNeutral(radiance: vec3f) -> vec3f {
    let low = min(radiance.r, min(radiance.g, radiance.b));
    let offset = select(kFresnel90, low - low * low / (4.0 * kFresnel90), low < 2.0 * kFresnel90);
    let color = radiance - vec3f(offset);
    let peak = max(color.r, max(color.g, color.b));
    if (peak < kCompressionStart) {
        return color;
    }
    let room = 1.0 - kCompressionStart;
    let newPeak = 1.0 - room * room / (peak + room - kCompressionStart);
    let white = 1.0 - 1.0 / (kDesaturation * (peak - newPeak) + 1.0);
    return mix(color * (newPeak / peak), vec3f(newPeak), white);
}

@fragment
fn fs_main(in: FullscreenVaryings) -> @location(0) vec4f {
    let color = max(textureLoad(hdr, vec2i(in.clip.xy), 0).rgb, vec3f(0.0));
    let mapped = select(color, pbrNeutral(color * frame.params.y), view.debugMode == kDebugNone);
    return vec4f(mapped, 1.0);
}
