#include "measure_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace course::measure {
namespace {

void add_options(CLI::App& app, MeasureOptions& options) {
  app.set_help_flag();
  app.add_option("--out", options.out);
  app.add_option("--repeat", options.repeat);
  app.add_flag("--quick", options.quick);
  app.add_option("--chapter", options.chapters)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--random", options.random);
  app.add_option("--seed", options.seed)->check(CLI::NonNegativeNumber);
}

}  // namespace

std::vector<std::string> measure_options() {
  CLI::App app;
  MeasureOptions options;
  add_options(app, options);
  std::vector<std::string> names;
  for (const CLI::Option* const option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

MeasureOptions parse_measure_options(const std::vector<std::string>& arguments) {
  MeasureOptions options;
  CLI::App app("Measures every kernel of the course on a GPU", "measure");
  add_options(app, options);
  try {
    std::vector<std::string> words(arguments);
    std::reverse(words.begin(), words.end());  // CLI11 takes them from the end
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    std::string text = error.what();
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < ' '; }, ' ');
    throw BadOptions(text);
  }
  if (app.count("--out") > 0 && options.out.empty()) {
    throw BadOptions("--out wants a file name");
  }
  if (options.repeat < 20 || options.repeat > 10000) {
    throw BadOptions("--repeat wants a whole number from 20 to 10000, got " +
                     std::to_string(options.repeat));
  }
  if (app.count("--random") > 0 && (options.random < 1 || options.random > 10000)) {
    throw BadOptions("--random wants a whole number from 1 to 10000, got " +
                     std::to_string(options.random));
  }
  if (app.count("--seed") > 0 && app.count("--random") == 0) {
    throw BadOptions("--seed is for shapes drawn at random: it wants --random");
  }
  if (app.count("--random") > 0 && options.quick) {
    throw BadOptions("--random draws shapes, and --quick takes the smallest: not both");
  }
  for (const std::string& chapter : options.chapters) {
    if (chapter.size() != 2 || chapter.find_first_not_of("0123456789") != std::string::npos) {
      throw BadOptions("--chapter wants a chapter's number, such as 06, got '" + chapter + "'");
    }
  }
  if (options.quick && app.count("--repeat") == 0) options.repeat = 20;
  return options;
}

}  // namespace course::measure
