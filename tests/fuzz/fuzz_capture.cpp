// tests/fuzz/fuzz_capture.cpp - hostile captures: the file reader, and behind the hash the events, streams and the replay
// through the validation device onto the null device.
#include "drawloom/gpu/capture.h"
#include "drawloom/gpu/null_device.h"
#include "drawloom/gpu/validation_device.h"
#include "tests/fuzz/fuzz_reached.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace dl::gpu;
    const auto* begin = reinterpret_cast<const std::byte*>(data);
    (void)decodeCapture({begin, size}, {.maxBytes = 1U << 20U}).has_value();
    dl::Result<Capture> capture = Capture::fromBody({begin, begin + size});
    if (!capture)
        return 0;
    NullDeviceSettings settings;
    settings.limits.maxBufferBytes = 1U << 20U;
    settings.limits.maxTextureSize = 256;
    settings.limits.maxTextureLayers = 12;
    const auto device = createNullDevice(settings);
    ValidationSettings validation;
    validation.handler = [](const ValidationMessage&) {};
    const auto checked = createValidationDevice(*device, validation);
    if (replayCapture(*capture, *checked))
        DL_FUZZ_REACHED("replayed");
    return 0;
}
