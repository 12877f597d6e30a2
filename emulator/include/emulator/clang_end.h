#pragma once
#pragma GCC system_header
/// \file
/// For clang alone: the end of what clang_begin.h began.

// What clang makes of `<<<...>>>`.
extern "C" unsigned cudaConfigureCall(dim3 grid, dim3 block, unsigned long shared = 0,
                                      void* stream = nullptr);

#pragma clang force_cuda_host_device end
