#pragma once
#pragma GCC system_header
/// \file
/// Tensor cores by namespace wmma: matrices that a whole warp holds, as fragments.
///
/// Which lane holds which element of a fragment is not documented, and a GPU may have it otherwise.
/// What matrix.h says of mma.sync holds here as well.

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "emulator/matrix.h"
#include "emulator/special_registers.h"
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

}  // namespace nvcuda::wmma

#include "emulator/wmma_fragments.h"

namespace nvcuda::wmma {

/// A part of a matrix: what the calling lane holds of it. `Use` is matrix_a, matrix_b or
/// accumulator. Its `num_elements` elements are `x`.
template <class Use, int M, int N, int K, class T, class Layout = void>
struct fragment {
  using Traits = ::emulator::wmma::Fragment<Use, M, N, K, T, Layout>;
  using element_type = typename Traits::Element;
  static constexpr int num_elements = Traits::elements;
  static constexpr int num_storage_elements = Traits::elements;
  element_type x[num_elements];
};

EMULATOR_DEVICE_ONLY_BEGIN
/// All elements become `value`.
template <class Use, int M, int N, int K, class T, class Layout, class Value>
EMULATOR_INLINE void fill_fragment(fragment<Use, M, N, K, T, Layout>& fragment,
                                   const Value& value) {
  using Element = typename ::emulator::wmma::Fragment<Use, M, N, K, T, Layout>::Element;
  ::emulator::wmma::fill<Element>(fragment.x, fragment.num_elements, static_cast<Element>(value));
}

/// Loads a matrix, whose rows or columns begin every `stride` elements. The whole warp calls it.
template <class Use, int M, int N, int K, class T, class Layout, class Element>
EMULATOR_INLINE void load_matrix_sync(fragment<Use, M, N, K, T, Layout>& fragment,
                                      const Element* matrix, unsigned stride) {
  static_assert(!std::is_void_v<Layout>, "wmma: an accumulator is loaded with a layout");
  using Traits = ::emulator::wmma::Fragment<Use, M, N, K, T, Layout>;
  static_assert(std::is_same_v<Element, typename Traits::Element>,
                "wmma: the matrix has another type than the fragment");
  ::emulator::wmma::load<Traits>(fragment.x, matrix, stride, std::is_same_v<Layout, row_major>,
                                 ::emulator::special::laneid());
}
template <int M, int N, int K, class T>
EMULATOR_INLINE void load_matrix_sync(fragment<accumulator, M, N, K, T>& fragment, const T* matrix,
                                      unsigned stride, layout_t layout) {
  using Traits = ::emulator::wmma::Fragment<accumulator, M, N, K, T, void>;
  ::emulator::wmma::load<Traits>(fragment.x, matrix, stride, layout == mem_row_major,
                                 ::emulator::special::laneid());
}

/// Stores an accumulator.
template <int M, int N, int K, class T>
EMULATOR_INLINE void store_matrix_sync(T* matrix, const fragment<accumulator, M, N, K, T>& fragment,
                                       unsigned stride, layout_t layout) {
  using Traits = ::emulator::wmma::Fragment<accumulator, M, N, K, T, void>;
  ::emulator::wmma::store<Traits>(fragment.x, matrix, stride, layout == mem_row_major,
                                  ::emulator::special::laneid());
}

/// d = a b + c. The whole warp calls it. If c has another type than d, it is converted first; on a
/// GPU that is not known.
template <int M, int N, int K, class T, class LayoutA, class LayoutB, class D, class C>
EMULATOR_INLINE void mma_sync(fragment<accumulator, M, N, K, D>& d,
                              const fragment<matrix_a, M, N, K, T, LayoutA>& a,
                              const fragment<matrix_b, M, N, K, T, LayoutB>& b,
                              const fragment<accumulator, M, N, K, C>& c, bool saturate = false) {
  ::emulator::wmma::multiply<M, N, K, T, D, C>(d.x, a.x, b.x, c.x, saturate);
}

template <class... Arguments>
EMULATOR_NOT_MODELLED("products of bits by wmma are")
void bmma_sync(Arguments&&... arguments);

/// The nearest TF32 number; of two, the one further from 0.
EMULATOR_INLINE float __float_to_tf32(float value) {
  return ::emulator::round_to_tf32(value);
}
EMULATOR_DEVICE_ONLY_END

}  // namespace nvcuda::wmma
