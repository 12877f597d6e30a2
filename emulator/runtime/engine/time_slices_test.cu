// Slices of time that end all the time: what the CUDA threads of a host thread share inside the
// runtime stays whole, and threads that poll by the runtime's functions do not wait forever.

#include <cuda_pipeline.h>
#include <curand_kernel.h>
#include <doctest/doctest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cuda/ptx>
#include <filesystem>
#include <string>
#include <thread>

#include "tests/kernel_test.hpp"

namespace {

namespace ptx = cuda::ptx;

// The timer's signal, for all other threads of the process, some ten thousand times a second. By
// itself it comes too rarely for a short test to meet the instructions where it does harm.
class ManyTicks {
 public:
  ManyTicks() : thread_([this] { run(); }) {}
  ~ManyTicks() {
    done_ = true;
    thread_.join();
  }
  ManyTicks(const ManyTicks&) = delete;
  ManyTicks& operator=(const ManyTicks&) = delete;

 private:
  void run() const {
    prctl(PR_SET_TIMERSLACK, 1UL);
    const long own = syscall(SYS_gettid);
    while (!done_) {
      for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
        const long thread = std::stol(entry.path().filename());
        if (thread != own) syscall(SYS_tgkill, getpid(), thread, SIGURG);
      }
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
  }

  std::atomic<bool> done_{false};
  std::thread thread_;
};

// Each thread has a barrier of its own, and brings bulk copies by it; then it sends the last one to
// many places.
__global__ void copy_in_bulk(const int4* in, int4* out, int steps) {
  __shared__ alignas(16) int4 here[64];
  __shared__ alignas(8) std::uint64_t full[64];
  std::uint64_t* const own = &full[threadIdx.x];
  ptx::mbarrier_init(own, 1);
  ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  int4* const to = out + (blockIdx.x * blockDim.x + threadIdx.x) * steps;
  for (int i = 0; i < steps; ++i) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, own, 16);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, &here[threadIdx.x], in + i, 16, own);
    while (!ptx::mbarrier_try_wait_parity(own, i & 1)) {
    }
  }
  for (int i = 0; i < steps; ++i) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, to + i, &here[threadIdx.x], 16);
    ptx::cp_async_bulk_commit_group();
  }
  ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}

#if defined(__x86_64__)
// The processor stops after each instruction of a CUDA thread that has asked for it, and there the
// timer's signal comes: twice, for only the second one ends a slice.
int steps_left = 0;
void end_slice_after_each_instruction(int, siginfo_t* info, void* context) {
  constexpr greg_t stop_after_next = 0x100;
  greg_t& flags = static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL];
  flags &= ~stop_after_next;
  if (steps_left == 0) return;
  --steps_left;
  flags |= stop_after_next;
  struct sigaction timer {};
  sigaction(SIGURG, nullptr, &timer);
  timer.sa_sigaction(SIGURG, info, context);
  timer.sa_sigaction(SIGURG, info, context);
}
__device__ void stop_after_each_instruction() {
  raise(SIGTRAP);
}

// The runtime keeps the copies of a thread in a record. Those of threads that have ended go to new
// ones.
__global__ void copy(const int* in, int* out, bool in_steps) {
  __shared__ int here[2];
  if (in_steps) stop_after_each_instruction();
  __pipeline_memcpy_async(&here[threadIdx.x], in, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = here[threadIdx.x];
}
#endif

// Products of matrices of ones.
__global__ void multiply_ones(float* out, int rounds) {
  __shared__ alignas(1024) unsigned short ones[2048];
  for (unsigned i = threadIdx.x; i < 2048; i += blockDim.x) ones[i] = 0x3F80;
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const auto address = static_cast<std::uint64_t>(__cvta_generic_to_shared(ones));
  const std::uint64_t matrix = (address & 0x3FFFF) >> 4 | 8ULL << 16 | 16ULL << 32;
  float d[4] = {};
  for (int i = 0; i < rounds; ++i) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile(
        "{\n"
        ".reg .pred p;\n"
        "setp.ne.b32 p, %6, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, "
        "0;\n"
        "}\n"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "l"(matrix), "l"(matrix), "r"(1));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
  for (int i = 0; i < 4; ++i) out[(blockIdx.x * blockDim.x + threadIdx.x) * 4 + i] = d[i];
}

// Sums of 16 bytes, by what the runtime does under a lock.
__global__ void count_wide(ulonglong2* sum, int times) {
  for (int i = 0; i < times; ++i) {
    ulonglong2 old = *sum;
    ulonglong2 next{};
    do {
      next = {old.x + 1, old.y + 2};
    } while (!__nv_atomic_compare_exchange(sum, &old, &next, false, __NV_ATOMIC_RELAXED,
                                           __NV_ATOMIC_RELAXED));
  }
}

// The C++ library's memory, which is the host's.
__global__ void allocate(int* wrong, int times) {
  for (int i = 0; i < times; ++i) {
    const unsigned words = 1 + (i * 37 + threadIdx.x * 11) % 600;
    auto* const memory = static_cast<volatile unsigned*>(malloc(words * sizeof(unsigned)));
    memory[0] = threadIdx.x;
    memory[words - 1] = threadIdx.x;
    if (memory[0] != threadIdx.x || memory[words - 1] != threadIdx.x) atomicAdd(wrong, 1);
    free(const_cast<unsigned*>(memory));
  }
}

// Thread 0 polls what thread 1 sets, and spends its time in functions of the runtime's.
enum class Poll : int { by_fences, by_surface, by_random_states };
__global__ void poll(volatile int* flag, cudaSurfaceObject_t surface, int* out, Poll how) {
  if (threadIdx.x == 1) {
    if (how == Poll::by_surface) surf1Dwrite(1, surface, 0);
    *flag = 1;
  }
  if (threadIdx.x != 0) return;
  int seen = 0;
  while (seen == 0) {
    if (how == Poll::by_surface) {
      surf1Dread(&seen, surface, 0);
      continue;
    }
    if (how == Poll::by_fences) __threadfence();
    curandStateXORWOW_t state;
    if (how == Poll::by_random_states) curand_init(1, 1, 0, &state);
    seen = *flag;
  }
  *out = seen;
}

}  // namespace

