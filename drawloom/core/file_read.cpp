#include "drawloom/core/file_read.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <system_error>

namespace dl
{
namespace
{

struct FileCloser
{
    void operator()(std::FILE* file) const { std::fclose(file); }
};

} // namespace

Result<ByteBuffer> readFile(const std::filesystem::path& path, std::uint64_t maxBytes)
{
    const std::string name = "\"" + path.string() + "\"";
    std::error_code code;
    const std::filesystem::file_status status = std::filesystem::status(path, code);
    if (!std::filesystem::exists(status))
        return Error{ErrorCode::NotFound, name + ": no such file"};
    if (!std::filesystem::is_regular_file(status))
        return Error{ErrorCode::Io, name + ": not a regular file"};
    const std::uint64_t size = std::filesystem::file_size(path, code);
    if (code)
        return Error{ErrorCode::Io, name + ": " + code.message()};
    if (size > maxBytes)
        return Error{ErrorCode::OutOfBudget, name + ": " + std::to_string(size) + " bytes, past the limit of " + std::to_string(maxBytes)};
    const std::unique_ptr<std::FILE, FileCloser> file(std::fopen(path.c_str(), "rb"));
    if (!file)
        return Error{ErrorCode::Io, name + ": can not be opened: " + std::strerror(errno)};
    std::setvbuf(file.get(), nullptr, _IONBF, 0); // read straight into the buffer
    ByteBuffer bytes(static_cast<std::size_t>(size));
    if (size != 0 && std::fread(bytes.data(), 1, bytes.size(), file.get()) != bytes.size())
        return Error{ErrorCode::Io, name + ": reading stopped before its end"};
    return bytes;
}

} // namespace dl
