#pragma once
#pragma GCC system_header
/// \file
/// NVTX, by which a program annotates profiles. Without a profiler it does nothing,
/// here as with NVIDIA's header. For C and C++.

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION 3
#define NVTX_SUCCESS 0
#define NVTX_FAIL 1
#define NVTX_ERR_INIT_LOAD_PROPERTY 2
#define NVTX_ERR_INIT_ACCESS_LIBRARY 3
#define NVTX_ERR_INIT_LOAD_LIBRARY 4
#define NVTX_ERR_INIT_MISSING_LIBRARY_ENTRY_POINT 5
#define NVTX_ERR_INIT_FAILED_LIBRARY_ENTRY_POINT 6
#define NVTX_ERR_NO_INJECTION_LIBRARY_AVAILABLE 7
#define NVTX_NO_PUSH_POP_TRACKING (-2)

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st nvtxDomainRegistration;
typedef nvtxDomainRegistration* nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st nvtxStringRegistration;
typedef nvtxStringRegistration* nvtxStringHandle_t;
typedef struct nvtxResourceHandle* nvtxResourceHandle_t;

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  NVTX_PAYLOAD_TYPE_INT32 = 5,
  NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;

typedef union nvtxMessageValue_t {
  const char* ascii;
  const wchar_t* unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;

/// What a profiler would show of a range or a mark.
typedef struct nvtxEventAttributes_v2 {
  uint16_t version;
  uint16_t size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType;
  int32_t reserved0;
  union payload_t {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_v2;
typedef nvtxEventAttributes_v2 nvtxEventAttributes_t;
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

/// What a profiler would know of a lock, a device or whatever else gets a name.
typedef struct nvtxResourceAttributes_v0 {
  uint16_t version;
  uint16_t size;
  int32_t identifierType;
  union identifier_t {
    const void* pValue;
    uint64_t ullValue;
  } identifier;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxResourceAttributes_v0;
typedef nvtxResourceAttributes_v0 nvtxResourceAttributes_t;
#define NVTX_RESOURCE_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxResourceAttributes_v0))

#define NVTX_RESOURCE_MAKE_TYPE(CLASS, INDEX) \
  (((uint32_t)(NVTX_RESOURCE_CLASS_##CLASS) << 16) | (uint32_t)(INDEX))
#define NVTX_RESOURCE_CLASS_GENERIC 1
typedef enum nvtxResourceGenericType_t {
  NVTX_RESOURCE_TYPE_UNKNOWN = 0,
  NVTX_RESOURCE_TYPE_GENERIC_POINTER = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 1),
  NVTX_RESOURCE_TYPE_GENERIC_HANDLE = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 2),
  NVTX_RESOURCE_TYPE_GENERIC_THREAD_NATIVE = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 3),
  NVTX_RESOURCE_TYPE_GENERIC_THREAD_POSIX = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 4)
} nvtxResourceGenericType_t;

// Each is without effect, and answers as it does when no profiler listens.
#ifdef __cplusplus
#define EMULATOR_NVTX(Result, result, name, ...) \
  inline Result name(__VA_ARGS__) {              \
    return (Result)(result);                     \
  }
#else
#define EMULATOR_NVTX(Result, result, name, ...) \
  static inline Result name(__VA_ARGS__) {       \
    return (Result)(result);                     \
  }
#endif
// Functions that take a text: one for each kind of character.
#define EMULATOR_NVTX_TEXT(Result, result, name, ...)             \
  EMULATOR_NVTX(Result, result, name##A, __VA_ARGS__ const char*) \
  EMULATOR_NVTX(Result, result, name##W, __VA_ARGS__ const wchar_t*)
#define EMULATOR_NVTX_COMMA ,

EMULATOR_NVTX(void, 0, nvtxInitialize, const void*)

EMULATOR_NVTX_TEXT(void, 0, nvtxMark, )
EMULATOR_NVTX(void, 0, nvtxMarkEx, const nvtxEventAttributes_t*)
EMULATOR_NVTX(void, 0, nvtxDomainMarkEx, nvtxDomainHandle_t, const nvtxEventAttributes_t*)

EMULATOR_NVTX_TEXT(int, NVTX_NO_PUSH_POP_TRACKING, nvtxRangePush, )
EMULATOR_NVTX(int, NVTX_NO_PUSH_POP_TRACKING, nvtxRangePushEx, const nvtxEventAttributes_t*)
EMULATOR_NVTX(int, NVTX_NO_PUSH_POP_TRACKING, nvtxRangePop, void)
EMULATOR_NVTX(int, NVTX_NO_PUSH_POP_TRACKING, nvtxDomainRangePushEx, nvtxDomainHandle_t,
              const nvtxEventAttributes_t*)
EMULATOR_NVTX(int, NVTX_NO_PUSH_POP_TRACKING, nvtxDomainRangePop, nvtxDomainHandle_t)

EMULATOR_NVTX_TEXT(nvtxRangeId_t, 0, nvtxRangeStart, )
EMULATOR_NVTX(nvtxRangeId_t, 0, nvtxRangeStartEx, const nvtxEventAttributes_t*)
EMULATOR_NVTX(void, 0, nvtxRangeEnd, nvtxRangeId_t)
EMULATOR_NVTX(nvtxRangeId_t, 0, nvtxDomainRangeStartEx, nvtxDomainHandle_t,
              const nvtxEventAttributes_t*)
EMULATOR_NVTX(void, 0, nvtxDomainRangeEnd, nvtxDomainHandle_t, nvtxRangeId_t)

EMULATOR_NVTX_TEXT(nvtxDomainHandle_t, 0, nvtxDomainCreate, )
EMULATOR_NVTX(void, 0, nvtxDomainDestroy, nvtxDomainHandle_t)
EMULATOR_NVTX_TEXT(nvtxStringHandle_t, 0, nvtxDomainRegisterString,
                   nvtxDomainHandle_t EMULATOR_NVTX_COMMA)
EMULATOR_NVTX(nvtxResourceHandle_t, 0, nvtxDomainResourceCreate, nvtxDomainHandle_t,
              nvtxResourceAttributes_t*)
EMULATOR_NVTX(void, 0, nvtxDomainResourceDestroy, nvtxResourceHandle_t)

EMULATOR_NVTX_TEXT(void, 0, nvtxNameOsThread, uint32_t EMULATOR_NVTX_COMMA)
EMULATOR_NVTX_TEXT(void, 0, nvtxNameCategory, uint32_t EMULATOR_NVTX_COMMA)
EMULATOR_NVTX_TEXT(void, 0, nvtxDomainNameCategory,
                   nvtxDomainHandle_t EMULATOR_NVTX_COMMA uint32_t EMULATOR_NVTX_COMMA)

#ifdef UNICODE
#define EMULATOR_NVTX_NAME(name) name##W
#else
#define EMULATOR_NVTX_NAME(name) name##A
#endif
#define nvtxMark EMULATOR_NVTX_NAME(nvtxMark)
#define nvtxRangePush EMULATOR_NVTX_NAME(nvtxRangePush)
#define nvtxRangeStart EMULATOR_NVTX_NAME(nvtxRangeStart)
#define nvtxDomainCreate EMULATOR_NVTX_NAME(nvtxDomainCreate)
#define nvtxDomainRegisterString EMULATOR_NVTX_NAME(nvtxDomainRegisterString)
#define nvtxDomainNameCategory EMULATOR_NVTX_NAME(nvtxDomainNameCategory)
#define nvtxNameOsThread EMULATOR_NVTX_NAME(nvtxNameOsThread)
#define nvtxNameCategory EMULATOR_NVTX_NAME(nvtxNameCategory)
