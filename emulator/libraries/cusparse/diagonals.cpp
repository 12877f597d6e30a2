/// \file
/// Systems of three and of five diagonals, by elimination.

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "libraries/cusparse/legacy.hpp"

namespace emulator::cusparse {
namespace {

// Elements at a distance from each other.
template <class T>
struct Line {
  T* data;
  std::int64_t step;
  T& operator[](std::int64_t i) const { return data[i * step]; }
};

// A matrix of few diagonals, 2 below the main one and 4 above, of which elimination with pivoting
// fills two.
template <class T>
class Band {
 public:
  explicit Band(std::int64_t rows) : elements_(static_cast<std::size_t>(rows * width)), m_(rows) {}
  T& at(std::int64_t i, std::int64_t j) {
    return elements_[static_cast<std::size_t>(i * width + j - i + below)];
  }
  // Solves for one or more columns, in place. The rows that reach into a column are the next two.
  void solve(const std::vector<Line<T>>& columns, bool pivots) {
    for (std::int64_t i = 0; i < m_; ++i) {
      const std::int64_t last = std::min(i + below, m_ - 1);
      if (pivots) swap_best(i, last, columns);
      for (std::int64_t row = i + 1; row <= last; ++row) {
        if (at(row, i) == T{}) continue;
        const T factor = at(row, i) / at(i, i);
        for (std::int64_t j = i; j <= std::min(i + above, m_ - 1); ++j) {
          if (j - row <= above) at(row, j) -= factor * at(i, j);
        }
        for (const Line<T>& x : columns) x[row] -= factor * x[i];
      }
    }
    for (const Line<T>& x : columns) {
      for (std::int64_t i = m_ - 1; i >= 0; --i) {
        T sum = x[i];
        for (std::int64_t j = i + 1; j <= std::min(i + above, m_ - 1); ++j) sum -= at(i, j) * x[j];
        x[i] = sum / at(i, i);
      }
    }
  }

 private:
  static constexpr std::int64_t below = 2;
  static constexpr std::int64_t above = 4;
  static constexpr std::int64_t width = below + 1 + above;

  void swap_best(std::int64_t i, std::int64_t last, const std::vector<Line<T>>& columns) {
    std::int64_t best = i;
    for (std::int64_t row = i + 1; row <= last; ++row) {
      if (std::abs(at(row, i)) > std::abs(at(best, i))) best = row;
    }
    if (best == i) return;
    for (std::int64_t j = i; j <= std::min(i + above, m_ - 1); ++j)
      std::swap(at(i, j), at(best, j));
    for (const Line<T>& x : columns) std::swap(x[i], x[best]);
  }

  std::vector<T> elements_;
  std::int64_t m_;
};

// A diagonal, and how far right of the main one it is.
template <class T>
struct Diagonal {
  Line<T> elements;
  std::int64_t offset;
};

template <class T>
void solve(std::int64_t m, const std::vector<Diagonal<T>>& diagonals,
           const std::vector<Line<T>>& columns, bool pivots) {
  Band<T> band(m);
  for (const Diagonal<T>& diagonal : diagonals) {
    for (std::int64_t i = 0; i < m; ++i) {
      const std::int64_t j = i + diagonal.offset;
      if (j >= 0 && j < m) band.at(i, j) = diagonal.elements[i];
    }
  }
  band.solve(columns, pivots);
}

template <class T>
T* pointer(const void* values) {
  return static_cast<T*>(const_cast<void*>(values));
}

struct Columns {  // of one matrix of three diagonals
  int m, n;
  const void *dl, *d, *du, *b;
  int ldb;

