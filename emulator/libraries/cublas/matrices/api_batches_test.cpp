/// \file
/// What programs may expect of cuBLAS's functions for many problems at once, and for elements of
/// chosen types: see cublas/api_test.cpp.

#include "libraries/cublas/typed_test.hpp"

using namespace cublas_test;

namespace {

// Half precision: -2, -1, 0, 1 and so on; and the upper halves of floats.
using Bits = std::vector<std::uint16_t>;

/// Bits on the device for the length of a scope.
class BitsThere {
 public:
  explicit BitsThere(const Bits& bits) : size_(bits.size()) {
    REQUIRE(cudaMalloc(&data_, 2 * size_) == cudaSuccess);
    REQUIRE(cudaMemcpy(data_, bits.data(), 2 * size_, cudaMemcpyDefault) == cudaSuccess);
  }
  ~BitsThere() { cudaFree(data_); }
  BitsThere(const BitsThere&) = delete;
  BitsThere& operator=(const BitsThere&) = delete;
  std::uint16_t* get() const { return data_; }
  Bits bits() const {
    Bits result(size_);
    REQUIRE(cudaMemcpy(result.data(), data_, 2 * size_, cudaMemcpyDefault) == cudaSuccess);
    return result;
  }

 private:
  std::uint16_t* data_ = nullptr;
  std::size_t size_;
};

/// Addresses `distance` elements apart, on the device.
template <class T>
class Addresses {
 public:
  Addresses(T* first, int distance, int count) {
    std::vector<T*> addresses;
    for (int i = 0; i < count; ++i) addresses.push_back(first + i * distance);
    const std::size_t bytes = addresses.size() * sizeof(T*);
    REQUIRE(cudaMalloc(&data_, bytes) == cudaSuccess);
    REQUIRE(cudaMemcpy(data_, addresses.data(), bytes, cudaMemcpyDefault) == cudaSuccess);
  }
  ~Addresses() { cudaFree(data_); }
  Addresses(const Addresses&) = delete;
  Addresses& operator=(const Addresses&) = delete;
  T** get() const { return data_; }

 private:
  T** data_ = nullptr;
};

}  // namespace

TEST_CASE_TEMPLATE("cublas: groups of products of matrices", T, float, double) {
  const Handle handle;
  // Two of 2 x 1 x 2 by a transposed B, and one of 1 x 2 x 1.
  const Array<T> a({1, 2, 3, 4, 5, 6, 7, 8, 3});
  const Array<T> b({1, 10, 2, 20, 2, 5});
  const Array<T> c({1, 1, 1, 1, 1, 1});
  const T* const a_at[] = {a.get(), a.get() + 4, a.get() + 8};
  const T* const b_at[] = {b.get(), b.get() + 2, b.get() + 4};
  T* const c_at[] = {c.get(), c.get() + 2, c.get() + 4};
  const Array<const T*> as({a_at[0], a_at[1], a_at[2]});
  const Array<const T*> bs({b_at[0], b_at[1], b_at[2]});
  const Array<T*> cs({c_at[0], c_at[1], c_at[2]});
  const cublasOperation_t transa[] = {op_n, op_n};
  const cublasOperation_t transb[] = {op_t, op_n};
  const int m[] = {2, 1};
  const int n[] = {1, 2};
  const int k[] = {2, 1};
  const int lda[] = {2, 1};
  const int ldb[] = {1, 1};
  const int ldc[] = {2, 1};
  const int sizes[] = {2, 1};
  const T alpha[] = {1, 2};
  const T beta[] = {0, 1};
  CHECK(of<T>(cublasSgemmGroupedBatched, cublasDgemmGroupedBatched)(
            handle, transa, transb, m, n, k, alpha, as.get(), lda, bs.get(), ldb, beta, cs.get(),
            ldc, 2, sizes) == success);
  CHECK(agree(c.numbers(), {31, 42, 150, 172, 13, 31}));
  const T once[] = {0, 0};
  const cudaDataType type = sizeof(T) == 4 ? CUDA_R_32F : CUDA_R_64F;
  CHECK(cublasGemmGroupedBatchedEx(
            handle, transa, transb, m, n, k, alpha, reinterpret_cast<const void* const*>(as.get()),
            type, lda, reinterpret_cast<const void* const*>(bs.get()), type, ldb, once,
            reinterpret_cast<void* const*>(cs.get()), type, ldc, 2, sizes,
            sizeof(T) == 4 ? CUBLAS_COMPUTE_32F : CUBLAS_COMPUTE_64F) == success);
  CHECK(agree(c.numbers(), {31, 42, 150, 172, 12, 30}));
  CHECK(of<T>(cublasSgemmGroupedBatched, cublasDgemmGroupedBatched)(
            handle, transa, transb, m, n, k, alpha, as.get(), lda, bs.get(), ldb, beta, cs.get(),
            ldc, -1, sizes) == CUBLAS_STATUS_INVALID_VALUE);
}

