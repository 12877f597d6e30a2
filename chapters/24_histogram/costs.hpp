// Chapter 24: what one atomic in shared memory costs a warp, by how many of its lanes want the same
// word or the same bank, in clocks of the multiprocessor.
#pragma once

#include "inputs.hpp"

// How a lane adds: 1; an amount that only the caller knows; the same, and it uses the old value.
// 1.0F to a float; or not by an atomic, but by a load and a store.
enum class How { one, amount, returned, as_float, load_and_store };

template <How how>
__device__ unsigned add_to(unsigned* word, unsigned amount) {
  if constexpr (how == How::one) atomicAdd(word, 1U);
  if constexpr (how == How::amount) atomicAdd(word, amount);
  if constexpr (how == How::returned) return atomicAdd(word, amount);
  if constexpr (how == How::as_float) atomicAdd(reinterpret_cast<float*>(word), 1.0F);
  if constexpr (how == How::load_and_store) {
    volatile unsigned* const mine = word;
    *mine = *mine + amount;
  }
  return 0;
}

constexpr int words_of_costs = 2048;

// Each thread adds `steps` times to a word of its own choice. The first thread records how long the
// block took.
template <How how>
__global__ void __launch_bounds__(wide_block)
    clocks_of_adds(const unsigned* places, int steps, unsigned amount, long long* took,
                   unsigned* results) {
  __shared__ unsigned words[words_of_costs];
  clear(words, words_of_costs);
  unsigned* const mine = words + places[threadIdx.x];
  unsigned result = 0;
  __syncthreads();
  const long long start = clock64();
#pragma unroll 16
  for (int k = 0; k < steps; ++k) result += add_to<how>(mine, amount);
  __syncthreads();
  if (threadIdx.x == 0) took[blockIdx.x] = clock64() - start;
  results[static_cast<size_t>(blockIdx.x) * wide_block + threadIdx.x] = result;
}

// How often a fully occupied multiprocessor can begin one, in clocks; place(lane, warp) is a word.
template <How how, class Place>
double clocks_a_warp(Place place) {
  constexpr int steps = 1024;
  const int multiprocessors = course::device().multiprocessors;
  std::vector<unsigned> places(wide_block);
  for (int t = 0; t < wide_block; ++t) places[t] = place(t % 32, t / 32);
  course::DeviceArray<unsigned> on_device(places);
  course::DeviceArray<unsigned> results(static_cast<size_t>(multiprocessors) * wide_block);
  course::DeviceArray<long long> took(multiprocessors);
  for (int time = 0; time < 2; ++time) {  // the first loads the instructions
    clocks_of_adds<how><<<multiprocessors, wide_block>>>(on_device, steps, 1, took, results);
    CUDA_CHECK_LAUNCH();
  }
  std::vector<long long> clocks = took.to_host();
  std::nth_element(clocks.begin(), clocks.begin() + multiprocessors / 2, clocks.end());
  return static_cast<double>(clocks[multiprocessors / 2]) / steps / (wide_block / 32);
}

// `lanes` lanes want one word; each such group another bank. Each warp has words of its own.
inline auto one_word(int lanes) {
  return [=](int lane, int warp) { return static_cast<unsigned>(warp * 32 + lane / lanes); };
}
// `lanes` lanes want one bank, each another word of it. All warps want the same words.
inline auto one_bank(int lanes) {
  return [=](int lane, int) { return static_cast<unsigned>(lane % lanes * 32 + lane / lanes); };
}

inline void note_costs(course::Report& report) {
  char line[120];
  report.note("Clocks of a warp's addition in shared memory, 32 warps:");
  report.note("  lanes that want one      +1   +amount  returned   +1.0F   load, store");
  const auto note = [&](const char* what, int lanes, auto place) {
    std::snprintf(line, sizeof line, "  %-5s %2d %16.2f %8.2f %8.2f %8.2f %10.2f", what, lanes,
                  clocks_a_warp<How::one>(place), clocks_a_warp<How::amount>(place),
                  clocks_a_warp<How::returned>(place), clocks_a_warp<How::as_float>(place),
                  clocks_a_warp<How::load_and_store>(place));
    report.note(line);
  };
  for (int lanes = 1; lanes <= 32; lanes *= 2) note("word", lanes, one_word(lanes));
  for (int lanes = 2; lanes <= 32; lanes *= 2) note("bank", lanes, one_bank(lanes));
}
