// The sample's outline (apps/samples/outline_feature.h) as pictures: the line lies where object ids say that the selected box is
// seen, or hidden, and both ways of selecting draw the same.
#include "apps/samples/box.h"
#include "apps/samples/outline_feature.h"
#include "drawloom/render/offscreen.h"
#include "sampleShaders.h"
#include "tests/render/driver_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>

namespace dl
{
namespace
{

using samples::OutlinePart;
using samples::OutlineSelection;
using samples::OutlineSettings;
constexpr int kWidth = 160, kHeight = 100, kLine = 3;
using Texels = std::vector<bool>;

class Outline : public DriverTest
{
protected:
    void TearDown() override
    {
        if (renderer)
            renderer->removeFeature(*outline);
        renderer.reset();
        outline.reset();
    }
    /// A selected opaque, B opaque before a part of it, C selected and blended.
    void make(const OutlineSettings& settings)
    {
        TearDown();
        const RendererSettings frame{.width = kWidth, .height = kHeight, .sampleCount = settings.sampleCount, .environmentFaceTexels = 8};
        renderer = std::move(Renderer::create(*m_device, frame)).value();
        outline = std::move(samples::OutlineFeature::create(*m_device, *renderer, shaders, settings)).value();
        renderer->addFeature(*outline);
        isMarking = settings.selection == OutlineSelection::Mark;
        add("A", AlphaMode::Opaque, vec3(-0.4f, 0, 0));
        add("B", AlphaMode::Opaque, vec3(0.1f, -0.2f, 0.9f));
        add("C", AlphaMode::Blend, vec3(1.3f, 0, 0));
        select("A", true);
        select("C", true);
    }
    void add(const std::string& name, AlphaMode mode, vec3 position)
    {
        const Material material{.baseColorFactor = {0.2f, 0.2f, 0.2f, 0.5f}, .metallicFactor = 0, .alphaMode = mode};
        InstanceDesc instance;
        instance.meshSet = samples::addBox(*renderer, name, material).value().meshSet;
        instance.transform.affine = toAffine(Trs{.translation = position});
        boxes[name] = renderer->registry().add(instance);
    }
    void select(const std::string& name, bool isSelected)
    {
        if (isMarking)
            renderer->registry().mark(boxes[name], isSelected);
        else
            renderer->registry().setFlags(boxes[name], isSelected ? BatchFlags(BatchFlag::Selected) : BatchFlags());
    }
    OffscreenPicture draw()
    {
        Result<OffscreenPicture> drawn = renderOffscreen(*renderer, {}, {.camera = lookAtCamera({0, 1, 4}, {0.2, 0, 0})}, true);
        EXPECT_TRUE(drawn) << (drawn ? "" : drawn.error().message);
        return drawn ? std::move(*drawn) : OffscreenPicture{};
    }
    /// Where A is what is nearest.
    Texels seen(const OffscreenPicture& picture) const
    {
        Texels texels;
        for (const std::uint32_t id : picture.objectIds)
            texels.push_back(id != 0 && renderer->registry().findByHeapId(id - 1) == boxes.at("A"));
        return texels;
    }
    /// Where it would be if it stood alone, and is not.
    Texels hidden(const Texels& seenTexels)
    {
        renderer->registry().hide(boxes["B"], true);
        renderer->registry().hide(boxes["C"], true);
        Texels texels = seen(draw());
        for (std::size_t i = 0; i < texels.size(); ++i)
            texels[i] = texels[i] && !seenTexels[i];
        return texels;
    }

