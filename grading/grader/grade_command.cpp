#include "grader/grade_command.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <system_error>
#include <thread>

#include "grader/class.hpp"
#include "grader/gradebook/gradebook.hpp"
#include "grader/grader.hpp"
#include "grader/gradescope.hpp"
#include "grader/report/report.hpp"
#include "grader/report/report_target.hpp"
#include "host/errors.hpp"
#include "host/files.hpp"
#include "host/json.hpp"

namespace course::tool::grading {
namespace {

namespace fs = std::filesystem;

/// Programs that read JSON may keep numbers as doubles, which hold no more bits exactly.
constexpr std::uint64_t most_seed_bits = (std::uint64_t{1} << 53) - 1;

std::uint64_t seed_by_chance() {
  std::random_device device;
  return ((std::uint64_t{device()} << 32) | device()) & most_seed_bits;
}

std::vector<const Exercise*> asked_for(const ExerciseList& list, const GradeOptions& options) {
  if (options.exercises.empty()) {
    std::vector<const Exercise*> graded = meant_exercises(list, "");
    std::erase_if(graded, [](const Exercise* one) { return !one->not_graded.empty(); });
    return graded;
  }
  std::vector<const Exercise*> all;
  for (const std::string& word : options.exercises) {
    for (const Exercise* const exercise : find_exercises(list, word)) {
      if (!exercise->not_graded.empty()) {
        throw Failure(exercise->id + " is not graded: " + exercise->not_graded, status_refused);
      }
      if (std::find(all.begin(), all.end(), exercise) == all.end()) all.push_back(exercise);
    }
  }
  // As the list has them, however they were typed: marks are compared by column.
  std::sort(all.begin(), all.end());
  return all;
}

/// As reports show it.
std::string name_of_folder(const fs::path& folder) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(folder, error);
  const std::string name = (error ? folder : whole).filename().string();
  return shown_name(name.empty() ? folder.string() : name);
}

void check_targets(const GradeOptions& options) {
  check_report_target("--json", options.json);
  check_report_target("--junit", options.junit);
  if (!options.json.empty() && options.json == options.junit) {
    throw Failure("--json and --junit name the same file", status_refused);
  }
}

void write_or_fail(const std::string& file, const std::string& text, const Screen& screen) {
  if (file.empty()) return;
  if (file == to_stdout) {
    screen.out << text << std::flush;
  } else if (!write_file(file, text)) {
    throw Failure("cannot write " + file);
  }
}

/// What is written for people, where standard output is for programs.
Screen for_people(const GradeOptions& options, const Screen& screen) {
  const bool taken = options.json == to_stdout || options.junit == to_stdout;
  return taken ? Screen{screen.err, screen.err, screen.progress, false} : screen;
}

bool enough(const Marks& marks, const GradeOptions& options) {
  return !options.min_points || marks.points().points >= *options.min_points;
}

int grade_one(const Checkout& checkout, Grader& grader, const GradeOptions& options,
              const Screen& screen) {
  Submission submission;
  submission.path = options.submission.empty() ? checkout.source_dir : fs::path(options.submission);
  std::error_code error;
  if (!fs::exists(submission.path, error)) {
    throw Failure("there is no submission " + submission.path.string(), status_refused);
  }
  if (!fs::is_directory(submission.path, error)) {
    if (grader.exercises().size() != 1) {
      throw Failure("--submission wants a folder; or a file, if one exercise is asked for",
                    status_refused);
    }
    submission.is_file = true;
  } else {
    submission.path = fs::canonical(submission.path, error);  // the teacher may come by a link
  }
  submission.name = name_of_folder(submission.path);
  grader.prepare(screen);
  const ScratchFolder scratch("course-grade");
  fs::permissions(scratch.path(), fs::perms(0755), error);
  std::string current;
  const Marks marks = grader.grade(submission, scratch.path(),
                                   [&](const std::string& step, const std::string& detail) {
                                     if (step != current) screen.progress.begin(step);
                                     current = step;
                                     if (!detail.empty()) screen.progress.update(detail);
                                   });
  screen.progress.done();
  print_marks(marks, for_people(options, screen));
  write_or_fail(options.json, to_json(marks), screen);
  write_or_fail(options.junit, to_junit({marks}), screen);
  return marks.has_failure_of_ours() || !enough(marks, options) ? status_failed : status_ok;
}

/// The seed of a class that was begun: all of it has the same data.
std::optional<std::uint64_t> seed_in(const fs::path& file) {
  const auto json = parse_json_if_any(read_file(file).value_or(""));
  if (!json.is_object() || !json.contains("seed") || !json["seed"].is_number_unsigned()) {
    return std::nullopt;
  }
  return json["seed"].get<std::uint64_t>();
}

ClassFolder out_folder(const GradeOptions& options) {
  if (!options.out.empty()) return {options.out};
  fs::path folder = fs::path(options.class_folder).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();  // "class/"
  // Beside the folder, so it takes the folder's own name.
  if (folder.filename() == "." || folder.filename() == "..") folder = fs::canonical(folder);
  if (!folder.has_filename()) throw Failure("say with --out where the marks go", status_refused);
  return {folder.string() + "-marks"};
}

void print_class(const std::vector<Marks>& marks, const ClassFolder& out, const Screen& screen) {
  std::size_t width = 0;
  for (const Marks& one : marks) width = std::max(width, clean_utf8(one.submission).size());
  width = std::min<std::size_t>(width, 30);
  for (const Marks& one : marks) {
    std::string name = clean_utf8(one.submission);
    name.resize(std::max(name.size(), width), ' ');
    const std::string reached = points_text(one);
    screen.out << name << "  " << std::string(reached.size() < 4 ? 4 - reached.size() : 0, ' ')
               << reached << " of " << one.points().of << "  " << remarks(one) << '\n';
  }
  screen.out << "\n"
             << marks.size() << " submissions, seed " << marks.front().seed << ": "
             << shown_path(out.path / "class.html") << '\n'
             << std::flush;
}

/// What one shard has to say: the reports are made of all shards' marks.
void print_shard(const std::vector<Marks>& marks, const std::string& shard, const Screen& screen) {
  screen.out << "Shard " << shard << ": " << marks.size() << " submission"
             << (marks.size() == 1 ? "" : "s")
             << " marked. When all shards are: the same command without --shard\n"
             << std::flush;
}

int grade_all(Grader& grader, const std::vector<Submission>& submissions,
              const Gradebook& gradebook, const ClassFolder& out, const GradeOptions& options,
              const Screen& screen) {
  grader.prepare(screen);
  std::error_code error;
  fs::create_directories(out.path, error);
  if (!write_file(out.path / "class.json", nlohmann::json{{"seed", grader.seed()}}.dump() + '\n')) {
    throw Failure("cannot write to " + shown_path(out.path), status_refused);
  }
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::vector<Marks> marks =
      grade_class(grader, submissions, out, options.jobs > 0 ? options.jobs : cores, options.again,
                  screen, shard_of(options.shard).value_or(Shard()));
  if (options.shard.empty()) {
    gradebook.settle(marks, screen);
    write_class_reports(marks, out, name_of_folder(options.class_folder), gradebook.has_roster());
    print_class(marks, out, for_people(options, screen));
    write_or_fail(options.junit, to_junit(marks), screen);
  } else {
    print_shard(marks, options.shard, for_people(options, screen));
  }
  const bool ours = std::any_of(marks.begin(), marks.end(),
                                [](const Marks& one) { return one.has_failure_of_ours(); });
  const bool all_enough = std::all_of(marks.begin(), marks.end(),
                                      [&](const Marks& one) { return enough(one, options); });
  return ours || !all_enough ? status_failed : status_ok;
}

}  // namespace

