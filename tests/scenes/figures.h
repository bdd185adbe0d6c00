// tests/scenes/figures.h - modular figures: head, hat, torso, arms, legs and clothing as separate skinned meshes over one
// 22-joint skeleton (facing +Z, 1.78 m), weapons of several parts in the hand joints, and a walk.
#pragma once

#include "tests/scenes/random.h"
#include "tests/scenes/scene_builder.h"
#include "tests/scenes/town_materials.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace dl::scenes
{

enum Joint : std::uint16_t
{
    kRoot,
    kHips,
    kSpine,
    kChest,
    kNeck,
    kHead,
    kShoulderL,
    kUpperArmL,
    kLowerArmL,
    kHandL,
    kHandSlotL,
    kShoulderR,
    kUpperArmR,
    kLowerArmR,
    kHandR,
    kHandSlotR,
    kUpperLegL,
    kLowerLegL,
    kFootL,
    kUpperLegR,
    kLowerLegR,
    kFootR,
    kJointCount
};

struct JointInfo
{
    const char* name;
    std::uint16_t parent; ///< kJointCount: none
    vec3 position;        ///< in the bind pose, model space; no rotation
};
const std::array<JointInfo, kJointCount>& skeleton();

enum class Hat : std::uint8_t
{
    None,
    Straw,
    Hood,
    Helmet
};
enum class Clothing : std::uint8_t
{
    Tunic,
    Skirt,
    Apron,
    Cape
};
enum class Weapon : std::uint8_t
{
    None,
    Sword,
    Axe,
    Spear,
    Hammer,
    LanternStaff
};

struct FigureDesc
{
    std::string name;
    std::uint32_t skin = 0, cloth = 0, secondCloth = 0, hair = 0; ///< indices into TownMaterials' arrays
    Hat hat = Hat::None;
    Clothing clothing = Clothing::Tunic;
    Weapon weapon = Weapon::None;
    bool hasShield = false;
    bool isWalking = true;
    vec3 position = vec3(0.0f);
    float yawRadians = 0.0f;
    float heightScale = 1.0f;
    float phase = 0.0f; ///< of the step, 0..1
};

/// Adds figures to a scene; meshes are shared between figures of equal parts.
class FigureMaker
{
public:
    FigureMaker(SceneBuilder& builder, const TownMaterials& materials);
    /// The figure's nodes, skin, weapons, and its channels in `walk`.
    void add(const FigureDesc& desc, Animation& walk);

private:
    using MakeMesh = std::function<std::vector<Primitive>()>;
    std::uint32_t mesh(const std::string& name, const MakeMesh& make);
    void addClothes(const FigureDesc& desc, std::uint32_t figureNode, std::uint32_t skinIndex);
    void addWeapon(const FigureDesc& desc, std::uint32_t slotNode);
    void addShield(const FigureDesc& desc, std::uint32_t slotNode);

    SceneBuilder& m_builder;
    const TownMaterials& m_materials;
    std::map<std::string, std::uint32_t> m_meshes;
};

/// The parts' geometry (figure_parts.cpp), bound to the skeleton.
std::vector<Primitive> makeHead(std::uint32_t skin, std::uint32_t hair);
std::vector<Primitive> makeHat(Hat hat, std::uint32_t cloth, std::uint32_t steel);
std::vector<Primitive> makeTorso(std::uint32_t cloth, std::uint32_t leather);
std::vector<Primitive> makeArms(std::uint32_t cloth, std::uint32_t skin);
std::vector<Primitive> makeLegs(std::uint32_t cloth, std::uint32_t leather);
std::vector<Primitive> makeClothing(Clothing clothing, std::uint32_t cloth);

/// One part of a weapon: a mesh in the weapon's frame (+Y up, grip at the origin).
struct WeaponPart
{
    const char* name;
    std::vector<Primitive> primitives;
};
std::vector<WeaponPart> makeWeapon(Weapon weapon, const TownMaterials& materials, std::uint32_t cloth);
std::vector<WeaponPart> makeShield(const TownMaterials& materials, std::uint32_t cloth);

/// Adds the channels of one figure (figure_walk.cpp) and puts its nodes into the pose of time 0.
void addWalk(SceneBuilder& builder, const FigureDesc& desc, std::uint32_t figureNode, std::uint32_t firstJointNode, Animation& walk);

} // namespace dl::scenes
