#include "drawloom/render/velocity_pass.h"

#include "drawloom/render/standard_passes.h"

#include <glm/packing.hpp>

#include <cstring>

namespace dl
{
namespace
{

constexpr std::uint64_t kVelocityToken = 1ULL << 59U;

MeshPassDesc meshPass(bool hasOwnDepth)
{
    MeshPassDesc desc;
    desc.name = "velocity";
    desc.opaque = {"velocity", StreamSet::Full};
    // Behind the prepass, Equal leaves only what alpha left; the pass need not test alpha again.
    desc.masked = {hasOwnDepth ? "velocity_masked" : "velocity", StreamSet::Full};
    desc.colorTargets = {{.format = kVelocityFormat}};
    desc.depth = {
        .format = kDepthFormat, .isWriting = hasOwnDepth, .compare = hasOwnDepth ? gpu::CompareOp::GreaterEqual : gpu::CompareOp::Equal};
    desc.order = hasOwnDepth ? SortOrder::FrontToBack : SortOrder::State;
    return desc;
}

} // namespace

Result<std::unique_ptr<VelocityPass>> VelocityPass::create(
    gpu::Device& device, DrawLibrary& library, const gpu::ShaderArchive& archive, const VelocityPassDesc& desc)
{
    std::unique_ptr<VelocityPass> pass(new VelocityPass(device, desc));
    FullscreenPassDesc sky{.name = "velocity_sky", .target = {.format = kVelocityFormat}, .depth = {}};
    sky.depth = {.format = kDepthFormat, .isWriting = false, .compare = gpu::CompareOp::GreaterEqual};
    DL_TRY_ASSIGN(pass->m_sky, FullscreenPass::create(device, library.resources(), archive, sky));
    DL_TRY_ASSIGN(pass->m_view, FullscreenPass::create(device, library.resources(), archive,
                                    {.name = "velocity_view", .target = {.format = kPictureFormat}, .depth = {}}));
    DL_TRY_ASSIGN(pass->m_target, RenderTarget::create(device, "velocity", kVelocityFormat, desc.width, desc.height, kVelocityToken));
    DL_TRY_ASSIGN(pass->m_meshPass, library.addPass(meshPass(desc.hasOwnDepth)));
    return pass;
}

VelocityPass::~VelocityPass()
{
    m_target.destroy(*m_device);
}

void VelocityPass::onCompletion(const gpu::Completion& completion)
{
    m_sky.onCompletion(completion);
    m_view.onCompletion(completion);
    m_target.onCompletion(completion);
}

void VelocityPass::add(FrameBoard& board)
{
    graph::TextureHandle target = m_target.import(board.graph, "velocity");
    graph::TextureHandle depth = board.depth;
    if (m_desc.hasOwnDepth)
        depth = board.graph.createTexture(
            {.label = "velocity depth", .format = kDepthFormat, .size = graph::GraphSize::absolute(board.width, board.height)});
    graph::RasterPassBuilder pass = board.graph.addRasterPass("velocity");
    target = pass.color(0, target);
    if (m_desc.hasOwnDepth)
        depth = pass.depth(depth);
    else
        pass.depthReadOnly(depth);
    board.drawMeshes(pass, m_meshPass);
    if (m_sky.isReady())
        target = m_sky.add(board, target, {}, gpu::LoadOp::Load, depth);
    board.velocity = target;
}

void VelocityPass::addView(FrameBoard& board) const
{
    if (m_view.isReady())
    {
        board.picture = m_view.add(board, board.picture, std::span(&board.velocity, 1), gpu::LoadOp::Clear);
        return;
    }
    graph::RasterPassBuilder pass = board.graph.addRasterPass("velocity_view"); // an import must not stay undefined
    board.picture = pass.color(0, board.picture);
}

std::span<const vec2> VelocityPass::texels()
{
    if (const auto bytes = m_target.takeBytes())
    {
        m_texels.resize(bytes->size() / sizeof(std::uint32_t));
        for (std::size_t i = 0; i < m_texels.size(); ++i)
        {
            std::uint32_t halves = 0;
            std::memcpy(&halves, bytes->data() + i * sizeof(halves), sizeof(halves));
            m_texels[i] = glm::unpackHalf2x16(halves);
        }
    }
    return m_texels;
}

} // namespace dl
