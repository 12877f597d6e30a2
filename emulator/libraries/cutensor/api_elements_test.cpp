/// \file
/// What programs may expect of cuTENSOR's permutations, operations element by element, and
/// reductions: see api_test.cpp.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <string>

#include "libraries/cutensor/cutensor_test.hpp"

using namespace cutensor_test;

namespace {

const Sizes sizes = {{'a', 3}, {'b', 5}, {'c', 2}, {'d', 4}, {'e', 1}};

template <class T>
cutensorComputeDescriptor_t own_precision() {
  constexpr bool is_double = sizeof(T) == (std::is_floating_point_v<T> ? 8 : 16);
  return is_double ? CUTENSOR_COMPUTE_DESC_64F : CUTENSOR_COMPUTE_DESC_32F;
}

// B = alpha A, its modes in another order.
template <class T>
void check_permutation(const std::string& from, const std::string& to, std::int64_t gap = 0) {
  const Handle handle;
  const Tensor<T> a(from, sizes, 1, gap);
  Tensor<T> b(to, sizes, 2, gap);
  const Descriptor desc_a(handle, a.extent, type_of<T>, a.stride);
  const Descriptor desc_b(handle, b.extent, type_of<T>, b.stride);
  const Plan plan(handle, [&](cutensorOperationDescriptor_t* operation) {
    return cutensorCreatePermutation(handle, operation, desc_a, names(from).data(), identity,
                                     desc_b, names(to).data(), own_precision<T>());
  });
  const Array<T> device_a(a.values);
  const Array<T> device_b(b.values);
  const T alpha{-2};
  REQUIRE(cutensorPermute(handle, plan, &alpha, device_a.get(), device_b.get(), nullptr) ==
          success);
  Tensor<T>::for_all(sizes, to, [&](const Sizes& at) { b(at) = alpha * a(at); });
  CAPTURE(from);
  CAPTURE(to);
  CHECK(agree(device_b.numbers(), b.values));
}

// Of a few floats, what an operator makes of them.
std::vector<float> with_operator(cutensorOperator_t op, const std::vector<float>& values) {
  const Handle handle;
  const Descriptor vector(handle, {static_cast<std::int64_t>(values.size())});
  const Plan plan(handle, [&](cutensorOperationDescriptor_t* operation) {
    return cutensorCreatePermutation(handle, operation, vector, names("a").data(), op, vector,
                                     names("a").data(), CUTENSOR_COMPUTE_DESC_32F);
  });
  const Array<float> a(values);
  const Array<float> b(values);
  const float one = 1;
  REQUIRE(cutensorPermute(handle, plan, &one, a.get(), b.get(), nullptr) == success);
  return b.numbers();
}

// op(A) reduced over the modes that C lacks, and C.
template <class T>
void check_reduction(const std::string& from, const std::string& to, cutensorOperator_t op,
                     std::int64_t gap = 0) {
  const Handle handle;
  const Tensor<T> a(from, sizes, 1, gap);
  Tensor<T> c(to, sizes, 2, gap);
  const Descriptor desc_a(handle, a.extent, type_of<T>, a.stride);
  const Descriptor desc_c(handle, c.extent, type_of<T>, c.stride);
  const Plan plan(handle, [&](cutensorOperationDescriptor_t* operation) {
    return cutensorCreateReduction(handle, operation, desc_a, names(from).data(), identity, desc_c,
                                   names(to).data(), identity, desc_c, names(to).data(), op,
                                   own_precision<T>());
  });
  const Array<T> device_a(a.values);
  const Array<T> device_c(c.values);
  const T alpha{2};
  const T beta{-1};
  REQUIRE(cutensorReduce(handle, plan, &alpha, device_a.get(), &beta, device_c.get(),
                         device_c.get(), plan.workspace(), plan.size(), nullptr) == success);
  Tensor<T>::for_all(sizes, to, [&](const Sizes& at) {
    bool is_first = true;
    T all{};
    Tensor<T>::for_all(
        sizes, without(from, to),
        [&](const Sizes& everywhere) {
          const T value = a(everywhere);
          if (is_first) {
            all = value;
          } else if (op == CUTENSOR_OP_MUL) {
            all *= value;
          } else if (op == add) {
            all += value;
          } else if constexpr (std::is_floating_point_v<T>) {
            all = op == CUTENSOR_OP_MAX ? std::max(all, value) : std::min(all, value);
          }
          is_first = false;
        },
        at);
    c(at) = alpha * all + beta * c(at);
  });
  CAPTURE(from);
  CAPTURE(to);
  CHECK(agree(device_c.numbers(), c.values));
}

}  // namespace

