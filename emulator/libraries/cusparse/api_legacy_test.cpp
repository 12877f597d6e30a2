// cuSPARSE's older functions: conversions, sorts, counts, sums.

#include <algorithm>
#include <numeric>

#include "libraries/cusparse/api_test.hpp"

using namespace sparse;

namespace {

using Complex = std::complex<float>;
using Ints = std::vector<int>;

void check_transposition(cudaDataType type, cusparseAction_t action, int base) {
  const Handle handle;
  const Whole<double> a = random_whole<double>(7, 9, 61, 3);
  const OnDevice<double> given(a, base);
  const Compressed<double> expected(with_operation(a, transposed), base);
  const Array<double> values(std::vector<double>(expected.values.size(), -5));
  const Array<int> offsets(Ints(10, -1));
  const Array<int> rows(Ints(expected.values.size(), -1));
  const auto index_base = static_cast<cusparseIndexBase_t>(base);
  std::size_t bytes = 0;
  SUCCEEDS(cusparseCsr2cscEx2_bufferSize(handle, 7, 9, expected.nnz(), given.values.get(),
                                         given.outer.get(), given.columns.get(), values.get(),
                                         offsets.get(), rows.get(), type, action, index_base,
                                         CUSPARSE_CSR2CSC_ALG1, &bytes));
  const Buffer buffer(bytes);
  SUCCEEDS(cusparseCsr2cscEx2(handle, 7, 9, expected.nnz(), given.values.get(), given.outer.get(),
                              given.columns.get(), values.get(), offsets.get(), rows.get(), type,
                              action, index_base, CUSPARSE_CSR2CSC_ALG1, buffer.get()));
  CHECK(offsets.numbers() == expected.offsets);
  CHECK(rows.numbers() == expected.columns);
  if (action == CUSPARSE_ACTION_NUMERIC) {
    CHECK(values.numbers() == expected.values);
  } else {
    CHECK(values.numbers() == std::vector<double>(expected.values.size(), -5));
  }
}

}  // namespace

TEST_CASE("cuSPARSE csr2cscEx2: the same matrix by columns, with values of any type") {
  check_transposition(CUDA_R_64F, CUSPARSE_ACTION_NUMERIC, 0);
  check_transposition(CUDA_C_32F, CUSPARSE_ACTION_NUMERIC, 1);  // as many bytes
  check_transposition(CUDA_R_64F, CUSPARSE_ACTION_SYMBOLIC, 0);
  const Handle handle;
  const OnDevice<float> a(random_whole<float>(3, 3, 61, 1));
  std::size_t bytes = 0;
  for (const auto type : {CUDA_R_8I, CUDA_R_32I, CUDA_R_16F, CUDA_C_16BF}) {
    CAPTURE(static_cast<int>(type));
    SUCCEEDS(cusparseCsr2cscEx2_bufferSize(
        handle, 3, 3, a.host.nnz(), a.values.get(), a.outer.get(), a.columns.get(), a.values.get(),
        a.outer.get(), a.columns.get(), type, CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO,
        CUSPARSE_CSR2CSC_ALG1, &bytes));
  }
}

TEST_CASE("cuSPARSE: rows become offsets, and back") {
  const Handle handle;
  for (const int base : {0, 1}) {
    const auto index_base = static_cast<cusparseIndexBase_t>(base);
    const Compressed<float> a(random_whole<float>(6, 5, 62, 2), base);
    const Array<int> rows(a.rows);
    const Array<int> offsets(Ints(7, -1));
    const Array<int> back(Ints(a.rows.size(), -1));
    SUCCEEDS(cusparseXcoo2csr(handle, rows.get(), a.nnz(), 6, offsets.get(), index_base));
    CHECK(offsets.numbers() == a.offsets);
    SUCCEEDS(cusparseXcsr2coo(handle, offsets.get(), a.nnz(), 6, back.get(), index_base));
    CHECK(back.numbers() == a.rows);
  }
}

