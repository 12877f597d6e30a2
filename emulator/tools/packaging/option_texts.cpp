/// \file
/// Writes what is made of emucc's table of options: the manual page and what shells complete.
///
///     emucc-texts man TEMPLATE     TEMPLATE with the options in place of its line @OPTIONS@, and
///     so on emucc-texts bash|zsh|fish    the shell's completion

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/nvcc/options.hpp"

namespace {

using emulator::compiler::nvcc::all_options;
using emulator::compiler::nvcc::Effect;
using emulator::compiler::nvcc::Option;
using emulator::compiler::nvcc::ValueForm;

// The table has the value's name, two blanks and the text.
std::string_view value_name(const Option& option) {
  return option.effect == Effect::honoured ? option.text.substr(0, option.text.find("  "))
                                           : std::string_view();
}

std::string_view explanation(const Option& option) {
  if (option.effect == Effect::ignored) return "without effect";
  return option.effect == Effect::refused ? option.text
                                          : option.text.substr(option.text.find("  ") + 2);
}

// A name that is never without its value, `--cuda=12`, as shells know it.
std::string_view without_sign(std::string_view name) {
  return name.substr(0, name.size() - (name.ends_with("=") ? 1 : 0));
}

// What can be chosen from, if the value's name says it: true|false.
std::vector<std::string> choices(const Option& option) {
  std::vector<std::string> result;
  const std::string_view name = value_name(option);
  if (name.find('|') == std::string_view::npos) return result;
  for (std::size_t from = 0; from <= name.size();) {
    const std::size_t to = std::min(name.find('|', from), name.size());
    result.emplace_back(name.substr(from, to - from));
    from = to + 1;
  }
  return result;
}

std::string replaced(std::string_view text, const std::map<char, std::string_view>& by) {
  std::string result;
  for (const char c : text) {
    const auto found = by.find(c);
    if (found == by.end()) {
      result += c;
    } else {
      result += found->second;
    }
  }
  return result;
}

// In a manual page a hyphen is for words; what one types is a minus.
std::string roff(std::string_view text) {
  return replaced(text, {{'-', "\\-"}, {'\\', "\\e"}, {'\'', "\\(aq"}});
}

std::string join(const std::vector<std::string>& words, const std::string& between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

std::string options_in_roff() {
  std::string text;
  for (const Option& option : all_options()) {
    if (option.effect != Effect::honoured) continue;
    text += ".TP\n\\fB" + roff(option.name) + "\\fR";
    if (has_long_name(option)) text += ", \\fB" + roff(option.long_name) + "\\fR";
    const std::string_view value = value_name(option);
    if (!value.empty()) text += " \\fI" + roff(value) + "\\fR";
    text += '\n' + roff(explanation(option)) + '\n';
  }
  return text;
}

std::string names_in_roff(Effect effect) {
  std::vector<std::string> names;
  for (const Option& option : all_options()) {
    if (option.effect == effect) names.push_back("\\fB" + roff(option.name) + "\\fR");
  }
  return join(names, ",\n") + ".\n";
}

void write_manual(const std::string& path) {
  const std::map<std::string, std::function<std::string()>> parts = {
      {"@OPTIONS@", options_in_roff},
      {"@IGNORED@", [] { return names_in_roff(Effect::ignored); }},
      {"@REFUSED@", [] { return names_in_roff(Effect::refused); }}};
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::size_t found = 0;
  for (std::string line; std::getline(file, line);) {
    const auto part = parts.find(line);
    found += part == parts.end() ? 0 : 1;
    std::fputs(part == parts.end() ? (line + '\n').c_str() : part->second().c_str(), stdout);
  }
  if (found != parts.size()) throw std::runtime_error(path + " leaves out a list of options");
}

// Those that somebody may want to write. Old names and those without effect would only be noise.
std::vector<const Option*> offered() {
  std::vector<const Option*> result;
  for (const Option& option : all_options()) {
    if (option.effect == Effect::honoured) result.push_back(&option);
  }
  return result;
}

void write_bash() {
  std::vector<std::string> names;
  std::vector<std::string> folders;
  std::string cases;
  for (const Option* option : offered()) {
    std::vector<std::string> both = {std::string(option->name)};
    if (!option->long_name.empty()) both.emplace_back(option->long_name);
    names.insert(names.end(), both.begin(), both.end());
    if (value_name(*option) == "FOLDER") folders.insert(folders.end(), both.begin(), both.end());
    const std::vector<std::string> words = choices(*option);
    if (words.empty()) continue;
    cases += "    " + join(both, "|") + ") words='" + join(words, " ") + "' ;;\n";
  }
  std::printf(R"(# Completes emucc's options and their values; made from its table of options.
_emucc() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=
  case $before in
%s    %s)
      mapfile -t COMPREPLY < <(compgen -d -- "$word")
      return
      ;;
    *) [[ $word != -* ]] || words='%s' ;;
  esac
  if [ -n "$words" ]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}
complete -o filenames -F _emucc emucc
)",
              cases.c_str(), join(folders, "|").c_str(), join(names, " ").c_str());
}

