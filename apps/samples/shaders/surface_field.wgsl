// Boxes of field_source.cpp: the colour of their block, tinted for each.
#import "drawloom/render/shaders/surface.wgsl"

// PropertyLayout: the words of an instance begin with the offset of its block's words, for there is a property of that rate.
fn instanceValues(propertyOffset: u32) -> vec4f {
    let block = properties[propertyOffset];
    let tint = unpack4x8unorm(properties[propertyOffset + 1u]);
    let words = vec4u(properties[block], properties[block + 1u], properties[block + 2u], properties[block + 3u]);
    return tint * bitcast<vec4f>(words);
}

fn surface(input: SurfaceInput) -> Surface {
    var out: Surface;
    out.baseColor = input.values.rgb;
    out.alpha = 1.0;
    out.normal = select(-1.0, 1.0, input.isFront) * normalize(input.normal);
    out.roughness = 0.8;
    out.occlusion = 1.0;
    return out;
}
