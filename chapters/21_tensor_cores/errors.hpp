/// @file
/// The cost of the inputs' short formats: errors of products over k, against FP64, and what happens
/// where the numbers are outside the range of a half.
#pragma once

#include <functional>

#include "course.hpp"
#include "numbers.hpp"

namespace tensor {

/// A product to compare. A's numbers are multiplied by `scale` first, and C by its inverse.
struct ProductMethod {
  std::string name;  ///< nine letters at most
  std::function<std::vector<float>(const course::GemmProblem&, float scale)> product;
  bool scales = false;
};

/// The product of a problem by a launch function of Element's.
template <class Element, class Launch>
std::vector<float> product_of(const course::GemmProblem& p, float scale, Launch launch) {
  const course::DeviceArray<Element> A(all_rounded<Element>(p.A, scale));
  const course::DeviceArray<Element> B(all_rounded<Element>(p.B));
  course::DeviceArray<float> C(p.m * p.n);
  launch(static_cast<const Element*>(A), static_cast<const Element*>(B), static_cast<float*>(C),
         static_cast<int>(p.m), static_cast<int>(p.n), static_cast<int>(p.k));
  std::vector<float> result = C.to_host();
  for (float& x : result) x /= scale;
  return result;
}

/// The root mean square of C's errors, relative to that of C. NaN, if C contains a
/// NaN.
inline double relative_error(const std::vector<float>& C, const std::vector<double>& reference) {
  double off = 0.0;
  double all = 0.0;
  for (std::size_t i = 0; i < C.size(); ++i) {
    off += (C[i] - reference[i]) * (C[i] - reference[i]);
    all += reference[i] * reference[i];
  }
  return std::sqrt(off / all);
}

/// The table, as lines below the report. A is normal, times 2^power.
inline void note_errors(course::Report& report, const std::vector<ProductMethod>& methods,
                        std::uint64_t seed) {
  char cell[40];
  std::string line = "    A's     k";
  for (const ProductMethod& method : methods) {
    std::snprintf(cell, sizeof cell, " %9s", method.name.c_str());
    line += cell;
  }
  report.note("Errors, as parts of C (root of the mean square):");
  report.note(line);
  const std::vector<std::size_t> lengths = course::on_emulator
                                               ? std::vector<std::size_t>{32, 512}
                                               : std::vector<std::size_t>{32, 512, 8192, 131072};
  for (const int power : {0, 20, -20}) {
    for (const std::size_t k : lengths) {
      if (power != 0 && k != 512) continue;
      course::GemmProblem p = make_problem(Kind::normal, 64, 64, k, seed);
      for (std::size_t i = 0; i < p.A.size(); ++i) p.A.data()[i] = std::ldexp(p.A[i], power);
      for (double& x : p.reference) x = std::ldexp(x, power);
      std::snprintf(cell, sizeof cell, "%7s %5zu", ("2^" + std::to_string(power)).c_str(), k);
      line = cell;
      for (const ProductMethod& method : methods) {
        const float scale = method.scales ? std::ldexp(1.0F, -power) : 1.0F;
        std::snprintf(cell, sizeof cell, " %9.1e",
                      relative_error(method.product(p, scale), p.reference));
        line += cell;
      }
      report.note(line);
    }
  }
}

}  // namespace tensor
