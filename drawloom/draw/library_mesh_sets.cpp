// drawloom/draw/library_mesh_sets.cpp - mesh sets, their variants with other materials, their rows in the tables.
#include "drawloom/draw/detail/library_impl.h"

#include "drawloom/core/hash.h"
#include "drawloom/resource/gpu_resources.h"

#include <algorithm>

namespace dl
{

namespace
{
Error invalid(const MeshSetDesc& desc, const std::string& what)
{
    return Error{ErrorCode::InvalidArgument, "mesh set \"" + desc.name + "\": " + what};
}

std::uint64_t hashVariant(MeshSetId base, const MeshSetDesc& desc)
{
    std::uint64_t hash = hashCombine(hashCombine(hashCombine(base.index, base.generation), desc.flags.bits), desc.explicitOrder);
    for (const MaterialId& id : desc.materials)
        hash = hashCombine(hash, (static_cast<std::uint64_t>(id.generation) << 32U) | id.index);
    return hash;
}
} // namespace

Result<void> DrawLibrary::Impl::checkMeshSet(const MeshSetDesc& desc) const
{
    if (desc.lods.empty() || desc.lods.size() > kMaxLodCount)
        return invalid(desc, std::to_string(desc.lods.size()) + " levels of detail; 1 to " + std::to_string(kMaxLodCount) + " are taken");
    for (const MaterialId& material : desc.materials)
        if (!resources.materials().contains(material))
            return Error{ErrorCode::StaleId, "mesh set \"" + desc.name + "\": a part names a material that does not exist"};
    for (std::size_t lod = 0; lod < desc.lods.size(); ++lod)
    {
        if (desc.lods[lod].sections.empty())
            return invalid(desc, "level of detail " + std::to_string(lod) + " has no section");
        if (lod > 0 && desc.lods[lod].minScreenSize > desc.lods[lod - 1].minScreenSize)
            return invalid(desc, "minScreenSize rises from level " + std::to_string(lod - 1) + " to " + std::to_string(lod));
        for (const MeshSection& section : desc.lods[lod].sections)
        {
            if (section.part >= desc.materials.size())
                return invalid(
                    desc, "part " + std::to_string(section.part) + " has no material, there are " + std::to_string(desc.materials.size()));
            if (static_cast<bool>(section.range) == static_cast<bool>(section.external))
                return invalid(desc, "a section needs either a mesh range or external buffers");
            if ((section.range && !resources.geometry().contains(section.range)) ||
                (section.external && !externals.contains(section.external)) || (section.factory && !factories.contains(section.factory)))
                return Error{
                    ErrorCode::StaleId, "mesh set \"" + desc.name + "\": a section names geometry or a factory that does not exist"};
            const std::uint64_t end = std::uint64_t(section.firstIndex) + section.indexCount;
            if (end != 0 && (!section.range || section.indexCount == 0 || section.indexCount % 3 != 0 ||
                                end > resources.geometry().range(section.range).indexCount))
                return invalid(desc, "a section draws " + std::to_string(section.indexCount) + " indices from " +
                                         std::to_string(section.firstIndex) + "; it must be whole triangles of its mesh range");
            DL_TRY(checkBuffers(desc, section));
        }
    }
    return {};
}

Result<void> DrawLibrary::Impl::checkBuffers(const MeshSetDesc& desc, const MeshSection& section) const
{
    const VertexFactoryDesc& factory = factories.get(section.factory ? section.factory : rigid);
    for (const FactoryStream& stream : factory.streams)
    {
        const bool isExternal = stream.source >= StreamSource::External0;
        const auto slot = static_cast<std::size_t>(stream.source) - static_cast<std::size_t>(StreamSource::External0);
        if (isExternal != static_cast<bool>(section.external))
            return invalid(desc, "vertex factory \"" + factory.name + "\" reads " +
                                     (isExternal ? "external buffers" : "the geometry pool") + ", the section gives the other");
        if (isExternal && !tables.externals[section.external.index].vertexBuffers[slot])
            return invalid(
                desc, "vertex factory \"" + factory.name + "\" reads external buffer " + std::to_string(slot) + ", which is not filled");
    }
    return {};
}

void DrawLibrary::Impl::countUsers(const MeshSetDesc& desc, bool isAdded)
{
    const std::uint32_t step = isAdded ? 1U : ~0U; // adds, or takes away by wrapping around
    for (const MaterialId& material : desc.materials)
        materials[material.index].userCount += step;
    for (const MeshLod& lod : desc.lods)
        for (const MeshSection& section : lod.sections)
            if (section.external)
                externals.get(section.external) += step;
}

std::uint32_t DrawLibrary::Impl::allocateBatches(std::uint32_t count)
{
    if (const auto found = freeBatches.find(count); found != freeBatches.end() && !found->second.empty())
    {
        const std::uint32_t first = found->second.back();
        found->second.pop_back();
        return first;
    }
    const auto first = static_cast<std::uint32_t>(tables.batches.size());
    tables.batches.resize(first + count);
    for (DrawTables::Pass& pass : tables.passes)
        pass.commands.resize(first + count);
    return first;
}

Result<MeshSetId> DrawLibrary::Impl::insertMeshSet(MeshSet set)
{
    std::vector<MaterialTableIndex> list;
    for (const MaterialId& material : set.desc.materials)
        list.push_back(resources.materials().tableIndex(material));
    DL_TRY_ASSIGN(set.info.materialRef, resources.properties().acquireMaterialList(list));

    set.info.bounds = set.desc.bounds;
    set.info.uvDensity = set.desc.uvDensity;
    set.info.partCount = static_cast<std::uint32_t>(set.desc.materials.size());
    set.info.lodCount = static_cast<std::uint32_t>(set.desc.lods.size());
    for (std::size_t lod = 0; lod < set.desc.lods.size(); ++lod)
    {
        set.info.minScreenSizes[lod] = set.desc.lods[lod].minScreenSize;
        set.batchCount += static_cast<std::uint32_t>(set.desc.lods[lod].sections.size());
    }
    set.firstBatch = allocateBatches(set.batchCount);
    countUsers(set.desc, true);
    const std::uint32_t firstBatch = set.firstBatch, batchCount = set.batchCount;
    const MeshSetId id = sets.add(std::move(set));
    const MeshSet& stored = sets.get(id);

    tables.sets.resize(std::max<std::size_t>(tables.sets.size(), id.index + 1));
    DrawTables::Set& row = tables.sets[id.index];
    row = DrawTables::Set{};
    row.generation = id.generation;
    row.lodCount = stored.info.lodCount;
    std::uint32_t next = firstBatch;
    for (std::size_t lod = 0; lod < stored.desc.lods.size(); ++lod)
    {
        row.lods[lod] = {next, static_cast<std::uint32_t>(stored.desc.lods[lod].sections.size())};
        for (const MeshSection& section : stored.desc.lods[lod].sections)
            tables.batches[next++] = {section, id, section.part};
    }
    for (std::uint32_t pass = 0; pass < tables.passes.size(); ++pass)
        for (std::uint32_t i = firstBatch; tables.passes[pass].generation != 0 && i < firstBatch + batchCount; ++i)
            buildBatch(pass, i, false);
    return id;
}

void DrawLibrary::Impl::eraseMeshSet(MeshSetId id)
{
    const MeshSet& set = sets.get(id);
    for (DrawTables::Pass& pass : tables.passes)
        for (std::uint32_t i = set.firstBatch; pass.generation != 0 && i < set.firstBatch + set.batchCount; ++i)
        {
            --pass.batchCount;
            pass.commandCount -= pass.commands[i].refusal == ReasonCode::None ? 1U : 0U;
            pass.commands[i] = DrawCommand{};
        }
    for (std::uint32_t i = set.firstBatch; i < set.firstBatch + set.batchCount; ++i)
        tables.batches[i] = DrawTables::Batch{};
    freeBatches[set.batchCount].push_back(set.firstBatch);
    resources.properties().releaseMaterialList(set.info.materialRef);
    countUsers(set.desc, false);
    tables.sets[id.index].generation = 0;
    sets.remove(id);
}

Result<MeshSetId> DrawLibrary::addMeshSet(const MeshSetDesc& desc)
{
    DL_TRY(m_impl->checkMeshSet(desc));
    Impl::MeshSet set;
    set.desc = desc;
    for (MeshLod& lod : set.desc.lods)
        for (MeshSection& section : lod.sections)
            section.factory = section.factory ? section.factory : m_impl->rigid;
    return m_impl->insertMeshSet(std::move(set));
}

Result<MeshSetId> DrawLibrary::acquireVariant(
    MeshSetId base, std::span<const MaterialId> materials, BatchFlags flags, std::optional<std::uint8_t> explicitOrder)
{
    Impl::MeshSet* origin = m_impl->sets.find(base);
    if (origin == nullptr)
        return Error{ErrorCode::StaleId, "variant of a mesh set that does not exist"};
    if (origin->base || (!materials.empty() && materials.size() != origin->desc.materials.size()))
        return invalid(origin->desc, "a variant needs a base that is none itself and one material for each part (or none at all)");
    MeshSetDesc desc = origin->desc;
    desc.flags |= flags;
    desc.explicitOrder = explicitOrder.value_or(desc.explicitOrder);
    for (std::size_t i = 0; i < materials.size(); ++i)
        desc.materials[i] = materials[i] ? materials[i] : desc.materials[i];
    if (desc.materials == origin->desc.materials && desc.flags == origin->desc.flags && desc.explicitOrder == origin->desc.explicitOrder)
    {
        ++origin->variantCount;
        return base;
    }
    const std::uint64_t hash = hashVariant(base, desc);
    for (auto [it, end] = m_impl->variants.equal_range(hash); it != end; ++it)
    {
        Impl::MeshSet& known = m_impl->sets.get(it->second);
        if (known.base != base || known.desc.flags != desc.flags || known.desc.materials != desc.materials ||
            known.desc.explicitOrder != desc.explicitOrder)
            continue;
        ++known.refCount;
        return it->second;
    }
    DL_TRY(m_impl->checkMeshSet(desc));
    Impl::MeshSet set;
    set.desc = std::move(desc);
    set.base = base;
    set.variantHash = hash;
    DL_TRY_ASSIGN(const MeshSetId id, m_impl->insertMeshSet(std::move(set)));
    m_impl->variants.emplace(hash, id);
    ++m_impl->sets.get(base).variantCount;
    return id;
}

void DrawLibrary::releaseVariant(MeshSetId id)
{
    Impl::MeshSet* set = m_impl->sets.find(id);
    DL_ASSERT(set != nullptr, "release of a stale mesh set variant");
    if (set == nullptr)
        return;
    if (!set->base)
    {
        DL_ASSERT(set->variantCount > 0, "a variant was released more often than acquired");
        --set->variantCount;
        return;
    }
    if (--set->refCount != 0)
        return;
    for (auto [it, end] = m_impl->variants.equal_range(set->variantHash); it != end; ++it)
        if (it->second == id)
        {
            m_impl->variants.erase(it);
            break;
        }
    --m_impl->sets.get(set->base).variantCount;
    m_impl->eraseMeshSet(id);
}

Result<void> DrawLibrary::removeMeshSet(MeshSetId id)
{
    const Impl::MeshSet* set = m_impl->sets.find(id);
    if (set == nullptr)
        return Error{ErrorCode::StaleId, "removal of a mesh set that does not exist"};
    if (set->base || set->variantCount != 0)
        return invalid(set->desc, set->base ? "is a variant: release it" : std::to_string(set->variantCount) + " variants of it are held");
    m_impl->eraseMeshSet(id);
    return {};
}

const MeshSetInfo* DrawLibrary::findMeshSet(MeshSetId id) const
{
    const Impl::MeshSet* set = m_impl->sets.find(id);
    return set != nullptr ? &set->info : nullptr;
}

std::string_view DrawLibrary::meshSetName(MeshSetId id) const
{
    const Impl::MeshSet* set = m_impl->sets.find(id);
    return set != nullptr ? std::string_view(set->desc.name) : std::string_view();
}

} // namespace dl
