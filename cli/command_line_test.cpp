#include "command_line.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "host/errors.hpp"

using namespace course::tool;
using Command = CommandLine::Command;
using Words = std::vector<std::string>;

TEST_CASE("commands are told apart, and no command asks for help") {
  CHECK(parse_command_line({}).command == Command::help);
  CHECK(parse_command_line({"--help"}).command == Command::help);
  CHECK(parse_command_line({"-h"}).command == Command::help);
  CHECK(parse_command_line({"help"}).command == Command::help);
  CHECK(parse_command_line({"--version"}).command == Command::version);
  CHECK(parse_command_line({"tour"}).command == Command::tour);
  CHECK(parse_command_line({"test"}).command == Command::test);
  CHECK(parse_command_line({"measure"}).command == Command::measure);
  CHECK(parse_command_line({"list"}).command == Command::list);
  CHECK(parse_command_line({"doctor"}).command == Command::doctor);
  CHECK(parse_command_line({"run", "01"}).command == Command::run);
  CHECK(parse_command_line({"run", "01"}).chapter == "01");
  CHECK(parse_command_line({"traffic", "01"}).command == Command::traffic);
  CHECK(parse_command_line({"traffic", "01"}).chapter == "01");
  CHECK(parse_command_line({"picture", "01"}).command == Command::picture);
  CHECK(parse_command_line({"picture", "01"}).chapter == "01");
}

TEST_CASE("the commands of exercises take one, and some can do without") {
  CHECK(parse_command_line({"check"}).command == Command::check);
  CHECK(parse_command_line({"check"}).chapter == "");
  CHECK(parse_command_line({"check", "01a"}).chapter == "01a");
  CHECK(parse_command_line({"check", "01a", "--json", "a.json"}).json == "a.json");
  CHECK(parse_command_line({"watch"}).command == Command::watch);
  CHECK(parse_command_line({"watch", "01"}).chapter == "01");
  CHECK(parse_command_line({"hint", "01a"}).command == Command::hint);
  CHECK_FALSE(parse_command_line({"hint", "01a"}).again);
  CHECK(parse_command_line({"hint", "01a", "--again"}).again);
  CHECK(parse_command_line({"hint", "--again", "01a"}).chapter == "01a");
  CHECK(parse_command_line({"reset", "01a"}).command == Command::reset);
  CHECK(parse_command_line({"solution", "01a"}).command == Command::solution);
  CHECK_FALSE(parse_command_line({"solution", "01a"}).anyway);
  CHECK(parse_command_line({"solution", "01a", "--anyway"}).anyway);
  CHECK(parse_command_line({"build-exercise", "01a"}).command == Command::build_exercise);
  const CommandLine made = parse_command_line({"new-exercise", "05c", "row_sums"});
  CHECK(made.command == Command::new_exercise);
  CHECK(made.chapter == "05c");
  CHECK(made.name == "row_sums");
  CHECK(parse_command_line({"check", "--help"}).command == Command::help);
  try {
    parse_command_line({"hint"});
    FAIL_CHECK("accepted");
  } catch (const Failure& failure) {
    CHECK(std::string(failure.what()) ==
          "hint wants an exercise: ./course hint 01a (./course list --all names them)");
  }
  CHECK_THROWS_WITH_AS(parse_command_line({"new-exercise", "05c"}),
                       "new-exercise wants an id and a name: ./course new-exercise 05c row_sums",
                       Failure);
}

TEST_CASE("what belongs to ctest or a chapter passes through as it is") {
  const Words strange{"-L", "tour", "--", "--version", "run", "-j1", "", "a b", "--size=-4"};
  const auto with = [&](Words words) {
    words.insert(words.end(), strange.begin(), strange.end());
    return parse_command_line(words);
  };
  CHECK(with({"test"}).command == Command::test);
  CHECK(with({"test"}).pass_on == strange);
  CHECK(with({"tour"}).command == Command::tour);
  CHECK(with({"tour"}).pass_on == strange);
  CHECK(with({"run", "02"}).chapter == "02");
  CHECK(with({"run", "02"}).pass_on == strange);
  CHECK(with({"traffic", "02"}).command == Command::traffic);
  CHECK(with({"traffic", "02"}).pass_on == strange);
}

TEST_CASE("--timeline stands before or behind what is drawn, but not among its own options") {
  for (const Words& words : {Words{"picture", "--timeline", "run.json", "--to", "9"},
                             Words{"picture", "run.json", "--timeline", "--to", "9"},
                             Words{"picture", "run.json", "--to", "9", "--timeline"}}) {
    const CommandLine line = parse_command_line(words);
    CHECK(line.timeline);
    CHECK(line.chapter == "run.json");
    CHECK(line.picture == Words{"--to", "9"});
  }
  const CommandLine own = parse_command_line({"picture", "02", "--", "--timeline"});
  CHECK_FALSE(own.timeline);
  CHECK(own.pass_on == Words{"--timeline"});
}

TEST_CASE("the options of a picture end at --, and the chapter's follow") {
  const CommandLine both =
      parse_command_line({"picture", "02", "--line", "7", "--out=a b", "--", "--size", "--", "5"});
  CHECK(both.command == Command::picture);
  CHECK(both.picture == Words{"--line", "7", "--out=a b"});
  CHECK(both.pass_on == Words{"--size", "--", "5"});
  const CommandLine own = parse_command_line({"picture", "02", "--kind", "shared_load"});
  CHECK(own.picture == Words{"--kind", "shared_load"});
  CHECK(own.pass_on.empty());
  CHECK(parse_command_line({"picture", "02", "--", "--help"}).pass_on == Words{"--help"});
}

