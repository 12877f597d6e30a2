#pragma once
/// \file
/// What tests of copies name in short.

#include "tests/support/host_test.hpp"

namespace copies_test {

inline constexpr auto invalid = cudaErrorInvalidValue;
inline constexpr auto bad_direction = cudaErrorInvalidMemcpyDirection;
inline constexpr auto to_device = cudaMemcpyHostToDevice;
inline constexpr auto to_host = cudaMemcpyDeviceToHost;
inline constexpr auto on_device = cudaMemcpyDeviceToDevice;
inline constexpr auto on_host = cudaMemcpyHostToHost;

inline cudaStream_t no_stream() {
  return reinterpret_cast<cudaStream_t>(0x99);
}

}  // namespace copies_test
