// Chapter 17, third lesson: the contraction by cuTENSOR.
#pragma once

#include "direct.hpp"
#include "plans.hpp"

// The library does not accept an extent of 0. So we handle empty tensors and empty sums ourselves.
inline bool is_empty(const Contraction& c, float beta, float* C) {
  if (c.size_of_c() == 0) return true;
  if (c.inner() != 0) return false;
  launch_direct(c, 0.0F, C, C, beta, C);  // no element of A or B is read
  return true;
}

// The summed modes are not named: they are those that C does not have. D, which is written, may be
// another tensor than C, but must have the same descriptor.
inline void describe_contraction(const Library& library, const Descriptor& A, const Descriptor& B,
                                 const Descriptor& C, cutensorComputeDescriptor_t precision,
                                 UniqueOperation& operation) {
  const Descriptor& D = C;
  CUDA_CHECK(cutensorCreateContraction(library, operation.out(),                 //
                                       A, A.modes.data(), CUTENSOR_OP_IDENTITY,  //
                                       B, B.modes.data(), CUTENSOR_OP_IDENTITY,  //
                                       C, C.modes.data(), CUTENSOR_OP_IDENTITY,  //
                                       D, D.modes.data(), precision));
}

// All that the library needs for one contraction, for any number of tensors of these extents.
class CutensorContraction {
 public:
  explicit CutensorContraction(const Library& library, const Contraction& contraction,
                               WorkspaceLimit limit = WorkspaceLimit::by_default,
                               cutensorComputeDescriptor_t precision = CUTENSOR_COMPUTE_DESC_32F)
      : library_(library), contraction_(contraction) {
    if (contraction.size_of_c() == 0 || contraction.inner() == 0) return;
    const Descriptor& A = A_.emplace(library, contraction.tensor_a());
    const Descriptor& B = B_.emplace(library, contraction.tensor_b());
    const Descriptor& C = C_.emplace(library, contraction.tensor_c());
    describe_contraction(library, A, B, C, precision, operation_);
    plan_.emplace(library, operation_, limit);
    workspace_.emplace(plan_->workspace_bytes(), course::unset);
  }

  void operator()(float alpha, const float* A, const float* B, float beta, float* C) {
    if (!is_empty(contraction_, beta, C)) contract(alpha, A, B, beta, C);
  }

  const UniqueOperation& operation() const { return operation_; }
  std::uint64_t workspace_bytes() const { return plan_ ? plan_->workspace_bytes() : 0; }

 private:
  // alpha and beta have the type that the precision determines, here float. C is read, and written
  // as D.
  void contract(float alpha, const float* A, const float* B, float beta, float* C) {
    unsigned char* const workspace = *workspace_;
    CUDA_CHECK(cutensorContract(library_, *plan_, &alpha, A, B, &beta, C, C, workspace,
                                workspace_->size(), nullptr));
  }

  const Library& library_;
  Contraction contraction_;
  std::optional<Descriptor> A_, B_, C_;
  UniqueOperation operation_;
  std::optional<Plan> plan_;
  std::optional<course::DeviceArray<unsigned char>> workspace_;
};
