/// @file
/// Chapter 30: a stencil in a plane, cut by rows among the devices. Each point becomes a mean of
/// itself and its four neighbours; beyond the plane all is 0. A device has its own rows and one row
/// on either side, the halo, which its neighbours send after each sweep, behind the computing.
#pragma once

#include "numbers.hpp"

namespace gpus {

inline constexpr int threads_of_row = 256;
inline constexpr int rows_of_block = 16;

/// One sweep over rows first to end - 1 of a plane with `cols` columns; there is a row before each
/// of them and one after. Always in this order, so the bits are the same for any number of devices.
__global__ void sweep(const float* x, float* y, int first, int end, int cols) {
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int begin = first + static_cast<int>(blockIdx.y) * rows_of_block;
  if (j >= cols) return;
  const auto at = [=](int i, int col) { return x[static_cast<std::size_t>(i) * cols + col]; };
  float above = at(begin - 1, j), here = at(begin, j);
  for (int i = begin; i < min(begin + rows_of_block, end); ++i) {
    const float below = at(i + 1, j);
    const float left = j > 0 ? at(i, j - 1) : 0.0F, right = j + 1 < cols ? at(i, j + 1) : 0.0F;
    y[static_cast<std::size_t>(i) * cols + j] =
        0.5F * here + 0.125F * ((above + below) + (left + right));
    above = here, here = below;
  }
}

inline void launch_sweep(const float* x, float* y, int first, int end, int cols,
                         cudaStream_t stream) {
  if (first >= end) return;
  const dim3 grid((cols + threads_of_row - 1) / threads_of_row,
                  (end - first + rows_of_block - 1) / rows_of_block);
  sweep<<<grid, threads_of_row, 0, stream>>>(x, y, first, end, cols);
  CUDA_CHECK_LAUNCH();
}

class Plane {
 public:
  /// At least as many rows as devices, or some have none.
  Plane(const Group& group, std::size_t rows, std::size_t cols)
      : group_(group), rows_(rows), cols_(cols), old_(group), new_(group) {
    group.for_each([&](int me) {
      old_.add((part(me).count() + 2) * cols);
      new_.add((part(me).count() + 2) * cols);
      for (auto* events : {&edges_, &halos_}) events->push_back(std::make_unique<Event>(me));
    });
  }

  /// Numbers that are the same for any number of devices.
  void set() const {
    old_.clear(), new_.clear();  // beyond the plane all stays 0
    group_.for_each([&](int me) {
      const std::size_t from = part(me).first == 0 ? 0 : part(me).first - 1;
      const std::size_t end = std::min(part(me).end + 1, rows_);
      launch_fill(old_[me] + (part(me).first == 0 ? cols_ : 0), (end - from) * cols_, from * cols_,
                  0);
    });
    group_.synchronise();
  }
  /// What is in the plane after an even number of sweeps.
  std::vector<float> result() const {
    std::vector<float> x;
    for (int me = 0; me < group_.size(); ++me) {
      const std::vector<float> own = old_.to_host(me);
      x.insert(x.end(), own.begin() + cols_, own.end() - cols_);
    }
    return x;
  }

  /// An even number of sweeps. If `overlap` is false, each waits until all halos are there and
  /// only then sends its own.
  void sweeps(int count, bool overlap) const {
    group_.fork();
    for (int me = 0; me < group_.size(); ++me)
      group_.wait(group_.copies(me), group_.stream(me), me);
    for (int i = 0; i < count; ++i) {
      const Arrays<float>& x = i % 2 == 0 ? old_ : new_;
      const Arrays<float>& y = i % 2 == 0 ? new_ : old_;
      group_.for_each([&](int me) { sweep_of(me, x, y, overlap); });
      // The next sweep of a device reads its halos and writes the rows that are sent now.
      for (int me = 0; me < group_.size(); ++me) {
        for (const int other : {me - 1, me, me + 1}) {
          if (other < 0 || other >= group_.size()) continue;
          CUDA_CHECK(cudaStreamWaitEvent(group_.stream(me), *halos_[other]));
        }
      }
    }
    group_.join();
  }

 private:
  Part part(int me) const { return {rows_, me, group_.size()}; }

  // Rows 1 to `own` are the device's, 0 and own + 1 its halo. First the rows at the edges, which
  // are sent while those inside are computed.
  void sweep_of(int me, const Arrays<float>& x, const Arrays<float>& y, bool overlap) const {
    const int own = static_cast<int>(part(me).count()), cols = static_cast<int>(cols_);
    const cudaStream_t stream = group_.stream(me);
    if (overlap) {
      launch_sweep(x[me], y[me], 1, std::min(2, own + 1), cols, stream);
      launch_sweep(x[me], y[me], std::max(2, own), own + 1, cols, stream);
      CUDA_CHECK(cudaEventRecord(*edges_[me], stream));
      launch_sweep(x[me], y[me], 2, own, cols, stream);
    } else {
      launch_sweep(x[me], y[me], 1, own + 1, cols, stream);
      CUDA_CHECK(cudaEventRecord(*edges_[me], stream));
    }
    const cudaStream_t copies = group_.copies(me);
    CUDA_CHECK(cudaStreamWaitEvent(copies, *edges_[me]));
    const std::size_t bytes = cols_ * sizeof(float);
    const auto send = [&](int to, std::size_t target, std::size_t row) {
      CUDA_CHECK(
          cudaMemcpyPeerAsync(y[to] + target * cols_, to, y[me] + row * cols_, me, bytes, copies));
    };
    if (me > 0) send(me - 1, part(me - 1).count() + 1, 1);
    if (me + 1 < group_.size()) send(me + 1, 0, own);
    CUDA_CHECK(cudaEventRecord(*halos_[me], copies));
  }

  const Group& group_;
  std::size_t rows_, cols_;
  Arrays<float> old_, new_;
  std::vector<std::unique_ptr<Event>> edges_, halos_;
};

/// The same on the host.
inline std::vector<float> swept_on_host(std::vector<float> x, std::size_t rows, std::size_t cols,
                                        int count) {
  std::vector<float> y(x.size());
  const auto at = [&](std::size_t i, std::size_t j) {
    return i < rows && j < cols ? x[i * cols + j] : 0.0F;  // -1 is a large number, too
  };
  for (; count > 0; --count) {
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < cols; ++j) {
        const float vertical = at(i - 1, j) + at(i + 1, j);
        const float horizontal = at(i, j - 1) + at(i, j + 1);
        y[i * cols + j] = 0.5F * at(i, j) + 0.125F * (vertical + horizontal);
      }
    }
    x.swap(y);
  }
  return x;
}

}  // namespace gpus
