#pragma once
#error "cuda_fp8.h is not modelled by the emulator: numbers of 8 bits need a GPU"
