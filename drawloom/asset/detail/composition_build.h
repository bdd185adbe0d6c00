// drawloom/asset/detail/composition_build.h - imports the assets of a composition and places their nodes.
#pragma once

#include "drawloom/asset/detail/composition_parse.h"

#include <filesystem>

namespace dl::detail
{

Result<SceneDescription> buildComposition(
    const CompositionFile& file, const std::filesystem::path& folder, const CompositionSettings& settings);

/// `*` stands for any run of characters, `?` for one.
bool matchesPattern(std::string_view name, std::string_view pattern);

} // namespace dl::detail
