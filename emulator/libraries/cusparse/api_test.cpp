// cuSPARSE as any program calls it, beside products of whole matrices. This file needs nothing of
// the emulator: it also compiles against NVIDIA's cuSPARSE.

#include <cusparse.h>
#include <doctest/doctest.h>

#include <complex>
#include <cstdint>
#include <vector>

#include "libraries/common/capture_test.hpp"

namespace {

using Complex = std::complex<float>;

template <class T>
class Device {
 public:
  explicit Device(const std::vector<T>& values) : count_(values.size()) {
    REQUIRE(cudaMalloc(reinterpret_cast<void**>(&data_), count_ * sizeof(T) + 1) == cudaSuccess);
    REQUIRE(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice) ==
            cudaSuccess);
  }
  ~Device() { cudaFree(data_); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  T* get() const { return data_; }
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

template <class T>
constexpr cudaDataType type_of = CUDA_R_32F;
template <>
constexpr cudaDataType type_of<double> = CUDA_R_64F;
template <>
constexpr cudaDataType type_of<Complex> = CUDA_C_32F;
template <class I>
constexpr cusparseIndexType_t index_of = sizeof(I) == 4 ? CUSPARSE_INDEX_32I : CUSPARSE_INDEX_64I;

// A matrix of 4 x 5, row by row, with a row and a column of zeros.
constexpr std::size_t rows = 4;
constexpr std::size_t columns = 5;
template <class T>
std::vector<T> whole() {
  std::vector<T> result{1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 5, 0, 6};
  if constexpr (sizeof(T) > sizeof(float) && !std::is_same_v<T, double>) {
    for (T& value : result) value *= T{1, 2};
  }
  return result;
}

// The same in one of the formats. It lives as long as its arrays.
template <class T, class I>
class Sparse {
 public:
  Sparse(cusparseFormat_t format, int base)
      : outer_(arrays(format, base, 0)),
        inner_(arrays(format, base, 1)),
        values_(elements(format)) {
    const auto index_base = static_cast<cusparseIndexBase_t>(base);
    const auto create = [&](auto function) {
      REQUIRE(function(&descriptor_, rows, columns, 6, outer_.get(), inner_.get(), values_.get(),
                       index_of<I>, index_of<I>, index_base,
                       type_of<T>) == CUSPARSE_STATUS_SUCCESS);
    };
    if (format == CUSPARSE_FORMAT_CSR) create(cusparseCreateCsr);
    if (format == CUSPARSE_FORMAT_CSC) create(cusparseCreateCsc);
    if (format == CUSPARSE_FORMAT_COO) {
      REQUIRE(cusparseCreateCoo(&descriptor_, rows, columns, 6, outer_.get(), inner_.get(),
                                values_.get(), index_of<I>, index_base,
                                type_of<T>) == CUSPARSE_STATUS_SUCCESS);
    }
  }
  ~Sparse() { cusparseDestroySpMat(descriptor_); }
  Sparse(const Sparse&) = delete;
  Sparse& operator=(const Sparse&) = delete;
  cusparseSpMatDescr_t get() const { return descriptor_; }

 private:
  static std::vector<I> arrays(cusparseFormat_t format, int base, int which) {
    std::vector<I> result;
    if (format == CUSPARSE_FORMAT_CSR) {
      result = which == 0 ? std::vector<I>{0, 2, 2, 4, 6} : std::vector<I>{0, 2, 0, 4, 2, 4};
    } else if (format == CUSPARSE_FORMAT_CSC) {
      result = which == 0 ? std::vector<I>{0, 2, 2, 4, 4, 6} : std::vector<I>{0, 2, 0, 3, 2, 3};
    } else {
      result = which == 0 ? std::vector<I>{0, 0, 2, 2, 3, 3} : std::vector<I>{0, 2, 0, 4, 2, 4};
    }
    for (I& index : result) index += static_cast<I>(base);
    return result;
  }
  static std::vector<T> elements(cusparseFormat_t format) {
    const std::vector<T> all = whole<T>();
    if (format == CUSPARSE_FORMAT_CSC) return {all[0], all[10], all[2], all[17], all[14], all[19]};
    return {all[0], all[2], all[10], all[14], all[17], all[19]};
  }

  Device<I> outer_;
  Device<I> inner_;
  Device<T> values_;
  cusparseSpMatDescr_t descriptor_ = nullptr;
};

struct Handle {
  cusparseHandle_t value = nullptr;
  Handle() { REQUIRE(cusparseCreate(&value) == CUSPARSE_STATUS_SUCCESS); }
  ~Handle() { cusparseDestroy(value); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
};

template <class T>
T element(cusparseOperation_t operation, std::size_t i, std::size_t j) {
  const std::vector<T> all = whole<T>();
  if (operation == CUSPARSE_OPERATION_NON_TRANSPOSE) return all[i * columns + j];
  if constexpr (std::is_same_v<T, Complex>) {
    if (operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE) {
      return std::conj(all[j * columns + i]);
    }
  }
  return all[j * columns + i];
}

template <class T, class I>
void check_products(cusparseFormat_t format, int base) {
  const Handle handle;
  const Sparse<T, I> a(format, base);
  for (const auto operation : {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE,
                               CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE}) {
    CAPTURE(static_cast<int>(format));
    CAPTURE(static_cast<int>(operation));
    const bool turned = operation != CUSPARSE_OPERATION_NON_TRANSPOSE;
    // Real numbers have no conjugates.
    const bool is_refused =
        operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE && !std::is_same_v<T, Complex>;
    const auto expected = is_refused ? CUSPARSE_STATUS_INVALID_VALUE : CUSPARSE_STATUS_SUCCESS;
    const std::size_t m = turned ? columns : rows;
    const std::size_t k = turned ? rows : columns;
    const T alpha{2};
    const T beta{3};
    std::vector<T> given_x;
    for (std::size_t i = 0; i < k; ++i)
      given_x.push_back(static_cast<T>(static_cast<float>(i + 1)));
    const Device<T> x(given_x);
    const Device<T> y(std::vector<T>(m, T{7}));
    cusparseDnVecDescr_t vec_x = nullptr;
    cusparseDnVecDescr_t vec_y = nullptr;
    REQUIRE(cusparseCreateDnVec(&vec_x, static_cast<std::int64_t>(k), x.get(), type_of<T>) ==
            CUSPARSE_STATUS_SUCCESS);
    REQUIRE(cusparseCreateDnVec(&vec_y, static_cast<std::int64_t>(m), y.get(), type_of<T>) ==
            CUSPARSE_STATUS_SUCCESS);
    std::size_t bytes = 0;
    CHECK(cusparseSpMV_bufferSize(handle.value, operation, &alpha, a.get(), vec_x, &beta, vec_y,
                                  type_of<T>, CUSPARSE_SPMV_ALG_DEFAULT, &bytes) == expected);
    const Device<char> buffer(std::vector<char>(bytes + 1));
    CHECK(cusparseSpMV(handle.value, operation, &alpha, a.get(), vec_x, &beta, vec_y, type_of<T>,
                       CUSPARSE_SPMV_ALG_DEFAULT, buffer.get()) == expected);
    const auto got = y.values();
    for (std::size_t i = 0; i < m; ++i) {
      T sum{};
      for (std::size_t j = 0; j < k; ++j) sum += element<T>(operation, i, j) * given_x[j];
      CHECK(got[i] == (is_refused ? T{7} : T{2} * sum + T{21}));
    }
    cusparseDestroyDnVec(vec_x);
    cusparseDestroyDnVec(vec_y);

    // op(A) B, with B of three columns: by columns, and by rows and turned over.
    constexpr std::size_t n = 3;
    for (const bool turned_b : {false, true}) {
      std::vector<T> given_b(k * n);
      for (std::size_t i = 0; i < k * n; ++i) {
        given_b[i] = static_cast<T>(static_cast<float>(i % 5) - 1);
      }
      const Device<T> b(given_b);
      const Device<T> c(std::vector<T>(m * 4, T{9}));  // rows of 4 of which 3 count
      const T zero{};
      cusparseDnMatDescr_t mat_b = nullptr;
      cusparseDnMatDescr_t mat_c = nullptr;
      const auto k_rows = static_cast<std::int64_t>(k);
      if (turned_b) {
        REQUIRE(cusparseCreateDnMat(&mat_b, n, k_rows, k_rows, b.get(), type_of<T>,
                                    CUSPARSE_ORDER_ROW) == CUSPARSE_STATUS_SUCCESS);
      } else {
        REQUIRE(cusparseCreateDnMat(&mat_b, k_rows, n, k_rows, b.get(), type_of<T>,
                                    CUSPARSE_ORDER_COL) == CUSPARSE_STATUS_SUCCESS);
      }
      REQUIRE(cusparseCreateDnMat(&mat_c, static_cast<std::int64_t>(m), n, 4, c.get(), type_of<T>,
                                  CUSPARSE_ORDER_ROW) == CUSPARSE_STATUS_SUCCESS);
      const auto of_b = turned_b ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
      CHECK(cusparseSpMM_bufferSize(handle.value, operation, of_b, &alpha, a.get(), mat_b, &zero,
                                    mat_c, type_of<T>, CUSPARSE_SPMM_ALG_DEFAULT,
                                    &bytes) == expected);
      const Device<char> more(std::vector<char>(bytes + 1));
      CHECK(cusparseSpMM(handle.value, operation, of_b, &alpha, a.get(), mat_b, &zero, mat_c,
                         type_of<T>, CUSPARSE_SPMM_ALG_DEFAULT, more.get()) == expected);
      const auto product = c.values();
      for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          T sum{};
          for (std::size_t l = 0; l < k; ++l) {
            sum += element<T>(operation, i, l) * given_b[j * k + l];
          }
          CHECK(product[i * 4 + j] == (is_refused ? T{9} : T{2} * sum));
        }
        CHECK(product[i * 4 + 3] == T{9});
      }
      cusparseDestroyDnMat(mat_b);
      cusparseDestroyDnMat(mat_c);
    }
  }
}

}  // namespace

