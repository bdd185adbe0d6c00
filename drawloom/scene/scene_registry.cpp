// drawloom/scene/scene_registry.cpp - the public face: queueing edits from any thread, answers to the owner.
#include "drawloom/scene/scene_registry.h"

#include "drawloom/scene/detail/registry_impl.h"

#include <cmath>
#include <limits>

namespace dl
{

WorldTransform normalised(WorldTransform transform)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        float& offset = transform.affine.rows[axis].w;
        const float cells = std::floor(offset / kCellSizeMetres);
        if (!(std::abs(cells) < 1e9f))
            continue; // not finite
        std::int64_t cell = std::int64_t(transform.cell[axis]) + static_cast<std::int64_t>(cells);
        float rest = offset - cells * kCellSizeMetres;
        if (rest >= kCellSizeMetres) // a hair below the border, rounded up to it
        {
            cell += 1;
            rest = 0.0f;
        }
        if (cell < std::numeric_limits<std::int32_t>::min() || cell > std::numeric_limits<std::int32_t>::max())
            continue; // past the world's end: stays as it is
        transform.cell[axis] = static_cast<std::int32_t>(cell);
        offset = rest;
    }
    return transform;
}

void SceneRegistry::Impl::Queue::clear()
{
    edits.clear();
    descs.clear();
    transforms.clear();
    materials.clear();
    meshSets.clear();
    boxes.clear();
    words.clear();
}

SceneRegistry::SceneRegistry(DrawLibrary& library) : m_impl(std::make_unique<Impl>(library))
{
}
SceneRegistry::~SceneRegistry() = default;

InstanceId SceneRegistry::add(const InstanceDesc& desc)
{
    Impl& impl = *m_impl;
    const std::lock_guard<std::mutex> lock(impl.mutex);
    InstanceId id;
    if (impl.freeIndices.empty())
    {
        id.index = static_cast<std::uint32_t>(impl.generations.size());
        impl.generations.push_back(0);
    }
    else
    {
        id.index = impl.freeIndices.back();
        impl.freeIndices.pop_back();
    }
    id.generation = ++impl.generations[id.index];
    impl.queue.edits.push_back({Impl::EditKind::Add, id, static_cast<std::uint32_t>(impl.queue.descs.size()), 0, 0});
    impl.queue.descs.push_back(desc);
    return id;
}

void SceneRegistry::remove(InstanceId id)
{
    m_impl->push({Impl::EditKind::Remove, id, 0, 0, 0});
}

void SceneRegistry::move(InstanceId id, const WorldTransform& transform)
{
    const std::lock_guard<std::mutex> lock(m_impl->mutex);
    Impl::Queue& queue = m_impl->queue;
    queue.edits.push_back({Impl::EditKind::Move, id, static_cast<std::uint32_t>(queue.transforms.size()), 0, 0});
    queue.transforms.push_back(transform);
}

void SceneRegistry::teleport(InstanceId id, const WorldTransform& transform)
{
    const std::lock_guard<std::mutex> lock(m_impl->mutex);
    Impl::Queue& queue = m_impl->queue;
    queue.edits.push_back({Impl::EditKind::Teleport, id, static_cast<std::uint32_t>(queue.transforms.size()), 0, 0});
    queue.transforms.push_back(transform);
}

void SceneRegistry::overrideMaterial(InstanceId id, std::uint32_t part, MaterialId material)
{
    const std::lock_guard<std::mutex> lock(m_impl->mutex);
    Impl::Queue& queue = m_impl->queue;
    queue.edits.push_back({Impl::EditKind::OverrideMaterial, id, static_cast<std::uint32_t>(queue.materials.size()), part, 0});
    queue.materials.push_back(material);
}

void SceneRegistry::setMeshSet(InstanceId id, MeshSetId meshSet)
{
    const std::lock_guard<std::mutex> lock(m_impl->mutex);
    Impl::Queue& queue = m_impl->queue;
    queue.edits.push_back({Impl::EditKind::SetMeshSet, id, static_cast<std::uint32_t>(queue.meshSets.size()), 0, 0});
    queue.meshSets.push_back(meshSet);
}

