// Kernels that run beside each other, as EMULATOR_DEVICES=3 has them: each waits for what another
// device's does.

#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <array>
#include <functional>
#include <thread>

#include "emulator/findings.h"

namespace {

constexpr int devices = 3;
constexpr int count = 256;  // elements that each device brings
constexpr int most_blocks = 4;

// What a device has: what it brings, where its peers put theirs, and a flag for each block of each.
struct Memory {
  int* brought;
  int* result;
  int* flags;
};
struct All {
  Memory of[devices];
};

__device__ void raise(int* flag, int value) {
  __threadfence_system();
  atomicExch_system(flag, value);
}
__device__ void await(volatile int* flag, int value) {
  while (*flag < value) {
  }
  __threadfence_system();
}

// Block b of each device meets block b of all others.
__device__ void meet(const All& all, int me, int value) {
  const int peer = threadIdx.x;
  __syncthreads();
  if (peer < devices) {
    raise(&all.of[peer].flags[me * most_blocks + blockIdx.x], value);
    await(&all.of[me].flags[peer * most_blocks + blockIdx.x], value);
  }
  __syncthreads();
}

// In one kernel: all have written what they bring, all read it, nobody goes before all have read.
__global__ void all_reduce(All all, int me, int round) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  all.of[me].brought[i] = round * (me + 1) + i;
  meet(all, me, 2 * round - 1);
  int sum = 0;
  for (int peer = 0; peer < devices; ++peer) sum += all.of[peer].brought[i];
  all.of[me].result[i] = sum;
  meet(all, me, 2 * round);
}

__global__ void all_reduce_cooperatively(All all, int me, int round) {
  const auto grid = cooperative_groups::this_grid();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  all.of[me].brought[i] = round * (me + 1) + i;
  grid.sync();
  if (blockIdx.x == 0) meet(all, me, round);
  grid.sync();
  int sum = 0;
  for (int peer = 0; peer < devices; ++peer) sum += all.of[peer].brought[i];
  all.of[me].result[i] = sum;
}

// A token goes round; who has it adds its number. Device 0's kernel waits for all others.
__global__ void pass_on(volatile int* mine, volatile int* next, int me) {
  if (me > 0) {
    while (*mine == 0) {
    }
  }
  const int value = me == 0 ? 1 : *mine;
  __threadfence_system();
  *next = value + 10 * me;
  if (me == 0) {
    while (*mine == 0) {
    }
  }
}

__global__ void wait_for(volatile int* flag) {
  while (*flag == 0) {
  }
}
__global__ void set(int* flag, int value) {
  raise(flag, value);
}
__global__ void add(int* to, const int* from) {
  to[threadIdx.x] += from[threadIdx.x];
}

class Group {
 public:
  Group() {
    for (int me = 0; me < devices; ++me) {
      use(me);
      for (int peer = 0; peer < devices; ++peer) {
        if (peer != me) CHECK(cudaDeviceEnablePeerAccess(peer, 0) == cudaSuccess);
      }
      CHECK(cudaStreamCreateWithFlags(&streams[me], cudaStreamNonBlocking) == cudaSuccess);
      for (int** part : {&all.of[me].brought, &all.of[me].result, &all.of[me].flags}) {
        CHECK(cudaMalloc(part, count * sizeof(int)) == cudaSuccess);
        CHECK(cudaMemset(*part, 0, count * sizeof(int)) == cudaSuccess);
      }
      CHECK(cudaDeviceSynchronize() == cudaSuccess);
    }
  }
  ~Group() {
    for (int me = 0; me < devices; ++me) {
      use(me);
      cudaDeviceReset();
    }
    use(0);
  }

  static void use(int device) { CHECK(cudaSetDevice(device) == cudaSuccess); }

  void for_each(const std::function<void(int)>& issue) const {
    for (int me = 0; me < devices; ++me) {
      use(me);
      issue(me);
    }
  }
  void synchronise() const {
    for_each([&](int me) { CHECK(cudaStreamSynchronize(streams[me]) == cudaSuccess); });
  }
  // Whether each device has the sum of that round.
  bool has_sums(int round) const {
    for (int me = 0; me < devices; ++me) {
      std::array<int, count> host{};
      CHECK(cudaMemcpy(host.data(), all.of[me].result, sizeof(host), cudaMemcpyDefault) ==
            cudaSuccess);
      for (int i = 0; i < count; ++i) {
        if (host[i] != 6 * round + devices * i) return false;
      }
    }
    return true;
  }

  All all{};
  std::array<cudaStream_t, devices> streams{};
};

// With the checks and without.
template <class Test>
void both_ways(Test test) {
  for (const bool checks : {false, true}) {
    CAPTURE(checks);
    emulator::set_checking(checks);
    test();
    if (checks) {
      for (const emulator::Finding& finding : emulator::findings()) {
        if (finding.severity == emulator::Severity::error) FAIL_CHECK(finding.what);
      }
    }
    emulator::clear_findings();
  }
  emulator::set_checking(false);
}

}  // namespace

TEST_CASE("kernels of several devices wait for each other") {
  for (const int blocks : {1, 2, 4}) {
    CAPTURE(blocks);
    both_ways([blocks] {
      const Group group;
      for (int round = 1; round <= 3; ++round) {
        group.for_each([&](int me) {
          all_reduce<<<blocks, count / blocks, 0, group.streams[me]>>>(group.all, me, round);
        });
      }
      group.synchronise();
      CHECK(group.has_sums(3));
    });
  }
}

