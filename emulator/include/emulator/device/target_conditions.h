#pragma once
#pragma GCC system_header
/// \file
/// The conditions of <nv/target>. Each is one of four words: whether the code is for everybody, for
/// nobody, for the host alone or for the device alone.

#include "emulator/architecture.h"

#define NV_ANY_TARGET emulator_always
#define NV_NO_TARGET emulator_never
#define NV_IS_HOST emulator_host
#define NV_IS_DEVICE emulator_device

#define NV_TARGET_MINIMUM_SM_INTEGER (EMULATOR_ARCHITECTURE / 10)

// These are behind us: nvcc 13 begins with 7.5.
#define NV_PROVIDES_SM_35 emulator_device
#define NV_IS_EXACTLY_SM_35 emulator_never
#define NV_PROVIDES_SM_37 emulator_device
#define NV_IS_EXACTLY_SM_37 emulator_never
#define NV_PROVIDES_SM_50 emulator_device
#define NV_IS_EXACTLY_SM_50 emulator_never
#define NV_PROVIDES_SM_52 emulator_device
#define NV_IS_EXACTLY_SM_52 emulator_never
#define NV_PROVIDES_SM_53 emulator_device
#define NV_IS_EXACTLY_SM_53 emulator_never
#define NV_PROVIDES_SM_60 emulator_device
#define NV_IS_EXACTLY_SM_60 emulator_never
#define NV_PROVIDES_SM_61 emulator_device
#define NV_IS_EXACTLY_SM_61 emulator_never
#define NV_PROVIDES_SM_62 emulator_device
#define NV_IS_EXACTLY_SM_62 emulator_never
#define NV_PROVIDES_SM_70 emulator_device
#define NV_IS_EXACTLY_SM_70 emulator_never
#define NV_PROVIDES_SM_72 emulator_device
#define NV_IS_EXACTLY_SM_72 emulator_never

#if EMULATOR_ARCHITECTURE >= 750
#define NV_PROVIDES_SM_75 emulator_device
#else
#define NV_PROVIDES_SM_75 emulator_never
#endif
#if EMULATOR_ARCHITECTURE >= 800
#define NV_PROVIDES_SM_80 emulator_device
#else
#define NV_PROVIDES_SM_80 emulator_never
#endif
#if EMULATOR_ARCHITECTURE >= 860
#define NV_PROVIDES_SM_86 emulator_device
#else
#define NV_PROVIDES_SM_86 emulator_never
#endif
#if EMULATOR_ARCHITECTURE >= 870
#define NV_PROVIDES_SM_87 emulator_device
#else
#define NV_PROVIDES_SM_87 emulator_never
#endif
#if EMULATOR_ARCHITECTURE >= 880
#define NV_PROVIDES_SM_88 emulator_device
#else
#define NV_PROVIDES_SM_88 emulator_never
#endif
#if EMULATOR_ARCHITECTURE >= 890
#define NV_PROVIDES_SM_89 emulator_device
#else
#define NV_PROVIDES_SM_89 emulator_never
#endif
#if EMULATOR_ARCHITECTURE >= 900
#define NV_PROVIDES_SM_90 emulator_device
#else
#define NV_PROVIDES_SM_90 emulator_never
#endif
#if EMULATOR_ARCHITECTURE >= 1000
#define NV_PROVIDES_SM_100 emulator_device
#else
#define NV_PROVIDES_SM_100 emulator_never
#endif
#if EMULATOR_ARCHITECTURE >= 1010
#define NV_PROVIDES_SM_101 emulator_device
#else
#define NV_PROVIDES_SM_101 emulator_never
#endif
#if EMULATOR_ARCHITECTURE >= 1030
#define NV_PROVIDES_SM_103 emulator_device
#else
#define NV_PROVIDES_SM_103 emulator_never
#endif
#if EMULATOR_ARCHITECTURE >= 1100
#define NV_PROVIDES_SM_110 emulator_device
#else
#define NV_PROVIDES_SM_110 emulator_never
#endif
#if EMULATOR_ARCHITECTURE >= 1200
#define NV_PROVIDES_SM_120 emulator_device
#else
#define NV_PROVIDES_SM_120 emulator_never
#endif
#if EMULATOR_ARCHITECTURE >= 1210
#define NV_PROVIDES_SM_121 emulator_device
#else
#define NV_PROVIDES_SM_121 emulator_never
#endif

#if EMULATOR_ARCHITECTURE == 750
#define NV_IS_EXACTLY_SM_75 emulator_device
#else
#define NV_IS_EXACTLY_SM_75 emulator_never
#endif
#if EMULATOR_ARCHITECTURE == 800
#define NV_IS_EXACTLY_SM_80 emulator_device
#else
#define NV_IS_EXACTLY_SM_80 emulator_never
#endif
#if EMULATOR_ARCHITECTURE == 860
#define NV_IS_EXACTLY_SM_86 emulator_device
#else
#define NV_IS_EXACTLY_SM_86 emulator_never
#endif
#if EMULATOR_ARCHITECTURE == 870
#define NV_IS_EXACTLY_SM_87 emulator_device
#else
#define NV_IS_EXACTLY_SM_87 emulator_never
#endif
#if EMULATOR_ARCHITECTURE == 880
#define NV_IS_EXACTLY_SM_88 emulator_device
#else
#define NV_IS_EXACTLY_SM_88 emulator_never
#endif
#if EMULATOR_ARCHITECTURE == 890
#define NV_IS_EXACTLY_SM_89 emulator_device
#else
#define NV_IS_EXACTLY_SM_89 emulator_never
#endif
#if EMULATOR_ARCHITECTURE == 900
#define NV_IS_EXACTLY_SM_90 emulator_device
#else
#define NV_IS_EXACTLY_SM_90 emulator_never
#endif
#if EMULATOR_ARCHITECTURE == 1000
#define NV_IS_EXACTLY_SM_100 emulator_device
#else
#define NV_IS_EXACTLY_SM_100 emulator_never
#endif
#if EMULATOR_ARCHITECTURE == 1010
#define NV_IS_EXACTLY_SM_101 emulator_device
#else
#define NV_IS_EXACTLY_SM_101 emulator_never
#endif
#if EMULATOR_ARCHITECTURE == 1030
#define NV_IS_EXACTLY_SM_103 emulator_device
#else
#define NV_IS_EXACTLY_SM_103 emulator_never
#endif
#if EMULATOR_ARCHITECTURE == 1100
#define NV_IS_EXACTLY_SM_110 emulator_device
#else
#define NV_IS_EXACTLY_SM_110 emulator_never
#endif
#if EMULATOR_ARCHITECTURE == 1200
#define NV_IS_EXACTLY_SM_120 emulator_device
#else
#define NV_IS_EXACTLY_SM_120 emulator_never
#endif
#if EMULATOR_ARCHITECTURE == 1210
#define NV_IS_EXACTLY_SM_121 emulator_device
#else
#define NV_IS_EXACTLY_SM_121 emulator_never
#endif

// What sm_90a has is not in the next architecture. The emulator has it where it has sm_90.
#define NV_HAS_FEATURE_SM_90a NV_IS_EXACTLY_SM_90
#define NV_HAS_FEATURE_SM_100a emulator_never
#define NV_HAS_FEATURE_SM_101a emulator_never
#define NV_HAS_FEATURE_SM_103a emulator_never
#define NV_HAS_FEATURE_SM_110a emulator_never
#define NV_HAS_FEATURE_SM_120a emulator_never
#define NV_HAS_FEATURE_SM_121a emulator_never
