#pragma once
#pragma GCC system_header
/// \file
/// Tensor cores (namespace wmma), which the emulator does not model: a program that mentions them
/// compiles, a kernel that uses them does not.

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "emulator/unmodelled_device.h"

namespace nvcuda::wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32;
}
namespace experimental::precision {
struct u4;
struct s4;
struct b1;
}  // namespace experimental::precision

template <class Use, int M, int N, int K, class T, class Layout = void>
struct fragment {
  EMULATOR_NOT_MODELLED("tensor cores (namespace wmma) are")
  fragment();
  static constexpr int num_elements = 8;
  T x[num_elements];
};

template <class... Arguments>
EMULATOR_NOT_MODELLED("tensor cores (namespace wmma) are")
void fill_fragment(Arguments&&... arguments);
template <class... Arguments>
EMULATOR_NOT_MODELLED("tensor cores (namespace wmma) are")
void load_matrix_sync(Arguments&&... arguments);
template <class... Arguments>
EMULATOR_NOT_MODELLED("tensor cores (namespace wmma) are")
void store_matrix_sync(Arguments&&... arguments);
template <class... Arguments>
EMULATOR_NOT_MODELLED("tensor cores (namespace wmma) are")
void mma_sync(Arguments&&... arguments);
template <class... Arguments>
EMULATOR_NOT_MODELLED("tensor cores (namespace wmma) are")
void bmma_sync(Arguments&&... arguments);
EMULATOR_NOT_MODELLED("tensor cores (namespace wmma) are")
float __float_to_tf32(float value);

}  // namespace nvcuda::wmma
