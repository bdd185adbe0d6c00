// drawloom/render/lighting.h - what lights a frame beside the sun of FrameUniforms: bind group 1 of every lit pass, read by
// shaders/lighting_bindings.wgsl. Owned by the renderer; shadows and environment put their textures and numbers into it. A pass
// of a user's own that imports lighting.wgsl takes `layout()` and FrameBoard::drawLitMeshes.
#pragma once

#include "drawloom/gpu/command_stream.h"
#include "drawloom/gpu/owned.h"
#include "drawloom/graph/render_graph.h"
#include "drawloom/resource/gpu_structs.h"

#include <array>
#include <span>

namespace dl
{

/// LightUniforms' part of the sun's shadow cascades; zero params: nothing shadows.
struct ShadowInputs
{
    std::array<mat4, kMaxCascades> cascadeMatrices = {};
    vec4 cascadeFar = vec4(0.0f), cascadeTexels = vec4(0.0f), params = vec4(0.0f);
    float softnessTexels = 0.0f;
};
/// LightUniforms' part of the environment; zero: black.
struct EnvironmentInputs
{
    std::array<vec4, 9> irradiance = {};
    vec4 params = vec4(0.0f);
};

/// What each part gives for one frame; read during Lighting::upload.
struct LightingInputs
{
    std::span<const LightRecord> lights; ///< up to kMaxLights
    ShadowInputs shadow;
    EnvironmentInputs environment;
    vec3 viewForward = vec3(0, 0, -1);
};

/// The frame's textures of group 1; none: a neutral one takes its place. All are read as SampledRead.
struct LightingTextures
{
    graph::TextureHandle shadowMap;   ///< Depth32Float, D2Array
    graph::TextureHandle environment; ///< RGBA16Float, Cube with mips
    graph::TextureHandle brdfTable;   ///< two float channels, D2
};

/// One thread. The device outlives it.
class Lighting
{
public:
    /// Fails as the device does.
    static Result<Lighting> create(gpu::Device& device);

    /// Uniforms, shadow map, comparison sampler, environment, sampler, BRDF table; fragment stage.
    gpu::BindGroupLayoutId layout() const { return m_layout.id(); }

    /// Appends the uniforms' write and, until a stream with it was submitted, the content of the neutral textures. Outside passes,
    /// before the graph is executed into the same stream.
    void upload(gpu::CommandStream& stream, const LightingInputs& inputs);
    /// The stream of the last upload was submitted.
    void onSubmitted();

    /// Puts neutral textures where there are none. Once a frame, before the first lit pass is declared.
    void fillIn(graph::RenderGraph& graph, LightingTextures& textures) const;
    /// Declares what a lit pass reads.
    static void read(graph::PassBuilder& pass, const LightingTextures& textures);
    /// Group 1 inside a pass that called `read`; the graph makes it anew only when one of the views is another one.
    gpu::BindGroupId group(graph::PassContext& context, const LightingTextures& textures) const;

private:
    struct Neutral
    {
        gpu::Owned<gpu::TextureId> texture;
        gpu::Owned<gpu::TextureViewId> view;
    };
    Result<void> createLayout(gpu::Device& device);
    Result<void> createNeutral(gpu::Device& device);
    void uploadNeutral(gpu::CommandStream& stream) const;
    void clearNeutralShadows(gpu::CommandStream& stream) const;

    gpu::Owned<gpu::BindGroupLayoutId> m_layout;
    gpu::Owned<gpu::BufferId> m_uniforms;
    gpu::Owned<gpu::SamplerId> m_shadowSampler, m_sampler;
    Neutral m_shadowMap, m_environment, m_brdfTable;
    gpu::Owned<gpu::TextureViewId> m_shadowLayer; ///< to clear it through
    gpu::AccessFlags m_uniformState;
    bool m_hasNeutralContent = false;
};

} // namespace dl
