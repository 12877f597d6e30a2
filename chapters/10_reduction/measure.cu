#define main chapter_10_main  // not the main() of the bench
#include "reduction.cu"
#undef main

#include <cub/device/device_reduce.cuh>
#include <memory>

#include "measure/registry.hpp"

namespace course::measure {
namespace {

// CUB's DeviceReduce::Sum: the baseline for our sums.
class CubReduction {
 public:
  explicit CubReduction(const Sum<float>& s) : s_(s) {
    size_t bytes = 0;
    CUDA_CHECK(run(nullptr, bytes));
    room_ = std::make_unique<DeviceArray<unsigned char>>(bytes);
  }
  void launch() {
    size_t bytes = room_->bytes();
    CUDA_CHECK(run(*room_, bytes));
  }

 private:
  cudaError_t run(void* room, size_t& bytes) {
    return cub::DeviceReduce::Sum(room, bytes, s_.x, s_.result, static_cast<long long>(s_.n));
  }

  Sum<float> s_;
  std::unique_ptr<DeviceArray<unsigned char>> room_;
};

std::vector<Competitor> make(size_t n) {
  const std::vector<float> values = exact_vector(n, n);
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  const auto floats = std::make_shared<SumOnDevice<float>>(values);
  const auto verify = [=] {
    const float result = floats->result();
    return verify_exact(&result, &sum, 1, 1);
  };
  const auto restore = [=] { floats->restore(); };
  std::vector<Competitor> all;
  for (const SumRung<float>& rung : rungs<float>) {
    all.push_back({rung.name, restore, [=] { floats->run(rung); }, verify});
  }
  const auto cub = std::make_shared<CubReduction>(floats->arguments());
  all.push_back({"CUB", restore, [=] { cub->launch(); }, verify});
  return all;
}

}  // namespace

void add_chapter_10(Registry& registry) {
  // From what one block adds up to 4 GiB; two sizes are not multiples of anything.
  for (const size_t n :
       {size_t{1} << 10, size_t{1} << 13, size_t{1} << 16, size_t{1} << 20, size_t{3000017},
        size_t{1} << 24, size_t{1} << 28, size_t{268435399}, size_t{1} << 30}) {
    const auto length = static_cast<double>(n);
    registry.add(Problem{"10_reduction", n, 1, 4 * length, length, "read", 12 * length,
                         8.1 * length, "CUB", [n] { return make(n); }});
  }
}

}  // namespace course::measure
