#pragma once
/// \file
/// Factors of sparse matrices, by textbook methods (Davis, Direct Methods for Sparse Linear
/// Systems; George and Heath's rotations, row by row, for Q and R), and their solutions.

#include <algorithm>
#include <functional>
#include <queue>
#include <vector>

#include "libraries/cusolver/dense/matrix.hpp"

namespace emulator::cusolver {

inline std::size_t at(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

template <class T>
struct Entry {
  int index;
  T value;
};
template <class T>
using Row = std::vector<Entry<T>>;

/// A sparse matrix by rows, whose columns ascend and count from 0.
template <class T>
struct Sparse {
  int columns = 0;
  std::vector<Row<T>> rows;

  int count() const { return static_cast<int>(rows.size()); }
  std::vector<T> times(const std::vector<T>& x) const {
    std::vector<T> result(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (const Entry<T>& entry : rows[i]) result[i] += entry.value * x[at(entry.index)];
    }
    return result;
  }
};
template <class T>
void sort_row(Row<T>& row) {
  std::sort(row.begin(), row.end(),
            [](const Entry<T>& a, const Entry<T>& b) { return a.index < b.index; });
}
template <class T>
Sparse<T> transposed(const Sparse<T>& a) {
  Sparse<T> result{a.count(), std::vector<Row<T>>(at(a.columns))};
  for (int i = 0; i < a.count(); ++i) {
    for (const Entry<T>& entry : a.rows[at(i)]) {
      result.rows[at(entry.index)].push_back({i, entry.value});
    }
  }
  return result;
}
inline std::vector<int> inverse_of(const std::vector<int>& p) {
  std::vector<int> result(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) result[at(p[i])] = static_cast<int>(i);
  return result;
}
/// B with B(i, j) = A(p(i), q(j)).
template <class T>
Sparse<T> permuted(const Sparse<T>& a, const std::vector<int>& p, const std::vector<int>& q) {
  const std::vector<int> column_of = inverse_of(q);
  Sparse<T> result{a.columns, {}};
  for (const int i : p) {
    Row<T> row = a.rows[at(i)];
    for (Entry<T>& entry : row) entry.index = column_of[at(entry.index)];
    sort_row(row);
    result.rows.push_back(std::move(row));
  }
  return result;
}

/// A = Q R for at least as many rows as columns. Q is a sequence of rotations.
template <class T>
class SparseQr {
 public:
  explicit SparseQr(const Sparse<T>& a) : r_(at(a.columns)), row_of_(at(a.columns), -1) {
    Row<T> row;
    Row<T> upper;
    Row<T> lower;
    for (int i = 0; i < a.count(); ++i) {
      row = a.rows[at(i)];
      for (;;) {
        const auto first =
            std::find_if(row.begin(), row.end(), [](const Entry<T>& e) { return e.value != T(0); });
        row.erase(row.begin(), first);
        if (row.empty()) break;
        const int k = row.front().index;
        if (r_[at(k)].empty()) {
          r_[at(k)].swap(row);
          row_of_[at(k)] = i;
          break;
        }
        eliminate(k, i, row, upper, lower);
      }
    }
  }

  /// R's diagonal; 0 where a row is missing.
  T pivot(std::int64_t k) const { return r_[at(k)].empty() ? T(0) : r_[at(k)].front().value; }
  /// The first pivot that is not above the tolerance, or -1.
  int position(double tolerance) const {
    for (std::size_t k = 0; k < r_.size(); ++k) {
      if (!(std::abs(pivot(static_cast<int>(k))) > tolerance)) return static_cast<int>(k);
    }
    return -1;
  }
  int rank(double tolerance) const {
    int result = 0;
    for (std::size_t k = 0; k < r_.size(); ++k) {
      result += std::abs(pivot(static_cast<int>(k))) > tolerance ? 1 : 0;
    }
    return result;
  }
  static bool can_solve() { return true; }
  /// The x for which A x is nearest to b. Unknowns whose pivot is not above the tolerance are 0.
  std::vector<T> solve(std::vector<T> b, double tolerance = 0) const {
    for (const Rotation& turn : rotations_) {
      T& upper = b[at(turn.upper)];
      T& lower = b[at(turn.lower)];
      const T old = upper;
      upper = turn.c * old + turn.s * lower;
      lower = -conjugate(turn.s) * old + turn.c * lower;
    }
    std::vector<T> x(r_.size());
    for (std::int64_t k = static_cast<std::int64_t>(r_.size()) - 1; k >= 0; --k) {
      if (!(std::abs(pivot(k)) > tolerance)) continue;
      const Row<T>& row = r_[at(k)];
      T sum = b[at(row_of_[at(k)])];
      for (std::size_t j = 1; j < row.size(); ++j) sum -= row[j].value * x[at(row[j].index)];
      x[at(k)] = sum / row.front().value;
    }
    return x;
  }
  /// The shortest of all vectors that A takes to where it takes x: x's part in the rows' space.
  std::vector<T> shortest(const std::vector<T>& x, double tolerance) const {
    Sparse<T> rows{static_cast<int>(x.size()), {}};
    for (std::size_t k = 0; k < r_.size(); ++k) {
      if (std::abs(pivot(static_cast<std::int64_t>(k))) > tolerance) rows.rows.push_back(r_[k]);
    }
    Sparse<T> columns = transposed(rows);
    for (Row<T>& row : columns.rows) {
      for (Entry<T>& entry : row) entry.value = conjugate(entry.value);
    }
    return columns.times(SparseQr(columns).solve(x));
  }

 private:
  struct Rotation {
    int upper;  // elements of b
    int lower;
    Real<T> c;
    T s;
  };

  void eliminate(int k, int i, Row<T>& row, Row<T>& upper, Row<T>& lower) {
    Row<T>& above = r_[at(k)];
    const T f = above.front().value;
    const T g = row.front().value;
    const Real<T> size = std::abs(f);
    const Real<T> length = std::hypot(size, std::abs(g));
    const Rotation turn{row_of_[at(k)], i, size / length, f / size * (conjugate(g) / length)};
    rotations_.push_back(turn);
    upper.clear();
    lower.clear();
    std::size_t a = 0;
    std::size_t b = 0;
    while (a < above.size() || b < row.size()) {
      const bool from_above =
          b == row.size() || (a < above.size() && above[a].index <= row[b].index);
      const bool from_row = a == above.size() || (b < row.size() && row[b].index <= above[a].index);
      const int index = from_above ? above[a].index : row[b].index;
      const T x = from_above ? above[a++].value : T(0);
      const T y = from_row ? row[b++].value : T(0);
      upper.push_back({index, turn.c * x + turn.s * y});
      lower.push_back({index, -conjugate(turn.s) * x + turn.c * y});
    }
    lower.erase(lower.begin());  // which is 0 now
    above.swap(upper);
    row.swap(lower);
  }

  std::vector<Row<T>> r_;
  std::vector<int> row_of_;  // the element of b that belongs to a row of R
  std::vector<Rotation> rotations_;
};

/// A = L L^H, by the lower triangle of A.
template <class T>
class SparseCholesky {
 public:
  explicit SparseCholesky(const Sparse<T>& a) : columns_(a.rows.size()), diagonal_(a.rows.size()) {
    const int n = a.count();
    const std::vector<int> parent = tree(a);
    std::vector<int> seen(at(n), -1);
    std::vector<T> x(at(n));
    for (int k = 0; k < n && failed_ < 0; ++k) {
      T pivot = 0;
      std::vector<int> reached;  // columns in which row k of L has elements
      seen[at(k)] = k;
      for (const Entry<T>& entry : a.rows[at(k)]) {
        if (entry.index > k) break;
        if (entry.index == k) pivot = entry.value;
        x[at(entry.index)] = conjugate(entry.value);
        for (int i = entry.index; seen[at(i)] != k; i = parent[at(i)]) {
          reached.push_back(i);
          seen[at(i)] = k;
        }
      }
      x[at(k)] = 0;
      std::sort(reached.begin(), reached.end());
      Real<T> left = std::real(pivot);
      for (const int i : reached) {
        const T value = x[at(i)] / diagonal_[at(i)];
        x[at(i)] = 0;
        for (const Entry<T>& below : columns_[at(i)]) x[at(below.index)] -= below.value * value;
        columns_[at(i)].push_back({k, conjugate(value)});
        left -= square(value);
      }
      x[at(k)] = 0;
      if (!(left > 0)) failed_ = k;
      diagonal_[at(k)] = std::sqrt(left);
    }
  }

  const std::vector<Real<T>>& diagonal() const { return diagonal_; }
  /// The first pivot that is not positive, or not above the tolerance; or -1.
  int position(double tolerance) const {
    for (int k = 0; k < (failed_ < 0 ? static_cast<int>(diagonal_.size()) : failed_); ++k) {
      if (!(diagonal_[at(k)] > tolerance)) return k;
    }
    return failed_;
  }
  bool can_solve() const { return failed_ < 0; }
  std::vector<T> solve(std::vector<T> b) const {
    for (std::size_t j = 0; j < b.size(); ++j) {
      b[j] /= diagonal_[j];
      for (const Entry<T>& below : columns_[j]) b[at(below.index)] -= below.value * b[j];
    }
    for (std::size_t j = b.size(); j-- > 0;) {
      for (const Entry<T>& below : columns_[j]) {
        b[j] -= conjugate(below.value) * b[at(below.index)];
      }
      b[j] /= diagonal_[j];
    }
    return b;
  }

 private:
  // The elimination tree: the first row below in which a column's elements reach another one.
  static std::vector<int> tree(const Sparse<T>& a) {
    std::vector<int> parent(a.rows.size(), -1);
    std::vector<int> ancestor(a.rows.size(), -1);
    for (int k = 0; k < a.count(); ++k) {
      for (const Entry<T>& entry : a.rows[at(k)]) {
        for (int i = entry.index; i >= 0 && i < k;) {
          const int next = ancestor[at(i)];
          ancestor[at(i)] = k;
          if (next < 0) parent[at(i)] = k;
          i = next;
        }
      }
    }
    return parent;
  }

  std::vector<Row<T>> columns_;  // below the diagonal
  std::vector<Real<T>> diagonal_;
  int failed_ = -1;
};

/// P A = L U, with the diagonal's pivot where it is not smaller than the largest times the
/// threshold.
template <class T>
class SparseLu {
 public:
  SparseLu(const Sparse<T>& a, double threshold)
      : lower_(a.rows.size()), upper_(a.rows.size()), row_of_(a.rows.size(), -1) {
    const int n = a.count();
    const Sparse<T> by_columns = transposed(a);
    std::vector<int> place(at(n), -1);  // of rows that have been pivots
    std::vector<int> seen(at(n), -1);
    std::vector<T> x(at(n));
    for (int j = 0; j < n; ++j) {
      std::vector<int> touched;
      std::priority_queue<int, std::vector<int>, std::greater<>> waiting;
      const auto touch = [&](int row) {
        if (seen[at(row)] == j) return;
        seen[at(row)] = j;
        touched.push_back(row);
        if (place[at(row)] >= 0) waiting.push(place[at(row)]);
      };
      for (const Entry<T>& entry : by_columns.rows[at(j)]) {
        touch(entry.index);
        x[at(entry.index)] += entry.value;
      }
      for (; !waiting.empty(); waiting.pop()) {
        const int k = waiting.top();
        const T value = x[at(row_of_[at(k)])];
        upper_[at(j)].push_back({k, value});
        for (const Entry<T>& below : lower_[at(k)]) {
          touch(below.index);
          x[at(below.index)] -= below.value * value;
        }
      }
      const int row = choose(touched, place, x, j, threshold);
      place[at(row)] = j;
      row_of_[at(j)] = row;
      const T pivot = seen[at(row)] == j ? x[at(row)] : T(0);
      for (const int i : touched) {
        if (place[at(i)] < 0 && pivot != T(0)) lower_[at(j)].push_back({i, x[at(i)] / pivot});
        x[at(i)] = 0;
      }
      upper_[at(j)].push_back({j, pivot});
    }
    for (Row<T>& column : lower_) {  // by their places from now on
      for (Entry<T>& entry : column) entry.index = place[at(entry.index)];
      sort_row(column);
    }
  }

  const std::vector<Row<T>>& lower() const { return lower_; }  ///< columns, without the diagonal
  const std::vector<Row<T>>& upper() const { return upper_; }  ///< columns; the diagonal is last
  const std::vector<int>& rows() const { return row_of_; }     ///< P
  int position(double tolerance) const {
    for (std::size_t k = 0; k < upper_.size(); ++k) {
      if (!(std::abs(upper_[k].back().value) > tolerance)) return static_cast<int>(k);
    }
    return -1;
  }
  static bool can_solve() { return true; }
  std::vector<T> solve(const std::vector<T>& b) const {
    std::vector<T> x(b.size());
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = b[at(row_of_[k])];
    for (std::size_t k = 0; k < x.size(); ++k) {
      for (const Entry<T>& below : lower_[k]) x[at(below.index)] -= below.value * x[k];
    }
    for (std::size_t k = x.size(); k-- > 0;) {
      x[k] /= upper_[k].back().value;
      for (const Entry<T>& above : upper_[k]) {
        if (at(above.index) != k) x[at(above.index)] -= above.value * x[k];
      }
    }
    return x;
  }

 private:
  static int choose(const std::vector<int>& touched, const std::vector<int>& place,
                    const std::vector<T>& x, int diagonal, double threshold) {
    int best = -1;
    for (const int i : touched) {
      if (place[at(i)] >= 0) continue;
      if (best < 0 || std::abs(x[at(i)]) > std::abs(x[at(best)])) best = i;
    }
    const bool has_diagonal = place[at(diagonal)] < 0;
    const auto size = [&](int i) { return static_cast<double>(std::abs(x[at(i)])); };
    if (has_diagonal &&
        (best < 0 || (size(diagonal) > 0 && size(diagonal) >= threshold * size(best)))) {
      return diagonal;
    }
    if (best >= 0) return best;
    const auto free = std::find_if(place.begin(), place.end(), [](int p) { return p < 0; });
    return static_cast<int>(free - place.begin());
  }

  std::vector<Row<T>> lower_;
  std::vector<Row<T>> upper_;
  std::vector<int> row_of_;
};

}  // namespace emulator::cusolver
