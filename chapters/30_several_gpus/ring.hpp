/// @file
/// Chapter 30: all-reduce by a ring of copies. Each array is cut into as many chunks as there are
/// devices. In the first half of the steps a chunk goes round and each device adds its own: chunk c
/// begins at device c, so its sum is made in the order c, c + 1, ... In the second half the sums go
/// round. Each device sends to the next one only, and all links carry the same.
#pragma once

#include "reduce_kernels.hpp"

namespace gpus {

class Ring {
 public:
  /// @param pieces into which each chunk is cut: one is added up while the next is copied
  Ring(const Group& group, const Arrays<float>& in, const Arrays<float>& out, int pieces)
      : group_(group), in_(in), out_(out), landing_(group, in.size()), pieces_(pieces) {
    for (int me = 0; me < group.size(); ++me) {
      for (int piece = 0; piece < pieces; ++piece) {
        added_.push_back(std::make_unique<Event>(me));
      }
      arrived_.push_back(std::make_unique<Event>(me));
    }
  }

  /// Of the first n elements. On each device kernels are in its stream and copies in the other one.
  void launch(std::size_t n) const {
    const int devices = group_.size();
    if (devices == 1) {
      const OnDevice there(0);
      CUDA_CHECK(cudaMemcpyAsync(out_[0], in_[0], n * sizeof(float), cudaMemcpyDeviceToDevice,
                                 group_.stream(0)));
      return;
    }
    // Before a device writes into the memory of the next one, that has to be done with it.
    group_.for_each([&](int me) { CUDA_CHECK(cudaEventRecord(*arrived_[me], group_.stream(me))); });
    group_.for_each([&](int me) {
      CUDA_CHECK(cudaStreamWaitEvent(group_.copies(me), *arrived_[me]));
      CUDA_CHECK(cudaStreamWaitEvent(group_.copies(me), *arrived_[next(me)]));
    });
    for (int step = 0; step < 2 * (devices - 1); ++step) {
      for (int piece = 0; piece < pieces_; ++piece) {
        group_.for_each([&](int me) { send(n, me, step, piece); });
        group_.for_each([&](int me) { receive(n, me, step, piece); });
      }
    }
    // A device's stream goes on when it has received everything, and sent everything.
    group_.for_each([&](int me) { group_.wait(group_.stream(me), group_.copies(me), me); });
  }

 private:
  int next(int me) const { return (me + 1) % group_.size(); }
  Part part(std::size_t n, int chunk, int piece) const {
    const Part all(n, chunk, group_.size());
    const Part own(all.count(), piece, pieces_);
    Part part = own;
    part.first += all.first, part.end += all.first;
    return part;
  }
  Part sent_by(std::size_t n, int me, int step, int piece) const {
    return part(n, (me - step + 2 * group_.size()) % group_.size(), piece);
  }
  bool adds(int step) const { return step < group_.size() - 1; }

  // Device me sends to the next one: first its own, then what it has got in the step before.
  void send(std::size_t n, int me, int step, int piece) const {
    const Part p = sent_by(n, me, step, piece);
    const cudaStream_t copies = group_.copies(me);
    if (step > 0) CUDA_CHECK(cudaStreamWaitEvent(copies, *added_[me * pieces_ + piece]));
    const float* const from = (step == 0 ? in_[me] : out_[me]) + p.first;
    float* const to = (adds(step) ? landing_[next(me)] : out_[next(me)]) + p.first;
    if (p.count() > 0) {
      CUDA_CHECK(cudaMemcpyPeerAsync(to, next(me), from, me, p.count() * sizeof(float), copies));
    }
    CUDA_CHECK(cudaEventRecord(*arrived_[me], copies));
  }
  // Device me has got a piece from the one before it; in the first half it adds its own.
  void receive(std::size_t n, int me, int step, int piece) const {
    const int from = (me + group_.size() - 1) % group_.size();
    const Part p = sent_by(n, from, step, piece);
    const cudaStream_t stream = group_.stream(me);
    CUDA_CHECK(cudaStreamWaitEvent(stream, *arrived_[from]));
    if (adds(step) && p.count() > 0) {
      const auto blocks = static_cast<int>(std::min<std::size_t>((p.count() + 255) / 256, 264));
      add<<<blocks, 256, 0, stream>>>(landing_[me] + p.first, in_[me] + p.first, out_[me] + p.first,
                                      p.count());
      CUDA_CHECK_LAUNCH();
    }
    CUDA_CHECK(cudaEventRecord(*added_[me * pieces_ + piece], stream));
  }

  const Group& group_;
  const Arrays<float>& in_;
  const Arrays<float>& out_;
  Arrays<float> landing_;
  int pieces_;
  std::vector<std::unique_ptr<Event>> added_, arrived_;
};

}  // namespace gpus