TEST_CASE("cuSPARSE: sorts of compressed matrices and of lists, and where elements came from") {
  const Handle handle;
  const MatDescr descr;
  const Array<int> p(Ints(7, -1));
  std::size_t bytes = 0;
  const auto start = [&] {
    SUCCEEDS(cusparseCreateIdentityPermutation(handle, 7, p.get()));
    CHECK(p.numbers() == Ints{0, 1, 2, 3, 4, 5, 6});
  };

  const Array<int> offsets(Ints{0, 3, 3, 7});
  const Array<int> indices(Ints{4, 0, 2, 3, 1, 4, 0});
  start();
  SUCCEEDS(cusparseXcsrsort_bufferSizeExt(handle, 3, 5, 7, offsets.get(), indices.get(), &bytes));
  const Buffer buffer(bytes);
  SUCCEEDS(cusparseXcsrsort(handle, 3, 5, 7, descr, offsets.get(), indices.get(), p.get(),
                            buffer.get()));
  CHECK(indices.numbers() == Ints{0, 2, 4, 0, 1, 3, 4});
  CHECK(p.numbers() == Ints{1, 2, 0, 6, 4, 3, 5});

  const Array<int> rows_of_columns(Ints{4, 0, 2, 3, 1, 4, 0});
  start();
  SUCCEEDS(cusparseXcscsort_bufferSizeExt(handle, 5, 3, 7, offsets.get(), rows_of_columns.get(),
                                          &bytes));
  const Buffer second(bytes);
  SUCCEEDS(cusparseXcscsort(handle, 5, 3, 7, descr, offsets.get(), rows_of_columns.get(), p.get(),
                            second.get()));
  CHECK(rows_of_columns.numbers() == Ints{0, 2, 4, 0, 1, 3, 4});
  CHECK(p.numbers() == Ints{1, 2, 0, 6, 4, 3, 5});

  const Ints given_rows{2, 0, 2, 1, 0, 2, 1};
  const Ints given_columns{3, 4, 0, 1, 0, 3, 0};
  const Array<int> rows(given_rows);
  const Array<int> columns(given_columns);
  start();
  SUCCEEDS(cusparseXcoosort_bufferSizeExt(handle, 3, 5, 7, rows.get(), columns.get(), &bytes));
  const Buffer third(bytes);
  SUCCEEDS(cusparseXcoosortByRow(handle, 3, 5, 7, rows.get(), columns.get(), p.get(), third.get()));
  CHECK(rows.numbers() == Ints{0, 0, 1, 1, 2, 2, 2});
  CHECK(columns.numbers() == Ints{0, 4, 0, 1, 0, 3, 3});
  CHECK(p.numbers() == Ints{4, 1, 6, 3, 2, 0, 5});
  start();
  SUCCEEDS(
      cusparseXcoosortByColumn(handle, 3, 5, 7, rows.get(), columns.get(), p.get(), third.get()));
  CHECK(columns.numbers() == Ints{0, 0, 0, 1, 3, 3, 4});
  CHECK(rows.numbers() == Ints{0, 1, 2, 1, 2, 2, 0});
  CHECK(p.numbers() == Ints{0, 2, 4, 3, 5, 6, 1});
}

TEST_CASE("cuSPARSE nnz: elements that are not 0, in each row or column and in all") {
  const Handle handle;
  const MatDescr descr;
  // 3 x 4, by columns of 5.
  const Array<float> a({1, 0, 2, 9, 9, 0, 0, 0, 9, 9, 3, 4, 5, 9, 9, 0, -0.0F, 6, 9, 9});
  const Array<int> counts(Ints(5, -1));
  int total = -1;
  SUCCEEDS(
      cusparseSnnz(handle, CUSPARSE_DIRECTION_ROW, 3, 4, descr, a.get(), 5, counts.get(), &total));
  CHECK(total == 6);
  CHECK(counts.numbers() == Ints{2, 1, 3, -1, -1});
  const Array<int> on_device(Ints{-1});
  SUCCEEDS(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE));
  SUCCEEDS(cusparseSnnz(handle, CUSPARSE_DIRECTION_COLUMN, 3, 4, descr, a.get(), 5, counts.get(),
                        on_device.get()));
  CHECK(on_device.numbers() == Ints{6});
  CHECK(counts.numbers() == Ints{2, 0, 3, 1, -1});
  // Nothing is written for a matrix without rows.
  SUCCEEDS(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  total = -7;
  SUCCEEDS(
      cusparseSnnz(handle, CUSPARSE_DIRECTION_ROW, 0, 4, descr, a.get(), 5, counts.get(), &total));
  CHECK(total == -7);
  CHECK(counts.numbers() == Ints{2, 0, 3, 1, -1});
}

