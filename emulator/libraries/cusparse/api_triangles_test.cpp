// Triangular systems of cuSPARSE's. The diagonals are powers of 2, so that the solutions are exact.

#include "libraries/cusparse/api_test.hpp"

using namespace sparse;

namespace {

using Complex = std::complex<float>;

constexpr int size = 13;

// A matrix of which a solver should look at one triangle only.
template <class T>
Whole<T> stored_matrix(unsigned seed) {
  Whole<T> a = random_whole<T>(size, size, seed, 2);
  for (int i = 0; i < size; ++i) a(i, i) = number<T>(i % 3 == 0 ? 1 : i % 3 == 1 ? -2 : 4);
  return a;
}
// What it stands for.
template <class T>
Whole<T> meant(Whole<T> a, cusparseFillMode_t fill, cusparseDiagType_t diagonal) {
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) {
      const bool keeps = fill == CUSPARSE_FILL_MODE_LOWER ? j <= i : j >= i;
      if (!keeps) a(i, j) = T{};
      if (i == j && diagonal == CUSPARSE_DIAG_TYPE_UNIT) a(i, j) = number<T>(1);
    }
  }
  return a;
}
void set_attributes(cusparseSpMatDescr_t a, cusparseFillMode_t fill, cusparseDiagType_t diagonal) {
  SUCCEEDS(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof(fill)));
  SUCCEEDS(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof(diagonal)));
}

template <class T>
struct VectorOnDevice {
  Array<T> values;
  cusparseDnVecDescr_t descriptor = nullptr;
  explicit VectorOnDevice(const std::vector<T>& numbers) : values(numbers) {
    SUCCEEDS(cusparseCreateDnVec(&descriptor, static_cast<std::int64_t>(numbers.size()),
                                 values.get(), type_of<T>));
  }
  ~VectorOnDevice() { cusparseDestroyDnVec(descriptor); }
  VectorOnDevice(const VectorOnDevice&) = delete;
  VectorOnDevice& operator=(const VectorOnDevice&) = delete;
};

struct Solver {
  cusparseSpSVDescr_t value = nullptr;
  Solver() { REQUIRE(cusparseSpSV_createDescr(&value) == CUSPARSE_STATUS_SUCCESS); }
  ~Solver() { cusparseSpSV_destroyDescr(value); }
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;
};

template <class T>
Buffer analyse(const Handle& handle, cusparseOperation_t operation, const T& alpha,
               const OnDevice<T>& a, const VectorOnDevice<T>& x, const VectorOnDevice<T>& y,
               const Solver& solver) {
  std::size_t bytes = 0;
  SUCCEEDS(cusparseSpSV_bufferSize(handle, operation, &alpha, a.descriptor, x.descriptor,
                                   y.descriptor, type_of<T>, CUSPARSE_SPSV_ALG_DEFAULT,
                                   solver.value, &bytes));
  return Buffer(bytes);
}

// Solves op(A) y = x / 2, whose solution is known, with one right-hand side.
template <class T>
void check_vector(int base, bool as_list, cusparseOperation_t operation, cusparseFillMode_t fill,
                  cusparseDiagType_t diagonal) {
  CAPTURE(as_list);
  CAPTURE(static_cast<int>(operation));
  CAPTURE(static_cast<int>(fill));
  CAPTURE(static_cast<int>(diagonal));
  const Handle handle;
  const Whole<T> stored = stored_matrix<T>(5);
  const Whole<T> solution = random_whole<T>(size, 1, 6, 1);
  const Whole<T> right =
      number<T>(2) * (with_operation(meant(stored, fill, diagonal), operation) * solution);
  const OnDevice<T> a(stored, base, as_list);
  set_attributes(a.descriptor, fill, diagonal);
  const VectorOnDevice<T> x(right.elements);
  const VectorOnDevice<T> y(std::vector<T>(size, T(99)));
  const Solver solver;
  const T alpha = T(0.5F);
  const Buffer buffer = analyse(handle, operation, alpha, a, x, y, solver);
  SUCCEEDS(cusparseSpSV_analysis(handle, operation, &alpha, a.descriptor, x.descriptor,
                                 y.descriptor, type_of<T>, CUSPARSE_SPSV_ALG_DEFAULT, solver.value,
                                 buffer.get()));
  SUCCEEDS(cusparseSpSV_solve(handle, operation, &alpha, a.descriptor, x.descriptor, y.descriptor,
                              type_of<T>, CUSPARSE_SPSV_ALG_DEFAULT, solver.value));
  CHECK(y.values.numbers() == solution.elements);
  CHECK(x.values.numbers() == right.elements);
}

