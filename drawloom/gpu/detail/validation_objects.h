// drawloom/gpu/detail/validation_objects.h - what the validation device remembers of each object: its desc and its state.
#pragma once

#include "drawloom/gpu/command_stream.h"
#include "drawloom/gpu/descs.h"
#include "drawloom/gpu/detail/content_store.h"
#include "drawloom/gpu/detail/id_map.h"
#include "drawloom/gpu/object_kind.h"

#include <string>
#include <vector>

namespace dl::gpu
{

/// Where something happened, for messages: an index into HazardTracker's places.
using PlaceIndex = std::uint32_t;

/// Of a buffer or of one (mip, layer): gpu/barrier_model.h's state and what it takes to judge the next use.
struct RangeState
{
    AccessFlags state;
    AccessFlags lastAccess;       ///< of the last use, whatever barriers came after it
    PlaceIndex lastPlace = 0;     ///< of lastAccess
    bool isUsed = false;          ///< since the last barrier
    bool isDefined = false;       ///< something wrote content that was not discarded
    std::uint64_t writeScope = 0; ///< the pass that took up the write state; 0: nobody yet
    std::uint64_t barrierCommand = 0;
};

struct ByteRange
{
    std::uint64_t begin = 0, end = 0;
};

struct BufferRecord
{
    std::string label;
    std::uint64_t bytes = 0;
    BufferUsages usage;
    RangeState range;
    std::vector<ByteRange> written; ///< by copies in the present CopyWrite state; ascending, disjoint, not touching
};

struct TextureRecord
{
    std::string label;
    TextureShape shape;
    TextureDimension dimension = TextureDimension::D2;
    std::uint32_t sampleCount = 1;
    TextureUsages usage;
    std::vector<RangeState> ranges;     ///< mip-major
    std::vector<TextureRegion> written; ///< by copies in the present CopyWrite states

    std::uint32_t layerCount() const { return shape.isVolume ? 1 : shape.depthOrLayers; }
    RangeState& range(std::uint32_t mip, std::uint32_t layer) { return ranges[std::size_t(mip) * layerCount() + layer]; }
};

struct ViewRecord
{
    std::string label;
    TextureViewDesc desc; ///< its label is empty, its format never None
};

struct SamplerRecord
{
    std::string label;
    bool isComparison = false, isFiltering = false;
};

struct LayoutRecord
{
    std::string label;
    std::vector<BindGroupLayoutEntry> entries;
};

struct GroupRecord
{
    std::string label;
    std::vector<BindGroupLayoutEntry> layout; ///< copied: the layout object may be destroyed before the group
    std::vector<BindGroupEntry> entries;
    std::uint32_t dynamicCount = 0;
};

struct VertexBufferRecord
{
    std::uint32_t stride = 0, usedBytes = 0; ///< usedBytes: end of the last attribute
    bool isPerInstance = false;
};

struct PipelineRecord
{
    std::string label;
    bool isCompute = false, isReady = false;
    std::vector<std::vector<BindGroupLayoutEntry>> layouts;
    std::vector<bool> hasLayout;
    std::vector<VertexBufferRecord> vertexBuffers;
    std::vector<Format> colors;
    Format depth = Format::None;
    bool isDepthWriting = false;
    std::uint32_t sampleCount = 1;
};

struct QuerySetRecord
{
    std::string label;
    std::uint32_t count = 0;
};

struct ModuleRecord
{
    std::string label;
};

/// Live objects of one kind, and the labels of dead ones for messages.
template <class IdType, class Record> class ObjectTable
{
public:
    Record& insert(IdType id, Record record) { return m_map.insert(id, std::move(record)); }
    Record* find(IdType id) { return m_map.find(id); }
    const Record* find(IdType id) const { return m_map.find(id); }
    void erase(IdType id)
    {
        Record* record = m_map.find(id);
        if (record == nullptr)
            return;
        if (id.index >= m_dead.size())
            m_dead.resize(std::size_t(id.index) + 1);
        m_dead[id.index] = {.generation = id.generation, .label = std::move(record->label)};
        m_map.erase(id);
    }
    /// nullptr: no object of this id was destroyed (or long ago).
    const std::string* deadLabel(IdType id) const
    {
        const bool isKnown = id.generation != 0 && id.index < m_dead.size() && m_dead[id.index].generation == id.generation;
        return isKnown ? &m_dead[id.index].label : nullptr;
    }

private:
    struct Dead
    {
        std::uint32_t generation = 0;
        std::string label;
    };
    IdMap<IdType, Record> m_map;
    std::vector<Dead> m_dead;
};

struct ValidationObjects
{
    ObjectTable<BufferId, BufferRecord> buffers;
    ObjectTable<TextureId, TextureRecord> textures;
    ObjectTable<TextureViewId, ViewRecord> views;
    ObjectTable<SamplerId, SamplerRecord> samplers;
    ObjectTable<ShaderModuleId, ModuleRecord> modules;
    ObjectTable<BindGroupLayoutId, LayoutRecord> layouts;
    ObjectTable<BindGroupId, GroupRecord> groups;
    ObjectTable<PipelineId, PipelineRecord> pipelines;
    ObjectTable<QuerySetId, QuerySetRecord> querySets;
};

} // namespace dl::gpu
