// tests/gpu_vulkan/vulkan_fixture.cpp
#include "vulkan_fixture.h"

#include "shaders/test_shaders_spirv.h"

#include <algorithm>

namespace dl::gpu
{

Picture::Pixel Picture::at(std::uint32_t x, std::uint32_t y) const
{
    const std::size_t at = (std::size_t{y} * width + x) * 4;
    if (at + 4 > bytes.size())
        return {-1, -1, -1, -1};
    return {bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]};
}

bool VulkanTest::isDriverPresent(const std::string& name)
{
    static const auto drivers = listVulkanDrivers();
    if (!drivers)
        return false;
    const std::string part = name == "lavapipe" ? "llvmpipe" : "SwiftShader";
    return std::any_of(drivers->begin(), drivers->end(),
        [&part](const VulkanDriverInfo& driver) { return driver.deviceName.find(part) != std::string::npos; });
}

VulkanMessageHandler VulkanTest::collectMessages()
{
    return [this](const VulkanMessage& message) { m_messages.emplace_back(message.text); };
}

void VulkanTest::SetUp()
{
    if (!isDriverPresent(GetParam()))
        GTEST_SKIP() << "the Vulkan driver " << GetParam() << " is not installed";
    VulkanDeviceSettings settings;
    settings.driverNamePart = GetParam();
    settings.enableKhronosValidation = true;
    settings.onMessage = collectMessages();
    auto created = createVulkanDevice(settings);
    ASSERT_TRUE(created) << created.error().message;
    m_device = std::move(created).value();
}

void VulkanTest::TearDown()
{
    m_device.reset();
    for (const std::string& message : m_messages)
        ADD_FAILURE() << message;
}

BufferId VulkanTest::makeBuffer(std::uint64_t bytes, BufferUsages usage)
{
    auto buffer = device().createBuffer({"test buffer", bytes, usage});
    EXPECT_TRUE(buffer) << buffer.error().message;
    return buffer.value_or(BufferId{});
}

TextureId VulkanTest::makeTexture(TextureDesc desc)
{
    desc.label = "test texture";
    auto texture = device().createTexture(desc);
    EXPECT_TRUE(texture) << texture.error().message;
    return texture.value_or(TextureId{});
}

TextureViewId VulkanTest::makeView(TextureId texture, TextureViewDesc desc)
{
    desc.texture = texture;
    auto view = device().createTextureView(desc);
    EXPECT_TRUE(view) << view.error().message;
    return view.value_or(TextureViewId{});
}

Target VulkanTest::makeTarget(std::uint32_t width, std::uint32_t height, Format format, std::uint32_t sampleCount)
{
    TextureDesc desc;
    desc.format = format;
    desc.width = width;
    desc.height = height;
    desc.sampleCount = sampleCount;
    desc.usage = TextureUsage::ColorAttachment;
    if (sampleCount == 1)
        desc.usage |= TextureUsage::CopySrc;
    Target target{makeTexture(desc), {}, width, height};
    target.view = makeView(target.texture);
    return target;
}

SamplerId VulkanTest::makeSampler(Filter filter)
{
    SamplerDesc desc;
    desc.magFilter = desc.minFilter = desc.mipFilter = filter;
    auto sampler = device().createSampler(desc);
    EXPECT_TRUE(sampler) << sampler.error().message;
    return sampler.value_or(SamplerId{});
}

BindGroupLayoutId VulkanTest::makeLayout(std::initializer_list<BindGroupLayoutEntry> entries)
{
    auto layout = device().createBindGroupLayout({"test layout", {entries.begin(), entries.size()}});
    EXPECT_TRUE(layout) << layout.error().message;
    return layout.value_or(BindGroupLayoutId{});
}

BindGroupId VulkanTest::makeGroup(BindGroupLayoutId layout, std::initializer_list<BindGroupEntry> entries)
{
    auto group = device().createBindGroup({"test group", layout, {entries.begin(), entries.size()}});
    EXPECT_TRUE(group) << group.error().message;
    return group.value_or(BindGroupId{});
}

