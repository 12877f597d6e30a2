#include "proof.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "console/table.hpp"
#include "host/errors.hpp"
#include "host/exercises/hints.hpp"
#include "host/exercises/stub.hpp"
#include "host/files.hpp"
#include "wrong_solution.hpp"

namespace course::tool {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr std::size_t least_wrong_ones = 4;

CaseState state_of(const CheckResult& result, const std::string& name) {
  const auto found = std::find_if(result.cases.begin(), result.cases.end(),
                                  [&](const CaseResult& one) { return one.name == name; });
  return found == result.cases.end() ? CaseState::not_run : found->state;
}

bool fails(CaseState state) {
  return state == CaseState::failed || state == CaseState::crashed;
}

/// The exercise for files of which only the verdict counts: on the emulator they are compiled and
/// linked without what is there for messages only, which takes time.
Exercise without_messages(const ExerciseList& list, Exercise exercise) {
  if (list.backend == "emulator") {
    exercise.compile.insert(exercise.compile.end(), {"-g0", "-w"});
    exercise.libraries.emplace_back("-s");
  }
  return exercise;
}

/// At work on one exercise.
class Prover {
 public:
  Prover(const Checkout& checkout, const ExerciseList& list, const Exercise& exercise,
         fs::path scratch, bool every_wrong_one)
      : checkout_(checkout),
        list_(list),
        exercise_(exercise),
        quick_(without_messages(list, exercise)),
        scratch_(std::move(scratch)),
        every_wrong_one_(every_wrong_one) {}

  Proof run() {
    if (const auto missing = missing_objects(checkout_, exercise_)) throw Failure(*missing);
    for (const std::string& fault : faults_of_texts(exercise_)) blame(fault);
    prove_stub();
    prove_model();
    prove_wrong_ones();
    for (const std::string& name : exercise_.cases) {
      if (std::find(catching_.begin(), catching_.end(), name) == catching_.end()) {
        blame("'" + name + "' catches neither the stub nor a wrong one that names it");
      }
    }
    return std::move(proof_);
  }

 private:
  void blame(const std::string& fault) { proof_.faults.push_back(fault); }

  /// A folder for a variant's program.
  fs::path folder_of(const std::string& name) const {
    return scratch_ / fs::path(name).replace_extension();
  }

  /// Runs the checks.
  /// @param only_case runs this one alone; all if empty
  CheckResult check(const fs::path& folder, bool is_model, const std::string& only_case) const {
    CheckRun run;
    run.only_case = only_case;
    run.environment = {{"COURSE_CHECK_MODEL", is_model ? "1" : ""}, {"COURSE_CHECK_SOURCE", ""}};
    // What is right may be slow on a busy machine; what is wrong may be without end.
    if (is_model) run.environment.emplace_back("COURSE_CHECK_TIMEOUT", "120");
    run.time_limit = std::chrono::seconds(300);
    return run_check_program(checkout_, exercise_, folder / "check", folder, run);
  }

  /// Compiles a file and runs the checks; nothing if it does not compile, which is blamed.
  std::optional<Variant> try_out(const std::string& name, const fs::path& source,
                                 const std::string& only_case = "") {
    Variant variant{name, "", {}};
    const fs::path folder = folder_of(name);
    const bool is_model = name == "model";
    const CompileResult made =
        make_check_program(checkout_, list_, is_model ? exercise_ : quick_, source, folder);
    if (!made.ok()) {
      variant.verdict = "does not compile";
      proof_.variants.push_back(variant);
      blame(name +
            (made.stopped_at == CompileResult::Step::linking ? " cannot be linked: "
                                                             : " does not compile: ") +
            made.messages.front());
      return std::nullopt;
    }
    if (is_model && !made.messages.empty()) {
      blame("the model solution does not compile without a warning: " + made.messages.front());
    }
    variant.result = check(folder, is_model, only_case);
    return variant;
  }

  void prove_stub() {
    const fs::path source = scratch_ / ("stub_" + exercise_.file);
    if (!write_file(source, read_stub(exercise_.model()))) {
      throw Failure("cannot write " + source.string());
    }
    auto variant = try_out("stub", source);
    if (!variant) return;
    // What is to be made fast is right already.
    const bool is_slow = exercise_.kind == "speed";
    const std::string wanted = is_slow ? "efficient: " : "correct: ";
    bool caught = false;
    for (const CaseResult& one : variant->result.cases) {
      if (!fails(one.state)) continue;
      catching_.push_back(one.name);
      caught = caught || one.name.starts_with(wanted);
      if (is_slow && !one.name.starts_with(wanted)) {
        blame("the stub is to be slow and right, and fails '" + one.name + "'");
      }
    }
    variant->verdict = caught ? "fails" : "NOT CAUGHT";
    if (!caught) blame("the stub fails no case that is named '" + wanted + "…'");
    proof_.variants.push_back(*std::move(variant));
  }

