#include "exercises/check.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include "exercises/check_json.hpp"
#include "exercises/next_step.hpp"
#include "exercises/parts.hpp"
#include "host/build.hpp"
#include "host/build_lock.hpp"
#include "host/characters.hpp"
#include "host/errors.hpp"
#include "host/exercises/hints.hpp"
#include "host/exercises/stub.hpp"
#include "host/files.hpp"

namespace course::tool {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

const std::string indent = "    ";  // of what a case has to say

void show_indented(const std::string& text, const Screen& screen) {
  std::istringstream lines(clean_utf8(text));
  for (std::string line; std::getline(lines, line);) {
    screen.out << (line.empty() ? "" : indent) << line << '\n';
  }
}

bool is_bad(const CaseResult& result) {
  return result.state != CaseState::passed && result.state != CaseState::skipped;
}

void show_case(const CaseResult& result, const Screen& screen) {
  std::string word;
  switch (result.state) {
    case CaseState::passed:
      word = screen.green("passed ");
      break;
    case CaseState::skipped:
      word = screen.yellow("skipped");
      break;
    case CaseState::failed:
    case CaseState::crashed:
      word = screen.red("FAILED ");
      break;
    case CaseState::not_run:
    case CaseState::not_judged:
      word = screen.red("not run");
      break;
  }
  screen.out << word << "  " << result.name << '\n';
  if (!is_bad(result)) show_indented(result.message, screen);
}

/// What makes messages the same: for which data no kernel was launched does not matter.
std::string gist(const std::string& message) {
  const std::size_t at = message.find("no kernel was launched");
  return at == std::string::npos ? message : message.substr(at);
}

/// A message without the emulator's remark that a finding was described above: the first failure,
/// which has the description, is shown below.
std::string without_above(std::string message) {
  const std::string remark = ", as described above";
  for (std::size_t at = 0; (at = message.find(remark, at)) != std::string::npos;) {
    message.erase(at, remark.size());
  }
  return message;
}

/// A message's first line; or two, if the first only says of which data the second speaks.
std::string beginning(const std::string& message) {
  std::size_t end = std::min(message.find('\n'), message.size());
  std::string text = message.substr(0, end);
  if (text.ends_with(':') && end < message.size()) {
    const std::size_t next = message.find('\n', end + 1);
    text += ' ' + message.substr(end + 1, next == std::string::npos ? next : next - end - 1);
  }
  return text;
}

/// Whether a message stays on a small screen together with what is said after it. Where there is no
/// screen it does.
bool stays_in_view(const std::string& message, std::size_t width) {
  if (width == any_width) return true;
  constexpr std::size_t room = 13;  // of 24 lines
  const std::string shown = wrapped(message, width - std::min(indent.size(), width / 2));
  return static_cast<std::size_t>(std::count(shown.begin(), shown.end(), '\n')) < room;
}

/// What the cases that failed have to say: the same text once, and the first of them last, where it
/// stays on the screen.
void show_failures(const std::vector<CaseResult>& cases, const Screen& screen) {
  std::vector<std::pair<std::string, std::vector<std::string>>> said;  // a message, and whose it is
  for (const CaseResult& one : cases) {
    if (!is_bad(one) || one.message.empty()) continue;
    auto known = std::find_if(said.begin(), said.end(), [&](const auto& entry) {
      return gist(entry.first) == gist(one.message);
    });
    if (known == said.end()) known = said.insert(said.end(), {one.message, {}});
    known->second.push_back(one.name);
  }
  if (said.empty()) return;
  std::rotate(said.begin(), said.begin() + 1, said.end());
  for (const auto& [message, names] : said) {
    const std::size_t others = names.size() - 1;
    screen.out << '\n' << screen.bold(names.front());
    if (others > 0) screen.out << " (and " << others << (others == 1 ? " other" : " others") << ')';
    screen.out << '\n';
    show_indented(without_above(message), screen);
  }
}

std::string summary_of(const CheckResult& result) {
  const std::size_t all = result.cases.size();
  const std::size_t bad = all - result.count(CaseState::passed) - result.count(CaseState::skipped);
  if (bad != 0) return std::to_string(bad) + " of " + std::to_string(all) + " cases failed";
  const std::size_t skipped = result.count(CaseState::skipped);
  if (skipped == all) return "no case could be run here";
  const std::string text = (all == 1 ? "its case" : "all " + std::to_string(all) + " cases");
  return skipped == 0 ? text + " passed"
                      : std::to_string(all - skipped) + " cases passed, " +
                            std::to_string(skipped) + " skipped";
}

/// What the cases that passed are worth; nothing where that is not known.
std::optional<int> points_of_cases(const Exercise& exercise, const CheckResult& result) {
  if (exercise.case_points.size() != exercise.cases.size()) return std::nullopt;
  int points = 0;
  for (const CaseResult& one : result.cases) {
    if (one.state == CaseState::passed) points += case_points(exercise, one.name).value_or(0);
  }
  return points;
}

/// "is still as handed out: line 12 says TODO", or nothing.
bool tell_if_untouched(const Checkout& checkout, const Exercise& exercise, const std::string& text,
                       const Screen& screen) {
  if (text != stub_text(exercise)) return false;
  screen.out << path_in_checkout(checkout, exercise.source()) << " is still as handed out";
  // A comment that begins with it, as opposed to one that speaks of it.
  if (const auto line = line_with(text, "// TODO"))
    screen.out << ": line " << *line << " says TODO";
  screen.out << ".\n";
  return true;
}

/// Compiles and runs; shows all of it.
CheckVerdict run_checks(const Checkout& checkout, const ExerciseList& list,
                        const Exercise& exercise, const Screen& screen,
                        const TickHandler& while_checking) {
  CheckVerdict verdict;
  if (const auto problem = source_problem(checkout, exercise)) {
    screen.out << *problem << '\n';
    verdict.messages = {*problem};
    verdict.summary = "nothing to check";
    return verdict;
  }
  const std::filesystem::path folder = student_folder(checkout, exercise);
  const BuildLock lock = BuildLock::of_folder(student_folder(checkout, exercise), screen.progress);
  screen.progress.begin("compiling " + path_in_checkout(checkout, exercise.source()));
  const TickHandler tick = [&](milliseconds elapsed) {
    screen.progress.update(duration_text(elapsed));
    if (while_checking) while_checking(elapsed);
  };
  const CompileResult made =
      make_check_program(checkout, list, exercise, exercise.source(), folder, tick);
  screen.progress.done();
  for (const std::string& line : made.messages) screen.out << clean_utf8(line) << '\n';
  verdict.messages = made.messages;
  if (!made.ok()) {
    verdict.summary = made.stopped_at == CompileResult::Step::compiling ? "it does not compile"
                                                                        : "it cannot be linked";
    return verdict;
  }
  if (!made.messages.empty()) screen.out << '\n';

  screen.progress.begin("checking " + exercise.name);
  CheckRun run;
  run.environment = {{"COURSE_CHECK_SOURCE", path_in_checkout(checkout, exercise.source())},
                     {"COURSE_CHECK_MODEL", ""}};
  // What the emulator finds is to fit, indented as it will be.
  if (screen.width != any_width) {
    run.environment.emplace_back("COLUMNS", std::to_string(screen.width - indent.size()));
  }
  run.on_tick = tick;
  const CheckResult result = run_check_program(checkout, exercise, folder / "check", folder, run);
  screen.progress.done();
  for (const CaseResult& one : result.cases) show_case(one, screen);
  show_failures(result.cases, screen);
  const auto first = std::find_if(result.cases.begin(), result.cases.end(), is_bad);
  if (first != result.cases.end() && !stays_in_view(first->message, screen.width)) {
    verdict.first_failure = first->name + ": " + beginning(first->message);
  }
  verdict.solved = result.passed();
  verdict.points = points_of_cases(exercise, result);
  verdict.summary = summary_of(result);
  verdict.cases = result.cases;
  return verdict;
}

std::string hints_left(const Exercise& exercise, const ExerciseRecord& work) {
  const std::size_t all = parse_hints(read_file(exercise.hints()).value_or("")).size();
  const std::size_t seen = std::min(all, static_cast<std::size_t>(work.hints));
  const std::string command = "./course hint " + exercise.id;
  if (seen < all) {
    return command + "   (" + std::to_string(all - seen) + " of " + std::to_string(all) + " left)";
  }
  return command + " --again   (all seen; the model solution: ./course solution " + exercise.id +
         (work.attempts == 0 ? " --anyway)" : ")");
}

}  // namespace

