// drawloom/draw/detail/library_impl.h - the state behind DrawLibrary, shared by its source files.
#pragma once

#include "drawloom/draw/detail/pipeline_cache.h"
#include "drawloom/draw/draw_library.h"

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace dl
{

struct DrawLibrary::Impl
{
    struct Material
    {
        std::string name;
        std::uint32_t surfaceIndex = 0;
        std::uint32_t flags = 0;
        std::uint32_t userCount = 0; ///< parts of mesh sets and variants
    };
    struct MeshSet
    {
        MeshSetDesc desc;
        MeshSetInfo info;
        MeshSetId base;                 ///< none: it is one
        std::uint64_t variantHash = 0;  ///< of a variant
        std::uint32_t refCount = 1;     ///< variant: holders
        std::uint32_t variantCount = 0; ///< base: holders of variants, itself as one included
        std::uint32_t firstBatch = 0, batchCount = 0;
    };
    struct Pass
    {
        MeshPassDesc desc;
        KeyLayout layout;
    };

    Impl(gpu::Device& theDevice, GpuResources& theResources);

    /// That of a living pass with equal targets, depth, samples and group 1, or a new one.
    std::uint32_t stateOf(const MeshPassDesc& desc);

    // Commands: batch meets pass (library_commands.cpp).
    BatchInfo infoOf(const MeshSet& set, std::string_view factory, std::uint32_t part, MaterialId material) const;
    DrawCommand buildCommand(std::uint32_t passIndex, const MeshSet& set, const MeshSection& section, bool isMirroredWanted);
    DrawCommand buildCommand(std::uint32_t passIndex, const BatchInfo& info, MaterialId material, VertexFactoryId factory,
        gpu::Topology topology, bool isMirroredWanted);
    std::uint32_t pipelineOf(std::uint32_t passIndex, const BatchInfo& info, MaterialId material, VertexFactoryId factory,
        gpu::Topology topology, bool isMirrored, std::uint32_t surfaceIndex);
    void buildBatch(std::uint32_t passIndex, std::uint32_t batch, bool isRebuild);
    std::string subjectOf(std::uint32_t batch) const;
    void verifyCommand(std::uint32_t passIndex, std::uint32_t batch, std::vector<Refusal>& stale);
    void retryPipelines();
    void rebuildRefused(std::uint32_t pipelineSlot);
    void rebuildMaterial(MaterialId material);

    // Mesh sets (library_mesh_sets.cpp).
    Result<void> checkMeshSet(const MeshSetDesc& desc) const;
    Result<void> checkBuffers(const MeshSetDesc& desc, const MeshSection& section) const;
    Result<MeshSetId> insertMeshSet(MeshSet set);
    void eraseMeshSet(MeshSetId id);
    std::uint32_t allocateBatches(std::uint32_t count);
    void countUsers(const MeshSetDesc& desc, bool isAdded);

    gpu::Device& device;
    GpuResources& resources;
    DrawTables tables;
    DrawLibraryCounters counters;
    std::uint32_t stateCount = 0;
    std::uint64_t verifyCursor = 0; ///< batch * passes + pass
    detail::PipelineCache pipelines;
    SlotTable<VertexFactoryId, VertexFactoryDesc> factories;
    VertexFactoryId rigid, deformed;
    std::vector<std::string> surfaces;
    std::vector<Material> materials;                        ///< by the id's index; alive as tables.materials says
    SlotTable<ExternalGeometryId, std::uint32_t> externals; ///< sections that use it
    SlotTable<MeshSetId, MeshSet> sets;
    SlotTable<MeshPassId, std::unique_ptr<Pass>> passes;
    std::unordered_multimap<std::uint64_t, MeshSetId> variants;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> freeBatches; ///< count -> first
};

} // namespace dl
