#pragma once
#pragma GCC system_header
#include "cuda_runtime.h"
#include "emulator/device/pipeline_primitives.h"
