#pragma once
#pragma GCC system_header
/// \file
/// What kernels call and the emulator does not model. A program that only mentions it compiles;
/// code that would really call it does not, and the compiler says why in the line of the call.

/// On a function: calling it is an error. What the compiler then says ends with `what`.
#define EMULATOR_NOT_MODELLED(what) __attribute__((error(what " not modelled")))
