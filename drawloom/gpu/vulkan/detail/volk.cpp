// drawloom/gpu/vulkan/detail/volk.cpp - volk's implementation, compiled once.
#define VOLK_IMPLEMENTATION
#include <volk.h>
