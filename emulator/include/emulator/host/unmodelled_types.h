#pragma once
#pragma GCC system_header
/// \file
/// Types of CUDA 13's runtime API that only functions outside the emulator's model use. They are
/// here so that programs which mention them compile.

#include "emulator/host/host_types.h"

// Memory of other programs ------------------------------------------------------------------------

using cudaExternalMemory_t = struct CUexternalMemory_st*;
using cudaExternalSemaphore_t = struct CUexternalSemaphore_st*;
using cudaGraphicsResource_t = struct cudaGraphicsResource*;

#define CUDA_IPC_HANDLE_SIZE 64
#define cudaIpcMemLazyEnablePeerAccess 0x01

struct cudaIpcEventHandle_t {
  char reserved[CUDA_IPC_HANDLE_SIZE];
};
struct cudaIpcMemHandle_t {
  char reserved[CUDA_IPC_HANDLE_SIZE];
};

// Several devices, libraries ----------------------------------------------------------------------

#define cudaPeerAccessDefault 0x00

using cudaFunction_t = struct CUfunc_st*;
using cudaKernel_t = struct CUkern_st*;
using cudaLibrary_t = struct CUlib_st*;
