// Reader of shader archives. A file is hostile until its checksum and every offset, count and code in it were checked.
#include "drawloom/gpu/shader_archive.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>

namespace dl::gpu
{

namespace
{

constexpr std::uint32_t kMagic = 0x41534C44; // "DLSA"
constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kHeaderBytes = 32, kChecksumStart = 16;
constexpr std::uint32_t kEntryBytes = 80, kVariableBytes = 16, kBindingBytes = 32;
constexpr std::uint32_t kMaxEntryCount = 4096, kMaxVariableCount = 32, kMaxBindingCount = 64, kMaxNameBytes = 256;
constexpr std::uint32_t kSpirvMagic = 0x07230203, kSpirvHeaderWords = 5;
constexpr std::uint32_t kMaxLocation = 31, kMaxGroup = 3, kMaxBinding = 1000;

// The file's codes are positions in these tables, so that the enums may be reordered.
constexpr BindingType kBindingTypes[] = {BindingType::UniformBuffer, BindingType::ReadOnlyStorageBuffer, BindingType::StorageBuffer,
    BindingType::SampledTexture, BindingType::UnfilterableTexture, BindingType::UintTexture, BindingType::DepthTexture,
    BindingType::StorageTexture, BindingType::FilteringSampler, BindingType::ComparisonSampler};
constexpr TextureDimension kDimensions[] = {TextureDimension::D2, TextureDimension::D2Array, TextureDimension::Cube, TextureDimension::D3};
constexpr Format kStorageFormats[] = {Format::None, Format::RGBA8Unorm, Format::RGBA8Snorm, Format::RGBA8Uint, Format::RGBA16Uint,
    Format::RGBA16Float, Format::R32Uint, Format::R32Float, Format::RG32Uint, Format::RG32Float, Format::RGBA32Uint, Format::RGBA32Float};
constexpr ScalarKind kScalarKinds[] = {ScalarKind::Float, ScalarKind::Sint, ScalarKind::Uint};

constexpr std::array<std::uint32_t, 256> makeCrcTable()
{
    std::array<std::uint32_t, 256> table = {};
    for (std::uint32_t i = 0; i < 256; ++i)
    {
        std::uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit)
            value = (value >> 1U) ^ ((value & 1U) != 0 ? 0xEDB88320U : 0U);
        table[i] = value;
    }
    return table;
}
constexpr std::array<std::uint32_t, 256> kCrcTable = makeCrcTable();

// CRC-32 as in zlib: also at hand in node and in a page, unlike XXH3.
std::uint32_t crc32(std::span<const std::byte> bytes)
{
    std::uint32_t crc = 0xFFFFFFFFU;
    for (std::byte byte : bytes)
        crc = (crc >> 8U) ^ kCrcTable[(crc ^ static_cast<std::uint32_t>(byte)) & 0xFFU];
    return ~crc;
}

Error badFile(std::string what)
{
    return {ErrorCode::BadFile, "shader archive: " + std::move(what)};
}

// Reads checked pieces of the file. Callers pass absolute offsets as the file states them.
class Reader
{
public:
    explicit Reader(std::span<const std::byte> bytes) : m_bytes(bytes) {}

    bool holds(std::uint64_t offset, std::uint64_t byteCount) const
    {
        return offset <= m_bytes.size() && byteCount <= m_bytes.size() - offset;
    }
    /// The caller has checked holds().
    std::uint32_t word(std::size_t offset) const
    {
        std::uint32_t value = 0;
        std::memcpy(&value, m_bytes.data() + offset, sizeof(value));
        return value;
    }
    std::uint32_t word(std::uint32_t record, std::uint32_t index) const { return word(record + std::size_t{4} * index); }