template <class T>
void check_matrix(int base, bool as_list, cusparseOperation_t operation, cusparseFillMode_t fill,
                  cusparseOperation_t of_b, bool b_by_rows, bool c_by_rows) {
  CAPTURE(as_list);
  CAPTURE(static_cast<int>(operation));
  CAPTURE(static_cast<int>(of_b));
  CAPTURE(b_by_rows);
  CAPTURE(c_by_rows);
  const Handle handle;
  const Whole<T> stored = stored_matrix<T>(7);
  const Whole<T> solution = random_whole<T>(size, 4, 8, 1);
  const Whole<T> right =
      number<T>(2) *
      (with_operation(meant(stored, fill, CUSPARSE_DIAG_TYPE_NON_UNIT), operation) * solution);
  const OnDevice<T> a(stored, base, as_list);
  set_attributes(a.descriptor, fill, CUSPARSE_DIAG_TYPE_NON_UNIT);
  const DenseOnDevice<T> b(with_operation(right, of_b), b_by_rows);
  const DenseOnDevice<T> c(Whole<T>(size, 4), c_by_rows);
  cusparseSpSMDescr_t solver = nullptr;
  REQUIRE(cusparseSpSM_createDescr(&solver) == CUSPARSE_STATUS_SUCCESS);
  const T alpha = T(0.5F);
  std::size_t bytes = 0;
  SUCCEEDS(cusparseSpSM_bufferSize(handle, operation, of_b, &alpha, a.descriptor, b.descriptor,
                                   c.descriptor, type_of<T>, CUSPARSE_SPSM_ALG_DEFAULT, solver,
                                   &bytes));
  const Buffer buffer(bytes);
  SUCCEEDS(cusparseSpSM_analysis(handle, operation, of_b, &alpha, a.descriptor, b.descriptor,
                                 c.descriptor, type_of<T>, CUSPARSE_SPSM_ALG_DEFAULT, solver,
                                 buffer.get()));
  SUCCEEDS(cusparseSpSM_solve(handle, operation, of_b, &alpha, a.descriptor, b.descriptor,
                              c.descriptor, type_of<T>, CUSPARSE_SPSM_ALG_DEFAULT, solver));
  CHECK(c.whole() == solution);
  SUCCEEDS(cusparseSpSM_destroyDescr(solver));
}

}  // namespace

TEST_CASE("cuSPARSE SpSV: both triangles, all operations, with ones on the diagonal and without") {
  for (const auto fill : {CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER}) {
    for (const auto diagonal : {CUSPARSE_DIAG_TYPE_NON_UNIT, CUSPARSE_DIAG_TYPE_UNIT}) {
      for (const auto operation : {as_it_is, transposed, conjugate_transposed}) {
        check_vector<Complex>(1, false, operation, fill, diagonal);
        if (operation == conjugate_transposed) continue;  // which real numbers do not have
        check_vector<float>(0, false, operation, fill, diagonal);
        check_vector<double>(1, true, operation, fill, diagonal);
      }
    }
  }
}

TEST_CASE("cuSPARSE SpSM: several right-hand sides, in all orders, as they are and transposed") {
  for (const auto operation : {as_it_is, transposed}) {
    for (const auto of_b : {as_it_is, transposed}) {
      for (const bool by_rows : {false, true}) {
        check_matrix<float>(0, false, operation, CUSPARSE_FILL_MODE_LOWER, of_b, by_rows, by_rows);
        check_matrix<double>(1, true, operation, CUSPARSE_FILL_MODE_UPPER, of_b, by_rows, by_rows);
        check_matrix<Complex>(0, false, operation, CUSPARSE_FILL_MODE_UPPER, of_b, by_rows,
                              by_rows);
      }
    }
  }
  check_matrix<Complex>(0, false, conjugate_transposed, CUSPARSE_FILL_MODE_LOWER, as_it_is, false,
                        false);
}