TEST_CASE("cuSPARSE: products with a vector and a matrix, of all formats") {
  for (const auto format : {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO}) {
    check_products<float, std::int32_t>(format, 0);
    check_products<double, std::int64_t>(format, 1);
    check_products<Complex, std::int32_t>(format, 1);
  }
}

TEST_CASE("cuSPARSE: from sparse to dense, and back") {
  const Handle handle;
  for (const auto format : {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO}) {
    CAPTURE(static_cast<int>(format));
    const Sparse<double, std::int32_t> a(format, 1);
    const Device<double> dense(std::vector<double>(rows * columns, 8));
    cusparseDnMatDescr_t matrix = nullptr;
    REQUIRE(cusparseCreateDnMat(&matrix, rows, columns, columns, dense.get(), CUDA_R_64F,
                                CUSPARSE_ORDER_ROW) == CUSPARSE_STATUS_SUCCESS);
    const Device<char> buffer(std::vector<char>(1 << 16));
    CHECK(cusparseSparseToDense(handle.value, a.get(), matrix, CUSPARSE_SPARSETODENSE_ALG_DEFAULT,
                                buffer.get()) == CUSPARSE_STATUS_SUCCESS);
    CHECK(dense.values() == whole<double>());

    const Device<std::int32_t> outer(std::vector<std::int32_t>(7, -1));
    const Device<std::int32_t> inner(std::vector<std::int32_t>(6, -1));
    const Device<double> values(std::vector<double>(6, -1));
    cusparseSpMatDescr_t made = nullptr;
    if (format == CUSPARSE_FORMAT_COO) {
      REQUIRE(cusparseCreateCoo(&made, rows, columns, 0, nullptr, nullptr, nullptr,
                                CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                CUDA_R_64F) == CUSPARSE_STATUS_SUCCESS);
    } else {
      const auto create = format == CUSPARSE_FORMAT_CSR ? cusparseCreateCsr : cusparseCreateCsc;
      REQUIRE(create(&made, rows, columns, 0, outer.get(), nullptr, nullptr, CUSPARSE_INDEX_32I,
                     CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                     CUDA_R_64F) == CUSPARSE_STATUS_SUCCESS);
    }
    CHECK(cusparseDenseToSparse_analysis(handle.value, matrix, made,
                                         CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                         buffer.get()) == CUSPARSE_STATUS_SUCCESS);
    std::int64_t m = 0;
    std::int64_t n = 0;
    std::int64_t count = 0;
    CHECK(cusparseSpMatGetSize(made, &m, &n, &count) == CUSPARSE_STATUS_SUCCESS);
    CHECK(count == 6);
    const auto set = format == CUSPARSE_FORMAT_CSR   ? cusparseCsrSetPointers
                     : format == CUSPARSE_FORMAT_CSC ? cusparseCscSetPointers
                                                     : cusparseCooSetPointers;
    REQUIRE(set(made, outer.get(), inner.get(), values.get()) == CUSPARSE_STATUS_SUCCESS);
    CHECK(cusparseDenseToSparse_convert(handle.value, matrix, made,
                                        CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                        buffer.get()) == CUSPARSE_STATUS_SUCCESS);
    using Numbers = std::vector<std::int32_t>;
    if (format == CUSPARSE_FORMAT_CSR) CHECK(outer.values() == Numbers{0, 2, 2, 4, 6, -1, -1});
    if (format == CUSPARSE_FORMAT_CSC) CHECK(outer.values() == Numbers{0, 2, 2, 4, 4, 6, -1});
    if (format == CUSPARSE_FORMAT_COO) CHECK(outer.values() == Numbers{0, 0, 2, 2, 3, 3, -1});
    if (format == CUSPARSE_FORMAT_CSC) {
      CHECK(inner.values() == Numbers{0, 2, 0, 3, 2, 3});
      CHECK(values.values() == std::vector<double>{1, 3, 2, 5, 4, 6});
    } else {
      CHECK(inner.values() == Numbers{0, 2, 0, 4, 2, 4});
      CHECK(values.values() == std::vector<double>{1, 2, 3, 4, 5, 6});
    }
    cusparseDestroySpMat(made);
    cusparseDestroyDnMat(matrix);
  }
}