TEST_CASE_TEMPLATE("cutensor: a permutation", T, float, double, std::complex<float>,
                   std::complex<double>) {
  check_permutation<T>("abcd", "dcba");
  check_permutation<T>("abcd", "cadb");
  check_permutation<T>("ab", "ba");
  check_permutation<T>("a", "a");
  check_permutation<T>("", "");
  check_permutation<T>("aeb", "bea");
  check_permutation<T>("ab", "acb");  // the same for all c
  check_permutation<T>("abcd", "bdca", 2);
}

TEST_CASE("cutensor: a permutation to another type") {
  const Handle handle;
  const Tensor<float> a("ab", sizes, 1);
  const Descriptor desc_a(handle, a.extent);
  const Descriptor desc_half(handle, extents("ba", sizes), CUDA_R_16F);
  const Plan plan(handle, [&](cutensorOperationDescriptor_t* operation) {
    return cutensorCreatePermutation(handle, operation, desc_a, names("ab").data(), identity,
                                     desc_half, names("ba").data(), CUTENSOR_COMPUTE_DESC_32F);
  });
  const Array<float> device_a(a.values);
  const Array<__half> device_half(std::vector<__half>(a.values.size()));
  const float alpha = 3;
  REQUIRE(cutensorPermute(handle, plan, &alpha, device_a.get(), device_half.get(), nullptr) ==
          success);
  const std::vector<__half> halves = device_half.numbers();
  std::size_t i = 0;
  bool agrees = true;
  for (std::int64_t row = 0; row < 3; ++row) {
    for (std::int64_t column = 0; column < 5; ++column) {
      agrees = agrees && __half2float(halves[i++]) == 3 * a({{'a', row}, {'b', column}});
    }
  }
  CHECK(agrees);
}

TEST_CASE("cutensor: operators on each element") {
  const std::vector<float> values = {-1.5F, -0.25F, 0, 0.5F, 2};
  const auto check = [&](cutensorOperator_t op, const std::function<float(float)>& function,
                         double error = 0) {
    std::vector<float> expected;
    for (const float x : values) expected.push_back(function(x));
    CAPTURE(static_cast<int>(op));
    CHECK(agree(with_operator(op, values), expected, error));
  };
  check(identity, [](float x) { return x; });
  check(CUTENSOR_OP_NEG, [](float x) { return -x; });
  check(CUTENSOR_OP_ABS, [](float x) { return std::abs(x); });
  check(CUTENSOR_OP_RELU, [](float x) { return std::max(x, 0.0F); });
  check(CUTENSOR_OP_CEIL, [](float x) { return std::ceil(x); });
  check(CUTENSOR_OP_FLOOR, [](float x) { return std::floor(x); });
  check(
      CUTENSOR_OP_EXP, [](float x) { return std::exp(x); }, 1e-5);
  check(
      CUTENSOR_OP_SIN, [](float x) { return std::sin(x); }, 1e-5);
  check(
      CUTENSOR_OP_COS, [](float x) { return std::cos(x); }, 1e-5);
  check(
      CUTENSOR_OP_TAN, [](float x) { return std::tan(x); }, 1e-5);
  check(
      CUTENSOR_OP_SINH, [](float x) { return std::sinh(x); }, 1e-5);
  check(
      CUTENSOR_OP_COSH, [](float x) { return std::cosh(x); }, 1e-5);
  check(
      CUTENSOR_OP_TANH, [](float x) { return std::tanh(x); }, 1e-5);
  check(
      CUTENSOR_OP_ATAN, [](float x) { return std::atan(x); }, 1e-5);
  check(
      CUTENSOR_OP_ASINH, [](float x) { return std::asinh(x); }, 1e-5);
  check(
      CUTENSOR_OP_SIGMOID, [](float x) { return 1 / (1 + std::exp(-x)); }, 1e-5);
  check(
      CUTENSOR_OP_SWISH, [](float x) { return x / (1 + std::exp(-x)); }, 1e-5);
  check(
      CUTENSOR_OP_SOFT_PLUS, [](float x) { return std::log1p(std::exp(x)); }, 1e-5);
  check(
      CUTENSOR_OP_SOFT_SIGN, [](float x) { return x / (std::abs(x) + 1); }, 1e-5);
  check(
      CUTENSOR_OP_MISH, [](float x) { return x * std::tanh(std::log1p(std::exp(x))); }, 1e-5);
  const std::vector<float> positive = {0.25F, 1, 4};
  CHECK(agree(with_operator(CUTENSOR_OP_SQRT, positive), {0.5F, 1, 2}, 1e-6));
  CHECK(agree(with_operator(CUTENSOR_OP_RCP, positive), {4, 1, 0.25F}, 1e-6));
  CHECK(
      agree(with_operator(CUTENSOR_OP_LOG, positive), {std::log(0.25F), 0, std::log(4.0F)}, 1e-5));
}

