// The committed archive of the library: which entries it has, and that what they read and write is what C++ binds.
#include "drawloom/gpu/shader_archive.h"
#include "drawloom/render/builtin_shaders.h"
#include "drawloom/resource/gpu_structs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

using namespace dl;
using namespace dl::gpu;

namespace
{

class BuiltinShaders : public testing::Test
{
protected:
    void SetUp() override
    {
        Result<ShaderArchive> opened = ShaderArchive::open(builtinShaderArchive());
        ASSERT_TRUE(opened) << opened.error().message;
        m_archive = std::move(opened).value();
    }
    const ShaderEntry& entry(std::string_view name)
    {
        const ShaderEntry* found = m_archive.find(name);
        EXPECT_NE(found, nullptr) << name;
        static const ShaderEntry kNone;
        return found != nullptr ? *found : kNone;
    }
    // "location:components" of each vertex input.
    std::string inputs(std::string_view name)
    {
        std::string text;
        for (const ShaderVariable& input : entry(name).vertexInputs)
            text += std::to_string(input.location) + ":" + std::to_string(input.componentCount) + " ";
        return text;
    }
    std::set<std::pair<std::uint32_t, std::uint32_t>> bindings(std::string_view name)
    {
        std::set<std::pair<std::uint32_t, std::uint32_t>> found;
        for (const ShaderBinding& binding : entry(name).bindings)
            found.insert({binding.group, binding.binding});
        return found;
    }

    ShaderArchive m_archive;
};

using Offsets = std::vector<std::uint32_t>;

struct SpirvLayouts
{
    std::set<Offsets> structs;       // member offsets of every struct
    std::set<std::uint32_t> strides; // of every array
};

void collectLayouts(std::span<const std::uint32_t> spirv, SpirvLayouts& layouts)
{
    constexpr std::uint32_t kOpDecorate = 71, kOpMemberDecorate = 72, kArrayStride = 6, kOffset = 35;
    std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> members;
    for (std::size_t at = 5; at < spirv.size();)
    {
        const std::uint32_t code = spirv[at] & 0xFFFFU, length = spirv[at] >> 16U;
        ASSERT_GT(length, 0U);
        if (code == kOpMemberDecorate && spirv[at + 3] == kOffset)
            members[spirv[at + 1]][spirv[at + 2]] = spirv[at + 4];
        if (code == kOpDecorate && spirv[at + 2] == kArrayStride)
            layouts.strides.insert(spirv[at + 3]);
        at += length;
    }
    for (const auto& [id, offsets] : members)
    {
        Offsets list;
        for (const auto& [member, offset] : offsets)
            list.push_back(offset);
        layouts.structs.insert(list);
    }
}

} // namespace

TEST_F(BuiltinShaders, HoldEveryPassOfEveryFactory)
{
    std::set<std::string> expected = {
        "sky", "tonemap", "deform", "environment_project", "environment_prefilter", "velocity_sky", "velocity_view"};
    for (const char* pass : {"depth", "depth_masked", "depth_coverage", "velocity", "velocity_masked", "forward", "forward_masked",
             "forward_blended", "object_id", "object_id_masked", "debug", "debug_masked"})
        for (const char* factory : {"rigid", "deformed"})
            expected.insert(std::string(pass) + "." + factory + ".standard");
    std::set<std::string> found;
    for (const ShaderEntry& shader : m_archive.entries())
        found.insert(std::string(shader.name));
    EXPECT_EQ(found, expected);
    EXPECT_LE(found.size(), 64U) << "the permutation budget";
}

TEST_F(BuiltinShaders, DepthReadsThePositionStreamAlone)
{
    EXPECT_EQ(inputs("depth.rigid.standard"), "0:3 ");
    EXPECT_EQ(inputs("object_id.rigid.standard"), "0:3 ");
    EXPECT_FALSE(entry("depth.rigid.standard").hasFragment);
    EXPECT_EQ(bindings("depth.rigid.standard"), (std::set<std::pair<std::uint32_t, std::uint32_t>>{{0, 0}, {0, 1}, {3, 0}, {3, 1}}));
}

TEST_F(BuiltinShaders, MaskedPassesAddTheUvStreamAndTheBaseColour)
{
    EXPECT_EQ(inputs("depth_masked.rigid.standard"), "0:3 3:2 4:2 5:4 6:1 ");
    EXPECT_EQ(bindings("depth_masked.rigid.standard"),
        (std::set<std::pair<std::uint32_t, std::uint32_t>>{{0, 0}, {0, 1}, {2, 0}, {2, 5}, {3, 0}, {3, 1}, {3, 2}, {3, 3}}));
}

TEST_F(BuiltinShaders, ForwardReadsAllThreeStreams)
{
    EXPECT_EQ(inputs("forward.rigid.standard"), "0:3 1:4 2:4 3:2 4:2 5:4 6:1 ");
    EXPECT_EQ(entry("forward.rigid.standard").vertexInputs.back().kind, ScalarKind::Uint);
    EXPECT_EQ(entry("forward.rigid.standard").vertexInputs.front().kind, ScalarKind::Float);
}

