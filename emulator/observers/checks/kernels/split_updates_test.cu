// Updates by a load and a store, volatile or atomic: emulator/strict_checks.h.

#include <doctest/doctest.h>

#include <cuda_runtime.h>

#include <cuda/atomic>
#include <string>

#include "emulator/findings.h"
#include "emulator/strict_checks.h"

namespace {

// A ticket, between fences: in the emulator's order each block finds what the one before has left.
__global__ void draws_a_ticket(int* words) {
  if (threadIdx.x != 0) return;
  volatile int* const ticket = words;
  __threadfence();
  const int mine = *ticket;
  *ticket = mine + 1;
  __threadfence();
  words[1 + blockIdx.x] = mine;
}

// Each warp's first lane adds to a word of shared memory, or of global memory.
__global__ void warps_add(int* words) {
  __shared__ volatile int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) sum = sum + 1;
  __syncthreads();
  if (threadIdx.x == 0) words[1 + blockIdx.x] = sum;
}

// Behind a lock, where one thread at a time updates.
__global__ void updates_behind_a_lock(int* words) {
  if (threadIdx.x != 0) return;
  volatile int* const sum = words + 1;
  while (atomicCAS(words, 0, 1) != 0) {
  }
  __threadfence();
  *sum = *sum + 1;
  __threadfence();
  atomicExch(words, 0);
}

// One warp after the other, between barriers.
__global__ void takes_turns(int* words) {
  __shared__ volatile int sum;
  if (threadIdx.x == 0) sum = 0;
  for (unsigned warp = 0; warp < blockDim.x / 32; ++warp) {
    __syncthreads();
    if (threadIdx.x == 32 * warp) sum = sum + 1;
  }
  __syncthreads();
  if (threadIdx.x == 0) words[1 + blockIdx.x] = sum;
}

// All say the same.
__global__ void raises_a_flag(int* words) {
  volatile int* const flag = words;
  if (threadIdx.x == 0 && *flag == 0) *flag = 1;
  if (threadIdx.x == 0) words[1 + blockIdx.x] = 1;
}

using Atomic = cuda::atomic_ref<int, cuda::thread_scope_device>;

// A ticket by an atomic load and an atomic store.
__global__ void draws_by_two_atomics(int* words) {
  if (threadIdx.x != 0) return;
  const Atomic ticket(words[0]);
  const int mine = ticket.load();
  ticket.store(mine + 1);
  words[1 + blockIdx.x] = mine;
}

// The same, after an atomic operation that draws nothing: on the ticket itself, on another word
// that it leaves as it is, or on a counter of the block's own.
enum class Dummy { on_the_ticket, on_a_constant, in_shared_memory };
template <Dummy dummy>
__global__ void draws_by_two_after_a_dummy(int* words) {
  __shared__ int own;
  if (threadIdx.x != 0) return;
  own = 0;
  if (dummy == Dummy::on_the_ticket) atomicAdd(words, 0);
  if (dummy == Dummy::on_a_constant) atomicOr(words + 600, 0);
  if (dummy == Dummy::in_shared_memory) atomicAdd(&own, 1);
  const Atomic ticket(words[0]);
  const int mine = ticket.load();
  ticket.store(mine + 1);
  words[1 + blockIdx.x] = mine;
}

// Blocks that have drawn a number, and warps of a block, hand on a turn.
__global__ void hands_on_a_turn(int* words) {
  if (threadIdx.x != 0) return;
  const Atomic turn(words[1]);
  const int mine = atomicAdd(words, 1);
  while (turn.load() != mine) {
  }
  words[2] += mine;
  turn.store(mine + 1);
}
__global__ void warps_hand_on_a_turn(int* words) {
  if (threadIdx.x % 32 != 0) return;
  const Atomic turn(words[blockIdx.x]);
  const int mine = static_cast<int>(threadIdx.x / 32);
  while (turn.load() != mine) {
  }
  words[512 + blockIdx.x] += mine;
  turn.store(mine + 1);
}

