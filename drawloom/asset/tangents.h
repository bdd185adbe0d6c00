// drawloom/asset/tangents.h - tangents for normal maps, in glTF's convention: the bitangent is cross(normal, tangent) * w
// and points along -V (up in the picture). Used by importers where a file has a normal map and no tangents.
#pragma once

#include "drawloom/asset/mesh.h"

namespace dl
{

/// Fills `primitive.tangents` from positions, normals and UV set 0 or 1, per vertex, weighted by the corner's angle.
/// A vertex without usable UVs gets some unit vector across its normal. The caller makes sure that normals and the UV
/// set are there. Vertices are not split, so w of a vertex shared by mirrored halves is that of the larger share.
void generateTangents(Primitive& primitive, std::uint32_t uvSet);

} // namespace dl
