// bench/import_peer.cpp - tinygltf on one file, for bench_import, which runs it as a process of its own: trusted files only
// (tinygltf 2.7 has memory errors on hostile ones). Prints the median of the runs in milliseconds
// and the most megabytes held. usage: import_peer FILE RUNS
#include "bench/import_files.h"

#include <tiny_gltf.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

int main(int argc, char** argv)
{
    if (argc != 3)
        return 2;
    const std::string file = argv[1];
    std::vector<double> times;
    for (int i = 0; i < std::atoi(argv[2]); ++i)
    {
        tinygltf::TinyGLTF loader;
        tinygltf::Model model;
        std::string error, warning;
        const auto begin = std::chrono::steady_clock::now();
        const bool isLoaded = file.ends_with(".glb") ? loader.LoadBinaryFromFile(&model, &error, &warning, file)
                                                     : loader.LoadASCIIFromFile(&model, &error, &warning, file);
        const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
        if (!isLoaded)
        {
            std::fprintf(stderr, "%s\n", error.c_str());
            return 1;
        }
        times.push_back(time.count());
    }
    std::sort(times.begin(), times.end());
    std::printf("%.3f %.3f\n", times[times.size() / 2], dl::bench::peakMb());
    return 0;
}