TEST_CASE_TEMPLATE("cutensor: an operation on the elements of two tensors", T, float, double,
                   std::complex<float>) {
  const Handle handle;
  const auto check = [&](const std::string& modes_a, const std::string& modes_c,
                         cutensorOperator_t op, auto function) {
    const Tensor<T> a(modes_a, sizes, 1);
    Tensor<T> c(modes_c, sizes, 2);
    const Descriptor desc_a(handle, a.extent, type_of<T>);
    const Descriptor desc_c(handle, c.extent, type_of<T>);
    const Plan plan(handle, [&](cutensorOperationDescriptor_t* operation) {
      return cutensorCreateElementwiseBinary(handle, operation, desc_a, names(modes_a).data(),
                                             identity, desc_c, names(modes_c).data(), identity,
                                             desc_c, names(modes_c).data(), op, own_precision<T>());
    });
    const Array<T> device_a(a.values);
    const Array<T> device_c(c.values);
    const Array<T> device_d(c.values);
    const T alpha{2};
    const T gamma{-3};
    REQUIRE(cutensorElementwiseBinaryExecute(handle, plan, &alpha, device_a.get(), &gamma,
                                             device_c.get(), device_d.get(), nullptr) == success);
    CHECK(agree(device_c.numbers(), c.values));  // only D is written
    REQUIRE(cutensorElementwiseBinaryExecute(handle, plan, &alpha, device_a.get(), &gamma,
                                             device_c.get(), device_c.get(), nullptr) == success);
    Tensor<T>::for_all(sizes, modes_c,
                       [&](const Sizes& at) { c(at) = function(alpha * a(at), gamma * c(at)); });
    CHECK(agree(device_c.numbers(), c.values));
    CHECK(agree(device_d.numbers(), c.values));
  };
  check("abc", "cab", add, [](T x, T y) { return x + y; });
  check("b", "cab", CUTENSOR_OP_MUL, [](T x, T y) { return x * y; });
  if constexpr (std::is_floating_point_v<T>) {
    check("ac", "cab", CUTENSOR_OP_MAX, [](T x, T y) { return std::max(x, y); });
    check("", "ab", CUTENSOR_OP_MIN, [](T x, T y) { return std::min(x, y); });
  }
}

TEST_CASE("cutensor: an operation on the elements of three tensors") {
  const Handle handle;
  const Tensor<float> a("ba", sizes, 1);
  const Tensor<float> b("c", sizes, 2);
  Tensor<float> c("abc", sizes, 3);
  const Descriptor desc_a(handle, a.extent);
  const Descriptor desc_b(handle, b.extent);
  const Descriptor desc_c(handle, c.extent);
  const Plan plan(handle, [&](cutensorOperationDescriptor_t* operation) {
    return cutensorCreateElementwiseTrinary(
        handle, operation, desc_a, names("ba").data(), CUTENSOR_OP_ABS, desc_b, names("c").data(),
        identity, desc_c, names("abc").data(), CUTENSOR_OP_NEG, desc_c, names("abc").data(),
        CUTENSOR_OP_MUL, add, CUTENSOR_COMPUTE_DESC_32F);
  });
  const Array<float> device_a(a.values);
  const Array<float> device_b(b.values);
  const Array<float> device_c(c.values);
  const float alpha = 2;
  const float beta = 3;
  const float gamma = 5;
  REQUIRE(cutensorElementwiseTrinaryExecute(handle, plan, &alpha, device_a.get(), &beta,
                                            device_b.get(), &gamma, device_c.get(), device_c.get(),
                                            nullptr) == success);
  Tensor<float>::for_all(sizes, "abc", [&](const Sizes& at) {
    c(at) = 2 * std::abs(a(at)) * (3 * b(at)) + 5 * -c(at);
  });
  CHECK(agree(device_c.numbers(), c.values));
}

