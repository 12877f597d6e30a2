/// \file
/// What was found: folded, counted and printed.

#include "observers/checks/found.hpp"

#include <cstdio>
#include <iostream>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/words.hpp"
#include "events/findings.hpp"
#include "events/program_events.hpp"
#include "observers/checks/finding_text.hpp"

namespace emulator {
namespace checks {
namespace {

constexpr std::size_t most_printed = 50;

struct Entry {
  Finding finding;
  bool printed = false;
};

struct State {
  std::mutex mutex;        // of all that follows
  std::mutex print_mutex;  // so that findings of two threads do not mix; taken before the other
  std::vector<Entry> entries;
  std::map<std::string, std::size_t> known;  // index of the entry, by its key
  std::size_t printed = 0;
  std::size_t announced = 0;    // how many of them files know
  std::uint64_t clearings = 1;  // and one more each time; 0 is not used
};

// Never destroyed: destructors of the program's static objects may still find something.
State& state() {
  static auto& all = *new State;
  return all;
}

std::string key_of(const Finding& finding) {
  const auto place_text = [](const FindingPlace& place) {
    return "\n" + place.file + ":" + std::to_string(place.line);
  };
  std::string key = finding.kind + "\n" + finding.kernel + place_text(finding.place);
  for (const FindingPlace& other : finding.others) {
    if (other.event != in_library) key += place_text(other);
  }
  return key;
}

// The findings to print now, marked as printed. Files also get those that are too many to print.
std::vector<Finding> take_new(bool& for_files) {
  State& all = state();
  const std::lock_guard lock(all.mutex);
  std::vector<Finding> result;
  for_files = std::exchange(all.announced, all.entries.size()) < all.entries.size();
  for (Entry& entry : all.entries) {
    if (entry.printed || all.printed == most_printed) continue;
    entry.printed = true;
    ++all.printed;
    result.push_back(entry.finding);
  }
  return result;
}

std::string counted(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

struct Counts {
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::size_t notes = 0;
  std::size_t unprinted = 0;
};

Counts count_findings() {
  State& all = state();
  const std::lock_guard lock(all.mutex);
  Counts counts;
  for (const Entry& entry : all.entries) {
    const Severity severity = entry.finding.severity;
    if (severity == Severity::error) ++counts.errors;
    if (severity == Severity::warning) ++counts.warnings;
    if (severity == Severity::note) ++counts.notes;
    if (!entry.printed) ++counts.unprinted;
  }
  return counts;
}

std::string summary(const Counts& counts) {
  std::string text;
  const auto add = [&](std::size_t count, const char* what) {
    if (count != 0) text += (text.empty() ? "" : ", ") + counted(count, what);
  };
  add(counts.errors, "error");
  add(counts.warnings, "warning");
  add(counts.notes, "note");
  return text;
}

}  // namespace

void flush_program_output() {
  std::cout.flush();
  std::fflush(stdout);
}

bool print_summary() {
  print_new_findings();
  const Counts counts = count_findings();
  const std::string text = summary(counts);
  if (text.empty()) return false;
  findings_changed();
  if (counts.unprinted != 0) {
    std::fprintf(
        stderr, "emulator: %s not shown: EMULATOR_REPORT=FILE writes all to a file\n",
        (counted(counts.unprinted, "finding") + (counts.unprinted == 1 ? " is" : " are")).c_str());
  }
  std::fprintf(stderr, "emulator: %s\n", text.c_str());
  return counts.errors != 0;
}

void forget_findings() {
  {
    State& all = state();
    const std::lock_guard lock(all.mutex);
    all.entries.clear();
    all.known.clear();
    all.printed = 0;
    all.announced = 0;
    ++all.clearings;
  }
  findings_changed();
}

}  // namespace checks

namespace events {

using namespace checks;

FindingId add_finding(Finding finding) {
  State& all = state();
  const std::lock_guard lock(all.mutex);
  const auto [position, is_new] = all.known.emplace(key_of(finding), all.entries.size());
  if (is_new) {
    all.entries.push_back({std::move(finding)});
    return {all.clearings, position->second};
  }
  Entry& entry = all.entries[position->second];
  entry.finding.times += finding.times;
  if (finding.severity < entry.finding.severity) {  // worse than what is known: reported again
    finding.times = entry.finding.times;
    entry = {std::move(finding)};
  }
  return {all.clearings, position->second};
}

void add_told_finding(Finding finding) {
  const FindingId id = add_finding(std::move(finding));
  State& all = state();
  const std::lock_guard lock(all.mutex);
  if (id.clearings == all.clearings) all.entries[id.index].printed = true;
}

void count_finding(FindingId id) {
  State& all = state();
  const std::lock_guard lock(all.mutex);
  if (id.clearings == all.clearings) ++all.entries[id.index].finding.times;
}

void change_remedy(FindingId id, std::string remedy) {
  State& all = state();
  const std::lock_guard lock(all.mutex);
  if (id.clearings == all.clearings) all.entries[id.index].finding.remedy = std::move(remedy);
}

std::vector<Finding> findings_so_far() {
  State& all = state();
  const std::lock_guard lock(all.mutex);
  std::vector<Finding> result;
  for (const Entry& entry : all.entries) result.push_back(entry.finding);
  return result;
}

void print_new_findings() {
  State& all = state();
  const std::lock_guard lock(all.print_mutex);
  bool for_files = false;
  const std::vector<Finding> fresh = take_new(for_files);
  if (for_files || !fresh.empty()) findings_changed();
  if (fresh.empty()) return;
  const FindingStyle style = style_of_stderr();
  flush_program_output();
  for (const Finding& finding : fresh) {
    std::fputs((finding_text(finding, style) + "\n").c_str(), stderr);
  }
}

}  // namespace events

const char* name_of(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::note:
      break;
  }
  return "note";
}

}  // namespace emulator
