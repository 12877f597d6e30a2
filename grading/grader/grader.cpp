#include "grader/grader.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "host/build.hpp"
#include "host/errors.hpp"
#include "host/files.hpp"

namespace course::tool::grading {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// Changes whenever the same submission could get other marks by a change of this program.
constexpr char rules_version[] = "2";

/// How many times as long as all cases by themselves one may take while a witness watches it, and
/// how many seconds more: some time goes by before anything runs.
constexpr int witness_patience = 20;
constexpr int witness_start = 15;

std::string hexadecimal(std::uint64_t number) {
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(number));
  return text.data();
}

std::string now_text() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

void make_open_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  fs::permissions(folder, fs::perms(0755), error);
  if (!fs::is_directory(folder, error)) {
    throw Failure("cannot make " + folder.string(), status_refused);
  }
}

/// Seconds, to a tenth.
double seconds_since(Clock::time_point start) {
  const auto took = std::chrono::duration_cast<milliseconds>(Clock::now() - start).count();
  return std::round(static_cast<double>(took) / 100) / 10;
}

}  // namespace

ExerciseMark nothing_yet(const Exercise& exercise) {
  ExerciseMark mark;
  mark.id = exercise.id;
  mark.name = exercise.name;
  mark.title = exercise.title;
  for (std::size_t k = 0; k < exercise.cases.size(); ++k) {
    CaseMark one;
    one.name = exercise.cases[k];
    one.points.of = k < exercise.case_points.size() ? exercise.case_points[k] : 0;
    mark.cases.push_back(std::move(one));
  }
  return mark;
}

void count_points(const Exercise& exercise, const CheckResult& result, ExerciseMark& mark) {
  mark = nothing_yet(exercise);
  std::string left_out;
  for (CaseMark& one : mark.cases) {
    const auto found =
        std::find_if(result.cases.begin(), result.cases.end(),
                     [&](const CaseResult& other) { return other.name == one.name; });
    if (found == result.cases.end()) continue;
    one.message = found->message;
    switch (found->state) {
      case CaseState::passed:
        one.result = "passed";
        one.points.points = one.points.of;
        break;
      case CaseState::failed:
        one.result = "failed";
        break;
      case CaseState::skipped:
        one.result = "skipped";
        break;
      // None of the student's code is in the judge: however it ends, it is not the student's doing.
      case CaseState::crashed:
      case CaseState::not_judged:
      case CaseState::not_run:
        if (!left_out.empty()) break;
        left_out = "the judge did not complete the case '" + one.name + "'";
        if (!one.message.empty()) left_out += ": " + one.message.substr(0, one.message.find('\n'));
        break;
    }
  }
  if (left_out.empty()) return;
  mark.state = "not graded";
  mark.reason = left_out;
}

Grader::Grader(const Checkout& checkout, const ExerciseList& list,
               std::vector<const Exercise*> exercises, const GradeOptions& options,
               std::uint64_t seed, const Sandbox& sandbox)
    : checkout_(checkout),
      list_(list),
      exercises_(std::move(exercises)),
      options_(options),
      seed_(seed),
      sandbox_(sandbox) {
  for (const Exercise* const exercise : exercises_) {
    if (exercise->judge.empty()) {
      throw Failure("this build cannot grade " + exercise->id + ": configure it again",
                    status_refused);
    }
  }
}

