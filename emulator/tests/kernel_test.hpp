#pragma once
/// \file
/// What tests of kernels share.

#include <cuda_runtime.h>
#include <doctest/doctest.h>

#ifdef CUDA_EMULATOR
#include <string>

#include "emulator/findings.h"
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

/// The findings of a launch, a line each: the kind, and what it says.
template <class Launch>
std::string lines_found_in(Launch launch) {
  emulator::clear_findings();
  launch();
  const bool failed = cudaDeviceSynchronize() != cudaSuccess;
  std::string text;
  for (const emulator::Finding& finding : emulator::findings()) {
    text += finding.kind + ": " + finding.what + "\n";
  }
  emulator::clear_findings();
  if (failed) CHECK(cudaDeviceReset() == cudaSuccess);
  return text;
}

inline std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

#endif
