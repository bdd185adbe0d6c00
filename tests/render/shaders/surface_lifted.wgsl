// A surface that moves its vertices: up by the instance's own value `lift`, and in a wave along the texture's x. One flat
// colour, so that a picture tells exactly which texels it covers.
#import "drawloom/render/shaders/surface.wgsl"

fn displace(input: DisplaceInput) -> Vertex {
    var vertex = input.vertex;
    let values = vec2f(bitcast<f32>(properties[input.propertyOffset]), bitcast<f32>(properties[input.propertyOffset + 1u]));
    vertex.position.y += values.x + values.y * sin(9.0 * input.uv0.x);
    vertex.position.z += values.y * cos(7.0 * input.uv0.y);
    return vertex;
}

fn surface(input: SurfaceInput) -> Surface {
    var out: Surface;
    out.baseColor = vec3f(1.0, 0.0, 0.0);
    out.alpha = 1.0;
    out.normal = normalize(input.normal);
    out.roughness = 1.0;
    out.occlusion = 1.0;
    out.isUnlit = true;
    return out;
}
