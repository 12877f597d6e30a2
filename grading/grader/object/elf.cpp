#include "grader/object/elf.hpp"

#include <elf.h>

#include <cstring>

namespace course::tool::grading {
namespace {

/// An object at some place of the file, which may well be past its end.
template <class T>
T at(std::string_view file, std::uint64_t offset) {
  if (offset > file.size() || sizeof(T) > file.size() - offset) throw ElfError("it is cut off");
  T value;
  std::memcpy(&value, file.data() + offset, sizeof value);
  return value;
}

template <class T>
std::vector<T> table(std::string_view file, std::uint64_t offset, std::uint64_t bytes,
                     std::uint64_t entry) {
  std::vector<T> all;
  if (bytes == 0) return all;
  if (entry < sizeof(T)) throw ElfError("a table's entries are too short");
  if (offset > file.size() || bytes > file.size() - offset) throw ElfError("it is cut off");
  for (std::uint64_t k = 0; k < bytes / entry; ++k) all.push_back(at<T>(file, offset + k * entry));
  return all;
}

/// A name in a section of names, up to its zero.
std::string_view name_in(std::string_view file, const Elf64_Shdr& names, std::uint64_t offset) {
  if (names.sh_type != SHT_STRTAB || names.sh_offset > file.size() ||
      names.sh_size > file.size() - names.sh_offset || offset >= names.sh_size) {
    throw ElfError("a name is outside it");
  }
  const std::string_view text = file.substr(names.sh_offset, names.sh_size).substr(offset);
  const std::size_t end = text.find('\0');
  if (end == std::string_view::npos) throw ElfError("a name has no end");
  return text.substr(0, end);
}

const Elf64_Shdr& section(const std::vector<Elf64_Shdr>& sections, std::uint64_t number) {
  if (number >= sections.size()) throw ElfError("there is no such section");
  return sections[static_cast<std::size_t>(number)];
}

std::vector<ElfSymbol> symbols_in(std::string_view file, const std::vector<Elf64_Shdr>& sections,
                                  const Elf64_Shdr& where) {
  std::vector<ElfSymbol> symbols;
  const Elf64_Shdr& names = section(sections, where.sh_link);
  for (const auto& entry :
       table<Elf64_Sym>(file, where.sh_offset, where.sh_size, where.sh_entsize)) {
    symbols.push_back({.name = name_in(file, names, entry.st_name),
                       .value = entry.st_value,
                       .size = entry.st_size,
                       .type = static_cast<unsigned>(ELF64_ST_TYPE(entry.st_info)),
                       .binding = static_cast<unsigned>(ELF64_ST_BIND(entry.st_info)),
                       .is_undefined = entry.st_shndx == SHN_UNDEF});
  }
  return symbols;
}

}  // namespace

Elf read_elf(std::string_view file) {
  const auto header = at<Elf64_Ehdr>(file, 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB) {
    throw ElfError("it is not a 64-bit program");
  }
  Elf elf;
  for (const auto& segment :
       table<Elf64_Phdr>(file, header.e_phoff, std::uint64_t{header.e_phnum} * header.e_phentsize,
                         header.e_phentsize)) {
    elf.segments.push_back({segment.p_type, segment.p_flags, segment.p_vaddr, segment.p_offset,
                            segment.p_memsz, segment.p_align});
  }
  // Where there are more sections than fit into a number of 16 bits, their count is elsewhere:
  // no solution has that many.
  const auto sections = table<Elf64_Shdr>(
      file, header.e_shoff, std::uint64_t{header.e_shnum} * header.e_shentsize, header.e_shentsize);
  const Elf64_Shdr& section_names = section(sections, header.e_shstrndx);
  for (const Elf64_Shdr& one : sections) {
    elf.sections.push_back({name_in(file, section_names, one.sh_name), one.sh_addr, one.sh_size});
    if (one.sh_type == SHT_SYMTAB) elf.symbols = symbols_in(file, sections, one);
    if (one.sh_type != SHT_RELA || (one.sh_flags & SHF_ALLOC) == 0) continue;
    const auto names = symbols_in(file, sections, section(sections, one.sh_link));
    for (const auto& entry : table<Elf64_Rela>(file, one.sh_offset, one.sh_size, one.sh_entsize)) {
      const std::uint64_t number = ELF64_R_SYM(entry.r_info);
      if (number >= names.size()) throw ElfError("there is no such symbol");
      const ElfSymbol& symbol = names[static_cast<std::size_t>(number)];
      elf.relocations.push_back({entry.r_offset, static_cast<unsigned>(ELF64_R_TYPE(entry.r_info)),
                                 symbol.name, symbol.size});
    }
  }
  return elf;
}

}  // namespace course::tool::grading