  void prove_model() {
    const fs::path source = scratch_ / exercise_.file;
    if (!write_file(source, read_solution(exercise_.model()))) {
      throw Failure("cannot write " + source.string());
    }
    auto variant = try_out("model", source);
    if (!variant) return;
    bool right = true;
    for (const CaseResult& one : variant->result.cases) {
      const bool may_skip = list_.backend == "cuda" && !one.name.starts_with("correct: ");
      if (one.state == CaseState::passed || (one.state == CaseState::skipped && may_skip)) continue;
      right = false;
      blame("the model solution " +
            std::string(one.state == CaseState::skipped ? "skips" : "fails") + " '" + one.name +
            "': " + one.message);
    }
    for (const CaseResult& one : variant->result.cases) {
      if (std::find(exercise_.cases.begin(), exercise_.cases.end(), one.name) ==
          exercise_.cases.end()) {
        blame("exercises.json does not know the case '" + one.name + "': configure again");
      }
    }
    variant->verdict = right ? "passes" : "FAILS";
    proof_.variants.push_back(*std::move(variant));
    if (list_.backend == "emulator") prove_never_launched(source);
  }

  void prove_never_launched(const fs::path& source) {
    Variant variant{"model, never launched", "fails", {}};
    const fs::path folder = folder_of("never launched");
    fs::create_directories(folder);
    // Kernels of OpenCL are launched by the checks, the first of the objects.
    const bool by_checks = !exercise_.compiler.empty();
    const fs::path student = folder_of("model") / "student.o";
    const fs::path changed = folder / (by_checks ? "checks.o" : "student.o");
    const Words more = make_never_launched(
        list_, by_checks ? fs::path(exercise_.objects.front()) : student, changed);
    Exercise without = quick_;
    if (by_checks) without.objects.front() = changed.string();
    const CompileResult made = link_for(checkout_, list_, without, source,
                                        by_checks ? student : changed, folder / "check", more);
    if (!made.ok()) {
      throw Failure("the program that launches nothing cannot be linked: " + made.messages.front());
    }
    variant.result = check(folder, false, "");
    for (const CaseResult& one : variant.result.cases) {
      if (fails(one.state)) continue;
      variant.verdict = "NOT CAUGHT";
      blame("'" + one.name + "' does not fail if no kernel is launched");
    }
    proof_.variants.push_back(std::move(variant));
  }

  static std::string name_of(const fs::path& patch) { return "wrong/" + patch.filename().string(); }

  void prove_wrong_ones() {
    std::vector<fs::path> patches;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(exercise_.solution / "wrong", error)) {
      if (entry.path().extension() == ".patch") {
        patches.push_back(entry.path());
      } else {
        blame(name_of(entry.path()) + " is not a .patch: only differences belong there");
      }
    }
    std::sort(patches.begin(), patches.end());
    if (patches.size() < least_wrong_ones) {
      blame("there are " + std::to_string(patches.size()) + " wrong ones in wrong/, and " +
            std::to_string(least_wrong_ones) + " are wanted");
    }
    for (const fs::path& patch : patches) prove_wrong_one(patch);
  }

  void prove_wrong_one(const fs::path& patch) {
    const std::string name = name_of(patch);
    const std::string wanted = caught_by(read_file(patch).value_or(""));
    if (wanted.empty()) {
      blame(name + ": its first line has to be 'caught by: NAME OF A CASE'");
      return;
    }
    if (std::find(exercise_.cases.begin(), exercise_.cases.end(), wanted) ==
        exercise_.cases.end()) {
      blame(name + ": there is no case '" + wanted + "'");
      return;
    }
    const fs::path source = folder_of(name) / exercise_.file;
    if (const auto why = make_wrong_solution(patch, scratch_ / exercise_.file, source)) {
      blame(name + " does not apply to the model solution: " + *why);
      return;
    }
    const bool is_first = std::find(tried_.begin(), tried_.end(), wanted) == tried_.end();
    if (!is_first && !every_wrong_one_) return;
    tried_.push_back(wanted);
    // Which others it fails is of interest only where all wrong ones are tried.
    auto variant = try_out(name, source, every_wrong_one_ ? "" : wanted);
    if (!variant) return;
    const CaseState state = state_of(variant->result, wanted);
    if (fails(state)) {
      variant->verdict = "is caught";
      catching_.push_back(wanted);
    } else if (state == CaseState::skipped && list_.backend == "cuda") {
      variant->verdict = "not checked";
      catching_.push_back(wanted);
      proof_.notes.push_back(name + ": not checked on a GPU, where '" + wanted + "' is skipped");
    } else if (list_.backend == "cuda") {
      // A race need not show there, nor a read of what nobody wrote: that is what the emulator is
      // for.
      variant->verdict = "passes here";
      catching_.push_back(wanted);
      proof_.notes.push_back(name + ": '" + wanted + "' does not see it on this GPU");
    } else {
      variant->verdict = "NOT CAUGHT";
      blame(name + " is not caught by '" + wanted + "'");
    }
    proof_.variants.push_back(*std::move(variant));
  }

