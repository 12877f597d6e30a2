/// \file
/// Products of sparse matrices and vectors with dense ones, by plain loops over the elements.

#include <vector>

#include "libraries/common/elements.hpp"
#include "libraries/cusparse/calls.hpp"

namespace emulator::cusparse {
namespace {

struct VectorProduct {
  cusparseOperation_t operation;
  const void* alpha;
  cusparseConstSpMatDescr_t a;
  cusparseConstDnVecDescr_t x;
  const void* beta;
  cusparseDnVecDescr_t y;
  cudaDataType type;
};

// What cuSPARSE does not multiply by.
void refuse_format(Work& work, const cusparseSpMatDescr& a, cusparseFormat_t format,
                   const char* name) {
  if (!work.ok() || a.format != format) return;
  work.refuse(CUSPARSE_STATUS_NOT_SUPPORTED, std::string("matA is in ") + name);
}

void check(Work& work, const VectorProduct& p) {
  work.require(is_operation(p.operation), "opA is not a cusparseOperation_t");
  work.live("matA", p.a);
  work.live("vecX", p.x);
  work.live("vecY", p.y);
  if (!work.ok()) return;
  work.require(p.alpha != nullptr, "alpha is a null pointer");
  work.require(p.beta != nullptr, "beta is a null pointer");
  const bool turned = is_turned(p.operation);
  const std::int64_t rows = turned ? p.a->columns : p.a->rows;
  const std::int64_t columns = turned ? p.a->rows : p.a->columns;
  work.require(p.x->size == columns, "vecX has " + std::to_string(p.x->size) + " elements, op(A) " +
                                         std::to_string(columns) + " columns");
  work.require(p.y->size == rows, "vecY has " + std::to_string(p.y->size) + " elements, op(A) " +
                                      std::to_string(rows) + " rows");
  work.same_type(p.type, p.a->type, "matA");
  work.same_type(p.type, p.x->type, "vecX");
  work.same_type(p.type, p.y->type, "vecY");
  check_conjugates(work, "matA", p.operation, p.type);
  refuse_format(work, *p.a, CUSPARSE_FORMAT_BLOCKED_ELL, "blocked ELL");
}

template <class T>
void multiply(Work& work, const VectorProduct& p) {
  const T alpha = work.factor<T>("alpha", p.alpha);
  const T beta = work.factor<T>("beta", p.beta);
  work.reads_matrix<T>("matA", *p.a);
  work.reads("vecX", Strips<T>{static_cast<T*>(p.x->values), p.x->size});
  const Strips<T> y{static_cast<T*>(p.y->values), p.y->size};
  if (beta != T{}) work.reads("vecY", y);
  work.writes("vecY", y);
  if (!work.ok()) return;
  std::vector<T> sums(static_cast<std::size_t>(p.y->size));
  const auto* const x = static_cast<const T*>(p.x->values);
  const auto* const values = static_cast<const T*>(p.a->values);
  const bool turned = is_turned(p.operation);
  for_entries(*p.a, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    sums[static_cast<std::size_t>(turned ? j : i)] +=
        with_operation(values[k], p.operation) * x[turned ? i : j];
  });
  for (std::int64_t i = 0; i < p.y->size; ++i) {
    const T product = alpha * sums[static_cast<std::size_t>(i)];
    y.data[i] = beta == T{} ? product : product + beta * y.data[i];
  }
}

bool is_short(cudaDataType type) {
  return type == CUDA_R_16F || type == CUDA_R_16BF;
}

struct MatrixProductCall {
  cusparseOperation_t of_a;
  cusparseOperation_t of_b;
  const void* alpha;
  cusparseConstSpMatDescr_t a;
  cusparseConstDnMatDescr_t b;
  const void* beta;
  cusparseDnMatDescr_t c;
  cudaDataType type;
};

void check(Work& work, const MatrixProductCall& p) {
  work.require(is_operation(p.of_a) && is_operation(p.of_b),
               "opA or opB is not a cusparseOperation_t");
  work.live("matA", p.a);
  work.live("matB", p.b);
  work.live("matC", p.c);
  if (!work.ok()) return;
  work.require(p.alpha != nullptr, "alpha is a null pointer");
  work.require(p.beta != nullptr, "beta is a null pointer");
  const std::int64_t m = is_turned(p.of_a) ? p.a->columns : p.a->rows;
  const std::int64_t k = is_turned(p.of_a) ? p.a->rows : p.a->columns;
  const std::int64_t k_of_b = is_turned(p.of_b) ? p.b->columns : p.b->rows;
  const std::int64_t n = is_turned(p.of_b) ? p.b->rows : p.b->columns;
  work.require(k == k_of_b, "op(A) has " + std::to_string(k) + " columns, op(B) " +
                                std::to_string(k_of_b) + " rows");
  work.require(p.c->rows == m && p.c->columns == n,
               "matC should be " + std::to_string(m) + " x " + std::to_string(n));
  check_batches(work, p.a->batch_count, p.b->batch_count, p.c->batch_count);
  const cudaDataType factors = is_short(p.a->type) && p.type == CUDA_R_32F ? p.a->type : p.type;
  work.same_type(factors, p.a->type, "matA");
  work.same_type(factors, p.b->type, "matB");
  work.same_type(p.c->type == factors ? factors : p.type, p.c->type, "matC");
  check_conjugates(work, "matA", p.of_a, p.type);
  check_conjugates(work, "matB", p.of_b, p.type);
  refuse_format(work, *p.a, CUSPARSE_FORMAT_SLICED_ELLPACK, "sliced ELL");
}

// A and B are of elements E, C of elements R; T is what is computed with.
template <class E, class R, class T>
void multiply_one(Work& work, const MatrixProductCall& p, T alpha, T beta, int batch) {
  const cusparseSpMatDescr of_a = of_batch<E>(*p.a, batch);
  const cusparseDnMatDescr of_b = of_batch<E>(*p.b, batch);
  const cusparseDnMatDescr of_c = of_batch<R>(*p.c, batch);
  work.reads_matrix<E>("matA", of_a);
  work.reads("matB", strips_of<E>(of_b));
  if (beta != T{}) work.reads("matC", strips_of<R>(of_c));
  work.writes("matC", strips_of<R>(of_c));
  if (!work.ok()) return;
  const Dense<E> b(of_b, is_turned(p.of_b));
  const Dense<R> c(of_c);
  const std::int64_t n = of_c.columns;
  std::vector<T> sums(static_cast<std::size_t>(of_c.rows * n));
  const auto* const values = static_cast<const E*>(of_a.values);
  const bool turned = is_turned(p.of_a);
  for_entries(of_a, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    const T value = with_operation(to_number(values[k]), p.of_a);
    T* const row = &sums[static_cast<std::size_t>((turned ? j : i) * n)];
    for (std::int64_t l = 0; l < n; ++l) {
      row[l] += value * with_operation(to_number(b(turned ? i : j, l)), p.of_b);
    }
  });
  for (std::int64_t i = 0; i < of_c.rows; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      const T product = alpha * sums[static_cast<std::size_t>(i * n + j)];
      round_to(c(i, j), beta == T{} ? product : product + beta * to_number(c(i, j)));
    }
  }
}
template <class E, class R, class T>
void multiply_all(Work& work, const MatrixProductCall& p, T alpha, T beta) {
  for (int i = 0; i < p.c->batch_count; ++i) multiply_one<E, R>(work, p, alpha, beta, i);
}
template <class E>
void multiply_short(Work& work, const MatrixProductCall& p, float alpha, float beta) {
  p.c->type == CUDA_R_32F ? multiply_all<E, float>(work, p, alpha, beta)
                          : multiply_all<E, E>(work, p, alpha, beta);
}
template <class T>
void multiply(Work& work, const MatrixProductCall& p) {
  const T alpha = work.factor<T>("alpha", p.alpha);
  const T beta = work.factor<T>("beta", p.beta);
  if constexpr (std::is_same_v<T, float>) {
    if (p.a->type == CUDA_R_16F) return multiply_short<Half>(work, p, alpha, beta);
    if (p.a->type == CUDA_R_16BF) return multiply_short<Bfloat16>(work, p, alpha, beta);
  }
  multiply_all<T, T>(work, p, alpha, beta);
}

