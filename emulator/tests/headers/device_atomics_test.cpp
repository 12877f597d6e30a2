/// \file
/// Atomics: what each returns and leaves, what it tells the runtime, and that none is lost between
/// host threads. The runtime is not linked: the function that atomics.h needs of it is a stand-in
/// here.

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <bit>
#include <climits>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

#include "emulator/device/atomics.h"
#include "emulator/device/fences.h"

namespace {

struct RecordedAccess {
  const void* address = nullptr;
  unsigned bytes = 0;
};
thread_local RecordedAccess recorded;

}  // namespace

namespace emulator::detail {

void note_atomic(const void*, unsigned) noexcept {}
void record_atomic(const void* address, unsigned bytes, AtomicOperation) noexcept {
  recorded = {address, bytes};
}
void record_system_atomic(const void* address, unsigned bytes, AtomicOperation) noexcept {
  recorded = {address, bytes};
}

void record_fence(bool) {}
void record_system_fence() {}
void note_read_only(const void*) {}

}  // namespace emulator::detail

namespace {

template <class T>
bool same_bytes(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// Runs an atomic on a word that holds `old` and checks what it returns, what it leaves, and what
/// the runtime was told.
template <class T, class Atomic>
void check_atomic(Atomic atomic, T old, T expected) {
  T word = old;
  recorded = {};
  const T returned = atomic(&word);
  CHECK(std::bit_cast<std::array<char, sizeof(T)>>(returned) ==
        std::bit_cast<std::array<char, sizeof(T)>>(old));
  CHECK(std::bit_cast<std::array<char, sizeof(T)>>(word) ==
        std::bit_cast<std::array<char, sizeof(T)>>(expected));
  CHECK(recorded.address == &word);
  CHECK(recorded.bytes == sizeof(T));
}

/// The same for the three scopes of `name`.
#define CHECK_ATOMIC(name, T, old, val, expected)                                            \
  check_atomic<T>([](T* p) { return name(p, static_cast<T>(val)); }, old, expected);         \
  check_atomic<T>([](T* p) { return name##_block(p, static_cast<T>(val)); }, old, expected); \
  check_atomic<T>([](T* p) { return name##_system(p, static_cast<T>(val)); }, old, expected)

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float smallest = std::numeric_limits<float>::denorm_min();

}  // namespace

TEST_CASE("atomicAdd and atomicSub return the old value and wrap around") {
  CHECK_ATOMIC(atomicAdd, int, INT_MAX, 1, INT_MIN);
  CHECK_ATOMIC(atomicAdd, unsigned, UINT_MAX, 2, 1U);
  CHECK_ATOMIC(atomicAdd, unsigned long long, ULLONG_MAX, 1, 0ULL);
  CHECK_ATOMIC(atomicAdd, float, 16777216.0f, 1.0f, 16777216.0f);
  CHECK_ATOMIC(atomicAdd, float, smallest, smallest, 2 * smallest);
  CHECK_ATOMIC(atomicAdd, float, infinity, -1.0f, infinity);
  CHECK_ATOMIC(atomicAdd, double, 0.5, 0.25, 0.75);
  CHECK_ATOMIC(atomicSub, int, INT_MIN, 1, INT_MAX);
  CHECK_ATOMIC(atomicSub, unsigned, 1U, 2, UINT_MAX);

  float poisoned = std::numeric_limits<float>::quiet_NaN();
  CHECK(atomicAdd(&poisoned, 1.0f) != 1.0f);  // must return, though a NaN never equals itself
  CHECK(poisoned != poisoned);
}

TEST_CASE("atomicAdd on a vector adds each component") {
  alignas(16) float4 four = {1, 2, 3, 4};
  const float4 old = atomicAdd(&four, make_float4(10, 20, 30, 40));
  CHECK(same_bytes(old, make_float4(1, 2, 3, 4)));
  CHECK(same_bytes(four, make_float4(11, 22, 33, 44)));
  CHECK(recorded.bytes == 16);
  float2 two = {1, 2};
  CHECK(same_bytes(atomicAdd_block(&two, make_float2(5, 6)), make_float2(1, 2)));
  CHECK(same_bytes(two, make_float2(6, 8)));
  CHECK(recorded.bytes == 8);
}

TEST_CASE("atomicExch puts any bits in place") {
  CHECK_ATOMIC(atomicExch, int, -1, 7, 7);
  CHECK_ATOMIC(atomicExch, unsigned, 1U, UINT_MAX, UINT_MAX);
  CHECK_ATOMIC(atomicExch, unsigned long long, 1ULL, ULLONG_MAX - 1, ULLONG_MAX - 1);
  CHECK_ATOMIC(atomicExch, float, -0.0f, infinity, infinity);
}

TEST_CASE("atomicMin and atomicMax compare as their type does") {
  CHECK_ATOMIC(atomicMin, int, 0, -1, -1);
  CHECK_ATOMIC(atomicMin, int, INT_MIN, INT_MAX, INT_MIN);
  CHECK_ATOMIC(atomicMin, unsigned, 0U, UINT_MAX, 0U);
  CHECK_ATOMIC(atomicMin, long long, 0LL, LLONG_MIN, LLONG_MIN);
  CHECK_ATOMIC(atomicMin, unsigned long long, 5ULL, ULLONG_MAX, 5ULL);
  CHECK_ATOMIC(atomicMax, int, 0, -1, 0);
  CHECK_ATOMIC(atomicMax, unsigned, 0U, UINT_MAX, UINT_MAX);
  CHECK_ATOMIC(atomicMax, long long, LLONG_MIN, LLONG_MAX, LLONG_MAX);
  CHECK_ATOMIC(atomicMax, unsigned long long, 5ULL, ULLONG_MAX, ULLONG_MAX);
}

TEST_CASE("atomicInc and atomicDec count round a ring") {
  CHECK_ATOMIC(atomicInc, unsigned, 2U, 3, 3U);
  CHECK_ATOMIC(atomicInc, unsigned, 3U, 3, 0U);
  CHECK_ATOMIC(atomicInc, unsigned, 9U, 3, 0U);
  CHECK_ATOMIC(atomicInc, unsigned, 0U, 0, 0U);
  CHECK_ATOMIC(atomicInc, unsigned, UINT_MAX, UINT_MAX, 0U);
  CHECK_ATOMIC(atomicDec, unsigned, 3U, 3, 2U);
  CHECK_ATOMIC(atomicDec, unsigned, 0U, 3, 3U);
  CHECK_ATOMIC(atomicDec, unsigned, 9U, 3, 3U);
  CHECK_ATOMIC(atomicDec, unsigned, 0U, 0, 0U);
}

TEST_CASE("the bitwise atomics") {
  CHECK_ATOMIC(atomicAnd, int, -1, 0x0F0F, 0x0F0F);
  CHECK_ATOMIC(atomicAnd, unsigned, 0xFF00FF00U, 0xF0F0F0F0U, 0xF000F000U);
  CHECK_ATOMIC(atomicAnd, long long, -1LL, LLONG_MIN, LLONG_MIN);
  CHECK_ATOMIC(atomicOr, int, 1, INT_MIN, INT_MIN + 1);
  CHECK_ATOMIC(atomicOr, unsigned, 0xFF00FF00U, 0x00F000F0U, 0xFFF0FFF0U);
  CHECK_ATOMIC(atomicOr, unsigned long long, 1ULL, 1ULL << 63, (1ULL << 63) + 1);
  CHECK_ATOMIC(atomicXor, int, -1, 1, -2);
  CHECK_ATOMIC(atomicXor, unsigned, 0xFF00FF00U, 0xFFFFFFFFU, 0x00FF00FFU);
  CHECK_ATOMIC(atomicXor, unsigned long long, ULLONG_MAX, 1, ULLONG_MAX - 1);
}

TEST_CASE("atomicCAS stores only where it finds what it compares with") {
  check_atomic<int>([](int* p) { return atomicCAS(p, 5, 6); }, 5, 6);
  check_atomic<int>([](int* p) { return atomicCAS_block(p, 5, 6); }, 4, 4);
  check_atomic<unsigned>([](unsigned* p) { return atomicCAS(p, 5U, 6U); }, 5U, 6U);
  check_atomic<unsigned>([](unsigned* p) { return atomicCAS_system(p, 5U, 6U); }, 4U, 4U);
  check_atomic<unsigned short>(
      [](unsigned short* p) {
        return atomicCAS(p, static_cast<unsigned short>(5), static_cast<unsigned short>(6));
      },
      5, 6);
  using Word = unsigned long long;
  check_atomic<Word>([](Word* p) { return atomicCAS(p, 1ULL << 40, 7ULL); }, 1ULL << 40, 7ULL);
  check_atomic<Word>([](Word* p) { return atomicCAS(p, 0ULL, 7ULL); }, 1ULL << 40, 1ULL << 40);
}

TEST_CASE("two host threads that hammer one word lose nothing") {
  constexpr unsigned rounds = 2000000;
  // Runs operation(thread, round) on two threads at once; both wait for each other to start.
  const auto hammer = [](auto operation) {
    std::atomic<int> waiting = 2;
    const auto work = [&](unsigned id) {
      --waiting;
      while (waiting != 0) {
      }
      for (unsigned i = 0; i < rounds; ++i) operation(id, i);
    };
    std::thread other(work, 1U);
    work(0);
    other.join();
  };

  unsigned sum = 0;
  hammer([&](unsigned, unsigned) { atomicAdd(&sum, 1U); });
  CHECK(sum == 2 * rounds);
  hammer([&](unsigned, unsigned) { atomicSub(&sum, 1U); });
  CHECK(sum == 0);
  float real_sum = 0;
  hammer([&](unsigned, unsigned) { atomicAdd(&real_sum, 1.0f); });
  CHECK(real_sum == 2.0f * rounds);
  double double_sum = 0;
  hammer([&](unsigned, unsigned) { atomicAdd(&double_sum, 0.5); });
  CHECK(double_sum == 1.0 * rounds);
  unsigned long long bits = 0;
  hammer([&](unsigned, unsigned i) { atomicXor(&bits, 1ULL << (i % 64)); });
  CHECK(bits == 0);
  unsigned lowest = UINT_MAX;
  hammer([&](unsigned id, unsigned i) { atomicMin(&lowest, 2 * rounds - 2 * i - id); });
  CHECK(lowest == 1);

  // Tickets: every old value is handed out exactly once.
  unsigned ring = 0;
  std::vector<unsigned char> handed_out(2 * rounds, 0);
  hammer([&](unsigned, unsigned) { ++handed_out[atomicInc(&ring, UINT_MAX)]; });
  CHECK(ring == 2 * rounds);
  CHECK(handed_out == std::vector<unsigned char>(2 * rounds, 1));

  unsigned by_cas = 0;
  hammer([&](unsigned, unsigned) {
    unsigned old = 0, assumed;
    do {
      assumed = old;
      old = atomicCAS(&by_cas, assumed, assumed + 1);
    } while (assumed != old);
  });
  CHECK(by_cas == 2 * rounds);

  // A token that is taken out and put back: there is never more than one.
  unsigned token = 1, taken = 0;
  hammer([&](unsigned, unsigned) {
    const unsigned mine = atomicExch(&token, 0U);
    if (mine != 0) {
      atomicAdd(&taken, mine);
      atomicExch(&token, mine);
    }
  });
  CHECK(token == 1);
  CHECK(taken <= 2 * rounds);
}

TEST_CASE("a fence publishes what was written before it") {
  int message = 0;
  unsigned flag = 0;
  std::thread receiver([&] {
    while (atomicAdd(&flag, 0U) == 0) {
    }
    __threadfence();
    CHECK(message == 17);
  });
  message = 17;
  __threadfence_system();
  __threadfence_block();
  atomicExch(&flag, 1U);
  receiver.join();
}
