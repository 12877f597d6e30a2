#include "own_program.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace course::tool {
namespace {

using Words = std::vector<std::string>;

bool has(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_source(const std::string& word) {
  constexpr std::array<std::string_view, 5> endings{".cu", ".cpp", ".cc", ".cxx", ".c"};
  return !word.starts_with('-') &&
         std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) {
           return word.size() > ending.size() && word.ends_with(ending);
         });
}

/// What asks emucc for something else than to compile and run.
bool asks_for_else(const std::string& word) {
  constexpr std::array<std::string_view, 14> asking{
      "-c",       "-E",      "-o",        "-h",  "-V",  "--help", "--version",
      "--dryrun", "-dryrun", "--dry-run", "-dc", "-dw", "-M",     "--run"};
  return std::find(asking.begin(), asking.end(), word) != asking.end() ||
         word.starts_with("--output-file");
}

}  // namespace

bool names_source(const std::string& word) {
  return word.size() > 3 && word.ends_with(".cu");
}

Words emucc_command(const std::filesystem::path& emucc, const Words& words) {
  Words command{emucc.string()};
  const auto source = std::find_if(words.begin(), words.end(), is_source);
  const bool runs = source != words.end() && std::none_of(words.begin(), source, asks_for_else);
  if (!runs) {
    command.insert(command.end(), words.begin(), words.end());
    return command;
  }
  Words options(words.begin(), source);
  const bool fast = has(options, "--fast");
  options.erase(std::remove(options.begin(), options.end(), "--fast"), options.end());
  command.push_back("--run");
  if (!fast && !has(options, "--look")) command.push_back("--look");
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), source, words.end());
  return command;
}

bool looks_into(const Words& command) {
  return has(command, "--run") && has(command, "--look");
}

}  // namespace course::tool
