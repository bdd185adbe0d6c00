// A post effect: one fullscreen pass at a point of the frame, here fog by distance over the HDR colour. Its shader reads the
// frame's depth. usage: sample_post_process [OUT.png [DRIVER]]
#include "box.h"
#include "sample.h"

#include "drawloom/render/fullscreen_pass.h"
#include "drawloom/render/standard_passes.h"

#include "effectShaders.h"

namespace dl::samples
{
namespace
{

class FogFeature final : public RenderFeature
{
public:
    Result<void> create(gpu::Device& device, Renderer& renderer, const gpu::ShaderArchive& shaders)
    {
        FullscreenPassDesc desc{.name = "fog", .target = {.format = kHdrFormat, .isBlended = true}, .depth = {}};
        desc.target.blend.dstColor = desc.target.blend.dstAlpha = gpu::BlendFactor::OneMinusSrcAlpha;
        DL_TRY_ASSIGN(m_fog, FullscreenPass::create(device, renderer.resources(), shaders, desc));
        return {};
    }
    Result<void> addPasses(FramePoint point, FrameBoard& board) override
    {
        if (point == FramePoint::BeforeTonemap && isReady()) // colour is still linear light
            board.color = m_fog.add(board, board.color, std::span(&board.depth, 1));
        return {};
    }
    void onCompletion(const gpu::Completion& completion) override { m_fog.onCompletion(completion); }
    bool isReady() const override { return m_fog.isReady(); }

private:
    FullscreenPass m_fog;
};

/// Two rows of boxes that lead away.
Result<void> addAvenue(Renderer& renderer)
{
    DL_TRY_ASSIGN(const Box box, addBox(renderer, "box", {.baseColorFactor = {0.6f, 0.2f, 0.1f, 1}, .metallicFactor = 0}));
    InstanceDesc instance;
    instance.meshSet = box.meshSet;
    for (int i = 0; i < 20; ++i)
        for (const float x : {-1.5f, 1.5f})
        {
            instance.transform.affine = toAffine(Trs{.translation = vec3(x, 0, -2.5f * static_cast<float>(i)), .scale = vec3(1, 2, 1)});
            renderer.registry().add(instance);
        }
    return {};
}

Result<void> run(const Arguments& arguments)
{
    DL_TRY_ASSIGN(const gpu::ShaderArchive shaders, gpu::ShaderArchive::open(effectShaders()));
    DL_TRY_ASSIGN(const std::unique_ptr<gpu::Device> device, createDevice(arguments));
    DL_TRY_ASSIGN(const std::unique_ptr<Renderer> renderer, Renderer::create(*device));
    FogFeature fog;
    DL_TRY(fog.create(*device, *renderer, shaders));
    renderer->addFeature(fog);
    DL_TRY(addAvenue(*renderer));
    FrameDesc frame;
    frame.camera = lookAtCamera({0.4, 1.6, 4.0}, {0.0, 0.2, -6.0});
    const Result<void> written = writePicture(*renderer, frame, arguments.out);
    renderer->removeFeature(fog); // before it dies
    return written;
}

} // namespace
} // namespace dl::samples

int main(int argc, char** argv)
{
    using namespace dl::samples;
    return runSample(argc, argv, {"post_process", "Draws fog by a fullscreen pass of its own."}, &run);
}
