// Directions of a cube's texels, and of an equirectangular picture's (environment_image.h says how it hangs in the world).
#import "drawloom/render/shaders/constants.wgsl"

// Of the point (0..1, 0..1) of a face, in the order of the layers: +X, -X, +Y, -Y, +Z, -Z. Not unit.
fn faceDirection(face: u32, point: vec2f) -> vec3f {
    let p = point * 2.0 - vec2f(1.0);
    switch face {
        case 0u: { return vec3f(1.0, -p.y, -p.x); }
        case 1u: { return vec3f(-1.0, -p.y, p.x); }
        case 2u: { return vec3f(p.x, 1.0, p.y); }
        case 3u: { return vec3f(p.x, -1.0, -p.y); }
        case 4u: { return vec3f(p.x, -p.y, 1.0); }
        default: { return vec3f(-p.x, -p.y, -1.0); }
    }
}

struct FacePoint {
    face: u32,
    point: vec2f, // 0..1
}

// The inverse of faceDirection.
fn facePoint(d: vec3f) -> FacePoint {
    let a = abs(d);
    if (a.x >= a.y && a.x >= a.z) {
        let isNegative = d.x < 0.0;
        return FacePoint(select(0u, 1u, isNegative), vec2f(select(-d.z, d.z, isNegative), -d.y) / a.x * 0.5 + 0.5);
    }
    if (a.y >= a.z) {
        let isNegative = d.y < 0.0;
        return FacePoint(select(2u, 3u, isNegative), vec2f(d.x, select(d.z, -d.z, isNegative)) / a.y * 0.5 + 0.5);
    }
    let isNegative = d.z < 0.0;
    return FacePoint(select(4u, 5u, isNegative), vec2f(select(d.x, -d.x, isNegative), -d.y) / a.z * 0.5 + 0.5);
}

// `direction`: unit.
fn equirectPoint(direction: vec3f) -> vec2f {
    return vec2f(atan2(direction.z, direction.x) / (2.0 * kPi) + 0.5, 0.5 - asin(clamp(direction.y, -1.0, 1.0)) / kPi);
}

// From the world into a picture that is turned about +Y by an angle of this cosine and sine.
fn turnedBack(direction: vec3f, turn: vec2f) -> vec3f {
    return vec3f(turn.x * direction.x - turn.y * direction.z, direction.y, turn.y * direction.x + turn.x * direction.z);
}

// The cube of the prefiltered environment: `level` 0 reflects like a mirror, `lastLevel` is roughness 1. Levels grow denser
// towards the mirror, as lobes narrow (as in Filament). The two are each other's inverse.
fn levelOfRoughness(roughness: f32, lastLevel: f32) -> f32 {
    return lastLevel * roughness * (2.0 - roughness);
}
fn roughnessOfLevel(level: f32, lastLevel: f32) -> f32 {
    return 1.0 - sqrt(max(1.0 - level / lastLevel, 0.0));
}
