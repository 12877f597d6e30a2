#pragma once
#pragma GCC system_header
/// \file
/// Asynchronous copies from global to shared memory: the emulator's cuda_pipeline.h. The functions
/// are those of cuda_pipeline_primitives.h; the older class `nvcuda::experimental::pipeline` is not
/// modelled. (`cuda::pipeline` is in `cuda/pipeline`.)

#include "cuda_pipeline_primitives.h"