TEST_CASE("cutensor: what has the factor 0 is not read, and counts as 0") {
  const Handle handle;
  const Descriptor vector(handle, {4});
  const Plan plan(handle, [&](cutensorOperationDescriptor_t* operation) {
    return cutensorCreateElementwiseBinary(handle, operation, vector, names("a").data(), identity,
                                           vector, names("a").data(), identity, vector,
                                           names("a").data(), add, CUTENSOR_COMPUTE_DESC_32F);
  });
  const Array<float> nothing(std::vector<float>(4, std::numeric_limits<float>::quiet_NaN()));
  const Array<float> numbers({1, 2, 3, 4});
  const float zero = 0;
  const float two = 2;
  REQUIRE(cutensorElementwiseBinaryExecute(handle, plan, &zero, nothing.get(), &two, numbers.get(),
                                           numbers.get(), nullptr) == success);
  CHECK(numbers.numbers() == std::vector<float>{2, 4, 6, 8});
}

TEST_CASE_TEMPLATE("cutensor: a reduction", T, float, double, std::complex<float>,
                   std::complex<double>) {
  check_reduction<T>("abcd", "", add);
  check_reduction<T>("abcd", "db", add);
  check_reduction<T>("abcd", "ac", add);
  check_reduction<T>("ab", "ba", add);  // nothing to reduce
  check_reduction<T>("aeb", "e", add);
  check_reduction<T>("abcd", "ca", add, 1);
  check_reduction<T>("ac", "a", CUTENSOR_OP_MUL);
  if constexpr (std::is_floating_point_v<T>) {
    check_reduction<T>("abcd", "b", CUTENSOR_OP_MAX);
    check_reduction<T>("abcd", "ad", CUTENSOR_OP_MIN);
  }
}

TEST_CASE("cutensor: a reduction of bfloat16s") {
  const Handle handle;
  const Descriptor desc_a(handle, {8, 16}, CUDA_R_16BF);
  const Descriptor desc_c(handle, {16}, CUDA_R_16BF);
  const Plan plan(handle, [&](cutensorOperationDescriptor_t* operation) {
    return cutensorCreateReduction(handle, operation, desc_a, names("ab").data(), identity, desc_c,
                                   names("b").data(), identity, desc_c, names("b").data(), add,
                                   CUTENSOR_COMPUTE_DESC_32F);
  });
  const Array<__nv_bfloat16> a(std::vector<__nv_bfloat16>(8 * 16, __float2bfloat16(1.5F)));
  const Array<__nv_bfloat16> c(std::vector<__nv_bfloat16>(16));
  const float one = 1;
  const float zero = 0;
  REQUIRE(cutensorReduce(handle, plan, &one, a.get(), &zero, c.get(), c.get(), plan.workspace(),
                         plan.size(), nullptr) == success);
  for (const __nv_bfloat16 sum : c.numbers()) CHECK(__bfloat162float(sum) == 12);
}

TEST_CASE("cutensor: what operations element by element and reductions refuse") {
  const Handle handle;
  const Descriptor ab(handle, {3, 5});
  const Descriptor ba(handle, {5, 3});
  const Descriptor b(handle, {5});
  const Descriptor complex(handle, {3, 5}, CUDA_C_32F);
  const auto permute = [&](cutensorTensorDescriptor_t from, const std::string& modes_from,
                           cutensorTensorDescriptor_t to, const std::string& modes_to) {
    return verdict(handle, [&](cutensorOperationDescriptor_t* made) {
      return cutensorCreatePermutation(handle, made, from, names(modes_from).data(), identity, to,
                                       names(modes_to).data(), CUTENSOR_COMPUTE_DESC_32F);
    });
  };
  CHECK(permute(ab, "ab", ba, "ba") == success);
  CHECK(permute(ab, "ab", ab, "ba") != success);  // a is 3 long, and 5
  CHECK(permute(ab, "ab", b, "b") != success);    // a would have to be summed
  CHECK(permute(ab, "ab", complex, "ab") != success);
  const auto reduce = [&](cutensorOperator_t op, const std::string& modes_c,
                          cutensorTensorDescriptor_t desc_c) {
    return verdict(handle, [&](cutensorOperationDescriptor_t* made) {
      return cutensorCreateReduction(handle, made, ab, names("ab").data(), identity, desc_c,
                                     names(modes_c).data(), identity, desc_c, names(modes_c).data(),
                                     op, CUTENSOR_COMPUTE_DESC_32F);
    });
  };
  CHECK(reduce(add, "b", b) == success);
  CHECK(reduce(add, "a", b) != success);
  CHECK(reduce(CUTENSOR_OP_SQRT, "b", b) != success);
}
