// tests/fuzz/fuzz_glb.h - a .glb from JSON and a binary chunk, and a reader of a fuzzer's first bytes, for fuzzers that fix
// the file's frame to come to what lies behind it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dl::fuzz
{

/// Takes bytes from the front; zeros behind the end.
class Choices
{
public:
    explicit Choices(std::span<const std::uint8_t> bytes) : m_bytes(bytes) {}
    std::uint8_t byte()
    {
        if (m_bytes.empty())
            return 0;
        const std::uint8_t value = m_bytes.front();
        m_bytes = m_bytes.subspan(1);
        return value;
    }
    /// Small mostly; every eighth is 16 to 40 bits wide.
    std::uint64_t count()
    {
        const std::uint8_t kind = byte();
        std::uint64_t value = byte();
        for (int i = 0; kind % 8 == 7 && i < 1 + kind / 64; ++i)
            value = value << 8U | byte();
        return value;
    }
    std::span<const std::uint8_t> rest() const { return m_bytes; }

private:
    std::span<const std::uint8_t> m_bytes;
};

inline std::vector<std::byte> makeGlb(std::string json, std::span<const std::uint8_t> bin)
{
    std::vector<std::byte> out;
    const auto word = [&out](std::size_t value)
    {
        for (unsigned shift = 0; shift < 32; shift += 8)
            out.push_back(static_cast<std::byte>(value >> shift & 255U));
    };
    json.resize((json.size() + 3) / 4 * 4, ' ');
    const std::size_t binBytes = (bin.size() + 3) / 4 * 4;
    word(0x46546c67U);
    word(2);
    word(12 + 8 + json.size() + 8 + binBytes);
    word(json.size());
    word(0x4e4f534aU);
    for (const char c : json)
        out.push_back(static_cast<std::byte>(c));
    word(binBytes);
    word(0x004e4942U);
    for (const std::uint8_t value : bin)
        out.push_back(static_cast<std::byte>(value));
    out.resize(out.size() + binBytes - bin.size());
    return out;
}

} // namespace dl::fuzz
