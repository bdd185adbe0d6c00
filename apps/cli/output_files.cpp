#include "apps/cli/output_files.h"

#include <filesystem>

namespace dl::cli
{
namespace
{

bool areSame(const std::string& a, const std::string& b)
{
    std::error_code error;
    if (std::filesystem::is_other(a, error))
        return false;
    if (std::filesystem::equivalent(a, b, error))
        return true;
    const std::filesystem::path first = std::filesystem::weakly_canonical(std::filesystem::absolute(a, error), error);
    return !error && first == std::filesystem::weakly_canonical(std::filesystem::absolute(b, error), error);
}

} // namespace

Result<void> refuseSameFiles(std::span<const NamedFile> files)
{
    for (std::size_t i = 0; i < files.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            if (!(files[i].isInput && files[k].isInput) && areSame(files[i].path, files[k].path))
                return Error{
                    ErrorCode::InvalidArgument, files[k].name + " and " + files[i].name + " are the same file \"" + files[k].path + "\""};
    return {};
}

Result<void> refuseOverwriting(std::span<const NamedFile> files, std::span<const std::string> readFiles)
{
    std::error_code error;
    for (const NamedFile& file : files)
        if (!file.isInput && std::filesystem::is_regular_file(file.path, error))
            for (const std::string& read : readFiles)
                if (std::filesystem::equivalent(file.path, read, error))
                    return Error{ErrorCode::InvalidArgument,
                        file.name + " would overwrite \"" + file.path + "\", which an input names as its own (\"" + read + "\")"};
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
