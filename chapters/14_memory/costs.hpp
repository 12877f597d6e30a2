// What memory costs besides the copies: allocating it, and the host's own writes and reads of
// it.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "check.hpp"
#include "host_memory.hpp"

// One operation that costs time, and what must be done before it.
struct Cost {
  std::string name;
  double bytes;
  std::function<void()> before;
  std::function<void()> body;
};

// Allocating and freeing memory for `count` floats, in every way. No bytes move.
inline std::vector<Cost> allocation_costs(size_t count) {
  const size_t bytes = count * sizeof(float);
  const auto nothing = [] {};
  const auto have = [=](Kind kind) { return [=] { HostArray(count, kind); }; };
  const auto from_pool = [=] {
    void* pointer = nullptr;
    CUDA_CHECK(cudaMallocAsync(&pointer, bytes, nullptr));
    CUDA_CHECK(cudaFreeAsync(pointer, nullptr));
    CUDA_CHECK(cudaStreamSynchronize(nullptr));
  };
  const auto on_device = [=] {
    void* pointer = nullptr;
    CUDA_CHECK(cudaMalloc(&pointer, bytes));
    CUDA_CHECK(cudaFree(pointer));
  };
  return {{"cudaMalloc", 0, nothing, on_device},
          {"pool", 0, [] { set_release_threshold(0); }, from_pool},
          {"pool, kept", 0, [] { set_release_threshold(UINT64_MAX); }, from_pool},
          {"malloc, written", 0, nothing, [=] { HostArray(count, Kind::pageable).poison(); }},
          {"cudaHostAlloc", 0, nothing, have(Kind::pinned)},
          {"cudaHostRegister", 0, nothing, have(Kind::registered)},
          {"cudaMallocManaged", 0, nothing, have(Kind::managed)}};
}

// The cost of the host's own accesses, by kind of memory: it writes all of `there`, and reads all
// of it into `here`.
inline std::vector<Cost> host_access_costs(HostArray& there, std::vector<float>& here,
                                           const std::string& kind) {
  const auto size = static_cast<double>(there.bytes());
  return {{"write " + kind, size, [] {}, [&] { there.copy_from(here); }},
          {"read " + kind, size, [] {},
           [&] { std::memcpy(here.data(), there.data(), there.bytes()); }}};
}
