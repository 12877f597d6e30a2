/// @file
/// What the programs of kernels have in common: their arrays, the kernels that are asked for, and a
/// line for each.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "table.cuh"

namespace counters {

/// `count` random numbers from 0 .. limit - 1.
template <class T>
std::vector<T> random_numbers(int count, unsigned limit, std::uint64_t seed) {
  const RandomBits bits(seed);
  std::vector<T> numbers(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<T>(bits(i) % limit);
  return numbers;
}

/// The numbers 0 .. count - 1 in random order.
inline std::vector<int> random_order(int count, std::uint64_t seed) {
  const RandomBits bits(seed);
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t last = order.size() - 1; last > 0; --last) {
    std::swap(order[last], order[bits(last) % (last + 1)]);
  }
  return order;
}

/// \param result_bytes room for results, at most 8 bytes per element
inline Arrays make_arrays(std::size_t result_bytes) {
  // A list that visits all elements: each points to the one after it in a random order.
  const std::vector<int> order = random_order(1024, 6);
  std::vector<int> next(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    next[static_cast<std::size_t>(order[i])] = order[(i + 1) % order.size()];
  }
  std::vector<int> sorted = random_numbers<int>(1024, 4096, 7);
  std::sort(sorted.begin(), sorted.end());

  std::vector<float> floats;
  const RandomBits bits(1);
  for (std::uint64_t i = 0; i < elements; ++i) {
    const int value = static_cast<int>((bits(i) >> 32) * 10 >> 32) - 5;
    floats.push_back(static_cast<float>(value + (value >= 0)));  // leaves 0 out
  }
  return Arrays{DeviceArray<float>(floats),
                DeviceArray<double>(std::vector<double>(floats.begin(), floats.end())),
                DeviceArray<int>(random_numbers<int>(elements, 1000, 2)),
                DeviceArray<unsigned char>(random_numbers<unsigned char>(elements, 256, 3)),
                DeviceArray<int>(random_order(1024, 4)),
                DeviceArray<int>(random_numbers<int>(2048, 4096, 5)),
                DeviceArray<int>(next),
                DeviceArray<int>(sorted),
                DeviceArray<unsigned char>(result_bytes)};
}

inline std::uint64_t checksum(const std::vector<unsigned char>& bytes) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, &bytes[i], sizeof word);
    sum = 31 * sum + word;
  }
  return sum;
}

inline std::string text(dim3 extent) {
  return std::to_string(extent.x) + " x " + std::to_string(extent.y) + " x " +
         std::to_string(extent.z);
}

inline void run(const Entry& entry, Arrays& arrays) {
  COUNTERS_CHECK(cudaMemset(arrays.out, 0, arrays.out.bytes()));
  entry.launch(arrays, entry);
  COUNTERS_CHECK(cudaGetLastError());
  COUNTERS_CHECK(cudaDeviceSynchronize());
  std::printf("%-28s %-12s %-14s %016llx\n", entry.name, text(entry.grid).c_str(),
              text(entry.block).c_str(),
              static_cast<unsigned long long>(checksum(arrays.out.to_host())));
}

/// Those of the kernels that are asked for: all, if none is.
inline Table chosen_kernels(const char* program, const Table& all,
                            const std::vector<std::string>& names) {
  if (names.empty()) return all;
  Table chosen;
  for (const std::string& name : names) {
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const Entry& entry) { return entry.name == name; });
    if (found == all.end()) {
      std::fprintf(stderr, "%s: no kernel is called '%s' (see --list)\n", program, name.c_str());
      std::exit(2);
    }
    chosen.push_back(*found);
  }
  return chosen;
}

/// The program: runs all kernels, or those that the command line names, or lists them. The exit
/// status, 77 without a GPU. All of the results are looked at after each kernel.
inline int run_program(const char* program, const Table& all, std::size_t result_bytes, int argc,
                       char** argv, void (*prepare)() = nullptr) {
  const std::vector<std::string> names(argv + std::min(argc, 1), argv + argc);
  if (names == std::vector<std::string>{"--list"}) {
    for (const Entry& entry : all) std::printf("%s\n", entry.name);
    return 0;
  }
  const Table chosen = chosen_kernels(program, all, names);
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("SKIPPED: there is no GPU\n");
    return 77;
  }
  if (prepare != nullptr) prepare();
  Arrays arrays = make_arrays(result_bytes);
  for (const Entry& entry : chosen) run(entry, arrays);
  return 0;
}

}  // namespace counters
