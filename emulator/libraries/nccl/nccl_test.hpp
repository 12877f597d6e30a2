#pragma once
// What the tests of NCCL have in common: three devices with a rank each.

#include <cuda_runtime.h>
#include <doctest/doctest.h>
#include <nccl.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "emulator/findings.h"

namespace nccl_test {

inline constexpr int ranks = 3;
inline constexpr std::size_t count = 24;  // a multiple of the ranks

// A rank for each device, with two buffers and a stream.
class Group {
 public:
  explicit Group(std::size_t bytes = count * ranks * sizeof(double)) {
    CHECK(ncclCommInitAll(comms.data(), ranks, nullptr) == ncclSuccess);
    for_each([&](int rank) {
      CHECK(cudaStreamCreate(&streams[rank]) == cudaSuccess);
      CHECK(cudaMalloc(&send[rank], bytes) == cudaSuccess);
      CHECK(cudaMalloc(&receive[rank], bytes) == cudaSuccess);
      CHECK(cudaMemset(send[rank], 0, bytes) == cudaSuccess);
      CHECK(cudaMemset(receive[rank], 0, bytes) == cudaSuccess);
      CHECK(cudaDeviceSynchronize() == cudaSuccess);
    });
  }
  ~Group() {
    for (ncclComm_t comm : comms) ncclCommDestroy(comm);
    for_each([&](int) { cudaDeviceReset(); });
    cudaSetDevice(0);
    cudaGetLastError();
  }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  static void for_each(const std::function<void(int)>& use) {
    for (int rank = 0; rank < ranks; ++rank) {
      cudaSetDevice(rank);
      use(rank);
    }
  }
  static void in_group(const std::function<void(int)>& call) {
    CHECK(ncclGroupStart() == ncclSuccess);
    for_each(call);
    CHECK(ncclGroupEnd() == ncclSuccess);
  }
  void synchronise() const {
    for_each([&](int rank) { CHECK(cudaStreamSynchronize(streams[rank]) == cudaSuccess); });
  }

  // Element i of rank r.
  template <class T>
  void fill(const std::function<T(int, std::size_t)>& element, std::size_t elements = count) {
    for_each([&](int rank) {
      std::vector<T> host(elements);
      for (std::size_t i = 0; i < elements; ++i) host[i] = element(rank, i);
      CHECK(cudaMemcpy(send[rank], host.data(), elements * sizeof(T), cudaMemcpyDefault) ==
            cudaSuccess);
    });
  }
  template <class T>
  std::vector<T> received(int rank, std::size_t elements = count) const {
    std::vector<T> host(elements);
    CHECK(cudaMemcpy(host.data(), receive[rank], elements * sizeof(T), cudaMemcpyDefault) ==
          cudaSuccess);
    return host;
  }

  std::array<ncclComm_t, ranks> comms{};
  std::array<cudaStream_t, ranks> streams{};
  std::array<void*, ranks> send{};
  std::array<void*, ranks> receive{};
};

// While one lives, the checks are on; what they find is asked of it.
class Checked {
 public:
  Checked() { emulator::set_checking(true); }
  ~Checked() {
    emulator::set_checking(false);
    emulator::clear_findings();
  }
  Checked(const Checked&) = delete;
  Checked& operator=(const Checked&) = delete;

  static bool has_found(const std::string& text) {
    return std::ranges::any_of(emulator::findings(), [&](const emulator::Finding& finding) {
      return finding.kind == "collective" && finding.what.find(text) != std::string::npos;
    });
  }
};

inline int number(int rank, std::size_t i) {
  return 10 * (rank + 1) + static_cast<int>(i);
}

}  // namespace nccl_test
