#include "grader/submission/submission.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "grader/object/elf.hpp"
#include "grader/object/object.hpp"
#include "grader/object/witness_map.hpp"
#include "grader/submission/blame.hpp"
#include "grader/submission/source_rules.hpp"
#include "grader/submission/steps.hpp"
#include "host/errors.hpp"
#include "host/exercises/compiler_messages.hpp"
#include "host/files.hpp"

namespace course::tool::grading {
namespace {

namespace fs = std::filesystem;

/// Whether a word of a command is a file that rooms do not have by themselves, as they have the
/// system's. (To bind one of these once more would fail where it is a link.)
bool is_file_of_ours(const std::string& word) {
  const bool is_of_the_system =
      word.starts_with("/usr/") || word.starts_with("/lib") || word.starts_with("/bin/");
  return fs::path(word).is_absolute() && !is_of_the_system;
}

/// The headers beside an exercise, which its file may include; the checks must not be read.
std::vector<std::string> headers_in(const fs::path& folder) {
  std::vector<std::string> headers;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string suffix = entry.path().extension().string();
    if (suffix == ".hpp" || suffix == ".cuh" || suffix == ".h") {
      headers.push_back(entry.path().string());
    }
  }
  return headers;
}

}  // namespace

std::vector<std::string> asked_functions(const Checkout& checkout, const ExerciseList& list,
                                         const Exercise& exercise, const fs::path& scratch) {
  std::vector<std::string> command = list.link;
  command.insert(command.end(), exercise.submission_objects.begin(),
                 exercise.submission_objects.end());
  command.insert(command.end(), {"-Wl,--no-demangle", "-o", (scratch / "without").string()});
  command.insert(command.end(), exercise.submission_libraries.begin(),
                 exercise.submission_libraries.end());
  std::vector<std::string> output;
  RunOptions run_options;
  run_options.folder = checkout.source_dir;
  run_options.environment = {{"LC_ALL", "C"}, {"LANGUAGE", ""}};
  run_process(
      command, [&](Stream, std::string_view line) { output.emplace_back(line); }, {}, run_options);
  std::vector<std::string> names = undefined_references(output);
  if (names.empty()) {
    throw Failure("the linker does not say which functions " + exercise.id + " asks for" +
                  (output.empty() ? "" : ": " + output.front()));
  }
  return names;
}

Permissions permissions_of(const Exercise& exercise, const std::vector<std::string>& allow) {
  Permissions needs;
  needs.cublas = exercise.cublas;
  needs.cutensor = exercise.cutensor;
  needs.allow = allow;
  needs.allow.insert(needs.allow.end(), exercise.needs.begin(), exercise.needs.end());
  return needs;
}

/// Says what of the program libraries do not see.
std::string Builder::program_script() const {
  return fs::path(list_.student_script).replace_filename("program.ld").string();
}

Builder::Room Builder::room_in(const fs::path& folder) const {
  Room room;
  room.workshop.source = folder / "source" / exercise_.file;
  room.workshop.output = folder / "output";
  room.workshop.compiler_wrapper = list_.compile.front();
  room.workshop.hidden = {checkout_.source_dir.string(), checkout_.build_dir.string()};
  auto& to_see = room.workshop.to_see;
  for (const std::string& word : list_.compile) {
    if (word.starts_with("-I")) to_see.push_back(word.substr(2));
    if (is_file_of_ours(word)) to_see.push_back(word);
  }
  for (const auto* const words : {&exercise_.submission_objects, &exercise_.submission_libraries}) {
    std::copy_if(words->begin(), words->end(), std::back_inserter(to_see), is_file_of_ours);
  }
  if (!list_.student_script.empty()) {
    to_see.push_back(list_.student_script);
    to_see.push_back(program_script());
  }
  for (std::string& header : headers_in(exercise_.folder)) to_see.push_back(std::move(header));
  room.in = sandbox_.has_walls() ? "" : (folder / "source").string() + '/';
  room.out = sandbox_.has_walls() ? std::string(Sandbox::output_folder) + '/'
                                  : room.workshop.output.string() + '/';
  return room;
}

std::pair<ExitStatus, Builder::Lines> Builder::run(const Room& room, const Lines& command) const {
  Lines output;
  RunOptions run_options;
  run_options.time_limit = longest_step;
  const ExitStatus status = run_process(
      sandbox_.in_workshop(room.workshop, command),
      [&](Stream, std::string_view line) {
        if (output.size() < most_lines) output.emplace_back(line.substr(0, longest_line));
      },
      room.on_tick, run_options);
  if (!status.ok() && !output.empty() && output.front().starts_with("bwrap: ")) {
    throw Failure("the sandbox failed: " + output.front());
  }
  return {status, std::move(output)};
}

