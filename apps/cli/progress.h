// apps/cli/progress.h - one line on stderr that says what a long job is doing; nothing when stderr is not a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dl::cli
{

class Progress
{
public:
    explicit Progress(bool isQuiet);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Shows "text" or "text 3/10"; at most ten times a second.
    void show(std::string_view text, std::uint64_t done = 0, std::uint64_t total = 0);
    /// Takes the line away, before something else is printed.
    void clear();

private:
    bool m_isShown;
    bool m_isLineUsed = false;
    std::uint64_t m_lastNs = 0;
    std::string m_lastText;
};

} // namespace dl::cli
