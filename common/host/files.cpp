#include "host/files.hpp"

#include <elf.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

#include "host/errors.hpp"

namespace course::tool {

namespace fs = std::filesystem;

std::optional<std::string> read_file(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return std::nullopt;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return std::nullopt;
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (stream.bad()) return std::nullopt;
  return text;
}

bool write_file(const fs::path& file, const std::string& text) {
  std::error_code error;
  const fs::path target = fs::is_symlink(file, error) ? fs::weakly_canonical(file, error) : file;
  const fs::file_status found = fs::status(target, error);
  if (fs::exists(found) ? !fs::is_regular_file(found) : fs::is_symlink(target, error)) return false;
  fs::create_directories(target.parent_path(), error);
  const fs::path part = target.string() + ".part" + std::to_string(getpid());
  {
    std::ofstream stream(part, std::ios::binary);
    stream << text << std::flush;
    if (!stream) {
      fs::remove(part, error);
      return false;
    }
  }
  std::error_code ignored;
  const fs::file_status before = fs::status(target, ignored);
  if (fs::exists(before)) fs::permissions(part, before.permissions(), ignored);
  fs::rename(part, target, error);
  if (error) fs::remove(part, ignored);
  return !error;
}

void refuse_damaged(const fs::path& file, const std::string& why) {
  std::string line = why.substr(0, why.find('\n'));
  if (line.size() > 120) line = line.substr(0, 120) + " ...";
  // What a student has done may be kept there, where the checkout cannot be written to.
  const fs::path folder = file.parent_path();
  std::error_code error;
  const bool keeps = fs::exists(folder / ".course", error);
  const fs::path remove = keeps ? folder / "CMakeCache.txt" : folder;
  throw Failure(file.string() + " is damaged (" + line + "): remove the " +
                    (keeps ? "file" : "folder") + " (rm -r '" + remove.string() +
                    "') and run the same command again",
                status_refused);
}

bool is_whole_program(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  Elf64_Ehdr head{};
  stream.read(reinterpret_cast<char*>(&head), sizeof(head));
  const std::string_view begin(reinterpret_cast<const char*>(&head),
                               static_cast<std::size_t>(stream.gcount()));
  if (begin.starts_with("#!")) return true;
  if (begin.size() < sizeof(head) || !begin.starts_with(std::string_view(ELFMAG, SELFMAG))) {
    return false;
  }
  // The table of its sections is at the end.
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  return !error && head.e_shoff + std::uintmax_t{head.e_shnum} * head.e_shentsize <= size;
}

std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211ULL;
  }
  return hash;
}

ScratchFolder::ScratchFolder(const std::string& purpose) try
    : TemporaryFolder(fs::temp_directory_path(), purpose) {
} catch (const std::system_error&) {
  throw Failure("cannot make a temporary folder: set TMPDIR to a folder you can write to",
                status_refused);
}

}  // namespace course::tool
