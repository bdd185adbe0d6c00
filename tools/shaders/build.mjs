// Manifest -> composed, compiled, checked entries -> archive. One entry = pass x factory x surface.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { packArchive } from './archive.mjs';
import { compose, findModule, ShaderError } from './compose.mjs';
import { fixSampleMask } from './sample_mask.mjs';
import { indexByName, kStages, parseDeclarations, reach, reflect } from './wgsl.mjs';

/** A library's archive may hold this many modules; a manifest may state less. */
export const kModuleBudget = 64;

const kHooks = { displace: 'SURFACE_DISPLACE', surfaceAlpha: 'SURFACE_ALPHA', surfaceAlphaTexels: 'SURFACE_ALPHA_TEXELS', instanceValues: 'SURFACE_VALUES' };
const kFactoryHooks = { fetchDetail: 'FACTORY_DETAIL', fetchPreviousPosition: 'FACTORY_PREVIOUS' };
const kStreamFlags = ['NORMALS', 'UVS'];

function parseJson(file) {
    try {
        return JSON.parse(fs.readFileSync(file, 'utf8'));
    } catch (error) {
        throw new ShaderError(file, 0, error.message);
    }
}

/** Takes factories and mesh passes (all, or those that "inherit" lists) of the manifest that `manifest` extends. */
function extend(manifest, file, roots) {
    const baseFile = findModule(manifest.extends, roots);
    if (!baseFile) throw new ShaderError(file, 0, `no manifest "${manifest.extends}" in ${roots.join(', ')}`);
    const base = readManifest(baseFile, roots);
    const meshPasses = Object.keys(base.passes).filter((name) => base.passes[name].isMesh !== false);
    const passes = {};
    for (const name of manifest.inherit ?? meshPasses) {
        if (!meshPasses.includes(name)) throw new ShaderError(file, 0, `"inherit" names "${name}"; the mesh passes there are ${meshPasses.join(', ')}`);
        passes[name] = base.passes[name];
    }
    return { ...manifest, factories: { ...base.factories, ...manifest.factories }, passes: { ...passes, ...manifest.passes } };
}

export function readManifest(file, roots) {
    const manifest = parseJson(file);
    const known = ['about', 'extends', 'inherit', 'factories', 'surfaces', 'passes', 'budget'];
    for (const key of Object.keys(manifest)) if (!known.includes(key)) throw new ShaderError(file, 0, `unknown key "${key}"; there are ${known.join(', ')}`);
    const whole = manifest.extends ? extend(manifest, file, roots) : manifest;
    return { factories: {}, surfaces: {}, passes: {}, budget: kModuleBudget, ...whole, file };
}

/** The entries that a manifest asks for: {name, main, flags, aliases}. */
export function listEntries(manifest) {
    const entries = [];
    const pick = (all, wanted, pass, what) => (wanted === undefined ? Object.keys(all) : wanted).map((name) => {
        if (!all[name]) throw new ShaderError(manifest.file, 0, `pass "${pass}" names ${what} "${name}", which the manifest does not have`);
        return [name, all[name]];
    });
    for (const [name, pass] of Object.entries(manifest.passes)) {
        if (!pass.module) throw new ShaderError(manifest.file, 0, `pass "${name}" has no "module"`);
        const base = { main: pass.module, flags: pass.flags ?? [] };
        if (pass.isMesh === false) {
            entries.push({ ...base, name, aliases: {} });
            continue;
        }
        const before = entries.length;
        for (const [factoryName, factory] of pick(manifest.factories, pass.factories, name, 'factory')) {
            for (const [surfaceName, surface] of pick(manifest.surfaces, pass.surfaces, name, 'surface')) {
                entries.push({ ...base, name: `${name}.${factoryName}.${surfaceName}`, aliases: { '@factory': factory, '@surface': surface } });
            }
        }
        if (entries.length === before) {
            const what = Object.keys(manifest.factories).length === 0 ? 'factories' : 'surfaces';
            throw new ShaderError(manifest.file, 0, `pass "${name}" gets no entry: there are no ${what} ` +
                '(glTF materials have the surface "standard": "drawloom/render/shaders/surface_standard.wgsl")');
        }
    }
    const budget = Math.min(manifest.budget, kModuleBudget);
    if (entries.length > budget) {
        throw new ShaderError(manifest.file, 0, `${entries.length} modules, the budget is ${budget}: fewer passes, factories or surfaces, or a flag that becomes a branch`);
    }
    return entries;
}