  // A GPU's library returns the size of a buffer for more than it solves.
  void check_size(Work& work) const {
    work.require(m >= 0 && n >= 0, "m or n is negative");
    work.require(dl != nullptr && d != nullptr && du != nullptr && b != nullptr,
                 "one of the arrays is a null pointer");
  }
  void check(Work& work) const {
    check_size(work);
    work.require(m >= 3, "m is less than 3");
    work.require(ldb >= m, "ldb is less than m");
  }
};

template <class T>
cusparseStatus_t solve_columns(const char* function, cusparseHandle_t handle, const Columns& c,
                               bool pivots) {
  return call(
      function, handle, [=](Work& work) { c.check(work); },
      [=](Work& work) {
        // The first below the diagonal and the last above it do not exist.
        work.reads("dl", strip<T>(pointer<T>(c.dl) + 1, c.m - 1));
        work.reads("d", strip<T>(c.d, c.m));
        work.reads("du", strip<T>(c.du, c.m - 1));
        const Strips<T> b{pointer<T>(c.b), c.m, c.n, c.ldb};
        work.reads("B", b);
        work.writes("B", b);
        if (!work.ok()) return;
        std::vector<Line<T>> columns;
        for (std::int64_t j = 0; j < c.n; ++j) columns.push_back({b.data + j * c.ldb, 1});
        solve<T>(
            c.m,
            {{{pointer<T>(c.dl), 1}, -1}, {{pointer<T>(c.d), 1}, 0}, {{pointer<T>(c.du), 1}, 1}},
            columns, pivots);
      });
}

struct Batch {  // of systems that are `distance` apart, with elements `step` apart
  int m, count;
  std::int64_t distance, step;
  std::vector<std::pair<const void*, std::int64_t>> diagonals;  // and their offsets
  const void* x;

  void check_size(Work& work) const {
    work.require(m >= 0 && count >= 0, "m or batchCount is negative");
    work.require(x != nullptr, "x is a null pointer");
    for (const auto& [diagonal, offset] : diagonals) {
      work.require(diagonal != nullptr, "one of the diagonals is a null pointer");
    }
  }
  void check(Work& work) const {
    check_size(work);
    work.require(m >= 3, "m is less than 3");
  }
  void check_strided(Work& work) const {
    check(work);
    work.require(distance >= m, "batchStride is less than m");
  }
  static void check_algorithm(Work& work, int algorithm, int algorithms) {
    work.require(algorithm >= 0 && algorithm < algorithms,
                 "there is no algorithm " + std::to_string(algorithm));
  }
  template <class T>
  Strips<T> region(const void* values) const {
    if (step == 1) return {pointer<T>(values), m, count, distance};
    return {pointer<T>(values), static_cast<std::int64_t>(m) * count};
  }
};

template <class T>
void solve_batch(Work& work, const Batch& batch, bool pivots, bool spoils) {
  for (const auto& [diagonal, offset] : batch.diagonals) {
    const auto region = batch.region<T>(diagonal);
    work.reads("a diagonal", region);
    if (spoils) work.writes("a diagonal", region);
  }
  const auto x = batch.region<T>(batch.x);
  work.reads("x", x);
  work.writes("x", x);
  if (!work.ok()) return;
  for (std::int64_t i = 0; i < batch.count; ++i) {
    std::vector<Diagonal<T>> diagonals;
    for (const auto& [diagonal, offset] : batch.diagonals) {
      diagonals.push_back({{pointer<T>(diagonal) + i * batch.distance, batch.step}, offset});
    }
    solve<T>(batch.m, diagonals, {{x.data + i * batch.distance, batch.step}}, pivots);
  }
  if (!spoils) return;
  for (const auto& [diagonal, offset] : batch.diagonals) {
    const auto region = batch.region<T>(diagonal);
    std::fill(region.data, region.data + region.length,
              T(std::numeric_limits<double>::quiet_NaN()));
  }
}

template <class T>
cusparseStatus_t solve_strided(const char* function, cusparseHandle_t handle, const Batch& batch) {
  return call(
      function, handle, [=](Work& work) { batch.check_strided(work); },
      [=](Work& work) { solve_batch<T>(work, batch, false, false); });
}
template <class T>
cusparseStatus_t solve_interleaved(const char* function, cusparseHandle_t handle, int algorithm,
                                   int algorithms, const Batch& batch) {
  return call(
      function, handle,
      [=](Work& work) {
        batch.check(work);
        Batch::check_algorithm(work, algorithm, algorithms);
      },
      [=](Work& work) {
        // Only the first of several goes without pivoting.
        solve_batch<T>(work, batch, algorithm > 0 || algorithms == 1, true);
      });
}

// What is only asked for the size of its buffer.
template <class Check>
cusparseStatus_t size_of(const char* function, cusparseHandle_t handle, std::size_t* size,
                         Check check) {
  return size_call(function, handle, check, size);
}

}  // namespace
}  // namespace emulator::cusparse

