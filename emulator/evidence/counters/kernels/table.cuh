/// @file
/// What every file of micro-kernels needs: the arrays they work on, and the form of their tables.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

#include "arrays.cuh"

namespace counters {

/// Elements of every array. The largest distance that a kernel uses, 1000, times 512 threads fits.
inline constexpr int elements = 1 << 19;

/// Bytes of the results: room for `elements` elements of 8 bytes.
inline constexpr std::size_t out_bytes = std::size_t{8} * elements;

/// The inputs, and room for results. Every input holds small whole numbers, so that all sums are
/// exact and a GPU and the emulator get the same bits.
struct Arrays {
  DeviceArray<float> floats;
  DeviceArray<double> doubles;
  DeviceArray<int> ints;
  DeviceArray<unsigned char> bytes;
  DeviceArray<int> permutation;  ///< each of 0 .. 1023 once, in no order
  DeviceArray<int> random;       ///< 2048 numbers from 0 .. 4095, some of them twice
  DeviceArray<int> next;         ///< a linked list: 1024 elements, one cycle
  DeviceArray<int> sorted;       ///< 1024 numbers in ascending order
  DeviceArray<unsigned char> out;

  /// The inputs as an array of T, which must fit in one of floats.
  template <class T>
  const T* floats_as() const {
    return reinterpret_cast<const T*>(static_cast<const float*>(floats));
  }
  template <class T>
  const T* doubles_as() const {
    return reinterpret_cast<const T*>(static_cast<const double*>(doubles));
  }
  template <class T>
  const T* ints_as() const {
    return reinterpret_cast<const T*>(static_cast<const int*>(ints));
  }
  template <class T>
  const T* bytes_as() const {
    return reinterpret_cast<const T*>(static_cast<const unsigned char*>(bytes));
  }

  /// The results as an array of T.
  template <class T = float>
  T* out_as() {
    return reinterpret_cast<T*>(static_cast<unsigned char*>(out));
  }
};

/// A kernel and how it is launched.
struct Entry {
  const char* name;
  dim3 grid;
  dim3 block;
  unsigned shared_bytes;  ///< of dynamic shared memory
  void (*launch)(Arrays& arrays, const Entry& entry);
};

/// The kernels of a file, in the order in which they run.
using Table = std::vector<Entry>;

}  // namespace counters

/// A row of a table: a kernel's name, grid, block, bytes of dynamic shared memory, and arguments,
/// which may use `arrays`.
#define COUNTERS_SHARED_KERNEL(kernel, its_grid, its_block, its_shared_bytes, ...)              \
  counters::Entry {                                                                             \
#kernel, its_grid, its_block, its_shared_bytes,                                             \
        [](counters::Arrays & arrays,                                                           \
           const counters::Entry&                                                               \
               entry) { kernel<<<entry.grid, entry.block, entry.shared_bytes>>>(__VA_ARGS__); } \
  }

/// The same without dynamic shared memory.
#define COUNTERS_KERNEL(kernel, its_grid, its_block, ...) \
  COUNTERS_SHARED_KERNEL(kernel, its_grid, its_block, 0, __VA_ARGS__)

/// The thread's number in a grid of one dimension.
__device__ inline int global_index() {
  return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}
