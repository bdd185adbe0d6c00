#include "tests/render/velocity_world.h"

#include "tests/scenes/mesh_builder.h"

#include <cmath>

namespace dl
{
namespace
{

glm::dvec3 metres(const WorldPosition& position)
{
    return glm::dvec3(position.cell) * double(kCellSizeMetres) + glm::dvec3(position.offset);
}

glm::dmat4 toDouble(const WorldTransform& transform)
{
    glm::dmat4 matrix(toMatrix(transform.affine));
    matrix[3] += glm::dvec4(glm::dvec3(transform.cell) * double(kCellSizeMetres), 0.0);
    return matrix;
}

/// UV (y down) of a point, or nothing behind the camera. w 0: a direction.
std::optional<glm::dvec2> project(const RenderCamera& camera, glm::dvec4 point, std::uint32_t width, std::uint32_t height)
{
    const glm::dvec3 relative = glm::dvec3(point) - point.w * metres(camera.position);
    const glm::dvec4 clip = glm::dmat4(viewProjection(camera, width, height)) * glm::dvec4(relative, point.w);
    if (clip.w <= 0.0)
        return std::nullopt;
    return glm::dvec2(clip.x / clip.w * 0.5 + 0.5, 0.5 - clip.y / clip.w * 0.5);
}

struct Hit
{
    int box = -1, face = 0;
    double distance = 1e30;
    glm::dvec3 local = glm::dvec3(0.0);
    bool isSameSurface(const Hit& other) const { return box == other.box && face == other.face; }
};

/// The slab test (Kay and Kajiya, 1986) in the box's space.
void castBox(const ExpectedBox& box, int index, glm::dvec3 origin, glm::dvec3 direction, Hit& best)
{
    const glm::dmat4 toBox = glm::inverse(toDouble(box.now));
    const glm::dvec3 o = glm::dvec3(toBox * glm::dvec4(origin, 1.0)), d = glm::dvec3(toBox * glm::dvec4(direction, 0.0));
    double enter = 0.0, leave = 1e30;
    int face = 0;
    for (int axis = 0; axis < 3; ++axis)
    {
        const double half = box.half[axis], step = std::abs(d[axis]) < 1e-12 ? 1e-12 : d[axis];
        const double first = (-half - o[axis]) / step, second = (half - o[axis]) / step;
        if (std::min(first, second) > enter)
        {
            enter = std::min(first, second);
            face = axis * 2 + (step > 0.0 ? 0 : 1);
        }
        leave = std::min(leave, std::max(first, second));
    }
    if (enter > 0.0 && enter < leave && enter < best.distance)
        best = {index, face, enter, o + enter * d};
}

} // namespace

void VelocityWorld::SetUp()
{
    DriverTest::SetUp();
    if (IsSkipped())
        return;
    renderer = std::move(*Renderer::create(*m_device, settings()));
    material = renderer->library()
                   .addMaterial({"clay", packMaterial(Material{}), renderer->resources().textureSets().acquire({}).value(), {}})
                   .value();
}

void VelocityWorld::TearDown()
{
    if (renderer)
        for (const FrameRefusal& refusal : renderer->collectRefusals())
            ADD_FAILURE() << refusal.subject << ": " << refusal.stage << ": " << refusal.detail;
    renderer.reset();
}

Primitive VelocityWorld::boxPrimitive(vec3 half) const
{
    scenes::MeshBuilder builder;
    builder.box(-half, half);
    return builder.take(kNoIndex, false);
}

MeshRangeId VelocityWorld::addRange(const Primitive& primitive)
{
    return renderer->resources().geometry().add(packPrimitive(primitive, 0).value()).value();
}

MeshSetId VelocityWorld::addBoxes(std::initializer_list<vec3> halves)
{
    MeshSetDesc set;
    set.name = "boxes";
    set.materials = {material};
    for (const vec3 half : halves)
    {
        MeshLod& lod = set.lods.emplace_back();
        lod.minScreenSize = set.lods.size() == halves.size() ? 0.0f : 0.5f;
        lod.sections.emplace_back().range = addRange(boxPrimitive(half));
        set.bounds.include(Aabb{-half, half});
    }
    return renderer->library().addMeshSet(set).value();
}

InstanceId VelocityWorld::add(MeshSetId set, const WorldTransform& transform)
{
    InstanceDesc instance;
    instance.meshSet = set;
    instance.transform = transform;
    return renderer->registry().add(instance);
}

void VelocityWorld::draw(const RenderCamera& from, bool readsVelocity)
{
    camera = from;
    ASSERT_TRUE(renderer->beginFrame());
    const Result<void> drawn = renderer->renderFrame({.camera = from, .readVelocity = readsVelocity});
    ASSERT_TRUE(drawn) << drawn.error().message;
    ASSERT_TRUE(renderer->finish());
    const std::span<const vec2> texels = renderer->velocity();
    velocity.assign(texels.begin(), texels.end());
}

void VelocityWorld::settle(const RenderCamera& from)
{
    do
        draw(from);
    while (!renderer->isSettled());
    draw(from);
}

void VelocityWorld::expectRest(const char* what)
{
    ASSERT_EQ(velocity.size(), std::size_t(kWidth) * kHeight) << what;
    for (std::size_t i = 0; i < velocity.size(); ++i)
        ASSERT_TRUE(std::abs(velocity[i].x) < 1e-6f && std::abs(velocity[i].y) < 1e-6f)
            << what << ": texel " << i % kWidth << ", " << i / kWidth << " moves by " << velocity[i].x << ", " << velocity[i].y;
}

void VelocityWorld::expect(std::span<const ExpectedBox> boxes, const RenderCamera& before, const char* what)
{
    ASSERT_EQ(velocity.size(), std::size_t(kWidth) * kHeight) << what;
    const glm::dmat4 toView = glm::inverse(glm::dmat4(viewProjection(camera, kWidth, kHeight)));
    const glm::dvec3 eye = metres(camera.position);
    const auto directionAt = [&](double x, double y)
    {
        const glm::dvec4 near = toView * glm::dvec4(x / kWidth * 2 - 1, 1 - y / kHeight * 2, 1.0, 1.0);
        return glm::normalize(glm::dvec3(near) / near.w);
    };
    const auto cast = [&](double x, double y)
    {
        Hit hit;
        for (std::size_t i = 0; i < boxes.size(); ++i)
            castBox(boxes[i], static_cast<int>(i), eye, directionAt(x, y), hit);
        return hit;
    };
    const auto wantedAt = [&](const Hit& hit, double x, double y)
    {
        const glm::dvec4 was =
            hit.box < 0 ? glm::dvec4(directionAt(x, y), 0.0) : toDouble(boxes[std::size_t(hit.box)].before) * glm::dvec4(hit.local, 1.0);
        const std::optional<glm::dvec2> from = project(before, was, kWidth, kHeight);
        return from ? glm::dvec2(x / kWidth, y / kHeight) - *from : glm::dvec2(2.0);
    };
    const double snapTexels = 1.0 / static_cast<double>(std::string(GetParam()) == "swiftshader" ? 16 : 256);
    comparedCount = 0;
    std::size_t wrongCount = 0;
    for (std::uint32_t y = 0; y < kHeight; ++y)
        for (std::uint32_t x = 0; x < kWidth; ++x)
        {
            const double middleX = x + 0.5, middleY = y + 0.5;
            const Hit hit = cast(middleX, middleY);
            const glm::dvec2 wanted = wantedAt(hit, middleX, middleY);
            bool isOneSurface = true;
            double change = 0.0; // of the right answer, over the distance by which a driver may be off
            for (const auto& [sideX, sideY] : {std::pair(-1, -1), std::pair(1, -1), std::pair(-1, 1), std::pair(1, 1)})
            {
                const Hit beside = cast(middleX + 0.1 * sideX, middleY + 0.1 * sideY);
                isOneSurface = isOneSurface && hit.isSameSurface(beside);
                change = std::max(change, glm::length(wantedAt(beside, middleX + 0.1 * sideX, middleY + 0.1 * sideY) - wanted));
            }
            if (!isOneSurface)
                continue;
            comparedCount += hit.box >= 0 ? 1 : 0;
            const glm::dvec2 error = glm::abs(glm::dvec2(velocity[std::size_t(y) * kWidth + x]) - wanted);
            const double allowed = 2e-5 + 1e-3 * glm::length(wanted) + change * snapTexels / 0.1; // half floats, snapped vertices
            if ((error.x > allowed || error.y > allowed) && ++wrongCount <= 3)
                ADD_FAILURE() << what << ": texel " << x << ", " << y << " of box " << hit.box << ": "
                              << velocity[std::size_t(y) * kWidth + x].x << ", " << velocity[std::size_t(y) * kWidth + x].y
                              << " instead of " << wanted.x << ", " << wanted.y;
        }
    EXPECT_EQ(wrongCount, 0U) << what;
}

} // namespace dl
