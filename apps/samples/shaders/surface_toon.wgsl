// A shading model of a user's own: three bands of the sun's light, shadows included, and a dark rim. The surface answers as unlit
// with the colour that it shaded itself, so that the library's forward pass adds nothing.
#import "drawloom/render/shaders/shadow.wgsl"
#import "drawloom/render/shaders/surface.wgsl"

const kBands: f32 = 3.0;
const kAmbient: f32 = 0.25;
const kRimCosine: f32 = 0.25; // surfaces that are seen this much from the side are ink

fn surface(input: SurfaceInput) -> Surface {
    let normal = select(-1.0, 1.0, input.isFront) * normalize(input.normal);
    let toEye = normalize(view.eye.xyz - input.position);
    let viewDistance = dot(input.position - view.eye.xyz, lighting.viewForward.xyz);
    let sun = max(dot(normal, frame.sunDirection.xyz), 0.0) * sunVisibility(input.position, normal, viewDistance);
    let band = ceil(sun * kBands) / kBands;
    let ink = select(1.0, 0.1, dot(normal, toEye) < kRimCosine);
    var out: Surface;
    out.baseColor = materials[input.material].baseColorFactor.rgb * (kAmbient + band) * ink;
    out.alpha = 1.0;
    out.normal = normal;
    out.roughness = 1.0;
    out.occlusion = 1.0;
    out.isUnlit = true;
    return out;
}
