// drawloom/draw/detail/pipeline_cache.h - finds or makes the pipeline slot of a key: shader entry, layout checks, pipeline.
// Part of DrawLibrary.
#pragma once

#include "drawloom/draw/draw_library.h"
#include "drawloom/draw/pipeline_slots.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace dl::detail
{

struct PipelineKeyHash
{
    std::size_t operator()(const PipelineKey& key) const;
};

/// What a key's indices stand for.
struct PipelineRequest
{
    PipelineKey key;
    const MeshPassDesc* pass = nullptr; ///< that asked first: its name labels the pipeline
    const MeshPassShader* shader = nullptr;
    const VertexFactoryDesc* factory = nullptr;
    VertexFactoryId factoryId;
    std::string_view surface;
    std::string_view material; ///< that asked first, for messages
};

/// What a slot was first asked for with, to ask again.
struct PipelineOrigin
{
    VertexFactoryId factory;
    std::string material;
};

/// A slot that failed for want of memory: asked for again after 1, 2, 4 ... kMaxRetrySubmissions completed submissions.
struct PipelineRetry
{
    std::uint32_t slot = 0;
    std::uint32_t wait = 1, nextWait = 2; ///< submissions
};

class PipelineCache
{
public:
    static constexpr std::uint32_t kMaxRetrySubmissions = 256;

    PipelineCache(gpu::Device& device, GpuResources& resources, std::vector<PipelineSlot>& slots, DrawLibraryCounters& counters);
    ~PipelineCache();
    PipelineCache(const PipelineCache&) = delete;
    PipelineCache& operator=(const PipelineCache&) = delete;

    void addArchive(const gpu::ShaderArchive& archive) { m_archives.push_back(&archive); }
    void addShader(const gpu::ShaderEntry& entry) { m_entries.push_back(&entry); }

    /// Index of the slot, made if it is new. A failure is a slot in state Failed, made once, and listed in retries() if memory was
    /// what it lacked.
    std::uint32_t acquire(const PipelineRequest& request);
    /// Index of a shader as keys name it.
    std::uint32_t indexOf(const MeshPassShader& shader);
    const MeshPassShader& shader(std::uint32_t shaderIndex) const { return m_shaders[shaderIndex]; }
    /// Destroys the pipelines of a state that no pass has any more.
    void removeState(std::uint32_t stateIndex);
    void onCompletion(const gpu::Completion& completion);
    std::uint32_t pendingCount() const;
    /// For the library, which counts submissions down and knows what a key stands for.
    std::vector<PipelineRetry>& retries() { return m_retries; }
    const PipelineOrigin& origin(std::uint32_t slot) const { return m_origins[slot]; }
    /// Tries the slot of retries()[index] again. True: it left the list, in whatever state.
    bool retry(std::size_t index, const PipelineRequest& request);

private:
    const gpu::ShaderEntry* findEntry(std::string_view name) const;
    Result<gpu::ShaderModuleId> moduleOf(const gpu::ShaderEntry& entry);
    /// OutOfMemory alone is an error here; all else stands in the slot.
    Result<void> create(PipelineSlot& slot, const PipelineRequest& request);
    Result<gpu::PipelineId> createPipeline(
        PipelineSlot& slot, const PipelineRequest& request, const gpu::ShaderEntry& entry, gpu::ShaderModuleId module);
    void rank();

    gpu::Device& m_device;
    GpuResources& m_resources;
    std::vector<PipelineSlot>& m_slots;
    DrawLibraryCounters& m_counters;
    std::vector<const gpu::ShaderArchive*> m_archives;
    std::vector<const gpu::ShaderEntry*> m_entries;
    std::vector<MeshPassShader> m_shaders;
    std::unordered_map<PipelineKey, std::uint32_t, PipelineKeyHash> m_byKey;
    std::unordered_map<const gpu::ShaderEntry*, gpu::ShaderModuleId> m_modules;
    std::vector<std::uint32_t> m_freeSlots, m_order;
    std::vector<PipelineRetry> m_retries;
    std::vector<PipelineOrigin> m_origins; ///< by slot
};

} // namespace dl::detail
