// From the mesh's space to the frame's (relative to the main camera) and to clip space. Every pass computes the clip position
// by clipPosition() and marks it @invariant, so that depth agrees to the bit between passes.
#import "drawloom/resource/shaders/library_bindings.wgsl"

fn framePosition(instance: InstanceRecord, position: vec3f) -> vec3f {
    let p = vec4f(position, 1.0);
    let inCell = vec3f(dot(instance.row0, p), dot(instance.row1, p), dot(instance.row2, p));
    let cell = (instance.flags >> kInstanceCellSlotShift) & kInstanceCellSlotMask;
    return inCell + frame.cellOrigins[cell].xyz;
}

fn clipPosition(instance: InstanceRecord, position: vec3f) -> vec4f {
    return view.viewProjection * vec4f(framePosition(instance, position), 1.0);
}

fn handedness(instance: InstanceRecord) -> f32 {
    return select(1.0, -1.0, (instance.flags & kInstanceMirroredBit) != 0u);
}

// By the cofactors: right for any scale, also where a scale is zero; a mirrored transform turns them around.
fn frameNormal(instance: InstanceRecord, normal: vec3f) -> vec3f {
    let a = instance.row0.xyz;
    let b = instance.row1.xyz;
    let c = instance.row2.xyz;
    let turned = vec3f(dot(cross(b, c), normal), dot(cross(c, a), normal), dot(cross(a, b), normal));
    return turned * (handedness(instance) * inverseSqrt(max(dot(turned, turned), 1e-30)));
}

// w becomes the sign of the bitangent in the frame's space.
fn frameTangent(instance: InstanceRecord, tangent: vec4f) -> vec4f {
    let t = tangent.xyz;
    let turned = vec3f(dot(instance.row0.xyz, t), dot(instance.row1.xyz, t), dot(instance.row2.xyz, t));
    return vec4f(turned * inverseSqrt(max(dot(turned, turned), 1e-30)), tangent.w * handedness(instance));
}
