/// \file
/// What only the emulator's cuBLAS promises: the arithmetic in blocks and in small numbers.

#include <cuda_fp16.h>
#include <sys/mman.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "libraries/cublas/compute.hpp"
#include "libraries/cublas/messages_test.hpp"
#include "tests/support/host_test.hpp"

using namespace cublas_test;
using host_test::Fresh;

namespace {

constexpr std::int64_t big = std::int64_t{1} << 40;

}  // namespace

TEST_CASE("cublas: sizes of 64 bits do not wrap round") {
  const Fresh fresh;
  const Handle handle;
  const OnDevice numbers({1, 2, 3, 4});
  float* const d = numbers.get();
  // One column or one element has no distance to a next one.
  CHECK(cublasSgemv_64(handle, op_n, 2, 1, &two, d, big, d, big, &zero, d + 2, -1) == success);
  CHECK(numbers.numbers() == Numbers{1, 2, 4, 2});
  CHECK(cublasSgemm_64(handle, op_n, op_n, 1, 1, 1, &two, d, big, d, big, &zero, d + 2, big) ==
        success);
  CHECK(numbers.numbers() == Numbers{1, 2, 2, 2});
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  CHECK(messages_of<float>([](cublasHandle_t child_handle, float* x) {
          cublasSgemv_64(child_handle, op_n, 3, 3, &one, x, most, x, 1, &one, x, 1);
        }) ==
        "emulator: cublasSgemv: A needs more floats than any memory holds, its allocation "
        "holds 4 from there: illegal address\n");
  CHECK(messages_of<float>([](cublasHandle_t child_handle, float* x) {
          cublasSgemv_64(child_handle, op_n, 1, 2, &one, x, 1, x, least, &one, x, 1);
        }) ==
        "emulator: cublasSgemv: x needs 9223372036854775809 floats, its allocation holds 4 "
        "from there: illegal address\n");
  CHECK(cublasSetVector_64(2, 4, d, -big, d, 1) == invalid);
  CHECK(cublasSetVector_64(2, big, d, big, d, 1) == mapping_error);
  CHECK(cublasSetMatrix_64(big, 2, big, d, big, d, big) == mapping_error);
  CHECK(cublasSetMatrix_64(big, 2, big, d, 1, d, 1) == mapping_error);
}

TEST_CASE("cublas: products in small blocks are the same products") {
  using namespace emulator::cublas;
  const int size = 11;
  const Numbers a = some_numbers(size * size, 1);
  const Numbers b = some_numbers(size * size, 2);
  for (const std::int64_t limit : {1, 2, 3, 7, 10, 11}) {
    CAPTURE(limit);
    for (const bool a_transposed : {false, true}) {
      const ConstMatrix<float> op_of_a{a.data(), size, a_transposed};
      for (const bool b_transposed : {false, true}) {
        const ConstMatrix<float> op_of_b{b.data(), size, b_transposed};
        Numbers whole(size * size, 1);
        Numbers blocks(size * size, 1);
        add_product(5, 7, 10, 2, op_of_a, op_of_b, {whole.data(), size});
        add_product(5, 7, 10, 2, op_of_a, op_of_b, {blocks.data(), size}, limit);
        CHECK(blocks == whole);
      }
      for (const std::int64_t increment : {-3, -1, 1, 2}) {
        CAPTURE(increment);
        Numbers whole(32, 1);
        Numbers blocks(32, 1);
        const Line<const float> x{b.data(), 7, increment};
        add_product(2, op_of_a, x, {whole.data(), 6, -increment});
        add_product(2, op_of_a, x, {blocks.data(), 6, -increment}, limit);
        CHECK(blocks == whole);
      }
    }
  }
}

TEST_CASE("cublas: columns and elements further apart than an int can tell") {
  using namespace emulator::cublas;
  // Pages that nobody touches cost no memory.
  constexpr std::size_t bytes = std::size_t{20} << 30;
  void* const pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) {
    MESSAGE("not tested: the system gives no 20 GB of addresses");
    return;
  }
  auto* const a = static_cast<float*>(pages);
  const Numbers ones(9, 1);
  for (const std::int64_t apart : {std::int64_t{1} << 29, (std::int64_t{1} << 31) + 3}) {
    CAPTURE(apart);
    const std::int64_t columns = apart == std::int64_t{1} << 29 ? 9 : 3;
    float sum = 0;
    float squares = 0;
    for (std::int64_t j = 0; j < columns; ++j) {
      const auto value = static_cast<float>(j + 1);
      a[j * apart] = value;
      a[j * apart + 1] = 10 * value;
      sum += value;
      squares += value * value;
    }
    Numbers y(2);
    const ConstMatrix<float> plain{a, apart, false};
    const ConstMatrix<float> transposed{a, apart, true};
    add_product(1, plain, {ones.data(), columns}, {y.data(), 2});
    CHECK(y == Numbers{sum, 10 * sum});
    Numbers z(static_cast<std::size_t>(columns));
    add_product(1, transposed, {ones.data(), 2}, {z.data(), columns});
    CHECK(z.back() == 11 * static_cast<float>(columns));
    Numbers c(4);
    add_product(2, 2, columns, 1, plain, transposed, {c.data(), 2});
    CHECK(c == Numbers{squares, 10 * squares, 10 * squares, 100 * squares});
    Numbers dot(1);
    const ConstMatrix<float> row{ones.data(), 1, false};
    add_product(1, row, {a, columns, apart}, {dot.data(), 1});
    CHECK(dot == Numbers{sum});
    add_product(1, row, {a, columns, -apart}, {dot.data(), 1});
    CHECK(dot == Numbers{2 * sum});
  }
  munmap(pages, bytes);
}

