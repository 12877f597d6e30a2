#pragma once
#pragma GCC system_header
#include "nvtx3/nvToolsExt.h"
