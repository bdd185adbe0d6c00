// tests/resource/random_numbers.h - seeded 32-bit random numbers for property tests.
#pragma once

#include <cstdint>
#include <random>

namespace dl
{
struct Random
{
    explicit Random(std::uint32_t seed) : engine(seed) {}
    std::uint32_t operator()() { return static_cast<std::uint32_t>(engine()); }
    std::mt19937 engine;
};
} // namespace dl
