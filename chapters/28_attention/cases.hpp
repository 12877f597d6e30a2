/// @file
/// Chapter 28: every kernel with its data and its name; for the program, its tests and the bench.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "choice.hpp"
#include "reference.hpp"

namespace attention {

/// Inputs and results of a shape, on the host and on the device.
struct Data {
  Data(const Shape& s, std::uint64_t seed)
      : shape(s),
        host(s, seed),
        Q(host.Q),
        K(host.K),
        V(host.V),
        O(host.Q.size()),
        logs(s.logs()),
        problem{Q,         K,         V,        O,
                logs,      s.batches, s.heads,  s.kv_heads,
                s.queries, s.keys,    s.causal, 1.0F / std::sqrt(static_cast<float>(s.size))} {}

  void poison() { O.poison(), logs.poison(); }
  Errors errors() const {
    if (!expected_) expected_.emplace(shape, problem, host);
    return expected_->errors(O.to_host(), logs.to_host());
  }

  Shape shape;
  HostInputs host;
  course::DeviceArray<Bf16> Q, K, V, O;
  course::DeviceArray<float> logs;
  Problem problem;

 private:
  mutable std::optional<Expected> expected_;
};

/// Powers and results are rounded to BF16: what that may cost one number, relative to its row.
constexpr double tolerance = 0x1p-6;
constexpr double log_tolerance = 1e-4;

inline course::Verdict verdict_of(const Data& data) {
  const Errors errors = data.errors();
  char text[120];
  std::snprintf(text, sizeof text, "largest error %.2g, allowed %.2g; of logarithms %.2g, %.2g",
                errors.largest, tolerance, errors.of_logs, log_tolerance);
  return {errors.largest <= tolerance && errors.of_logs <= log_tolerance, text};
}

/// A kernel that can be launched.
struct Case {
  std::string name;
  std::function<void(const Problem&)> launch;
};

/// The rungs that this device can run.
template <int size>
std::vector<Case> rungs() {
  const auto buffers = std::make_shared<std::pair<course::Scratch<float>, course::Scratch<Bf16>>>();
  const auto three = [buffers](const Problem& p) {
    const auto room = static_cast<std::size_t>(p.all_heads()) *
                      static_cast<std::size_t>(p.queries) * 64 * count_of(p.keys, 64);
    launch_three<size>(p, buffers->first.at_least(room), buffers->second.at_least(room));
  };
  if (!has_mma()) return {{"online", launch_online<size>}};
  std::vector<Case> all = {
      {"three kernels", three}, {"online", launch_online<size>}, {"mma.sync", launch_warps<size>}};
  if (has_wgmma()) {
    using OneByOne = Tile<size, 2, 128, 2, false, false>;
    using InFlight = Tile<size, 2, 128, 2, true, false>;
    using InTurns = Tile<size, 2, 128, 2>;
    all.push_back({"wgmma", [](const Problem& p) { launch_groups<OneByOne>(p, false); }});
    all.push_back({"in flight", [](const Problem& p) { launch_groups<InFlight>(p, false); }});
    all.push_back({"turns", [](const Problem& p) { launch_groups<InTurns>(p, false); }});
  }
  all.push_back({"ours", launch_attention<size>});
  return all;
}

/// The last rung with each size of tiles.
template <int size>
std::vector<Case> variants() {
  std::vector<Case> all;
  if (!has_wgmma()) return all;
  for (const Candidate& one : candidates<size>()) all.push_back({one.name, one.launch});
  return all;
}

}  // namespace attention
