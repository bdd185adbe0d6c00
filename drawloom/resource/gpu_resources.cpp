#include "drawloom/resource/gpu_resources.h"
