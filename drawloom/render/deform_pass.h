// drawloom/render/deform_pass.h - the compute pass that writes the vertices of skinned and morphed instances before anything
// draws them, from the jobs that the frame put into the deform heap.
#pragma once

#include "drawloom/gpu/owned.h"
#include "drawloom/gpu/shader_archive.h"
#include "drawloom/render/frame_board.h"

namespace dl
{

class DeformPass
{
public:
    static Result<DeformPass> create(gpu::Device& device, GpuResources& resources, const gpu::ShaderArchive& archive);

    void onCompletion(const gpu::Completion& completion);
    bool isReady() const { return m_isReady; }
    const std::string& failure() const { return m_failure; }

    /// Imports the heap's output as board.deform and, if there are jobs, adds the pass that writes it. `keepsPrevious`: fills
    /// board.previousDeform with the vertices of the frame before (DeformHeap::setPreviousWanted).
    void add(FrameBoard& board, bool keepsPrevious) const;

private:
    void addJobs(FrameBoard& board) const;

    gpu::Owned<gpu::ShaderModuleId> m_module;
    gpu::Owned<gpu::PipelineId> m_pipeline;
    bool m_isReady = false;
    std::string m_failure;
};

} // namespace dl
