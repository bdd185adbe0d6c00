// The composer's language, reflection and packing, without a compiler. Run by run_composer.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { crc32, packArchive } from '../../tools/shaders/archive.mjs';
import { composeEntry, listEntries, readManifest } from '../../tools/shaders/build.mjs';
import { compose, evaluate } from '../../tools/shaders/compose.mjs';
import { layoutStruct, layoutStructs, writeHeader } from '../../tools/shaders/gpu_structs.mjs';

const kRoot = fs.mkdtempSync(path.join(os.tmpdir(), 'drawloom-composer-'));
after(() => fs.rmSync(kRoot, { recursive: true }));

function write(files) {
    for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(kRoot, name), text);
}

function composeText(files, flags = [], aliases = {}) {
    write(files);
    return compose({ main: Object.keys(files)[0], roots: [kRoot], flags: new Set(flags), aliases }).lines.map((line) => line.text).join('|');
}

function entryOf(text, flags = []) {
    write({ 'entry.wgsl': text });
    return composeEntry({ name: 'entry', main: 'entry.wgsl', flags, aliases: {} }, [kRoot]);
}

test('conditions follow the precedence of C', () => {
    const isSet = (name) => name === 'ON';
    for (const [expression, expected] of [['ON', true], ['OFF', false], ['!OFF', true], ['OFF || ON && OFF', false], ['(OFF || ON) && ON', true], ['!(ON && OFF)', true], ['!!ON', true]]) {
        assert.equal(evaluate(expression, isSet), expected, expression);
    }
    for (const broken of ['', 'ON &&', '(ON', 'ON ON', '1', 'ON & OFF', ')']) assert.throws(() => evaluate(broken, isSet), broken);
});

test('a condition keeps one of its two sides, also nested', () => {
    const text = '#flag A\n#flag B\n#if A\na\n#if B\nab\n#else\na-\n#endif\n#else\n-\n#endif\nend';
    assert.equal(composeText({ 'm.wgsl': text }), '-|end');
    assert.equal(composeText({ 'm.wgsl': text }, ['A']), 'a|a-|end');
    assert.equal(composeText({ 'm.wgsl': text }, ['A', 'B']), 'a|ab|end');
    assert.equal(composeText({ 'm.wgsl': text }, ['B']), '-|end');
});

test('an import comes once, also in a circle, and not from a side that is off', () => {
    assert.equal(composeText({ 'a.wgsl': '#import "b.wgsl"\n#import "b.wgsl"\na', 'b.wgsl': '#import "a.wgsl"\nb' }), 'b|a');
    assert.equal(composeText({ 'a.wgsl': '#flag X\n#if X\n#import "nowhere.wgsl"\n#endif\na' }), 'a');
});

test('an alias stands for the module that the permutation chose', () => {
    write({ 'chosen.wgsl': 'chosen' });
    assert.equal(composeText({ 'a.wgsl': '#import "@factory"' }, [], { '@factory': 'chosen.wgsl' }), 'chosen');
    assert.throws(() => composeText({ 'a.wgsl': '\n#import "@surface"' }), /a\.wgsl:2: this pass has no @surface/);
});

test('a factory with fetchDetail() hands over details itself, in passes that read them', () => {
    const factory = 'struct FactoryInput { @location(0) p: vec3f, }\nfn fetchInstanceIndex(input: FactoryInput) -> u32 { return 0u; }\nfn fetchVertex(input: FactoryInput, instance: InstanceRecord) -> Vertex { return Vertex(input.p, input.p, vec4f(1.0)); }\n';
    const imports = '#flag NORMALS - n\n#flag UVS - u\n#import "drawloom/draw/shaders/factory.wgsl"\n#import "drawloom/resource/shaders/library_bindings.wgsl"\n';
    write({ 'plain.wgsl': imports + factory, 'own.wgsl': imports + factory + '#if UVS\nfn fetchDetail(input: FactoryInput) -> DetailInput { return DetailInput(input.p.xy, input.p.xy, vec4f(1.0), 0u); }\n#endif\n' });
    const inputs = (factoryFile, flags) => {
        const aliases = { '@factory': factoryFile, '@surface': 'drawloom/render/shaders/surface_standard.wgsl' };
        const entry = { name: 'entry', main: 'drawloom/draw/shaders/mesh_vertex.wgsl', flags, aliases };
        return composeEntry(entry, [kRoot, process.cwd()]).reflection.vertexInputs.map((input) => input.location);
    };
    assert.deepEqual(inputs('plain.wgsl', ['UVS']), [0, 3, 4, 5, 6]);
    assert.deepEqual(inputs('own.wgsl', ['UVS']), [0]);
    assert.deepEqual(inputs('own.wgsl', []), [0]);
});

