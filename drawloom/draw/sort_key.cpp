// drawloom/draw/sort_key.cpp - the library's key layouts, and how fields become shifts and masks.
#include "drawloom/draw/sort_key.h"

#include <bit>
#include <string>

namespace dl
{

namespace
{
constexpr KeyField kFrontToBack[] = {
    {"pipeline", KeySource::Pipeline, 12},
    {"depth", KeySource::DepthNear, 8},
    {"heapPage", KeySource::HeapPage, 4},
    {"textureSet", KeySource::TextureSet, 12},
    {"geometryPage", KeySource::GeometryPage, 8},
    {"meshRange", KeySource::MeshRange, 20},
};
constexpr KeyField kState[] = {
    {"pipeline", KeySource::Pipeline, 12},
    {"textureSet", KeySource::TextureSet, 14},
    {"heapPage", KeySource::HeapPage, 4},
    {"geometryPage", KeySource::GeometryPage, 8},
    {"meshRange", KeySource::MeshRange, 18},
    {"depth", KeySource::DepthNear, 8},
};
constexpr KeyField kBackToFront[] = {
    {"order", KeySource::ExplicitOrder, 8, true},
    {"depth", KeySource::DepthFar, 32, true},
    {"pipeline", KeySource::Pipeline, 12},
    {"textureSet", KeySource::TextureSet, 12},
};
constexpr KeyField kSequence[] = {
    {"order", KeySource::ExplicitOrder, 8, true},
    {"submission", KeySource::Submission, 32, true},
};

bool isDepth(KeySource source)
{
    return source == KeySource::DepthNear || source == KeySource::DepthFar;
}
} // namespace

std::span<const KeyField> defaultKeyFields(SortOrder order)
{
    switch (order)
    {
    case SortOrder::FrontToBack: return kFrontToBack;
    case SortOrder::BackToFront: return kBackToFront;
    case SortOrder::Sequence: return kSequence;
    case SortOrder::State: break;
    }
    return kState;
}

std::uint32_t depthBits(float depth)
{
    // Positive floats order as their bits do; the sign bit is free, so one shift gains a bit for narrow fields.
    return depth > 0.0f ? std::bit_cast<std::uint32_t>(depth) << 1U : 0U;
}

Result<KeyLayout> KeyLayout::create(std::span<const KeyField> fields)
{
    KeyLayout layout;
    std::uint32_t used = 0, sources = 0;
    std::string optimisation; // the last one's name
    for (const KeyField& field : fields)
    {
        const std::string name(field.name);
        const std::uint32_t sourceBit = 1U << static_cast<unsigned>(field.source);
        if (field.bits == 0 || (sources & sourceBit) != 0)
            return Error{ErrorCode::InvalidArgument, "key field \"" + name + "\" has no bits or repeats a source"};
        if (field.bits > 32 || used + field.bits > 64)
            return Error{ErrorCode::OutOfRange, "key field \"" + name + "\" of " + std::to_string(field.bits) +
                                                    " bits: " + std::to_string(used) + " of 64 bits are taken, a field has at most 32"};
        if (field.isCorrectness && !optimisation.empty())
            return Error{ErrorCode::InvalidArgument,
                "key field \"" + name + "\" decides the picture and must stand above \"" + optimisation + "\", which only saves time"};
        if (!field.isCorrectness)
            optimisation = name;
        sources |= sourceBit;
        used += field.bits;
        Step& step = layout.m_steps[layout.m_fieldCount++];
        step.source = static_cast<std::uint8_t>(field.source);
        step.shift = static_cast<std::uint8_t>(64 - used);
        step.mask = field.bits == 32 ? UINT32_MAX : (1U << field.bits) - 1U;
        step.drop = isDepth(field.source) ? static_cast<std::uint8_t>(32 - field.bits) : std::uint8_t(0);
        step.flip = field.source == KeySource::DepthFar ? UINT32_MAX : 0U;
    }
    layout.m_fields.assign(fields.begin(), fields.end());
    return layout;
}

std::string KeyLayout::describe(std::uint64_t key) const
{
    std::string text;
    for (std::size_t i = 0; i < m_fieldCount; ++i)
    {
        const std::uint64_t value = (key >> m_steps[i].shift) & m_steps[i].mask;
        text += (text.empty() ? "" : " ") + std::string(m_fields[i].name) + "=" + std::to_string(value);
    }
    return text;
}

} // namespace dl
