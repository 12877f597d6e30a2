#pragma once
/// \file
/// What the emulator's cuSOLVER keeps of sparse matrices between the steps of their solution.

#include <any>

#include "libraries/cusolver/given_sparse.hpp"
#include "cusolverSp_LOWLEVEL_PREVIEW.h"

namespace emulator::solver {

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

}  // namespace emulator::solver

struct csrluInfoHost : emulator::solver::StepInfo {};
struct csrqrInfoHost : emulator::solver::StepInfo {};
struct csrcholInfoHost : emulator::solver::StepInfo {};
struct csrcholInfo : emulator::solver::StepInfo {};
struct csrqrInfo : emulator::solver::StepInfo {};