namespace {

template <class T>
void check_sum(int base) {
  const Handle handle;
  const Whole<T> a = random_whole<T>(12, 10, 71, 4);
  const Whole<T> b = random_whole<T>(12, 10, 72, 4);
  const T alpha = number<T>(2, 1);
  const T beta = number<T>(-3);
  const OnDevice<T> on_a(a, base);
  const OnDevice<T> on_b(b, base);
  const MatDescr of_a(base);
  const MatDescr of_b(base);
  const MatDescr of_c(base);
  Whole<T> pattern(12, 10);
  for (std::size_t i = 0; i < pattern.elements.size(); ++i) {
    if (a.elements[i] != T{} || b.elements[i] != T{}) pattern.elements[i] = number<T>(1);
  }
  const Compressed<T> expected(pattern, base);
  const Array<int> offsets(Ints(13, -1));
  const Array<int> columns(Ints(expected.values.size(), -1));
  const Array<T> values(std::vector<T>(expected.values.size(), T(9)));
  std::size_t bytes = 0;
  const auto all = [&](auto function, auto last) {
    return function(handle, 12, 10, named(&alpha), of_a, on_a.host.nnz(), named(on_a.values.get()),
                    on_a.outer.get(), on_a.columns.get(), named(&beta), of_b, on_b.host.nnz(),
                    named(on_b.values.get()), on_b.outer.get(), on_b.columns.get(), of_c,
                    named(values.get()), offsets.get(), columns.get(), last);
  };
  if constexpr (is_complex<T>) {
    SUCCEEDS(all(cusparseCcsrgeam2_bufferSizeExt, &bytes));
  } else {
    SUCCEEDS(all(cusparseScsrgeam2_bufferSizeExt, &bytes));
  }
  const Buffer buffer(bytes);
  int total = -1;
  SUCCEEDS(cusparseXcsrgeam2Nnz(handle, 12, 10, of_a, on_a.host.nnz(), on_a.outer.get(),
                                on_a.columns.get(), of_b, on_b.host.nnz(), on_b.outer.get(),
                                on_b.columns.get(), of_c, offsets.get(), &total, buffer.get()));
  CHECK(total == expected.nnz());
  CHECK(offsets.numbers() == expected.offsets);
  if constexpr (is_complex<T>) {
    SUCCEEDS(all(cusparseCcsrgeam2, buffer.get()));
  } else {
    SUCCEEDS(all(cusparseScsrgeam2, buffer.get()));
  }
  CHECK(columns.numbers() == expected.columns);
  const Whole<T> sum = alpha * a + beta * b;
  std::vector<T> wanted;
  for (std::size_t k = 0; k < expected.values.size(); ++k) {
    wanted.push_back(sum(expected.rows[k] - base, expected.columns[k] - base));
  }
  CHECK(values.numbers() == wanted);
}

}  // namespace

TEST_CASE("cuSPARSE csrgeam2: the sum of two sparse matrices") {
  check_sum<float>(0);
  check_sum<float>(1);
  check_sum<Complex>(1);
}

TEST_CASE("cuSPARSE gemvi: a dense matrix times a sparse vector") {
  const Handle handle;
  // 3 x 4, by columns of 4.
  const Array<double> a({1, 2, 3, 99, 4, 5, 6, 99, 7, 8, 9, 99, 10, 11, 12, 99});
  const Array<double> x({2, -1});
  const double alpha = 2;
  const double beta = 3;
  int bytes = 0;
  SUCCEEDS(cusparseDgemvi_bufferSize(handle, as_it_is, 3, 4, 2, &bytes));
  const Buffer buffer(static_cast<std::size_t>(bytes));
  const Array<int> places(Ints{1, 4});  // from 1
  const Array<double> y({1, 1, 1});
  SUCCEEDS(cusparseDgemvi(handle, as_it_is, 3, 4, &alpha, a.get(), 4, 2, x.get(), places.get(),
                          &beta, y.get(), CUSPARSE_INDEX_BASE_ONE, buffer.get()));
  CHECK(y.numbers() == std::vector<double>{2 * (2 - 10) + 3, 2 * (4 - 11) + 3, 2 * (6 - 12) + 3});
  SUCCEEDS(cusparseDgemvi_bufferSize(handle, transposed, 3, 4, 2, &bytes));
  const Buffer second(static_cast<std::size_t>(bytes));
  const Array<int> rows(Ints{2, 0});
  const Array<double> z({0, 0, 0, 0});
  const double zero = 0;
  SUCCEEDS(cusparseDgemvi(handle, transposed, 3, 4, &alpha, a.get(), 4, 2, x.get(), rows.get(),
                          &zero, z.get(), CUSPARSE_INDEX_BASE_ZERO, second.get()));
  CHECK(z.numbers() == std::vector<double>{10, 16, 22, 28});
}

TEST_CASE("cuSPARSE Rot: a rotation where a sparse vector has elements") {
  const Handle handle;
  const Array<int> places(Ints{3, 0});
  const Array<float> x({1, 2});
  const Array<float> y({10, 20, 30, 40});
  cusparseSpVecDescr_t sparse = nullptr;
  cusparseDnVecDescr_t dense = nullptr;
  SUCCEEDS(cusparseCreateSpVec(&sparse, 4, 2, places.get(), x.get(), CUSPARSE_INDEX_32I,
                               CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  SUCCEEDS(cusparseCreateDnVec(&dense, 4, y.get(), CUDA_R_32F));
  const float c = 2;
  const float s = 0.5F;
  SUCCEEDS(cusparseRot(handle, &c, &s, sparse, dense));
  CHECK(x.numbers() == std::vector<float>{22, 9});
  CHECK(y.numbers() == std::vector<float>{19, 20, 30, 79.5F});
  cusparseDestroySpVec(sparse);
  cusparseDestroyDnVec(dense);
}
