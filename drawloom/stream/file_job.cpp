// makeFileJob: the load job that reads a range of a file, in pieces, so that a cancelled read ends soon.
#include "drawloom/stream/load_queue.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace dl
{

namespace
{
constexpr std::size_t kPieceBytes = std::size_t(1) << 20U;

class FileJob final : public LoadJob
{
public:
    FileJob(std::string path, std::uint64_t offset, std::uint64_t bytes, std::uint64_t maxBytes)
        : m_path(std::move(path)), m_offset(offset), m_bytes(bytes), m_maxBytes(maxBytes)
    {
    }

    Result<LoadedBytes> run(const CancelToken& cancel) override
    {
        std::FILE* file = std::fopen(m_path.c_str(), "rb");
        if (file == nullptr)
            return failed(std::string("can not be opened: ") + std::strerror(errno), ErrorCode::Io);
        Result<LoadedBytes> result = read(file, cancel);
        std::fclose(file);
        return result;
    }

private:
    Error failed(const std::string& what, ErrorCode code) const { return {code, "\"" + m_path + "\" " + what}; }

    Result<LoadedBytes> read(std::FILE* file, const CancelToken& cancel) const
    {
        if (std::fseek(file, 0, SEEK_END) != 0)
            return failed("can not be read at all", ErrorCode::Io);
        const long end = std::ftell(file);
        const std::uint64_t size = end < 0 ? 0 : static_cast<std::uint64_t>(end);
        if (m_offset > size || m_bytes > size - m_offset)
            return failed(
                "has " + std::to_string(size) + " bytes, " + std::to_string(m_bytes) + " were asked for at " + std::to_string(m_offset),
                ErrorCode::BadFile);
        const std::uint64_t wanted = m_bytes != 0 ? m_bytes : size - m_offset;
        if (wanted > m_maxBytes)
            return failed(
                "would take " + std::to_string(wanted) + " bytes, the limit is " + std::to_string(m_maxBytes), ErrorCode::OutOfBudget);
        if (std::fseek(file, static_cast<long>(m_offset), SEEK_SET) != 0)
            return failed("can not be read at " + std::to_string(m_offset), ErrorCode::Io);
        auto bytes = std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(wanted));
        for (std::size_t done = 0; done < bytes->size();)
        {
            if (cancel.isCancelled())
                return Error{ErrorCode::Cancelled, "reading \"" + m_path + "\" was cancelled"};
            const std::size_t piece = std::fread(bytes->data() + done, 1, std::min(kPieceBytes, bytes->size() - done), file);
            if (piece == 0)
                return failed("ended after " + std::to_string(done) + " of " + std::to_string(wanted) + " bytes", ErrorCode::Io);
            done += piece;
        }
        return LoadedBytes(std::move(bytes));
    }

    std::string m_path;
    std::uint64_t m_offset, m_bytes, m_maxBytes;
};
} // namespace

std::unique_ptr<LoadJob> makeFileJob(std::string path, std::uint64_t offset, std::uint64_t bytes, std::uint64_t maxBytes)
{
    return std::make_unique<FileJob>(std::move(path), offset, bytes, maxBytes);
}

} // namespace dl
