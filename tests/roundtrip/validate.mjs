// Runs the Khronos validator over a folder of .glb files. usage: node validate.mjs DEPS_FOLDER GLB_FOLDER
// Exit 1: some file has an error or a warning that is not expected; 77: the package can't be had.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const [deps, folder] = process.argv.slice(2).map((name) => path.resolve(name));
const pin = JSON.parse(fs.readFileSync(new URL('package.json', import.meta.url), 'utf8')).devDependencies['gltf-validator'];
const installed = path.join(deps, 'node_modules/gltf-validator/package.json');
if (!fs.existsSync(installed) || JSON.parse(fs.readFileSync(installed, 'utf8')).version !== pin) {
    fs.mkdirSync(deps, { recursive: true });
    if (!fs.existsSync(path.join(deps, 'package.json'))) fs.writeFileSync(path.join(deps, 'package.json'), '{ "private": true }\n');
    const options = ['--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', '--loglevel=error'];
    try {
        execFileSync('npm', ['install', ...options, `gltf-validator@${pin}`], { cwd: deps, stdio: ['ignore', 'ignore', 'pipe'] });
    } catch (error) {
        console.log(`skipped: npm could not install gltf-validator@${pin}: ${error.stderr?.toString().trim() || error.message}`);
        process.exit(77);
    }
}
const validator = createRequire(path.join(deps, 'package.json'))('gltf-validator');

// Warnings about what the author's scene is, not about how it is written.
const expected = new Set([
    'NODE_SKINNED_MESH_NON_ROOT', 'NODE_SKINNED_MESH_LOCAL_TRANSFORMS', 'NODE_SKINNED_MESH_WITHOUT_SKIN', // the node tree is kept
    'UNEXPECTED_PROPERTY', 'KHR_MATERIALS_VOLUME_NO_TRANSMISSION', // material extensions are kept as they are
]);
// Its skins' accessor has no data, which means zeros; the validator looks at matrices only where there are bytes, as in ours.
const zeroMatrices = 'broken_validator_base_data_skin_valid.gltf.glb';
let failed = 0;
const counts = new Map();
const files = fs.readdirSync(folder).filter((name) => name.endsWith('.glb'));
for (const file of files) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(path.join(folder, file))), { uri: file, maxIssues: 200, writeTimestamp: false });
    const seen = new Set();
    for (const issue of report.issues.messages) {
        if (issue.severity > 1) continue; // information and hints
        const kind = issue.severity === 0 ? 'error' : 'warning';
        if (issue.severity === 1 && expected.has(issue.code)) continue;
        if (file === zeroMatrices && issue.code === 'ACCESSOR_INVALID_IBM') continue;
        counts.set(issue.code, (counts.get(issue.code) ?? 0) + 1);
        if (seen.has(issue.code)) continue;
        seen.add(issue.code);
        console.log(`${file}: ${kind} ${issue.code} ${issue.pointer ?? ''}: ${issue.message}`);
        failed += 1;
    }
}
console.log(`${files.length} files, ${failed === 0 ? 'no error, no warning' : [...counts].map(([code, count]) => `${code} ${count}`).join(', ')}`);
process.exit(failed === 0 && files.length > 0 ? 0 : 1);
