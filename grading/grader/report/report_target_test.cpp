#include "grader/report/report_target.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "host/errors.hpp"
#include "host/files.hpp"
#include "host/test_files.hpp"

using namespace course::tool;
using namespace course::tool::grading;
namespace fs = std::filesystem;

namespace {

std::string refusal(const fs::path& file) {
  try {
    check_report_target("--json", file.string());
  } catch (const Failure& failure) {
    CHECK(failure.status() == status_refused);
    return failure.what();
  }
  return "";
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.ends_with(end);
}

}  // namespace

TEST_CASE("marks are written to ordinary files, new ones, and standard output") {
  const TestFolder folder;
  const fs::path file = folder.write("old.json", "{}");
  fs::create_symlink(file, folder.path() / "link");
  CHECK(refusal("").empty());
  CHECK(refusal("-").empty());
  CHECK(refusal(file).empty());
  CHECK(refusal(folder.path() / "link").empty());
  CHECK(refusal(folder.path() / "new.json").empty());
  CHECK(refusal(folder.path() / "new" / "new.json").empty());
}

TEST_CASE("nothing else is written to, or replaced") {
  const TestFolder folder;
  const fs::path pipe = folder.path() / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  fs::create_symlink(pipe, folder.path() / "to the pipe");
  fs::create_symlink("nowhere", folder.path() / "to nothing");
  CHECK(ends_with(refusal("/dev/null"), "(--json -), and /dev/null is a device"));
  CHECK(ends_with(refusal(pipe), "is a pipe"));
  CHECK(ends_with(refusal(folder.path() / "to the pipe"), "is a pipe"));
  CHECK(ends_with(refusal(folder.path() / "to nothing"), "is a link that leads nowhere"));
  CHECK(ends_with(refusal(folder.path()), "is a folder"));
  CHECK(ends_with(refusal(folder.path().string() + "/new/"), "is a folder"));
  // Nor by who writes it, should it have come there meanwhile.
  for (const fs::path& path : {pipe, folder.path() / "to the pipe", folder.path() / "to nothing"}) {
    CHECK_FALSE(write_file(path, "text"));
  }
  CHECK(fs::is_fifo(pipe));
  CHECK(fs::is_symlink(folder.path() / "to nothing"));
}
