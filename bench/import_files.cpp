#include "bench/import_files.h"

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace dl::bench
{
namespace
{

constexpr std::uint32_t kSide = 256; // vertices of a grid's side

std::string number(std::size_t value)
{
    return std::to_string(value);
}

template <class T> void append(std::string& bytes, const std::vector<T>& values)
{
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

void word(std::string& out, std::size_t value)
{
    const auto narrow = static_cast<std::uint32_t>(value);
    char bytes[4];
    std::memcpy(bytes, &narrow, 4);
    out.append(bytes, 4);
}

/// Positions, normals, UVs, indices, one behind the other.
std::string gridBytes(std::size_t seed)
{
    std::vector<float> positions, normals, uvs;
    std::vector<std::uint32_t> indices;
    for (std::uint32_t y = 0; y < kSide; ++y)
        for (std::uint32_t x = 0; x < kSide; ++x)
        {
            const float height = static_cast<float>((x * 31 + y * 17 + seed * 7) % 64) / 64.0f;
            positions.insert(positions.end(), {static_cast<float>(x), height, static_cast<float>(y)});
            normals.insert(normals.end(), {0.0f, 1.0f, 0.0f});
            uvs.insert(uvs.end(), {static_cast<float>(x) / 255.0f, static_cast<float>(y) / 255.0f});
        }
    for (std::uint32_t y = 0; y + 1 < kSide; ++y)
        for (std::uint32_t x = 0; x + 1 < kSide; ++x)
        {
            const std::uint32_t i = y * kSide + x;
            indices.insert(indices.end(), {i, i + kSide, i + 1, i + 1, i + kSide, i + kSide + 1});
        }
    std::string bytes;
    append(bytes, positions);
    append(bytes, normals);
    append(bytes, uvs);
    append(bytes, indices);
    return bytes;
}

} // namespace

void writeJsonHeavy(const std::filesystem::path& path, std::size_t bytes)
{
    constexpr std::size_t kUnitBytes = 1200; // about what one round of the loop adds
    const std::size_t count = bytes / kUnitBytes;
    std::string nodes, meshes, materials, accessors;
    for (std::size_t i = 0; i < count; ++i)
    {
        const char* comma = i == 0 ? "" : ",";
        const std::string id = number(i);
        for (std::size_t k = 0; k < 4; ++k)
            nodes += (k == 0 ? comma : ",") + std::string(R"({"name":"building_)") + id + "_part_" + number(k) + R"(","translation":[)" +
                     id + ".125,0.5," + number(i % 97) + R"(.75],"rotation":[0,0.70710678,0,0.70710678],"scale":[1.5,1,1.25],"mesh":)" +
                     id + (k == 0 ? R"(,"children":[)" + number(i * 4 + 1) + "," + number(i * 4 + 2) + "," + number(i * 4 + 3) + "]" : "") +
                     R"(,"extras":{"layer":"static"}})";
        meshes += comma + std::string(R"({"name":"mesh_)") + id + R"(","primitives":[{"attributes":{"POSITION":)" + id +
                  R"(},"material":)" + id + R"(,"mode":4}]})";
        materials += comma + std::string(R"({"name":"material_)") + id + R"(","pbrMetallicRoughness":{"baseColorFactor":[0.8,0.)" +
                     number(i % 10) + R"(,0.25,1],"metallicFactor":0,"roughnessFactor":0.)" + number(1 + i % 9) +
                     R"(},"doubleSided":false,"alphaMode":"OPAQUE"})";
        accessors += comma + std::string(R"({"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]})");
    }
    std::ofstream(path, std::ios::binary)
        << R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":36,"uri":"data:application/octet-stream;base64,)"
        << R"(AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}],"bufferViews":[{"buffer":0,"byteLength":36}],"accessors":[)" << accessors
        << R"(],"materials":[)" << materials << R"(],"meshes":[)" << meshes << R"(],"nodes":[)" << nodes << "]}";
}

void writeBinaryHeavy(const std::filesystem::path& path, std::size_t bytes)
{
    std::string bin, views, accessors, meshes, nodes;
    constexpr std::size_t kVertices = std::size_t(kSide) * kSide;
    constexpr std::size_t kIndices = std::size_t(kSide - 1) * (kSide - 1) * 6;
    constexpr std::size_t kSizes[] = {kVertices * 12, kVertices * 12, kVertices * 8, kIndices * 4};
    for (std::size_t i = 0; bin.size() < bytes; ++i)
    {
        std::size_t offset = bin.size();
        bin += gridBytes(i);
        const char* comma = i == 0 ? "" : ",";
        for (std::size_t k = 0; k < 4; ++k)
        {
            views += (k == 0 ? comma : ",") + std::string(R"({"buffer":0,"byteOffset":)") + number(offset) + R"(,"byteLength":)" +
                     number(kSizes[k]) + "}";
            offset += kSizes[k];
            accessors += (k == 0 ? comma : ",") + std::string(R"({"bufferView":)") + number(i * 4 + k) + R"(,"componentType":)" +
                         (k == 3 ? "5125" : "5126") + R"(,"count":)" + number(k == 3 ? kIndices : kVertices) + R"(,"type":")" +
                         (k == 3      ? "SCALAR"
                             : k == 2 ? "VEC2"
                                      : "VEC3") +
                         R"("})";
        }
        meshes += comma + std::string(R"({"primitives":[{"attributes":{"POSITION":)") + number(i * 4) + R"(,"NORMAL":)" +
                  number(i * 4 + 1) + R"(,"TEXCOORD_0":)" + number(i * 4 + 2) + R"(},"indices":)" + number(i * 4 + 3) + "}]}";
        nodes += comma + std::string(R"({"mesh":)") + number(i) + "}";
    }
    std::string json = R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":)" + number(bin.size()) + R"(}],"bufferViews":[)" + views +
                       R"(],"accessors":[)" + accessors + R"(],"meshes":[)" + meshes + R"(],"nodes":[)" + nodes + "]}";
    json.resize((json.size() + 3) / 4 * 4, ' ');
    std::string head = "glTF";
    word(head, 2);
    word(head, 12 + 8 + json.size() + 8 + bin.size());
    word(head, json.size());
    head += "JSON" + json;
    word(head, bin.size());
    head.append("BIN\0", 4);
    std::ofstream(path, std::ios::binary) << head << bin;
}

double peakMb()
{
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (double kib = 0.0; word == "VmHWM:" && status >> kib)
            return kib * 1024e-6;
    return 0.0;
}

} // namespace dl::bench
