/// \file
/// Products of two sparse matrices (SpGEMM), in the steps in which cuSPARSE makes them.

#include <algorithm>
#include <vector>

#include "libraries/cusparse/calls.hpp"
#include "libraries/cusparse/registry.hpp"

namespace emulator::cusparse {

/// A product under way, with what the steps so far have found.
struct SparseProduct {
  std::int64_t count = 0;  ///< of the products of two elements
  bool is_estimated = false;
  bool has_structure = false;
  std::vector<std::int64_t> offsets;
  std::vector<std::int64_t> columns;
  std::vector<char> values;
};

namespace {

struct ProductCall {
  cusparseOperation_t of_a;
  cusparseOperation_t of_b;
  const void* alpha;
  cusparseConstSpMatDescr_t a;
  cusparseConstSpMatDescr_t b;
  const void* beta;
  cusparseSpMatDescr_t c;
  cudaDataType type;
  cusparseSpGEMMDescr_t state;

  void check(Work& work) const {
    work.live("matA", a);
    work.live("matB", b);
    work.live("matC", c);
    work.live("spgemmDescr", state);
    if (!work.ok()) return;
    work.require(alpha != nullptr, "alpha is a null pointer");
    work.require(beta != nullptr, "beta is a null pointer");
    work.require(is_operation(of_a) && is_operation(of_b),
                 "opA or opB is not a cusparseOperation_t");
    if (work.ok() && (is_turned(of_a) || is_turned(of_b))) {
      work.refuse(CUSPARSE_STATUS_NOT_SUPPORTED, "matA and matB cannot be transposed");
    }
    const auto is_csr = [](cusparseConstSpMatDescr_t m) {
      return m->format == CUSPARSE_FORMAT_CSR;
    };
    if (work.ok() && !(is_csr(a) && is_csr(b) && is_csr(c))) {
      work.refuse(CUSPARSE_STATUS_NOT_SUPPORTED, "all three matrices should be in CSR");
    }
    work.require(a->columns == b->rows && c->rows == a->rows && c->columns == b->columns,
                 "the sizes of the matrices do not match");
    work.same_type(type, a->type, "matA");
    work.same_type(type, b->type, "matB");
    work.same_type(type, c->type, "matC");
  }
  SparseProduct& product() const {
    if (state->product == nullptr) state->product = std::make_shared<SparseProduct>();
    return *state->product;
  }
  std::size_t bytes_for_rows() const { return (static_cast<std::size_t>(a->rows) + 1) * 8; }
};

void estimate(Work& work, const ProductCall& p) {
  work.reads_pattern("matA", *p.a);
  work.reads_pattern("matB", *p.b);
  if (!work.ok()) return;
  SparseProduct& product = p.product();
  product = {};
  const Indices rows_of_b = outer_of(*p.b);
  for_entries(*p.a, [&](std::int64_t, std::int64_t j, std::int64_t) {
    product.count += rows_of_b[j + 1] - rows_of_b[j];
  });
  product.is_estimated = true;
}

// Which elements A B has: by rows, with ascending columns.
void find_structure(const ProductCall& p) {
  SparseProduct& product = p.product();
  const Indices rows_of_a = outer_of(*p.a);
  const Indices columns_of_a = inner_of(*p.a);
  const Indices rows_of_b = outer_of(*p.b);
  const Indices columns_of_b = inner_of(*p.b);
  product.offsets.assign(1, 0);
  product.columns.clear();
  std::vector<std::int64_t> last_row(static_cast<std::size_t>(p.b->columns), -1);
  for (std::int64_t i = 0; i < p.a->rows; ++i) {
    const auto first = static_cast<std::ptrdiff_t>(product.columns.size());
    for (std::int64_t k = rows_of_a[i]; k < rows_of_a[i + 1]; ++k) {
      const std::int64_t middle = columns_of_a[k];
      for (std::int64_t l = rows_of_b[middle]; l < rows_of_b[middle + 1]; ++l) {
        const std::int64_t j = columns_of_b[l];
        if (last_row[static_cast<std::size_t>(j)] == i) continue;
        last_row[static_cast<std::size_t>(j)] = i;
        product.columns.push_back(j);
      }
    }
    std::sort(product.columns.begin() + first, product.columns.end());
    product.offsets.push_back(static_cast<std::int64_t>(product.columns.size()));
  }
  product.has_structure = true;
}

// The values for that structure, times alpha.
template <class T>
std::vector<T> values_of_product(const ProductCall& p, T alpha) {
  const SparseProduct& product = p.product();
  const Indices rows_of_a = outer_of(*p.a);
  const Indices columns_of_a = inner_of(*p.a);
  const Indices rows_of_b = outer_of(*p.b);
  const Indices columns_of_b = inner_of(*p.b);
  const auto* const a = static_cast<const T*>(p.a->values);
  const auto* const b = static_cast<const T*>(p.b->values);
  std::vector<T> row(static_cast<std::size_t>(p.b->columns));
  std::vector<T> result;
  result.reserve(product.columns.size());
  for (std::int64_t i = 0; i < p.a->rows; ++i) {
    for (std::int64_t k = rows_of_a[i]; k < rows_of_a[i + 1]; ++k) {
      const std::int64_t middle = columns_of_a[k];
      for (std::int64_t l = rows_of_b[middle]; l < rows_of_b[middle + 1]; ++l) {
        row[static_cast<std::size_t>(columns_of_b[l])] += a[k] * b[l];
      }
    }
    for (std::int64_t k = product.offsets[static_cast<std::size_t>(i)];
         k < product.offsets[static_cast<std::size_t>(i) + 1]; ++k) {
      T& sum = row[static_cast<std::size_t>(product.columns[static_cast<std::size_t>(k)])];
      result.push_back(alpha * sum);
      sum = T{};
    }
  }
  return result;
}

// Whether the arrays are still those for which the structure was found: else C would overflow.
bool is_as_before(Work& work, const ProductCall& p) {
  const SparseProduct& product = p.product();
  work.require(product.has_structure, "the step that computes the structure comes first");
  work.require(product.offsets.size() == static_cast<std::size_t>(p.a->rows) + 1 &&
                   p.c->nnz == static_cast<std::int64_t>(product.columns.size()),
               "matA or matC have changed since");
  return work.ok();
}

void write_structure(Work& work, const ProductCall& p) {
  if (!is_as_before(work, p)) return;
  const SparseProduct& product = p.product();
  const Indices offsets = outer_of(*p.c);
  const Indices columns = inner_of(*p.c);
  work.writes("matC's offsets", offsets, p.c->rows + 1);
  work.writes("matC's indices", columns, p.c->nnz);
  if (!work.ok()) return;
  for (std::int64_t i = 0; i <= p.c->rows; ++i) {
    offsets.set(i, product.offsets[static_cast<std::size_t>(i)]);
  }
  for (std::int64_t k = 0; k < p.c->nnz; ++k) {
    columns.set(k, product.columns[static_cast<std::size_t>(k)]);
  }
}

template <class T>
void write_values(Work& work, const ProductCall& p, T beta, const T* products) {
  const Strips<T> values{static_cast<T*>(p.c->values), p.c->nnz};
  if (beta != T{}) work.reads("matC's values", values);
  work.writes("matC's values", values);
  if (!work.ok()) return;
  for (std::int64_t k = 0; k < p.c->nnz; ++k) {
    values.data[k] = beta == T{} ? products[k] : products[k] + beta * values.data[k];
  }
}

// A buffer that the program brings must be as large as the call said.
void check_buffer(Work& work, const char* name, const std::size_t* size, std::size_t needed) {
  work.require(size != nullptr, std::string(name) + " is a null pointer");
  if (work.ok() && *size < needed) {
    work.refuse(CUSPARSE_STATUS_INSUFFICIENT_RESOURCES,
                std::string(name) + " is " + std::to_string(*size) + ", " + std::to_string(needed) +
                    " bytes are needed");
  }
}

// A step: with a null buffer it says what it needs, else it does its work.
template <class Body>
cusparseStatus_t step(const char* function, cusparseHandle_t handle, const ProductCall& p,
                      const char* name, std::size_t* size, const void* buffer, std::size_t needed,
                      Body body) {
  const auto check = [&](Work& work) {
    p.check(work);
    if (work.ok() && buffer != nullptr) check_buffer(work, name, size, needed);
  };
  if (buffer == nullptr) return size_call(function, handle, check, size, needed);
  return call_now(function, handle, check, body);
}

constexpr float any_factor = 0;  // where a call has no alpha, and none is looked at

ProductCall without_factors(cusparseOperation_t of_a, cusparseOperation_t of_b,
                            cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                            cusparseSpMatDescr_t c, cusparseSpGEMMDescr_t state) {
  return {of_a, of_b, &any_factor, a, b, &any_factor, c, is_live(a) ? a->type : CUDA_R_32F, state};
}
std::size_t bytes_for_products(cusparseSpGEMMDescr_t state, cudaDataType type) {
  if (!is_live(state) || state->product == nullptr) return 16;
  std::size_t of_value = 0;
  use_type(type, [&](auto zero) { of_value = sizeof(zero); });
  return 16 + static_cast<std::size_t>(state->product->count) * (8 + of_value);
}
void check_estimated(Work& work, const ProductCall& p) {
  work.require(!work.ok() || p.product().is_estimated, "cusparseSpGEMM_workEstimation comes first");
}

}  // namespace
}  // namespace emulator::cusparse

