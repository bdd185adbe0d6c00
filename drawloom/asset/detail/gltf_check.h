// drawloom/asset/detail/gltf_check.h - lists what the glTF specification forbids and the import does not mind, for
// GltfImportSettings::checksFormat. Runs after the import of a file that could be read; nothing here fails it, unless strict.
#pragma once

#include "drawloom/asset/detail/gltf_object.h"

#include <unordered_set>

namespace dl::detail
{

class FormatCheck
{
public:
    explicit FormatCheck(GltfState& state) : m_state(state) {}

    void run();

private:
    /// A `spec-violation`; the first hundred are listed, the rest counted.
    void report(const std::string& where, const std::string& message);
    /// Runs a reader of the import; the error that it gives is reported instead.
    template <class Read> void attempt(Read&& read)
    {
        read();
        if (!m_state.error)
            return;
        const std::string message = m_state.error->message;
        m_state.error.reset();
        report({}, message);
    }

    // gltf_check_tree.cpp: what holds anywhere in the JSON.
    struct Place;
    void checkTree();
    void visit(const Place& place, JsonValue value, bool isExtension);
    void visitMember(const Place& place, std::string_view key, JsonValue value);
    void checkExtensions(const Place& owner, JsonValue extensions);
    bool isDeclared(std::string_view extension) const;

    // gltf_check_data.cpp: buffers, views, accessors and images.
    void checkBuffers();
    void checkBufferViews();
    void checkAccessors();
    void checkPlacement(const GltfObject& accessor);
    void checkContent(const GltfObject& accessor, std::uint32_t index);
    void checkBounds(const GltfObject& accessor, const char* key, const std::vector<float>& actual);
    void checkTextures();

    // gltf_check_use.cpp: primitives, skins, animations, scenes.
    void checkPrimitives();
    void checkPrimitive(const GltfObject& primitive);
    void checkAttributes(const GltfObject& primitive, const GltfObject& attributes);
    void checkMaterialNeeds(const GltfObject& primitive, const GltfObject& attributes);
    void needBounds(const GltfObject& user, const char* key);
    void use(const GltfObject& user, std::string_view key, std::uint8_t flag);
    void checkAnimations();
    void checkSkins();
    void checkScenes();
    void checkRoot();
    void findRoots();

    GltfState& m_state;
    std::unordered_set<std::string_view> m_declared; ///< extensionsUsed
    std::vector<std::uint8_t> m_uses;                ///< by accessor: flags of what names it
    std::vector<std::uint32_t> m_roots;              ///< by node of the scene
    std::vector<std::uint64_t> m_neededUvSets;       ///< by material; kUnknown: not looked at yet
    std::optional<Error> m_firstError;               ///< of a strict import
    std::uint64_t m_checkedBytes = 0;
    std::size_t m_count = 0;
};

/// What an accessor is used as, where that restricts its values.
enum AccessorUse : std::uint8_t
{
    kUsedAsIndices = 1,
    kUsedAsColor = 2,
    kUsedAsWeights = 4,
    kUsedAsInverseBind = 8,
};

} // namespace dl::detail
