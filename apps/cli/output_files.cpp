#include "apps/cli/output_files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace dl::cli
{

Result<void> writeFile(const std::string& path, std::span<const std::byte> bytes)
{
    const std::string temporary = path + ".part";
    std::FILE* file = std::fopen(temporary.c_str(), "wb");
    if (file == nullptr)
        return Error{ErrorCode::Io, "cannot write \"" + path + "\": " + std::strerror(errno)};
    const bool isWritten = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
    const bool isClosed = std::fclose(file) == 0;
    if (!isWritten || !isClosed || std::rename(temporary.c_str(), path.c_str()) != 0)
    {
        const std::string reason = std::strerror(errno);
        std::remove(temporary.c_str());
        return Error{ErrorCode::Io, "cannot write \"" + path + "\": " + reason};
    }
    return {};
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
