#define main chapter_14_main  // not the main() of the bench
#include "memory.cu"
#undef main

#include <limits>
#include <memory>

#include "measure/registry.hpp"

namespace course::measure {
namespace {

Verdict verify_array(const float* got, const std::vector<double>& expected) {
  return verify_exact(got, expected.data(), expected.size(), 1);
}

// An x, and the result expected for it.
struct Values {
  explicit Values(size_t n) : x(exact_vector(n, 4)), y(computed(x)), same(x.begin(), x.end()) {}
  std::vector<float> x;
  std::vector<double> y, same;
};

std::vector<Competitor> make_transfers(size_t n) {
  const auto values = std::make_shared<Values>(n);
  std::vector<Competitor> all;
  for (const MemoryRung& rung : rungs) {
    if (!can_run(rung)) continue;
    const auto setup = std::make_shared<Setup>(rung, values->x);
    all.push_back({rung.name, [=] { setup->restore(); }, [=] { setup->run(); },
                   [=] { return verify_array(setup->y().data(), values->y); }});
  }
  return all;
}

// The copies alone, in one direction: no kernel between them.
struct CopyBuffers {
  CopyBuffers(Kind kind, size_t n) : host(n, kind), device(n) {}

  HostArray host;
  DeviceArray<float> device;
};

struct NamedKind {
  const char* name;
  Kind kind;
};
const std::vector<NamedKind> copied_kinds = {{"pageable", Kind::pageable},
                                             {"registered", Kind::registered},
                                             {"pinned", Kind::pinned},
                                             {"portable", Kind::portable},
                                             {"write-combined", Kind::write_combined}};

std::vector<Competitor> make_copies(size_t n, bool to_device) {
  const auto values = std::make_shared<Values>(n);
  std::vector<Competitor> all;
  for (const NamedKind& named : copied_kinds) {
    const auto copy = std::make_shared<CopyBuffers>(named.kind, n);
    const std::string name = std::string(named.name) + (to_device ? ", there" : ", back");
    // All of the target is poisoned before the first copy, and after that, in the host's memory,
    // one float per page: writing all of it each time would take longer than the copies.
    const auto restore = [=] {
      if (to_device) {
        copy->device.poison();
        return;
      }
      for (size_t i = 0; i < n; i += page / sizeof(float)) {
        copy->host.data()[i] = std::numeric_limits<float>::quiet_NaN();
      }
    };
    const auto launch = [=] {
      float* const on_device = copy->device;
      if (to_device) {
        CUDA_CHECK(cudaMemcpyAsync(on_device, copy->host.data(), copy->host.bytes(),
                                   cudaMemcpyHostToDevice));
      } else {
        CUDA_CHECK(cudaMemcpyAsync(copy->host.data(), on_device, copy->host.bytes(),
                                   cudaMemcpyDeviceToHost));
      }
      CUDA_CHECK(cudaStreamSynchronize(nullptr));
    };
    if (to_device) {
      copy->host.copy_from(values->x);
    } else {
      copy->device.copy_from(values->x);
      copy->host.poison();
    }
    // Reading write-combined memory is slow: the host's data is checked through the
    // device.
    const auto verify = [=] {
      if (!to_device) {
        copy->device.poison();
        CUDA_CHECK(cudaMemcpy(static_cast<float*>(copy->device), copy->host.data(),
                              copy->host.bytes(), cudaMemcpyHostToDevice));
      }
      return verify_array(copy->device.to_host().data(), values->same);
    };
    all.push_back({name, restore, launch, verify});
  }
  return all;
}

// x, and the kernels' output.
struct Arrays {
  explicit Arrays(size_t n) : values(exact_vector(n + largest_offset, piece)), x(values), y(n) {}
  std::vector<float> values;
  DeviceArray<float> x, y;
};

std::vector<Competitor> make_accesses(size_t n) {
  const auto arrays = std::make_shared<Arrays>(n);
  std::vector<Competitor> all;
  for (const Access& access : all_accesses()) {
    all.push_back({access.name, [=] { arrays->y.poison(); },
                   [=] { access.launch(arrays->x, arrays->y, n, access.distance); },
                   [=] {
                     return verify_array(arrays->y.to_host().data(),
                                         expected_of(access, arrays->values, n));
                   },
                   access.bytes(n)});
  }
  return all;
}

}  // namespace

void add_chapter_14(Registry& registry) {
  // From one page, where only the latency counts; one size is a prime.
  for (const size_t n : {size_t{1} << 10, size_t{1} << 18, size_t{16777213}}) {
    const auto array = static_cast<double>(n * sizeof(float));
    registry.add(Problem{"14_memory", n, 1, 2 * array, 2.0 * static_cast<double>(n), "bus",
                         34 * array, 30 * array, "pinned", [n] { return make_transfers(n); }});
  }
  for (const size_t n : {size_t{1} << 10, size_t{1} << 26}) {
    const auto array = static_cast<double>(n * sizeof(float));
    registry.add(Problem{"14_memory", n, 1, array, 0, "bus", 16 * array, 6 * array, "pinned, there",
                         [n] { return make_copies(n, true); }});
    registry.add(Problem{"14_memory", n, 1, array, 0, "bus", 16 * array, 6 * array, "pinned, back",
                         [n] { return make_copies(n, false); }});
  }
  const size_t n = size_t{1} << 26;
  const auto array = static_cast<double>(n * sizeof(float));
  registry.add(Problem{"14_memory", n, 1, 2 * array, 0, "copy", 6 * array, 2.1 * array, "offset 0",
                       [=] { return make_accesses(n); }});
}

}  // namespace course::measure
