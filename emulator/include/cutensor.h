#pragma once
#pragma GCC system_header
/// \file
/// The part of cuTENSOR 2 that the emulator models, computed by OpenBLAS and by plain loops.
/// Programs that use it link emulator_cutensor.
///
/// A tensor has modes, each with an extent and a stride, in elements. A descriptor says of a tensor
/// what these are, and of its memory only how it is aligned. An operation's descriptor gives the
/// modes of its operands names: modes of the same name run together, and have the same extent. What
/// is in no output is summed over. A plan says how an operation is done, and is what is executed,
/// as often as one likes and on whatever memory.
///
/// A null handle is CUTENSOR_STATUS_INVALID_VALUE, one that was destroyed
/// CUTENSOR_STATUS_NOT_INITIALIZED, and so with all other descriptors. Arguments that make no sense
/// are CUTENSOR_STATUS_INVALID_VALUE, what nobody computes CUTENSOR_STATUS_NOT_SUPPORTED, and a
/// line on stderr names the first of them. Work has finished when the call that asked for it
/// returns, whatever its stream. CUTENSOR_STATUS_EXECUTION_FAILED is for work that could not run:
/// after a kernel has failed, with a stream that was destroyed, and, unlike on a GPU, right when an
/// operand does not be in memory that the device can reach. That last is the illegal access of a
/// kernel: one line on stderr tells which operand, and the device keeps the error until
/// cudaDeviceReset().
///
/// With the checks on (EMULATOR_CHECK), that a call reads elements which nobody has written is a
/// finding, and what it writes counts as written: elements, not the gaps between them.
///
/// No call leaves an error for cudaGetLastError().

#include <cstdint>
#include <cstdio>

#include "cuda_runtime.h"
#include "cutensor/types.h"
#include "emulator/libraries/cutensor_unmodelled.h"

#define CUTENSOR_MAJOR 2
#define CUTENSOR_MINOR 8
#define CUTENSOR_PATCH 0
#define CUTENSOR_VERSION (CUTENSOR_MAJOR * 10000 + CUTENSOR_MINOR * 100 + CUTENSOR_PATCH)

