// drawloom/asset/detail/gltf_export_check_values.h - what the checks before an export share. For gltf_export_check*.cpp.
#pragma once

#include "drawloom/asset/scene_description.h"
#include "drawloom/core/result.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace dl::detail
{

inline Error invalid(const std::string& where, const std::string& problem)
{
    return Error{ErrorCode::InvalidArgument, where + ": " + problem};
}

inline bool isIndex(std::uint32_t index, std::size_t count)
{
    return index == kNoIndex || index < count;
}

inline bool isFinite(const float* values, std::size_t count)
{
    return std::all_of(values, values + count, [](float value) { return std::isfinite(value); });
}

template <class T> bool isFiniteArray(const std::vector<T>& values)
{
    return values.empty() || isFinite(reinterpret_cast<const float*>(values.data()), values.size() * sizeof(T) / sizeof(float));
}

inline std::string whereOf(const char* list, std::size_t index, const std::string& name)
{
    return std::string(list) + "[" + std::to_string(index) + "] \"" + name + "\"";
}

// Parts of checkExportable.
Result<void> checkNodes(const SceneDescription& scene);
Result<void> checkMeshes(const SceneDescription& scene);
Result<void> checkMaterials(const SceneDescription& scene);

} // namespace dl::detail
