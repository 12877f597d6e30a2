// What these headers declare, compiled once for all programs of the course: see compiled_once.hpp.
// Nothing here is to be looked into, so the emulator compiles it as it compiles fast programs.
#undef COURSE_COMMON_IS_BUILT
#define COURSE_BUILDING_COMMON

#include "course.hpp"
#include "gemm.hpp"
#include "sgemv.hpp"
