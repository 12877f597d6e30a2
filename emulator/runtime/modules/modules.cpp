/// \file
/// The driver API's modules: shared libraries of kernels, which emucc or NVRTC made. They find the
/// runtime in the program that loads them.

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/arena.hpp"
#include "engine/launches/kernels_by_address.hpp"
#include "engine/time_slices.hpp"
#include "modules/functions.hpp"
#include "modules/in_driver.hpp"

struct CUmod_st {
  struct Variable {
    std::uintptr_t offset;
    std::size_t bytes;
  };

  void* library = nullptr;
  std::map<std::string, Variable> own_variables{};  // the static ones, which dlsym() does not find
  std::map<std::string, CUfunc_st> functions{};
};

namespace emulator::modules {
namespace {

struct Modules {
  std::mutex mutex;
  std::map<CUmodule, std::unique_ptr<CUmod_st>> live;

  static Modules& get() {
    static auto& modules = *new Modules;
    return modules;
  }
};

// How long the image is: an ELF file ends with the table of its sections.
std::size_t bytes_of_image(const void* image) {
  Elf64_Ehdr header;
  std::memcpy(&header, image, sizeof header);
  const bool is_ours = std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
                       header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_type == ET_DYN;
  return is_ours ? header.e_shoff + std::size_t{header.e_shentsize} * header.e_shnum : 0;
}

// The static variables outside functions and namespaces: g++ calls `static int n` _ZL1n.
std::map<std::string, CUmod_st::Variable> own_variables(const char* image) {
  const auto read = [&](auto& object, std::size_t offset) {
    std::memcpy(&object, image + offset, sizeof object);
  };
  Elf64_Ehdr header;
  read(header, 0);
  const auto section = [&](std::size_t i) {
    Elf64_Shdr result;
    read(result, header.e_shoff + i * sizeof result);
    return result;
  };
  std::map<std::string, CUmod_st::Variable> result;
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr symbols = section(i);
    if (symbols.sh_type != SHT_SYMTAB) continue;
    const char* const names = image + section(symbols.sh_link).sh_offset;
    for (std::size_t at = 0; at < symbols.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      read(symbol, symbols.sh_offset + at);
      const std::string name = names + symbol.st_name;
      if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || !name.starts_with("_ZL")) continue;
      const std::size_t begin = name.find_first_not_of("0123456789", 3);
      if (begin != std::string::npos) {
        result[name.substr(begin)] = {symbol.st_value, symbol.st_size};
      }
    }
  }
  return result;
}

// Where the loader has put the library: from its first byte to one past its last.
std::pair<const char*, const char*> place_of(void* library) {
  link_map* map = nullptr;
  if (dlinfo(library, RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0) return {};
  struct Search {
    ElfW(Addr) base;
    std::pair<const char*, const char*> place;
  } search{map->l_addr, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        if (info->dlpi_addr != wanted.base) return 0;
        ElfW(Addr) end = 0;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& part = info->dlpi_phdr[i];
          if (part.p_type == PT_LOAD) end = std::max(end, part.p_vaddr + part.p_memsz);
        }
        // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader gives numbers
        const auto* const begin = reinterpret_cast<const char*>(wanted.base);
        wanted.place = {begin, begin + end};
        return 1;
      },
      &search);
  return search.place;
}

// A name of the file that no other module has had: the loader takes two files of one name for one
// file, and the numbers of closed files come again. So which module it is is also in the name,
// in binary digits that lead nowhere.
std::string name_of(int file) {
  static std::atomic<unsigned> modules{0};
  std::string name = "/proc/self/fd/";
  for (unsigned digits = ++modules; digits != 0; digits /= 2) name += digits % 2 == 0 ? "/" : "./";
  return name + std::to_string(file);
}

// The loader wants a file, and keeps it open no longer than it reads it. The module stays in memory
// when it is unloaded: reports name its kernels and their lines at the program's end.
CUresult load(CUmodule* module, const void* image, std::size_t bytes) {
  const int file = memfd_create("emulator-module", MFD_CLOEXEC);
  if (file < 0) return CUDA_ERROR_OPERATING_SYSTEM;
  const auto* at = static_cast<const char*>(image);
  for (std::size_t left = bytes; left > 0;) {
    const ssize_t written = write(file, at, left);
    if (written <= 0) {
      close(file);
      return CUDA_ERROR_OPERATING_SYSTEM;
    }
    at += written;
    left -= static_cast<std::size_t>(written);
  }
  void* const library = dlopen(name_of(file).c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  close(file);
  if (library == nullptr) {
    std::fprintf(stderr, "emulator: error: a module cannot be loaded: %s%s\n", dlerror(),
                 " (link the program with emucc -lcuda)");
    return CUDA_ERROR_INVALID_IMAGE;
  }
  Modules& modules = Modules::get();
  const std::lock_guard lock(modules.mutex);
  auto made = std::make_unique<CUmod_st>();
  made->library = library;
  made->own_variables = own_variables(static_cast<const char*>(image));
  const auto [begin, end] = place_of(library);
  add_module(begin, end, dlsym(library, "emulator_built_fast") == nullptr);
  *module = made.get();
  modules.live.emplace(*module, std::move(made));
  return CUDA_SUCCESS;
}

std::size_t bytes_of_symbol(void* address) {
  Dl_info info;
  const ElfW(Sym)* symbol = nullptr;
  void** const to = reinterpret_cast<void**>(const_cast<ElfW(Sym)**>(&symbol));
  if (dladdr1(address, &info, to, RTLD_DL_SYMENT) == 0 || symbol == nullptr) return 0;
  return symbol->st_size;
}

}  // namespace
}  // namespace emulator::modules

