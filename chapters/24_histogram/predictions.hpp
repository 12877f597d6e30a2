// Chapter 24: what the input says about the time, before anything is measured.
#pragma once

#include "launch.hpp"

// What an atomic that adds 1 costs: lanes with the same word merge, and each bank serves one word
// at a time. So it is the largest number of different words that are in one bank.
inline unsigned wavefronts(std::vector<unsigned> words) {
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  unsigned in_bank[32] = {};
  for (const unsigned word : words) ++in_bank[word % 32];
  return *std::max_element(in_bank, in_bank + 32);
}

// The words that a kernel's lanes add to: of a byte and a lane.
struct Layout {
  ByteRung rung;
  unsigned (*word)(unsigned byte, unsigned lane);
};
const std::vector<Layout> layouts = {
    {{"16 bytes", launch_by_16_bytes}, [](unsigned byte, unsigned) { return byte; }},
    {{"per warp", launch_per_warp}, [](unsigned byte, unsigned) { return byte; }},
    {{"8 copies", launch_in_copies<8>},
     [](unsigned byte, unsigned lane) { return byte * 8 + lane % 8; }},
    {{"own bank", launch_in_copies<32>},
     [](unsigned byte, unsigned lane) { return byte * 32 + lane; }},
};

// The wavefronts of all atomics, where a lane has 16 bytes at a time.
inline size_t wavefronts_of(const Layout& layout, const std::vector<Byte>& x) {
  size_t sum = 0;
  for (size_t first = 0; first + 512 <= x.size(); first += 512) {
    for (size_t k = 0; k < 16; ++k) {
      std::vector<unsigned> words;
      for (unsigned lane = 0; lane < 32; ++lane) {
        words.push_back(layout.word(x[first + 16 * lane + k], lane));
      }
      sum += wavefronts(words);
    }
  }
  return sum;
}

// A table of the four inputs: wavefronts per atomic, as a sample of each input has them.
inline void note_wavefronts(course::Report& report, const course::Options& options) {
  constexpr size_t sample = 1 << 16;
  char part[40];
  report.note("Wavefronts of a warp's atomic, by the bytes that are counted:");
  report.note("               random    sorted    skewed     equal");
  for (const Layout& layout : layouts) {
    std::string line = std::string("  ") + layout.rung.name;
    for (const Input input : all_inputs) {
      const size_t all = wavefronts_of(layout, make_bytes(input, sample, options.seed));
      std::snprintf(part, sizeof part, "%10.2f", static_cast<double>(all) / (sample / 32));
      line += part;
    }
    report.note(line);
  }
}

// The same in milliseconds, if every multiprocessor serves one wavefront per clock; and measured.
inline void note_predictions(course::Report& report, const course::Options& options) {
  constexpr size_t sample = 1 << 16;
  const size_t n = options.rows;
  const double per_ms = static_cast<double>(course::device_attribute(cudaDevAttrClockRate)) *
                        course::device().multiprocessors;
  course::DeviceArray<Byte> x(n);
  course::DeviceArray<unsigned> counts(byte_bins);
  report.note("Bytes, ms: predicted from their wavefronts alone, and measured:");
  report.note("                    random            sorted            skewed             equal");
  std::vector<std::string> lines;
  for (const Layout& layout : layouts) lines.push_back(std::string("  ") + layout.rung.name);
  for (const Input input : all_inputs) {
    x.copy_from(make_bytes(input, n, options.seed));
    const std::vector<Byte> some = make_bytes(input, sample, options.seed);
    for (size_t k = 0; k < layouts.size(); ++k) {
      const double all = static_cast<double>(wavefronts_of(layouts[k], some)) * n / sample;
      const course::Timing timing =
          TIME_EVENTS(options, counts.poison(), layouts[k].rung.launch({x, n, counts}));
      char part[60];
      std::snprintf(part, sizeof part, "%9.4f %8.4f", all / per_ms, timing.median_ms);
      lines[k] += part;
    }
  }
  for (const std::string& line : lines) report.note(line);
}
