#pragma once
/// \file
/// What cusolverRf keeps, and its work.

#include <vector>

#include "cusolverRf.h"
#include "libraries/cusolver/sparse/csr_matrix.hpp"

struct cusolverRfCommon : emulator::cusolver::Context {
  cusolverRfMatrixFormat_t format = CUSOLVERRF_MATRIX_FORMAT_CSR;
  cusolverRfUnitDiagonal_t diagonal = CUSOLVERRF_UNIT_DIAGONAL_STORED_L;
  cusolverRfResetValuesFastMode_t fast = CUSOLVERRF_RESET_VALUES_FAST_MODE_OFF;
  cusolverRfFactorization_t factorization = CUSOLVERRF_FACTORIZATION_ALG0;
  cusolverRfTriangularSolve_t solve = CUSOLVERRF_TRIANGULAR_SOLVE_ALG1;
  cusolverRfNumericBoostReport_t report = CUSOLVERRF_NUMERIC_BOOST_NOT_USED;
  double zero = 0;
  double boost = 0;

  int n = 0;  // 0 before the setup
  int nnz = 0;
  bool is_analysed = false;
  bool has_factors = false;
  std::vector<int> p;
  std::vector<int> column_of;                  // the inverse of Q
  emulator::cusolver::Sparse<double> pattern;  // of L and U in one; its values are not used
  struct Values {
    std::vector<std::vector<double>> a;   // in the pattern, after P and Q
    std::vector<std::vector<double>> lu;  // which takes its place
    int zero_pivot = -1;
  };
  std::vector<Values> batch;
};

namespace emulator::cusolver {

using RfHandle = cusolverRfHandle_t;

struct Arrays {  // a matrix in CSR or CSC
  int nnz;
  const int* offsets;
  const int* indices;
  const double* values;
};

struct Setup {
  MemorySpace where;
  int n;
  Arrays a, l, u;
  std::vector<const double*> values;  // of A, one for each matrix
  const int* p;
  const int* q;

  void check(Work& work) const {
    work.require(n > 0 && a.nnz > 0 && l.nnz >= 0 && u.nnz > 0, "a size is not positive");
    work.require(!values.empty(), "batchSize is not positive");
    for (const void* const pointer :
         {static_cast<const void*>(a.offsets), static_cast<const void*>(a.indices),
          static_cast<const void*>(l.offsets), static_cast<const void*>(u.offsets),
          static_cast<const void*>(u.indices), static_cast<const void*>(p),
          static_cast<const void*>(q)}) {
      work.require(pointer != nullptr, "an array is a null pointer");
      if (where == MemorySpace::host) work.on_host("an array", pointer);
    }
  }
};

cusolverStatus_t set_up(const char* function, RfHandle handle, const Setup& s);
cusolverStatus_t analyse(const char* function, RfHandle handle);
/// New values of A, for each matrix of the batch.
cusolverStatus_t reset(const char* function, RfHandle handle, int n, const Arrays& a,
                       const std::vector<const double*>& values);
cusolverStatus_t refactor(const char* function, RfHandle handle);
cusolverStatus_t solve(const char* function, RfHandle handle, int columns, const double* space,
                       int ldt, const std::vector<double*>& sides, int ld);

}  // namespace emulator::cusolver
