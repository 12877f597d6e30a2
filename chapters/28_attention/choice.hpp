/// @file
/// Chapter 28: the best tiles for a shape, by trying them.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "launch.hpp"

namespace attention {

/// Persistent blocks with tiles of some size.
struct Candidate {
  std::string name;
  void (*launch)(const Problem& p);
};

template <class T>
Candidate candidate() {
  std::string name = std::to_string(T::rows) + " x " + std::to_string(T::keys);
  if (T::stages != 2) name += ", " + std::to_string(T::stages) + " stages";
  return {name, [](const Problem& p) { launch_groups<T>(p); }};
}

/// All that are tried. Two groups of warps have 240 registers per thread, three have 160.
template <int size>
const std::vector<Candidate>& candidates() {
  static const std::vector<Candidate> all = [] {
    if constexpr (size == 64) {
      return std::vector<Candidate>{
          candidate<Tile<64, 3, 128, 2>>(), candidate<Tile<64, 3, 96, 3>>(),
          candidate<Tile<64, 2, 128, 3>>(), candidate<Tile<64, 2, 176, 2>>(),
          candidate<Tile<64, 2, 192, 2>>()};
    } else {
      return std::vector<Candidate>{
          candidate<Tile<128, 2, 128, 2>>(), candidate<Tile<128, 2, 176, 2>>(),
          candidate<Tile<128, 2, 160, 2>>(), candidate<Tile<128, 2, 96, 3>>(),
          candidate<Tile<128, 3, 80, 2>>()};
    }
  }();
  return all;
}

/// Which candidate was the fastest, on the device, for this problem: all write the same O.
template <int size>
int fastest(const Problem& p) {
  course::EventTimer timer;
  double best_ms = std::numeric_limits<double>::infinity();
  int best = 0;
  for (int i = 0; i < static_cast<int>(candidates<size>().size()); ++i) {
    double ms = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 4; ++round) {  // the first to warm up
      timer.start();
      candidates<size>()[i].launch(p);
      const double now = timer.stop();
      if (round > 0) ms = std::min(ms, now);
    }
    if (ms < best_ms) best_ms = ms, best = i;
  }
  return best;
}

/// The best kernel. The first time a shape comes, all candidates are timed; the emulator, whose
/// times say nothing, takes the first.
template <int size>
void launch_attention(const Problem& p) {
  if (!has_mma()) throw course::Error("attention needs compute capability 8.0");
  if constexpr (size == 256) {
    if (!has_wgmma()) throw course::Error("heads of 256 need compute capability 9.0");
    launch_groups<Tile<256, 2, 64, 2>>(p);
  } else {
    if (!has_wgmma()) return launch_warps<size>(p);
    static std::map<std::tuple<int, int, int, int, bool>, int> known;
    int chosen = 0;
    if (!course::on_emulator && !is_empty(p)) {
      const auto [at, is_new] =
          known.try_emplace({p.all_heads(), p.heads / p.kv_heads, p.queries, p.keys, p.causal}, 0);
      if (is_new) at->second = fastest<size>(p);
      chosen = at->second;
    }
    candidates<size>()[chosen].launch(p);
  }
}

}  // namespace attention
