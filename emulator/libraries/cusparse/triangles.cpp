/// \file
/// Triangular systems with one right-hand side (SpSV) and several (SpSM).

#include <vector>

#include "libraries/cusparse/calls.hpp"
#include "libraries/cusparse/registry.hpp"

namespace emulator::cusparse {

/// The rows of op(A) that a solver looks at, as the analysis found them.
struct Triangle {
  struct Element {
    std::int64_t column;
    std::int64_t place;  // in A's array of values
  };
  cusparseOperation_t operation;
  cudaDataType type;
  std::int64_t nnz;
  bool is_lower;  // op(A) is: its first row has one unknown
  bool has_ones;  // on the diagonal, whatever is stored there
  std::vector<std::vector<Element>> rows;
  std::vector<char> values;  // as they were then
};

namespace {

// What both kinds of calls have in common: A and the analysis.
template <class Descriptor>
struct TriangularMatrix {
  cusparseOperation_t operation;
  const void* alpha;
  Copy<cusparseSpMatDescr> a;
  Descriptor* solver;
  std::shared_ptr<Triangle> triangle;
  cudaDataType type;

  TriangularMatrix(cusparseOperation_t of_a, const void* factor, cusparseConstSpMatDescr_t matrix,
                   Descriptor* descriptor, cudaDataType compute_type)
      : operation(of_a),
        alpha(factor),
        a(matrix),
        solver(descriptor),
        triangle(is_live(descriptor) ? descriptor->triangle : nullptr),
        type(compute_type) {}

  void check(Work& work) const {
    work.require(is_operation(operation), "opA is not a cusparseOperation_t");
    work.require(alpha != nullptr, "alpha is a null pointer");
    work.require(a.lives, "matA is not a live descriptor");
    work.live("the solver's descriptor", solver);
    work.require(a->rows == a->columns, "matA is not square");
    work.same_type(type, a->type, "matA");
    check_conjugates(work, "matA", operation, type);
    const bool is_known = a->format == CUSPARSE_FORMAT_CSR || a->format == CUSPARSE_FORMAT_COO ||
                          a->format == CUSPARSE_FORMAT_SLICED_ELLPACK;
    if (work.ok() && !is_known) {
      work.refuse(CUSPARSE_STATUS_NOT_SUPPORTED, "matA should be in CSR, COO or sliced ELL");
    }
  }
  void check_analysed(Work& work) const {
    if (!work.ok()) return;
    if (triangle == nullptr) {
      return work.refuse(CUSPARSE_STATUS_NOT_INITIALIZED, "the analysis comes first");
    }
    work.require(triangle->operation == operation && triangle->type == type &&
                     static_cast<std::int64_t>(triangle->rows.size()) == a->rows &&
                     triangle->nnz == a->nnz,
                 "the analysis was made for another matrix or operation");
  }
};

template <class T>
std::shared_ptr<Triangle> analysed(Work& work, cusparseOperation_t operation,
                                   const cusparseSpMatDescr& a) {
  work.reads_matrix<T>("matA", a);
  if (!work.ok()) return nullptr;
  const bool keeps_lower = a.fill_mode == CUSPARSE_FILL_MODE_LOWER;
  const bool turned = is_turned(operation);
  auto result = std::make_shared<Triangle>();
  result->operation = operation;
  result->type = a.type;
  result->nnz = a.nnz;
  result->is_lower = keeps_lower != turned;
  result->has_ones = a.diagonal == CUSPARSE_DIAG_TYPE_UNIT;
  result->rows.resize(static_cast<std::size_t>(a.rows));
  for_entries(a, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    if (i != j && (i > j) != keeps_lower) return;
    result->rows[static_cast<std::size_t>(turned ? j : i)].push_back({turned ? i : j, k});
  });
  const auto* const bytes = static_cast<const char*>(a.values);
  result->values.assign(bytes, bytes + static_cast<std::size_t>(a.nnz) * sizeof(T));
  return result;
}

// Elements at a distance from each other.
template <class T>
struct StridedVector {
  T* data;
  std::int64_t step = 1;
  T& operator[](std::int64_t i) const { return data[i * step]; }
};

// x and y may be the same. An element of the diagonal that is not stored counts as 1, as on a GPU.
template <class T>
void solve(const Triangle& t, T alpha, StridedVector<const T> x, StridedVector<T> y) {
  const auto* const values = reinterpret_cast<const T*>(t.values.data());
  const auto count = static_cast<std::int64_t>(t.rows.size());
  for (std::int64_t step = 0; step < count; ++step) {
    const std::int64_t i = t.is_lower ? step : count - 1 - step;
    T sum = alpha * x[i];
    T diagonal{};
    bool is_stored = false;
    for (const Triangle::Element& element : t.rows[static_cast<std::size_t>(i)]) {
      const T value = with_operation(values[element.place], t.operation);
      if (element.column == i) {
        diagonal += value;
        is_stored = true;
      } else {
        sum -= value * y[element.column];
      }
    }
    y[i] = t.has_ones || !is_stored ? sum : sum / diagonal;
  }
}

template <class Descriptor>
cusparseStatus_t update(const char* function, cusparseHandle_t handle, Descriptor* solver,
                        void* values, bool of_diagonal) {
  return call_now(
      function, handle,
      [&](Work& work) {
        work.live("the solver's descriptor", solver);
        work.require(values != nullptr, "newValues is a null pointer");
        work.require(!work.ok() || solver->triangle != nullptr, "the analysis comes first");
      },
      [&](Work& work) {
        with_type(work, solver->triangle->type, [&](auto zero) {
          using T = decltype(zero);
          const auto* const given = static_cast<const T*>(values);
          // A copy: graphs that were captured before have the old one.
          const auto changed = std::make_shared<Triangle>(*solver->triangle);
          auto* const kept = reinterpret_cast<T*>(changed->values.data());
          const auto rows = static_cast<std::int64_t>(changed->rows.size());
          const std::int64_t count = of_diagonal ? rows : changed->nnz;
          work.reads("newValues", Strips<const T>{given, count});
          if (!work.ok()) return;
          for (std::int64_t k = 0; k < count && !of_diagonal; ++k) kept[k] = given[k];
          for (std::int64_t i = 0; i < rows && of_diagonal; ++i) {
            for (const Triangle::Element& e : changed->rows[static_cast<std::size_t>(i)]) {
              if (e.column == i) kept[e.place] = given[i];
            }
          }
          solver->triangle = changed;
        });
      });
}

struct VectorSystem {
  TriangularMatrix<cusparseSpSVDescr> left;
  Copy<cusparseDnVecDescr> x;
  Copy<cusparseDnVecDescr> y;

