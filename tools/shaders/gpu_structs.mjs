// Writes the C++ header and the WGSL module of the structs that both share (drawloom/resource/gpu_structs.json), with an
// assertion on every offset. Layout rules: WGSL, "Alignment and Size" and the constraints of the address space uniform.

const kScalars = {
    f32: { size: 4, align: 4, cpp: 'float' },
    u32: { size: 4, align: 4, cpp: 'std::uint32_t' },
    vec2f: { size: 8, align: 8, cpp: 'vec2' },
    vec3f: { size: 12, align: 16, cpp: 'vec3' },
    vec4f: { size: 16, align: 16, cpp: 'vec4' },
    mat4x4f: { size: 64, align: 16, cpp: 'mat4' },
};

/** `structs`: those described before, by name, as layoutStruct made them. */
export function typeLayout(type, where, structs = new Map()) {
    const array = /^array<(\w+),(\d+)>$/.exec(type);
    if (!array) {
        const struct = structs.get(type);
        if (struct) return { size: struct.bytes, align: 16, cpp: type };
        if (!kScalars[type]) throw new Error(`${where}: unknown type "${type}"`);
        return kScalars[type];
    }
    const element = typeLayout(array[1], where, structs);
    if (element.size % 16 !== 0) throw new Error(`${where}: an array's elements must be multiples of 16 bytes`);
    return { size: element.size * Number(array[2]), align: element.align, cpp: `std::array<${element.cpp}, ${array[2]}>` };
}

/** The offsets of a struct's fields; throws when the size is not the stated one. */
export function layoutStruct(struct, structs = new Map()) {
    let offset = 0;
    let align = struct.space === 'uniform' ? 16 : 4;
    const fields = struct.fields.map((field) => {
        const layout = typeLayout(field.type, `${struct.name}.${field.name}`, structs);
        align = Math.max(align, layout.align);
        offset = Math.ceil(offset / layout.align) * layout.align;
        const placed = { ...field, ...layout, offset };
        offset += layout.size;
        return placed;
    });
    const bytes = Math.ceil(offset / align) * align;
    if (bytes !== struct.bytes) throw new Error(`${struct.name}: fields take ${bytes} bytes, ${struct.bytes} are stated`);
    return { ...struct, fields };
}

/** All structs in order; a field may be of a struct described before it. */
export function layoutStructs(list) {
    const structs = new Map();
    for (const struct of list) structs.set(struct.name, layoutStruct(struct, structs));
    return [...structs.values()];
}

const note = (comment, sign) => (comment ? ` ${sign} ${comment}` : '');

function constants(description) {
    const list = description.constants.map((c) => ({ ...c, type: c.type ?? 'u32' }));
    for (const group of description.bits) {
        for (const field of group.fields) {
            const name = group.prefix + field.name;
            const comment = [`${group.of}`, field.comment].filter(Boolean).join(': ');
            if (field.width) {
                list.push({ name: `${name}Shift`, type: 'u32', value: field.shift, comment });
                list.push({ name: `${name}Mask`, type: 'u32', value: 2 ** field.width - 1, comment: 'after the shift' });
            } else {
                list.push({ name: `${name}Bit`, type: 'u32', value: 2 ** field.shift, comment });
            }
        }
    }
    return list;
}

const cppNumber = (value, type) => (type === 'f32' ? `${Number.isInteger(value) ? value.toFixed(1) : value}f` : `${value}U`);

function cppDefault(field) {
    if (field.cpp.startsWith('std::array')) return ' = {}';
    if (field.cpp === field.type) return ''; // a struct has its own defaults
    if (field.type.startsWith('vec')) return ` = ${field.cpp}(${cppNumber(field.default ?? 0, 'f32')})`;
    if (field.type.startsWith('mat')) return ` = ${field.cpp}(1.0f)`;
    return ` = ${field.type === 'f32' ? cppNumber(field.default ?? 0, 'f32') : (field.default ?? 0)}`;
}

export function writeHeader(description) {
    const out = [
        '// drawloom/resource/gpu_structs.h - structs and constants that C++ and WGSL share. Written by scripts/shaders from',
        '// gpu_structs.json: change that file, not this one.',
        '#pragma once', '', '#include "drawloom/core/maths.h"', '', '#include <array>', '#include <cstddef>', '#include <cstdint>',
        '#include <type_traits>', '', '// clang-format off', 'namespace dl', '{', '',
    ];
    for (const c of constants(description)) {
        const type = c.type === 'f32' ? 'float' : 'std::uint32_t';
        out.push(`inline constexpr ${type} ${c.name} = ${cppNumber(c.value, c.type)};${note(c.comment, '///<')}`);
    }
    for (const struct of layoutStructs(description.structs)) {
        out.push('', `/// ${struct.comment} ${struct.bytes} bytes.`, `struct ${struct.name}`, '{');
        for (const f of struct.fields) out.push(`    ${f.cpp} ${f.name}${cppDefault(f)};${note(f.comment, '///<')}`);
        out.push('};', `static_assert(sizeof(${struct.name}) == ${struct.bytes} && std::is_trivially_copyable_v<${struct.name}>);`);
        for (const f of struct.fields) out.push(`static_assert(offsetof(${struct.name}, ${f.name}) == ${f.offset});`);
    }
    out.push('', '} // namespace dl', '// clang-format on', '');
    return out.join('\n');
}

export function writeWgsl(description) {
    const out = [
        '// Structs and constants that C++ and WGSL share. Written by scripts/shaders from gpu_structs.json: change that file,',
        '// not this one.', '',
    ];
    for (const c of constants(description)) {
        const value = c.type === 'f32' ? cppNumber(c.value, 'f32').replace(/f$/, '') : `${c.value}u`;
        out.push(`const ${c.name}: ${c.type} = ${value};${note(c.comment, '//')}`);
    }
    for (const struct of layoutStructs(description.structs)) {
        out.push('', `// ${struct.comment} ${struct.bytes} bytes.`, `struct ${struct.name} {`);
        for (const f of struct.fields) out.push(`    ${f.name}: ${f.type.replace(',', ', ')},${note(f.comment, '//')}`);
        out.push('}');
    }
    out.push('');
    return out.join('\n');
}
