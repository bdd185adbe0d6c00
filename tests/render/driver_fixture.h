// tests/render/driver_fixture.h - a software driver under our validation and Khronos's; every message of either fails the test.
// Base of the test classes that draw. The parameter is a part of the driver's name; a driver that is absent skips the test.
#pragma once

#include "drawloom/gpu/validation_device.h"
#include "drawloom/gpu/vulkan/vulkan_device.h"

#include <gtest/gtest.h>

#include <memory>

namespace dl
{

class DriverTest : public testing::TestWithParam<const char*>
{
protected:
    /// A SetUp that does more calls this one first and returns if IsSkipped().
    void SetUp() override;

    std::unique_ptr<gpu::Device> m_vulkan;
    std::unique_ptr<gpu::ValidationDevice> m_device;
};

} // namespace dl