void Grader::prepare(const Screen& screen) {
  const ScratchFolder scratch("course-grade");
  std::error_code error;
  fs::permissions(scratch.path(), fs::perms(0755), error);
  std::uint64_t hash = hash_of(std::string("rules ") + rules_version);
  const auto add_to_hash = [&](const std::string& text) {
    hash = hash_of(hexadecimal(hash) + hexadecimal(hash_of(text)));
  };
  for (const std::string& word : list_.compile) add_to_hash(word);
  prepared_.assign(exercises_.size(), {});
  for (std::size_t k = 0; k < exercises_.size(); ++k) {
    const Exercise& exercise = *exercises_[k];
    PreparedExercise& prepared = prepared_[k];
    const BuildOutcome build =
        build_program(checkout_, exercise.judge_target, exercise.judge, screen.progress);
    if (!build.ok) {
      for (const std::string& line : build.errors) screen.err << line << '\n';
      prepared.failure = "its judge could not be built; the whole log: " + shown_path(build.log);
      continue;
    }
    screen.progress.begin("preparing " + exercise.name);
    try {
      if (exercise.case_points.size() != exercise.cases.size()) {
        throw Failure("the list of exercises has no points for its cases");
      }
      prepared.asked = asked_functions(checkout_, list_, exercise, scratch.path());
      add_to_hash(exercise.name + read_file(exercise.judge).value_or(""));
      for (const std::string& name : exercise.cases) add_to_hash(name);
      for (const int points : exercise.case_points) add_to_hash(std::to_string(points));
      for (const auto* const words :
           {&exercise.submission_objects, &exercise.submission_libraries}) {
        for (const std::string& word : *words) add_to_hash(word + read_file(word).value_or(""));
      }
      // Once is enough: what differs between exercises are a few objects beside each other.
      if (k == 0) {
        Builder(checkout_, list_, exercise, sandbox_).try_workshop(scratch.path() / "try");
      }
    } catch (const Failure& failure) {
      if (failure.status() == status_refused) throw;
      prepared.failure = failure.what();
    }
    screen.progress.done();
  }
  witness_ = find_witness(list_);  // built along with the judges
  if (witness_.problem.empty()) add_to_hash(read_file(witness_.program()).value_or(""));
  judge_version_ = hexadecimal(hash);
}

std::string Grader::fingerprint_of(const Submission& submission,
                                   const std::vector<CollectedFile>& collected) const {
  std::string text = judge_version_ + ' ' + std::to_string(seed_) + ' ' +
                     std::to_string(options_.time_limit) + ' ' + sandbox_.isolation().level;
  if (options_.without_witness) text += " without witness";
  for (const std::string& name : options_.allow) text += " allow " + name;
  text += '\n' + submission.name;
  for (std::size_t k = 0; k < exercises_.size(); ++k) {
    text += '\n' + exercises_[k]->name + ' ' + name_of(collected[k].state) + ' ' +
            collected[k].reason + ' ' + hexadecimal(hash_of(collected[k].text));
  }
  return hexadecimal(hash_of(text));
}

std::string Grader::fingerprint(const Submission& submission) const {
  std::vector<CollectedFile> collected;
  for (const Exercise* const exercise : exercises_) {
    collected.push_back(collect(submission, *exercise));
  }
  return fingerprint_of(submission, collected);
}

