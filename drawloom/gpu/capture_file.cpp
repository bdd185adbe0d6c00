// drawloom/gpu/capture_file.cpp - captures as files: header, hash, zstd frame; everything checked before it is used.
#include "drawloom/core/file_read.h"
#include "drawloom/core/hash.h"
#include "drawloom/gpu/capture.h"
#include "drawloom/gpu/command_stream.h"
#include "drawloom/gpu/detail/capture_events.h"
#include "drawloom/gpu/detail/text.h"

#include <cstdio>
#include <cstring>
#include <zstd.h>

namespace dl::gpu
{
namespace
{

constexpr char kMagic[8] = {'D', 'L', 'C', 'A', 'P', 'T', 'U', 'R'};
constexpr std::uint32_t kVersion = 1;
constexpr int kCompressionLevel = 3;

struct FileHeader
{
    char magic[8];
    std::uint32_t version;
    std::uint32_t reserved;
    std::uint64_t bodyBytes; // unpacked
    std::uint64_t bodyHash;
};
static_assert(sizeof(FileHeader) == 32);

Error damaged(const char* what)
{
    return {ErrorCode::BadFile, std::string("capture: ") + what};
}

/// Checks streams and counts.
class SummarySink final : public CaptureSink
{
public:
    CaptureSummary summary;

    Result<void> create(CapturedObject&) override
    {
        ++summary.objectCount;
        return {};
    }
    Result<void> bufferContent(const CapturedContent& content) override { return count(content); }
    Result<void> textureContent(const CapturedContent& content) override { return count(content); }
    Result<void> destroy(ObjectKind, std::uint32_t, std::uint32_t) override { return {}; }
    Result<void> submit(std::span<const std::byte> stream) override
    {
        ++summary.streamCount;
        CommandReader reader(stream);
        while (!reader.isAtEnd())
            DL_TRY(reader.next());
        return {};
    }

private:
    Result<void> count(const CapturedContent& content)
    {
        summary.contentBytes += content.bytes.size();
        summary.gpuContentCount += content.isGpuWritten ? 1 : 0;
        return {};
    }
};

struct FileCloser
{
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

} // namespace

Result<Capture> Capture::fromBody(std::vector<std::byte> body)
{
    SummarySink sink;
    DL_TRY(readEvents(body, sink));
    Capture capture;
    capture.m_body = std::move(body);
    capture.m_summary = sink.summary;
    return capture;
}

std::vector<std::byte> encodeCapture(const Capture& capture)
{
    const std::span<const std::byte> body = capture.body();
    FileHeader header{};
    std::memcpy(header.magic, kMagic, sizeof(kMagic));
    header.version = kVersion;
    header.bodyBytes = body.size();
    header.bodyHash = hashBytes(body);
    std::vector<std::byte> file(sizeof(header) + ZSTD_compressBound(body.size()));
    std::memcpy(file.data(), &header, sizeof(header));
    const std::size_t packed =
        ZSTD_compress(file.data() + sizeof(header), file.size() - sizeof(header), body.data(), body.size(), kCompressionLevel);
    DL_ASSERT(ZSTD_isError(packed) == 0, "zstd failed with a buffer of its own bound");
    file.resize(sizeof(header) + packed);
    return file;
}

Result<Capture> decodeCapture(std::span<const std::byte> file, const CaptureLoadSettings& settings)
{
    FileHeader header;
    if (file.size() < sizeof(header))
        return damaged("shorter than its header");
    std::memcpy(&header, file.data(), sizeof(header));
    if (std::memcmp(header.magic, kMagic, sizeof(kMagic)) != 0)
        return damaged("not a capture file");
    if (header.version != kVersion || header.reserved != 0)
        return Error{ErrorCode::Unsupported, formatText("capture: version %u, this build reads %u", header.version, kVersion)};
    if (header.bodyBytes > settings.maxBytes)
        return Error{ErrorCode::OutOfBudget,
            formatText("capture: %llu bytes unpacked, the limit is %llu: raise CaptureLoadSettings::maxBytes",
                static_cast<unsigned long long>(header.bodyBytes), static_cast<unsigned long long>(settings.maxBytes))};
    const std::span<const std::byte> packed = file.subspan(sizeof(header));
    if (ZSTD_getFrameContentSize(packed.data(), packed.size()) != header.bodyBytes)
        return damaged("its packed data does not have the size that the header tells");
    std::vector<std::byte> body(static_cast<std::size_t>(header.bodyBytes));
    const std::size_t unpacked = ZSTD_decompress(body.data(), body.size(), packed.data(), packed.size());
    if (ZSTD_isError(unpacked) != 0 || unpacked != body.size())
        return damaged("its packed data is damaged");
    if (hashBytes(body) != header.bodyHash)
        return damaged("its content does not match its hash");
    return Capture::fromBody(std::move(body));
}

Result<void> saveCapture(const Capture& capture, const std::string& path)
{
    const std::vector<std::byte> bytes = encodeCapture(capture);
    File file(std::fopen(path.c_str(), "wb"));
    if (!file)
        return Error{ErrorCode::Io, "can not write \"" + path + "\""};
    const bool isWritten = std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
    if (std::fclose(file.release()) != 0 || !isWritten)
        return Error{ErrorCode::Io, "writing \"" + path + "\" failed: is the disk full?"};
    return {};
}

Result<Capture> loadCapture(const std::string& path, const CaptureLoadSettings& settings)
{
    DL_TRY_ASSIGN(const ByteBuffer bytes, readFile(path, {.maxBytes = settings.maxBytes, .limitName = "maxBytes"}));
    Result<Capture> capture = decodeCapture(bytes, settings);
    if (!capture)
        return withContext(std::move(capture).error(), "while reading \"" + path + "\"");
    return capture;
}

} // namespace dl::gpu
