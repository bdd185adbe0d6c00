#include "tests/asset/shared_index.h"

#include <cstdlib>
#include <fstream>

namespace dl::test
{
namespace
{

std::vector<std::string> splitTabs(const std::string& line)
{
    std::vector<std::string> fields(1);
    for (const char c : line)
    {
        if (c == '\t')
            fields.emplace_back();
        else if (c != '\r')
            fields.back().push_back(c);
    }
    return fields;
}

} // namespace

std::filesystem::path sharedAssets()
{
    const std::filesystem::path path = "../shared/assets";
    return std::filesystem::exists(path / "index.tsv") ? path : std::filesystem::path();
}

std::vector<TsvRow> readTsv(const std::filesystem::path& path)
{
    std::vector<TsvRow> rows;
    std::ifstream file(path);
    std::string line;
    if (!std::getline(file, line))
        return rows;
    const std::vector<std::string> columns = splitTabs(line);
    while (std::getline(file, line))
    {
        const std::vector<std::string> fields = splitTabs(line);
        TsvRow& row = rows.emplace_back();
        for (std::size_t i = 0; i < columns.size(); ++i)
            row[columns[i]] = i < fields.size() ? fields[i] : std::string();
    }
    return rows;
}

std::size_t numberOf(const TsvRow& row, const std::string& column)
{
    const auto found = row.find(column);
    return found == row.end() || found->second.empty() ? 0 : std::strtoull(found->second.c_str(), nullptr, 10);
}

} // namespace dl::test
