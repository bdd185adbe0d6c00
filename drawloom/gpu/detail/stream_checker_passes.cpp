// drawloom/gpu/detail/stream_checker_passes.cpp - begin and end of passes, and their attachments.
#include "drawloom/gpu/barrier_model.h"
#include "drawloom/gpu/detail/stream_checker.h"
#include "drawloom/gpu/detail/text.h"
#include "drawloom/gpu/detail/validation_descs.h"

namespace dl::gpu
{

/// A live view of a live texture, one mip and layer of it.
struct StreamChecker::Attachment
{
    const ViewRecord* view = nullptr;
    TextureRecord* texture = nullptr;
    SubresourceRange range;
};

void StreamChecker::enterPass(Pass pass, std::span<const std::byte> label)
{
    m_pass = pass;
    m_passGroupDepth = 0;
    m_scope = m_hazards.newScope();
    std::string text = "in pass \"";
    text.append(reinterpret_cast<const char*>(label.data()), std::min<std::size_t>(label.size(), 200));
    m_place = m_hazards.place(text += '"');
    m_pipeline = {};
    m_groups = {};
    m_vertexSlots = {};
    m_hasIndexBuffer = false;
}

void StreamChecker::timestamps(QuerySetId id, std::uint32_t begin, std::uint32_t end)
{
    if (!id)
        return;
    const QuerySetRecord* set = findObject(m_objects.querySets, id, ObjectKind::QuerySet);
    if (set != nullptr && (begin >= set->count || end >= set->count || begin == end))
        error(ValidationRule::QueryRange, "timestamps %u and %u of query set \"%s\" with %u", begin, end, set->label.c_str(), set->count);
}

void StreamChecker::beginComputePass(const CommandView& view)
{
    const auto cmd = view.record<BeginComputePassCmd>();
    enterPass(Pass::Compute, view.trailing<BeginComputePassCmd>());
    timestamps(cmd.querySet, cmd.beginQuery, cmd.endQuery);
}

void StreamChecker::beginRenderPass(const CommandView& view)
{
    const auto cmd = view.record<BeginRenderPassCmd>();
    enterPass(Pass::Render, view.trailing<BeginRenderPassCmd>().subspan(cmd.colorCount * sizeof(ColorAttachment)));
    timestamps(cmd.querySet, cmd.beginQuery, cmd.endQuery);
    m_width = cmd.width;
    m_height = cmd.height;
    m_sampleCount = 0;
    m_colorFormats.clear();
    m_depthFormat = Format::None;
    m_isDepthReadOnly = cmd.depth.isReadOnly != 0;
    m_discards.clear();
    if (cmd.colorCount == 0 && !cmd.depth.view)
        error(ValidationRule::Attachments, "has no attachment");
    if (cmd.colorCount > m_info.limits.maxColorAttachments)
        error(ValidationRule::Attachments, "%u colour attachments, allowed %u", cmd.colorCount, m_info.limits.maxColorAttachments);
    for (std::uint32_t i = 0; i < cmd.colorCount; ++i)
        colorAttachment(view.element<BeginRenderPassCmd, ColorAttachment>(i));
    if (cmd.depth.view)
        depthAttachment(cmd.depth);
}

bool StreamChecker::findAttachment(TextureViewId id, const char* what, TextureUsage usage, Attachment& out)
{
    out.view = findObject(m_objects.views, id, ObjectKind::TextureView);
    if (out.view == nullptr)
        return false;
    const TextureViewDesc& desc = out.view->desc;
    out.texture = m_objects.textures.find(desc.texture);
    if (out.texture == nullptr)
        return error(ValidationRule::ViewOfDestroyedObject, "%s: the texture of view \"%s\" was destroyed", what, out.view->label.c_str()),
               false;
    const char* label = out.texture->label.c_str();
    if (!out.texture->usage.contains(usage))
        error(ValidationRule::UsageFlags, "texture \"%s\" was not created with usage %s", label,
            usage == TextureUsage::DepthAttachment ? "DepthAttachment" : "ColorAttachment");
    if (desc.mipCount != 1 || desc.layerCount != 1 || out.texture->shape.isVolume)
        return error(ValidationRule::Attachments, "%s: the view of texture \"%s\" shows %u mips, %u layers; an attachment is one of each",
                   what, label, desc.mipCount, desc.layerCount),
               false;
    out.range = {.baseMip = desc.baseMip, .baseLayer = desc.baseLayer};
    checkAttachmentSize(out, what);
    return true;
}

void StreamChecker::checkAttachmentSize(const Attachment& a, const char* what)
{
    const std::uint32_t w = a.texture->shape.mipWidth(a.range.baseMip), h = a.texture->shape.mipHeight(a.range.baseMip);
    if (w != m_width || h != m_height)
        error(ValidationRule::Attachments, "%s: texture \"%s\" mip %u is %ux%u, the pass %ux%u", what, a.texture->label.c_str(),
            a.range.baseMip, w, h, m_width, m_height);
}

void StreamChecker::colorAttachment(const ColorAttachment& color)
{
    Attachment a;
    m_colorFormats.push_back(Format::None);
    if (!findAttachment(color.view, "colour", TextureUsage::ColorAttachment, a))
        return;
    m_colorFormats.back() = a.view->desc.format;
    if (m_sampleCount != 0 && m_sampleCount != a.texture->sampleCount)
        error(ValidationRule::Attachments, "texture \"%s\" has %u samples, another attachment %u", a.texture->label.c_str(),
            a.texture->sampleCount, m_sampleCount);
    m_sampleCount = a.texture->sampleCount;
    m_hazards.useTexture(*a.texture, a.range, Access::ColorWrite, passSite(), color.load == LoadOp::Load);
    if (color.store == StoreOp::Discard)
        m_discards.push_back({.texture = a.view->desc.texture, .range = a.range});
    if (color.resolveView)
        resolveAttachment(color, a);
}

void StreamChecker::resolveAttachment(const ColorAttachment& color, const Attachment& source)
{
    Attachment a;
    if (!findAttachment(color.resolveView, "resolve", TextureUsage::ColorAttachment, a))
        return;
    if (source.texture->sampleCount != 4 || a.texture->sampleCount != 1 || a.view->desc.format != source.view->desc.format)
        error(ValidationRule::Attachments, "texture \"%s\" (%u samples) resolves to \"%s\" (%u samples): needs 4 to 1 of one format",
            source.texture->label.c_str(), source.texture->sampleCount, a.texture->label.c_str(), a.texture->sampleCount);
    m_hazards.useTexture(*a.texture, a.range, Access::ColorWrite, passSite(), false);
}

void StreamChecker::depthAttachment(const DepthAttachment& depth)
{
    Attachment a;
    if (!findAttachment(depth.view, "depth", TextureUsage::DepthAttachment, a))
        return;
    m_depthFormat = a.view->desc.format;
    if (m_sampleCount != 0 && m_sampleCount != a.texture->sampleCount)
        error(ValidationRule::Attachments, "texture \"%s\" has %u samples, the colour attachments %u", a.texture->label.c_str(),
            a.texture->sampleCount, m_sampleCount);
    m_sampleCount = a.texture->sampleCount;
    if (depth.isReadOnly != 0 && (depth.load == LoadOp::Clear || depth.store == StoreOp::Discard))
        error(ValidationRule::Attachments, "read-only depth \"%s\" is cleared or discarded", a.texture->label.c_str());
    if (depth.load == LoadOp::Clear && !(depth.clear >= 0.0f && depth.clear <= 1.0f))
        error(ValidationRule::Attachments, "depth \"%s\" is cleared to %g, allowed 0 to 1", a.texture->label.c_str(), double(depth.clear));
    const Access access = depth.isReadOnly != 0 ? Access::DepthRead : Access::DepthWrite;
    m_hazards.useTexture(*a.texture, a.range, access, passSite(), depth.load == LoadOp::Load);
    if (depth.isReadOnly == 0 && depth.store == StoreOp::Discard)
        m_discards.push_back({.texture = a.view->desc.texture, .range = a.range});
}

void StreamChecker::endRenderPass()
{
    if (m_passGroupDepth != 0)
        error(ValidationRule::PassOrder, "the pass ends inside %u debug groups", m_passGroupDepth);
    for (const Discard& discard : m_discards)
        m_hazards.discard(*m_objects.textures.find(discard.texture), discard.range);
    m_pass = Pass::None;
}

} // namespace dl::gpu