std::optional<int> case_points(const Exercise& exercise, const std::string& name) {
  const auto at = std::find(exercise.cases.begin(), exercise.cases.end(), name);
  if (at == exercise.cases.end() || exercise.case_points.size() != exercise.cases.size()) {
    return std::nullopt;
  }
  return exercise.case_points[static_cast<std::size_t>(at - exercise.cases.begin())];
}

void build_checks(const Checkout& checkout, const Exercise& exercise, const Screen& screen) {
  const BuildOutcome build = build_target(checkout, exercise.target, screen.progress);
  if (build.ok) return;
  for (const std::string& line : build.errors) screen.err << line << '\n';
  throw Failure(
      "the checks of " + exercise.id +
      " could not be built, which is not your fault; the whole log: " + shown_path(build.log));
}

CheckVerdict check_exercise(const Checkout& checkout, const ExerciseList& list,
                            const Exercise& exercise, const Screen& screen,
                            const TickHandler& while_checking) {
  build_checks(checkout, exercise, screen);
  screen.out << screen.bold(exercise.id + "  " + exercise.title) << '\n';
  const auto start = Clock::now();
  // What is judged is what was there when the compiler came, or a moment before.
  const std::string text = read_file(exercise.source()).value_or("");
  const bool as_handed_out = tell_if_untouched(checkout, exercise, text, screen);
  screen.out << '\n' << std::flush;
  CheckVerdict verdict = run_checks(checkout, list, exercise, screen, while_checking);
  verdict.as_handed_out = as_handed_out;
  verdict.took = std::chrono::duration_cast<milliseconds>(Clock::now() - start);
  change_student_record(checkout, screen.err, [&](StudentRecord& record) {
    if (!text.empty()) note_attempt(record, exercise, text);
    record.latest = exercise.name;
    if (verdict.points || record.work.contains(exercise.name)) {
      record.work[exercise.name].points = verdict.points.value_or(0);
    }
    if (!verdict.solved) return;
    record.work[exercise.name].solved = true;
    verdict.congratulation = congratulation(list, exercise, record);
  });
  screen.out << std::flush;
  return verdict;
}

