#include "tests/render/environment_fixture.h"

#include <glm/packing.hpp>

#include <cstring>

namespace dl
{
namespace
{

constexpr std::uint64_t kPictureToken = 7001, kCubeToken = 7010;
constexpr std::uint32_t kTexelBytes = 8, kRowAlignment = 256;

std::uint32_t rowBytes(std::uint32_t width)
{
    return (width * kTexelBytes + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
}

vec3 halfTexel(const std::vector<std::byte>& bytes, std::size_t offset)
{
    std::uint32_t words[2] = {};
    if (offset + sizeof words > bytes.size())
    {
        ADD_FAILURE() << "nothing was read back";
        return vec3(0.0f);
    }
    std::memcpy(words, bytes.data() + offset, sizeof words);
    return vec3(glm::unpackHalf2x16(words[0]), glm::unpackHalf2x16(words[1]).x);
}

void addReadback(FrameBoard& board, graph::TextureHandle texture, std::uint32_t mip, std::uint32_t size, std::uint32_t layers,
    std::uint64_t token, const char* name)
{
    const std::uint64_t bytes = std::uint64_t(rowBytes(size)) * size * layers;
    graph::BufferHandle buffer = board.graph.createBuffer({.label = name, .bytes = bytes});
    graph::PassBuilder copy = board.graph.addCopyPass(name);
    copy.read(texture, gpu::Access::CopyRead, graph::SubresourceRange::mip(mip));
    buffer = copy.write(buffer, gpu::Access::CopyWrite, graph::Previous::Discard);
    copy.execute(
        [=](graph::PassContext& context)
        {
            context.stream().copyTextureToBuffer(
                {.region = {.texture = context.texture(texture), .mip = mip, .width = size, .height = size, .layersOrDepth = layers},
                    .buffer = context.buffer(buffer),
                    .bytesPerRow = rowBytes(size),
                    .rowsPerLayer = size});
        });
    graph::PassBuilder read = board.graph.addCopyPass(name);
    read.read(buffer, gpu::Access::CopyRead);
    read.sideEffects();
    read.execute([=](graph::PassContext& context) { context.stream().readbackBuffer(context.buffer(buffer), 0, bytes, token); });
}

} // namespace

Result<void> RadianceReader::addPasses(FramePoint point, FrameBoard& board)
{
    if (point != FramePoint::BeforeTonemap)
        return {};
    addReadback(board, board.color, 0, kRadianceSize, 1, kPictureToken, "read radiance");
    for (std::uint32_t level = 0; level < kCubeLevels && renderer->isSettled(); ++level)
        addReadback(board, board.lightingTextures.environment, level, kCubeSize >> level, 6, kCubeToken + level, "read cube");
    return {};
}

void RadianceReader::onCompletion(const gpu::Completion& completion)
{
    if (completion.kind != gpu::CompletionKind::Readback)
        return;
    if (completion.token == kPictureToken)
        m_picture = completion.bytes;
    for (std::uint32_t level = 0; level < kCubeLevels; ++level)
        if (completion.token == kCubeToken + level)
            m_levels[level] = completion.bytes;
}

vec3 RadianceReader::at(std::uint32_t x, std::uint32_t y) const
{
    return halfTexel(m_picture, std::size_t(rowBytes(kRadianceSize)) * y + std::size_t(x) * kTexelBytes);
}

vec3 RadianceReader::cubeAt(std::uint32_t level, std::uint32_t face, std::uint32_t x, std::uint32_t y) const
{
    const std::uint32_t size = kCubeSize >> level;
    return halfTexel(m_levels[level], std::size_t(rowBytes(size)) * (std::size_t(face) * size + y) + std::size_t(x) * kTexelBytes);
}

void EnvironmentOnDriver::SetUp()
{
    DriverTest::SetUp();
    if (IsSkipped())
        return;
    m_renderer =
        std::move(*Renderer::create(*m_device, {.width = kRadianceSize, .height = kRadianceSize, .environmentFaceTexels = kCubeSize}));
    m_reader.renderer = m_renderer.get();
    m_renderer->addFeature(m_reader);
}

void EnvironmentOnDriver::TearDown()
{
    m_scene.reset();
    m_renderer.reset();
}

void EnvironmentOnDriver::draw(const FrameDesc& frame)
{
    SceneInstance* const scenes[] = {m_scene.get()};
    Result<OffscreenPicture> drawn = renderOffscreen(*m_renderer, std::span(scenes).first(m_scene ? 1 : 0), frame, m_scene != nullptr);
    ASSERT_TRUE(drawn) << drawn.error().message;
}

FrameDesc EnvironmentOnDriver::dark()
{
    FrameDesc frame;
    frame.sun.intensity = 0.0f;
    return frame;
}

Image constantEnvironment(vec3 radiance, std::uint32_t width, std::uint32_t height)
{
    Image image;
    image.name = "constant";
    image.format = ImageFormat::Rgba32F;
    image.width = width;
    image.height = height;
    image.bytes.resize(std::size_t(width) * height * sizeof(vec4));
    const vec4 texel(radiance, 1.0f);
    for (std::size_t i = 0; i < image.bytes.size(); i += sizeof texel)
        std::memcpy(image.bytes.data() + i, &texel, sizeof texel);
    return image;
}

vec3 cubeDirection(std::uint32_t face, float u, float v)
{
    const float s = 2.0f * u - 1.0f, t = 2.0f * v - 1.0f;
    const vec3 directions[6] = {vec3(1, -t, -s), vec3(-1, -t, s), vec3(s, 1, t), vec3(s, -1, -t), vec3(s, -t, 1), vec3(-s, -t, -1)};
    return glm::normalize(directions[face]);
}

std::string driverName(const testing::TestParamInfo<const char*>& driver)
{
    return driver.param;
}

} // namespace dl
