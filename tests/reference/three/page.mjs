// Draws the jobs of /jobs.json with three.js and posts each picture (raw RGBA, first row on top) to /picture/NAME. Blending
// happens in linear light (half-float target), tone mapping and sRGB come last: the order that glTF asks for.
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { HDRLoader } from 'three/addons/loaders/HDRLoader.js';

const post = (where, body) => fetch(where, { method: 'POST', body });

function makeRenderer({ width, height, exposure }) {
    const renderer = new THREE.WebGLRenderer({ antialias: false, alpha: true, preserveDrawingBuffer: true, outputBufferType: THREE.HalfFloatType });
    renderer.setPixelRatio(1);
    renderer.setSize(width, height);
    renderer.setClearColor(0x000000, 0);
    renderer.toneMapping = THREE.NeutralToneMapping;
    renderer.toneMappingExposure = exposure;
    renderer.outputColorSpace = THREE.SRGBColorSpace;
    return renderer;
}

function makeCamera({ world, yFovDegrees, near, far }, aspect) {
    const camera = new THREE.PerspectiveCamera(yFovDegrees, aspect, near, far);
    camera.matrixAutoUpdate = false;
    camera.matrix.fromArray(world);
    camera.matrixWorldNeedsUpdate = true;
    return camera;
}

function makeSun({ towards, color, intensity }) {
    const sun = new THREE.DirectionalLight(new THREE.Color(...color), intensity);
    sun.position.set(...towards); // its target stays at the origin
    return sun;
}

/// The file's scene, posed, with the job's lights instead of its own unless the job keeps them.
async function loadScene(job) {
    const gltf = await new GLTFLoader().loadAsync(job.url);
    const scene = new THREE.Scene();
    scene.add(gltf.scene);
    const lights = [];
    gltf.scene.traverse((object) => {
        object.frustumCulled = false;
        if (object.isLight) lights.push(object);
    });
    if (!job.keepsLights) lights.forEach((light) => light.removeFromParent());
    if (job.sun) scene.add(makeSun(job.sun));
    if (job.timeSeconds !== null && gltf.animations.length > 0) {
        const mixer = new THREE.AnimationMixer(gltf.scene);
        mixer.clipAction(gltf.animations[0]).play();
        mixer.setTime(job.timeSeconds);
    }
    return scene;
}

function readPicture(renderer, width, height) {
    const gl = renderer.getContext();
    const upside = new Uint8Array(width * height * 4);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, upside);
    const picture = new Uint8Array(upside.length);
    for (let y = 0; y < height; ++y) picture.set(upside.subarray(y * width * 4, (y + 1) * width * 4), (height - 1 - y) * width * 4);
    return picture;
}

/// Colour over the job's background; alpha tells where an object is.
async function drawJob(renderer, job, { width, height }) {
    const scene = await loadScene(job);
    const camera = makeCamera(job.camera, width / height);
    let environment = null;
    if (job.environment) {
        environment = await new HDRLoader().loadAsync(job.environment.url);
        environment.mapping = THREE.EquirectangularReflectionMapping;
        scene.environment = environment;
        scene.environmentRotation.y = scene.backgroundRotation.y = job.environment.rotationRadians;
    }
    renderer.render(scene, camera);
    const picture = readPicture(renderer, width, height);
    if (environment) {
        scene.background = environment;
        renderer.render(scene, camera);
        const withBackground = readPicture(renderer, width, height);
        for (let i = 0; i < picture.length; ++i) if (i % 4 !== 3) picture[i] = withBackground[i];
        environment.dispose();
    }
    return picture;
}

async function main() {
    const jobs = await (await fetch('/jobs.json')).json();
    const renderer = makeRenderer(jobs);
    for (const job of jobs.scenes) await post(`/picture/${job.name}`, await drawJob(renderer, job, jobs));
    await post('/done', '');
}

window.addEventListener('error', (event) => post('/failed', event.message));
main().catch((error) => post('/failed', `${error.stack ?? error}`));
