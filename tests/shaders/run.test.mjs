// What the library's shaders compute, run on Dawn and held against plain JavaScript. Run by run_composer.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bufferOf, identity4, kVertexBuffers, libraryGroups, libraryLayouts, moduleOf, openDevice, packStruct, readBuffer, readTexture, sphereMesh } from './gpu_fixture.mjs';

const device = await openDevice();
after(() => setTimeout(() => process.exit(), 200).unref()); // Dawn's threads would keep node alive

function randomOf(seed) {
    let state = seed >>> 0;
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 32;
    };
}

const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => a.map((x) => x / Math.hypot(...a));
const snorm = (x) => Math.max(x / 32767, -1);

function unpackOctahedral(word) {
    const [x, y] = [snorm((word << 16) >> 16), snorm(word >> 16)];
    const z = 1 - Math.abs(x) - Math.abs(y);
    if (z >= 0) return unit([x, y, z]);
    return unit([(1 - Math.abs(y)) * (x < 0 ? -1 : 1), (1 - Math.abs(x)) * (y < 0 ? -1 : 1), z]);
}

// Two meshes' worth of data, of which the job takes the second: offsets must count.
function deformInputs(random, vertexCount, jointCount) {
    const signed = () => random() * 2 - 1;
    const list = (length, make) => Array.from({ length }, make);
    const source = 37, total = source + vertexCount;
    const direction = () => unit([signed(), signed(), signed()]);
    return {
        source, vertexCount,
        positions: Float32Array.from(list(total * 3, () => signed() * 2)),
        normals: Int16Array.from(list(total, () => [...direction(), 0, ...direction(), random() < 0.5 ? -1 : 1]).flat(), (x) => Math.round(x * 32767)),
        joints: Float32Array.from(list((jointCount + 2) * 12, signed)),
        jointIndices: list(vertexCount * 8, () => Math.floor(random() * jointCount)),
        weights: list(vertexCount * 8, () => Math.floor(random() * 8000)),
        morph: Float32Array.from(list(11 + 2 * vertexCount * 9, () => signed() * 0.2)),
        morphWeights: Float32Array.of(9, 9, 0.75, -0.5),
    };
}

function deformReference(d, vertex) {
    const at = d.source + vertex;
    let p = [...d.positions.slice(at * 3, at * 3 + 3)];
    const shorts = [...d.normals.slice(at * 8, at * 8 + 8)].map(snorm);
    let n = shorts.slice(0, 3), t = shorts.slice(4, 7);
    for (let target = 0; target < 2; ++target) {
        const word = 11 + (target * d.vertexCount + vertex) * 9;
        const add = (v, offset) => v.map((x, i) => x + d.morphWeights[2 + target] * d.morph[word + offset + i]);
        [p, n, t] = [add(p, 0), add(n, 3), add(t, 6)];
    }
    const rows = new Array(12).fill(0);
    let sum = 0;
    for (let k = 0; k < 8; ++k) {
        const weight = d.weights[vertex * 8 + k] / 65535;
        sum += weight;
        for (let i = 0; i < 12; ++i) rows[i] += weight * d.joints[(2 + d.jointIndices[vertex * 8 + k]) * 12 + i];
    }
    const [a, b, c] = [0, 4, 8].map((i) => rows.slice(i, i + 4).map((x) => x / sum));
    const m = [a, b, c].map((row) => row.slice(0, 3));
    const sign = dot(m[0], cross(m[1], m[2])) < 0 ? -1 : 1;
    const cofactors = [cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])];
    return {
        position: [a, b, c].map((row) => dot(row, [...p, 1])),
        normal: unit(cofactors.map((row) => sign * dot(row, n))),
        tangent: unit(m.map((row) => dot(row, t))),
        sign: shorts[7] < 0 ? -1 : 1,
    };
}

function flatReference(d, vertex) {
    const expected = deformReference(d, vertex);
    const [a, b, c] = [0, 1, 2].map((corner) => deformReference(d, vertex - (vertex % 3) + corner).position);
    const normal = unit(cross(b.map((x, i) => x - a[i]), c.map((x, i) => x - a[i])));
    return { ...expected, normal: dot(normal, expected.normal) < 0 ? normal.map((x) => -x) : normal };
}

