// drawloom/render/velocity_pass.h - motion of what is seen since the last drawn frame, for temporal filters and motion blur
// (docs/conventions.md has the units). Made when first asked for; frames that do not ask pay nothing.
#pragma once

#include "drawloom/render/fullscreen_pass.h"
#include "drawloom/render/render_target.h"

#include <memory>

namespace dl
{

constexpr gpu::Format kVelocityFormat = gpu::Format::RG16Float;

struct VelocityPassDesc
{
    std::uint32_t width = 0, height = 0;
    /// False: draws behind the frame's depth prepass with Equal. True: the frame's depth is multisampled, so the pass draws its own.
    bool hasOwnDepth = false;
};

class VelocityPass
{
public:
    /// Registers the mesh pass "velocity". All references outlive the object.
    static Result<std::unique_ptr<VelocityPass>> create(
        gpu::Device& device, DrawLibrary& library, const gpu::ShaderArchive& archive, const VelocityPassDesc& desc);
    ~VelocityPass();
    VelocityPass(const VelocityPass&) = delete;
    VelocityPass& operator=(const VelocityPass&) = delete;

    void onCompletion(const gpu::Completion& completion);
    bool isReady() const { return m_sky.isReady() && m_view.isReady(); }
    const std::string& failure() const { return m_sky.failure().empty() ? m_view.failure() : m_sky.failure(); }

    /// Adds the passes that fill `board.velocity`, of single samples; behind the depth prepass.
    void add(FrameBoard& board);
    /// Shows `board.velocity` in `board.picture`: DebugView::Velocity.
    void addView(FrameBoard& board) const;
    /// After the graph's execute.
    void setWritten() { m_target.setWritten(); }
    void readBack(gpu::CommandStream& stream) { m_target.readBack(stream); }
    /// Texels of the last readback that arrived.
    std::span<const vec2> texels();

private:
    VelocityPass(gpu::Device& device, const VelocityPassDesc& desc) : m_device(&device), m_desc(desc) {}

    gpu::Device* m_device;
    VelocityPassDesc m_desc;
    MeshPassId m_meshPass;
    FullscreenPass m_sky, m_view;
    RenderTarget m_target;
    std::vector<vec2> m_texels;
};

} // namespace dl
