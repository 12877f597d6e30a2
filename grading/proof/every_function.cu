// What a submission may call of the emulator's headers, once each: modelled_api_test.cpp looks at
// the object file, as the grader does at a submission's. Functions that are not templates need no
// call: the compiler is told to keep them. Nothing of this is ever run.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>
#include <mma.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>

#include <utility>

namespace cg = cooperative_groups;
namespace wmma = nvcuda::wmma;
namespace ptx = cuda::ptx;

__constant__ float constants[16];
__device__ float variables[16];
thread_local int of_the_host = 0;

__global__ void warps_and_blocks(int* out) {
  __shared__ int part[64];
  const unsigned all = 0xFFFFFFFFU;
  int value = threadIdx.x;
  value += __shfl_sync(all, value, 1) + __shfl_up_sync(all, value, 1);
  value += __shfl_down_sync(all, value, 1) + __shfl_xor_sync(all, value, 1);
  int same = 0;
  value += __match_any_sync(all, value) + __match_all_sync(all, value, &same) + same;
  part[threadIdx.x % 64] = value;
  __syncthreads();
  value += __syncthreads_or(value) + __syncthreads_and(value) + __syncthreads_count(value);
  out[threadIdx.x] = value + part[0];
}

__global__ void nvcc_atomics(int* p, unsigned* bits) {
  constexpr int order = __NV_ATOMIC_RELAXED, scope = __NV_THREAD_SCOPE_DEVICE;
  int value = 1, other = 2;
  __nv_atomic_add(p, value, order, scope);
  __nv_atomic_sub(p, value, order, scope);
  __nv_atomic_min(p, value, order, scope);
  __nv_atomic_max(p, value, order, scope);
  __nv_atomic_and(bits, 1U, order, scope);
  __nv_atomic_or(bits, 1U, order, scope);
  __nv_atomic_xor(bits, 1U, order, scope);
  value += __nv_atomic_fetch_add(p, value, order, scope) +
           __nv_atomic_fetch_sub(p, value, order, scope) +
           __nv_atomic_fetch_min(p, value, order, scope) +
           __nv_atomic_fetch_max(p, value, order, scope);
  value += __nv_atomic_fetch_and(bits, 1U, order, scope) +
           __nv_atomic_fetch_or(bits, 1U, order, scope) +
           __nv_atomic_fetch_xor(bits, 1U, order, scope);
  __nv_atomic_load(p, &other, order, scope);
  value += __nv_atomic_load_n(p, order, scope) + __nv_atomic_exchange_n(p, value, order, scope);
  __nv_atomic_store(p, &value, order, scope);
  __nv_atomic_store_n(p, value, order, scope);
  __nv_atomic_exchange(p, &value, &other, order, scope);
  __nv_atomic_compare_exchange(p, &other, &value, false, order, order, scope);
  __nv_atomic_compare_exchange_n(p, &other, value, false, order, order, scope);
}

__global__ void groups(int* out, const int* in) {
  __shared__ int part[256];
  __shared__ cg::block_tile_memory<256> memory;
  const auto block = cg::this_thread_block(memory);
  const auto wide = cg::tiled_partition<256>(block);
  const auto tile = cg::tiled_partition<16>(block);
  const auto grid = cg::this_grid();
  cg::memcpy_async(block, part, in, sizeof(part));
  cg::wait(block);
  cg::memcpy_async(block, part, 256, in, 256);
  cg::memcpy_async(tile, part, in, cuda::aligned_size_t<16>(sizeof(part)));
  cg::wait_prior<1>(block);
  wide.sync();
  int value = wide.shfl(part[threadIdx.x], 0);
  value += cg::reduce(tile, value, cg::plus<int>()) + cg::inclusive_scan(tile, value) +
           cg::exclusive_scan(tile, value, cg::plus<int>());
  const auto odd = cg::binary_partition(tile, value % 2 != 0);
  const auto labelled = cg::labeled_partition(cg::coalesced_threads(), value % 3);
  value += odd.size() + labelled.size() + cg::group_size(block) + cg::thread_rank(block);
  cg::reduce_store_async(tile, out, value, cg::plus<int>());
  cg::invoke_one(tile, [&] { out[0] = value; });
  value += cg::invoke_one_broadcast(tile, [&] { return value; });
  cg::sync(block);
  grid.sync();
  out[threadIdx.x] = value;
}

__global__ void copies(float* out, const float* in) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ alignas(128) float part[256];
  __shared__ Barrier barrier;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  block.sync();
  cuda::memcpy_async(block, part, in, sizeof(part), barrier);
  barrier.arrive_and_wait();
  cuda::device::memcpy_async_tx(part, in, cuda::aligned_size_t<16>(256), barrier);
  barrier.wait(cuda::device::barrier_arrive_tx(barrier, 1, 256));
  auto shared = cuda::make_pipeline(block, &state);
  shared.producer_acquire();
  cuda::memcpy_async(block, part, in, sizeof(part), shared);
  shared.producer_commit();
  shared.consumer_wait();
  shared.consumer_release();
  auto own = cuda::make_pipeline();
  own.producer_acquire();
  cuda::memcpy_async(part, in, sizeof(float), own);
  own.producer_commit();
  cuda::pipeline_consumer_wait_prior<0>(own);
  cuda::device::experimental::cp_async_bulk_shared_to_global(out, part, 256);
  cuda::device::experimental::cp_async_bulk_commit_group();
  cuda::device::experimental::cp_async_bulk_wait_group_read<0>();
  ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  out[threadIdx.x] = part[threadIdx.x];
}

__global__ void what_is_refused(const void* map) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ alignas(128) int part[256];
  __shared__ Barrier barrier;
  std::uint64_t* const native = cuda::device::barrier_native_handle(barrier);
  const int corner[2] = {0, 0};
  ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, native, 16);
  ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, part, map, corner, native);
  ptx::st_async(part, 1, native);
  ptx::red_async(ptx::op_add, part, 1, native);
}

__global__ void matrices(float* c, const half* a, const half* b) {
  __shared__ half part[256];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0F);
  wmma::load_matrix_sync(left, a, 16);
  wmma::load_matrix_sync(left, part, 16);
  wmma::load_matrix_sync(right, b, 16);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}

void host(int* out, const int* in, cudaStream_t stream) {
  ++of_the_host;
  void* address = nullptr;
  size_t bytes = 0;
  int blocks = 0, threads = 0;
  const auto needs = [](int) { return size_t{0}; };
  cudaLaunchConfig_t config = {};
  config.gridDim = config.blockDim = dim3(1);
  cudaLaunchKernelEx(&config, groups, out, in);
  warps_and_blocks<<<1, 64, 0, stream>>>(out);
  cudaMemcpyToSymbol(constants, in, 4);
  cudaMemcpyToSymbolAsync(constants, in, 4, 0, cudaMemcpyDeviceToDevice, stream);
  cudaMemcpyFromSymbol(out, variables, 4);
  cudaMemcpyFromSymbolAsync(out, variables, 4, 0, cudaMemcpyDeviceToDevice, stream);
  cudaGetSymbolAddress(&address, constants);
  cudaGetSymbolSize(&bytes, constants);
  cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, warps_and_blocks);
  cudaOccupancyMaxPotentialBlockSizeWithFlags(&blocks, &threads, warps_and_blocks, 0, 0, 0);
  cudaOccupancyMaxPotentialBlockSizeVariableSMem(&blocks, &threads, warps_and_blocks, needs);
  cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(&blocks, &threads, warps_and_blocks,
                                                          needs, 0, 0);
}
