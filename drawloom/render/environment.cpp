#include "drawloom/render/environment.h"

#include "drawloom/render/brdf_table.h"

#include <glm/packing.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

namespace dl
{
namespace
{

using gpu::Access;
using gpu::TextureDimension;
using gpu::TextureUsage;

constexpr std::uint32_t kFaceCount = 6, kWorkgroupEdge = 8; // of the environment's compute shaders
constexpr gpu::Format kRadianceFormat = gpu::Format::RGBA16Float, kTableFormat = gpu::Format::RG16Float;
constexpr std::uint32_t kRadianceBytes = 8, kTableBytes = 4; // a texel
constexpr std::uint32_t kOwnGroup = 0;

void write(gpu::CommandStream& stream, gpu::TextureId texture, std::uint32_t mip, std::uint32_t width, std::uint32_t height,
    std::uint32_t texelBytes, std::span<const std::byte> texels)
{
    stream.writeTexture({.texture = texture, .mip = mip, .width = width, .height = height}, width * texelBytes, height, texels);
}

void barrier(gpu::CommandStream& stream, gpu::TextureId texture, std::uint32_t mipCount, gpu::AccessFlags before, gpu::AccessFlags after)
{
    const gpu::TextureBarrier change{.texture = texture, .mipCount = mipCount, .before = before, .after = after};
    stream.barriers(std::span(&change, 1), {});
}

void uploadPicture(gpu::CommandStream& stream, gpu::TextureId texture, const EnvironmentImage& image)
{
    barrier(stream, texture, image.mipCount, {}, Access::CopyWrite);
    std::span<const std::byte> rest = std::as_bytes(std::span(image.halves));
    for (std::uint32_t mip = 0; mip < image.mipCount; ++mip)
    {
        const std::uint32_t width = image.levelWidth(mip), height = image.levelHeight(mip);
        const std::size_t levelBytes = std::size_t(width) * height * kRadianceBytes;
        write(stream, texture, mip, width, height, kRadianceBytes, rest.first(levelBytes));
        rest = rest.subspan(levelBytes);
    }
    barrier(stream, texture, image.mipCount, Access::CopyWrite, Access::SampledRead);
}

void uploadTable(gpu::CommandStream& stream, gpu::TextureId texture)
{
    const std::span<const vec2> table = brdfTable();
    std::vector<std::uint32_t> halves(table.size());
    std::transform(table.begin(), table.end(), halves.begin(), [](vec2 texel) { return glm::packHalf2x16(texel); });
    barrier(stream, texture, 1, {}, Access::CopyWrite);
    write(stream, texture, 0, kBrdfTableSize, kBrdfTableSize, kTableBytes, std::as_bytes(std::span(halves)));
    barrier(stream, texture, 1, Access::CopyWrite, Access::SampledRead);
}

bool haveEqualColors(const SkySettings& a, const SkySettings& b)
{
    return a.zenith == b.zenith && a.horizon == b.horizon && a.ground == b.ground;
}

} // namespace

Result<Environment> Environment::create(gpu::Device& device, const gpu::ShaderArchive& archive, std::uint32_t faceTexels)
{
    if (!std::has_single_bit(faceTexels) || faceTexels < kLeastEnvironmentFaceTexels || faceTexels > kMostEnvironmentFaceTexels)
        return Error{ErrorCode::InvalidArgument, "environment faces of " + std::to_string(faceTexels) +
                                                     " texels: RendererSettings::environmentFaceTexels takes a power of two, " +
                                                     std::to_string(kLeastEnvironmentFaceTexels) + " to " +
                                                     std::to_string(kMostEnvironmentFaceTexels)};
    Environment environment;
    environment.m_device = &device;
    DL_TRY(environment.createSteps(device, archive));
    DL_TRY_ASSIGN(environment.m_cube,
        createTexture(
            device, {.label = "environment",
                        .format = kRadianceFormat,
                        .dimension = TextureDimension::Cube,
                        .width = faceTexels,
                        .height = faceTexels,
                        .depthOrLayers = kFaceCount,
                        .mipCount = gpu::fullMipCount(faceTexels / kLastEnvironmentLevelTexels, faceTexels / kLastEnvironmentLevelTexels),
                        .usage = TextureUsage::Sampled | TextureUsage::CopyDst | TextureUsage::CopySrc}));
    DL_TRY_ASSIGN(environment.m_brdfTable, createTexture(device, {.label = "brdf table",
                                                                     .format = kTableFormat,
                                                                     .width = kBrdfTableSize,
                                                                     .height = kBrdfTableSize,
                                                                     .usage = TextureUsage::Sampled | TextureUsage::CopyDst}));
    DL_TRY_ASSIGN(EnvironmentImage sky, makeEnvironmentImage(makeSkyImage(environment.m_skySettings), kMostEnvironmentPictureTexels));
    DL_TRY_ASSIGN(environment.m_sky, environment.createPicture(std::move(sky)));
    return environment;
}

Result<void> Environment::createSteps(gpu::Device& device, const gpu::ShaderArchive& archive)
{
    for (const auto& [step, name] : {std::pair(&m_project, "environment_project"), std::pair(&m_prefilter, "environment_prefilter")})
    {
        const gpu::ShaderEntry* entry = archive.find(name);
        if (entry == nullptr)
            return Error{
                ErrorCode::NotFound, "shader \"" + std::string(name) + "\" is not in the archive; rebuild it with scripts/shaders"};
        std::vector<gpu::BindGroupLayoutEntry> entries;
        for (const gpu::ShaderBinding& binding : entry->bindings)
        {
            gpu::BindGroupLayoutEntry& out = entries.emplace_back();
            out.binding = binding.binding;
            out.visibility = binding.stages;
            out.type = binding.type;
            out.dimension = binding.dimension;
            out.format = binding.format;
        }
        DL_TRY_ASSIGN(const gpu::ShaderModuleId module, device.createShaderModule(entry->moduleDesc()));
        step->module = {device, module};
        DL_TRY_ASSIGN(const gpu::BindGroupLayoutId layout, device.createBindGroupLayout({.label = name, .entries = entries}));
        step->layout = {device, layout};
        DL_TRY_ASSIGN(const gpu::PipelineId pipeline,
            device.createComputePipeline(
                {.label = name, .layouts = std::span(&layout, 1), .module = module, .entry = gpu::kComputeEntryPoint}));
        step->pipeline = {device, pipeline};
    }
    gpu::SamplerDesc desc{.label = "environment"};
    DL_TRY_ASSIGN(const gpu::SamplerId sampler, device.createSampler(desc));
    m_sampler = {device, sampler};
    desc.label = "environment picture";
    desc.addressU = gpu::AddressMode::Repeat;
    DL_TRY_ASSIGN(const gpu::SamplerId repeating, device.createSampler(desc));
    m_repeatingSampler = {device, repeating};
    return {};
}

Result<Environment::Texture> Environment::createTexture(gpu::Device& device, const gpu::TextureDesc& desc)
{
    Texture out;
    out.desc = desc;
    DL_TRY_ASSIGN(const gpu::TextureId texture, device.createTexture(desc));
    out.texture = {device, texture};
    DL_TRY_ASSIGN(const gpu::TextureViewId view, device.createTextureView({.label = desc.label,
                                                     .texture = texture,
                                                     .dimension = desc.dimension,
                                                     .mipCount = desc.mipCount,
                                                     .layerCount = desc.depthOrLayers}));
    out.view = {device, view};
    return out;
}

Result<Environment::Picture> Environment::createPicture(EnvironmentImage image) const
{
    Picture picture;
    DL_TRY_ASSIGN(picture.texture, createTexture(*m_device, {.label = "environment picture",
                                                                .format = kRadianceFormat,
                                                                .width = image.width,
                                                                .height = image.height,
                                                                .mipCount = image.mipCount,
                                                                .usage = TextureUsage::Sampled | TextureUsage::CopyDst}));
    picture.image = std::move(image);
    return picture;
}

void Environment::onCompletion(const gpu::Completion& completion)
{
    for (Step* step : {&m_project, &m_prefilter})
    {
        if (completion.pipeline != step->pipeline.id())
            continue;
        if (completion.kind == gpu::CompletionKind::PipelineReady)
            step->isReady = true;
        else if (completion.kind == gpu::CompletionKind::PipelineFailed)
            m_failure = completion.message;
    }
}

Result<void> Environment::setPicture(const Image& equirect)
{
    const std::uint32_t most = std::min(kMostEnvironmentPictureTexels, m_device->info().limits.maxTextureSize);
    DL_TRY_ASSIGN(EnvironmentImage image, makeEnvironmentImage(equirect, most));
    DL_TRY_ASSIGN(Picture picture, createPicture(std::move(image)));
    m_picture = std::move(picture);
    m_isMade = false;
    return {};
}

void Environment::clearPicture()
{
    if (!m_picture)
        return;
    m_picture.reset();
    m_isMade = false;
}

Result<void> Environment::update(const SkySettings& sky)
{
    if (m_picture || haveEqualColors(sky, m_skySettings))
        return {};
    DL_TRY_ASSIGN(m_sky.image, makeEnvironmentImage(makeSkyImage(sky), kMostEnvironmentPictureTexels));
    m_skySettings = sky;
    m_sky.isUploaded = false;
    m_isMade = false;
    return {};
}

void Environment::upload(gpu::CommandStream& stream) const
{
    if (!m_hasTable)
        uploadTable(stream, m_brdfTable.texture.id());
    if (!source().isUploaded)
        uploadPicture(stream, source().texture.texture.id(), source().image);
}

graph::TextureHandle Environment::import(graph::RenderGraph& graph, const Texture& texture, gpu::AccessFlags initial)
{
    const gpu::TextureDesc& desc = texture.desc;
    return graph.importTexture({.label = desc.label,
        .texture = texture.texture.id(),
        .view = texture.view.id(),
        .format = desc.format,
        .dimension = desc.dimension,
        .width = desc.width,
        .height = desc.height,
        .depthOrLayers = desc.depthOrLayers,
        .mipCount = desc.mipCount,
        .initial = initial,
        .final = Access::SampledRead});
}

void Environment::declare(FrameBoard& board)
{
    board.environmentPicture = import(board.graph, source().texture, Access::SampledRead);
    board.lightingTextures.brdfTable = import(board.graph, m_brdfTable, Access::SampledRead);
    m_isMaking = !m_isMade && areStepsReady();
    if (!m_hasCube && !m_isMaking)
        return; // black until the pipelines are there
    board.lightingTextures.environment =
        import(board.graph, m_cube, m_hasCube ? gpu::AccessFlags(Access::SampledRead) : gpu::AccessFlags());
    if (m_isMaking)
        declareCopy(board, declarePrefilter(board, declareSource(board, board.environmentPicture)));
}

graph::TextureHandle Environment::declareSource(FrameBoard& board, graph::TextureHandle picture) const
{
    constexpr std::array kLevelNames = {"environment", "environment level 1", "environment level 2", "environment level 3",
        "environment level 4", "environment level 5", "environment level 6", "environment level 7", "environment level 8",
        "environment level 9", "environment level 10"};
    static_assert(kMostEnvironmentFaceTexels >> (kLevelNames.size() - 1) == 1);
    const std::uint32_t faceTexels = m_cube.desc.width;
    graph::TextureHandle faces = createFaces(board.graph, "environment source", graph::kFullMipChain);
    for (std::uint32_t mip = 0; mip < gpu::fullMipCount(faceTexels, faceTexels); ++mip)
    {
        graph::PassBuilder pass = board.graph.addComputePass(kLevelNames[mip]);
        Dispatch dispatch{
            .source = mip == 0 ? picture : faces, .targetMip = mip, .targetTexels = faceTexels >> mip, .isRepeating = mip == 0};
        if (mip != 0)
            dispatch.sourceRange = graph::SubresourceRange::mip(mip - 1);
        pass.read(dispatch.source, Access::SampledRead, dispatch.sourceRange);
        faces = pass.write(faces, Access::StorageWrite, graph::SubresourceRange::mip(mip), graph::Previous::Discard);
        dispatch.target = faces;
        pass.execute(
            [this, dispatch](graph::PassContext& context) { record(context, dispatch.isRepeating ? m_project : m_prefilter, dispatch); });
    }
    return faces;
}

graph::TextureHandle Environment::createFaces(graph::RenderGraph& graph, const char* label, std::uint32_t mipCount) const
{
    return graph.createTexture({.label = label,
        .format = kRadianceFormat,
        .size = graph::GraphSize::absolute(m_cube.desc.width, m_cube.desc.width),
        .dimension = TextureDimension::D2Array,
        .depthOrLayers = kFaceCount,
        .mipCount = mipCount});
}

graph::TextureHandle Environment::declarePrefilter(FrameBoard& board, graph::TextureHandle source) const
{
    graph::PassBuilder pass = board.graph.addComputePass("environment prefilter");
    pass.read(source, Access::SampledRead);
    graph::TextureHandle faces = createFaces(board.graph, "environment faces", m_cube.desc.mipCount);
    faces = pass.write(faces, Access::StorageWrite, {}, graph::Previous::Discard);
    pass.execute(
        [this, source, target = faces](graph::PassContext& context)
        {
            for (std::uint32_t mip = 0; mip < m_cube.desc.mipCount; ++mip)
                record(context, m_prefilter,
                    {.source = source, .target = target, .sourceRange = {}, .targetMip = mip, .targetTexels = m_cube.desc.width >> mip});
        });
    return faces;
}

/// SwiftShader filters across the edges of a cube by a border of its own around each face, which a copy brings up to date; the
/// steps write to layers, and those are copied.
void Environment::declareCopy(FrameBoard& board, graph::TextureHandle faces) const
{
    graph::PassBuilder pass = board.graph.addCopyPass("environment copy");
    pass.read(faces, Access::CopyRead);
    graph::TextureHandle& cube = board.lightingTextures.environment;
    cube = pass.write(cube, Access::CopyWrite, {}, graph::Previous::Discard);
    pass.execute(
        [this, faces, target = cube](graph::PassContext& context)
        {
            for (std::uint32_t mip = 0; mip < m_cube.desc.mipCount; ++mip)
            {
                const std::uint32_t texels = m_cube.desc.width >> mip;
                const auto region = [&](graph::TextureHandle texture)
                {
                    return gpu::TextureRegion{
                        .texture = context.texture(texture), .mip = mip, .width = texels, .height = texels, .layersOrDepth = kFaceCount};
                };
                context.stream().copyTextureToTexture({.source = region(faces), .target = region(target)});
            }
        });
}

void Environment::record(graph::PassContext& context, const Step& step, const Dispatch& dispatch) const
{
    const gpu::TextureViewId source = context.view(dispatch.source,
        {.range = dispatch.sourceRange, .dimension = dispatch.isRepeating ? TextureDimension::D2 : TextureDimension::D2Array});
    const gpu::TextureViewId target =
        context.view(dispatch.target, {.range = graph::SubresourceRange::mip(dispatch.targetMip), .dimension = TextureDimension::D2Array});
    if (!source || !target)
        return; // the context has noted why
    const std::array<gpu::BindGroupEntry, 3> entries = {{{.binding = 0, .view = source},
        {.binding = 1, .sampler = dispatch.isRepeating ? m_repeatingSampler.id() : m_sampler.id()}, {.binding = 2, .view = target}}};
    gpu::CommandStream& stream = context.stream();
    stream.setPipeline(step.pipeline.id());
    stream.setBindGroup(kOwnGroup, context.bindGroup(step.layout.id(), entries, "environment"));
    const std::uint32_t groups = (dispatch.targetTexels + kWorkgroupEdge - 1) / kWorkgroupEdge;
    stream.dispatch(groups, groups, kFaceCount);
}

void Environment::onSubmitted()
{
    m_hasTable = true;
    Picture& picture = source();
    picture.isUploaded = true;
    picture.image.halves = {};
    if (!m_isMaking)
        return;
    m_isMaking = false;
    m_isMade = m_hasCube = true;
    ++m_makeCount;
}

EnvironmentInputs Environment::inputs(const EnvironmentSettings& settings, const SkySettings& sky) const
{
    EnvironmentInputs out;
    out.irradiance = source().image.irradiance;
    const float lastLevel = static_cast<float>(m_cube.desc.mipCount - 1);
    const float intensity = settings.intensity * (m_picture ? 1.0f : sky.ambientIntensity);
    out.params = vec4(intensity, lastLevel, std::cos(settings.rotationRadians), std::sin(settings.rotationRadians));
    return out;
}

vec4 Environment::background(const EnvironmentSettings& settings) const
{
    constexpr float kSunDiscRadiance = 20.0f; // times the light's colour
    return vec4(
        settings.intensity, std::cos(settings.rotationRadians), std::sin(settings.rotationRadians), m_picture ? 0.0f : kSunDiscRadiance);
}

std::uint64_t Environment::bytes() const
{
    std::uint64_t sum = 0;
    for (const Texture* texture : {&m_cube, &m_brdfTable, &m_sky.texture, m_picture ? &m_picture->texture : nullptr})
        for (std::uint32_t mip = 0; texture != nullptr && mip < texture->desc.mipCount; ++mip)
            sum += gpu::textureLevelBytes(texture->desc.format, std::max(texture->desc.width >> mip, 1U),
                std::max(texture->desc.height >> mip, 1U), texture->desc.depthOrLayers);
    return sum;
}

} // namespace dl
