// apps/cli/memory_step.h - says what the program was at when the system refused it memory, whatever thread that was in: the rooms are
// built without exceptions, so nothing can be caught there.
#pragma once

#include <string>
#include <string_view>

namespace dl::cli
{

/// While it lives, memory that is refused ends the program with kBadInput and one line: "drawloom: no memory left while inspecting
/// "a.glb"". One at a time, on the main thread.
class MemoryStep
{
public:
    MemoryStep(std::string_view verb, std::string_view file);
    ~MemoryStep();
    MemoryStep(const MemoryStep&) = delete;
    MemoryStep& operator=(const MemoryStep&) = delete;

private:
    std::string m_line; ///< made while there is memory for it
};

} // namespace dl::cli
