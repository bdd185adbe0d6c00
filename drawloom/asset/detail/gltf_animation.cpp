// drawloom/asset/detail/gltf_animation.cpp - animations of a glTF as channels that hold their own keys.
#include "drawloom/asset/detail/gltf_accessor.h"

#include <algorithm>

namespace dl::detail
{
namespace
{

struct PathFacts
{
    const char* name;
    AnimationPath path;
    std::uint32_t rows;       ///< of the sampler's output accessor
    std::uint32_t components; ///< of one key; 0: as many as the mesh has morph targets
};
constexpr PathFacts kPaths[] = {
    {"translation", AnimationPath::Translation, 3, 3},
    {"rotation", AnimationPath::Rotation, 4, 4},
    {"scale", AnimationPath::Scale, 3, 3},
    {"weights", AnimationPath::Weights, 1, 0},
};

const PathFacts* findPath(std::string_view name)
{
    for (const PathFacts& facts : kPaths)
        if (name == facts.name)
            return &facts;
    return nullptr;
}

bool readInterpolation(const GltfObject& sampler, Interpolation& out)
{
    const std::string_view name = sampler.text("interpolation");
    if (!sampler.has("interpolation") || name == "LINEAR")
        out = Interpolation::Linear;
    else if (name == "STEP")
        out = Interpolation::Step;
    else if (name == "CUBICSPLINE")
        out = Interpolation::CubicSpline;
    else
        return sampler.fail("interpolation", "\"" + std::string(name.substr(0, 32)) + "\" is none of LINEAR, STEP, CUBICSPLINE");
    return !sampler.state().failed();
}

bool readTimes(const GltfObject& sampler, std::vector<float>& out)
{
    GltfState& state = sampler.state();
    const std::uint32_t index = sampler.requiredIndex("input", state.lists.accessors.size());
    GltfAccessor accessor;
    return !state.failed() && openAccessor(state, index, accessor) && checkType(state, accessor, 1, 1, sampler.path("input")) &&
           readFloats(state, accessor, accessor.isNormalized, out);
}

bool readValues(const GltfObject& sampler, const PathFacts& facts, std::size_t components, AnimationChannel& out)
{
    GltfState& state = sampler.state();
    const std::uint32_t index = sampler.requiredIndex("output", state.lists.accessors.size());
    GltfAccessor accessor;
    if (state.failed() || !openAccessor(state, index, accessor) || !checkType(state, accessor, facts.rows, 1, sampler.path("output")))
        return false;
    const std::uint64_t perKey = (out.interpolation == Interpolation::CubicSpline ? 3 : 1) * (components / facts.rows);
    if (accessor.count() != perKey * out.times.size())
        return sampler.fail("output", accessor.path() + " has " + std::to_string(accessor.count()) + " elements, " +
                                          std::to_string(out.times.size()) + " keys need " + std::to_string(perKey * out.times.size()));
    // Rotations and weights in integers are normalised values whatever the flag says.
    const bool isNormalized = accessor.isNormalized || out.path == AnimationPath::Rotation || out.path == AnimationPath::Weights;
    return readFloats(state, accessor, isNormalized, out.values);
}

bool isAscending(const std::vector<float>& times)
{
    return times.front() >= 0.0f && std::adjacent_find(times.begin(), times.end(), [](float a, float b) { return a >= b; }) == times.end();
}

/// Morph targets that a weights channel of a node drives: those of the node's mesh in the file.
std::size_t targetCount(GltfState& state, std::uint32_t fileNode)
{
    const GltfObject node(state, state.lists.nodes[fileNode], "nodes", fileNode);
    const std::uint32_t mesh = node.index("mesh", state.scene.meshes.size());
    return mesh == kNoIndex ? 0 : state.scene.meshes[mesh].morphWeights.size();
}

/// False: failed, or nothing to keep.
bool readChannel(const GltfObject& channel, const std::vector<GltfObject>& samplers, AnimationChannel& out)
{
    GltfState& state = channel.state();
    const std::uint32_t samplerIndex = channel.requiredIndex("sampler", samplers.size());
    const std::optional<GltfObject> target = channel.object("target");
    if (state.failed())
        return false;
    if (!target)
        return channel.fail("target", "is required");
    const std::uint32_t node = target->index("node", state.nodeOrder.size());
    const std::string_view path = target->text("path");
    if (state.failed() || node == kNoIndex) // glTF: without a node the channel is for extensions
        return false;
    const PathFacts* facts = findPath(path);
    if (facts == nullptr)
    {
        state.warn("channel-dropped", target->path("path"), "\"" + std::string(path.substr(0, 32)) + "\" is not animated");
        return false;
    }
    const std::size_t components = facts->components != 0 ? facts->components : targetCount(state, node);
    if (components == 0)
    {
        state.warn("channel-dropped", channel.path(), "nodes[" + std::to_string(node) + "] has no morph targets to animate");
        return false;
    }
    out.nodeIndex = state.nodeOrder[node];
    out.path = facts->path;
    if (out.path == AnimationPath::Weights && state.scene.nodes[out.nodeIndex].meshIndex == kNoIndex)
    {
        state.note("channel-dropped", channel.path(),
            "nodes[" + std::to_string(node) + "] is outside the scene or a level of detail, and shows no mesh of its own to animate");
        return false;
    }
    const GltfObject& sampler = samplers[samplerIndex];
    if (!readInterpolation(sampler, out.interpolation) || !readTimes(sampler, out.times) || !readValues(sampler, *facts, components, out))
        return false;
    if (isAscending(out.times))
        return true;
    state.warn("channel-dropped", sampler.path("input"), "its times are not strictly ascending from zero");
    return false;
}

} // namespace

void readAnimations(GltfState& state)
{
    for (std::size_t i = 0; i < state.lists.animations.size() && !state.failed(); ++i)
    {
        const GltfObject object(state, state.lists.animations[i], "animations", i);
        Animation& animation = state.scene.animations.emplace_back();
        animation.name = object.text("name");
        const std::vector<GltfObject> samplers = object.objects("samplers");
        for (const GltfObject& channelObject : object.objects("channels"))
        {
            AnimationChannel channel;
            if (state.failed())
                return;
            if (!readChannel(channelObject, samplers, channel))
                continue;
            animation.durationSeconds = std::max(animation.durationSeconds, channel.times.back());
            animation.channels.push_back(std::move(channel));
        }
    }
}

} // namespace dl::detail