void tell_what_next(const Checkout& checkout, const ExerciseList& list, const Exercise& exercise,
                    const CheckVerdict& verdict, const Screen& screen, bool watched) {
  const StudentRecord record = read_student_record(checkout, screen.err);
  const std::string& id = exercise.id;
  std::ostream& out = screen.out;
  if (!verdict.solved) {
    out << '\n'
        << screen.red(id + " is not solved yet") << ": " << verdict.summary
        << (verdict.points ? "; " + std::to_string(*verdict.points) + " of " +
                                 std::to_string(exercise.points) + " points"
                           : "")
        << ".\n";
    if (!verdict.first_failure.empty()) out << "The first: " << verdict.first_failure << '\n';
    if (!watched) out << "So far: " << so_far(list, record) << ".\n";
    out << "\n  what is asked   " << path_in_checkout(checkout, exercise.handout()) << '\n'
        << "  a hint          " << hints_left(exercise, record.of(exercise)) << '\n';
    if (!watched) {
      out << "  once more       ./course check " << id << ", or whenever you save: ./course watch "
          << id << '\n';
    }
    out << std::flush;
    return;
  }
  out << '\n'
      << screen.green(id + " is solved") << ": " << verdict.summary << "; " << exercise.points
      << " points.\nSo far: " << so_far(list, record) << ".\n\n"
      << "  to compare      ./course solution " << id << '\n';
  if (const Exercise* const next = first_unsolved(meant_exercises(list, ""), record, &exercise)) {
    out << "  next            " << next->id << ", " << next->title << ": "
        << path_in_checkout(checkout, next->handout()) << '\n';
  }
  if (!verdict.congratulation.empty()) {
    std::string text = verdict.congratulation;
    const std::size_t end = std::min(text.find('\n'), text.size());
    text = screen.bold(screen.green(text.substr(0, end))) + text.substr(end);
    out << '\n' << text;
  }
  out << std::flush;
}

int check_command(const Checkout& checkout, const ExerciseList& list, const std::string& wanted,
                  const Screen& screen, const std::string& json_file) {
  std::vector<const Exercise*> exercises = meant_exercises(list, wanted);
  if (wanted.empty()) {
    const Exercise* const next =
        where_to_go_on(exercises, read_student_record(checkout, screen.err));
    if (next == nullptr) {
      screen.out << "All " << exercises.size()
                 << " exercises are solved. ./course check 01a checks one again.\n";
      return status_ok;
    }
    exercises = {next};
  }
  std::size_t solved = 0;
  std::vector<CheckedExercise> checked;
  for (const Exercise* const exercise : exercises) {
    const CheckVerdict verdict = check_exercise(checkout, list, *exercise, screen);
    tell_what_next(checkout, list, *exercise, verdict, screen);
    solved += verdict.solved ? 1 : 0;
    checked.push_back({exercise, verdict});
    if (exercises.size() > 1) screen.out << '\n';
  }
  if (exercises.size() > 1) {
    // After a check of a chapter, the next is what is open in it.
    change_student_record(checkout, screen.err, [&](StudentRecord& record) {
      const Exercise* const open = first_unsolved(exercises, record);
      record.latest = (open == nullptr ? exercises.back() : open)->name;
    });
    screen.out << solved << " of " << exercises.size() << " exercises of chapter "
               << exercises.front()->chapter << " are solved.\n";
  }
  screen.out << std::flush;
  if (!json_file.empty() && !write_file(json_file, check_json(checkout, checked))) {
    throw Failure("cannot write " + json_file, status_refused);
  }
  return solved == exercises.size() ? status_ok : status_failed;
}

}  // namespace course::tool
