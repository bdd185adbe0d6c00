// Words for what the graph did: issues, pass reports, dot and JSON dumps.
#include "drawloom/graph/detail/graph_state.h"

#include <string>

namespace dl::graph
{

namespace
{

/// For dot and JSON strings alike.
std::string quoted(std::string_view text)
{
    constexpr char kHex[] = "0123456789abcdef";
    std::string out = "\"";
    for (const char c : text)
    {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            out += '\\';
        if (byte < 0x20)
        {
            out += "\\u00";
            out += kHex[byte >> 4U];
            out += kHex[byte & 15U];
        }
        else
            out += c;
    }
    return out += '"';
}

std::string number(std::uint32_t value)
{
    return value == kNoIndex ? "null" : std::to_string(value);
}

std::string describeBarrier(const RenderGraph& graph, const PlanBarrier& barrier)
{
    std::string text =
        std::string(graph.resourceName(barrier.resource)) + ' ' + gpu::toString(barrier.before) + "->" + gpu::toString(barrier.after);
    const PlanResource& resource = graph.description().resources[barrier.resource];
    if (resource.subresourceCount() > 1)
        text += " mips " + std::to_string(barrier.range.baseMip) + '+' + std::to_string(barrier.range.mipCount) + " layers " +
                std::to_string(barrier.range.baseLayer) + '+' + std::to_string(barrier.range.layerCount);
    return text;
}

std::string jsonBarriers(const RenderGraph& graph, std::uint32_t first, std::uint32_t count)
{
    std::string out = "[";
    for (std::uint32_t b = first; b < first + count; ++b)
        out += (b == first ? "" : ", ") + quoted(describeBarrier(graph, graph.plan().barriers[b]));
    return out + "]";
}

} // namespace

std::string_view toString(PassKind kind)
{
    switch (kind)
    {
    case PassKind::Raster: return "raster";
    case PassKind::Compute: return "compute";
    case PassKind::Copy: return "copy";
    }
    return "unknown";
}

std::string_view toString(CullReason reason)
{
    switch (reason)
    {
    case CullReason::None: return "kept";
    case CullReason::NoOutput: return "writes nothing";
    case CullReason::NeverRead: return "nobody reads what it writes";
    case CullReason::ConsumersCulled: return "only culled passes read what it writes";
    }
    return "unknown";
}

std::string GraphState::describe(const PlanIssue& issue) const
{
    const std::string pass = issue.pass == kNoIndex ? std::string() : '"' + std::string(passName(issue.pass)) + '"';
    const std::string resource = issue.resource == kNoIndex ? std::string() : '"' + std::string(resourceName(issue.resource)) + '"';
    const std::string where = " (mip " + std::to_string(issue.mip) + ", layer " + std::to_string(issue.layer) + ')';
    switch (issue.code)
    {
    case IssueCode::ReadNeverWritten:
        if (issue.pass == kNoIndex)
            return "render graph: " + resource + " is extracted but a part of it was never written";
        return "render graph: " + pass + " reads " + resource + where + " as " + gpu::toString(issue.first) +
               ", which no earlier pass has written";
    case IssueCode::ConflictingAccess:
        return "render graph: " + pass + " uses " + resource + where + " as " + gpu::toString(issue.first) + " and as " +
               gpu::toString(issue.second) + ", which exclude each other; split the pass or the range";
    case IssueCode::BadRange: return "render graph: " + pass + " names mips or layers that " + resource + " does not have";
    case IssueCode::BadAccess:
        return "render graph: " + (pass.empty() ? std::string("the import or extraction") : pass) + " uses " + resource + " as " +
               gpu::toString(issue.first) + ", which this kind of resource can not have";
    case IssueCode::PassWithoutOutput:
        return "render graph: " + pass + " writes nothing and is culled; declare what it writes, or sideEffects()";
    case IssueCode::UnusedResource: return "render graph: no pass uses " + resource;
    }
    return {};
}

void GraphState::makeReports()
{
    reports.clear();
    for (std::uint32_t p = 0; p < passes.size(); ++p)
    {
        const PassPlan& passPlan = plan->passes[p];
        PassReport& report = reports.emplace_back();
        report.name = passName(p);
        report.kind = description.passes[p].kind;
        report.cullReason = passPlan.cullReason;
        report.isCulled = passPlan.cullReason != CullReason::None;
        if (passPlan.culledBy != kNoIndex)
            report.culledBy = passName(passPlan.culledBy);
        for (const PlanBarrier& barrier : std::span(plan->barriers).subspan(passPlan.firstBarrier, passPlan.barrierCount))
            ++(description.resources[barrier.resource].kind == ResourceKind::Texture ? report.textureBarrierCount
                                                                                     : report.bufferBarrierCount);
    }
    stats.passCount = static_cast<std::uint32_t>(passes.size());
    stats.culledPassCount = plan->stats.culledPassCount;
    stats.textureBarrierCount = plan->stats.textureBarrierCount;
    stats.bufferBarrierCount = plan->stats.bufferBarrierCount;
    stats.transientBytes = plan->stats.transientBytes;
    stats.transientBytesWithoutAliasing = plan->stats.transientBytesWithoutAliasing;
}

std::string dumpGraphDot(const RenderGraph& graph)
{
    const GraphDescription& description = graph.description();
    const GraphPlan& plan = graph.plan();
    std::string out = "digraph frame {\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n";
    for (std::uint32_t p = 0; p < description.passes.size(); ++p)
    {
        const bool isCulled = plan.passes[p].cullReason != CullReason::None;
        std::string label(graph.passName(p));
        if (isCulled)
            label += " (culled: " + std::string(toString(plan.passes[p].cullReason)) + ')';
        out += "  p" + std::to_string(p) + " [shape=box, style=" + (isCulled ? "dashed" : "filled") + ", label=" + quoted(label) + "];\n";
    }
    for (std::uint32_t r = 0; r < description.resources.size(); ++r)
    {
        const bool isImported = description.resources[r].origin == ResourceOrigin::Imported;
        std::string label(graph.resourceName(r));
        if (plan.resources[r].slot != kNoIndex)
            label += " (object " + std::to_string(plan.resources[r].slot) + ')';
        out += "  r" + std::to_string(r) + " [shape=ellipse" + (isImported ? ", peripheries=2" : "") + ", label=" + quoted(label) + "];\n";
    }
    for (std::uint32_t p = 0; p < description.passes.size(); ++p)
        for (std::uint32_t a = description.passes[p].firstAccess; a < description.passes[p].firstAccess + description.passes[p].accessCount;
            ++a)
        {
            const PlanAccess& access = description.accesses[a];
            const std::string pass = 'p' + std::to_string(p);
            const std::string resource = 'r' + std::to_string(access.resource);
            const bool isWrite = access.access.intersects(gpu::kWriteAccesses);
            out += "  " + (isWrite ? pass + " -> " + resource : resource + " -> " + pass) +
                   " [label=" + quoted(gpu::toString(access.access)) + "];\n";
        }
    return out + "}\n";
}

std::string dumpGraphJson(const RenderGraph& graph)
{
    const GraphDescription& description = graph.description();
    const GraphPlan& plan = graph.plan();
    std::string out = "{\n  \"version\": 1,\n  \"passes\": [";
    for (std::uint32_t p = 0; p < description.passes.size(); ++p)
    {
        const PassPlan& pass = plan.passes[p];
        out += std::string(p == 0 ? "" : ",") + "\n    {\"name\": " + quoted(graph.passName(p)) +
               ", \"kind\": " + quoted(toString(description.passes[p].kind)) +
               ", \"culled\": " + (pass.cullReason == CullReason::None ? "false" : "true") +
               ", \"reason\": " + quoted(toString(pass.cullReason)) +
               ", \"culledBy\": " + (pass.culledBy == kNoIndex ? std::string("null") : quoted(graph.passName(pass.culledBy))) +
               ", \"barriers\": " + jsonBarriers(graph, pass.firstBarrier, pass.barrierCount) + ", \"uses\": [";
        for (std::uint32_t a = 0; a < description.passes[p].accessCount; ++a)
        {
            const PlanAccess& access = description.accesses[description.passes[p].firstAccess + a];
            out += std::string(a == 0 ? "" : ", ") + "{\"resource\": " + std::to_string(access.resource) +
                   ", \"access\": " + quoted(gpu::toString(access.access)) + '}';
        }
        out += "]}";
    }
    out += "\n  ],\n  \"finalBarriers\": " + jsonBarriers(graph, plan.firstFinalBarrier, plan.finalBarrierCount) + ",\n  \"resources\": [";
    for (std::uint32_t r = 0; r < description.resources.size(); ++r)
    {
        const PlanResource& resource = description.resources[r];
        const ResourcePlan& resourcePlan = plan.resources[r];
        out += std::string(r == 0 ? "" : ",") + "\n    {\"name\": " + quoted(graph.resourceName(r)) +
               ", \"kind\": " + (resource.kind == ResourceKind::Texture ? "\"texture\"" : "\"buffer\"") +
               ", \"origin\": " + (resource.origin == ResourceOrigin::Imported ? "\"imported\"" : "\"transient\"") +
               ", \"bytes\": " + std::to_string(resource.bytes) + ", \"object\": " + number(resourcePlan.slot) +
               ", \"firstPass\": " + number(resourcePlan.firstPass) + ", \"lastPass\": " + number(resourcePlan.lastPass) + '}';
    }
    return out + "\n  ],\n  \"transientBytes\": " + std::to_string(plan.stats.transientBytes) +
           ",\n  \"transientBytesWithoutAliasing\": " + std::to_string(plan.stats.transientBytesWithoutAliasing) + "\n}\n";
}

} // namespace dl::graph
