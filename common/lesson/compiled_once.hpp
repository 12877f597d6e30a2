/// @file
/// Where the larger functions of these headers are compiled.
///
/// A chapter that is compiled by hand needs nothing but this folder on the include path: each
/// header NAME.hpp includes its functions, from NAME.inl, as inline functions. Compiling them again
/// for every program takes more time than everything else. So the course's own build compiles them
/// once, in common.cu, and defines COURSE_COMMON_IS_BUILT for the programs.
#pragma once

#ifdef COURSE_COMMON_IS_BUILT
#define COURSE_DEFINE_HERE 0
#elif defined(COURSE_BUILDING_COMMON)
#define COURSE_DEFINE_HERE 1
#define COURSE_ONCE
#else
#define COURSE_DEFINE_HERE 1
#define COURSE_ONCE inline
#endif
