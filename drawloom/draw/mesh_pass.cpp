// drawloom/draw/mesh_pass.cpp - the filters that the library offers.
#include "drawloom/draw/mesh_pass.h"

namespace dl
{

ReasonCode acceptAllBatches(const BatchInfo& /*batch*/, void* /*context*/)
{
    return ReasonCode::None;
}

ReasonCode acceptSelectedBatches(const BatchInfo& batch, void* /*context*/)
{
    return batch.flags.contains(BatchFlag::Selected) ? ReasonCode::None : ReasonCode::NotSelected;
}

ReasonCode acceptShadowCasters(const BatchInfo& batch, void* /*context*/)
{
    return batch.flags.contains(BatchFlag::NoShadow) ? ReasonCode::CastsNoShadow : ReasonCode::None;
}

} // namespace dl
