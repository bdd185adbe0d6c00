// drawloom/gpu/shader_archive.h - reads the archives that scripts/shaders and drawloom_add_shaders() write: every composed
// shader in SPIR-V and WGSL, with what it reads and writes. docs/extending/shaders.md describes the file's bytes.
#pragma once

#include "drawloom/core/result.h"
#include "drawloom/gpu/descs.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace dl::gpu
{

inline constexpr std::string_view kVertexEntryPoint = "vs_main";
inline constexpr std::string_view kFragmentEntryPoint = "fs_main";
inline constexpr std::string_view kComputeEntryPoint = "cs_main";

enum class ScalarKind : std::uint8_t
{
    Float,
    Sint,
    Uint
};

/// A vertex attribute or a colour output, as the shader declares it.
struct ShaderVariable
{
    std::uint32_t location = 0;
    ScalarKind kind = ScalarKind::Float;
    std::uint8_t componentCount = 4; ///< 1..4
    std::string_view name;
};

struct ShaderBinding
{
    std::uint32_t group = 0, binding = 0;
    BindingType type = BindingType::UniformBuffer; ///< textures that are only loaded from are UnfilterableTexture
    TextureDimension dimension = TextureDimension::D2;
    Format format = Format::None; ///< storage textures only
    ShaderStages stages;          ///< those that read it, directly or through functions
    std::string_view name;
};

/// One composed module. Views point into the bytes that the archive was opened on.
struct ShaderEntry
{
    std::string_view name; ///< PASS.FACTORY.SURFACE, or PASS alone
    std::span<const std::uint32_t> spirv;
    std::string_view wgsl;
    std::vector<ShaderVariable> vertexInputs;    ///< ascending locations
    std::vector<ShaderVariable> fragmentOutputs; ///< ascending locations
    std::vector<ShaderBinding> bindings;         ///< ascending (group, binding)
    std::array<std::uint32_t, 3> workgroupSize = {0, 0, 0};
    std::uint64_t hash = 0; ///< of WGSL and SPIR-V: a key for caches
    bool hasVertex = false, hasFragment = false, hasCompute = false;

    ShaderModuleDesc moduleDesc() const { return {.label = name, .spirv = spirv, .wgsl = wgsl}; }
};

/// Immutable after open; any number of threads may read it.
class ShaderArchive
{
public:
    /// Checks everything once: BadFile names the first thing wrong. `bytes` must start at a multiple of 4 (InvalidArgument)
    /// and outlive the archive and what it returns.
    static Result<ShaderArchive> open(std::span<const std::byte> bytes);

    /// The entry of that name, or null. Binary search.
    const ShaderEntry* find(std::string_view name) const;
    std::span<const ShaderEntry> entries() const { return m_entries; } ///< ascending names

private:
    std::vector<ShaderEntry> m_entries;
};

} // namespace dl::gpu
