#include "exercises/exercise_commands.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>
#include <system_error>

#include "console/table.hpp"
#include "exercises/next_step.hpp"
#include "host/build_lock.hpp"
#include "host/errors.hpp"
#include "host/exercises/check_program.hpp"
#include "host/exercises/hints.hpp"
#include "host/exercises/stub.hpp"
#include "host/files.hpp"

namespace course::tool {
namespace {

namespace fs = std::filesystem;

std::vector<Hint> read_hints(const Exercise& exercise) {
  const auto text = read_file(exercise.hints());
  const std::vector<Hint> hints = text ? parse_hints(*text) : std::vector<Hint>{};
  if (hints.empty()) throw Failure("there are no hints for " + exercise.id);
  return hints;
}

void show_hint(const std::vector<Hint>& hints, std::size_t k, const Screen& screen) {
  std::string heading = "Hint " + std::to_string(k + 1) + " of " + std::to_string(hints.size());
  if (!hints[k].title.empty()) heading += ": " + hints[k].title;
  const std::string& text = hints[k].text;
  screen.out << screen.bold(heading) << "\n\n"
             << (screen.width == any_width ? text : with_whole_paragraphs(text)) << '\n';
}

/// A name for the student's version of now that none has yet.
fs::path name_to_keep(const Checkout& checkout, const Exercise& exercise) {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  localtime_r(&now, &parts);
  std::array<char, 32> date{};
  std::strftime(date.data(), date.size(), "%Y-%m-%d-%H%M%S", &parts);
  const fs::path folder = student_record_folder(checkout, true) / "kept";
  const std::string stem = exercise.name + '-' + date.data();
  const std::string ending = fs::path(exercise.file).extension().string();
  fs::path file = folder / (stem + ending);
  std::error_code error;
  for (int k = 2; fs::exists(file, error); ++k) {
    file = folder / (stem + '-' + std::to_string(k) + ending);
  }
  return file;
}

}  // namespace

int build_exercise(const Checkout& checkout, const ExerciseList& list, const Exercise& exercise,
                   const Screen& screen) {
  const fs::path folder = student_folder(checkout, exercise);
  const BuildLock lock = BuildLock::of_folder(student_folder(checkout, exercise), screen.progress);
  if (const auto problem = source_problem(checkout, exercise)) {
    std::error_code ignored;
    fs::remove(folder / "check", ignored);
    screen.out << *problem << '\n';
    return exercise.lacks.empty() ? status_failed : status_skipped;
  }
  const std::string text = read_file(exercise.source()).value_or("");
  const CompileResult made =
      make_check_program(checkout, list, exercise, exercise.source(), folder);
  for (const std::string& line : made.messages) screen.out << line << '\n';
  // A check by ctest is an attempt too; whether it went well it does not tell us.
  if (text != stub_text(exercise)) {
    change_student_record(checkout, screen.err,
                          [&](StudentRecord& record) { note_attempt(record, exercise, text); });
  }
  return made.ok() ? status_ok : status_failed;
}

int hint_command(const Checkout& checkout, const Exercise& exercise, bool again,
                 const Screen& screen) {
  const std::vector<Hint> hints = read_hints(exercise);
  const int seen = read_student_record(checkout, screen.err).of(exercise).hints;
  const auto shown = std::min(hints.size(), static_cast<std::size_t>(seen));
  const std::string command = "./course hint " + exercise.id;
  if (again) {
    for (std::size_t k = 0; k < shown; ++k) {
      if (k > 0) screen.out << '\n';
      show_hint(hints, k, screen);
    }
    if (shown == 0) screen.out << "No hint was shown yet: " << command << " shows the first.\n";
    screen.out << std::flush;
    return status_ok;
  }
  if (shown == hints.size()) {
    screen.out << "You have seen all " << hints.size() << " hints for " << exercise.id << ": "
               << command << " --again shows them once more, and ./course solution " << exercise.id
               << " --anyway the model solution.\n"
               << std::flush;
    return status_ok;
  }
  show_hint(hints, shown, screen);
  change_student_record(checkout, screen.err, [&](StudentRecord& record) {
    record.work[exercise.name].hints = static_cast<int>(shown) + 1;
  });
  if (shown + 1 == hints.size()) {
    screen.out << "\nThat was the last one. If it does not help, ./course solution " << exercise.id
               << " --anyway shows the model solution.\n";
  } else {
    screen.out << "\nTry with that first; then " << command << " shows the next one.\n";
  }
  screen.out << std::flush;
  return status_ok;
}

int reset_command(const Checkout& checkout, const Exercise& exercise, const Screen& screen) {
  const std::string stub = read_stub(exercise.model());
  const fs::path source = exercise.source();
  const std::string shown = path_in_checkout(checkout, source);
  std::error_code error;
  if (fs::is_directory(source, error)) {
    throw Failure(shown + " is a folder: move it away first", status_refused);
  }
  const auto text = read_file(source);
  if (text == stub) {
    screen.out << shown << " is as handed out: there is nothing to reset.\n" << std::flush;
    return status_ok;
  }
  if (text) {
    const fs::path kept = name_to_keep(checkout, exercise);
    if (!write_file(kept, *text)) {
      throw Failure("cannot write " + shown_path(kept) +
                    ", where your version was to be kept: " + "nothing was changed");
    }
    screen.out << "Your version is kept in " << shown_path(kept) << ".\n";
  } else if (fs::exists(source, error)) {
    throw Failure(shown + " cannot be read, so that it cannot be kept: nothing was changed");
  }
  if (!write_file(source, stub)) throw Failure("cannot write " + shown);
  screen.out << shown << " is as handed out again.\n" << std::flush;
  return status_ok;
}

int solution_command(const Checkout& checkout, const Exercise& exercise, bool anyway,
                     const Screen& screen) {
  const ExerciseRecord work = read_student_record(checkout, screen.err).of(exercise);
  if (!anyway && !work.solved && work.attempts == 0) {
    throw Failure(exercise.id + " was not tried yet: ./course check " + exercise.id +
                  " judges a first attempt, ./course hint " + exercise.id +
                  " helps with it, and --anyway shows the solution now");
  }
  const std::string text = read_solution(exercise.model());
  screen.err << "The model solution of " << exercise.id << ", made from "
             << path_in_checkout(checkout, exercise.model()) << ":\n\n"
             << std::flush;
  screen.out << text << std::flush;
  return status_ok;
}

std::string exercise_table(const ExerciseList& list, const StudentRecord& record,
                           const Screen& screen) {
  if (list.exercises.empty()) return "";
  Table table({{"exercise", Align::left},
               {"", Align::left},
               {"points", Align::right},
               {"attempts", Align::right, 1},
               {"hints", Align::right, 2},
               {"title", Align::left}});
  for (const Exercise& exercise : list.exercises) {
    const ExerciseRecord work = record.of(exercise);
    const auto count = [](int number) { return number == 0 ? "" : std::to_string(number); };
    const std::string state = work.solved         ? screen.green("solved")
                              : work.attempts > 0 ? screen.yellow("tried")
                                                  : "";
    const int points = points_of(exercise, work);
    const bool is_new = !work.solved && work.attempts == 0;
    table.add({exercise.name, state,
               (is_new ? "-" : std::to_string(points)) + " of " + std::to_string(exercise.points),
               count(work.attempts), count(work.hints), exercise.title});
  }
  return table.text(screen.width) + so_far(list, record) + ".\n";
}

}  // namespace course::tool
