// tests/draw/draw_world_fixture.cpp - see the header.
#include "tests/draw/draw_world.h"

#include "drawloom/draw/dynamic_batches.h"
#include "drawloom/render/builtin_shaders.h"

#include <gtest/gtest.h>

#include <cmath>

namespace dl
{

namespace
{
constexpr std::uint32_t kSize = 64;
}

std::set<ReasonCode>& seenReasonCodes()
{
    static std::set<ReasonCode> codes;
    return codes;
}

void sawReason(ReasonCode code)
{
    seenReasonCodes().insert(code);
}

std::vector<std::uint32_t> ListSource::add(const Item& item)
{
    Stored stored{item, {}};
    const auto count = static_cast<std::uint32_t>(item.centres.size());
    const InstanceBlockId block = m_resources.instances().allocateBlock(count).value();
    for (std::uint32_t i = 0; i < count; ++i)
    {
        InstanceRecord record;
        record.row0 = vec4(item.isMirrored ? -1.0f : 1.0f, 0, 0, item.centres[i].x);
        record.row1 = vec4(0, 1, 0, item.centres[i].y);
        record.row2 = vec4(0, 0, 1, item.centres[i].z);
        if (const MeshSetInfo* info = m_library.findMeshSet(item.meshSet))
            record.materialRef = info->materialRef;
        record.flags = item.isMirrored ? kInstanceMirroredBit : 0;
        m_resources.instances().write(block, i, record);
        stored.ids.push_back(m_resources.instances().block(block).firstId + i);
    }
    m_items.push_back(stored);
    return stored.ids;
}

void ListSource::cull(const ViewSet& /*views*/, VisibleRunSink& sink)
{
    for (const Stored& stored : m_items)
    {
        VisibleRun run;
        run.meshSet = stored.item.meshSet;
        run.viewMask = stored.item.viewMask;
        run.lod = stored.item.lod;
        run.isMirrored = stored.item.isMirrored ? 1 : 0;
        sink.add(run, stored.ids, stored.item.centres);
    }
}

DrawWorld::DrawWorld(const Settings& settings) : null(gpu::createNullDevice(settings.null)), device(null.get())
{
    if (settings.isValidated)
    {
        gpu::ValidationSettings validation;
        validation.handler = [this](const gpu::ValidationMessage& message)
        {
            if (message.isError)
                messages.push_back(std::string(gpu::toString(message.rule)) + ": " + message.text);
        };
        checked = gpu::createValidationDevice(*null, validation);
        device = checked.get();
    }
    resources = std::move(GpuResources::create(*device, settings.resources)).value();
    archive = gpu::ShaderArchive::open(builtinShaderArchive()).value();
    library = std::make_unique<DrawLibrary>(*device, *resources);
    library->addArchive(*archive);
    drawFrame = std::make_unique<DrawFrame>(*library);
    neutralSet = resources->textureSets().acquire(TextureSetDesc{}).value();

    const auto target = [&](gpu::TextureId& texture, gpu::TextureViewId& view, gpu::Format format, gpu::TextureUsage usage)
    {
        gpu::TextureDesc desc;
        desc.label = "target";
        desc.format = format;
        desc.width = desc.height = kSize;
        desc.usage = usage;
        texture = device->createTexture(desc).value();
        gpu::TextureViewDesc viewDesc;
        viewDesc.label = "target";
        viewDesc.texture = texture;
        view = device->createTextureView(viewDesc).value();
    };
    target(m_color, m_colorView, gpu::Format::RGBA16Float, gpu::TextureUsage::ColorAttachment);
    target(m_ids, m_idView, gpu::Format::R32Uint, gpu::TextureUsage::ColorAttachment);
    target(m_depth, m_depthView, gpu::Format::Depth32Float, gpu::TextureUsage::DepthAttachment);
    if (settings.hasPasses)
        addPasses();
}

MeshPassDesc opaquePassDesc(std::string_view name)
{
    MeshPassDesc desc;
    desc.name = std::string(name);
    desc.opaque.shader = "debug";
    desc.masked.shader = "debug_masked";
    desc.colorTargets.push_back({gpu::Format::RGBA16Float, false, {}, 0xF});
    desc.depth = {gpu::Format::Depth32Float, true, gpu::CompareOp::GreaterEqual};
    return desc;
}

void DrawWorld::addPasses()
{
    MeshPassDesc depth = opaquePassDesc("depth");
    depth.opaque = {"depth", StreamSet::Position};
    depth.masked = {"depth_masked", StreamSet::Full};
    depth.colorTargets.clear();
    depth.order = SortOrder::FrontToBack;
    ASSERT_TRUE(library->addPass(depth));
    ASSERT_TRUE(library->addPass(opaquePassDesc("forward")));
    MeshPassDesc blended = opaquePassDesc("blended");
    blended.opaque.shader.clear();
    blended.masked.shader.clear();
    blended.blended.shader = "debug";
    blended.colorTargets[0].isBlended = true;
    blended.colorTargets[0].blend.dstColor = blended.colorTargets[0].blend.dstAlpha = gpu::BlendFactor::OneMinusSrcAlpha;
    blended.depth.isWriting = false;
    blended.order = SortOrder::BackToFront;
    ASSERT_TRUE(library->addPass(blended));
}

MaterialId DrawWorld::addMaterial(std::string_view name, std::uint32_t flags, std::optional<TextureSetId> set)
{
    DrawMaterialDesc desc;
    desc.name = std::string(name);
    desc.params = packMaterial(Material{});
    desc.params.flags |= flags;
    desc.textureSet = set.value_or(neutralSet);
    return library->addMaterial(desc).value();
}

MeshRangeId DrawWorld::addRange(float seed)
{
    Primitive primitive;
    primitive.positions = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1 + seed, 0}};
    primitive.normals.assign(4, vec3(0, 0, 1));
    primitive.indices = {0, 1, 2, 0, 2, 3};
    return resources->geometry().add(packPrimitive(primitive, 0).value()).value();
}

