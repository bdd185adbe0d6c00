// drawloom/draw/draw_library.cpp - archives, factories, surfaces, materials, external buffers, passes.
#include "drawloom/draw/draw_library.h"

#include "drawloom/draw/detail/library_impl.h"
#include "drawloom/resource/gpu_resources.h"

#include <algorithm>

namespace dl
{

namespace
{
Error inUse(const std::string& what, std::uint32_t userCount, const char* users)
{
    return Error{ErrorCode::InvalidArgument, what + " can not be removed: " + std::to_string(userCount) + users + " use it; they go first"};
}

Error stale(const char* what)
{
    return Error{ErrorCode::StaleId, std::string(what) + " does not exist (any more)"};
}
} // namespace

DrawLibrary::Impl::Impl(gpu::Device& theDevice, GpuResources& theResources)
    : device(theDevice), resources(theResources), pipelines(theDevice, theResources, tables.pipelines, counters)
{
    rigid = factories.add(rigidFactoryDesc());
    deformed = factories.add(deformedFactoryDesc());
    surfaces.emplace_back("standard");
}

DrawLibrary::DrawLibrary(gpu::Device& device, GpuResources& resources) : m_impl(std::make_unique<Impl>(device, resources))
{
}
DrawLibrary::~DrawLibrary() = default;

void DrawLibrary::addArchive(const gpu::ShaderArchive& archive)
{
    m_impl->pipelines.addArchive(archive);
}

void DrawLibrary::addShader(const gpu::ShaderEntry& entry)
{
    m_impl->pipelines.addShader(entry);
}

Result<VertexFactoryId> DrawLibrary::addVertexFactory(const VertexFactoryDesc& desc)
{
    DL_TRY(checkVertexFactory(desc));
    bool isTaken = false;
    m_impl->factories.forEach([&](VertexFactoryId, const VertexFactoryDesc& other) { isTaken = isTaken || other.name == desc.name; });
    if (isTaken)
        return Error{ErrorCode::AlreadyExists, "vertex factory \"" + desc.name + "\" is registered already"};
    return m_impl->factories.add(desc);
}

VertexFactoryId DrawLibrary::rigidFactory() const
{
    return m_impl->rigid;
}
VertexFactoryId DrawLibrary::deformedFactory() const
{
    return m_impl->deformed;
}
const VertexFactoryDesc* DrawLibrary::findFactory(VertexFactoryId id) const
{
    return m_impl->factories.find(id);
}

SurfaceId DrawLibrary::addSurface(std::string_view name)
{
    auto& surfaces = m_impl->surfaces;
    const auto found = std::find(surfaces.begin(), surfaces.end(), name);
    const auto index = static_cast<std::uint32_t>(found - surfaces.begin());
    if (found == surfaces.end())
        surfaces.emplace_back(name);
    return SurfaceId{index, 1};
}

Result<MaterialId> DrawLibrary::addMaterial(const DrawMaterialDesc& desc)
{
    if (desc.surface && desc.surface.index >= m_impl->surfaces.size())
        return stale("the material's surface");
    if (!m_impl->resources.textureSets().contains(desc.textureSet))
        return stale("the texture set of the material");
    DL_TRY_ASSIGN(const MaterialId id, m_impl->resources.materials().add(desc.params, desc.textureSet));
    const std::size_t bound = std::max<std::size_t>(m_impl->materials.size(), id.index + 1);
    m_impl->materials.resize(bound);
    m_impl->tables.materials.resize(bound);
    m_impl->materials[id.index] = {desc.name, desc.surface.index, desc.params.flags, 0};
    m_impl->tables.materials[id.index] = {id.generation, desc.textureSet};
    return id;
}

Result<void> DrawLibrary::updateMaterial(MaterialId id, const MaterialParams& params)
{
    if (!m_impl->resources.materials().update(id, params))
        return stale("the material");
    if (m_impl->materials[id.index].flags == params.flags)
        return {};
    m_impl->materials[id.index].flags = params.flags;
    m_impl->rebuildMaterial(id);
    return {};
}

Result<void> DrawLibrary::setTextureSet(MaterialId id, TextureSetId set)
{
    if (!m_impl->resources.textureSets().contains(set))
        return stale("the texture set of the material");
    if (!m_impl->resources.materials().setTextureSet(id, set))
        return stale("the material");
    m_impl->tables.materials[id.index].textureSet = set;
    return {};
}

Result<void> DrawLibrary::removeMaterial(MaterialId id)
{
    if (!m_impl->resources.materials().contains(id))
        return stale("the material");
    if (const Impl::Material& material = m_impl->materials[id.index]; material.userCount != 0)
        return inUse("material \"" + material.name + "\"", material.userCount, " parts of mesh sets or of their variants");
    m_impl->resources.materials().remove(id);
    m_impl->tables.materials[id.index] = {};
    return {};
}

std::string_view DrawLibrary::materialName(MaterialId id) const
{
    return m_impl->resources.materials().contains(id) ? std::string_view(m_impl->materials[id.index].name) : std::string_view();
}

Result<ExternalGeometryId> DrawLibrary::addExternalGeometry(const ExternalGeometry& geometry)
{
    if (!geometry.indexBuffer || geometry.indexCount == 0)
        return Error{ErrorCode::InvalidArgument, "external geometry needs an index buffer and at least one index"};
    const ExternalGeometryId id = m_impl->externals.add(0);
    m_impl->tables.externals.resize(std::max<std::size_t>(m_impl->tables.externals.size(), id.index + 1));
    m_impl->tables.externals[id.index] = geometry;
    return id;
}

Result<void> DrawLibrary::removeExternalGeometry(ExternalGeometryId id)
{
    const std::uint32_t* userCount = m_impl->externals.find(id);
    if (userCount == nullptr)
        return stale("the external geometry");
    if (*userCount != 0)
        return inUse("external geometry " + std::to_string(id.index), *userCount, " sections of mesh sets");
    m_impl->externals.remove(id);
    return {};
}

std::uint32_t DrawLibrary::Impl::stateOf(const MeshPassDesc& desc)
{
    for (const DrawTables::Pass& pass : tables.passes)
        if (pass.generation != 0 && pass.stateIndex != kNoPipelineState && pass.desc->colorTargets == desc.colorTargets &&
            pass.desc->depth == desc.depth && pass.desc->sampleCount == desc.sampleCount &&
            pass.desc->alphaToCoverage == desc.alphaToCoverage && pass.desc->passLayout == desc.passLayout)
            return pass.stateIndex;
    return stateCount++;
}

Result<MeshPassId> DrawLibrary::addPass(const MeshPassDesc& desc)
{
    if (desc.name.empty() || findPass(desc.name))
        return Error{ErrorCode::AlreadyExists, "mesh pass \"" + desc.name + "\": the name is empty or taken"};
    const std::span<const KeyField> fields = desc.keyFields.empty() ? defaultKeyFields(desc.order) : std::span(desc.keyFields);
    Result<KeyLayout> layout = KeyLayout::create(fields);
    if (!layout)
        return withContext(std::move(layout).error(), "mesh pass \"" + desc.name + "\"");
    const auto has = [&](KeySource source)
    { return std::any_of(fields.begin(), fields.end(), [=](const KeyField& field) { return field.source == source; }); };
    if (desc.order == SortOrder::BackToFront && !has(KeySource::DepthFar))
        return Error{ErrorCode::InvalidArgument, "mesh pass \"" + desc.name + "\" is drawn back to front, but its key holds no DepthFar"};
    if (desc.order == SortOrder::Sequence && !has(KeySource::Submission))
        return Error{ErrorCode::InvalidArgument, "mesh pass \"" + desc.name + "\" is drawn in sequence, but its key holds no Submission"};

    const MeshPassId id = m_impl->passes.add(std::make_unique<Impl::Pass>(Impl::Pass{desc, std::move(layout).value()}));
    auto& tables = m_impl->tables;
    tables.passes.resize(std::max<std::size_t>(tables.passes.size(), id.index + 1));
    DrawTables::Pass& pass = tables.passes[id.index];
    pass = DrawTables::Pass{};
    pass.generation = id.generation;
    pass.stateIndex = m_impl->stateOf(desc);
    pass.desc = &m_impl->passes.get(id)->desc;
    pass.keyLayout = &m_impl->passes.get(id)->layout;
    pass.needsDepth = has(KeySource::DepthNear) || has(KeySource::DepthFar);
    pass.isExpanded = desc.order == SortOrder::BackToFront;
    pass.commands.resize(tables.batches.size());
    for (std::uint32_t i = 0; i < tables.batches.size(); ++i)
        if (m_impl->sets.contains(tables.batches[i].meshSet))
            m_impl->buildBatch(id.index, i, false);
    return id;
}

Result<void> DrawLibrary::removePass(MeshPassId id)
{
    if (!m_impl->passes.contains(id))
        return stale("the mesh pass");
    const std::uint32_t state = m_impl->tables.passes[id.index].stateIndex;
    m_impl->tables.passes[id.index] = DrawTables::Pass{};
    m_impl->passes.remove(id);
    const auto& passes = m_impl->tables.passes;
    if (std::none_of(passes.begin(), passes.end(), [=](const DrawTables::Pass& pass) { return pass.stateIndex == state; }))
        m_impl->pipelines.removeState(state);
    return {};
}

MeshPassId DrawLibrary::findPass(std::string_view name) const
{
    MeshPassId found;
    m_impl->passes.forEach([&](MeshPassId id, const std::unique_ptr<Impl::Pass>& pass) { found = pass->desc.name == name ? id : found; });
    return found;
}

std::uint32_t DrawLibrary::pendingPipelineCount() const
{
    return m_impl->pipelines.pendingCount();
}
const DrawLibraryCounters& DrawLibrary::counters() const
{
    return m_impl->counters;
}
GpuResources& DrawLibrary::resources() const
{
    return m_impl->resources;
}
gpu::Device& DrawLibrary::device() const
{
    return m_impl->device;
}
const DrawTables& DrawLibrary::tables() const
{
    return m_impl->tables;
}

} // namespace dl
