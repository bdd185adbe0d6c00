// Runs the library's composed shaders on Dawn (SwiftShader): structs by name, buffers, one small scene. Used by run.test.mjs.
import fs from 'node:fs';
import path from 'node:path';
import { composeEntry, listEntries, readManifest } from '../../tools/shaders/build.mjs';
import { load } from '../../tools/shaders/dependencies.mjs';
import { layoutStructs } from '../../tools/shaders/gpu_structs.mjs';
import { chooseDriver } from '../../tools/shaders/lint.mjs';

const kManifest = 'drawloom/render/shaders/builtin.json';
const kRoots = ['.'];
const kStructs = new Map(layoutStructs(JSON.parse(fs.readFileSync('drawloom/resource/gpu_structs.json', 'utf8')).structs).map((s) => [s.name, s]));
const kEntries = listEntries(readManifest(kManifest, kRoots));

export async function openDevice() {
    chooseDriver();
    const webgpu = await load('webgpu', path.resolve('build/shader-tools'));
    Object.assign(globalThis, webgpu.globals);
    const gpu = webgpu.create([]);
    const adapter = await gpu.requestAdapter();
    if (!adapter) throw new Error('Dawn finds no adapter: install chromium for its SwiftShader');
    const device = await adapter.requestDevice();
    device.gpuInstance = gpu; // must outlive the device
    device.addEventListener('uncapturederror', (event) => {
        console.error(event.error.message);
        process.exitCode = 1;
    });
    return device;
}

export function moduleOf(device, name) {
    const composed = composeEntry(kEntries.find((entry) => entry.name === name), kRoots);
    return Object.assign(device.createShaderModule({ label: name, code: composed.wgsl }), { reflection: composed.reflection });
}

/** Bytes of a struct; fields that are not named are zero. u32 fields take integers, all others numbers. */
export function packStruct(name, values) {
    const struct = kStructs.get(name);
    const view = new DataView(new ArrayBuffer(struct.bytes));
    for (const [key, value] of Object.entries(values)) {
        const field = struct.fields.find((candidate) => candidate.name === key);
        if (!field) throw new Error(`${name} has no ${key}`);
        [value].flat(2).forEach((x, i) => (field.type === 'u32' ? view.setUint32(field.offset + 4 * i, x >>> 0, true) : view.setFloat32(field.offset + 4 * i, x, true)));
    }
    return new Uint8Array(view.buffer);
}

export function bufferOf(device, data, usage) {
    const bytes = new Uint8Array(data.buffer ?? data, data.byteOffset ?? 0, data.byteLength);
    const buffer = device.createBuffer({ size: Math.max(16, Math.ceil(bytes.length / 4) * 4), usage: usage | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC });
    device.queue.writeBuffer(buffer, 0, bytes);
    return buffer;
}

