// drawloom/asset/detail/gltf_source.h - where a glTF's bytes come from: GLB chunks, data URIs (RFC 2397), percent-encoded
// relative URIs (RFC 3986) that are kept inside the file's folder, and files.
#pragma once

#include "drawloom/core/byte_buffer.h"
#include "drawloom/core/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dl::detail
{

struct GltfContainer
{
    std::span<const std::byte> json;
    std::optional<std::span<const std::byte>> bin; ///< the GLB's second chunk
    std::uint64_t trailingBytes = 0;               ///< after the end that the GLB's header names
    bool isGlb = false;
    std::vector<std::string> faults; ///< what the specification forbids and reading does not mind
};

constexpr std::size_t kGlbHeadBytes = 20; ///< of the file and its first chunk
/// How many bytes of a file are worth reading, by its first ones (kGlbHeadBytes, or all of a shorter file): those that a GLB's header
/// counts, all of anything else. BadFile, Unsupported, OutOfBudget (maxJsonBytes): it need not be read at all.
Result<std::uint64_t> wantedFileBytes(std::span<const std::byte> head, std::uint64_t fileBytes, std::uint64_t maxJsonBytes);

Error jsonTooLong(std::uint64_t jsonBytes, std::uint64_t maxJsonBytes);

/// Splits a GLB; anything that does not start with its magic is JSON as a whole.
Result<GltfContainer> openContainer(std::span<const std::byte> bytes);

bool isDataUri(std::string_view uri);
Result<ByteBuffer> decodeDataUri(std::string_view uri);
/// `%20` and the like; a percent sign without two hexadecimal digits stays as it is.
std::string decodePercent(std::string_view text);
/// Path of a relative URI in `folder`. InvalidArgument: absolute, with a scheme, `..`, or out of the folder through a
/// symbolic link. NotFound: no such file.
Result<std::filesystem::path> resolveInside(const std::filesystem::path& folder, std::string_view uri);
/// URIs, names and other texts of a file as messages print them: long ones are cut, between characters of UTF-8.
std::string shortText(std::string_view text, std::size_t most = 80);

} // namespace dl::detail
