#include "grader/submission/witness.hpp"

#include <system_error>
#include <vector>

namespace course::tool::grading {
namespace {

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (;;) {
    const std::size_t tab = line.find('\t');
    fields.push_back(line.substr(0, tab));
    if (tab == std::string_view::npos) return fields;
    line.remove_prefix(tab + 1);
  }
}

}  // namespace

WitnessTool find_witness(const ExerciseList& list) {
  WitnessTool witness{list.witness, ""};
  std::error_code error;
  if (list.witness.empty() || !std::filesystem::exists(witness.program(), error)) {
    witness.problem =
        "the witness is not built: install valgrind, configure again, or say --without-witness";
  }
  return witness;
}

WitnessReport read_witness_report(std::string_view report, const std::string& file) {
  WitnessReport result;
  std::string unplaced;
  while (!report.empty()) {
    const std::size_t end = report.find('\n');
    const std::vector<std::string_view> fields = fields_of(report.substr(0, end));
    report.remove_prefix(end == std::string_view::npos ? report.size() : end + 1);
    if (fields.size() == 2 && fields[0] == "witness") result.was_there = true;
    if (fields.size() != 5 || fields[0] != "finding") continue;
    // The first that has a line of the student's file; a header's line says nothing to anybody.
    std::string text(fields[4]);
    if (fields[2] != file) {
      if (unplaced.empty()) unplaced = text;
    } else if (result.finding.empty()) {
      result.finding = file + ':' + std::string(fields[3]) + ": " + text;
    }
  }
  if (result.finding.empty()) result.finding = unplaced;
  // The one way there that an honest program may take.
  if (result.finding.find("device memory are read") != std::string::npos) {
    result.remedy =
        "A structure that goes straight from memory to a function is counted if the function "
        "becomes part of the kernel. If this one cannot, since it calls itself, load the structure "
        "into a variable first.";
  }
  return result;
}

}  // namespace course::tool::grading