TEST_CASE("what is issued behind a kernel that waits for another device waits in its stream") {
  both_ways([] {
    const Group group;
    group.for_each([&](int me) {
      all_reduce<<<2, count / 2, 0, group.streams[me]>>>(group.all, me, 1);
      add<<<1, count, 0, group.streams[me]>>>(group.all.of[me].result, group.all.of[me].brought);
      std::array<int, count> ones{};
      ones.fill(1);
      CHECK(cudaMemcpyAsync(group.all.of[me].brought, ones.data(), sizeof(ones),
                            cudaMemcpyHostToDevice, group.streams[me]) == cudaSuccess);
      add<<<1, count, 0, group.streams[me]>>>(group.all.of[me].result, group.all.of[me].brought);
    });
    group.synchronise();
    group.for_each([&](int me) {
      int first = 0;
      CHECK(cudaMemcpy(&first, group.all.of[me].result, sizeof(first), cudaMemcpyDefault) ==
            cudaSuccess);
      CHECK(first == 6 + (me + 1) + 1);
    });
  });
}

TEST_CASE("cooperative kernels of several devices wait for each other") {
  both_ways([] {
    const Group group;
    for (int round = 1; round <= 2; ++round) {
      group.for_each([&](int me) {
        All all = group.all;
        void* arguments[] = {&all, &me, &round};
        CHECK(cudaLaunchCooperativeKernel(all_reduce_cooperatively, dim3(4), dim3(count / 4),
                                          arguments, 0, group.streams[me]) == cudaSuccess);
      });
      group.synchronise();
      CHECK(group.has_sums(round));
    }
  });
}

TEST_CASE("a kernel waits for one that waits for others") {
  both_ways([] {
    const Group group;
    group.for_each([&](int me) {
      pass_on<<<1, 1, 0, group.streams[me]>>>(group.all.of[me].flags,
                                              group.all.of[(me + 1) % devices].flags, me);
    });
    group.use(0);
    CHECK(cudaStreamQuery(group.streams[0]) != cudaErrorInvalidValue);
    group.synchronise();
    int token = 0;
    CHECK(cudaMemcpy(&token, group.all.of[0].flags, sizeof(token), cudaMemcpyDefault) ==
          cudaSuccess);
    CHECK(token == 31);
  });
}

TEST_CASE("graphs whose kernels wait for other devices' are launched one after the other") {
  both_ways([] {
    const Group group;
    std::array<cudaGraphExec_t, devices> graphs{};
    group.for_each([&](int me) {
      cudaGraph_t graph = nullptr;
      CHECK(cudaStreamBeginCapture(group.streams[me], cudaStreamCaptureModeThreadLocal) ==
            cudaSuccess);
      for (int round = 1; round <= 2; ++round) {
        all_reduce<<<2, count / 2, 0, group.streams[me]>>>(group.all, me, round);
      }
      CHECK(cudaStreamEndCapture(group.streams[me], &graph) == cudaSuccess);
      CHECK(cudaGraphInstantiate(&graphs[me], graph, 0) == cudaSuccess);
      CHECK(cudaGraphDestroy(graph) == cudaSuccess);
    });
    group.for_each(
        [&](int me) { CHECK(cudaGraphLaunch(graphs[me], group.streams[me]) == cudaSuccess); });
    group.synchronise();
    CHECK(group.has_sums(2));
    group.for_each([&](int me) { CHECK(cudaGraphExecDestroy(graphs[me]) == cudaSuccess); });
  });
}

TEST_CASE("each device has a host thread, whose kernels wait for each other") {
  both_ways([] {
    const Group group;
    std::array<std::thread, devices> threads;
    for (int me = 0; me < devices; ++me) {
      threads[me] = std::thread([&group, me] {
        cudaSetDevice(me);
        all_reduce<<<2, count / 2, 0, group.streams[me]>>>(group.all, me, 1);
        cudaStreamSynchronize(group.streams[me]);
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(group.has_sums(1));
  });
}

TEST_CASE("kernels in two streams of one of several devices run beside each other") {
  both_ways([] {
    const Group group;
    group.use(0);
    cudaStream_t other = nullptr;
    CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking) == cudaSuccess);
    wait_for<<<1, 32, 0, group.streams[0]>>>(group.all.of[0].flags);
    set<<<1, 1, 0, other>>>(group.all.of[0].flags, 1);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(cudaStreamDestroy(other) == cudaSuccess);
  });
}

TEST_CASE("with several devices a kernel may wait for what the host does later") {
  both_ways([] {
    const Group group;
    group.use(0);
    int* flag = nullptr;
    CHECK(cudaMallocHost(&flag, sizeof(*flag)) == cudaSuccess);
    *flag = 0;
    wait_for<<<1, 1, 0, group.streams[0]>>>(flag);
    CHECK(cudaStreamQuery(group.streams[0]) != cudaSuccess);
    *const_cast<volatile int*>(flag) = 1;
    CHECK(cudaStreamSynchronize(group.streams[0]) == cudaSuccess);
    CHECK(cudaFreeHost(flag) == cudaSuccess);
  });
}
