/// @file
/// Reads what a program or an object file of 64 bits says of itself: its symbols, sections,
/// segments and relocations. What a student has named is text of any kind, so it is read from the
/// file itself and not from a tool's output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace course::tool::grading {

/// The file is damaged, or of another kind.
class ElfError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The numbers that <elf.h> gives names to.
struct ElfSymbol {
  std::string_view name;
  std::uint64_t value = 0;
  std::uint64_t size = 0;
  unsigned type = 0;
  unsigned binding = 0;
  bool is_undefined = false;
};

struct ElfSection {
  std::string_view name;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
};

struct ElfSegment {
  unsigned type = 0;
  unsigned flags = 0;
  std::uint64_t address = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes_in_memory = 0;
  std::uint64_t alignment = 0;
};

/// A place that the dynamic linker fills.
struct ElfRelocation {
  std::uint64_t address = 0;
  unsigned type = 0;
  std::string_view symbol;
  std::uint64_t symbol_size = 0;
};

/// All of it; names live as long as the text that was read.
struct Elf {
  std::vector<ElfSymbol> symbols;
  std::vector<ElfSection> sections;
  std::vector<ElfSegment> segments;
  std::vector<ElfRelocation> relocations;
};

/// @throws ElfError
Elf read_elf(std::string_view file);

}  // namespace course::tool::grading