TEST_CASE("cuSPARSE SpSV: new values for an analysed matrix: all, and those of the diagonal") {
  const Handle handle;
  Whole<double> stored = stored_matrix<double>(5);
  const Whole<double> solution = random_whole<double>(size, 1, 6, 1);
  const OnDevice<double> a(stored);
  set_attributes(a.descriptor, CUSPARSE_FILL_MODE_LOWER, CUSPARSE_DIAG_TYPE_NON_UNIT);
  const auto right = [&] {
    return meant(stored, CUSPARSE_FILL_MODE_LOWER, CUSPARSE_DIAG_TYPE_NON_UNIT) * solution;
  };
  const VectorOnDevice<double> x(right().elements);
  const VectorOnDevice<double> y(std::vector<double>(size, 0));
  const Solver solver;
  const double one = 1;
  const Buffer buffer = analyse(handle, as_it_is, one, a, x, y, solver);
  SUCCEEDS(cusparseSpSV_analysis(handle, as_it_is, &one, a.descriptor, x.descriptor, y.descriptor,
                                 CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, solver.value,
                                 buffer.get()));
  const auto solves = [&] {
    const std::vector<double> numbers = right().elements;
    REQUIRE(cudaMemcpy(x.values.get(), numbers.data(), numbers.size() * sizeof(double),
                       cudaMemcpyDefault) == cudaSuccess);
    SUCCEEDS(cusparseSpSV_solve(handle, as_it_is, &one, a.descriptor, x.descriptor, y.descriptor,
                                CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, solver.value));
    return y.values.numbers() == solution.elements;
  };
  CHECK(solves());

  for (int i = 0; i < size; ++i) stored(i, i) = 8;
  const Array<double> diagonal(std::vector<double>(size, 8));
  SUCCEEDS(cusparseSpSV_updateMatrix(handle, solver.value, diagonal.get(),
                                     CUSPARSE_SPSV_UPDATE_DIAGONAL));
  CHECK(solves());

  for (double& value : stored.elements) value *= 2;
  const Array<double> all(Compressed<double>(stored).values);
  SUCCEEDS(
      cusparseSpSV_updateMatrix(handle, solver.value, all.get(), CUSPARSE_SPSV_UPDATE_GENERAL));
  CHECK(solves());
}

namespace {

// A lower triangle of 3 x 3 for which y = 1, 1, 1.75 solves A y = x.
Whole<float> small_triangle() {
  Whole<float> a(3, 3);
  a.elements = {2, 0, 0, 4, 1, 0, 0, 3, 4};
  return a;
}
const std::vector<float> right_side{2, 5, 10};

}  // namespace

TEST_CASE("cuSPARSE SpSV: an element of the diagonal that is not stored counts as 1") {
  const Handle handle;
  Whole<float> stored = small_triangle();
  stored(1, 1) = 0;
  const OnDevice<float> a(stored);
  const VectorOnDevice<float> x(right_side);
  const VectorOnDevice<float> y(std::vector<float>(3, 0));
  const Solver solver;
  const float one = 1;
  const Buffer buffer = analyse(handle, as_it_is, one, a, x, y, solver);
  SUCCEEDS(cusparseSpSV_analysis(handle, as_it_is, &one, a.descriptor, x.descriptor, y.descriptor,
                                 CUDA_R_32F, CUSPARSE_SPSV_ALG_DEFAULT, solver.value,
                                 buffer.get()));
  SUCCEEDS(cusparseSpSV_solve(handle, as_it_is, &one, a.descriptor, x.descriptor, y.descriptor,
                              CUDA_R_32F, CUSPARSE_SPSV_ALG_DEFAULT, solver.value));
  CHECK(y.values.numbers() == std::vector<float>{1, 1, 1.75F});
}