TEST_CASE("slices of time that end anywhere leave whole what threads share inside the runtime") {
  const ManyTicks ticks;
  constexpr unsigned threads = 64;

  SUBCASE("barriers and bulk copies") {
    constexpr int steps = 500;
    constexpr unsigned blocks = 16;
    constexpr unsigned all = blocks * threads * static_cast<unsigned>(steps);
    Shared<int4> in(steps);
    Shared<int4> out(all);
    for (int i = 0; i < steps; ++i) in[static_cast<unsigned>(i)] = {i, 2 * i, 3 * i, 4 * i};
    copy_in_bulk<<<blocks, threads>>>(in.get(), out.get(), steps);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    unsigned wrong = 0;
    for (unsigned i = 0; i < all; ++i) wrong += out[i].w != 4 * (steps - 1);
    CHECK(wrong == 0);
  }
  SUBCASE("products of warpgroups") {
    constexpr int rounds = 100;
    constexpr unsigned blocks = 40;
    constexpr unsigned all = blocks * 128 * 4;
    Shared<float> out(all);
    multiply_ones<<<blocks, 128>>>(out.get(), rounds);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    unsigned wrong = 0;
    for (unsigned i = 0; i < all; ++i) wrong += out[i] != 16.0F * rounds;
    CHECK(wrong == 0);
  }
  SUBCASE("memory of the kernel's own") {
    Shared<int> wrong(1);
    allocate<<<2, threads>>>(wrong.get(), 50'000);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(wrong[0] == 0);
  }
}

#if defined(__x86_64__)
// What two threads could spoil for each other here takes a few instructions of a short life: ticks
// that come at random miss them.
TEST_CASE("a slice of time may end after any instruction around an asynchronous copy") {
  Shared<int> in(1);
  Shared<int> out(2);
  in[0] = 7;
  // First without steps: then there are records, and none has to be made.
  copy<<<1, 2>>>(in.get(), out.get(), false);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  struct sigaction before {};
  struct sigaction ours {};
  ours.sa_sigaction = end_slice_after_each_instruction;
  ours.sa_flags = SA_SIGINFO | SA_NODEFER;  // whose turn it is next stops as well
  REQUIRE(sigaction(SIGTRAP, &ours, &before) == 0);
  out[0] = out[1] = 0;
  steps_left = 2000;  // more than both threads have
  copy<<<1, 2>>>(in.get(), out.get(), true);
  const cudaError_t error = cudaDeviceSynchronize();
  sigaction(SIGTRAP, &before, nullptr);
  REQUIRE(error == cudaSuccess);
  CHECK(out[0] == 7);
  CHECK(out[1] == 7);
}
#endif

// Of itself the timer comes often enough for a function that spends much of its time under a lock.
TEST_CASE("nobody loses its turn while it holds a lock of the runtime's") {
  constexpr int times = 5'000'000;
  Shared<ulonglong2> sum(1);
  count_wide<<<1, 2>>>(sum.get(), times);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(sum[0].x == 2ULL * times);
  CHECK(sum[0].y == 4ULL * times);
}

TEST_CASE("who polls by functions of the runtime's loses its turn, too") {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t array = nullptr;
  REQUIRE(cudaMallocArray(&array, &format, 1, 0, cudaArraySurfaceLoadStore) == cudaSuccess);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface = 0;
  REQUIRE(cudaCreateSurfaceObject(&surface, &resource) == cudaSuccess);
  for (const Poll how : {Poll::by_fences, Poll::by_surface, Poll::by_random_states}) {
    Shared<int> flag(1);
    Shared<int> out(1);
    poll<<<1, 2>>>(flag.get(), surface, out.get(), how);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(out[0] == 1);
  }
  CHECK(cudaDestroySurfaceObject(surface) == cudaSuccess);
  CHECK(cudaFreeArray(array) == cudaSuccess);
}
