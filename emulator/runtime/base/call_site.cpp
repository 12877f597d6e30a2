#include "base/call_site.hpp"

#include <dlfcn.h>
#include <unwind.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <string_view>

#include "base/details.hpp"

namespace emulator::base {
namespace {

struct StackWalk {
  CallStack stack;
  std::size_t count = 0;
};

_Unwind_Reason_Code add_frame(_Unwind_Context* context, void* argument) {
  StackWalk& walk = *static_cast<StackWalk*>(argument);
  // The address a call returns to is after the call. Where a signal came, there was no call.
  int is_exact = 0;
  auto pc = static_cast<std::uint64_t>(_Unwind_GetIPInfo(context, &is_exact));
  if (pc != 0 && is_exact != 0) ++pc;
  if (pc == 0 || walk.count == walk.stack.pcs.size()) return _URC_END_OF_STACK;
  walk.stack.pcs[walk.count++] = pc;
  return _URC_NO_REASON;
}

// Whether the line is in the emulator's own code (seen only if that was compiled with -g) or in a
// header of the system.
bool is_foreign(const std::string& file) {
  static const std::string own_folder =
      std::filesystem::path(__FILE__).parent_path().lexically_normal().string() + "/";
  for (const std::string_view prefix :
       {std::string_view(own_folder), std::string_view("/usr/include/"),
        std::string_view("/usr/local/include/"), std::string_view("/usr/lib/")}) {
    if (file.starts_with(prefix)) return true;
  }
  return false;
}

// Whether the code is in a library of the system, whose debug information may be installed too.
bool in_system_library(std::uint64_t pc) {
  Dl_info info{};
  if (dladdr(std::bit_cast<const void*>(static_cast<std::uintptr_t>(pc)), &info) == 0) return false;
  const std::string_view library = info.dli_fname != nullptr ? info.dli_fname : "";
  return library.starts_with("/lib") || library.starts_with("/usr/lib");
}

std::vector<FindingPlace> places_of(const CallStack& stack, const std::string& event) {
  std::vector<FindingPlace> places;
  for (const SourceLine& line : lines_of(stack, 2)) {
    places.push_back({line.file, line.line, places.empty() ? event : "called from here"});
  }
  return places;
}

thread_local const CallStack* called_from = nullptr;

}  // namespace

CalledFrom::CalledFrom(const CallStack& stack) {
  called_from = &stack;
}
CalledFrom::~CalledFrom() {
  called_from = nullptr;
}

CallStack call_stack() {
  StackWalk walk;
  if (!details_wanted()) return walk.stack;
  if (called_from != nullptr) return *called_from;
  _Unwind_Backtrace(add_frame, &walk);
  return walk.stack;
}

std::vector<SourceLine> lines_of(const CallStack& stack, std::size_t most) {
  std::vector<SourceLine> lines;
  SourceLine of_library;  // for programs that have no line of their own in it
  const auto add = [&](const std::string& file, int line) {
    if (line == 0 || is_foreign(file) || lines.size() == most) return;
    if (is_of_library(file)) {
      if (of_library.line == 0) of_library = {file, line};
      return;
    }
    // A macro or a lambda makes calls of its own on one line.
    if (!lines.empty() && lines.back().line == line && lines.back().file == file) return;
    lines.push_back({file, line});
  };
  for (const std::uint64_t pc : stack.pcs) {
    if (pc == 0 || lines.size() == most) break;
    if (in_system_library(pc)) continue;
    const SourcePlace& place = place_of(pc);
    add(place.file, place.line);
    for (const SourceLine& caller : place.callers) add(caller.file, caller.line);
    // What calls main() is the C library, which may be a part of the program.
    if (std::count(place.functions.begin(), place.functions.end(), "main") != 0) break;
  }
  if (lines.empty() && of_library.line != 0) lines.push_back(of_library);
  return lines;
}

SourcePlace call_site() {
  SourcePlace place;
  for (const SourceLine& line : lines_of(call_stack(), 1)) {
    place.file = line.file;
    place.line = line.line;
  }
  return place;
}

void set_place(Finding& finding, const CallStack& stack, const std::string& event) {
  finding.place = {"", 0, event};
  std::vector<FindingPlace> places = places_of(stack, event);
  if (places.empty()) return;
  finding.place = places[0];
  finding.others.insert(finding.others.end(), places.begin() + 1, places.end());
}

void add_other(Finding& finding, const CallStack& stack, const std::string& event) {
  const std::vector<FindingPlace> places = places_of(stack, event);
  finding.others.insert(finding.others.end(), places.begin(), places.end());
}

}  // namespace emulator::base
