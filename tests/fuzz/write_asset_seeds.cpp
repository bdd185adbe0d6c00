// tests/fuzz/write_asset_seeds.cpp - see write_seeds.h: streams of the libraries' own encoders, behind the bytes by which the
// fuzzers choose counts and types.
#include "tests/fuzz/write_seeds.h"

#include <draco/compression/encode.h>
#include <draco/mesh/triangle_soup_mesh_builder.h>
#include <meshoptimizer.h>
#include <webp/encode.h>

#include <array>
#include <fstream>
#include <vector>

namespace dl::fuzz
{
namespace
{

using Bytes = std::vector<unsigned char>;

bool save(const std::filesystem::path& path, const Bytes& choices, const unsigned char* bytes, std::size_t size)
{
    std::filesystem::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(choices.data()), static_cast<std::streamsize>(choices.size()));
    file.write(reinterpret_cast<const char*>(bytes), static_cast<std::streamsize>(size));
    return static_cast<bool>(file.flush());
}

constexpr unsigned kSide = 8;

std::vector<unsigned> gridIndices()
{
    std::vector<unsigned> out;
    for (unsigned y = 0; y + 1 < kSide; ++y)
        for (unsigned x = 0; x + 1 < kSide; ++x)
        {
            const unsigned i = y * kSide + x;
            out.insert(out.end(), {i, i + 1, i + kSide, i + 1, i + kSide + 1, i + kSide});
        }
    return out;
}

/// Choices of fuzz_meshopt.cpp: mode, [filter], stride, count - 1 in two bytes.
bool writeMeshopt(const std::filesystem::path& folder)
{
    constexpr std::size_t kCount = kSide * kSide;
    Bytes values;
    for (std::size_t i = 0; i < kCount * 8; ++i)
        values.push_back(static_cast<unsigned char>(i % 8 * 16 + i / 24));
    bool isWritten = true;
    for (unsigned char filter = 0; filter < 4; ++filter)
    {
        Bytes stream(meshopt_encodeVertexBufferBound(kCount, 8));
        stream.resize(meshopt_encodeVertexBuffer(stream.data(), stream.size(), values.data(), kCount, 8));
        isWritten &= save(folder / ("attributes" + std::to_string(filter)), {0, filter, 1, kCount - 1, 0}, stream.data(), stream.size());
    }
    const std::vector<unsigned> indices = gridIndices();
    const auto low = static_cast<unsigned char>((indices.size() - 1) % 256);
    const auto high = static_cast<unsigned char>((indices.size() - 1) / 256);
    Bytes stream(meshopt_encodeIndexBufferBound(indices.size(), kCount));
    stream.resize(meshopt_encodeIndexBuffer(stream.data(), stream.size(), indices.data(), indices.size()));
    isWritten &= save(folder / "triangles", {1, 0, low, high}, stream.data(), stream.size());
    stream.resize(meshopt_encodeIndexSequenceBound(indices.size(), kCount));
    stream.resize(meshopt_encodeIndexSequence(stream.data(), stream.size(), indices.data(), indices.size()));
    return isWritten && save(folder / "sequence", {2, 1, low, high}, stream.data(), stream.size());
}

/// Choices of fuzz_draco.cpp: points, triangles (two bytes each), attributes with id, components - 1, type.
bool writeDraco(const std::filesystem::path& folder, int method, const char* name)
{
    const std::vector<unsigned> indices = gridIndices();
    const auto faceCount = static_cast<int>(indices.size() / 3);
    draco::TriangleSoupMeshBuilder builder;
    builder.Start(faceCount);
    const int positions = builder.AddAttribute(draco::GeometryAttribute::POSITION, 3, draco::DT_FLOAT32);
    const int uvs = builder.AddAttribute(draco::GeometryAttribute::TEX_COORD, 2, draco::DT_FLOAT32);
    for (int face = 0; face < faceCount; ++face)
    {
        std::array<std::array<float, 3>, 3> corners = {};
        for (std::size_t k = 0; k < 3; ++k)
        {
            const unsigned i = indices[static_cast<std::size_t>(face) * 3 + k];
            corners[k] = {static_cast<float>(i % kSide), static_cast<float>(i / kSide), static_cast<float>(i % 3)};
        }
        const draco::FaceIndex index(static_cast<unsigned>(face));
        builder.SetAttributeValuesForFace(positions, index, corners[0].data(), corners[1].data(), corners[2].data());
        builder.SetAttributeValuesForFace(uvs, index, corners[0].data(), corners[1].data(), corners[2].data());
    }
    const std::unique_ptr<draco::Mesh> mesh = builder.Finalize();
    draco::Encoder encoder;
    encoder.SetEncodingMethod(method);
    encoder.SetAttributeQuantization(draco::GeometryAttribute::POSITION, 11);
    encoder.SetAttributeQuantization(draco::GeometryAttribute::TEX_COORD, 10);
    draco::EncoderBuffer buffer;
    if (!mesh || !encoder.EncodeMeshToBuffer(*mesh, &buffer).ok())
        return false;
    const Bytes choices = {
        static_cast<unsigned char>(encoder.num_encoded_points() != 0 ? encoder.num_encoded_points() : mesh->num_points()), 0,
        static_cast<unsigned char>(faceCount), 0, 2, 0, 2, 0, 1, 1, 0};
    return save(folder / name, choices, reinterpret_cast<const unsigned char*>(buffer.data()), buffer.size());
}

bool writeWebp(const std::filesystem::path& folder)
{
    Bytes texels;
    for (unsigned i = 0; i < 16 * 16 * 4; ++i)
        texels.push_back(static_cast<unsigned char>(i * 7));
    std::uint8_t* out = nullptr;
    const std::size_t lossless = WebPEncodeLosslessRGBA(texels.data(), 16, 16, 64, &out);
    bool isWritten = lossless != 0 && save(folder / "lossless.webp", {}, out, lossless);
    WebPFree(out);
    const std::size_t lossy = WebPEncodeRGBA(texels.data(), 16, 16, 64, 75.0f, &out);
    isWritten &= lossy != 0 && save(folder / "lossy.webp", {}, out, lossy);
    WebPFree(out);
    return isWritten;
}

} // namespace

bool writeAssetSeeds(const std::filesystem::path& folder)
{
    return writeMeshopt(folder / "fuzz_meshopt") && writeDraco(folder / "fuzz_draco", draco::MESH_EDGEBREAKER_ENCODING, "edgebreaker") &&
           writeDraco(folder / "fuzz_draco", draco::MESH_SEQUENTIAL_ENCODING, "sequential") && writeWebp(folder / "fuzz_webp");
}

} // namespace dl::fuzz
