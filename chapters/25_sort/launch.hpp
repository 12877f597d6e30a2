// Chapter 25: launch functions. All sort n keys of the device, with or without values, into other
// arrays; the input stays as it is.
#pragma once

#include <algorithm>

#include "course.hpp"
#include "merge.hpp"
#include "one_launch.hpp"
#include "passes.hpp"
#include "segments.hpp"
#include "sweep.hpp"

// A sort's arguments. With NoValue both pointers to values are null. Only the bits from begin_bit
// to end_bit of Order::bits() count. workspace has workspace_bytes() bytes, aligned to 256.
template <class Order, class Value = NoValue>
struct Sort {
  const typename Order::Key* keys;
  typename Order::Key* sorted;
  size_t n;
  void* workspace;
  const Value* values = nullptr;
  Value* sorted_values = nullptr;
  int begin_bit = 0, end_bit = Order::width;
};

template <class Value>
constexpr size_t bytes_of_value = std::is_same_v<Value, NoValue> ? 0 : sizeof(Value);

// Shapes of tiles, by the bytes of the longer of key and value: for few keys, for many, for very
// many keys without values; for one launch, and for one block. The numbers are the fastest of those
// that we measured on an H200.
template <class Order, class Value, class Way>
struct Shapes {
  static constexpr bool is_short = sizeof(typename Order::Key) == 4 && bytes_of_value<Value> <= 4;
  static constexpr bool has_values = !std::is_same_v<Value, NoValue>;
  using Small = Shape<512, is_short ? 8 : 4, 2, Way>;
  using Large = Shape<384, is_short ? 22 : 11, 2, Way>;
  using Huge = Shape<384, has_values ? Large::items : is_short ? 30 : 15, 2, Way>;
  using Once = Shape<512, is_short ? 4 : 2, 1, Way>;
  using Block = Shape<512, is_short ? 10 : 5, 1, Way>;
  using SmallBlock = Shape<256, is_short ? 16 : 8, 1, Way>;
};
constexpr size_t large_from = size_t{1} << 20, huge_from = size_t{6} << 20;

inline size_t rounded(size_t bytes) {
  return (bytes + 255) / 256 * 256;
}
inline unsigned tiles_of(size_t n, size_t tile) {
  return static_cast<unsigned>((n - 1) / tile + 1);
}

// How a workspace is divided: room for the keys and values of every second pass, and for counts.
template <class Order, class Value>
struct Workspace {
  explicit Workspace(const Sort<Order, Value>& s)
      : keys(static_cast<typename Order::Key*>(s.workspace)),
        values(reinterpret_cast<Value*>(bytes() + rounded(s.n * sizeof *keys))),
        counts(bytes() + rounded(s.n * sizeof *keys) + rounded(s.n * bytes_of_value<Value>)) {}

  typename Order::Key* keys;
  Value* values;
  unsigned char* counts;

 private:
  unsigned char* bytes() const { return reinterpret_cast<unsigned char*>(keys); }
};

// What one sweep counts with: histograms and tickets of all passes, then the tiles' words.
constexpr size_t sweep_header = 8 * digits * sizeof(unsigned long long) + 256;
template <class Count>
size_t sweep_bytes(size_t n, size_t tile, int passes) {
  return sweep_header + passes * digits * sizeof(Count) * tiles_of(n, tile);
}

// Bytes of workspace that any launch function of this chapter needs.
template <class Order, class Value = NoValue>
size_t workspace_bytes(size_t n) {
  if (n == 0) return 0;
  const size_t words = sweep_bytes<unsigned>(n, Shapes<Order, Value, ByBallots>::Once::tile,
                                             passes_of(0, Order::width));
  return rounded(n * sizeof(typename Order::Key)) + rounded(n * bytes_of_value<Value>) +
         rounded(words + digits * digits * 8);
}

// --- comparisons -----------------------------------------------------------------------------

template <class Order>
void launch_sort_warps(const Sort<Order>& s) {
  if (s.n == 0) return;
  sort_warps<Order><<<tiles_of(s.n, network_threads), network_threads>>>(s.keys, s.sorted, s.n);
  CUDA_CHECK_LAUNCH();
}

template <class Order>
void launch_sort_blocks(const Sort<Order>& s) {
  if (s.n == 0) return;
  sort_blocks<Order><<<tiles_of(s.n, run), network_threads>>>(s.keys, s.sorted, s.n);
  CUDA_CHECK_LAUNCH();
}

