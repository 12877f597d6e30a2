/// \file
/// Products of dense matrices of which only some elements are wanted (SDDMM).

#include "libraries/cusparse/calls.hpp"

namespace emulator::cusparse {
namespace {

struct SampledProduct {
  cusparseOperation_t of_a;
  cusparseOperation_t of_b;
  const void* alpha;
  Copy<cusparseDnMatDescr> a;
  Copy<cusparseDnMatDescr> b;
  const void* beta;
  Copy<cusparseSpMatDescr> c;
  cudaDataType type;

  void check(Work& work) const {
    work.require(is_operation(of_a) && is_operation(of_b),
                 "opA or opB is not a cusparseOperation_t");
    work.require(a.lives, "matA is not a live descriptor");
    work.require(b.lives, "matB is not a live descriptor");
    work.require(c.lives, "matC is not a live descriptor");
    work.require(alpha != nullptr, "alpha is a null pointer");
    work.require(beta != nullptr, "beta is a null pointer");
    if (work.ok() && c->format != CUSPARSE_FORMAT_CSR && c->format != CUSPARSE_FORMAT_BSR) {
      work.refuse(CUSPARSE_STATUS_NOT_SUPPORTED, "matC should be in CSR or BSR");
    }
    const std::int64_t inner = is_turned(of_a) ? a->rows : a->columns;
    work.require(inner == (is_turned(of_b) ? b->columns : b->rows),
                 "op(A) does not have as many columns as op(B) has rows");
    work.require(c->rows == (is_turned(of_a) ? a->columns : a->rows) &&
                     c->columns == (is_turned(of_b) ? b->rows : b->columns),
                 "matC is not of the size of op(A) op(B)");
    check_batches(work, a->batch_count, b->batch_count, c->batch_count);
    work.same_type(type, a->type, "matA");
    work.same_type(type, b->type, "matB");
    work.same_type(type, c->type, "matC");
    check_conjugates(work, "matA", of_a, type);
    check_conjugates(work, "matB", of_b, type);
  }
};

template <class T>
void multiply(Work& work, const SampledProduct& p, T alpha, T beta, int batch) {
  const cusparseDnMatDescr of_a = of_batch<T>(*p.a, batch);
  const cusparseDnMatDescr of_b = of_batch<T>(*p.b, batch);
  const cusparseSpMatDescr of_c = of_batch<T>(*p.c, batch);
  work.reads("matA", strips_of<T>(of_a));
  work.reads("matB", strips_of<T>(of_b));
  work.reads_pattern("matC", of_c);
  const Strips<T> values{static_cast<T*>(of_c.values), of_c.nnz};
  if (beta != T{}) work.reads("matC's values", values);
  work.writes("matC's values", values);
  if (!work.ok()) return;
  const Dense<T> a(of_a, is_turned(p.of_a));
  const Dense<T> b(of_b, is_turned(p.of_b));
  const std::int64_t inner = is_turned(p.of_a) ? of_a.rows : of_a.columns;
  for_entries(of_c, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    T sum{};
    for (std::int64_t l = 0; l < inner; ++l) {
      sum += with_operation(a(i, l), p.of_a) * with_operation(b(l, j), p.of_b);
    }
    const T product = alpha * sum;
    values.data[k] = beta == T{} ? product : product + beta * values.data[k];
  });
}

}  // namespace
}  // namespace emulator::cusparse

using namespace emulator::cusparse;

cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA,
                                          cusparseOperation_t opB, const void* alpha,
                                          cusparseConstDnMatDescr_t matA,
                                          cusparseConstDnMatDescr_t matB, const void* beta,
                                          cusparseSpMatDescr_t matC, cudaDataType computeType,
                                          cusparseSDDMMAlg_t, std::size_t* bufferSize) {
  const SampledProduct product{opA,        opB,  alpha,      Copy(matA),
                               Copy(matB), beta, Copy(matC), computeType};
  return size_call(
      __func__, handle, [&](Work& work) { product.check(work); }, bufferSize);
}
cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t handle, cusparseOperation_t opA,
                                          cusparseOperation_t opB, const void* alpha,
                                          cusparseConstDnMatDescr_t matA,
                                          cusparseConstDnMatDescr_t matB, const void* beta,
                                          cusparseSpMatDescr_t matC, cudaDataType computeType,
                                          cusparseSDDMMAlg_t alg, void*) {
  std::size_t size = 0;
  return cusparseSDDMM_bufferSize(handle, opA, opB, alpha, matA, matB, beta, matC, computeType, alg,
                                  &size);
}
cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t opA,
                               cusparseOperation_t opB, const void* alpha,
                               cusparseConstDnMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                               const void* beta, cusparseSpMatDescr_t matC,
                               cudaDataType computeType, cusparseSDDMMAlg_t, void*) {
  const SampledProduct product{opA,        opB,  alpha,      Copy(matA),
                               Copy(matB), beta, Copy(matC), computeType};
  return call(
      __func__, handle, [product](Work& work) { product.check(work); },
      [product](Work& work) {
        with_type(work, product.type, [&](auto zero) {
          using T = decltype(zero);
          const T alpha_value = work.factor<T>("alpha", product.alpha);
          const T beta_value = work.factor<T>("beta", product.beta);
          for (int i = 0; i < product.c->batch_count; ++i) {
            multiply(work, product, alpha_value, beta_value, i);
          }
        });
      });
}
