// drawloom/asset/detail/composition_parse.h - a composition file as data, before any asset is read.
#pragma once

#include "drawloom/asset/composition.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dl::detail
{

struct CompositionAsset
{
    std::string key, file;
};

struct Attachment
{
    std::uint32_t placement = kNoIndex; ///< an earlier one
    std::string node;
};

struct Placement
{
    std::string name;
    std::uint32_t asset = 0;
    Trs trs;
    std::optional<mat4> matrix;
    std::vector<std::string> include, exclude; ///< patterns of node names; no include: all
    std::optional<Attachment> attachTo;
    std::uint32_t bindTo = kNoIndex; ///< an earlier placement
    std::vector<Affine> instances;   ///< lists and grid together
};

struct CompositionCamera
{
    vec3 eye = vec3(0.0f), target = vec3(0.0f);
    float yFovRadians = 0.8f;
};

struct CompositionLight
{
    vec3 direction = vec3(0, -1, 0), color = vec3(1.0f);
    float intensity = 3.0f;
};

struct CompositionFile
{
    std::string name;
    std::vector<std::string> roots; ///< empty: the composition's folder
    std::vector<CompositionAsset> assets;
    std::vector<Placement> placements;
    std::optional<CompositionCamera> camera;
    std::optional<CompositionLight> light;
};

/// BadFile names the place and the problem.
Result<CompositionFile> parseComposition(std::span<const std::byte> text, const CompositionSettings& settings);

} // namespace dl::detail
