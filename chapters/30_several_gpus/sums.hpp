/// @file
/// Chapter 30: all ways to all-reduce, over arrays whose sums are known.
#pragma once

#include "all_reduce.hpp"
#include "nccl_library.hpp"
#include "numbers.hpp"
#include "ring.hpp"
#include "turns.hpp"

namespace gpus {

/// Arrays of up to `most` floats, and everything that adds them up.
class Sums {
 public:
  Sums(const Group& group, std::size_t most, int pieces = 4)
      : group_(group),
        in_(group, most),
        out_(group, most),
        reduce_(group, in_, out_),
        ring_(group, in_, out_, pieces) {
    if (has_nccl) nccl_ = std::make_unique<Nccl>(group);
    group.for_each([&](int me) { launch_fill(in_[me], most, 0, me); });
    group.synchronise();
  }

  const AllReduce& reduce() const { return reduce_; }
  void by_ring(std::size_t n) const { ring_.launch(n); }
  void by_nccl(std::size_t n) const { nccl_->launch(in_, out_, n); }
  void poison() const { out_.poison(); }

  /// Whether all devices have all sums.
  course::Verdict verify(std::size_t n) const {
    course::Verdict all{true, "right on all devices"};
    group_.for_each([&](int me) {
      const course::Verdict one = verify_sums(out_[me], n, group_.size(), me);
      if (!one.passed) all = one;
    });
    return all;
  }

 private:
  const Group& group_;
  Arrays<float> in_, out_;
  AllReduce reduce_;
  Ring ring_;
  std::unique_ptr<Nccl> nccl_;
};

}  // namespace gpus
