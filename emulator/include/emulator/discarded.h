#pragma once
#pragma GCC system_header
/// \file
/// Results that a program throws away. The translator adds to statements such as
/// `cudaMemcpy(to, from, bytes, kind);`, so that an error in them does not go unnoticed.

#include <type_traits>

#include "emulator/host/host_types.h"

namespace emulator {
namespace detail {

void discarded_error(cudaError_t error, const char* function);
void discarded_status(int status, const char* function);

/// The launch of a kernel, whose result nobody has ever seen.
void discarded_launch(cudaError_t error, const char* kernel);

}  // namespace detail

/// Takes the result of a call of the API that the program does not use. An error is remembered: if
/// the program does not ask cudaGetLastError() for it either, the checks, if they are on, tell.
/// \param name the function's
template <class Result>
void discarded_result(Result result, const char* name) {
  if constexpr (std::is_same_v<Result, cudaError_t>) {
    if (result != cudaSuccess) detail::discarded_error(result, name);
  } else if constexpr (std::is_enum_v<Result>) {
    if (static_cast<int>(result) != 0) detail::discarded_status(static_cast<int>(result), name);
  }
}

/// What the translator adds: `cudaFree(p), ::emulator::Discarded{"cudaFree"};`. It comes after the
/// call, so that this one stays where it is.
struct Discarded {
  const char* name;
};

template <class Result>
void operator,(Result result, Discarded discarded) {
  discarded_result(result, discarded.name);
}

}  // namespace emulator
