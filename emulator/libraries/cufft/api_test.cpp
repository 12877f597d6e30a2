// cuFFT as any program calls it, beside sums by the definition. This file needs nothing of the
// emulator: it also compiles against NVIDIA's cuFFT.

#include <cufft.h>
#include <cufftXt.h>
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <complex>
#include <vector>

#include "libraries/common/capture_test.hpp"

namespace {

using Complex = std::complex<double>;
using Sizes = std::array<int, 3>;

// Numbers that no symmetry helps.
double number(std::size_t i) {
  return static_cast<double>(i * 7 % 11) - 4.5 + 0.25 * static_cast<double>(i % 3);
}

// The transform by its definition.
std::vector<Complex> transformed(const std::vector<Complex>& in, Sizes n, int direction) {
  std::vector<Complex> out(in.size());
  const double turn = 2 * std::acos(-1.0) * direction;
  const auto at = [&](int x, int y, int z) {
    return static_cast<std::size_t>((x * n[1] + y) * n[2] + z);
  };
  const auto for_all = [&](auto use) {
    for (int x = 0; x < n[0]; ++x) {
      for (int y = 0; y < n[1]; ++y) {
        for (int z = 0; z < n[2]; ++z) use(x, y, z);
      }
    }
  };
  for_all([&](int x, int y, int z) {
    Complex sum = 0;
    for_all([&](int a, int b, int c) {
      const double angle =
          turn * (static_cast<double>(x * a) / n[0] + static_cast<double>(y * b) / n[1] +
                  static_cast<double>(z * c) / n[2]);
      sum += in[at(a, b, c)] * std::polar(1.0, angle);
    });
    out[at(x, y, z)] = sum;
  });
  return out;
}

template <class T>
class Device {
 public:
  explicit Device(std::size_t count) : count_(count) {
    REQUIRE(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)) == cudaSuccess);
    REQUIRE(cudaMemset(data_, 0, count * sizeof(T)) == cudaSuccess);
  }
  explicit Device(const std::vector<T>& values) : Device(values.size()) {
    REQUIRE(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice) ==
            cudaSuccess);
  }
  ~Device() { cudaFree(data_); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  template <class U = T>
  U* get() const {
    return reinterpret_cast<U*>(data_);
  }
  std::vector<T> values() const {
    std::vector<T> result(count_);
    REQUIRE(cudaMemcpy(result.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost) ==
            cudaSuccess);
    return result;
  }

 private:
  std::size_t count_;
  T* data_ = nullptr;
};

template <class A, class B>
void check_close(const std::vector<A>& got, const std::vector<B>& expected, double tolerance) {
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(Complex(got[i]) - Complex(expected[i])) < tolerance);
  }
}

cufftHandle plan_of(Sizes n, cufftType type) {
  cufftHandle plan = 0;
  if (n[0] > 1) {
    REQUIRE(cufftPlan3d(&plan, n[0], n[1], n[2], type) == CUFFT_SUCCESS);
  } else if (n[1] > 1) {
    REQUIRE(cufftPlan2d(&plan, n[1], n[2], type) == CUFFT_SUCCESS);
  } else {
    REQUIRE(cufftPlan1d(&plan, n[2], type, 1) == CUFFT_SUCCESS);
  }
  return plan;
}

std::vector<Complex> numbers(std::size_t count, bool are_real) {
  std::vector<Complex> result(count);
  for (std::size_t i = 0; i < count; ++i) {
    result[i] = {number(i), are_real ? 0 : number(3 * i + 5)};
  }
  return result;
}

// The half of a real input's transform that is kept.
std::vector<Complex> half_of(const std::vector<Complex>& all, Sizes n) {
  std::vector<Complex> half;
  for (int row = 0; row < n[0] * n[1]; ++row) {
    for (int z = 0; z < n[2] / 2 + 1; ++z) {
      half.push_back(all[static_cast<std::size_t>(row * n[2] + z)]);
    }
  }
  return half;
}

constexpr Sizes all_sizes[] = {{1, 1, 1}, {1, 1, 2}, {1, 1, 31}, {1, 3, 8}, {1, 7, 5}, {2, 3, 7}};

