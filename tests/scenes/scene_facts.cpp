#include "tests/scenes/scene_facts.h"

#include "drawloom/core/hash.h"

#include <cmath>
#include <span>
#include <type_traits>
#include <vector>

namespace dl::scenes
{

namespace
{

struct Hasher
{
    std::uint64_t value = 0;

    template <class T> void pod(const T& v)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        value = hashBytes(std::as_bytes(std::span<const T, 1>(&v, 1)), value);
    }
    template <class T> void array(const std::vector<T>& v)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        pod(v.size());
        value = hashBytes(std::as_bytes(std::span<const T>(v)), value);
    }
    void text(const std::string& s) { value = hashString(s, value); }
    void texture(const TextureRef& t)
    {
        pod(t.imageIndex);
        pod(t.sampler.wrapU);
        pod(t.sampler.wrapV);
        pod(t.sampler.magFilter);
        pod(t.sampler.minFilter);
        pod(t.sampler.mipFilter);
        pod(t.sampler.hasMips);
        pod(t.uvSet);
        pod(t.uvOffset);
        pod(t.uvScale);
        pod(t.uvRotation);
    }
};

void hashMaterial(Hasher& h, const Material& m)
{
    h.text(m.name);
    h.pod(m.baseColorFactor);
    for (const float f : {m.metallicFactor, m.roughnessFactor, m.normalScale, m.occlusionStrength, m.alphaCutoff})
        h.pod(f);
    h.pod(m.emissiveFactor);
    h.pod(m.alphaMode);
    h.pod(m.isDoubleSided);
    h.pod(m.isUnlit);
    for (const TextureRef* t : {&m.baseColor, &m.metallicRoughness, &m.normal, &m.occlusion, &m.emissive})
        h.texture(*t);
}

void hashMesh(Hasher& h, const Mesh& mesh)
{
    h.text(mesh.name);
    h.array(mesh.morphWeights);
    for (const Primitive& p : mesh.primitives)
    {
        h.array(p.positions);
        h.array(p.normals);
        h.array(p.tangents);
        h.array(p.uv0);
        h.array(p.uv1);
        h.array(p.colors);
        h.array(p.skin);
        h.array(p.skin1);
        h.array(p.indices);
        h.pod(p.materialIndex);
        for (const MorphTarget& t : p.morphTargets)
        {
            h.text(t.name);
            h.array(t.positions);
            h.array(t.normals);
            h.array(t.tangents);
        }
    }
}

class Checker
{
public:
    explicit Checker(const SceneDescription& scene) : m_scene(scene) {}

    std::string run()
    {
        for (std::size_t i = 0; i < m_scene.nodes.size(); ++i)
            checkNode(i);
        for (std::size_t i = 0; i < m_scene.meshes.size(); ++i)
            for (std::size_t p = 0; p < m_scene.meshes[i].primitives.size(); ++p)
                checkPrimitive("mesh \"" + m_scene.meshes[i].name + "\" primitive " + std::to_string(p), m_scene.meshes[i].primitives[p],
                    m_scene.meshes[i].morphWeights.size());
        for (const Material& material : m_scene.materials)
            for (const TextureRef* t :
                {&material.baseColor, &material.metallicRoughness, &material.normal, &material.occlusion, &material.emissive})
                require(!t->isPresent() || t->imageIndex < m_scene.images.size(),
                    "material \"" + material.name + "\" names an image that is not there");
        for (const Image& image : m_scene.images)
            require(image.bytes.size() == image.levelOffset(image.mipCount) && !image.bytes.empty() && image.contentHash != 0,
                "image \"" + image.name + "\" has a wrong size or no hash");
        for (const Skin& skin : m_scene.skins)
        {
            require(skin.jointNodes.size() == skin.inverseBindMatrices.size(),
                "skin \"" + skin.name + "\" has other numbers of joints and matrices");
            for (const std::uint32_t joint : skin.jointNodes)
                require(joint < m_scene.nodes.size(), "skin \"" + skin.name + "\" names a node that is not there");
        }
        for (const Animation& animation : m_scene.animations)
            for (const AnimationChannel& channel : animation.channels)
                checkChannel(animation, channel);
        return m_out;
    }

private:
    void require(bool holds, const std::string& message)
    {
        if (!holds && m_out.size() < 4000)
            m_out += message + "\n";
    }

