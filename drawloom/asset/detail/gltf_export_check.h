// drawloom/asset/detail/gltf_export_check.h - says what in a scene can not be written as glTF. For gltf_export.cpp.
#pragma once

#include "drawloom/asset/scene_description.h"
#include "drawloom/core/result.h"

namespace dl::detail
{

/// InvalidArgument names the first thing that breaks the promises of scene_description.h, mesh.h or material.h, and where it is.
Result<void> checkExportable(const SceneDescription& scene);

} // namespace dl::detail
