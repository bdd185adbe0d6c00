// drawloom/gpu/detail/stream_checker.cpp - the walk, the order of commands, and messages.
#include "drawloom/gpu/detail/stream_checker.h"

#include "drawloom/gpu/detail/text.h"

namespace dl::gpu
{

void StreamChecker::run(std::span<const std::byte> stream)
{
    m_reporter.beginStream();
    m_pass = Pass::None;
    m_groupDepth = 0;
    m_commandIndex = 0;
    CommandReader reader(stream);
    while (!reader.isAtEnd())
    {
        const Result<CommandView> view = reader.next();
        if (!view)
            return m_reporter.reportInStream(ValidationRule::MalformedStream, view.error().message);
        ++m_reporter.stats().checkedCommandCount;
        m_op = view->op;
        if (isInPlace(view->op))
            command(*view);
        ++m_commandIndex;
    }
    endStream();
}

void StreamChecker::endStream()
{
    if (m_pass != Pass::None)
        m_reporter.reportInStream(ValidationRule::PassOrder, "the stream ends inside a pass");
    if (m_groupDepth != 0)
        m_reporter.reportInStream(ValidationRule::PassOrder, formatText("the stream ends inside %u debug groups", m_groupDepth));
}

void StreamChecker::error(ValidationRule rule, const char* format, ...)
{
    char buffer[1024];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(buffer, sizeof(buffer), format, arguments);
    va_end(arguments);
    m_reporter.reportInStream(rule, formatText("command %u, %s: %s", m_commandIndex, toString(m_op).data(), buffer));
}

void StreamChecker::reportStale(ObjectKind kind, std::uint32_t index, std::uint32_t generation, const std::string* deadLabel)
{
    if (deadLabel != nullptr)
        error(ValidationRule::StaleId, "%s \"%s\" (%u.%u) was destroyed before this stream was submitted", toString(kind).data(),
            deadLabel->c_str(), index, generation);
    else
        error(ValidationRule::StaleId, "no %s has the id %u.%u", toString(kind).data(), index, generation);
}

BufferRecord* StreamChecker::find(BufferId id, BufferUsage usage)
{
    constexpr std::array<const char*, 8> kNames = {
        "CopySrc", "CopyDst", "Vertex", "Index", "Uniform", "Storage", "Indirect", "QueryResolve"};
    BufferRecord* buffer = findObject(m_objects.buffers, id, ObjectKind::Buffer);
    if (buffer != nullptr && !buffer->usage.contains(usage))
        error(ValidationRule::UsageFlags, "buffer \"%s\" was not created with usage %s", buffer->label.c_str(),
            kNames[static_cast<std::size_t>(std::countr_zero(static_cast<std::uint32_t>(usage)))]);
    return buffer;
}

/// Reports and skips commands that stand in the wrong place.
bool StreamChecker::isInPlace(Op op)
{
    const bool isOutsideOnly = op <= Op::BeginRenderPass || op == Op::BeginComputePass;
    if (isOutsideOnly && m_pass != Pass::None)
        return error(ValidationRule::PassOrder, "stands inside %s", m_pass == Pass::Render ? "a render pass" : "a compute pass"), false;
    if (isOutsideOnly || op == Op::PushDebugGroup || op == Op::PopDebugGroup)
        return true;
    const bool isEitherPass = op == Op::SetPipeline || op == Op::SetBindGroup;
    if (m_pass == Pass::None)
        return error(ValidationRule::PassOrder, "stands outside a pass"), false;
    const bool isCompute = op == Op::EndComputePass || op == Op::Dispatch || op == Op::DispatchIndirect;
    if (!isEitherPass && isCompute != (m_pass == Pass::Compute))
        return error(ValidationRule::PassOrder, "stands in the wrong kind of pass"), false;
    return true;
}

void StreamChecker::command(const CommandView& view)
{
    switch (view.op)
    {
    case Op::BeginRenderPass: return beginRenderPass(view);
    case Op::EndRenderPass: return endRenderPass();
    case Op::BeginComputePass: return beginComputePass(view);
    case Op::EndComputePass:
        if (m_passGroupDepth != 0)
            error(ValidationRule::PassOrder, "the pass ends inside %u debug groups", m_passGroupDepth);
        m_pass = Pass::None;
        return;
    case Op::PushDebugGroup: ++(m_pass == Pass::None ? m_groupDepth : m_passGroupDepth); return;
    case Op::PopDebugGroup:
    {
        std::uint32_t& depth = m_pass == Pass::None ? m_groupDepth : m_passGroupDepth;
        if (depth == 0)
            return error(ValidationRule::PassOrder, "no debug group is open here");
        --depth;
        return;
    }
    default: return view.op < Op::BeginRenderPass ? copyCommand(view) : drawCommand(view);
    }
}

} // namespace dl::gpu
