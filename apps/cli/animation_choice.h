// apps/cli/animation_choice.h - finds what --animation names among the animations of the inputs.
#pragma once

#include "drawloom/asset/scene_description.h"
#include "drawloom/core/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dl::cli
{

/// For each scene the index of its animation: 0 for an empty text, else the one of that name, else (no scene has such a name) of
/// that number. kNoIndex for a scene that lacks it: it stays in its rest pose. NotFound: all lack it; the message lists those
/// that are there.
Result<std::vector<std::uint32_t>> chooseAnimations(const std::string& wanted, std::span<const SceneDescription> scenes);

} // namespace dl::cli
