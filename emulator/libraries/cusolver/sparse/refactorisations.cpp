#include "libraries/cusolver/sparse/refactorisations.hpp"

#include <cmath>

namespace emulator::cusolver {
namespace {

// The elements of a matrix by rows, whose columns ascend.
Sparse<double> read(Work& work, MemorySpace where, const char* name, int n, const Arrays& m,
                    const double* values, bool by_columns) {
  if (where == MemorySpace::device) {
    work.reads(std::string(name) + "'s offsets", m.offsets, n + 1);
    work.reads(std::string(name) + "'s indices", m.indices, m.nnz);
    if (values != nullptr) work.reads(std::string(name) + "'s values", values, m.nnz);
  }
  Sparse<double> result{n, std::vector<Row<double>>(at(n))};
  for (int i = 0; i < n && work.ok(); ++i) {
    work.require(m.offsets[i] >= 0 && m.offsets[i] <= m.offsets[i + 1] && m.offsets[i + 1] <= m.nnz,
                 std::string(name) + "'s offsets do not ascend");
    for (int k = m.offsets[i]; k < m.offsets[i + 1] && work.ok(); ++k) {
      work.require(m.indices[k] >= 0 && m.indices[k] < n,
                   std::string(name) + " has an index outside the matrix");
      if (!work.ok()) break;
      result.rows[at(i)].push_back({m.indices[k], values == nullptr ? 0 : values[k]});
    }
    sort_row(result.rows[at(i)]);
  }
  return by_columns ? transposed(result) : result;
}

bool is_permutation(const std::vector<int>& p) {
  std::vector<bool> seen(p.size());
  for (const int i : p) {
    if (i < 0 || at(i) >= p.size() || seen[at(i)]) return false;
    seen[at(i)] = true;
  }
  return true;
}

// Puts A's elements into the pattern of its factors.
void take_values(Work& work, RfHandle handle, const Sparse<double>& a,
                 cusolverRfCommon::Values& values) {
  const int n = handle->n;
  values.a.assign(at(n), {});
  std::vector<int> place(at(n), -1);
  for (int i = 0; i < n && work.ok(); ++i) {
    const Row<double>& row = handle->pattern.rows[at(i)];
    values.a[at(i)].assign(row.size(), 0);
    for (std::size_t k = 0; k < row.size(); ++k) place[at(row[k].index)] = static_cast<int>(k);
    for (const Entry<double>& entry : a.rows[at(handle->p[at(i)])]) {
      const int k = place[at(handle->column_of[at(entry.index)])];
      work.require(k >= 0, "A has an element where neither L nor U has one");
      if (k >= 0) values.a[at(i)][at(k)] = entry.value;
    }
    for (const Entry<double>& entry : row) place[at(entry.index)] = -1;
  }
}

void take(Work& work, RfHandle handle, const Setup& s) {
  const bool by_columns = handle->format == CUSOLVERRF_MATRIX_FORMAT_CSC;
  if (s.where == MemorySpace::device) {
    work.reads("P", s.p, s.n);
    work.reads("Q", s.q, s.n);
  }
  const Sparse<double> l = read(work, s.where, "L", s.n, s.l, nullptr, by_columns);
  const Sparse<double> u = read(work, s.where, "U", s.n, s.u, nullptr, by_columns);
  if (!work.ok()) return;
  const std::vector<int> p(s.p, s.p + s.n);
  const std::vector<int> q(s.q, s.q + s.n);
  work.require(is_permutation(p) && is_permutation(q), "P or Q is not a permutation");
  if (!work.ok()) return;
  handle->n = s.n;
  handle->nnz = s.a.nnz;
  handle->p = p;
  handle->column_of = inverse_of(q);
  handle->pattern = {s.n, std::vector<Row<double>>(at(s.n))};
  for (int i = 0; i < s.n; ++i) {
    Row<double>& row = handle->pattern.rows[at(i)];
    for (const Entry<double>& entry : l.rows[at(i)]) {
      if (entry.index < i) row.push_back(entry);
    }
    row.push_back({i, 0});
    for (const Entry<double>& entry : u.rows[at(i)]) {
      if (entry.index > i) row.push_back(entry);
    }
  }
  handle->is_analysed = handle->has_factors = false;
  handle->batch.assign(s.values.size(), {});
  for (std::size_t k = 0; k < s.values.size() && work.ok(); ++k) {
    if (s.values[k] == nullptr) continue;  // they come later
    take_values(work, handle, read(work, s.where, "A", s.n, s.a, s.values[k], by_columns),
                handle->batch[k]);
  }
}

// Gauss's elimination within the pattern, row by row.
void factorise(RfHandle handle, cusolverRfCommon::Values& values) {
  const int n = handle->n;
  values.lu = values.a;
  values.zero_pivot = -1;
  std::vector<int> place(at(n), -1);
  const auto diagonal_of = [&](int i) {
    const Row<double>& row = handle->pattern.rows[at(i)];
    return at(std::lower_bound(row.begin(), row.end(), i,
                               [](const Entry<double>& e, int j) { return e.index < j; }) -
              row.begin());
  };
  for (int i = 0; i < n; ++i) {
    const Row<double>& row = handle->pattern.rows[at(i)];
    std::vector<double>& x = values.lu[at(i)];
    for (std::size_t k = 0; k < row.size(); ++k) place[at(row[k].index)] = static_cast<int>(k);
    for (std::size_t k = 0; row[k].index < i; ++k) {
      const int above = row[k].index;
      const Row<double>& upper = handle->pattern.rows[at(above)];
      const std::vector<double>& u = values.lu[at(above)];
      const std::size_t pivot = diagonal_of(above);
      x[k] /= u[pivot];
      for (std::size_t j = pivot + 1; j < upper.size(); ++j) {
        const int target = place[at(upper[j].index)];
        if (target >= 0) x[at(target)] -= x[k] * u[j];
      }
    }
    double& pivot = x[diagonal_of(i)];
    if (handle->zero != 0 && std::abs(pivot) < handle->zero) {
      pivot = handle->boost;
      handle->report = CUSOLVERRF_NUMERIC_BOOST_USED;
    }
    if (pivot == 0 && values.zero_pivot < 0) values.zero_pivot = i;
    for (const Entry<double>& entry : row) place[at(entry.index)] = -1;
  }
}

}  // namespace

cusolverStatus_t set_up(const char* function, RfHandle handle, const Setup& s) {
  const auto check = [&](Work& work) { s.check(work); };
  const auto body = [&](Work& work) { take(work, handle, s); };
  if (s.where == MemorySpace::device) return call_now(function, handle, check, body);
  Work work(function, handle);
  check(work);
  if (work.ok()) body(work);
  return work.status();
}

cusolverStatus_t reset(const char* function, RfHandle handle, int n, const Arrays& a,
                       const std::vector<const double*>& values) {
  return call_now(
      function, handle,
      [&](Work& work) {
        work.require(
            n == handle->n && a.nnz == handle->nnz && values.size() == handle->batch.size(),
            "the sizes are not those of the setup");
      },
      [&](Work& work) {
        const bool by_columns = handle->format == CUSOLVERRF_MATRIX_FORMAT_CSC;
        for (std::size_t k = 0; k < values.size() && work.ok(); ++k) {
          const Sparse<double> matrix =
              read(work, MemorySpace::device, "A", n, a, values[k], by_columns);
          if (work.ok()) take_values(work, handle, matrix, handle->batch[k]);
        }
        handle->has_factors = false;
      });
}

// Before the setup the library does nothing, successfully.
static bool has_no_matrix(RfHandle handle) {
  return is_live(handle) && handle->n == 0;
}

cusolverStatus_t refactor(const char* function, RfHandle handle) {
  Work work(function, handle);
  if (!work.ok() || has_no_matrix(handle)) return work.status();
  if (!handle->is_analysed) {
    work.refuse(CUSOLVER_STATUS_NOT_INITIALIZED, "there has been no analysis");
  }
  for (const auto& values : handle->batch) {
    work.require(!values.a.empty(), "A has no values yet");
  }
  if (!work.starts()) return work.status();
  handle->report = CUSOLVERRF_NUMERIC_BOOST_NOT_USED;
  bool is_singular = false;
  for (auto& values : handle->batch) {
    factorise(handle, values);
    is_singular = is_singular || values.zero_pivot >= 0;
  }
  handle->has_factors = true;
  if (is_singular && handle->batch.size() == 1) {
    work.refuse(CUSOLVER_STATUS_ZERO_PIVOT, "a pivot is 0");
  }
  return work.status();
}

cusolverStatus_t analyse(const char* function, RfHandle handle) {
  Work work(function, handle);
  if (work.ok()) handle->is_analysed = !has_no_matrix(handle);
  return work.status();
}

cusolverStatus_t solve(const char* function, RfHandle handle, int columns, const double* space,
                       int ldt, const std::vector<double*>& sides, int ld) {
  if (has_no_matrix(handle)) return CUSOLVER_STATUS_SUCCESS;
  return call_now(
      function, handle,
      [&](Work& work) {
        if (!handle->has_factors) {
          work.refuse(CUSOLVER_STATUS_NOT_INITIALIZED, "there are no factors");
        }
        work.require(columns > 0, "nrhs is not positive");
        work.require(ld >= handle->n && ldt >= handle->n, "ldt or ldxf is less than n");
        work.require(space != nullptr, "Temp is a null pointer");
        work.require(sides.size() == handle->batch.size(), "batchSize is not that of the setup");
      },
      [&](Work& work) {
        const int n = handle->n;
        std::vector<double> x(at(n));
        for (std::size_t k = 0; k < sides.size(); ++k) {
          const Matrix<double> b{sides[k], n, columns, ld};
          work.changes("XF", b);
          for (int j = 0; j < columns && work.ok(); ++j) {
            const auto& lu = handle->batch[k].lu;
            for (int i = 0; i < n; ++i) {
              x[at(i)] = b(handle->p[at(i)], j);
              const Row<double>& row = handle->pattern.rows[at(i)];
              for (std::size_t e = 0; row[e].index < i; ++e) {
                x[at(i)] -= lu[at(i)][e] * x[at(row[e].index)];
              }
            }
            for (int i = n - 1; i >= 0; --i) {
              const Row<double>& row = handle->pattern.rows[at(i)];
              for (std::size_t e = row.size(); e-- > 0 && row[e].index >= i;) {
                if (row[e].index > i) {
                  x[at(i)] -= lu[at(i)][e] * x[at(row[e].index)];
                } else {
                  x[at(i)] /= lu[at(i)][e];
                }
              }
            }
            for (int i = 0; i < n; ++i) b(i, j) = x[at(handle->column_of[at(i)])];
          }
        }
      });
}

}  // namespace emulator::cusolver