template <class T>
std::vector<T> narrowed(const std::vector<Complex>& values) {
  std::vector<T> result;
  for (const Complex& value : values) {
    if constexpr (std::is_floating_point_v<T>) {
      result.push_back(static_cast<T>(value.real()));
    } else {
      result.emplace_back(value);
    }
  }
  return result;
}

}  // namespace

TEST_CASE("cuFFT: complex transforms there and back, of floats and doubles") {
  for (const Sizes n : all_sizes) {
    CAPTURE(n[0]);
    CAPTURE(n[1]);
    CAPTURE(n[2]);
    const auto given = numbers(static_cast<std::size_t>(n[0] * n[1] * n[2]), false);
    for (const int direction : {CUFFT_FORWARD, CUFFT_INVERSE}) {
      const auto expected = transformed(given, n, direction);
      const Device<std::complex<float>> in(narrowed<std::complex<float>>(given));
      const Device<std::complex<float>> out(given.size());
      const cufftHandle plan = plan_of(n, CUFFT_C2C);
      CHECK(cufftExecC2C(plan, in.get<cufftComplex>(), out.get<cufftComplex>(), direction) ==
            CUFFT_SUCCESS);
      check_close(out.values(), expected, 1e-3);
      check_close(in.values(), given, 1e-6);
      CHECK(cufftExecC2C(plan, in.get<cufftComplex>(), in.get<cufftComplex>(), direction) ==
            CUFFT_SUCCESS);
      check_close(in.values(), expected, 1e-3);
      CHECK(cufftDestroy(plan) == CUFFT_SUCCESS);

      const Device<Complex> both(given);
      const cufftHandle of_doubles = plan_of(n, CUFFT_Z2Z);
      CHECK(cufftExecZ2Z(of_doubles, both.get<cufftDoubleComplex>(), both.get<cufftDoubleComplex>(),
                         direction) == CUFFT_SUCCESS);
      check_close(both.values(), expected, 1e-10);
      CHECK(cufftDestroy(of_doubles) == CUFFT_SUCCESS);
    }
  }
}

TEST_CASE("cuFFT: of real numbers half is kept, and the way back gives n times the numbers") {
  for (const Sizes n : all_sizes) {
    CAPTURE(n[2]);
    const auto count = static_cast<std::size_t>(n[0] * n[1] * n[2]);
    const auto given = numbers(count, true);
    const auto expected = half_of(transformed(given, n, CUFFT_FORWARD), n);
    auto scaled = given;
    for (Complex& value : scaled) value *= static_cast<double>(count);

    const Device<float> in(narrowed<float>(given));
    const Device<std::complex<float>> out(expected.size());
    const cufftHandle forward = plan_of(n, CUFFT_R2C);
    CHECK(cufftExecR2C(forward, in.get(), out.get<cufftComplex>()) == CUFFT_SUCCESS);
    check_close(out.values(), expected, 1e-3);
    const cufftHandle back = plan_of(n, CUFFT_C2R);
    CHECK(cufftExecC2R(back, out.get<cufftComplex>(), in.get()) == CUFFT_SUCCESS);
    check_close(in.values(), scaled, 1e-2);
    CHECK(cufftDestroy(forward) == CUFFT_SUCCESS);
    CHECK(cufftDestroy(back) == CUFFT_SUCCESS);

    const Device<double> wide_in(narrowed<double>(given));
    const Device<Complex> wide_out(expected.size());
    const cufftHandle wide = plan_of(n, CUFFT_D2Z);
    const cufftHandle wide_back = plan_of(n, CUFFT_Z2D);
    CHECK(cufftExecD2Z(wide, wide_in.get(), wide_out.get<cufftDoubleComplex>()) == CUFFT_SUCCESS);
    check_close(wide_out.values(), expected, 1e-10);
    CHECK(cufftExecZ2D(wide_back, wide_out.get<cufftDoubleComplex>(), wide_in.get()) ==
          CUFFT_SUCCESS);
    check_close(wide_in.values(), scaled, 1e-9);
    CHECK(cufftDestroy(wide) == CUFFT_SUCCESS);
    CHECK(cufftDestroy(wide_back) == CUFFT_SUCCESS);
  }
}

