// drawloom/scene/detail/scene_images.h - images of a scene description as texture slots: one slot for each use as colour or as
// data, with mips made for that use. What the device can not show is a neutral texture and an issue. Part of SceneInstance.
#pragma once

#include "drawloom/asset/scene_description.h"
#include "drawloom/core/result.h"
#include "drawloom/resource/texture_sets.h"
#include "drawloom/scene/detail/scene_image_convert.h"

#include <span>
#include <vector>

namespace dl
{
class GpuResources;
}

namespace dl::detail
{

class SceneImages
{
public:
    explicit SceneImages(GpuResources& resources) : m_resources(resources) {}
    /// Releases sets and slots.
    ~SceneImages();
    SceneImages(const SceneImages&) = delete;
    SceneImages& operator=(const SceneImages&) = delete;

    /// The texture set of a material; held until the end.
    Result<TextureSetId> acquireSet(const SceneDescription& scene, const Material& material);
    std::uint32_t slotCount() const { return m_slotCount; }
    /// Images that can not be drawn on this device, once each.
    std::span<const ImportIssue> issues() const { return m_issues; }

private:
    struct Slot
    {
        TextureSlotId id;       ///< none: neutral
        bool isSettled = false; ///< converted, or refused with an issue
    };
    Result<TextureSlotId> slotOf(const SceneDescription& scene, std::uint32_t imageIndex, ImageUse use);

    GpuResources& m_resources;
    std::vector<Slot> m_slots[3]; ///< by ImageUse, then image
    std::vector<TextureSetId> m_sets;
    std::vector<ImportIssue> m_issues;
    std::uint32_t m_slotCount = 0;
};

} // namespace dl::detail
