// drawloom/draw/detail/pipeline_cache.cpp - see the header.
#include "drawloom/draw/detail/pipeline_cache.h"

#include "drawloom/core/hash.h"
#include "drawloom/resource/gpu_resources.h"

#include <algorithm>
#include <array>

namespace dl::detail
{

namespace
{
/// Unique among the pipelines of one pass; the order of these names is the order of ranks.
std::string sortNameOf(const PipelineRequest& request, std::string_view entry)
{
    std::string sortName(entry);
    const auto cullMode = static_cast<gpu::CullMode>(request.key.cullMode);
    sortName += cullMode == gpu::CullMode::None ? " double-sided" : cullMode == gpu::CullMode::Front ? " inside" : "";
    sortName += request.key.isMirrored != 0 ? " mirrored" : "";
    if (request.key.topology != 0)
        sortName += " topology " + std::to_string(request.key.topology);
    return sortName;
}
} // namespace

std::size_t PipelineKeyHash::operator()(const PipelineKey& key) const
{
    return static_cast<std::size_t>(hashValue(key));
}

PipelineCache::PipelineCache(gpu::Device& device, GpuResources& resources, std::vector<PipelineSlot>& slots, DrawLibraryCounters& counters)
    : m_device(device), m_resources(resources), m_slots(slots), m_counters(counters)
{
}

PipelineCache::~PipelineCache()
{
    for (const PipelineSlot& slot : m_slots)
        if (slot.pipeline)
            m_device.destroy(slot.pipeline);
    for (const auto& [entry, module] : m_modules)
        m_device.destroy(module);
}

const gpu::ShaderEntry* PipelineCache::findEntry(std::string_view name) const
{
    for (const gpu::ShaderEntry* entry : m_entries)
        if (entry->name == name)
            return entry;
    for (const gpu::ShaderArchive* archive : m_archives)
        if (const gpu::ShaderEntry* entry = archive->find(name))
            return entry;
    return nullptr;
}

Result<gpu::ShaderModuleId> PipelineCache::moduleOf(const gpu::ShaderEntry& entry)
{
    if (const auto found = m_modules.find(&entry); found != m_modules.end())
        return found->second;
    DL_TRY_ASSIGN(const gpu::ShaderModuleId module, m_device.createShaderModule(entry.moduleDesc()));
    m_modules.emplace(&entry, module);
    ++m_counters.shaderModulesCreated;
    return module;
}

std::uint32_t PipelineCache::acquire(const PipelineRequest& request)
{
    if (const auto found = m_byKey.find(request.key); found != m_byKey.end())
        return found->second;
    std::uint32_t index = static_cast<std::uint32_t>(m_slots.size());
    if (m_freeSlots.empty())
    {
        m_slots.emplace_back();
        m_origins.emplace_back();
    }
    else
    {
        index = m_freeSlots.back();
        m_freeSlots.pop_back();
        m_slots[index] = PipelineSlot{};
    }
    m_slots[index].key = request.key;
    m_origins[index] = {request.factoryId, std::string(request.material)};
    if (!create(m_slots[index], request))
        m_retries.push_back({.slot = index});
    m_byKey.emplace(request.key, index);
    rank();
    return index;
}

Result<void> PipelineCache::create(PipelineSlot& slot, const PipelineRequest& request)
{
    const MeshPassShader& shader = *request.shader;
    const std::string name = shader.shader + "." + request.factory->name + "." + std::string(request.surface);
    slot.sortName = sortNameOf(request, name);
    slot.label = request.pass->name + ": " + slot.sortName;
    slot.state = PipelineState::Failed;
    const std::string who = "material \"" + std::string(request.material) + "\", factory \"" + request.factory->name + "\", pass \"" +
                            request.pass->name + "\", device \"" + m_device.info().name + "\": ";
    const gpu::ShaderEntry* entry = findEntry(name);
    if (entry == nullptr)
    {
        slot.refusal = ReasonCode::MissingPermutation;
        slot.message = who + "no shader archive holds \"" + name + "\"";
        return {};
    }
    if (const Result<void> fits = checkVertexInputs(*request.factory, shader.streams, *entry); !fits)
    {
        slot.refusal = fits.error().code == ErrorCode::Unsupported ? ReasonCode::OutsideStreamSet : ReasonCode::LayoutMismatch;
        slot.message = who + fits.error().message;
        return {};
    }
    const Result<gpu::ShaderModuleId> module = moduleOf(*entry);
    const Result<gpu::PipelineId> pipeline =
        module ? createPipeline(slot, request, *entry, module.value()) : Result<gpu::PipelineId>(module.error());
    if (!pipeline)
    {
        slot.refusal = ReasonCode::PipelineFailed;
        slot.message = who + pipeline.error().message;
        return pipeline.error().code == ErrorCode::OutOfMemory ? Result<void>(pipeline.error()) : Result<void>();
    }
    slot.pipeline = pipeline.value();
    slot.state = PipelineState::Pending;
    slot.refusal = ReasonCode::None;
    slot.message.clear();
    ++m_counters.pipelinesCreated;
    return {};
}

bool PipelineCache::retry(std::size_t index, const PipelineRequest& request)
{
    PipelineRetry& retry = m_retries[index];
    PipelineSlot& slot = m_slots[retry.slot];
    slot.groupMask = slot.vertexStreamCount = 0; // the first attempt filled them
    if (!create(slot, request))
    {
        retry.wait = retry.nextWait;
        retry.nextWait = std::min(2 * retry.nextWait, kMaxRetrySubmissions);
        return false;
    }
    m_retries.erase(m_retries.begin() + static_cast<std::ptrdiff_t>(index));
    return true;
}

Result<gpu::PipelineId> PipelineCache::createPipeline(
    PipelineSlot& slot, const PipelineRequest& request, const gpu::ShaderEntry& entry, gpu::ShaderModuleId module)
{
    const MeshPassDesc& pass = *request.pass;
    const LibraryLayouts& library = m_resources.bindings().layouts();
    const std::array<gpu::BindGroupLayoutId, 4> all = {library.frame, pass.passLayout, library.textureSet, library.library};
    std::array<gpu::BindGroupLayoutId, 4> layouts = {};
    std::size_t layoutCount = 0;
    for (const gpu::ShaderBinding& binding : entry.bindings)
    {
        if (binding.group >= 4 || !all[binding.group])
            return Error{ErrorCode::InvalidArgument, "shader \"" + std::string(entry.name) + "\" reads group " +
                                                         std::to_string(binding.group) +
                                                         ", for which the pass gives no layout (MeshPassDesc::passLayout)"};
        layouts[binding.group] = all[binding.group];
        layoutCount = std::max<std::size_t>(layoutCount, binding.group + 1);
        slot.groupMask = static_cast<std::uint8_t>(slot.groupMask | 1U << binding.group);
    }
    std::array<std::vector<gpu::VertexAttribute>, 4> attributes;
    std::array<gpu::VertexBufferLayout, 4> buffers;
    for (const std::uint32_t index : streamsReadBy(*request.factory, entry))
    {
        const FactoryStream& stream = request.factory->streams[index];
        auto& list = attributes[slot.vertexStreamCount];
        for (const FactoryAttribute& attribute : stream.attributes)
            for (const gpu::ShaderVariable& input : entry.vertexInputs)
                if (input.location == attribute.location)
                    list.push_back({attribute.location, attribute.format, attribute.offset});
        buffers[slot.vertexStreamCount] = {stream.stride, false, list};
        slot.streams[slot.vertexStreamCount++] = stream.source;
    }
    gpu::RenderPipelineDesc desc;
    desc.label = slot.label;
    desc.layouts = std::span(layouts).first(layoutCount);
    desc.vertexModule = module;
    desc.vertexEntry = gpu::kVertexEntryPoint;
    if (entry.hasFragment)
    {
        desc.fragmentModule = module;
        desc.fragmentEntry = gpu::kFragmentEntryPoint;
    }
    desc.vertexBuffers = std::span(buffers).first(slot.vertexStreamCount);
    desc.topology = static_cast<gpu::Topology>(request.key.topology);
    desc.cullMode = static_cast<gpu::CullMode>(request.key.cullMode);
    desc.frontFace = request.key.isMirrored != 0 ? gpu::FrontFace::Clockwise : gpu::FrontFace::CounterClockwise;
    desc.colorTargets = pass.colorTargets;
    desc.depth = pass.depth;
    desc.sampleCount = pass.sampleCount;
    desc.alphaToCoverage = pass.alphaToCoverage;
    return m_device.createRenderPipeline(desc);
}

void PipelineCache::rank()
{
    // By name, not by creation: two processes that made the same pipelines in another order sort their draws alike. Nor by the pass
    // that asked first: it may have been removed since.
    m_order.clear();
    for (std::uint32_t i = 0; i < m_slots.size(); ++i)
        m_order.push_back(i);
    std::sort(m_order.begin(), m_order.end(),
        [this](std::uint32_t a, std::uint32_t b)
        {
            const int order = m_slots[a].sortName.compare(m_slots[b].sortName);
            return order != 0 ? order < 0 : a < b;
        });
    for (std::uint32_t i = 0; i < m_order.size(); ++i)
        m_slots[m_order[i]].rank = i;
}

std::uint32_t PipelineCache::indexOf(const MeshPassShader& shader)
{
    const auto found = std::find_if(m_shaders.begin(), m_shaders.end(),
        [&](const MeshPassShader& other) { return other.shader == shader.shader && other.streams == shader.streams; });
    if (found != m_shaders.end())
        return static_cast<std::uint32_t>(found - m_shaders.begin());
    m_shaders.push_back(shader);
    return static_cast<std::uint32_t>(m_shaders.size() - 1);
}

void PipelineCache::removeState(std::uint32_t stateIndex)
{
    for (std::uint32_t i = 0; i < m_slots.size(); ++i)
    {
        PipelineSlot& slot = m_slots[i];
        if (slot.key.stateIndex != stateIndex)
            continue;
        if (slot.pipeline)
            m_device.destroy(slot.pipeline);
        m_byKey.erase(slot.key);
        std::erase_if(m_retries, [i](const PipelineRetry& retry) { return retry.slot == i; });
        slot = PipelineSlot{};
        slot.key.stateIndex = kNoPipelineState;
        slot.state = PipelineState::Failed;
        m_freeSlots.push_back(i);
    }
}

void PipelineCache::onCompletion(const gpu::Completion& completion)
{
    const bool isReady = completion.kind == gpu::CompletionKind::PipelineReady;
    if (!isReady && completion.kind != gpu::CompletionKind::PipelineFailed)
        return;
    for (std::uint32_t i = 0; i < m_slots.size(); ++i)
    {
        PipelineSlot& slot = m_slots[i];
        if (slot.pipeline != completion.pipeline || slot.state != PipelineState::Pending)
            continue;
        slot.state = isReady ? PipelineState::Ready : PipelineState::Failed;
        slot.refusal = isReady ? ReasonCode::None : ReasonCode::PipelineFailed;
        slot.message = isReady ? std::string() : slot.label + ": " + completion.message;
        if (isReady)
            continue;
        m_device.destroy(slot.pipeline);
        slot.pipeline = {};
        if (completion.code == ErrorCode::OutOfMemory)
            m_retries.push_back({.slot = i});
    }
}

std::uint32_t PipelineCache::pendingCount() const
{
    return static_cast<std::uint32_t>(std::count_if(
        m_slots.begin(), m_slots.end(), [](const PipelineSlot& slot) { return slot.pipeline && slot.state == PipelineState::Pending; }));
}

} // namespace dl::detail
