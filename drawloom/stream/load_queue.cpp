#include "drawloom/stream/load_queue.h"