test('comments and empty lines do not reach the compiler', () => {
    assert.equal(composeText({ 'a.wgsl': '// one\n\na // two\n   ' }), 'a');
});

test('a mistake is shown at its file and line', () => {
    const cases = [
        ['x\n#if NAME\n#endif', /m\.wgsl:2: flag "NAME" is not declared/],
        ['#flag A\n#if A || NAME\n#endif', /m\.wgsl:2: flag "NAME" is not declared/],
        ['#else', /m\.wgsl:1: #else without #if/],
        ['#flag A\n#if A\n#else\n#else\n#endif', /m\.wgsl:4: #else without #if/],
        ['#endif', /m\.wgsl:1: #endif without #if/],
        ['x\n#flag A\n#if A\ny', /m\.wgsl:3: #if without #endif/],
        ['#flag a', /m\.wgsl:1: #flag needs a name in capitals/],
        ['#flag A\n#if A A\n#endif', /m\.wgsl:2: #if A A: "A" is not expected here/],
        ['#define A 1', /m\.wgsl:1: unknown directive #define/],
        ['#import <a>', /m\.wgsl:1: #import needs a path in double quotes/],
        ['\n#import "nowhere.wgsl"', /m\.wgsl:2: no module "nowhere\.wgsl" in /],
        ['a /* b */', /m\.wgsl:1: block comments/],
    ];
    for (const [text, expected] of cases) assert.throws(() => composeText({ 'm.wgsl': text }), expected, text);
});

const kVertex = '@vertex\nfn vs_main() -> @builtin(position) vec4f { return vec4f(used()); }\n';

test('what no entry point reaches is dropped, with its bindings', () => {
    const entry = entryOf(`@group(0) @binding(0) var<uniform> a: vec4f;\n@group(0) @binding(1) var<uniform> b: vec4f;\nfn used() -> f32 { return a.x; }\nfn unused() -> f32 { return b.x; }\n${kVertex}`);
    assert.ok(!entry.wgsl.includes('unused') && !entry.wgsl.includes('> b'));
    assert.deepEqual(entry.reflection.bindings.map((b) => b.name), ['a']);
});

test('a member of the same name as a variable does not keep it', () => {
    const entry = entryOf(`struct S { b: f32, }\n@group(0) @binding(0) var<uniform> s: S;\n@group(0) @binding(1) var<uniform> b: vec4f;\nfn used() -> f32 { return s.b; }\n${kVertex}`);
    assert.deepEqual(entry.reflection.bindings.map((binding) => binding.name), ['s']);
});

test('bindings know their types and the stages that reach them through functions', () => {
    const entry = entryOf(`struct T { x: f32, }
@group(0) @binding(0) var<uniform> u: vec4f;
@group(0) @binding(1) var<storage, read> r: array<T>;
@group(0) @binding(2) var<storage, read_write> w: array<u32>;
@group(1) @binding(0) var loaded: texture_2d<f32>;
@group(1) @binding(1) var sampled: texture_2d<f32>;
@group(1) @binding(2) var linear: sampler;
@group(1) @binding(3) var shadow: texture_depth_2d;
@group(1) @binding(4) var compare: sampler_comparison;
@group(1) @binding(5) var integers: texture_2d<u32>;
@group(1) @binding(6) var image: texture_storage_2d<rgba16float, write>;
@group(1) @binding(7) var layers: texture_2d_array<f32>;
fn used() -> f32 { return u.x + r[0].x; }
${kVertex}
fn look(p: vec2f) -> f32 { w[0] = textureLoad(integers, vec2i(p), 0).x; textureStore(image, vec2i(p), vec4f(1.0)); return textureLoad(loaded, vec2i(p), 0).x + textureSampleCompare(shadow, compare, p, 0.5); }
@fragment
fn fs_main(@builtin(position) p: vec4f) -> @location(0) vec4f { return textureSample(sampled, linear, p.xy) + textureSample(layers, linear, p.xy, 0) + look(p.xy) + u; }
`);
    const found = Object.fromEntries(entry.reflection.bindings.map((b) => [b.name, `${b.type} ${b.stages}`]));
    assert.deepEqual(found, { u: 'uniform 3', r: 'read-only-storage 1', w: 'storage 2', loaded: 'unfilterable 2', sampled: 'sampled 2', linear: 'filtering 2', shadow: 'depth 2', compare: 'comparison 2', integers: 'uint 2', image: 'storage-texture 2', layers: 'sampled 2' });
    assert.equal(entry.reflection.bindings.find((b) => b.name === 'layers').dimension, 1);
    assert.equal(entry.reflection.bindings.find((b) => b.name === 'image').format, 5);
});

test('vertex inputs and outputs are found in structs and lists of parameters', () => {
    const entry = entryOf(`struct A { @builtin(vertex_index) i: u32, @location(3) uv: vec2<f32>, @location(1) @interpolate(flat) id: vec4u, }
struct O { @location(1) b: u32, @location(0) a: vec4f, }
@vertex
fn vs_main(a: A, @location(0) position: vec3f) -> @builtin(position) vec4f { return vec4f(position, a.uv.x); }
@fragment
fn fs_main() -> O { return O(1u, vec4f(0.0)); }
`);
    assert.deepEqual(entry.reflection.vertexInputs.map((v) => [v.location, v.name, v.kind, v.componentCount]), [[0, 'position', 'float', 3], [1, 'id', 'uint', 4], [3, 'uv', 'float', 2]]);
    assert.deepEqual(entry.reflection.fragmentOutputs.map((v) => [v.location, v.kind, v.componentCount]), [[0, 'float', 4], [1, 'uint', 1]]);
    assert.equal(entry.reflection.stages, 3);
});

test('a workgroup size may be a constant', () => {
    const entry = entryOf('const kSize: u32 = 32u;\n@compute @workgroup_size(kSize, 2)\nfn cs_main() {}\n');
    assert.deepEqual(entry.reflection.workgroupSize, [32, 2, 1]);
});

test('mistakes in declarations name both places', () => {
    assert.throws(() => entryOf(`fn used() -> f32 { return 1.0; }\nfn used() -> f32 { return 1.0; }\n${kVertex}`), /entry\.wgsl:2: "used" is declared at entry\.wgsl:1 already/);
    assert.throws(() => entryOf('fn other() {}\n'), /none of the entry points/);
    assert.throws(() => entryOf('fn vs_main() {}\n'), /vs_main must be a @vertex entry point/);
    assert.throws(() => entryOf('@vertex\nfn vs_main() {\n'), /entry\.wgsl:1: this declaration does not end/);
    assert.throws(() => entryOf(`@group(0) @binding(0) var<uniform> a: vec4f;\n@group(0) @binding(0) var<uniform> b: vec4f;\nfn used() -> f32 { return a.x + b.x; }\n${kVertex}`), /b and a both are group 0 binding 0/);
    assert.throws(() => entryOf(`fn used() -> f32 { return 1.0; }\n${kVertex}`, ['TYPO']), /declares the flag TYPO/);
});

function manifestOf(content) {
    write({ 'manifest.json': JSON.stringify(content) });
    return readManifest(path.join(kRoot, 'manifest.json'), [kRoot]);
}

test('the budget holds at exactly its number of modules', () => {
    const passes = (count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, { module: 'm', isMesh: false }]));
    assert.equal(listEntries(manifestOf({ passes: passes(64) })).length, 64);
    assert.throws(() => listEntries(manifestOf({ passes: passes(65) })), /65 modules, the budget is 64/);
    assert.throws(() => listEntries(manifestOf({ budget: 1000, passes: passes(65) })), /the budget is 64/);
    assert.throws(() => listEntries(manifestOf({ budget: 2, passes: passes(3) })), /3 modules, the budget is 2/);
});

test('a manifest is pass x factory x surface, narrowed where a pass says so', () => {
    const base = { factories: { f: 'f', g: 'g' }, surfaces: { s: 's', t: 't' } };
    const names = (passes) => listEntries(manifestOf({ ...base, passes })).map((entry) => entry.name);
    assert.deepEqual(names({ p: { module: 'm' } }), ['p.f.s', 'p.f.t', 'p.g.s', 'p.g.t']);
    assert.deepEqual(names({ p: { module: 'm', factories: ['g'], surfaces: ['t'] } }), ['p.g.t']);
    assert.throws(() => names({ p: { module: 'm', surfaces: ['u'] } }), /pass "p" names surface "u"/);
    assert.throws(() => names({ p: {} }), /pass "p" has no "module"/);
    assert.throws(() => manifestOf({ pases: {} }), /unknown key "pases"/);
    assert.throws(() => listEntries(manifestOf({ factories: { f: 'f' }, passes: { p: { module: 'm' } } })), /pass "p" gets no entry: there are no surfaces/);
    assert.throws(() => listEntries(manifestOf({ surfaces: { s: 's' }, passes: { p: { module: 'm' } } })), /there are no factories/);
});

test('an extending manifest inherits mesh passes and factories, not surfaces', () => {
    write({ 'base.json': JSON.stringify({ factories: { f: 'f' }, surfaces: { s: 's' }, passes: { p: { module: 'm' }, q: { module: 'm' }, sky: { module: 'm', isMesh: false } } }) });
    const names = (more) => listEntries(manifestOf({ extends: 'base.json', surfaces: { mine: 'x' }, ...more })).map((entry) => entry.name);
    assert.deepEqual(names({}), ['p.f.mine', 'q.f.mine']);
    assert.deepEqual(names({ inherit: ['q'] }), ['q.f.mine']);
    assert.throws(() => names({ inherit: ['sky'] }), /the mesh passes there are p, q/);
    assert.throws(() => manifestOf({ extends: 'nowhere.json' }), /no manifest "nowhere\.json"/);
});

function packable(name, spirvWord) {
    return { name, wgsl: `// ${name}`, spirv: Buffer.from(Uint32Array.of(0x07230203, 0, 0, 0, spirvWord).buffer), reflection: { stages: 1, vertexInputs: [], fragmentOutputs: [], bindings: [], workgroupSize: [0, 0, 0] } };
}

test('the same entries give the same bytes in any order, other entries others', () => {
    const [a, b, c] = [packable('a', 1), packable('b', 2), packable('c', 3)];
    assert.ok(packArchive([a, b, c]).equals(packArchive([c, a, b])));
    assert.ok(!packArchive([a, b, c]).equals(packArchive([a, b, packable('c', 4)])));
    assert.equal(packArchive([a]).length % 8, 0);
});

test('crc32 is the one of zlib', () => {
    assert.equal(crc32(Buffer.from('123456789')), 0xcbf43926);
});

test('a struct may hold structs described before it, and arrays of them', () => {
    const inner = { name: 'Inner', bytes: 32, space: 'uniform', fields: [{ name: 'a', type: 'vec4f' }, { name: 'b', type: 'vec4f' }] };
    const outer = { name: 'Outer', bytes: 112, space: 'uniform', fields: [{ name: 'n', type: 'u32' }, { name: 'one', type: 'Inner' }, { name: 'two', type: 'array<Inner,2>' }] };
    assert.deepEqual(layoutStructs([inner, outer])[1].fields.map((field) => field.offset), [0, 16, 48]);
    assert.throws(() => layoutStructs([outer, inner]), /Outer\.one: unknown type "Inner"/);
    const header = writeHeader({ constants: [], bits: [], structs: [inner, outer] });
    assert.match(header, /Inner one;\n.*std::array<Inner, 2> two = \{\};/);
});

test('a struct whose fields do not fill its stated size is refused', () => {
    const struct = { name: 'S', bytes: 32, space: 'storage', fields: [{ name: 'a', type: 'vec3f' }, { name: 'b', type: 'f32' }, { name: 'c', type: 'u32' }] };
    assert.deepEqual(layoutStruct(struct).fields.map((field) => field.offset), [0, 12, 16]);
    assert.throws(() => layoutStruct({ ...struct, bytes: 20 }), /S: fields take 32 bytes, 20 are stated/);
    assert.throws(() => layoutStruct({ ...struct, fields: [{ name: 'a', type: 'float' }] }), /S\.a: unknown type "float"/);
    assert.match(writeHeader({ constants: [], bits: [], structs: [struct] }), /static_assert\(offsetof\(S, c\) == 16\)/);
});