async function checkDeform(vertexCount, flags, reference) {
    const seed = Date.now() % 1e6;
    const random = randomOf(seed);
    const d = deformInputs(random, vertexCount, 5);
    const skin = new Uint16Array((3 + vertexCount * 2) * 8);
    for (let v = 0; v < vertexCount; ++v) {
        for (let k = 0; k < 8; ++k) {
            const record = (3 + v * 2 + (k >> 2)) * 8;
            skin[record + (k & 3)] = d.jointIndices[v * 8 + k];
            skin[record + 4 + (k & 3)] = d.weights[v * 8 + k];
        }
    }
    const job = packStruct('DeformJob', { sourceVertex: d.source, vertexCount, outWord: 20, jointOffset: 2, skinOffset: 3, morphOffset: 11, morphTargetCount: 2, morphWeightOffset: 2, flags });
    const output = bufferOf(device, new Uint32Array(20 + vertexCount * 5 + 20).fill(0xabcdef01), GPUBufferUsage.STORAGE);
    const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module: moduleOf(device, 'deform'), entryPoint: 'cs_main' } });
    const storage = [d.positions, d.normals, skin, d.joints, d.morph, d.morphWeights].map((data) => bufferOf(device, data, GPUBufferUsage.STORAGE));
    const groups = [[bufferOf(device, job, GPUBufferUsage.UNIFORM)], [...storage, output]].map((buffers, i) => device.createBindGroup({ layout: pipeline.getBindGroupLayout(i), entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })) }));
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    groups.forEach((group, i) => pass.setBindGroup(i, group));
    pass.dispatchWorkgroups(1, 3); // laid out in y, as a mesh too large for x would be
    pass.end();
    device.queue.submit([encoder.finish()]);
    const result = await readBuffer(device, output);
    const [words, floats, ints] = [new Uint32Array(result), new Float32Array(result), new Int32Array(result)];
    for (let v = 0; v < vertexCount; ++v) {
        const expected = reference(d, v);
        const at = 20 + v * 5;
        expected.position.forEach((x, i) => assert.ok(Math.abs(x - floats[at + i]) < 1e-4 * (1 + Math.abs(x)), `seed ${seed} vertex ${v} position ${i}: ${floats[at + i]}, expected ${x}`));
        assert.ok(dot(unpackOctahedral(ints[at + 3]), expected.normal) > 1 - 1e-6, `seed ${seed} vertex ${v} normal`);
        assert.ok(dot(unpackOctahedral(ints[at + 4] & ~1), expected.tangent) > 1 - 1e-6, `seed ${seed} vertex ${v} tangent`);
        assert.equal(words[at + 4] & 1 ? -1 : 1, expected.sign, `seed ${seed} vertex ${v} sign`);
    }
    assert.ok(words.slice(0, 20).every((word) => word === 0xabcdef01) && words.slice(20 + vertexCount * 5).every((word) => word === 0xabcdef01), 'words outside of the job were written');
}

test('deform morphs, skins with eight influences and packs, within its own words', () => checkDeform(130, 31, deformReference)); // two full workgroups and a part
test('deform gives flat triangles the normals of what they became', () => checkDeform(132, 63, flatReference));

function pbrNeutral(color) {
    const x = Math.min(...color);
    const offset = x < 0.08 ? x - 6.25 * x * x : 0.04;
    const c = color.map((v) => v - offset);
    const peak = Math.max(...c);
    if (peak < 0.76) return c;
    const newPeak = 1 - (0.24 * 0.24) / (peak + 0.24 - 0.76);
    const g = 1 / (0.15 * (peak - newPeak) + 1);
    return c.map((v) => newPeak + g * ((v * newPeak) / peak - newPeak));
}

async function tonemap(colors, exposure, debugMode) {
    const module = moduleOf(device, 'tonemap');
    const pipeline = device.createRenderPipeline({ layout: 'auto', vertex: { module }, fragment: { module, targets: [{ format: 'rgba32float' }] } });
    const size = [colors.length, 1];
    const hdr = device.createTexture({ size, format: 'rgba32float', usage: GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST });
    device.queue.writeTexture({ texture: hdr }, Float32Array.from(colors.flatMap((c) => [...c, 1])), { bytesPerRow: size[0] * 16 }, size);
    const target = device.createTexture({ size, format: 'rgba32float', usage: GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC });
    const uniform = (data) => ({ buffer: bufferOf(device, data, GPUBufferUsage.UNIFORM) });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginRenderPass({ colorAttachments: [{ view: target.createView(), loadOp: 'clear', storeOp: 'store' }] });
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries: [{ binding: 0, resource: uniform(packStruct('FrameUniforms', { params: [0, exposure, 0, 0] })) }, { binding: 1, resource: uniform(packStruct('ViewUniforms', { debugMode })) }] }));
    pass.setBindGroup(1, device.createBindGroup({ layout: pipeline.getBindGroupLayout(1), entries: [{ binding: 0, resource: hdr.createView() }] }));
    pass.draw(3);
    pass.end();
    device.queue.submit([encoder.finish()]);
    return new Float32Array(await readTexture(device, target, 16));
}

