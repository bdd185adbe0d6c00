#include "drawloom/graph/detail/object_pool.h"

#include "drawloom/core/hash.h"

#include <algorithm>
#include <tuple>

namespace dl::graph
{

namespace
{

bool isSameEntry(const gpu::BindGroupEntry& a, const gpu::BindGroupEntry& b)
{
    const auto key = [](const gpu::BindGroupEntry& e) { return std::tie(e.binding, e.buffer, e.offset, e.bytes, e.view, e.sampler); };
    return key(a) == key(b);
}

std::uint64_t hashGroup(const gpu::BindGroupDesc& desc)
{
    std::uint64_t hash = hashValue(desc.layout);
    for (const gpu::BindGroupEntry& entry : desc.entries)
    {
        const std::uint64_t fields[] = {
            entry.binding, hashValue(entry.buffer), entry.offset, entry.bytes, hashValue(entry.view), hashValue(entry.sampler)};
        hash = hashBytes(std::as_bytes(std::span(fields)), hash);
    }
    return hash;
}

} // namespace

std::size_t ObjectPool::ViewKeyHash::operator()(const ViewKey& key) const noexcept
{
    return static_cast<std::size_t>(hashValue(key));
}

ObjectPool::~ObjectPool()
{
    for (const auto& entry : m_groups)
        m_device->destroy(entry.second.id);
    for (const auto& entry : m_views)
        m_device->destroy(entry.second.id);
    for (const Object& object : m_objects)
        object.texture ? m_device->destroy(object.texture) : m_device->destroy(object.buffer);
}

Result<std::uint32_t> ObjectPool::borrow(const PlanResource& resource, std::uint32_t usageBits, std::string_view label, std::uint64_t frame)
{
    const auto found = std::find_if(m_objects.begin(), m_objects.end(), [&](const Object& o)
        { return !o.isBorrowed && !o.isPinned && (o.usageBits & usageBits) == usageBits && isSameObject(o.resource, resource); });
    if (found != m_objects.end())
    {
        found->isBorrowed = true;
        found->lastFrame = frame;
        return static_cast<std::uint32_t>(found - m_objects.begin());
    }
    Object object{.resource = resource, .usageBits = usageBits, .texture = {}, .buffer = {}, .lastFrame = frame, .isBorrowed = true};
    if (resource.kind == ResourceKind::Texture)
    {
        DL_TRY_ASSIGN(object.texture, m_device->createTexture({label, resource.format, resource.dimension, resource.width, resource.height,
                                          resource.depthOrLayers, resource.mipCount, resource.sampleCount, gpu::TextureUsages(usageBits)}));
        ++m_texturesCreated;
    }
    else
    {
        DL_TRY_ASSIGN(object.buffer, m_device->createBuffer({label, resource.bytes, gpu::BufferUsages(usageBits)}));
        ++m_buffersCreated;
    }
    m_objects.push_back(object);
    return static_cast<std::uint32_t>(m_objects.size() - 1);
}

void ObjectPool::giveBackAll()
{
    for (Object& object : m_objects)
        object.isBorrowed = false;
}

ObjectPool::Object* ObjectPool::findTexture(gpu::TextureId texture)
{
    const auto found = std::find_if(m_objects.begin(), m_objects.end(), [&](const Object& o) { return texture && o.texture == texture; });
    return found == m_objects.end() ? nullptr : &*found;
}

Result<gpu::TextureViewId> ObjectPool::view(const gpu::TextureViewDesc& desc, std::uint64_t frame)
{
    const ViewKey key{desc.texture, {desc.baseMip, desc.mipCount, desc.baseLayer, desc.layerCount},
        static_cast<std::uint32_t>(desc.dimension), static_cast<std::uint32_t>(desc.aspect), static_cast<std::uint32_t>(desc.format)};
    if (const auto found = m_views.find(key); found != m_views.end())
    {
        found->second.lastFrame = frame;
        return found->second.id;
    }
    DL_TRY_ASSIGN(const gpu::TextureViewId id, m_device->createTextureView(desc));
    ++m_viewsCreated;
    m_views.emplace(key, View{id, frame});
    return id;
}

Result<gpu::BindGroupId> ObjectPool::bindGroup(const gpu::BindGroupDesc& desc, std::uint64_t frame)
{
    const std::uint64_t hash = hashGroup(desc);
    const auto [first, last] = m_groups.equal_range(hash);
    for (auto it = first; it != last; ++it)
    {
        Group& group = it->second;
        if (group.layout == desc.layout &&
            std::equal(group.entries.begin(), group.entries.end(), desc.entries.begin(), desc.entries.end(), isSameEntry))
        {
            group.lastFrame = frame;
            return group.id;
        }
    }
    DL_TRY_ASSIGN(const gpu::BindGroupId id, m_device->createBindGroup(desc));
    ++m_groupsCreated;
    m_groups.emplace(hash, Group{desc.layout, {desc.entries.begin(), desc.entries.end()}, id, frame});
    return id;
}

template <class Predicate> void ObjectPool::dropGroups(Predicate&& predicate)
{
    std::erase_if(m_groups,
        [&](const auto& entry)
        {
            if (!predicate(entry.second))
                return false;
            m_device->destroy(entry.second.id);
            return true;
        });
}

/// With the bind groups that name them, so that no cached group ever points to a destroyed view.
template <class Predicate> void ObjectPool::dropViews(Predicate&& predicate)
{
    std::erase_if(m_views,
        [&](const auto& entry)
        {
            if (!predicate(entry.first, entry.second))
                return false;
            const gpu::TextureViewId id = entry.second.id;
            dropGroups([&](const Group& group)
                { return std::any_of(group.entries.begin(), group.entries.end(), [&](const auto& e) { return e.view == id; }); });
            m_device->destroy(id);
            return true;
        });
}

void ObjectPool::age(std::uint64_t oldestFrame)
{
    dropGroups([&](const Group& group) { return group.lastFrame < oldestFrame; });
    dropViews([&](const ViewKey&, const View& view) { return view.lastFrame < oldestFrame; });
    std::erase_if(m_objects,
        [&](const Object& object)
        {
            if (object.isBorrowed || object.isPinned || object.lastFrame >= oldestFrame)
                return false;
            if (object.texture)
            {
                dropViews([&](const ViewKey& key, const View&) { return key.texture == object.texture; });
                m_device->destroy(object.texture);
                return true;
            }
            dropGroups(
                [&](const Group& group)
                {
                    return std::any_of(
                        group.entries.begin(), group.entries.end(), [&](const auto& e) { return e.buffer == object.buffer; });
                });
            m_device->destroy(object.buffer);
            return true;
        });
}

void ObjectPool::addTo(GraphStats& stats) const
{
    stats.pooledBytes = 0;
    for (const Object& object : m_objects)
        stats.pooledBytes += object.resource.bytes;
    stats.texturesCreated = m_texturesCreated;
    stats.buffersCreated = m_buffersCreated;
    stats.viewsCreated = m_viewsCreated;
    stats.bindGroupsCreated = m_groupsCreated;
}

} // namespace dl::graph
