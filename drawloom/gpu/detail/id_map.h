// drawloom/gpu/detail/id_map.h - side table for objects that another table (an inner device's) named.
#pragma once

#include "drawloom/core/id.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace dl::gpu
{

/// Follows the indices and generations of foreign ids. Memory grows with the largest index.
template <class IdType, class T> class IdMap
{
public:
    T& insert(IdType id, T value)
    {
        if (id.index >= m_slots.size())
            m_slots.resize(std::size_t(id.index) + 1);
        Slot& slot = m_slots[id.index];
        slot.generation = id.generation;
        return slot.value.emplace(std::move(value));
    }
    T* find(IdType id) { return contains(id) ? &*m_slots[id.index].value : nullptr; }
    const T* find(IdType id) const { return contains(id) ? &*m_slots[id.index].value : nullptr; }
    bool contains(IdType id) const
    {
        return id.generation != 0 && id.index < m_slots.size() && m_slots[id.index].generation == id.generation &&
               m_slots[id.index].value.has_value();
    }
    void erase(IdType id)
    {
        if (contains(id))
            m_slots[id.index].value.reset();
    }
    template <class F> void forEach(F&& fn) const
    {
        for (std::uint32_t index = 0; index < m_slots.size(); ++index)
            if (m_slots[index].value)
                fn(IdType{index, m_slots[index].generation}, *m_slots[index].value);
    }

private:
    struct Slot
    {
        std::optional<T> value;
        std::uint32_t generation = 0;
    };
    std::vector<Slot> m_slots;
};

} // namespace dl::gpu
