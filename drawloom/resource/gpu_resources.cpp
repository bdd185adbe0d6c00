#include "drawloom/resource/gpu_resources.h"

namespace dl
{

GpuResources::GpuResources(gpu::Device& device, const GpuResourcesSettings& settings)
    : m_device(&device), m_settings(settings), m_retired(device), m_uploads(m_memory.stagingBytes),
      m_geometry(device, m_retired, m_uploads, m_timeline, m_memory.meshBytes, settings.geometry),
      m_properties(device, m_retired, m_memory.instanceBytes), m_instances(device, m_retired, m_properties, m_memory.instanceBytes),
      m_movers(device, m_retired, m_memory.instanceBytes), m_materials(device, m_retired, m_memory.instanceBytes),
      m_samplers(device, settings.maxAnisotropy), m_textures(device, m_retired, m_uploads, m_memory),
      m_textureSets(device, m_retired, m_textures, m_samplers, m_memory), m_ids(device, m_retired, m_memory.instanceBytes),
      m_indirectDraws(device, m_retired, m_memory.instanceBytes), m_views(device, m_retired, m_memory.instanceBytes, "view uniforms"),
      m_deform(device, m_retired, m_geometry, m_memory.instanceBytes),
      m_bindings(device, m_retired, m_memory.instanceBytes,
          {&m_instances, &m_properties, &m_materials, &m_movers, &m_ids, &m_deform, &m_geometry, &m_views})
{
}

GpuResources::~GpuResources()
{
    m_retired.destroyAll();
}

Result<std::unique_ptr<GpuResources>> GpuResources::create(gpu::Device& device, const GpuResourcesSettings& settings)
{
    std::unique_ptr<GpuResources> resources(new GpuResources(device, settings));
    DL_TRY(resources->m_bindings.initialise());
    DL_TRY(resources->m_textureSets.initialise(resources->m_bindings.layouts().textureSet));
    return resources;
}

void GpuResources::beginFrame()
{
    m_visibility.beginFrame();
    m_ids.beginFrame();
    m_indirectDraws.beginFrame();
    m_views.beginFrame();
    m_deform.beginFrame();
    m_geometry.reclaim();
}

// Whatever may fail for want of memory comes before the first command is written.
Result<void> GpuResources::prepareBuffers()
{
    DL_TRY(m_properties.prepare());
    DL_TRY(m_materials.prepare());
    DL_TRY(m_movers.prepare());
    DL_TRY(m_ids.prepare());
    DL_TRY(m_indirectDraws.prepare());
    DL_TRY(m_views.prepare());
    return m_deform.prepare();
}

Result<void> GpuResources::flush(gpu::CommandStream& stream)
{
    DL_TRY(prepareBuffers());
    m_geometry.emitCopies(stream);
    m_deform.emitCopies(stream);

    m_properties.collectWrites(m_batch);
    m_instances.collectWrites(m_batch);
    m_movers.collectWrites(m_batch);
    m_materials.collectWrites(m_batch);
    m_ids.collectWrites(m_batch);
    m_indirectDraws.collectWrites(m_batch);
    m_views.collectWrites(m_batch);
    m_deform.collectWrites(m_batch);
    m_bindings.collectWrites(m_batch);
    m_textureSets.collectWrites(m_batch);
    m_textures.beginUploads(m_batch);
    m_uploads.drain(m_batch, m_settings.uploadBytesPerFrame);
    m_textures.publish(m_batch);
    m_batch.emit(stream);

    m_geometry.updateResidency();
    m_textureSets.update();
    return m_bindings.update();
}

void GpuResources::onSubmitted(gpu::SubmissionIndex submission, bool isFrameDrawn)
{
    if (isFrameDrawn)
        m_movers.onFrameDrawn();
    m_timeline.onSubmitted(submission);
    m_retired.destroyAll();
}

} // namespace dl