ShaderModuleId VulkanTest::shader(std::string_view entry)
{
    const auto found = std::find_if(std::begin(kTestShaderEntries), std::end(kTestShaderEntries),
        [entry](const TestShaderEntry& candidate) { return candidate.entry == entry; });
    EXPECT_NE(found, std::end(kTestShaderEntries)) << entry;
    ShaderModuleId& id = m_modules[found->module];
    if (!id)
    {
        auto module = device().createShaderModule({"test shaders", found->spirv, {}});
        EXPECT_TRUE(module) << module.error().message;
        id = module.value_or(ShaderModuleId{});
    }
    return id;
}

PipelineId VulkanTest::makeCompute(std::string_view entry, std::initializer_list<BindGroupLayoutId> layouts)
{
    auto pipeline = device().createComputePipeline({"test compute", {layouts.begin(), layouts.size()}, shader(entry), entry});
    EXPECT_TRUE(pipeline) << pipeline.error().message;
    EXPECT_TRUE(device().waitIdle());
    return pipeline.value_or(PipelineId{});
}

void VulkanTest::run(CommandStream& stream)
{
    const auto submitted = device().submit(stream.bytes());
    ASSERT_TRUE(submitted) << submitted.error().message;
    const auto waited = device().waitIdle();
    ASSERT_TRUE(waited) << waited.error().message;
    m_completions.clear();
    device().poll(m_completions);
    for (const Completion& completion : m_completions)
        if (completion.kind == CompletionKind::Readback)
            m_readbacks[completion.token] = completion.bytes;
    stream.clear();
}

void VulkanTest::readTexture(CommandStream& stream, const Target& target, AccessFlags state, std::uint64_t token)
{
    const std::uint32_t bytesPerRow = (target.width * 4 + 255) / 256 * 256;
    const std::uint64_t bytes = std::uint64_t{bytesPerRow} * target.height;
    const BufferId buffer = makeBuffer(bytes, BufferUsage::CopySrc | BufferUsage::CopyDst);
    barrier(stream, target.texture, state, Access::CopyRead);
    CopyBufferTextureCmd copy;
    copy.region = {target.texture, 0, 0, 0, 0, target.width, target.height, 1};
    copy.buffer = buffer;
    copy.bytesPerRow = bytesPerRow;
    copy.rowsPerLayer = target.height;
    stream.copyTextureToBuffer(copy);
    barrier(stream, buffer, Access::CopyWrite, Access::CopyRead);
    stream.readbackBuffer(buffer, 0, bytes, token);
}

Picture VulkanTest::picture(const Target& target, std::uint64_t token) const
{
    const std::size_t rowBytes = std::size_t{target.width} * 4;
    const std::size_t pitch = (rowBytes + 255) / 256 * 256;
    const auto padded = numbers<std::uint8_t>(token);
    Picture result{target.width, target.height, {}};
    for (std::size_t row = 0; row < target.height && (row + 1) * pitch <= padded.size(); ++row)
    {
        const auto begin = padded.begin() + static_cast<std::ptrdiff_t>(row * pitch);
        result.bytes.insert(result.bytes.end(), begin, begin + static_cast<std::ptrdiff_t>(rowBytes));
    }
    return result;
}

void barrier(CommandStream& stream, TextureId texture, AccessFlags before, AccessFlags after, std::uint32_t mips, std::uint32_t layers)
{
    const TextureBarrier change{texture, 0, mips, 0, layers, before, after};
    stream.barriers({&change, 1}, {});
}

void barrier(CommandStream& stream, BufferId buffer, AccessFlags before, AccessFlags after)
{
    const BufferBarrier change{buffer, before, after};
    stream.barriers({}, {&change, 1});
}

void beginPass(CommandStream& stream, const Target& target, std::array<float, 4> clear)
{
    ColorAttachment color;
    color.view = target.view;
    std::copy(clear.begin(), clear.end(), color.clear);
    RenderPassDesc pass;
    pass.label = "test pass";
    pass.width = target.width;
    pass.height = target.height;
    pass.colors = {&color, 1};
    stream.beginRenderPass(pass);
}

} // namespace dl::gpu