// A word of 64 bits: each block stores its own, at once or in halves, and loads the one before.
template <bool in_halves>
__global__ void tells_the_next_block(int* words) {
  if (threadIdx.x != 0) return;
  auto* const all = reinterpret_cast<unsigned long long*>(words);
  const unsigned b = blockIdx.x;
  if (in_halves) {
    reinterpret_cast<volatile int*>(&all[b])[1] = 1;
    reinterpret_cast<volatile int*>(&all[b])[0] = static_cast<int>(b);
  } else {
    *static_cast<volatile unsigned long long*>(&all[b]) = 1ULL << 32 | b;
  }
  if (b > 0) {
    const unsigned long long before = *static_cast<volatile unsigned long long*>(&all[b - 1]);
    words[512 + b] = static_cast<int>(before >> 32);
  }
}

// What the checks find, as text.
std::string findings_of(void (*kernel)(int*), unsigned blocks, unsigned threads) {
  emulator::set_checking(true);
  emulator::forbid_split_updates();
  emulator::clear_findings();
  int* words = nullptr;
  REQUIRE(cudaMalloc(&words, 1024 * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMemset(words, 0, 1024 * sizeof(int)) == cudaSuccess);
  kernel<<<blocks, threads>>>(words);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  REQUIRE(cudaFree(words) == cudaSuccess);
  std::string text;
  for (const emulator::Finding& finding : emulator::findings()) {
    text += finding.kind + ": " + finding.what + ": " + finding.remedy + "\n";
  }
  emulator::clear_findings();
  return text;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("volatile updates: blocks that draw a ticket so lose some on a GPU") {
  const std::string text = findings_of(draws_a_ticket, 4, 32);
  CHECK(has(text, "race: threads of two blocks write the same word of global memory"));
  CHECK(has(text, "another thread can intervene between them"));
}

TEST_CASE("volatile updates: so do warps of a block") {
  CHECK(has(findings_of(warps_add, 2, 128), "race: two threads of one block write the same word"));
}

TEST_CASE("volatile updates: what something else orders is right") {
  CHECK(findings_of(updates_behind_a_lock, 8, 32) == "");
  CHECK(findings_of(takes_turns, 2, 128) == "");
  CHECK(findings_of(raises_a_flag, 8, 32) == "");
  CHECK(findings_of(draws_a_ticket, 1, 32) == "");
}

TEST_CASE("atomic updates: a load and a store are no atomic operation") {
  const std::string text = findings_of(draws_by_two_atomics, 4, 32);
  CHECK(has(text, "race: threads of two blocks write the same word of global memory"));
  CHECK(has(text, "another thread can intervene between them"));
}

TEST_CASE("atomic updates: an atomic operation that draws no number changes nothing") {
  const std::string lost = "race: threads of two blocks write the same word of global memory";
  CHECK(has(findings_of(draws_by_two_after_a_dummy<Dummy::on_the_ticket>, 4, 32), lost));
  CHECK(has(findings_of(draws_by_two_after_a_dummy<Dummy::on_a_constant>, 4, 32), lost));
  CHECK(has(findings_of(draws_by_two_after_a_dummy<Dummy::in_shared_memory>, 4, 32), lost));
}

TEST_CASE("atomic updates: who has a turn may hand it on") {
  CHECK(findings_of(hands_on_a_turn, 8, 32) == "");
  CHECK(findings_of(warps_hand_on_a_turn, 2, 128) == "");
  CHECK(findings_of(draws_by_two_atomics, 1, 32) == "");
}

TEST_CASE("volatile words: what is stored in halves can be loaded half new and half old") {
  const std::string text = findings_of(tells_the_next_block<true>, 4, 32);
  CHECK(has(text, "race: one thread reads a word of global memory that a thread of another block"));
  CHECK(has(text, "another thread can find one part new and the other old"));
  CHECK(findings_of(tells_the_next_block<false>, 4, 32) == "");
}
