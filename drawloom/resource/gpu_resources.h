// drawloom/resource/gpu_resources.h - everything that is resident on one device, behind stable slots, and the one place where it
// is uploaded. Owned by a renderer; its parts are used by draw sources, mesh sets, passes.
//
// One frame:  onCompleted (polled)  ->  beginFrame  ->  edits, culling, ids, uniforms, jobs  ->  flush(stream)  ->
//             passes are encoded into the same stream, resolving slots  ->  submit  ->  onSubmitted
#pragma once

#include "drawloom/gpu/command_stream.h"
#include "drawloom/gpu/device.h"
#include "drawloom/resource/cell_table.h"
#include "drawloom/resource/deform_heap.h"
#include "drawloom/resource/frame_timeline.h"
#include "drawloom/resource/geometry_pool.h"
#include "drawloom/resource/id_list.h"
#include "drawloom/resource/indirect_list.h"
#include "drawloom/resource/instance_heap.h"
#include "drawloom/resource/library_bindings.h"
#include "drawloom/resource/material_table.h"
#include "drawloom/resource/memory_stats.h"
#include "drawloom/resource/mover_heap.h"
#include "drawloom/resource/property_heap.h"
#include "drawloom/resource/sampler_cache.h"
#include "drawloom/resource/texture_sets.h"
#include "drawloom/resource/texture_slots.h"
#include "drawloom/resource/uniform_ring.h"
#include "drawloom/resource/upload_queue.h"
#include "drawloom/resource/visibility_groups.h"

#include <cstdint>
#include <memory>

namespace dl
{

struct GpuResourcesSettings
{
    GeometryPoolSettings geometry;
    std::uint64_t uploadBytesPerFrame = std::uint64_t(64) << 20U; ///< of meshes and textures; instances and tables always go
    std::uint16_t maxAnisotropy = 1;                              ///< 1..16, for linear samplers
};

/// Owner thread only. The device outlives it.
class GpuResources
{
public:
    static Result<std::unique_ptr<GpuResources>> create(gpu::Device& device, const GpuResourcesSettings& settings = {});
    /// Everything is destroyed; ids that are still used are worth nothing. Submitted streams may still run.
    ~GpuResources();
    GpuResources(const GpuResources&) = delete;
    GpuResources& operator=(const GpuResources&) = delete;

    /// Flips visibility groups, forgets the last frame's ids, uniforms, deform jobs; reclaims what completed.
    void beginFrame();
    /// Appends all uploads with their barriers, publishes what became resident, rebuilds bind groups. Before the first pass, outside
    /// passes, once per frame. An error (memory, device lost) means that the frame can not be drawn; the next flush tries again.
    Result<void> flush(gpu::CommandStream& stream);
    /// The stream of the last flush was submitted: what it replaced is destroyed. `isFrameDrawn` false: its uploads alone, so the
    /// movers keep where they were in the last frame that was drawn.
    void onSubmitted(gpu::SubmissionIndex submission, bool isFrameDrawn = true);
    void onCompleted(gpu::SubmissionIndex submission) { m_timeline.onCompleted(submission); }

    gpu::Device& device() { return *m_device; }
    GeometryPool& geometry() { return m_geometry; }
    PropertyHeap& properties() { return m_properties; }
    InstanceHeap& instances() { return m_instances; }
    MoverHeap& movers() { return m_movers; }
    CellTable& cells() { return m_cells; }
    MaterialTable& materials() { return m_materials; }
    TextureSlots& textures() { return m_textures; }
    TextureSets& textureSets() { return m_textureSets; }
    IdList& ids() { return m_ids; }
    IndirectList& indirectDraws() { return m_indirectDraws; }
    UniformRing& views() { return m_views; }
    DeformHeap& deform() { return m_deform; }
    VisibilityGroups& visibility() { return m_visibility; }
    UploadQueue& uploads() { return m_uploads; }
    LibraryBindings& bindings() { return m_bindings; }
    const FrameTimeline& timeline() const { return m_timeline; }

    void setUploadBytesPerFrame(std::uint64_t bytes) { m_settings.uploadBytesPerFrame = bytes; }
    const ResourceMemory& memory() const { return m_memory; }

private:
    GpuResources(gpu::Device& device, const GpuResourcesSettings& settings);
    Result<void> prepareBuffers();

    gpu::Device* m_device;
    GpuResourcesSettings m_settings;
    ResourceMemory m_memory;
    FrameTimeline m_timeline;
    RetireQueue m_retired;
    UploadQueue m_uploads;
    GeometryPool m_geometry;
    PropertyHeap m_properties;
    InstanceHeap m_instances;
    MoverHeap m_movers;
    CellTable m_cells;
    MaterialTable m_materials;
    SamplerCache m_samplers;
    TextureSlots m_textures;
    TextureSets m_textureSets;
    IdList m_ids;
    IndirectList m_indirectDraws;
    UniformRing m_views;
    DeformHeap m_deform;
    VisibilityGroups m_visibility;
    LibraryBindings m_bindings;
    WriteBatch m_batch;
};

} // namespace dl
