// drawloom/render/environment.h - ambient light from everywhere: a picture (equirectangular, as a Radiance .hdr holds it) or the
// procedural sky, prefiltered into a cube by roughness and summed up as spherical harmonics; shaders/ibl.wgsl lights surfaces
// with it, the sky pass shows it. Owned by the renderer. Made when the picture or the sky's colours change, not per frame.
#pragma once

#include "drawloom/gpu/owned.h"
#include "drawloom/gpu/shader_archive.h"
#include "drawloom/render/environment_image.h"
#include "drawloom/render/frame_board.h"

#include <optional>
#include <string>

namespace dl
{

/// How a frame uses the environment.
struct EnvironmentSettings
{
    float intensity = 1.0f;       ///< times its radiance, on surfaces and behind them
    float rotationRadians = 0.0f; ///< turns a picture about +Y, counter-clockwise seen from above
};

constexpr std::uint32_t kLeastEnvironmentFaceTexels = 8, kMostEnvironmentFaceTexels = 1024;
/// Edge of the cube's level of roughness 1; environment_prefilter.wgsl says the same.
constexpr std::uint32_t kLastEnvironmentLevelTexels = 4;
/// Larger pictures are halved until they fit.
constexpr std::uint32_t kMostEnvironmentPictureTexels = 4096;

/// One thread. The device outlives it.
class Environment
{
public:
    /// `faceTexels`: edge of the cube's sharpest level, a power of two from kLeast... to kMost...; InvalidArgument otherwise. What
    /// making it costs grows with its square.
    static Result<Environment> create(gpu::Device& device, const gpu::ShaderArchive& archive, std::uint32_t faceTexels);

    void onCompletion(const gpu::Completion& completion);
    /// What a failed pipeline said, or empty.
    const std::string& failure() const { return m_failure; }

    /// The picture takes the sky's place from the next frame on; Rgba32F (makeEnvironmentImage says the rest). An error leaves all
    /// as it was.
    Result<void> setPicture(const Image& equirect);
    /// The sky again.
    void clearPicture();
    bool hasPicture() const { return m_picture.has_value(); }
    /// Makes the cube again in the next frame: for captures, which do not hold what a GPU wrote.
    void remake() { m_isMade = false; }

    /// Of the frame that is built; compares the sky's colours with those that the cube holds.
    Result<void> update(const SkySettings& sky);
    /// Appends what is not on the device yet. Outside passes, before the graph is executed into the same stream.
    void upload(gpu::CommandStream& stream) const;
    /// Adds the passes that make the cube, if it has to be made and its pipelines are there; sets the board's textures.
    void declare(FrameBoard& board);
    /// The stream of the last upload and declare was submitted.
    void onSubmitted();
    /// True when the cube holds what the last frame asked for.
    bool isMade() const { return m_isMade; }

    /// For LightUniforms.
    EnvironmentInputs inputs(const EnvironmentSettings& settings, const SkySettings& sky) const;
    /// For FrameUniforms: intensity, cosine and sine of the turn, radiance of the sun's disc by that of its light.
    vec4 background(const EnvironmentSettings& settings) const;

    std::uint64_t makeCount() const { return m_makeCount; }
    std::uint64_t bytes() const;

private:
    /// A compute pipeline with its group 0: a texture, a sampler, a level of a cube to write.
    struct Step
    {
        gpu::Owned<gpu::ShaderModuleId> module;
        gpu::Owned<gpu::BindGroupLayoutId> layout;
        gpu::Owned<gpu::PipelineId> pipeline;
        bool isReady = false;
    };
    struct Texture
    {
        gpu::Owned<gpu::TextureId> texture;
        gpu::Owned<gpu::TextureViewId> view;
        gpu::TextureDesc desc;
    };
    struct Picture
    {
        EnvironmentImage image; ///< without texels once they are on the device
        Texture texture;
        bool isUploaded = false;
    };
    /// Which level of which texture a step reads and writes.
    struct Dispatch
    {
        graph::TextureHandle source, target;
        graph::SubresourceRange sourceRange;
        std::uint32_t targetMip = 0, targetTexels = 0;
        bool isRepeating = false; ///< reads a picture, which has no left and right edge
    };

    Result<void> createSteps(gpu::Device& device, const gpu::ShaderArchive& archive);
    Result<Picture> createPicture(EnvironmentImage image) const;
    static Result<Texture> createTexture(gpu::Device& device, const gpu::TextureDesc& desc);
    static graph::TextureHandle import(graph::RenderGraph& graph, const Texture& texture, gpu::AccessFlags initial);
    bool areStepsReady() const { return m_project.isReady && m_prefilter.isReady; }
    const Picture& source() const { return m_picture ? *m_picture : m_sky; }
    Picture& source() { return m_picture ? *m_picture : m_sky; }
    graph::TextureHandle declareSource(FrameBoard& board, graph::TextureHandle picture) const;
    graph::TextureHandle declarePrefilter(FrameBoard& board, graph::TextureHandle source) const;
    void declareCopy(FrameBoard& board, graph::TextureHandle faces) const;
    graph::TextureHandle createFaces(graph::RenderGraph& graph, const char* label, std::uint32_t mipCount) const;
    void record(graph::PassContext& context, const Step& step, const Dispatch& dispatch) const;

    gpu::Device* m_device = nullptr;
    Step m_project, m_prefilter; ///< the second halves levels, too
    gpu::Owned<gpu::SamplerId> m_sampler, m_repeatingSampler;
    Texture m_cube, m_brdfTable;
    Picture m_sky;
    std::optional<Picture> m_picture;
    SkySettings m_skySettings; ///< that m_sky shows
    std::string m_failure;
    std::uint64_t m_makeCount = 0;
    bool m_hasTable = false;
    bool m_hasCube = false;  ///< some environment, maybe an older one
    bool m_isMade = false;   ///< the present one
    bool m_isMaking = false; ///< in the stream that is recorded
};

} // namespace dl