TEST_CASE("cuFFT: in place, rows of real numbers have room for the complex ones") {
  constexpr Sizes n{1, 3, 5};
  const auto given = numbers(15, true);
  std::vector<float> padded(3 * 6, 1000.0F);  // what fills the rows does not count
  for (std::size_t i = 0; i < 15; ++i) {
    padded[i / 5 * 6 + i % 5] = static_cast<float>(given[i].real());
  }
  const Device<float> data(padded);
  const cufftHandle plan = plan_of(n, CUFFT_R2C);
  CHECK(cufftExecR2C(plan, data.get(), data.get<cufftComplex>()) == CUFFT_SUCCESS);
  const auto got = data.values();
  const auto expected = half_of(transformed(given, n, CUFFT_FORWARD), n);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(std::abs(Complex(got[2 * i], got[2 * i + 1]) - expected[i]) < 1e-3);
  }
  const cufftHandle back = plan_of(n, CUFFT_C2R);
  CHECK(cufftExecC2R(back, data.get<cufftComplex>(), data.get()) == CUFFT_SUCCESS);
  const auto returned = data.values();
  for (std::size_t i = 0; i < 15; ++i) {
    CHECK(std::abs(returned[i / 5 * 6 + i % 5] - 15 * given[i].real()) < 1e-3);
  }
  CHECK(cufftDestroy(plan) == CUFFT_SUCCESS);
  CHECK(cufftDestroy(back) == CUFFT_SUCCESS);
}

TEST_CASE("cuFFT: batches, strides and gaps") {
  // Two columns of a matrix with rows of 3: each is a transform of 4, one element in three.
  const auto given = numbers(12, false);
  const Device<std::complex<float>> in(narrowed<std::complex<float>>(given));
  const Device<std::complex<float>> out(2 * 5);
  int n[] = {4};
  int in_embed[] = {4};
  int out_embed[] = {5};
  cufftHandle plan = 0;
  REQUIRE(cufftPlanMany(&plan, 1, n, in_embed, 3, 1, out_embed, 1, 5, CUFFT_C2C, 2) ==
          CUFFT_SUCCESS);
  CHECK(cufftExecC2C(plan, in.get<cufftComplex>(), out.get<cufftComplex>(), CUFFT_FORWARD) ==
        CUFFT_SUCCESS);
  const auto got = out.values();
  for (std::size_t column = 0; column < 2; ++column) {
    std::vector<Complex> of_column;
    for (std::size_t i = 0; i < 4; ++i) of_column.push_back(given[3 * i + column]);
    const auto expected = transformed(of_column, {1, 1, 4}, CUFFT_FORWARD);
    for (std::size_t i = 0; i < 4; ++i) {
      CHECK(std::abs(Complex(got[5 * column + i]) - expected[i]) < 1e-4);
    }
    CHECK(got[5 * column + 4] == std::complex<float>());
  }
  CHECK(cufftDestroy(plan) == CUFFT_SUCCESS);

  // Without what the elements are embedded in, strides do not count: three transforms in a row.
  std::size_t work = 1;
  REQUIRE(cufftCreate(&plan) == CUFFT_SUCCESS);
  REQUIRE(cufftMakePlanMany(plan, 1, n, nullptr, 7, 7, nullptr, 7, 7, CUFFT_C2C, 3, &work) ==
          CUFFT_SUCCESS);
  CHECK(cufftExecC2C(plan, in.get<cufftComplex>(), in.get<cufftComplex>(), CUFFT_INVERSE) ==
        CUFFT_SUCCESS);
  const auto rows = in.values();
  for (std::size_t row = 0; row < 3; ++row) {
    const std::vector<Complex> of_row(given.begin() + 4 * static_cast<std::ptrdiff_t>(row),
                                      given.begin() + 4 * static_cast<std::ptrdiff_t>(row) + 4);
    const auto expected = transformed(of_row, {1, 1, 4}, CUFFT_INVERSE);
    for (std::size_t i = 0; i < 4; ++i) {
      CHECK(std::abs(Complex(rows[4 * row + i]) - expected[i]) < 1e-4);
    }
  }
  CHECK(cufftDestroy(plan) == CUFFT_SUCCESS);

  // A plane of 2 x 3 within one of 3 x 4.
  int planes[] = {2, 3};
  int room[] = {3, 4};
  REQUIRE(cufftPlanMany(&plan, 2, planes, room, 1, 12, planes, 1, 6, CUFFT_C2C, 1) ==
          CUFFT_SUCCESS);
  const Device<std::complex<float>> plane(narrowed<std::complex<float>>(given));
  const Device<std::complex<float>> close(6);
  CHECK(cufftExecC2C(plan, plane.get<cufftComplex>(), close.get<cufftComplex>(), CUFFT_FORWARD) ==
        CUFFT_SUCCESS);
  const std::vector<Complex> part{given[0], given[1], given[2], given[4], given[5], given[6]};
  check_close(close.values(), transformed(part, {1, 2, 3}, CUFFT_FORWARD), 1e-4);
  CHECK(cufftDestroy(plan) == CUFFT_SUCCESS);
}

