// drawloom/asset/detail/gltf_image_source.h - tells images of a glTF apart by where their bytes stand, so that a picture that many of
// them name is read and decoded once.
#pragma once

#include "drawloom/asset/material.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>

namespace dl::detail
{

/// Sources are bytes of a buffer, which must stay where they are, and files by their resolved paths. Each data URI is one of its own.
class ImageSources
{
public:
    /// The first image that was added with this source; kNoIndex: none yet, `image` is the first from now on.
    std::uint32_t findOrAdd(std::span<const std::byte> bytes, std::uint32_t image)
    {
        return added(m_views.try_emplace({bytes.data(), bytes.size()}, image));
    }
    std::uint32_t findOrAdd(const std::filesystem::path& file, std::uint32_t image)
    {
        return added(m_files.try_emplace(file.native(), image));
    }

private:
    template <class Iterator> static std::uint32_t added(const std::pair<Iterator, bool>& result)
    {
        return result.second ? kNoIndex : result.first->second;
    }

    std::map<std::pair<const std::byte*, std::size_t>, std::uint32_t> m_views;
    std::unordered_map<std::filesystem::path::string_type, std::uint32_t> m_files;
};

} // namespace dl::detail
