// drawloom/gpu/vulkan/detail/pipeline_cache_file.cpp - see the header.
#include "drawloom/gpu/vulkan/detail/pipeline_cache_file.h"

#include "drawloom/core/file_read.h"
#include "drawloom/core/file_write.h"
#include "drawloom/core/hash.h"

#include <cstdio>
#include <cstring>
#include <vector>

namespace dl::gpu::vulkan
{
namespace
{

struct Header
{
    char magic[8] = {'D', 'L', 'P', 'I', 'P', 'E', '0', '1'};
    std::uint32_t vendor = 0, device = 0, driverVersion = 0, reserved = 0;
    std::uint8_t uuid[VK_UUID_SIZE] = {};
    std::uint64_t dataBytes = 0, dataHash = 0;
};
static_assert(sizeof(Header) == 56);

Header headerOf(const VkPhysicalDeviceProperties& properties, std::span<const std::byte> data)
{
    Header header;
    header.vendor = properties.vendorID;
    header.device = properties.deviceID;
    header.driverVersion = properties.driverVersion;
    std::memcpy(header.uuid, properties.pipelineCacheUUID, VK_UUID_SIZE);
    header.dataBytes = data.size();
    header.dataHash = hashBytes(data);
    return header;
}

Error bad(const std::filesystem::path& path, const char* why)
{
    return {ErrorCode::BadFile, "pipeline cache \"" + path.string() + "\" " + why};
}

} // namespace

std::filesystem::path pipelineCachePath(const std::filesystem::path& folder, const VkPhysicalDeviceProperties& properties)
{
    char name[96];
    int length = std::snprintf(name, sizeof(name), "%08x-%08x-%08x-", properties.vendorID, properties.deviceID, properties.driverVersion);
    for (const std::uint8_t byte : properties.pipelineCacheUUID)
        length += std::snprintf(name + length, sizeof(name) - static_cast<std::size_t>(length), "%02x", byte);
    return folder / (std::string(name) + ".dlpipelines");
}

Result<ByteBuffer> readPipelineCache(const std::filesystem::path& path, const VkPhysicalDeviceProperties& properties)
{
    DL_TRY_ASSIGN(const ByteBuffer file, readFile(path, kMaxPipelineCacheBytes + sizeof(Header)));
    if (file.size() < sizeof(Header))
        return bad(path, "is torn: it is shorter than its header");
    const std::span<const std::byte> data(file.data() + sizeof(Header), file.size() - sizeof(Header));
    Header found, wanted = headerOf(properties, data);
    std::memcpy(&found, file.data(), sizeof(Header));
    if (std::memcmp(found.magic, wanted.magic, sizeof(found.magic)) != 0)
        return bad(path, "is no pipeline cache of this version");
    if (std::memcmp(&found, &wanted, offsetof(Header, dataBytes)) != 0)
        return bad(path, "belongs to another driver");
    if (found.dataBytes != wanted.dataBytes)
        return bad(path, "is torn: it does not hold what its header says");
    if (found.dataHash != wanted.dataHash)
        return bad(path, "was changed: its hash differs");
    ByteBuffer result(data.size());
    std::memcpy(result.data(), data.data(), data.size());
    return result;
}

Result<void> writePipelineCache(
    const std::filesystem::path& path, const VkPhysicalDeviceProperties& properties, std::span<const std::byte> data)
{
    if (data.size() > kMaxPipelineCacheBytes)
        return Error{ErrorCode::OutOfBudget, "pipeline cache \"" + path.string() + "\" would be larger than 256 MiB"};
    std::error_code code;
    std::filesystem::create_directories(path.parent_path(), code);
    if (code)
        return Error{ErrorCode::Io, "can not make the folder \"" + path.parent_path().string() + "\": " + code.message()};
    if (std::filesystem::exists(path, code) && !std::filesystem::is_regular_file(path, code)) // a pipe would block
        return bad(path, "is no regular file");
    const Header header = headerOf(properties, data);
    std::vector<std::byte> file(sizeof(Header) + data.size());
    std::memcpy(file.data(), &header, sizeof(Header));
    if (!data.empty())
        std::memcpy(file.data() + sizeof(Header), data.data(), data.size());
    return writeFile(path, file);
}

} // namespace dl::gpu::vulkan
