// What the emulator's cuSPARSE refuses in the solvers and the older functions, and what a launch of
// a graph repeats. Some of it a GPU's library takes, and computes what is not wanted; for some it
// has another status.

#include "libraries/common/capture_test.hpp"
#include "libraries/cusparse/api_test.hpp"

using namespace sparse;

namespace {

constexpr auto refused = CUSPARSE_STATUS_INVALID_VALUE;

Whole<float> lower_matrix() {
  Whole<float> a(3, 3);
  a.elements = {2, 0, 0, 4, 1, 0, 0, 3, 4};
  return a;
}

// op(A) y = x with what SpSV needs.
struct System {
  Handle handle;
  OnDevice<float> a{lower_matrix()};
  Array<float> x{{2, 5, 10}};
  Array<float> y{{0, 0, 0}};
  cusparseDnVecDescr_t of_x = nullptr;
  cusparseDnVecDescr_t of_y = nullptr;
  cusparseSpSVDescr_t solver = nullptr;
  float one = 1;

  System() {
    SUCCEEDS(cusparseCreateDnVec(&of_x, 3, x.get(), CUDA_R_32F));
    SUCCEEDS(cusparseCreateDnVec(&of_y, 3, y.get(), CUDA_R_32F));
    SUCCEEDS(cusparseSpSV_createDescr(&solver));
  }
  ~System() {
    destroy_vectors();
    cusparseSpSV_destroyDescr(solver);
  }
  System(const System&) = delete;
  System& operator=(const System&) = delete;
  void destroy_vectors() const {
    cusparseDestroyDnVec(of_x);
    cusparseDestroyDnVec(of_y);
  }
  cusparseStatus_t analyse(cusparseOperation_t operation = as_it_is) const {
    return cusparseSpSV_analysis(handle, operation, &one, a.descriptor, of_x, of_y, CUDA_R_32F,
                                 CUSPARSE_SPSV_ALG_DEFAULT, solver, nullptr);
  }
  cusparseStatus_t solve(cusparseOperation_t operation = as_it_is) const {
    return cusparseSpSV_solve(handle, operation, &one, a.descriptor, of_x, of_y, CUDA_R_32F,
                              CUSPARSE_SPSV_ALG_DEFAULT, solver);
  }
};

}  // namespace

TEST_CASE("cuSPARSE SpSV: a solution needs the analysis of this matrix and operation") {
  const System system;
  CHECK(system.solve() == CUSPARSE_STATUS_NOT_INITIALIZED);
  CHECK(cusparseSpSV_updateMatrix(system.handle, system.solver, system.x.get(),
                                  CUSPARSE_SPSV_UPDATE_DIAGONAL) == refused);
  SUCCEEDS(system.analyse(transposed));
  CHECK(system.solve() == refused);
  SUCCEEDS(system.analyse());
  SUCCEEDS(system.solve());
  CHECK(system.y.numbers() == std::vector<float>{1, 1, 1.75F});
}

TEST_CASE("cuSPARSE SpSV: values that change after the analysis are seen by an update only") {
  const System system;
  SUCCEEDS(system.analyse());
  cudaMemset(system.a.values.get(), 0, 5 * sizeof(float));
  SUCCEEDS(system.solve());
  CHECK(system.y.numbers() == std::vector<float>{1, 1, 1.75F});
}

TEST_CASE(
    "cuSPARSE SpSV: a captured solution is repeated by each launch, whatever became of its "
    "descriptors") {
  System system;
  SUCCEEDS(system.analyse());
  libraries::Capture capture;
  SUCCEEDS(cusparseSetStream(system.handle, capture.stream()));
  capture.begin();
  SUCCEEDS(system.solve());
  REQUIRE(capture.end() == cudaSuccess);
  CHECK(system.y.numbers() == std::vector<float>{0, 0, 0});
  system.one = 1000;
  system.destroy_vectors();
  capture.launch();
  CHECK(system.y.numbers() == std::vector<float>{1, 1, 1.75F});
}

