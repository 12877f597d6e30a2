#pragma once
// What the programs beside this have in common: two devices with some memory, a stream and an event
// each, and the choice of one of a file's programs.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

constexpr int n = 64;
constexpr std::size_t bytes = n * sizeof(int);

struct Device {
  int number = 0;
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  int* x = nullptr;
  int* y = nullptr;

  void use() const { cudaSetDevice(number); }
  void begin(int which) {
    number = which;
    use();
    cudaStreamCreate(&stream);
    cudaEventCreate(&event);
    for (int** memory : {&x, &y}) {
      cudaMalloc(memory, bytes);
      cudaMemset(*memory, 0, bytes);
    }
    cudaDeviceSynchronize();
  }
  void end() const {
    use();
    cudaDeviceSynchronize();
    for (int* memory : {x, y}) cudaFree(memory);
    cudaEventDestroy(event);
    cudaStreamDestroy(stream);
  }
};

struct Fixture {
  Device a;
  Device b;
  int* pinned = nullptr;
  int* managed = nullptr;

  Fixture() {
    b.begin(1);
    a.begin(0);
    cudaMallocHost(&pinned, bytes);
    cudaMallocManaged(&managed, bytes);
    std::memset(pinned, 0, bytes);
    std::memset(managed, 0, bytes);
  }
  ~Fixture() {
    for (const Device& device : {a, b}) {
      device.use();
      cudaDeviceSynchronize();
    }
    b.end();
    a.end();
    cudaFree(managed);
    cudaFreeHost(pinned);
  }

  // Kernels of either device may use the other one's memory. Device 0 is in use.
  void join() const {
    b.use();
    cudaDeviceEnablePeerAccess(0, 0);
    a.use();
    cudaDeviceEnablePeerAccess(1, 0);
  }

  // The first word, once both devices are done.
  int first_of(const int* memory) const {
    int value = -1;
    for (const Device& device : {a, b}) {
      device.use();
      cudaDeviceSynchronize();
    }
    cudaMemcpy(&value, memory, sizeof(value), cudaMemcpyDefault);
    return value;
  }
};

__global__ void fill(int* x, int value) {
  x[threadIdx.x] = value;
}
__global__ void add(int* y, const int* x) {
  y[threadIdx.x] += x[threadIdx.x];
}

struct Program {
  const char* name;
  bool (*run)(Fixture&);  // whether the result is right
};

#define PROGRAM(name) \
  { #name, name }

template <int count>
int run(int argc, char** argv, const Program (&programs)[count]) {
  for (const Program& program : programs) {
    if (argc != 2 || std::strcmp(argv[1], program.name) != 0) continue;
    Fixture fixture;
    return program.run(fixture) ? 0 : 1;
  }
  std::puts("which of the programs?");
  return 2;
}
