// drawloom/scene/detail/registry_impl.h - the state behind SceneRegistry, shared by its source files.
#pragma once

#include "drawloom/cull/cull.h"
#include "drawloom/draw/draw_sort.h"
#include "drawloom/resource/gpu_structs.h"
#include "drawloom/scene/detail/record_blocks.h"
#include "drawloom/scene/scene_registry.h"

#include <mutex>
#include <vector>

namespace dl
{

struct SceneRegistry::Impl
{
    enum class EditKind : std::uint8_t
    {
        Add,
        Remove,
        Move,
        Teleport,
        OverrideMaterial,
        SetMeshSet,
        SetFlags,
        Mark,
        SetOrder,
        SetLayers,
        Hide,
        OverrideValue,
        SetBounds,
        SetDeformOffset,
    };
    struct Edit
    {
        EditKind kind = EditKind::Add;
        InstanceId id;
        std::uint32_t payload = 0; ///< index into the queue's array of the kind, or the value itself
        std::uint32_t extra = 0;   ///< part, property index
        std::uint32_t count = 0;   ///< words
    };
    struct Queue
    {
        std::vector<Edit> edits;
        std::vector<InstanceDesc> descs;
        std::vector<WorldTransform> transforms;
        std::vector<MaterialId> materials;
        std::vector<MeshSetId> meshSets;
        std::vector<Aabb> boxes;
        std::vector<std::uint32_t> words;
        void clear();
    };
    struct Instance
    {
        std::uint32_t generation = 0; ///< 0: none
        bool isHidden = false, isMirrored = false;
        InstanceDesc desc; ///< as edited; materials are empty or one a part
        MeshSetId variant;
        std::uint32_t cellSlot = 0;
        detail::RecordPlace place;
        std::uint64_t stillFrame = 0;  ///< MoverHeap::frameNumber() in which moves are no motion: spawned, teleported, shown
        std::uint64_t hiddenFrame = 0; ///< ... in which it was hidden
    };
    /// What culling needs of an instance besides its bounds, apart from the rest: an Instance is several cache lines.
    struct CullFacts
    {
        MeshSetId variant;
        HeapId heapId = 0;
        std::uint8_t isMirrored = 0;
        std::uint8_t isPlain = 0; ///< no LOD range, no visibility group, one LOD at any size
        std::uint16_t reserved = 0;
    };
    static_assert(sizeof(CullFacts) == 16);
    /// What culling reads, by instance index; dead and hidden ones have the layer mask 0. Relative to `referenceCell`.
    struct Bounds
    {
        std::vector<float> centreX, centreY, centreZ, halfX, halfY, halfZ;
        std::vector<std::uint32_t> layers;
        std::vector<CullFacts> facts;
        void resize(std::size_t count);
    };
    /// One visible instance at one LOD, with what its run needs: sorted runs are gathered in random order.
    struct Visible
    {
        std::uint64_t key = 0, mask = 0;
        std::uint32_t instance = 0;
        HeapId heapId = 0;
        vec3 centre; ///< relative to the frame's origin
        std::uint32_t lod = 0;
    };

    explicit Impl(DrawLibrary& theLibrary);
    ~Impl();

    /// What makes an instance's variant.
    struct Look
    {
        MeshSetId base;
        std::vector<MaterialId> materials;
        BatchFlags flags;
        std::optional<std::uint8_t> order;
    };
    static Look lookOf(const InstanceDesc& desc) { return {desc.meshSet, desc.materials, desc.flags, desc.explicitOrder}; }

    void push(const Edit& edit);
    void apply(const Edit& edit);
    Result<void> applyAdd(InstanceId id, InstanceDesc desc);
    void applyRemove(Instance& instance, std::uint32_t index);
    void standStill(Instance& instance);
    void applyHide(Instance& instance, std::uint32_t index, bool isHidden);
    Result<void> applyMove(Instance& instance, std::uint32_t index, const WorldTransform& transform);
    /// `look` holds the mesh set, materials, flags and order that the instance shall have.
    Result<void> applyLook(Instance& instance, std::uint32_t index, Look look);
    Result<void> applyValue(Instance& instance, std::uint32_t property, std::span<const std::uint32_t> words);
    void writeRecord(const Instance& instance);
    std::uint32_t recordFlags(const Instance& instance) const;
    Aabb worldBounds(const Instance& instance) const;
    void writeBounds(const Instance& instance, std::uint32_t index);
    void writeFacts(const Instance& instance, std::uint32_t index);
    void refuse(InstanceId id, const Error& error);
    Instance* find(InstanceId id);

    void setReferenceCell(i32vec3 cell);
    /// Of the indices [begin, end) into `visible`.
    void collect(const ViewSet& views, std::size_t begin, std::size_t end, std::vector<Visible>& out) const;
    void collectByLod(const ViewSet& views, std::uint32_t index, vec3 centre, std::uint64_t mask, std::vector<Visible>& out) const;
    void pushVisible(std::uint32_t index, vec3 centre, std::uint32_t lod, std::uint64_t mask, std::vector<Visible>& out) const;
    void emitRuns(std::size_t chunkCount, VisibleRunSink& sink);

    DrawLibrary& library;
    GpuResources& resources;

    std::mutex mutex; ///< guards the four below
    Queue queue;
    std::vector<std::uint32_t> generations, freeIndices;
    std::uint32_t pendingAdds = 0;

    Queue applying;
    std::vector<std::uint32_t> freed; ///< indices of this applyEdits
    std::vector<Instance> instances;
    Bounds bounds;
    i32vec3 referenceCell = i32vec3(0);
    detail::RecordBlocks records;
    std::vector<Refusal> refusals;
    SceneRegistryStats stats;

    std::vector<cull::CullView> cullViews;
    std::vector<std::uint64_t> groupMasks;
    cull::VisibleObjects visible; ///< instance indices
    std::vector<std::vector<Visible>> chunks;
    std::vector<SortItem> items, scratch;
};

} // namespace dl
