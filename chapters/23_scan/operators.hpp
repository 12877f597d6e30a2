/// @file
/// Chapter 23: what a scan combines. An operator must be associative, and need not be commutative:
/// every kernel here combines neighbours only, the earlier one first.
#pragma once

#include <cstddef>
#include <cstring>
#include <limits>

#include "course.hpp"

namespace scan {

constexpr unsigned all_lanes = 0xFFFFFFFFU;

__device__ inline int lane() {
  return static_cast<int>(threadIdx.x % 32);
}

/// An operator: what it combines (here the elements themselves, of 4 bytes each), what changes
/// nothing, and how.
template <class T>
struct Sum {
  using Carry = T;
  static __host__ __device__ T identity() { return T{}; }
  static __host__ __device__ T combine(T before, T after) { return before + after; }
};

template <class T>
struct Largest {
  using Carry = T;
  static constexpr T lowest = std::numeric_limits<T>::lowest();
  static __host__ __device__ T identity() { return lowest; }
  static __host__ __device__ T combine(T before, T after) {
    return before < after ? after : before;
  }
};

/// An element of an array in segments, and whether a segment starts with it; of several neighbours,
/// their combination since the last start, and whether there is one among them.
template <class T>
struct Segment {
  T value;
  unsigned starts;
};

/// Any operator, restarted where a segment begins. The result is associative as well.
template <class Op>
struct BySegments {
  using Carry = Segment<typename Op::Carry>;
  static __host__ __device__ Carry identity() { return {Op::identity(), 0}; }
  static __host__ __device__ Carry combine(Carry before, Carry after) {
    return {after.starts != 0 ? after.value : Op::combine(before.value, after.value),
            before.starts | after.starts};
  }
};

// --- where the elements come from --------------------------------------------------------------

/// Sixteen bytes of an array of elements of 4 bytes.
template <class T>
struct alignas(16) Four {
  static_assert(sizeof(T) == 4, "a lane loads four elements of 4 bytes at once");
  T at[4];
};

/// An array, aligned to 16 bytes.
template <class T>
struct Array {
  using Carry = T;
  const T* x;
  __device__ T at(std::size_t i) const { return x[i]; }
  __device__ void four(std::size_t i, T (&v)[4]) const {
    const auto loaded = *reinterpret_cast<const Four<T>*>(x + i);
    for (int j = 0; j < 4; ++j) v[j] = loaded.at[j];
  }
};

/// An array with a byte beside each element: not 0 where a segment starts. Both are aligned to 16
/// bytes.
template <class T>
struct SegmentedArray {
  using Carry = Segment<T>;
  const T* x;
  const unsigned char* starts;
  __device__ Carry at(std::size_t i) const { return {x[i], starts[i]}; }
  __device__ void four(std::size_t i, Carry (&v)[4]) const {
    const auto values = *reinterpret_cast<const Four<T>*>(x + i);
    const uchar4 s = *reinterpret_cast<const uchar4*>(starts + i);
    v[0] = {values.at[0], s.x};
    v[1] = {values.at[1], s.y};
    v[2] = {values.at[2], s.z};
    v[3] = {values.at[3], s.w};
  }
};

template <class T>
__device__ T value_of(T carry) {
  return carry;
}
template <class T>
__device__ T value_of(Segment<T> carry) {
  return carry.value;
}

// --- in a warp -----------------------------------------------------------------------------------

template <class T>
__device__ T from_lane(T value, int source) {
  return __shfl_sync(all_lanes, value, source);
}
template <class T>
__device__ Segment<T> from_lane(Segment<T> s, int source) {
  return {from_lane(s.value, source), from_lane(s.starts, source)};
}
template <class T>
__device__ T from_below(T value, int distance) {
  return __shfl_up_sync(all_lanes, value, distance);
}
template <class T>
__device__ Segment<T> from_below(Segment<T> s, int distance) {
  return {from_below(s.value, distance), from_below(s.starts, distance)};
}

/// Every lane gets the combination of all lanes up to itself.
template <class Op>
__device__ typename Op::Carry warp_scan(typename Op::Carry value) {
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    const auto before = from_below(value, distance);
    if (lane() >= distance) value = Op::combine(before, value);
  }
  return value;
}

/// Every lane gets the combination of all lanes, the lowest first.
template <class Op>
__device__ typename Op::Carry warp_total(typename Op::Carry value) {
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    const auto other = from_lane(value, lane() ^ distance);
    value = (lane() & distance) != 0 ? Op::combine(other, value) : Op::combine(value, other);
  }
  return value;
}

}  // namespace scan
