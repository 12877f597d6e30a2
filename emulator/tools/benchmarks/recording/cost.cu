// What recording costs: nanoseconds an access of a lane, with all counters on, and the memory it
// takes, for numbers of accesses that grow tenfold.
//
//     emulator_cost [FEWEST [MOST [FILE.json]]]
//
// Between them the steps are tenfold; 1e5 to 1e7 if nothing is given. The last two kernels have
// barriers and shuffles, where the emulator switches between threads.

#include <sys/resource.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include "emulator/traffic.h"

namespace {

constexpr int elements = 1 << 16;  // all kernels walk over as many, again and again

__global__ void one_warp(const float* in, float* out, std::int64_t trips) {
  float sum = 0;
  for (std::int64_t i = 0; i < trips; ++i) sum += in[(i * 32 + threadIdx.x) % elements];
  out[threadIdx.x] = sum;
}

__global__ void gather(const float* in, float* out, std::int64_t trips) {
  float sum = 0;
  unsigned random = threadIdx.x;
  for (std::int64_t i = 0; i < trips; ++i) {
    random = random * 1664525U + 1013904223U;
    sum += in[(random >> 8) % elements];
  }
  out[threadIdx.x] = sum;
}

// The worst case for merging lanes: no two are ever together.
__global__ void lane_by_lane(const float* in, float* out, std::int64_t trips) {
  float sum = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (lane != threadIdx.x) continue;
    for (std::int64_t i = 0; i < trips; ++i) sum += in[(i + lane) % elements];
  }
  out[threadIdx.x] = sum;
}

__global__ void many_blocks(const float* in, float* out, std::int64_t trips) {
  const std::int64_t threads = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  float sum = 0;
  for (std::int64_t i = 0; i < trips; ++i) sum += in[(i * threads + thread) % elements];
  out[thread % elements] = sum;
}

// 34 accesses between two barriers, as in a product of matrices in tiles.
__global__ void tiles(const float* in, float* out, std::int64_t trips) {
  __shared__ float a[16][16];
  __shared__ float b[16][16];
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  float sum = 0;
  for (std::int64_t i = 0; i < trips; ++i) {
    a[y][x] = in[(i * 256 + 16 * y + x) % elements];
    b[y][x] = 1;
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += a[y][k] * b[k][x];
    __syncthreads();
  }
  out[16 * y + x] = sum;
}

// A load, then a sum over the warp: five shuffles.
__global__ void shuffles(const float* in, float* out, std::int64_t trips) {
  float sum = 0;
  for (std::int64_t i = 0; i < trips; ++i) {
    float value = in[(i * 32 + threadIdx.x) % elements];
    for (int k = 16; k > 0; k /= 2) value += __shfl_down_sync(0xFFFFFFFF, value, k);
    sum += value;
  }
  out[threadIdx.x] = sum;
}

struct Pattern {
  const char* name;
  void (*kernel)(const float*, float*, std::int64_t);
  dim3 grid;
  dim3 block;
  double accesses_a_trip;  // and thread
  double most = 1e10;      // accesses
};

const Pattern patterns[] = {
    {"one warp, side by side", one_warp, 1, 32, 1},
    {"one warp, gathered", gather, 1, 32, 1},
    {"one warp, lane by lane", lane_by_lane, 1, 32, 1},
    {"64 blocks, side by side", many_blocks, 64, 128, 1},
    {"tiles and barriers", tiles, 1, dim3(16, 16), 35},
    {"a load and five shuffles", shuffles, 1, 32, 1, 1e8},
};

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

// What the machine calls its processor; figures mean nothing without it.
std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos) {
      return line.substr(colon + 2);
    }
  }
  return "unknown";
}

[[noreturn]] void refuse(const char* text) {
  std::fprintf(stderr, "emulator_cost: '%s': want a number of accesses from 1e4 to 1e10\n", text);
  std::exit(2);
}

double number(const char* text) {
  char* end = nullptr;
  const double value = std::strtod(text, &end);
  if (*text == '\0' || *end != '\0' || !(value >= 1e4 && value <= 1e10)) refuse(text);
  return value;
}

}  // namespace

int main(int argc, char** argv) {
  const double fewest = argc > 1 ? number(argv[1]) : 1e5;
  const double most = argc > 2 ? number(argv[2]) : std::fmax(fewest, 1e7);
  std::FILE* const file = argc > 3 ? std::fopen(argv[3], "w") : nullptr;
  if (argc > 3 && file == nullptr) {
    std::fprintf(stderr, "emulator_cost: cannot write '%s'\n", argv[3]);
    return 2;
  }
  float* in = nullptr;
  float* out = nullptr;
  if (cudaMalloc(&in, elements * sizeof(float)) != cudaSuccess) return 1;
  if (cudaMalloc(&out, elements * sizeof(float)) != cudaSuccess) return 1;
  if (cudaMemset(in, 0, elements * sizeof(float)) != cudaSuccess) return 1;

  std::printf("%-26s %12s %10s %14s %10s\n", "kernel", "accesses", "seconds", "ns an access",
              "peak MB");
  if (file != nullptr) {
    std::fprintf(file, "{\n \"processor\": \"%s\",\n \"compiler\": \"g++ %s\",\n \"results\": [",
                 processor().c_str(), __VERSION__);
  }
  const char* separator = "";
  for (const Pattern& pattern : patterns) {
    const double threads = pattern.grid.x * static_cast<double>(pattern.block.x) * pattern.block.y;
    for (double wanted = fewest; wanted <= std::fmin(most, pattern.most) * 1.001; wanted *= 10) {
      const auto trips =
          static_cast<std::int64_t>(std::ceil(wanted / threads / pattern.accesses_a_trip));
      emulator::clear_launches();
      emulator::set_recording(true);
      const double start = processor_seconds();
      pattern.kernel<<<pattern.grid, pattern.block>>>(in, out, trips);
      const double seconds = processor_seconds() - start;
      emulator::set_recording(false);
      if (cudaDeviceSynchronize() != cudaSuccess) return 1;

      const double accesses = static_cast<double>(trips) * threads * pattern.accesses_a_trip;
      const double ns = seconds / accesses * 1e9;
      std::printf("%-26s %12.4g %10.3f %14.1f %10.0f\n", pattern.name, accesses, seconds, ns,
                  peak_megabytes());
      std::fflush(stdout);
      if (file != nullptr) {
        std::fprintf(file,
                     "%s\n  {\"kernel\": \"%s\", \"accesses\": %.0f, \"seconds\": %.6f, "
                     "\"ns_an_access\": %.2f, \"peak_megabytes\": %.1f}",
                     separator, pattern.name, accesses, seconds, ns, peak_megabytes());
        separator = ",";
      }
      // Every load of a thread's is one lane of one request; no more and no fewer.
      const emulator::Traffic traffic = emulator::total_traffic();
      const std::uint64_t loads = traffic.global_load_requests + traffic.shared_load_instructions;
      const auto warps = static_cast<std::uint64_t>(threads / 32);
      const std::uint64_t expected =
          static_cast<std::uint64_t>(trips) * (pattern.kernel == tiles          ? warps * 33
                                               : pattern.kernel == lane_by_lane ? 32
                                                                                : warps);
      if (loads != expected) {
        std::fprintf(stderr, "emulator_cost: %s: %llu loads counted, not %llu\n", pattern.name,
                     static_cast<unsigned long long>(loads),
                     static_cast<unsigned long long>(expected));
        return 1;
      }
    }
  }
  if (file != nullptr) {
    std::fprintf(file, "\n ]\n}\n");
    if (std::fclose(file) != 0) return 1;
  }
}