export async function readBuffer(device, buffer) {
    const copy = device.createBuffer({ size: buffer.size, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(buffer, 0, copy, 0, buffer.size);
    device.queue.submit([encoder.finish()]);
    await copy.mapAsync(GPUMapMode.READ);
    return copy.getMappedRange().slice(0);
}

/** Texels of a texture whose rows are multiples of 256 bytes. */
export async function readTexture(device, texture, bytesPerTexel) {
    const bytesPerRow = texture.width * bytesPerTexel;
    const buffer = device.createBuffer({ size: bytesPerRow * texture.height, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC });
    const encoder = device.createCommandEncoder();
    encoder.copyTextureToBuffer({ texture }, { buffer, bytesPerRow }, [texture.width, texture.height]);
    device.queue.submit([encoder.finish()]);
    return readBuffer(device, buffer);
}

export const identity4 = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** A sphere of radius `r` in the three vertex streams, counter-clockwise from outside. */
export function sphereMesh(r, rings, segments) {
    const positions = [], normals = [], uvs = [], indices = [];
    for (let i = 0; i <= rings; ++i) {
        for (let j = 0; j <= segments; ++j) {
            const theta = (Math.PI * i) / rings, phi = (2 * Math.PI * j) / segments;
            const n = [Math.sin(theta) * Math.cos(phi), Math.cos(theta), -Math.sin(theta) * Math.sin(phi)];
            positions.push(...n.map((x) => x * r));
            normals.push(...n, 0, -Math.sin(phi), 0, -Math.cos(phi), 1);
            uvs.push([j / segments, i / rings]);
        }
    }
    for (let i = 0; i < rings; ++i) {
        for (let j = 0; j < segments; ++j) {
            const a = i * (segments + 1) + j, b = a + segments + 1;
            indices.push(a, b, a + 1, a + 1, b, b + 1);
        }
    }
    const uvStream = new DataView(new ArrayBuffer(uvs.length * 24));
    uvs.forEach(([u, v], i) => {
        uvStream.setFloat32(i * 24, u, true);
        uvStream.setFloat32(i * 24 + 4, v, true);
        uvStream.setUint32(i * 24 + 16, 0xffffffff, true);
    });
    const snorm = Int16Array.from(normals, (x) => Math.round(x * 32767));
    return { position: Float32Array.from(positions), normal: snorm, uv: new Uint8Array(uvStream.buffer), indices: Uint32Array.from(indices), vertexCount: uvs.length };
}

export const kVertexBuffers = [
    { arrayStride: 12, attributes: [{ shaderLocation: 0, offset: 0, format: 'float32x3' }] },
    { arrayStride: 16, attributes: [{ shaderLocation: 1, offset: 0, format: 'snorm16x4' }, { shaderLocation: 2, offset: 8, format: 'snorm16x4' }] },
    { arrayStride: 24, attributes: [{ shaderLocation: 3, offset: 0, format: 'float32x2' }, { shaderLocation: 4, offset: 8, format: 'float32x2' }, { shaderLocation: 5, offset: 16, format: 'unorm8x4' }, { shaderLocation: 6, offset: 20, format: 'uint32' }] },
];

/** Layouts of groups 0, 2 and 3 as LibraryBindings has them, of group 1 as Lighting has it. */
export function libraryLayouts(device) {
    const buffer = (binding, visibility, type) => ({ binding, visibility, buffer: { type } });
    const [v, f] = [GPUShaderStage.VERTEX, GPUShaderStage.FRAGMENT];
    const frameView = device.createBindGroupLayout({ entries: [buffer(0, v | f, 'uniform'), buffer(1, v | f, 'uniform')] });
    const lighting = device.createBindGroupLayout({
        entries: [
            buffer(0, f, 'uniform'),
            { binding: 1, visibility: f, texture: { sampleType: 'depth', viewDimension: '2d-array' } },
            { binding: 2, visibility: f, sampler: { type: 'comparison' } },
            { binding: 3, visibility: f, texture: { viewDimension: 'cube' } },
            { binding: 4, visibility: f, sampler: {} },
            { binding: 5, visibility: f, texture: {} },
        ],
    });
    const textures = device.createBindGroupLayout({ entries: Array.from({ length: 10 }, (_, binding) => (binding < 5 ? { binding, visibility: f, texture: {} } : { binding, visibility: f, sampler: {} })) });
    const library = device.createBindGroupLayout({ entries: [0, 1, 2, 3, 4, 5].map((binding) => buffer(binding, binding === 2 ? v | f : v, 'read-only-storage')) });
    return [frameView, lighting, textures, library];
}

/** Group 1 without shadows and environment: textures are zero until written. */
function neutralLighting(device, uniforms) {
    const usage = GPUTextureUsage.TEXTURE_BINDING;
    const view = (layers, format, dimension) => device.createTexture({ size: [1, 1, layers], format, usage }).createView({ dimension });
    const linear = { magFilter: 'linear', minFilter: 'linear', mipmapFilter: 'linear' };
    return [
        { buffer: bufferOf(device, uniforms, GPUBufferUsage.UNIFORM) },
        view(1, 'depth32float', '2d-array'),
        device.createSampler({ ...linear, compare: 'greater-equal' }),
        view(6, 'rgba16float', 'cube'),
        device.createSampler(linear),
        view(1, 'rgba16float', '2d'),
    ];
}

/** Bind groups of one frame; `scene`: frame, view, instances, ids, materials, properties, deform (bytes each),
 *  textures (one row of rgba8 texels each). */
export function libraryGroups(device, layouts, scene) {
    const uniform = (data) => ({ buffer: bufferOf(device, data, GPUBufferUsage.UNIFORM) });
    const storage = (data) => ({ buffer: data instanceof GPUBuffer ? data : bufferOf(device, data, GPUBufferUsage.STORAGE) });
    const group = (layout, resources) => device.createBindGroup({ layout, entries: resources.map((resource, binding) => ({ binding, resource })) });
    const textures = scene.textures.map((row) => {
        const size = [row.length / 4, 1];
        const texture = device.createTexture({ size, format: 'rgba8unorm', usage: GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST });
        device.queue.writeTexture({ texture }, Uint8Array.from(row), {}, size);
        return texture.createView();
    });
    const samplers = textures.map(() => device.createSampler({ magFilter: 'linear', minFilter: 'linear' }));
    return [
        group(layouts[0], [uniform(scene.frame), uniform(scene.view)]),
        group(layouts[1], neutralLighting(device, scene.lighting ?? packStruct('LightUniforms', {}))),
        group(layouts[2], [...textures, ...samplers]),
        group(layouts[3], [scene.instances, scene.ids, scene.materials, scene.properties, scene.deform ?? new Uint32Array(8), new Float32Array(12)].map(storage)),
    ];
}
