/// @file
/// Chapter 28: attention on Hopper. A producer warp copies tiles by tensor maps, and consumer
/// warpgroups, which have 64 queries each, multiply by wgmma and take turns.
#pragma once

#include "problem.hpp"
#include "products.hpp"
#include "ring.hpp"
#include "tensor_map.hpp"

namespace attention {

using hopper::Barrier;

/// A block's tile: 64 queries per consumer warpgroup, against `keys` keys at a time.
/// @tparam overlap the next scores are multiplied while this tile's powers are computed
/// @tparam turns   only one warpgroup at a time starts products
template <int size_, int groups_, int keys_, int stages_, bool overlap_ = true, bool turns_ = true>
struct Tile {
  static constexpr int size = size_;  ///< of a head
  static constexpr int groups = groups_;
  static constexpr int rows = 64 * groups;
  static constexpr int keys = keys_;
  static constexpr int stages = stages_;  ///< of K, and as many of V
  static constexpr bool overlap = overlap_;
  static constexpr bool turns = turns_;
  static constexpr int slabs = size / 64;  ///< 128 bytes wide, as the swizzle
  static constexpr int slab = keys * 128;  ///< bytes
  static constexpr int bytes_Q = slabs * rows * 128;
  static constexpr int bytes_K = slabs * slab;  ///< as many of V
  static constexpr int threads = 128 * (groups + 1);
  static_assert(size % 64 == 0 && keys % 16 == 0);
};

/// A block's shared memory.
template <class T>
struct alignas(1024) Storage {
  unsigned char Q[T::bytes_Q];
  unsigned char K[T::stages][T::bytes_K];
  unsigned char V[T::stages][T::bytes_K];
  Barrier full_Q, empty_Q;
  Barrier full_K[T::stages], empty_K[T::stages];
  Barrier full_V[T::stages], empty_V[T::stages];
  int tile;  ///< whose Q this is; negative: there are no more
};

struct Maps {
  CUtensorMap Q, K, V;

  /// @param rows,keys the heights of boxes
  Maps(const Problem& p, int size, int rows, int keys) {
    make(Q, p.Q, p.queries, p.all_heads(), size, rows);
    K = V = Q;
    if (p.keys == 0) return;  // then they are not used
    make(K, p.K, p.keys, p.batches * p.kv_heads, size, keys);
    make(V, p.V, p.keys, p.batches * p.kv_heads, size, keys);
  }

 private:
  static void make(CUtensorMap& map, const Bf16* matrix, int rows, int count, int size, int box) {
    course::make_batched_map(map, matrix, rows, size, size, count, std::int64_t{rows} * size, box,
                             64, CU_TENSOR_MAP_SWIZZLE_128B);
  }
};

/// Which tile has which queries of which head. Heads come in bands, whose K and V stay in the
/// level-2 cache; in a band the tiles with the most keys come first. A block takes its first tile
/// by its own number and all others from a counter.
struct Order {
  int down;   ///< tiles of a head
  int band;   ///< heads
  int tiles;  ///< in all
  unsigned* counter;
};

/// A tile's head and first query.
struct Place {
  int head, row;
};
template <class T>
__device__ Place place_of(int tile, const Problem& p, const Order& order) {
  const int first = tile / (order.band * order.down) * order.band;
  const int heads = min(order.band, p.all_heads() - first);
  const int number = tile - first * order.down;
  int down = number / heads;
  if (p.causal) down = order.down - 1 - down;
  return {first + number % heads, down * T::rows};
}

/// The tiles of keys that a tile of queries needs.
template <class T>
__device__ int key_tiles(const Problem& p, int row) {
  return (p.keys_of(min(row + T::rows, p.queries) - 1) + T::keys - 1) / T::keys;
}

#ifndef COURSE_WITHOUT_WGMMA

template <class T>
__device__ void copy_tile(unsigned char* to, const CUtensorMap& map, int row, int head, int slab,
                          Barrier& full) {
#pragma unroll
  for (int s = 0; s < T::slabs; ++s) hopper::copy_in(to + s * slab, map, 64 * s, row, head, full);
}

/// The producer: one thread. The order of the copies is that in which consumers wait for them.
template <class T>
__device__ void run_producer(Storage<T>& storage, const Maps& maps, const Problem& p,
                             const Order& order) {
  course::PipelineState<T> k, v;
  unsigned parity = 1;  // of empty_Q: the first time at once
  const auto copy_K = [&](int row, int head) {
    hopper::wait(storage.empty_K[k.stage], k.parity ^ 1);
    hopper::expect(storage.full_K[k.stage], T::bytes_K);
    copy_tile<T>(storage.K[k.stage], maps.K, row, head, T::slab, storage.full_K[k.stage]);
    k.next();
  };
  const auto copy_V = [&](int row, int head) {
    hopper::wait(storage.empty_V[v.stage], v.parity ^ 1);
    hopper::expect(storage.full_V[v.stage], T::bytes_K);
    copy_tile<T>(storage.V[v.stage], maps.V, row, head, T::slab, storage.full_V[v.stage]);
    v.next();
  };
  int tile = static_cast<int>(blockIdx.x);
  while (true) {
    const bool more = tile < order.tiles;
    const Place place = more ? place_of<T>(tile, p, order) : Place{0, 0};
    const int tiles = more ? key_tiles<T>(p, place.row) : 0;
    const int kv = p.kv_head(place.head);
    if (tiles > 0) copy_K((tiles - 1) * T::keys, kv);
    hopper::wait(storage.empty_Q, parity);
    parity ^= 1;
    storage.tile = more ? tile : -1;
    if (!more) {
      hopper::arrive(storage.full_Q);
      return;
    }
    hopper::expect(storage.full_Q, T::bytes_Q);
    copy_tile<T>(storage.Q, maps.Q, place.row, place.head, T::rows * 128, storage.full_Q);
    for (int j = tiles - 1; j > 0; --j) {
      copy_K((j - 1) * T::keys, kv);
      copy_V(j * T::keys, kv);
    }
    if (tiles > 0) copy_V(0, kv);
    // Each block asks once in vain; the last to do so leaves the counter as it was.
    const unsigned asked = atomicAdd(order.counter, 1U);
    if (asked == static_cast<unsigned>(order.tiles) - 1U) *order.counter = 0;
    tile = static_cast<int>(gridDim.x + asked);
  }
}

/// The turns of the consumer warpgroups: a named barrier each, at which it waits until the group
/// before it has arrived there.
template <class T>
struct Turns {
  int group;

