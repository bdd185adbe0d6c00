// drawloom/draw/draw_library.h - everything that is declared once and drawn often: shader archives, vertex factories,
// surfaces, materials, mesh sets, mesh passes, and the commands cached for each (section, pass). One thread; all calls are
// made outside DrawFrame::build .. encode.
#pragma once

#include "drawloom/core/result.h"
#include "drawloom/draw/draw_command.h"
#include "drawloom/draw/mesh_pass.h"
#include "drawloom/draw/mesh_set.h"
#include "drawloom/draw/pipeline_slots.h"
#include "drawloom/gpu/device.h"
#include "drawloom/gpu/shader_archive.h"
#include "drawloom/resource/gpu_structs.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dl
{

class GpuResources;

struct DrawMaterialDesc
{
    std::string name;        ///< for messages
    MaterialParams params;   ///< its flags decide alpha mode and culling
    TextureSetId textureSet; ///< must live as long as the material
    SurfaceId surface;       ///< none: standard
};

/// Running totals since creation.
struct DrawLibraryCounters
{
    std::uint64_t commandsBuilt = 0;   ///< first builds
    std::uint64_t commandRebuilds = 0; ///< of batches that had a command or refusal for the pass before
    std::uint64_t pipelinesCreated = 0;
    std::uint64_t shaderModulesCreated = 0;
};

/// What DrawFrame reads; stable between declarations. Indices are ids' indices.
struct DrawTables
{
    struct Batch
    {
        MeshSection section;
        MeshSetId meshSet;
        std::uint32_t part = 0;
    };
    struct Lod
    {
        std::uint32_t firstBatch = 0, batchCount = 0;
    };
    struct Set
    {
        std::uint32_t generation = 0; ///< 0: free
        std::uint32_t lodCount = 0;
        bool hasMirrored = false; ///< pipelines with flipped winding were requested
        Lod lods[kMaxLodCount];
    };
    struct Pass
    {
        std::uint32_t generation = 0;                ///< 0: free
        std::uint32_t stateIndex = kNoPipelineState; ///< equal for passes whose pipelines differ by shader and culling alone
        const MeshPassDesc* desc = nullptr;
        const KeyLayout* keyLayout = nullptr;
        bool needsDepth = false;
        bool isExpanded = false;                        ///< runs become single instances
        std::uint32_t batchCount = 0, commandCount = 0; ///< offered, accepted
        std::vector<DrawCommand> commands;              ///< by batch index
    };
    struct MaterialSlot
    {
        std::uint32_t generation = 0;
        TextureSetId textureSet;
    };
    std::vector<Set> sets;
    std::vector<Pass> passes;
    std::vector<MaterialSlot> materials;
    std::vector<Batch> batches;
    std::vector<PipelineSlot> pipelines;
    std::vector<ExternalGeometry> externals;
};

class DrawLibrary
{
public:
    /// Both outlive the library.
    DrawLibrary(gpu::Device& device, GpuResources& resources);
    ~DrawLibrary();
    DrawLibrary(const DrawLibrary&) = delete;
    DrawLibrary& operator=(const DrawLibrary&) = delete;

    /// Entries are looked up in the order of the archives' registration. The archive outlives the library.
    void addArchive(const gpu::ShaderArchive& archive);
    /// A single entry, looked up before the archives. It outlives the library.
    void addShader(const gpu::ShaderEntry& entry);

    /// InvalidArgument as checkVertexFactory says; AlreadyExists: the name.
    Result<VertexFactoryId> addVertexFactory(const VertexFactoryDesc& desc);
    VertexFactoryId rigidFactory() const;
    VertexFactoryId deformedFactory() const;
    /// The last part of entry names; the same name gives the same id.
    SurfaceId addSurface(std::string_view name);

    Result<MaterialId> addMaterial(const DrawMaterialDesc& desc);
    /// New values next frame. Commands are rebuilt only if alpha mode, double-sidedness or another fact that filters see
    /// (MaterialParams::flags) has changed; a texture set is a slot.
    Result<void> updateMaterial(MaterialId id, const MaterialParams& params);
    Result<void> setTextureSet(MaterialId id, TextureSetId set);
    /// InvalidArgument while mesh sets or variants (material overrides hold them) use it: they go first.
    Result<void> removeMaterial(MaterialId id);

    Result<ExternalGeometryId> addExternalGeometry(const ExternalGeometry& geometry);
    Result<void> removeExternalGeometry(ExternalGeometryId id); ///< InvalidArgument while mesh sets use it

    /// InvalidArgument: no LOD, no section, a part without material, falling sizes broken, a section with both or neither of
    /// range and external. Builds the commands for all passes; refusals are no error, see collectRefusals.
    Result<MeshSetId> addMeshSet(const MeshSetDesc& desc);
    /// The same geometry with other materials (one per part; none keeps the base's; empty keeps all), more flags, and another
    /// explicit order. Equal requests share one id; release each once. `base` is an id of addMeshSet.
    Result<MeshSetId> acquireVariant(
        MeshSetId base, std::span<const MaterialId> materials, BatchFlags flags, std::optional<std::uint8_t> explicitOrder = {});
    void releaseVariant(MeshSetId id);
    /// InvalidArgument while variants of it are held.
    Result<void> removeMeshSet(MeshSetId id);
    /// nullptr for stale ids. Holds until the next declaration.
    const MeshSetInfo* findMeshSet(MeshSetId id) const;
    std::string_view meshSetName(MeshSetId id) const;
    /// Makes the pipelines with flipped winding now instead of when a mirrored run is first seen.
    void requestMirrored(MeshSetId id);

    /// AlreadyExists: the name; OutOfRange: the key layout. Builds commands for all mesh sets.
    Result<MeshPassId> addPass(const MeshPassDesc& desc);
    Result<void> removePass(MeshPassId id);
    MeshPassId findPass(std::string_view name) const;

    /// To be called with every completion that the device polled. Pipelines that lacked memory are tried again here, ever more rarely.
    void onCompletion(const gpu::Completion& completion);
    std::uint32_t pendingPipelineCount() const;

    /// Appends what is not drawn and why, in order of declaration. Filters (isFailure false) only on demand.
    void collectRefusals(std::vector<Refusal>& refusals, bool includeFilters = false) const;
    const DrawLibraryCounters& counters() const;
    /// For debugging: builds up to `maxCount` cached commands anew, from where the last call ended on, and appends one StaleCommand
    /// refusal for each that differs: its batch, its pass, the stale field with both values. The cache stays as it is. Costs what
    /// declaring the batches cost.
    void verifyCommands(std::uint32_t maxCount, std::vector<Refusal>& stale);

    GpuResources& resources() const;
    gpu::Device& device() const;
    /// For DrawFrame and debugging views.
    const DrawTables& tables() const;
    /// For DrawFrame (PendingPolicy::Fallback): the slot of a command's pipeline with the surface "standard" in place of its own. Asks for
    /// the pipeline if it is new.
    std::uint32_t fallbackPipeline(std::uint32_t passIndex, std::uint32_t batch, bool isMirrored);
    /// The command of material and factory in a pass, as a batch of one section would get it. For dynamic batches.
    DrawCommand makeCommand(MeshPassId pass, VertexFactoryId factory, MaterialId material, gpu::Topology topology, BatchFlags flags);
    const VertexFactoryDesc* findFactory(VertexFactoryId id) const;
    std::string_view materialName(MaterialId id) const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace dl
