// drawloom/gpu/vulkan/detail/graveyard.h - destroyed objects that a submission may still use; they die when everything
// submitted before their destruction is complete.
#pragma once

#include "drawloom/gpu/device.h"
#include "drawloom/gpu/vulkan/detail/objects.h"

#include <cstddef>
#include <variant>
#include <vector>

namespace dl::gpu::vulkan
{

using DeadObject = std::variant<Buffer, Texture, TextureView, Sampler, ShaderModule, BindGroupLayout, BindGroup, Pipeline, QuerySet>;

class Graveyard
{
public:
    void add(SubmissionIndex lastUse, DeadObject object) { m_graves.push_back({lastUse, std::move(object)}); }

    /// Calls fn(object) for all whose last use is complete, oldest first.
    template <class F> void collect(SubmissionIndex completed, F&& fn)
    {
        std::size_t count = 0;
        while (count < m_graves.size() && m_graves[count].lastUse <= completed)
            std::visit(fn, m_graves[count++].object);
        m_graves.erase(m_graves.begin(), m_graves.begin() + static_cast<std::ptrdiff_t>(count));
    }
    std::size_t size() const { return m_graves.size(); }

private:
    struct Grave
    {
        SubmissionIndex lastUse = 0;
        DeadObject object;
    };
    std::vector<Grave> m_graves; // lastUse never falls
};

} // namespace dl::gpu::vulkan