void write_zsh() {
  std::string text =
      "#compdef emucc\n# Completes emucc's options and their values; made from its table of "
      "options.\n_arguments \\\n";
  for (const Option* option : offered()) {
    const std::string_view value = value_name(*option);
    std::string action;
    if (!choices(*option).empty()) {
      action = ":value:(" + join(choices(*option), " ") + ")";
    } else if (value == "FOLDER") {
      action = ":folder:_directories";
    } else if (!value.empty()) {
      action = ":" + replaced(value, {{':', "\\:"}, {'[', "("}, {']', ")"}}) + ":_files";
    }
    // "+" lets the value follow at once, or as the next word; "*" lets the option come again.
    const bool has_sign = option->name.ends_with("=");
    const std::string how = option->value == ValueForm::none                  ? ""
                            : option->value == ValueForm::joined && !has_sign ? "+"
                                                                              : "=";
    const std::string about =
        '[' + replaced(explanation(*option), {{'[', "("}, {']', ")"}, {'\'', "’"}}) + ']';
    text += "  '*" + std::string(without_sign(option->name)) + how + about + action + "' \\\n";
    if (option->long_name.empty()) continue;
    const std::string sign = option->value == ValueForm::none ? "" : "=";
    text += "  '*" + std::string(option->long_name) + sign + about + action + "' \\\n";
  }
  text += "  '*:source or argument:_files'\n";
  std::fputs(text.c_str(), stdout);
}

void write_fish() {
  std::string text =
      "# Completes emucc's options and their values; made from its table of options.\n";
  for (const Option* option : offered()) {
    const std::string_view name =
        without_sign(option->name).substr(option->name.starts_with("--") ? 2 : 1);
    std::string line = "complete -c emucc";
    // fish calls a name of one letter short, and a longer one after a single dash old.
    if (option->name.starts_with("--")) {
      line += " -l " + std::string(name);
    } else {
      line += (name.size() == 1 ? " -s " : " -o ") + std::string(name);
    }
    if (option->long_name.starts_with("--")) {
      line += " -l " + std::string(option->long_name.substr(2));
    }
    const std::string_view value = value_name(*option);
    if (!choices(*option).empty()) {
      line += " -x -a '" + join(choices(*option), " ") + "'";
    } else if (value == "FOLDER") {
      line += " -x -a '(__fish_complete_directories)'";
    } else if (!value.empty()) {
      line += " -r";
    }
    text += line + " -d '" + replaced(explanation(*option), {{'\'', "\\'"}}) + "'\n";
  }
  std::fputs(text.c_str(), stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  try {
    if (what == "man" && argc == 3) {
      write_manual(argv[2]);
    } else if (what == "bash" && argc == 2) {
      write_bash();
    } else if (what == "zsh" && argc == 2) {
      write_zsh();
    } else if (what == "fish" && argc == 2) {
      write_fish();
    } else {
      std::fprintf(stderr, "usage: emucc-texts man TEMPLATE | bash | zsh | fish\n");
      return 2;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "emucc-texts: %s\n", error.what());
    return 1;
  }
  return 0;
}