TEST_CASE("cuSPARSE: sparse vectors") {
  const Handle handle;
  const Device<std::int32_t> indices({2, 0, 4});
  const Device<Complex> values({{1, 1}, {2, 0}, {0, 3}});
  const Device<Complex> dense({{1, 0}, {5, 5}, {0, 2}, {5, 5}, {1, 1}});
  cusparseSpVecDescr_t x = nullptr;
  cusparseDnVecDescr_t y = nullptr;
  REQUIRE(cusparseCreateSpVec(&x, 5, 3, indices.get(), values.get(), CUSPARSE_INDEX_32I,
                              CUSPARSE_INDEX_BASE_ZERO, CUDA_C_32F) == CUSPARSE_STATUS_SUCCESS);
  REQUIRE(cusparseCreateDnVec(&y, 5, dense.get(), CUDA_C_32F) == CUSPARSE_STATUS_SUCCESS);
  const Device<char> buffer(std::vector<char>(4096));
  Complex sum;
  CHECK(cusparseSpVV(handle.value, CUSPARSE_OPERATION_NON_TRANSPOSE, x, y, &sum, CUDA_C_32F,
                     buffer.get()) == CUSPARSE_STATUS_SUCCESS);
  CHECK(sum == Complex(1, 1) * Complex(0, 2) + Complex(2, 0) + Complex(0, 3) * Complex(1, 1));
  CHECK(cusparseSpVV(handle.value, CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, x, y, &sum, CUDA_C_32F,
                     buffer.get()) == CUSPARSE_STATUS_SUCCESS);
  CHECK(sum == Complex(1, -1) * Complex(0, 2) + Complex(2, 0) + Complex(0, -3) * Complex(1, 1));
  const Complex alpha{2, 0};
  const Complex beta{0, 1};
  CHECK(cusparseAxpby(handle.value, &alpha, x, &beta, y) == CUSPARSE_STATUS_SUCCESS);
  CHECK(dense.values() == std::vector<Complex>{{4, 1}, {-5, 5}, {0, 2}, {-5, 5}, {-1, 7}});
  CHECK(cusparseGather(handle.value, y, x) == CUSPARSE_STATUS_SUCCESS);
  CHECK(values.values() == std::vector<Complex>{{0, 2}, {4, 1}, {-1, 7}});
  const Device<Complex> empty(std::vector<Complex>(5));
  CHECK(cusparseDnVecSetValues(y, empty.get()) == CUSPARSE_STATUS_SUCCESS);
  CHECK(cusparseScatter(handle.value, x, y) == CUSPARSE_STATUS_SUCCESS);
  CHECK(empty.values() == std::vector<Complex>{{4, 1}, {0, 0}, {0, 2}, {0, 0}, {-1, 7}});
  cusparseDestroySpVec(x);
  cusparseDestroyDnVec(y);
}

