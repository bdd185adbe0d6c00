#include "apps/cli/animation_choice.h"

#include "apps/cli/parse_values.h"

#include <algorithm>

namespace dl::cli
{
namespace
{

std::string listOf(std::span<const SceneDescription> scenes)
{
    constexpr std::size_t kMaxNames = 40;
    std::string list;
    std::size_t count = 0;
    for (const SceneDescription& scene : scenes)
        for (std::size_t i = 0; i < scene.animations.size() && ++count <= kMaxNames; ++i)
            list += (list.empty() ? "" : ", ") + std::to_string(i) + " \"" + scene.animations[i].name + "\"";
    if (list.empty())
        return "the input has no animations";
    return "there are " + list + (count > kMaxNames ? " and more (drawloom inspect lists all)" : "");
}

} // namespace

Result<std::vector<std::uint32_t>> chooseAnimations(const std::string& wanted, std::span<const SceneDescription> scenes)
{
    std::vector<std::uint32_t> chosen(scenes.size(), wanted.empty() ? 0 : kNoIndex);
    if (wanted.empty())
        return chosen;
    for (std::size_t i = 0; i < scenes.size(); ++i)
    {
        const std::vector<Animation>& list = scenes[i].animations;
        const auto found = std::find_if(list.begin(), list.end(), [&](const Animation& animation) { return animation.name == wanted; });
        chosen[i] = found != list.end() ? static_cast<std::uint32_t>(found - list.begin()) : kNoIndex;
    }
    const auto isMissing = [](std::uint32_t index) { return index == kNoIndex; };
    const std::optional<std::uint32_t> number = parseUint(wanted);
    if (number && std::all_of(chosen.begin(), chosen.end(), isMissing))
        for (std::size_t i = 0; i < scenes.size(); ++i)
            chosen[i] = *number < scenes[i].animations.size() ? *number : kNoIndex;
    if (std::all_of(chosen.begin(), chosen.end(), isMissing))
        return Error{ErrorCode::NotFound, "no animation \"" + wanted + "\": " + listOf(scenes)};
    return chosen;
}

} // namespace dl::cli
