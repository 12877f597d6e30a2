#define main chapter_15_main  // not the main() of the bench
#include "streams.cu"
#undef main

#include "measure/registry.hpp"

namespace course::measure {
namespace {

constexpr int usual_chunks = 32;

// A sum in the host's memory, its parts, and streams for it.
struct SumBench {
  SumBench(size_t n, bool pageable)
      : data(exact_vector(n, 1, 1), exact_vector(n, 1, 2), pageable),
        streams(std::make_shared<Streams>(4)) {}
  Sum whole() { return data.arguments(1); }
  Chunk all() { return {0, whole().n}; }
  void wait() const { streams->wait(); }
  void copy_x_and_y_in() { copy_in(whole(), all(), streams->of(0)), wait(); }
  void add_on_device() { add_up(whole(), all(), streams->of(0)), wait(); }
  void copy_z_out() { copy_out(whole(), all(), streams->of(0)), wait(); }

  SumOnHost data;
  std::shared_ptr<Streams> streams;
};

using SharedBench = std::shared_ptr<SumBench>;

Competitor competitor(const std::string& name, const SharedBench& bench,
                      std::function<void()> run) {
  return {name, [=] { bench->data.poison(); }, std::move(run),
          [=] { return bench->data.verify(); }};
}

// The input's copies and nothing else: the baseline for all others. They are right if the remaining
// parts then give the correct sum.
Competitor copy_in_alone(const SharedBench& bench) {
  return {"copy in", [=] { bench->data.poison(); }, [=] { bench->copy_x_and_y_in(); },
          [=] {
            bench->add_on_device(), bench->copy_z_out();
            return bench->data.verify();
          }};
}

std::vector<Competitor> make(size_t n, bool with_variants) {
  const auto bench = std::make_shared<SumBench>(n, false);
  std::vector<Competitor> competitors = {copy_in_alone(bench)};
  for (const StreamsVariant& variant :
       variants_of(bench->data.arguments(usual_chunks), bench->streams)) {
    competitors.push_back(competitor(variant.name, bench, variant.run));
  }
  if (!with_variants) return competitors;
  for (const int chunks : {4, 8, 64, 128}) {
    competitors.push_back(competitor(std::to_string(chunks) + " chunks", bench, [=] {
      depth_first(bench->data.arguments(chunks), *bench->streams);
    }));
  }
  for (const int count : {1, 2}) {
    const auto streams = std::make_shared<Streams>(count);
    competitors.push_back(
        competitor(std::to_string(count) + (count == 1 ? " stream" : " streams"), bench,
                   [=] { depth_first(bench->data.arguments(usual_chunks), *streams); }));
  }
  const auto pageable = std::make_shared<SumBench>(n, true);
  competitors.push_back(competitor("pageable", pageable, [=] {
    depth_first(pageable->data.arguments(usual_chunks), *pageable->streams);
  }));
  return competitors;
}

// The two other parts, each on its own.
std::vector<Competitor> make_copy_out(size_t n) {
  const auto bench = std::make_shared<SumBench>(n, false);
  return {{"copy out",
           [=] {
             bench->data.poison();
             bench->copy_x_and_y_in(), bench->add_on_device();
           },
           [=] { bench->copy_z_out(); }, [=] { return bench->data.verify(); }}};
}

std::vector<Competitor> make_kernel(size_t n) {
  const auto bench = std::make_shared<SumBench>(n, false);
  bench->data.poison();
  bench->copy_x_and_y_in();  // once: the kernel leaves x and y as they are
  const auto poison = [=] { CUDA_CHECK(cudaMemset(bench->whole().d_z, 0xFF, n * sizeof(float))); };
  return {{"kernel", poison, [=] { bench->add_on_device(); },
           [=] {
             bench->copy_z_out();
             return bench->data.verify();
           }}};
}

}  // namespace

void add_chapter_15(Registry& registry) {
  // From a size that takes as long as its calls to 512 MiB of input; one size is a prime.
  for (const size_t n : {size_t{1} << 20, size_t{16777213}, size_t{1} << 26}) {
    const bool is_largest = n == size_t{1} << 26;
    const auto length = static_cast<double>(n);
    const double on_host = (is_largest ? 60 : 30) * length;
    const double on_device = (is_largest ? 25 : 13) * length;
    registry.add(Problem{"15_streams", n, 1, 8 * length, length, "host to device", on_host,
                         on_device, "copy in", [=] { return make(n, is_largest); }});
    registry.add(Problem{"15_streams", n, 1, 4 * length, length, "device to host", 30 * length,
                         13 * length, "copy out", [=] { return make_copy_out(n); }});
    registry.add(Problem{"15_streams", n, 1, 12 * length, length, "triad", 30 * length, 13 * length,
                         "kernel", [=] { return make_kernel(n); }});
  }
}

}  // namespace course::measure
