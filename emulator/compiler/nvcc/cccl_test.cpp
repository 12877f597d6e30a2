// Programs that include NVIDIA's core libraries: Thrust, CUB and libcu++. Skipped where their
// headers are not installed.

#include <doctest/doctest.h>

#include <string>

#include "compiler/testing/compile_test.hpp"

namespace {

using namespace emulator::compiler::testing;  // NOLINT: the tests are written in its terms

const std::string emucc = std::string("'") + EMUCC_PROGRAM + "' ";

bool has_cccl(const Scratch& scratch) {
  scratch.write("empty.cu", "int main() {}\n");
  if (contains(scratch.run(emucc + "--dryrun empty.cu").errors, "--emulator-cccl=")) return true;
  MESSAGE("SKIPPED: NVIDIA's core libraries (CCCL) are not installed");
  return false;
}

}  // namespace

TEST_CASE("emucc: who misses NVIDIA's core libraries is told how to get them") {
  const Scratch scratch;
  scratch.write("a.cu", "#include <cub/cub.cuh>\nint main() {}\n");
  Result result = scratch.run("EMUCC_CCCL=none " + emucc + "a.cu");
  CHECK(result.status == 1);
  CHECK(contains(result.errors, "emucc: Thrust, CUB and libcu++ are NVIDIA's headers"));
  CHECK(contains(result.errors, "pip install nvidia-cuda-cccl"));
  result = scratch.run(emucc + "--cccl nowhere a.cu");
  CHECK(result.status == 2);
  CHECK(contains(result.errors, "emucc: --cccl nowhere: neither this folder nor its include/cccl"));
}

TEST_CASE("emucc: what a source depends on, with NVIDIA's core libraries") {
  const Scratch scratch;
  if (!has_cccl(scratch)) return;
  scratch.write("a.cu", "#include <cub/version.cuh>\nint main() {}\n");
  const Result result = scratch.run(emucc + "-M a.cu");
  CHECK(result.status == 0);
  CHECK(result.errors == "");
  CHECK(contains(result.output, "/cub/version.cuh"));
}

TEST_CASE("emucc: CUB's blocks and warps, libcu++'s atomic operations, <nv/target>") {
  const Scratch scratch;
  if (!has_cccl(scratch)) return;
  scratch.write("a.cu", R"(
#include <cstdio>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cuda/atomic>
#include <cuda/std/array>
#include <cuda/std/tuple>
#include <nv/target>
__host__ __device__ int side() { NV_IF_TARGET(NV_IS_DEVICE, (return 1;), (return 2;)) }
__global__ void k(const int* in, int* out, cuda::atomic<int, cuda::thread_scope_device>* total) {
  using Reduce = cub::BlockReduce<int, 128>;
  using Scan = cub::BlockScan<int, 128>;
  using Warp = cub::WarpReduce<int>;
  __shared__ typename Reduce::TempStorage reduce;
  __shared__ typename Scan::TempStorage scan;
  __shared__ typename Warp::TempStorage warps[4];
  const int x = in[threadIdx.x];
  const int sum = Reduce(reduce).Sum(x);
  Scan(scan).ExclusiveSum(x, out[threadIdx.x]);
  const int of_warp = Warp(warps[threadIdx.x / 32]).Sum(x);
  if (threadIdx.x == 0) out[128] = sum;
  if (threadIdx.x == 96) out[129] = of_warp;
  cuda::std::array<int, 2> a{1, 2};
  const auto pair = cuda::std::make_tuple(a[1], side());
  total->fetch_add(cuda::std::get<0>(pair) + cuda::std::get<1>(pair), cuda::memory_order_relaxed);
  cuda::atomic_ref<int, cuda::thread_scope_block>(out[130]).fetch_max(int(threadIdx.x));
}
int main() {
  int *in, *out;
  cuda::atomic<int, cuda::thread_scope_device>* total;
  cudaMallocManaged(&in, 128 * sizeof(int));
  cudaMallocManaged(&out, 131 * sizeof(int));
  cudaMallocManaged(&total, sizeof *total);
  new (total) cuda::atomic<int, cuda::thread_scope_device>(0);
  for (int i = 0; i < 128; ++i) in[i] = i;
  out[130] = 0;
  k<<<1, 128>>>(in, out, total);
  cudaDeviceSynchronize();
  printf("%d %d %d %d %d %d\n", out[127], out[128], out[129], out[130], total->load(), side());
}
)");
  const Result result = scratch.run(emucc + "-O1 a.cu -o a && ./a");
  CHECK(result.errors == "");
  CHECK(result.output == "8001 8128 3568 127 384 2\n");
}