void SceneRegistry::setFlags(InstanceId id, BatchFlags flags)
{
    m_impl->push({Impl::EditKind::SetFlags, id, flags.bits, 0, 0});
}
void SceneRegistry::setExplicitOrder(InstanceId id, std::optional<std::uint8_t> order)
{
    m_impl->push({Impl::EditKind::SetOrder, id, order.value_or(0), order ? 1U : 0U, 0});
}

void SceneRegistry::mark(InstanceId id, bool isMarked)
{
    m_impl->push({Impl::EditKind::Mark, id, isMarked ? 1U : 0U, 0, 0});
}

void SceneRegistry::setLayers(InstanceId id, std::uint32_t layers)
{
    m_impl->push({Impl::EditKind::SetLayers, id, layers, 0, 0});
}

void SceneRegistry::hide(InstanceId id, bool isHidden)
{
    m_impl->push({Impl::EditKind::Hide, id, isHidden ? 1U : 0U, 0, 0});
}

void SceneRegistry::overrideValue(InstanceId id, std::uint32_t index, std::span<const std::uint32_t> words)
{
    const std::lock_guard<std::mutex> lock(m_impl->mutex);
    Impl::Queue& queue = m_impl->queue;
    queue.edits.push_back({Impl::EditKind::OverrideValue, id, static_cast<std::uint32_t>(queue.words.size()), index,
        static_cast<std::uint32_t>(words.size())});
    queue.words.insert(queue.words.end(), words.begin(), words.end());
}

void SceneRegistry::setLocalBounds(InstanceId id, const Aabb& bounds)
{
    const std::lock_guard<std::mutex> lock(m_impl->mutex);
    Impl::Queue& queue = m_impl->queue;
    queue.edits.push_back({Impl::EditKind::SetBounds, id, static_cast<std::uint32_t>(queue.boxes.size()), 0, 0});
    queue.boxes.push_back(bounds);
}

void SceneRegistry::setDeformOffset(InstanceId id, std::uint32_t deformOffset)
{
    m_impl->push({Impl::EditKind::SetDeformOffset, id, deformOffset, 0, 0});
}

std::span<const Refusal> SceneRegistry::refusals() const
{
    return m_impl->refusals;
}

bool SceneRegistry::contains(InstanceId id) const
{
    return m_impl->find(id) != nullptr;
}

InstanceId SceneRegistry::findByHeapId(std::uint32_t heapId) const
{
    const std::uint32_t index = m_impl->records.owner(heapId);
    return index == detail::kNoOwner ? InstanceId{} : InstanceId{index, m_impl->instances[index].generation};
}

std::uint64_t SceneRegistry::userTag(InstanceId id) const
{
    const Impl::Instance* instance = m_impl->find(id);
    DL_ASSERT(instance != nullptr, "stale instance id");
    return instance != nullptr ? instance->desc.userTag : 0;
}

Aabb SceneRegistry::bounds(InstanceId id) const
{
    const Impl::Instance* instance = m_impl->find(id);
    DL_ASSERT(instance != nullptr, "stale instance id");
    return instance != nullptr ? m_impl->worldBounds(*instance) : Aabb{};
}

WorldTransform SceneRegistry::transform(InstanceId id) const
{
    const Impl::Instance* instance = m_impl->find(id);
    DL_ASSERT(instance != nullptr, "stale instance id");
    return instance != nullptr ? instance->desc.transform : WorldTransform{};
}

MeshSetId SceneRegistry::meshSetVariant(InstanceId id) const
{
    const Impl::Instance* instance = m_impl->find(id);
    return instance != nullptr ? instance->variant : MeshSetId{};
}

SceneRegistryStats SceneRegistry::stats() const
{
    return m_impl->stats;
}

} // namespace dl
