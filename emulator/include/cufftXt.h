#pragma once
#pragma GCC system_header
/// \file
/// The part of cuFFT for functions of the program's own (callbacks), and for several devices: of
/// that there are only the types, and names that say that they are not modelled.

#include "cufft.h"

inline constexpr int MAX_CUDA_DESCRIPTOR_GPUS = 64;

using libFormat = enum libFormat_t { LIB_FORMAT_CUFFT = 0x0, LIB_FORMAT_UNDEFINED = 0x1 };

/// Data that are on several devices.
using cudaXtDesc = struct cudaXtDesc_t {
  int version;
  int nGPUs;
  int GPUs[MAX_CUDA_DESCRIPTOR_GPUS];
  void* data[MAX_CUDA_DESCRIPTOR_GPUS];
  std::size_t size[MAX_CUDA_DESCRIPTOR_GPUS];
  void* cudaXtState;
};
using cudaLibXtDesc = struct cudaLibXtDesc_t {
  int version;
  cudaXtDesc* descriptor;
  libFormat library;
  int subFormat;
  void* libDescriptor;
};

using cufftXtSubFormat = enum cufftXtSubFormat_t {
  CUFFT_XT_FORMAT_INPUT = 0x00,
  CUFFT_XT_FORMAT_OUTPUT = 0x01,
  CUFFT_XT_FORMAT_INPLACE = 0x02,
  CUFFT_XT_FORMAT_INPLACE_SHUFFLED = 0x03,
  CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED = 0x04,
  CUFFT_XT_FORMAT_DISTRIBUTED_INPUT = 0x05,
  CUFFT_XT_FORMAT_DISTRIBUTED_OUTPUT = 0x06,
  CUFFT_FORMAT_UNDEFINED = 0x07
};
using cufftXtCopyType = enum cufftXtCopyType_t {
  CUFFT_COPY_HOST_TO_DEVICE = 0x00,
  CUFFT_COPY_DEVICE_TO_HOST = 0x01,
  CUFFT_COPY_DEVICE_TO_DEVICE = 0x02,
  CUFFT_COPY_UNDEFINED = 0x03
};

using cufftXtCallbackType = enum cufftXtCallbackType_t {
  CUFFT_CB_LD_COMPLEX = 0x0,
  CUFFT_CB_LD_COMPLEX_DOUBLE = 0x1,
  CUFFT_CB_LD_REAL = 0x2,
  CUFFT_CB_LD_REAL_DOUBLE = 0x3,
  CUFFT_CB_ST_COMPLEX = 0x4,
  CUFFT_CB_ST_COMPLEX_DOUBLE = 0x5,
  CUFFT_CB_ST_REAL = 0x6,
  CUFFT_CB_ST_REAL_DOUBLE = 0x7,
  CUFFT_CB_UNDEFINED = 0x8
};
/// A callback takes the array that the transform was asked for with, the offset of its element from
/// the start of it, in elements, (when it stores, the element,) what the program left for it, and
/// the shared memory that it asked for, else null. It is called once for each element, in no
/// particular order.
using cufftCallbackLoadC = cufftComplex (*)(void*, std::size_t, void*, void*);
using cufftCallbackLoadZ = cufftDoubleComplex (*)(void*, std::size_t, void*, void*);
using cufftCallbackLoadR = cufftReal (*)(void*, std::size_t, void*, void*);
using cufftCallbackLoadD = cufftDoubleReal (*)(void*, std::size_t, void*, void*);
using cufftCallbackStoreC = void (*)(void*, std::size_t, cufftComplex, void*, void*);
using cufftCallbackStoreZ = void (*)(void*, std::size_t, cufftDoubleComplex, void*, void*);
using cufftCallbackStoreR = void (*)(void*, std::size_t, cufftReal, void*, void*);
using cufftCallbackStoreD = void (*)(void*, std::size_t, cufftDoubleReal, void*, void*);

/// The same for callbacks that are handed over as code for the linker.
using cufftJITCallbackLoadC = cufftComplex (*)(void*, unsigned long long, void*, void*);
using cufftJITCallbackLoadZ = cufftDoubleComplex (*)(void*, unsigned long long, void*, void*);
using cufftJITCallbackLoadR = cufftReal (*)(void*, unsigned long long, void*, void*);
using cufftJITCallbackLoadD = cufftDoubleReal (*)(void*, unsigned long long, void*, void*);
using cufftJITCallbackStoreC = void (*)(void*, unsigned long long, cufftComplex, void*, void*);
using cufftJITCallbackStoreZ = void (*)(void*, unsigned long long, cufftDoubleComplex, void*,
                                        void*);