// A call whose descriptors are copies, as the program may destroy its own.
struct KeptVectorProduct {
  cusparseSpMatDescr a;
  cusparseDnVecDescr x;
  cusparseDnVecDescr y;
  VectorProduct rest;

  explicit KeptVectorProduct(const VectorProduct& p) : a(*p.a), x(*p.x), y(*p.y), rest(p) {}
  VectorProduct call() { return {rest.operation, rest.alpha, &a, &x, rest.beta, &y, rest.type}; }
};
struct KeptMatrixProduct {
  cusparseSpMatDescr a;
  cusparseDnMatDescr b;
  cusparseDnMatDescr c;
  MatrixProductCall rest;

  explicit KeptMatrixProduct(const MatrixProductCall& p) : a(*p.a), b(*p.b), c(*p.c), rest(p) {}
  MatrixProductCall call() {
    return {rest.of_a, rest.of_b, rest.alpha, &a, &b, rest.beta, &c, rest.type};
  }
};
KeptVectorProduct kept(const VectorProduct& p) {
  return KeptVectorProduct(p);
}
KeptMatrixProduct kept(const MatrixProductCall& p) {
  return KeptMatrixProduct(p);
}

template <class Call>
cusparseStatus_t run_now(const char* function, cusparseHandle_t handle, const Call& call) {
  const QuietErrors quiet;
  Work work(function, handle);
  check(work, call);
  if (!work.starts()) return work.status();
  if (!use_type(call.type, [&](auto zero) { multiply<decltype(zero)>(work, call); })) {
    work.refuse(CUSPARSE_STATUS_NOT_SUPPORTED, "values of this type are not modelled");
  }
  return work.status();
}
template <class Call>
cusparseStatus_t run(const char* function, cusparseHandle_t handle, const Call& call) {
  return capturable(
      CUSPARSE_STATUS_EXECUTION_FAILED, [&] { return run_now(function, handle, call); },
      [&] {
        return [function, handle, mine = kept(call)]() mutable {
          run_now(function, handle, mine.call());
        };
      });
}
template <class Call>
cusparseStatus_t size_of(const char* function, cusparseHandle_t handle, const Call& call,
                         std::size_t* size) {
  Work work(function, handle);
  check(work, call);
  work.require(size != nullptr, "bufferSize is a null pointer");
  if (work.ok()) *size = 0;
  return work.status();
}

}  // namespace
}  // namespace emulator::cusparse

