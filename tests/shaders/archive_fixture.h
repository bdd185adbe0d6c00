// tests/shaders/archive_fixture.h - writes small shader archives, right or wrong in a chosen place. An own writer: what the
// composer's one gets wrong must not go unseen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dl::test
{

struct EntrySpec
{
    std::string name;
    std::vector<std::uint32_t> spirv = {0x07230203, 0x00010300, 0, 1, 0};
    std::string wgsl = "fn vs_main() {}";
    std::vector<std::uint32_t> inputLocations;                     // each a float vec3
    std::vector<std::pair<std::uint32_t, std::uint32_t>> bindings; // (group, binding), uniform buffers of the vertex stage
    std::uint32_t stages = 1;
};

/// Words 16.. of the file are what the checksum covers; the result is 4-byte aligned (std::vector of words).
std::vector<std::uint32_t> makeArchive(std::span<const EntrySpec> entries);
/// Puts size and checksum right again after a change.
void sealArchive(std::vector<std::uint32_t>& words);
std::uint32_t checksumOf(std::span<const std::byte> bytes);

} // namespace dl::test
