// Runs npm mikktspace, a WASM build of the reference implementation, over meshes that tangent_reference wrote.
// usage: node reference.mjs DEPS_FOLDER MESH_FOLDER    (NAME.corners -> NAME.tangents; exit 77: the package can't be had)
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const [deps, folder] = process.argv.slice(2).map((name) => path.resolve(name));
const pin = JSON.parse(fs.readFileSync(new URL('package.json', import.meta.url), 'utf8')).devDependencies.mikktspace;
const installed = path.join(deps, 'node_modules/mikktspace/package.json');
if (!fs.existsSync(installed) || JSON.parse(fs.readFileSync(installed, 'utf8')).version !== pin) {
    fs.mkdirSync(deps, { recursive: true });
    if (!fs.existsSync(path.join(deps, 'package.json'))) fs.writeFileSync(path.join(deps, 'package.json'), '{ "private": true }\n');
    const options = ['--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', '--loglevel=error'];
    try {
        execFileSync('npm', ['install', ...options, `mikktspace@${pin}`], { cwd: deps, stdio: ['ignore', 'ignore', 'pipe'] });
    } catch (error) {
        console.log(`skipped: npm could not install mikktspace@${pin}: ${error.stderr?.toString().trim() || error.message}`);
        process.exit(77);
    }
}
const { generateTangents } = createRequire(path.join(deps, 'package.json'))('mikktspace');

for (const file of fs.readdirSync(folder).filter((name) => name.endsWith('.corners'))) {
    const bytes = fs.readFileSync(path.join(folder, file)); // all positions, all normals, all UVs; 32 bytes a corner
    const floats = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    const count = floats.length / 8;
    const tangents = generateTangents(floats.slice(0, count * 3), floats.slice(count * 3, count * 6), floats.slice(count * 6));
    fs.writeFileSync(path.join(folder, file.replace('.corners', '.tangents')), new Uint8Array(tangents.buffer, tangents.byteOffset, tangents.byteLength));
}
