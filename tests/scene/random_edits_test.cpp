// After any 10,000 random edits the frame is that of a fresh world which loads the final state: the cache of commands, the registry and
// the order of draws hold nothing of their history. Slots (ranges, texture sets, heap records) have other numbers there, so draws are
// compared by what they name.
#include "drawloom/scene/scene_registry.h"
#include "tests/draw/draw_world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace dl
{
namespace
{

/// What a program would load, by keys of its own.
struct State
{
    struct MaterialState
    {
        std::uint32_t flags = 0, textureSet = 0;
        float red = 1.0f;
    };
    struct SetState
    {
        std::vector<std::vector<std::uint32_t>> lods; ///< mesh keys
        std::uint32_t material = 0;
        BatchFlags flags;
        std::uint8_t order = 128;
    };
    struct InstanceState
    {
        std::uint32_t set = 0;
        WorldTransform transform;
        std::uint32_t override = 0; ///< 0: none
        BatchFlags flags;
        std::uint32_t layers = 1;
        bool isHidden = false, isMarked = false;
        std::optional<std::uint8_t> order;
    };
    std::map<std::uint32_t, MaterialState> materials;
    std::map<std::uint32_t, float> meshes; ///< seeds
    std::map<std::uint32_t, SetState> sets;
    std::map<std::uint32_t, InstanceState> instances;
    std::map<std::uint32_t, std::uint32_t> passes; ///< key -> kind
    float aspect = 1.0f;
};

constexpr std::uint32_t kPassKinds = 3;

MeshPassDesc passOfKind(std::uint32_t key, std::uint32_t kind)
{
    MeshPassDesc desc = opaquePassDesc("extra " + std::to_string(key));
    if (kind == 0)
        desc.filter = acceptSelectedBatches;
    else if (kind == 1)
        desc.cull = CullRule::None;
    else
    {
        desc.opaque = {"depth", StreamSet::Position};
        desc.masked = {"depth_masked", StreamSet::Full};
        desc.colorTargets.clear();
        desc.order = SortOrder::FrontToBack;
    }
    return desc;
}

/// A world and what the state's keys are in it. Every function makes one step of the state true.
struct Loaded : DrawWorld
{
    Loaded() : DrawWorld(settings()), registry(*library)
    {
        TextureSetDesc other;
        other.samplers[0].wrapU = WrapMode::ClampToEdge;
        textureSets = {neutralSet, resources->textureSets().acquire(other).value()};
    }
    static Settings settings()
    {
        Settings settings;
        settings.resources.geometry.maxBufferBytes = std::uint64_t(24) * 64; // pages of 16 meshes: they come and go
        return settings;
    }

    void setMaterial(std::uint32_t key, const State::MaterialState& state)
    {
        MaterialParams params = packMaterial(Material{});
        params.flags |= state.flags;
        params.baseColorFactor.r = state.red;
        if (materials.contains(key))
        {
            EXPECT_TRUE(library->updateMaterial(materials[key], params));
            EXPECT_TRUE(library->setTextureSet(materials[key], textureSets[state.textureSet]));
            return;
        }
        DrawMaterialDesc desc;
        desc.name = "m" + std::to_string(key);
        desc.params = params;
        desc.textureSet = textureSets[state.textureSet];
        materials[key] = library->addMaterial(desc).value();
    }
    void addMesh(std::uint32_t key, float seed)
    {
        meshes[key] = addRange(seed);
        meshOfRange[meshes[key].index] = key;
    }
    void addSet(std::uint32_t key, const State::SetState& state)
    {
        MeshSetDesc desc;
        desc.name = "s" + std::to_string(key);
        for (const std::vector<std::uint32_t>& lod : state.lods)
        {
            MeshLod& added = desc.lods.emplace_back();
            added.minScreenSize = desc.lods.size() == state.lods.size() ? 0.0f : 0.05f;
            for (const std::uint32_t mesh : lod)
                added.sections.emplace_back().range = meshes.at(mesh);
        }
        desc.materials = {materials.at(state.material)};
        desc.bounds = {vec3(-1, -1, 0), vec3(1, 1, 0)};
        desc.flags = state.flags;
        desc.explicitOrder = state.order;
        sets[key] = library->addMeshSet(desc).value();
    }
    void addInstance(std::uint32_t key, const State::InstanceState& state)
    {
        InstanceDesc desc;
        desc.meshSet = sets.at(state.set);
        desc.transform = state.transform;
        if (state.override != 0)
            desc.materials = {materials.at(state.override)};
        desc.flags = state.flags;
        desc.layers = state.layers;
        desc.isMarked = state.isMarked;
        desc.explicitOrder = state.order;
        desc.userTag = key;
        instances[key] = registry.add(desc);
        registry.hide(instances[key], state.isHidden);
    }
    void addPass(std::uint32_t key, std::uint32_t kind) { passes[key] = library->addPass(passOfKind(key, kind)).value(); }

    void frame(float aspect)
    {
        registry.applyEdits();
        EXPECT_TRUE(registry.refusals().empty());
        View view = camera();
        view.layerMask = 3;
        view.viewProjection = perspectiveReversed(1.0f, aspect, 0.1f, 1000.0f);
        const ViewGroup group;
        DrawSource* const sources[] = {&registry};
        DrawWorld::frame(sources, {{&view, 1}, {&group, 1}, {}});
        ASSERT_TRUE(messages.empty()) << messages.front();
        std::vector<Refusal> stale;
        library->verifyCommands(64, stale);
        ASSERT_TRUE(stale.empty()) << stale[0].subject << ", " << stale[0].stage << ": " << stale[0].detail;
    }

    /// The draws of a pass by what they name: in order where depth decides it (blended), else sorted, because equal keys and equal depths
    /// leave the order to the numbers of slots. Front to back, whether two instances of one mesh at different depths meet depends on what
    /// lies between them at equal depths; there a line is an instance, elsewhere a draw.
    std::string text(const std::string& pass) const
    {
        const MeshPassId id = library->findPass(pass);
        const SortOrder order = library->tables().passes[id.index].desc->order;
        std::vector<std::string> lines;
        for (const DrawRecord& draw : drawFrame->draws(id, 0))
        {
            const std::vector<std::string> drawn = instancesOf(draw);
            const std::string head = headOf(draw);
            std::string line = head;
            for (const std::string& instance : drawn)
                if (order == SortOrder::FrontToBack)
                    lines.push_back(head + instance);
                else
                    line += instance;
            if (order != SortOrder::FrontToBack)
                lines.push_back(line);
        }
        if (order != SortOrder::BackToFront)
            std::sort(lines.begin(), lines.end());
        std::string all;
        for (const std::string& line : lines)
            all += line + "\n";
        return all;
    }

    SceneRegistry registry;
    std::vector<TextureSetId> textureSets;
    std::map<std::uint32_t, MaterialId> materials;
    std::map<std::uint32_t, MeshRangeId> meshes;
    std::map<std::uint32_t, std::uint32_t> meshOfRange; ///< range index -> key
    std::map<std::uint32_t, MeshSetId> sets;
    std::map<std::uint32_t, InstanceId> instances;
    std::map<std::uint32_t, MeshPassId> passes;

private:
    std::string headOf(const DrawRecord& draw) const
    {
        const auto set = std::find(textureSets.begin(), textureSets.end(), draw.textureSet);
        return library->tables().pipelines[draw.pipelineSlot].sortName + " set " +
               (draw.textureSet ? std::to_string(set - textureSets.begin()) : "-") + " mesh " +
               std::to_string(meshOfRange.at(draw.range.index)) + ":";
    }
    /// Sorted: within an instanced draw the order is that of the registry's slots (blended draws hold one, or equals in depth order).
    std::vector<std::string> instancesOf(const DrawRecord& draw) const
    {
        std::vector<std::string> drawn;
        for (const std::uint32_t word : drawFrame->ids().subspan(draw.firstId, draw.instanceCount))
            drawn.push_back(" [" + textOf(static_cast<std::uint32_t>(draw.heapPage) << kHeapPageShift | (word & kIdIndexMask)) + " lod " +
                            std::to_string(word >> kIdLodShift & kIdLodMask) + "]");
        if (library->tables().pipelines[draw.pipelineSlot].label.rfind("blended", 0) != 0)
            std::sort(drawn.begin(), drawn.end());
        return drawn;
    }
    /// An instance by its tag and what its record says, materials followed to their values.
    std::string textOf(std::uint32_t heapId) const
    {
        const InstanceRecord& record = resources->instances().record(heapId);
        const InstanceId id = registry.findByHeapId(heapId);
        const MeshSetId variant = registry.meshSetVariant(id);
        EXPECT_EQ(record.materialRef, library->findMeshSet(variant)->materialRef);
        const DrawTables& tables = library->tables();
        const std::uint32_t batch = tables.sets[variant.index].lods[0].firstBatch;
        const MaterialParams& params = resources->materials().params(tables.passes[0].commands[batch].material);
        char text[200];
        std::snprintf(text, sizeof(text), "%llu at %.9g %.9g %.9g x %.9g %s%s red %.9g flags %x",
            static_cast<unsigned long long>(registry.userTag(id)), static_cast<double>(record.row0.w), static_cast<double>(record.row1.w),
            static_cast<double>(record.row2.w), static_cast<double>(record.row0.x),
            (record.flags & kInstanceMirroredBit) != 0 ? "mirrored " : "", (record.flags & kInstanceSelectedBit) != 0 ? "selected" : "",
            static_cast<double>(params.baseColorFactor.r), params.flags);
        return text;
    }
};

/// Makes edits in a state and in a world that follows it.
class Edits
{
public:
    Edits(State& state, Loaded& world, std::uint32_t seed) : m_state(state), m_world(world), m_random(seed) {}

    void one()
    {
        static constexpr void (Edits::* kKinds[])() = {&Edits::addInstance, &Edits::addInstance, &Edits::addInstance,
            &Edits::removeInstance, &Edits::move, &Edits::overrideMaterial, &Edits::hide, &Edits::swapSet, &Edits::setFlags, &Edits::mark,
            &Edits::setOrder, &Edits::setLayers, &Edits::changeMaterial, &Edits::changeMaterial, &Edits::addMaterial,
            &Edits::removeMaterial, &Edits::addMesh, &Edits::removeMesh, &Edits::addSet, &Edits::removeSet, &Edits::republish,
            &Edits::togglePass, &Edits::resize};
        (this->*kKinds[below(std::size(kKinds))])();
    }
    std::uint32_t below(std::size_t count) { return static_cast<std::uint32_t>(m_random() % count); }

private:
    template <class Map> std::uint32_t anyKey(const Map& map)
    {
        return map.empty() ? 0 : std::next(map.begin(), static_cast<std::ptrdiff_t>(below(map.size())))->first;
    }
    State::MaterialState anyMaterial()
    {
        constexpr std::uint32_t kFlags[] = {0, 0, kMaterialBlendedBit, kMaterialAlphaMaskBit, kMaterialDoubleSidedBit};
        return {kFlags[below(std::size(kFlags))], below(2), static_cast<float>(below(256)) / 255.0f};
    }
    BatchFlags anyFlags() { return below(3) == 0 ? BatchFlags(BatchFlag::Selected) : BatchFlags(); }
    std::optional<std::uint8_t> anyOrder()
    {
        return below(3) == 0 ? std::optional(static_cast<std::uint8_t>(126 + below(4))) : std::nullopt;
    }
    WorldTransform anyPlace()
    {
        const auto metres = [this](float range) { return range * static_cast<float>(below(1000000)) / 1000000.0f; };
        WorldTransform transform;
        transform.affine.rows[0] = vec4(below(4) == 0 ? -1.0f : 1.0f, 0, 0, metres(40) - 20);
        transform.affine.rows[1] = vec4(0, 1, 0, metres(40) - 20);
        transform.affine.rows[2] = vec4(0, 0, 1, -metres(80));
        return normalised(transform);
    }

    void addInstance()
    {
        if (m_state.sets.empty())
            return;
        State::InstanceState added;
        added.set = anyKey(m_state.sets);
        added.transform = anyPlace();
        added.override = below(3) == 0 ? anyKey(m_state.materials) : 0;
        added.flags = anyFlags();
        added.isMarked = below(4) == 0;
        added.isHidden = below(5) == 0;
        added.order = anyOrder();
        m_world.addInstance(m_nextKey, added);
        m_state.instances[m_nextKey++] = added;
    }
    void removeInstance()
    {
        if (const std::uint32_t key = anyKey(m_state.instances); key != 0)
        {
            m_world.registry.remove(m_world.instances[key]);
            m_state.instances.erase(key);
        }
    }
    template <class Change> void changeInstance(Change&& change)
    {
        if (const std::uint32_t key = anyKey(m_state.instances); key != 0)
            change(m_state.instances[key], m_world.instances[key]);
    }
    void move()
    {
        changeInstance([this](State::InstanceState& s, InstanceId id) { m_world.registry.move(id, s.transform = anyPlace()); });
    }
    void hide()
    {
        changeInstance([this](State::InstanceState& s, InstanceId id) { m_world.registry.hide(id, s.isHidden = below(2) == 0); });
    }
    void mark()
    {
        changeInstance([this](State::InstanceState& s, InstanceId id) { m_world.registry.mark(id, s.isMarked = below(2) == 0); });
    }
    void setFlags()
    {
        changeInstance([this](State::InstanceState& s, InstanceId id) { m_world.registry.setFlags(id, s.flags = anyFlags()); });
    }
    void setOrder()
    {
        changeInstance([this](State::InstanceState& s, InstanceId id) { m_world.registry.setExplicitOrder(id, s.order = anyOrder()); });
    }
    void setLayers()
    {
        changeInstance([this](State::InstanceState& s, InstanceId id) { m_world.registry.setLayers(id, s.layers = 1U << below(3)); });
    }
    void overrideMaterial()
    {
        changeInstance(
            [this](State::InstanceState& s, InstanceId id)
            {
                s.override = below(3) == 0 ? 0 : anyKey(m_state.materials);
                m_world.registry.overrideMaterial(id, 0, s.override != 0 ? m_world.materials[s.override] : MaterialId{});
            });
    }
    void swapSet()
    {
        changeInstance(
            [this](State::InstanceState& s, InstanceId id)
            {
                s.set = anyKey(m_state.sets);
                s.override = 0;
                m_world.registry.setMeshSet(id, m_world.sets[s.set]);
            });
    }
    void changeMaterial()
    {
        if (const std::uint32_t key = anyKey(m_state.materials); key != 0)
            m_world.setMaterial(key, m_state.materials[key] = anyMaterial());
    }
    void addMaterial()
    {
        if (m_state.materials.size() < 12)
        {
            m_state.materials[m_nextKey] = anyMaterial();
            m_world.setMaterial(m_nextKey, m_state.materials[m_nextKey]);
            ++m_nextKey;
        }
    }
    void removeMaterial()
    {
        const std::uint32_t key = anyKey(m_state.materials);
        const auto isIn = [key](const auto& entry) { return entry.second.material == key; };
        const auto overrides = [key](const auto& entry) { return entry.second.override == key; };
        m_world.registry.applyEdits(); // until then variants hold what instances no longer use
        if (key == 0 || std::any_of(m_state.sets.begin(), m_state.sets.end(), isIn) ||
            std::any_of(m_state.instances.begin(), m_state.instances.end(), overrides))
            return;
        EXPECT_TRUE(m_world.library->removeMaterial(m_world.materials[key]));
        m_world.materials.erase(key);
        m_state.materials.erase(key);
    }
    void addMesh()
    {
        if (m_state.meshes.size() < 40)
        {
            m_state.meshes[m_nextKey] = static_cast<float>(below(100)) * 0.01f;
            m_world.addMesh(m_nextKey, m_state.meshes[m_nextKey]);
            ++m_nextKey;
        }
    }
    void removeMesh()
    {
        const std::uint32_t key = anyKey(m_state.meshes);
        for (const auto& [setKey, set] : m_state.sets)
            for (const std::vector<std::uint32_t>& lod : set.lods)
                if (std::find(lod.begin(), lod.end(), key) != lod.end())
                    return;
        if (key == 0)
            return;
        m_world.resources->geometry().remove(m_world.meshes[key]);
        m_world.meshes.erase(key);
        m_state.meshes.erase(key);
    }
    void addSet()
    {
        if (m_state.meshes.empty() || m_state.materials.empty() || m_state.sets.size() >= 20)
            return;
        State::SetState added;
        added.lods.resize(1 + below(2));
        for (std::vector<std::uint32_t>& lod : added.lods)
            for (std::uint32_t i = 0; i <= below(2); ++i)
                lod.push_back(anyKey(m_state.meshes));
        added.material = anyKey(m_state.materials);
        added.flags = anyFlags();
        added.order = static_cast<std::uint8_t>(126 + below(4));
        m_world.addSet(m_nextKey, added);
        m_state.sets[m_nextKey++] = added;
    }
    void removeSet()
    {
        const std::uint32_t key = anyKey(m_state.sets);
        const auto isOf = [key](const auto& entry) { return entry.second.set == key; };
        if (key == 0 || std::count_if(m_state.instances.begin(), m_state.instances.end(), isOf) > 1)
            return;
        for (auto it = m_state.instances.begin(); it != m_state.instances.end();)
            if (it->second.set == key)
            {
                m_world.registry.remove(m_world.instances[it->first]);
                it = m_state.instances.erase(it);
            }
            else
                ++it;
        m_world.registry.applyEdits();
        EXPECT_TRUE(m_world.library->removeMeshSet(m_world.sets[key]));
        m_world.sets.erase(key);
        m_state.sets.erase(key);
    }
    void republish() { m_world.resources->geometry().compact(4000); }
    void togglePass()
    {
        if (m_state.passes.size() < 3 && below(2) == 0)
        {
            m_state.passes[m_nextKey] = below(kPassKinds);
            m_world.addPass(m_nextKey, m_state.passes[m_nextKey]);
            ++m_nextKey;
        }
        else if (const std::uint32_t key = anyKey(m_state.passes); key != 0)
        {
            EXPECT_TRUE(m_world.library->removePass(m_world.passes[key]));
            m_state.passes.erase(key);
        }
    }
    void resize() { m_state.aspect = 0.5f + 0.1f * static_cast<float>(below(20)); }

    State& m_state;
    Loaded& m_world;
    std::mt19937 m_random;
    std::uint32_t m_nextKey = 1;
};

void load(const State& state, Loaded& world)
{
    for (const auto& [key, material] : state.materials)
        world.setMaterial(key, material);
    for (const auto& [key, seed] : state.meshes)
        world.addMesh(key, seed);
    for (const auto& [key, set] : state.sets)
        world.addSet(key, set);
    for (const auto& [key, kind] : state.passes)
        world.addPass(key, kind);
    for (const auto& [key, instance] : state.instances)
        world.addInstance(key, instance);
}

} // namespace

TEST(RandomEdits, EndLikeAFreshWorldThatLoadsTheFinalState)
{
    std::uint64_t seenOpaque = 0, seenBlended = 0;
    for (std::uint32_t seed = 1; seed <= 6; ++seed)
    {
        SCOPED_TRACE("seed " + std::to_string(seed));
        State state;
        Loaded edited;
        Edits edits(state, edited, seed);
        for (int edit = 0; edit < 10000; ++edit)
        {
            edits.one();
            if (edits.below(40) == 0)
                edited.frame(state.aspect);
        }
        Loaded fresh;
        load(state, fresh);
        for (Loaded* world : {&edited, &fresh})
            for (int i = 0; i < 3; ++i)
                world->frame(state.aspect);
        EXPECT_EQ(edited.registry.stats().instanceCount, state.instances.size());
        std::vector<std::string> passes = {"depth", "forward", "blended"};
        for (const auto& [key, kind] : state.passes)
            passes.push_back("extra " + std::to_string(key));
        for (const std::string& pass : passes)
        {
            EXPECT_EQ(edited.text(pass), fresh.text(pass)) << pass;
            EXPECT_EQ(edited.stats(pass).commands, fresh.stats(pass).commands) << pass;
            EXPECT_EQ(edited.stats(pass).batches, fresh.stats(pass).batches) << pass;
            EXPECT_EQ(edited.stats(pass).drawsBefore, fresh.stats(pass).drawsBefore) << pass;
        }
        seenOpaque += fresh.stats("depth").drawsBefore;
        seenBlended += fresh.stats("blended").drawsBefore;
    }
    EXPECT_GT(seenOpaque, 1000U);
    EXPECT_GT(seenBlended, 300U);
}

} // namespace dl
