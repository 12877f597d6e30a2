/// \file
/// What programs may expect of cuTENSOR's contractions: see api_test.cpp.

#include <cmath>
#include <string>

#include "libraries/cutensor/cutensor_test.hpp"

using namespace cutensor_test;

namespace {

// C = alpha A B + beta C, as the library has it.
template <class T>
std::vector<T> contracted(const Tensor<T>& a, const Tensor<T>& b, const Tensor<T>& c, T alpha,
                          T beta, cutensorComputeDescriptor_t compute,
                          cutensorOperator_t op_a = identity,
                          std::uint64_t limit = std::uint64_t{1} << 26) {
  const Handle handle;
  const Descriptor desc_a(handle, a.extent, type_of<T>, a.stride);
  const Descriptor desc_b(handle, b.extent, type_of<T>, b.stride);
  const Descriptor desc_c(handle, c.extent, type_of<T>, c.stride);
  const Plan plan(
      handle,
      [&](cutensorOperationDescriptor_t* operation) {
        return cutensorCreateContraction(handle, operation, desc_a, names(a.modes).data(), op_a,
                                         desc_b, names(b.modes).data(), identity, desc_c,
                                         names(c.modes).data(), identity, desc_c,
                                         names(c.modes).data(), compute);
      },
      limit);
  const Array<T> device_a(a.values);
  const Array<T> device_b(b.values);
  const Array<T> device_c(c.values);
  REQUIRE(cutensorContract(handle, plan, &alpha, device_a.get(), device_b.get(), &beta,
                           device_c.get(), device_c.get(), plan.workspace(), plan.size(),
                           nullptr) == success);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  return device_c.numbers();
}

// The same, as mathematics has it.
template <class T>
std::vector<T> expected(const Sizes& sizes, const Tensor<T>& a, const Tensor<T>& b, Tensor<T> c,
                        T alpha, T beta, bool conjugates = false) {
  const std::string inner = without(a.modes, c.modes) + without(b.modes, c.modes + a.modes);
  Tensor<T>::for_all(sizes, c.modes, [&](const Sizes& at) {
    T sum{};
    Tensor<T>::for_all(
        sizes, inner,
        [&](const Sizes& all) {
          T left = a(all);
          if constexpr (!std::is_floating_point_v<T>) left = conjugates ? std::conj(left) : left;
          sum += left * b(all);
        },
        at);
    c(at) = alpha * sum + (beta == T{} ? T{} : beta * c(at));
  });
  return c.values;
}

template <class T>
constexpr bool is_double = sizeof(T) == (std::is_floating_point_v<T> ? 8 : 16);

// Every contraction once.
template <class T>
void check(const Sizes& sizes, const std::string& a, const std::string& b, const std::string& c,
           std::int64_t gap = 0) {
  const auto compute = is_double<T> ? CUTENSOR_COMPUTE_DESC_64F : CUTENSOR_COMPUTE_DESC_32F;
  const Tensor<T> tensor_a(a, sizes, 1, gap);
  const Tensor<T> tensor_b(b, sizes, 2, gap);
  const Tensor<T> tensor_c(c, sizes, 3, gap);
  CAPTURE(a);
  CAPTURE(b);
  CAPTURE(c);
  const T alpha{2};
  for (const T beta : {T{0}, T{-1}}) {
    CHECK(agree(contracted(tensor_a, tensor_b, tensor_c, alpha, beta, compute),
                expected(sizes, tensor_a, tensor_b, tensor_c, alpha, beta)));
  }
}

const Sizes sizes = {{'m', 7}, {'n', 3}, {'u', 5}, {'v', 2}, {'h', 4},
                     {'k', 6}, {'a', 3}, {'b', 2}, {'e', 1}};

}  // namespace

TEST_CASE_TEMPLATE("cutensor: a contraction is the sum over the modes that are not in the result",
                   T, float, double, std::complex<float>, std::complex<double>) {
  check<T>(sizes, "mhkn", "ukvh", "munv");
  check<T>(sizes, "mk", "kn", "mn");
  check<T>(sizes, "km", "nk", "nm");
  check<T>(sizes, "m", "n", "mn");          // nothing to sum
  check<T>(sizes, "mk", "k", "m");          // a matrix and a vector
  check<T>(sizes, "hk", "kh", "");          // a single number
  check<T>(sizes, "mkab", "bkna", "anbm");  // two modes are batches
  check<T>(sizes, "a", "a", "a");           // and nothing else
  check<T>(sizes, "mek", "ken", "men");     // an extent of 1
}

