#include "drawloom/core/file_read.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace dl
{
namespace
{

class Descriptor
{
public:
    explicit Descriptor(const char* path) : m_value(::open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {} // a pipe must not block
    ~Descriptor()
    {
        if (m_value >= 0)
            ::close(m_value);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int value() const { return m_value; }

private:
    int m_value;
};

} // namespace

Result<ByteBuffer> readFile(const std::filesystem::path& path, std::uint64_t maxBytes)
{
    const std::string name = "\"" + path.string() + "\"";
    const Descriptor file(path.c_str());
    if (file.value() < 0)
        return errno == ENOENT || errno == ENOTDIR ? Error{ErrorCode::NotFound, name + ": no such file"}
                                                   : Error{ErrorCode::Io, name + ": can not be opened: " + std::strerror(errno)};
    struct stat facts = {}; // of what was opened, whatever the name means by now
    if (::fstat(file.value(), &facts) != 0)
        return Error{ErrorCode::Io, name + ": " + std::strerror(errno)};
    if (!S_ISREG(facts.st_mode))
        return Error{ErrorCode::Io, name + ": not a regular file"};
    const auto size = static_cast<std::uint64_t>(facts.st_size);
    if (size > maxBytes)
        return Error{ErrorCode::OutOfBudget, name + ": " + std::to_string(size) + " bytes, past the limit of " + std::to_string(maxBytes)};
    ByteBuffer bytes(static_cast<std::size_t>(size));
    for (std::size_t done = 0; done < bytes.size();)
    {
        const ssize_t got = ::read(file.value(), bytes.data() + done, bytes.size() - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return Error{ErrorCode::Io, name + ": reading stopped before its end"};
        done += static_cast<std::size_t>(got);
    }
    return bytes;
}

} // namespace dl
