// drawloom/core/hash.h - content hashes (xxHash, XXH3 64 bit): stable across machines and runs, not for adversaries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

namespace dl
{

std::uint64_t hashBytes(std::span<const std::byte> bytes, std::uint64_t seed = 0);
std::uint64_t hashString(std::string_view text, std::uint64_t seed = 0);

/// Order-dependent: hashCombine(a, b) != hashCombine(b, a).
std::uint64_t hashCombine(std::uint64_t a, std::uint64_t b);

/// Hash of a value without padding (asserted at compile time).
template <class T> std::uint64_t hashValue(const T& value, std::uint64_t seed = 0)
{
    static_assert(std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T>,
        "hash field by field: this type has padding or several representations of one value");
    return hashBytes(std::as_bytes(std::span<const T, 1>(&value, 1)), seed);
}

} // namespace dl
