// Products of two sparse matrices, products with few elements, and batches.

#include "libraries/cusparse/api_test.hpp"

using namespace sparse;

namespace {

using Complex = std::complex<float>;

// What a matrix in CSR, which has just been computed, holds.
template <class T>
Whole<T> whole_of(int rows, int columns, const Array<int>& offsets, const Array<int>& indices,
                  const Array<T>& values, int base) {
  Whole<T> result(rows, columns);
  const std::vector<int> ends = offsets.numbers();
  const std::vector<int> places = indices.numbers();
  const std::vector<T> numbers = values.numbers();
  for (int i = 0; i < rows; ++i) {
    for (int k = ends[static_cast<std::size_t>(i)] - base;
         k < ends[static_cast<std::size_t>(i) + 1] - base; ++k) {
      result(i, places[static_cast<std::size_t>(k)] - base) = numbers[static_cast<std::size_t>(k)];
    }
  }
  return result;
}
// How many elements a product has, whatever its sums are.
template <class T>
int count_of_product(Whole<T> a, Whole<T> b) {
  const auto is_stored = [](T value) { return value == T{} ? T{} : number<T>(1); };
  for (T& value : a.elements) value = is_stored(value);
  for (T& value : b.elements) value = is_stored(value);
  return Compressed<T>(a * b).nnz();
}

struct Product {
  cusparseSpGEMMDescr_t value = nullptr;
  Product() { REQUIRE(cusparseSpGEMM_createDescr(&value) == CUSPARSE_STATUS_SUCCESS); }
  ~Product() { cusparseSpGEMM_destroyDescr(value); }
  Product(const Product&) = delete;
  Product& operator=(const Product&) = delete;
};

template <class T>
void check_product(int m, int k, int n, int base, const T& beta) {
  CAPTURE(base);
  const Handle handle;
  const Whole<T> a = random_whole<T>(m, k, 11, 4);
  const Whole<T> b = random_whole<T>(k, n, 12, 4);
  const OnDevice<T> of_a(a, base);
  const OnDevice<T> of_b(b, base);
  const Array<int> offsets(std::vector<int>(static_cast<std::size_t>(m) + 1, -1));
  cusparseSpMatDescr_t c = nullptr;
  SUCCEEDS(cusparseCreateCsr(&c, m, n, 0, offsets.get(), nullptr, nullptr, CUSPARSE_INDEX_32I,
                             CUSPARSE_INDEX_32I, static_cast<cusparseIndexBase_t>(base),
                             type_of<T>));
  const T alpha = number<T>(2);
  const Product product;
  const auto alg = CUSPARSE_SPGEMM_DEFAULT;
  std::size_t first = 0;
  SUCCEEDS(cusparseSpGEMM_workEstimation(handle, as_it_is, as_it_is, &alpha, of_a.descriptor,
                                         of_b.descriptor, &beta, c, type_of<T>, alg, product.value,
                                         &first, nullptr));
  const Buffer buffer(first);
  SUCCEEDS(cusparseSpGEMM_workEstimation(handle, as_it_is, as_it_is, &alpha, of_a.descriptor,
                                         of_b.descriptor, &beta, c, type_of<T>, alg, product.value,
                                         &first, buffer.get()));
  std::size_t second = 0;
  SUCCEEDS(cusparseSpGEMM_compute(handle, as_it_is, as_it_is, &alpha, of_a.descriptor,
                                  of_b.descriptor, &beta, c, type_of<T>, alg, product.value,
                                  &second, nullptr));
  const Buffer larger(second);
  SUCCEEDS(cusparseSpGEMM_compute(handle, as_it_is, as_it_is, &alpha, of_a.descriptor,
                                  of_b.descriptor, &beta, c, type_of<T>, alg, product.value,
                                  &second, larger.get()));
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t nnz = 0;
  SUCCEEDS(cusparseSpMatGetSize(c, &rows, &columns, &nnz));
  CHECK(nnz == count_of_product(a, b));
  const Array<int> indices(std::vector<int>(static_cast<std::size_t>(nnz), -1));
  const Array<T> values(std::vector<T>(static_cast<std::size_t>(nnz), number<T>(5)));
  SUCCEEDS(cusparseCsrSetPointers(c, offsets.get(), indices.get(), values.get()));
  SUCCEEDS(cusparseSpGEMM_copy(handle, as_it_is, as_it_is, &alpha, of_a.descriptor, of_b.descriptor,
                               &beta, c, type_of<T>, alg, product.value));
  Whole<T> expected = alpha * (a * b);
  const Whole<T> computed = whole_of(m, n, offsets, indices, values, base);
  std::vector<int> ends = offsets.numbers();
  const std::vector<int> places = indices.numbers();
  for (int i = 0; i < m; ++i) {
    for (int l = ends[static_cast<std::size_t>(i)] - base;
         l < ends[static_cast<std::size_t>(i) + 1] - base; ++l) {
      expected(i, places[static_cast<std::size_t>(l)] - base) += beta * number<T>(5);
      const bool is_first = l == ends[static_cast<std::size_t>(i)] - base;
      CHECK((is_first || places[static_cast<std::size_t>(l - 1)] <
                             places[static_cast<std::size_t>(l)]));  // they ascend
    }
  }
  CHECK(computed == expected);
  cusparseDestroySpMat(c);
}

}  // namespace

