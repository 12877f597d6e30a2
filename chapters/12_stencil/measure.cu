#define main chapter_12_main  // not the main() of the bench
#include "stencil.cu"
#undef main

#include <memory>

#include "measure/registry.hpp"

namespace course::measure {
namespace {

constexpr int sweeps = 16;

// A line of points, its sweep on the CPU, and the kernels' output.
struct StencilData {
  explicit StencilData(size_t n) : StencilData(n, random_vector(n)) {}
  StencilData(size_t n, const std::vector<float>& values)
      : n(n), x(values), y(n), z(n), expected(sweep_on_cpu(values, usual_weights)) {
    set_weights(usual_weights);
  }
  void poison() { y.poison(), z.poison(); }
  Verdict verify() const { return verify_bits(y.to_host(), expected); }

  size_t n;
  DeviceArray<float> x, y, z;
  std::vector<float> expected;
};

std::vector<Competitor> make_one_sweep(size_t n) {
  const auto data = std::make_shared<StencilData>(n);
  std::vector<Competitor> all;
  for (const SweepVariant& kernel : one_sweep) {
    all.push_back({kernel.name, [=] { data->poison(); },
                   [=] { kernel.launch(data->x, data->y, n); }, [=] { return data->verify(); }});
  }
  return all;
}

// Sixteen sweeps of that many points would take a CPU minutes. So the first kernel must match the
// CPU bit for bit in one sweep, and its sixteen single sweeps are then the reference for the rest.
std::vector<Competitor> make_many_sweeps(size_t n) {
  const auto data = std::make_shared<StencilData>(n);
  launch_from_memory(data->x, data->y, n);
  if (const Verdict first = data->verify(); !first) throw std::runtime_error(first.message);
  launch_in_turns(data->x, data->y, data->z, sweeps,
                  [n](const float* from, float* to) { launch_from_memory(from, to, n); });
  data->expected = data->y.to_host();
  std::vector<Competitor> all;
  for (const RepeatedSweepVariant& kernel : several_sweeps) {
    all.push_back({kernel.name, [=] { data->poison(); },
                   [=] { kernel.launch(data->x, data->y, data->z, n, sweeps); },
                   [=] { return data->verify(); }});
  }
  return all;
}

}  // namespace

void add_chapter_12(Registry& registry) {
  // From what the level-2 cache holds to 1 GiB per array; one size is a prime.
  for (const size_t n :
       {size_t{1} << 16, size_t{1} << 20, size_t{1} << 24, size_t{16777213}, size_t{1} << 28}) {
    const auto length = static_cast<double>(n);
    const double operations = operations_a_point * length;
    registry.add(Problem{"12_stencil", n, 1, 8 * length, operations, "copy", 21 * length,
                         12.1 * length, "from memory", [n] { return make_one_sweep(n); }});
    registry.add(Problem{"12_stencil", n, 1, 8 * length, sweeps * operations, "copy", 21 * length,
                         12.1 * length, "single sweeps", [n] { return make_many_sweeps(n); }});
  }
}

}  // namespace course::measure
