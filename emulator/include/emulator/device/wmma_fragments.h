#pragma once
#pragma GCC system_header
/// \file
/// What mma.h is made of: which fragments there are, and how they are loaded, stored and
/// multiplied. mma.h includes it in the middle, as it needs the names of wmma's types.

#include <type_traits>

#include "emulator/device/matrix.h"
#include "emulator/device/matrix_access.h"
#include "emulator/inline.h"

namespace emulator::wmma {

namespace names = ::nvcuda::wmma;
using detail::MatrixPlace;
using detail::MatrixType;

/// A type of wmma's for elements, and what is stored for it.
template <class T>
struct ElementOf;
#define EMULATOR_WMMA_ELEMENT(T, stored, name)           \
  template <>                                            \
  struct ElementOf<T> {                                  \
    using Element = stored;                              \
    static constexpr MatrixType type = MatrixType::name; \
  };
EMULATOR_WMMA_ELEMENT(::__half, ::__half, f16)
EMULATOR_WMMA_ELEMENT(::__nv_bfloat16, ::__nv_bfloat16, bf16)
EMULATOR_WMMA_ELEMENT(names::precision::tf32, float, tf32)
EMULATOR_WMMA_ELEMENT(float, float, f32)
EMULATOR_WMMA_ELEMENT(double, double, f64)
EMULATOR_WMMA_ELEMENT(signed char, signed char, s8)
EMULATOR_WMMA_ELEMENT(unsigned char, unsigned char, u8)
EMULATOR_WMMA_ELEMENT(int, int, s32)
#undef EMULATOR_WMMA_ELEMENT

/// Whether such products exist, by the type of A and B.
template <class T>
constexpr bool has_shape(int m, int n, int k) {
  if (std::is_same_v<T, double>) return m == 8 && n == 8 && k == 4;
  if (std::is_same_v<T, names::precision::tf32>) return m == 16 && n == 16 && k == 8;
  return k == 16 && m * n == 256 && (m == 8 || m == 16 || m == 32);
}

/// What is known of a fragment: `elements` is how many a lane has, `different` how many of them are
/// not there twice.
template <class Use, int Rows, int Cols, int Depth, class T, class Layout>
struct Fragment {
  static constexpr bool is_a = std::is_same_v<Use, names::matrix_a>;
  static constexpr bool is_b = std::is_same_v<Use, names::matrix_b>;
  static constexpr bool is_accumulator = std::is_same_v<Use, names::accumulator>;
  using Element = typename ElementOf<T>::Element;
  static constexpr MatrixType type = ElementOf<T>::type;

  static_assert(is_accumulator ? std::is_void_v<Layout>
                               : std::is_same_v<Layout, names::row_major> ||
                                     std::is_same_v<Layout, names::col_major>,
                "wmma: matrix_a and matrix_b have a layout, an accumulator has none");
  static_assert(is_accumulator ? has_shape<::__half>(Rows, Cols, Depth) ||
                                     has_shape<double>(Rows, Cols, Depth) ||
                                     has_shape<names::precision::tf32>(Rows, Cols, Depth)
                               : has_shape<T>(Rows, Cols, Depth) && type != MatrixType::f32 &&
                                     type != MatrixType::s32,
                "wmma: there are no fragments of this shape and type");

  static constexpr unsigned different = (is_a   ? Rows * Depth
                                         : is_b ? Depth * Cols
                                                : Rows * Cols) /
                                        32;
  // Fragments of half have had 16 elements since Volta, which needed some of them twice.
  static constexpr unsigned elements = type == MatrixType::f16 && !is_accumulator ? 16 : different;

