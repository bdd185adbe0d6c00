// Reads composed WGSL just far enough: module-scope declarations, which of them an entry point reaches (the rest is
// dropped), and what the entry points read and write. Compilers judge everything else.
import { ShaderError } from './compose.mjs';

export const kStages = { vertex: { bit: 1, entry: 'vs_main' }, fragment: { bit: 2, entry: 'fs_main' }, compute: { bit: 4, entry: 'cs_main' } };

const kName = /\b(?:(fn|struct|const|alias|override)\s+|(var)\s*(?:<[^>]*>)?\s*)([A-Za-z_]\w*)/;

/** Splits composed lines into module-scope declarations {kind, name, text, lines, references}. */
export function parseDeclarations(lines) {
    const declarations = [];
    let current = [];
    let depth = 0;
    const finish = () => {
        const text = current.map((piece) => piece.text).join('\n');
        const { file, line } = current[0];
        const match = kName.exec(text);
        if (!match) throw new ShaderError(file, line, `not a module-scope declaration: ${text.trim().slice(0, 60)}`);
        const kind = match[1] ?? match[2];
        const body = kind === 'struct' ? text.replace(/\w+\s*:/g, '') : text; // members' names refer to nothing
        const references = new Set([...body.matchAll(/(?<![.\w])[A-Za-z_]\w*/g)].map((m) => m[0]));
        declarations.push({ kind, name: match[3], text, lines: current, references });
        current = [];
    };
    for (const { text, file, line } of lines) {
        let start = 0;
        for (let i = 0; i < text.length; ++i) {
            const c = text[i];
            if ('({['.includes(c)) depth++;
            if (')}]'.includes(c)) depth--;
            if (depth < 0) throw new ShaderError(file, line, `"${c}" without its partner`);
            if (depth === 0 && (c === ';' || c === '}')) {
                const piece = text.slice(start, i + 1);
                start = i + 1;
                if (piece.trim() === ';' && current.length === 0) continue;
                current.push({ text: piece, file, line });
                finish();
            }
        }
        if (text.slice(start).trim() !== '') current.push({ text: text.slice(start), file, line });
    }
    if (current.length) throw new ShaderError(current[0].file, current[0].line, 'this declaration does not end');
    return declarations;
}

/** Names to declarations; two of one name are an error that names both places. */
export function indexByName(declarations) {
    const byName = new Map();
    for (const declaration of declarations) {
        const { file, line } = declaration.lines[0];
        const other = byName.get(declaration.name)?.lines[0];
        if (other) throw new ShaderError(file, line, `"${declaration.name}" is declared at ${other.file}:${other.line} already`);
        byName.set(declaration.name, declaration);
    }
    return byName;
}

export function reach(byName, rootNames) {
    const reached = new Set();
    const todo = rootNames.filter((name) => byName.has(name));
    while (todo.length) {
        const name = todo.pop();
        if (reached.has(name)) continue;
        reached.add(name);
        for (const reference of byName.get(name).references) if (byName.has(reference)) todo.push(reference);
    }
    return reached;
}

/** Splits at commas outside of brackets. */
function splitList(text) {
    const parts = [''];
    let depth = 0;
    for (const c of text) {
        if ('(<[{'.includes(c)) depth++;
        if (')>]}'.includes(c)) depth--;
        if (c === ',' && depth === 0) parts.push('');
        else parts[parts.length - 1] += c;
    }
    return parts.map((part) => part.trim()).filter(Boolean);
}

function matchingEnd(text, start, open, close) {
    let depth = 0;
    for (let i = start; i < text.length; ++i) {
        if (text[i] === open) depth++;
        if (text[i] === close && --depth === 0) return i;
    }
    return text.length;
}

const kKinds = { f32: 'float', f: 'float', i32: 'sint', i: 'sint', u32: 'uint', u: 'uint' };

function variable(declaration, location, name, type, where) {
    const match = /^(?:vec([234])(?:<\s*(f32|i32|u32)\s*>|([fiu]))|(f32|i32|u32))$/.exec(type);
    if (!match) throw new ShaderError(where.file, where.line, `${declaration}: "${type}" can not be a vertex input or an output`);
    return { location, name, kind: kKinds[match[2] ?? match[3] ?? match[4]], componentCount: Number(match[1] ?? 1) };
}

/** The @location variables of `attributes name: type`, walking into structs. */
function collectVariables(item, fallbackName, byName, where) {
    const location = /@location\(\s*(\d+)u?\s*\)/.exec(item);
    const bare = item.replace(/@\w+(?:\([^)]*\))?/g, '').trim();
    const named = /^(\w+)\s*:\s*(.+)$/s.exec(bare);
    const type = (named ? named[2] : bare).trim();
    if (location) return [variable(item, Number(location[1]), named?.[1] ?? fallbackName, type, where)];
    const struct = byName.get(type);
    if (struct?.kind !== 'struct') return [];
    const body = struct.text.slice(struct.text.indexOf('{') + 1, struct.text.lastIndexOf('}'));
    return splitList(body).flatMap((member) => collectVariables(member, fallbackName, byName, where));
}

