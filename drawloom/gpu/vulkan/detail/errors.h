// drawloom/gpu/vulkan/detail/errors.h - VkResult as an Error with words.
#pragma once

#include "drawloom/core/result.h"

#include <volk.h>

#include <string_view>

namespace dl::gpu::vulkan
{

std::string_view toString(VkResult result);
/// `subject` says what was tried: `create buffer "instances" of 65536 bytes`.
Error makeError(VkResult result, std::string_view subject);

} // namespace dl::gpu::vulkan
