#pragma once
#pragma GCC system_header
#include "cuda_runtime_api.h"
#include "emulator/cublas.h"
#include "emulator/cublas_unmodelled.h"
