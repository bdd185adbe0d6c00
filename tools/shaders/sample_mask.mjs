// Vulkan wants the built-in SampleMask as an array (VUID-SampleMask-SampleMask-04359); naga declares the output as one uint.
// Rewrites the variable and its stores; a module without one passes unchanged. SPIR-V 1.6, sections 2.3 and 3.

const kOp = { typeInt: 21, typeArray: 28, typePointer: 32, constant: 43, variable: 59, store: 62, accessChain: 65, decorate: 71 };
const kStorageOutput = 3, kBuiltIn = 11, kSampleMask = 20;

function* instructions(words) {
    for (let at = 5; at < words.length; at += words[at] >>> 16) yield { op: words[at] & 0xffff, at, count: words[at] >>> 16 };
}

export function fixSampleMask(bytes) {
    const words = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    const all = [...instructions(words)];
    const masks = all.filter(({ op, at, count }) => op === kOp.decorate && count === 4 && words[at + 2] === kBuiltIn && words[at + 3] === kSampleMask)
        .map(({ at }) => words[at + 1]);
    const variable = all.find(({ op, at }) => op === kOp.variable && masks.includes(words[at + 2]) && words[at + 3] === kStorageOutput);
    if (!variable) return bytes;
    const pointerType = words[variable.at + 1], id = words[variable.at + 2];
    const pointer = all.find(({ op, at }) => op === kOp.typePointer && words[at + 1] === pointerType);
    const scalar = words[pointer.at + 3];
    let bound = words[3];
    const [one, zero, array, arrayPointer] = [bound++, bound++, bound++, bound++];
    const make = (op, ...operands) => [((operands.length + 1) << 16) | op, ...operands];
    const out = [...words.subarray(0, 5)];
    for (const { op, at, count } of all) {
        const text = [...words.subarray(at, at + count)];
        if (at === variable.at) {
            out.push(...make(kOp.constant, scalar, one, 1), ...make(kOp.constant, scalar, zero, 0), ...make(kOp.typeArray, array, scalar, one),
                ...make(kOp.typePointer, arrayPointer, kStorageOutput, array));
            text[1] = arrayPointer;
        } else if (op === kOp.store && text[1] === id) {
            out.push(...make(kOp.accessChain, pointerType, bound, id, zero));
            text[1] = bound++;
        }
        out.push(...text);
    }
    out[3] = bound;
    return Buffer.from(new Uint32Array(out).buffer);
}
