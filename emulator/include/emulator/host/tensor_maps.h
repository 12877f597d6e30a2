#pragma once
#pragma GCC system_header
/// \file
/// Tensor maps: what cuda.h has of them for the host, and the copies of tiles that kernels start
/// with them (cp.async.bulk.tensor).
///
/// A map describes a tensor of up to five dimensions in global memory and a box in it. A copy names
/// the map and where the box begins; what is outside the tensor arrives as zeros, or is not
/// written. As every bulk copy it does its work at the latest legal moment (mbarriers.h).

#include "emulator/host/host_types.h"
#include "emulator/inline.h"

#define CU_TENSOR_MAP_NUM_QWORDS 16

/// What is in it is the emulator's own business, as on a GPU it is the driver's.
typedef struct CUtensorMap_st {
  alignas(128) unsigned long opaque[CU_TENSOR_MAP_NUM_QWORDS];
} CUtensorMap;

typedef enum CUtensorMapDataType_enum {
  CU_TENSOR_MAP_DATA_TYPE_UINT8 = 0,
  CU_TENSOR_MAP_DATA_TYPE_UINT16,
  CU_TENSOR_MAP_DATA_TYPE_UINT32,
  CU_TENSOR_MAP_DATA_TYPE_INT32,
  CU_TENSOR_MAP_DATA_TYPE_UINT64,
  CU_TENSOR_MAP_DATA_TYPE_INT64,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
  CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
  CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
  CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ,
  CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B,
  CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B,
  CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B
} CUtensorMapDataType;

typedef enum CUtensorMapInterleave_enum {
  CU_TENSOR_MAP_INTERLEAVE_NONE = 0,
  CU_TENSOR_MAP_INTERLEAVE_16B,
  CU_TENSOR_MAP_INTERLEAVE_32B
} CUtensorMapInterleave;

typedef enum CUtensorMapSwizzle_enum {
  CU_TENSOR_MAP_SWIZZLE_NONE = 0,
  CU_TENSOR_MAP_SWIZZLE_32B,
  CU_TENSOR_MAP_SWIZZLE_64B,
  CU_TENSOR_MAP_SWIZZLE_128B,
  CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B,
  CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B,
  CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B
} CUtensorMapSwizzle;

typedef enum CUtensorMapL2promotion_enum {
  CU_TENSOR_MAP_L2_PROMOTION_NONE = 0,
  CU_TENSOR_MAP_L2_PROMOTION_L2_64B,
  CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
  CU_TENSOR_MAP_L2_PROMOTION_L2_256B
} CUtensorMapL2promotion;

typedef enum CUtensorMapFloatOOBfill_enum {
  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE = 0,
  CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
} CUtensorMapFloatOOBfill;

namespace emulator::detail {

/// Where a box begins, from the fastest dimension on; and how many dimensions the instruction has.
struct BoxCorner {
  unsigned rank;
  int at[5];
};

/// Starts to copy a box of the tensor to shared memory, or back: then as a part of the running
/// thread's group that is not committed yet.
void tensor_copy_in(void* shared, const void* map, BoxCorner corner, void* barrier);
void tensor_copy_out(const void* map, BoxCorner corner, const void* shared);
/// The same to all blocks of the cluster whose bits are set, as bulk_copy_in_multicast() has it.
void tensor_copy_in_multicast(void* shared, const void* map, BoxCorner corner, void* barrier,
                              unsigned blocks);
/// Looks at the map, and moves nothing: there are no caches.
void tensor_prefetch(const void* map, BoxCorner corner);
void tensor_map_prefetch(const void* map);

}  // namespace emulator::detail