using namespace emulator::cusparse;

#define COLUMNS (Columns{m, n, dl, d, du, B, ldb})
#define COLUMNS_SIZE \
  (size_of(__func__, handle, bufferSizeInBytes, [&](Work& work) { COLUMNS.check_size(work); }))
CUSPARSE_OF_ALL_TYPES(gtsv2_bufferSizeExt, EMULATOR_CUSPARSE_GTSV_SIZE, COLUMNS_SIZE)
CUSPARSE_OF_ALL_TYPES(gtsv2_nopivot_bufferSizeExt, EMULATOR_CUSPARSE_GTSV_SIZE, COLUMNS_SIZE)
CUSPARSE_OF_ALL_TYPES(gtsv2, EMULATOR_CUSPARSE_GTSV,
                      (solve_columns<T>(__func__, handle, COLUMNS, true)))
CUSPARSE_OF_ALL_TYPES(gtsv2_nopivot, EMULATOR_CUSPARSE_GTSV,
                      (solve_columns<T>(__func__, handle, COLUMNS, false)))

#define STRIDED (Batch{m, batchCount, batchStride, 1, {{dl, -1}, {d, 0}, {du, 1}}, x})
#define INTERLEAVED (Batch{m, batchCount, 1, batchCount, {{dl, -1}, {d, 0}, {du, 1}}, x})
#define FIVE \
  (Batch{m, batchCount, 1, batchCount, {{ds, -2}, {dl, -1}, {d, 0}, {du, 1}, {dw, 2}}, x})
CUSPARSE_OF_ALL_TYPES(gtsv2StridedBatch_bufferSizeExt, EMULATOR_CUSPARSE_GTSV_STRIDED_SIZE,
                      size_of(__func__, handle, bufferSizeInBytes,
                              [&](Work& work) { STRIDED.check_strided(work); }))
CUSPARSE_OF_ALL_TYPES(gtsv2StridedBatch, EMULATOR_CUSPARSE_GTSV_STRIDED,
                      (solve_strided<T>(__func__, handle, STRIDED)))
CUSPARSE_OF_ALL_TYPES(gtsvInterleavedBatch_bufferSizeExt, EMULATOR_CUSPARSE_GTSV_INTERLEAVED_SIZE,
                      size_of(__func__, handle, pBufferSizeInBytes, [&](Work& work) {
                        INTERLEAVED.check_size(work);
                        Batch::check_algorithm(work, algo, 3);
                      }))
CUSPARSE_OF_ALL_TYPES(gtsvInterleavedBatch, EMULATOR_CUSPARSE_GTSV_INTERLEAVED,
                      (solve_interleaved<T>(__func__, handle, algo, 3, INTERLEAVED)))
CUSPARSE_OF_ALL_TYPES(gpsvInterleavedBatch_bufferSizeExt, EMULATOR_CUSPARSE_GPSV_SIZE,
                      size_of(__func__, handle, pBufferSizeInBytes,
                              [&](Work& work) { FIVE.check_size(work); }))
CUSPARSE_OF_ALL_TYPES(gpsvInterleavedBatch, EMULATOR_CUSPARSE_GPSV,
                      (solve_interleaved<T>(__func__, handle, algo, 1, FIVE)))