TEST_CASE("cuFFT: what makes no sense is refused") {
  cufftHandle plan = 0;
  CHECK(cufftPlan1d(&plan, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE);
  CHECK(cufftPlan1d(&plan, 8, CUFFT_C2C, 0) == CUFFT_INVALID_SIZE);
  CHECK(cufftPlan1d(&plan, 8, static_cast<cufftType>(1), 1) == CUFFT_INVALID_TYPE);
  CHECK(cufftDestroy(4711) == CUFFT_INVALID_PLAN);
  REQUIRE(cufftCreate(&plan) == CUFFT_SUCCESS);
  const Device<std::complex<float>> data(8);
  auto* const numbers = data.get<cufftComplex>();
  CHECK(cufftExecC2C(plan, numbers, numbers, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);  // not made
  std::size_t work = 0;
  REQUIRE(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, &work) == CUFFT_SUCCESS);
  CHECK(cufftExecC2C(plan, numbers, numbers, 0) == CUFFT_INVALID_VALUE);
  CHECK(cufftDestroy(plan) == CUFFT_SUCCESS);
  CHECK(cufftExecC2C(plan, numbers, numbers, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
  CHECK(cufftDestroy(plan) == CUFFT_INVALID_PLAN);
  int version = 0;
  CHECK(cufftGetVersion(&version) == CUFFT_SUCCESS);
  CHECK(version >= 10000);
}

TEST_CASE("cuFFT: a plan by the types of its data") {
  const auto given = numbers(8, true);
  const Device<float> in(narrowed<float>(given));
  const Device<std::complex<float>> out(5);
  cufftHandle plan = 0;
  long long n[] = {8};
  std::size_t work = 0;
  REQUIRE(cufftCreate(&plan) == CUFFT_SUCCESS);
  REQUIRE(cufftXtMakePlanMany(plan, 1, n, nullptr, 1, 1, CUDA_R_32F, nullptr, 1, 1, CUDA_C_32F, 1,
                              &work, CUDA_C_32F) == CUFFT_SUCCESS);
  CHECK(cufftXtExec(plan, in.get(), out.get(), CUFFT_FORWARD) == CUFFT_SUCCESS);
  check_close(out.values(), half_of(transformed(given, {1, 1, 8}, CUFFT_FORWARD), {1, 1, 8}), 1e-4);
  CHECK(cufftDestroy(plan) == CUFFT_SUCCESS);
}

TEST_CASE("cuFFT: a captured transform is done by each launch, as the plan was then") {
  const Device<std::complex<float>> data(std::vector<std::complex<float>>{1, 0, 0, 0});
  libraries::Capture capture;
  cufftHandle plan = 0;
  REQUIRE(cufftPlan1d(&plan, 4, CUFFT_C2C, 1) == CUFFT_SUCCESS);
  REQUIRE(cufftSetStream(plan, capture.stream()) == CUFFT_SUCCESS);
  capture.begin();
  auto* const elements = data.get<cufftComplex>();
  CHECK(cufftExecC2C(plan, elements, elements, 7) == CUFFT_INVALID_VALUE);
  CHECK(cufftExecC2C(plan, elements, elements, CUFFT_FORWARD) == CUFFT_SUCCESS);
  REQUIRE(capture.end() == cudaSuccess);
  CHECK(cufftSetStream(plan, nullptr) == CUFFT_SUCCESS);
  CHECK(data.values()[3] == 0.0F);  // nothing has been done yet
  capture.launch();
  CHECK(data.values()[3] == 1.0F);
  capture.launch();
  CHECK(data.values() == std::vector<std::complex<float>>{4, 0, 0, 0});
  CHECK(cufftDestroy(plan) == CUFFT_SUCCESS);
}
