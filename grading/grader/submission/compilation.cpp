// The step of Builder that compiles: whose fault it is if that fails, and what macros hide.

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include "grader/object/object.hpp"
#include "grader/submission/blame.hpp"
#include "grader/submission/source_rules.hpp"
#include "grader/submission/steps.hpp"
#include "grader/submission/submission.hpp"
#include "host/errors.hpp"
#include "host/exercises/compiler_messages.hpp"
#include "host/files.hpp"

namespace course::tool::grading {
namespace {

namespace fs = std::filesystem;

/// How what is graded is compiled: see common/lesson/data.hpp and the emulator's qualifiers.h.
const Lines graded_flags{"-DCOURSE_GRADED", "-DEMULATOR_NO_FORCED_INLINING", "-U_FORTIFY_SOURCE"};

/// The preprocessor's share of the processor's time.
constexpr int preprocessor_seconds = 10;

/// The words of a command that stand for g++: what comes before is the emulator's.
Lines without_launcher(const Lines& command) {
  auto compiler = command.begin() + 1;
  while (compiler != command.end() && compiler->starts_with('-')) ++compiler;
  return {compiler, command.end()};
}

}  // namespace

/// What macros of headers become in the student's file must not be what the file itself must not
/// say.
std::optional<std::string> Builder::look_at_macros(const Room& room, const Lines& compile,
                                                   const std::string& source) const {
  // As emulator-compile, which comes first, has it preprocessed.
  Lines command = without_launcher(compile);
  command.insert(command.end(), {"-DEMULATOR_TRANSLATOR", "-include", "cuda_runtime.h", "-w", "-E",
                                 "-x", "c++", source});
  StudentText text;
  Lines errors;
  RunOptions run_options;
  run_options.time_limit = longest_step;
  RoomLimits limits = workshop_limits();
  limits.cpu_seconds = preprocessor_seconds;
  constexpr std::size_t most_text = std::size_t{1} << 22;
  const ExitStatus status = run_process(
      sandbox_.in_workshop(room.workshop, command, limits),
      [&](Stream stream, std::string_view line) {
        if (stream == Stream::out && text.text().size() < most_text) text.add(line);
        if (stream == Stream::err && errors.size() < most_lines) {
          errors.emplace_back(line.substr(0, longest_line));
        }
      },
      room.on_tick, run_options);
  if (proven_limit(status, errors) || text.text().size() >= most_text) {
    return "has #include lines that never end, or macros that become too much";
  }
  // Where it is cut off, nobody knows what would have followed. The compiler reports an error.
  if (!status.ok() && !is_compiler_complaint(status, errors)) {
    throw Failure("the preprocessor failed: " + trouble_in(status, errors));
  }
  return text.refused();
}

/// Whether a compiler breaks down at this file and at no other: the same command goes well for a
/// file with next to nothing in it, and then the same happens again.
bool Builder::breaks_again(const Room& room, const Lines& compile, const std::string& how) const {
  const fs::path folder = room.workshop.source.parent_path().parent_path() / "nothing";
  Room other = room;
  other.workshop.source = folder / exercise_.file;
  other.in = sandbox_.has_walls() ? "" : folder.string() + '/';
  make_folder(folder);
  if (!write_file(other.workshop.source, "int nothing;\n")) {
    throw Failure("cannot write to " + folder.string());
  }
  std::error_code error;
  fs::permissions(other.workshop.source, fs::perms(0644), error);
  Lines command = compile;
  std::replace(command.begin(), command.end(), room.in + exercise_.file, other.in + exercise_.file);
  if (!run(other, command).first.ok()) return false;
  const auto [status, output] = run(room, compile);
  return breakdown(status, output) == how;
}

SubmissionBuild Builder::compile(const Room& room) const {
  const std::string source = room.in + exercise_.file;
  Lines command = list_.compile;
  command.insert(command.end(), exercise_.compile.begin(), exercise_.compile.end());
  command.insert(command.end(), graded_flags.begin(), graded_flags.end());
  if (auto reason = look_at_macros(room, command, source)) return stopped("refused", *reason);
  // Symbols that are unique in a program could not be made the object's own later.
  command.insert(command.end(), {"-fno-gnu-unique", "-c", source, "-o", room.out + "student.o"});
  const auto [status, output] = run(room, command);
  if (!status.ok()) {
    if (!is_compiler_complaint(status, output)) {
      const auto limit = proven_limit(status, output);
      const auto how = limit ? std::nullopt : breakdown(status, output);
      if (how && breaks_again(room, command, *how)) {
        return stopped("does not compile", "the compiler crashes on it every time: " + *how);
      }
      if (!limit) throw Failure("the compiler failed: " + trouble_in(status, output));
      return stopped("does not compile", "exceeds the compiler's limits: its " + *limit);
    }
    Lines messages = compiler_errors(output, source);
    if (messages.empty()) messages = {"the compiler failed: " + status.text()};
    std::string first = messages.front();
    const auto error = std::find_if(messages.begin(), messages.end(), [](const std::string& line) {
      return line.find("error") != std::string::npos;
    });
    if (error != messages.end()) first = *error;
    return stopped("does not compile", first, std::move(messages));
  }
  SubmissionBuild built;
  built.details = compiler_warnings(output);
  return built;
}

}  // namespace course::tool::grading