using namespace emulator::cusparse;

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA,
                                         const void* alpha, cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnVecDescr_t vecX, const void* beta,
                                         cusparseDnVecDescr_t vecY, cudaDataType computeType,
                                         cusparseSpMVAlg_t, std::size_t* bufferSize) {
  return size_of(__func__, handle, VectorProduct{opA, alpha, matA, vecX, beta, vecY, computeType},
                 bufferSize);
}
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t opA,
                                         const void* alpha, cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnVecDescr_t vecX, const void* beta,
                                         cusparseDnVecDescr_t vecY, cudaDataType computeType,
                                         cusparseSpMVAlg_t, void*) {
  std::size_t size = 0;
  return size_of(__func__, handle, VectorProduct{opA, alpha, matA, vecX, beta, vecY, computeType},
                 &size);
}
cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t opA, const void* alpha,
                              cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX,
                              const void* beta, cusparseDnVecDescr_t vecY, cudaDataType computeType,
                              cusparseSpMVAlg_t, void*) {
  return run(__func__, handle, VectorProduct{opA, alpha, matA, vecX, beta, vecY, computeType});
}

cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA,
                                         cusparseOperation_t opB, const void* alpha,
                                         cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnMatDescr_t matB, const void* beta,
                                         cusparseDnMatDescr_t matC, cudaDataType computeType,
                                         cusparseSpMMAlg_t, std::size_t* bufferSize) {
  return size_of(__func__, handle,
                 MatrixProductCall{opA, opB, alpha, matA, matB, beta, matC, computeType},
                 bufferSize);
}
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t opA,
                                         cusparseOperation_t opB, const void* alpha,
                                         cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnMatDescr_t matB, const void* beta,
                                         cusparseDnMatDescr_t matC, cudaDataType computeType,
                                         cusparseSpMMAlg_t, void*) {
  std::size_t size = 0;
  return size_of(__func__, handle,
                 MatrixProductCall{opA, opB, alpha, matA, matB, beta, matC, computeType}, &size);
}
cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t opA,
                              cusparseOperation_t opB, const void* alpha,
                              cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                              const void* beta, cusparseDnMatDescr_t matC, cudaDataType computeType,
                              cusparseSpMMAlg_t, void*) {
  return run(__func__, handle,
             MatrixProductCall{opA, opB, alpha, matA, matB, beta, matC, computeType});
}
