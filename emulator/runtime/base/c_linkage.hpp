#pragma once
/// \file
/// How functions of the API get names in C. In C++ some of them are overloaded, so these have names
/// of their own, which the assembler does not see.

// The function of that name in C, with these parameters, which are passed on.
#define EMULATOR_C(Result, name, parameters, arguments)          \
  extern "C" Result emulator_c_##name parameters __asm__(#name); \
  Result emulator_c_##name parameters {                          \
    return name arguments;                                       \
  }
