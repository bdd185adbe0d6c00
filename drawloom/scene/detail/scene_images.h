// drawloom/scene/detail/scene_images.h - images of a scene description as texture slots: one slot for each use as colour or as
// data, with mips made for that use. Part of SceneInstance.
#pragma once

#include "drawloom/asset/scene_description.h"
#include "drawloom/core/result.h"
#include "drawloom/resource/texture_sets.h"

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

private:
    Result<TextureSlotId> slotOf(const SceneDescription& scene, std::uint32_t imageIndex, ImageEncoding encoding);

    GpuResources& m_resources;
    std::vector<TextureSlotId> m_slots[2]; ///< by encoding, then image
    std::vector<TextureSetId> m_sets;
    std::uint32_t m_slotCount = 0;
};

} // namespace dl::detail