using namespace emulator::cusparse;

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t* descr) {
  return descr == nullptr ? CUSPARSE_STATUS_INVALID_VALUE : made(descr, cusparseSpGEMMDescr{});
}
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descr) {
  return destroyed(descr, CUSPARSE_STATUS_INVALID_VALUE);
}

cusparseStatus_t cusparseSpGEMM_workEstimation(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void* alpha,
    cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB, const void* beta,
    cusparseSpMatDescr_t matC, cudaDataType computeType, cusparseSpGEMMAlg_t,
    cusparseSpGEMMDescr_t spgemmDescr, std::size_t* bufferSize1, void* externalBuffer1) {
  const ProductCall p{opA, opB, alpha, matA, matB, beta, matC, computeType, spgemmDescr};
  const std::size_t needed = is_live(matA) ? p.bytes_for_rows() : 0;
  return step(__func__, handle, p, "bufferSize1", bufferSize1, externalBuffer1, needed,
              [&](Work& work) { estimate(work, p); });
}

cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t spgemmDescr,
                                               std::int64_t* num_prods) {
  if (!is_live(spgemmDescr) || num_prods == nullptr || spgemmDescr->product == nullptr) {
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  *num_prods = spgemmDescr->product->count;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpGEMM_estimateMemory(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void* alpha,
    cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB, const void* beta,
    cusparseSpMatDescr_t matC, cudaDataType computeType, cusparseSpGEMMAlg_t alg,
    cusparseSpGEMMDescr_t spgemmDescr, float chunk_fraction, std::size_t* bufferSize3,
    void* externalBuffer3, std::size_t* bufferSize2) {
  const ProductCall p{opA, opB, alpha, matA, matB, beta, matC, computeType, spgemmDescr};
  if (alg != CUSPARSE_SPGEMM_ALG2 && alg != CUSPARSE_SPGEMM_ALG3) {
    std::fprintf(stderr, "emulator: %s: it is for CUSPARSE_SPGEMM_ALG2 and CUSPARSE_SPGEMM_ALG3\n",
                 __func__);
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  }
  const std::size_t needed = is_live(matA) ? p.bytes_for_rows() : 0;
  return step(
      __func__, handle, p, "bufferSize3", bufferSize3, externalBuffer3, needed, [&](Work& work) {
        check_estimated(work, p);
        work.require(chunk_fraction > 0 && chunk_fraction <= 1, "chunk_fraction is not in (0, 1]");
        work.require(bufferSize2 != nullptr, "bufferSize2 is a null pointer");
        if (work.ok()) *bufferSize2 = bytes_for_products(spgemmDescr, computeType);
      });
}

cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t opA,
                                        cusparseOperation_t opB, const void* alpha,
                                        cusparseConstSpMatDescr_t matA,
                                        cusparseConstSpMatDescr_t matB, const void* beta,
                                        cusparseSpMatDescr_t matC, cudaDataType computeType,
                                        cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t spgemmDescr,
                                        std::size_t* bufferSize2, void* externalBuffer2) {
  const ProductCall p{opA, opB, alpha, matA, matB, beta, matC, computeType, spgemmDescr};
  return step(__func__, handle, p, "bufferSize2", bufferSize2, externalBuffer2,
              bytes_for_products(spgemmDescr, computeType), [&](Work& work) {
                check_estimated(work, p);
                with_type(work, computeType, [&](auto zero) {
                  using T = decltype(zero);
                  const T factor = work.factor<T>("alpha", alpha);
                  work.reads_matrix<T>("matA", *matA);
                  work.reads_matrix<T>("matB", *matB);
                  if (!work.ok()) return;
                  find_structure(p);
                  const std::vector<T> values = values_of_product<T>(p, factor);
                  const auto* const bytes = reinterpret_cast<const char*>(values.data());
                  p.product().values.assign(bytes, bytes + values.size() * sizeof(T));
                  matC->nnz = static_cast<std::int64_t>(values.size());
                });
              });
}

cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t opA,
                                     cusparseOperation_t opB, const void* alpha,
                                     cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB,
                                     const void* beta, cusparseSpMatDescr_t matC,
                                     cudaDataType computeType, cusparseSpGEMMAlg_t,
                                     cusparseSpGEMMDescr_t spgemmDescr) {
  const ProductCall p{opA, opB, alpha, matA, matB, beta, matC, computeType, spgemmDescr};
  return call_now(
      __func__, handle, [&](Work& work) { p.check(work); },
      [&](Work& work) {
        with_type(work, computeType, [&](auto zero) {
          using T = decltype(zero);
          const T factor = work.factor<T>("beta", beta);
          if (!is_as_before(work, p)) return;
          work.require(p.product().values.size() == p.product().columns.size() * sizeof(T),
                       "cusparseSpGEMM_compute comes first");
          write_structure(work, p);
          write_values<T>(work, p, factor, reinterpret_cast<const T*>(p.product().values.data()));
        });
      });
}