TEST_CASE("options that a picture does not know are the chapter's") {
  const CommandLine line = parse_command_line(
      {"picture", "--timeline", "15", "--only", "depth first", "--to", "9", "--chunks=8"});
  CHECK(line.timeline);
  CHECK(line.picture == Words{"--to", "9"});
  CHECK(line.pass_on == Words{"--only", "depth first", "--chunks=8"});
  CHECK(parse_command_line({"picture", "02", "--line", "7", "--size", "3"}).pass_on ==
        Words{"--size", "3"});
  CHECK(parse_command_line({"picture", "02", "--line", "7", "--json", "run.json"}).pass_on ==
        Words{"--json", "run.json"});
}

TEST_CASE("--fast is ours, wherever it stands among a chapter's options") {
  CHECK_FALSE(parse_command_line({"run", "02"}).fast);
  CHECK_FALSE(parse_command_line({"run", "02", "--size", "5"}).fast);
  const CommandLine first = parse_command_line({"run", "02", "--fast", "--size", "5"});
  CHECK(first.fast);
  CHECK(first.chapter == "02");
  CHECK(first.pass_on == Words{"--size", "5"});
  const CommandLine last = parse_command_line({"run", "02", "--size", "5", "--fast"});
  CHECK(last.fast);
  CHECK(last.pass_on == Words{"--size", "5"});
  const CommandLine not_ours = parse_command_line({"run", "02", "--", "--fast"});
  CHECK_FALSE(not_ours.fast);
  CHECK(not_ours.pass_on == Words{"--", "--fast"});
}

TEST_CASE("what looks at each access cannot be had --fast") {
  for (const auto& [words, says] :
       {std::pair{Words{"traffic", "02", "--fast"}, "traffic looks at each access"},
        {Words{"traffic", "01a", "--size", "5", "--fast"}, "traffic looks at each access"},
        {Words{"picture", "02", "--line", "5", "--fast"}, "picture looks at each access"},
        {Words{"picture", "02", "--line", "5", "--", "--fast"}, "picture looks at each access"},
        {Words{"run", "02", "--fast", "--traffic"}, "--traffic looks at each access"}}) {
    CAPTURE(words.back());
    try {
      parse_command_line(words);
      FAIL_CHECK("accepted");
    } catch (const Failure& failure) {
      CHECK(failure.status() == 2);
      CHECK(std::string(failure.what()).starts_with(says));
      CHECK(std::string(failure.what()).find('\n') == std::string::npos);
    }
  }
}

TEST_CASE("the options of measure pass through, once they are known to be good") {
  const CommandLine line = parse_command_line({"measure", "--quick", "--out", "a b.json"});
  CHECK(line.command == Command::measure);
  CHECK(line.pass_on == Words{"--quick", "--out", "a b.json"});
}

TEST_CASE("help for a command is our help, help for a chapter is the chapter's") {
  CHECK(parse_command_line({"tour", "--help"}).command == Command::help);
  CHECK(parse_command_line({"tour", "--size", "4", "--help"}).command == Command::help);
  CHECK(parse_command_line({"test", "--help"}).command == Command::help);
  CHECK(parse_command_line({"measure", "--quick", "--help"}).command == Command::help);
  CHECK(parse_command_line({"run", "--help"}).command == Command::help);
  CHECK(parse_command_line({"traffic", "--help"}).command == Command::help);
  CHECK(parse_command_line({"picture", "--help"}).command == Command::help);
  CHECK(parse_command_line({"picture", "01", "--line", "3", "-h"}).command == Command::help);
  CHECK(parse_command_line({"traffic", "01", "--help"}).pass_on == Words{"--help"});
  const CommandLine run = parse_command_line({"run", "01", "--help"});
  CHECK(run.command == Command::run);
  CHECK(run.pass_on == Words{"--help"});
}

TEST_CASE("a command line that cannot be obeyed is one line and status 2") {
  for (const Words& words : {Words{"tuor"},
                             Words{"--verbose"},
                             Words{"run"},
                             Words{"run", "--size"},
                             Words{"run", "--fast", "02"},
                             Words{"traffic"},
                             Words{"traffic", "--size", "3"},
                             Words{"picture"},
                             Words{"picture", "--line", "3"},
                             Words{"picture", "--timeline"},
                             Words{"picture", "--timeline", "02", "--line", "3"},
                             Words{"picture", "run.json", "--size", "3"},
                             Words{"picture", "01", "--line"},
                             Words{"list", "1", "2"},
                             Words{"hint"},
                             Words{"reset"},
                             Words{"solution"},
                             Words{"check", "01a", "01b"},
                             Words{"check", "--again"},
                             Words{"check", "01a", "--json"},
                             Words{"watch", "--fast"},
                             Words{"reset", "01a", "--anyway"},
                             Words{"hint", "01a", "--anyway"},
                             Words{"measure", "--fast"},
                             Words{"measure", "--repeat", "3"},
                             Words{"measure", "01"},
                             Words{"doctor", "--fast"},
                             Words{"list", "--all", "2"},
                             Words{""}}) {
    CAPTURE(words.front());
    try {
      parse_command_line(words);
      FAIL_CHECK("accepted");
    } catch (const Failure& failure) {
      CHECK(failure.status() == 2);
      CHECK(std::string(failure.what()).find('\n') == std::string::npos);
    }
  }
}

TEST_CASE("what is typed behind grade is read by the program that grades") {
  const CommandLine line = parse_command_line({"grade", "01a", "--json", "-", "--none"});
  CHECK(line.command == Command::grade);
  CHECK(line.pass_on == Words{"01a", "--json", "-", "--none"});
  CHECK(parse_command_line({"grade", "01a", "--help"}).topic == "grade");
}
