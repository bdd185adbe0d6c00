// What a velocity is: where a point is now minus where it was in the last drawn frame, in UV units of the picture, y down.
const kOutsidePicture: f32 = 2.0; // so far that the earlier position lies outside of any picture

fn velocityOf(now: vec3f, before: vec3f) -> vec2f { // clip x, y, w
    if (before.z <= 0.0) {
        return vec2f(kOutsidePicture); // it was behind the camera
    }
    let moved = now.xy / now.z - before.xy / before.z;
    return clamp(moved * vec2f(0.5, -0.5), vec2f(-1000.0), vec2f(1000.0)); // half floats end at 65504
}
