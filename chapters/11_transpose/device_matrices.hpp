// Data that is made on the device, and a transpose that is checked there: for matrices of many
// gigabytes that takes minutes on the host, and as long as a copy on the device.
#pragma once

#include "in_memory.hpp"

// Element number i of A. Each bit of the number affects the element's bits, so that no two rows or
// columns are alike.
template <class E>
__device__ E element_number(size_t i) {
  unsigned bits = static_cast<unsigned>(i) * 2654435761U ^ static_cast<unsigned>(i >> 32);
  bits = (bits ^ bits >> 15) * 2246822519U;
  return static_cast<E>(bits >> 16);  // a whole number that fits in either type
}

template <class E>
__global__ void make(E* A, size_t count) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) A[i] = element_number<E>(i);
}

// How many elements of B differ from the transpose (or from C, for a copy), and the first of them.
struct MismatchCount {
  unsigned long long count, first;
};

template <class E>
__global__ void look_for_wrong(const E* B, int m, int n, bool transposed, MismatchCount* wrong) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= static_cast<size_t>(m) * n) return;
  const size_t from = transposed ? i % m * n + i / m : i;
  if (B[i] == element_number<E>(from)) return;  // an element that was never written, a NaN, differs
  atomicAdd(&wrong->count, 1ULL);
  atomicMin(&wrong->first, static_cast<unsigned long long>(i));
}

inline unsigned blocks_of_256(size_t threads) {
  return static_cast<unsigned>((threads - 1) / 256 + 1);
}

// A matrix on the device and room for its transpose.
template <class E>
class DeviceMatrices {
 public:
  DeviceMatrices(int m, int n) : m_(m), n_(n), A_(count()), B_(count()) {
    if (count() == 0) return;
    make<<<blocks_of_256(count()), 256>>>(static_cast<E*>(A_), count());
    CUDA_CHECK_LAUNCH();
  }

  size_t count() const { return static_cast<size_t>(m_) * n_; }
  const E* a() const { return A_; }
  E* b() { return B_; }
  void poison() { B_.poison(); }

  course::Verdict verify(bool transposed) {
    course::DeviceArray<MismatchCount> wrong(std::vector<MismatchCount>{{0, ~0ULL}});
    if (count() > 0) {
      look_for_wrong<<<blocks_of_256(count()), 256>>>(static_cast<const E*>(B_), m_, n_, transposed,
                                                      static_cast<MismatchCount*>(wrong));
      CUDA_CHECK_LAUNCH();
    }
    const MismatchCount found = wrong.to_host()[0];
    if (found.count == 0) return {true, "all elements are right"};
    const int length = transposed ? m_ : n_;
    return {false, std::to_string(found.count) + " of " + std::to_string(count()) +
                       " elements are wrong, the first in row " +
                       std::to_string(found.first / length) + ", column " +
                       std::to_string(found.first % length)};
  }

 private:
  int m_, n_;
  course::DeviceArray<E> A_, B_;
};
