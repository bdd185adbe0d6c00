// drawloom/gpu/vulkan/detail/vma.cpp - Vulkan Memory Allocator's implementation, compiled once.
#define VMA_IMPLEMENTATION
#include "drawloom/gpu/vulkan/detail/vma.h"
