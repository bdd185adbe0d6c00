// drawloom/render/builtin_shaders.h - the library's own shaders, composed ahead of time and embedded. Target
// drawloom_builtin_shaders (it links nothing); for dl::gpu::ShaderArchive::open().
#pragma once

#include <cstddef>
#include <span>

namespace dl
{

/// Entries PASS.FACTORY.SURFACE of drawloom/render/shaders/builtin.json, and sky, tonemap, deform. Lives for ever.
std::span<const std::byte> builtinShaderArchive();

} // namespace dl