const kStorageFormats = ['none', 'rgba8unorm', 'rgba8snorm', 'rgba8uint', 'rgba16uint', 'rgba16float', 'r32uint', 'r32float', 'rg32uint', 'rg32float', 'rgba32uint', 'rgba32float'];
export const kBindingTypes = ['uniform', 'read-only-storage', 'storage', 'sampled', 'unfilterable', 'uint', 'depth', 'storage-texture', 'filtering', 'comparison'];
const kDimensions = { '2d': 0, '2d_array': 1, cube: 2, '3d': 3 };

function bindingType(declaration, functions) {
    const { file, line } = declaration.lines[0];
    const space = /\bvar\s*<\s*(\w+)\s*(?:,\s*(\w+)\s*)?>/.exec(declaration.text);
    if (space?.[1] === 'uniform') return { type: 'uniform' };
    if (space?.[1] === 'storage') return { type: space[2] === 'read_write' ? 'storage' : 'read-only-storage' };
    const type = /:\s*([^;]+);/.exec(declaration.text)?.[1].replace(/\s+/g, '') ?? '';
    if (type === 'sampler') return { type: 'filtering' };
    if (type === 'sampler_comparison') return { type: 'comparison' };
    const texture = /^texture_(?:(storage|depth)_)?(2d|2d_array|cube|3d)(?:<(\w+)(?:,\w+)?>)?$/.exec(type);
    if (!texture) throw new ShaderError(file, line, `a binding of type "${type}" is not supported`);
    const dimension = kDimensions[texture[2]];
    if (texture[1] === 'depth') return { type: 'depth', dimension };
    if (texture[1] === 'storage') {
        const format = kStorageFormats.indexOf(texture[3]);
        if (format < 1) throw new ShaderError(file, line, `storage textures of format "${texture[3]}" are not supported`);
        return { type: 'storage-texture', dimension, format };
    }
    if (texture[3] === 'u32') return { type: 'uint', dimension };
    // A texture that is only loaded from needs no filterable format.
    const harmless = new RegExp(`\\btexture(?:Load|Dimensions|NumLevels|NumLayers)\\s*\\(\\s*${declaration.name}\\b`, 'g');
    const any = new RegExp(`(?<![.\\w])${declaration.name}\\b`, 'g');
    const isSampled = functions.some((f) => f.text.replace(harmless, '').match(any));
    return { type: isSampled ? 'sampled' : 'unfilterable', dimension };
}

/** What the module's entry points are, read and write; `declarations` are those that an entry point reaches. */
export function reflect(declarations) {
    const byName = indexByName(declarations);
    const functions = declarations.filter((d) => d.kind === 'fn');
    const result = { stages: 0, vertexInputs: [], fragmentOutputs: [], bindings: [], workgroupSize: [0, 0, 0] };
    const stagesOf = new Map();
    for (const [stage, { bit, entry }] of Object.entries(kStages)) {
        const declaration = byName.get(entry);
        if (!declaration) continue;
        const where = declaration.lines[0];
        if (!declaration.text.includes(`@${stage}`)) throw new ShaderError(where.file, where.line, `${entry} must be a @${stage} entry point`);
        result.stages |= bit;
        for (const name of reach(byName, [entry])) stagesOf.set(name, (stagesOf.get(name) ?? 0) | bit);
        const open = declaration.text.indexOf('(', declaration.text.indexOf(entry));
        const close = matchingEnd(declaration.text, open, '(', ')');
        if (stage === 'vertex') {
            result.vertexInputs = splitList(declaration.text.slice(open + 1, close)).flatMap((item) => collectVariables(item, 'input', byName, where));
        } else if (stage === 'fragment') {
            const output = /->\s*([^{]+)\{/.exec(declaration.text.slice(close))?.[1] ?? '';
            result.fragmentOutputs = collectVariables(output, 'color', byName, where);
        } else {
            const size = /@workgroup_size\(([^)]*)\)/.exec(declaration.text)?.[1] ?? '';
            result.workgroupSize = [0, 1, 2].map((i) => constantOf(splitList(size)[i] ?? '1', byName, where));
        }
    }
    for (const declaration of declarations.filter((d) => d.kind === 'var' && /@binding/.test(d.text))) {
        const group = Number(/@group\(\s*(\d+)\s*\)/.exec(declaration.text)?.[1]);
        const binding = Number(/@binding\(\s*(\d+)\s*\)/.exec(declaration.text)?.[1]);
        const { file, line } = declaration.lines[0];
        if (!Number.isInteger(group) || !Number.isInteger(binding)) throw new ShaderError(file, line, `${declaration.name}: @group and @binding must be numbers`);
        const clash = result.bindings.find((other) => other.group === group && other.binding === binding);
        if (clash) throw new ShaderError(file, line, `${declaration.name} and ${clash.name} both are group ${group} binding ${binding}`);
        result.bindings.push({ group, binding, name: declaration.name, stages: stagesOf.get(declaration.name), dimension: 0, format: 0, ...bindingType(declaration, functions) });
    }
    result.vertexInputs.sort((a, b) => a.location - b.location);
    result.fragmentOutputs.sort((a, b) => a.location - b.location);
    result.bindings.sort((a, b) => a.group - b.group || a.binding - b.binding);
    return result;
}

function constantOf(text, byName, where) {
    const value = /^\d+u?$/.test(text) ? text : /=\s*(\d+)u?\s*;/.exec(byName.get(text)?.text ?? '')?.[1];
    if (!value) throw new ShaderError(where.file, where.line, `@workgroup_size: "${text}" is not a number or a constant`);
    return Number.parseInt(value, 10);
}
