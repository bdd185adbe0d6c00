// drawloom/gpu/vulkan/detail/vma.h - Vulkan Memory Allocator, loading its functions through the pointers it is given.
#pragma once

#include <volk.h>

#define VMA_STATIC_VULKAN_FUNCTIONS 0
#define VMA_DYNAMIC_VULKAN_FUNCTIONS 1
#define VMA_VULKAN_VERSION 1003000
#include <vk_mem_alloc.h>
