#include "field_source.h"

#include "drawloom/core/parallel.h"
#include "drawloom/cull/lod.h"
#include "drawloom/resource/material_table.h"

#include <glm/packing.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace dl::samples
{
namespace
{

constexpr std::uint32_t kTilesPerSide = 8;
constexpr float kHalfBox = 0.5f;
enum Property : std::uint32_t ///< of the layout; surface_field.wgsl reads them
{
    kTint,
    kColor
};

Result<PropertyLayout> makeLayout()
{
    PropertyDesc tint{.name = "tint", .wordCount = 1}; // RGBA8
    tint.defaultWords[0] = 0xFFFFFFFF;
    const PropertyDesc color{.name = "color",
        .wordCount = 4,
        .rate = PropertyRate::PerBlock,
        .defaultWords = {},
        .materialWord = offsetof(MaterialParams, baseColorFactor) / sizeof(std::uint32_t)};
    const PropertyDesc properties[] = {tint, color};
    return PropertyLayout::create(properties);
}

/// Boxes stand on a grid of the tile, a little aside and aloft as the seed says.
vec3 placeOf(std::uint32_t tile, std::uint32_t i, std::uint32_t count, std::uint32_t seed)
{
    const auto side = static_cast<std::uint32_t>(std::ceil(std::sqrt(static_cast<float>(count))));
    const float step = FieldSource::kTileMetres / static_cast<float>(side);
    const std::uint32_t dice = (i * 2654435761U) ^ ((seed + 1) * 2246822519U);
    const auto part = [dice](unsigned shift) { return static_cast<float>((dice >> shift) & 255U) / 255.0f; };
    const vec2 corner = FieldSource::kTileMetres * (vec2(tile % kTilesPerSide, tile / kTilesPerSide) - vec2(0.5f * kTilesPerSide));
    const vec2 at = corner + step * (vec2(i % side, i / side) + 0.3f + 0.4f * vec2(part(8), part(16)));
    return vec3(at.x, kHalfBox + 1.5f * part(24) * part(24), at.y);
}

} // namespace

Result<std::unique_ptr<FieldSource>> FieldSource::create(Renderer& renderer, const gpu::ShaderArchive& shaders)
{
    std::unique_ptr<FieldSource> field(new FieldSource(renderer));
    DL_TRY(field->declare(shaders));
    return field;
}

Result<void> FieldSource::declare(const gpu::ShaderArchive& shaders)
{
    DL_TRY_ASSIGN(m_layout, makeLayout());
    DrawLibrary& library = m_renderer.library();
    library.addArchive(shaders);
    const Material clay{.baseColorFactor = {0.7f, 0.35f, 0.2f, 1}, .metallicFactor = 0};
    m_params = packMaterial(clay);
    DL_TRY_ASSIGN(m_box, addBox(m_renderer, "field", clay, library.addSurface("field")));
    MeshSetDesc set{.name = "field boxes", .lods = {}, .materials = {m_box.material}, .bounds = {vec3(-kHalfBox), vec3(kHalfBox)}};
    for (const std::uint32_t indexCount : {kBoxIndexCount, kBottomlessIndexCount})
        set.lods.emplace_back().sections.push_back({.range = m_box.range, .indexCount = indexCount});
    DL_TRY_ASSIGN(m_meshSet, library.addMeshSet(set));
    DL_TRY_ASSIGN(m_cellSlot, m_resources.cells().acquire(i32vec3(0)));
    m_hasCell = true;
    return {};
}

FieldSource::~FieldSource()
{
    for (std::uint32_t tile = 0; tile < kTileCount; ++tile)
        clear(tile);
    if (m_hasCell)
        m_resources.cells().release(m_cellSlot);
    if (m_meshSet)
        static_cast<void>(m_renderer.library().removeMeshSet(m_meshSet));
    if (m_box.meshSet)
        static_cast<void>(removeBox(m_renderer, m_box));
}

Result<void> FieldSource::fill(std::uint32_t index, std::uint32_t count, std::uint32_t seed)
{
    Tile& tile = m_tiles[index];
    DL_ASSERT(!tile.block, "a tile is filled that holds boxes");
    InstanceHeap& heap = m_resources.instances();
    DL_TRY_ASSIGN(tile.block, heap.allocateBlock(count, &m_layout, &m_params));
    tile.firstId = heap.block(tile.block).firstId;
    tile.placedInFrame.assign(count, m_resources.movers().frameNumber());
    for (std::vector<float>* axis : {&tile.x, &tile.y, &tile.z})
        axis->resize(count);
    tile.castsShadow.assign(count, 1);
    m_halfExtents.resize(std::max<std::size_t>(m_halfExtents.size(), count), kHalfBox);
    InstanceRecord record;
    record.materialRef = m_renderer.library().findMeshSet(m_meshSet)->materialRef;
    record.flags = (m_cellSlot << kInstanceCellSlotShift) | (1U << kInstanceLayersShift);
    for (std::uint32_t i = 0; i < count; ++i)
    {
        heap.write(tile.block, i, record);
        setPosition(tile, i, placeOf(index, i, count, seed));
    }
    return {};
}

void FieldSource::clear(std::uint32_t index)
{
    Tile& tile = m_tiles[index];
    if (!tile.block)
        return;
    for (HeapId id = tile.firstId; id < tile.firstId + count(index); ++id)
        if (m_resources.movers().slotOf(id) != kNotMoving)
            m_resources.movers().forget(id); // else who gets the record next inherits its motion
    m_resources.instances().freeBlock(tile.block);
    tile.block = {};
    tile.bounds = {};
    for (std::vector<float>* axis : {&tile.x, &tile.y, &tile.z})
        axis->clear();
}

void FieldSource::setTint(std::uint32_t tile, std::uint32_t i, vec4 tint)
{
    const std::uint32_t word = glm::packUnorm4x8(tint);
    m_resources.instances().writeProperty(m_tiles[tile].block, kTint, i, std::span(&word, 1));
}

void FieldSource::setColor(std::uint32_t tile, vec4 color)
{
    std::array<std::uint32_t, 4> words;
    for (int k = 0; k < 4; ++k)
        words[static_cast<std::size_t>(k)] = std::bit_cast<std::uint32_t>(color[k]);
    m_resources.instances().writeProperty(m_tiles[tile].block, kColor, 0, words);
}

void FieldSource::setPosition(Tile& tile, std::uint32_t i, vec3 position)
{
    tile.x[i] = position.x;
    tile.y[i] = position.y;
    tile.z[i] = position.z;
    tile.bounds.include(Aabb{position - kHalfBox, position + kHalfBox});
    m_resources.instances().setTransform(tile.firstId + i, toAffine(Trs{.translation = position}));
}

Result<void> FieldSource::move(std::uint32_t index, std::uint32_t i, vec3 position)
{
    Tile& tile = m_tiles[index];
    if (tile.placedInFrame[i] != m_resources.movers().frameNumber())
    {
        const Affine before = toAffine(Trs{.translation = this->position(index, i)});
        if (const Result<std::uint32_t> slot = m_resources.movers().record(tile.firstId + i, before); !slot)
            return slot.error();
    }
    setPosition(tile, i, position);
    return {};
}

void FieldSource::teleport(std::uint32_t tile, std::uint32_t i, vec3 position)
{
    m_resources.movers().forget(heapId(tile, i)); // if it moved before it jumped
    m_tiles[tile].placedInFrame[i] = m_resources.movers().frameNumber();
    setPosition(m_tiles[tile], i, position);
}

void FieldSource::cull(const ViewSet& views, VisibleRunSink& sink)
{
    prepareViews(views);
    cullTiles();
    for (Tile& tile : m_tiles)
    {
        tile.runs.clear();
        tile.visible.clear();
    }
    const std::span<const std::uint32_t> seen = m_visibleTiles.ids();
    parallelFor(seen.size(), 1,
        [&](std::size_t begin, std::size_t end)
        {
            for (std::size_t i = begin; i < end; ++i)
                findVisible(views, seen[i]);
        });
    std::uint32_t runCount = 0, visibleCount = 0;
    for (Tile& tile : m_tiles) // in the order of tiles: threads do not show
    {
        tile.firstRun = std::exchange(runCount, runCount + static_cast<std::uint32_t>(tile.runs.size()));
        tile.firstVisible = std::exchange(visibleCount, visibleCount + static_cast<std::uint32_t>(tile.visible.size()));
    }
    const VisibleRunSink::Slice slice = sink.allocate(runCount, visibleCount);
    parallelFor(kTileCount, 1,
        [&](std::size_t begin, std::size_t end)
        {
            for (std::size_t i = begin; i < end; ++i)
                writeRuns(m_tiles[i], slice);
        });
}

void FieldSource::prepareViews(const ViewSet& views)
{
    m_origin = cellOriginRelativeTo(i32vec3(0), views.frameOrigin);
    m_cullViews.clear();
    m_groupMasks.assign(views.groups.size(), 0);
    m_shadowViews = 0;
    for (std::size_t i = 0; i < views.views.size(); ++i)
    {
        const View& view = views.views[i];
        cull::CullView& planes = m_cullViews.emplace_back(cull::extractView(view.viewProjection, view.layerMask));
        for (std::uint32_t plane = 0; plane < planes.planeCount; ++plane) // now relative to the cell, as the boxes are
            planes.planes[plane].w += glm::dot(vec3(planes.planes[plane]), m_origin);
        m_groupMasks[view.groupIndex] |= 1ULL << i;
        m_shadowViews |= view.kind == ViewKind::Shadow ? 1ULL << i : 0;
    }
}

void FieldSource::cullTiles()
{
    std::array<std::array<float, kTileCount>, 6> b;
    for (std::uint32_t i = 0; i < kTileCount; ++i)
        for (int axis = 0; axis < 3; ++axis)
        {
            const bool isEmpty = m_tiles[i].bounds.isEmpty();
            b[static_cast<std::size_t>(axis)][i] = isEmpty ? 0.0f : m_tiles[i].bounds.centre()[axis];
            b[static_cast<std::size_t>(axis) + 3][i] = isEmpty ? 0.0f : m_tiles[i].bounds.halfExtent()[axis];
        }
    cull::cullBoxes({b[0], b[1], b[2], b[3], b[4], b[5], {}}, m_cullViews, m_visibleTiles);
}

void FieldSource::findVisible(const ViewSet& views, std::uint32_t index)
{
    Tile& tile = m_tiles[index];
    const std::span halves = std::span(m_halfExtents).first(tile.x.size());
    cull::cullBoxes({tile.x, tile.y, tile.z, halves, halves, halves, {}}, m_cullViews, tile.boxes);
    for (std::size_t k = 0; k < tile.boxes.ids().size(); ++k)
    {
        const std::uint32_t i = tile.boxes.ids()[k];
        const std::uint64_t mask = tile.boxes.viewMask(k) & (tile.castsShadow[i] != 0 ? ~0ULL : ~m_shadowViews);
        if (mask == 0)
            continue;
        const vec3 centre = m_origin + vec3(tile.x[i], tile.y[i], tile.z[i]);
        for (std::size_t group = 0; group < views.groups.size(); ++group)
        {
            const cull::LodSelection choice = cull::selectLod(kLodDistances, 0.0f, glm::length(centre - views.groups[group].lodEye));
            if ((mask & m_groupMasks[group]) != 0 && choice.lod != cull::kNoLod)
                addVisible(tile, i, static_cast<std::uint8_t>(choice.lod), mask & m_groupMasks[group]);
        }
    }
}

/// A tile has few runs, so that looking for one is quick.
void FieldSource::addVisible(Tile& tile, std::uint32_t i, std::uint8_t lod, std::uint64_t mask) const
{
    const auto isMine = [&](const VisibleRun& run) { return run.lod == lod && run.viewMask == mask; };
    const auto found = std::find_if(tile.runs.begin(), tile.runs.end(), isMine);
    const auto at = static_cast<std::uint32_t>(found - tile.runs.begin());
    if (found == tile.runs.end())
        tile.runs.push_back({.meshSet = m_meshSet, .viewMask = mask, .lod = lod});
    VisibleRun& run = tile.runs[at];
    run.instanceCount += 1;
    run.centreBounds.include(m_origin + vec3(tile.x[i], tile.y[i], tile.z[i]));
    tile.visible.push_back({i, at});
}

void FieldSource::writeRuns(Tile& tile, const VisibleRunSink::Slice& slice) const
{
    std::uint32_t next = slice.firstInstance + tile.firstVisible;
    for (VisibleRun& run : tile.runs)
    {
        run.firstInstance = next;
        next += std::exchange(run.instanceCount, 0); // counted again as its boxes are written
    }
    for (const Visible& box : tile.visible)
    {
        VisibleRun& run = tile.runs[box.run];
        const std::uint32_t at = run.firstInstance - slice.firstInstance + run.instanceCount++;
        slice.ids[at] = tile.firstId + box.index;
        slice.centres[at] = m_origin + vec3(tile.x[box.index], tile.y[box.index], tile.z[box.index]);
    }
    std::copy(tile.runs.begin(), tile.runs.end(), slice.runs.begin() + tile.firstRun);
}

} // namespace dl::samples
