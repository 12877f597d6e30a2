#include "host/exercises/compiler_messages.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace course::tool {
namespace {

using Lines = std::vector<std::string>;

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Where in a file: g++'s "FILE:17:5: " or nvcc's "FILE(17): " at the start of a line.
bool starts_in(std::string_view line, std::string_view source) {
  if (!line.starts_with(source) || line.size() < source.size() + 2) return false;
  const char after = line[source.size()];
  const bool digit = std::isdigit(static_cast<unsigned char>(line[source.size() + 1])) != 0;
  return digit && (after == ':' || after == '(');
}

bool is_error(std::string_view line) {
  return contains(line, ": error: ") || contains(line, ": fatal error: ") ||
         contains(line, "): error #") || line.starts_with("ptxas fatal") ||
         line.starts_with("ptxas error") || contains(line, "emulator-compile: ");
}

bool is_warning(std::string_view line) {
  return contains(line, ": warning: ") || contains(line, "): warning #");
}

/// Lines that lead to a message: which function, which #include, which instantiation.
bool leads_in(std::string_view line) {
  if (line.starts_with("In file included from ") || line.starts_with("                 from ")) {
    return true;
  }
  for (const std::string_view phrase :
       {": In function ", ": In member function ", ": In static member function ",
        ": In constructor ", ": In destructor ", ": In lambda function", ": At global scope:",
        ": At top level:", ": In instantiation of ", ": In substitution of "}) {
    if (contains(line, phrase)) return true;
  }
  if (line.starts_with("Remark: The warnings can be suppressed")) return true;
  return line == "compilation terminated." || contains(line, " detected in the compilation of ");
}

Lines without_lead_ins(Lines::const_iterator begin, Lines::const_iterator end, std::size_t limit) {
  Lines kept;
  for (auto line = begin; line != end; ++line) {
    // What is translated for the emulator may be said twice.
    const bool again = is_error(*line) && std::find(kept.begin(), kept.end(), *line) != kept.end();
    if (!leads_in(*line) && !again) kept.push_back(*line);
  }
  while (!kept.empty() && kept.back().find_first_not_of(' ') == std::string::npos) kept.pop_back();
  if (kept.size() > limit) kept.resize(limit);
  return kept;
}

/// What is between the quotation marks of a linker's message: `name' or 'name'.
std::string quoted(const std::string& line, std::size_t from) {
  const std::size_t begin = line.find_first_of("`'", from);
  if (begin == std::string::npos) return "";
  const std::size_t end = line.find('\'', begin + 1);
  return end == std::string::npos ? "" : line.substr(begin + 1, end - begin - 1);
}

void add_once(Lines& lines, const std::string& line) {
  if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
}

std::string file_name(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);
}

constexpr std::string_view unnamed = "(anonymous namespace)::";

/// "launch(int)" and "course::launch(float)" have the same name.
std::string bare_name(std::string function) {
  if (function.starts_with(unnamed)) function.erase(0, unnamed.size());
  const std::string name = function.substr(0, function.find('('));
  const std::size_t colon = name.rfind(':');
  return colon == std::string::npos ? name : name.substr(colon + 1);
}

}  // namespace

Lines compiler_errors(const Lines& output, const std::string& source, std::size_t limit) {
  const auto own_error = std::find_if(output.begin(), output.end(), [&](const std::string& line) {
    return starts_in(line, source) && is_error(line);
  });
  if (own_error != output.end()) return without_lead_ins(own_error, output.end(), limit);
  auto first = std::find_if(output.begin(), output.end(), is_error);
  if (first == output.end()) {
    first = std::find_if(output.begin(), output.end(),
                         [](const std::string& line) { return contains(line, "rror"); });
  }
  if (first == output.end()) first = output.begin();
  // An error in a header: the student's line that asked for it comes before it.
  const auto error = first;
  while (first != output.begin() && !starts_in(*first, source)) --first;
  if (!starts_in(first == output.end() ? "" : *first, source)) first = error;
  return without_lead_ins(first, output.end(), limit);
}

Lines compiler_warnings(const Lines& output, std::size_t limit) {
  const auto first = std::find_if(output.begin(), output.end(), is_warning);
  return without_lead_ins(first, output.end(), limit);
}

Lines linker_errors(const Lines& output, const std::string& source, const std::string& object,
                    const Lines& defined) {
  Lines sentences;
  bool in_own_object = false;
  const std::string name = file_name(source);
  for (const std::string& line : output) {
    const bool names_object = contains(line, object) || contains(line, file_name(object) + ":");
    if (contains(line, ": in function `")) in_own_object = names_object;
    const std::size_t undefined = line.find("undefined reference to ");
    const std::size_t multiple = line.find("multiple definition of ");
    if (undefined != std::string::npos) {
      const std::string what = quoted(line, undefined);
      if (in_own_object || names_object || contains(line, source + ':')) {
        add_once(sentences, name + " calls `" + what +
                                "`, which is defined nowhere: was its name, " +
                                "or were its parameters, changed in one place only?");
        continue;
      }
      std::string sentence = name + " compiles, but the checks do not find `" + what +
                             "` in it: was its name or were its parameters changed?";
      const auto similar = std::find_if(defined.begin(), defined.end(), [&](const auto& function) {
        return bare_name(function) == bare_name(what);
      });
      if (similar != defined.end()) {
        const bool hidden = *similar == what || *similar == std::string(unnamed) + what;
        sentence += hidden ? " It must not be static, nor stand in an unnamed namespace."
                           : " It has `" + *similar + "`.";
      }
      add_once(sentences, sentence + " The handout shows them.");
    } else if (multiple != std::string::npos) {
      const std::string what = quoted(line, multiple);
      add_once(sentences,
               what == "main"
                   ? name + " has a main(), and the checks have theirs: take yours out"
                   : name + " defines `" + what +
                         "`, which the checks define too: give yours another name, or make it "
                         "static");
    }
  }
  if (!sentences.empty()) return sentences;
  const auto first = std::find_if(output.begin(), output.end(), [](const std::string& line) {
    return contains(line, "rror") || contains(line, "cannot find");
  });
  const auto begin = first == output.end() ? output.begin() : first;
  return without_lead_ins(begin, output.end(), 20);
}

std::vector<std::string> functions_among(const std::vector<std::string>& symbols) {
  std::vector<std::string> functions;
  for (const std::string& line : symbols) {
    const std::size_t kind = line.find_first_of("TtWw", line.find(' '));
    if (kind != std::string::npos && kind + 2 < line.size() && line.back() == ')') {
      functions.push_back(line.substr(kind + 2));
    }
  }
  return functions;
}

}  // namespace course::tool
