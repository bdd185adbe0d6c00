#include "drawloom/core/file_read.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace dl
{
namespace
{

constexpr std::size_t kFirstGrowthBytes = 1U << 16U;

class OpenFile
{
public:
    /// A regular file.
    static Result<OpenFile> open(const std::filesystem::path& path)
    {
        OpenFile file(path);
        if (file.m_descriptor < 0)
            return errno == ENOENT || errno == ENOTDIR ? Error{ErrorCode::NotFound, file.m_name + ": no such file"}
                                                       : Error{ErrorCode::Io, file.m_name + ": can not be opened: " + std::strerror(errno)};
        struct stat facts = {}; // of what was opened, whatever the name means by now
        if (::fstat(file.m_descriptor, &facts) != 0)
            return Error{ErrorCode::Io, file.m_name + ": " + std::strerror(errno)};
        if (!S_ISREG(facts.st_mode))
            return Error{ErrorCode::Io, file.m_name + ": not a regular file"};
        file.m_size = static_cast<std::uint64_t>(facts.st_size);
        return file;
    }
    OpenFile(OpenFile&& other) noexcept
        : m_name(std::move(other.m_name)), m_descriptor(std::exchange(other.m_descriptor, -1)), m_size(other.m_size)
    {
    }
    OpenFile& operator=(OpenFile&&) = delete;
    ~OpenFile()
    {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }

    std::uint64_t size() const { return m_size; }
    Error tooLong(std::string bytes, const FileReadSettings& settings) const
    {
        return {ErrorCode::OutOfBudget, m_name + ": " + std::move(bytes) + " bytes, past the limit of " +
                                            std::to_string(settings.maxBytes) +
                                            (settings.limitName != nullptr ? std::string("; raise ") + settings.limitName : "")};
    }
    Error endedEarly() const { return {ErrorCode::Io, m_name + ": reading stopped before its end"}; }
    /// Fills `out` as far as the file goes; says how far.
    Result<std::size_t> read(std::span<std::byte> out) const
    {
        std::size_t done = 0;
        while (done < out.size())
        {
            const ssize_t got = ::read(m_descriptor, out.data() + done, out.size() - done);
            if (got < 0 && errno == EINTR)
                continue;
            if (got < 0)
                return Error{ErrorCode::Io, m_name + ": reading failed: " + std::strerror(errno)};
            if (got == 0)
                break;
            done += static_cast<std::size_t>(got);
        }
        return done;
    }

private:
    explicit OpenFile(const std::filesystem::path& path)
        : m_name("\"" + path.string() + "\""),
          m_descriptor(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) // a pipe must not block
    {
    }

    std::string m_name;
    int m_descriptor;
    std::uint64_t m_size = 0;
};

/// A file whose size is known only when it has been read.
Result<ByteBuffer> readToEnd(const OpenFile& file, const FileReadSettings& settings)
{
    // One byte more than allowed shows that there are more.
    const std::uint64_t most = settings.firstBytes > settings.maxBytes ? settings.maxBytes + 1 : settings.firstBytes;
    std::vector<std::byte> bytes;
    for (bool isEnd = false; !isEnd;)
    {
        const std::uint64_t wanted = std::min<std::uint64_t>(std::max(bytes.size(), kFirstGrowthBytes), most - bytes.size());
        const std::size_t before = bytes.size();
        bytes.resize(before + static_cast<std::size_t>(wanted));
        DL_TRY_ASSIGN(const std::size_t got, file.read(std::span(bytes).subspan(before)));
        bytes.resize(before + got);
        isEnd = got < wanted || bytes.size() == most;
    }
    if (bytes.size() > settings.maxBytes)
        return file.tooLong("more than " + std::to_string(settings.maxBytes), settings);
    ByteBuffer out(bytes.size());
    std::copy(bytes.begin(), bytes.end(), out.begin());
    return out;
}

} // namespace

Result<ByteBuffer> readFile(const std::filesystem::path& path, const FileReadSettings& settings)
{
    DL_TRY_ASSIGN(const OpenFile file, OpenFile::open(path));
    if (file.size() == 0)
        return readToEnd(file, settings);
    const std::uint64_t wanted = std::min(file.size(), settings.firstBytes);
    if (wanted > settings.maxBytes)
        return file.tooLong(std::to_string(wanted), settings);
    ByteBuffer bytes(static_cast<std::size_t>(wanted));
    DL_TRY_ASSIGN(const std::size_t got, file.read(std::span(bytes.data(), bytes.size())));
    if (got != bytes.size())
        return file.endedEarly();
    return bytes;
}

Result<FileHead> readFileHead(const std::filesystem::path& path, std::span<std::byte> out)
{
    DL_TRY_ASSIGN(const OpenFile file, OpenFile::open(path));
    DL_TRY_ASSIGN(const std::size_t got, file.read(out));
    return FileHead{.readBytes = got, .fileBytes = file.size()};
}

} // namespace dl