TEST_CASE("cuSPARSE SpSV: conjugates of real numbers, and a solution that has no analysis") {
  const Handle handle;
  const OnDevice<float> a(small_triangle());
  const VectorOnDevice<float> x(right_side);
  const VectorOnDevice<float> y(std::vector<float>(3, 0));
  const Solver solver;
  const float one = 1;
  const Buffer buffer = analyse(handle, as_it_is, one, a, x, y, solver);
  const auto solve = [&](cusparseOperation_t operation) {
    return cusparseSpSV_solve(handle, operation, &one, a.descriptor, x.descriptor, y.descriptor,
                              CUDA_R_32F, CUSPARSE_SPSV_ALG_DEFAULT, solver.value);
  };
  CHECK(solve(as_it_is) == CUSPARSE_STATUS_NOT_INITIALIZED);
  std::size_t bytes = 0;
  CHECK(cusparseSpSV_bufferSize(handle, conjugate_transposed, &one, a.descriptor, x.descriptor,
                                y.descriptor, CUDA_R_32F, CUSPARSE_SPSV_ALG_DEFAULT, solver.value,
                                &bytes) == CUSPARSE_STATUS_INVALID_VALUE);
  CHECK(cusparseSpSV_analysis(handle, conjugate_transposed, &one, a.descriptor, x.descriptor,
                              y.descriptor, CUDA_R_32F, CUSPARSE_SPSV_ALG_DEFAULT, solver.value,
                              buffer.get()) == CUSPARSE_STATUS_INVALID_VALUE);
  CHECK(solve(conjugate_transposed) == CUSPARSE_STATUS_INVALID_VALUE);
  CHECK(y.values.numbers() == std::vector<float>(3, 0));
}

TEST_CASE("cuSPARSE SpSV and SpSM: a matrix by columns is not supported") {
  const Handle handle;
  const OnDevice<float> by_rows(with_operation(small_triangle(), transposed));
  cusparseSpMatDescr_t a = nullptr;
  SUCCEEDS(cusparseCreateCsc(&a, 3, 3, 5, by_rows.outer.get(), by_rows.columns.get(),
                             by_rows.values.get(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                             CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  const VectorOnDevice<float> x(right_side);
  const VectorOnDevice<float> y(std::vector<float>(3, 0));
  const Solver solver;
  const float one = 1;
  std::size_t bytes = 0;
  CHECK(cusparseSpSV_bufferSize(handle, as_it_is, &one, a, x.descriptor, y.descriptor, CUDA_R_32F,
                                CUSPARSE_SPSV_ALG_DEFAULT, solver.value,
                                &bytes) == CUSPARSE_STATUS_NOT_SUPPORTED);
  const DenseOnDevice<float> b(Whole<float>(3, 2), false);
  const DenseOnDevice<float> c(Whole<float>(3, 2), false);
  cusparseSpSMDescr_t of_matrix = nullptr;
  REQUIRE(cusparseSpSM_createDescr(&of_matrix) == CUSPARSE_STATUS_SUCCESS);
  CHECK(cusparseSpSM_bufferSize(handle, as_it_is, as_it_is, &one, a, b.descriptor, c.descriptor,
                                CUDA_R_32F, CUSPARSE_SPSM_ALG_DEFAULT, of_matrix,
                                &bytes) == CUSPARSE_STATUS_NOT_SUPPORTED);
  SUCCEEDS(cusparseSpSM_destroyDescr(of_matrix));
  cusparseDestroySpMat(a);
}

TEST_CASE("cuSPARSE: a matrix remembers its attributes") {
  const OnDevice<float> a(stored_matrix<float>(1));
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_UPPER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_UNIT;
  SUCCEEDS(cusparseSpMatGetAttribute(a.descriptor, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof(fill)));
  SUCCEEDS(cusparseSpMatGetAttribute(a.descriptor, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal,
                                     sizeof(diagonal)));
  CHECK(fill == CUSPARSE_FILL_MODE_LOWER);
  CHECK(diagonal == CUSPARSE_DIAG_TYPE_NON_UNIT);
  set_attributes(a.descriptor, CUSPARSE_FILL_MODE_UPPER, CUSPARSE_DIAG_TYPE_UNIT);
  SUCCEEDS(cusparseSpMatGetAttribute(a.descriptor, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof(fill)));
  SUCCEEDS(cusparseSpMatGetAttribute(a.descriptor, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal,
                                     sizeof(diagonal)));
  CHECK(fill == CUSPARSE_FILL_MODE_UPPER);
  CHECK(diagonal == CUSPARSE_DIAG_TYPE_UNIT);
  CHECK(cusparseSpMatSetAttribute(a.descriptor, CUSPARSE_SPMAT_FILL_MODE, &fill, 1) ==
        CUSPARSE_STATUS_INVALID_VALUE);
}
