// The CPU's contraction. A file of its own, and ordinary C++: so the compiler optimises it
// everywhere, and the emulator, which watches every access of a .cu file, leaves it alone.

#include "cpu.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "data.hpp"

namespace {

// For one n and one v, some u's: columns of m elements, each the sum over h and k.
constexpr size_t some = 4;

// The compiler makes this twice where it can, and the program takes the one for its processor.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
__attribute__((target_clones("arch=haswell", "default")))
#endif
void add_column(const float* a, size_t m, const double (&b)[some], double* sums) {
  for (size_t i = 0; i < m; ++i) {
    const auto value = static_cast<double>(a[i]);
    for (size_t j = 0; j < some; ++j) sums[j * m + i] += value * b[j];
  }
}

size_t size(int extent) {
  return static_cast<size_t>(extent);
}

}  // namespace

Reference contract_on_cpu(const Contraction& c, double alpha, const std::vector<float>& A,
                          const std::vector<float>& B, double beta, const std::vector<float>& C,
                          bool with_magnitudes) {
  Reference result;
  result.values.resize(c.size_of_c());
  result.magnitudes.resize(c.size_of_c());
  const size_t m = size(c.m), u = size(c.u), n = size(c.n), v = size(c.v), h = size(c.h),
               k = size(c.k);
  const auto columns = [&](size_t begin, size_t end) {
    std::vector<double> sums(some * m);
    std::vector<double> magnitudes(some * m);
    std::vector<float> absolute(m);
    for (size_t nv = begin; nv < end; ++nv) {
      const size_t in = nv % n;
      const size_t iv = nv / n;
      for (size_t first = 0; first < u; first += some) {
        const size_t count = std::min(some, u - first);
        std::fill(sums.begin(), sums.end(), 0.0);
        std::fill(magnitudes.begin(), magnitudes.end(), 0.0);
        for (size_t ik = 0; ik < k; ++ik) {
          for (size_t ih = 0; ih < h; ++ih) {
            const float* const a = A.data() + m * (ih + h * (ik + k * in));
            double b[some] = {};
            double absolute_b[some] = {};
            for (size_t j = 0; j < count; ++j) {
              b[j] = static_cast<double>(B[first + j + u * (ik + k * (iv + v * ih))]);
              absolute_b[j] = std::fabs(b[j]);
            }
            add_column(a, m, b, sums.data());
            if (!with_magnitudes) continue;
            std::transform(a, a + m, absolute.begin(), [](float x) { return std::fabs(x); });
            add_column(absolute.data(), m, absolute_b, magnitudes.data());
          }
        }
        for (size_t j = 0; j < count; ++j) {
          for (size_t i = 0; i < m; ++i) {
            const size_t at = i + m * (first + j + u * (in + n * iv));
            const double old = C.empty() ? 0.0 : beta * static_cast<double>(C[at]);
            result.values[at] = alpha * sums[j * m + i] + old;
            result.magnitudes[at] = std::fabs(alpha) * magnitudes[j * m + i] + std::fabs(old);
          }
        }
      }
    }
  };
  course::detail::in_parallel(n * v, c.size_of_c() * std::max<size_t>(c.inner(), 1), columns);
  return result;
}

long first_wrong_row(const Contraction& c, long alpha, const std::vector<float>& A,
                     const std::vector<float>& B, const std::vector<float>& C) {
  using Whole = std::uint64_t;  // whole numbers, modulo 2^64
  const auto whole = [](float x) { return static_cast<Whole>(static_cast<std::int64_t>(x)); };
  const size_t m = size(c.m), u = size(c.u), n = size(c.n), v = size(c.v), h = size(c.h),
               k = size(c.k);
  const course::RandomBits x(17);  // a number for each column (u, v)

  // y(h, k) = the sum over the columns of B x, by h, since h is B's slowest mode.
  std::vector<Whole> y(h * k);
  course::detail::in_parallel(h, B.size(), [&](size_t begin, size_t end) {
    for (size_t ih = begin; ih < end; ++ih) {
      for (size_t iv = 0; iv < v; ++iv) {
        for (size_t ik = 0; ik < k; ++ik) {
          Whole sum = 0;
          const float* const b = B.data() + u * (ik + k * (iv + v * ih));
          for (size_t iu = 0; iu < u; ++iu) sum += whole(b[iu]) * x(iu + u * iv);
          y[ih + h * ik] += sum;
        }
      }
    }
  });
  // difference(m, n) = C x - alpha A y.
  std::vector<Whole> difference(m * n);
  course::detail::in_parallel(n, A.size() + C.size(), [&](size_t begin, size_t end) {
    for (size_t in = begin; in < end; ++in) {
      Whole* const row = difference.data() + m * in;
      for (size_t col = 0; col < u * v; ++col) {
        const size_t iu = col % u;
        const size_t iv = col / u;
        const Whole weight = x(col);
        const float* const from = C.data() + m * (iu + u * (in + n * iv));
        for (size_t i = 0; i < m; ++i) {
          // What was never written, or is not a number, is not a whole one: it must not pass for a
          // 0.
          const bool is_whole = std::fabs(from[i]) < 0x1p24F && std::rint(from[i]) == from[i];
          row[i] += (is_whole ? whole(from[i]) : Whole{1} << 40) * weight;
        }
      }
      for (size_t p = 0; p < h * k; ++p) {
        const Whole weight = static_cast<Whole>(alpha) * y[p];
        const float* const from = A.data() + m * (p + h * k * in);
        for (size_t i = 0; i < m; ++i) row[i] -= whole(from[i]) * weight;
      }
    }
  });
  for (size_t row = 0; row < m * n; ++row) {
    if (difference[row] != 0) return static_cast<long>(row);
  }
  return -1;
}
