#include "drawloom/core/hash.h"

#include <xxhash.h>

namespace dl
{

std::uint64_t hashBytes(std::span<const std::byte> bytes, std::uint64_t seed)
{
    return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

std::uint64_t hashString(std::string_view text, std::uint64_t seed)
{
    return XXH3_64bits_withSeed(text.data(), text.size(), seed);
}

std::uint64_t hashCombine(std::uint64_t a, std::uint64_t b)
{
    const std::uint64_t both[2] = {a, b};
    return XXH3_64bits(both, sizeof(both));
}

} // namespace dl
