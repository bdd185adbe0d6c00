// drawloom/resource/library_bindings.h - layouts of the library's bind groups (G0 frame and view, G2 texture set, G3 library, and
// the two of the pass deform) and the groups themselves, made anew only when a buffer behind them is another object.
#pragma once

#include "drawloom/gpu/device.h"
#include "drawloom/resource/gpu_structs.h"
#include "drawloom/resource/growable_buffer.h"
#include "drawloom/resource/retire_queue.h"
#include "drawloom/resource/write_batch.h"

#include <cstdint>
#include <span>
#include <vector>

namespace dl
{

class DeformHeap;
class GeometryPool;
class IdList;
class InstanceHeap;
class MaterialTable;
class MoverHeap;
class PropertyHeap;
class UniformRing;

constexpr std::uint32_t kFrameGroup = 0, kPassGroup = 1, kTextureSetGroup = 2, kLibraryGroup = 3;

struct LibraryLayouts
{
    gpu::BindGroupLayoutId frame;      ///< G0; one dynamic offset (ViewUniforms)
    gpu::BindGroupLayoutId empty;      ///< G1 of passes without resources of their own
    gpu::BindGroupLayoutId textureSet; ///< G2
    gpu::BindGroupLayoutId library;    ///< G3
    gpu::BindGroupLayoutId deformJob;  ///< G0 of the pass deform; one dynamic offset (DeformJob)
    gpu::BindGroupLayoutId deformPage; ///< G1 of the pass deform
};

/// What the groups bind; all outlive LibraryBindings.
struct LibrarySources
{
    InstanceHeap* instances = nullptr;
    PropertyHeap* properties = nullptr;
    MaterialTable* materials = nullptr;
    MoverHeap* movers = nullptr;
    IdList* ids = nullptr;
    DeformHeap* deform = nullptr;
    GeometryPool* geometry = nullptr;
    UniformRing* views = nullptr;
};

/// Owner thread only.
class LibraryBindings
{
public:
    LibraryBindings(gpu::Device& device, RetireQueue& retired, MemoryAmount& amount, const LibrarySources& sources);
    ~LibraryBindings();
    LibraryBindings(const LibraryBindings&) = delete;
    LibraryBindings& operator=(const LibraryBindings&) = delete;

    Result<void> initialise();
    const LibraryLayouts& layouts() const { return m_layouts; }

    /// Of the frame that is built; uploaded by the flush.
    FrameUniforms& frameUniforms() { return m_frame; }
    void collectWrites(WriteBatch& batch);
    /// Rebuilds what must be; an error leaves the old groups and is tried again in the next flush.
    Result<void> update();

    /// Valid after the flush. One dynamic offset: what UniformRing::push gave.
    gpu::BindGroupId frameGroup() const { return m_frameGroup.id; }
    gpu::BindGroupId emptyGroup() const { return m_emptyGroup; }
    gpu::BindGroupId libraryGroup(std::uint32_t heapPageIndex) const { return m_libraryGroups[heapPageIndex].id; }
    gpu::BindGroupId deformJobGroup() const { return m_jobGroup.id; }
    /// None for pages without skin and morph streams.
    gpu::BindGroupId deformPageGroup(std::uint32_t geometryPageIndex) const { return m_deformGroups[geometryPageIndex].id; }
    std::uint64_t bindGroupsCreated() const { return m_created; }

private:
    struct Group
    {
        gpu::BindGroupId id;
        std::uint64_t key = 0; ///< hash of the objects that it names
    };
    Result<void> createLayouts();
    Result<void> rebuild(Group& group, const char* label, gpu::BindGroupLayoutId layout, std::span<const gpu::BindGroupEntry> entries);
    Result<void> updateLibraryGroup(std::uint32_t page);
    Result<void> updateDeformGroup(std::uint32_t page);

    gpu::Device* m_device;
    RetireQueue* m_retired;
    LibrarySources m_sources;
    LibraryLayouts m_layouts;
    GrowableBuffer m_frameBuffer, m_dummy;
    FrameUniforms m_frame;
    Group m_frameGroup, m_jobGroup;
    gpu::BindGroupId m_emptyGroup;
    std::vector<Group> m_libraryGroups, m_deformGroups;
    std::uint64_t m_created = 0;
};

} // namespace dl
