// drawloom/scene/registry_edits.cpp - frame start: the queue is applied in order, records and bounds follow.
#include "drawloom/core/trace.h"
#include "drawloom/resource/gpu_resources.h"
#include "drawloom/scene/detail/registry_impl.h"

#include <algorithm>
#include <utility>

namespace dl
{

SceneRegistry::Impl::Impl(DrawLibrary& theLibrary)
    : library(theLibrary), resources(theLibrary.resources()), records(theLibrary.resources().instances())
{
}

SceneRegistry::Impl::~Impl()
{
    for (std::uint32_t i = 0; i < instances.size(); ++i)
        if (instances[i].generation != 0)
            applyRemove(instances[i], i);
}

void SceneRegistry::Impl::Bounds::resize(std::size_t count)
{
    for (std::vector<float>* axis : {&centreX, &centreY, &centreZ, &halfX, &halfY, &halfZ})
        axis->resize(count);
    layers.resize(count);
    facts.resize(count);
}

void SceneRegistry::Impl::push(const Edit& edit)
{
    const std::lock_guard<std::mutex> lock(mutex);
    queue.edits.push_back(edit);
}

SceneRegistry::Impl::Instance* SceneRegistry::Impl::find(InstanceId id)
{
    const bool isLive = id && id.index < instances.size() && instances[id.index].generation == id.generation;
    return isLive ? &instances[id.index] : nullptr;
}

void SceneRegistry::Impl::refuse(InstanceId id, const Error& error)
{
    ++stats.editsRefused;
    refusals.push_back(
        {"instance " + std::to_string(id.index), "edits", ReasonCode::StaleMeshSet, std::string(toString(error.code)), error.message});
}

void SceneRegistry::applyEdits()
{
    DL_TRACE_SCOPE("scene edits");
    Impl& impl = *m_impl;
    const std::uint64_t begin = nowNs();
    impl.refusals.clear();
    std::size_t bound = 0;
    {
        const std::lock_guard<std::mutex> lock(impl.mutex);
        std::swap(impl.queue, impl.applying);
        bound = impl.generations.size();
    }
    if (bound > impl.instances.size())
    {
        impl.instances.resize(bound);
        impl.bounds.resize(bound);
    }
    for (const Impl::Edit& edit : impl.applying.edits)
        impl.apply(edit);
    impl.applying.clear();
    if (!impl.freed.empty())
    {
        const std::lock_guard<std::mutex> lock(impl.mutex);
        impl.freeIndices.insert(impl.freeIndices.end(), impl.freed.begin(), impl.freed.end());
        impl.freed.clear();
    }
    impl.stats.editsMs = static_cast<double>(nowNs() - begin) * 1e-6;
}

void SceneRegistry::Impl::apply(const Edit& edit)
{
    ++stats.editsApplied;
    if (edit.kind == EditKind::Add)
    {
        if (Result<void> added = applyAdd(edit.id, std::move(applying.descs[edit.payload])); !added)
        {
            refuse(edit.id, added.error());
            freed.push_back(edit.id.index);
        }
        return;
    }
    Instance* instance = find(edit.id);
    if (instance == nullptr)
    {
        refuse(edit.id, Error{ErrorCode::StaleId, "the instance does not exist (any more)"});
        return;
    }
    const std::uint32_t index = edit.id.index;
    Result<void> result;
    switch (edit.kind)
    {
    case EditKind::Add: break;
    case EditKind::Remove:
        applyRemove(*instance, index);
        freed.push_back(index);
        break;
    case EditKind::Move: result = applyMove(*instance, index, applying.transforms[edit.payload]); break;
    case EditKind::Teleport:
        standStill(*instance);
        result = applyMove(*instance, index, applying.transforms[edit.payload]);
        break;
    case EditKind::OverrideMaterial:
    {
        Look look = lookOf(instance->desc);
        const MeshSetInfo* info = library.findMeshSet(look.base);
        if (edit.extra >= info->partCount)
        {
            result = Error{ErrorCode::OutOfRange, "part " + std::to_string(edit.extra) + " of " + std::to_string(info->partCount)};
            break;
        }
        look.materials.resize(info->partCount);
        look.materials[edit.extra] = applying.materials[edit.payload];
        result = applyLook(*instance, index, std::move(look));
        break;
    }
    case EditKind::SetMeshSet:
    {
        Look look = lookOf(instance->desc);
        look.base = applying.meshSets[edit.payload];
        look.materials.clear();
        result = applyLook(*instance, index, std::move(look));
        break;
    }
    case EditKind::SetFlags:
    {
        Look look = lookOf(instance->desc);
        look.flags = BatchFlags(edit.payload);
        result = applyLook(*instance, index, std::move(look));
        break;
    }
    case EditKind::SetOrder:
    {
        Look look = lookOf(instance->desc);
        look.order = edit.extra != 0 ? std::optional(static_cast<std::uint8_t>(edit.payload)) : std::nullopt;
        result = applyLook(*instance, index, std::move(look));
        break;
    }
    case EditKind::Mark:
        instance->desc.isMarked = edit.payload != 0;
        resources.instances().setFlags(instance->place.heapId, recordFlags(*instance));
        break;
    case EditKind::SetLayers:
        instance->desc.layers = edit.payload;
        resources.instances().setFlags(instance->place.heapId, recordFlags(*instance));
        writeBounds(*instance, index);
        break;
    case EditKind::Hide: applyHide(*instance, index, edit.payload != 0); break;
    case EditKind::OverrideValue:
        result = applyValue(*instance, edit.extra, std::span(applying.words).subspan(edit.payload, edit.count));
        break;
    case EditKind::SetBounds:
        instance->desc.localBounds = applying.boxes[edit.payload];
        writeBounds(*instance, index);
        break;
    case EditKind::SetDeformOffset:
        instance->desc.deformOffset = edit.payload;
        writeRecord(*instance);
        break;
    }
    if (!result)
        refuse(edit.id, result.error());
}

Result<void> SceneRegistry::Impl::applyAdd(InstanceId id, InstanceDesc desc)
{
    DL_TRY_ASSIGN(const MeshSetId variant, library.acquireVariant(desc.meshSet, desc.materials, desc.flags, desc.explicitOrder));
    Result<std::uint32_t> cell = resources.cells().acquire(desc.transform.cell);
    Result<detail::RecordPlace> place = cell ? records.allocate(desc.propertyLayout, id.index) : Result<detail::RecordPlace>(cell.error());
    if (!place)
    {
        if (cell)
            resources.cells().release(cell.value());
        library.releaseVariant(variant);
        return std::move(place).error();
    }
    Instance& instance = instances[id.index];
    instance = Instance{};
    instance.generation = id.generation;
    instance.desc = std::move(desc);
    instance.variant = variant;
    instance.cellSlot = cell.value();
    instance.place = place.value();
    instance.stillFrame = resources.movers().frameNumber();
    instance.isMirrored = instance.desc.transform.affine.determinant() < 0.0f;
    if (instance.isMirrored)
        library.requestMirrored(variant);
    writeRecord(instance);
    writeBounds(instance, id.index);
    writeFacts(instance, id.index);
    ++stats.instanceCount;
    return {};
}

void SceneRegistry::Impl::applyRemove(Instance& instance, std::uint32_t index)
{
    resources.movers().forget(instance.place.heapId); // the record may be handed out again before the frame is drawn
    records.free(instance.place);
    resources.cells().release(instance.cellSlot);
    library.releaseVariant(instance.variant);
    instance.generation = 0;
    bounds.layers[index] = 0;
    --stats.instanceCount;
}

void SceneRegistry::Impl::standStill(Instance& instance)
{
    instance.stillFrame = resources.movers().frameNumber();
    resources.movers().forget(instance.place.heapId);
}

void SceneRegistry::Impl::applyHide(Instance& instance, std::uint32_t index, bool isHidden)
{
    const std::uint64_t frame = resources.movers().frameNumber();
    if (isHidden && !instance.isHidden)
        instance.hiddenFrame = frame;
    else if (!isHidden && instance.isHidden && instance.hiddenFrame != frame) // the last picture did not have it
        standStill(instance);
    instance.isHidden = isHidden;
    writeBounds(instance, index);
}

Result<void> SceneRegistry::Impl::applyMove(Instance& instance, std::uint32_t index, const WorldTransform& transform)
{
    const WorldTransform old = instance.desc.transform;
    Affine previous = old.affine;
    const bool isOtherCell = transform.cell != old.cell;
    if (isOtherCell)
    {
        DL_TRY_ASSIGN(const std::uint32_t slot, resources.cells().acquire(transform.cell));
        resources.cells().release(instance.cellSlot);
        instance.cellSlot = slot;
        const vec3 shift = cellOriginRelativeTo(old.cell, WorldPosition{transform.cell, vec3(0.0f)});
        resources.movers().changeCell(instance.place.heapId, shift);
        for (int axis = 0; axis < 3; ++axis)
            previous.rows[axis].w += shift[axis];
    }
    instance.desc.transform = transform;
    const bool isMirrored = transform.affine.determinant() < 0.0f;
    const bool isFlagChange = isOtherCell || isMirrored != instance.isMirrored;
    instance.isMirrored = isMirrored;
    if (isMirrored)
        library.requestMirrored(instance.variant);
    resources.instances().setTransform(instance.place.heapId, transform.affine);
    if (isFlagChange)
        resources.instances().setFlags(instance.place.heapId, recordFlags(instance));
    writeBounds(instance, index);
    bounds.facts[index].isMirrored = isMirrored ? 1 : 0;
    if (instance.stillFrame == resources.movers().frameNumber())
        return {};
    if (Result<std::uint32_t> mover = resources.movers().record(instance.place.heapId, previous); !mover)
        return std::move(mover).error();
    return {};
}

Result<void> SceneRegistry::Impl::applyLook(Instance& instance, std::uint32_t index, Look look)
{
    DL_TRY_ASSIGN(const MeshSetId variant, library.acquireVariant(look.base, look.materials, look.flags, look.order));
    library.releaseVariant(instance.variant);
    instance.variant = variant;
    instance.desc.meshSet = look.base;
    instance.desc.materials = std::move(look.materials);
    instance.desc.flags = look.flags;
    instance.desc.explicitOrder = look.order;
    if (instance.isMirrored)
        library.requestMirrored(variant);
    writeRecord(instance);
    writeBounds(instance, index);
    writeFacts(instance, index);
    return {};
}

Result<void> SceneRegistry::Impl::applyValue(Instance& instance, std::uint32_t property, std::span<const std::uint32_t> words)
{
    const PropertyLayout* layout = instance.desc.propertyLayout;
    if (layout == nullptr || property >= layout->locations().size())
        return Error{ErrorCode::OutOfRange, "property " + std::to_string(property) + " of an instance with " +
                                                std::to_string(layout != nullptr ? layout->locations().size() : 0) + " properties"};
    const PropertyLocation& location = layout->locations()[property];
    if (location.rate == PropertyRate::PerBlock || location.wordCount != words.size())
        return Error{ErrorCode::InvalidArgument, "property \"" + layout->properties()[property].name + "\" takes " +
                                                     std::to_string(location.wordCount) + " words of each instance"};
    resources.instances().writeProperty(records.blockId(instance.place), property, instance.place.record, words);
    return {};
}

std::uint32_t SceneRegistry::Impl::recordFlags(const Instance& instance) const
{
    std::uint32_t flags = (instance.cellSlot & kInstanceCellSlotMask) << kInstanceCellSlotShift;
    flags |= (instance.desc.layers & kInstanceLayersMask) << kInstanceLayersShift;
    flags |= instance.isMirrored ? kInstanceMirroredBit : 0U;
    flags |= instance.desc.isMarked || instance.desc.flags.contains(BatchFlag::Selected) ? kInstanceSelectedBit : 0U;
    flags |= instance.desc.isDeformed ? kInstanceDeformedBit : 0U;
    return flags;
}

void SceneRegistry::Impl::writeRecord(const Instance& instance)
{
    InstanceRecord record;
    record.row0 = instance.desc.transform.affine.rows[0];
    record.row1 = instance.desc.transform.affine.rows[1];
    record.row2 = instance.desc.transform.affine.rows[2];
    record.materialRef = library.findMeshSet(instance.variant)->materialRef;
    record.deformOffset = instance.desc.deformOffset;
    record.flags = recordFlags(instance);
    resources.instances().write(records.blockId(instance.place), instance.place.record, record);
}

Aabb SceneRegistry::Impl::worldBounds(const Instance& instance) const
{
    const Aabb& local = instance.desc.localBounds.isEmpty() ? library.findMeshSet(instance.variant)->bounds : instance.desc.localBounds;
    return transformAabb(instance.desc.transform.affine, local);
}

void SceneRegistry::Impl::writeBounds(const Instance& instance, std::uint32_t index)
{
    const Aabb box = worldBounds(instance);
    const vec3 origin = cellOriginRelativeTo(instance.desc.transform.cell, WorldPosition{referenceCell, vec3(0.0f)});
    const vec3 centre = box.isEmpty() ? origin + instance.desc.transform.affine.translation() : origin + box.centre();
    const vec3 half = box.isEmpty() ? vec3(0.0f) : box.halfExtent();
    bounds.centreX[index] = centre.x;
    bounds.centreY[index] = centre.y;
    bounds.centreZ[index] = centre.z;
    bounds.halfX[index] = half.x;
    bounds.halfY[index] = half.y;
    bounds.halfZ[index] = half.z;
    bounds.layers[index] = instance.isHidden ? 0U : instance.desc.layers & kInstanceLayersMask;
}

void SceneRegistry::Impl::writeFacts(const Instance& instance, std::uint32_t index)
{
    const MeshSetInfo& info = *library.findMeshSet(instance.variant);
    CullFacts& facts = bounds.facts[index];
    facts.variant = instance.variant;
    facts.heapId = instance.place.heapId;
    facts.isMirrored = instance.isMirrored ? 1 : 0;
    const bool hasOneLod = info.lodCount == 1 && info.minScreenSizes[0] <= 0.0f;
    facts.isPlain = hasOneLod && !instance.desc.lodRange && !instance.desc.visibilityGroup ? 1 : 0;
}

} // namespace dl
