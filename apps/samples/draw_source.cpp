// A draw source of a user's own: a field of 10,000 boxes that never enters the scene registry. The source places the
// instances in its block of the heap once, and culls whole rows of the field. docs/extending/draw_source.md tells more.
// usage: sample_draw_source [OUT.png [DRIVER]]
#include "drawloom/cull/cull.h"
#include "sample.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace dl::samples
{
namespace
{

constexpr std::uint32_t kRowCount = 100, kBoxesPerRow = 100;
constexpr float kSpacingMetres = 2.0f;

class FieldSource final : public DrawSource
{
public:
    explicit FieldSource(Renderer& renderer) : m_resources(renderer.resources()) {}
    ~FieldSource() override
    {
        if (m_block)
            m_resources.instances().freeBlock(m_block);
        if (m_hasCell)
            m_resources.cells().release(m_cellSlot);
    }
    FieldSource(const FieldSource&) = delete;
    FieldSource& operator=(const FieldSource&) = delete;

    /// Declares once what every frame draws: records are uploaded by the next flush, and only if they change.
    Result<void> place(Renderer& renderer, MeshSetId box)
    {
        m_box = box;
        DL_TRY_ASSIGN(m_cellSlot, m_resources.cells().acquire(i32vec3(0)));
        m_hasCell = true;
        DL_TRY_ASSIGN(m_block, m_resources.instances().allocateBlock(kRowCount * kBoxesPerRow));
        InstanceRecord record;
        record.materialRef = renderer.library().findMeshSet(box)->materialRef;
        record.flags = (m_cellSlot << kInstanceCellSlotShift) | (1U << kInstanceLayersShift);
        for (std::uint32_t i = 0; i < kRowCount * kBoxesPerRow; ++i)
        {
            const vec3 position = boxPosition(i);
            record.row0 = vec4(1, 0, 0, position.x);
            record.row1 = vec4(0, 1, 0, position.y);
            record.row2 = vec4(0, 0, 1, position.z);
            m_resources.instances().write(m_block, i, record);
        }
        return {};
    }

    void cull(const ViewSet& views, VisibleRunSink& sink) override
    {
        const vec3 origin = cellOriginRelativeTo(i32vec3(0), views.frameOrigin);
        m_cullViews.clear();
        for (const View& view : views.views)
            m_cullViews.push_back(cull::extractView(view.viewProjection, view.layerMask));
        findVisibleRows(origin);
        for (std::size_t i = 0; i < m_visibleRows.ids().size(); ++i)
            addRow(m_visibleRows.ids()[i], m_visibleRows.viewMask(i), origin, sink);
    }

private:
    static vec3 boxPosition(std::uint32_t i)
    {
        const std::uint32_t rowIndex = i / kBoxesPerRow;
        const auto column = static_cast<float>(i % kBoxesPerRow), row = static_cast<float>(rowIndex);
        return vec3(
            kSpacingMetres * (column - 0.5f * kBoxesPerRow), 0.6f * std::sin(0.3f * column) * std::sin(0.2f * row), -kSpacingMetres * row);
    }

    /// One box around each row, for all views at once.
    void findVisibleRows(vec3 origin)
    {
        const float halfX = 0.5f * kSpacingMetres * kBoxesPerRow + 0.5f;
        for (std::uint32_t row = 0; row < kRowCount; ++row)
            m_rowZ[row] = origin.z - kSpacingMetres * static_cast<float>(row);
        std::fill(m_rowX.begin(), m_rowX.end(), origin.x - 0.5f * kSpacingMetres);
        std::fill(m_rowY.begin(), m_rowY.end(), origin.y);
        std::fill(m_halfX.begin(), m_halfX.end(), halfX);
        std::fill(m_halfYz.begin(), m_halfYz.end(), 1.1f);
        cull::cullBoxes({m_rowX, m_rowY, m_rowZ, m_halfX, m_halfYz, m_halfYz, {}}, m_cullViews, m_visibleRows);
    }

    void addRow(std::uint32_t row, std::uint64_t viewMask, vec3 origin, VisibleRunSink& sink)
    {
        m_ids.clear();
        m_centres.clear();
        const HeapId firstId = m_resources.instances().block(m_block).firstId;
        for (std::uint32_t i = row * kBoxesPerRow; i < (row + 1) * kBoxesPerRow; ++i)
        {
            m_ids.push_back(firstId + i);
            m_centres.push_back(origin + boxPosition(i));
        }
        VisibleRun run;
        run.meshSet = m_box;
        run.viewMask = viewMask;
        sink.add(run, m_ids, m_centres);
    }

    GpuResources& m_resources;
    MeshSetId m_box;
    InstanceBlockId m_block;
    std::uint32_t m_cellSlot = 0;
    bool m_hasCell = false;
    std::vector<cull::CullView> m_cullViews;
    std::vector<float> m_rowX = std::vector<float>(kRowCount), m_rowY = m_rowX, m_rowZ = m_rowX, m_halfX = m_rowX, m_halfYz = m_rowX;
    cull::VisibleObjects m_visibleRows;
    std::vector<std::uint32_t> m_ids;
    std::vector<vec3> m_centres;
};

Result<void> drawField(Renderer& renderer, const Box& box, const std::string& out)
{
    FieldSource field(renderer);
    DL_TRY(field.place(renderer, box.meshSet));
    renderer.addSource(field);
    FrameDesc frame;
    frame.camera = lookAtCamera({0.0, 12.0, -80.0}, {0.0, 0.0, -110.0});
    const Result<void> written = writePicture(renderer, frame, out);
    renderer.removeSource(field); // before it dies
    return written;
}

Result<void> run(const Arguments& arguments)
{
    DL_TRY_ASSIGN(const std::unique_ptr<gpu::Device> device, createDevice(arguments));
    DL_TRY_ASSIGN(const std::unique_ptr<Renderer> renderer, Renderer::create(*device));
    const Material clay{.baseColorFactor = {0.7f, 0.35f, 0.2f, 1}, .metallicFactor = 0};
    DL_TRY_ASSIGN(const Box box, addBox(*renderer, "box", clay));
    DL_TRY(drawField(*renderer, box, arguments.out));
    for (const PassFrameStats& pass : renderer->stats().passes)
        if (pass.isMeshPass && pass.drawsBefore != 0)
            std::printf("%s: %u of %u boxes in %u draw\n", pass.name.c_str(), pass.drawsBefore, kRowCount * kBoxesPerRow, pass.draws);
    DL_TRY(removeBox(*renderer, box));
    GpuResources& resources = renderer->resources();
    std::printf("left behind: %u meshes, %zu materials, %u blocks\n", resources.geometry().stats().rangeCount, resources.materials().size(),
        resources.instances().blockCount());
    return {};
}

} // namespace
} // namespace dl::samples

int main(int argc, char** argv)
{
    using namespace dl::samples;
    return runSample(argc, argv, {"draw_source", "Draws a field of 10,000 boxes from a draw source of its own."}, &run);
}
