#include "grader/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>

#include "host/errors.hpp"

namespace course::tool::grading {
namespace {

/// For an option that wants a whole number from 0 on. CLI11 takes "-1" and numbers of many digits
/// for others, or says at length what it can do.
CLI::Validator whole_number(std::uint64_t most) {
  return CLI::Validator(
      [most](const std::string& text) {
        std::uint64_t number = 0;
        const char* const end = text.data() + text.size();
        const auto [rest, error] = std::from_chars(text.data(), end, number);
        if (error == std::errc() && rest == end && number <= most) return std::string();
        return "wants a whole number from 0 to " + std::to_string(most) + ", got '" + text + "'";
      },
      "");
}

/// For an option that wants a name. An empty one is a variable of the shell's that is not set; it
/// must not pass for an option that was not given.
CLI::Validator some_name() {
  return CLI::Validator(
      [](const std::string& text) {
        return text.empty() ? std::string("wants a name, got nothing: is a variable not set?")
                            : std::string();
      },
      "");
}

void add_options(CLI::App& app, GradeOptions& options) {
  app.add_option("exercise", options.exercises)->check(some_name());
  CLI::Option* const submission =
      app.add_option("--submission", options.submission)->check(some_name());
  CLI::Option* const folder = app.add_option("--class", options.class_folder)->check(some_name());
  CLI::Option* const json = app.add_option("--json", options.json)->check(some_name());
  CLI::Option* const junit = app.add_option("--junit", options.junit)->check(some_name());
  app.add_option("--seed", options.seed)
      ->check(whole_number(std::numeric_limits<std::uint64_t>::max()));
  app.add_option("--time-limit", options.time_limit)->check(CLI::Range(1, 3600));
  app.add_option("--allow", options.allow)
      ->expected(1)
      ->check(some_name())
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  CLI::Option* const trust = app.add_flag("--trust", options.trust);
  app.add_flag("--without-witness", options.without_witness);
  CLI::Option* const min_points = app.add_option("--min-points", options.min_points)
                                      ->check(whole_number(std::numeric_limits<int>::max()));
  app.add_option("--out", options.out)->check(some_name())->needs(folder);
  app.add_option("--jobs", options.jobs)->check(CLI::Range(1, 1024))->needs(folder);
  app.add_flag("--again", options.again)->needs(folder);
  app.add_option("--roster", options.roster)->check(some_name())->needs(folder);
  app.add_option("--deadlines", options.deadlines)->check(some_name())->needs(folder);
  app.add_option("--shard", options.shard)
      ->needs(folder)
      ->check(CLI::Validator(
          [](const std::string& text) {
            return shard_of(text) ? std::string()
                                  : std::string("wants a part of the class, as 2/8");
          },
          ""));
  folder->excludes(submission)->excludes(json);
  CLI::Option* const gradescope =
      app.add_option("--gradescope", options.gradescope)->check(some_name());
  for (CLI::Option* const other : {folder, submission, json, junit, min_points, trust}) {
    gradescope->excludes(other);
  }
}

}  // namespace

std::optional<Shard> shard_of(const std::string& text) {
  Shard shard;
  const char* const end = text.data() + text.size();
  const auto [slash, wrong] = std::from_chars(text.data(), end, shard.number);
  if (wrong != std::errc() || slash == end || *slash != '/') return std::nullopt;
  const auto [last, wrong_too] = std::from_chars(slash + 1, end, shard.of);
  if (wrong_too != std::errc() || last != end) return std::nullopt;
  if (shard.number < 1 || shard.number > shard.of) return std::nullopt;
  return shard;
}

std::vector<std::string> grade_options() {
  CLI::App app;
  app.set_help_flag();
  GradeOptions options;
  add_options(app, options);
  std::vector<std::string> names;
  for (const CLI::Option* const option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

GradeOptions parse_grade_options(const std::vector<std::string>& words) {
  GradeOptions options;
  CLI::App app("", "course grade");
  app.set_help_flag();
  add_options(app, options);
  try {
    std::vector<std::string> reversed(words.rbegin(), words.rend());  // CLI11 takes from the end
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    std::string text = error.what();
    std::replace(text.begin(), text.end(), '\n', ' ');
    throw Failure(text + " (see ./course grade --help)", status_refused);
  }
  return options;
}

}  // namespace course::tool::grading
