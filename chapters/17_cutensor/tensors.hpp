// Chapter 17, first lesson: what a tensor is in memory, and the contraction of this chapter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using std::size_t;

// An array with any number of indices. Each is a mode: it has a name, an extent (how many values
// the index takes) and a stride (the distance to the next value, in elements). The element with the
// indices i, j, … is at i * strides[0] + j * strides[1] + …
struct Tensor {
  std::string modes;  // one letter each: "mhkn"
  std::vector<std::int64_t> extents;
  std::vector<std::int64_t> strides;
};

// Without gaps, and with the first mode fastest: neighbours along it are neighbours in memory.
inline Tensor packed(const std::string& modes, const std::vector<std::int64_t>& extents) {
  Tensor tensor{modes, extents, {}};
  std::int64_t stride = 1;
  for (const std::int64_t extent : extents) {
    tensor.strides.push_back(stride);
    stride *= extent;
  }
  return tensor;
}

// C[m,u,n,v] = alpha A[m,h,k,n] B[u,k,v,h] + beta C[m,u,n,v], summed over h and k: the modes that C
// does not have. Each extent has the name of its mode.
struct Contraction {
  int m, u, n, v, h, k;

  Tensor tensor_a() const { return packed("mhkn", {m, h, k, n}); }
  Tensor tensor_b() const { return packed("ukvh", {u, k, v, h}); }
  Tensor tensor_c() const { return packed("munv", {m, u, n, v}); }

  // It is a product of matrices: rows are the modes that only A and C have, columns those that only
  // B and C have, and the inner index those that only A and B have.
  size_t rows() const { return static_cast<size_t>(m) * static_cast<size_t>(n); }
  size_t cols() const { return static_cast<size_t>(u) * static_cast<size_t>(v); }
  size_t inner() const { return static_cast<size_t>(h) * static_cast<size_t>(k); }

  size_t size_of_a() const { return rows() * inner(); }
  size_t size_of_b() const { return cols() * inner(); }
  size_t size_of_c() const { return rows() * cols(); }
};