using cufftJITCallbackStoreR = void (*)(void*, unsigned long long, cufftReal, void*, void*);
using cufftJITCallbackStoreD = void (*)(void*, unsigned long long, cufftDoubleReal, void*, void*);

extern "C" {

/// \restricted As cufftMakePlanMany64, of a type that the types of input and output tell. Types of
/// 16 bits are not modelled: CUFFT_NOT_IMPLEMENTED.
cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, cudaDataType inputtype,
                                long long* onembed, long long ostride, long long odist,
                                cudaDataType outputtype, long long batch, std::size_t* workSize,
                                cudaDataType executiontype);
cufftResult cufftXtGetSizeMany(cufftHandle plan, int rank, long long* n, long long* inembed,
                               long long istride, long long idist, cudaDataType inputtype,
                               long long* onembed, long long ostride, long long odist,
                               cudaDataType outputtype, long long batch, std::size_t* workSize,
                               cudaDataType executiontype);
/// A transform of the plan's type, whatever that is. To and from real numbers the direction is the
/// type's.
cufftResult cufftXtExec(cufftHandle plan, void* input, void* output, int direction);

// Callbacks ---------------------------------------------------------------------------------------

/// From now on a device function loads each element of the plan's transforms, or stores it. It runs
/// in a launch of its own, cufft_load_callback or cufft_store_callback, whose accesses are counted
/// and checked as a kernel's; the transform itself comes between the two. It takes the place of one
/// that the plan has of that type, and its shared memory. As in the library, a transform out of
/// place with a callback that loads cannot be captured: CUFFT_EXEC_FAILED.
/// \param callback_routine  its address, as cudaMemcpyFromSymbol() copies it from a variable of the
///                          device's; of several devices' only the first is looked at
/// \param caller_info  what it is called with, likewise; may be null
/// \return CUFFT_INVALID_PLAN for a plan that is not live, or not made yet, here and below;
///         CUFFT_INVALID_TYPE for a type that does not fit the plan's elements, here and below;
///         CUFFT_INTERNAL_ERROR for a null pointer, or (stricter than the library) one to null
cufftResult cufftXtSetCallback(cufftHandle plan, void** callback_routine,
                               cufftXtCallbackType cbType, void** caller_info);
/// The plan's transforms load or store themselves again, and the callback's shared memory is gone.
/// No error if they already did.
cufftResult cufftXtClearCallback(cufftHandle plan, cufftXtCallbackType cbType);
/// The bytes of shared memory that a block has for the callback. They may be set before there is
/// one.
/// \return CUFFT_INVALID_SIZE for more than 16,384
cufftResult cufftXtSetCallbackSharedSize(cufftHandle plan, cufftXtCallbackType cbType,
                                         std::size_t sharedSize);
}

#define EMULATOR_UNMODELLED(name)                       \
  template <class... Arguments>                         \
  cufftResult name(const Arguments&...) {               \
    return emulator::detail::cufft_not_modelled(#name); \
  }

EMULATOR_UNMODELLED(cufftXtExecDescriptor)
EMULATOR_UNMODELLED(cufftXtExecDescriptorC2C)
EMULATOR_UNMODELLED(cufftXtExecDescriptorC2R)
EMULATOR_UNMODELLED(cufftXtExecDescriptorD2Z)
EMULATOR_UNMODELLED(cufftXtExecDescriptorR2C)
EMULATOR_UNMODELLED(cufftXtExecDescriptorZ2D)
EMULATOR_UNMODELLED(cufftXtExecDescriptorZ2Z)
EMULATOR_UNMODELLED(cufftXtFree)
EMULATOR_UNMODELLED(cufftXtMalloc)
EMULATOR_UNMODELLED(cufftXtMemcpy)
EMULATOR_UNMODELLED(cufftXtQueryPlan)
EMULATOR_UNMODELLED(cufftXtSetGPUs)
EMULATOR_UNMODELLED(cufftXtSetJITCallback)
EMULATOR_UNMODELLED(cufftXtSetWorkArea)
EMULATOR_UNMODELLED(cufftXtSetWorkAreaPolicy)

#undef EMULATOR_UNMODELLED