TEST_CASE("cutensor: a contraction of tensors with gaps leaves the gaps alone") {
  check<float>(sizes, "mhkn", "ukvh", "munv", 2);
  check<double>(sizes, "mkab", "bkna", "anbm", 1);
  check<std::complex<float>>(sizes, "mk", "kn", "mn", 3);
}

TEST_CASE("cutensor: modes of one input alone are summed, too") {
  check<float>(sizes, "mkh", "nk", "mn");
  check<float>(sizes, "mk", "nkv", "mn");
}

TEST_CASE("cutensor: a contraction of the source's extents, in small") {
  const Sizes awkward = {{'m', 17}, {'n', 5}, {'u', 13}, {'v', 11}, {'h', 7}, {'k', 19}};
  check<float>(awkward, "mhkn", "ukvh", "munv");
}

TEST_CASE("cutensor: a contraction goes with little workspace as well") {
  const Tensor<float> a("mhkn", sizes, 1);
  const Tensor<float> b("ukvh", sizes, 2);
  const Tensor<float> c("munv", sizes, 3);
  CHECK(agree(contracted(a, b, c, 1.0F, 1.0F, CUTENSOR_COMPUTE_DESC_32F, identity, 0),
              expected(sizes, a, b, c, 1.0F, 1.0F)));
}

TEST_CASE("cutensor: the conjugate of a complex operand") {
  using T = std::complex<double>;
  const Tensor<T> a("mk", sizes, 1);
  const Tensor<T> b("kn", sizes, 2);
  const Tensor<T> c("mn", sizes, 3);
  const T alpha{1, 2};
  const T beta{0, -1};
  CHECK(agree(contracted(a, b, c, alpha, beta, CUTENSOR_COMPUTE_DESC_64F, CUTENSOR_OP_CONJ),
              expected(sizes, a, b, c, alpha, beta, true)));
}

TEST_CASE("cutensor: with beta 0 what was in C does not matter") {
  const Tensor<float> a("mk", sizes, 1);
  const Tensor<float> b("kn", sizes, 2);
  Tensor<float> c("mn", sizes, 3);
  for (float& value : c.values) value = std::numeric_limits<float>::quiet_NaN();
  CHECK(agree(contracted(a, b, c, 1.0F, 0.0F, CUTENSOR_COMPUTE_DESC_32F),
              expected(sizes, a, b, c, 1.0F, 0.0F)));
}

TEST_CASE("cutensor: how inputs are rounded depends on what computes") {
  const Sizes matrices = {{'m', 32}, {'n', 32}, {'k', 64}};
  Tensor<float> a("mk", matrices, 1);
  Tensor<float> b("kn", matrices, 2);
  const Tensor<float> c("mn", matrices, 3);
  // More bits of fraction than TF32 has, and fewer than float.
  for (float& value : a.values) value += 1.0F + 0x1p-13F;
  for (float& value : b.values) value += 1.0F;
  std::vector<float> exact = expected(matrices, a, b, c, 1.0F, 0.0F);
  const auto with = [&](cutensorComputeDescriptor_t compute) {
    return contracted(a, b, c, 1.0F, 0.0F, compute);
  };
  CHECK(agree(with(CUTENSOR_COMPUTE_DESC_32F), exact, 1e-6));
  CHECK(agree(with(CUTENSOR_COMPUTE_DESC_3XTF32), exact, 1e-6));
  const std::vector<float> tf32 = with(CUTENSOR_COMPUTE_DESC_TF32);
  CHECK(agree(tf32, exact, 1e-3));
  CHECK_FALSE(agree(tf32, exact, 1e-6));
  CHECK(agree(with(CUTENSOR_COMPUTE_DESC_16F), exact, 1e-3));
  CHECK(agree(with(CUTENSOR_COMPUTE_DESC_16BF), exact, 1e-2));
}