using namespace emulator::modules;  // NOLINT: what follows is the driver's, in no namespace

CUresult cuModuleLoad(CUmodule* module, const char* file) {
  if (module == nullptr || file == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return CUDA_ERROR_FILE_NOT_FOUND;
  const std::string image{std::istreambuf_iterator<char>(stream), {}};
  if (image.size() < sizeof(Elf64_Ehdr) || bytes_of_image(image.data()) != image.size()) {
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  }
  return load(module, image.data(), image.size());
}

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  if (module == nullptr || image == nullptr) return CUDA_ERROR_INVALID_VALUE;
  // PTX may be shorter than a header.
  if (std::strncmp(static_cast<const char*>(image), ELFMAG, SELFMAG) != 0) {
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  }
  const std::size_t bytes = bytes_of_image(image);
  return bytes == 0 ? CUDA_ERROR_NO_BINARY_FOR_GPU : load(module, image, bytes);
}
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int, CUjit_option*,
                            void**) {
  return cuModuleLoadData(module, image);
}
CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) {
  return cuModuleLoadData(module, image);
}

CUresult cuModuleUnload(CUmodule module) {
  const CUresult waited = in_driver([] { return cudaDeviceSynchronize(); });
  if (waited != CUDA_SUCCESS) return waited;
  Modules& modules = Modules::get();
  const std::lock_guard lock(modules.mutex);
  const auto found = modules.live.find(module);
  if (found == modules.live.end()) return CUDA_ERROR_INVALID_HANDLE;
  const auto [begin, end] = place_of(module->library);
  forget_kernels(begin, end);
  dlclose(module->library);
  modules.live.erase(found);
  return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  if (function == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Modules& modules = Modules::get();
  const std::lock_guard lock(modules.mutex);
  if (!modules.live.contains(module)) return CUDA_ERROR_INVALID_HANDLE;
  const void* kernel = dlsym(module->library, name);
  // What NVRTC has for a kernel that has no name of its own is a pointer to it.
  if (kernel != nullptr && std::strncmp(name, "emulator_kernel_", 16) == 0) {
    kernel = *static_cast<const void* const*>(kernel);
  }
  const auto parameters = kernel == nullptr ? std::nullopt : parameters_of(kernel);
  if (!parameters) return CUDA_ERROR_NOT_FOUND;
  CUfunc_st& found = module->functions[name];
  found.kernel = kernel;
  found.offsets.clear();
  std::size_t end = 0;
  for (const ParameterLayout& one : *parameters) {
    end = (end + one.alignment - 1) / one.alignment * one.alignment;
    found.offsets.push_back(end);
    end += one.bytes;
  }
  found.offsets.push_back(end);
  *function = &found;
  return CUDA_SUCCESS;
}

CUresult cuModuleGetGlobal(CUdeviceptr* address, std::size_t* bytes, CUmodule module,
                           const char* name) {
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Modules& modules = Modules::get();
  const std::lock_guard lock(modules.mutex);
  if (!modules.live.contains(module)) return CUDA_ERROR_INVALID_HANDLE;
  auto* variable = static_cast<char*>(dlsym(module->library, name));
  std::size_t size = variable == nullptr ? 0 : bytes_of_symbol(variable);
  if (const auto own = module->own_variables.find(name); own != module->own_variables.end()) {
    variable = const_cast<char*>(place_of(module->library).first) + own->second.offset;
    size = own->second.bytes;
  }
  if (variable == nullptr || parameters_of(variable)) return CUDA_ERROR_NOT_FOUND;
  // Copies ask whether it is the device's.
  add_outside(variable, size, MemoryKind::symbol, 0);
  if (address != nullptr) *address = address_of_pointer(variable);
  if (bytes != nullptr) *bytes = size;
  return CUDA_SUCCESS;
}
