#include "drawloom/resource/material_table.h"

#include <cmath>

namespace dl
{

namespace
{
// KHR_texture_transform: translation * rotation * scale, with the rotation as the extension writes it (counter-clockwise
// in a V-down UV space).
void packUvTransform(MaterialParams& params, std::uint32_t i, const TextureRef& texture)
{
    const float c = std::cos(texture.uvRotation), s = std::sin(texture.uvRotation);
    params.uvMatrix[i] = vec4(c * texture.uvScale.x, -s * texture.uvScale.x, s * texture.uvScale.y, c * texture.uvScale.y);
    vec4& pair = params.uvOffset[i / 2];
    (i % 2 == 0 ? pair.x : pair.z) = texture.uvOffset.x;
    (i % 2 == 0 ? pair.y : pair.w) = texture.uvOffset.y;
    if (texture.uvSet == 1)
        params.flags |= 1U << (kMaterialUsesUv1Shift + i);
    if (texture.isPresent())
        params.flags |= 1U << (kMaterialTexturePresentShift + i);
}
} // namespace

MaterialParams packMaterial(const Material& material)
{
    MaterialParams params;
    params.baseColorFactor = material.baseColorFactor;
    params.emissiveFactor = material.emissiveFactor;
    params.normalScale = material.normalScale;
    params.metallicFactor = material.metallicFactor;
    params.roughnessFactor = material.roughnessFactor;
    params.occlusionStrength = material.occlusionStrength;
    params.alphaCutoff = material.alphaCutoff;
    packUvTransform(params, kTextureBaseColor, material.baseColor);
    packUvTransform(params, kTextureMetallicRoughness, material.metallicRoughness);
    packUvTransform(params, kTextureNormal, material.normal);
    packUvTransform(params, kTextureOcclusion, material.occlusion);
    packUvTransform(params, kTextureEmissive, material.emissive);
    params.flags |= material.isUnlit ? kMaterialUnlitBit : 0U;
    params.flags |= material.normal.isPresent() ? kMaterialHasNormalMapBit : 0U;
    params.flags |= material.alphaMode == AlphaMode::Mask ? kMaterialAlphaMaskBit : 0U;
    params.flags |= material.alphaMode == AlphaMode::Blend ? kMaterialBlendedBit : 0U;
    params.flags |= material.isDoubleSided ? kMaterialDoubleSidedBit : 0U;
    return params;
}

MaterialTable::MaterialTable(gpu::Device& device, RetireQueue& retired, MemoryAmount& amount)
    : m_buffer(device, retired, amount, {"materials", gpu::BufferUsage::Storage, gpu::Access::StorageRead, 64 * sizeof(MaterialParams)}),
      m_dirty(1, 2)
{
}

Result<void> MaterialTable::reserveRows(std::size_t count)
{
    DL_TRY_ASSIGN(const bool isNew, m_buffer.reserve(count * sizeof(MaterialParams)));
    if (!isNew)
        return {};
    const auto capacity = static_cast<std::uint32_t>(m_buffer.bytes() / sizeof(MaterialParams));
    m_rows.resize(capacity);
    m_dirty.resize(capacity);
    m_dirty.markAll();
    return {};
}

Result<void> MaterialTable::prepare()
{
    return reserveRows(1);
}

Result<MaterialId> MaterialTable::add(const MaterialParams& params, TextureSetId textureSet)
{
    DL_TRY(reserveRows(m_materials.indexBound() + 1)); // never more rows than indices ever handed out, plus this one
    const MaterialId id = m_materials.add(textureSet);
    m_rows[id.index] = params;
    m_dirty.mark(id.index, 1);
    return id;
}

bool MaterialTable::update(MaterialId id, const MaterialParams& params)
{
    if (!m_materials.contains(id))
        return false;
    m_rows[id.index] = params;
    m_dirty.mark(id.index, 1);
    return true;
}

bool MaterialTable::setTextureSet(MaterialId id, TextureSetId textureSet)
{
    TextureSetId* current = m_materials.find(id);
    if (current == nullptr)
        return false;
    *current = textureSet;
    return true;
}

bool MaterialTable::remove(MaterialId id)
{
    return m_materials.remove(id);
}

void MaterialTable::collectWrites(WriteBatch& batch)
{
    m_scratch.clear();
    m_dirty.collect(m_scratch);
    for (const DirtyRange& range : m_scratch)
        batch.write(m_buffer, std::uint64_t(range.first) * sizeof(MaterialParams),
            std::as_bytes(std::span(m_rows).subspan(range.first, range.count)));
}

} // namespace dl