test('tonemap is PBR Neutral after exposure, and leaves debug views alone', async () => {
    const colors = [[0, 0, 0], [0.02, 0.05, 0.07], [0.5, 0.4, 0.3], [0.79, 0.79, 0.79], [1, 0.5, 0.1], [4, 4, 4], [20, 1, 0.5], [0.1, 100, 0.1]];
    while (colors.length < 16) colors.push([0.25, 0.25, 0.25]);
    const mapped = await tonemap(colors, 0.5, 0);
    colors.forEach((color, i) => pbrNeutral(color.map((x) => x * 0.5)).forEach((x, k) => assert.ok(Math.abs(x - mapped[i * 4 + k]) < 1e-5, `${color}: channel ${k} is ${mapped[i * 4 + k]}, expected ${x}`)));
    const untouched = await tonemap(colors, 0.5, 3);
    colors.forEach((color, i) => color.forEach((x, k) => assert.ok(Math.abs(x - untouched[i * 4 + k]) < 1e-5)));
});

const kSize = 64;
const kMesh = sphereMesh(0.8, 16, 24);

/** Orthographic along -z: clip = (x, y, reversed depth of z in -2..2). */
const kOrthographic = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0.25, 0, 0, 0, 0.5, 1];

function sceneOf(more = {}) {
    const material = { baseColorFactor: [0.5, 0.25, 0.125, 1], metallicFactor: 0, roughnessFactor: 1, normalScale: 1, occlusionStrength: 1, uvMatrix: Array.from({ length: 5 }, () => [1, 0, 0, 1]), ...more.material };
    const instance = { row0: [1, 0, 0, 0], row1: [0, 1, 0, 0], row2: [0, 0, 1, -100], materialRef: 2, flags: (3 << 27) | 7, ...more.instance };
    const frame = { sunDirection: [0, 0, 1, 0], sunColor: [Math.PI, Math.PI, Math.PI, 0], params: [0, 1, 0, 1], ...more.frame };
    const cells = Array.from({ length: 256 }, (_, i) => [0, 0, i === 7 ? 100 : 1e6, 0]); // the cell's origin brings the sphere to the eye
    const instances = new Uint8Array(6 * 64);
    instances.set(packStruct('InstanceRecord', instance), 5 * 64);
    const materials = new Uint8Array(3 * 192);
    materials.set(packStruct('MaterialParams', material), 2 * 192);
    return {
        frame: packStruct('FrameUniforms', { cellOrigins: cells, ...frame }),
        view: packStruct('ViewUniforms', { viewProjection: kOrthographic, inverseViewProjection: identity4, eye: [0, 0, 50, 0], ...more.view }),
        instances, ids: Uint32Array.of(9, 5), materials, properties: Uint32Array.of(0, 0, 2, 0, 0),
        textures: more.textures ?? [[255, 255, 255, 255], [255, 255, 255, 255], [128, 128, 255, 255], [255, 255, 255, 255], [255, 255, 255, 255]],
        deform: more.deform, lighting: more.lighting,
    };
}

