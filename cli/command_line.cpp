#include "command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <utility>

#include "host/errors.hpp"
#include "measure_options.hpp"
#include "picture.hpp"

namespace course::tool {
namespace {

bool asks_for_help(const std::string& argument) {
  return argument == "--help" || argument == "-h";
}

/// Commands that are followed by a chapter.
bool takes_chapter(const std::string& command) {
  return command == "run" || command == "traffic" || command == "picture";
}

/// How many of the arguments are ours. What follows belongs to ctest, to a chapter, to the bench or
/// to the grader, and CLI11 must not look at it: its words could be commands of ours, its options
/// options of ours.
std::size_t own_arguments(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return 0;
  if (arguments[0] == "tour" || arguments[0] == "test" || arguments[0] == "measure" ||
      arguments[0] == "emucc" || arguments[0] == "grade") {
    return 1;
  }
  if (takes_chapter(arguments[0])) return std::min<std::size_t>(arguments.size(), 2);
  return arguments.size();
}

bool names_help(const std::string& word) {
  return word == "help" || asks_for_help(word);
}

/// Whether the words ask for our help. Where they belong to a chapter, to ctest or to emucc, only
/// the first can; a tour's options go to several chapters, of which no one could answer.
bool wants_help(const std::vector<std::string>& arguments) {
  if (arguments.empty() || names_help(arguments[0])) return true;
  const bool passes_on =
      takes_chapter(arguments[0]) || arguments[0] == "test" || arguments[0] == "emucc";
  const auto first = arguments.begin() + 1;
  const auto end = passes_on && first != arguments.end() ? first + 1 : arguments.end();
  return std::any_of(first, std::find(first, end, "--"), asks_for_help);
}

/// What a refusal ends with.
std::string see_help(const std::string& command) {
  const bool is_command =
      !command.empty() &&
      command.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos;
  return " (see ./course " + (is_command ? command + " " : "") + "--help)";
}

/// Takes an option that is ours out of a chapter's. What follows `--` is not looked at.
bool take(const std::string& option, std::vector<std::string>& options) {
  const auto dashes = std::find(options.begin(), options.end(), "--");
  const auto rest = std::remove(options.begin(), dashes, option);
  const bool found = rest != dashes;
  options.erase(rest, dashes);
  return found;
}

/// What refuses --fast: what looks at each access.
[[noreturn]] void refuse_fast(const std::string& who, const std::string& advice) {
  throw Failure(who + " looks at each access, and --fast records none: " + advice, status_refused);
}

/// What CLI11 reads: `line` and `version` become what the words say.
void add_commands(CLI::App& app, CommandLine& line, bool& version) {
  using Command = CommandLine::Command;
  app.set_help_flag();
  app.add_flag("--version", version);
  app.require_subcommand(0, 1);
  const auto add = [&](const char* name, Command command) {
    CLI::App* const added = app.add_subcommand(name);
    added->set_help_flag();
    added->callback([&line, command] { line.command = command; });
    return added;
  };
  add("tour", Command::tour);
  add("test", Command::test);
  add("measure", Command::measure);
  add("emucc", Command::emucc);
  add("grade", Command::grade);
  CLI::App* const list = add("list", Command::list);
  CLI::Option* const part = list->add_option("part", line.chapter);
  list->add_flag("--all", line.all)->excludes(part);
  add("doctor", Command::doctor);
  for (const auto& [name, command] : {std::pair{"run", Command::run},
                                      {"traffic", Command::traffic},
                                      {"picture", Command::picture}}) {
    add(name, command)->add_option("chapter", line.chapter)->required();
  }
  for (const auto& [name, command] :
       {std::pair{"check", Command::check}, {"watch", Command::watch}}) {
    CLI::App* const added = add(name, command);
    added->add_option("exercise", line.chapter);
    if (command == Command::check) added->add_option("--json", line.json);
  }
  for (const auto& [name, command] : {std::pair{"hint", Command::hint},
                                      {"reset", Command::reset},
                                      {"solution", Command::solution},
                                      {"build-exercise", Command::build_exercise}}) {
    CLI::App* const added = add(name, command);
    added->add_option("exercise", line.chapter)->required();
    if (command == Command::hint) added->add_flag("--again", line.again);
    if (command == Command::solution) added->add_flag("--anyway", line.anyway);
  }
  CLI::App* const made = add("new-exercise", Command::new_exercise);
  made->add_option("id", line.chapter)->required();
  made->add_option("name", line.name)->required();
}

}  // namespace

std::vector<std::string> options_of(const std::string& command) {
  std::vector<std::string> names;
  if (command == "run") names = {"--fast"};
  if (command == "picture") names = picture_options();
  if (command == "measure") names = measure::measure_options();
  CLI::App app;
  CommandLine line;
  bool version = false;
  add_commands(app, line, version);
  const auto is_it = [&](const CLI::App* one) { return one->get_name() == command; };
  for (const CLI::App* const own : app.get_subcommands(is_it)) {
    for (const CLI::Option* const option : own->get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

CommandLine parse_command_line(const std::vector<std::string>& words) {
  using Command = CommandLine::Command;
  CommandLine line;
  std::vector<std::string> arguments = words;
  if (!arguments.empty() && arguments[0] == "picture")
    line.timeline = take("--timeline", arguments);
  if (wants_help(arguments)) {
    if (!arguments.empty() && !names_help(arguments[0])) line.topic = arguments[0];
    if (arguments.size() > 1 && names_help(arguments[0])) line.topic = arguments[1];
    return line;
  }
  const auto end_of_own = arguments.begin() + static_cast<std::ptrdiff_t>(own_arguments(arguments));
  line.pass_on.assign(end_of_own, arguments.end());
  if (arguments[0] == "picture") {
    const auto dashes = std::find(line.pass_on.begin(), line.pass_on.end(), "--");
    line.picture.assign(line.pass_on.begin(), dashes);
    line.pass_on.erase(line.pass_on.begin(), dashes == line.pass_on.end() ? dashes : dashes + 1);
    if (std::any_of(line.picture.begin(), line.picture.end(), asks_for_help)) {
      line.topic = arguments[0];
      return line;
    }
    const bool is_file = std::any_of(arguments.begin(), end_of_own, names_timeline);
    if (!is_file && line.pass_on.empty()) line.pass_on = take_chapter_options(line.picture);
  }
  if (takes_chapter(arguments[0])) {
    const bool fast = take("--fast", line.pass_on) || take("--fast", line.picture);
    if (fast && arguments[0] != "run") refuse_fast(arguments[0], "leave --fast away");
    const auto& options = line.pass_on;
    if (fast && std::find(options.begin(), options.end(), "--traffic") != options.end()) {
      refuse_fast("--traffic", "choose one of them");
    }
    line.fast = fast;
  }
  const auto& rest = line.pass_on;
  if (arguments[0] == "tour" && std::find(rest.begin(), rest.end(), "--fast") != rest.end()) {
    refuse_fast("the tour", "leave --fast away");
  }

  CLI::App app("CUDA, step by step", "course");
  bool version = false;
  add_commands(app, line, version);
  if (std::find(arguments.begin(), end_of_own, "") != end_of_own) {
    throw Failure(arguments[0] + ": an argument is empty, ''" + see_help(arguments[0]),
                  status_refused);
  }
  try {
    std::vector<std::string> own(arguments.begin(), end_of_own);
    std::reverse(own.begin(), own.end());  // CLI11 takes them from the end
    app.parse(own);
  } catch (const CLI::RequiredError&) {
    if (arguments[0] == "new-exercise") {
      throw Failure("new-exercise wants an id and a name: ./course new-exercise 05c row_sums",
                    status_refused);
    }
    const bool chapter = takes_chapter(arguments[0]);
    throw Failure(arguments[0] + (chapter ? " wants a chapter" : " wants an exercise") +
                      ": ./course " + arguments[0] + (line.timeline ? " --timeline" : "") +
                      (chapter ? " 01" : " 01a") + " (./course list --all names them)",
                  status_refused);
  } catch (const CLI::ParseError& error) {
    std::string text = error.what();
    std::replace(text.begin(), text.end(), '\n', ' ');
    throw Failure(text + see_help(arguments[0]), status_refused);
  }
  if (version) line.command = Command::version;
  if (line.command == Command::measure) {
    try {  // the bench will read them again; but a slip must not wait for it to be built
      measure::parse_measure_options(line.pass_on);
    } catch (const measure::BadOptions& bad) {
      throw Failure(std::string("measure: ") + bad.what() + see_help("measure"), status_refused);
    }
  }
  if (takes_chapter(arguments[0]) && line.chapter.starts_with('-')) {
    throw Failure(arguments[0] + " wants a chapter before its options: ./course " + arguments[0] +
                      " 01 " + line.chapter,
                  status_refused);
  }
  if (line.command == Command::picture) {
    check_picture_options(
        {line.timeline ? Picture::Subject::timeline : Picture::Subject::accesses, line.picture});
  }
  return line;
}

}  // namespace course::tool
