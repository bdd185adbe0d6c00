// tests/fuzz/write_seeds.cpp - writes seeds that only code can make, each into a folder of its fuzzer's name: for fuzz_capture
// the body of a captured frame of tests/gpu's small world, as today's code records it. usage: fuzz_write_seeds FOLDER
#include "tests/fuzz/write_seeds.h"
#include "drawloom/gpu/capture.h"
#include "tests/gpu/gpu_world.h"

#include <cstdio>
#include <fstream>
#include <string>

int main(int argc, char** argv)
{
    using namespace dl::gpu;
    if (argc != 2)
    {
        std::fputs("usage: fuzz_write_seeds FOLDER\n", stderr);
        return 2;
    }
    const auto null = createNullDevice();
    const auto device = createCaptureDevice(*null);
    GpuWorld world;
    world.create(*device);
    device->beginCapture();
    CommandStream stream;
    world.frame(stream);
    const bool isSubmitted = device->submit(stream.bytes()).has_value();
    const dl::Result<Capture> capture = device->endCapture();
    if (!isSubmitted || !capture)
    {
        std::fputs("fuzz_write_seeds: the world's frame was refused\n", stderr);
        return 1;
    }
    const std::filesystem::path folder = argv[1];
    std::filesystem::create_directories(folder / "fuzz_capture");
    std::ofstream file(folder / "fuzz_capture/frame.capture_body", std::ios::binary);
    file.write(reinterpret_cast<const char*>(capture->body().data()), static_cast<std::streamsize>(capture->body().size()));
    std::ofstream packed(folder / "fuzz_capture/frame.capture", std::ios::binary);
    const std::vector<std::byte> bytes = encodeCapture(*capture);
    packed.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return file.flush() && packed.flush() && dl::fuzz::writeAssetSeeds(folder) ? 0 : 1;
}
