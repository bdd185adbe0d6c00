// drawloom/draw/mesh_pass.h - a mesh pass says which batches it draws, with which shader and state, and in what order. Passes
// are registered by name at run time; when a pass runs and into what is the render graph's business.
#pragma once

#include "drawloom/draw/mesh_set.h"
#include "drawloom/draw/reason_codes.h"
#include "drawloom/draw/sort_key.h"
#include "drawloom/draw/view.h"
#include "drawloom/gpu/descs.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dl
{

using MeshPassId = Id<struct MeshPassTag>;

enum class MaterialAlpha : std::uint8_t
{
    Opaque,
    Masked,
    Blended,
};
constexpr std::uint32_t kMaterialAlphaCount = 3;

/// What a filter may ask about a batch.
struct BatchInfo
{
    std::string_view meshSet;
    std::uint32_t part = 0;
    std::string_view factory;
    std::string_view surface;
    MaterialAlpha alpha = MaterialAlpha::Opaque;
    bool isDoubleSided = false;
    std::uint32_t materialFlags = 0; ///< MaterialParams::flags
    BatchFlags flags;
};

/// None accepts. Called when a batch is declared or what BatchInfo holds has changed, never per frame. Pure.
using MeshPassFilter = ReasonCode (*)(const BatchInfo& batch, void* context);

/// Filters of the library: accept all; only BatchFlag::Selected (NotSelected); not BatchFlag::NoShadow (CastsNoShadow).
ReasonCode acceptAllBatches(const BatchInfo& batch, void* context);
ReasonCode acceptSelectedBatches(const BatchInfo& batch, void* context);
ReasonCode acceptShadowCasters(const BatchInfo& batch, void* context);

/// How one kind of material is drawn. An empty shader: this kind is refused (PassTakesNo...).
struct MeshPassShader
{
    std::string shader; ///< first part of the entry's name: SHADER.FACTORY.SURFACE
    StreamSet streams = StreamSet::Full;
};

enum class CullRule : std::uint8_t
{
    Material, ///< back faces, or none for double-sided materials
    None,     ///< without colour targets, mirrored instances then share pipelines: `front_facing` tells nothing there
    Back,
    Front,
};

struct MeshPassDesc
{
    std::string name;
    ViewKinds viewKinds = ViewKind::Camera;
    MeshPassShader opaque, masked, blended;
    MeshPassFilter filter = acceptAllBatches;
    void* filterContext = nullptr;
    std::vector<std::string> userReasons; ///< names of userReason(0..)
    std::vector<gpu::ColorTargetState> colorTargets;
    gpu::DepthState depth;
    CullRule cull = CullRule::Material;
    std::uint32_t sampleCount = 1;
    bool alphaToCoverage = false;
    gpu::BindGroupLayoutId passLayout; ///< G1, the author's; none when the shaders read no group 1
    SortOrder order = SortOrder::State;
    std::vector<KeyField> keyFields; ///< empty: defaultKeyFields(order). BackToFront must hold DepthFar
};

} // namespace dl
