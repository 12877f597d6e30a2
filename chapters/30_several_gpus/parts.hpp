/// @file
/// Chapter 30: the parts of its program. Each verifies, times, and says what it found.
#pragma once

#include "by_rows.hpp"
#include "halo.hpp"
#include "hops.hpp"
#include "overlap.hpp"
#include "sums.hpp"

namespace gpus {

struct Settings {
  int devices = 0;
  int product = course::on_emulator ? 48 : 16384;
  std::size_t from = 64;  ///< the table's smallest size, in floats
  std::string only;
};

inline std::string padded(const std::string& text, int width) {
  char line[200];
  std::snprintf(line, sizeof line, "%*s", width, text.c_str());
  return line;
}
inline std::string number_text(const char* format, double value) {
  if (value <= 0 || value != value) return "-";
  char text[40];
  std::snprintf(text, sizeof text, format, value);
  return text;
}
inline double gigabytes(double bytes, double us) {
  return us > 0 ? bytes / us / 1e3 : 0;
}

inline int samples_of(const course::Options& options, double milliseconds) {
  return milliseconds > 20 ? 5 : std::max(options.repeat, 20);
}

/// A hop: by flags, and by copies of all sizes.
inline void note_hops(const Group& group, std::size_t most, const course::Options& options,
                      course::Report& report) {
  report.note(topology_line(group));
  if (group.size() < 2) return;
  const Arrays<unsigned> flags(group, most_devices);
  const unsigned times = course::on_emulator ? 3 : 1000;
  std::vector<Turn> turns = {
      {"meetings", [&] { launch_meetings(group, flags, times); }, static_cast<int>(times)}};
  take_turns(group, turns, 10);
  report.note("devices 0 and 1 meet by flags in " + microseconds(turns[0].median_us()) + " us");
  report.note(padded("copied", 10) + padded("one way, us", 14) + padded("GB/s", 8) +
              padded("both ways, us", 16) + padded("GB/s each way", 15));
  for (std::size_t bytes = 1024; bytes <= std::max<std::size_t>(1024, most); bytes *= 32) {
    const PeerCopies copies(group, bytes);
    const int times = course::on_emulator ? 2 : bytes < (1U << 24) ? 20 : 2;
    std::vector<Turn> turns = {{"one way", [&] { copies.launch(times, false); }, times},
                               {"both ways", [&] { copies.launch(times, true); }, times}};
    copies.fill(3);
    take_turns(group, turns, options.repeat);
    if (!copies.is_right(3, true)) throw course::Error("a peer copy is wrong");
    const double one = turns[0].median_us(), both = turns[1].median_us();
    const auto size = static_cast<double>(bytes);
    report.note(padded(bytes_text(size), 10) + padded(microseconds(one), 14) +
                padded(number_text("%.0f", gigabytes(size, one)), 8) +
                padded(microseconds(both), 16) +
                padded(number_text("%.0f", gigabytes(size, both)), 15));
  }
}

/// All ways at one size, each verified before and after it is timed.
inline std::vector<Turn> time_reduces(const Group& group, const Sums& sums, std::size_t n,
                                      const course::Options& options, course::Report& report) {
  const double bytes = 4.0 * static_cast<double>(n);
  const int times = course::on_emulator ? 2 : bytes > 3e7 ? 2 : bytes > 2e6 ? 10 : 50;
  std::vector<std::unique_ptr<Graphs>> graphs;
  std::vector<Turn> turns;
  const auto direct = [&](const std::string& name, std::function<void()> launch) {
    turns.push_back({name,
                     [=] {
                       for (int i = 0; i < times; ++i) launch();
                     },
                     times});
  };
  const auto by_graph = [&](const std::string& name, const std::function<void()>& issue) {
    graphs.push_back(std::make_unique<Graphs>(group, times, issue));
    const Graphs* const graph = graphs.back().get();
    turns.push_back({name, [=] { graph->launch(); }, times});
  };
  const auto kernel = [&](const std::string& name, Way way, int blocks) {
    by_graph(name, [&, way, blocks] { sums.reduce().launch(way, n, blocks); });
  };
  if (n <= most_words) kernel("words", Way::by_words, 0);
  kernel("one-shot", Way::one_shot, 0);
  kernel("two-shot", Way::two_shot, 0);
  if (!course::on_emulator && bytes >= (1 << 20)) {
    for (const int blocks : {16, 32, 64, 96}) {
      kernel("one-shot, " + std::to_string(blocks), Way::one_shot, blocks);
      kernel("two-shot, " + std::to_string(blocks), Way::two_shot, blocks);
    }
  }
  direct("ring", [&sums, n] { sums.by_ring(n); });
  if (has_nccl) by_graph("NCCL", [&] { sums.by_nccl(n); });
  const auto verify_all = [&] {
    for (const Turn& turn : turns) {
      sums.poison();
      turn.launch();
      group.synchronise();
      report.check(turn.name, std::to_string(n) + " floats", sums.verify(n));
    }
  };
  verify_all();
  if (course::on_emulator) return turns;
  take_turns(group, turns, samples_of(options, bytes / 3e8 * times));
  verify_all();
  return turns;
}

inline double time_of(const std::vector<Turn>& turns, const std::string& name) {
  for (const Turn& turn : turns) {
    if (turn.name == name) return turn.median_us();
  }
  return 0;
}

inline void note_reduces(const Group& group, const Settings& settings,
                         const course::Options& options, course::Report& report) {
  const double bytes = 4.0 * static_cast<double>(options.rows);
  if (group.size() > 1) {
    const PeerCopies copies(group, 4 * options.rows);
    const course::Timing timing =
        TIME_EVENTS(options, copies.fill(7), copies.launch(1, true), group.synchronise());
    report.check("peer copy", "bytes", {copies.is_right(7, true), "the same on both devices"});
    report.add("peer copy", timing, {bytes, 0});
  }
  const Sums sums(group, options.rows);
  const auto row = [&](const char* name, const std::function<void()>& launch) {
    const course::Timing timing = TIME_EVENTS(options, sums.poison(), group.fork(), launch(),
                                              group.join(), group.synchronise());
    report.check(name, "whole numbers", sums.verify(options.rows));
    report.add(name, timing, {bytes, 0});
  };
  const auto kernel = [&](Way way) { sums.reduce().launch(way, options.rows); };
  if (options.rows <= most_words) row("words", [&] { kernel(Way::by_words); });
  row("one-shot", [&] { kernel(Way::one_shot); });
  row("two-shot", [&] { kernel(Way::two_shot); });
  row("ring", [&] { sums.by_ring(options.rows); });
  if (has_nccl) row("NCCL", [&] { sums.by_nccl(options.rows); });

  const std::vector<std::string> columns = {"words", "one-shot", "two-shot", "ring", "NCCL"};
  std::string head = padded("all-reduce", 10);
  for (const std::string& column : columns) head += padded(column + ", us", 15);
  report.note(head + (has_nccl ? "" : "   (no NCCL here)"));
  std::vector<std::string> others;
  for (std::size_t n = settings.from; n <= options.rows; n *= 4) {
    const std::vector<Turn> turns = time_reduces(group, sums, n, options, report);
    std::string line = padded(bytes_text(4.0 * static_cast<double>(n)), 10);
    for (const std::string& column : columns) {
      line += padded(microseconds(time_of(turns, column)), 15);
    }
    report.note(line);
    for (const Turn& turn : turns) {
      if (turn.name.find(", ") == std::string::npos) continue;
      others.push_back(padded(bytes_text(4.0 * static_cast<double>(n)), 10) + "  " + turn.name +
                       " blocks: " + microseconds(turn.median_us()) + " us");
    }
  }
  for (const std::string& line : others) report.note(line);
}

/// Work of another group, whose streams the clock of this one does not see: between two points of
/// this one's.
inline std::function<void()> alone_within(const Group& group, const Group& alone,
                                          std::function<void()> launch) {
  return [&group, &alone, launch = std::move(launch)] {
    group.wait(alone.stream(0), group.stream(0), 0);
    launch();
    group.wait(group.stream(0), alone.stream(0), 0);
  };
}

/// Work of one device and of all, in turns.
inline void note_scaling(const std::string& what, const Group& group, std::vector<Turn> turns,
                         const course::Options& options, course::Report& report) {
  take_turns(group, turns, samples_of(options, 30));
  std::string line = what + ":";
  for (const Turn& turn : turns)
    line += "  " + turn.name + " " + microseconds(turn.median_us()) + " us";
  const double ratio = turns.front().median_us() / turns.back().median_us();
  report.note(line + ";  " + number_text("%.2f", ratio) + " times as fast");
}

inline void note_rows(const Group& group, const Settings& settings, const course::Options& options,
                      course::Report& report) {
  const auto extent = static_cast<std::size_t>(settings.product);
  const Group alone(1);
  const auto check = [&](const char* name, const ByRows& product,
                         const std::function<void()>& run) {
    product.poison();
    run();
    group.synchronise();
    report.check(name, "whole numbers", product.verify());
  };
  {
    const ByRows one(alone, extent, 1, extent), all(group, extent, 1, extent);
    const int pieces = 2;
    check("SGEMV on one", one, [&] { one.sgemv_by_rows(1); });
    check("SGEMV by rows", all, [&] { all.sgemv_by_rows(pieces); });
    note_scaling("SGEMV", group,
                 {{"one device", alone_within(group, alone, [&] { one.sgemv_by_rows(1); })},
                  {"all, one piece", [&] { all.sgemv_by_rows(1); }},
                  {"all, 2 pieces", [&] { all.sgemv_by_rows(pieces); }}},
                 options, report);
  }
  const ByRows one(alone, extent, extent, extent), all(group, extent, extent, extent);
  check("SGEMM on one", one, [&] { one.sgemm_by_rows(1); });
  check("SGEMM by rows", all, [&] { all.sgemm_by_rows(8); });
  note_scaling("SGEMM", group,
               {{"one device", alone_within(group, alone, [&] { one.sgemm_by_rows(1); })},
                {"all, one panel", [&] { all.sgemm_by_rows(1); }},
                {"all, 8 panels", [&] { all.sgemm_by_rows(8); }}},
               options, report);
}

inline void note_stencil(const Group& group, const Settings& settings,
                         const course::Options& options, course::Report& report) {
  const auto extent = static_cast<std::size_t>(settings.product);
  const Group alone(1);
  const Plane one(alone, extent, extent), all(group, extent, extent);
  const int count = course::on_emulator ? 4 : 20;
  one.set(), one.sweeps(count, true), group.synchronise();
  const std::vector<float> expected = one.result();
  for (const bool overlap : {false, true}) {
    all.set(), all.sweeps(count, overlap), group.synchronise();
    report.check(overlap ? "stencil, overlapped" : "stencil", "one device's bits",
                 {all.result() == expected, "bits as on one device"});
  }
  note_scaling("sweep", group,
               {{"one device", alone_within(group, alone, [&] { one.sweeps(count, true); }), count},
                {"all, halos after", [&] { all.sweeps(count, false); }, count},
                {"all, halos behind", [&] { all.sweeps(count, true); }, count}},
               options, report);
}

inline void note_overlap(const Group& group, const Settings& settings,
                         const course::Options& options, course::Report& report) {
  const auto extent = static_cast<std::size_t>(settings.product);
  const SplitProduct split(group, extent / 2, extent / 2, std::max<std::size_t>(1, extent / 16));
  std::vector<Turn> turns = {{"product alone", [&] { split.multiply_only(); }},
                             {"all-reduce alone, 32 blocks", [&] { split.reduce_only(32); }},
                             {"one after the other", [&] { split.run(1, 64); }}};
  for (const int panels : {4, 8}) {
    for (const int blocks :
         course::on_emulator ? std::vector<int>{2} : std::vector<int>{8, 16, 32}) {
      turns.push_back({std::to_string(panels) + " panels, " + std::to_string(blocks) + " blocks",
                       [&split, panels, blocks] { split.run(panels, blocks); }});
    }
  }
  for (std::size_t i = 2; i < turns.size(); ++i) {
    split.poison();
    turns[i].launch();
    group.synchronise();
    report.check(turns[i].name, "whole numbers", split.verify());
  }
  take_turns(group, turns, samples_of(options, 3));
  for (const Turn& turn : turns)
    report.note(turn.name + ": " + microseconds(turn.median_us()) + " us");
}

inline void run_parts(const Group& group, const course::Options& options, const Settings& settings,
                      course::Report& report) {
  const auto wanted = [&](const char* part) {
    return settings.only.empty() || settings.only == part;
  };
  if (wanted("hops")) note_hops(group, 4 * options.rows, options, report);
  if (wanted("reduce")) note_reduces(group, settings, options, report);
  if (wanted("rows")) note_rows(group, settings, options, report);
  if (wanted("stencil")) note_stencil(group, settings, options, report);
  if (wanted("overlap")) note_overlap(group, settings, options, report);
}

}  // namespace gpus