/** Depth prepass with one entry, colour with depth "equal" by another; returns the colour's texels. */
async function drawPrepassed(depthName, colorName, scene, format, bytesPerTexel, { frontFace = 'ccw', cullMode = 'back' } = {}) {
    const layouts = libraryLayouts(device);
    const groups = libraryGroups(device, layouts, scene);
    const layout = device.createPipelineLayout({ bindGroupLayouts: layouts });
    const pipelineOf = (name, depth, targets) => {
        const module = moduleOf(device, name);
        const used = new Set(module.reflection.vertexInputs.map((input) => input.location));
        const buffers = kVertexBuffers.map((buffer) => (buffer.attributes.some((a) => used.has(a.shaderLocation)) ? buffer : null));
        const fragment = module.reflection.stages & 2 ? { module, entryPoint: 'fs_main', targets } : undefined;
        return device.createRenderPipeline({ layout, vertex: { module, entryPoint: 'vs_main', buffers }, fragment, primitive: { cullMode, frontFace }, depthStencil: { format: 'depth32float', ...depth } });
    };
    const pipelines = [pipelineOf(depthName, { depthWriteEnabled: true, depthCompare: 'greater-equal' }, []), pipelineOf(colorName, { depthWriteEnabled: false, depthCompare: 'equal' }, [{ format }])];
    const texture = (f) => device.createTexture({ size: [kSize, kSize], format: f, usage: GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC });
    const [depth, color] = [texture('depth32float'), texture(format)];
    const encoder = device.createCommandEncoder();
    const vertexBuffers = [kMesh.position, kMesh.normal, kMesh.uv].map((data) => bufferOf(device, data, GPUBufferUsage.VERTEX));
    const indexBuffer = bufferOf(device, kMesh.indices, GPUBufferUsage.INDEX);
    pipelines.forEach((pipeline, i) => {
        const depthStencilAttachment = { view: depth.createView(), depthLoadOp: i ? 'load' : 'clear', depthStoreOp: 'store', depthClearValue: 0 };
        const pass = encoder.beginRenderPass({ colorAttachments: i ? [{ view: color.createView(), loadOp: 'clear', storeOp: 'store' }] : [], depthStencilAttachment });
        pass.setPipeline(pipeline);
        groups.forEach((group, k) => pass.setBindGroup(k, group));
        vertexBuffers.forEach((buffer, k) => pass.setVertexBuffer(k, buffer));
        pass.setIndexBuffer(indexBuffer, 'uint32');
        pass.drawIndexed(kMesh.indices.length, 1, 0, 0, 1); // firstInstance 1: id 5
        pass.end();
    });
    device.queue.submit([encoder.finish()]);
    return readTexture(device, color, bytesPerTexel);
}

const kCentre = (kSize / 2) * kSize + kSize / 2;
const covered = (texels) => Array.from({ length: kSize * kSize }, (_, i) => texels[i * 4 + 3] !== 0).filter(Boolean).length;

test('object ids name page and index, through the cell and the id list', async () => {
    const texels = new Uint32Array(await drawPrepassed('depth.rigid.standard', 'object_id.rigid.standard', sceneOf(), 'r32uint', 4));
    assert.equal(texels[kCentre], ((3 << 20) | 5) + 1);
    assert.equal(texels[0], 0);
    const count = texels.filter((id) => id !== 0).length;
    const expected = Math.PI * (0.8 * kSize / 2) ** 2;
    assert.ok(Math.abs(count - expected) < 0.05 * expected, `${count} texels, a disc has ${expected}`);
});

test('a lit sphere has the diffuse and specular light of the formula at its centre', async () => {
    const texels = new Float32Array(await drawPrepassed('depth.rigid.standard', 'forward.rigid.standard', sceneOf(), 'rgba32float', 16));
    // n = v = l = h, roughness 1: D = 1 / pi, V = 1 / 4, F = 0.04; the light is pi.
    [0.5, 0.25, 0.125].forEach((base, i) => {
        const expected = 0.96 * base + 0.04 * 0.25;
        assert.ok(Math.abs(texels[kCentre * 4 + i] - expected) < 0.01, `channel ${i}: ${texels[kCentre * 4 + i]}, expected ${expected}`);
    });
    assert.equal(texels[kCentre * 4 + 3], 1);
});

/** The sphere as the pass deform would have written it from word 20 on. */
function deformedSphere() {
    const words = new Uint32Array(20 + kMesh.vertexCount * 5);
    const floats = new Float32Array(words.buffer);
    const octahedral = (n) => {
        const sum = Math.abs(n[0]) + Math.abs(n[1]) + Math.abs(n[2]);
        let [x, y] = [n[0] / sum, n[1] / sum];
        if (n[2] < 0) [x, y] = [(1 - Math.abs(y)) * (x < 0 ? -1 : 1), (1 - Math.abs(x)) * (y < 0 ? -1 : 1)];
        return (Math.round(x * 32767) & 0xffff) | (Math.round(y * 32767) << 16);
    };
    for (let v = 0; v < kMesh.vertexCount; ++v) {
        floats.set(kMesh.position.slice(v * 3, v * 3 + 3), 20 + v * 5);
        words[20 + v * 5 + 3] = octahedral([...kMesh.normal.slice(v * 8, v * 8 + 3)]);
        words[20 + v * 5 + 4] = octahedral([...kMesh.normal.slice(v * 8 + 4, v * 8 + 7)]) & ~1;
    }
    return words;
}

