#include "host/exercises/check_program.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>

#include "host/errors.hpp"
#include "host/exercises/compiler_messages.hpp"
#include "host/files.hpp"
#include "host/json.hpp"

namespace course::tool {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// Messages are cut down by what they say, hence in one language.
RunOptions in_checkout(const Checkout& checkout) {
  RunOptions run_options;
  run_options.folder = checkout.source_dir;
  run_options.environment = {{"LC_ALL", "C"}, {"LANGUAGE", ""}};
  return run_options;
}

/// Runs a tool; returns its output, both streams in one.
std::pair<ExitStatus, Words> run_tool(const Checkout& checkout, const Words& command,
                                      const TickHandler& on_tick = {}) {
  Words output;
  const ExitStatus status = run_process(
      command, [&](Stream, std::string_view line) { output.emplace_back(line); }, on_tick,
      in_checkout(checkout));
  return {status, std::move(output)};
}

/// What functions an object defines, as nm names them; none if there is no nm.
Words functions_in(const Checkout& checkout, const fs::path& object) {
  Words functions;
  try {
    functions = functions_among(
        run_tool(checkout, {"nm", "--demangle", "--defined-only", object.string()}).second);
  } catch (const Failure&) {
    // Then the message does without.
  }
  return functions;
}

std::string reset_advice(const Exercise& exercise) {
  return "./course reset " + exercise.id + " brings the file as handed out";
}

CaseState state_of(const std::string& result) {
  if (result == "passed") return CaseState::passed;
  if (result == "failed") return CaseState::failed;
  if (result == "skipped") return CaseState::skipped;
  if (result == "not judged") return CaseState::not_judged;
  return CaseState::crashed;  // "running", and nothing after it
}

/// How a program ended in the middle of a case, with the last words that it said.
std::string last_words(const ExitStatus& status, const CheckRun& run, const Words& errors) {
  std::string text;
  if (status.timed_out) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(run.time_limit).count();
    text = "the program was still in this case after " + std::to_string(seconds) +
           " s and was ended: an endless loop?";
  } else {
    text = "the program ended in this case: " + status.text();
  }
  const std::size_t first = errors.size() > 10 ? errors.size() - 10 : 0;
  for (std::size_t k = first; k < errors.size(); ++k) text += '\n' + errors[k];
  return text;
}

}  // namespace

std::optional<std::string> source_problem(const Checkout& checkout, const Exercise& exercise) {
  if (!exercise.lacks.empty()) return exercise.lacks;
  const fs::path source = exercise.source();
  const std::string shown = path_in_checkout(checkout, source);
  std::error_code error;
  const fs::file_status status = fs::status(source, error);
  if (!fs::exists(status)) return shown + " is not there: " + reset_advice(exercise);
  if (fs::is_directory(status)) {
    return shown + " is a folder: move it away; then " + reset_advice(exercise);
  }
  const auto text = read_file(source);
  if (!text) return shown + " cannot be read: is it yours? chmod u+r " + shown;
  if (text->find_first_not_of(" \t\r\n") == std::string::npos) {
    return shown + " is empty: " + reset_advice(exercise);
  }
  if (text->find('\0') != std::string::npos) {
    return shown + " is not plain text (UTF-16, or no text at all): save it as UTF-8; or " +
           reset_advice(exercise);
  }
  return std::nullopt;
}

CompileResult compile_for(const Checkout& checkout, const ExerciseList& list,
                          const Exercise& exercise, const fs::path& source, const fs::path& object,
                          const TickHandler& on_tick) {
  const std::string named = path_in_checkout(checkout, source);
  Words command = exercise.compiler.empty() ? list.compile : exercise.compiler;
  command.insert(command.end(), exercise.compile.begin(), exercise.compile.end());
  command.insert(command.end(), {"-c", named, "-o", object.string()});
  const auto [status, output] = run_tool(checkout, command, on_tick);
  if (status.ok()) return {CompileResult::Step::done, compiler_warnings(output)};
  CompileResult made{CompileResult::Step::compiling, compiler_errors(output, named)};
  if (made.messages.empty()) made.messages = {"the compiler failed: " + status.text()};
  return made;
}

CompileResult link_for(const Checkout& checkout, const ExerciseList& list, const Exercise& exercise,
                       const fs::path& source, const fs::path& object, const fs::path& program,
                       const Words& more_objects) {
  Words command = list.link;
  command.push_back(object.string());
  command.insert(command.end(), exercise.objects.begin(), exercise.objects.end());
  command.insert(command.end(), more_objects.begin(), more_objects.end());
  command.insert(command.end(), {"-o", program.string()});
  command.insert(command.end(), exercise.libraries.begin(), exercise.libraries.end());
  const auto [status, output] = run_tool(checkout, command);
  if (status.ok()) return {};
  CompileResult made{CompileResult::Step::linking,
                     linker_errors(output, path_in_checkout(checkout, source), object.string(),
                                   functions_in(checkout, object))};
  if (made.messages.empty()) made.messages = {"the linker failed: " + status.text()};
  return made;
}

