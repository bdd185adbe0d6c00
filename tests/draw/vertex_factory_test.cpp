#include "drawloom/draw/vertex_factory.h"

#include <gtest/gtest.h>

namespace dl
{

namespace
{
/// Row D10 of the case list: one stream of 32 bytes, position at 0, normal at 12, UV at 24.
VertexFactoryDesc interleaved(std::uint32_t normalOffset = 12)
{
    using gpu::VertexFormat;
    return {"interleaved",
        {{StreamSource::External0, 32,
            {{"position", 0, VertexFormat::Float32x3, 0, AttributeRole::Position},
                {"normal", 1, VertexFormat::Float32x3, normalOffset, AttributeRole::Normal}, {"uv", 2, VertexFormat::Float32x2, 24}}}}};
}

gpu::ShaderEntry shaderOf(std::vector<gpu::ShaderVariable> inputs)
{
    gpu::ShaderEntry entry;
    entry.name = "test.interleaved.standard";
    entry.vertexInputs = std::move(inputs);
    return entry;
}
} // namespace

TEST(VertexFactory, AcceptsTheInterleavedLayoutOf32Bytes)
{
    const Result<void> result = checkVertexFactory(interleaved());
    EXPECT_TRUE(result) << result.error().message;
}

TEST(VertexFactory, RefusesANormalThatOverlapsTheUvByNameAndBytes)
{
    const Result<void> result = checkVertexFactory(interleaved(16));
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message, "vertex factory \"interleaved\": stream 0: attribute \"normal\" (float32x3, bytes 16..27) overlaps "
                                      "attribute \"uv\" (float32x2, bytes 24..31) by 4 bytes");
}

TEST(VertexFactory, RefusesAnAttributeOutsideTheStride)
{
    VertexFactoryDesc desc = interleaved();
    desc.streams[0].stride = 28;
    const Result<void> result = checkVertexFactory(desc);
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().message.find("\"uv\" (float32x2, bytes 24..31) lies outside the stride of 28"), std::string::npos);
    EXPECT_FALSE(checkVertexFactory(interleaved(14))) << "not a multiple of 4";
    desc = interleaved();
    desc.streams[0].attributes[2].location = 1;
    EXPECT_FALSE(checkVertexFactory(desc)) << "a location twice";
}

TEST(VertexFactory, BuiltInFactoriesPassTheirOwnCheck)
{
    EXPECT_TRUE(checkVertexFactory(rigidFactoryDesc()));
    EXPECT_TRUE(checkVertexFactory(deformedFactoryDesc()));
}

TEST(VertexInputs, AreRefusedWhenMissingOrOfAnotherKind)
{
    const VertexFactoryDesc factory = interleaved();
    EXPECT_TRUE(checkVertexInputs(factory, StreamSet::Full, shaderOf({{0, gpu::ScalarKind::Float, 3, "position"}})));
    const Result<void> missing = checkVertexInputs(factory, StreamSet::Full, shaderOf({{5, gpu::ScalarKind::Float, 4, "color"}}));
    ASSERT_FALSE(missing);
    EXPECT_NE(missing.error().message.find("input \"color\" at location 5 has no attribute"), std::string::npos);
    const Result<void> kind = checkVertexInputs(factory, StreamSet::Full, shaderOf({{2, gpu::ScalarKind::Uint, 2, "uv"}}));
    ASSERT_FALSE(kind);
    EXPECT_NE(kind.error().message.find("is uint, attribute \"uv\" is float32x2"), std::string::npos);
}

TEST(VertexInputs, OutsideTheStreamSetAreToldApart)
{
    const gpu::ShaderEntry shader = shaderOf({{0, gpu::ScalarKind::Float, 3, "position"}, {1, gpu::ScalarKind::Float, 3, "normal"}});
    EXPECT_TRUE(checkVertexInputs(interleaved(), StreamSet::PositionNormal, shader));
    const Result<void> refused = checkVertexInputs(interleaved(), StreamSet::Position, shader);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::Unsupported);
}

TEST(VertexInputs, BindOnlyTheStreamsThatAShaderReads)
{
    const VertexFactoryDesc rigid = rigidFactoryDesc();
    EXPECT_EQ(streamsReadBy(rigid, shaderOf({{0, gpu::ScalarKind::Float, 3, "position"}})), std::vector<std::uint32_t>({0}));
    EXPECT_EQ(streamsReadBy(rigid, shaderOf({{0, gpu::ScalarKind::Float, 3, "position"}, {3, gpu::ScalarKind::Float, 2, "uv0"}})),
        std::vector<std::uint32_t>({0, 2}));
}

} // namespace dl
