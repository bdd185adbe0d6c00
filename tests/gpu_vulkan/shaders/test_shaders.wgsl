// Shaders of the Vulkan backend's tests; build.mjs makes test_shaders_spirv.h from them. Each part behind a line of dashes
// becomes a module with the first part in front: SwiftShader crashes when a module declares a texture in a group that the
// pipeline's layout lacks, even if the entry point does not use it.

struct Varying {
    @builtin(position) position: vec4f,
    @location(0) uv: vec2f,
    @location(1) color: vec4f,
}

// ----------------------------------------
// A counter-clockwise triangle over the top left quarter of the picture's corner.
@vertex
fn vsCorner(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4f {
    var corners = array<vec2f, 3>(vec2f(-1.0, 1.0), vec2f(-1.0, 0.0), vec2f(0.0, 1.0));
    return vec4f(corners[vertex], 0.5, 1.0);
}

@fragment
fn fsWhite() -> @location(0) vec4f {
    return vec4f(1.0);
}

@vertex
fn vsFull(@builtin(vertex_index) vertex: u32) -> Varying {
    let uv = vec2f(f32((vertex << 1u) & 2u), f32(vertex & 2u));
    return Varying(vec4f(uv.x * 2.0 - 1.0, 1.0 - uv.y * 2.0, 0.5, 1.0), uv, vec4f(1.0));
}

// One column of four per instance, coloured by the whole instance index.
@group(0) @binding(0) var<storage, read> instanceColors: array<vec4f>;
@vertex
fn vsColumn(@builtin(vertex_index) vertex: u32, @builtin(instance_index) instance: u32) -> Varying {
    let corner = vec2f(f32(vertex & 1u), f32(vertex >> 1u));
    let x = (f32(instance) + corner.x) * 0.5 - 1.0;
    return Varying(vec4f(x, corner.y * 2.0 - 1.0, 0.5, 1.0), corner, instanceColors[instance]);
}

@vertex
fn vsBuffers(@location(0) position: vec3f, @location(1) color: vec4f, @location(2) offset: vec2f) -> Varying {
    return Varying(vec4f(position + vec3f(offset, 0.0), 1.0), vec2f(0.0), color);
}

@fragment
fn fsColor(in: Varying) -> @location(0) vec4f {
    return in.color;
}

@group(0) @binding(0) var<uniform> uniformColor: vec4f;
@fragment
fn fsUniform(in: Varying) -> @location(0) vec4f {
    return uniformColor;
}

@group(1) @binding(0) var<uniform> secondColor: vec4f;
@fragment
fn fsTwoGroups(in: Varying) -> @location(0) vec4f {
    return uniformColor + secondColor;
}

// ----------------------------------------
@group(0) @binding(0) var<uniform> level: vec4f;
@group(0) @binding(1) var image: texture_2d<f32>;
@group(0) @binding(2) var imageSampler: sampler;
@fragment
fn fsTexture(in: Varying) -> @location(0) vec4f {
    return textureSampleLevel(image, imageSampler, in.uv, level.x);
}

// ----------------------------------------
@group(0) @binding(0) var depthImage: texture_depth_2d;
@fragment
fn fsDepthRead(in: Varying) -> @location(0) vec4f {
    let depth = textureLoad(depthImage, vec2i(in.position.xy), 0);
    return vec4f(depth, 0.0, 0.0, 1.0);
}

// ----------------------------------------
@group(0) @binding(0) var<storage, read_write> numbers: array<u32>;
@compute @workgroup_size(64)
fn csDouble(@builtin(global_invocation_id) id: vec3u) {
    if id.x < arrayLength(&numbers) {
        numbers[id.x] = numbers[id.x] * 2u + id.x;
    }
}

// Draw arguments {indexCount, instanceCount, firstIndex, baseVertex, firstInstance} for columns 1 and 3.
@compute @workgroup_size(2)
fn csArguments(@builtin(global_invocation_id) id: vec3u) {
    let base = id.x * 5u;
    numbers[base] = 6u;
    numbers[base + 1u] = 1u;
    numbers[base + 2u] = 0u;
    numbers[base + 3u] = 0u;
    numbers[base + 4u] = 1u + id.x * 2u;
}

// ----------------------------------------
@group(0) @binding(0) var painted: texture_storage_2d<rgba8unorm, write>;
@compute @workgroup_size(4, 4)
fn csPaint(@builtin(global_invocation_id) id: vec3u) {
    textureStore(painted, id.xy, vec4f(f32(id.x) / 255.0, f32(id.y) / 255.0, 1.0, 1.0));
}

// ----------------------------------------
@group(0) @binding(0) var<storage, read_write> samples: array<vec4f>;
@group(0) @binding(1) var cubeImage: texture_cube<f32>;
@group(0) @binding(2) var arrayImage: texture_2d_array<f32>;
@group(0) @binding(3) var volumeImage: texture_3d<f32>;
@group(0) @binding(4) var pointSampler: sampler;
@compute @workgroup_size(1)
fn csDimensions() {
    samples[0] = textureSampleLevel(cubeImage, pointSampler, vec3f(1.0, 0.1, 0.1), 0.0);
    samples[1] = textureSampleLevel(cubeImage, pointSampler, vec3f(-1.0, 0.1, 0.1), 0.0);
    samples[2] = textureSampleLevel(cubeImage, pointSampler, vec3f(0.1, 1.0, 0.1), 0.0);
    samples[3] = textureSampleLevel(cubeImage, pointSampler, vec3f(0.1, -1.0, 0.1), 0.0);
    samples[4] = textureSampleLevel(cubeImage, pointSampler, vec3f(0.1, 0.1, 1.0), 0.0);
    samples[5] = textureSampleLevel(cubeImage, pointSampler, vec3f(0.1, 0.1, -1.0), 0.0);
    for (var layer = 0; layer < 3; layer++) {
        samples[6 + layer] = textureSampleLevel(arrayImage, pointSampler, vec2f(0.5), layer, 0.0);
    }
    for (var slice = 0; slice < 3; slice++) {
        samples[9 + slice] = textureSampleLevel(volumeImage, pointSampler, vec3f(0.5, 0.5, (f32(slice) + 0.5) / 3.0), 0.0);
    }
}