TEST_CASE("cutensor: what a contraction refuses") {
  const Handle handle;
  const Descriptor a(handle, {4, 6});
  const Descriptor b(handle, {6, 5});
  const Descriptor c(handle, {4, 5});
  const Descriptor other_c(handle, {4, 5}, CUDA_R_32F, {1, 9});
  const Descriptor doubles(handle, {6, 5}, CUDA_R_64F);
  cutensorOperationDescriptor_t operation = nullptr;
  const auto create = [&](const std::string& modes_a, const std::string& modes_b,
                          const std::string& modes_c, cutensorTensorDescriptor_t desc_b,
                          cutensorOperator_t op_a = identity,
                          cutensorComputeDescriptor_t compute = CUTENSOR_COMPUTE_DESC_32F) {
    return verdict(handle, [&](cutensorOperationDescriptor_t* made) {
      return cutensorCreateContraction(handle, made, a, names(modes_a).data(), op_a, desc_b,
                                       names(modes_b).data(), identity, c, names(modes_c).data(),
                                       identity, c, names(modes_c).data(), compute);
    });
  };
  CHECK(create("mk", "kn", "mn", b) == success);
  CHECK(create("mk", "nk", "mn", b) != success);  // k is 6 long, and 5
  CHECK(create("mk", "kn", "nm", b) != success);  // m is 4 long, and 5
  CHECK(create("mm", "kn", "mn", b) != success);  // a mode twice
  CHECK(create("mk", "kn", "mx", b) != success);  // x comes from nowhere
  CHECK(create("mk", "kn", "mn", doubles) != success);
  CHECK(create("mk", "kn", "mn", b, CUTENSOR_OP_SQRT) != success);
  CHECK(create("mk", "kn", "mn", b, identity, CUTENSOR_COMPUTE_DESC_64F) != success);
  const auto mk = names("mk");
  const auto kn = names("kn");
  const auto mn = names("mn");
  CHECK(cutensorCreateContraction(handle, &operation, a, mk.data(), identity, b, kn.data(),
                                  identity, c, mn.data(), identity, other_c, mn.data(),
                                  CUTENSOR_COMPUTE_DESC_32F) != success);
  CHECK(cutensorCreateContraction(handle, nullptr, a, mk.data(), identity, b, kn.data(), identity,
                                  c, mn.data(), identity, c, mn.data(),
                                  CUTENSOR_COMPUTE_DESC_32F) == invalid);
  CHECK(cutensorCreateContraction(handle, &operation, nullptr, mk.data(), identity, b, kn.data(),
                                  identity, c, mn.data(), identity, c, mn.data(),
                                  CUTENSOR_COMPUTE_DESC_32F) == invalid);
}