    Result<std::string_view> text(std::uint32_t offset, std::uint32_t byteCount, const char* what) const
    {
        if (!holds(offset, byteCount))
            return badFile(std::string(what) + " lies outside the file");
        return std::string_view(reinterpret_cast<const char*>(m_bytes.data()) + offset, byteCount);
    }
    Result<std::string_view> name(std::uint32_t offset, std::uint32_t byteCount) const
    {
        if (byteCount == 0 || byteCount > kMaxNameBytes)
            return badFile("a name of " + std::to_string(byteCount) + " bytes (1 to " + std::to_string(kMaxNameBytes) + " are allowed)");
        return text(offset, byteCount, "a name");
    }
    Result<std::span<const std::uint32_t>> words(std::uint32_t offset, std::uint32_t wordCount) const
    {
        if (offset % 4 != 0 || !holds(offset, std::uint64_t{wordCount} * 4))
            return badFile("SPIR-V lies outside the file or is not aligned");
        return std::span(reinterpret_cast<const std::uint32_t*>(m_bytes.data() + offset), wordCount);
    }
    /// Checks a table of records; the error names it.
    Result<void> table(std::uint32_t offset, std::uint32_t count, std::uint32_t recordBytes, std::uint32_t maxCount, const char* what) const
    {
        if (count > maxCount)
            return badFile(std::to_string(count) + " " + what + " are stated, " + std::to_string(maxCount) + " are the most");
        if (!holds(offset, std::uint64_t{count} * recordBytes))
            return badFile(std::string("the table of ") + what + " lies outside the file");
        return {};
    }

private:
    std::span<const std::byte> m_bytes;
};

Result<std::vector<ShaderVariable>> readVariables(const Reader& reader, std::uint32_t offset, std::uint32_t count)
{
    DL_TRY(reader.table(offset, count, kVariableBytes, kMaxVariableCount, "shader variables"));
    std::vector<ShaderVariable> variables(count);
    for (std::uint32_t i = 0; i < count; ++i)
    {
        const std::uint32_t record = offset + i * kVariableBytes;
        const std::uint32_t location = reader.word(record, 0), kind = reader.word(record, 1) & 0xFFU,
                            components = reader.word(record, 1) >> 8U;
        if (location > kMaxLocation || kind >= std::size(kScalarKinds) || components < 1 || components > 4)
            return badFile("a shader variable with location " + std::to_string(location) + ", kind " + std::to_string(kind) + ", " +
                           std::to_string(components) + " components");
        if (i > 0 && location <= variables[i - 1].location)
            return badFile("shader variables are not in the order of their locations");
        DL_TRY_ASSIGN(const std::string_view name, reader.name(reader.word(record, 2), reader.word(record, 3)));
        variables[i] = {location, kScalarKinds[kind], static_cast<std::uint8_t>(components), name};
    }
    return variables;
}

Result<ShaderBinding> readBinding(const Reader& reader, std::uint32_t record)
{
    const std::uint32_t group = reader.word(record, 0), binding = reader.word(record, 1), type = reader.word(record, 2),
                        stages = reader.word(record, 3), dimension = reader.word(record, 4), format = reader.word(record, 5);
    if (group > kMaxGroup || binding > kMaxBinding)
        return badFile("binding " + std::to_string(binding) + " of group " + std::to_string(group) + " is out of range");
    if (type >= std::size(kBindingTypes) || dimension >= std::size(kDimensions) || format >= std::size(kStorageFormats) || stages == 0 ||
        stages > 7)
        return badFile(
            "binding " + std::to_string(binding) + " of group " + std::to_string(group) + " has an unknown type, stage or format");
    DL_TRY_ASSIGN(const std::string_view name, reader.name(reader.word(record, 6), reader.word(record, 7)));
    return ShaderBinding{group, binding, kBindingTypes[type], kDimensions[dimension], kStorageFormats[format], ShaderStages(stages), name};
}

Result<std::vector<ShaderBinding>> readBindings(const Reader& reader, std::uint32_t offset, std::uint32_t count)
{
    DL_TRY(reader.table(offset, count, kBindingBytes, kMaxBindingCount, "bindings"));
    std::vector<ShaderBinding> bindings;
    bindings.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i)
    {
        DL_TRY_ASSIGN(const ShaderBinding binding, readBinding(reader, offset + i * kBindingBytes));
        if (i > 0 && std::pair(binding.group, binding.binding) <= std::pair(bindings.back().group, bindings.back().binding))
            return badFile("bindings are not in order");
        bindings.push_back(binding);
    }
    return bindings;
}

