// tests/draw/draw_world.h - a null device behind the validation device, resources, a draw library with the usual passes, and
// frames that run all of them. Used by the tests of draw and scene.
#pragma once

#include "drawloom/draw/draw_frame.h"
#include "drawloom/draw/draw_library.h"
#include "drawloom/gpu/null_device.h"
#include "drawloom/gpu/validation_device.h"
#include "drawloom/resource/gpu_resources.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace dl
{

std::size_t allocationCount();

/// Reason codes that tests have seen; compared with the table at the program's end.
std::set<ReasonCode>& seenReasonCodes();
void sawReason(ReasonCode code);

/// Instances of its own in one heap block; runs as the test says.
class ListSource final : public DrawSource
{
public:
    struct Item
    {
        MeshSetId meshSet;
        std::vector<vec3> centres;
        bool isMirrored = false;
        std::uint64_t viewMask = 1;
        std::uint8_t lod = 0;
    };
    ListSource(GpuResources& resources, DrawLibrary& library) : m_resources(resources), m_library(library) {}
    /// Heap ids of the item's instances, allocated here.
    std::vector<std::uint32_t> add(const Item& item);
    void clear() { m_items.clear(); }
    void cull(const ViewSet& views, VisibleRunSink& sink) override;

private:
    struct Stored
    {
        Item item;
        std::vector<std::uint32_t> ids;
    };
    GpuResources& m_resources;
    DrawLibrary& m_library;
    std::vector<Stored> m_items;
};

class DrawWorld
{
public:
    struct Settings
    {
        gpu::NullDeviceSettings null;
        GpuResourcesSettings resources;
        bool isValidated = true;
        bool hasPasses = true;
    };
    explicit DrawWorld(const Settings& settings);
    DrawWorld() : DrawWorld(Settings{}) {}

    MaterialId addMaterial(std::string_view name, std::uint32_t flags = 0, std::optional<TextureSetId> set = {});
    /// A square of two triangles in the plane z = 0; `seed` moves a corner, so that ranges differ.
    MeshRangeId addRange(float seed = 0.0f);
    MeshSetId addMeshSet(std::string_view name, MeshRangeId range, MaterialId material, BatchFlags flags = {});
    /// One camera at the origin that looks along -Z.
    static View camera(ViewKind kind = ViewKind::Camera);

    /// Builds, flushes, encodes every pass for every view, submits, polls. The stream's bytes stay in `stream`.
    void frame(std::span<DrawSource* const> sources, const ViewSet& views, DynamicBatches* dynamic = nullptr);
    void frame(DrawSource& source);
    /// Draws of a pass with the names of their mesh ranges, "3x r1 b0" for three instances of range 1.
    std::string drawsText(std::string_view pass, std::uint32_t view = 0) const;
    const PassStats& stats(std::string_view pass) const;
    const gpu::NullPassStats* nullStats(std::string_view pass) const;

    std::unique_ptr<gpu::NullDevice> null;
    std::unique_ptr<gpu::ValidationDevice> checked;
    gpu::Device* device = nullptr;
    std::vector<std::string> messages;
    std::unique_ptr<GpuResources> resources;
    std::optional<gpu::ShaderArchive> archive;
    std::unique_ptr<DrawLibrary> library;
    std::unique_ptr<DrawFrame> drawFrame;
    TextureSetId neutralSet;
    gpu::CommandStream stream;
    std::vector<gpu::Completion> completions;

private:
    void addPasses();
    void encodeAll(const ViewSet& views, std::span<const std::uint32_t> offsets);

    gpu::TextureId m_color, m_ids, m_depth;
    gpu::TextureViewId m_colorView, m_idView, m_depthView;
};

MeshPassDesc opaquePassDesc(std::string_view name);

} // namespace dl
