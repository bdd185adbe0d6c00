// drawloom/render/fullscreen_passes.h - the fullscreen passes of the standard frame: the environment behind everything and
// the tone map (Khronos PBR Neutral) at the end.
#pragma once

#include "drawloom/render/fullscreen_pass.h"

namespace dl
{

struct FullscreenPasses
{
    FullscreenPass sky, tonemap;

    /// NotFound: the archive lacks an entry. All three references outlive the object.
    static Result<FullscreenPasses> create(
        gpu::Device& device, GpuResources& resources, const gpu::ShaderArchive& archive, std::uint32_t sampleCount);

    void onCompletion(const gpu::Completion& completion);
    bool isReady() const { return sky.isReady() && tonemap.isReady(); }
    /// What a failed pipeline said, or empty.
    const std::string& failure() const { return sky.failure().empty() ? tonemap.failure() : sky.failure(); }

    /// Fills `board.color` where depth is far, from `board.environmentPicture`.
    void addSky(FrameBoard& board) const { board.color = sky.add(board, board.color, std::span(&board.environmentPicture, 1)); }
    /// From `board.color` into `board.picture`.
    void addTonemap(FrameBoard& board) const
    {
        board.picture = tonemap.add(board, board.picture, std::span(&board.color, 1), gpu::LoadOp::Clear);
    }
};

} // namespace dl
