// Where a vertex was in the last drawn frame: its instance's previous transform, found in the mover heap by a hash of the heap
// id (resource/mover_heap.h), in the space of this frame, so that positions far from the world's origin stay exact.
#import "drawloom/draw/shaders/transform.wgsl"

const kNotMoving: u32 = 0xFFFFFFFFu;

fn moverSlot(heapId: u32) -> u32 {
    let mask = previousTransforms[0].x;
    var cell = ((heapId * 0x9E3779B1u) >> 7u) & mask;
    for (var probes = 0u; probes <= mask; probes++) {
        let pair = previousTransforms[1u + cell / 2u];
        let entry = select(pair.xy, pair.zw, (cell & 1u) == 1u);
        if (entry.x == heapId + 1u) {
            return entry.y;
        }
        if (entry.x == 0u) {
            return kNotMoving;
        }
        cell = (cell + 1u) & mask;
    }
    return kNotMoving;
}

// `id` lies in the instance's page of the heap. The previous transform is relative to the cell that the instance is in now.
fn previousFramePosition(instance: InstanceRecord, id: u32, position: vec3f) -> vec3f {
    let page = (instance.flags >> kInstanceHeapPageShift) & kInstanceHeapPageMask;
    let slot = moverSlot((page << 20u) | id);
    var before = instance;
    if (slot != kNotMoving) {
        let row = previousTransforms[0].y + slot * 3u;
        before.row0 = bitcast<vec4f>(previousTransforms[row]);
        before.row1 = bitcast<vec4f>(previousTransforms[row + 1u]);
        before.row2 = bitcast<vec4f>(previousTransforms[row + 2u]);
    }
    return framePosition(before, position);
}
