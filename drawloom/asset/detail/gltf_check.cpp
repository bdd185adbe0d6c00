// drawloom/asset/detail/gltf_check.cpp - the order of the checks, and how they report.
#include "drawloom/asset/detail/gltf_check.h"

namespace dl::detail
{
namespace
{

constexpr std::size_t kMaxListed = 100;

} // namespace

void FormatCheck::report(const std::string& where, const std::string& message)
{
    if (++m_count <= kMaxListed)
        m_state.warn("spec-violation", where, message);
    if (m_state.error && !m_firstError)
        m_firstError = std::move(m_state.error);
    m_state.error.reset();
}

/// Parents come before their children.
void FormatCheck::findRoots()
{
    for (const Node& node : m_state.scene.nodes)
        m_roots.push_back(node.parent == kNoIndex ? static_cast<std::uint32_t>(m_roots.size()) : m_roots[node.parent]);
}

void FormatCheck::run()
{
    m_declared.insert(m_state.scene.extensionsUsed.begin(), m_state.scene.extensionsUsed.end());
    m_uses.assign(m_state.lists.accessors.size(), 0);
    m_neededUvSets.assign(m_state.lists.materials.size(), UINT64_MAX);
    findRoots();
    for (const std::string& fault : m_state.containerFaults)
        report("GLB", fault);
    checkTree();
    checkRoot();
    checkPrimitives();
    checkAnimations();
    checkSkins();
    checkScenes();
    checkBuffers();
    checkBufferViews();
    checkAccessors();
    checkTextures();
    if (m_count > kMaxListed)
        m_state.warn("spec-violation", {}, std::to_string(m_count - kMaxListed) + " more are not listed");
    if (m_firstError)
        m_state.error = std::move(m_firstError);
}

} // namespace dl::detail
