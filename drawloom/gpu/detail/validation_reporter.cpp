// drawloom/gpu/detail/validation_reporter.cpp - messages and rule names.
#include "drawloom/gpu/detail/validation_reporter.h"

#include "drawloom/core/log.h"

#include <array>

namespace dl::gpu
{

std::string_view toString(ValidationRule rule)
{
    constexpr std::array<std::string_view, kValidationRuleCount> kNames = {"BufferDesc", "TextureDesc", "TextureViewDesc", "SamplerDesc",
        "ShaderModuleDesc", "BindGroupLayoutDesc", "BindGroupDesc", "VertexLayout", "PipelineDesc", "QuerySetDesc", "FeatureMissing",
        "StaleId", "ViewOfDestroyedObject", "PipelineNotReady", "MalformedStream", "PassOrder", "CopyRange", "UsageFlags", "Attachments",
        "PipelineForPass", "MissingPipeline", "MissingBindGroup", "BindGroupLayoutMismatch", "DynamicOffsets", "MissingVertexBuffer",
        "MissingIndexBuffer", "DrawRange", "ViewportScissor", "QueryRange", "DispatchRange", "IllegalBarrier", "BarrierBefore",
        "MissingBarrier", "UndefinedContent", "RedundantBarrier"};
    const auto index = static_cast<std::size_t>(rule);
    return index < kNames.size() ? kNames[index] : "?";
}

void ValidationReporter::report(ValidationRule rule, std::string text, bool isError)
{
    ++(isError ? m_stats.errorCount : m_stats.warningCount);
    if (!m_settings.handler)
        return log(isError ? LogLevel::Error : LogLevel::Warning, "validation, " + std::string(toString(rule)) + ": " + text);
    m_settings.handler({.rule = rule, .isError = isError, .text = std::move(text)});
}

void ValidationReporter::reportInStream(ValidationRule rule, std::string text, bool isError)
{
    if (isError && m_streamErrorCount++ == 0)
        m_firstError = text;
    if (m_streamMessageCount++ < m_settings.maxMessagesPerStream)
        report(rule, std::move(text), isError);
    else
        ++(isError ? m_stats.errorCount : m_stats.warningCount);
}

} // namespace dl::gpu
