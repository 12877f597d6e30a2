// Micro-kernels, each named for the pattern of its accesses to memory. Each is launched once, so
// that what the emulator counts for it can be compared with a GPU's own counters, kernel by kernel.
//
//   micro_kernels                runs them all
//   micro_kernels NAME...        runs those
//   micro_kernels --list         lists them
//
// A line a kernel shows a checksum of its results: the same on every device.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "kernels/arrays.cuh"
#include "kernels/atomics.cuh"
#include "kernels/blocks.cuh"
#include "kernels/branches.cuh"
#include "kernels/elements.cuh"
#include "kernels/loops.cuh"
#include "kernels/natural.cuh"
#include "kernels/shared.cuh"
#include "kernels/shared_algorithms.cuh"
#include "kernels/shared_elements.cuh"
#include "kernels/strides.cuh"
#include "kernels/structures.cuh"

using counters::Arrays;
using counters::Entry;
using counters::Table;

namespace {

Table all_kernels() {
  Table all;
  for (const Table& table :
       {stride_kernels(), element_kernels(), structure_kernels(), branch_kernels(), loop_kernels(),
        block_kernels(), shared_kernels(), shared_element_kernels(), shared_algorithm_kernels(),
        atomic_kernels(), natural_kernels()}) {
    all.insert(all.end(), table.begin(), table.end());
  }
  return all;
}

/// `count` random numbers from 0 .. limit - 1.
template <class T>
std::vector<T> random_numbers(int count, unsigned limit, std::uint64_t seed) {
  const counters::RandomBits bits(seed);
  std::vector<T> numbers(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<T>(bits(i) % limit);
  return numbers;
}

/// The numbers 0 .. count - 1 in random order.
std::vector<int> random_order(int count, std::uint64_t seed) {
  const counters::RandomBits bits(seed);
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t last = order.size() - 1; last > 0; --last) {
    std::swap(order[last], order[bits(last) % (last + 1)]);
  }
  return order;
}

Arrays make_arrays() {
  // A list that visits all elements: each points to the one after it in a random order.
  const std::vector<int> order = random_order(1024, 6);
  std::vector<int> next(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    next[static_cast<std::size_t>(order[i])] = order[(i + 1) % order.size()];
  }
  std::vector<int> sorted = random_numbers<int>(1024, 4096, 7);
  std::sort(sorted.begin(), sorted.end());

  std::vector<float> floats;
  const counters::RandomBits bits(1);
  for (std::uint64_t i = 0; i < counters::elements; ++i) {
    const int value = static_cast<int>((bits(i) >> 32) * 10 >> 32) - 5;
    floats.push_back(static_cast<float>(value + (value >= 0)));  // leaves 0 out
  }
  return Arrays{counters::DeviceArray<float>(floats),
                counters::DeviceArray<double>(std::vector<double>(floats.begin(), floats.end())),
                counters::DeviceArray<int>(random_numbers<int>(counters::elements, 1000, 2)),
                counters::DeviceArray<unsigned char>(
                    random_numbers<unsigned char>(counters::elements, 256, 3)),
                counters::DeviceArray<int>(random_order(1024, 4)),
                counters::DeviceArray<int>(random_numbers<int>(2048, 4096, 5)),
                counters::DeviceArray<int>(next),
                counters::DeviceArray<int>(sorted),
                counters::DeviceArray<unsigned char>(counters::out_bytes)};
}

std::uint64_t checksum(const std::vector<unsigned char>& bytes) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, &bytes[i], sizeof word);
    sum = 31 * sum + word;
  }
  return sum;
}

std::string text(dim3 extent) {
  return std::to_string(extent.x) + " x " + std::to_string(extent.y) + " x " +
         std::to_string(extent.z);
}

void run(const Entry& entry, Arrays& arrays) {
  COUNTERS_CHECK(cudaMemset(arrays.out, 0, arrays.out.bytes()));
  entry.launch(arrays, entry);
  COUNTERS_CHECK(cudaGetLastError());
  COUNTERS_CHECK(cudaDeviceSynchronize());
  std::printf("%-28s %-12s %-14s %016llx\n", entry.name, text(entry.grid).c_str(),
              text(entry.block).c_str(),
              static_cast<unsigned long long>(checksum(arrays.out.to_host())));
}

/// Those of the kernels that are asked for: all, if none is.
Table chosen_kernels(const std::vector<std::string>& names) {
  const Table all = all_kernels();
  if (names.empty()) return all;
  Table chosen;
  for (const std::string& name : names) {
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const Entry& entry) { return entry.name == name; });
    if (found == all.end()) {
      std::fprintf(stderr, "micro_kernels: no kernel is called '%s' (see --list)\n", name.c_str());
      std::exit(2);
    }
    chosen.push_back(*found);
  }
  return chosen;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> names(argv + std::min(argc, 1), argv + argc);
  if (names == std::vector<std::string>{"--list"}) {
    for (const Entry& entry : all_kernels()) std::printf("%s\n", entry.name);
    return 0;
  }
  const Table chosen = chosen_kernels(names);
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("SKIPPED: there is no GPU\n");
    return 77;
  }
  const std::vector<float> constants = {3, -1, 2, 1, -2, 4, 5, -3, 1, 2, 3, -4, 2, 1, -1, 6};
  COUNTERS_CHECK(cudaMemcpyToSymbol(coefficients, constants.data(), sizeof coefficients));
  Arrays arrays = make_arrays();
  for (const Entry& entry : chosen) run(entry, arrays);
  return 0;
}
