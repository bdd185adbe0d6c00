// apps/samples/box.h - a unit cube and what it takes to draw it, in any renderer's library.
#pragma once

#include "drawloom/asset/material.h"
#include "drawloom/render/renderer.h"

#include <string_view>

namespace dl::samples
{

/// A mesh set and what it is made of.
struct Box
{
    MeshRangeId range;
    TextureSetId textures;
    MaterialId material;
    MeshSetId meshSet;
};
/// Indices of a box, and of one without its bottom: the bottom comes last.
constexpr std::uint32_t kBoxIndexCount = 36, kBottomlessIndexCount = 30;

/// A unit cube around the origin with one material, in the renderer's library. `surface`: none is the standard one.
Result<Box> addBox(Renderer& renderer, std::string_view name, const Material& material, SurfaceId surface = {});
/// Users go before what they use; nothing may draw the box any more.
Result<void> removeBox(Renderer& renderer, const Box& box);

} // namespace dl::samples