int grade(const Checkout& checkout, const ExerciseList& list, const GradeOptions& options,
          const Screen& screen) {
  if (list.backend != "emulator") {
    throw Failure("grade runs submissions on the emulator: ./course --backend emulator grade",
                  status_refused);
  }
  check_targets(options);
  const std::vector<const Exercise*> exercises = asked_for(list, options);
  if (!options.gradescope.empty()) {
    return make_autograder(checkout, exercises, options, screen);
  }
  if (options.class_folder.empty()) {
    const Sandbox sandbox(options.trust);
    Grader grader(checkout, list, exercises, options, options.seed.value_or(seed_by_chance()),
                  sandbox);
    return grade_one(checkout, grader, options, screen);
  }
  std::error_code error;
  if (!fs::is_directory(options.class_folder, error)) {
    throw Failure("--class wants a folder, and " + options.class_folder + " is none",
                  status_refused);
  }
  const ClassFolder out = out_folder(options);
  const std::vector<Submission> submissions =
      submissions_beside(out, options.class_folder, exercises.size() == 1, screen);
  const Gradebook gradebook({options.roster, options.deadlines, out.manual()}, list, submissions);
  std::optional<std::uint64_t> seed = options.seed;
  if (!seed && !options.again) seed = seed_in(out.path / "class.json");
  if (!seed && !options.shard.empty()) {
    throw Failure("--shard wants --seed, the same for all shards: they mark with the same data",
                  status_refused);
  }
  const Sandbox sandbox(options.trust);
  Grader grader(checkout, list, exercises, options, seed.value_or(seed_by_chance()), sandbox);
  return grade_all(grader, submissions, gradebook, out, options, screen);
}

}  // namespace course::tool::grading