TEST_CASE_TEMPLATE("cublas: many products of matrices", T, float, double) {
  const Handle handle;
  const int m = 5;
  const int n = 3;
  const int k = 4;
  const int ld = 7;
  const int count = 3;
  const int apart = 60;
  const T alpha = 2;
  for (const T beta : {T(3), T(0)}) {
    for (const auto op_a : {op_n, op_t}) {
      std::vector<T> a_memory;
      std::vector<T> b_memory;
      std::vector<T> c_memory;
      std::vector<T> expected;
      const auto add = [](std::vector<T>& memory, std::vector<T> matrix) {
        matrix.resize(apart, nothing<T>);
        memory.insert(memory.end(), matrix.begin(), matrix.end());
      };
      const Dense<T> b(k, n, 20);
      add(b_memory, stored(b, ld));
      for (int i = 0; i < count; ++i) {
        const Dense<T> a(m, k, i);
        const Dense<T> c(m, n, 10 + i);
        add(a_memory, stored(op(a, op_a), ld));
        add(c_memory, stored(c, ld));
        add(expected, stored(product(alpha, a, b, beta, c), ld));
      }
      const Array<T> a(a_memory);
      const Array<T> b_there(b_memory);
      {
        const Array<T> c(c_memory);
        // All with one B.
        CHECK(of<T>(cublasSgemmStridedBatched, cublasDgemmStridedBatched)(
                  handle, op_a, op_n, m, n, k, &alpha, a.get(), ld, apart, b_there.get(), ld, 0,
                  &beta, c.get(), ld, apart, count) == success);
        CHECK(agree(c.numbers(), expected));
      }
      const Array<T> c(c_memory);
      const Addresses<const T> a_array(a.get(), apart, count);
      const Addresses<const T> b_array(b_there.get(), 0, count);
      const Addresses<T> c_array(c.get(), apart, count);
      CHECK(of<T>(cublasSgemmBatched, cublasDgemmBatched)(
                handle, op_a, op_n, m, n, k, &alpha, a_array.get(), ld, b_array.get(), ld, &beta,
                c_array.get(), ld, count) == success);
      CHECK(agree(c.numbers(), expected));
    }
  }
}

TEST_CASE_TEMPLATE("cublas: many products of a matrix and a vector", T, float, double) {
  const Handle handle;
  const T alpha = 2;
  const T beta = 3;
  const Array<T> a({1, 2, 3, 4, 5, 6, 7, 8});  // two matrices of 2 x 2
  const Array<T> x({1, 10, 2, 20});
  const std::vector<T> before = {1, 2, 3, 4};
  const std::vector<T> expected = {65, 90, 309, 356};
  const std::vector<T> transposed = {45, 92, 269, 360};
  for (const auto trans : {op_n, op_t}) {
    const Array<T> y(before);
    CHECK(of<T>(cublasSgemvStridedBatched, cublasDgemvStridedBatched)(
              handle, trans, 2, 2, &alpha, a.get(), 2, 4, x.get(), 1, 2, &beta, y.get(), 1, 2, 2) ==
          success);
    CHECK(agree(y.numbers(), trans == op_n ? expected : transposed));
    const Array<T> z(before);
    const Addresses<const T> a_array(a.get(), 4, 2);
    const Addresses<const T> x_array(x.get(), 2, 2);
    const Addresses<T> z_array(z.get(), 2, 2);
    CHECK(of<T>(cublasSgemvBatched_64, cublasDgemvBatched_64)(
              handle, trans, 2, 2, &alpha, a_array.get(), 2, x_array.get(), 1, &beta, z_array.get(),
              1, 2) == success);
    CHECK(agree(z.numbers(), trans == op_n ? expected : transposed));
  }
}

