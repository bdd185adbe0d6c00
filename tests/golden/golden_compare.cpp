// golden_compare: FLIP between the pictures of two drivers, one line a scene; how far a GPU is from the software drivers.
// usage: golden_compare DRIVER_A DRIVER_B      run in the repository's root; pictures made by golden_update
#include "drawloom/asset/image_decode.h"
#include "tests/golden/golden_scene.h"

#include <cstdio>
#include <fstream>
#include <iterator>

namespace
{

dl::Result<dl::Image> readPicture(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    return dl::decodeImage(std::as_bytes(std::span(bytes)), path);
}

} // namespace

int main(int argc, char** argv)
{
    using namespace dl;
    if (argc != 3)
    {
        std::fprintf(stderr, "usage: golden_compare DRIVER_A DRIVER_B\n");
        return 2;
    }
    int comparedCount = 0;
    for (const golden::GoldenScene& scene : golden::goldenScenes())
    {
        const Result<Image> a = readPicture(golden::goldenPath(argv[1], scene.name));
        const Result<Image> b = readPicture(golden::goldenPath(argv[2], scene.name));
        if (!a || !b)
            continue;
        const Result<golden::GoldenVerdict> verdict = golden::compareWithGolden(*a, *b);
        std::printf("%-24s %s\n", scene.name.c_str(), verdict ? verdict->text.c_str() : verdict.error().message.c_str());
        ++comparedCount;
    }
    return comparedCount > 0 ? 0 : 1;
}
