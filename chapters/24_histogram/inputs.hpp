// Chapter 24: what is counted, and the right counts.
#pragma once

#include <algorithm>
#include <mutex>

#include "floats.hpp"

enum class Input { random, sorted, skewed, equal };
constexpr Input all_inputs[] = {Input::random, Input::sorted, Input::skewed, Input::equal};
constexpr const char* input_names[] = {"random", "sorted", "skewed", "equal"};

// Sets `input` to the one of that name; false if there is none.
inline bool choose(const std::string& name, Input& input) {
  const auto* const found = std::find(std::begin(input_names), std::end(input_names), name);
  if (found == std::end(input_names)) return false;
  input = static_cast<Input>(found - std::begin(input_names));
  return true;
}

// Element i of n: a multiple of 2^-24 from 0 to 1. Skewed: every second one, at random, is the
// same.
inline float value_of(Input input, size_t i, size_t n, const course::RandomBits& bits) {
  const std::uint64_t drawn = bits(i);
  const float random = static_cast<float>(static_cast<int>(drawn >> 40)) * 0x1p-24F;
  constexpr float same = 0.3F;
  switch (input) {
    case Input::random:
      return random;
    case Input::sorted:
      return static_cast<float>(static_cast<int>((i << 24) / n)) * 0x1p-24F;
    case Input::skewed:
      return drawn % 2 == 0 ? random : same;
    default:
      return same;
  }
}

inline std::vector<float> make_floats(Input input, size_t n, std::uint64_t seed = 1) {
  const course::RandomBits bits(seed);
  std::vector<float> x(n);
  course::detail::in_parallel(n, n, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) x[i] = value_of(input, i, n, bits);
  });
  return x;
}

inline std::vector<Byte> make_bytes(Input input, size_t n, std::uint64_t seed = 1) {
  const course::RandomBits bits(seed);
  std::vector<Byte> x(n);
  course::detail::in_parallel(n, n, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      x[i] = static_cast<Byte>(256 * value_of(input, i, n, bits));
    }
  });
  return x;
}

// How often each bin occurs, where bin(i) is element i's; several cores count a part each.
template <class Bin>
std::vector<unsigned> count_on_cpu(size_t n, unsigned bins, Bin bin) {
  std::vector<unsigned> counts(bins);
  std::mutex one_at_a_time;
  course::detail::in_parallel(n, n, [&](size_t begin, size_t end) {
    std::vector<unsigned> mine(bins);
    for (size_t i = begin; i < end; ++i) {
      const unsigned which = bin(i);
      if (which != no_bin) ++mine[which];
    }
    const std::scoped_lock lock(one_at_a_time);
    for (unsigned k = 0; k < bins; ++k) counts[k] += mine[k];
  });
  return counts;
}

inline std::vector<unsigned> count_on_cpu(const std::vector<Byte>& x) {
  return count_on_cpu(x.size(), byte_bins, [&](size_t i) { return unsigned{x[i]}; });
}

inline std::vector<unsigned> count_on_cpu(const std::vector<float>& x, const Bins& bins) {
  const float scale = scale_of(bins);
  return count_on_cpu(x.size(), bins.count, [&](size_t i) { return bin_of(bins, scale, x[i]); });
}

// The sums of the weights in each bin; exact where the weights are whole numbers.
inline std::vector<double> sums_on_cpu(const std::vector<float>& x,
                                       const std::vector<float>& weights, const Bins& bins) {
  std::vector<double> sums(bins.count);
  const float scale = scale_of(bins);
  for (size_t i = 0; i < x.size(); ++i) {
    const unsigned bin = bin_of(bins, scale, x[i]);
    if (bin != no_bin) sums[bin] += weights[i];
  }
  return sums;
}

// Every count is right; a wrong one is named.
inline course::Verdict verify_counts(const std::vector<unsigned>& got,
                                     const std::vector<unsigned>& expected) {
  for (size_t bin = 0; bin < expected.size(); ++bin) {
    if (got[bin] == expected[bin]) continue;
    return {false, "bin " + std::to_string(bin) + " has " + std::to_string(got[bin]) + ", not " +
                       std::to_string(expected[bin])};
  }
  return {true, "all " + std::to_string(expected.size()) + " counts right"};
}