Marks Grader::grade(const Submission& submission, const fs::path& scratch,
                    const StepHandler& on_step) const {
  Marks marks;
  marks.submission = submission.name;
  marks.graded = now_text();
  marks.seed = seed_;
  marks.judge = judge_version_;
  marks.isolation = sandbox_.isolation();
  // All is read first: a submission that changes meanwhile is marked as it was now.
  std::vector<CollectedFile> collected;
  for (const Exercise* const exercise : exercises_) {
    collected.push_back(collect(submission, *exercise));
  }
  marks.fingerprint = fingerprint_of(submission, collected);
  for (std::size_t k = 0; k < exercises_.size(); ++k) {
    const fs::path folder = scratch / exercises_[k]->id;
    const auto start = Clock::now();
    ExerciseMark mark = nothing_yet(*exercises_[k]);
    try {
      mark = grade_exercise(*exercises_[k], prepared_[k], collected[k], folder, on_step);
    } catch (const Failure& failure) {
      mark = nothing_yet(*exercises_[k]);
      mark.state = "not graded";
      mark.reason = failure.what();
    }
    mark.seconds = seconds_since(start);
    marks.exercises.push_back(std::move(mark));
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  return marks;
}

ExerciseMark Grader::grade_exercise(const Exercise& exercise, const PreparedExercise& prepared,
                                    const CollectedFile& collected, const fs::path& folder,
                                    const StepHandler& on_step) const {
  ExerciseMark mark = nothing_yet(exercise);
  if (collected.state != CollectedFile::State::found) {
    mark.state = name_of(collected.state);
    mark.reason = collected.reason;
    return mark;
  }
  if (!prepared.failure.empty()) throw Failure(prepared.failure);
  const auto ticks = [&](const std::string& step) -> TickHandler {
    if (!on_step) return {};
    on_step(exercise.name + ": " + step, "");
    return [&on_step, text = exercise.name + ": " + step](milliseconds elapsed) {
      on_step(text, duration_text(elapsed));
    };
  };
  make_open_folder(folder);
  const Builder builder(checkout_, list_, exercise, sandbox_);
  const SubmissionBuild built =
      builder.build(collected.text, permissions_of(exercise, options_.allow), prepared.asked,
                    folder / "made", ticks("compiling"));
  if (!built.ok()) {
    mark.state = built.state;
    mark.reason = built.reason;
    mark.details = built.details;
    return mark;
  }
  const auto command =
      sandbox_.in_cell(built.program, built.libraries, cell_limits(options_.time_limit));
  const CheckResult result = judge(exercise, command, folder, ticks("judging"));
  count_points(exercise, result, mark);
  if (!options_.without_witness) {
    const auto took = std::chrono::duration_cast<std::chrono::seconds>(result.took).count() + 1;
    const int seconds = std::min(options_.time_limit, static_cast<int>(took));
    call_witness(exercise, built, folder, ticks("with a witness"),
                 witness_start + witness_patience * seconds, mark);
  }
  mark.details = built.details;
  return mark;
}

CheckResult Grader::judge(const Exercise& exercise, const std::vector<std::string>& submission,
                          const fs::path& folder, const TickHandler& on_tick,
                          const std::string& only, int seconds) const {
  // What the judge writes is where nobody else can read or write.
  const fs::path own = folder / "judge";
  std::error_code error;
  fs::create_directories(own, error);
  fs::permissions(own, fs::perms(0700), error);
  const fs::path file = own / "submission.json";
  if (!write_file(file, nlohmann::json(submission).dump() + '\n')) {
    throw Failure("cannot write " + file.string());
  }
  // The submission's time is the processor's, so that nobody loses points by a busy machine. By the
  // clock there is more of it, for those that only wait.
  const int wall_limit = 3 * (seconds == 0 ? options_.time_limit : seconds);
  CheckRun run;
  run.environment = {{"COURSE_SUBMISSION", file.string()},
                     {"COURSE_CHECK_TIMEOUT", std::to_string(wall_limit)},
                     {"COURSE_GRADING_SEED", std::to_string(seed_)},
                     {"COURSE_CHECK_SOURCE", exercise.file},
                     {"COURSE_CHECK_MODEL", ""}};
  // The marks do not depend on the caller.
  for (const char* const name : {"EMULATOR_CHECK", "EMULATOR_THREADS", "EMULATOR_MULTIPROCESSORS",
                                 "EMULATOR_DEVICES", "EMULATOR_TRAFFIC", "COURSE_DATA_SEED"}) {
    run.environment.emplace_back(name, "");
  }
  // Each case has its limit. This one is for a judge that hangs.
  const std::size_t cases = only.empty() ? exercise.cases.size() : 1;
  run.time_limit = std::chrono::seconds(60 + (wall_limit + 5) * static_cast<int>(cases));
  run.on_tick = on_tick;
  run.only_case = only;
  return run_check_program(checkout_, exercise, exercise.judge, own, run);
}

void Grader::call_witness(const Exercise& exercise, const SubmissionBuild& built,
                          const fs::path& folder, const TickHandler& on_tick, int seconds,
                          ExerciseMark& mark) const {
  if (mark.state != "graded") return;
  Watch watch{witness_.folder, built.map, folder / "report"};
  for (CaseMark& one : mark.cases) {
    if (one.result != "passed" || one.points.points == 0) continue;
    if (!witness_.problem.empty()) throw Failure(witness_.problem);
    if (!write_file(watch.report, "")) throw Failure("cannot write " + watch.report.string());
    sandbox_.give_away(watch.report);
    const auto command =
        sandbox_.in_watched_cell(built.program, built.libraries, cell_limits(seconds), watch);
    const CheckResult result = judge(exercise, command, folder, on_tick, one.name, seconds);
    const WitnessReport report =
        read_witness_report(read_file(watch.report).value_or(""), exercise.file);
    const bool passed = result.passed();
    if (passed && report.was_there && report.finding.empty()) continue;
    const std::string said = result.cases.empty() ? "no case" : result.cases.front().message;
    if (!report.was_there) throw Failure("the witness could not run: " + said);
    // As without a witness: what is not proven to be the student's doing is not.
    if (report.finding.empty() && result.count(CaseState::failed) == 0) {
      throw Failure("with a witness the judge did not complete the case '" + one.name +
                    "': " + said);
    }
    one.result = "failed";
    one.points.points = 0;
    one.message = report.finding;
    if (!report.remedy.empty()) one.message += '\n' + report.remedy;
    if (report.finding.empty()) {
      one.message = "it passed, but not when run once more: " + said;
    }
  }
}

}  // namespace course::tool::grading
