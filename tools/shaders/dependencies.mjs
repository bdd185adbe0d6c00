// Fetches the pinned npm packages of package.json into a folder outside of the sources, and loads them from there.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const kManifest = path.join(path.dirname(fileURLToPath(import.meta.url)), 'package.json');

/** Imports npm package `name`, installing it into `folder` if its pinned version is not there yet. */
export async function load(name, folder) {
    const pins = JSON.parse(fs.readFileSync(kManifest, 'utf8'));
    const version = { ...pins.dependencies, ...pins.devDependencies }[name];
    const installed = path.join(folder, 'node_modules', name, 'package.json');
    if (!fs.existsSync(installed) || JSON.parse(fs.readFileSync(installed, 'utf8')).version !== version) install(`${name}@${version}`, folder);
    // A module inside the folder, so that node resolves the package from there.
    const loader = path.join(folder, `load-${name}.mjs`);
    fs.writeFileSync(loader, `export * from '${name}';\n`);
    return import(pathToFileURL(loader).href);
}

function install(pinned, folder) {
    fs.mkdirSync(folder, { recursive: true });
    const manifest = path.join(folder, 'package.json');
    if (!fs.existsSync(manifest)) fs.writeFileSync(manifest, '{ "private": true }\n');
    console.log(`shaders: installing ${pinned} into ${folder}`);
    const options = ['--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', '--loglevel=error'];
    try {
        execFileSync('npm', ['install', ...options, pinned], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    } catch (error) {
        throw new Error(`npm could not install ${pinned}: ${error.stderr?.toString().trim() || error.message}`);
    }
}
