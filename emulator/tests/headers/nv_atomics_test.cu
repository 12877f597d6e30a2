// nvcc's own atomic functions, __nv_atomic_*: nvcc compiles these tests as well.

#include <doctest/doctest.h>

#include "tests/kernel_test.hpp"

namespace {

struct alignas(16) FourWords {
  unsigned values[4];
};

// Each thread of a block does all of them to words of its own; the results go to `out`.
__global__ void all_kinds(int* words, int* out) {
  int* const word = words + 4 * threadIdx.x;
  int next = 0;
  const auto note = [&](long long value) { out[32 * threadIdx.x + next++] = int(value); };
  __nv_atomic_store_n(word, 5, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
  note(__nv_atomic_load_n(word, __NV_ATOMIC_ACQUIRE));
  int value = 6;
  __nv_atomic_store(word, &value, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_load(word, &value, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_SYSTEM);
  note(value);
  note(__nv_atomic_exchange_n(word, 7, __NV_ATOMIC_ACQ_REL));
  int old = 0;
  value = 8;
  __nv_atomic_exchange(word, &value, &old, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_CLUSTER);
  note(old);
  int expected = 9;  // and there is 8
  note(__nv_atomic_compare_exchange_n(word, &expected, 1, false, __NV_ATOMIC_SEQ_CST,
                                      __NV_ATOMIC_RELAXED));
  note(expected);
  value = 12;
  note(__nv_atomic_compare_exchange(word, &expected, &value, true, __NV_ATOMIC_SEQ_CST,
                                    __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE));
  note(__nv_atomic_fetch_add(word, 3, __NV_ATOMIC_RELAXED));
  note(__nv_atomic_fetch_sub(word, 1, __NV_ATOMIC_RELAXED));
  note(__nv_atomic_fetch_and(word, 0xC, __NV_ATOMIC_RELAXED));
  note(__nv_atomic_fetch_or(word, 1, __NV_ATOMIC_RELAXED));
  note(__nv_atomic_fetch_xor(word, 0xF, __NV_ATOMIC_RELAXED));
  note(__nv_atomic_fetch_min(word, -4, __NV_ATOMIC_RELAXED));
  note(__nv_atomic_fetch_max(word, 2.5, __NV_ATOMIC_RELAXED));  // becomes an int
  __nv_atomic_add(word, 10, __NV_ATOMIC_RELAXED);
  __nv_atomic_sub(word, 1, __NV_ATOMIC_RELAXED);
  __nv_atomic_or(word, 4, __NV_ATOMIC_RELAXED);
  __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
  note(*word);
  auto* const bytes = reinterpret_cast<unsigned char*>(word);
  note(__nv_atomic_load_n(bytes, __NV_ATOMIC_RELAXED));
  auto* const wide = reinterpret_cast<unsigned long long*>(word);
  *wide = ~0ULL;
  note(__nv_atomic_fetch_add(wide, 2ULL, __NV_ATOMIC_RELAXED) == ~0ULL);
  note(static_cast<long long>(*wide));
  auto* const real = reinterpret_cast<float*>(word);
  *real = 1.5F;
  note(static_cast<int>(2 * __nv_atomic_fetch_sub(real, 0.25F, __NV_ATOMIC_RELAXED)));
  note(static_cast<int>(100 * *real));
  FourWords four{{1, 2, 3, 4}};
  FourWords other{{5, 6, 7, 8}};
  FourWords found{};
  auto* const place = reinterpret_cast<FourWords*>(word);
  __nv_atomic_store(place, &four, __NV_ATOMIC_RELAXED);
  __nv_atomic_exchange(place, &other, &found, __NV_ATOMIC_RELAXED);
  note(found.values[3]);
  note(__nv_atomic_compare_exchange(place, &other, &four, false, __NV_ATOMIC_RELAXED,
                                    __NV_ATOMIC_RELAXED));
  __nv_atomic_load(place, &found, __NV_ATOMIC_RELAXED);
  note(found.values[2]);
}

__global__ void count(int* word) {
  __nv_atomic_fetch_add(word, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}

// The block that draws the first turn hands a number over to the other.
__global__ void hand_over(int* number, int* flag, int* out, int* turn, int order) {
  if (atomicAdd(turn, 1) == 0) {
    *number = 7;
    if (order == 0) {
      __nv_atomic_store_n(flag, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    } else {
      __nv_atomic_store_n(flag, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    }
  } else {
    while (__nv_atomic_load_n(flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) == 0) {
    }
    *out = *number;
  }
}

}  // namespace

TEST_CASE("nv atomics: what each gives and leaves") {
  Shared<int> words(4 * 32);
  Shared<int> out(32 * 32);
  all_kinds<<<1, 32>>>(words.get(), out.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const int expected[] = {5, 6,  6,  7,  0, 8, 1, 12,  15, 14, 12, 13,
                          2, -4, 15, 15, 1, 1, 3, 125, 4,  1,  3};
  for (unsigned thread = 0; thread < 32; thread += 31) {
    for (unsigned i = 0; i < sizeof(expected) / sizeof(int); ++i) {
      CAPTURE(i);
      CHECK(out[32 * thread + i] == expected[i]);
    }
  }
}

TEST_CASE("nv atomics: no change is lost") {
  Shared<int> word(1);
  count<<<64, 128>>>(word.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(word[0] == 64 * 128);
}

TEST_CASE("nv atomics: a release hands over what came before it") {
  Shared<int> words(4);
  hand_over<<<2, 1>>>(&words[0], &words[1], &words[2], &words[3], __NV_ATOMIC_RELEASE);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(words[2] == 7);
}

#ifdef CUDA_EMULATOR

TEST_CASE("nv atomics: they count as atomics, and who hands over without a release is found") {
  Shared<int> words(4);
  const emulator::Traffic traffic = traffic_of([&] { count<<<2, 64>>>(words.get()); });
  CHECK(traffic.global_atomic_requests == 4);
  CHECK(traffic.global_load_requests == 0);
  emulator::set_checking(true);
  for (const int order : {0, 3}) {
    words[1] = words[3] = 0;
    const std::string found = lines_found_in(
        [&] { hand_over<<<2, 1>>>(&words[0], &words[1], &words[2], &words[3], order); });
    CHECK(found.empty() == (order != 0));
  }
  emulator::set_checking(false);
}

#endif