  const Checkout& checkout_;
  const ExerciseList& list_;
  const Exercise& exercise_;
  Exercise quick_;  ///< the same, for files of which only the verdict counts
  fs::path scratch_;
  bool every_wrong_one_;
  Proof proof_;
  Words tried_;     ///< cases that a wrong one that was tried names
  Words catching_;  ///< cases that caught the stub, or a wrong one that names them
};

}  // namespace

Words faults_of_texts(const Exercise& exercise) {
  Words faults;
  const auto hints = read_file(exercise.hints());
  if (!hints) {
    faults.push_back("there is no hints.md");
  } else if (parse_hints(*hints).size() != 3) {
    faults.push_back("hints.md has " + std::to_string(parse_hints(*hints).size()) +
                     " steps, headed ## 1, ## 2 and so on, and three are wanted");
  }
  const auto handout = read_file(exercise.handout());
  if (!handout) {
    faults.push_back("there is no README.md");
    return faults;
  }
  if (!handout->starts_with("# ")) faults.push_back("README.md does not begin with a title");
  if (("\n" + *handout).find("\n## How it is checked\n") == std::string::npos) {
    faults.push_back("README.md has no section '## How it is checked'");
  }
  return faults;
}

Proof prove(const Checkout& checkout, const ExerciseList& list, const Exercise& exercise,
            const fs::path& scratch, bool every_wrong_one) {
  return Prover(checkout, list, exercise, scratch, every_wrong_one).run();
}

Proof sanitize(const Checkout& checkout, const ExerciseList& list, const Exercise& exercise,
               const fs::path& scratch) {
  Proof proof;
  const fs::path source = scratch / exercise.file;
  if (!write_file(source, read_solution(exercise.model()))) {
    throw Failure("cannot write " + source.string());
  }
  const CompileResult made = make_check_program(checkout, list, exercise, source, scratch);
  if (!made.ok()) throw Failure("the model solution does not compile: " + made.messages.front());
  for (const Words& tool :
       {Words{"--tool", "memcheck", "--leak-check", "full", "--report-api-errors", "no"},
        Words{"--tool", "racecheck"}}) {
    Words command{"compute-sanitizer", "--error-exitcode", "9"};
    command.insert(command.end(), tool.begin(), tool.end());
    // In one process, which ends as programs do: the tools tell at the end what they found. What is
    // large, to fill a GPU, would take hours. Where calls fail on purpose, the exception leaves
    // memory behind, as it does in a program that ends by it.
    command.insert(command.end(),
                   {(scratch / "check").string(), "--in-process", "--test-case=correct*,safe*",
                    "--test-case-exclude=*is reported*"});
    Words output;
    RunOptions run_options;
    run_options.folder = checkout.source_dir;
    const ExitStatus status = run_process(
        command, [&](Stream, std::string_view line) { output.emplace_back(line); }, {},
        run_options);
    const bool clean =
        status.ok() && std::any_of(output.begin(), output.end(), [](const std::string& line) {
          return line.starts_with("========= COMPUTE-SANITIZER");
        });
    proof.variants.push_back({"model, " + tool[1], clean ? "clean" : "NOT CLEAN", {}});
    if (clean) continue;
    proof.faults.push_back("under compute-sanitizer's " + tool[1] + ": " + status.text());
    const std::size_t first = output.size() > 30 ? output.size() - 30 : 0;
    for (std::size_t k = first; k < output.size(); ++k) proof.faults.push_back("  " + output[k]);
  }
  return proof;
}

std::string proof_text(const Exercise& exercise, const Proof& proof) {
  Table table({{"variant of " + exercise.id, Align::left},
               {"verdict", Align::left},
               {"cases that failed", Align::left}});
  for (const Variant& variant : proof.variants) {
    std::string failed;
    for (const CaseResult& one : variant.result.cases) {
      if (!fails(one.state)) continue;
      const auto place = std::find(exercise.cases.begin(), exercise.cases.end(), one.name);
      failed += (failed.empty() ? "" : " ") + std::to_string(1 + (place - exercise.cases.begin()));
    }
    table.add({variant.name, variant.verdict, failed});
  }
  std::string text = table.text();
  for (std::size_t k = 0; k < exercise.cases.size(); ++k) {
    text += "case " + std::to_string(k + 1) + ": " + exercise.cases[k] + '\n';
  }
  for (const std::string& note : proof.notes) text += "note: " + note + '\n';
  for (const std::string& fault : proof.faults) text += "WRONG: " + fault + '\n';
  if (proof.faults.empty()) text += exercise.id + " is proved\n";
  return text;
}

}  // namespace course::tool
