#pragma once
#pragma GCC system_header
/// \file
/// cuFFT: Fourier transforms. Programs that call it link emulator_cufft (`-lcufft` with emucc),
/// which computes with FFTW.
///
/// Transforms are not scaled, as on a GPU; their last bits can differ from a GPU's. Work has
/// finished when the call that asked for it returns, and the emulator counts no memory traffic for
/// it, but that of callbacks (cufftXt.h). A transform needs no workspace here: the sizes of
/// workspaces are 0. The input of a transform to real numbers stays as it was, where cuFFT may
/// overwrite it.

#include <cstddef>

#include "cuComplex.h"
#include "cuda_runtime.h"
#include "library_types.h"

/// Programs ask by this name of NVIDIA's include guard whether cuFFT's types are there.
#define _CUFFT_H_

#define CUFFT_VER_MAJOR 12
#define CUFFT_VER_MINOR 0
#define CUFFT_VER_PATCH 0
#define CUFFT_VER_BUILD 61
#define CUFFT_VERSION 12000
#define CUFFTAPI

#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1
#define CUFFT_COMPATIBILITY_DEFAULT CUFFT_COMPATIBILITY_FFTW_PADDING

using cufftResult = enum cufftResult_t {
  CUFFT_SUCCESS = 0x0,
  CUFFT_INVALID_PLAN = 0x1,
  CUFFT_ALLOC_FAILED = 0x2,
  CUFFT_INVALID_TYPE = 0x3,
  CUFFT_INVALID_VALUE = 0x4,
  CUFFT_INTERNAL_ERROR = 0x5,
  CUFFT_EXEC_FAILED = 0x6,
  CUFFT_SETUP_FAILED = 0x7,
  CUFFT_INVALID_SIZE = 0x8,
  CUFFT_UNALIGNED_DATA = 0x9,
#if EMULATOR_CUDA < 13
  CUFFT_INCOMPLETE_PARAMETER_LIST = 0xA,
  CUFFT_PARSE_ERROR = 0xC,
  CUFFT_LICENSE_ERROR = 0xF,
#endif
  CUFFT_INVALID_DEVICE = 0xB,
  CUFFT_NO_WORKSPACE = 0xD,
  CUFFT_NOT_IMPLEMENTED = 0xE,
  CUFFT_NOT_SUPPORTED = 0x10,
  CUFFT_MISSING_DEPENDENCY = 0x11,
  CUFFT_NVRTC_FAILURE = 0x12,
  CUFFT_NVJITLINK_FAILURE = 0x13,
  CUFFT_NVSHMEM_FAILURE = 0x14
};

using cufftType = enum cufftType_t {
  CUFFT_R2C = 0x2a,
  CUFFT_C2R = 0x2c,
  CUFFT_C2C = 0x29,
  CUFFT_D2Z = 0x6a,
  CUFFT_Z2D = 0x6c,
  CUFFT_Z2Z = 0x69
};

using cufftCompatibility = enum cufftCompatibility_t { CUFFT_COMPATIBILITY_FFTW_PADDING = 0x01 };

using cufftProperty = enum cufftProperty_t {
  NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT = 0x1,
  NVFFT_PLAN_PROPERTY_INT64_MAX_NUM_HOST_THREADS = 0x2
};

using cufftReal = float;
using cufftDoubleReal = double;
using cufftComplex = cuComplex;
using cufftDoubleComplex = cuDoubleComplex;
using cufftHandle = int;

extern "C" {

// Plans -------------------------------------------------------------------------------------------

/// \return CUFFT_INVALID_SIZE for a size or a batch below 1, here and below
cufftResult cufftPlan1d(cufftHandle* plan, int nx, cufftType type, int batch);
/// The last size is that of rows: their elements follow each other.
cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type);
cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type);
/// `batch` transforms of 1 to 3 dimensions. Without `inembed` and `onembed` the elements are close
/// together, and strides and distances are ignored.
cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* inembed, int istride, int idist,
                          int* onembed, int ostride, int odist, cufftType type, int batch);

/// A plan for one of the cufftMakePlan functions, which come once for each.
cufftResult cufftCreate(cufftHandle* plan);
/// \return CUFFT_INVALID_PLAN for a plan that is not live, or has been made, here and below
cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch,
                            std::size_t* workSize);
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type,
                            std::size_t* workSize);
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type,
                            std::size_t* workSize);
cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* n, int* inembed, int istride,
                              int idist, int* onembed, int ostride, int odist, cufftType type,
                              int batch, std::size_t* workSize);
cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, long long* onembed,
                                long long ostride, long long odist, cufftType type, long long batch,
                                std::size_t* workSize);
cufftResult cufftDestroy(cufftHandle plan);
cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream);

// Workspaces: none is needed in the emulator ------------------------------------------------------

/// \restricted The sizes of workspaces are 0 in the emulator, here and below.
cufftResult cufftEstimate1d(int nx, cufftType type, int batch, std::size_t* workSize);
cufftResult cufftEstimate2d(int nx, int ny, cufftType type, std::size_t* workSize);
cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, std::size_t* workSize);
cufftResult cufftEstimateMany(int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                              int ostride, int odist, cufftType type, int batch,
                              std::size_t* workSize);
cufftResult cufftGetSize1d(cufftHandle plan, int nx, cufftType type, int batch,
                           std::size_t* workSize);
cufftResult cufftGetSize2d(cufftHandle plan, int nx, int ny, cufftType type, std::size_t* workSize);
cufftResult cufftGetSize3d(cufftHandle plan, int nx, int ny, int nz, cufftType type,
                           std::size_t* workSize);
cufftResult cufftGetSizeMany(cufftHandle plan, int rank, int* n, int* inembed, int istride,
                             int idist, int* onembed, int ostride, int odist, cufftType type,
                             int batch, std::size_t* workSize);
cufftResult cufftGetSizeMany64(cufftHandle plan, int rank, long long* n, long long* inembed,
                               long long istride, long long idist, long long* onembed,
                               long long ostride, long long odist, cufftType type, long long batch,
                               std::size_t* workSize);
cufftResult cufftGetSize(cufftHandle plan, std::size_t* workSize);
/// \restricted Without effect.
cufftResult cufftSetWorkArea(cufftHandle plan, void* workArea);
/// \restricted Without effect.
cufftResult cufftSetAutoAllocation(cufftHandle plan, int autoAllocate);

// Transforms --------------------------------------------------------------------------------------

/// With equal pointers in place. In a stream that is captured it becomes a node, which does what
/// the plan says now. \return CUFFT_INVALID_VALUE if the plan is of another type, or the direction
/// is unknown, or a pointer is null. (An H200 refused only the direction: a null pointer there was
/// an illegal address for the kernel.)
cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* idata, cufftComplex* odata, int direction);
cufftResult cufftExecR2C(cufftHandle plan, cufftReal* idata, cufftComplex* odata);
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* idata, cufftReal* odata);
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* idata, cufftDoubleComplex* odata,
                         int direction);
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* idata, cufftDoubleComplex* odata);
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* idata, cufftDoubleReal* odata);

cufftResult cufftGetVersion(int* version);
cufftResult cufftGetProperty(libraryPropertyType type, int* value);
}

#include "emulator/libraries/cufft_unmodelled.h"
