// tests/scenes/random.h - a small seeded generator (SplitMix64), the same on every machine. For the scene generators.
#pragma once

#include "drawloom/core/maths.h"

#include <cstdint>

namespace dl::scenes
{

class Random
{
public:
    explicit Random(std::uint64_t seed) : m_state(seed) {}

    std::uint64_t next()
    {
        m_state += 0x9e3779b97f4a7c15ULL;
        std::uint64_t z = m_state;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31U);
    }
    /// [0, 1)
    float unit() { return static_cast<float>(next() >> 40U) * (1.0f / 16777216.0f); }
    float range(float low, float high) { return low + (high - low) * unit(); }
    /// [0, count)
    std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>((next() >> 32U) * count >> 32U); }

private:
    std::uint64_t m_state;
};

} // namespace dl::scenes
