#include "host/files.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <sstream>

#include "host/build.hpp"
#include "host/test_files.hpp"

using namespace course::tool;
namespace fs = std::filesystem;

TEST_CASE("a file is read whole, and what is none is nothing") {
  const TestFolder folder;
  const std::string text("a\r\n\0b", 5);
  CHECK(write_file(folder.path() / "x/y", text));
  CHECK(read_file(folder.path() / "x/y") == text);
  CHECK_FALSE(read_file(folder.path() / "x"));
  CHECK_FALSE(read_file(folder.path() / "none"));
}

TEST_CASE("writing keeps permissions and links, and leaves nothing beside the file") {
  const TestFolder folder;
  const fs::path file = folder.write("file", "old");
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write | fs::perms::others_read);
  fs::create_symlink("file", folder.path() / "link");
  CHECK(write_file(folder.path() / "link", "new"));
  CHECK(fs::is_symlink(folder.path() / "link"));
  CHECK(folder.read("file") == "new");
  CHECK(fs::status(file).permissions() ==
        (fs::perms::owner_read | fs::perms::owner_write | fs::perms::others_read));
  CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 2);
  CHECK_FALSE(write_file("/proc/none/file", "text"));
}

TEST_CASE("a hash is the same in every run, and differs where texts do") {
  CHECK(hash_of("") == 14695981039346656037ULL);
  CHECK(hash_of("a") == 0xAF63DC4C8601EC8CULL);
  CHECK(hash_of("ab") != hash_of("ba"));
}

TEST_CASE("a scratch folder is gone with its object") {
  fs::path path;
  {
    const ScratchFolder folder("course-test");
    path = folder.path();
    CHECK(write_file(path / "a/b", ""));
  }
  CHECK_FALSE(path.empty());
  CHECK_FALSE(fs::exists(path));
}

TEST_CASE("a program that is empty or cut off is not whole, and is built again") {
  const TestFolder folder;
  CHECK(is_whole_program("/proc/self/exe"));
  CHECK(is_whole_program(folder.script("script", "exit 0")));
  CHECK_FALSE(is_whole_program(folder.path() / "none"));
  CHECK_FALSE(is_whole_program(folder.write("empty", "")));
  const std::filesystem::path cut = folder.path() / "cut";
  std::filesystem::copy_file("/proc/self/exe", cut);
  for (const std::uintmax_t lost : {std::uintmax_t{1}, std::filesystem::file_size(cut) / 2}) {
    std::filesystem::resize_file(cut, std::filesystem::file_size(cut) - lost);
    CHECK_FALSE(is_whole_program(cut));
  }

  Checkout checkout;
  checkout.build_dir = folder.path();
  // As ninja, it makes what is not there.
  checkout.cmake = folder.script(
      "cmake", "cd '" + folder.path().string() + "'; [ -e cut ] || cp script cut; echo x >>calls");
  std::ostringstream shown;
  Progress progress(shown, false);
  CHECK(build_program(checkout, "x", cut, progress).ok);
  CHECK(is_whole_program(cut));
  CHECK(folder.read("calls") == "x\nx\n");
}
