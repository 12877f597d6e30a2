#pragma once
#pragma GCC system_header
/// \file
/// Tensor cores by namespace wmma: matrices that a whole warp holds, as fragments.
///
/// Which lane holds which element of a fragment is not documented. Here it is as on a GPU of
/// compute capability 9.0 (matrix.h).

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "emulator/device/matrix.h"
#include "emulator/device/special_registers.h"
#include "emulator/device/unmodelled_device.h"
#include "emulator/ptx/ptx_conversions.h"

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

/// Products of single bits are not modelled; headers have these names as arguments' defaults.
namespace experimental {
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}  // namespace experimental

}  // namespace nvcuda::wmma

#include "emulator/device/wmma_fragments.h"

namespace nvcuda::wmma {

/// A part of a matrix: what the calling lane holds of it. `Use` is matrix_a, matrix_b or
/// accumulator. Its `num_elements` elements are `x`.
template <class Use, int Rows, int Cols, int Depth, class T, class Layout = void>
struct fragment {
  using Traits = ::emulator::wmma::Fragment<Use, Rows, Cols, Depth, T, Layout>;
  using element_type = typename Traits::Element;
  static constexpr int num_elements = Traits::elements;
  static constexpr int num_storage_elements = Traits::elements;
  element_type x[num_elements];
};

EMULATOR_DEVICE_ONLY_BEGIN
/// All elements become `value`.
template <class Use, int Rows, int Cols, int Depth, class T, class Layout, class Value>
EMULATOR_INLINE void fill_fragment(fragment<Use, Rows, Cols, Depth, T, Layout>& fragment,
                                   const Value& value) {
  using Element = typename ::emulator::wmma::Fragment<Use, Rows, Cols, Depth, T, Layout>::Element;
  ::emulator::wmma::fill<Element>(fragment.x, fragment.num_elements, static_cast<Element>(value));
}

/// Loads a matrix, whose rows or columns begin every `stride` elements. The whole warp calls it.
template <class Use, int Rows, int Cols, int Depth, class T, class Layout, class Element>
EMULATOR_INLINE void load_matrix_sync(fragment<Use, Rows, Cols, Depth, T, Layout>& fragment,
                                      const Element* matrix, unsigned stride) {
  static_assert(!std::is_void_v<Layout>, "wmma: an accumulator is loaded with a layout");
  using Traits = ::emulator::wmma::Fragment<Use, Rows, Cols, Depth, T, Layout>;
  static_assert(std::is_same_v<Element, typename Traits::Element>,
                "wmma: the matrix has another type than the fragment");
  ::emulator::wmma::load<Traits>(fragment.x, matrix, stride, std::is_same_v<Layout, row_major>,
                                 ::emulator::special::laneid());
}
template <int Rows, int Cols, int Depth, class T>
EMULATOR_INLINE void load_matrix_sync(fragment<accumulator, Rows, Cols, Depth, T>& fragment,
                                      const T* matrix, unsigned stride, layout_t layout) {
  using Traits = ::emulator::wmma::Fragment<accumulator, Rows, Cols, Depth, T, void>;
  ::emulator::wmma::load<Traits>(fragment.x, matrix, stride, layout == mem_row_major,
                                 ::emulator::special::laneid());
}

/// Stores an accumulator.
template <int Rows, int Cols, int Depth, class T>
EMULATOR_INLINE void store_matrix_sync(T* matrix,
                                       const fragment<accumulator, Rows, Cols, Depth, T>& fragment,
                                       unsigned stride, layout_t layout) {
  using Traits = ::emulator::wmma::Fragment<accumulator, Rows, Cols, Depth, T, void>;
  ::emulator::wmma::store<Traits>(fragment.x, matrix, stride, layout == mem_row_major,
                                  ::emulator::special::laneid());
}

/// d = a b + c. The whole warp calls it. If one of c and d is float, the sum is one of floats, and
/// is rounded to half in the end.
template <int Rows, int Cols, int Depth, class T, class LayoutA, class LayoutB, class TypeD,
          class TypeC>
EMULATOR_INLINE void mma_sync(fragment<accumulator, Rows, Cols, Depth, TypeD>& d,
                              const fragment<matrix_a, Rows, Cols, Depth, T, LayoutA>& a,
                              const fragment<matrix_b, Rows, Cols, Depth, T, LayoutB>& b,
                              const fragment<accumulator, Rows, Cols, Depth, TypeC>& c,
                              bool saturate = false) {
  ::emulator::wmma::multiply<Rows, Cols, Depth, T, TypeD, TypeC>(d.x, a.x, b.x, c.x, saturate);
}

template <class... Arguments>
EMULATOR_NOT_MODELLED("products of bits by wmma are")
void bmma_sync(Arguments&&... arguments);

/// The nearest TF32 number; of two, the one further from 0.
EMULATOR_INLINE float __float_to_tf32(float value) {
  using ::emulator::ptx::Option;
  return __builtin_bit_cast(
      float, ::emulator::ptx::tf32_of<Option::rna_, Option::none, Option::none>(value));
}
EMULATOR_DEVICE_ONLY_END

}  // namespace nvcuda::wmma
