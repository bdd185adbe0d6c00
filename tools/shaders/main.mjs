// Command line of the shader tools; scripts/shaders and drawloom_add_shaders() call it.
import fs from 'node:fs';
import path from 'node:path';
import { buildArchive, composeEntry, listEntries, readManifest } from './build.mjs';
import { ShaderError } from './compose.mjs';
import { load } from './dependencies.mjs';
import { writeHeader, writeWgsl } from './gpu_structs.mjs';
import { chooseDriver, lint } from './lint.mjs';

const kUsage = `usage: main.mjs [--check | --lint | --list | --print ENTRY] --manifest FILE --out ARCHIVE [options]
  --manifest FILE  passes, factories and surfaces (docs/extending/shaders.md)
  --out ARCHIVE    the file to write, or with --check to compare
  --root DIR       where #import looks, after the manifest's folder; may be repeated
  --deps DIR       where npm packages are installed (default: build/shader-tools)
  --structs JSON   also writes gpu_structs.h beside it and shaders/gpu_structs.wgsl
  --depfile FILE   writes what the archive depends on, as make reads it
  --check          writes nothing; exit 1 when a file is stale
  --lint           compiles every module with Dawn instead
  --list           prints entries, --print ENTRY its composed WGSL`;

function parseArguments(list) {
    const options = { roots: [], deps: 'build/shader-tools' };
    const valued = { '--manifest': 'manifest', '--out': 'out', '--deps': 'deps', '--structs': 'structs', '--depfile': 'depfile', '--print': 'print' };
    for (let i = 0; i < list.length; ++i) {
        const name = list[i];
        const value = () => list[++i] ?? usageError(`${name} needs a value`);
        if (valued[name]) options[valued[name]] = value();
        else if (name === '--root') options.roots.push(value());
        else if (['--check', '--lint', '--list'].includes(name)) options[name.slice(2)] = true;
        else usageError(`unknown option ${name}`);
    }
    if (!options.manifest || !options.out) usageError('--manifest and --out are needed');
    return options;
}

function usageError(what) {
    console.error(`shaders: ${what}\n${kUsage}`);
    process.exit(2);
}

/** Writes the file, or with --check tells whether it is as it would be written. Returns the stale file's name or null. */
function emit(file, content, isCheck) {
    const bytes = Buffer.from(content);
    if (fs.existsSync(file) && fs.readFileSync(file).equals(bytes)) return null;
    if (isCheck) return file;
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, bytes);
    return null;
}

function emitStructs(file, isCheck) {
    const description = JSON.parse(fs.readFileSync(file, 'utf8'));
    const folder = path.dirname(file);
    return [
        emit(path.join(folder, 'gpu_structs.h'), writeHeader(description), isCheck),
        emit(path.join(folder, 'shaders', 'gpu_structs.wgsl'), writeWgsl(description), isCheck),
    ];
}

async function runLint(options, manifest, roots) {
    chooseDriver();
    const entries = listEntries(manifest).map((entry) => composeEntry(entry, roots));
    const { messages, description } = await lint(await load('webgpu', path.resolve(options.deps)), entries);
    for (const message of messages) console.error(message.text);
    const errors = messages.filter((message) => message.kind === 'error').length;
    console.log(`shaders: ${entries.length} modules linted by Dawn on ${description}: ${errors} errors, ${messages.length - errors} other messages`);
    return errors ? 1 : 0;
}

async function runBuild(options, manifest, roots) {
    const stale = options.structs ? emitStructs(options.structs, options.check) : [];
    const naga = await load('naga-wasm', path.resolve(options.deps));
    const { bytes, entries, files } = buildArchive({ manifest, roots, naga, requireSpirvVal: Boolean(options.check || options.structs) });
    stale.push(emit(options.out, bytes, options.check));
    if (options.depfile) emit(options.depfile, `${options.out}: ${[options.manifest, ...files].join(' ')}\n`, false);
    const found = stale.filter(Boolean);
    for (const file of found) console.error(`shaders: ${file} is stale: run scripts/shaders and commit it`);
    console.log(`shaders: ${entries.length} modules (budget ${manifest.budget}), ${bytes.length} bytes${options.check ? (found.length ? ', STALE' : ', current') : `, ${options.out}`}`);
    return found.length ? 1 : 0;
}

async function main() {
    const options = parseArguments(process.argv.slice(2));
    const roots = [path.dirname(options.manifest), ...options.roots];
    const manifest = readManifest(options.manifest, roots);
    if (options.list) {
        console.log(listEntries(manifest).map((entry) => entry.name).sort().join('\n'));
        return 0;
    }
    if (options.print) {
        const entry = listEntries(manifest).find((candidate) => candidate.name === options.print) ?? usageError(`no entry "${options.print}"`);
        process.stdout.write(composeEntry(entry, roots).wgsl);
        return 0;
    }
    return options.lint ? runLint(options, manifest, roots) : runBuild(options, manifest, roots);
}

main().then((code) => process.exit(code), (error) => {
    console.error(error instanceof ShaderError ? error.message : `shaders: ${error.message}`);
    process.exit(1);
});
