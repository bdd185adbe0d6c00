// drawloom/gpu/owned.h - one device object that dies with its holder. For objects that a pass or a tool keeps for itself;
// what many share lies in tables of its own.
#pragma once

#include "drawloom/gpu/device.h"

#include <utility>

namespace dl::gpu
{

/// Moves, does not copy. The device outlives it.
template <class IdType> class Owned
{
public:
    Owned() = default;
    Owned(Device& device, IdType id) : m_device(&device), m_id(id) {}
    Owned(Owned&& other) noexcept : m_device(other.m_device), m_id(std::exchange(other.m_id, IdType{})) {}
    Owned& operator=(Owned&& other) noexcept
    {
        std::swap(m_device, other.m_device);
        std::swap(m_id, other.m_id);
        return *this;
    }
    ~Owned()
    {
        if (m_id)
            m_device->destroy(m_id);
    }

    IdType id() const { return m_id; }
    explicit operator bool() const { return static_cast<bool>(m_id); }

private:
    Device* m_device = nullptr;
    IdType m_id;
};

} // namespace dl::gpu
