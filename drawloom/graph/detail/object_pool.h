// drawloom/graph/detail/object_pool.h - textures and buffers that transients borrow for a frame, the views and bind groups
// made of them; all persist over frames and are destroyed when unused for a while. Used by RenderGraph only.
#pragma once

#include "drawloom/core/result.h"
#include "drawloom/gpu/device.h"
#include "drawloom/graph/graph_types.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace dl::graph
{

class ObjectPool
{
public:
    struct Object
    {
        PlanResource resource;
        std::uint32_t usageBits = 0;
        gpu::TextureId texture;
        gpu::BufferId buffer;
        std::uint64_t lastFrame = 0;
        bool isBorrowed = false; ///< by a slot of this frame
        bool isPinned = false;   ///< extracted
    };

    explicit ObjectPool(gpu::Device& device) : m_device(&device) {}
    ~ObjectPool();
    ObjectPool(const ObjectPool&) = delete;
    ObjectPool& operator=(const ObjectPool&) = delete;

    /// The first free object that fits, or a new one. The index is valid until `age`.
    Result<std::uint32_t> borrow(const PlanResource& resource, std::uint32_t usageBits, std::string_view label, std::uint64_t frame);
    /// Ends the frame's loans; pinned objects stay away.
    void giveBackAll();
    Object& object(std::uint32_t index) { return m_objects[index]; }
    Object* findTexture(gpu::TextureId texture);

    /// View of a pooled or imported texture; keyed by the id with its generation, so a reused handle misses.
    Result<gpu::TextureViewId> view(const gpu::TextureViewDesc& desc, std::uint64_t frame);
    Result<gpu::BindGroupId> bindGroup(const gpu::BindGroupDesc& desc, std::uint64_t frame);

    /// Destroys what was used last before `oldestFrame`.
    void age(std::uint64_t oldestFrame);
    void addTo(GraphStats& stats) const;

private:
    struct ViewKey
    {
        gpu::TextureId texture;
        SubresourceRange range;
        std::uint32_t dimension = 0, aspect = 0, format = 0, reserved = 0;
        friend bool operator==(const ViewKey&, const ViewKey&) = default;
    };
    struct View
    {
        gpu::TextureViewId id;
        std::uint64_t lastFrame = 0;
    };
    struct Group
    {
        gpu::BindGroupLayoutId layout;
        std::vector<gpu::BindGroupEntry> entries;
        gpu::BindGroupId id;
        std::uint64_t lastFrame = 0;
    };
    struct ViewKeyHash
    {
        std::size_t operator()(const ViewKey& key) const noexcept;
    };

    template <class Predicate> void dropGroups(Predicate&& predicate);
    template <class Predicate> void dropViews(Predicate&& predicate);

    gpu::Device* m_device;
    std::vector<Object> m_objects;
    std::unordered_map<ViewKey, View, ViewKeyHash> m_views;
    std::unordered_multimap<std::uint64_t, Group> m_groups;
    std::uint64_t m_texturesCreated = 0, m_buffersCreated = 0, m_viewsCreated = 0, m_groupsCreated = 0;
};

} // namespace dl::graph
