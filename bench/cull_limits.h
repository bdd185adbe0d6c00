// bench/cull_limits.h - what culling cannot beat on this machine: reading the objects, and the test's arithmetic on
// registers. Both in the instruction set that Highway is restricted to at the time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace dl::bench
{

/// Reads `arrays` of `count` floats, one after the other, into four accumulators. The result keeps the reads alive.
std::uint32_t readArrays(std::span<const float* const> arrays, std::size_t count);

/// The arithmetic of `count` objects against `planeCount` planes (of all views): widening, products, sums, compares; no
/// loads, no output. The limit is the faster of doing it for two and for four vectors at a time: call both.
std::uint32_t boxArithmetic(std::size_t count, std::size_t planeCount, bool isWide);
std::uint32_t sphereArithmetic(std::size_t count, std::size_t planeCount, bool isWide);

} // namespace dl::bench
