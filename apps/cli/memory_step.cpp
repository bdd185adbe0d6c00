#include "apps/cli/memory_step.h"

#include "apps/cli/exit_codes.h"

#include <algorithm>
#include <atomic>
#include <new>
#include <unistd.h>

namespace dl::cli
{
namespace
{

std::atomic<const std::string*> g_line = nullptr; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): a new_handler takes nothing

/// Takes no memory, and unwinds nothing: the thread may be one that nobody catches for.
void endWithoutMemory()
{
    const std::string* const line = g_line.exchange(nullptr);
    if (line == nullptr) // another thread says it
        for (;;)
            ::pause();
    const ssize_t ignored = ::write(STDERR_FILENO, line->data(), line->size());
    static_cast<void>(ignored);
    ::_exit(kBadInput);
}

} // namespace

MemoryStep::MemoryStep(std::string_view verb, std::string_view file)
    : m_line("drawloom: no memory left while " + std::string(verb) + " \"" + std::string(file) +
             "\"; see --max-memory, or what the system lets a program have")
{
    std::replace_if(m_line.begin(), m_line.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    m_line += '\n';
    g_line = &m_line;
    std::set_new_handler(endWithoutMemory);
}

MemoryStep::~MemoryStep()
{
    std::set_new_handler(nullptr);
    g_line = nullptr;
}

} // namespace dl::cli
