/// @file
/// Chapter 30: a product whose all-reduce hides behind it. Each device has some columns of A and as
/// many rows of B: its product is a part of each element of C, and C is the sum of these parts. C
/// is cut into panels of rows: one is added up while the next is computed.
#pragma once

#include "all_reduce.hpp"
#include "cublas.hpp"
#include "numbers.hpp"

namespace gpus {

class SplitProduct {
 public:
  /// @param k of each device
  SplitProduct(const Group& group, std::size_t m, std::size_t n, std::size_t k)
      : group_(group),
        m_(m),
        n_(n),
        k_(k),
        A_(group, m * k),
        B_(group, k * n),
        part_(group, m * n),
        C_(group, m * n),
        reduce_(group, part_, C_) {
    group.for_each([&](int me) {
      handles_.push_back(nullptr);
      CUDA_CHECK(cublasCreate(&handles_[me]));
      launch_fill(A_[me], m * k, 0, me);
      launch_fill(B_[me], k * n, 0, series_of_B + me);
    });
    group.synchronise();
  }
  SplitProduct(const SplitProduct&) = delete;
  SplitProduct& operator=(const SplitProduct&) = delete;
  ~SplitProduct() {
    group_.for_each([&](int me) { CUDA_WARN(cublasDestroy(handles_[me])); });
  }

  void poison() const { part_.poison(), C_.poison(); }
  course::Verdict verify() const {
    course::Verdict all{true, "right on all devices"};
    group_.for_each([&](int me) {
      const course::Verdict one = verify_product(C_[me], {m_, n_, k_, group_.size()}, me);
      if (!one.passed) all = one;
    });
    return all;
  }

  void multiply_only() const {
    group_.fork();
    group_.for_each([&](int me) { multiply(me, {m_, 0, 1}); });
    group_.join();
  }
  void reduce_only(int blocks) const {
    group_.fork();
    reduce(Part(m_, 0, 1), blocks);
    end();
  }
  /// @param panels 1: nothing overlaps
  void run(int panels, int blocks) const {
    group_.fork();
    for (int panel = 0; panel < panels; ++panel) {
      const Part rows = panel_of(panel, panels);
      group_.for_each([&](int me) { multiply(me, rows); });
      reduce(rows, blocks);
    }
    end();
  }

 private:
  void end() const {
    for (int me = 0; me < group_.size(); ++me)
      group_.wait(group_.stream(me), group_.copies(me), me);
    group_.join();
  }
  // Rows of a panel; it begins with a multiple of 4, as all_reduce wants it.
  Part panel_of(int panel, int panels) const {
    Part rows(m_ / 4, panel, panels);
    rows.first *= 4, rows.end = panel + 1 == panels ? m_ : rows.end * 4;
    return rows;
  }
  void multiply(int me, const Part& rows) const {
    if (rows.count() == 0) return;
    CUDA_CHECK(cublasSetStream(handles_[me], group_.stream(me)));
    const float one = 1, zero = 0;
    const int m = static_cast<int>(rows.count()), n = static_cast<int>(n_);
    const int k = static_cast<int>(k_);
    CUDA_CHECK(cublasSgemm(handles_[me], CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, B_[me], n,
                           A_[me] + rows.first * k_, k, &zero, part_[me] + rows.first * n_, n));
  }
  // In the streams with the higher priority: its blocks go before those of the next product.
  void reduce(const Part& rows, int blocks) const {
    for (int me = 0; me < group_.size(); ++me)
      group_.wait(group_.copies(me), group_.stream(me), me);
    reduce_.launch(Way::two_shot, rows.first * n_, rows.count() * n_, blocks,
                   [&](int me) { return group_.copies(me); });
  }

  const Group& group_;
  std::size_t m_, n_, k_;
  Arrays<float> A_, B_, part_, C_;
  AllReduce reduce_;
  std::vector<cublasHandle_t> handles_;
};

}  // namespace gpus
