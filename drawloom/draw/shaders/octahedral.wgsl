// Unit vectors in 32 bits: octahedral map, snorm16 x 2 (Cigolle et al., "A Survey of Efficient Representations for
// Independent Unit Vectors", JCGT 2014). Used by the deform heap.

fn signNotZero(v: vec2f) -> vec2f {
    return select(vec2f(-1.0), vec2f(1.0), v >= vec2f(0.0));
}

fn packOctahedral(direction: vec3f) -> u32 {
    let onPlane = direction.xy / max(abs(direction.x) + abs(direction.y) + abs(direction.z), 1e-20);
    let folded = (vec2f(1.0) - abs(onPlane.yx)) * signNotZero(onPlane);
    return pack2x16snorm(select(onPlane, folded, direction.z < 0.0));
}

fn unpackOctahedral(packed: u32) -> vec3f {
    let p = unpack2x16snorm(packed);
    let z = 1.0 - abs(p.x) - abs(p.y);
    let folded = (vec2f(1.0) - abs(p.yx)) * signNotZero(p);
    return normalize(vec3f(select(p, folded, z < 0.0), z));
}

// The sign takes the lowest bit of x: an error of one step in 32767.
fn packTangent(tangent: vec4f) -> u32 {
    return (packOctahedral(tangent.xyz) & 0xFFFFFFFEu) | select(0u, 1u, tangent.w < 0.0);
}

fn unpackTangent(packed: u32) -> vec4f {
    return vec4f(unpackOctahedral(packed & 0xFFFFFFFEu), select(1.0, -1.0, (packed & 1u) != 0u));
}
