// drawloom/gpu/detail/validation_descs.h - checks of creation descs. Each function returns what is wrong, without the
// object's name, or an empty finding.
#pragma once

#include "drawloom/gpu/detail/validation_objects.h"
#include "drawloom/gpu/device.h"
#include "drawloom/gpu/validation_device.h"

#include <string>

namespace dl::gpu
{

struct Finding
{
    ValidationRule rule = ValidationRule::StaleId;
    std::string text; ///< empty: nothing wrong
    explicit operator bool() const { return !text.empty(); }
};

Finding checkDesc(const BufferDesc& desc, const DeviceInfo& info);
Finding checkDesc(const TextureDesc& desc, const DeviceInfo& info);
Finding checkDesc(const TextureViewDesc& desc, const TextureRecord& texture);
Finding checkDesc(const SamplerDesc& desc);
Finding checkDesc(const BindGroupLayoutDesc& desc, const DeviceInfo& info);
Finding checkDesc(const BindGroupDesc& desc, const LayoutRecord& layout, const ValidationObjects& objects, const DeviceInfo& info);
Finding checkDesc(const QuerySetDesc& desc, const DeviceInfo& info);
Finding checkDesc(const RenderPipelineDesc& desc, const ValidationObjects& objects, const DeviceInfo& info);
Finding checkDesc(const ComputePipelineDesc& desc, const ValidationObjects& objects, const DeviceInfo& info);

/// What a stream must provide, from a desc that passed its check.
PipelineRecord recordOf(const RenderPipelineDesc& desc, const ValidationObjects& objects);
PipelineRecord recordOf(const ComputePipelineDesc& desc, const ValidationObjects& objects);

constexpr bool isBufferBinding(BindingType type)
{
    return type <= BindingType::StorageBuffer;
}
constexpr bool isSamplerBinding(BindingType type)
{
    return type >= BindingType::FilteringSampler;
}
/// Same format but for sRGB.
bool areTwins(Format a, Format b);
bool isRenderable(Format format);

} // namespace dl::gpu
