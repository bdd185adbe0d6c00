// What needs the compilers: naga for SPIR-V and error positions, Dawn for the lint. Run by run_composer.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { buildArchive, readManifest } from '../../tools/shaders/build.mjs';
import { load } from '../../tools/shaders/dependencies.mjs';
import { layoutStructs } from '../../tools/shaders/gpu_structs.mjs';

const kDeps = path.resolve('build/shader-tools');
const kRoot = fs.mkdtempSync(path.join(os.tmpdir(), 'drawloom-compile-'));
after(() => fs.rmSync(kRoot, { recursive: true }));
const naga = await load('naga-wasm', kDeps);

function project(wgsl) {
    fs.writeFileSync(path.join(kRoot, 'pass.wgsl'), wgsl);
    fs.writeFileSync(path.join(kRoot, 'manifest.json'), JSON.stringify({ passes: { test: { module: 'pass.wgsl', isMesh: false } } }));
    return { manifest: readManifest(path.join(kRoot, 'manifest.json'), [kRoot]), roots: [kRoot, process.cwd()], naga, requireSpirvVal: true };
}

function lint() {
    return spawnSync('node', ['tools/shaders/main.mjs', '--lint', '--manifest', path.join(kRoot, 'manifest.json'), '--out', path.join(kRoot, 'out.dlsa'), '--root', '.', '--deps', kDeps], { encoding: 'utf8' });
}

test('the same sources give the same archive', () => {
    const settings = project('@compute @workgroup_size(1)\nfn cs_main() {}\n');
    const first = buildArchive(settings);
    assert.ok(first.bytes.equals(buildArchive(settings).bytes));
    assert.equal(first.entries.length, 1);
});

test("a compiler's message names the module's own line", () => {
    const settings = project('// a comment, dropped\n\n#flag X\n#if X\nnothing\n#endif\n@compute @workgroup_size(1)\nfn cs_main() {\n    let a: u32 = missing;\n}\n');
    assert.throws(() => buildArchive(settings), /pass\.wgsl:9:18/);
});

test("naga's offsets are those that the header asserts", () => {
    const description = JSON.parse(fs.readFileSync('drawloom/resource/gpu_structs.json', 'utf8'));
    const structs = layoutStructs(description.structs);
    const wgsl = fs.readFileSync('drawloom/resource/shaders/gpu_structs.wgsl', 'utf8');
    const variables = structs.map((s, i) => `@group(0) @binding(${i}) var<${s.space === 'uniform' ? 'uniform' : 'storage, read'}> v${i}: ${s.space === 'uniform' ? s.name : `array<${s.name}>`};`);
    const uses = structs.map((s, i) => `    _ = ${s.space === 'uniform' ? `v${i}.${s.fields[0].name}` : `v${i}[0].${s.fields[0].name}`};`);
    const source = `${wgsl}\n${variables.join('\n')}\n@compute @workgroup_size(1)\nfn cs_main() {\n${uses.join('\n')}\n}\n`;
    const words = naga.translate({ from: 'wgsl', to: 'spirv', source, options: { flags: { debug: true } } });
    const found = readLayouts(words instanceof Uint32Array ? words : new Uint32Array(words.buffer, words.byteOffset, words.byteLength / 4));
    for (const struct of structs) {
        const expected = Object.fromEntries(struct.fields.map((field) => [field.name, field.offset]));
        assert.deepEqual(found.get(struct.name), expected, struct.name);
    }
});

/** Struct name -> {member: offset}, from a module with names. */
function readLayouts(words) {
    const kOpName = 5, kOpMemberName = 6, kOpMemberDecorate = 72, kOffset = 35;
    const text = (from, to) => Buffer.from(words.slice(from, to).buffer).toString('utf8').replace(/\0.*$/s, '');
    const names = new Map();
    const members = new Map();
    const member = (type, index) => {
        if (!members.has(type)) members.set(type, []);
        return (members.get(type)[index] ??= {});
    };
    for (let at = 5; at < words.length; at += words[at] >>> 16) {
        const end = at + (words[at] >>> 16);
        const code = words[at] & 0xffff;
        if (code === kOpName) names.set(words[at + 1], text(at + 2, end));
        if (code === kOpMemberName) member(words[at + 1], words[at + 2]).name = text(at + 3, end);
        if (code === kOpMemberDecorate && words[at + 3] === kOffset) member(words[at + 1], words[at + 2]).offset = words[at + 4];
    }
    return new Map([...members].map(([type, list]) => [names.get(type), Object.fromEntries(list.map((m) => [m.name, m.offset]))]));
}

test('the lint finds sampling in non-uniform control flow, which naga lets pass, at its line', () => {
    const settings = project(`#import "drawloom/render/shaders/fullscreen.wgsl"
@group(1) @binding(0) var t: texture_2d<f32>;
@group(1) @binding(1) var s: sampler;

@fragment
fn fs_main(in: FullscreenVaryings) -> @location(0) vec4f {
    var color = vec4f(0.0);
    if (in.ndc.x > 0.0) {
        color = textureSample(t, s, in.ndc);
    }
    return color;
}
`);
    buildArchive(settings);
    const result = lint();
    assert.equal(result.status, 1, result.stdout + result.stderr);
    assert.match(result.stderr, /pass\.wgsl:9:\d+: error: .*uniform control flow/);
});

test('the lint passes what is right', () => {
    project('@compute @workgroup_size(1)\nfn cs_main() {}\n');
    const result = lint();
    assert.equal(result.status, 0, result.stdout + result.stderr);
    assert.match(result.stdout, /1 modules linted/);
});

test('--check is red for a stale archive and changes nothing', () => {
    project('@compute @workgroup_size(1)\nfn cs_main() {}\n');
    const out = path.join(kRoot, 'checked.dlsa');
    const run = (...more) => spawnSync('node', ['tools/shaders/main.mjs', '--manifest', path.join(kRoot, 'manifest.json'), '--out', out, '--deps', kDeps, ...more], { encoding: 'utf8' });
    assert.equal(run('--check').status, 1);
    assert.ok(!fs.existsSync(out));
    assert.equal(run().status, 0);
    assert.equal(run('--check').status, 0);
    const bytes = fs.readFileSync(out);
    project('@compute @workgroup_size(2)\nfn cs_main() {}\n');
    const stale = run('--check');
    assert.equal(stale.status, 1);
    assert.match(stale.stderr, /checked\.dlsa is stale: run scripts\/shaders/);
    assert.ok(bytes.equals(fs.readFileSync(out)));
});

test('the committed archive is current', () => {
    execFileSync('scripts/shaders', ['--check'], { stdio: 'pipe' });
});