TEST_F(BuiltinShaders, DeformedFactoryReadsTheDeformHeapInsteadOfTwoStreams)
{
    EXPECT_EQ(inputs("depth.deformed.standard"), "");
    EXPECT_EQ(inputs("forward.deformed.standard"), "3:2 4:2 5:4 6:1 ");
    EXPECT_TRUE(bindings("depth.deformed.standard").contains({3, 4}));
    EXPECT_FALSE(bindings("depth.rigid.standard").contains({3, 4}));
}

TEST_F(BuiltinShaders, BindFiveTexturesAndTheirSamplersToTheFragmentStage)
{
    for (const ShaderBinding& binding : entry("forward.rigid.standard").bindings)
    {
        if (binding.group != 2)
            continue;
        EXPECT_EQ(binding.type, binding.binding < 5 ? BindingType::SampledTexture : BindingType::FilteringSampler) << binding.name;
        EXPECT_EQ(binding.stages, ShaderStages(ShaderStage::Fragment)) << binding.name;
    }
    EXPECT_TRUE(bindings("forward.rigid.standard").contains({2, 9}));
}

TEST_F(BuiltinShaders, StayWithinWhatLibraryBindingsShow)
{
    for (const ShaderEntry& shader : m_archive.entries())
    {
        if (shader.name == "deform")
            continue;
        for (const ShaderBinding& binding : shader.bindings)
        {
            if (binding.group == 3 && binding.binding != 2)
            {
                EXPECT_EQ(binding.stages, ShaderStages(ShaderStage::Vertex)) << shader.name << " " << binding.name;
            }
            if (binding.group == 3)
            {
                EXPECT_EQ(binding.type, BindingType::ReadOnlyStorageBuffer) << shader.name << " " << binding.name;
            }
        }
    }
}

TEST_F(BuiltinShaders, TonemapLoadsFromAnUnfilterableTexture)
{
    const ShaderEntry& tonemap = entry("tonemap");
    EXPECT_TRUE(tonemap.vertexInputs.empty());
    ASSERT_FALSE(tonemap.bindings.empty());
    const ShaderBinding& hdr = tonemap.bindings.back();
    EXPECT_EQ(hdr.group, 1U);
    EXPECT_EQ(hdr.type, BindingType::UnfilterableTexture);
}

TEST_F(BuiltinShaders, WriteColoursOfTheExpectedKind)
{
    const ShaderEntry& forward = entry("forward.rigid.standard");
    ASSERT_EQ(forward.fragmentOutputs.size(), 1U);
    EXPECT_EQ(forward.fragmentOutputs[0].kind, ScalarKind::Float);
    const ShaderEntry& objectId = entry("object_id.rigid.standard");
    ASSERT_EQ(objectId.fragmentOutputs.size(), 1U);
    EXPECT_EQ(objectId.fragmentOutputs[0].kind, ScalarKind::Uint);
    EXPECT_EQ(objectId.fragmentOutputs[0].componentCount, 1);
    EXPECT_TRUE(entry("depth_masked.rigid.standard").hasFragment);
    EXPECT_TRUE(entry("depth_masked.rigid.standard").fragmentOutputs.empty());
}

TEST_F(BuiltinShaders, DeformIsAComputePassOfItsStatedSize)
{
    const ShaderEntry& deform = entry("deform");
    EXPECT_TRUE(deform.hasCompute && !deform.hasVertex && !deform.hasFragment);
    EXPECT_EQ(deform.workgroupSize, (std::array<std::uint32_t, 3>{kDeformWorkgroupSize, 1, 1}));
    ASSERT_EQ(deform.bindings.size(), 8U);
    EXPECT_EQ(deform.bindings[0].type, BindingType::UniformBuffer);
    for (std::size_t i = 1; i < 7; ++i)
        EXPECT_EQ(deform.bindings[i].type, BindingType::ReadOnlyStorageBuffer) << deform.bindings[i].name;
    EXPECT_EQ(deform.bindings[7].type, BindingType::StorageBuffer);
}

TEST_F(BuiltinShaders, ClipPositionIsInvariantInEveryMeshPass)
{
    for (const ShaderEntry& shader : m_archive.entries())
    {
        if (shader.name.find('.') == std::string_view::npos)
            continue;
        EXPECT_NE(shader.wgsl.find("@builtin(position) @invariant"), std::string_view::npos) << shader.name;
        EXPECT_NE(shader.wgsl.find("out.clip = clipPosition(instance, vertex.position);"), std::string_view::npos) << shader.name;
    }
}

