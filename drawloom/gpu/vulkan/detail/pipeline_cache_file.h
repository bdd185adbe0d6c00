// drawloom/gpu/vulkan/detail/pipeline_cache_file.h - the driver's pipeline cache on disk, one file for each driver. Drivers trust what
// they are given, so a file proves itself first: magic, device, driver version, size, hash.
#pragma once

#include "drawloom/core/byte_buffer.h"
#include "drawloom/core/result.h"
#include "drawloom/gpu/vulkan/detail/vma.h"

#include <cstddef>
#include <filesystem>
#include <span>

namespace dl::gpu::vulkan
{

constexpr std::uint64_t kMaxPipelineCacheBytes = std::uint64_t(256) << 20U;

/// The file of a device in a folder: vendor, device, driver version and the cache's UUID in its name.
std::filesystem::path pipelineCachePath(const std::filesystem::path& folder, const VkPhysicalDeviceProperties& properties);
/// The driver's data. NotFound: no file. BadFile: torn, changed, or another driver's; the message names the file and what is wrong.
Result<ByteBuffer> readPipelineCache(const std::filesystem::path& path, const VkPhysicalDeviceProperties& properties);
/// Makes the folder; replaces the file as a whole.
Result<void> writePipelineCache(
    const std::filesystem::path& path, const VkPhysicalDeviceProperties& properties, std::span<const std::byte> data);

} // namespace dl::gpu::vulkan