// A GPU may do likewise, and need not.
TEST_CASE("cublas: floats are rounded first where a GPU's tensor cores would") {
  const Fresh fresh;
  const Handle handle;
  const OnDevice unit({1});
  const auto product_of = [&](float x, cublasComputeType_t compute,
                              cublasGemmAlgo_t algo = CUBLAS_GEMM_DEFAULT) {
    const OnDevice there({x});
    const OnDevice result({0});
    CHECK(cublasGemmEx(handle, op_n, op_n, 1, 1, 1, &one, there.get(), CUDA_R_32F, 1, unit.get(),
                       CUDA_R_32F, 1, &zero, result.get(), CUDA_R_32F, 1, compute,
                       algo) == success);
    return result.numbers()[0];
  };
  const auto sgemm = [&](float x) {
    const OnDevice there({x});
    const OnDevice result({0});
    CHECK(cublasSgemm(handle, op_n, op_n, 1, 1, 1, &one, there.get(), 1, unit.get(), 1, &zero,
                      result.get(), 1) == success);
    return result.numbers()[0];
  };
  const float halfway = 1 + 0x1p-11F;  // for the 10 bits that TF32 and half have
  const auto tf32 = CUBLAS_COMPUTE_32F_FAST_TF32;
  CHECK(product_of(halfway, CUBLAS_COMPUTE_32F) == halfway);
  CHECK(product_of(halfway, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT_TENSOR_OP) == halfway);
  CHECK(product_of(halfway, tf32) == 1 + 0x1p-10F);
  CHECK(product_of(-halfway, tf32) == -1 - 0x1p-10F);
  CHECK(product_of(1 + 0x1.8p-12F, tf32) == 1);
  CHECK(product_of(0x1p100F, tf32) == 0x1p100F);
  CHECK(std::isnan(product_of(no_number, tf32)));
  CHECK(product_of(halfway, CUBLAS_COMPUTE_32F_FAST_16F) == 1);
  CHECK(std::isinf(product_of(70000, CUBLAS_COMPUTE_32F_FAST_16F)));
  CHECK(product_of(1 + 0x1p-7F, CUBLAS_COMPUTE_32F_FAST_16BF) == 1 + 0x1p-7F);
  CHECK(product_of(1 + 0x1p-8F, CUBLAS_COMPUTE_32F_FAST_16BF) == 1);
  CHECK(product_of(halfway, CUBLAS_COMPUTE_32F_EMULATED_16BFX9) == halfway);
  CHECK(sgemm(halfway) == halfway);
  REQUIRE(cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH) == success);
  CHECK(sgemm(halfway) == 1 + 0x1p-10F);
  CHECK(product_of(halfway, CUBLAS_COMPUTE_32F) == 1 + 0x1p-10F);
  CHECK(product_of(halfway, CUBLAS_COMPUTE_32F_PEDANTIC) == halfway);
  REQUIRE(cublasSetMathMode(handle, CUBLAS_TENSOR_OP_MATH) == success);
  CHECK(sgemm(halfway) == 1);
  REQUIRE(cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH) == success);
  CHECK(sgemm(halfway) == halfway);
}

TEST_CASE("cublas: with halves as compute type, sums are halves") {
  const Fresh fresh;
  const Handle handle;
  // Whole numbers above 2048 are halves only if they are even.
  const auto sum_of = [&](int second, int third, cublasComputeType_t compute) {
    std::vector<__half> terms(48);
    terms[0] = __float2half(2048);
    terms[static_cast<std::size_t>(second)] = __float2half(1);
    terms[static_cast<std::size_t>(third)] = __float2half(1);
    const Array<__half> there(terms);
    const Array<__half> units(std::vector<__half>(48, __float2half(1)));
    const Array<__half> result(std::vector<__half>(1));
    const __half unit = __float2half(1);
    const __half none = __float2half(0);
    const bool by_halves = compute != CUBLAS_COMPUTE_32F;
    const void* const alpha = by_halves ? static_cast<const void*>(&unit) : &one;
    const void* const beta = by_halves ? static_cast<const void*>(&none) : &zero;
    CHECK(cublasGemmEx(handle, op_t, op_n, 1, 1, 48, alpha, there.get(), CUDA_R_16F, 48,
                       units.get(), CUDA_R_16F, 48, beta, result.get(), CUDA_R_16F, 1, compute,
                       CUBLAS_GEMM_DEFAULT) == success);
    return __half2float(result.numbers()[0]);
  };
  CHECK(sum_of(16, 32, CUBLAS_COMPUTE_32F) == 2050);
  CHECK(sum_of(16, 32, CUBLAS_COMPUTE_16F) == 2048);
  CHECK(sum_of(1, 2, CUBLAS_COMPUTE_16F) == 2050);
  CHECK(sum_of(1, 2, CUBLAS_COMPUTE_16F_PEDANTIC) == 2048);
}
