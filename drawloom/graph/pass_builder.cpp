// Declarations: what PassBuilder and RasterPassBuilder append to the frame's description, checked where it is cheap.
#include "drawloom/graph/detail/graph_state.h"

#include <algorithm>

namespace dl::graph
{

SubresourceRange resolveRange(const PlanResource& resource, SubresourceRange range)
{
    if (range.mipCount == kAllRemaining)
        range.mipCount = resource.mipCount > range.baseMip ? resource.mipCount - range.baseMip : 0;
    if (range.layerCount == kAllRemaining)
        range.layerCount = resource.layerCount() > range.baseLayer ? resource.layerCount() - range.baseLayer : 0;
    return range;
}

NameRef GraphState::addName(std::string_view text)
{
    const NameRef ref{static_cast<std::uint32_t>(names.size()), static_cast<std::uint32_t>(text.size())};
    names.append(text);
    return ref;
}

void GraphState::fail(ErrorCode code, std::string message)
{
    if (!error)
        error = Error{code, std::move(message)};
}

bool GraphState::checkHandle(
    std::uint64_t handleStamp, std::uint32_t index, std::uint32_t version, ResourceKind kind, std::string_view user, bool isAnyVersion)
{
    const std::string_view kindName = kind == ResourceKind::Texture ? "texture" : "buffer";
    if (handleStamp != frameStamp || index >= resources.size() || description.resources[index].kind != kind)
    {
        fail(ErrorCode::StaleId, "render graph: \"" + std::string(user) + "\" uses a " + std::string(kindName) +
                                     " handle that is none or of another graph or frame; handles live for one frame of one graph");
        return false;
    }
    if (isAnyVersion || version == resources[index].version)
        return true;
    fail(ErrorCode::StaleId, "render graph: \"" + std::string(user) + "\" uses version " + std::to_string(version) + " of \"" +
                                 std::string(resourceName(index)) + "\", which is dead: \"" +
                                 std::string(passName(resources[index].lastWriter)) + "\" wrote version " +
                                 std::to_string(resources[index].version) + "; use the handle that the write returned");
    return false;
}

void GraphState::failPass(std::uint32_t pass, std::string_view text)
{
    fail(ErrorCode::InvalidArgument, "render graph: \"" + std::string(passName(pass)) + "\" " + std::string(text));
}

bool GraphState::checkOpen(std::uint32_t pass)
{
    if (pass + 1 == passes.size() && !isCompiled)
        return true;
    fail(ErrorCode::InvalidArgument, "render graph: a pass is declared further after another one was added or after compile; "
                                     "finish one pass before the next");
    return false;
}

std::uint32_t GraphState::addResource(const PlanResource& resource, std::string_view label)
{
    description.resources.push_back(resource);
    ResourceDecl& decl = resources.emplace_back();
    decl.name = addName(label);
    return static_cast<std::uint32_t>(resources.size() - 1);
}

std::uint32_t GraphState::addPass(PassKind kind, std::string_view passName)
{
    description.passes.push_back({.kind = kind, .firstAccess = static_cast<std::uint32_t>(description.accesses.size())});
    passes.emplace_back().name = addName(passName);
    return static_cast<std::uint32_t>(passes.size() - 1);
}

std::uint32_t GraphState::addAccess(
    std::uint32_t pass, std::uint32_t resource, gpu::AccessFlags access, const SubresourceRange& range, gpu::Flags<AccessFlag> flags)
{
    description.accesses.push_back({resource, resolveRange(description.resources[resource], range), access, flags});
    ++description.passes[pass].accessCount;
    if (access.intersects(gpu::kWriteAccesses))
    {
        ++resources[resource].version;
        resources[resource].lastWriter = pass;
    }
    return static_cast<std::uint32_t>(description.accesses.size() - 1);
}

void GraphState::setRenderSize(std::uint32_t pass, std::uint32_t resource, std::uint32_t mip)
{
    const PlanResource& target = description.resources[resource];
    if (mip >= target.mipCount)
        return; // the planner reports the range
    const std::uint32_t width = std::max(1U, target.width >> mip);
    const std::uint32_t height = std::max(1U, target.height >> mip);
    PassDecl& decl = passes[pass];
    if (decl.width != 0 && (decl.width != width || decl.height != height))
        failPass(pass, "has attachments of " + std::to_string(decl.width) + "x" + std::to_string(decl.height) + " and, with \"" +
                           std::string(resourceName(resource)) + "\", of " + std::to_string(width) + "x" + std::to_string(height) +
                           " texels");
    decl.width = width;
    decl.height = height;
}

void GraphState::setSampleCount(std::uint32_t pass, std::uint32_t resource)
{
    const std::uint32_t count = description.resources[resource].sampleCount;
    PassDecl& decl = passes[pass];
    if (decl.sampleCount != 0 && decl.sampleCount != count)
        failPass(pass, "has attachments of " + std::to_string(decl.sampleCount) + " and, with \"" + std::string(resourceName(resource)) +
                           "\", of " + std::to_string(count) + " samples a texel");
    decl.sampleCount = count;
}

void GraphState::addRead(std::uint32_t pass, std::uint32_t resource, gpu::AccessFlags access, const SubresourceRange& range)
{
    if (access.intersects(gpu::kWriteAccesses))
        failPass(pass, "reads \"" + std::string(resourceName(resource)) + "\" as " + gpu::toString(access) + "; declare writes by write()");
    else
        addAccess(pass, resource, access, range, {});
}

void GraphState::addWrite(std::uint32_t pass, std::uint32_t resource, gpu::Access access, const SubresourceRange& range, Previous previous)
{
    if (access != gpu::Access::StorageWrite && access != gpu::Access::CopyWrite)
        failPass(pass, "writes \"" + std::string(resourceName(resource)) + "\" as " + gpu::toString(access) +
                           "; write() takes StorageWrite and CopyWrite");
    else
        addAccess(
            pass, resource, access, range, previous == Previous::Discard ? gpu::Flags(AccessFlag::Replaces) : gpu::Flags<AccessFlag>());
}

void PassBuilder::read(TextureHandle texture, gpu::AccessFlags access, const SubresourceRange& range)
{
    if (m_state->checkUse(m_pass, texture))
        m_state->addRead(m_pass, texture.index, access, range);
}

void PassBuilder::read(BufferHandle buffer, gpu::AccessFlags access)
{
    if (m_state->checkUse(m_pass, buffer))
        m_state->addRead(m_pass, buffer.index, access, {});
}

TextureHandle PassBuilder::write(TextureHandle texture, gpu::Access access, const SubresourceRange& range, Previous previous)
{
    if (!m_state->checkUse(m_pass, texture))
        return {};
    m_state->addWrite(m_pass, texture.index, access, range, previous);
    return m_state->textureHandle(texture.index);
}

BufferHandle PassBuilder::write(BufferHandle buffer, gpu::Access access, Previous previous)
{
    if (!m_state->checkUse(m_pass, buffer))
        return {};
    m_state->addWrite(m_pass, buffer.index, access, {}, previous);
    return m_state->bufferHandle(buffer.index);
}

void PassBuilder::fail(std::string_view text)
{
    m_state->failPass(m_pass, text);
}

void PassBuilder::neverCull()
{
    if (m_state->checkOpen(m_pass))
        m_state->description.passes[m_pass].flags |= PassFlag::NeverCull;
}

void PassBuilder::sideEffects()
{
    if (m_state->checkOpen(m_pass))
        m_state->description.passes[m_pass].flags |= PassFlag::SideEffects;
}

void PassBuilder::setFunction(PassFunction function)
{
    if (m_state->checkOpen(m_pass))
        m_state->passes[m_pass].function = std::move(function);
}

std::uint32_t RasterPassBuilder::sampleCount() const
{
    return m_state->passes[m_pass].sampleCount;
}

TextureHandle RasterPassBuilder::color(std::uint32_t slot, TextureHandle target, const ColorTarget& desc)
{
    if (!m_state->checkUse(m_pass, target))
        return {};
    PassDecl& pass = m_state->passes[m_pass];
    if (slot != pass.colorCount || slot >= kMaxColorAttachments)
    {
        m_state->failPass(m_pass, "declares attachment " + std::to_string(slot) + " after " + std::to_string(pass.colorCount) +
                                      " others; slots go from 0 to 7 without gaps");
        return {};
    }
    m_state->setRenderSize(m_pass, target.index, desc.mip);
    m_state->setSampleCount(m_pass, target.index);
    const AccessFlag flag = desc.load == gpu::LoadOp::Load ? AccessFlag::NeedsContent : AccessFlag::Replaces;
    pass.colors[slot] = {};
    pass.colors[slot].target = desc;
    pass.colors[slot].access =
        m_state->addAccess(m_pass, target.index, gpu::Access::ColorWrite, SubresourceRange::one(desc.mip, desc.layer), flag);
    ++pass.colorCount;
    return m_state->textureHandle(target.index);
}

TextureHandle RasterPassBuilder::resolve(std::uint32_t slot, TextureHandle target, std::uint32_t mip, std::uint32_t layer)
{
    if (!m_state->checkUse(m_pass, target))
        return {};
    PassDecl& pass = m_state->passes[m_pass];
    if (slot >= pass.colorCount)
    {
        m_state->failPass(m_pass, "resolves attachment " + std::to_string(slot) + ", which it did not declare");
        return {};
    }
    m_state->setRenderSize(m_pass, target.index, mip);
    pass.colors[slot].resolveAccess =
        m_state->addAccess(m_pass, target.index, gpu::Access::ColorWrite, SubresourceRange::one(mip, layer), AccessFlag::Replaces);
    return m_state->textureHandle(target.index);
}

TextureHandle RasterPassBuilder::depth(TextureHandle target, const DepthTarget& desc)
{
    if (!m_state->checkUse(m_pass, target))
        return {};
    PassDecl& pass = m_state->passes[m_pass];
    if (pass.depth.access != kNoIndex)
    {
        m_state->failPass(m_pass, "has two depth targets");
        return {};
    }
    m_state->setRenderSize(m_pass, target.index, desc.mip);
    m_state->setSampleCount(m_pass, target.index);
    const AccessFlag flag = desc.load == gpu::LoadOp::Load ? AccessFlag::NeedsContent : AccessFlag::Replaces;
    pass.depth.target = desc;
    pass.depth.access =
        m_state->addAccess(m_pass, target.index, gpu::Access::DepthWrite, SubresourceRange::one(desc.mip, desc.layer), flag);
    return m_state->textureHandle(target.index);
}

void RasterPassBuilder::depthReadOnly(TextureHandle target, bool isSampled, std::uint32_t mip, std::uint32_t layer)
{
    if (!m_state->checkUse(m_pass, target))
        return;
    PassDecl& pass = m_state->passes[m_pass];
    if (pass.depth.access != kNoIndex)
    {
        m_state->failPass(m_pass, "has two depth targets");
        return;
    }
    m_state->setRenderSize(m_pass, target.index, mip);
    m_state->setSampleCount(m_pass, target.index);
    const gpu::AccessFlags access =
        isSampled ? gpu::Access::DepthRead | gpu::Access::SampledRead : gpu::AccessFlags(gpu::Access::DepthRead);
    pass.depth.isReadOnly = true;
    pass.depth.target = {.load = gpu::LoadOp::Load, .mip = mip, .layer = layer};
    pass.depth.access = m_state->addAccess(m_pass, target.index, access, SubresourceRange::one(mip, layer), {});
}

} // namespace dl::graph
