#pragma once
// What the two programs share, the one in CUDA and the one in OpenCL: the command line, the data,
// the clock, and the judgement of the result.
//
//     PROGRAM KERNEL SIZE LAUNCHES
//
// prints a line for each launch: its milliseconds by the clock on the wall, and those that all the
// processors spent on it together. A wrong result is said in one line; the exit status is then 1,
// and nothing else is printed.
//
// All values are small whole numbers, so a sum has the same bits in any order.

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

namespace bench {

constexpr int sgemv_block = 128;

// One run. A and the product are square; x and y are vectors of as many elements.
struct Problem {
  bool gemm = false;
  int tile = 0;  // of the product
  int size = 0;
  int launches = 0;
  std::vector<float> a;
  std::vector<float> b;  // x, or the second matrix

  std::size_t out_count() const {
    const auto n = static_cast<std::size_t>(size);
    return gemm ? n * n : n;
  }
  int blocks() const {  // in x; the product has as many in y
    const int block = gemm ? tile : sgemv_block;
    return (size - 1) / block + 1;
  }
};

// A whole number from -3 to 4: high bits of a product, without a pattern that would repeat with a
// tile.
inline float value_at(std::size_t i, std::uint32_t which) {
  const std::uint32_t mixed = (static_cast<std::uint32_t>(i) + 77777U * which) * 2654435761U;
  return static_cast<float>(static_cast<int>(mixed >> 29) - 3);
}

// A whole number of the command line, or the end of the program.
inline int number(const char* text, const char* what, int largest) {
  char* end = nullptr;
  const long value = std::strtol(text, &end, 10);
  if (*text == '\0' || *end != '\0' || value < 1 || value > largest) {
    std::fprintf(stderr, "bench: '%s': want %s from 1 to %d\n", text, what, largest);
    std::exit(2);
  }
  return static_cast<int>(value);
}

inline Problem read_problem(int argc, char** argv) {
  Problem p;
  const char* const kernel = argc == 4 ? argv[1] : "";
  p.gemm = std::strcmp(kernel, "gemm16") == 0 || std::strcmp(kernel, "gemm32") == 0;
  if (!p.gemm && std::strcmp(kernel, "sgemv") != 0) {
    std::fprintf(stderr, "usage: %s sgemv|gemm16|gemm32 SIZE LAUNCHES\n", argv[0]);
    std::exit(2);
  }
  p.tile = std::strcmp(kernel, "gemm16") == 0 ? 16 : 32;
  p.size = number(argv[2], "a size", 16384);
  p.launches = number(argv[3], "launches", 1'000'000);
  const auto n = static_cast<std::size_t>(p.size);
  p.a.resize(n * n);
  p.b.resize(p.gemm ? n * n : n);
  for (std::size_t i = 0; i < p.a.size(); ++i) p.a[i] = value_at(i, 0);
  for (std::size_t i = 0; i < p.b.size(); ++i) p.b[i] = value_at(i, 1);
  return p;
}

// What the processor makes of it without any of the programs in question.
inline std::vector<float> reference(const Problem& p) {
  const auto n = static_cast<std::size_t>(p.size);
  std::vector<float> out(p.out_count(), 0.0F);
  if (!p.gemm) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t row = 0; row < n; ++row) out[row] += p.a[j * n + row] * p.b[j];
    }
    return out;
  }
  for (std::size_t row = 0; row < n; ++row) {
    float* const sums = &out[row * n];
    for (std::size_t k = 0; k < n; ++k) {
      const float factor = p.a[row * n + k];
      const float* const values = &p.b[k * n];
      for (std::size_t col = 0; col < n; ++col) sums[col] += factor * values[col];
    }
  }
  return out;
}

// The program's exit status.
inline int judge(const Problem& p, const std::vector<float>& out) {
  const std::vector<float> right = reference(p);
  std::size_t wrong = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (out[i] == right[i]) continue;
    if (wrong++ == 0) first = i;
  }
  if (wrong == 0) return 0;
  std::fprintf(stderr, "bench: %zu of %zu elements are wrong: element %zu is %g, not %g\n", wrong,
               right.size(), first, static_cast<double>(out[first]),
               static_cast<double>(right[first]));
  return 1;
}

// Milliseconds of all the process's threads so far.
inline double processor_milliseconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

// Runs it all: `poison(NaN)` fills the output, `launch()` computes it and waits for the end,
// `fetch(out)` brings it. The first launch does not count: it compiles, or makes stacks.
template <class Poison, class Launch, class Fetch>
int measure(const Problem& p, Poison poison, Launch launch, Fetch fetch) {
  struct Times {
    double wall;
    double processor;
  };
  std::vector<Times> launches;
  for (int i = 0; i <= p.launches; ++i) {
    poison(std::nanf(""));
    const double processor = processor_milliseconds();
    const auto start = std::chrono::steady_clock::now();
    launch();
    const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
    if (i > 0) launches.push_back({wall.count(), processor_milliseconds() - processor});
  }
  std::vector<float> out(p.out_count());
  fetch(out);
  const int status = judge(p, out);
  if (status != 0) return status;
  for (const Times& times : launches) std::printf("%.6f %.6f\n", times.wall, times.processor);
  return 0;
}

}  // namespace bench
