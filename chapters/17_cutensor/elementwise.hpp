// Chapter 17, seventh lesson: operations that move every element and compute little, by cuTENSOR.
// Images come as planes, A[w,h,c,n]: of each of n images, one channel of all its pixels after
// the other. They should be D[c,w,h,n]: all channels of a pixel together.
#pragma once

#include "plans.hpp"

struct Images {
  int w, h, c, n;  // width, height, channels, how many

  Tensor planes() const { return packed("whcn", {w, h, c, n}); }
  Tensor interleaved() const { return packed("cwhn", {c, w, h, n}); }
  Tensor by_channel() const { return packed("c", {c}); }
  Tensor sums() const { return packed("cn", {c, n}); }

  size_t pixels() const { return static_cast<size_t>(w) * h; }
  size_t size() const { return pixels() * c * n; }
};

// The inputs and outputs of the four operations.
struct PictureData {
  const float* A;     // planes
  const float* bias;  // one number per channel
  const float* C;     // interleaved
  float* D;           // interleaved; also holds the sums: D is large enough for them
};

// D[c,w,h,n] = alpha A[w,h,c,n].
class Permutation {
 public:
  Permutation(const Library& library, const Images& p)
      : library_(library), A_(library, p.planes()), D_(library, p.interleaved()) {
    CUDA_CHECK(cutensorCreatePermutation(library, operation_.out(), A_, A_.modes.data(),
                                         CUTENSOR_OP_IDENTITY, D_, D_.modes.data(),
                                         CUTENSOR_COMPUTE_DESC_32F));
    plan_.emplace(library, operation_);
  }
  void operator()(float alpha, const PictureData& d) const {
    CUDA_CHECK(cutensorPermute(library_, *plan_, &alpha, d.A, d.D, nullptr));
  }

 private:
  const Library& library_;
  Descriptor A_, D_;
  UniqueOperation operation_;
  std::optional<Plan> plan_;
};

// D[c,w,h,n] = alpha A[w,h,c,n] + gamma C[c,w,h,n]. The modes' names say how to permute A.
class Binary {
 public:
  Binary(const Library& library, const Images& p)
      : library_(library), A_(library, p.planes()), D_(library, p.interleaved()) {
    CUDA_CHECK(cutensorCreateElementwiseBinary(
        library, operation_.out(), A_, A_.modes.data(), CUTENSOR_OP_IDENTITY, D_, D_.modes.data(),
        CUTENSOR_OP_IDENTITY, D_, D_.modes.data(), CUTENSOR_OP_ADD, CUTENSOR_COMPUTE_DESC_32F));
    plan_.emplace(library, operation_);
  }
  void operator()(float alpha, float gamma, const PictureData& d) const {
    CUDA_CHECK(
        cutensorElementwiseBinaryExecute(library_, *plan_, &alpha, d.A, &gamma, d.C, d.D, nullptr));
  }

 private:
  const Library& library_;
  Descriptor A_, D_;
  UniqueOperation operation_;
  std::optional<Plan> plan_;
};

// D[c,w,h,n] = max(alpha A[w,h,c,n] + beta bias[c], gamma C[c,w,h,n]). The bias lacks three modes:
// it is the same for all their values. First A and the bias are combined, then both with C.
inline void describe_trinary(const Library& library, const Descriptor& A, const Descriptor& bias,
                             const Descriptor& D, UniqueOperation& operation) {
  const Descriptor& C = D;  // as in a contraction, C has the descriptor of the result
  CUDA_CHECK(cutensorCreateElementwiseTrinary(library, operation.out(),                       //
                                              A, A.modes.data(), CUTENSOR_OP_IDENTITY,        //
                                              bias, bias.modes.data(), CUTENSOR_OP_IDENTITY,  //
                                              C, C.modes.data(), CUTENSOR_OP_IDENTITY,        //
                                              D, D.modes.data(), CUTENSOR_OP_ADD, CUTENSOR_OP_MAX,
                                              CUTENSOR_COMPUTE_DESC_32F));
}

class Trinary {
 public:
  Trinary(const Library& library, const Images& p)
      : library_(library),
        A_(library, p.planes()),
        bias_(library, p.by_channel()),
        D_(library, p.interleaved()) {
    describe_trinary(library, A_, bias_, D_, operation_);
    plan_.emplace(library, operation_);
  }
  void operator()(float alpha, float beta, float gamma, const PictureData& d) const {
    CUDA_CHECK(cutensorElementwiseTrinaryExecute(library_, *plan_, &alpha, d.A, &beta, d.bias,
                                                 &gamma, d.C, d.D, nullptr));
  }

 private:
  const Library& library_;
  Descriptor A_, bias_, D_;
  UniqueOperation operation_;
  std::optional<Plan> plan_;
};

// D[c,n] = alpha times the sum over w and h of A[w,h,c,n]: one number per image and channel. As in
// a contraction, the modes that the result does not have are summed.
class Reduction {
 public:
  Reduction(const Library& library, const Images& p)
      : library_(library), A_(library, p.planes()), D_(library, p.sums()) {
    CUDA_CHECK(cutensorCreateReduction(
        library, operation_.out(), A_, A_.modes.data(), CUTENSOR_OP_IDENTITY, D_, D_.modes.data(),
        CUTENSOR_OP_IDENTITY, D_, D_.modes.data(), CUTENSOR_OP_ADD, CUTENSOR_COMPUTE_DESC_32F));
    plan_.emplace(library, operation_);
    workspace_.emplace(plan_->workspace_bytes(), course::unset);
  }
  void operator()(float alpha, const PictureData& d) {
    const float zero = 0.0F;
    CUDA_CHECK(cutensorReduce(library_, *plan_, &alpha, d.A, &zero, d.D, d.D,
                              static_cast<unsigned char*>(*workspace_), workspace_->size(),
                              nullptr));
  }

 private:
  const Library& library_;
  Descriptor A_, D_;
  UniqueOperation operation_;
  std::optional<Plan> plan_;
  std::optional<course::DeviceArray<unsigned char>> workspace_;
};