// Runs of a block's network, then merges of two runs each, until one run is left.
template <class Order>
void launch_merge_sort(const Sort<Order>& s) {
  if (s.n == 0) return;
  int merges = 0;
  for (size_t length = run; length < s.n; length *= 2) ++merges;
  typename Order::Key* const room[] = {s.sorted, Workspace<Order, NoValue>(s).keys};
  Sort<Order> runs = s;
  runs.sorted = room[merges % 2];
  launch_sort_blocks(runs);
  for (size_t length = run; length < s.n; length *= 2) {
    --merges;
    const unsigned tiles_a_pair = tiles_of(2 * length, merge_tile);
    const unsigned pairs = tiles_of(s.n, 2 * length);
    merge_pairs_of_runs<Order><<<pairs * tiles_a_pair, merge_threads>>>(
        room[(merges + 1) % 2], room[merges % 2], s.n, length, tiles_a_pair);
    CUDA_CHECK_LAUNCH();
  }
}

// --- digits ----------------------------------------------------------------------------------

// Calls pass(arrays, digit, number) for each digit; every second one writes to the workspace, and
// the last to the result.
template <class Order, class Value, class Pass>
void for_each_digit(const Sort<Order, Value>& s, Pass pass) {
  const Workspace<Order, Value> workspace(s);
  const int passes = passes_of(s.begin_bit, s.end_bit);
  Arrays<typename Order::Key, Value> arrays = {s.keys, s.values, nullptr, nullptr, s.n};
  for (int p = 0; p < passes; ++p) {
    const bool to_result = (passes - p) % 2 == 1;
    arrays.sorted_keys = to_result ? s.sorted : workspace.keys;
    arrays.sorted_values = to_result ? s.sorted_values : workspace.values;
    pass(arrays, digit_of_pass(s.begin_bit + p * digit_bits, s.end_bit), p);
    arrays.keys = arrays.sorted_keys;
    arrays.values = arrays.sorted_values;
  }
}

// Three launches per digit.
template <bool in_runs, class Way, class Order, class Value>
void launch_passes(const Sort<Order, Value>& s) {
  if (s.n == 0) return;
  using S = typename Shapes<Order, Value, Way>::Large;
  const unsigned tiles = tiles_of(s.n, S::tile);
  auto* const totals = reinterpret_cast<unsigned*>(Workspace<Order, Value>(s).counts);
  unsigned* const counts = totals + digits;
  for_each_digit(s, [&](const auto& arrays, Digit digit, int) {
    count_tiles<S, Order><<<tiles, S::threads>>>(arrays.keys, s.n, digit, counts);
    CUDA_CHECK_LAUNCH();
    scan_rows<<<digits, row_threads>>>(counts, tiles, totals);
    CUDA_CHECK_LAUNCH();
    scatter_tiles<S, Order, Value, in_runs><<<tiles, S::threads>>>(arrays, digit, counts, totals);
    CUDA_CHECK_LAUNCH();
  });
}

// One launch for all histograms, one per digit.
template <class S, class Count, class Order, class Value>
void launch_sweeps_of(const Sort<Order, Value>& s) {
  const int passes = passes_of(s.begin_bit, s.end_bit);
  const unsigned tiles = tiles_of(s.n, S::tile);
  unsigned char* const counts = Workspace<Order, Value>(s).counts;
  auto* const histograms = reinterpret_cast<unsigned long long*>(counts);
  auto* const tickets = reinterpret_cast<unsigned*>(histograms + 8 * digits);
  auto* const words = reinterpret_cast<Count*>(counts + sweep_header);
  CUDA_CHECK(cudaMemsetAsync(counts, 0, sweep_bytes<Count>(s.n, S::tile, passes)));
  static const auto most_blocks =
      static_cast<unsigned>(4 * course::device_attribute(cudaDevAttrMultiProcessorCount));
  const unsigned blocks = std::min(most_blocks, tiles_of(s.n, 8 * histogram_threads));
  histograms_of_digits<Order, Order::width / digit_bits>
      <<<blocks, histogram_threads>>>(s.keys, s.n, s.begin_bit, s.end_bit, histograms);
  CUDA_CHECK_LAUNCH();
  for_each_digit(s, [&](const auto& arrays, Digit digit, int p) {
    sweep<S, Order, Value, Count, 4><<<tiles, S::threads>>>(
        arrays, digit, histograms + p * digits, words + size_t{digits} * tiles * p, tickets + p);
    CUDA_CHECK_LAUNCH();
  });
}