test('both vertex factories cover the same texels, in depth and colour alike', async () => {
    const rigid = new Float32Array(await drawPrepassed('depth.rigid.standard', 'forward.rigid.standard', sceneOf(), 'rgba32float', 16));
    const scene = sceneOf({ instance: { deformOffset: 20 }, deform: deformedSphere() });
    const deformed = new Float32Array(await drawPrepassed('depth.deformed.standard', 'forward.deformed.standard', scene, 'rgba32float', 16));
    assert.ok(covered(rigid) > 1000);
    assert.equal(covered(deformed), covered(rigid));
    const worst = Math.max(...rigid.map((x, i) => Math.abs(x - deformed[i])));
    assert.ok(worst < 0.005, `colours differ by ${worst}`);
});

test('masked materials vanish below their cutoff and stay at it', async () => {
    const draw = (cutoff) => drawPrepassed('depth_masked.rigid.standard', 'forward_masked.rigid.standard', sceneOf({ material: { baseColorFactor: [1, 1, 1, 0.5], alphaCutoff: cutoff, flags: 128 } }), 'rgba32float', 16);
    assert.equal(covered(new Float32Array(await draw(0.51))), 0);
    assert.ok(covered(new Float32Array(await draw(0.5))) > 1000);
});

test('unlit materials show their colour, blended ones are premultiplied', async () => {
    const scene = sceneOf({ material: { baseColorFactor: [0.5, 0.25, 1, 0.5], flags: 32 | 256 } });
    const texels = new Float32Array(await drawPrepassed('depth.rigid.standard', 'forward_blended.rigid.standard', scene, 'rgba32float', 16));
    assert.deepEqual([...texels.slice(kCentre * 4, kCentre * 4 + 4)], [0.25, 0.125, 0.5, 0.5]);
});

test('occlusion dims ambient light by its strength, emission adds', async () => {
    // The sun is off, the environment's irradiance white.
    const ambient = { frame: { sunColor: [0, 0, 0, 0] }, lighting: packStruct('LightUniforms', { irradiance: [[1, 1, 1, 0]], environmentParams: [1, 0, 1, 0] }) };
    const white = [255, 255, 255, 255], flat = [128, 128, 255, 255];
    const drawWith = async (textures, material) => new Float32Array(await drawPrepassed('depth.rigid.standard', 'forward.rigid.standard', sceneOf({ ...ambient, textures, material }), 'rgba32float', 16));
    const open = await drawWith([white, white, flat, white, white], {});
    const dim = await drawWith([white, white, flat, [0, 0, 0, 255], white], { occlusionStrength: 0.5 });
    assert.ok(open[kCentre * 4] > 0.4 && Math.abs(dim[kCentre * 4] / open[kCentre * 4] - 0.5) < 1e-3);
    const glowing = await drawWith([white, white, flat, [0, 0, 0, 255], [255, 0, 255, 255]], { emissiveFactor: [2, 2, 2] });
    assert.deepEqual([...glowing.slice(kCentre * 4, kCentre * 4 + 3)].map((x) => Math.round(x * 1000)), [2000, 0, 2000]);
});

test('each texture has its own transform and set of coordinates', async () => {
    const white = [255, 255, 255, 255], flat = [128, 128, 255, 255];
    const halves = [255, 0, 0, 255, 0, 255, 0, 255]; // red where u' = 0.25, green where u' = 0.75
    const identity = [1, 0, 0, 1], none = [0, 0, 0, 0];
    const isRed = async (slot, matrix, offset, usesUv1 = 0) => {
        const textures = [white, white, flat, white, white].map((row, i) => (i === slot ? halves : row));
        const offsets = new Array(12).fill(0);
        offsets.splice(slot * 2, 2, ...offset);
        const material = { baseColorFactor: slot === 0 ? [1, 1, 1, 1] : [0, 0, 0, 1], emissiveFactor: slot === 4 ? [1, 1, 1] : [0, 0, 0], uvMatrix: Array.from({ length: 5 }, (_, i) => (i === slot ? matrix : none)), uvOffset: offsets, flags: (slot === 0 ? 32 : 0) | (usesUv1 << slot) };
        const scene = sceneOf({ textures, material, frame: { sunColor: [0, 0, 0, 0] } });
        const texels = new Float32Array(await drawPrepassed('depth.rigid.standard', 'forward.rigid.standard', scene, 'rgba32float', 16));
        const [red, green] = texels.slice(kCentre * 4, kCentre * 4 + 2);
        assert.ok(Math.abs(red - green) > 0.9, `${red} ${green}`);
        return red > green;
    };
    for (const slot of [0, 4]) {
        assert.equal(await isRed(slot, none, [0.25, 0]), true, 'offset');
        assert.equal(await isRed(slot, none, [0.75, 0]), false, 'offset');
        // At the centre uv0 is (0.75, 0.5) and uv1 (0, 0).
        assert.equal(await isRed(slot, [0, 1.5, 0.5, 0], [0, 0]), true, "u' takes v by the third number");
        assert.equal(await isRed(slot, identity, [0, 0]), false);
        assert.equal(await isRed(slot, identity, [0.25, 0], 1), true, 'uv1');
    }
});

