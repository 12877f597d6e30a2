// What order_test.py runs. The argument says which part; each prints what the host sees.
#include <cooperative_groups.h>

#include <cstdio>
#include <cstring>

__global__ void put(int* out, int value) {
  *out = value;
}
__global__ void past_the_end(int* out) {
  out[1] = 1;
}

// Each block notes the turn in which it begins.
__global__ void note_turn(int* turns, int* next) {
  if (threadIdx.x == 0) turns[blockIdx.x] = atomicAdd(next, 1);
}
// Each block waits for the one before it.
__global__ void chain(volatile int* flags) {
  while (blockIdx.x > 0 && flags[blockIdx.x - 1] == 0) {
  }
  flags[blockIdx.x] = 1;
}

// The blocks meet, and then each reads what the next one wrote.
__global__ void meet(int* in, int* out) {
  const unsigned next = (blockIdx.x + 1) % gridDim.x;
  in[blockIdx.x] = static_cast<int>(blockIdx.x);
  cooperative_groups::this_grid().sync();
  out[blockIdx.x] = in[next];
}

// The host does not wait for the kernel.
void forgets_to_wait() {
  int* result = nullptr;
  cudaMallocManaged(&result, sizeof(int));
  *result = 1;
  put<<<1, 1>>>(result, 2);
  std::printf("%d\n", *result);
  cudaDeviceSynchronize();
  std::printf("%d\n", *result);
  cudaFree(result);
}

// Two streams write one after the other only if chance wants it so.
void two_streams() {
  int* result = nullptr;
  cudaMallocManaged(&result, sizeof(int));
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);
  for (int round = 0; round < 40; ++round) {
    for (int i = 0; i < 2; ++i) put<<<1, 1, 0, streams[i]>>>(result, i);
    cudaDeviceSynchronize();
    std::printf("%d", *result);
  }
  std::printf("\n");
  for (cudaStream_t& stream : streams) cudaStreamDestroy(stream);
  cudaFree(result);
}

// Nobody waits for anything, but all memory is given back.
void ends_at_once() {
  int* memory = nullptr;
  cudaMallocAsync(&memory, sizeof(int), nullptr);
  put<<<1, 1>>>(memory, 1);
  cudaFreeAsync(memory, nullptr);
}

void writes_past_the_end() {
  int* memory = nullptr;
  cudaMalloc(&memory, sizeof(int));
  past_the_end<<<1, 1>>>(memory);  // the launch
  cudaDeviceSynchronize();
  cudaFree(memory);
}

void begins_blocks() {
  constexpr int blocks = 12;
  int* turns = nullptr;
  cudaMallocManaged(&turns, (blocks + 1) * sizeof(int));
  turns[blocks] = 0;
  note_turn<<<blocks, 32>>>(turns, turns + blocks);
  cudaDeviceSynchronize();
  for (int i = 0; i < blocks; ++i) std::printf("%d ", turns[i]);
  std::printf("\n");
  cudaFree(turns);
}

void chains_blocks() {
  int* flags = nullptr;
  cudaMalloc(&flags, 12 * sizeof(int));
  cudaMemset(flags, 0, 12 * sizeof(int));
  chain<<<12, 1>>>(flags);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

void meets_blocks() {
  constexpr int blocks = 12;
  int* numbers = nullptr;
  cudaMallocManaged(&numbers, 2 * blocks * sizeof(int));
  int* out = numbers + blocks;
  void* arguments[] = {&numbers, &out};
  cudaLaunchCooperativeKernel(meet, dim3(blocks), dim3(1), arguments);
  std::printf("%s", cudaGetErrorName(cudaDeviceSynchronize()));
  for (int i = 0; i < blocks; ++i) std::printf(" %d", out[i]);
  std::printf("\n");
  cudaFree(numbers);
}

// What waiting for stream 0 brings about: the work of another stream, if 0 is the legacy one.
void whose_stream_0_is() {
  int* results = nullptr;
  cudaMallocManaged(&results, 2 * sizeof(int));
  cudaStream_t other;
  cudaStreamCreate(&other);
  put<<<1, 1, 0, other>>>(&results[0], 1);
  put<<<1, 1>>>(&results[1], 1);
  cudaStreamSynchronize(nullptr);
  std::printf("%d%d\n", results[0], results[1]);
  cudaStreamDestroy(other);
  cudaFree(results);
}

int main(int, char** arguments) {
  const char* const part = arguments[1];
  if (std::strcmp(part, "forgets") == 0) forgets_to_wait();
  if (std::strcmp(part, "two") == 0) two_streams();
  if (std::strcmp(part, "ends") == 0) ends_at_once();
  if (std::strcmp(part, "past") == 0) writes_past_the_end();
  if (std::strcmp(part, "blocks") == 0) begins_blocks();
  if (std::strcmp(part, "chain") == 0) chains_blocks();
  if (std::strcmp(part, "meet") == 0) meets_blocks();
  if (std::strcmp(part, "whose") == 0) whose_stream_0_is();
}