  static constexpr bool turned = detail::is_turned_over(Rows, Cols);
  EMULATOR_UNSEEN static constexpr MatrixPlace place(unsigned lane, unsigned index) {
    if (!turned) {
      return is_a   ? detail::place_in_a(type, Rows, Depth, lane, index)
             : is_b ? detail::place_in_b(type, Depth, lane, index)
                    : detail::place_in_c(Rows, lane, index);
    }
    return detail::turned_over(is_a   ? detail::place_in_b(type, Depth, lane, index)
                               : is_b ? detail::place_in_a(type, Cols, Depth, lane, index)
                                      : detail::place_in_c(Cols, lane, index));
  }
  /// How many elements are neighbours in the matrix: those of a register; of sums, two.
  static constexpr unsigned neighbours = is_accumulator ? 2 : detail::elements_of_register(type);
  /// Whether they are also neighbours in memory.
  EMULATOR_UNSEEN static constexpr bool suits(bool is_row_major) {
    return is_row_major == (is_accumulator ? !turned : is_a);
  }
  /// Whether ldmatrix loads them, if it is known that they are in shared memory.
  static constexpr bool has_row_loads =
      !is_accumulator &&
      (type == MatrixType::f16 || type == MatrixType::s8 || type == MatrixType::u8);
};

/// How far from the beginning of its matrix an element lies.
EMULATOR_LEAF unsigned long offset(MatrixPlace place, unsigned long stride, bool is_row_major) {
  return is_row_major ? place.row * stride + place.column : place.column * stride + place.row;
}

// None of these is inlined: that the elements are an array is nothing to count. They have no
// lambdas, which would be instrumented.

template <class Element>
EMULATOR_LEAF void fill(Element* x, int elements, Element value) {
  for (int i = 0; i < elements; ++i) x[i] = value;
}

/// What a GPU of compute capability 9.0 does to load or store the calling lane's part, access by
/// access, for nvcc 13. (It has been read off the machine code, and compared with the counters of
/// an H200: emulator/evidence/counters.) An access is that of a register, if its elements are
/// neighbours in memory. If they are not, those of 16 bits come that way all the same: a lane loads
/// two neighbours that belong to others, and an instruction then turns each eight by eight over
/// among the lanes (MOVM). From shared memory each lane loads a row of 16 bytes, as for ldmatrix,
/// which can turn them over as well.
template <class Traits, class Element>
EMULATOR_LEAF void record_accesses(const Element* matrix, unsigned long stride, bool is_row_major,
                                   unsigned lane, bool is_store, const void* site) {
  const bool suits = Traits::suits(is_row_major);
  const bool turns = !suits && sizeof(Element) == 2;
  constexpr unsigned neighbours = Traits::neighbours;
  constexpr unsigned registers = Traits::different / neighbours;
  if (Traits::has_row_loads && (suits || turns) && !is_store &&
      detail::is_in_shared_memory(matrix)) {
    constexpr unsigned most = sizeof(Element) == 2 ? 4 : 2;
    constexpr unsigned at_once = registers < most ? registers : most;
    if (lane >= 8 * at_once) return;
    for (unsigned i = lane / 8; i < registers; i += at_once) {
      MatrixPlace place = Traits::place(0, i * neighbours);
      (is_row_major ? place.row : place.column) += lane % 8;
      detail::record_matrix_load(matrix + offset(place, stride, is_row_major), 16, site);
    }
    return;
  }
  const unsigned width = suits || turns ? neighbours : 1;
  for (unsigned i = 0; i < Traits::different; i += width) {
    MatrixPlace place = Traits::place(lane, i);
    if (turns) {
      const MatrixPlace first = Traits::place(0, i);
      place = {first.row + place.column - first.column, first.column + place.row - first.row};
    }
    const Element* const at = matrix + offset(place, stride, is_row_major);
    const auto bytes = static_cast<unsigned>(width * sizeof(Element));
    is_store ? detail::record_matrix_store(at, bytes, site)
             : detail::record_matrix_load(at, bytes, site);
  }
}

template <class Traits>
EMULATOR_LEAF void load(typename Traits::Element* x, const typename Traits::Element* matrix,
                        unsigned stride, bool is_row_major, unsigned lane) {
  const void* const site = __builtin_return_address(0);
  detail::check_matrix(matrix, stride * sizeof(*matrix), site);
  record_accesses<Traits>(matrix, stride, is_row_major, lane, false, site);
  for (unsigned i = 0; i < Traits::different; ++i) {
    x[i] = matrix[offset(Traits::place(lane, i), stride, is_row_major)];
  }
  for (unsigned i = Traits::different; i < Traits::elements; ++i) x[i] = x[i - Traits::different];
  detail::meet_for_matrix("load_matrix_sync", site);
}

template <class Traits>
EMULATOR_LEAF void store(const typename Traits::Element* x, typename Traits::Element* matrix,
                         unsigned stride, bool is_row_major, unsigned lane) {
  const void* const site = __builtin_return_address(0);
  detail::check_matrix(matrix, stride * sizeof(*matrix), site);
  detail::meet_for_matrix("store_matrix_sync", site);
  record_accesses<Traits>(matrix, stride, is_row_major, lane, true, site);
  for (unsigned i = 0; i < Traits::different; ++i) {
    matrix[offset(Traits::place(lane, i), stride, is_row_major)] = x[i];
  }
}

template <int m, int n, int k, class T, class TypeD, class TypeC>
EMULATOR_LEAF void multiply(typename ElementOf<TypeD>::Element* d,
                            const typename ElementOf<T>::Element* a,
                            const typename ElementOf<T>::Element* b,
                            const typename ElementOf<TypeC>::Element* c, bool saturates) {
  constexpr MatrixType type = ElementOf<T>::type;
  constexpr MatrixType d_type = ElementOf<TypeD>::type;
  constexpr MatrixType c_type = ElementOf<TypeC>::type;
  constexpr bool of_integers = type == MatrixType::s8 || type == MatrixType::u8;
  constexpr bool fits =
      of_integers               ? d_type == MatrixType::s32 && c_type == MatrixType::s32
      : type == MatrixType::f64 ? d_type == MatrixType::f64 && c_type == MatrixType::f64
      : type == MatrixType::f16 ? (d_type == MatrixType::f16 || d_type == MatrixType::f32) &&
                                      (c_type == MatrixType::f16 || c_type == MatrixType::f32)
                                : d_type == MatrixType::f32 && c_type == MatrixType::f32;
  static_assert(fits, "wmma: there is no product with accumulators of these types");
  constexpr bool turned = detail::is_turned_over(m, n);
  const detail::MatrixProduct product{turned ? n : m, turned ? m : n, k,      type,
                                      type,           c_type,         d_type, saturates};
  detail::multiply_matrices(product, turned ? b : a, turned ? a : b, c, d, "mma_sync",
                            __builtin_return_address(0));
}

}  // namespace emulator::wmma
