// From the varyings of a mesh pass to what a surface takes.
#flag NORMALS - the pass hands over position, normal and tangent
#flag SURFACE_VALUES - the surface has instanceValues() (the composer finds out)
#flag SURFACE_ALPHA - the surface has surfaceAlpha() (the composer finds out)
#import "drawloom/draw/shaders/mesh_vertex.wgsl"
#import "drawloom/render/shaders/surface.wgsl"
#import "@surface"

fn surfaceInput(in: Varyings, isFront: bool) -> SurfaceInput {
    var input: SurfaceInput;
    input.uv0 = in.uv.xy;
    input.uv1 = in.uv.zw;
    input.uvDx = dpdx(in.uv);
    input.uvDy = dpdy(in.uv);
    input.color = in.color;
    input.material = in.material;
    input.isFront = isFront;
#if NORMALS
    input.position = in.position;
    input.normal = in.normal;
    input.tangent = in.tangent;
#endif
#if SURFACE_VALUES
    input.values = in.values;
#endif
    return input;
}

fn isCutAway(alpha: f32, material: u32) -> bool {
    return alpha < materials[material].alphaCutoff;
}

fn alphaOfSurface(input: SurfaceInput) -> f32 {
#if SURFACE_ALPHA
    return surfaceAlpha(input);
#else
    return surface(input).alpha;
#endif
}

fn maskedAlpha(in: Varyings, isFront: bool) -> f32 {
    return alphaOfSurface(surfaceInput(in, isFront));
}
