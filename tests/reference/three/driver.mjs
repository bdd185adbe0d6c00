// Lets three.js draw reference scenes in headless Chromium (WebGL on SwiftShader). Called by test_reference.
// usage: node driver.mjs DEPS_FOLDER WORK_FOLDER     run in the repository's root
// Reads WORK_FOLDER/jobs.json, writes WORK_FOLDER/NAME.rgba. A picture is drawn again only when its job, its files, this
// folder's scripts or the version of three.js changed. Exit 77: node package or browser can't be had.
import { execFileSync, spawn } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';

const timeoutMs = 900_000; // a loaded machine draws in software
const [deps, work] = process.argv.slice(2).map((name) => path.resolve(name));
const here = import.meta.dirname;
const roots = { '/three/': path.join(deps, 'node_modules/three'), '/assets/': path.resolve('../shared/assets'), '/generated/': work };

function skip(reason) {
    console.log(`skipped: ${reason}`);
    process.exit(77);
}

function installThree() {
    const pin = JSON.parse(fs.readFileSync(path.join(here, 'package.json'), 'utf8')).devDependencies.three;
    const installed = path.join(roots['/three/'], 'package.json');
    if (fs.existsSync(installed) && JSON.parse(fs.readFileSync(installed, 'utf8')).version === pin) return pin;
    fs.mkdirSync(deps, { recursive: true });
    if (!fs.existsSync(path.join(deps, 'package.json'))) fs.writeFileSync(path.join(deps, 'package.json'), '{ "private": true }\n');
    const options = ['--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', '--loglevel=error'];
    try {
        execFileSync('npm', ['install', ...options, `three@${pin}`], { cwd: deps, stdio: ['ignore', 'ignore', 'pipe'] });
    } catch (error) {
        skip(`npm could not install three@${pin}: ${error.stderr?.toString().trim() || error.message}`);
    }
    return pin;
}

function findBrowser() {
    const names = ['chromium', 'chromium-browser', 'google-chrome'];
    for (const name of names)
        for (const folder of process.env.PATH.split(path.delimiter))
            if (fs.existsSync(path.join(folder, name))) return path.join(folder, name);
    return skip(`none of ${names.join(', ')} is installed (scripts/bootstrap test installs chromium)`);
}

/// The file behind a URL, or null outside of what is served.
function fileOf(url) {
    if (url === '/' || url === '/page.html') return path.join(here, 'page.html');
    if (url === '/page.mjs') return path.join(here, 'page.mjs');
    for (const [prefix, root] of Object.entries(roots)) {
        const file = path.resolve(root, `.${path.sep}${url.slice(prefix.length)}`);
        if (url.startsWith(prefix) && file.startsWith(root + path.sep)) return file;
    }
    return null;
}

/// All that a picture depends on. A file counts with its whole folder: images and buffers stand beside it.
function keyOf(job, jobs, version) {
    const hash = crypto.createHash('sha256').update(JSON.stringify([job, jobs.width, jobs.height, jobs.exposure, version]));
    for (const script of ['page.html', 'page.mjs']) hash.update(fs.readFileSync(path.join(here, script)));
    for (const url of [job.url, job.environment?.url].filter(Boolean)) {
        const file = fileOf(url);
        if (url.startsWith('/generated/')) hash.update(fs.readFileSync(file));
        else for (const entry of fs.readdirSync(path.dirname(file), { withFileTypes: true, recursive: true }))
            if (entry.isFile()) hash.update(entry.name).update(fs.readFileSync(path.join(entry.parentPath, entry.name)));
    }
    return hash.digest('hex');
}

function readBody(request) {
    return new Promise((resolve, reject) => {
        const chunks = [];
        request.on('data', (chunk) => chunks.push(chunk)).on('end', () => resolve(Buffer.concat(chunks))).on('error', reject);
    });
}

const types = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.json': 'application/json', '.gltf': 'model/gltf+json',
    '.png': 'image/png', '.jpg': 'image/jpeg', '.jpeg': 'image/jpeg' };

/// Serves page, packages and scenes on the loopback; settles when the page says it is done.
function serve(jobs, keys) {
    return new Promise((resolve, reject) => {
        const server = http.createServer(async (request, response) => {
            const url = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
            if (request.method === 'POST') {
                const body = await readBody(request);
                response.end();
                if (url === '/done') return resolve(server);
                if (url === '/failed') return reject(new Error(`the page failed: ${body}`));
                const name = path.basename(url);
                fs.writeFileSync(path.join(work, `${name}.rgba`), body);
                fs.writeFileSync(path.join(work, `${name}.key`), keys.get(name));
                return console.log(`drawn ${name}`);
            }
            const file = fileOf(url);
            if (url === '/jobs.json') return response.setHeader('content-type', types['.json']).end(JSON.stringify(jobs));
            if (!file || !fs.existsSync(file)) return response.writeHead(404).end();
            response.setHeader('content-type', types[path.extname(file)] ?? 'application/octet-stream');
            fs.createReadStream(file).pipe(response);
        });
        server.listen(0, '127.0.0.1', () => openBrowser(server.address().port, reject));
        setTimeout(() => reject(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs).unref();
    });
}

let browser = null;
const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'drawloom-reference-'));

function openBrowser(port, reject) {
    const options = ['--headless=new', '--no-sandbox', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
        '--disable-quic', '--disable-dev-shm-usage', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
        '--ignore-gpu-blocklist', `--user-data-dir=${profile}`];
    browser = spawn(browserPath, [...options, `http://127.0.0.1:${port}/page.html`], { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
    const log = fs.createWriteStream(path.join(work, 'browser.log'));
    browser.stderr.pipe(log);
    browser.on('exit', (code) => reject(new Error(`the browser ended early (${code}); its words are in ${work}/browser.log`)));
    browser.on('error', reject);
}

async function closeBrowser() {
    if (browser && browser.exitCode === null) {
        const ended = new Promise((resolve) => browser.once('exit', resolve));
        process.kill(-browser.pid, 'SIGKILL'); // the group that we started
        await ended;
    }
    fs.rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
}

const version = installThree();
const browserPath = findBrowser();
const jobs = JSON.parse(fs.readFileSync(path.join(work, 'jobs.json'), 'utf8'));
const keys = new Map(jobs.scenes.map((job) => [job.name, keyOf(job, jobs, version)]));
const isFresh = ({ name }) => ['rgba', 'key'].every((kind) => fs.existsSync(path.join(work, `${name}.${kind}`))) &&
    fs.readFileSync(path.join(work, `${name}.key`), 'utf8') === keys.get(name);
jobs.scenes = jobs.scenes.filter((job) => !isFresh(job));
let exitCode = 0;
if (jobs.scenes.length > 0) {
    try {
        await serve(jobs, keys);
    } catch (error) {
        console.log(error.message);
        exitCode = 1;
    }
}
await closeBrowser();
process.exit(exitCode);