TEST_CASE("cuSPARSE SpGEMM: a product of sparse matrices, and what is added to it") {
  check_product<float>(17, 23, 19, 0, 0);
  check_product<double>(17, 23, 19, 0, 3);
  check_product<Complex>(31, 8, 5, 0, Complex(0, 2));
  check_product<double>(1, 40, 1, 1, 0);
}

TEST_CASE("cuSPARSE SpGEMMreuse: several products of one structure") {
  const Handle handle;
  Whole<double> a = random_whole<double>(20, 15, 21, 4);
  const Whole<double> b = random_whole<double>(15, 18, 22, 4);
  const OnDevice<double> of_a(a);
  const OnDevice<double> of_b(b);
  const Array<int> offsets(std::vector<int>(21, -1));
  cusparseSpMatDescr_t c = nullptr;
  SUCCEEDS(cusparseCreateCsr(&c, 20, 18, 0, offsets.get(), nullptr, nullptr, CUSPARSE_INDEX_32I,
                             CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
  const Product product;
  std::size_t sizes[5] = {};
  const auto estimate = [&](void* buffer) {
    return cusparseSpGEMMreuse_workEstimation(handle, as_it_is, as_it_is, of_a.descriptor,
                                              of_b.descriptor, c, CUSPARSE_SPGEMM_DEFAULT,
                                              product.value, &sizes[0], buffer);
  };
  SUCCEEDS(estimate(nullptr));
  const Buffer first(sizes[0]);
  SUCCEEDS(estimate(first.get()));
  const auto count = [&](void* second, void* third, void* fourth) {
    return cusparseSpGEMMreuse_nnz(handle, as_it_is, as_it_is, of_a.descriptor, of_b.descriptor, c,
                                   CUSPARSE_SPGEMM_DEFAULT, product.value, &sizes[1], second,
                                   &sizes[2], third, &sizes[3], fourth);
  };
  SUCCEEDS(count(nullptr, nullptr, nullptr));
  const Buffer second(sizes[1]);
  const Buffer third(sizes[2]);
  const Buffer fourth(sizes[3]);
  SUCCEEDS(count(second.get(), third.get(), fourth.get()));
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t nnz = 0;
  SUCCEEDS(cusparseSpMatGetSize(c, &rows, &columns, &nnz));
  CHECK(nnz == count_of_product(a, b));
  const Array<int> indices(std::vector<int>(static_cast<std::size_t>(nnz), -1));
  const Array<double> values(std::vector<double>(static_cast<std::size_t>(nnz), 7));
  SUCCEEDS(cusparseCsrSetPointers(c, offsets.get(), indices.get(), values.get()));
  const auto copy = [&](void* buffer) {
    return cusparseSpGEMMreuse_copy(handle, as_it_is, as_it_is, of_a.descriptor, of_b.descriptor, c,
                                    CUSPARSE_SPGEMM_DEFAULT, product.value, &sizes[4], buffer);
  };
  SUCCEEDS(copy(nullptr));
  const Buffer fifth(sizes[4]);
  SUCCEEDS(copy(fifth.get()));
  const double alpha = 2;
  const double beta = 0;
  for (int round = 0; round < 2; ++round) {
    SUCCEEDS(cusparseSpGEMMreuse_compute(handle, as_it_is, as_it_is, &alpha, of_a.descriptor,
                                         of_b.descriptor, &beta, c, CUDA_R_64F,
                                         CUSPARSE_SPGEMM_DEFAULT, product.value));
    CHECK(whole_of(20, 18, offsets, indices, values, 0) == alpha * (a * b));
    for (double& value : a.elements) value *= 3;
    const std::vector<double> changed = Compressed<double>(a).values;
    REQUIRE(cudaMemcpy(of_a.values.get(), changed.data(), changed.size() * sizeof(double),
                       cudaMemcpyDefault) == cudaSuccess);
  }
  cusparseDestroySpMat(c);
}

namespace {

template <class T>
void check_sampled(cusparseOperation_t of_a, cusparseOperation_t of_b, bool a_by_rows,
                   bool b_by_rows, int base, const T& beta) {
  CAPTURE(static_cast<int>(of_a));
  CAPTURE(static_cast<int>(of_b));
  const Handle handle;
  const Whole<T> a = random_whole<T>(9, 6, 31, 1);
  const Whole<T> b = random_whole<T>(6, 11, 32, 1);
  Whole<T> c = random_whole<T>(9, 11, 33, 3);
  const DenseOnDevice<T> on_a(with_operation(a, of_a), a_by_rows);
  const DenseOnDevice<T> on_b(with_operation(b, of_b), b_by_rows);
  const OnDevice<T> on_c(c, base);
  const T alpha = number<T>(2);
  std::size_t bytes = 0;
  SUCCEEDS(cusparseSDDMM_bufferSize(handle, of_a, of_b, &alpha, on_a.descriptor, on_b.descriptor,
                                    &beta, on_c.descriptor, type_of<T>, CUSPARSE_SDDMM_ALG_DEFAULT,
                                    &bytes));
  const Buffer buffer(bytes);
  SUCCEEDS(cusparseSDDMM_preprocess(handle, of_a, of_b, &alpha, on_a.descriptor, on_b.descriptor,
                                    &beta, on_c.descriptor, type_of<T>, CUSPARSE_SDDMM_ALG_DEFAULT,
                                    buffer.get()));
  SUCCEEDS(cusparseSDDMM(handle, of_a, of_b, &alpha, on_a.descriptor, on_b.descriptor, &beta,
                         on_c.descriptor, type_of<T>, CUSPARSE_SDDMM_ALG_DEFAULT, buffer.get()));
  const Whole<T> product = alpha * (a * b);
  for (int i = 0; i < c.rows; ++i) {
    for (int j = 0; j < c.columns; ++j) {
      if (c(i, j) != T{}) c(i, j) = product(i, j) + beta * c(i, j);
    }
  }
  CHECK(whole_of(9, 11, on_c.outer, on_c.columns, on_c.values, base) == c);
}

}  // namespace

TEST_CASE("cuSPARSE SDDMM: a product where the result has elements") {
  for (const auto of_a : {as_it_is, transposed}) {
    for (const auto of_b : {as_it_is, transposed}) {
      check_sampled<float>(of_a, of_b, true, true, 0, 0);
      check_sampled<double>(of_a, of_b, false, true, 1, 3);
      check_sampled<Complex>(of_a, of_b, false, false, 0, Complex(1, 1));
    }
  }
}

TEST_CASE("cuSPARSE SDDMM: conjugates of real numbers are refused") {
  const Handle handle;
  const DenseOnDevice<float> a(Whole<float>(3, 3), true);
  const OnDevice<float> c(random_whole<float>(3, 3, 34, 1));
  const float one = 1;
  std::size_t bytes = 0;
  CHECK(cusparseSDDMM_bufferSize(handle, conjugate_transposed, as_it_is, &one, a.descriptor,
                                 a.descriptor, &one, c.descriptor, CUDA_R_32F,
                                 CUSPARSE_SDDMM_ALG_DEFAULT,
                                 &bytes) == CUSPARSE_STATUS_INVALID_VALUE);
}

TEST_CASE("cuSPARSE: matrices of a batch do not overlap, or are all the same") {
  const DenseOnDevice<float> dense(Whole<float>(3, 3), true);
  const OnDevice<float> rows(random_whole<float>(3, 3, 35, 1));
  SUCCEEDS(cusparseDnMatSetStridedBatch(dense.descriptor, 2, 0));
  CHECK(cusparseDnMatSetStridedBatch(dense.descriptor, 2, 3) == CUSPARSE_STATUS_INVALID_VALUE);
  CHECK(cusparseCsrSetStridedBatch(rows.descriptor, 2, 1, 1) == CUSPARSE_STATUS_INVALID_VALUE);
}

TEST_CASE("cuSPARSE: batches of products, and one matrix for all of a batch") {
  const Handle handle;
  constexpr int count = 3;
  const float alpha = 1;
  const float beta = 0;
  const Whole<float> a = random_whole<float>(8, 6, 41, 3);
  const OnDevice<float> on_a(a);
  std::vector<float> all_of_b;
  std::vector<Whole<float>> matrices;
  for (unsigned i = 0; i < count; ++i) {
    matrices.push_back(random_whole<float>(6, 5, 50 + i, 1));
    all_of_b.insert(all_of_b.end(), matrices.back().elements.begin(),
                    matrices.back().elements.end());
  }
  const Array<float> b(all_of_b);
  const Array<float> c(std::vector<float>(count * 8 * 5, -1));
  cusparseDnMatDescr_t mat_b = nullptr;
  cusparseDnMatDescr_t mat_c = nullptr;
  SUCCEEDS(cusparseCreateDnMat(&mat_b, 6, 5, 5, b.get(), CUDA_R_32F, CUSPARSE_ORDER_ROW));
  SUCCEEDS(cusparseCreateDnMat(&mat_c, 8, 5, 5, c.get(), CUDA_R_32F, CUSPARSE_ORDER_ROW));
  SUCCEEDS(cusparseDnMatSetStridedBatch(mat_b, count, 30));
  SUCCEEDS(cusparseDnMatSetStridedBatch(mat_c, count, 40));
  SUCCEEDS(cusparseCsrSetStridedBatch(on_a.descriptor, count, 0, 0));
  std::int64_t distance = 0;
  int found = 0;
  SUCCEEDS(cusparseDnMatGetStridedBatch(mat_c, &found, &distance));
  CHECK(found == count);
  CHECK(distance == 40);
  SUCCEEDS(cusparseSpMatGetStridedBatch(on_a.descriptor, &found));
  CHECK(found == count);
  std::size_t bytes = 0;
  SUCCEEDS(cusparseSpMM_bufferSize(handle, as_it_is, as_it_is, &alpha, on_a.descriptor, mat_b,
                                   &beta, mat_c, CUDA_R_32F, CUSPARSE_SPMM_CSR_ALG2, &bytes));
  const Buffer buffer(bytes);
  SUCCEEDS(cusparseSpMM(handle, as_it_is, as_it_is, &alpha, on_a.descriptor, mat_b, &beta, mat_c,
                        CUDA_R_32F, CUSPARSE_SPMM_CSR_ALG2, buffer.get()));
  std::vector<float> expected;
  for (const Whole<float>& matrix : matrices) {
    const Whole<float> product = a * matrix;
    expected.insert(expected.end(), product.elements.begin(), product.elements.end());
  }
  CHECK(c.numbers() == expected);
  cusparseDestroyDnMat(mat_b);
  cusparseDestroyDnMat(mat_c);
}
