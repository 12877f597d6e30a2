#include "grader/object/witness_map.hpp"

#include <elf.h>

#include <array>
#include <cstdio>
#include <unordered_map>
#include <unordered_set>

#include "grader/object/elf.hpp"
#include "grader/object/known_functions.hpp"

namespace course::tool::grading {
namespace {

/// What the dynamic linker fills with the address of a function: where calls of libraries go.
constexpr unsigned address_of_function[] = {R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT};

class Map {
 public:
  Map(const Elf& program, const Elf& object) : program_(program) {
    for (const ElfSymbol& symbol : program.symbols) {
      // What is the student's own is local, and may have any name.
      if (!symbol.is_undefined && symbol.binding != STB_LOCAL)
        by_name_.emplace(symbol.name, &symbol);
    }
    for (const ElfSymbol& symbol : object.symbols) {
      if (symbol.is_undefined && is_plain(symbol.name)) asked_.insert(symbol.name);
    }
  }

  std::string text() {
    add_code();
    for (const char* const name : {"text", "data", "bss"})
      add_marked(name, name[0] == 't' ? "text" : "data");
    for (const char* const name : {"tdata", "tbss"}) add_marked(name, "thread");
    add("all", value_of({"__data_start", "data_start"}), value_of({"_end"}));
    for (const ElfSection& section : program_.sections) {
      if (section.name == "emulator_constant")
        add("constants", section.address, section.address + section.size);
      if (section.name == ".plt" || section.name == ".plt.got" || section.name == ".plt.sec") {
        add("linkage", section.address, section.address + section.size);
      }
    }
    for (const char* const name : {"threadIdx", "blockIdx", "blockDim", "gridDim"})
      add_whole(name, "builtin");
    add_whole("emulator_dynamic_shared_memory", "thread");
    for (const char* const name : {"course__ZSt4cout", "course__ZSt4cerr", "course__ZSt4clog"})
      add_whole(name, "open");
    add("telling", value_of({"emulator_tell_witness"}));
    add_functions();
    return text_;
  }

 private:
  static bool is_plain(std::string_view name) {
    return !name.empty() && name.find_first_of(" \t\n\r") == std::string_view::npos;
  }

  template <class... Numbers>
  void add(std::string_view word, Numbers... numbers) {
    text_ += word;
    for (const std::uint64_t number : {std::uint64_t{numbers}...}) {
      std::array<char, 24> digits{};
      std::snprintf(digits.data(), digits.size(), " %llx", static_cast<unsigned long long>(number));
      text_ += digits.data();
    }
    text_ += '\n';
  }

  void add_function(std::string_view word, std::uint64_t address, std::string_view name) {
    const Uses uses = uses_of(std::string(name));
    add(word, address, uses.written, uses.answered, uses.called, uses.in_kernels);
    text_.back() = ' ';
    (text_ += name) += '\n';
  }

  std::uint64_t value_of(std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names) {
      const auto found = by_name_.find(name);
      if (found != by_name_.end()) return found->second->value;
    }
    throw ElfError("it has no " + std::string(*names.begin()));
  }

  void add_code() {
    for (const ElfSegment& segment : program_.segments) {
      if (segment.type == PT_LOAD && (segment.flags & PF_X) != 0) {
        add("code", segment.address, segment.address + segment.bytes_in_memory, segment.offset);
      }
      if (segment.type == PT_TLS) add("storage", segment.bytes_in_memory, segment.alignment);
    }
  }

  void add_marked(const std::string& section, std::string_view word) {
    const std::string mark = "course_student_" + section;
    add(word, value_of({mark + "_begin"}), value_of({mark + "_end"}));
  }

  void add_whole(std::string_view name, std::string_view word) {
    const auto found = by_name_.find(name);
    if (found != by_name_.end())
      add(word, found->second->value, found->second->value + found->second->size);
  }

  void add_functions() {
    for (const std::string_view name : asked_) {
      const auto found = by_name_.find(name);
      if (found == by_name_.end()) continue;
      if (found->second->type == STT_FUNC) add_function("entry", found->second->value, name);
    }
    for (const ElfRelocation& relocation : program_.relocations) {
      // The C++ library's own, std::cout say, may be in the program.
      if (relocation.type == R_X86_64_COPY && relocation.symbol.starts_with("_ZSt")) {
        add("open", relocation.address, relocation.address + relocation.symbol_size);
      }
      for (const unsigned type : address_of_function) {
        if (relocation.type == type && asked_.contains(relocation.symbol)) {
          add_function("slot", relocation.address, relocation.symbol);
        }
      }
    }
  }

  const Elf& program_;
  std::unordered_map<std::string_view, const ElfSymbol*> by_name_;
  std::unordered_set<std::string_view> asked_;
  std::string text_;
};

}  // namespace

const std::vector<std::string>& witness_marks() {
  static const auto& marks = *new std::vector<std::string>([] {
    std::vector<std::string> names;
    for (const char* const section : {"text", "data", "bss", "tdata", "tbss"}) {
      for (const char* const end : {"_begin", "_end"}) {
        names.push_back(std::string("course_student_") + section + end);
      }
    }
    return names;
  }());
  return marks;
}

std::string witness_map(std::string_view program, std::string_view object) {
  const Elf linked = read_elf(program);
  const Elf own = read_elf(object);
  return Map(linked, own).text();
}

}  // namespace course::tool::grading
