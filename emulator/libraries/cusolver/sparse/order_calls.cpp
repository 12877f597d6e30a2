/// \file
/// Orders and permutations of sparse matrices, on the host.

#include <numeric>

#include "libraries/cusolver/sparse/csr_matrix.hpp"

namespace emulator::cusolver {
namespace {

CsrMatrix pattern(std::int64_t rows, std::int64_t columns, std::int64_t nnz,
                  cusparseMatDescr_t descriptor, const int* offsets, const int* indices) {
  return {MemorySpace::host, rows, columns, nnz, descriptor, nullptr, offsets, indices, false};
}

/// \param find  makes an order of a graph
template <class Find>
cusolverStatus_t find_order(const char* function, const Context* handle, const CsrMatrix& given,
                            int* p, Find find) {
  return sparse_call(
      function, handle, MemorySpace::host,
      [&](Work& work) {
        given.check(work);
        work.on_host("p", p);
      },
      [&](Work& work) {
        const Sparse<float> a = given.read<float>(work);
        if (!work.ok()) return;
        const std::vector<int> order = find(graph_of(a));
        std::copy(order.begin(), order.end(), p);
      });
}

template <class T>
cusolverStatus_t fill_diagonal(const char* function, const Context* handle, const CsrMatrix& given,
                               int* p, int* count) {
  return sparse_call(
      function, handle, MemorySpace::host,
      [&](Work& work) {
        given.check(work);
        work.on_host("P", p);
        work.on_host("numnz", count);
      },
      [&](Work& work) {
        const Sparse<T> a = given.read<T>(work);
        if (!work.ok()) return;
        Graph columns(a.rows.size());
        for (std::size_t i = 0; i < a.rows.size(); ++i) {
          for (const Entry<T>& entry : a.rows[i]) {
            if (entry.value != T(0)) columns[i].push_back(entry.index);
          }
        }
        const auto [order, found] = full_diagonal(columns);
        std::copy(order.begin(), order.end(), p);
        *count = found;
      });
}

bool is_permutation(const int* p, std::int64_t n) {
  std::vector<bool> seen(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    if (p[i] < 0 || p[i] >= n || seen[at(p[i])]) return false;
    seen[at(p[i])] = true;
  }
  return true;
}
void check_pointers(Work& work, const CsrMatrix& given, const int* p, const int* q) {
  given.check(work);
  work.on_host("p", p);
  work.on_host("q", q);
}
void check_permutations(Work& work, const CsrMatrix& given, const int* p, const int* q) {
  check_pointers(work, given, p, q);
  if (!work.ok()) return;
  work.require(is_permutation(p, given.rows), "p is not a permutation of the rows");
  work.require(is_permutation(q, given.columns), "q is not a permutation of the columns");
}

}  // namespace
}  // namespace emulator::cusolver

using namespace emulator::cusolver;

cusolverStatus_t cusolverSpXcsrissymHost(cusolverSpHandle_t handle, int m, int nnzA,
                                         cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                         const int* csrEndPtrA, const int* csrColIndA, int* issym) {
  const CsrMatrix given = pattern(m, m, nnzA, descrA, csrRowPtrA, csrColIndA);
  return sparse_call(
      __func__, handle, MemorySpace::host,
      [&](Work& work) {
        given.check(work);
        work.on_host("csrEndPtrA", csrEndPtrA);
        work.on_host("issym", issym);
      },
      [&](Work& work) {
        // Rows end where csrEndPtrA says, which need not be where the next one begins.
        std::set<std::pair<int, int>> elements;
        for (int i = 0; i < m; ++i) {
          for (int k = csrRowPtrA[i]; k < csrEndPtrA[i]; ++k) {
            const int column = csrColIndA[k - given.base()] - given.base();
            work.require(column >= 0 && column < m, "a column is outside the matrix");
            elements.insert({i, column});
          }
        }
        if (!work.ok()) return;
        *issym = 1;
        for (const auto& [i, j] : elements) {
          if (elements.count({j, i}) == 0) *issym = 0;
        }
      });
}

