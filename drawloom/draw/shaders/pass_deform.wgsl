// Compute pass: morphs, then skins one mesh instance into the deform heap (glTF 2.0, sections 3.7.2.2 and 3.7.3.3).
// One dispatch a DeformJob; workgroups are laid out in x, then y, where a mesh is too large for x alone.
#import "drawloom/draw/shaders/octahedral.wgsl"
#import "drawloom/resource/shaders/gpu_structs.wgsl"

@group(0) @binding(0) var<uniform> job: DeformJob;
@group(1) @binding(0) var<storage, read> positions: array<f32>; // vertex stream 0
@group(1) @binding(1) var<storage, read> normalsTangents: array<u32>; // vertex stream 1: snorm16x4 each
@group(1) @binding(2) var<storage, read> skin: array<u32>; // records of 4 x u16 joints, 4 x unorm16 weights
@group(1) @binding(3) var<storage, read> joints: array<vec4f>; // three rows a joint matrix
@group(1) @binding(4) var<storage, read> morphDeltas: array<f32>;
@group(1) @binding(5) var<storage, read> morphWeights: array<f32>;
@group(1) @binding(6) var<storage, read_write> deformed: array<u32>;

struct Posed {
    position: vec3f,
    normal: vec3f,
    tangent: vec3f,
}

struct Rows {
    a: vec4f,
    b: vec4f,
    c: vec4f,
    weight: f32,
}

fn hasFlag(bit: u32) -> bool {
    return (job.flags & bit) != 0u;
}

fn delta(word: u32) -> vec3f {
    return vec3f(morphDeltas[word], morphDeltas[word + 1u], morphDeltas[word + 2u]);
}

fn morph(vertex: u32, source: Posed) -> Posed {
    var posed = source;
    let normalWords = select(0u, 3u, hasFlag(kDeformMorphNormalsBit));
    let words = 3u + normalWords + select(0u, 3u, hasFlag(kDeformMorphTangentsBit));
    for (var target_ = 0u; target_ < job.morphTargetCount; target_++) {
        let weight = morphWeights[job.morphWeightOffset + target_];
        if (weight == 0.0) {
            continue;
        }
        let word = job.morphOffset + (target_ * job.vertexCount + vertex) * words;
        posed.position += weight * delta(word);
        if (hasFlag(kDeformMorphNormalsBit)) {
            posed.normal += weight * delta(word + 3u);
        }
        if (hasFlag(kDeformMorphTangentsBit)) {
            posed.tangent += weight * delta(word + 3u + normalWords);
        }
    }
    return posed;
}

fn addJoint(sum: Rows, joint: u32, weight: f32) -> Rows {
    let row = (job.jointOffset + joint) * 3u;
    return Rows(sum.a + weight * joints[row], sum.b + weight * joints[row + 1u], sum.c + weight * joints[row + 2u], sum.weight + weight);
}

fn addInfluences(sum: Rows, record: u32) -> Rows {
    let word = record * 4u;
    let first = unpack2x16unorm(skin[word + 2u]);
    let second = unpack2x16unorm(skin[word + 3u]);
    var rows = addJoint(sum, skin[word] & 0xFFFFu, first.x);
    rows = addJoint(rows, skin[word] >> 16u, first.y);
    rows = addJoint(rows, skin[word + 1u] & 0xFFFFu, second.x);
    return addJoint(rows, skin[word + 1u] >> 16u, second.y);
}

fn skinned(vertex: u32, source: Posed) -> Posed {
    let setCount = select(1u, 2u, hasFlag(kDeformSecondInfluencesBit));
    let record = job.skinOffset + vertex * setCount;
    var rows = addInfluences(Rows(vec4f(0.0), vec4f(0.0), vec4f(0.0), 0.0), record);
    if (setCount == 2u) {
        rows = addInfluences(rows, record + 1u);
    }
    if (rows.weight <= 0.0) {
        return source; // no influence: as bound
    }
    // Weights of 16 bits do not sum to exactly one.
    let scale = 1.0 / rows.weight;
    let a = rows.a * scale;
    let b = rows.b * scale;
    let c = rows.c * scale;
    let p = vec4f(source.position, 1.0);
    let n = source.normal;
    let t = source.tangent;
    let cofactors = vec3f(dot(cross(b.xyz, c.xyz), n), dot(cross(c.xyz, a.xyz), n), dot(cross(a.xyz, b.xyz), n));
    let mirror = select(1.0, -1.0, dot(a.xyz, cross(b.xyz, c.xyz)) < 0.0);
    return Posed(vec3f(dot(a, p), dot(b, p), dot(c, p)), mirror * cofactors, vec3f(dot(a.xyz, t), dot(b.xyz, t), dot(c.xyz, t)));
}

fn pose(vertex: u32) -> Posed {
    let source = job.sourceVertex + vertex;
    let n = unpack2x16snorm(normalsTangents[source * 4u]);
    let nz = unpack2x16snorm(normalsTangents[source * 4u + 1u]);
    let t = unpack2x16snorm(normalsTangents[source * 4u + 2u]);
    let tz = unpack2x16snorm(normalsTangents[source * 4u + 3u]);
    var posed = Posed(vec3f(positions[source * 3u], positions[source * 3u + 1u], positions[source * 3u + 2u]), vec3f(n, nz.x), vec3f(t, tz.x));
    if (hasFlag(kDeformMorphedBit)) {
        posed = morph(vertex, posed);
    }
    if (hasFlag(kDeformSkinnedBit)) {
        posed = skinned(vertex, posed);
    }
    return posed;
}

// Of the deformed triangle, on the side of `own`; `own` where the triangle has no area.
fn flatNormal(vertex: u32, own: vec3f) -> vec3f {
    let first = vertex - vertex % 3u;
    let a = pose(first).position;
    let normal = cross(pose(first + 1u).position - a, pose(first + 2u).position - a);
    let side = select(1.0, -1.0, dot(normal, own) < 0.0);
    return select(own, side * normal, dot(normal, normal) > 0.0);
}

@compute @workgroup_size(kDeformWorkgroupSize)
fn cs_main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let vertex = id.x + id.y * groups.x * kDeformWorkgroupSize;
    if (vertex >= job.vertexCount) {
        return;
    }
    var posed = pose(vertex);
    if (hasFlag(kDeformFlatNormalsBit)) {
        posed.normal = flatNormal(vertex, posed.normal);
    }
    let handedness = unpack2x16snorm(normalsTangents[(job.sourceVertex + vertex) * 4u + 3u]).y;
    let word = job.outWord + vertex * kDeformedVertexWords;
    deformed[word] = bitcast<u32>(posed.position.x);
    deformed[word + 1u] = bitcast<u32>(posed.position.y);
    deformed[word + 2u] = bitcast<u32>(posed.position.z);
    deformed[word + 3u] = packOctahedral(posed.normal);
    deformed[word + 4u] = packTangent(vec4f(posed.tangent, handedness));
}
