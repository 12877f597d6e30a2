// Sparse matrices in blocks, BSR and blocked ELL, and in slices.

#include "libraries/cusparse/api_test.hpp"

using namespace sparse;

namespace {

constexpr float one = 1.0F;
constexpr float two = 2.0F;
constexpr float none = 0.0F;

// A descriptor and its arrays.
template <class Element>
struct Stored {
  Array<int> offsets;
  Array<int> columns;
  Array<Element> values;
  cusparseSpMatDescr_t descriptor = nullptr;

  Stored(const std::vector<int>& of_offsets, const std::vector<int>& of_columns,
         const std::vector<Element>& of_values)
      : offsets(of_offsets), columns(of_columns), values(of_values) {}
  ~Stored() { cusparseDestroySpMat(descriptor); }
  Stored(const Stored&) = delete;
  Stored& operator=(const Stored&) = delete;
};

// Blocks of 2 x 3, in a matrix of 4 x 9.
constexpr int rows = 4;
constexpr int columns = 9;
Whole<float> in_blocks() {
  Whole<float> a(rows, columns);
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      a(i, j + 3) = static_cast<float>(1 + 3 * i + j);
      a(i + 2, j) = static_cast<float>(-3 + 3 * i + j);
      a(i + 2, j + 6) = static_cast<float>(2 * i - j);
    }
  }
  return a;
}

std::vector<float> block_of(const Whole<float>& a, int i, int j, bool by_rows) {
  std::vector<float> block;
  for (int k = 0; k < 6; ++k) {
    block.push_back(by_rows ? a(i + k / 3, j + k % 3) : a(i + k % 2, j + k / 2));
  }
  return block;
}

std::vector<float> blocks_of(const Whole<float>& a, bool by_rows) {
  std::vector<float> all;
  for (const auto& [i, j] : {std::pair(0, 3), std::pair(2, 0), std::pair(2, 6)}) {
    const std::vector<float> block = block_of(a, i, j, by_rows);
    all.insert(all.end(), block.begin(), block.end());
  }
  return all;
}

