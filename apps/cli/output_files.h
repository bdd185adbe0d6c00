// apps/cli/output_files.h - writes results: a folder that is made if absent, files that are replaced whole or not at all.
#pragma once

#include "drawloom/core/file_write.h"
#include "drawloom/core/result.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace dl::cli
{

using dl::writeFile;
Result<void> writeFile(const std::string& path, std::string_view text);

/// A file that a run reads or writes, under the words that the user knows it by.
struct NamedFile
{
    std::string name; ///< "--trace"
    std::string path;
    bool isInput = false;
};

/// InvalidArgument: an output is another file of the run, also by another path, link or hard link. Devices and pipes take more
/// than one. Touches nothing.
Result<void> refuseSameFiles(std::span<const NamedFile> files);

/// InvalidArgument: an output that exists is one of the files that the inputs named (`readFiles`), also by another path or link.
Result<void> refuseOverwriting(std::span<const NamedFile> files, std::span<const std::string> readFiles);

class OutputFolder
{
public:
    explicit OutputFolder(std::string path) : m_path(std::move(path)) {}
    Result<void> create() const;
    template <class T> Result<void> write(const char* name, const T& content) const { return writeFile(pathOf(name), content); }
    std::string pathOf(const char* name) const { return m_path + "/" + name; }
    const std::string& path() const { return m_path; }

private:
    std::string m_path;
};

} // namespace dl::cli