TEST_CASE("cutensor: what an execution refuses") {
  const Handle handle;
  const Descriptor a(handle, {64, 64});
  const Plan plan(handle, [&](cutensorOperationDescriptor_t* operation) {
    return cutensorCreateContraction(handle, operation, a, names("mk").data(), identity, a,
                                     names("kn").data(), identity, a, names("mn").data(), identity,
                                     a, names("mn").data(), CUTENSOR_COMPUTE_DESC_32F);
  });
  const Array<float> left(std::vector<float>(64 * 64 + 1, 1.0F));
  const Array<float> right(std::vector<float>(64 * 64 + 1, 1.0F));
  const Array<float> result(std::vector<float>(64 * 64 + 1, 1.0F));
  const float one = 1;
  const auto contract = [&](const float* x, const float* y, float* d, const void* alpha) {
    return cutensorContract(handle, plan, alpha, x, y, &one, d, d, plan.workspace(), plan.size(),
                            nullptr);
  };
  CHECK(contract(left.get(), right.get(), result.get(), &one) == success);
  CHECK(contract(left.get(), right.get(), result.get(), nullptr) == invalid);
  CHECK(contract(nullptr, right.get(), result.get(), &one) == invalid);
  CHECK(contract(left.get(), right.get(), nullptr, &one) == invalid);
  CHECK(cutensorReduce(handle, plan, &one, left.get(), &one, result.get(), result.get(),
                       plan.workspace(), plan.size(), nullptr) != success);
  if (plan.size() > 0) {
    CHECK(cutensorContract(handle, plan, &one, left.get(), right.get(), &one, result.get(),
                           result.get(), plan.workspace(), plan.size() - 1, nullptr) == too_little);
  }
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("cutensor: estimates of the workspace grow with what is asked for") {
  const Handle handle;
  const Descriptor a(handle, {64, 64});
  const Plan plan(handle, [&](cutensorOperationDescriptor_t* operation) {
    return cutensorCreateContraction(handle, operation, a, names("mk").data(), identity, a,
                                     names("kn").data(), identity, a, names("mn").data(), identity,
                                     a, names("mn").data(), CUTENSOR_COMPUTE_DESC_32F);
  });
  cutensorPlanPreference_t preference = nullptr;
  REQUIRE(cutensorCreatePlanPreference(handle, &preference, CUTENSOR_ALGO_DEFAULT,
                                       CUTENSOR_JIT_MODE_NONE) == success);
  std::uint64_t least = 0;
  std::uint64_t usual = 0;
  std::uint64_t most = 0;
  CHECK(cutensorEstimateWorkspaceSize(handle, plan.operation(), preference, CUTENSOR_WORKSPACE_MIN,
                                      &least) == success);
  CHECK(cutensorEstimateWorkspaceSize(handle, plan.operation(), preference,
                                      CUTENSOR_WORKSPACE_DEFAULT, &usual) == success);
  CHECK(cutensorEstimateWorkspaceSize(handle, plan.operation(), preference, CUTENSOR_WORKSPACE_MAX,
                                      &most) == success);
  CHECK(least <= usual);
  CHECK(usual <= most);
  CHECK(cutensorEstimateWorkspaceSize(handle, plan.operation(), preference,
                                      CUTENSOR_WORKSPACE_DEFAULT, nullptr) == invalid);
  for (const std::uint64_t limit : {least, usual, most}) {
    cutensorPlan_t within = nullptr;
    REQUIRE(cutensorCreatePlan(handle, &within, plan.operation(), preference, limit) == success);
    std::uint64_t required = 0;
    CHECK(cutensorPlanGetAttribute(handle, within, CUTENSOR_PLAN_REQUIRED_WORKSPACE, &required,
                                   sizeof(required)) == success);
    CHECK(required <= limit);
    CHECK(cutensorDestroyPlan(within) == success);
  }
  CHECK(cutensorDestroyPlanPreference(preference) == success);
}

TEST_CASE("cutensor: a product of three tensors") {
  const Handle handle;
  const Tensor<float> a("mk", sizes, 1);
  const Tensor<float> b("kh", sizes, 2);
  const Tensor<float> c("hn", sizes, 3);
  Tensor<float> d("nm", sizes, 4);
  const Descriptor desc_a(handle, a.extent);
  const Descriptor desc_b(handle, b.extent);
  const Descriptor desc_c(handle, c.extent);
  const Descriptor desc_d(handle, d.extent);
  const Plan plan(handle, [&](cutensorOperationDescriptor_t* operation) {
    return cutensorCreateContractionTrinary(
        handle, operation, desc_a, names("mk").data(), identity, desc_b, names("kh").data(),
        identity, desc_c, names("hn").data(), identity, desc_d, names("nm").data(), identity,
        desc_d, names("nm").data(), CUTENSOR_COMPUTE_DESC_32F);
  });
  const Array<float> device_a(a.values);
  const Array<float> device_b(b.values);
  const Array<float> device_c(c.values);
  const Array<float> device_d(d.values);
  const float alpha = 2;
  const float beta = -3;
  REQUIRE(cutensorContractTrinary(handle, plan, &alpha, device_a.get(), device_b.get(),
                                  device_c.get(), &beta, device_d.get(), device_d.get(),
                                  plan.workspace(), plan.size(), nullptr) == success);
  Tensor<float>::for_all(sizes, "nm", [&](const Sizes& at) {
    float sum = 0;
    Tensor<float>::for_all(
        sizes, "hk", [&](const Sizes& all) { sum += a(all) * b(all) * c(all); }, at);
    d(at) = alpha * sum + beta * d(at);
  });
  CHECK(agree(device_d.numbers(), d.values));
}