TEST_CASE("emucc: Thrust's vectors, sort, reduction and union launch kernels, and take lambdas") {
  const Scratch scratch;
  if (!has_cccl(scratch)) return;
  scratch.write("a.cu", R"(
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <cstdio>
int main() {
  const int n = 5000;
  thrust::host_vector<int> host(n);
  for (int i = 0; i < n; ++i) host[i] = i * 7919 % 10007;
  thrust::device_vector<int> device = host;
  const int sum = thrust::reduce(device.begin(), device.end());
  thrust::sort(device.begin(), device.end());
  host = device;
  int wrong = 0;
  int expected = 0;
  for (int i = 1; i < n; ++i) wrong += host[i - 1] > host[i];
  for (int i = 0; i < n; ++i) expected += host[i];
  printf("%d out of order, %s\n", wrong, sum == expected ? "sum right" : "sum wrong");

  // An algorithm of Thrust's own, whose kernel and host code choose the size of blocks apart.
  thrust::device_vector<int> twos(1000), threes(1000), both(2000);
  for (int i = 0; i < 1000; ++i) {
    twos[i] = 2 * i;
    threes[i] = 3 * i;
  }
  const int of_both = thrust::set_union(twos.begin(), twos.end(), threes.begin(), threes.end(),
                                        both.begin()) - both.begin();
  host = both;
  wrong = 0;
  for (int i = 1; i < of_both; ++i) wrong += host[i - 1] >= host[i] || (host[i] % 2 && host[i] % 3);
  printf("%d in the union, %d wrong\n", of_both, wrong);

  const auto odd = [] __host__ __device__(int x) { return x % 2 != 0; };
  printf("%d odd\n", thrust::transform_reduce(threes.begin(), threes.end(), odd, 0, thrust::plus<int>()));
}
)");
  const Result result = scratch.run(emucc + "-O1 --extended-lambda a.cu -o a && ./a");
  CHECK(result.errors == "");
  CHECK(result.output == "0 out of order, sum right\n1666 in the union, 0 wrong\n500 odd\n");
}

TEST_CASE("emucc: of Thrust, in two files, the checks find nothing but the program's mistakes") {
  const Scratch scratch;
  if (!has_cccl(scratch)) return;
  scratch.write("a.cu", R"(
#include <thrust/device_vector.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/unique.h>
struct Less { __host__ __device__ bool operator()(int a, int b) const { return a < b; } };
struct Near { __host__ __device__ bool operator()(int a, int b) const { return a / 4 == b / 4; } };
int sum_and_sort(thrust::device_vector<int>& x) {  // in several tiles, in place
  thrust::exclusive_scan(x.begin(), x.end(), x.begin());
  const int sum = x.back();
  thrust::sort(x.begin(), x.end(), Less());
  return sum + (thrust::unique(x.begin(), x.end(), Near()) - x.begin());
}
)");
  scratch.write("b.cu", R"(#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/transform.h>
#include <cstdio>
int sum_and_sort(thrust::device_vector<int>& x);
struct Twice { __host__ __device__ int operator()(int x) const { return 2 * x; } };
int main(int argc, char**) {
  thrust::device_vector<int> x(5000, 1);
  thrust::transform(x.begin(), x.end(), x.begin(), Twice());
  printf("%d\n", sum_and_sort(x));
  if (argc == 1) return 0;
  int* unwritten = nullptr;
  cudaMalloc(&unwritten, 4000);
  thrust::transform(thrust::device, unwritten, unwritten + 1000, x.begin(), Twice());
  cudaFree(unwritten);
}
)");
  Result result = scratch.run(emucc + "--look a.cu b.cu -o p && EMULATOR_CHECK=1 ./p");
  CHECK(result.errors == "");
  CHECK(result.output == "12498\n");
  result = scratch.run("EMULATOR_CHECK=1 ./p wrong");
  CHECK(result.status == 3);
  CHECK(contains(result.errors, "uninitialised: the kernel reads global memory"));
  CHECK(contains(result.errors, "\n  b.cu:14: launched here\n"));
}

TEST_CASE("emucc: libcu++'s annotated pointers, with a hint for level 2 from sm_80 on") {
  const Scratch scratch;
  if (!has_cccl(scratch)) return;
  scratch.write("a.cu", R"(
#include <cuda/annotated_ptr>
#include <cstdio>
using Kept = cuda::access_property::persisting;
__global__ void k(cuda::annotated_ptr<int, Kept> x) { x[threadIdx.x] += threadIdx.x; }
int main() {
  int* x;
  cudaMallocManaged(&x, 128);
  for (int i = 0; i < 32; ++i) x[i] = 100;
  k<<<1, 32>>>(cuda::annotated_ptr<int, Kept>(x));
  std::printf("%s", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf(" %d %d\n", x[0], x[31]);
  cudaFree(x);
}
)");
  for (const std::string options : {"-arch=sm_75", "-arch=sm_80 --check", "-arch=sm_90"}) {
    const Result result = scratch.run(emucc + options + " --run a.cu");
    CHECK(result.errors == "");
    CHECK(result.output == "cudaSuccess 100 131\n");
  }
}

TEST_CASE("emucc: libcu++'s own barrier and its asynchronous copies, as of its architecture") {
  const Scratch scratch;
  if (!has_cccl(scratch)) return;
  scratch.write("a.cu", R"(
#include <cuda/std/type_traits>
#include <cuda/barrier>
#include <cstdio>
__global__ void k(const int* in, int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int tile[32];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(&tile[threadIdx.x], in + threadIdx.x, sizeof(int), barrier);
  barrier.arrive_and_wait();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}
int main() {
  int *in, *out;
  cudaMallocManaged(&in, 128);
  cudaMallocManaged(&out, 128);
  for (int i = 0; i < 32; ++i) in[i] = i;
  k<<<1, 32>>>(in, out);
  std::printf("%s", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf(" %d %d\n", out[0], out[31]);
  cudaFree(in);
  cudaFree(out);
}
)");
  // Nothing is found: the barrier in shared memory is neither made nor ended, but by init(). (For
  // sm_90 a branch that only an optimized program is without has mbarrier.expect_tx.relaxed, which
  // is not modelled.)
  for (const std::string options : {"-arch=sm_75 --check", "-arch=sm_80 --check", "-arch=sm_90"}) {
    const Result result = scratch.run(emucc + options + " --run a.cu");
    CHECK(result.errors == "");
    CHECK(result.output == "cudaSuccess 31 0\n");
  }
}
