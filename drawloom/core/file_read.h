// drawloom/core/file_read.h - a whole file into memory. Ranges and reads that can be cancelled: stream/load_queue.h.
#pragma once

#include "drawloom/core/byte_buffer.h"
#include "drawloom/core/result.h"

#include <cstdint>
#include <filesystem>

namespace dl
{

/// A regular file (links are followed). The message names the path. NotFound: no such file. Io: no regular file, can not be
/// opened, ended early. OutOfBudget: more than maxBytes; nothing is allocated then.
Result<ByteBuffer> readFile(const std::filesystem::path& path, std::uint64_t maxBytes);

} // namespace dl