test('a mirrored instance keeps its outward normals', async () => {
    const scene = sceneOf({ instance: { row0: [-1, 0, 0, 0], flags: (3 << 27) | 7 | (1 << 24) }, view: { debugMode: 3 } });
    const texels = new Float32Array(await drawPrepassed('depth.rigid.standard', 'debug.rigid.standard', scene, 'rgba32float', 16, { frontFace: 'cw' }));
    assert.ok(Math.abs(texels[kCentre * 4 + 2] - 1) < 0.01, 'the centre faces the eye');
    const right = kCentre + kSize / 4;
    assert.ok(texels[right * 4] > 0.6, 'the right side faces right');
});

test('the back of a surface turns its normal towards the eye', async () => {
    const scene = sceneOf({ view: { debugMode: 3 } });
    const texels = new Float32Array(await drawPrepassed('depth.rigid.standard', 'debug.rigid.standard', scene, 'rgba32float', 16, { cullMode: 'front' }));
    assert.ok(Math.abs(texels[kCentre * 4 + 2] - 1) < 0.01);
});

test('a smooth metal reflects the sun by GGX and Smith', async () => {
    // Blue holds metalness, green roughness: base colour as F0, alpha = 0.49, n = v = l: D = 1 / (pi alpha^2), V = 1 / 4.
    const textures = [[255, 255, 255, 255], [0, 179, 255, 255], [128, 128, 255, 255], [255, 255, 255, 255], [255, 255, 255, 255]];
    const material = { metallicFactor: 1, roughnessFactor: 1 };
    const texels = new Float32Array(await drawPrepassed('depth.rigid.standard', 'forward.rigid.standard', sceneOf({ textures, material }), 'rgba32float', 16));
    const alpha = (179 / 255) ** 2;
    [0.5, 0.25, 0.125].forEach((f0, i) => {
        const expected = f0 / (alpha * alpha) / 4;
        assert.ok(Math.abs(texels[kCentre * 4 + i] / expected - 1) < 0.03, `channel ${i}: ${texels[kCentre * 4 + i]}, expected ${expected}`);
    });
});

/** The shading normal at the sphere's centre for a texel of the normal map. */
async function normalAt(texel, { flags = 64, entry = 'rigid', ...more } = {}) {
    const white = [255, 255, 255, 255];
    const { state, ...scene } = more;
    const texels = await drawPrepassed(`depth.${entry}.standard`, `debug.${entry}.standard`, sceneOf({ view: { debugMode: 3 }, material: { flags }, textures: [white, white, texel, white, white], ...scene }), 'rgba32float', 16, state);
    return [...new Float32Array(texels).slice(kCentre * 4, kCentre * 4 + 3)].map((x) => x * 2 - 1);
}

test('a normal map bends the normal along tangent and bitangent, its back side is reversed', async () => {
    // The sphere's centre has phi = 270 degrees: its normal is +z, its tangent +x, so its bitangent +y.
    assert.ok((await normalAt([255, 128, 128, 255]))[0] > 0.98);
    assert.ok((await normalAt([128, 255, 128, 255]))[1] > 0.98);
    // Seen from inside, the far half's centre: normal -z, tangent -x, bitangent +y; all turned around.
    const inside = { state: { cullMode: 'front' } };
    assert.ok((await normalAt([255, 128, 128, 255], inside))[0] > 0.98);
    assert.ok((await normalAt([128, 255, 128, 255], inside))[1] < -0.98);
    assert.ok((await normalAt([128, 128, 255, 255], inside))[2] > 0.98);
    // The deformed factory unpacks tangent and sign alike.
    const deformed = { entry: 'deformed', instance: { deformOffset: 20 }, deform: deformedSphere() };
    assert.ok((await normalAt([255, 128, 128, 255], deformed))[0] > 0.98);
    assert.ok((await normalAt([128, 255, 128, 255], deformed))[1] > 0.98);
});
