// Compiles every module with Dawn (npm package webgpu), the WGSL compiler of a browser: it checks what naga does not,
// uniform control flow above all. Needs a Vulkan driver; chromium's SwiftShader serves.
import fs from 'node:fs';
import { mapPosition } from './build.mjs';

const kSwiftShader = '/usr/lib/chromium/vk_swiftshader_icd.json';

/** Chooses the driver; before the package loads. */
export function chooseDriver() {
    if (!process.env.VK_ICD_FILENAMES && fs.existsSync(kSwiftShader)) process.env.VK_ICD_FILENAMES = kSwiftShader;
}

/** Returns the messages, `file:line:column: kind: text`, of all modules. */
export async function lint(webgpu, composedEntries) {
    const gpu = webgpu.create([]);
    const adapter = await gpu.requestAdapter();
    if (!adapter) throw new Error('Dawn finds no adapter: install chromium for its SwiftShader, or set VK_ICD_FILENAMES');
    const device = await adapter.requestDevice();
    const messages = [];
    for (const composed of composedEntries) {
        device.pushErrorScope('validation');
        const info = await device.createShaderModule({ label: composed.name, code: composed.wgsl }).getCompilationInfo();
        await device.popErrorScope();
        for (const m of info.messages) messages.push({ kind: m.type, text: `${mapPosition(composed, m.lineNum, m.linePos)}: ${m.type}: ${m.message} (in ${composed.name})` });
    }
    const description = adapter.info.description || adapter.info.device;
    device.destroy();
    return { messages, description };
}