    void checkNode(std::size_t i)
    {
        const Node& node = m_scene.nodes[i];
        const std::string where = "node " + std::to_string(i) + " \"" + node.name + "\"";
        require(node.parent == kNoIndex || node.parent < i, where + " comes before its parent");
        require(node.meshIndex == kNoIndex || node.meshIndex < m_scene.meshes.size(), where + " names a mesh that is not there");
        require(node.skinIndex == kNoIndex || node.skinIndex < m_scene.skins.size(), where + " names a skin that is not there");
        require(node.cameraIndex == kNoIndex || node.cameraIndex < m_scene.cameras.size(), where + " names a camera that is not there");
        require(node.lightIndex == kNoIndex || node.lightIndex < m_scene.lights.size(), where + " names a light that is not there");
        require(std::fabs(glm::length(node.local.rotation) - 1.0f) < 1e-4f, where + " has a rotation that is not unit");
        if (node.skinIndex != kNoIndex && node.meshIndex != kNoIndex)
            for (const Primitive& p : m_scene.meshes[node.meshIndex].primitives)
                for (const VertexSkin& skin : p.skin)
                    for (int c = 0; c < 4; ++c)
                        require(skin.joints[c] < m_scene.skins[node.skinIndex].jointNodes.size(),
                            where + " has a vertex bound to a joint that is not there");
    }

    template <class T> void checkLength(const std::string& where, const char* what, const std::vector<T>& array, std::size_t count)
    {
        require(array.empty() || array.size() == count,
            where + ": " + what + " has " + std::to_string(array.size()) + " elements for " + std::to_string(count) + " vertices");
    }

    void checkPrimitive(const std::string& where, const Primitive& p, std::size_t morphCount)
    {
        const std::size_t count = p.positions.size();
        require(count > 0 && p.indices.size() % 3 == 0 && !p.indices.empty(), where + " is empty");
        require(p.materialIndex == kNoIndex || p.materialIndex < m_scene.materials.size(), where + " names a material that is not there");
        checkLength(where, "normals", p.normals, count);
        checkLength(where, "tangents", p.tangents, count);
        checkLength(where, "uv0", p.uv0, count);
        checkLength(where, "colors", p.colors, count);
        checkLength(where, "skin", p.skin, count);
        require(p.morphTargets.size() == morphCount, where + " has another number of morph targets than its mesh has weights");
        for (std::size_t i = 0; i < count; ++i)
        {
            require(
                glm::all(glm::lessThanEqual(p.bounds.min, p.positions[i])) && glm::all(glm::lessThanEqual(p.positions[i], p.bounds.max)),
                where + ": a position lies outside the bounds");
            require(p.normals.empty() || std::fabs(glm::length(p.normals[i]) - 1.0f) < 1e-3f, where + ": a normal is not unit");
            require(
                p.tangents.empty() || (std::fabs(glm::length(vec3(p.tangents[i])) - 1.0f) < 1e-3f && std::fabs(p.tangents[i].w) == 1.0f),
                where + ": a tangent is not unit");
            if (!p.skin.empty())
                require(std::fabs(p.skin[i].weights[0] + p.skin[i].weights[1] + p.skin[i].weights[2] + p.skin[i].weights[3] - 1.0f) < 1e-4f,
                    where + ": weights do not sum to one");
        }
        checkTriangles(where, p);
    }

    /// Triangles have area, and face the way their normals say.
    void checkTriangles(const std::string& where, const Primitive& p)
    {
        std::size_t degenerate = 0;
        std::size_t backward = 0;
        for (std::size_t i = 0; i + 2 < p.indices.size(); i += 3)
        {
            const std::uint32_t* t = &p.indices[i];
            if (t[0] >= p.positions.size() || t[1] >= p.positions.size() || t[2] >= p.positions.size())
            {
                require(false, where + ": an index is out of range");
                return;
            }
            const vec3 face = glm::cross(p.positions[t[1]] - p.positions[t[0]], p.positions[t[2]] - p.positions[t[0]]);
            if (glm::length(face) < 1e-10f)
                ++degenerate;
            else if (!p.normals.empty() && glm::dot(face, p.normals[t[0]] + p.normals[t[1]] + p.normals[t[2]]) < 0.0f)
                ++backward;
        }
        const std::size_t count = p.indices.size() / 3;
        const bool isTwoSided = p.materialIndex < m_scene.materials.size() && m_scene.materials[p.materialIndex].isDoubleSided;
        require(degenerate * 50 <= count,
            where + ": " + std::to_string(degenerate) + " of " + std::to_string(count) + " triangles have no area");
        require(isTwoSided || backward * 50 <= count,
            where + ": " + std::to_string(backward) + " of " + std::to_string(count) + " triangles face away from their normals");
    }

