#include "bench/sort_keys.h"

#include "drawloom/draw/sort_key.h"

#include <array>
#include <cmath>
#include <random>

namespace dl::bench
{

namespace
{
struct Material
{
    std::uint32_t pipeline = 0, textureSet = 0;
};

struct Mesh
{
    std::uint32_t range = 0, geometryPage = 0, material = 0;
};

struct Scene
{
    std::mt19937 random;
    std::array<Material, 800> materials;
    std::array<Mesh, 3000> meshes;

    explicit Scene(std::uint32_t seed) : random(seed)
    {
        for (Material& material : materials)
            material = {mostlySmall(300), static_cast<std::uint32_t>(random() % 400)};
        for (std::uint32_t i = 0; i < meshes.size(); ++i)
            meshes[i] = {2 * i, i / 400, static_cast<std::uint32_t>(random() % materials.size())};
    }
    float unit() { return static_cast<float>(random() >> 8U) * 0x1p-24f; }
    std::uint32_t mostlySmall(std::uint32_t end)
    {
        const float value = unit();
        return static_cast<std::uint32_t>(value * value * static_cast<float>(end));
    }
    KeyValues next(std::uint32_t heapPage)
    {
        const Mesh& mesh = meshes[mostlySmall(static_cast<std::uint32_t>(meshes.size()))];
        KeyValues values;
        values[KeySource::ExplicitOrder] = static_cast<std::uint32_t>(random() % 16 == 0 ? random() % 4 : 0);
        values[KeySource::DepthNear] = values[KeySource::DepthFar] = depthBits(700.0f * std::sqrt(unit()));
        values[KeySource::Pipeline] = materials[mesh.material].pipeline;
        values[KeySource::TextureSet] = materials[mesh.material].textureSet;
        values[KeySource::HeapPage] = heapPage;
        values[KeySource::GeometryPage] = mesh.geometryPage;
        values[KeySource::MeshRange] = mesh.range;
        return values;
    }
};
} // namespace

std::vector<SortItem> sceneItems(KeyKind kind, std::size_t count, std::uint32_t seed)
{
    constexpr SortOrder orders[] = {SortOrder::FrontToBack, SortOrder::State, SortOrder::BackToFront};
    std::vector<SortItem> items(count);
    std::mt19937_64 random(seed);
    Scene scene(seed);
    const KeyLayout layout = KeyLayout::create(defaultKeyFields(orders[static_cast<std::size_t>(kind) % 3])).value();
    for (std::uint32_t i = 0; i < count; ++i)
        items[i] = {kind == KeyKind::Random ? random() : layout.pack(scene.next(static_cast<std::uint32_t>(3ULL * i / count))), i, 0};
    return items;
}

} // namespace dl::bench
