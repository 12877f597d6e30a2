#pragma once
// What the programs beside this have in common: some memory of each kind, some streams, and the
// choice of one of a file's programs.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

constexpr int n = 256;
constexpr std::size_t bytes = n * sizeof(int);

struct Fixture {
  cudaStream_t one = nullptr;
  cudaStream_t other = nullptr;
  cudaStream_t apart = nullptr;  // does not wait for the default stream
  cudaEvent_t event = nullptr;
  cudaEvent_t event2 = nullptr;
  int* x = nullptr;
  int* y = nullptr;
  int* z = nullptr;
  int* pinned = nullptr;
  int* managed = nullptr;

  Fixture() {
    cudaStreamCreate(&one);
    cudaStreamCreate(&other);
    cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
    cudaEventCreate(&event);
    cudaEventCreate(&event2);
    for (int** memory : {&x, &y, &z}) {
      cudaMalloc(memory, bytes);
      cudaMemset(*memory, 0, bytes);
    }
    cudaMallocHost(&pinned, bytes);
    cudaMallocManaged(&managed, bytes);
    std::memset(pinned, 0, bytes);
    std::memset(managed, 0, bytes);
    cudaDeviceSynchronize();
  }
  ~Fixture() {
    cudaDeviceSynchronize();
    for (int* memory : {x, y, z, managed}) cudaFree(memory);
    if (pinned != nullptr) cudaFreeHost(pinned);
    for (cudaEvent_t made : {event, event2}) cudaEventDestroy(made);
    for (cudaStream_t made : {one, other, apart}) {
      if (made != nullptr) cudaStreamDestroy(made);
    }
  }
};

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
    return program.run(fixture) && cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
  }
  std::puts("which of the programs?");
  return 2;
}
