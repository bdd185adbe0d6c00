// drawloom/asset/detail/gltf_export_animation.cpp - skins and animations of a .glb.
#include "drawloom/asset/detail/gltf_export_writer.h"

namespace dl::detail
{
namespace
{

void writeChannel(GltfExport& out, std::uint32_t sampler, std::uint32_t node, const char* path)
{
    out.json.beginObject();
    out.json.member("sampler", sampler);
    out.json.beginObject("target");
    out.json.member("node", node);
    out.json.member("path", path);
    out.json.endObject();
    out.json.endObject();
}

void writeAnimation(GltfExport& out, const Animation& animation)
{
    static constexpr const char* kPathNames[] = {"translation", "rotation", "scale", "weights"};
    static constexpr const char* kInterpolationNames[] = {"STEP", "LINEAR", "CUBICSPLINE"};
    out.json.beginObject();
    if (!animation.name.empty())
        out.json.member("name", animation.name);
    out.json.beginArray("samplers");
    for (const AnimationChannel& channel : animation.channels)
    {
        const AccessorType type = channel.path == AnimationPath::Rotation  ? AccessorType::Vec4
                                  : channel.path == AnimationPath::Weights ? AccessorType::Scalar
                                                                           : AccessorType::Vec3;
        out.json.beginObject();
        out.json.member("input", out.buffer.addAccessor(channel.times, kGltfFloat, AccessorType::Scalar, kTargetNone, true));
        out.json.member("output", out.buffer.addAccessor(channel.values, kGltfFloat, type, kTargetNone));
        out.json.member("interpolation", kInterpolationNames[static_cast<std::size_t>(channel.interpolation)]);
        out.json.endObject();
    }
    out.json.endArray();
    out.json.beginArray("channels");
    for (std::uint32_t i = 0; i < animation.channels.size(); ++i)
    {
        const AnimationChannel& channel = animation.channels[i];
        const std::vector<std::uint32_t>& carriers = out.plan.carriers[channel.nodeIndex];
        const bool isCarried = channel.path == AnimationPath::Weights && !carriers.empty();
        for (const std::uint32_t node : isCarried ? std::span<const std::uint32_t>(carriers) : std::span(&channel.nodeIndex, 1))
            writeChannel(out, i, node, kPathNames[static_cast<std::size_t>(channel.path)]);
    }
    out.json.endArray();
    out.json.endObject();
}

} // namespace

void writeSkins(GltfExport& out)
{
    if (out.scene.skins.empty())
        return;
    out.json.beginArray("skins");
    for (const Skin& skin : out.scene.skins)
    {
        out.json.beginObject();
        if (!skin.name.empty())
            out.json.member("name", skin.name);
        out.json.member("joints", std::span<const std::uint32_t>(skin.jointNodes));
        if (skin.skeletonRoot != kNoIndex)
            out.json.member("skeleton", skin.skeletonRoot);
        out.json.member(
            "inverseBindMatrices", out.buffer.addAccessor(skin.inverseBindMatrices, kGltfFloat, AccessorType::Mat4, kTargetNone));
        out.json.endObject();
    }
    out.json.endArray();
}

void writeAnimations(GltfExport& out)
{
    std::size_t channelCount = 0;
    for (const Animation& animation : out.scene.animations)
        channelCount += animation.channels.size();
    if (channelCount == 0)
        return;
    out.json.beginArray("animations");
    for (const Animation& animation : out.scene.animations)
        if (!animation.channels.empty())
            writeAnimation(out, animation);
    out.json.endArray();
}

} // namespace dl::detail
