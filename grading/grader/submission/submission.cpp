#include "grader/submission/submission.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "grader/submission/blame.hpp"
#include "grader/object/elf.hpp"
#include "grader/object/object.hpp"
#include "grader/submission/source_rules.hpp"
#include "grader/object/witness_map.hpp"
#include "host/errors.hpp"
#include "host/exercises/compiler_messages.hpp"
#include "host/files.hpp"

namespace course::tool::grading {
namespace {

/// How what is graded is compiled: see common/lesson/data.hpp and the emulator's qualifiers.h.
const Lines graded_flags{"-DCOURSE_GRADED", "-DEMULATOR_NO_FORCED_INLINING", "-U_FORTIFY_SOURCE"};

namespace fs = std::filesystem;

/// By the clock, for a machine that is busy or stands still: then nobody is to blame. What a file
/// may cost of the processor's time is less: see workshop_limits().
constexpr std::chrono::seconds longest_step{180};
/// The preprocessor's share of the processor's time.
constexpr int preprocessor_seconds = 10;
/// A compiler can be made to say a lot.
constexpr std::size_t most_lines = 4000;
constexpr std::size_t longest_line = 400;

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

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  fs::permissions(folder, fs::perms(0755), error);
  if (!fs::is_directory(folder, error)) {
    throw Failure("cannot make " + folder.string(), status_refused);
  }
}

Built stopped(const std::string& state, const std::string& reason,
              std::vector<std::string> details = {}) {
  Built built;
  built.state = state;
  built.reason = reason;
  built.details = std::move(details);
  if (built.details.size() == 1 && built.details[0] == reason) built.details.clear();
  return built;
}

/// The words of a command that stand for g++: what comes before is the emulator's.
Lines without_launcher(const Lines& command) {
  auto compiler = command.begin() + 1;
  while (compiler != command.end() && compiler->starts_with('-')) ++compiler;
  return {compiler, command.end()};
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
  Surroundings surroundings;
  surroundings.folder = checkout.source_dir;
  surroundings.environment = {{"LC_ALL", "C"}, {"LANGUAGE", ""}};
  run_process(
      command, [&](Stream, std::string_view line) { output.emplace_back(line); }, {}, surroundings);
  std::vector<std::string> names = undefined_references(output);
  if (names.empty()) {
    throw Failure("the linker does not say which functions " + exercise.id + " asks for" +
                  (output.empty() ? "" : ": " + output.front()));
  }
  return names;
}

Needs needs_of(const Exercise& exercise, const std::vector<std::string>& allow) {
  Needs needs;
  needs.cublas = exercise.cublas;
  needs.cutensor = exercise.cutensor;
  needs.allow = allow;
  needs.allow.insert(needs.allow.end(), exercise.needs.begin(), exercise.needs.end());
  return needs;
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
  if (!list_.student_script.empty()) to_see.push_back(list_.student_script);
  for (std::string& header : headers_in(exercise_.folder)) to_see.push_back(std::move(header));
  room.in = sandbox_.has_walls() ? "" : (folder / "source").string() + '/';
  room.out = sandbox_.has_walls() ? std::string(Sandbox::output_folder) + '/'
                                  : room.workshop.output.string() + '/';
  return room;
}

std::pair<ExitStatus, Builder::Lines> Builder::run(const Room& room, const Lines& command) const {
  Lines output;
  Surroundings surroundings;
  surroundings.time_limit = longest_step;
  const ExitStatus status = run_process(
      sandbox_.in_workshop(room.workshop, command),
      [&](Stream, std::string_view line) {
        if (output.size() < most_lines) output.emplace_back(line.substr(0, longest_line));
      },
      room.on_tick, surroundings);
  if (!status.ok() && !output.empty() && output.front().starts_with("bwrap: ")) {
    throw Failure("the sandbox failed: " + output.front());
  }
  return {status, std::move(output)};
}

/// Runs a tool that looks at an object, or changes it. It has no reason to fail.
Builder::Lines Builder::must_run(const Room& room, const Lines& command) const {
  Lines output;
  Surroundings surroundings;
  surroundings.time_limit = longest_step;
  std::string complaint;
  const ExitStatus status = run_process(
      sandbox_.in_workshop(room.workshop, command),
      [&](Stream stream, std::string_view line) {
        if (stream == Stream::out) output.emplace_back(line);
        if (stream == Stream::err && complaint.empty()) complaint = line.substr(0, longest_line);
      },
      room.on_tick, surroundings);
  if (!status.ok()) {
    throw Failure(command.front() + " failed (" + (complaint.empty() ? status.text() : complaint) +
                  ")");
  }
  return output;
}

Built Builder::build(const std::string& text, const Needs& needs,
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
  Built built = compile(room);
  const std::vector<std::string> warnings = built.ok() ? built.details : Lines{};
  if (built.ok()) built = inspect(room, needs);
  if (built.ok()) built = seal(room, asked);
  if (built.ok()) built = link(room);
  if (!built.ok()) {
    // A warning may say why: "defined but not used".
    built.details.insert(built.details.end(), warnings.begin(), warnings.end());
    return built;
  }
  // Whoever runs in the cell must be able to read it, and nobody to change it.
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

/// What macros of headers become in the student's file must not be what the file itself must not
/// say.
std::optional<std::string> Builder::look_at_macros(const Room& room, const Lines& compile,
                                                   const std::string& source) const {
  // As emulator-compile, which comes first, has it preprocessed.
  Lines command = without_launcher(compile);
  command.insert(command.end(), {"-DEMULATOR_TRANSLATOR", "-include", "cuda_runtime.h", "-w", "-E",
                                 "-x", "c++", source});
  OwnText text;
  Lines errors;
  Surroundings surroundings;
  surroundings.time_limit = longest_step;
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
      room.on_tick, surroundings);
  if (proven_limit(status, errors) || text.text().size() >= most_text) {
    return "has #include lines that never end, or macros that become too much";
  }
  // Where it is cut off, nobody knows what would have followed. An error is told by the compiler.
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

Built Builder::compile(const Room& room) const {
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
        return stopped("does not compile", "the compiler breaks down at it, each time: " + *how);
      }
      if (!limit) throw Failure("the compiler failed: " + trouble_in(status, output));
      return stopped("does not compile", "takes more of the compiler than it may: its " + *limit);
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
  Built built;
  built.details = compiler_warnings(output);
  return built;
}

Built Builder::inspect(const Room& room, const Needs& needs) const {
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
/// stand in the place of a function of ours, of the emulator or of the C library.
Built Builder::seal(const Room& room, const std::vector<std::string>& asked) const {
  // First its groups are dissolved, of which the linker would keep one in the whole program; and
  // what it holds is gathered between marks, by which the witness knows it.
  Lines gather{"ld", "-r", "--force-group-allocation"};
  if (!list_.student_script.empty()) gather.insert(gather.end(), {"-T", list_.student_script});
  gather.insert(gather.end(), {"-o", room.out + "whole.o", room.out + "student.o"});
  must_run(room, gather);
  Lines command{"objcopy"};
  for (const std::string& name : asked) command.push_back("--keep-global-symbol=" + name);
  for (const std::string& name : witness_marks()) command.push_back("--keep-global-symbol=" + name);
  // What a kernel has the C library load and store counts, too; and nobody writes to descriptors:
  // see grading/judge/rerouted.cpp.
  for (const std::string& name : rerouted_functions()) {
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

Built Builder::link(const Room& room) const {
  Lines command = list_.link;
  command.push_back(room.out + "sealed.o");
  command.insert(command.end(), exercise_.submission_objects.begin(),
                 exercise_.submission_objects.end());
  command.insert(command.end(), {"-Wl,-z,noexecstack", "-Wl,-z,now", "-o", room.out + "program"});
  command.insert(command.end(), exercise_.submission_libraries.begin(),
                 exercise_.submission_libraries.end());
  const auto [status, output] = run(room, command);
  if (!status.ok()) {
    if (!is_linker_complaint(status, output)) {
      throw Failure("the linker failed: " + trouble_in(status, output));
    }
    Lines messages = linker_errors(output, exercise_.file, room.out + "sealed.o", {});
    if (messages.empty()) messages = {"the linker failed: " + status.text()};
    return stopped("does not compile", messages.front(), messages);
  }
  Built built;
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
  Surroundings surroundings;
  surroundings.time_limit = longest_step;
  const ExitStatus status = run_process(
      sandbox_.in_workshop(room.workshop, command),
      [&](Stream stream, std::string_view line) {
        if (stream == Stream::err && complaint.empty()) complaint = line;
      },
      {}, surroundings);
  if (!status.ok()) {
    throw Failure(
        "the sandbox cannot see what it needs (" + (complaint.empty() ? status.text() : complaint) +
            "): as root, its user is nobody, who must be able to read the course's folder",
        status_refused);
  }
}

}  // namespace course::tool::grading