// Words of an entry: 0 name (offset, bytes), 2 SPIR-V (offset, words), 4 WGSL (offset, bytes), 6 vertex inputs (offset,
// count), 8 fragment outputs, 10 bindings, 12 stages, 13 workgroup size (3), 16 hash (low, high), 18 zero (2).
Result<ShaderEntry> readEntry(const Reader& reader, std::uint32_t record)
{
    ShaderEntry entry;
    DL_TRY_ASSIGN(entry.name, reader.name(reader.word(record, 0), reader.word(record, 1)));
    DL_TRY_ASSIGN(entry.spirv, reader.words(reader.word(record, 2), reader.word(record, 3)));
    if (entry.spirv.size() < kSpirvHeaderWords || entry.spirv[0] != kSpirvMagic)
        return badFile("entry \"" + std::string(entry.name) + "\" holds no SPIR-V");
    DL_TRY_ASSIGN(entry.wgsl, reader.text(reader.word(record, 4), reader.word(record, 5), "WGSL"));
    DL_TRY_ASSIGN(entry.vertexInputs, readVariables(reader, reader.word(record, 6), reader.word(record, 7)));
    DL_TRY_ASSIGN(entry.fragmentOutputs, readVariables(reader, reader.word(record, 8), reader.word(record, 9)));
    DL_TRY_ASSIGN(entry.bindings, readBindings(reader, reader.word(record, 10), reader.word(record, 11)));
    const std::uint32_t stages = reader.word(record, 12);
    if (stages == 0 || stages > 7)
        return badFile("entry \"" + std::string(entry.name) + "\" has stages " + std::to_string(stages));
    entry.hasVertex = ShaderStages(stages).contains(ShaderStage::Vertex);
    entry.hasFragment = ShaderStages(stages).contains(ShaderStage::Fragment);
    entry.hasCompute = ShaderStages(stages).contains(ShaderStage::Compute);
    for (std::uint32_t i = 0; i < 3; ++i)
        entry.workgroupSize[i] = reader.word(record, 13 + i);
    entry.hash = reader.word(record, 16) | std::uint64_t{reader.word(record, 17)} << 32U;
    return entry;
}

Result<void> checkHeader(const Reader& reader, std::span<const std::byte> bytes)
{
    if (bytes.size() < kHeaderBytes)
        return badFile(std::to_string(bytes.size()) + " bytes are too short for a header");
    if (reader.word(0) != kMagic)
        return badFile("this is not one (wrong first bytes)");
    if (reader.word(4) != kVersion)
        return badFile("version " + std::to_string(reader.word(4)) + ", this build reads " + std::to_string(kVersion) +
                       "; rebuild it with the scripts/shaders of this version");
    if (reader.word(8) != bytes.size())
        return badFile(std::to_string(reader.word(8)) + " bytes are stated, " + std::to_string(bytes.size()) + " are there");
    if (reader.word(12) != crc32(bytes.subspan(kChecksumStart)))
        return badFile("the checksum does not match: the file is damaged");
    return {};
}

} // namespace

Result<ShaderArchive> ShaderArchive::open(std::span<const std::byte> bytes)
{
    if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(std::uint32_t) != 0)
        return Error{ErrorCode::InvalidArgument, "shader archive: the bytes must start at a multiple of 4"};
    const Reader reader(bytes);
    DL_TRY(checkHeader(reader, bytes));
    const std::uint32_t count = reader.word(16), first = reader.word(20);
    DL_TRY(reader.table(first, count, kEntryBytes, kMaxEntryCount, "entries"));
    ShaderArchive archive;
    archive.m_entries.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i)
    {
        DL_TRY_ASSIGN(ShaderEntry entry, readEntry(reader, first + i * kEntryBytes));
        if (i > 0 && entry.name <= archive.m_entries.back().name)
            return badFile("entry \"" + std::string(entry.name) + "\" is not in the order of names");
        archive.m_entries.push_back(std::move(entry));
    }
    return archive;
}

const ShaderEntry* ShaderArchive::find(std::string_view name) const
{
    const auto found = std::lower_bound(
        m_entries.begin(), m_entries.end(), name, [](const ShaderEntry& entry, std::string_view wanted) { return entry.name < wanted; });
    return found != m_entries.end() && found->name == name ? &*found : nullptr;
}

} // namespace dl::gpu
