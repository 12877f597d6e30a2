// Cooperative launches: blocks that wait for each other, and kernels that are launched by their
// addresses. Nothing here is the emulator's own: nvcc compiles it as well.

#include <cooperative_groups.h>
#include <doctest/doctest.h>

#include <vector>

namespace {

namespace cg = cooperative_groups;

// Each block needs what all others have left, again and again; its own state is in shared memory.
__global__ void rounds(int* values, int* out, int count) {
  __shared__ int own;
  extern __shared__ int dynamic[];
  const cg::grid_group grid = cg::this_grid();
  const auto block = static_cast<int>(blockIdx.x);
  if (threadIdx.x == 0) own = block;
  dynamic[threadIdx.x] = block * 100 + static_cast<int>(threadIdx.x);
  __syncthreads();
  for (int round = 0; round < count; ++round) {
    if (threadIdx.x == 0) values[block] = own + round;
    grid.sync();
    const auto next = static_cast<int>((blockIdx.x + 1) % gridDim.x);
    const int sum = values[next];
    cg::sync(grid);
    if (threadIdx.x == 0) own += sum;
    __syncthreads();
  }
  if (threadIdx.x == 0) out[block] = own;
  const bool kept = dynamic[threadIdx.x] == block * 100 + static_cast<int>(threadIdx.x);
  if (!kept || !grid.is_valid()) atomicAdd(&out[gridDim.x], 1);
}

std::vector<int> expected_rounds(int blocks, int count) {
  std::vector<int> own(blocks);
  for (int i = 0; i < blocks; ++i) own[i] = i;
  for (int round = 0; round < count; ++round) {
    const std::vector<int> before = own;
    for (int i = 0; i < blocks; ++i) own[i] += before[(i + 1) % blocks] + round;
  }
  return own;
}

struct Scale {
  double factor;
  int offset;
};

template <class T>
__global__ void scale(T* values, const Scale by, int n) {
  const auto i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) values[i] = static_cast<T>(values[i] * by.factor + by.offset);
}

__global__ void plain_sync(int* out) {
  const cg::grid_group grid = cg::this_grid();
  out[0] = grid.is_valid() ? 1 : 2;
  grid.sync();
  out[0] = 3;
}

template <class T>
T* managed(std::size_t count) {
  T* memory = nullptr;
  REQUIRE(cudaMallocManaged(&memory, count * sizeof(T)) == cudaSuccess);
  for (std::size_t i = 0; i < count; ++i) memory[i] = T{};
  return memory;
}

}  // namespace

TEST_CASE("blocks wait for each other in a cooperative launch") {
  for (const int blocks : {1, 2, 7, 16}) {
    CAPTURE(blocks);
    int* values = managed<int>(16);
    int* out = managed<int>(17);
    int count = 5;
    void* arguments[] = {&values, &out, &count};
    REQUIRE(cudaLaunchCooperativeKernel((void*)rounds, dim3(blocks), dim3(64), arguments,
                                        64 * sizeof(int)) == cudaSuccess);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    const std::vector<int> expected = expected_rounds(blocks, count);
    for (int i = 0; i < blocks; ++i) CHECK(out[i] == expected[i]);
    CHECK(out[blocks] == 0);
    CHECK(cudaFree(values) == cudaSuccess);
    CHECK(cudaFree(out) == cudaSuccess);
  }
}

TEST_CASE("a cooperative launch by the kernel itself") {
  int* values = managed<int>(4);
  int* out = managed<int>(5);
  int count = 3;
  void* arguments[] = {&values, &out, &count};
  REQUIRE(cudaLaunchCooperativeKernel(rounds, 4, 32, arguments, 32 * sizeof(int), nullptr) ==
          cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(std::vector<int>(out, out + 4) == expected_rounds(4, 3));
  CHECK(cudaFree(values) == cudaSuccess);
  CHECK(cudaFree(out) == cudaSuccess);
}

TEST_CASE("a kernel is launched by its address") {
  int* numbers = managed<int>(100);
  float* reals = managed<float>(100);
  for (int i = 0; i < 100; ++i) {
    numbers[i] = i;
    reals[i] = i * 0.5F;
  }
  Scale by{2.0, 1};
  int n = 100;
  void* first[] = {&numbers, &by, &n};
  void* second[] = {&reals, &by, &n};
  const void* const table[] = {(const void*)scale<int>, reinterpret_cast<void*>(&scale<float>)};
  CHECK(cudaLaunchKernel(table[0], dim3(4), dim3(32), first, 0, nullptr) == cudaSuccess);
  CHECK(cudaLaunchKernel(table[1], dim3(4), dim3(32), second) == cudaSuccess);
  void (*pointer)(float*, Scale, int) = scale<float>;
  CHECK(cudaLaunchKernel((void*)pointer, dim3(4), dim3(32), second) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < 100; ++i) {
    CHECK(numbers[i] == 2 * i + 1);
    CHECK(reals[i] == 2.0F * i + 3.0F);
  }
  CHECK(cudaFree(numbers) == cudaSuccess);
  CHECK(cudaFree(reals) == cudaSuccess);
}

TEST_CASE("a cooperative launch must fit on the device") {
  int resident = 0;
  REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, rounds, 512, 2048) ==
          cudaSuccess);
  cudaDeviceProp device{};
  REQUIRE(cudaGetDeviceProperties(&device, 0) == cudaSuccess);
  CHECK(device.cooperativeLaunch == 1);
  const int most = resident * device.multiProcessorCount;
  int* values = managed<int>(most + 1);
  int* out = managed<int>(most + 2);
  int count = 1;
  void* arguments[] = {&values, &out, &count};
  CHECK(cudaLaunchCooperativeKernel((void*)rounds, dim3(most + 1), dim3(512), arguments, 2048) ==
        cudaErrorCooperativeLaunchTooLarge);
  CHECK(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge);
  CHECK(cudaLaunchCooperativeKernel((void*)rounds, dim3(most), dim3(512), arguments, 2048) ==
        cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaLaunchCooperativeKernel((void*)rounds, dim3(1), dim3(2000), arguments, 0) ==
        cudaErrorInvalidConfiguration);
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
  CHECK(cudaFree(values) == cudaSuccess);
  CHECK(cudaFree(out) == cudaSuccess);
}

TEST_CASE("what is no kernel cannot be launched") {
  int number = 0;
  void* none = &number;
  CHECK(cudaLaunchKernel((const void*)none, dim3(1), dim3(1), nullptr) ==
        cudaErrorInvalidDeviceFunction);
  CHECK(cudaGetLastError() == cudaErrorInvalidDeviceFunction);
}

TEST_CASE("a barrier of the grid in an ordinary launch") {
  int* out = managed<int>(1);
  plain_sync<<<1, 1>>>(out);
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  CHECK(out[0] == 2);
  CHECK(cudaDeviceReset() == cudaSuccess);
  (void)cudaGetLastError();  // other tests begin without an error
}
