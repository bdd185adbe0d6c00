// A water surface: vertices move up and down, the colour follows a value of the instance.
#import "drawloom/render/shaders/surface.wgsl"

fn displace(input: DisplaceInput) -> Vertex {
    var vertex = input.vertex;
    vertex.position.y += 0.1 * sin(input.time + 4.0 * vertex.position.x);
    return vertex;
}

fn instanceValues(propertyOffset: u32) -> vec4f {
    return unpack4x8unorm(properties[propertyOffset]);
}

fn surface(input: SurfaceInput) -> Surface {
    var out: Surface;
    out.baseColor = input.values.rgb;
    out.alpha = 1.0;
    out.normal = normalize(input.normal);
    out.roughness = 0.1;
    out.occlusion = 1.0;
    return out;
}
