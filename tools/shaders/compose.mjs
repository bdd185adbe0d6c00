// Puts WGSL modules together: #import, #flag, #if / #else / #endif. docs/extending/shaders.md describes the language.
// Used by build.mjs for each entry of a manifest.
import fs from 'node:fs';
import path from 'node:path';

/** A mistake in a user's file: `file:line: what`, shown without a stack. */
export class ShaderError extends Error {
    constructor(file, line, what) {
        super(line ? `${file}:${line}: ${what}` : `${file}: ${what}`);
        this.name = 'ShaderError';
    }
}

/** The first of the roots that holds the file; paths in messages and archives stay relative to it. */
export function findModule(name, roots) {
    for (const root of roots) {
        const file = path.join(root, name);
        if (fs.existsSync(file)) return file;
    }
    return null;
}

/** Evaluates names, !, &&, || and parentheses; `isSet(name)` may throw. */
export function evaluate(expression, isSet) {
    const tokens = expression.match(/\w+|&&|\|\||[!()]|\S/g) ?? [];
    let at = 0;
    const primary = () => {
        const token = tokens[at++];
        if (token === '!') return !primary();
        if (token === '(') {
            const value = or();
            if (tokens[at++] !== ')') throw new Error('")" is missing');
            return value;
        }
        if (!/^[A-Za-z_]\w*$/.test(token ?? '')) throw new Error(`a flag is expected instead of "${token ?? 'the end'}"`);
        return isSet(token);
    };
    // Both sides are always evaluated: an undeclared flag is an error wherever it stands.
    const chain = (operand, operator, combine) => {
        let value = operand();
        while (tokens[at] === operator) {
            at++;
            const right = operand();
            value = combine(value, right);
        }
        return value;
    };
    const and = () => chain(primary, '&&', (a, b) => a && b);
    const or = () => chain(and, '||', (a, b) => a || b);
    const value = or();
    if (at !== tokens.length) throw new Error(`"${tokens[at]}" is not expected here`);
    return value;
}

/**
 * Composes one module. `aliases` maps "@factory" and the like to module names; `flags` is the set of flags that are on.
 * Returns {lines: [{text, file, line}], files: absolute paths read, declaredFlags}.
 */
export function compose({ main, roots, flags, aliases }) {
    const lines = [];
    const files = new Set();
    const declaredFlags = new Set();

    function include(name, importer, importerLine) {
        const resolved = name.startsWith('@') ? aliases[name] : name;
        if (!resolved) throw new ShaderError(importer, importerLine, `this pass has no ${name}: name one in the manifest`);
        const file = findModule(resolved, roots);
        if (!file) throw new ShaderError(importer, importerLine, `no module "${resolved}" in ${roots.join(', ')}`);
        if (files.has(file)) return;
        files.add(file);
        readModule(resolved, fs.readFileSync(file, 'utf8'));
    }

    function readModule(name, text) {
        const conditions = []; // {line, isTaken, hasElse}
        const ownFlags = new Set();
        const isOn = () => conditions.every((condition) => condition.isTaken);
        text.split(/\r?\n/).forEach((raw, index) => {
            const line = index + 1;
            const code = raw.replace(/\/\/.*$/, '').trimEnd();
            if (code.includes('/*')) throw new ShaderError(name, line, 'block comments are not supported, use //');
            const directive = /^\s*#\s*(\w+)\s*(.*)$/.exec(code);
            if (!directive) {
                if (isOn() && code.trim() !== '') lines.push({ text: code, file: name, line });
                return;
            }
            const [, keyword, rest] = directive;
            applyDirective(keyword, rest.trim(), { name, line, conditions, ownFlags, isOn });
        });
        if (conditions.length) throw new ShaderError(name, conditions.at(-1).line, '#if without #endif');
    }

    function applyDirective(keyword, rest, { name, line, conditions, ownFlags, isOn }) {
        const fail = (what) => { throw new ShaderError(name, line, what); };
        if (keyword === 'if') {
            const isSet = (flag) => (ownFlags.has(flag) ? flags.has(flag) : fail(`flag "${flag}" is not declared: put "#flag ${flag}" above`));
            let isTaken = false;
            try {
                isTaken = evaluate(rest, isSet);
            } catch (error) {
                if (error instanceof ShaderError) throw error;
                fail(`#if ${rest}: ${error.message}`);
            }
            conditions.push({ line, isTaken, hasElse: false });
        } else if (keyword === 'else') {
            const last = conditions.at(-1);
            if (!last || last.hasElse) fail('#else without #if');
            last.isTaken = !last.isTaken;
            last.hasElse = true;
        } else if (keyword === 'endif') {
            if (!conditions.pop()) fail('#endif without #if');
        } else if (keyword === 'flag') {
            const flag = /^([A-Z][A-Z0-9_]*)\b/.exec(rest)?.[1] ?? fail('#flag needs a name in capitals');
            ownFlags.add(flag);
            declaredFlags.add(flag);
        } else if (keyword === 'import') {
            const target = /^"([^"]+)"$/.exec(rest)?.[1] ?? fail('#import needs a path in double quotes');
            if (isOn()) include(target, name, line);
        } else {
            fail(`unknown directive #${keyword}; there are #import, #flag, #if, #else, #endif`);
        }
    }

    include(main, main, 0);
    return { lines, files: [...files], declaredFlags };
}
