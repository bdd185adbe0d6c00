#include "shaders.h"

#include <cstdio>
#include <cstring>
#include <string_view>

int main()
{
    const std::span<const std::byte> archive = user::shaders();
    const std::string_view text(reinterpret_cast<const char*>(archive.data()), archive.size());
    for (const char* entry :
        {"depth.rigid.waves", "depth.deformed.waves", "forward.rigid.waves", "forward.deformed.waves", "outline.rigid.waves"})
    {
        if (!text.starts_with("DLSA") || text.find(entry) == std::string_view::npos)
            return std::printf("the archive has no %s\n", entry), 1;
    }
    if (text.find("outline.deformed.waves") != std::string_view::npos || text.find("sky") == 0)
        return std::puts("the archive has what was not asked for"), 1;
    return 0;
}
