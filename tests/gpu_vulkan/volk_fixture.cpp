// tests/gpu_vulkan/volk_fixture.cpp - the adoption tests are an engine with a volk of its own, beside the backend's.
#define VOLK_IMPLEMENTATION
#include <volk.h>
