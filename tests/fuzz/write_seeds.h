// tests/fuzz/write_seeds.h - the seeds of fuzz_meshopt, fuzz_draco and fuzz_webp, in folders of their names. For write_seeds.cpp.
#pragma once

#include <filesystem>

namespace dl::fuzz
{

bool writeAssetSeeds(const std::filesystem::path& folder);

} // namespace dl::fuzz