MeshSetId DrawWorld::addMeshSet(std::string_view name, MeshRangeId range, MaterialId material, BatchFlags flags)
{
    MeshSetDesc desc;
    desc.name = std::string(name);
    desc.lods.emplace_back().sections.emplace_back().range = range;
    desc.materials.push_back(material);
    desc.bounds = {vec3(-1, -1, 0), vec3(1, 1, 0)};
    desc.flags = flags;
    return library->addMeshSet(desc).value();
}

View DrawWorld::camera(ViewKind kind)
{
    View view;
    view.kind = kind;
    view.viewProjection = perspectiveReversed(1.0f, 1.0f, 0.1f, 1000.0f);
    return view;
}

void DrawWorld::frame(DrawSource& source)
{
    const View view = camera();
    const ViewGroup group;
    DrawSource* const sources[] = {&source};
    frame(sources, ViewSet{{&view, 1}, {&group, 1}, {}});
}

void DrawWorld::frame(std::span<DrawSource* const> sources, const ViewSet& views, DynamicBatches* dynamic)
{
    std::uint32_t offsets[kMaxViewCount] = {};
    for (std::size_t i = 0; i < views.views.size(); ++i)
    {
        ViewUniforms uniforms;
        uniforms.viewProjection = views.views[i].viewProjection;
        offsets[i] = resources->views().push(uniforms).value();
    }
    drawFrame->build(views, sources, dynamic);
    stream.clear();
    const Result<void> flushed = resources->flush(stream);
    ASSERT_TRUE(flushed) << flushed.error().message;
    if (dynamic != nullptr)
        dynamic->flush(stream);
    encodeAll(views, offsets);
    const Result<gpu::SubmissionIndex> submitted = device->submit(stream.bytes());
    ASSERT_TRUE(submitted) << submitted.error().message << (messages.empty() ? "" : messages.front());
    resources->onSubmitted(submitted.value());
    resources->deform().setJobsRun();
    completions.clear();
    device->poll(completions);
    for (const gpu::Completion& completion : completions)
    {
        library->onCompletion(completion);
        if (completion.kind == gpu::CompletionKind::SubmissionDone)
            resources->onCompleted(completion.submission);
    }
    if (dynamic != nullptr)
        dynamic->beginFrame();
    resources->beginFrame();
}

void DrawWorld::encodeAll(const ViewSet& views, std::span<const std::uint32_t> offsets)
{
    const DrawTables& tables = library->tables();
    for (std::uint32_t pass = 0; pass < tables.passes.size(); ++pass)
    {
        if (tables.passes[pass].generation == 0)
            continue;
        const MeshPassDesc& desc = *tables.passes[pass].desc;
        for (std::uint32_t view = 0; view < views.views.size(); ++view)
        {
            if (!desc.viewKinds.contains(views.views[view].kind))
                continue;
            const gpu::TextureBarrier barriers[] = {{m_color, 0, 1, 0, 1, gpu::AccessFlags(), gpu::Access::ColorWrite},
                {m_depth, 0, 1, 0, 1, gpu::AccessFlags(), gpu::Access::DepthWrite}};
            stream.barriers(barriers, {});
            gpu::ColorAttachment color;
            color.view = m_colorView;
            gpu::RenderPassDesc passDesc;
            passDesc.label = desc.name;
            passDesc.width = passDesc.height = kSize;
            passDesc.colors = std::span(&color, desc.colorTargets.empty() ? 0U : 1U);
            passDesc.depth.view = m_depthView;
            stream.beginRenderPass(passDesc);
            stream.setViewport({0, 0, kSize, kSize, 0, 1});
            stream.setScissor({0, 0, kSize, kSize});
            drawFrame->encode(MeshPassId{pass, tables.passes[pass].generation}, view,
                {resources->bindings().frameGroup(), offsets[view], resources->bindings().emptyGroup()}, stream);
            stream.endRenderPass();
        }
    }
}

std::string DrawWorld::drawsText(std::string_view pass, std::uint32_t view) const
{
    std::string text;
    for (const DrawRecord& draw : drawFrame->draws(library->findPass(pass), view))
        text += (text.empty() ? "" : ", ") + std::to_string(draw.instanceCount) + "x r" + std::to_string(draw.range.index) +
                (draw.breakReason == JoinBreak::FirstDraw ? "" : " (" + std::string(toString(draw.breakReason)) + ")");
    return text;
}

const PassStats& DrawWorld::stats(std::string_view pass) const
{
    static const PassStats kNone;
    for (const PassStats& stats : drawFrame->passStats())
        if (stats.name == pass)
            return stats;
    ADD_FAILURE() << "no pass " << pass;
    return kNone;
}

const gpu::NullPassStats* DrawWorld::nullStats(std::string_view pass) const
{
    for (const gpu::NullPassStats& stats : null->stats().passes)
        if (stats.label == pass)
            return &stats;
    return nullptr;
}

} // namespace dl
