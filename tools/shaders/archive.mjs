// Packs composed entries into one file, as drawloom/gpu/shader_archive.cpp reads it. The same entries give the same bytes.
import crypto from 'node:crypto';
import { kBindingTypes } from './wgsl.mjs';

const kMagic = 0x41534c44; // "DLSA"
const kVersion = 1;
const kHeaderBytes = 32, kEntryBytes = 80, kVariableBytes = 16, kBindingBytes = 32;
const kScalarKinds = ['float', 'sint', 'uint'];

const kCrcTable = Uint32Array.from({ length: 256 }, (_, i) => {
    let value = i;
    for (let bit = 0; bit < 8; ++bit) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
    return value;
});

export function crc32(bytes) {
    let crc = 0xffffffff;
    for (const byte of bytes) crc = (crc >>> 8) ^ kCrcTable[(crc ^ byte) & 0xff];
    return ~crc >>> 0;
}

/** Grows at its end; every block starts at a multiple of 4 and equal blocks are stored once. */
class Pool {
    constructor(start) {
        this.blocks = [];
        this.bytes = start;
        this.known = new Map();
    }

    add(block) {
        const key = block.toString('latin1');
        if (!this.known.has(key)) {
            this.known.set(key, this.bytes);
            const padded = Buffer.alloc(Math.ceil(block.length / 4) * 4);
            block.copy(padded);
            this.blocks.push(padded);
            this.bytes += padded.length;
        }
        return this.known.get(key);
    }

    text(text) {
        const block = Buffer.from(text, 'utf8');
        return [this.add(block), block.length];
    }
}

function words(values, bytes) {
    const buffer = Buffer.alloc(bytes);
    values.forEach((value, i) => buffer.writeUInt32LE(value, i * 4));
    return buffer;
}

function variableTable(variables, pool) {
    const records = variables.map((v) => words([v.location, kScalarKinds.indexOf(v.kind) | (v.componentCount << 8), ...pool.text(v.name)], kVariableBytes));
    return [pool.add(Buffer.concat(records)), variables.length];
}

function bindingTable(bindings, pool) {
    const records = bindings.map((b) => words([b.group, b.binding, kBindingTypes.indexOf(b.type), b.stages, b.dimension, b.format, ...pool.text(b.name)], kBindingBytes));
    return [pool.add(Buffer.concat(records)), bindings.length];
}

/** `entries`: {name, wgsl, spirv (Buffer), reflection}; in any order. */
export function packArchive(entries) {
    const sorted = [...entries].sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
    const pool = new Pool(kHeaderBytes + sorted.length * kEntryBytes);
    const records = sorted.map(({ name, wgsl, spirv, reflection: r }) => {
        const hash = crypto.createHash('sha256').update(wgsl).update(spirv).digest();
        return words([
            ...pool.text(name), pool.add(spirv), spirv.length / 4, ...pool.text(wgsl), ...variableTable(r.vertexInputs, pool),
            ...variableTable(r.fragmentOutputs, pool), ...bindingTable(r.bindings, pool), r.stages, ...r.workgroupSize,
            hash.readUInt32LE(0), hash.readUInt32LE(4), 0, 0,
        ], kEntryBytes);
    });
    const padding = Buffer.alloc((8 - (pool.bytes % 8)) % 8); // embedded as 64-bit words
    const tail = Buffer.concat([words([sorted.length, kHeaderBytes, 0, 0], 16), ...records, ...pool.blocks, padding]);
    return Buffer.concat([words([kMagic, kVersion, 16 + tail.length, crc32(tail)], 16), tail]);
}