  void check(Work& work) const {
    left.check(work);
    work.require(x.lives, "vecX is not a live descriptor");
    work.require(y.lives, "vecY is not a live descriptor");
    work.require(x->size == left.a->rows && y->size == left.a->rows,
                 "vecX and vecY should have " + std::to_string(left.a->rows) + " elements");
    work.same_type(left.type, x->type, "vecX");
    work.same_type(left.type, y->type, "vecY");
  }
};

struct MatrixSystem {
  TriangularMatrix<cusparseSpSMDescr> left;
  cusparseOperation_t of_b;
  Copy<cusparseDnMatDescr> b;
  Copy<cusparseDnMatDescr> c;

  void check(Work& work) const {
    left.check(work);
    work.require(is_operation(of_b), "opB is not a cusparseOperation_t");
    work.require(b.lives, "matB is not a live descriptor");
    work.require(c.lives, "matC is not a live descriptor");
    if (work.ok() && of_b == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE) {
      work.refuse(CUSPARSE_STATUS_NOT_SUPPORTED, "opB may transpose, but not conjugate");
    }
    const bool turned = is_turned(of_b);
    work.require((turned ? b->columns : b->rows) == left.a->rows && c->rows == left.a->rows &&
                     c->columns == (turned ? b->rows : b->columns),
                 "op(B) and matC should have " + std::to_string(left.a->rows) +
                     " rows, and as many columns as each other");
    work.same_type(left.type, b->type, "matB");
    work.same_type(left.type, c->type, "matC");
  }
};

template <class System, class Descriptor>
cusparseStatus_t analyse(const char* function, cusparseHandle_t handle, const System& system,
                         Descriptor* solver) {
  return call_now(
      function, handle, [&](Work& work) { system.check(work); },
      [&](Work& work) {
        with_type(work, system.left.type, [&](auto zero) {
          using T = decltype(zero);
          auto triangle = analysed<T>(work, system.left.operation, *system.left.a);
          if (triangle != nullptr) solver->triangle = std::move(triangle);
        });
      });
}

}  // namespace
}  // namespace emulator::cusparse

using namespace emulator::cusparse;

cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t* descr) {
  return descr == nullptr ? CUSPARSE_STATUS_INVALID_VALUE : made(descr, cusparseSpSVDescr{});
}
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descr) {
  return destroyed(descr, CUSPARSE_STATUS_INVALID_VALUE);
}
cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA,
                                         const void* alpha, cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnVecDescr_t vecX, cusparseDnVecDescr_t vecY,
                                         cudaDataType computeType, cusparseSpSVAlg_t,
                                         cusparseSpSVDescr_t spsvDescr, std::size_t* bufferSize) {
  const VectorSystem system{{opA, alpha, matA, spsvDescr, computeType}, Copy(vecX), Copy(vecY)};
  return size_call(
      __func__, handle, [&](Work& work) { system.check(work); }, bufferSize);
}
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t opA,
                                       const void* alpha, cusparseConstSpMatDescr_t matA,
                                       cusparseConstDnVecDescr_t vecX, cusparseDnVecDescr_t vecY,
                                       cudaDataType computeType, cusparseSpSVAlg_t,
                                       cusparseSpSVDescr_t spsvDescr, void*) {
  const VectorSystem system{{opA, alpha, matA, spsvDescr, computeType}, Copy(vecX), Copy(vecY)};
  return analyse(__func__, handle, system, spsvDescr);
}
cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t opA,
                                    const void* alpha, cusparseConstSpMatDescr_t matA,
                                    cusparseConstDnVecDescr_t vecX, cusparseDnVecDescr_t vecY,
                                    cudaDataType computeType, cusparseSpSVAlg_t,
                                    cusparseSpSVDescr_t spsvDescr) {
  const VectorSystem system{{opA, alpha, matA, spsvDescr, computeType}, Copy(vecX), Copy(vecY)};
  return call(
      __func__, handle,
      [system](Work& work) {
        system.check(work);
        system.left.check_analysed(work);
      },
      [system](Work& work) {
        with_type(work, system.left.type, [&](auto zero) {
          using T = decltype(zero);
          const T factor = work.factor<T>("alpha", system.left.alpha);
          auto* const x = static_cast<const T*>(system.x->values);
          auto* const y = static_cast<T*>(system.y->values);
          work.reads("vecX", Strips<const T>{x, system.x->size});
          work.writes("vecY", Strips<T>{y, system.y->size});
          if (work.ok()) solve<T>(*system.left.triangle, factor, {x}, {y});
        });
      });
}
cusparseStatus_t cusparseSpSV_updateMatrix(cusparseHandle_t handle, cusparseSpSVDescr_t spsvDescr,
                                           void* newValues, cusparseSpSVUpdate_t updatePart) {
  return update(__func__, handle, spsvDescr, newValues,
                updatePart == CUSPARSE_SPSV_UPDATE_DIAGONAL);
}

cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t* descr) {
  return descr == nullptr ? CUSPARSE_STATUS_INVALID_VALUE : made(descr, cusparseSpSMDescr{});
}
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t descr) {
  return destroyed(descr, CUSPARSE_STATUS_INVALID_VALUE);
}
cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA,
                                         cusparseOperation_t opB, const void* alpha,
                                         cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnMatDescr_t matB, cusparseDnMatDescr_t matC,
                                         cudaDataType computeType, cusparseSpSMAlg_t,
                                         cusparseSpSMDescr_t spsmDescr, std::size_t* bufferSize) {
  const MatrixSystem system{
      {opA, alpha, matA, spsmDescr, computeType}, opB, Copy(matB), Copy(matC)};
  return size_call(
      __func__, handle, [&](Work& work) { system.check(work); }, bufferSize);
}
cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t handle, cusparseOperation_t opA,
                                       cusparseOperation_t opB, const void* alpha,
                                       cusparseConstSpMatDescr_t matA,
                                       cusparseConstDnMatDescr_t matB, cusparseDnMatDescr_t matC,
                                       cudaDataType computeType, cusparseSpSMAlg_t,
                                       cusparseSpSMDescr_t spsmDescr, void*) {
  const MatrixSystem system{
      {opA, alpha, matA, spsmDescr, computeType}, opB, Copy(matB), Copy(matC)};
  return analyse(__func__, handle, system, spsmDescr);
}
cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t opA,
                                    cusparseOperation_t opB, const void* alpha,
                                    cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                                    cusparseDnMatDescr_t matC, cudaDataType computeType,
                                    cusparseSpSMAlg_t, cusparseSpSMDescr_t spsmDescr) {
  const MatrixSystem system{
      {opA, alpha, matA, spsmDescr, computeType}, opB, Copy(matB), Copy(matC)};
  return call(
      __func__, handle,
      [system](Work& work) {
        system.check(work);
        system.left.check_analysed(work);
      },
      [system](Work& work) {
        with_type(work, system.left.type, [&](auto zero) {
          using T = decltype(zero);
          const T factor = work.factor<T>("alpha", system.left.alpha);
          work.reads("matB", strips_of<T>(*system.b));
          work.writes("matC", strips_of<T>(*system.c));
          if (!work.ok()) return;
          const Dense<T> b(*system.b, is_turned(system.of_b));
          const Dense<T> c(*system.c);
          for (std::int64_t j = 0; j < system.c->columns; ++j) {
            solve<T>(*system.left.triangle, factor, {&b(0, j), b.row_step}, {&c(0, j), c.row_step});
          }
        });
      });
}
cusparseStatus_t cusparseSpSM_updateMatrix(cusparseHandle_t handle, cusparseSpSMDescr_t spsmDescr,
                                           void* newValues, cusparseSpSMUpdate_t updatePart) {
  return update(__func__, handle, spsmDescr, newValues,
                updatePart == CUSPARSE_SPSM_UPDATE_DIAGONAL);
}