struct Bsr : Stored<float> {
  explicit Bsr(bool by_rows, int base = 0)
      : Stored({base, base + 1, base + 3}, {base + 1, base, base + 2},
               blocks_of(in_blocks(), by_rows)) {
    SUCCEEDS(cusparseCreateBsr(&descriptor, 2, 3, 3, 2, 3, offsets.get(), columns.get(),
                               values.get(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                               static_cast<cusparseIndexBase_t>(base), CUDA_R_32F,
                               by_rows ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL));
  }
};

std::vector<float> product_with_vector(cusparseSpMatDescr_t a, cusparseOperation_t operation,
                                       const std::vector<float>& factors, std::size_t size) {
  const Handle handle;
  const Array<float> x(factors);
  const Array<float> y(std::vector<float>(size, 7.0F));
  cusparseDnVecDescr_t of_x = nullptr;
  cusparseDnVecDescr_t of_y = nullptr;
  SUCCEEDS(
      cusparseCreateDnVec(&of_x, static_cast<std::int64_t>(factors.size()), x.get(), CUDA_R_32F));
  SUCCEEDS(cusparseCreateDnVec(&of_y, static_cast<std::int64_t>(size), y.get(), CUDA_R_32F));
  std::size_t bytes = 0;
  SUCCEEDS(cusparseSpMV_bufferSize(handle, operation, &two, a, of_x, &none, of_y, CUDA_R_32F,
                                   CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
  const Buffer buffer(bytes);
  SUCCEEDS(cusparseSpMV(handle, operation, &two, a, of_x, &none, of_y, CUDA_R_32F,
                        CUSPARSE_SPMV_ALG_DEFAULT, buffer.get()));
  cusparseDestroyDnVec(of_x);
  cusparseDestroyDnVec(of_y);
  return y.numbers();
}

template <class Element>
void multiply(cusparseSpMatDescr_t a, const DenseOnDevice<Element>& b, cusparseDnMatDescr_t c) {
  const Handle handle;
  std::size_t bytes = 0;
  SUCCEEDS(cusparseSpMM_bufferSize(handle, as_it_is, as_it_is, &one, a, b.descriptor, &none, c,
                                   CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, &bytes));
  const Buffer buffer(bytes);
  SUCCEEDS(cusparseSpMM(handle, as_it_is, as_it_is, &one, a, b.descriptor, &none, c, CUDA_R_32F,
                        CUSPARSE_SPMM_ALG_DEFAULT, buffer.get()));
}

// Blocks of 2, of which a row stores two; the second one of the first row is none.
constexpr int ell_rows = 4;
constexpr int ell_columns = 6;
Whole<float> in_ell() {
  Whole<float> a(ell_rows, ell_columns);
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      a(i, j + 4) = static_cast<float>(1 + 2 * i + j);
      a(i + 2, j + 2) = static_cast<float>(2 * i - j);
      a(i + 2, j) = static_cast<float>(i + j);
    }
  }
  return a;
}
const std::vector<int> ell_indices = {2, -1, 1, 0};
const std::vector<float> ell_values = {1, 2, 0, 0, 3, 4, 0, 0, 0, -1, 0, 1, 2, 1, 1, 2};

// Slices of 2 rows, and a last row by itself.
constexpr int sell_size = 5;
Whole<float> in_slices() {
  Whole<float> a(sell_size, sell_size);
  a(0, 0) = 2;
  a(1, 0) = 3;
  a(1, 1) = 1;
  a(2, 2) = -1;
  a(3, 0) = 1;
  a(3, 2) = 4;
  a(3, 3) = 2;
  a(4, 4) = 1;
  return a;
}
struct SlicedEll : Stored<float> {
  SlicedEll()
      : Stored({0, 4, 10, 12}, {0, 0, -1, 1, 2, 0, -1, 2, -1, 3, 4, -1},
               {2, 3, 0, 1, -1, 1, 0, 4, 0, 2, 1, 0}) {
    SUCCEEDS(cusparseCreateSlicedEll(&descriptor, sell_size, sell_size, 8, 12, 2, offsets.get(),
                                     columns.get(), values.get(), CUSPARSE_INDEX_32I,
                                     CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  }
};

Whole<float> column_of(const std::vector<float>& numbers) {
  Whole<float> result(static_cast<int>(numbers.size()), 1);
  result.elements = numbers;
  return result;
}

}  // namespace

TEST_CASE("products of a matrix in BSR, whose blocks are stored by rows or by columns") {
  const Whole<float> a = in_blocks();
  const std::vector<float> x = {1, 2, -1, 3, 1, 0, 2, -2, 1};
  for (const bool by_rows : {true, false}) {
    for (const int base : {0, 1}) {
      const Bsr bsr(by_rows, base);
      CHECK(product_with_vector(bsr.descriptor, as_it_is, x, rows) ==
            (two * (a * column_of(x))).elements);
      CHECK(product_with_vector(bsr.descriptor, transposed, {1, -1, 2, 3}, columns) ==
            (two * (with_operation(a, transposed) * column_of({1, -1, 2, 3}))).elements);
    }
  }
  const Bsr bsr(true);
  const Whole<float> b = random_whole<float>(columns, 5, 3);
  const DenseOnDevice<float> of_b(b, true);
  const DenseOnDevice<float> c(Whole<float>(rows, 5), false);
  multiply(bsr.descriptor, of_b, c.descriptor);
  CHECK(c.whole() == a * b);
}

TEST_CASE("of a product only the elements of BSR's blocks") {
  const Handle handle;
  const Bsr c(true);
  const Whole<float> a = random_whole<float>(rows, 6, 5);
  const Whole<float> b = random_whole<float>(6, columns, 6);
  const DenseOnDevice<float> of_a(a, true);
  const DenseOnDevice<float> of_b(b, true);
  std::size_t bytes = 0;
  SUCCEEDS(cusparseSDDMM_bufferSize(handle, as_it_is, as_it_is, &one, of_a.descriptor,
                                    of_b.descriptor, &none, c.descriptor, CUDA_R_32F,
                                    CUSPARSE_SDDMM_ALG_DEFAULT, &bytes));
  const Buffer buffer(bytes);
  SUCCEEDS(cusparseSDDMM(handle, as_it_is, as_it_is, &one, of_a.descriptor, of_b.descriptor, &none,
                         c.descriptor, CUDA_R_32F, CUSPARSE_SDDMM_ALG_DEFAULT, buffer.get()));
  CHECK(c.values.numbers() == blocks_of(a * b, true));
}

TEST_CASE("products of a matrix in blocked ELL") {
  Stored<float> a({0}, ell_indices, ell_values);
  SUCCEEDS(cusparseCreateBlockedEll(&a.descriptor, ell_rows, ell_columns, 2, 4, a.columns.get(),
                                    a.values.get(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                    CUDA_R_32F));
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t block = 0;
  std::int64_t width = 0;
  void* indices = nullptr;
  void* values = nullptr;
  cusparseIndexType_t index_type{};
  cusparseIndexBase_t base{};
  cudaDataType type{};
  SUCCEEDS(cusparseBlockedEllGet(a.descriptor, &m, &n, &block, &width, &indices, &values,
                                 &index_type, &base, &type));
  CHECK(m == ell_rows);
  CHECK(n == ell_columns);
  CHECK(block == 2);
  CHECK(width == 4);
  CHECK(values == a.values.get());
  const Whole<float> b = random_whole<float>(ell_columns, 3, 8);
  const DenseOnDevice<float> of_b(b, false);
  const DenseOnDevice<float> c(Whole<float>(ell_rows, 3), false);
  multiply(a.descriptor, of_b, c.descriptor);
  CHECK(c.whole() == in_ell() * b);
  CHECK(cusparseCreateBlockedEll(&a.descriptor, 5, ell_columns, 2, 4, a.columns.get(),
                                 a.values.get(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                 CUDA_R_32F) == CUSPARSE_STATUS_INVALID_VALUE);
}

TEST_CASE("a dense matrix becomes one in blocked ELL, whose columns are given, and back") {
  const Handle handle;
  Stored<float> sparse({0}, ell_indices, std::vector<float>(16, 9.0F));
  SUCCEEDS(cusparseCreateBlockedEll(&sparse.descriptor, ell_rows, ell_columns, 2, 4,
                                    sparse.columns.get(), sparse.values.get(), CUSPARSE_INDEX_32I,
                                    CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  const DenseOnDevice<float> dense(in_ell(), true);
  std::size_t bytes = 0;
  const auto algorithm = CUSPARSE_DENSETOSPARSE_ALG_DEFAULT;
  SUCCEEDS(cusparseDenseToSparse_bufferSize(handle, dense.descriptor, sparse.descriptor, algorithm,
                                            &bytes));
  const Buffer buffer(bytes);
  SUCCEEDS(cusparseDenseToSparse_analysis(handle, dense.descriptor, sparse.descriptor, algorithm,
                                          buffer.get()));
  SUCCEEDS(cusparseDenseToSparse_convert(handle, dense.descriptor, sparse.descriptor, algorithm,
                                         buffer.get()));
  CHECK(sparse.values.numbers() == ell_values);
  const DenseOnDevice<float> again(Whole<float>(ell_rows, ell_columns), false);
  SUCCEEDS(cusparseSparseToDense(handle, sparse.descriptor, again.descriptor,
                                 CUSPARSE_SPARSETODENSE_ALG_DEFAULT, buffer.get()));
  CHECK(again.whole() == in_ell());
}

TEST_CASE("products and solutions with a matrix in sliced ELL") {
  const Handle handle;
  const SlicedEll a;
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t nnz = 0;
  SUCCEEDS(cusparseSpMatGetSize(a.descriptor, &m, &n, &nnz));
  CHECK(nnz == 8);
  const std::vector<float> x = {1, 2, 3, -1, 2};
  CHECK(product_with_vector(a.descriptor, as_it_is, x, sell_size) ==
        (two * (in_slices() * column_of(x))).elements);

  const Array<float> right((in_slices() * column_of(x)).elements);
  const Array<float> solution(std::vector<float>(sell_size, 7.0F));
  cusparseDnVecDescr_t of_right = nullptr;
  cusparseDnVecDescr_t of_solution = nullptr;
  cusparseSpSVDescr_t solver = nullptr;
  SUCCEEDS(cusparseCreateDnVec(&of_right, sell_size, right.get(), CUDA_R_32F));
  SUCCEEDS(cusparseCreateDnVec(&of_solution, sell_size, solution.get(), CUDA_R_32F));
  SUCCEEDS(cusparseSpSV_createDescr(&solver));
  std::size_t bytes = 0;
  const auto algorithm = CUSPARSE_SPSV_ALG_DEFAULT;
  SUCCEEDS(cusparseSpSV_bufferSize(handle, as_it_is, &one, a.descriptor, of_right, of_solution,
                                   CUDA_R_32F, algorithm, solver, &bytes));
  const Buffer buffer(bytes);
  SUCCEEDS(cusparseSpSV_analysis(handle, as_it_is, &one, a.descriptor, of_right, of_solution,
                                 CUDA_R_32F, algorithm, solver, buffer.get()));
  SUCCEEDS(cusparseSpSV_solve(handle, as_it_is, &one, a.descriptor, of_right, of_solution,
                              CUDA_R_32F, algorithm, solver));
  CHECK(solution.numbers() == x);
  cusparseSpSV_destroyDescr(solver);
  cusparseDestroyDnVec(of_right);
  cusparseDestroyDnVec(of_solution);
}

// 1, 2, 3 and -1 in half precision.
TEST_CASE("factors of half precision, whose products are summed in single precision") {
  Stored<std::uint16_t> a({0}, {1, 0},
                          {0x3C00, 0x4000, 0x4200, 0xBC00, 0x4000, 0x3C00, 0x3C00, 0x4200});
  SUCCEEDS(cusparseCreateBlockedEll(&a.descriptor, 4, 4, 2, 2, a.columns.get(), a.values.get(),
                                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_16F));
  const Handle handle;
  const Array<std::uint16_t> b(std::vector<std::uint16_t>{0x3C00, 0x4000, 0x4200, 0xBC00});
  const Array<std::uint16_t> c(std::vector<std::uint16_t>(4));
  cusparseDnMatDescr_t of_b = nullptr;
  cusparseDnMatDescr_t of_c = nullptr;
  SUCCEEDS(cusparseCreateDnMat(&of_b, 4, 1, 4, b.get(), CUDA_R_16F, CUSPARSE_ORDER_COL));
  SUCCEEDS(cusparseCreateDnMat(&of_c, 4, 1, 4, c.get(), CUDA_R_16F, CUSPARSE_ORDER_COL));
  std::size_t bytes = 0;
  SUCCEEDS(cusparseSpMM_bufferSize(handle, as_it_is, as_it_is, &one, a.descriptor, of_b, &none,
                                   of_c, CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, &bytes));
  const Buffer buffer(bytes);
  SUCCEEDS(cusparseSpMM(handle, as_it_is, as_it_is, &one, a.descriptor, of_b, &none, of_c,
                        CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, buffer.get()));
  // 1 * 3 - 2, 3 * 3 + 1, 2 * 1 + 2, 1 + 3 * 2
  CHECK(c.numbers() == std::vector<std::uint16_t>{0x3C00, 0x4900, 0x4400, 0x4700});
  cusparseDestroyDnMat(of_b);
  cusparseDestroyDnMat(of_c);
}