TEST_CASE("cublas: batches that are none") {
  const Handle handle;
  const Array<float> numbers({1, 2});
  float* const d = numbers.get();
  CHECK(cublasSgemmStridedBatched(handle, op_n, op_n, 1, 1, 1, &one, d, 1, 1, d, 1, 1, &one, d + 1,
                                  1, 1, -1) == invalid);
  CHECK(cublasSgemmStridedBatched(handle, op_n, op_n, 1, 1, 1, &one, d, 1, 1, d, 1, 1, &one, d + 1,
                                  1, 1, 0) == success);
  CHECK(cublasSgemmBatched(handle, op_n, op_n, 2, 1, 1, &one, nullptr, 1, nullptr, 1, &one, nullptr,
                           2, 1) == invalid);
  CHECK(agree(numbers.numbers(), {1, 2}));
}

TEST_CASE_TEMPLATE("cublas: elements' types as arguments, float and double", T, float, double) {
  const Handle handle;
  const T alpha = 2;
  const T beta = 3;
  const auto type = std::is_same_v<T, float> ? CUDA_R_32F : CUDA_R_64F;
  const auto compute = std::is_same_v<T, float> ? CUBLAS_COMPUTE_32F : CUBLAS_COMPUTE_64F;
  const Array<T> a({1, 2, 3, 4});
  const Array<T> b({1, 10, 2, 20});
  const Array<T> c({1, 2, 3, 4});
  CHECK(cublasGemmEx(handle, op_n, op_n, 2, 2, 2, &alpha, a.get(), type, 2, b.get(), type, 2, &beta,
                     c.get(), type, 2, compute, CUBLAS_GEMM_DEFAULT) == success);
  CHECK(agree(c.numbers(), {65, 90, 133, 180}));
  // As programs of before CUDA 11 have it.
  CHECK(cublasGemmEx(handle, op_n, op_t, 1, 1, 2, &alpha, a.get(), type, 2, b.get(), type, 1, &beta,
                     c.get(), type, 1, type, CUBLAS_GEMM_DEFAULT_TENSOR_OP) == success);
  CHECK(agree(c.numbers(), {257, 90, 133, 180}));
  CHECK(cublasGemmStridedBatchedEx(handle, op_n, op_n, 1, 1, 2, &alpha, a.get(), type, 1, 2,
                                   b.get(), type, 2, 2, &beta, c.get(), type, 1, 1, 2, compute,
                                   CUBLAS_GEMM_DEFAULT) == success);
  CHECK(agree(c.numbers(), {813, 442, 133, 180}));
  const Addresses<const T> a_array(a.get(), 2, 2);
  const Addresses<T> c_array(c.get(), 1, 2);
  CHECK(cublasGemmBatchedEx(handle, op_n, op_n, 1, 1, 1, &alpha,
                            reinterpret_cast<const void* const*>(a_array.get()), type, 1,
                            reinterpret_cast<const void* const*>(a_array.get()), type, 1, &beta,
                            reinterpret_cast<void* const*>(c_array.get()), type, 1, 2, compute,
                            CUBLAS_GEMM_DEFAULT) == success);
  CHECK(agree(c.numbers(), {2441, 1344, 133, 180}));
}