TEST_F(BuiltinShaders, CarryTheInvariantDecorationInSpirv)
{
    constexpr std::uint32_t kOpDecorate = 71, kOpMemberDecorate = 72, kInvariant = 18;
    for (const ShaderEntry& shader : m_archive.entries())
    {
        if (shader.name.find('.') == std::string_view::npos)
            continue;
        bool isInvariant = false;
        for (std::size_t at = 5; at < shader.spirv.size(); at += std::max(shader.spirv[at] >> 16U, 1U))
        {
            const std::uint32_t code = shader.spirv[at] & 0xFFFFU;
            isInvariant |= (code == kOpDecorate && shader.spirv[at + 2] == kInvariant) ||
                           (code == kOpMemberDecorate && shader.spirv[at + 3] == kInvariant);
        }
        EXPECT_TRUE(isInvariant) << shader.name;
    }
}

TEST_F(BuiltinShaders, LayOutStructsAsCppDoes)
{
    SpirvLayouts layouts;
    for (const ShaderEntry& shader : m_archive.entries())
        collectLayouts(shader.spirv, layouts);
#define OFFSET(type, field) static_cast<std::uint32_t>(offsetof(type, field))
    const Offsets instance = {OFFSET(InstanceRecord, row0), OFFSET(InstanceRecord, row1), OFFSET(InstanceRecord, row2),
        OFFSET(InstanceRecord, materialRef), OFFSET(InstanceRecord, deformOffset), OFFSET(InstanceRecord, propertyOffset),
        OFFSET(InstanceRecord, flags)};
    const Offsets material = {OFFSET(MaterialParams, baseColorFactor), OFFSET(MaterialParams, emissiveFactor),
        OFFSET(MaterialParams, normalScale), OFFSET(MaterialParams, metallicFactor), OFFSET(MaterialParams, roughnessFactor),
        OFFSET(MaterialParams, occlusionStrength), OFFSET(MaterialParams, alphaCutoff), OFFSET(MaterialParams, uvMatrix),
        OFFSET(MaterialParams, uvOffset), OFFSET(MaterialParams, flags), OFFSET(MaterialParams, reserved0),
        OFFSET(MaterialParams, reserved1), OFFSET(MaterialParams, reserved2)};
    const Offsets frame = {OFFSET(FrameUniforms, cellOrigins), OFFSET(FrameUniforms, sunDirection), OFFSET(FrameUniforms, sunColor),
        OFFSET(FrameUniforms, skyZenith), OFFSET(FrameUniforms, skyHorizon), OFFSET(FrameUniforms, skyGround),
        OFFSET(FrameUniforms, params)};
    const Offsets view = {OFFSET(ViewUniforms, viewProjection), OFFSET(ViewUniforms, inverseViewProjection),
        OFFSET(ViewUniforms, previousViewProjection), OFFSET(ViewUniforms, eye), OFFSET(ViewUniforms, viewport),
        OFFSET(ViewUniforms, layerMask), OFFSET(ViewUniforms, viewIndex), OFFSET(ViewUniforms, debugMode),
        OFFSET(ViewUniforms, previousTime)};
    const Offsets job = {OFFSET(DeformJob, sourceVertex), OFFSET(DeformJob, vertexCount), OFFSET(DeformJob, outWord),
        OFFSET(DeformJob, jointOffset), OFFSET(DeformJob, skinOffset), OFFSET(DeformJob, morphOffset), OFFSET(DeformJob, morphTargetCount),
        OFFSET(DeformJob, morphWeightOffset), OFFSET(DeformJob, flags), OFFSET(DeformJob, reserved0), OFFSET(DeformJob, reserved1),
        OFFSET(DeformJob, reserved2)};
    const Offsets light = {OFFSET(LightRecord, positionRange), OFFSET(LightRecord, colorType), OFFSET(LightRecord, directionOffset),
        OFFSET(LightRecord, spot)};
    const Offsets lighting = {OFFSET(LightUniforms, cascadeMatrices), OFFSET(LightUniforms, cascadeFar),
        OFFSET(LightUniforms, cascadeTexels), OFFSET(LightUniforms, shadowParams), OFFSET(LightUniforms, irradiance),
        OFFSET(LightUniforms, environmentParams), OFFSET(LightUniforms, viewForward), OFFSET(LightUniforms, lightCount),
        OFFSET(LightUniforms, reserved0), OFFSET(LightUniforms, reserved1), OFFSET(LightUniforms, reserved2),
        OFFSET(LightUniforms, lights)};
#undef OFFSET
    EXPECT_TRUE(layouts.structs.contains(light));
    EXPECT_TRUE(layouts.structs.contains(lighting));
    EXPECT_TRUE(layouts.structs.contains(instance));
    EXPECT_TRUE(layouts.structs.contains(material));
    EXPECT_TRUE(layouts.structs.contains(frame));
    EXPECT_TRUE(layouts.structs.contains(view));
    EXPECT_TRUE(layouts.structs.contains(job));
    EXPECT_TRUE(layouts.strides.contains(sizeof(InstanceRecord)));
    EXPECT_TRUE(layouts.strides.contains(sizeof(MaterialParams)));
}
