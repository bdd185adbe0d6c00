// drawloom/gpu/detail/capture_archive.h - one description of every captured desc, read and written by the same functions.
#pragma once

#include "drawloom/gpu/descs.h"
#include "drawloom/gpu/object_kind.h"

#include <cstring>
#include <vector>

namespace dl::gpu
{

struct CapturedVertexBuffer
{
    std::uint32_t stride = 0;
    bool isPerInstance = false;
    std::vector<VertexAttribute> attributes;
};

/// A creation with everything that its desc pointed to. Only the members of its kind are used.
struct CapturedObject
{
    ObjectKind kind = ObjectKind::Buffer;
    std::uint32_t index = 0, generation = 0;
    bool isCompute = false; ///< pipelines
    std::string label;
    BufferDesc buffer;
    TextureDesc texture;
    TextureViewDesc view;
    SamplerDesc sampler;
    std::vector<std::uint32_t> spirv;
    std::string wgsl;
    std::vector<BindGroupLayoutEntry> layoutEntries;
    BindGroupLayoutId groupLayout;
    std::vector<BindGroupEntry> groupEntries;
    std::vector<BindGroupLayoutId> layouts;
    ShaderModuleId firstModule, fragmentModule; ///< firstModule: vertex or compute
    std::string firstEntry, fragmentEntry;
    std::vector<CapturedVertexBuffer> vertexBuffers;
    std::vector<ColorTargetState> colors;
    RenderPipelineDesc render; ///< its plain members
    std::uint32_t queryCount = 0;

    template <class Tag> Id<Tag> id() const { return {index, generation}; }
};

enum class CaptureEvent : std::uint8_t
{
    Create,
    BufferContent,
    TextureContent,
    Destroy,
    Submit,
};

/// Appends plain numbers, little endian as in memory.
class CaptureWriter
{
public:
    static constexpr bool kIsReading = false;
    explicit CaptureWriter(std::vector<std::byte>& out) : m_out(out) {}
    template <class T> void number(T& value)
    {
        static_assert(std::is_arithmetic_v<T>);
        bytes(&value, sizeof(value));
    }
    void bytes(const void* data, std::size_t count)
    {
        const auto* begin = static_cast<const std::byte*>(data);
        m_out.insert(m_out.end(), begin, begin + count);
    }
    bool isFailed() const { return false; }

private:
    std::vector<std::byte>& m_out;
};

/// Reads what CaptureWriter wrote; behind the end, or after `fail`, everything reads as zero.
class CaptureReader
{
public:
    static constexpr bool kIsReading = true;
    explicit CaptureReader(std::span<const std::byte> in) : m_in(in) {}
    template <class T> void number(T& value)
    {
        static_assert(std::is_arithmetic_v<T>);
        value = T();
        const std::span<const std::byte> source = take(sizeof(T));
        if (!source.empty())
            std::memcpy(&value, source.data(), sizeof(T));
    }
    /// Empty (and failed) when fewer are left.
    std::span<const std::byte> take(std::uint64_t count)
    {
        if (m_isFailed || count > m_in.size())
        {
            m_isFailed = true;
            return {};
        }
        const std::span<const std::byte> result = m_in.first(static_cast<std::size_t>(count));
        m_in = m_in.subspan(static_cast<std::size_t>(count));
        return result;
    }
    std::size_t left() const { return m_in.size(); }
    bool isFailed() const { return m_isFailed; }
    void fail() { m_isFailed = true; }

private:
    std::span<const std::byte> m_in;
    bool m_isFailed = false;
};

/// Both directions; enumerators and counts out of range fail the reader.
void archive(CaptureWriter& a, CapturedObject& object);
void archive(CaptureReader& a, CapturedObject& object);

} // namespace dl::gpu