    void checkChannel(const Animation& animation, const AnimationChannel& channel)
    {
        const std::string where = "animation \"" + animation.name + "\"";
        require(channel.nodeIndex < m_scene.nodes.size(), where + " names a node that is not there");
        require(!channel.times.empty() && !channel.values.empty() && channel.values.size() % channel.times.size() == 0,
            where + " has values that do not fit its times");
        for (std::size_t i = 1; i < channel.times.size(); ++i)
            require(channel.times[i] > channel.times[i - 1], where + " has times that do not rise");
    }

    const SceneDescription& m_scene;
    std::string m_out;
};

} // namespace

SceneFacts countScene(const SceneDescription& scene)
{
    SceneFacts facts;
    std::vector<std::uint32_t> users(scene.meshes.size(), 0);
    std::vector<std::uint64_t> triangles(scene.meshes.size(), 0);
    for (std::size_t i = 0; i < scene.meshes.size(); ++i)
    {
        for (const Primitive& p : scene.meshes[i].primitives)
            triangles[i] += p.triangleCount();
        facts.storedTriangleCount += triangles[i];
    }
    const std::vector<Affine> worlds = computeWorldTransforms(scene);
    for (std::size_t i = 0; i < scene.nodes.size(); ++i)
    {
        const Node& node = scene.nodes[i];
        if (node.meshIndex == kNoIndex)
            continue;
        const std::uint64_t copies = node.instances.empty() ? 1 : node.instances.size();
        ++facts.meshNodeCount;
        facts.instanceCount += copies;
        facts.drawnTriangleCount += copies * triangles[node.meshIndex];
        facts.skinnedNodeCount += node.skinIndex != kNoIndex ? 1 : 0;
        facts.mirroredNodeCount += worlds[i].determinant() < 0.0f ? 1 : 0;
        facts.sharedMeshCount += ++users[node.meshIndex] == 2 ? 1 : 0;
    }
    return facts;
}

std::uint64_t hashScene(const SceneDescription& scene)
{
    Hasher h;
    h.text(scene.name);
    for (const Node& node : scene.nodes)
    {
        h.text(node.name);
        h.pod(node.local.translation);
        h.pod(node.local.rotation);
        h.pod(node.local.scale);
        if (node.matrix)
            h.pod(*node.matrix);
        for (const std::uint32_t index : {node.parent, node.meshIndex, node.skinIndex, node.cameraIndex, node.lightIndex})
            h.pod(index);
        h.array(node.morphWeights);
        h.array(node.instances);
    }
    for (const Mesh& mesh : scene.meshes)
        hashMesh(h, mesh);
    for (const Material& material : scene.materials)
        hashMaterial(h, material);
    for (const Image& image : scene.images)
    {
        h.text(image.name);
        h.pod(image.width);
        h.pod(image.height);
        h.array(image.bytes);
    }
    for (const Skin& skin : scene.skins)
    {
        h.text(skin.name);
        h.array(skin.jointNodes);
        h.array(skin.inverseBindMatrices);
    }
    for (const Animation& animation : scene.animations)
        for (const AnimationChannel& channel : animation.channels)
        {
            h.pod(channel.nodeIndex);
            h.pod(channel.path);
            h.pod(channel.interpolation);
            h.array(channel.times);
            h.array(channel.values);
        }
    for (const Camera& camera : scene.cameras)
        for (const float f : {camera.yFovRadians, camera.aspect, camera.zNear, camera.zFar, camera.xMag, camera.yMag})
            h.pod(f);
    for (const Light& light : scene.lights)
    {
        h.pod(light.type);
        h.pod(light.color);
        h.pod(light.intensity);
    }
    return h.value;
}

std::string findProblems(const SceneDescription& scene)
{
    return Checker(scene).run();
}

} // namespace dl::scenes
