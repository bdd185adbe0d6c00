#include "apps/cli/progress.h"

#include "drawloom/core/trace.h"

#include <cstdio>
#include <unistd.h>

namespace dl::cli
{

Progress::Progress(bool isQuiet) : m_isShown(!isQuiet && isatty(STDERR_FILENO) != 0)
{
}

Progress::~Progress()
{
    clear();
}

void Progress::clear()
{
    if (m_isLineUsed)
        std::fputs("\r\x1b[K", stderr);
    m_isLineUsed = false;
}

void Progress::show(std::string_view text, std::uint64_t done, std::uint64_t total)
{
    constexpr std::uint64_t kMinIntervalNs = 100'000'000;
    const std::uint64_t now = nowNs();
    if (!m_isShown || (m_lastText == text && now - m_lastNs < kMinIntervalNs))
        return;
    m_lastNs = now;
    m_lastText = text;
    m_isLineUsed = true;
    if (total > 0)
        std::fprintf(stderr, "\r\x1b[K%.*s %llu/%llu", static_cast<int>(text.size()), text.data(), static_cast<unsigned long long>(done),
            static_cast<unsigned long long>(total));
    else
        std::fprintf(stderr, "\r\x1b[K%.*s ...", static_cast<int>(text.size()), text.data());
    std::fflush(stderr);
}

} // namespace dl::cli
