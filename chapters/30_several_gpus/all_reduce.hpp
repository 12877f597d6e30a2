/// @file
/// Chapter 30: all-reduce by kernels that use their peers' memory: what the host does.
#pragma once

#include <string>

#include "reduce_kernels.hpp"

namespace gpus {

enum class Way { one_shot, two_shot, by_words };

/// Blocks of a kernel for n floats, if the caller does not say: few for few.
inline int blocks_for(const Group& group, Way way, std::size_t n) {
  if (way == Way::by_words) {
    return static_cast<int>((n + words_of_block - 1) / words_of_block);
  }
  const std::size_t shared = way == Way::two_shot ? group.size() : 1;
  const std::size_t wanted = (n / 4 / shared + block - 1) / block;
  const int most = std::min(most_blocks, course::device().multiprocessors);
  return std::clamp(static_cast<int>(std::min<std::size_t>(wanted, most_blocks)), 1, most);
}

/// A launch of one of the kernels, on the current device.
struct ReduceLaunch {
  Way way;
  int blocks;
  cudaStream_t stream;
};

/// The kernels know the number of devices when they are compiled.
template <int devices = 1>
void launch_reduce(const ReduceLaunch& launch, int wanted, const Peers& peers, int me,
                   unsigned* rounds, std::size_t n) {
  if constexpr (devices < most_devices) {
    if (wanted > devices) return launch_reduce<devices + 1>(launch, wanted, peers, me, rounds, n);
  }
  const auto [way, blocks, stream] = launch;
  if (way == Way::one_shot) {
    one_shot<devices><<<blocks, block, 0, stream>>>(peers, me, rounds, n);
  } else if (way == Way::two_shot) {
    two_shot<devices><<<blocks, block, 0, stream>>>(peers, me, rounds, n);
  } else {
    by_words<devices><<<blocks, block, 0, stream>>>(peers, me, rounds, n);
  }
  CUDA_CHECK_LAUNCH();
}

/// Arrays `in` and `out` of the caller's on each device, and what its kernels tell each other.
class AllReduce {
 public:
  AllReduce(const Group& group, const Arrays<float>& in, const Arrays<float>& out)
      : group_(group),
        flags_(group, std::size_t{most_blocks} * most_devices),
        rounds_(group, std::size_t{2} * most_blocks),
        words_(group, 2 * group.size() * words_for(in.size())) {
    flags_.clear(), rounds_.clear(), words_.clear();
    peers_.words_of_device = words_for(in.size());
    for (int me = 0; me < group.size(); ++me) {
      peers_.in[me] = in[me];
      peers_.out[me] = out[me];
      peers_.flags[me] = flags_[me];
      peers_.words[me] = words_[me];
    }
  }

  /// Of the arrays' elements from `first` on, n: a kernel on each device, in these streams.
  /// @param first a multiple of 4
  template <class Stream>
  void launch(Way way, std::size_t first, std::size_t n, int blocks, Stream stream_of) const {
    if (n == 0) return;
    if (way == Way::by_words && n > most_words) throw course::Error("by_words: too many elements");
    Peers peers = peers_;
    for (int me = 0; me < group_.size(); ++me) {
      peers.in[me] += first;
      peers.out[me] += first;
    }
    group_.for_each([&](int me) {
      unsigned* const rounds = rounds_[me] + (way == Way::by_words ? most_blocks : 0);
      launch_reduce({way, blocks, stream_of(me)}, group_.size(), peers, me, rounds, n);
    });
  }
  void launch(Way way, std::size_t n, int blocks = 0) const {
    if (blocks == 0) blocks = blocks_for(group_, way, n);
    launch(way, 0, n, blocks, [&](int me) { return group_.stream(me); });
  }

 private:
  static std::size_t words_for(std::size_t n) {
    return std::min(most_words, (n + words_of_block - 1) / words_of_block * words_of_block);
  }

  const Group& group_;
  Arrays<unsigned> flags_, rounds_;
  Arrays<unsigned long long> words_;
  Peers peers_{};
};

/// A graph for each device, which launches what `issue` puts into the streams of kernels several
/// times. It may use no other stream.
class Graphs {
 public:
  Graphs(const Group& group, int times, const std::function<void()>& issue) : group_(group) {
    group.for_each([&](int me) {
      CUDA_CHECK(cudaStreamBeginCapture(group.stream(me), cudaStreamCaptureModeRelaxed));
    });
    for (int i = 0; i < times; ++i) issue();
    group.for_each([&](int me) {
      cudaGraph_t graph = nullptr;
      cudaGraphExec_t executable = nullptr;
      CUDA_CHECK(cudaStreamEndCapture(group.stream(me), &graph));
      CUDA_CHECK(cudaGraphInstantiate(&executable, graph, 0));
      CUDA_CHECK(cudaGraphDestroy(graph));
      CUDA_CHECK(cudaGraphUpload(executable, group.stream(me)));
      graphs_.push_back(executable);
    });
    group.synchronise();
  }
  Graphs(const Graphs&) = delete;
  Graphs& operator=(const Graphs&) = delete;
  ~Graphs() {
    for (const cudaGraphExec_t graph : graphs_) CUDA_WARN(cudaGraphExecDestroy(graph));
  }
  void launch() const {
    group_.for_each([&](int me) { CUDA_CHECK(cudaGraphLaunch(graphs_[me], group_.stream(me))); });
  }

 private:
  const Group& group_;
  std::vector<cudaGraphExec_t> graphs_;
};

}  // namespace gpus