/// Runs a tool that looks at an object, or changes it. It has no reason to fail.
Builder::Lines Builder::must_run(const Room& room, const Lines& command) const {
  Lines output;
  RunOptions run_options;
  run_options.time_limit = longest_step;
  std::string complaint;
  const ExitStatus status = run_process(
      sandbox_.in_workshop(room.workshop, command),
      [&](Stream stream, std::string_view line) {
        if (stream == Stream::out) output.emplace_back(line);
        if (stream == Stream::err && complaint.empty()) complaint = line.substr(0, longest_line);
      },
      room.on_tick, run_options);
  if (!status.ok()) {
    throw Failure(command.front() + " failed (" + (complaint.empty() ? status.text() : complaint) +
                  ")");
  }
  return output;
}

SubmissionBuild Builder::build(const std::string& text, const Permissions& needs,
                               const std::vector<std::string>& asked, const fs::path& folder,
                               const TickHandler& on_tick) const {
  for (const char* const name : {"", "source", "output", "cell"}) make_folder(folder / name);
  Room room = room_in(folder);
  room.on_tick = on_tick;
  sandbox_.give_away(room.workshop.output);
  if (!write_file(room.workshop.source, without_forced_inlining(text))) {
    throw Failure("cannot write to " + folder.string(), status_refused);
  }
  std::error_code error;
  fs::permissions(room.workshop.source, fs::perms(0644), error);
  if (const auto reason = refused_for_source(text)) return stopped("refused", *reason);
  SubmissionBuild built = compile(room);
  const std::vector<std::string> warnings = built.ok() ? built.details : Lines{};
  if (built.ok()) built = inspect(room, needs);
  if (built.ok()) built = seal(room, asked);
  if (built.ok()) built = link(room);
  if (!built.ok()) {
    // A warning may say why: "defined but not used".
    built.details.insert(built.details.end(), warnings.begin(), warnings.end());
    return built;
  }
  // What runs in the cell must be able to read it, and nothing to change it.
  built.program = folder / "cell" / "program";
  fs::copy_file(folder / "output" / "program", built.program, error);
  if (!error) fs::permissions(built.program, fs::perms(0755), error);
  if (error) throw Failure("cannot write to " + folder.string() + ": " + error.message());
  if (!list_.student_script.empty()) {
    built.map = folder / "cell" / "map";
    write_map(folder / "output", built.map);
  }
  built.details = warnings;
  return built;
}

SubmissionBuild Builder::inspect(const Room& room, const Permissions& needs) const {
  const std::string object = room.out + "student.o";
  const auto symbols = read_symbols(must_run(room, {"nm", "--no-demangle", object}));
  if (!symbols) return stopped("refused", "has symbols that no solution needs");
  if (const auto reason = refused_for_symbols(*symbols, needs)) return stopped("refused", *reason);
  if (const auto reason = refused_for_instructions(
          must_run(room, {"objdump", "-d", "--no-show-raw-insn", "-w", object}))) {
    return stopped("refused", *reason);
  }
  if (const auto reason = refused_for_data(must_run(room, {"objdump", "-h", "-w", object}),
                                           must_run(room, {"objdump", "-t", object}))) {
    return stopped("refused", *reason);
  }
  return {};
}

