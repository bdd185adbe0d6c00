// tests/tangents/tangent_reference.cpp - writes meshes for the reference implementation of MikkTSpace and compares what it
// says with Drawloom's tangents, corner by corner. Called by run_reference.
// usage: tangent_reference write|compare|table FOLDER    (table: tests/asset/tangent_reference.tsv, to standard output)
#include "drawloom/asset/detail/tangent_groups.h"
#include "drawloom/asset/gltf_import.h"
#include "drawloom/asset/tangents.h"
#include "tests/asset/tangent_meshes.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>

namespace dl::test
{
namespace
{

const vec4 kUntouched(1.0f, 0.0f, 0.0f, 1.0f); // what the reference leaves where no triangle has a say; zero: its sum cancels
constexpr std::uint32_t kTableSize = 3;        // as in tests/asset/tangents_test.cpp

std::vector<TangentMesh> allMeshes()
{
    std::vector<TangentMesh> meshes = makeTangentMeshes(kTableSize);
    for (TangentMesh& mesh : makeTangentMeshes(40))
        meshes.push_back({"large_" + mesh.name, std::move(mesh.primitive)});
    const std::filesystem::path helmet = "../shared/assets/flight-helmet/FlightHelmet.gltf";
    if (!std::filesystem::exists(helmet))
    {
        std::printf("../shared/assets is not there: without the flight helmet\n");
        return meshes;
    }
    const Result<SceneDescription> scene = importGltf(helmet, {.decodeImages = false});
    for (std::size_t i = 0; scene && i < scene->meshes.size(); ++i)
        for (const Primitive& primitive : scene->meshes[i].primitives)
            meshes.push_back({"helmet_" + std::to_string(i), primitive});
    return meshes;
}

template <class T> void writeCorners(std::FILE* file, const std::vector<T>& values, const std::vector<std::uint32_t>& indices)
{
    for (const std::uint32_t index : indices)
        std::fwrite(&values[index], sizeof(T), 1, file);
}

std::vector<vec4> readTangents(const std::filesystem::path& path, std::size_t count)
{
    std::vector<vec4> tangents(count);
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (file == nullptr || std::fread(tangents.data(), sizeof(vec4), count, file) != count)
        tangents.clear();
    if (file != nullptr)
        std::fclose(file);
    for (vec4& tangent : tangents)
        tangent.w = -tangent.w; // the package's V grows upwards
    return tangents;
}

/// Where the surface goes as u (or v) grows, in the corner's tangent plane.
glm::dvec3 cornerDirection(const Primitive& p, std::size_t corner, bool isAlongV)
{
    const std::uint32_t* triangle = p.indices.data() + corner / 3 * 3;
    const vec2 t1 = p.uv0[triangle[1]] - p.uv0[triangle[0]];
    const vec2 t2 = p.uv0[triangle[2]] - p.uv0[triangle[0]];
    const glm::dvec3 d1 = glm::dvec3(p.positions[triangle[1]]) - glm::dvec3(p.positions[triangle[0]]);
    const glm::dvec3 d2 = glm::dvec3(p.positions[triangle[2]]) - glm::dvec3(p.positions[triangle[0]]);
    const glm::dvec3 direction = isAlongV ? d2 * double(t1.x) - d1 * double(t2.x) : d1 * double(t2.y) - d2 * double(t1.y);
    const glm::dvec3 normal(p.normals[p.indices[corner]]);
    return glm::normalize((direction - normal * glm::dot(normal, direction)) * (t1.x * t2.y < t1.y * t2.x ? -1.0 : 1.0));
}

/// The reference leaves members that point exactly against the corner out of its average, as its rounding has it; ours
/// averages all. Only groups with such members may differ.
bool hasOppositeMembers(const Primitive& p, const detail::TangentGroups& groups, std::size_t corner)
{
    const std::uint32_t welded = groups.welded[p.indices[corner]];
    for (std::size_t lender = 0; groups.groups[corner] == detail::kNoTangentGroup; ++lender) // none of its own: an equal vertex lends
    {
        if (lender == p.indices.size())
            return false;
        if (groups.groups[lender] != detail::kNoTangentGroup && groups.welded[p.indices[lender]] == welded)
            corner = lender;
    }
    for (std::size_t a = 0; a < p.indices.size(); ++a)
        for (const bool isAlongV : {false, true})
            if (groups.groups[a] == groups.groups[corner] &&
                glm::dot(cornerDirection(p, a, isAlongV), cornerDirection(p, corner, isAlongV)) < -0.999999)
                return true;
    return false;
}

/// Returns whether the mesh is within the bounds.
bool compare(const TangentMesh& mesh, const std::vector<vec4>& reference)
{
    Primitive shared = mesh.primitive;
    generateTangents(shared, 0);
    const Primitive corners = unshared(mesh.primitive); // as the reference sees it
    Primitive made = corners;
    generateTangents(made, 0);
    const detail::TangentGroups groups = detail::buildTangentGroups(corners, corners.uv0);
    std::size_t same = 0, undefined = 0, opposite = 0, other = 0;
    for (std::size_t i = 0; i < reference.size(); ++i)
    {
        const vec4 tangent = made.tangents[i];
        if (tangent.w == reference[i].w && glm::dot(vec3(tangent), vec3(reference[i])) > 0.999f)
            ++same;
        else if (glm::length(vec3(reference[i])) < 0.5f || reference[i] == kUntouched)
            ++undefined;
        else if (tangent.w == reference[i].w && hasOppositeMembers(corners, groups, i))
            ++opposite;
        else
            ++other;
    }
    const double count = static_cast<double>(reference.size());
    const bool isGood = !reference.empty() && static_cast<double>(other) < 0.001 * count &&
                        static_cast<double>(same) > 0.97 * (count - static_cast<double>(undefined));
    std::printf("%-22s corners %6zu  same %6zu  reference undefined %5zu  opposite members %4zu  other %zu  vertices %zu -> %zu%s\n",
        mesh.name.c_str(), reference.size(), same, undefined, opposite, other, mesh.primitive.positions.size(), shared.positions.size(),
        isGood ? "" : "  FAILED");
    return isGood;
}

int run(std::string_view verb, const std::filesystem::path& folder)
{
    bool isGood = true;
    for (const TangentMesh& mesh : verb == "table" ? makeTangentMeshes(kTableSize) : allMeshes())
    {
        const Primitive& p = mesh.primitive;
        if (verb == "write")
        {
            std::FILE* file = std::fopen((folder / (mesh.name + ".corners")).c_str(), "wb");
            if (file == nullptr)
                return 1;
            writeCorners(file, p.positions, p.indices);
            writeCorners(file, p.normals, p.indices);
            writeCorners(file, p.uv0, p.indices);
            std::fclose(file);
            continue;
        }
        const std::vector<vec4> reference = readTangents(folder / (mesh.name + ".tangents"), p.indices.size());
        if (verb == "compare")
            isGood = compare(mesh, reference) && isGood;
        for (std::size_t i = 0; verb == "table" && i < reference.size(); ++i)
            std::printf("%s\t%.4f\t%.4f\t%.4f\t%d\n", mesh.name.c_str(), double(reference[i].x), double(reference[i].y),
                double(reference[i].z), reference[i].w < 0.0f ? -1 : 1);
    }
    return isGood ? 0 : 1;
}

} // namespace
} // namespace dl::test

int main(int argc, char** argv)
{
    if (argc != 3)
    {
        std::fprintf(stderr, "usage: tangent_reference write|compare|table FOLDER\n");
        return 2;
    }
    return dl::test::run(argv[1], argv[2]);
}
