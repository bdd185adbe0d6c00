// drawloom/gpu/object_kind.h - the kinds of objects that a device owns, for counts, messages and captures.
#pragma once

#include "drawloom/gpu/types.h"

#include <array>

namespace dl::gpu
{

enum class ObjectKind : std::uint8_t
{
    Buffer,
    Texture,
    TextureView,
    Sampler,
    ShaderModule,
    BindGroupLayout,
    BindGroup,
    Pipeline,
    QuerySet,
};
constexpr std::uint32_t kObjectKindCount = static_cast<std::uint32_t>(ObjectKind::QuerySet) + 1;

/// One number per kind.
struct ObjectCounts
{
    std::array<std::uint64_t, kObjectKindCount> counts{};
    std::uint64_t& operator[](ObjectKind kind) { return counts[static_cast<std::size_t>(kind)]; }
    std::uint64_t operator[](ObjectKind kind) const { return counts[static_cast<std::size_t>(kind)]; }
    friend bool operator==(const ObjectCounts&, const ObjectCounts&) = default;
};

constexpr std::string_view toString(ObjectKind kind)
{
    constexpr std::array<std::string_view, kObjectKindCount> kNames = {
        "buffer", "texture", "texture view", "sampler", "shader module", "bind group layout", "bind group", "pipeline", "query set"};
    return kNames[static_cast<std::size_t>(kind)];
}

} // namespace dl::gpu