/** Tells whether a module defines a function; for a module that is not there, always no. */
function functionsOf(module, roots) {
    const file = module && findModule(module, roots);
    if (!file) return () => false; // compose() reports it with the line that imports it
    const text = fs.readFileSync(file, 'utf8').replace(/\/\/.*$/gm, '');
    return (name) => new RegExp(`\\bfn\\s+${name}\\s*\\(`).test(text);
}

/** Which optional functions a surface and a factory have decides flags, so that nobody states it twice. */
function hookFlags(entry, roots) {
    const { '@surface': surface, '@factory': factory } = entry.aliases;
    if (!surface || !findModule(surface, roots)) return [];
    const flagsOf = (hooks, has) => Object.entries(hooks).filter(([hook]) => has(hook)).map(([, flag]) => flag);
    const has = functionsOf(surface, roots);
    const flags = [...flagsOf(kHooks, has), ...flagsOf(kFactoryHooks, functionsOf(factory, roots))];
    // displace() may read every stream; so may surface() where a masked pass has to call all of it.
    if (has('displace') || (entry.flags.includes('MASKED') && !has('surfaceAlpha'))) flags.push(...kStreamFlags);
    return flags;
}

/** Composes one entry and drops what its entry points do not reach. */
export function composeEntry(entry, roots) {
    const flags = new Set([...entry.flags, ...hookFlags(entry, roots)]);
    const composed = compose({ main: entry.main, roots, flags, aliases: entry.aliases });
    for (const flag of entry.flags) {
        if (!composed.declaredFlags.has(flag)) throw new ShaderError(entry.main, 0, `no module of "${entry.name}" declares the flag ${flag} that its pass sets`);
    }
    const declarations = parseDeclarations(composed.lines);
    const byName = indexByName(declarations);
    const reached = reach(byName, Object.values(kStages).map((stage) => stage.entry));
    if (reached.size === 0) throw new ShaderError(entry.main, 0, `"${entry.name}" has none of the entry points vs_main, fs_main, cs_main`);
    const kept = declarations.filter((declaration) => reached.has(declaration.name));
    const lines = kept.flatMap((declaration) => declaration.lines);
    return { ...entry, lines, files: composed.files, reflection: reflect(kept), wgsl: lines.map((line) => line.text).join('\n') + '\n' };
}

/** A compiler's message about composed WGSL, with its positions turned into the files' own. */
export function mapPosition(composed, line, column) {
    const origin = composed.lines[line - 1];
    return origin ? `${origin.file}:${origin.line}:${column}` : `${composed.name}:${line}:${column}`;
}

function compile(naga, composed) {
    try {
        // The clip space stays WebGPU's (y up); the Vulkan backend flips its viewport instead.
        const flags = { adjustCoordinateSpace: false, debug: false, labelVaryings: false };
        const spirv = naga.translate({ from: 'wgsl', to: 'spirv', source: composed.wgsl, options: { flags } });
        return fixSampleMask(Buffer.from(spirv.buffer, spirv.byteOffset, spirv.byteLength));
    } catch (error) {
        const report = (error.formatted ?? error.message).replace(/wgsl:(\d+):(\d+)/g, (_, line, column) => mapPosition(composed, Number(line), column));
        throw new ShaderError(composed.name, 0, report);
    }
}

function validateSpirv(composed, spirv, isRequired) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'drawloom-shaders-'));
    const file = path.join(folder, 'module.spv');
    try {
        fs.writeFileSync(file, spirv);
        execFileSync('spirv-val', ['--target-env', 'vulkan1.1', file], { stdio: ['ignore', 'ignore', 'pipe'] });
    } catch (error) {
        if (error.code !== 'ENOENT') throw new ShaderError(composed.name, 0, `spirv-val: ${error.stderr?.toString().trim()}`);
        if (isRequired) throw new Error('spirv-val is missing (Debian package spirv-tools)');
    } finally {
        fs.rmSync(folder, { recursive: true });
    }
}

/** Returns {bytes, entries, files}; `naga` is the npm module naga-wasm. */
export function buildArchive({ manifest, roots, naga, requireSpirvVal = false }) {
    const entries = listEntries(manifest).map((entry) => {
        const composed = composeEntry(entry, roots);
        const spirv = compile(naga, composed);
        validateSpirv(composed, spirv, requireSpirvVal);
        return { ...composed, spirv };
    });
    const files = [...new Set(entries.flatMap((entry) => entry.files))].sort();
    return { bytes: packArchive(entries), entries, files };
}
