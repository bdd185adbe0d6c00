// drawloom/core/file_read.h - a whole file into memory. Ranges and reads that can be cancelled: stream/load_queue.h.
#pragma once

#include "drawloom/core/byte_buffer.h"
#include "drawloom/core/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace dl
{

struct FileReadSettings
{
    std::uint64_t maxBytes = 0;            ///< a longer file is refused
    const char* limitName = nullptr;       ///< what to raise then, for the message: "maxFileBytes"
    std::uint64_t firstBytes = UINT64_MAX; ///< only so many of the file are read, if it has them
};

/// A regular file (links are followed), or what the system makes up as one when it is read (/proc; such files have no size
/// beforehand). The message names the path. NotFound: no such file. Io: no regular file, can not be opened, ended early.
/// OutOfBudget: more than maxBytes; nothing is allocated then (for files without a size: maxBytes at most).
Result<ByteBuffer> readFile(const std::filesystem::path& path, const FileReadSettings& settings);
inline Result<ByteBuffer> readFile(const std::filesystem::path& path, std::uint64_t maxBytes)
{
    return readFile(path, {.maxBytes = maxBytes});
}

/// What can be known of a file before it is read.
struct FileHead
{
    std::size_t readBytes = 0;   ///< how many of `out` were filled: fewer than it has only at the file's end
    std::uint64_t fileBytes = 0; ///< 0 for files that are made up when read
};
/// The first bytes of a file, to judge the rest by before it is read. Errors as readFile's.
Result<FileHead> readFileHead(const std::filesystem::path& path, std::span<std::byte> out);

} // namespace dl
