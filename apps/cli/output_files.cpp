#include "apps/cli/output_files.h"

#include <filesystem>

namespace dl::cli
{

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
