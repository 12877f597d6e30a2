#pragma once
#pragma GCC system_header
/// \file
/// What makes the headers of CUDA's types and functions readable for C: there the name of a
/// structure or of an enumeration is not a type without this word before it, an enumeration has no
/// type to be given, and a parameter no default.
///
/// Functions between EMULATOR_C_BEGIN and EMULATOR_C_END are declared here once for both languages
/// and have C's names in the library. C++ may overload them.

#include <stddef.h>

#ifdef __cplusplus
#define EMULATOR_INT : int
#define EMULATOR_C_BEGIN extern "C" {
#define EMULATOR_C_END }
#define EMULATOR_DEFAULT(value) = value
#else
#define EMULATOR_INT
#define EMULATOR_C_BEGIN
#define EMULATOR_C_END
#define EMULATOR_DEFAULT(value)

typedef enum cudaDeviceAttr cudaDeviceAttr;
typedef struct CUuuid_st CUuuid_st;
typedef struct cudaDeviceProp cudaDeviceProp;
typedef enum cudaComputeMode cudaComputeMode;
typedef enum cudaDriverEntryPointQueryResult cudaDriverEntryPointQueryResult;
typedef enum cudaLimit cudaLimit;
typedef enum cudaError cudaError;
typedef enum cudaMemcpyKind cudaMemcpyKind;
typedef enum cudaMemoryType cudaMemoryType;
typedef struct cudaPointerAttributes cudaPointerAttributes;
typedef enum cudaMemLocationType cudaMemLocationType;
typedef struct cudaMemLocation cudaMemLocation;
typedef enum cudaMemoryAdvise cudaMemoryAdvise;
typedef enum cudaMemRangeAttribute cudaMemRangeAttribute;
typedef struct cudaPitchedPtr cudaPitchedPtr;
typedef struct cudaExtent cudaExtent;
typedef struct cudaPos cudaPos;
typedef struct cudaMemcpy3DParms cudaMemcpy3DParms;
typedef struct cudaMemcpy3DPeerParms cudaMemcpy3DPeerParms;
typedef enum cudaChannelFormatKind cudaChannelFormatKind;
typedef struct cudaChannelFormatDesc cudaChannelFormatDesc;
typedef enum cudaTextureAddressMode cudaTextureAddressMode;
typedef enum cudaTextureFilterMode cudaTextureFilterMode;
typedef enum cudaTextureReadMode cudaTextureReadMode;
typedef struct cudaTextureDesc cudaTextureDesc;
typedef enum cudaSurfaceBoundaryMode cudaSurfaceBoundaryMode;
typedef enum cudaSurfaceFormatMode cudaSurfaceFormatMode;
typedef enum cudaResourceType cudaResourceType;
typedef struct cudaResourceDesc cudaResourceDesc;
typedef enum cudaResourceViewFormat cudaResourceViewFormat;
typedef struct cudaResourceViewDesc cudaResourceViewDesc;
typedef struct cudaFuncAttributes cudaFuncAttributes;
typedef enum cudaFuncAttribute cudaFuncAttribute;
typedef enum cudaFuncCache cudaFuncCache;
typedef enum cudaSharedMemConfig cudaSharedMemConfig;
typedef enum cudaSharedCarveout cudaSharedCarveout;
typedef enum cudaAccessProperty cudaAccessProperty;
typedef struct cudaAccessPolicyWindow cudaAccessPolicyWindow;
typedef enum cudaLaunchAttributeID cudaLaunchAttributeID;
typedef union cudaLaunchAttributeValue cudaLaunchAttributeValue;
typedef enum cudaStreamCaptureStatus cudaStreamCaptureStatus;
typedef enum cudaMemPoolAttr cudaMemPoolAttr;
typedef enum cudaMemAccessFlags cudaMemAccessFlags;
typedef struct cudaMemAccessDesc cudaMemAccessDesc;
typedef enum cudaMemAllocationType cudaMemAllocationType;
typedef enum cudaMemAllocationHandleType cudaMemAllocationHandleType;
typedef struct cudaMemPoolProps cudaMemPoolProps;
typedef enum cudaDeviceP2PAttr cudaDeviceP2PAttr;
typedef enum cudaStreamCaptureMode cudaStreamCaptureMode;
typedef enum cudaStreamUpdateCaptureDependenciesFlags cudaStreamUpdateCaptureDependenciesFlags;
typedef enum cudaGraphNodeType cudaGraphNodeType;
typedef struct cudaKernelNodeParams cudaKernelNodeParams;
typedef struct cudaKernelNodeParamsV2 cudaKernelNodeParamsV2;
typedef struct cudaMemcpyNodeParams cudaMemcpyNodeParams;
typedef struct cudaMemsetParams cudaMemsetParams;
typedef struct cudaMemsetParamsV2 cudaMemsetParamsV2;
typedef struct cudaHostNodeParams cudaHostNodeParams;
typedef struct cudaHostNodeParamsV2 cudaHostNodeParamsV2;
typedef enum cudaGraphChildGraphNodeOwnership cudaGraphChildGraphNodeOwnership;
typedef struct cudaChildGraphNodeParams cudaChildGraphNodeParams;
typedef struct cudaEventRecordNodeParams cudaEventRecordNodeParams;
typedef struct cudaEventWaitNodeParams cudaEventWaitNodeParams;
typedef struct cudaMemAllocNodeParams cudaMemAllocNodeParams;
typedef struct cudaMemAllocNodeParamsV2 cudaMemAllocNodeParamsV2;
typedef struct cudaMemFreeNodeParams cudaMemFreeNodeParams;
typedef enum cudaGraphConditionalHandleFlags cudaGraphConditionalHandleFlags;
typedef enum cudaGraphConditionalNodeType cudaGraphConditionalNodeType;
typedef struct cudaConditionalNodeParams cudaConditionalNodeParams;
typedef struct cudaGraphNodeParams cudaGraphNodeParams;
typedef enum cudaGraphInstantiateFlags cudaGraphInstantiateFlags;
typedef enum cudaGraphInstantiateResult cudaGraphInstantiateResult;
typedef enum cudaGraphExecUpdateResult cudaGraphExecUpdateResult;
typedef enum cudaGraphDebugDotFlags cudaGraphDebugDotFlags;
typedef enum cudaGraphMemAttributeType cudaGraphMemAttributeType;
typedef enum cudaUserObjectFlags cudaUserObjectFlags;
typedef enum cudaUserObjectRetainFlags cudaUserObjectRetainFlags;
#endif
