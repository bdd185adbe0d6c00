// tests/asset/shared_index.h - the facts that the shared models' index.tsv states, row by row, by column name.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace dl::test
{

using TsvRow = std::map<std::string, std::string>;

/// ../shared/assets, seen from the repository's root, where ctest runs the tests; empty if it is not there.
std::filesystem::path sharedAssets();
/// Rows of a tab-separated file whose first line names the columns; empty if it can not be read.
std::vector<TsvRow> readTsv(const std::filesystem::path& path);
/// 0 for an empty field.
std::size_t numberOf(const TsvRow& row, const std::string& column);

} // namespace dl::test
