#include "drawloom/stream/mip_policy.h"