TEST_CASE("cuSPARSE SpGEMM: a step that comes too early, and a buffer that is too small") {
  const Handle handle;
  const OnDevice<float> a(lower_matrix());
  const Array<int> offsets({0, 0, 0, 0});
  cusparseSpMatDescr_t c = nullptr;
  SUCCEEDS(cusparseCreateCsr(&c, 3, 3, 0, offsets.get(), nullptr, nullptr, CUSPARSE_INDEX_32I,
                             CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  cusparseSpGEMMDescr_t product = nullptr;
  SUCCEEDS(cusparseSpGEMM_createDescr(&product));
  const float one = 1;
  const float zero = 0;
  const Buffer buffer(4096);
  const auto with = [&](auto function, cusparseOperation_t of_a, auto... last) {
    return function(handle, of_a, as_it_is, &one, a.descriptor, a.descriptor, &zero, c, CUDA_R_32F,
                    CUSPARSE_SPGEMM_DEFAULT, product, last...);
  };
  std::size_t size = 4096;
  CHECK(with(cusparseSpGEMM_compute, as_it_is, &size, buffer.get()) == refused);
  CHECK(with(cusparseSpGEMM_copy, as_it_is) == refused);
  CHECK(with(cusparseSpGEMM_workEstimation, transposed, &size, nullptr) ==
        CUSPARSE_STATUS_NOT_SUPPORTED);
  SUCCEEDS(with(cusparseSpGEMM_workEstimation, as_it_is, &size, nullptr));
  CHECK(size > 0);
  size -= 1;
  CHECK(with(cusparseSpGEMM_workEstimation, as_it_is, &size, buffer.get()) ==
        CUSPARSE_STATUS_INSUFFICIENT_RESOURCES);
  size += 1;
  SUCCEEDS(with(cusparseSpGEMM_workEstimation, as_it_is, &size, buffer.get()));
  std::int64_t count = 0;
  SUCCEEDS(cusparseSpGEMM_getNumProducts(product, &count));
  CHECK(count == 1 + (1 + 2) + (2 + 2));
  SUCCEEDS(with(cusparseSpGEMM_compute, as_it_is, &size, nullptr));
  size -= 1;
  CHECK(with(cusparseSpGEMM_compute, as_it_is, &size, buffer.get()) ==
        CUSPARSE_STATUS_INSUFFICIENT_RESOURCES);
  SUCCEEDS(cusparseSpGEMM_destroyDescr(product));
  cusparseDestroySpMat(c);
}

TEST_CASE("cuSPARSE SpSM: a solution needs an analysis") {
  const Handle handle;
  const OnDevice<float> a(lower_matrix());
  const DenseOnDevice<float> b(Whole<float>(3, 2), false);
  const DenseOnDevice<float> c(Whole<float>(3, 2), false);
  cusparseSpSMDescr_t solver = nullptr;
  SUCCEEDS(cusparseSpSM_createDescr(&solver));
  const float one = 1;
  const auto solve = [&](cusparseOperation_t operation) {
    return cusparseSpSM_solve(handle, operation, as_it_is, &one, a.descriptor, b.descriptor,
                              c.descriptor, CUDA_R_32F, CUSPARSE_SPSM_ALG_DEFAULT, solver);
  };
  CHECK(solve(as_it_is) == CUSPARSE_STATUS_NOT_INITIALIZED);
  CHECK(solve(conjugate_transposed) == refused);
  SUCCEEDS(cusparseSpSM_destroyDescr(solver));
}

TEST_CASE("cuSPARSE SpSM: an element of the diagonal that is not stored counts as 1") {
  const Handle handle;
  Whole<float> stored = lower_matrix();
  stored(1, 1) = 0;
  const OnDevice<float> a(stored);
  Whole<float> right(3, 1);
  right.elements = {2, 5, 10};
  const DenseOnDevice<float> b(right, false);
  const DenseOnDevice<float> c(Whole<float>(3, 1), false);
  cusparseSpSMDescr_t solver = nullptr;
  SUCCEEDS(cusparseSpSM_createDescr(&solver));
  const float one = 1;
  SUCCEEDS(cusparseSpSM_analysis(handle, as_it_is, as_it_is, &one, a.descriptor, b.descriptor,
                                 c.descriptor, CUDA_R_32F, CUSPARSE_SPSM_ALG_DEFAULT, solver,
                                 nullptr));
  SUCCEEDS(cusparseSpSM_solve(handle, as_it_is, as_it_is, &one, a.descriptor, b.descriptor,
                              c.descriptor, CUDA_R_32F, CUSPARSE_SPSM_ALG_DEFAULT, solver));
  CHECK(c.whole().elements == std::vector<float>{1, 1, 1.75F});
  SUCCEEDS(cusparseSpSM_destroyDescr(solver));
}

TEST_CASE("cuSPARSE: conjugates of real dense matrices and sparse vectors are refused") {
  const Handle handle;
  const OnDevice<float> sparse(lower_matrix());
  const DenseOnDevice<float> dense(lower_matrix(), true);
  const DenseOnDevice<float> result(lower_matrix(), true);
  const float one = 1;
  CHECK(cusparseSpMM(handle, as_it_is, conjugate_transposed, &one, sparse.descriptor,
                     dense.descriptor, &one, result.descriptor, CUDA_R_32F,
                     CUSPARSE_SPMM_ALG_DEFAULT, nullptr) == refused);
  CHECK(cusparseSDDMM(handle, as_it_is, conjugate_transposed, &one, dense.descriptor,
                      dense.descriptor, &one, sparse.descriptor, CUDA_R_32F,
                      CUSPARSE_SDDMM_ALG_DEFAULT, nullptr) == refused);
  const Array<int> places(std::vector<int>{0, 2});
  const Array<float> numbers(std::vector<float>{1, 2});
  const Array<float> all(std::vector<float>{1, 2, 3});
  cusparseDnVecDescr_t vector = nullptr;
  SUCCEEDS(cusparseCreateDnVec(&vector, 3, all.get(), CUDA_R_32F));
  cusparseSpVecDescr_t few = nullptr;
  SUCCEEDS(cusparseCreateSpVec(&few, 3, 2, places.get(), numbers.get(), CUSPARSE_INDEX_32I,
                               CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  float sum = 0;
  CHECK(cusparseSpVV(handle, conjugate_transposed, few, vector, &sum, CUDA_R_32F, nullptr) ==
        refused);
  SUCCEEDS(cusparseSpVV(handle, as_it_is, few, vector, &sum, CUDA_R_32F, nullptr));
  CHECK(sum == 7);
  SUCCEEDS(cusparseDestroySpVec(few));
  SUCCEEDS(cusparseDestroyDnVec(vector));
}

TEST_CASE("cuSPARSE: batches go together, and a product of few elements is in CSR") {
  const Handle handle;
  const Array<float> numbers(std::vector<float>(9, 1));
  cusparseDnMatDescr_t dense = nullptr;
  SUCCEEDS(cusparseCreateDnMat(&dense, 3, 3, 3, numbers.get(), CUDA_R_32F, CUSPARSE_ORDER_ROW));
  const float one = 1;
  const auto sample = [&](cusparseSpMatDescr_t c) {
    return cusparseSDDMM(handle, as_it_is, as_it_is, &one, dense, dense, &one, c, CUDA_R_32F,
                         CUSPARSE_SDDMM_ALG_DEFAULT, nullptr);
  };
  const OnDevice<float> rows(lower_matrix());
  const OnDevice<float> list(lower_matrix(), 0, true);
  CHECK(sample(list.descriptor) == CUSPARSE_STATUS_NOT_SUPPORTED);
  SUCCEEDS(sample(rows.descriptor));
  SUCCEEDS(cusparseDnMatSetStridedBatch(dense, 2, 0));
  CHECK(sample(rows.descriptor) == refused);
  CHECK(cusparseDnMatSetStridedBatch(dense, 0, 9) == refused);
  CHECK(cusparseCsrSetStridedBatch(list.descriptor, 2, 4, 5) == refused);
  SUCCEEDS(cusparseCooSetStridedBatch(list.descriptor, 2, 5));
  CHECK(cusparseCooSetStridedBatch(list.descriptor, 2, 4) == refused);
  SUCCEEDS(cusparseCooSetStridedBatch(list.descriptor, 2, 0));
  // Either distance on its own.
  SUCCEEDS(cusparseCsrSetStridedBatch(rows.descriptor, 2, 4, 5));
  SUCCEEDS(cusparseCsrSetStridedBatch(rows.descriptor, 2, 4, 0));
  CHECK(cusparseCsrSetStridedBatch(rows.descriptor, 2, 3, 5) == refused);
  CHECK(cusparseCsrSetStridedBatch(rows.descriptor, 2, 4, 4) == refused);
  SUCCEEDS(cusparseDnMatSetStridedBatch(dense, 2, 9));
  CHECK(cusparseDnMatSetStridedBatch(dense, 2, 8) == refused);
  cusparseDestroyDnMat(dense);
}

TEST_CASE("cuSPARSE: older functions refuse sizes, types and orders of calls that make no sense") {
  const Handle handle;
  const MatDescr descr;
  const OnDevice<float> a(lower_matrix());
  csrilu02Info_t info = nullptr;
  SUCCEEDS(cusparseCreateCsrilu02Info(&info));
  const auto factorise = [&](int m, int nnz) {
    return cusparseScsrilu02(handle, m, nnz, descr, a.values.get(), a.outer.get(), a.columns.get(),
                             info, CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr);
  };
  CHECK(factorise(3, 5) == refused);  // before the analysis
  SUCCEEDS(cusparseScsrilu02_analysis(handle, 3, 5, descr, a.values.get(), a.outer.get(),
                                      a.columns.get(), info, CUSPARSE_SOLVE_POLICY_NO_LEVEL,
                                      nullptr));
  CHECK(factorise(-3, 5) == refused);
  CHECK(factorise(3, -5) == refused);
  CHECK(factorise(3, 4) == CUSPARSE_STATUS_EXECUTION_FAILED);  // the offsets say 5
  SUCCEEDS(factorise(3, 5));
  SUCCEEDS(cusparseSetMatType(descr, CUSPARSE_MATRIX_TYPE_TRIANGULAR));
  CHECK(factorise(3, 5) == CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
  SUCCEEDS(cusparseDestroyCsrilu02Info(info));
  CHECK(factorise(3, 5) == CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
  SUCCEEDS(cusparseSetMatType(descr, CUSPARSE_MATRIX_TYPE_GENERAL));
  CHECK(factorise(3, 5) == refused);  // info is not live

  const Array<float> numbers(std::vector<float>(4, 1));
  float* const x = numbers.get();
  CHECK(cusparseSgtsv2(handle, 2, 1, x, x, x, x, 4, nullptr) == refused);
  CHECK(cusparseSgtsv2(handle, 4, 1, x, x, x, x, 3, nullptr) == refused);
  std::size_t bytes = 0;
  CHECK(cusparseSgtsv2StridedBatch(handle, 4, x, x, x, x, 2, 3, nullptr) == refused);
  CHECK(cusparseSgtsv2StridedBatch_bufferSizeExt(handle, 4, x, x, x, x, 2, 3, &bytes) == refused);
  CHECK(cusparseSgtsvInterleavedBatch_bufferSizeExt(handle, 3, 4, x, x, x, x, 1, &bytes) ==
        refused);
  CHECK(cusparseSgtsvInterleavedBatch(handle, 3, 4, x, x, x, x, 1, nullptr) == refused);
  CHECK(cusparseSgpsvInterleavedBatch(handle, 1, 4, x, x, x, x, x, x, 1, nullptr) == refused);

  // A sort that is not told where its elements came from.
  CHECK(cusparseXcsrsort(handle, 3, 3, 5, descr, a.outer.get(), a.columns.get(), nullptr,
                         nullptr) == refused);

  // Columns that do not ascend, offsets that are those of no sum, and indices that count from 0
  // and from 1.
  const MatDescr of_sum;
  const Array<int> columns({0, 1, 0, 1, 2});
  const Array<int> offsets({0, 0, 0, 0});
  int total = 0;
  CHECK(cusparseXcsrgeam2Nnz(handle, 3, 3, descr, 5, a.outer.get(), columns.get(), descr, 5,
                             a.outer.get(), a.columns.get(), of_sum, offsets.get(), &total,
                             nullptr) == CUSPARSE_STATUS_EXECUTION_FAILED);
  const float one = 1;
  CHECK(cusparseScsrgeam2(handle, 3, 3, &one, descr, 5, a.values.get(), a.outer.get(),
                          a.columns.get(), &one, descr, 5, a.values.get(), a.outer.get(),
                          a.columns.get(), of_sum, a.values.get(), offsets.get(), a.columns.get(),
                          nullptr) == refused);
  const MatDescr from_one(1);
  const auto count_sum = [&](cusparseMatDescr_t of_a, cusparseMatDescr_t of_b,
                             cusparseMatDescr_t of_c) {
    return cusparseXcsrgeam2Nnz(handle, 3, 3, of_a, 5, a.outer.get(), a.columns.get(), of_b, 5,
                                a.outer.get(), a.columns.get(), of_c, offsets.get(), &total,
                                nullptr);
  };
  SUCCEEDS(count_sum(descr, descr, of_sum));
  CHECK(count_sum(descr, descr, from_one) == refused);
  CHECK(count_sum(descr, from_one, descr) == refused);
  CHECK(count_sum(from_one, descr, descr) == refused);
  // Rows of a list that do not ascend.
  const Array<int> rows({1, 0});
  CHECK(cusparseXcoo2csr(handle, rows.get(), 2, 3, offsets.get(), CUSPARSE_INDEX_BASE_ZERO) ==
        CUSPARSE_STATUS_EXECUTION_FAILED);
}

TEST_CASE("cuSPARSE: a batch's diagonals are spoilt where the library overwrites them") {
  const Handle handle;
  const Array<float> dl({0, 1, 1});
  const Array<float> d({2, 3, 4});
  const Array<float> du({1, 1, 0});
  const Array<float> x({3, 5, 5});
  SUCCEEDS(cusparseSgtsvInterleavedBatch(handle, 0, 3, dl.get(), d.get(), du.get(), x.get(), 1,
                                         nullptr));
  CHECK(x.numbers() == std::vector<float>{1, 1, 1});
  for (const float value : d.numbers()) CHECK(value != value);
}

TEST_CASE("cuSPARSE: constant descriptors are read") {
  const OnDevice<float> rows(lower_matrix(), 1);
  const OnDevice<float> list(lower_matrix(), 1, true);
  std::int64_t m = 0, n = 0, nnz = 0, ld = 0;
  const void *outer = nullptr, *inner = nullptr, *values = nullptr;
  cusparseIndexType_t outer_type{}, inner_type{};
  cusparseIndexBase_t base{};
  cudaDataType type{};
  SUCCEEDS(cusparseConstCsrGet(rows.descriptor, &m, &n, &nnz, &outer, &inner, &values, &outer_type,
                               &inner_type, &base, &type));
  CHECK(m == 3);
  CHECK(nnz == 5);
  CHECK(outer == rows.outer.get());
  CHECK(inner == rows.columns.get());
  CHECK(values == rows.values.get());
  CHECK(base == CUSPARSE_INDEX_BASE_ONE);
  CHECK(type == CUDA_R_32F);
  SUCCEEDS(cusparseConstCooGet(list.descriptor, &m, &n, &nnz, &outer, &inner, &values, &inner_type,
                               &base, &type));
  CHECK(outer == list.outer.get());
  CHECK(inner_type == CUSPARSE_INDEX_32I);
  cusparseSpMatDescr_t by_columns = nullptr;
  SUCCEEDS(cusparseCreateCsc(&by_columns, 3, 3, 5, rows.outer.get(), list.columns.get(),
                             rows.values.get(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                             CUSPARSE_INDEX_BASE_ONE, CUDA_R_32F));
  SUCCEEDS(cusparseConstCscGet(by_columns, &m, &n, &nnz, &outer, &inner, &values, &outer_type,
                               &inner_type, &base, &type));
  CHECK(inner == list.columns.get());
  cusparseDestroySpMat(by_columns);
  SUCCEEDS(cusparseConstSpMatGetValues(list.descriptor, &values));
  CHECK(values == list.values.get());
  CHECK(cusparseConstSpMatGetValues(nullptr, &values) == refused);

  const DenseOnDevice<float> dense(lower_matrix(), true);
  cusparseOrder_t order{};
  SUCCEEDS(cusparseConstDnMatGet(dense.descriptor, &m, &n, &ld, &values, &type, &order));
  CHECK(ld == 5);
  CHECK(order == CUSPARSE_ORDER_ROW);
  CHECK(values == dense.values.get());
  values = nullptr;
  SUCCEEDS(cusparseConstDnMatGetValues(dense.descriptor, &values));
  CHECK(values == dense.values.get());
  CHECK(cusparseConstDnMatGetValues(dense.descriptor, nullptr) == refused);

  cusparseDnVecDescr_t vector = nullptr;
  cusparseSpVecDescr_t sparse = nullptr;
  SUCCEEDS(cusparseCreateDnVec(&vector, 5, rows.values.get(), CUDA_R_32F));
  SUCCEEDS(cusparseCreateSpVec(&sparse, 5, 5, rows.columns.get(), list.values.get(),
                               CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE, CUDA_R_32F));
  SUCCEEDS(cusparseConstDnVecGetValues(vector, &values));
  CHECK(values == rows.values.get());
  SUCCEEDS(cusparseConstSpVecGetValues(sparse, &values));
  CHECK(values == list.values.get());
  cusparseDestroyDnVec(vector);
  cusparseDestroySpVec(sparse);
}
