#pragma once
#pragma GCC system_header
/// \file
/// NVTX's words for locks: without effect, as without a profiler.

#include "nvtx3/nvToolsExt.h"

#define NVTX_RESOURCE_CLASS_SYNC_OS 2
#define NVTX_RESOURCE_CLASS_SYNC_PTHREAD 3
typedef enum nvtxResourceSyncPosixThreadType_t {
  NVTX_RESOURCE_TYPE_SYNC_PTHREAD_MUTEX = NVTX_RESOURCE_MAKE_TYPE(SYNC_PTHREAD, 1),
  NVTX_RESOURCE_TYPE_SYNC_PTHREAD_CONDITION = NVTX_RESOURCE_MAKE_TYPE(SYNC_PTHREAD, 2),
  NVTX_RESOURCE_TYPE_SYNC_PTHREAD_RWLOCK = NVTX_RESOURCE_MAKE_TYPE(SYNC_PTHREAD, 3),
  NVTX_RESOURCE_TYPE_SYNC_PTHREAD_BARRIER = NVTX_RESOURCE_MAKE_TYPE(SYNC_PTHREAD, 4),
  NVTX_RESOURCE_TYPE_SYNC_PTHREAD_SPINLOCK = NVTX_RESOURCE_MAKE_TYPE(SYNC_PTHREAD, 5),
  NVTX_RESOURCE_TYPE_SYNC_PTHREAD_ONCE = NVTX_RESOURCE_MAKE_TYPE(SYNC_PTHREAD, 6)
} nvtxResourceSyncPosixThreadType_t;

typedef struct nvtxSyncUser* nvtxSyncUser_t;
typedef struct nvtxSyncUserAttributes_v0 {
  uint16_t version;
  uint16_t size;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxSyncUserAttributes_v0;
typedef nvtxSyncUserAttributes_v0 nvtxSyncUserAttributes_t;
#define NVTX_SYNCUSER_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxSyncUserAttributes_v0))

EMULATOR_NVTX(nvtxSyncUser_t, 0, nvtxDomainSyncUserCreate, nvtxDomainHandle_t,
              const nvtxSyncUserAttributes_t*)
EMULATOR_NVTX(void, 0, nvtxDomainSyncUserDestroy, nvtxSyncUser_t)
EMULATOR_NVTX(void, 0, nvtxDomainSyncUserAcquireStart, nvtxSyncUser_t)
EMULATOR_NVTX(void, 0, nvtxDomainSyncUserAcquireFailed, nvtxSyncUser_t)
EMULATOR_NVTX(void, 0, nvtxDomainSyncUserAcquireSuccess, nvtxSyncUser_t)
EMULATOR_NVTX(void, 0, nvtxDomainSyncUserReleasing, nvtxSyncUser_t)