  /// Once, before the first turn: it is group 0's.
  __device__ void start() const {
    if constexpr (T::turns) {
      if (group == T::groups - 1) arrive(0);
    }
  }
  __device__ void take() const {
    if constexpr (T::turns) asm volatile("bar.sync %0, 256;" ::"r"(1 + group) : "memory");
  }
  __device__ void pass_on() const {
    if constexpr (T::turns) arrive(group + 1 == T::groups ? 0 : group + 1);
  }

 private:
  static __device__ void arrive(int at) {
    asm volatile("bar.arrive %0, 256;" ::"r"(1 + at) : "memory");
  }
};

/// A consumer warpgroup.
template <class T>
class Consumer {
 public:
  __device__ Consumer(Storage<T>& storage, const Problem& p)
      : storage_(storage), p_(p), scale_(p.scale * log2_e) {}

  __device__ void run(const Order& order) {
    turns_.start();
    unsigned parity = 0;
    while (true) {
      hopper::wait(storage_.full_Q, parity);
      parity ^= 1;
      const int tile = storage_.tile;
      if (tile < 0) break;
      const Place place = place_of<T>(tile, p_, order);
      head_ = place.head;
      row_ = place.row + 64 * turns_.group + 16 * (static_cast<int>(threadIdx.x) / 32 % 4);
      run_tile(key_tiles<T>(p_, place.row), place.row + 64 * turns_.group);
    }
    // What the last turn has passed on is taken, so that no barrier is left with arrivals.
    if (turns_.group == 0) turns_.take();
  }

 private:
  using Scores = float[T::keys / 2];
  using Powers = std::uint32_t[T::keys / 4];
  using Sums = float[T::size / 2];

  __device__ void run_tile(int tiles, int first_row) {
    Sums o;
#pragma unroll
    for (float& sum : o) sum = 0.0F;
    softmax_ = OnlineSoftmax();
    // Keys before this one are seen by all rows of the group.
    const int seen_by_all = min(p_.keys_of(first_row), p_.keys);
    if constexpr (T::overlap) {
      overlapped(tiles, seen_by_all, o);
    } else {
      one_by_one(tiles, seen_by_all, o);
    }
    const float2 logs = softmax_.finish(o, scale_);
    write_rows(o, logs, p_, head_, row_);
  }

  /// Scores, powers, products: each waits for the one before.
  __device__ void one_by_one(int tiles, int seen_by_all, Sums& o) {
    Scores s;
    Powers powers;
    for (int j = tiles - 1; j >= 0; --j) {
      start_scores(s);
      hopper::wait_for_products<0>();
      release_K();
      softmax(s, j, seen_by_all);
      softmax_.rescale(o);
      pack(powers, s);
      hopper::wait(storage_.full_V[v_.stage], v_.parity);
      hopper::fence_products();
      start_values(o, powers);
      hopper::wait_for_products<0>();
      release_V();
    }
    release_Q();
  }

