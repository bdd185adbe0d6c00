#include "tests/render/driver_fixture.h"

#include <utility>

namespace dl
{

void DriverTest::SetUp()
{
    Result<std::unique_ptr<gpu::Device>> made = gpu::createVulkanDevice({.driverNamePart = GetParam(),
        .enableKhronosValidation = true,
        .onMessage = [](const gpu::VulkanMessage& message) { ADD_FAILURE() << "Khronos validation: " << message.text; }});
    if (!made)
        GTEST_SKIP() << made.error().message;
    m_vulkan = std::move(*made);
    m_device = gpu::createValidationDevice(
        *m_vulkan, {.handler = [](const gpu::ValidationMessage& message) { ADD_FAILURE() << "validation: " << message.text; }});
}

} // namespace dl
