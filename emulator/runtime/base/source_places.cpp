#include "base/source_places.hpp"

#include <backtrace.h>
#include <cxxabi.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <system_error>
#include <unordered_map>

namespace emulator::base {
namespace {

struct Frame {
  std::string file;
  int line = 0;
  std::string function;
};

void ignore_error(void*, const char*, int) {}  // what cannot be read is not known, that is all

std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
  return status == 0 ? std::string(text.get()) : std::string(name);
}

int add_frame(void* frames, std::uintptr_t, const char* file, int line, const char* function) {
  Frame frame;
  if (file != nullptr) frame.file = std::filesystem::path(file).lexically_normal().string();
  frame.line = line;
  if (function != nullptr) frame.function = demangled(function);
  static_cast<std::vector<Frame>*>(frames)->push_back(std::move(frame));
  return 0;
}

backtrace_state* program() {
  static backtrace_state* const state =
      backtrace_create_state(nullptr, /*threaded=*/1, ignore_error, nullptr);
  return state;
}

// The frames at an address, the innermost function first.
std::vector<Frame> frames_at(std::uintptr_t address) {
  backtrace_state* const state = program();
  std::vector<Frame> frames;
  if (state != nullptr) backtrace_pcinfo(state, address, add_frame, ignore_error, &frames);
  return frames;
}

// Headers of the emulator's and of the standard library, wherever they are installed.
bool is_not_the_programs(const std::string& file) {
  return file.find("/include/emulator/") != std::string::npos || file.ends_with("/include/mma.h") ||
         file.ends_with("/include/cuda/ptx") || file.ends_with("/include/cuda/barrier") ||
         file.ends_with("/include/cuda/atomic") || file.find("/include/c++/") != std::string::npos;
}

SourcePlace find_place(std::uint64_t pc) {
  SourcePlace place;
  // The call itself ends a byte before the address that it returns to.
  for (Frame& frame : frames_at(static_cast<std::uintptr_t>(pc) - 1)) {
    place.functions.push_back(std::move(frame.function));
    if (frame.file.empty() || frame.line == 0 || is_not_the_programs(frame.file)) continue;
    if (place.line != 0) {
      place.callers.push_back({std::move(frame.file), frame.line});
      continue;
    }
    place.file = std::move(frame.file);
    place.line = frame.line;
  }
  return place;
}

// Whether NVIDIA's core libraries are in that folder.
bool holds_core_libraries(const std::string& folder) {
  std::error_code error;
  return std::filesystem::exists(folder + "/cuda/__cccl_config", error);
}

bool continues_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

// Where the template arguments that begin at `text[begin]` end.
std::size_t end_of_arguments(const std::string& text, std::size_t begin) {
  int depth = 0;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '<' || c == '(') ++depth;
    if (c == ')' || (c == '>' && text[i - 1] != '-')) --depth;
    if (depth == 0) return i + 1;
  }
  return text.size();
}

}  // namespace

bool is_of_library(const std::string& file) {
  if (file.ends_with("/include/curand_kernel.h")) return true;
  static std::mutex mutex;
  static auto& known = *new std::unordered_map<std::string, bool>;  // by folder
  const std::lock_guard lock(mutex);
  for (const char* const part : {"/cub/", "/thrust/", "/cuda/", "/nv/"}) {
    for (std::size_t at = file.find(part); at != std::string::npos; at = file.find(part, at + 1)) {
      const std::string folder = file.substr(0, at);
      const auto found = known.find(folder);
      if (found != known.end() ? found->second
                               : known.emplace(folder, holds_core_libraries(folder)).first->second)
        return true;
    }
  }
  return false;
}

const SourceLine* SourcePlace::programs_line() const {
  if (line != 0 && !is_of_library(file)) return this;
  const auto found = std::find_if(callers.begin(), callers.end(), [](const SourceLine& caller) {
    return !is_of_library(caller.file);
  });
  return found == callers.end() ? nullptr : &*found;
}

const SourcePlace& place_of(std::uint64_t pc) {
  static std::mutex mutex;
  static auto& known = *new std::unordered_map<std::uint64_t, SourcePlace>;
  const std::lock_guard lock(mutex);
  const auto found = known.find(pc);
  if (found != known.end()) return found->second;
  return known.emplace(pc, find_place(pc)).first->second;
}

std::uintptr_t function_begin(std::uintptr_t place) {
  std::uintptr_t begin = 0;
  const auto note = [](void* result, std::uintptr_t, const char*, std::uintptr_t value,
                       std::uintptr_t) { *static_cast<std::uintptr_t*>(result) = value; };
  if (program() != nullptr) backtrace_syminfo(program(), place, note, ignore_error, &begin);
  return begin;
}

std::string instance_among(const std::string& kernel, const std::vector<std::string>& functions) {
  const std::size_t scope = kernel.rfind("::");
  const std::string name = scope == std::string::npos ? kernel : kernel.substr(scope + 2);
  if (name.empty()) return {};
  for (const std::string& function : functions) {
    // The function's own name comes before any bracket: what is in brackets may name others.
    for (std::size_t at = function.find(name); at != std::string::npos;
         at = function.find(name, at + 1)) {
      const std::size_t end = at + name.size();
      const bool whole = (at == 0 || !continues_name(function[at - 1])) &&
                         (end == function.size() || function[end] == '<' || function[end] == '(');
      if (!whole) continue;
      if (end < function.size() && function[end] == '<') {
        return function.substr(at, end_of_arguments(function, end) - at);
      }
      return name;
    }
  }
  return {};
}

std::string plain_name(const std::string& function) {
  // The parameters begin at the first bracket outside all others that ends no scope's name, as
  // `(anonymous namespace)::` does.
  std::size_t begin = 0;
  for (std::size_t i = 0; i < function.size(); ++i) {
    const char c = function[i];
    if (c == ' ' || c == ':') begin = i + 1;
    if (c != '<' && c != '(') continue;
    const std::size_t end = end_of_arguments(function, i);
    if (function.compare(end, 2, "::") == 0) {
      i = end;
    } else if (c == '<') {
      return function.substr(begin, end - begin);
    } else {
      return function.substr(begin, i - begin);
    }
  }
  return function.substr(begin);
}

std::string kernel_name(const char* launched_as, const void* function) {
  if (function == nullptr) return launched_as;
  // As if its first byte were a call.
  const std::vector<std::string>& functions =
      place_of(reinterpret_cast<std::uint64_t>(function) + 1).functions;
  return functions.empty() ? launched_as : plain_name(functions.back());
}

}  // namespace emulator::base
