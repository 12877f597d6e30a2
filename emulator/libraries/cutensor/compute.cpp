/// \file
/// Contractions as products of matrices, which OpenBLAS computes: the operands are gathered into
/// matrices, whose rows and columns are several modes each, and the product is scattered. All else
/// by plain loops.

#include "libraries/cutensor/compute.hpp"

#include <cblas.h>

#include <algorithm>
#include <limits>

#include "libraries/cutensor/element_operators.hpp"
#include "libraries/cutensor/loops.hpp"

namespace emulator::cutensor {
namespace {

using Modes = std::vector<std::int32_t>;

bool has(const Modes& modes, std::int32_t mode) {
  return std::find(modes.begin(), modes.end(), mode) != modes.end();
}

// A tensor of our own: packed, its first mode the fastest.
template <class T>
struct PackedTensor {
  Modes modes;
  std::vector<std::int64_t> extents;
  std::vector<T> values;

  std::int64_t extent(std::int32_t mode) const {
    return extents[static_cast<std::size_t>(std::find(modes.begin(), modes.end(), mode) -
                                            modes.begin())];
  }
  // The product of some modes' extents.
  std::int64_t size(const Modes& of) const {
    std::int64_t size = 1;
    for (const std::int32_t mode : of) size *= extent(mode);
    return size;
  }
  // A mode's stride, 0 if it is not one of ours.
  std::int64_t stride(std::int32_t mode) const {
    std::int64_t stride = 1;
    for (std::size_t i = 0; i < modes.size(); ++i) {
      if (modes[i] == mode) return stride;
      stride *= extents[i];
    }
    return 0;
  }
};

template <class T>
PackedTensor<T> packed(const Modes& modes, const std::vector<std::int64_t>& extents) {
  std::int64_t size = 1;
  for (const std::int64_t extent : extents) size *= extent;
  return {modes, extents, std::vector<T>(static_cast<std::size_t>(size))};
}

std::int64_t stride_of(const Operand& operand, std::int32_t mode) {
  const int i = operand.find(mode);
  return i < 0 ? 0 : operand.tensor.strides[static_cast<std::size_t>(i)];
}

// Of the modes that one tensor has, those that `is_wanted` says.
template <class Wanted>
Modes select(const Modes& modes, Wanted is_wanted) {
  Modes selected;
  std::copy_if(modes.begin(), modes.end(), std::back_inserter(selected), is_wanted);
  return selected;
}

Modes operator+(Modes first, const Modes& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// An operand with its modes in another order. What it has in no such mode is added up.
template <class T, class Value>
PackedTensor<T> rearranged(const Modes& from, const std::vector<std::int64_t>& extents,
                           const Modes& to, const std::vector<std::int64_t>& from_strides,
                           Value value) {
  std::vector<std::int64_t> to_extents;
  for (const std::int32_t mode : to) {
    const auto at = std::find(from.begin(), from.end(), mode) - from.begin();
    to_extents.push_back(extents[static_cast<std::size_t>(at)]);
  }
  PackedTensor<T> result = packed<T>(to, to_extents);
  std::vector<Axis<2>> axes;
  for (std::size_t i = 0; i < from.size(); ++i) {
    axes.push_back({extents[i], {from_strides[i], result.stride(from[i])}});
  }
  for_all(axes,
          [&](const auto& at) { result.values[static_cast<std::size_t>(at[1])] += value(at[0]); });
  return result;
}

template <class T>
PackedTensor<T> gathered(const Operand& operand, const void* data, const Modes& modes,
                         Precision precision) {
  const Load<T> load = load_of<T>(operand.tensor.type);
  // Sums of several elements are rounded as a whole: they are what the product is of.
  PackedTensor<T> result =
      rearranged<T>(operand.modes, operand.tensor.extents, modes, operand.tensor.strides,
                    [&](std::int64_t i) { return apply(operand.op, load(data, i)); });
  for (T& value : result.values) value = rounded(value, precision);
  return result;
}

template <class T>
PackedTensor<T> reordered(const PackedTensor<T>& tensor, const Modes& modes) {
  if (tensor.modes == modes) return tensor;
  std::vector<std::int64_t> strides;
  for (const std::int32_t mode : tensor.modes) strides.push_back(tensor.stride(mode));
  return rearranged<T>(tensor.modes, tensor.extents, modes, strides,
                       [&](std::int64_t i) { return tensor.values[static_cast<std::size_t>(i)]; });
}

// C += A B, where A is m x k, B k x n, all stored column by column without gaps.
template <class T>
void add_product(std::int64_t m, std::int64_t n, std::int64_t k, const T* a, const T* b, T* c) {
  constexpr std::int64_t largest = std::numeric_limits<int>::max() / 2;  // OpenBLAS adds up two
  if (std::max({m, n, k}) > largest) {
    for (std::int64_t j = 0; j < n; ++j) {
      for (std::int64_t l = 0; l < k; ++l) {
        for (std::int64_t i = 0; i < m; ++i) c[i + j * m] += a[i + l * m] * b[l + j * k];
      }
    }
    return;
  }
  const auto call = [&](auto gemm, auto one) {
    gemm(CblasColMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(m), static_cast<int>(n),
         static_cast<int>(k), one, a, static_cast<int>(m), b, static_cast<int>(k), one, c,
         static_cast<int>(m));
  };
  const T one{1};
  if constexpr (std::is_same_v<T, float>) {
    call(cblas_sgemm, one);
  } else if constexpr (std::is_same_v<T, double>) {
    call(cblas_dgemm, one);
  } else if constexpr (std::is_same_v<T, std::complex<float>>) {
    call(cblas_cgemm, &one);
  } else {
    call(cblas_zgemm, &one);
  }
}

// What float has over TF32, as a TF32 of its own.
template <class T>
std::vector<T> rounding_errors(std::vector<T>& values) {
  std::vector<T> errors;
  errors.reserve(values.size());
  for (T& value : values) {
    const T whole = value;
    value = rounded(whole, Precision::tf32);
    errors.push_back(rounded(whole - value, Precision::tf32));
  }
  return errors;
}

// What the modes of A and B are to their product, of which some are wanted.
struct ModeRoles {
  Modes batch;    // in both, and wanted
  Modes inner;    // in both, and summed over
  Modes rows;     // of A alone
  Modes columns;  // of B alone

  ModeRoles(const Modes& a, const Modes& b, const Modes& wanted) {
    const auto is_wanted = [&](std::int32_t mode) { return has(wanted, mode); };
    batch = select(a, [&](auto mode) { return has(b, mode) && is_wanted(mode); });
    inner = select(a, [&](auto mode) { return has(b, mode) && !is_wanted(mode); });
    rows = select(a, [&](auto mode) { return !has(b, mode) && is_wanted(mode); });
    columns = select(b, [&](auto mode) { return !has(a, mode) && is_wanted(mode); });
  }
  // Matrices stored column by column, contiguously.
  Modes of_a() const { return rows + inner + batch; }
  Modes of_b() const { return inner + columns + batch; }
  Modes of_product() const { return rows + columns + batch; }
};

// The sum of products over the inner modes. A and B have their modes in the order of matrices.
template <class T>
PackedTensor<T> contracted(PackedTensor<T> a, PackedTensor<T> b, const ModeRoles& roles,
                           Precision precision) {
  std::vector<std::int64_t> extents;
  for (const std::int32_t mode : roles.of_product()) {
    extents.push_back(has(a.modes, mode) ? a.extent(mode) : b.extent(mode));
  }
  PackedTensor<T> result = packed<T>(roles.of_product(), extents);
  const std::int64_t m = a.size(roles.rows);
  const std::int64_t n = b.size(roles.columns);
  const std::int64_t k = a.size(roles.inner);
  const auto add = [&](const std::vector<T>& left, const std::vector<T>& right) {
    for (std::int64_t i = 0; i < a.size(roles.batch); ++i) {
      add_product(m, n, k, left.data() + i * m * k, right.data() + i * k * n,
                  result.values.data() + i * m * n);
    }
  };
  if (precision == Precision::tf32_thrice) {
    const std::vector<T> a_errors = rounding_errors(a.values);
    const std::vector<T> b_errors = rounding_errors(b.values);
    add(a_errors, b.values);
    add(a.values, b_errors);
  }
  add(a.values, b.values);
  return result;
}

// A factor as the type that the output is computed with.
template <class T>
T factor_as(std::complex<double> factor) {
  if constexpr (is_complex_number<T>) {
    using Part = typename T::value_type;
    return {static_cast<Part>(factor.real()), static_cast<Part>(factor.imag())};
  } else {
    return static_cast<T>(factor.real());
  }
}

template <class To, class From>
To converted(From x) {
  if constexpr (is_complex_number<To>) {
    using Part = typename To::value_type;
    return {static_cast<Part>(x.real()), static_cast<Part>(x.imag())};
  } else {
    return static_cast<To>(x);
  }
}

// output = alpha value + beta op(input), where both have the output's modes.
template <class T, class Factor>
void write(const Operation& operation, const PackedTensor<T>* value, const void* input,
           void* output, const std::vector<std::complex<double>>& factors) {
  const Operand& out = operation.output();
  const Operand& in = operation.operands[operation.inputs() - 1];
  const auto alpha = factor_as<Factor>(factors[0]);
  const auto beta = factor_as<Factor>(factors[1]);
  const Load<Factor> load = load_of<Factor>(out.tensor.type);
  const Store<Factor> store = store_of<Factor>(out.tensor.type);
  std::vector<Axis<2>> axes;
  for (std::size_t i = 0; i < out.modes.size(); ++i) {
    const std::int64_t stride = value == nullptr ? 0 : value->stride(out.modes[i]);
    axes.push_back({out.tensor.extents[i], {out.tensor.strides[i], stride}});
  }
  for_all(axes, [&](const auto& at) {
    Factor result{};
    if (value != nullptr) {
      result = alpha * converted<Factor>(value->values[static_cast<std::size_t>(at[1])]);
    }
    if (beta != Factor{}) result += beta * apply(in.op, load(input, at[0]));
    store(output, at[0], result);
  });
}

// Computed with T, scaled with Factor.
template <class T, class Factor>
void contract(const Operation& operation, const std::vector<const void*>& data, void* output,
              const std::vector<std::complex<double>>& factors) {
  if (factors[0] == 0.0) {
    return write<T, Factor>(operation, nullptr, data[operation.inputs() - 1], output, factors);
  }
  const auto operand = [&](std::size_t i, const Modes& modes) {
    return gathered<T>(operation.operands[i], data[i], modes, operation.precision);
  };
  const auto modes = [&](std::size_t i) { return operation.operands[i].modes; };
  const bool is_of_three = operation.kind == Kind::trinary_contraction;
  // What only one operand has, and nobody wants, is added up while it is gathered.
  const ModeRoles roles(modes(0), modes(1), is_of_three ? modes(2) + modes(4) : modes(3));
  PackedTensor<T> product =
      contracted(operand(0, roles.of_a()), operand(1, roles.of_b()), roles, operation.precision);
  if (is_of_three) {
    const ModeRoles then(product.modes, modes(2), modes(4));
    product = contracted(reordered(product, then.of_a()), operand(2, then.of_b()), then,
                         operation.precision);
  }
  write<T, Factor>(operation, &product, data[operation.inputs() - 1], output, factors);
}

template <class T>
void reduce(const Operation& operation, const std::vector<const void*>& data, void* output,
            const std::vector<std::complex<double>>& factors) {
  if (factors[0] == 0.0) {
    return write<T, T>(operation, nullptr, data[1], output, factors);
  }
  const Operand& a = operation.operands[0];
  const Operand& out = operation.output();
  PackedTensor<T> result = packed<T>(out.modes, out.tensor.extents);
  std::vector<bool> is_there(result.values.size());
  const Load<T> load = load_of<T>(a.tensor.type);
  std::vector<Axis<2>> axes;
  for (std::size_t i = 0; i < a.modes.size(); ++i) {
    axes.push_back({a.tensor.extents[i], {a.tensor.strides[i], result.stride(a.modes[i])}});
  }
  for_all(axes, [&](const auto& at) {
    const auto i = static_cast<std::size_t>(at[1]);
    const T value = apply(a.op, load(data[0], at[0]));
    result.values[i] = is_there[i] ? apply(operation.first, result.values[i], value) : value;
    is_there[i] = true;
  });
  write<T, T>(operation, &result, data[1], output, factors);
}

// Element by element: up to three inputs, of which one may be missing or have the factor 0.
template <class T>
void combine(const Operation& operation, const std::vector<const void*>& data, void* output,
             const std::vector<std::complex<double>>& factors) {
  const Operand& out = operation.output();
  const std::size_t inputs = operation.inputs();
  std::vector<Axis<4>> axes;  // the output, and the inputs
  for (std::size_t i = 0; i < out.modes.size(); ++i) {
    Axis<4> axis{out.tensor.extents[i], {out.tensor.strides[i], 0, 0, 0}};
    for (std::size_t k = 0; k < inputs; ++k) {
      axis.strides[k + 1] = stride_of(operation.operands[k], out.modes[i]);
    }
    axes.push_back(axis);
  }
  std::array<Load<T>, 3> loads{};
  std::array<T, 3> scales{};
  for (std::size_t k = 0; k < inputs; ++k) {
    loads[k] = load_of<T>(operation.operands[k].tensor.type);
    scales[k] = factor_as<T>(factors[k]);
  }
  const Store<T> store = store_of<T>(out.tensor.type);
  const auto round = [&](T x) {
    return operation.precision == Precision::r16 || operation.precision == Precision::b16
               ? rounded(x, operation.precision)
               : x;
  };
  const auto term = [&](std::size_t k, std::int64_t at) {
    if (scales[k] == T{}) return T{};
    const T value = round(apply(operation.operands[k].op, loads[k](data[k], at)));
    return scales[k] == T{1} ? value : round(scales[k] * value);
  };
  for_all(axes, [&](const auto& at) {
    T result = term(0, at[1]);
    if (inputs > 1) result = round(apply(operation.first, result, term(1, at[2])));
    if (inputs > 2) result = round(apply(operation.second, result, term(2, at[3])));
    store(output, at[0], result);
  });
}

}  // namespace

void compute(const Operation& operation, const std::vector<const void*>& data, void* output,
             const std::vector<std::complex<double>>& factors) {
  const auto with = [&](auto number, auto factor) {
    using T = decltype(number);
    using Factor = decltype(factor);
    if (operation.is_contraction()) {
      contract<T, Factor>(operation, data, output, factors);
    } else if constexpr (std::is_same_v<T, Factor>) {
      if (operation.kind == Kind::reduction) {
        reduce<T>(operation, data, output, factors);
      } else {
        combine<T>(operation, data, output, factors);
      }
    }
  };
  using ComplexFloat = std::complex<float>;
  using ComplexDouble = std::complex<double>;
  const bool computes_with_double = operation.precision == Precision::r64;
  switch (operation.scalar) {
    case CUDA_R_32F:
      return with(float{}, float{});
    case CUDA_C_32F:
      return with(ComplexFloat{}, ComplexFloat{});
    case CUDA_R_64F:
      return computes_with_double ? with(double{}, double{}) : with(float{}, double{});
    default:
      return computes_with_double ? with(ComplexDouble{}, ComplexDouble{})
                                  : with(ComplexFloat{}, ComplexDouble{});
  }
}

}  // namespace emulator::cutensor