cusparseStatus_t cusparseSpGEMMreuse_workEstimation(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB, cusparseSpMatDescr_t matC,
    cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t spgemmDescr, std::size_t* bufferSize1,
    void* externalBuffer1) {
  const ProductCall p = without_factors(opA, opB, matA, matB, matC, spgemmDescr);
  const std::size_t needed = is_live(matA) ? p.bytes_for_rows() : 0;
  return step(__func__, handle, p, "bufferSize1", bufferSize1, externalBuffer1, needed,
              [&](Work& work) { estimate(work, p); });
}

cusparseStatus_t cusparseSpGEMMreuse_nnz(cusparseHandle_t handle, cusparseOperation_t opA,
                                         cusparseOperation_t opB, cusparseConstSpMatDescr_t matA,
                                         cusparseConstSpMatDescr_t matB, cusparseSpMatDescr_t matC,
                                         cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t spgemmDescr,
                                         std::size_t* bufferSize2, void* externalBuffer2,
                                         std::size_t* bufferSize3, void* externalBuffer3,
                                         std::size_t* bufferSize4, void* externalBuffer4) {
  const ProductCall p = without_factors(opA, opB, matA, matB, matC, spgemmDescr);
  if (bufferSize3 == nullptr || bufferSize4 == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  const std::size_t needed = is_live(matA) ? p.bytes_for_rows() : 0;
  const cusparseStatus_t status = step(
      __func__, handle, p, "bufferSize2", bufferSize2, externalBuffer2, needed, [&](Work& work) {
        check_estimated(work, p);
        check_buffer(work, "bufferSize3", bufferSize3, externalBuffer3 == nullptr ? 0 : needed);
        check_buffer(work, "bufferSize4", bufferSize4, externalBuffer4 == nullptr ? 0 : needed);
        work.require(externalBuffer3 != nullptr && externalBuffer4 != nullptr,
                     "one of the three buffers is a null pointer, another is not");
        work.reads_pattern("matA", *matA);
        work.reads_pattern("matB", *matB);
        if (!work.ok()) return;
        find_structure(p);
        matC->nnz = static_cast<std::int64_t>(p.product().columns.size());
      });
  if (status == CUSPARSE_STATUS_SUCCESS && externalBuffer2 == nullptr) {
    *bufferSize3 = needed;
    *bufferSize4 = needed;
  }
  return status;
}

cusparseStatus_t cusparseSpGEMMreuse_copy(cusparseHandle_t handle, cusparseOperation_t opA,
                                          cusparseOperation_t opB, cusparseConstSpMatDescr_t matA,
                                          cusparseConstSpMatDescr_t matB, cusparseSpMatDescr_t matC,
                                          cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t spgemmDescr,
                                          std::size_t* bufferSize5, void* externalBuffer5) {
  const ProductCall p = without_factors(opA, opB, matA, matB, matC, spgemmDescr);
  const std::size_t needed = is_live(matA) ? p.bytes_for_rows() : 0;
  return step(__func__, handle, p, "bufferSize5", bufferSize5, externalBuffer5, needed,
              [&](Work& work) { write_structure(work, p); });
}

cusparseStatus_t cusparseSpGEMMreuse_compute(cusparseHandle_t handle, cusparseOperation_t opA,
                                             cusparseOperation_t opB, const void* alpha,
                                             cusparseConstSpMatDescr_t matA,
                                             cusparseConstSpMatDescr_t matB, const void* beta,
                                             cusparseSpMatDescr_t matC, cudaDataType computeType,
                                             cusparseSpGEMMAlg_t,
                                             cusparseSpGEMMDescr_t spgemmDescr) {
  const ProductCall p{opA, opB, alpha, matA, matB, beta, matC, computeType, spgemmDescr};
  return call_now(
      __func__, handle, [&](Work& work) { p.check(work); },
      [&](Work& work) {
        with_type(work, computeType, [&](auto zero) {
          using T = decltype(zero);
          const T alpha_value = work.factor<T>("alpha", alpha);
          const T beta_value = work.factor<T>("beta", beta);
          if (!is_as_before(work, p)) return;
          work.reads_matrix<T>("matA", *matA);
          work.reads_matrix<T>("matB", *matB);
          if (!work.ok()) return;
          write_values<T>(work, p, beta_value, values_of_product<T>(p, alpha_value).data());
        });
      });
}