TEST_CASE("cuSPARSE: what makes no sense is refused") {
  const Handle handle;
  const Device<float> numbers(std::vector<float>(8));
  cusparseDnMatDescr_t matrix = nullptr;
  CHECK(cusparseCreateDnMat(&matrix, 4, 2, 3, numbers.get(), CUDA_R_32F, CUSPARSE_ORDER_COL) ==
        CUSPARSE_STATUS_INVALID_VALUE);
  cusparseDnVecDescr_t vector = nullptr;
  CHECK(cusparseCreateDnVec(&vector, -1, numbers.get(), CUDA_R_32F) ==
        CUSPARSE_STATUS_INVALID_VALUE);
  const Sparse<float, std::int32_t> a(CUSPARSE_FORMAT_CSR, 0);
  REQUIRE(cusparseCreateDnVec(&vector, 4, numbers.get(), CUDA_R_32F) == CUSPARSE_STATUS_SUCCESS);
  const float one = 1;
  const auto product = [&](const void* alpha, cusparseDnVecDescr_t x) {
    return cusparseSpMV(handle.value, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, a.get(), x, &one,
                        vector, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
  };
  CHECK(product(&one, vector) == CUSPARSE_STATUS_INVALID_VALUE);  // 4 elements, and 5 columns
  CHECK(product(&one, nullptr) == CUSPARSE_STATUS_INVALID_VALUE);
  cusparseDestroyDnVec(vector);
}

TEST_CASE(
    "cusparse: a captured product is done by each launch, whatever became of its descriptors") {
  const Handle handle;
  const Device<float> x(std::vector<float>{1, 2, 3, 4, 5});
  const Device<float> y(std::vector<float>(rows, 100));
  libraries::Capture capture;
  {
    const Sparse<float, std::int32_t> a(CUSPARSE_FORMAT_CSR, 0);
    cusparseDnVecDescr_t from = nullptr;
    cusparseDnVecDescr_t to = nullptr;
    REQUIRE(cusparseCreateDnVec(&from, columns, x.get(), CUDA_R_32F) == CUSPARSE_STATUS_SUCCESS);
    REQUIRE(cusparseCreateDnVec(&to, rows, y.get(), CUDA_R_32F) == CUSPARSE_STATUS_SUCCESS);
    float alpha = 1;
    const float beta = 1;
    std::size_t bytes = 0;
    CHECK(cusparseSpMV_bufferSize(handle.value, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a.get(),
                                  from, &beta, to, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT,
                                  &bytes) == CUSPARSE_STATUS_SUCCESS);
    const Device<char> buffer(std::vector<char>(bytes + 1));
    CHECK(cusparseSetStream(handle.value, capture.stream()) == CUSPARSE_STATUS_SUCCESS);
    capture.begin();
    CHECK(cusparseSpMV(handle.value, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a.get(), from, &beta,
                       to, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT,
                       buffer.get()) == CUSPARSE_STATUS_SUCCESS);
    CHECK(capture.end() == cudaSuccess);
    alpha = 1000;
    cusparseDestroyDnVec(from);
    cusparseDestroyDnVec(to);
    CHECK(y.values() == std::vector<float>(rows, 100));
    for (int i = 0; i < 2; ++i) capture.launch();
  }
  CHECK(y.values() == std::vector<float>{114, 100, 146, 190});
}