#define ORDER(...)                                                                     \
  find_order(__func__, handle, pattern(n, n, nnzA, descrA, csrRowPtrA, csrColIndA), p, \
             [](const Graph& graph) { return __VA_ARGS__; })
cusolverStatus_t cusolverSpXcsrsymrcmHost(cusolverSpHandle_t handle, int n, int nnzA,
                                          cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                          const int* csrColIndA, int* p) {
  return ORDER(narrow_order(graph));
}
cusolverStatus_t cusolverSpXcsrsymmdqHost(cusolverSpHandle_t handle, int n, int nnzA,
                                          cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                          const int* csrColIndA, int* p) {
  return ORDER(least_degree_order(graph));
}
cusolverStatus_t cusolverSpXcsrsymamdHost(cusolverSpHandle_t handle, int n, int nnzA,
                                          cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                          const int* csrColIndA, int* p) {
  return ORDER(least_degree_order(graph));
}
cusolverStatus_t cusolverSpXcsrmetisndHost(cusolverSpHandle_t handle, int n, int nnzA,
                                           cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                           const int* csrColIndA, const std::int64_t*, int* p) {
  return ORDER(least_degree_order(graph));
}
CUSOLVER_SP_ALL(csrzfdHost, EMULATOR_CUSOLVER_SP_CSRZFD_HOST,
                fill_diagonal<T>(__func__, handle,
                                 CsrMatrix{MemorySpace::host, n, n, nnz, descrA, csrValA,
                                           csrRowPtrA, csrColIndA},
                                 P, numnz))

cusolverStatus_t cusolverSpXcsrperm_bufferSizeHost(cusolverSpHandle_t handle, int m, int n,
                                                   int nnzA, cusparseMatDescr_t descrA,
                                                   const int* csrRowPtrA, const int* csrColIndA,
                                                   const int* p, const int* q,
                                                   std::size_t* bufferSizeInBytes) {
  return size_call(
      __func__, handle,
      [&](Work& work) {
        check_pointers(work, pattern(m, n, nnzA, descrA, csrRowPtrA, csrColIndA), p, q);
      },
      bufferSizeInBytes, static_cast<std::int64_t>(sizeof(int)) * (nnzA + m + n));
}
cusolverStatus_t cusolverSpXcsrpermHost(cusolverSpHandle_t handle, int m, int n, int nnzA,
                                        cusparseMatDescr_t descrA, int* csrRowPtrA, int* csrColIndA,
                                        const int* p, const int* q, int* map, void* pBuffer) {
  const CsrMatrix given = pattern(m, n, nnzA, descrA, csrRowPtrA, csrColIndA);
  return sparse_call(
      __func__, handle, MemorySpace::host,
      [&](Work& work) {
        check_permutations(work, given, p, q);
        work.on_host("map", map);
        work.on_host("pBuffer", pBuffer);
      },
      [&](Work& work) {
        Sparse<int> a{n, {}};  // whose values are the places of the elements
        const int base = given.base();
        given.read<float>(work);  // whether offsets and columns make sense
        if (!work.ok()) return;
        for (int i = 0; i < m; ++i) {
          Row<int>& row = a.rows.emplace_back();
          for (int k = csrRowPtrA[i] - base; k < csrRowPtrA[i + 1] - base; ++k) {
            row.push_back({csrColIndA[k] - base, map[k]});
          }
        }
        const Sparse<int> b = permuted(a, {p, p + m}, {q, q + n});
        int next = 0;
        for (int i = 0; i < m; ++i) {
          csrRowPtrA[i] = next + base;
          for (const Entry<int>& entry : b.rows[at(i)]) {
            csrColIndA[next] = entry.index + base;
            map[next++] = entry.value;
          }
        }
        csrRowPtrA[m] = next + base;
      });
}
