#include "tests/scenes/figures.h"

#include <utility>

namespace dl::scenes
{

const std::array<JointInfo, kJointCount>& skeleton()
{
    static const std::array<JointInfo, kJointCount> kSkeleton = {{
        {"root", kJointCount, vec3(0.0f)},
        {"hips", kRoot, vec3(0.0f, 0.94f, 0.0f)},
        {"spine", kHips, vec3(0.0f, 1.08f, 0.0f)},
        {"chest", kSpine, vec3(0.0f, 1.26f, 0.0f)},
        {"neck", kChest, vec3(0.0f, 1.47f, 0.0f)},
        {"head", kNeck, vec3(0.0f, 1.55f, 0.0f)},
        {"shoulder.l", kChest, vec3(0.09f, 1.40f, 0.0f)},
        {"upperarm.l", kShoulderL, vec3(0.20f, 1.40f, 0.0f)},
        {"lowerarm.l", kUpperArmL, vec3(0.25f, 1.13f, 0.0f)},
        {"hand.l", kLowerArmL, vec3(0.27f, 0.88f, 0.0f)},
        {"handslot.l", kHandL, vec3(0.275f, 0.80f, 0.015f)},
        {"shoulder.r", kChest, vec3(-0.09f, 1.40f, 0.0f)},
        {"upperarm.r", kShoulderR, vec3(-0.20f, 1.40f, 0.0f)},
        {"lowerarm.r", kUpperArmR, vec3(-0.25f, 1.13f, 0.0f)},
        {"hand.r", kLowerArmR, vec3(-0.27f, 0.88f, 0.0f)},
        {"handslot.r", kHandR, vec3(-0.275f, 0.80f, 0.015f)},
        {"upperleg.l", kHips, vec3(0.10f, 0.90f, 0.0f)},
        {"lowerleg.l", kUpperLegL, vec3(0.11f, 0.50f, 0.0f)},
        {"foot.l", kLowerLegL, vec3(0.11f, 0.09f, -0.01f)},
        {"upperleg.r", kHips, vec3(-0.10f, 0.90f, 0.0f)},
        {"lowerleg.r", kUpperLegR, vec3(-0.11f, 0.50f, 0.0f)},
        {"foot.r", kLowerLegR, vec3(-0.11f, 0.09f, -0.01f)},
    }};
    return kSkeleton;
}

FigureMaker::FigureMaker(SceneBuilder& builder, const TownMaterials& materials) : m_builder(builder), m_materials(materials)
{
}

std::uint32_t FigureMaker::mesh(const std::string& name, const MakeMesh& make)
{
    const auto found = m_meshes.find(name);
    if (found != m_meshes.end())
        return found->second;
    const std::uint32_t index = m_builder.addMesh(name, make());
    m_meshes.emplace(name, index);
    return index;
}

void FigureMaker::add(const FigureDesc& desc, Animation& walk)
{
    const std::uint32_t figure = m_builder.addNode(desc.name, atYaw(desc.position, desc.yawRadians, vec3(desc.heightScale)));
    const auto firstJoint = static_cast<std::uint32_t>(m_builder.scene.nodes.size());
    Skin skin;
    skin.name = desc.name;
    skin.skeletonRoot = firstJoint;
    for (const JointInfo& joint : skeleton())
    {
        const bool isRoot = joint.parent == kJointCount;
        const vec3 parentPosition = isRoot ? vec3(0.0f) : skeleton()[joint.parent].position;
        const std::uint32_t parent = isRoot ? figure : firstJoint + joint.parent;
        skin.jointNodes.push_back(m_builder.addNode(joint.name, at(joint.position - parentPosition), parent));
        skin.inverseBindMatrices.push_back(toMatrix(at(-joint.position)));
    }
    m_builder.scene.skins.push_back(std::move(skin));
    addClothes(desc, figure, static_cast<std::uint32_t>(m_builder.scene.skins.size() - 1));
    addWeapon(desc, firstJoint + kHandSlotR);
    if (desc.hasShield)
        addShield(desc, firstJoint + kHandSlotL);
    addWalk(m_builder, desc, figure, firstJoint, walk);
}

void FigureMaker::addClothes(const FigureDesc& desc, std::uint32_t figureNode, std::uint32_t skinIndex)
{
    const TownMaterials& m = m_materials;
    const std::uint32_t skin = m.skin[desc.skin];
    const std::uint32_t hair = m.hair[desc.hair];
    const std::uint32_t cloth = m.cloth[desc.cloth];
    const std::uint32_t second = m.cloth[desc.secondCloth];
    const auto part = [&](const std::string& name, const MakeMesh& make)
    {
        const std::uint32_t node = m_builder.addNode(desc.name + " " + name.substr(0, name.find(' ')), {}, figureNode, mesh(name, make));
        m_builder.scene.nodes[node].skinIndex = skinIndex;
    };
    const auto key = [](const char* name, std::uint32_t a, std::uint32_t b)
    { return name + (" " + std::to_string(a)) + " " + std::to_string(b); };
    part(key("head", desc.skin, desc.hair), [&] { return makeHead(skin, hair); });
    part(key("torso", desc.cloth, 0), [&] { return makeTorso(cloth, m.leather); });
    part(key("arms", desc.cloth, desc.skin), [&] { return makeArms(cloth, skin); });
    part(key("legs", desc.secondCloth, 0), [&] { return makeLegs(second, m.leather); });
    const auto clothingIndex = static_cast<std::uint32_t>(desc.clothing);
    const bool isOver = desc.clothing == Clothing::Apron || desc.clothing == Clothing::Cape;
    part(key("clothing", isOver ? desc.secondCloth : desc.cloth, clothingIndex),
        [&] { return makeClothing(desc.clothing, isOver ? second : cloth); });
    if (desc.hat != Hat::None)
        part(key("hat", static_cast<std::uint32_t>(desc.hat), desc.secondCloth),
            [&] { return makeHat(desc.hat, desc.hat == Hat::Straw ? m.cloth[3] : second, m.steel); });
}

void FigureMaker::addWeapon(const FigureDesc& desc, std::uint32_t slotNode)
{
    if (desc.weapon == Weapon::None)
        return;
    static const char* const kNames[] = {"none", "sword", "axe", "spear", "hammer", "lantern staff"};
    const std::string name = kNames[static_cast<std::size_t>(desc.weapon)];
    // A forearm held forwards turns the slot's +Z upwards, and the weapon's up is +Y.
    const std::uint32_t root = m_builder.addNode(desc.name + " " + name, {.rotation = glm::angleAxis(1.5707963f, vec3(1, 0, 0))}, slotNode);
    for (WeaponPart& part : makeWeapon(desc.weapon, m_materials, m_materials.cloth[desc.cloth]))
    {
        const std::string meshName =
            name + " " + part.name + (std::string_view(part.name) == "ribbon" ? " " + std::to_string(desc.cloth) : "");
        m_builder.addNode(part.name, {}, root, mesh(meshName, [&] { return std::move(part.primitives); }));
    }
}

void FigureMaker::addShield(const FigureDesc& desc, std::uint32_t slotNode)
{
    const std::uint32_t root = m_builder.addNode(
        desc.name + " shield", {.translation = vec3(0.07f, 0.08f, 0.0f), .rotation = glm::angleAxis(1.5707963f, vec3(0, 1, 0))}, slotNode);
    for (WeaponPart& part : makeShield(m_materials, m_materials.cloth[desc.cloth]))
    {
        const std::string meshName = std::string("shield ") + part.name + " " + std::to_string(desc.cloth);
        m_builder.addNode(part.name, {}, root, mesh(meshName, [&] { return std::move(part.primitives); }));
    }
}

} // namespace dl::scenes
