#include "base/variables.hpp"

#include <cxxabi.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <vector>

namespace emulator::base {
namespace {

// The name stays as the linker has it until somebody asks for it: few variables are ever found.
struct Symbol {
  std::string name;
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  bool weak = false;
};

struct Symbols {
  std::vector<Symbol> data;
  std::vector<Symbol> thread_local_data;
  std::vector<std::uintptr_t> thread_local_guards;
};

// `count` structures at `offset` of the file; none if they are not all there.
template <class T>
std::vector<T> read_array(std::ifstream& file, std::uint64_t offset, std::uint64_t count) {
  constexpr std::uint64_t most = std::uint64_t{1} << 28;  // more than that is a broken file
  if (count > most / sizeof(T)) return {};
  std::vector<T> items(static_cast<std::size_t>(count));
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(reinterpret_cast<char*>(items.data()),
            static_cast<std::streamsize>(items.size() * sizeof(T)));
  if (!file) items.clear();
  return items;
}

// What is added to an address in the file to get the address in memory: the program may have been
// loaded anywhere.
std::uintptr_t load_bias() {
  std::uintptr_t bias = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* result) {
        *static_cast<std::uintptr_t*>(result) = info->dlpi_addr;
        return 1;  // the first object is the program itself
      },
      &bias);
  return bias;
}

// Tables of virtual functions, guards of initialisation and the like are the compiler's own.
bool is_the_compilers(const std::string& name) {
  return name.empty() || name.starts_with("_ZT") || name.starts_with("_ZG");
}

void sort_by_address(std::vector<Symbol>& symbols) {
  std::sort(symbols.begin(), symbols.end(), [](const Symbol& a, const Symbol& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.bytes > b.bytes;
  });
  // Of several names for one place the one that covers the most stays, so that none overlap.
  std::size_t kept = 0;
  std::uintptr_t end = 0;
  for (Symbol& symbol : symbols) {
    if (symbol.begin < end) continue;
    end = symbol.begin + symbol.bytes;
    if (&symbols[kept] != &symbol) symbols[kept] = std::move(symbol);
    ++kept;
  }
  symbols.resize(kept);
}

Symbols read_symbols() {
  Symbols result;
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const auto headers = read_array<ElfW(Ehdr)>(file, 0, 1);
  if (headers.empty() || headers[0].e_shentsize != sizeof(ElfW(Shdr))) return result;
  const auto sections = read_array<ElfW(Shdr)>(file, headers[0].e_shoff, headers[0].e_shnum);
  const std::uintptr_t bias = load_bias();
  for (const ElfW(Shdr) & section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
    const ElfW(Shdr)& strings = sections[section.sh_link];
    auto names = read_array<char>(file, strings.sh_offset, strings.sh_size);
    names.push_back('\0');
    for (const ElfW(Sym) & entry :
         read_array<ElfW(Sym)>(file, section.sh_offset, section.sh_size / sizeof(ElfW(Sym)))) {
      const auto type = ELF64_ST_TYPE(entry.st_info);  // the same bits in both classes
      const auto binding = ELF64_ST_BIND(entry.st_info);
      if ((type != STT_OBJECT && type != STT_TLS) || entry.st_shndx == SHN_UNDEF) continue;
      if (entry.st_size == 0 || entry.st_name >= names.size()) continue;
      std::string name(&names[entry.st_name]);
      if (type == STT_TLS && name.starts_with("_ZGV")) {
        result.thread_local_guards.push_back(entry.st_value);
      }
      if (is_the_compilers(name)) continue;
      const bool data = type == STT_OBJECT;
      (data ? result.data : result.thread_local_data)
          .push_back({std::move(name),
                      static_cast<std::uintptr_t>(entry.st_value + (data ? bias : 0)),
                      static_cast<std::size_t>(entry.st_size),
                      binding == STB_WEAK || binding == STB_GNU_UNIQUE});
    }
  }
  sort_by_address(result.data);
  sort_by_address(result.thread_local_data);
  return result;
}

const Symbols& symbols() {
  static const auto& all = *new Symbols(read_symbols());  // never destroyed
  return all;
}

// `kernel(float*)::tile` is `tile`; what is in brackets has scopes of its own.
std::string last_component(const std::string& name) {
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '<' || c == '(' || c == '{' || c == '[') ++depth;
    if (c == '>' || c == ')' || c == '}' || c == ']') --depth;
    if (c == ':' && depth == 0) begin = i + 1;
  }
  return name.substr(begin);
}

std::string readable(const std::string& symbol) {
  // The compiler tells local variables of one name apart by a suffix: `tile.0`.
  const std::string name = symbol.substr(0, symbol.find('.', 1));
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return name.starts_with("_Z") && status == 0 ? last_component(text.get()) : name;
}

std::optional<Variable> find_in(const std::vector<Symbol>& symbols, std::uintptr_t address) {
  const auto after = std::upper_bound(
      symbols.begin(), symbols.end(), address,
      [](std::uintptr_t wanted, const Symbol& symbol) { return wanted < symbol.begin; });
  if (after == symbols.begin()) return std::nullopt;
  const Symbol& symbol = *std::prev(after);
  if (address - symbol.begin >= symbol.bytes) return std::nullopt;
  return Variable{readable(symbol.name), symbol.begin, symbol.bytes, symbol.weak};
}

std::optional<Variable> nearest_in(const std::vector<Symbol>& symbols, std::uintptr_t address) {
  const Symbol* nearest = nullptr;
  std::uintptr_t distance = UINTPTR_MAX;
  for (const Symbol& symbol : symbols) {
    const std::uintptr_t end = symbol.begin + symbol.bytes;
    const std::uintptr_t here = address < symbol.begin ? symbol.begin - address
                                : address < end        ? 0
                                                       : address - end + 1;
    if (here >= distance) continue;
    distance = here;
    nearest = &symbol;
  }
  if (nearest == nullptr) return std::nullopt;
  return Variable{readable(nearest->name), nearest->begin, nearest->bytes, nearest->weak};
}

}  // namespace

std::optional<Variable> nearest_data_variable(std::uintptr_t address) {
  return nearest_in(symbols().data, address);
}

std::optional<Variable> nearest_shared_variable(std::uintptr_t offset) {
  return nearest_in(symbols().thread_local_data, offset);
}

std::vector<Variable> data_variables() {
  std::vector<Variable> result;
  for (const Symbol& symbol : symbols().data) {
    result.push_back({readable(symbol.name), symbol.begin, symbol.bytes, symbol.weak});
  }
  return result;
}

bool has_variables() {
  return !symbols().data.empty();
}

std::optional<Variable> find_data_variable(std::uintptr_t address) {
  return find_in(symbols().data, address);
}

std::optional<Variable> find_shared_variable(std::uintptr_t offset) {
  return find_in(symbols().thread_local_data, offset);
}

const std::vector<std::uintptr_t>& shared_guards() {
  return symbols().thread_local_guards;
}

}  // namespace emulator::base
