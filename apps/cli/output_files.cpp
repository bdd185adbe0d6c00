#include "apps/cli/output_files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace dl::cli
{

namespace
{

Error cannotWrite(const std::string& path, int error)
{
    return {ErrorCode::Io, "cannot write \"" + path + "\": " + std::strerror(error)};
}

/// 0, or the errno of what failed.
int writeTo(const std::string& path, std::span<const std::byte> bytes)
{
    errno = 0;
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr)
        return errno;
    int error = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size() ? 0 : errno;
    if (std::fclose(file) != 0 && error == 0)
        error = errno;
    return error;
}

} // namespace

Result<void> writeFile(const std::string& path, std::span<const std::byte> bytes)
{
    namespace fs = std::filesystem;
    std::error_code ignored;
    const fs::file_status status = fs::status(path, ignored);
    if (fs::exists(status) && !fs::is_regular_file(status)) // a device or a pipe must not be renamed away
    {
        if (const int error = writeTo(path, bytes); error != 0)
            return cannotWrite(path, error);
        return {};
    }
    const std::string target = fs::is_symlink(fs::symlink_status(path, ignored)) ? fs::weakly_canonical(path, ignored).string() : path;
    const std::string temporary = target + ".part";
    int error = writeTo(temporary, bytes);
    if (error == 0 && std::rename(temporary.c_str(), target.c_str()) != 0)
        error = errno;
    if (error == 0)
        return {};
    std::remove(temporary.c_str());
    return cannotWrite(path, error);
}

Result<void> writeFile(const std::string& path, std::string_view text)
{
    return writeFile(path, std::as_bytes(std::span(text.data(), text.size())));
}

Result<void> OutputFolder::create() const
{
    std::error_code error;
    std::filesystem::create_directories(m_path, error);
    if (error || !std::filesystem::is_directory(m_path, error))
        return Error{ErrorCode::Io,
            "cannot make the folder \"" + m_path + "\"" + (error ? ": " + error.message() : ": a file of that name is in the way")};
    return {};
}

} // namespace dl::cli
