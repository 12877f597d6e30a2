#pragma once
/// \file
/// What the emulator's cuSOLVER keeps of sparse matrices between the steps of their solution.

#include <any>

#include "cusolverSp_LOWLEVEL_PREVIEW.h"
#include "libraries/cusolver/sparse/csr_matrix.hpp"

namespace emulator::cusolver {

struct StepInfo {
  std::int64_t rows = 0;  // 0 before the analysis
  std::int64_t columns = 0;
  std::int64_t nnz = 0;
  std::vector<int> order;  // of the rows and columns whose factors these are
  std::any matrix;
  std::any factors;

  void forget() { *this = StepInfo{}; }
};
/// The factors that an info holds, if they are of this type.
template <class Factors>
const Factors* factors_in(const StepInfo* info) {
  const auto* const held = std::any_cast<std::shared_ptr<Factors>>(&info->factors);
  return held == nullptr ? nullptr : held->get();
}

/// A number of the program's, as one that the emulator computes with.
template <class T, class U>
T number(U x) {
  if constexpr (is_complex<T>) {
    return {x.x, x.y};
  } else {
    return x;
  }
}

}  // namespace emulator::cusolver

struct csrluInfoHost : emulator::cusolver::StepInfo {};
struct csrqrInfoHost : emulator::cusolver::StepInfo {};
struct csrcholInfoHost : emulator::cusolver::StepInfo {};
struct csrcholInfo : emulator::cusolver::StepInfo {};
struct csrqrInfo : emulator::cusolver::StepInfo {};