// Where a word's 30 bits are enough for a place in the array, it has 32, else 64.
template <class S, class Order, class Value>
void launch_sweeps(const Sort<Order, Value>& s) {
  if (s.n == 0) return;
  if (s.n < size_t{1} << 30) {
    launch_sweeps_of<S, unsigned>(s);
  } else {
    launch_sweeps_of<S, unsigned long long>(s);
  }
}

template <class Way, class Order, class Value>
void launch_one_sweep(const Sort<Order, Value>& s) {
  launch_sweeps<typename Shapes<Order, Value, Way>::Large>(s);
}

// The number of this kernel's blocks that wait for each other fast: one per multiprocessor, if it
// can hold one.
template <class S, class Kernel>
unsigned most_blocks_at_once(Kernel kernel) {
  int blocks = 0;
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, S::threads, 0));
  return blocks == 0 ? 0 : course::device_attribute(cudaDevAttrMultiProcessorCount);
}

// One launch for everything. False, and nothing done, if there are too many tiles.
template <class Order, class Value>
bool launch_at_once(const Sort<Order, Value>& s) {
  using S = typename Shapes<Order, Value, ByPredicates>::Once;
  const auto kernel = sort_in_one_launch<S, Order, Value>;
  static const unsigned most_blocks = most_blocks_at_once<S>(kernel);
  if (s.n == 0) return true;
  const unsigned tiles = tiles_of(s.n, S::tile);
  if (tiles > most_blocks) return false;
  const Workspace<Order, Value> workspace(s);
  Arrays<typename Order::Key, Value> arrays = {s.keys, s.values, s.sorted, s.sorted_values, s.n};
  auto spare_keys = workspace.keys;
  auto spare_values = workspace.values;
  int begin_bit = s.begin_bit, end_bit = s.end_bit;
  auto* counts = reinterpret_cast<unsigned*>(workspace.counts);
  void* arguments[] = {&arrays, &spare_keys, &spare_values, &begin_bit, &end_bit, &counts};
  CUDA_CHECK(cudaLaunchCooperativeKernel(kernel, dim3(tiles), dim3(S::threads), arguments, 0, 0));
  return true;
}

// --- segments --------------------------------------------------------------------------------

// Sorts each of `segments` segments by itself: from offsets[s] to offsets[s + 1], or, without
// offsets, of `length` elements each.
template <class S, class Order, class Value>
void launch_segments_of(const Sort<Order, Value>& s, unsigned segments, const unsigned* offsets,
                        size_t length) {
  if (s.n == 0 || segments == 0) return;
  const Workspace<Order, Value> workspace(s);
  sort_segments<S, Order><<<segments, S::threads>>>(
      Arrays<typename Order::Key, Value>{s.keys, s.values, s.sorted, s.sorted_values, s.n},
      workspace.keys, workspace.values, offsets, length, s.begin_bit, s.end_bit);
  CUDA_CHECK_LAUNCH();
}

template <class Order, class Value>
void launch_sort_segments(const Sort<Order, Value>& s, unsigned segments, const unsigned* offsets,
                          size_t length) {
  launch_segments_of<typename Shapes<Order, Value, ByPredicates>::Block>(s, segments, offsets,
                                                                         length);
}

// --- the best of these -----------------------------------------------------------------------

// A block if it can hold all, one launch if the device can, else one sweep.
template <class Order, class Value>
void launch_sort(const Sort<Order, Value>& s) {
  using All = Shapes<Order, Value, ByPredicates>;
  if (s.n <= All::SmallBlock::tile) {
    return launch_segments_of<typename All::SmallBlock>(s, 1, nullptr, s.n);
  }
  if (s.n <= All::Block::tile) return launch_sort_segments(s, 1, nullptr, s.n);
  if (launch_at_once(s)) return;
  if (s.n < large_from) return launch_sweeps<typename All::Small>(s);
  if (s.n < huge_from) return launch_sweeps<typename All::Large>(s);
  launch_sweeps<typename All::Huge>(s);
}
