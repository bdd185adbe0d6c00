// tests/asset/scene_compare.h - says where two scenes differ that a trip through a .glb should leave equal. For tests of the
// exporter and for tests/roundtrip.
#pragma once

#include "drawloom/asset/scene_description.h"

#include <string>

namespace dl::test
{

/// The first difference, as `meshes[2].primitives[0].uv0`; empty: the same. Floats must be the same bits but for rotations,
/// instances and weights, which the importer normalises. What glTF can not say counts as equal: meshes without primitives
/// and animations without channels, which are left out, joints of influences without weight, and morph targets that displace
/// nothing, which come back as zeros.
std::string firstDifference(const SceneDescription& written, const SceneDescription& read);

} // namespace dl::test
