// drawloom/core/id.h - typed ids with a generation, and the table that hands them out.
#pragma once

#include "drawloom/core/assert.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace dl
{

/// Names one object of one kind; zero-initialised means none, a stale id is detected by its generation.
template <class Tag> struct Id
{
    std::uint32_t index = 0;      ///< position in the owner's table
    std::uint32_t generation = 0; ///< never 0 for a live object

    explicit operator bool() const { return generation != 0; }
    friend auto operator<=>(const Id&, const Id&) = default;
};

/// Owns objects by id. add and remove are O(1); indices are reused, generations are not (an index whose generation
/// would wrap is retired). Not thread safe. No allocation by add once `reserve` or earlier use made room.
template <class IdType, class T> class SlotTable
{
public:
    void reserve(std::size_t count)
    {
        m_slots.reserve(count);
        m_freeIndices.reserve(count);
    }

    IdType add(T value)
    {
        std::uint32_t index = 0;
        if (!m_freeIndices.empty())
        {
            index = m_freeIndices.back();
            m_freeIndices.pop_back();
        }
        else
        {
            index = static_cast<std::uint32_t>(m_slots.size());
            m_slots.emplace_back();
        }
        Slot& slot = m_slots[index];
        slot.generation += 1;
        slot.value.emplace(std::move(value));
        ++m_liveCount;
        return IdType{index, slot.generation};
    }

    /// nullptr for none and for stale ids. The pointer holds until the next add.
    T* find(IdType id) { return contains(id) ? &*m_slots[id.index].value : nullptr; }
    const T* find(IdType id) const { return contains(id) ? &*m_slots[id.index].value : nullptr; }

    bool contains(IdType id) const
    {
        return id.generation != 0 && id.index < m_slots.size() && m_slots[id.index].generation == id.generation &&
               m_slots[id.index].value.has_value();
    }

    /// The object of a live id; a stale one is a caller's bug.
    T& get(IdType id)
    {
        DL_ASSERT(contains(id), "stale or empty id");
        return *m_slots[id.index].value;
    }
    const T& get(IdType id) const
    {
        DL_ASSERT(contains(id), "stale or empty id");
        return *m_slots[id.index].value;
    }

    /// False for none and for stale ids.
    bool remove(IdType id)
    {
        if (!contains(id))
            return false;
        Slot& slot = m_slots[id.index];
        slot.value.reset();
        if (slot.generation != UINT32_MAX)
            m_freeIndices.push_back(id.index);
        --m_liveCount;
        return true;
    }

    std::size_t size() const { return m_liveCount; }
    /// One more than the largest index ever handed out: sizes side tables.
    std::size_t indexBound() const { return m_slots.size(); }

    /// Calls fn(id, value) for every live object in index order.
    template <class F> void forEach(F&& fn)
    {
        for (std::uint32_t index = 0; index < m_slots.size(); ++index)
            if (m_slots[index].value)
                fn(IdType{index, m_slots[index].generation}, *m_slots[index].value);
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
    std::vector<std::uint32_t> m_freeIndices;
    std::size_t m_liveCount = 0;
};

} // namespace dl

template <class Tag> struct std::hash<dl::Id<Tag>>
{
    std::size_t operator()(const dl::Id<Tag>& id) const noexcept { return (static_cast<std::size_t>(id.generation) << 32U) ^ id.index; }
};