TEST_CASE("cublas: halves and bfloat16, computed with float") {
  const Handle handle;
  const auto gemm = [&](cudaDataType type, const Bits& a, const Bits& b, auto* c,
                        cudaDataType c_type) {
    const BitsThere a_there(a);
    const BitsThere b_there(b);
    CHECK(cublasGemmEx(handle, op_n, op_n, 2, 1, 2, &two, a_there.get(), type, 2, b_there.get(),
                       type, 2, &three, c, c_type, 2, CUBLAS_COMPUTE_32F,
                       CUBLAS_GEMM_DEFAULT) == success);
  };
  // (1 2; 3 4) stored column by column, times (1, 0.5), twice, and thrice (1, -2).
  const Bits half_a = {0x3C00, 0x4200, 0x4000, 0x4400};
  const Bits half_b = {0x3C00, 0x3800};
  const BitsThere c({0x3C00, 0xC000});
  gemm(CUDA_R_16F, half_a, half_b, c.get(), CUDA_R_16F);
  CHECK(c.bits() == Bits{0x4700, 0x4400});  // 7 and 4
  const Array<float> sums({1, -2});
  gemm(CUDA_R_16F, half_a, half_b, sums.get(), CUDA_R_32F);
  CHECK(agree(sums.numbers(), {7, 4}));
  const Bits bfloat_a = {0x3F80, 0x4040, 0x4000, 0x4080};
  const Bits bfloat_b = {0x3F80, 0x3F00};
  const BitsThere d({0x3F80, 0xC000});
  gemm(CUDA_R_16BF, bfloat_a, bfloat_b, d.get(), CUDA_R_16BF);
  CHECK(d.bits() == Bits{0x40E0, 0x4080});
}

TEST_CASE("cublas: halves are rounded to the nearest, and to the even one halfway") {
  const Handle handle;
  const auto rounded = [&](float factor, std::uint16_t a, cudaDataType type,
                           std::uint16_t unit_bits) {
    const BitsThere one_there({unit_bits});
    const BitsThere a_there({a});
    const BitsThere c({0x7FC0});  // no number, which a factor of 0 keeps from being read
    CHECK(cublasGemmEx(handle, op_n, op_n, 1, 1, 1, &factor, a_there.get(), type, 1,
                       one_there.get(), type, 1, &zero, c.get(), type, 1, CUBLAS_COMPUTE_32F,
                       CUBLAS_GEMM_DEFAULT) == success);
    return c.bits()[0];
  };
  const std::uint16_t half_one = 0x3C00;
  const auto as_half = [&](float factor, std::uint16_t a) {
    return rounded(factor, a, CUDA_R_16F, half_one);
  };
  CHECK(as_half(1.0F + 1.0F / 2048, half_one) == 0x3C00);  // halfway from 1 to the next
  CHECK(as_half(1.0F + 3.0F / 2048, half_one) == 0x3C02);  // halfway between two odd ones
  CHECK(as_half(1.0F + 1.1F / 2048, half_one) == 0x3C01);
  CHECK(as_half(-65519.0F, half_one) == 0xFBFF);  // the largest
  CHECK(as_half(65520.0F, half_one) == 0x7C00);   // infinity
  CHECK(as_half(0.5F, 0x0003) == 0x0002);         // 1.5 of the smallest
  CHECK(as_half(0.5F, 0x0001) == 0x0000);
  CHECK(as_half(0.5F, 0x07FF) == 0x0400);  // up to the smallest normal one
  CHECK(rounded(1.0F + 1.0F / 256, 0x3F80, CUDA_R_16BF, 0x3F80) == 0x3F80);
  CHECK(rounded(1.0F + 3.0F / 256, 0x3F80, CUDA_R_16BF, 0x3F80) == 0x3F82);
}

TEST_CASE("cublas: a product of halves with factors that are halves") {
  const Handle handle;
  const std::uint16_t alpha = 0x4000;  // 2
  const std::uint16_t beta = 0xBC00;   // -1
  const BitsThere a({0x4200});         // 3
  const BitsThere c({0x3C00});         // 1
  CHECK(cublasGemmEx(handle, op_n, op_n, 1, 1, 1, &alpha, a.get(), CUDA_R_16F, 1, a.get(),
                     CUDA_R_16F, 1, &beta, c.get(), CUDA_R_16F, 1, CUBLAS_COMPUTE_16F,
                     CUBLAS_GEMM_DEFAULT) == success);
  CHECK(c.bits() == Bits{0x4C40});  // 17
}

