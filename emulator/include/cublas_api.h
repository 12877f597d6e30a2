#pragma once
#pragma GCC system_header
/// Programs ask by this name of NVIDIA's include guard whether cuBLAS's types are there.
#define CUBLAS_API_H_
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "emulator/libraries/cublas.h"
#include "emulator/libraries/cublas_unmodelled.h"
