#pragma once
/// \file
/// What tests of kernels share.

#include <cuda_runtime.h>
#include <doctest/doctest.h>

#ifdef CUDA_EMULATOR
#include "emulator/traffic.h"
#endif

/// An array that host and device share, zero at first.
template <class T>
class Shared {
 public:
  explicit Shared(unsigned count) {
    REQUIRE(cudaMallocManaged(&data_, count * sizeof(T)) == cudaSuccess);
    REQUIRE(cudaMemset(data_, 0, count * sizeof(T)) == cudaSuccess);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  }
  ~Shared() { cudaFree(data_); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  T* get() { return data_; }
  T& operator[](unsigned i) { return data_[i]; }

 private:
  T* data_ = nullptr;
};

#ifdef CUDA_EMULATOR

/// The traffic of what `launch` launches.
template <class Launch>
emulator::Traffic traffic_of(Launch launch) {
  emulator::clear_launches();
  emulator::set_recording(true);
  launch();
  emulator::set_recording(false);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  return emulator::total_traffic();
}

#endif