/// Makes all that the object defines its own, but for the functions asked for: nothing of it can
/// are in the place of a function of ours, of the emulator or of the C library.
SubmissionBuild Builder::seal(const Room& room, const std::vector<std::string>& asked) const {
  // First its groups are dissolved, of which the linker would keep one in the whole program; and
  // what it holds is gathered between marks, by which the witness knows it.
  Lines gather{"ld", "-r", "--force-group-allocation"};
  if (!list_.student_script.empty()) gather.insert(gather.end(), {"-T", list_.student_script});
  gather.insert(gather.end(), {"-o", room.out + "whole.o", room.out + "student.o"});
  must_run(room, gather);
  Lines command{"objcopy"};
  for (const std::string& name : asked) command.push_back("--keep-global-symbol=" + name);
  for (const std::string& name : witness_marks()) command.push_back("--keep-global-symbol=" + name);
  // What a kernel has the C library load and store also counts; and nobody writes to descriptors:
  // see grading/judge/interposers.cpp.
  for (const std::string& name : interposed_functions()) {
    command.push_back("--redefine-sym=" + name + "=course_" + name);
  }
  command.insert(command.end(), {room.out + "whole.o", room.out + "sealed.o"});
  must_run(room, command);
  const auto symbols = read_symbols(must_run(room, {"nm", "--no-demangle", room.out + "sealed.o"}));
  if (!symbols) return stopped("refused", "has symbols that no solution needs");
  const auto is_asked = [&](const Symbol& symbol) {
    const Lines& marks = witness_marks();
    return std::find(asked.begin(), asked.end(), symbol.name) != asked.end() ||
           std::find(marks.begin(), marks.end(), symbol.name) != marks.end();
  };
  for (const Symbol& symbol : *symbols) {
    if (symbol.is_global() && !is_asked(symbol)) {
      return stopped("refused", "defines " + readable(symbol.name) +
                                    " so that it cannot be kept apart, which no solution needs");
    }
  }
  Lines missing;
  for (const std::string& name : asked) {
    const bool found = std::any_of(symbols->begin(), symbols->end(), [&](const Symbol& symbol) {
      return symbol.name == name && symbol.is_global() && symbol.type != 'C';
    });
    if (!found) missing.push_back(name);
  }
  if (missing.empty()) return {};
  // In the linker's words, which are then put as for a student.
  Lines words{"c++filt"};
  words.insert(words.end(), missing.begin(), missing.end());
  Lines complaints;
  for (const std::string& name : must_run(room, words)) {
    complaints.push_back("check.cpp: undefined reference to `" + name + "'");
  }
  const Lines defined = functions_among(
      must_run(room, {"nm", "--demangle", "--defined-only", room.out + "student.o"}));
  Lines messages = linker_errors(complaints, exercise_.file, room.out + "student.o", defined);
  if (messages.empty()) messages = {"a function asked for is not defined"};
  return stopped("does not compile", messages.front(), messages);
}

SubmissionBuild Builder::link(const Room& room) const {
  Lines command = list_.link;
  command.push_back(room.out + "sealed.o");
  command.insert(command.end(), exercise_.submission_objects.begin(),
                 exercise_.submission_objects.end());
  command.insert(command.end(), {"-Wl,-z,noexecstack", "-Wl,-z,now", "-o", room.out + "program"});
  command.insert(command.end(), exercise_.submission_libraries.begin(),
                 exercise_.submission_libraries.end());
  if (!list_.student_script.empty()) command.push_back(program_script());
  const auto [status, output] = run(room, command);
  if (!status.ok()) {
    if (!is_linker_complaint(status, output)) {
      throw Failure("the linker failed: " + trouble_in(status, output));
    }
    Lines messages = linker_errors(output, exercise_.file, room.out + "sealed.o", {});
    if (messages.empty()) messages = {"the linker failed: " + status.text()};
    return stopped("does not compile", messages.front(), messages);
  }
  SubmissionBuild built;
  for (const std::string& library : exercise_.submission_libraries) {
    if (is_file_of_ours(library) && library.find(".so") != std::string::npos) {
      built.libraries.push_back(library);
    }
  }
  return built;
}

void Builder::write_map(const fs::path& made, const fs::path& map) const {
  std::string text;
  try {
    text = witness_map(read_file(made / "program").value_or(""),
                       read_file(made / "sealed.o").value_or(""));
  } catch (const ElfError& error) {
    throw Failure(std::string("the program cannot be read: ") + error.what());
  }
  std::error_code error;
  if (!write_file(map, text)) throw Failure("cannot write " + map.string());
  fs::permissions(map, fs::perms(0644), error);
}

void Builder::try_workshop(const fs::path& scratch) const {
  for (const char* const name : {"", "source", "output"}) make_folder(scratch / name);
  Room room = room_in(scratch);
  sandbox_.give_away(room.workshop.output);
  write_file(room.workshop.source, "\n");
  std::error_code error;
  fs::permissions(room.workshop.source, fs::perms(0644), error);
  // All of it must be there, and be readable for the user in the room.
  Lines command{"cat"};
  for (const std::string& path : room.workshop.to_see) {
    if (fs::is_regular_file(path, error)) command.push_back(path);
  }
  command.push_back(room.in + exercise_.file);
  std::string complaint;
  RunOptions run_options;
  run_options.time_limit = longest_step;
  const ExitStatus status = run_process(
      sandbox_.in_workshop(room.workshop, command),
      [&](Stream stream, std::string_view line) {
        if (stream == Stream::err && complaint.empty()) complaint = line;
      },
      {}, run_options);
  if (!status.ok()) {
    throw Failure(
        "the sandbox cannot see what it needs (" + (complaint.empty() ? status.text() : complaint) +
            "): as root, its user is nobody, who must be able to read the course's folder",
        status_refused);
  }
}

}  // namespace course::tool::grading
