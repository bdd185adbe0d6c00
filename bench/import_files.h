// bench/import_files.h - generated glTF files of a wanted size for bench_import: one that is JSON almost alone, one that is
// geometry almost alone. The same bytes for the same size.
#pragma once

#include <cstddef>
#include <filesystem>

namespace dl::bench
{

/// Nodes with names, transforms and parents, materials, meshes and accessors; 36 bytes of geometry that all meshes share.
void writeJsonHeavy(const std::filesystem::path& path, std::size_t bytes);
/// .glb: grids of 65,536 vertices with positions, normals, UVs and 32-bit indices, a mesh and a node each.
void writeBinaryHeavy(const std::filesystem::path& path, std::size_t bytes);

/// The most memory that this program has held since it was started, 10^6 bytes (Linux: VmHWM; what the process was before exec
/// does not count, as it does in rusage).
double peakMb();

} // namespace dl::bench
