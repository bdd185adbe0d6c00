// An equirectangular picture onto the first level of a cube. Each texel is the mean of 4 x 4 points, read at the level of the
// picture whose texels are as far apart. One dispatch: a workgroup's z is the face.
#import "drawloom/render/shaders/environment_cube.wgsl"

@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var pictureSampler: sampler; // repeats in u
@group(0) @binding(2) var cube: texture_storage_2d_array<rgba16float, write>;

const kPointsPerAxis: u32 = 4u;

@compute @workgroup_size(8, 8)
fn cs_main(@builtin(global_invocation_id) id: vec3u) {
    let size = textureDimensions(cube).x;
    if (any(id.xy >= vec2u(size))) {
        return;
    }
    let pointRadians = kPi / 2.0 / f32(size * kPointsPerAxis);
    let level = max(log2(pointRadians / (kPi / f32(textureDimensions(picture).y))), 0.0);
    var sum = vec3f(0.0);
    for (var i = 0u; i < kPointsPerAxis * kPointsPerAxis; i++) {
        let inTexel = (vec2f(vec2u(i % kPointsPerAxis, i / kPointsPerAxis)) + 0.5) / f32(kPointsPerAxis);
        let direction = normalize(faceDirection(id.z, (vec2f(id.xy) + inTexel) / f32(size)));
        sum += textureSampleLevel(picture, pictureSampler, equirectPoint(direction), level).rgb;
    }
    textureStore(cube, id.xy, id.z, vec4f(sum / f32(kPointsPerAxis * kPointsPerAxis), 1.0));
}
