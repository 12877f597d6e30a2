/// @file
/// Chapter 28: data, and what should come out, computed in doubles by the host for some rows.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "course.hpp"
#include "host_numbers.hpp"
#include "problem.hpp"

namespace attention {

/// The sizes of a problem.
struct Shape {
  int batches = 1, heads = 1, kv_heads = 1, queries = 1, keys = 1, size = 64;
  bool causal = false;

  std::size_t numbers_of_Q() const { return numbers(heads, queries); }
  std::size_t numbers_of_K() const { return numbers(kv_heads, keys); }
  std::size_t logs() const { return numbers_of_Q() / static_cast<std::size_t>(size); }
  /// Multiplications and additions of both products; causal: about half as many.
  double operations() const {
    double pairs = static_cast<double>(queries) * keys;
    if (causal) {
      const double unseen = std::min(queries, keys);
      pairs -= unseen * (unseen - 1) / 2 + (queries > keys ? (queries - unseen) * keys : 0.0);
    }
    return 4.0 * batches * heads * size * pairs;
  }
  /// Q, K and V read once, and O written.
  double bytes() const {
    return 2.0 * static_cast<double>(2 * numbers_of_Q() + 2 * numbers_of_K());
  }

 private:
  std::size_t numbers(int of_heads, int rows) const {
    return static_cast<std::size_t>(batches) * static_cast<std::size_t>(of_heads) *
           static_cast<std::size_t>(rows) * static_cast<std::size_t>(size);
  }
};

/// Inputs on the host.
struct HostInputs {
  std::vector<Bf16> Q, K, V;

  /// Normal numbers.
  HostInputs(const Shape& s, std::uint64_t seed)
      : Q(course::some_numbers<Bf16>(s.logs(), of(s), seed)),
        K(course::some_numbers<Bf16>(s.numbers_of_K() / of(s), of(s), seed + 1)),
        V(course::some_numbers<Bf16>(s.numbers_of_K() / of(s), of(s), seed + 2)) {}

 private:
  static std::size_t of(const Shape& s) { return static_cast<std::size_t>(s.size); }
};

/// A row of O, and its logarithm.
struct Row {
  std::vector<double> o;
  double log = -std::numeric_limits<double>::infinity();
};

inline double dot(const Bf16* a, const Bf16* b, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += course::as_double(a[i]) * course::as_double(b[i]);
  return sum;
}

/// What should come out for a query, by the definition: all scores, their softmax, the mean.
inline Row expected_row(const Shape& s, const Problem& p, const HostInputs& in, int head,
                        int query) {
  Row row;
  row.o.assign(static_cast<std::size_t>(s.size), 0.0);
  // Not as the kernels have it: keys that are no later than the query, counted from the ends.
  int seen = 0;
  while (seen < s.keys && (!s.causal || seen - s.keys <= query - s.queries)) ++seen;
  const std::int64_t kv = std::int64_t{head / s.heads} * s.kv_heads +  // of this sequence
                          head % s.heads * s.kv_heads / s.heads;
  const Bf16* const q = in.Q.data() + (std::int64_t{head} * s.queries + query) * s.size;
  const Bf16* const K = in.K.data() + kv * s.keys * s.size;
  const Bf16* const V = in.V.data() + kv * s.keys * s.size;
  std::vector<double> scores(static_cast<std::size_t>(seen));
  for (int j = 0; j < seen; ++j) scores[j] = double{p.scale} * dot(q, K + j * s.size, s.size);
  const double max = course::max_of(scores);
  if (max == -std::numeric_limits<double>::infinity()) return row;
  double sum = 0;
  for (int j = 0; j < seen; ++j) {
    const double power = std::exp(scores[j] - max);
    sum += power;
    for (int x = 0; x < s.size; ++x) row.o[x] += power * course::as_double(V[j * s.size + x]);
  }
  for (double& value : row.o) value /= sum;
  row.log = max + std::log(sum);
  return row;
}

/// How far results are from what they should be.
struct Errors {
  double largest = 0;  ///< of a number, relative to it or to its row's root mean square
  double of_logs = 0;  ///< likewise of logarithms, relative to at least 1
  double rms = 0;      ///< root mean square of all errors, relative to that of all rows
};

/// What should come out in some rows of all heads, or in all if there are few.
class Expected {
 public:
  Expected(const Shape& s, const Problem& p, const HostInputs& in) : size_(s.size) {
    // Of long sequences fewer rows: that takes a second.
    const std::size_t terms = static_cast<std::size_t>(s.keys) * static_cast<std::size_t>(s.size);
    const std::size_t most = std::clamp<std::size_t>((std::size_t{1} << 26) / (terms + 1), 8, 96);
    at_ = course::rows_to_check(s.logs(), most);
    rows_.resize(at_.size());
    course::detail::in_parallel(
        at_.size(), at_.size() * terms, [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) {
            const int head = static_cast<int>(at_[i] / static_cast<std::size_t>(s.queries));
            const int query = static_cast<int>(at_[i] % static_cast<std::size_t>(s.queries));
            rows_[i] = expected_row(s, p, in, head, query);
          }
        });
  }

  Errors errors(const std::vector<Bf16>& O, const std::vector<float>& logs) const {
    Errors errors;
    double off = 0, all = 0;
    for (std::size_t i = 0; i < at_.size(); ++i) {
      const Row& row = rows_[i];
      double squares = 0;
      for (const double value : row.o) squares += value * value;
      const double floor = std::sqrt(squares / size_) + 1e-30;
      for (int x = 0; x < size_; ++x) {
        const double got = course::as_double(O[at_[i] * static_cast<std::size_t>(size_) + x]);
        errors.largest = std::max(errors.largest, course::error_of(got, row.o[x], floor));
        off += (got - row.o[x]) * (got - row.o[x]);
      }
      all += squares;
      errors.of_logs = std::max(errors.of_logs, course::error_of(logs[at_[i]], row.log, 1));
    }
    errors.rms = all > 0 ? std::sqrt(off / all) : 0;
    return errors;
  }

 private:
  int size_;
  std::vector<std::size_t> at_;
  std::vector<Row> rows_;
};

}  // namespace attention
