// apps/samples/field_source.h - a draw source of a user's own: 100,000 boxes in 64 blocks of the instance heap, one for each tile
// of a field, that never enter the scene registry. Tiles are filled, freed and filled again while frames are drawn.
#pragma once

#include "box.h"

#include "drawloom/cull/cull.h"

#include <array>
#include <memory>
#include <vector>

namespace dl::samples
{

/// Calls between frames, on the renderer's thread. Added to the renderer by the caller, and removed before it dies.
class FieldSource final : public DrawSource
{
public:
    static constexpr std::uint32_t kTileCount = 64, kInstanceCount = 100'000;
    static constexpr float kTileMetres = 96.0f;
    /// A box is drawn whole up to the first distance from the main camera, without its bottom up to the second, then not at all.
    static constexpr std::array<float, 2> kLodDistances = {60.0f, 500.0f};

    /// Tiles are empty. `shaders` holds the surface "field" and outlives the renderer.
    static Result<std::unique_ptr<FieldSource>> create(Renderer& renderer, const gpu::ShaderArchive& shaders);
    ~FieldSource() override;
    FieldSource(const FieldSource&) = delete;
    FieldSource& operator=(const FieldSource&) = delete;

    /// 901 to 2224; all tiles together have kInstanceCount.
    static constexpr std::uint32_t sizeOf(std::uint32_t tile) { return 901 + 21 * (tile * 37 % kTileCount); }
    /// Takes a block for the tile, which must be empty, and places `count` boxes in it. Another seed, other places.
    Result<void> fill(std::uint32_t tile, std::uint32_t count, std::uint32_t seed);
    void clear(std::uint32_t tile);

    void setTint(std::uint32_t tile, std::uint32_t i, vec4 tint); ///< of one box
    void setColor(std::uint32_t tile, vec4 color);                ///< of the whole block; until then the material's
    void setCastsShadow(std::uint32_t tile, std::uint32_t i, bool castsShadow) { m_tiles[tile].castsShadow[i] = castsShadow ? 1 : 0; }
    /// Velocity sees it go, unless it is new or has jumped since the last drawn frame. OutOfBudget: MoverHeap::record.
    Result<void> move(std::uint32_t tile, std::uint32_t i, vec3 position);
    void teleport(std::uint32_t tile, std::uint32_t i, vec3 position);

    std::uint32_t count(std::uint32_t tile) const { return static_cast<std::uint32_t>(m_tiles[tile].x.size()); }
    HeapId heapId(std::uint32_t tile, std::uint32_t i) const { return m_tiles[tile].firstId + i; }
    vec3 position(std::uint32_t tile, std::uint32_t i) const { return {m_tiles[tile].x[i], m_tiles[tile].y[i], m_tiles[tile].z[i]}; }

    ViewKinds viewKinds() const override { return ViewKind::Camera | ViewKind::Shadow; }
    void cull(const ViewSet& views, VisibleRunSink& sink) override;

private:
    struct Visible
    {
        std::uint32_t index = 0, run = 0; ///< box of the tile, Tile::runs
    };
    struct Tile
    {
        InstanceBlockId block; ///< none: empty
        HeapId firstId = 0;
        Aabb bounds;
        std::vector<float> x, y, z;               ///< centres, relative to the cell's origin
        std::vector<std::uint64_t> placedInFrame; ///< MoverHeap::frameNumber of the fill or the last jump
        std::vector<std::uint8_t> castsShadow;
        // Of one frame; they keep their memory.
        cull::VisibleObjects boxes;
        std::vector<VisibleRun> runs;
        std::vector<Visible> visible;
        std::uint32_t firstRun = 0, firstVisible = 0;
    };

    explicit FieldSource(Renderer& renderer) : m_renderer(renderer), m_resources(renderer.resources()) {}
    Result<void> declare(const gpu::ShaderArchive& shaders);
    void setPosition(Tile& tile, std::uint32_t i, vec3 position);
    void prepareViews(const ViewSet& views);
    void cullTiles();
    void findVisible(const ViewSet& views, std::uint32_t tile);
    void addVisible(Tile& tile, std::uint32_t i, std::uint8_t lod, std::uint64_t mask) const;
    void writeRuns(Tile& tile, const VisibleRunSink::Slice& slice) const;

    Renderer& m_renderer;
    GpuResources& m_resources;
    PropertyLayout m_layout; ///< outlives the blocks
    MaterialParams m_params;
    Box m_box;
    MeshSetId m_meshSet; ///< the box in two levels of detail
    std::uint32_t m_cellSlot = 0;
    bool m_hasCell = false;
    std::array<Tile, kTileCount> m_tiles;
    cull::VisibleObjects m_visibleTiles;
    std::vector<float> m_halfExtents; ///< the same for every box, as many as the largest tile has
    // Of the frame's views.
    std::vector<cull::CullView> m_cullViews;
    std::vector<std::uint64_t> m_groupMasks;
    std::uint64_t m_shadowViews = 0;
    vec3 m_origin = vec3(0.0f); ///< of the cell, relative to the frame's
};

} // namespace dl::samples
