// drawloom/asset/detail/gltf_export_check.h - says what in a scene can not be written as glTF. For gltf_export.cpp.
#pragma once

#include "drawloom/asset/scene_description.h"
#include "drawloom/core/result.h"

namespace dl::detail
{

/// InvalidArgument names the first index out of range, array of a wrong length or number that is not finite.
Result<void> checkExportable(const SceneDescription& scene);

} // namespace dl::detail
