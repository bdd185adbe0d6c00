// drawloom/asset/detail/gltf_material_extension.cpp - see the header. An extension becomes JSON text again, in which only
// the members of its textureInfos (objects named ...Texture) are taken apart, since their indices change through export.
#include "drawloom/asset/detail/gltf_material_extension.h"

#include "drawloom/asset/detail/json_writer.h"

#include <algorithm>

namespace dl::detail
{
namespace
{

constexpr std::string_view kKept[] = {"KHR_materials_anisotropy", "KHR_materials_clearcoat", "KHR_materials_diffuse_transmission",
    "KHR_materials_dispersion", "KHR_materials_ior", "KHR_materials_iridescence", "KHR_materials_sheen", "KHR_materials_specular",
    "KHR_materials_transmission", "KHR_materials_volume"};

class ExtensionCopy
{
public:
    explicit ExtensionCopy(MaterialExtension& out) : m_out(out) {}

    void run(const GltfObject& extension)
    {
        m_json.beginObject();
        for (const auto& [name, value] : extension.members())
        {
            if (name == "extensions") // of extensions: nothing that is kept has any
                continue;
            const bool isTexture = name.ends_with("Texture") && value.find("index");
            if (isTexture)
                copyTexture(extension, std::string(name));
            else
            {
                m_json.key(name);
                copy(value);
            }
        }
        m_json.endObject();
        m_out.json.push_back(m_json.text());
    }

private:
    /// Cuts the text inside the textureInfo; what is left of it (scale, extras) follows.
    void copyTexture(const GltfObject& extension, const std::string& name)
    {
        const std::optional<GltfObject> info = extension.object(name.c_str());
        if (!info)
            return;
        TextureRef texture = readTextureInfo(*info);
        if (!texture.isPresent()) // reported: the extension goes without it
            return;
        m_json.beginObject(name);
        m_out.textures.push_back(texture);
        m_out.json.push_back(m_json.take());
        m_json.continueObject();
        for (const auto& [key, value] : info->members())
            if (key != "index" && key != "texCoord" && key != "extensions")
            {
                m_json.key(key);
                copy(value);
            }
        m_json.endObject();
    }

    /// As deep as the document's own nesting, which is limited.
    void copy(JsonValue value)
    {
        switch (value.kind())
        {
        case JsonKind::Null: m_json.null(); break;
        case JsonKind::Bool: m_json.value(value.boolean().value_or(false)); break;
        case JsonKind::Number: m_json.value(value.number().value_or(0.0)); break;
        case JsonKind::String: m_json.value(value.string().value_or(std::string_view())); break;
        case JsonKind::Array:
            m_json.beginArray();
            for (const JsonValue element : value.elements())
                copy(element);
            m_json.endArray();
            break;
        case JsonKind::Object:
            m_json.beginObject();
            for (const auto& [key, member] : value.members())
            {
                m_json.key(key);
                copy(member);
            }
            m_json.endObject();
            break;
        }
    }

    MaterialExtension& m_out;
    JsonWriter m_json;
};

} // namespace

bool isKeptMaterialExtension(std::string_view name)
{
    return std::find(std::begin(kKept), std::end(kKept), name) != std::end(kKept);
}

void readMaterialExtension(const GltfObject& extension, MaterialExtension& out)
{
    ExtensionCopy(out).run(extension);
    std::uint64_t bytes = out.textures.size() * sizeof(TextureRef);
    for (const std::string& text : out.json)
        bytes += text.size();
    extension.state().takeBytes(bytes, extension.path());
}

} // namespace dl::detail