extern "C" {

// The library -------------------------------------------------------------------------------------

/// \return CUTENSOR_STATUS_CUDA_ERROR if the device cannot be used
cutensorStatus_t cutensorCreate(cutensorHandle_t* handle);
/// Accepts nullptr, as free() does; so do all functions that destroy.
cutensorStatus_t cutensorDestroy(cutensorHandle_t handle);
/// CUTENSOR_VERSION.
size_t cutensorGetVersion();
size_t cutensorGetCudartVersion();
/// The status's name as in source code, or "<unknown>".
const char* cutensorGetErrorString(cutensorStatus_t error);
/// \restricted Without effect: the emulator keeps no cache of plans, as none of its plans takes
/// long.
cutensorStatus_t cutensorHandleResizePlanCache(cutensorHandle_t handle, uint32_t numEntries);

// Tensors -----------------------------------------------------------------------------------------

/// \param extent  one number per mode, larger than 0
/// \param stride  likewise; without strides the tensor is packed, and its first mode the fastest
/// \param alignmentRequirement  what the addresses of such tensors will be multiples of, in bytes:
/// a
///   power of two
cutensorStatus_t cutensorCreateTensorDescriptor(cutensorHandle_t handle,
                                                cutensorTensorDescriptor_t* desc, uint32_t numModes,
                                                const int64_t extent[], const int64_t stride[],
                                                cudaDataType_t dataType,
                                                uint32_t alignmentRequirement);
cutensorStatus_t cutensorDestroyTensorDescriptor(cutensorTensorDescriptor_t desc);

// Operations. Wherever there is a C and a D, both have the same descriptor and the same modes.
// -------

/// D = alpha opA(A) opB(B) + beta opC(C). Modes in A and B alone are summed over, and so are those
/// of one of the two alone. opA and opB are the identity or, of complex numbers, the conjugate; opC
/// is the identity.
cutensorStatus_t cutensorCreateContraction(
    cutensorHandle_t handle, cutensorOperationDescriptor_t* desc, cutensorTensorDescriptor_t descA,
    const int32_t modeA[], cutensorOperator_t opA, cutensorTensorDescriptor_t descB,
    const int32_t modeB[], cutensorOperator_t opB, cutensorTensorDescriptor_t descC,
    const int32_t modeC[], cutensorOperator_t opC, cutensorTensorDescriptor_t descD,
    const int32_t modeD[], cutensorComputeDescriptor_t descCompute);
/// E = alpha opA(A) opB(B) opC(C) + beta opD(D).
cutensorStatus_t cutensorCreateContractionTrinary(
    cutensorHandle_t handle, cutensorOperationDescriptor_t* desc, cutensorTensorDescriptor_t descA,
    const int32_t modeA[], cutensorOperator_t opA, cutensorTensorDescriptor_t descB,
    const int32_t modeB[], cutensorOperator_t opB, cutensorTensorDescriptor_t descC,
    const int32_t modeC[], cutensorOperator_t opC, cutensorTensorDescriptor_t descD,
    const int32_t modeD[], cutensorOperator_t opD, cutensorTensorDescriptor_t descE,
    const int32_t modeE[], cutensorComputeDescriptor_t descCompute);
/// D = alpha opReduce(opA(A)) + beta opC(C), reduced over the modes that only A has.
cutensorStatus_t cutensorCreateReduction(
    cutensorHandle_t handle, cutensorOperationDescriptor_t* desc, cutensorTensorDescriptor_t descA,
    const int32_t modeA[], cutensorOperator_t opA, cutensorTensorDescriptor_t descC,
    const int32_t modeC[], cutensorOperator_t opC, cutensorTensorDescriptor_t descD,
    const int32_t modeD[], cutensorOperator_t opReduce, cutensorComputeDescriptor_t descCompute);

// Element by element: every mode of an input is one of the output; an input that lacks one of the
// output's has the same elements all along it.

/// B = alpha opA(A).
cutensorStatus_t cutensorCreatePermutation(cutensorHandle_t handle,
                                           cutensorOperationDescriptor_t* desc,
                                           cutensorTensorDescriptor_t descA, const int32_t modeA[],
                                           cutensorOperator_t opA, cutensorTensorDescriptor_t descB,
                                           const int32_t modeB[],
                                           cutensorComputeDescriptor_t descCompute);
/// D = opAC(alpha opA(A), gamma opC(C)).
cutensorStatus_t cutensorCreateElementwiseBinary(
    cutensorHandle_t handle, cutensorOperationDescriptor_t* desc, cutensorTensorDescriptor_t descA,
    const int32_t modeA[], cutensorOperator_t opA, cutensorTensorDescriptor_t descC,
    const int32_t modeC[], cutensorOperator_t opC, cutensorTensorDescriptor_t descD,
    const int32_t modeD[], cutensorOperator_t opAC, cutensorComputeDescriptor_t descCompute);
/// D = opABC(opAB(alpha opA(A), beta opB(B)), gamma opC(C)).
cutensorStatus_t cutensorCreateElementwiseTrinary(
    cutensorHandle_t handle, cutensorOperationDescriptor_t* desc, cutensorTensorDescriptor_t descA,
    const int32_t modeA[], cutensorOperator_t opA, cutensorTensorDescriptor_t descB,
    const int32_t modeB[], cutensorOperator_t opB, cutensorTensorDescriptor_t descC,
    const int32_t modeC[], cutensorOperator_t opC, cutensorTensorDescriptor_t descD,
    const int32_t modeD[], cutensorOperator_t opAB, cutensorOperator_t opABC,
    cutensorComputeDescriptor_t descCompute);

cutensorStatus_t cutensorDestroyOperationDescriptor(cutensorOperationDescriptor_t desc);
/// A buffer of another size than the attribute's is CUTENSOR_STATUS_INVALID_VALUE.
cutensorStatus_t cutensorOperationDescriptorSetAttribute(
    cutensorHandle_t handle, cutensorOperationDescriptor_t desc,
    cutensorOperationDescriptorAttribute_t attr, const void* buf, size_t sizeInBytes);
cutensorStatus_t cutensorOperationDescriptorGetAttribute(
    cutensorHandle_t handle, cutensorOperationDescriptor_t desc,
    cutensorOperationDescriptorAttribute_t attr, void* buf, size_t sizeInBytes);

// Plans -------------------------------------------------------------------------------------------

/// \return CUTENSOR_STATUS_NOT_SUPPORTED for an algorithm that there is not
cutensorStatus_t cutensorCreatePlanPreference(cutensorHandle_t handle,
                                              cutensorPlanPreference_t* pref, cutensorAlgo_t algo,
                                              cutensorJitMode_t jitMode);
cutensorStatus_t cutensorDestroyPlanPreference(cutensorPlanPreference_t pref);
cutensorStatus_t cutensorPlanPreferenceSetAttribute(cutensorHandle_t handle,
                                                    cutensorPlanPreference_t pref,
                                                    cutensorPlanPreferenceAttribute_t attr,
                                                    const void* buf, size_t sizeInBytes);
cutensorStatus_t cutensorPlanPreferenceGetAttribute(cutensorHandle_t handle,
                                                    cutensorPlanPreference_t pref,
                                                    cutensorPlanPreferenceAttribute_t attr,
                                                    void* buf, size_t sizeInBytes);

/// \restricted The emulator uses no workspace, but asks for some, so that a program that provides
/// none is noticed. Of a contraction: at least nothing; by default what A and B take if they are
/// turned into matrices; at most, C as well. Of a reduction: by default what it takes to add up
/// parts on their own. Element by element nothing.
cutensorStatus_t cutensorEstimateWorkspaceSize(cutensorHandle_t handle,
                                               cutensorOperationDescriptor_t desc,
                                               cutensorPlanPreference_t planPref,
                                               cutensorWorksizePreference_t workspacePref,
                                               uint64_t* workspaceSizeEstimate);
/// \param pref  may be nullptr
/// \return CUTENSOR_STATUS_INSUFFICIENT_WORKSPACE if the algorithm asked for needs more
cutensorStatus_t cutensorCreatePlan(cutensorHandle_t handle, cutensorPlan_t* plan,
                                    cutensorOperationDescriptor_t desc,
                                    cutensorPlanPreference_t pref, uint64_t workspaceSizeLimit);
cutensorStatus_t cutensorDestroyPlan(cutensorPlan_t plan);
cutensorStatus_t cutensorPlanGetAttribute(cutensorHandle_t handle, cutensorPlan_t plan,
                                          cutensorPlanAttribute_t attr, void* buf,
                                          size_t sizeInBytes);

// Work. Factors are numbers of the operation's scalar type, on the host; a tensor whose factor is 0
// is not read. The workspace is aligned to 256 bytes; less of it than the plan requires is
// CUTENSOR_STATUS_INSUFFICIENT_WORKSPACE.
// -------------------------------------------------------------

cutensorStatus_t cutensorContract(cutensorHandle_t handle, cutensorPlan_t plan, const void* alpha,
                                  const void* A, const void* B, const void* beta, const void* C,
                                  void* D, void* workspace, uint64_t workspaceSize,
                                  cudaStream_t stream);
cutensorStatus_t cutensorContractTrinary(cutensorHandle_t handle, cutensorPlan_t plan,
                                         const void* alpha, const void* A, const void* B,
                                         const void* C, const void* beta, const void* D, void* E,
                                         void* workspace, uint64_t workspaceSize,
                                         cudaStream_t stream);
cutensorStatus_t cutensorReduce(cutensorHandle_t handle, cutensorPlan_t plan, const void* alpha,
                                const void* A, const void* beta, const void* C, void* D,
                                void* workspace, uint64_t workspaceSize, cudaStream_t stream);
cutensorStatus_t cutensorPermute(cutensorHandle_t handle, cutensorPlan_t plan, const void* alpha,
                                 const void* A, void* B, cudaStream_t stream);
cutensorStatus_t cutensorElementwiseBinaryExecute(cutensorHandle_t handle, cutensorPlan_t plan,
                                                  const void* alpha, const void* A,
                                                  const void* gamma, const void* C, void* D,
                                                  cudaStream_t stream);
cutensorStatus_t cutensorElementwiseTrinaryExecute(cutensorHandle_t handle, cutensorPlan_t plan,
                                                   const void* alpha, const void* A,
                                                   const void* beta, const void* B,
                                                   const void* gamma, const void* C, void* D,
                                                   cudaStream_t stream);

// What is logged: every call that refuses, at level 1, and every call, at level 5; without callback
// and file on stdout. -----------------------------------------------------------------------------

cutensorStatus_t cutensorLoggerSetCallback(cutensorLoggerCallback_t callback);
cutensorStatus_t cutensorLoggerSetFile(FILE* file);
cutensorStatus_t cutensorLoggerOpenFile(const char* logFile);
/// 0: nothing, as from the start, to 5: everything.
cutensorStatus_t cutensorLoggerSetLevel(int32_t level);
/// A sum of 1 (errors), 2, 4, 8, and 16 (calls).
cutensorStatus_t cutensorLoggerSetMask(int32_t mask);
/// For as long as the program runs.
cutensorStatus_t cutensorLoggerForceDisable();
}
