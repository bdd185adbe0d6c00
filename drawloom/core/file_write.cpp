#include "drawloom/core/file_write.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace dl
{
namespace
{

namespace fs = std::filesystem;

Error cannotWrite(const fs::path& path, int error)
{
    return {ErrorCode::Io, "cannot write \"" + path.string() + "\": " + std::strerror(error)};
}

/// 0, or the errno of what failed. Closes the file.
int writeTo(std::FILE* file, std::span<const std::byte> bytes)
{
    int error = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size() ? 0 : errno;
    if (std::fclose(file) != 0 && error == 0)
        error = errno;
    return error;
}

/// What a new file would get, or what the old one has.
mode_t modeFor(const fs::path& target)
{
    struct stat old = {};
    if (::stat(target.c_str(), &old) == 0)
        return old.st_mode & 0777U;
    const mode_t mask = ::umask(0); // can not be asked for otherwise
    ::umask(mask);
    return 0666U & ~mask;
}

} // namespace

Result<void> writeFile(const fs::path& path, std::span<const std::byte> bytes)
{
    std::error_code ignored;
    const fs::file_status status = fs::status(path, ignored);
    if (fs::exists(status) && !fs::is_regular_file(status)) // must not be renamed away
    {
        std::FILE* const file = std::fopen(path.c_str(), "wb");
        const int error = file != nullptr ? writeTo(file, bytes) : errno;
        return error == 0 ? Result<void>() : cannotWrite(path, error);
    }
    const fs::path target = fs::is_symlink(fs::symlink_status(path, ignored)) ? fs::weakly_canonical(path, ignored) : path;
    std::string temporary = target.string() + ".XXXXXX";
    const int descriptor = ::mkstemp(temporary.data()); // a new file: follows nothing that lies there
    if (descriptor < 0)
        return cannotWrite(path, errno);
    ::fchmod(descriptor, modeFor(target));
    std::FILE* const file = ::fdopen(descriptor, "wb");
    int error = file != nullptr ? writeTo(file, bytes) : errno;
    if (error == 0 && std::rename(temporary.c_str(), target.c_str()) != 0)
        error = errno;
    if (error == 0)
        return {};
    std::remove(temporary.c_str());
    return cannotWrite(path, error);
}

} // namespace dl