    gpu::ShaderArchive shaders = gpu::ShaderArchive::open(samples::sampleShaders()).value();
    std::unique_ptr<samples::OutlineFeature> outline;
    std::unique_ptr<Renderer> renderer;
    std::map<std::string, InstanceId> boxes;
    bool isMarking = false;
};

/// Texels of the line's colour, linear (1, 0.45, 0) or (0.1, 0.4, 1).
Texels lineOf(const OffscreenPicture& picture, OutlinePart part)
{
    const std::array<int, 3> color = part == OutlinePart::Visible ? std::array{255, 179, 0} : std::array{89, 170, 255};
    Texels line(std::size_t(kWidth) * kHeight);
    for (std::size_t i = 0; i < line.size(); ++i)
    {
        line[i] = true;
        for (std::size_t k = 0; k < 3; ++k)
            line[i] = line[i] && std::abs(std::to_integer<int>(picture.picture.bytes[4 * i + k]) - color[k]) <= 1;
    }
    return line;
}

Texels lineAround(const Texels& mask)
{
    Texels line(mask.size());
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x)
            for (int dy = -kLine; dy <= kLine; ++dy)
                for (int dx = -kLine; dx <= kLine; ++dx)
                {
                    const int fromX = x + dx, fromY = y + dy;
                    if (dx * dx + dy * dy <= kLine * kLine && fromX >= 0 && fromX < kWidth && fromY >= 0 && fromY < kHeight &&
                        mask[std::size_t(fromY * kWidth + fromX)] && !mask[std::size_t(y * kWidth + x)])
                        line[std::size_t(y * kWidth + x)] = true;
                }
    return line;
}

std::ptrdiff_t countOf(const Texels& texels)
{
    return std::count(texels.begin(), texels.end(), true);
}

TEST_P(Outline, GoesAroundWhatIsSeenOrAroundWhatIsHidden)
{
    for (const OutlinePart part : {OutlinePart::Visible, OutlinePart::Occluded})
    {
        make({.part = part});
        const OffscreenPicture drawn = draw();
        const Texels line = lineOf(drawn, part), visible = seen(drawn), occluded = hidden(visible);
        ASSERT_GT(countOf(visible), 100);
        ASSERT_GT(countOf(occluded), 100);
        EXPECT_TRUE(line == lineAround(part == OutlinePart::Visible ? visible : occluded)) << static_cast<int>(part);
    }
}

TEST_P(Outline, IsTheSameByFlagAndByMarkWhenSelectionIsToggled)
{
    for (const OutlinePart part : {OutlinePart::Visible, OutlinePart::Occluded})
        for (const std::uint32_t sampleCount : {1U, 4U})
        {
            std::vector<std::vector<std::byte>> pictures[2];
            for (const OutlineSelection selection : {OutlineSelection::Flag, OutlineSelection::Mark})
            {
                make({part, selection, sampleCount});
                for (const bool isSelected : {true, false, true})
                {
                    select("A", isSelected);
                    const OffscreenPicture drawn = draw();
                    EXPECT_EQ(countOf(lineOf(drawn, part)) > 100, isSelected) << "of A alone: C is blended";
                    pictures[static_cast<std::size_t>(selection)].push_back(drawn.picture.bytes);
                }
            }
            EXPECT_TRUE(pictures[0] == pictures[1]) << sampleCount << " samples";
            EXPECT_TRUE(pictures[0][0] == pictures[0][2]);
        }
}

TEST_P(Outline, OfMultisampledFramesLiesWhereThatOfSingleSamplesDoes)
{
    for (const OutlinePart part : {OutlinePart::Visible, OutlinePart::Occluded})
    {
        make({.part = part});
        const Texels single = lineOf(draw(), part);
        make({.part = part, .sampleCount = 4});
        const Texels multi = lineOf(draw(), part);
        std::ptrdiff_t differing = 0;
        for (std::size_t i = 0; i < single.size(); ++i)
            differing += single[i] != multi[i] ? 1 : 0;
        EXPECT_LT(differing, countOf(single) / 2) << "by a texel at each side, where it is covered in part";
        EXPECT_GT(countOf(multi), countOf(single) * 9 / 10);
    }
}

INSTANTIATE_TEST_SUITE_P(SoftwareDrivers, Outline, testing::Values("llvmpipe", "swiftshader"),
    [](const testing::TestParamInfo<const char*>& driver) { return std::string(driver.param); });

} // namespace
} // namespace dl