CompileResult make_check_program(const Checkout& checkout, const ExerciseList& list,
                                 const Exercise& exercise, const fs::path& source,
                                 const fs::path& folder, const TickHandler& on_tick) {
  const fs::path object = folder / "student.o";
  const fs::path program = folder / "check";
  std::error_code error;
  fs::create_directories(folder, error);
  fs::remove(program, error);
  fs::remove(object, error);
  if (!fs::is_directory(folder, error) || fs::exists(program, error)) {
    throw Failure("cannot write to " + shown_path(folder) +
                      ": set COURSE_BUILD_DIR to a folder you can write to",
                  status_refused);
  }
  if (const auto missing = missing_objects(checkout, exercise)) throw Failure(*missing);
  CompileResult made = compile_for(checkout, list, exercise, source, object, on_tick);
  if (!made.ok()) return made;
  CompileResult linked = link_for(checkout, list, exercise, source, object, program);
  if (linked.ok()) return made;
  // A warning may say why: "defined but not used".
  linked.messages.insert(linked.messages.end(), made.messages.begin(), made.messages.end());
  return linked;
}

fs::path student_folder(const Checkout& checkout, const Exercise& exercise) {
  return checkout.build_dir / "exercises" / exercise.name;
}

std::optional<std::string> missing_objects(const Checkout& checkout, const Exercise& exercise) {
  std::error_code error;
  for (const Words& list : {exercise.objects, exercise.libraries}) {
    for (const std::string& file : list) {
      if (file.starts_with('-') || !fs::path(file).is_absolute() || fs::exists(file, error)) {
        continue;
      }
      return "the checks of " + exercise.id + " are not built: cmake --build " +
             shown_path(checkout.build_dir) + " --target " + exercise.target;
    }
  }
  return std::nullopt;
}

std::size_t CheckResult::count(CaseState state) const {
  return static_cast<std::size_t>(std::count_if(
      cases.begin(), cases.end(), [&](const CaseResult& result) { return result.state == state; }));
}

bool CheckResult::passed() const {
  return count(CaseState::passed) > 0 &&
         count(CaseState::passed) + count(CaseState::skipped) == cases.size();
}

void read_results(const std::string& text, std::vector<CaseResult>& cases) {
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const auto json = parse_json_if_any(text.substr(begin, end - begin));
    begin = end + 1;
    // The last line may be cut off: the program was killed while it wrote.
    if (!json.is_object() || !json.contains("case") || !json["case"].is_string()) continue;
    const auto name = json["case"].get<std::string>();
    auto found = std::find_if(cases.begin(), cases.end(),
                              [&](const CaseResult& result) { return result.name == name; });
    if (found == cases.end()) found = cases.insert(cases.end(), CaseResult{name, {}, {}});
    found->state = state_of(json.value("result", ""));
    found->message = json.value("message", "");
  }
}

CheckResult run_check_program(const Checkout& checkout, const Exercise& exercise,
                              const fs::path& program, const fs::path& folder,
                              const CheckRun& run) {
  CheckResult result;
  for (const std::string& name : exercise.cases) {
    if (run.only_case.empty() || name == run.only_case) result.cases.push_back({name, {}, {}});
  }
  const auto start = std::chrono::steady_clock::now();
  const fs::path results = folder / "results.jsonl";
  // No case's name holds what doctest's filter takes for more than itself.
  std::string filter = run.only_case;
  for (;;) {
    std::error_code ignored;
    fs::remove(results, ignored);
    RunOptions run_options;
    run_options.folder = checkout.source_dir;
    run_options.environment = run.environment;
    run_options.environment.emplace_back("COURSE_CHECK_RESULTS", results.string());
    run_options.time_limit = run.time_limit;
    Words command{program.string()};
    if (!filter.empty()) command.push_back("--test-case=" + filter);
    Words errors;
    const ExitStatus status = run_process(
        command,
        [&](Stream stream, std::string_view line) {
          if (stream == Stream::err) errors.emplace_back(line);
        },
        run.on_tick, run_options);
    const std::size_t before = result.count(CaseState::not_run);
    read_results(read_file(results).value_or(""), result.cases);
    filter.clear();
    for (CaseResult& one : result.cases) {
      if (one.state == CaseState::crashed && one.message.empty()) {
        one.message = last_words(status, run, errors);
      }
      if (one.state == CaseState::not_run) filter += (filter.empty() ? "" : ",") + one.name;
    }
    const std::size_t left = result.count(CaseState::not_run);
    if (left == before && !result.cases.empty()) {
      // It does not get as far as to the first of them.
      for (CaseResult& one : result.cases) {
        if (one.state == CaseState::not_run) one.message = last_words(status, run, errors);
      }
    }
    if (left == 0 || left == before || status.timed_out) break;
  }
  result.took = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - start);
  return result;
}

}  // namespace course::tool