TEST_CASE("cublas: types of elements that do not go together") {
  const Handle handle;
  const Array<float> c({1, 2});
  CHECK(cublasGemmEx(handle, op_n, op_n, 1, 1, 1, &one, c.get(), CUDA_R_32F, 1, c.get(), CUDA_R_64F,
                     1, &one, c.get() + 1, CUDA_R_32F, 1, CUBLAS_COMPUTE_32F,
                     CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_NOT_SUPPORTED);
  CHECK(agree(c.numbers(), {1, 2}));
}

TEST_CASE_TEMPLATE("cublas: factors, solutions and inverses of many matrices", T, float, double) {
  const Handle handle;
  // (0 2; 4 1), which needs its rows exchanged, and (2 1; 4 4), columns 3 apart.
  const std::vector<T> before = {0, 4, nothing<T>, 2, 1, nothing<T>,
                                 2, 4, nothing<T>, 1, 4, nothing<T>};
  const Array<T> a(before);
  const Addresses<T> a_array(a.get(), 6, 2);
  const Addresses<const T> const_a_array(a.get(), 6, 2);
  const Array<int> pivots(std::vector<int>(4));
  const Array<int> info({7, 7});
  CHECK(of<T>(cublasSgetrfBatched, cublasDgetrfBatched)(handle, 2, a_array.get(), 3, pivots.get(),
                                                        info.get(), 2) == success);
  CHECK(pivots.numbers() == std::vector<int>{2, 2, 2, 2});
  CHECK(info.numbers() == std::vector<int>{0, 0});
  CHECK(agree(a.numbers(),
              {4, 0, nothing<T>, 1, 2, nothing<T>, 4, T(0.5), nothing<T>, 4, -1, nothing<T>}));

  // Times (1, 2): 4 and 6; 4 and 12. Transposed: 8 and 4; 10 and 9.
  for (const auto trans : {op_n, op_t}) {
    const Array<T> b(trans == op_n ? std::vector<T>{4, 6, 4, 12} : std::vector<T>{8, 4, 10, 9});
    const Addresses<T> b_array(b.get(), 2, 2);
    int wrong = 7;
    CHECK(of<T>(cublasSgetrsBatched, cublasDgetrsBatched)(handle, trans, 2, 1, const_a_array.get(),
                                                          3, pivots.get(), b_array.get(), 2, &wrong,
                                                          2) == success);
    CHECK(wrong == 0);
    CHECK(agree(b.numbers(), {1, 2, 1, 2}, 1e-6));
  }

  const std::vector<T> inverses = {T(-0.125), T(0.5), T(0.25), 0, 1, -1, T(-0.25), T(0.5)};
  const Array<T> c(std::vector<T>(8));
  const Addresses<T> c_array(c.get(), 4, 2);
  CHECK(of<T>(cublasSgetriBatched, cublasDgetriBatched)(handle, 2, const_a_array.get(), 3,
                                                        pivots.get(), c_array.get(), 2, info.get(),
                                                        2) == success);
  CHECK(agree(c.numbers(), inverses, 1e-6));

  const Array<T> again(before);
  const Addresses<const T> again_array(again.get(), 6, 2);
  const Array<T> d(std::vector<T>(8));
  const Addresses<T> d_array(d.get(), 4, 2);
  CHECK(of<T>(cublasSmatinvBatched, cublasDmatinvBatched)(
            handle, 2, again_array.get(), 3, d_array.get(), 2, info.get(), 2) == success);
  CHECK(agree(d.numbers(), inverses, 1e-6));
  CHECK(agree(again.numbers(), before));
  CHECK(info.numbers() == std::vector<int>{0, 0});
}

TEST_CASE("cublas: factors without pivots, and a matrix without an inverse") {
  const Handle handle;
  const Array<float> a({2, 4, 1, 4, 1, 2, 2, 4});
  const Addresses<float> array(a.get(), 4, 2);
  const Array<int> info({7, 7});
  CHECK(cublasSgetrfBatched(handle, 2, array.get(), 2, nullptr, info.get(), 2) == success);
  CHECK(agree(a.numbers(), {2, 2, 1, 2, 1, 2, 2, 0}));
  CHECK(info.numbers() == std::vector<int>{0, 2});
  int wrong = 0;
  CHECK(cublasSgetrsBatched(handle, op_n, 2, 1, nullptr, 1, nullptr, nullptr, 2, &wrong, 1) ==
        invalid);
  CHECK(wrong < 0);
  CHECK(cublasSgetrfBatched(handle, 2, array.get(), 1, nullptr, info.get(), 2) == invalid);
}