  /// While powers of one tile of keys are computed, the tensor cores multiply the powers of the
  /// tile before with its V.
  __device__ void overlapped(int tiles, int seen_by_all, Sums& o) {
    Scores s;
    Powers powers;
    if (tiles == 0) {
      release_Q();
      return;
    }
    start_scores(s);
    hopper::wait_for_products<0>();
    release_K();
    softmax(s, tiles - 1, seen_by_all);
    pack(powers, s);
    int j = tiles - 2;
    for (; j >= 0 && (j + 1) * T::keys > seen_by_all; --j) step<true>(s, powers, o, j);
    for (; j >= 0; --j) step<false>(s, powers, o, j);
    release_Q();
    hopper::wait(storage_.full_V[v_.stage], v_.parity);
    hopper::fence_products();
    start_values(o, powers);
    hopper::wait_for_products<0>();
    release_V();
  }

  template <bool masked>
  __device__ void step(Scores& s, Powers& powers, Sums& o, int j) {
    hopper::wait(storage_.full_K[k_.stage], k_.parity);
    turns_.take();
    hopper::fence_products();
    multiply_Q(s);
    hopper::wait(storage_.full_V[v_.stage], v_.parity);
    start_values(o, powers);
    turns_.pass_on();
    hopper::wait_for_products<1>();  // the scores
    release_K();
    if constexpr (masked) mask(s, p_, row_, j * T::keys);
    softmax_.powers(s, scale_);
    hopper::wait_for_products<0>();
    release_V();
    softmax_.rescale(o);
    pack(powers, s);
  }

  __device__ void softmax(Scores& s, int j, int seen_by_all) {
    if ((j + 1) * T::keys > seen_by_all) mask(s, p_, row_, j * T::keys);
    softmax_.powers(s, scale_);
  }

  __device__ void start_scores(Scores& s) {
    hopper::wait(storage_.full_K[k_.stage], k_.parity);
    hopper::fence_products();
    multiply_Q(s);
  }
  __device__ void multiply_Q(Scores& s) {
    const unsigned char* const Q = storage_.Q + turns_.group * 64 * 128;
#pragma unroll
    for (int i = 0; i < T::size / 16; ++i) {
      multiply_scores(s, hopper::describe_A(Q + i / 4 * T::rows * 128) + 2 * (i % 4),
                      hopper::describe_A(storage_.K[k_.stage] + i / 4 * T::slab) + 2 * (i % 4),
                      i > 0);
    }
    hopper::commit_products();
  }
  __device__ void start_values(Sums& o, const Powers& powers) {
    const std::uint64_t V = hopper::describe_B(storage_.V[v_.stage], T::slab);
#pragma unroll
    for (int i = 0; i < T::keys / 16; ++i) multiply_values(o, powers + 4 * i, V + 128 * i);
    hopper::commit_products();
  }

  static __device__ void release(Barrier& empty) {
    if (threadIdx.x % 32 == 0) hopper::arrive(empty);
  }
  __device__ void release_Q() {
    __syncwarp();  // all lanes have read whose tile it is
    release(storage_.empty_Q);
  }
  __device__ void release_K() {
    release(storage_.empty_K[k_.stage]);
    k_.next();
  }
  __device__ void release_V() {
    release(storage_.empty_V[v_.stage]);
    v_.next();
  }

  Storage<T>& storage_;
  const Problem& p_;
  float scale_;
  Turns<T> turns_{static_cast<int>(threadIdx.x) / 128};
  course::PipelineState<T> k_, v_;
  OnlineSoftmax softmax_;
  int head_ = 0, row_ = 0;  ///< this warp's
};

/// Registers of a thread of the producer's warpgroup, and of a consumer.
template <class T>
constexpr int producer_registers = T::groups == 3 ? 32 : 24;
template <class T>
constexpr int consumer_registers = T::groups == 3 ? 160 : 240;

#endif

template <class T>
__global__ void __launch_bounds__(T::threads, 1)
    attention_in_groups(const __grid_constant__ Maps maps, const __grid_constant__ Problem p,
                        const Order order) {
#ifndef COURSE_WITHOUT_WGMMA
  extern __shared__ __align__(1024) unsigned char shared[];
  auto& storage = *reinterpret_cast<Storage<T>*>(shared);
  if (threadIdx.x == 0) {
    constexpr int warps = 4 * T::groups;
    hopper::init(storage.full_Q, 1);
    hopper::init(storage.empty_Q, warps);
    for (int s = 0; s < T::stages; ++s) {
      hopper::init(storage.full_K[s], 1);
      hopper::init(storage.full_V[s], 1);
      hopper::init(storage.empty_K[s], warps);
      hopper::init(storage.empty_V[s], warps);
    }
    hopper::fence_init();
    hopper::prefetch_map(maps.Q);
    hopper::prefetch_map(maps.K);
    hopper::prefetch_map(maps.V);
  }
  __syncthreads();
  if (threadIdx.x >= 128 * T::groups) {
    if constexpr (T::groups > 1) hopper::setmaxnreg_dec<producer_registers<T>>();
    if (threadIdx.x == 128 * T::groups) run_producer<T>(storage, maps, p, order);
  } else {
    if constexpr (T::groups > 1) hopper::setmaxnreg_inc<consumer_registers<T>>();
    Consumer<T>(storage, p).run(order);
  }
#endif
}

}  // namespace attention
