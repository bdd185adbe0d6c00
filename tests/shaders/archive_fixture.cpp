#include "tests/shaders/archive_fixture.h"

#include <cstring>

namespace dl::test
{

namespace
{

constexpr std::size_t kHeaderWords = 8, kEntryWords = 20;

std::uint32_t append(std::vector<std::uint32_t>& words, const void* data, std::size_t byteCount)
{
    const std::size_t first = words.size();
    words.resize(first + (byteCount + 3) / 4);
    if (byteCount != 0)
        std::memcpy(words.data() + first, data, byteCount);
    return static_cast<std::uint32_t>(first * 4);
}

void setPair(std::vector<std::uint32_t>& words, std::size_t at, std::uint32_t offset, std::size_t count)
{
    words[at] = offset;
    words[at + 1] = static_cast<std::uint32_t>(count);
}

} // namespace

std::uint32_t checksumOf(std::span<const std::byte> bytes)
{
    std::uint32_t crc = 0xFFFFFFFFU;
    for (std::byte byte : bytes)
    {
        crc ^= static_cast<std::uint32_t>(byte);
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
    }
    return ~crc;
}

void sealArchive(std::vector<std::uint32_t>& words)
{
    words[2] = static_cast<std::uint32_t>(words.size() * 4);
    words[3] = checksumOf(std::as_bytes(std::span(words)).subspan(16));
}

std::vector<std::uint32_t> makeArchive(std::span<const EntrySpec> entries)
{
    std::vector<std::uint32_t> words(kHeaderWords + kEntryWords * entries.size());
    words[0] = 0x41534C44;
    words[1] = 1;
    words[4] = static_cast<std::uint32_t>(entries.size());
    words[5] = kHeaderWords * 4;
    for (std::size_t i = 0; i < entries.size(); ++i)
    {
        const EntrySpec& spec = entries[i];
        const std::size_t at = kHeaderWords + kEntryWords * i;
        const std::uint32_t name = append(words, spec.name.data(), spec.name.size());
        setPair(words, at, name, spec.name.size());
        const std::uint32_t spirv = append(words, spec.spirv.data(), spec.spirv.size() * 4);
        setPair(words, at + 2, spirv, spec.spirv.size());
        const std::uint32_t wgsl = append(words, spec.wgsl.data(), spec.wgsl.size());
        setPair(words, at + 4, wgsl, spec.wgsl.size());
        std::vector<std::uint32_t> table;
        for (std::uint32_t location : spec.inputLocations)
            table.insert(table.end(), {location, 3U << 8U, name, static_cast<std::uint32_t>(spec.name.size())});
        const std::uint32_t inputs = append(words, table.data(), table.size() * 4);
        setPair(words, at + 6, inputs, spec.inputLocations.size());
        table.clear();
        for (const auto& [group, binding] : spec.bindings)
            table.insert(table.end(), {group, binding, 0, 1, 0, 0, name, static_cast<std::uint32_t>(spec.name.size())});
        const std::uint32_t bindings = append(words, table.data(), table.size() * 4);
        setPair(words, at + 10, bindings, spec.bindings.size());
        words[at + 12] = spec.stages;
    }
    sealArchive(words);
    return words;
}

} // namespace dl::test
