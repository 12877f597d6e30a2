/// \file
/// Sums, products, extremes and averages. Each step is rounded to the elements' type.

#include "libraries/nccl/reductions.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace emulator::nccl {
namespace {

// A type of few bits: computed with as float.
template <class T>
struct Narrow {
  T value;
  explicit operator float() const { return static_cast<float>(value); }
  static Narrow of(float number) { return {T(number)}; }
};

template <class T>
constexpr bool is_narrow = !std::is_arithmetic_v<T>;

template <class T>
auto number_of(const T& element) {
  if constexpr (is_narrow<T>) {
    return static_cast<float>(element);
  } else {
    return element;
  }
}

template <class T, class Number>
T element_of(Number number) {
  if constexpr (is_narrow<T>) {
    return T::of(number);
  } else {
    return static_cast<T>(number);
  }
}

// Integers wrap around.
template <class Number>
Number add(Number a, Number b) {
  if constexpr (std::is_integral_v<Number>) {
    return static_cast<Number>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  } else {
    return a + b;
  }
}
template <class Number>
Number multiply(Number a, Number b) {
  if constexpr (std::is_integral_v<Number>) {
    return static_cast<Number>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  } else {
    return a * b;
  }
}

template <class T>
T combine(ncclRedOp_t op, const T& a, const T& b) {
  const auto x = number_of(a);
  const auto y = number_of(b);
  switch (op) {
    case ncclProd:
      return element_of<T>(multiply(x, y));
    case ncclMax:
      return element_of<T>(std::max(x, y));
    case ncclMin:
      return element_of<T>(std::min(x, y));
    default:
      return element_of<T>(add(x, y));
  }
}

// By what a rank's elements are multiplied before they are added up: an average of floating-point
// numbers is a sum of parts.
template <class T>
bool find_factor(const Reduction& reduction, std::size_t ranks, T& factor) {
  const void* const scalar =
      reduction.immediate.empty() ? reduction.scalar : reduction.immediate.data();
  if (scalar != nullptr) {
    std::memcpy(static_cast<void*>(&factor), scalar, sizeof(factor));
    return true;
  }
  if constexpr (!std::is_integral_v<T>) {
    if (reduction.op == ncclAvg) {
      factor = element_of<T>(1 / static_cast<decltype(number_of(factor))>(ranks));
      return true;
    }
  }
  return false;
}

template <class T>
struct Rank {
  const T* elements;
  bool is_multiplied;
  T factor;

  T at(std::size_t i) const {
    if (!is_multiplied) return elements[i];
    return element_of<T>(multiply(number_of(elements[i]), number_of(factor)));
  }
};

template <class T>
void reduce_elements(std::span<const Contribution> contributions, std::size_t count, T* result) {
  std::vector<Rank<T>> ranks;
  for (const auto& [elements, reduction] : contributions) {
    Rank<T> rank{static_cast<const T*>(elements), false, T{}};
    rank.is_multiplied = find_factor(*reduction, contributions.size(), rank.factor);
    ranks.push_back(rank);
  }
  const ncclRedOp_t op = contributions.front().reduction->op;
  for (std::size_t i = 0; i < count; ++i) {
    T value = ranks.front().at(i);
    for (std::size_t rank = 1; rank < ranks.size(); ++rank) {
      value = combine(op, value, ranks[rank].at(i));
    }
    if constexpr (std::is_integral_v<T>) {
      if (op == ncclAvg) value = static_cast<T>(value / static_cast<T>(ranks.size()));
    }
    result[i] = value;
  }
}

// Calls `use` with an element of the type.
template <class Use>
void with_type(ncclDataType_t type, Use use) {
  switch (type) {
    case ncclInt8:
      return use(std::int8_t{});
    case ncclUint8:
      return use(std::uint8_t{});
    case ncclInt32:
      return use(std::int32_t{});
    case ncclUint32:
      return use(std::uint32_t{});
    case ncclInt64:
      return use(std::int64_t{});
    case ncclUint64:
      return use(std::uint64_t{});
    case ncclFloat16:
      return use(Narrow<__half>{});
    case ncclFloat32:
      return use(float{});
    case ncclFloat64:
      return use(double{});
    case ncclBfloat16:
      return use(Narrow<__nv_bfloat16>{});
    case ncclFloat8e4m3:
      return use(Narrow<__nv_fp8_e4m3>{});
    case ncclFloat8e5m2:
      return use(Narrow<__nv_fp8_e5m2>{});
    default:
      return;
  }
}

}  // namespace

std::size_t bytes_of(ncclDataType_t type) {
  std::size_t bytes = 0;
  with_type(type, [&](auto element) { bytes = sizeof(element); });
  return bytes;
}

void reduce(std::span<const Contribution> ranks, std::size_t count, ncclDataType_t type,
            void* result) {
  with_type(type, [&]<class T>(T) { reduce_elements(ranks, count, static_cast<T*>(result)); });
}

}  // namespace emulator::nccl
