// A program on the renderer's rooms: a class of the user's own derives from DrawSource (with RTTI and exceptions on, as users
// build), owns a block of the instance heap, and a frame on the null device draws what it says is visible. Exit code 0 if the
// device counted exactly that.
#include <drawloom/gpu/null_device.h>
#include <drawloom/render/renderer.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{

template <class T> T orThrow(dl::Result<T> result)
{
    if (!result)
        throw std::runtime_error(result.error().message);
    return std::move(result).value();
}

void orThrow(const dl::Result<void>& result)
{
    if (!result)
        throw std::runtime_error(result.error().message);
}

/// A row of triangles along x, two metres apart, ten metres in front of the origin.
class RowSource final : public dl::DrawSource
{
public:
    RowSource(dl::Renderer& renderer, std::uint32_t count) : m_renderer(renderer)
    {
        dl::Primitive triangle;
        triangle.positions = {{-0.5f, 0, 0}, {0.5f, 0, 0}, {0, 1, 0}};
        triangle.normals.assign(3, dl::vec3(0, 0, 1));
        triangle.indices = {0, 1, 2};
        m_range = orThrow(renderer.resources().geometry().add(orThrow(dl::packPrimitive(triangle, 0, "triangle"))));

        m_textures = orThrow(renderer.resources().textureSets().acquire({}));
        m_material = orThrow(renderer.library().addMaterial({"red", dl::packMaterial({.baseColorFactor = {1, 0, 0, 1}}), m_textures, {}}));

        dl::MeshSetDesc set{.name = "triangle", .materials = {m_material}, .bounds = {{-0.5f, 0, 0}, {0.5f, 1, 0}}};
        set.lods.emplace_back().sections.push_back({.range = m_range});
        m_meshSet = orThrow(renderer.library().addMeshSet(set));
        place(count);
    }
    ~RowSource() override
    {
        m_renderer.resources().instances().freeBlock(m_block);
        m_renderer.resources().cells().release(m_cellSlot);
        static_cast<void>(m_renderer.library().removeMeshSet(m_meshSet));
        static_cast<void>(m_renderer.library().removeMaterial(m_material));
        m_renderer.resources().textureSets().release(m_textures);
        m_renderer.resources().geometry().remove(m_range);
    }

    void cull(const dl::ViewSet& views, dl::VisibleRunSink& sink) override
    {
        m_ids.clear();
        m_centres.clear();
        const dl::vec3 cell = dl::cellOriginRelativeTo(dl::i32vec3(0), views.frameOrigin);
        const dl::HeapId firstId = m_renderer.resources().instances().block(m_block).firstId;
        for (std::uint32_t i = 0; i < visibleCount; ++i)
        {
            m_ids.push_back(firstId + i);
            m_centres.push_back(cell + centre(i));
        }
        if (!m_ids.empty())
            sink.add({.meshSet = m_meshSet, .viewMask = 1}, m_ids, m_centres);
    }

    std::uint32_t visibleCount = 0;

private:
    static dl::vec3 centre(std::uint32_t i) { return {2.0f * static_cast<float>(i), 0.5f, -10.0f}; }
    void place(std::uint32_t count)
    {
        m_block = orThrow(m_renderer.resources().instances().allocateBlock(count));
        m_cellSlot = orThrow(m_renderer.resources().cells().acquire(dl::i32vec3(0)));
        dl::InstanceRecord record;
        record.materialRef = m_renderer.library().findMeshSet(m_meshSet)->materialRef;
        record.flags = m_cellSlot << dl::kInstanceCellSlotShift | 1U << dl::kInstanceLayersShift;
        for (std::uint32_t i = 0; i < count; ++i)
        {
            record.row0 = {1, 0, 0, centre(i).x};
            record.row1 = {0, 1, 0, 0};
            record.row2 = {0, 0, 1, centre(i).z};
            m_renderer.resources().instances().write(m_block, i, record);
        }
    }

    dl::Renderer& m_renderer;
    dl::MeshRangeId m_range;
    dl::TextureSetId m_textures;
    dl::MaterialId m_material;
    dl::MeshSetId m_meshSet;
    dl::InstanceBlockId m_block;
    std::uint32_t m_cellSlot = 0;
    std::vector<std::uint32_t> m_ids;
    std::vector<dl::vec3> m_centres;
};

/// Instances that the device drew in the pass "opaque" of one frame.
std::uint64_t drawnInstances(dl::Renderer& renderer, dl::gpu::NullDevice& device)
{
    device.resetStats();
    orThrow(renderer.beginFrame());
    orThrow(renderer.renderFrame({}));
    orThrow(renderer.finish());
    for (const dl::gpu::NullPassStats& pass : device.stats().passes)
        if (pass.label == "opaque")
            return pass.instanceCount;
    return 0;
}

void run()
{
    const std::unique_ptr<dl::gpu::NullDevice> device = dl::gpu::createNullDevice();
    const std::unique_ptr<dl::Renderer> renderer = orThrow(dl::Renderer::create(*device));
    RowSource row(*renderer, 100);
    dl::DrawSource& source = row;
    if (dynamic_cast<RowSource*>(&source) != &row)
        throw std::runtime_error("RTTI does not know the class");
    renderer->addSource(source);
    row.visibleCount = 100;
    for (int frame = 0; frame < 100 && (frame == 0 || !renderer->isSettled()); ++frame)
        drawnInstances(*renderer, *device);
    for (const std::uint32_t expected : {100U, 37U, 0U})
    {
        row.visibleCount = expected;
        const std::uint64_t drawn = drawnInstances(*renderer, *device);
        if (drawn != expected || renderer->stats().drawsBefore < 2 * expected)
            throw std::runtime_error(std::to_string(expected) + " instances are visible, drawn were " + std::to_string(drawn));
    }
    renderer->removeSource(source);
}

} // namespace

int main()
{
    try
    {
        run();
    }
    catch (const std::exception& error)
    {
        std::fprintf(stderr, "consumer_draw_source: %s\n", error.what());
        return 1;
    }
    std::puts("consumer_draw_source: ok");
    return 0;
}
