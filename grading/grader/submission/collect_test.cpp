#include "grader/submission/collect.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "host/test_files.hpp"

using namespace course::tool;
using namespace course::tool::grading;
namespace fs = std::filesystem;

namespace {

using State = CollectedFile::State;

Exercise residual() {
  Exercise exercise;
  exercise.id = "01a";
  exercise.name = "01a_residual";
  exercise.file = "residual.cu";
  return exercise;
}

CollectedFile collected(const TestFolder& folder) {
  return collect(folder.path(), residual());
}

}  // namespace

TEST_CASE("a file is found where the course has it, or less deep, the first place first") {
  const TestFolder folder;
  folder.write("residual.cu", "int last;");
  CHECK(collected(folder).text == "int last;");
  folder.write("01a_residual/residual.cu", "int second;");
  CHECK(collected(folder).text == "int second;");
  folder.write("exercises/01a_residual/residual.cu", "int first;");
  const CollectedFile found = collected(folder);
  CHECK(found.state == State::found);
  CHECK(found.text == "int first;");
  CHECK(found.reason.empty());
}

TEST_CASE("what is not there is missing; a file of another name is pointed out") {
  const TestFolder folder;
  CHECK(collected(folder).state == State::missing);
  CHECK(collected(folder).reason == "there is no residual.cu");
  CHECK(collect(folder.path() / "nobody", residual()).reason == "nothing was handed in");
  folder.write("01a_residual/Residual.CU", "int a;");
  CHECK(collected(folder).state == State::missing);
  CHECK(collected(folder).reason ==
        "there is no residual.cu (there is Residual.CU, which is another name)");
}

TEST_CASE("no symbolic link is followed, neither of the file nor on the way to it") {
  const TestFolder folder;
  const fs::path secret = folder.write("elsewhere/residual.cu", "int secret;");
  fs::create_directories(folder.path() / "a");
  fs::create_symlink(secret, folder.path() / "a/residual.cu");
  const CollectedFile file = collect(folder.path() / "a", residual());
  CHECK(file.state == State::not_a_file);
  CHECK(file.reason == "residual.cu is a symbolic link");
  CHECK(file.text.empty());

  fs::create_directories(folder.path() / "b");
  fs::create_directory_symlink(folder.path() / "elsewhere", folder.path() / "b/01a_residual");
  const CollectedFile way = collect(folder.path() / "b", residual());
  CHECK(way.state == State::not_a_file);
  CHECK(way.reason == "01a_residual is a symbolic link");

  fs::create_directory_symlink(folder.path() / "elsewhere", folder.path() / "c");
  CHECK(collect(folder.path() / "c", residual()).state == State::not_a_file);
}

TEST_CASE("nothing but an ordinary file is opened") {
  const TestFolder folder;
  const fs::path file = folder.path() / "residual.cu";
  fs::create_directories(file);
  CHECK(collected(folder).reason == "residual.cu is a folder");
  fs::remove(file);
  REQUIRE(mkfifo(file.c_str(), 0644) == 0);
  CHECK(collected(folder).reason == "residual.cu is a named pipe");
  fs::remove(file);
  const int socket_number = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  file.string().copy(address.sun_path, sizeof(address.sun_path) - 1);
  REQUIRE(bind(socket_number, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0);
  close(socket_number);
  CHECK(collected(folder).reason == "residual.cu is a socket");
  CHECK(collected(folder).state == State::not_a_file);
  fs::remove(file);
  if (geteuid() == 0 && mknod(file.c_str(), S_IFCHR | 0644, makedev(1, 3)) == 0) {
    CHECK(collected(folder).reason == "residual.cu is a device");
  }
}

TEST_CASE("a file is neither large, nor blank, nor binary") {
  const TestFolder folder;
  folder.write("residual.cu", std::string(largest_source, 'x'));
  CHECK(collected(folder).state == State::found);
  folder.write("residual.cu", std::string(largest_source + 1, 'x'));
  CHECK(collected(folder).state == State::too_large);
  CHECK(collected(folder).reason == "residual.cu is larger than 256 KiB");
  folder.write("residual.cu", " \r\n\t\n");
  CHECK(collected(folder).state == State::not_text);
  CHECK(collected(folder).reason == "residual.cu is empty");
  folder.write("residual.cu", std::string("int a;\0", 7));
  CHECK(collected(folder).state == State::not_text);
}

TEST_CASE("what the machine keeps from being read is nobody's fault") {
  const TestFolder folder;
  folder.write("residual.cu", "int a;");
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
  const int next = dup(0);  // the lowest number that is free
  close(next);
  // None is to be had, then one, then two: each fails at another step.
  for (int more = 0; more < 3; ++more) {
    const rlimit few{static_cast<rlim_t>(next + more), before.rlim_max};
    REQUIRE(setrlimit(RLIMIT_NOFILE, &few) == 0);
    const CollectedFile of_folder = collected(folder);
    const CollectedFile of_file = collect_file(folder.path() / "residual.cu");
    REQUIRE(setrlimit(RLIMIT_NOFILE, &before) == 0);
    CAPTURE(more);
    CHECK(name_of(of_folder.state) == "not graded");
    CHECK(of_folder.reason.ends_with("cannot be read: Too many open files"));
    CHECK(name_of(of_file.state) == "not graded");
  }
  CHECK(collected(folder).state == State::found);
}

TEST_CASE("a submission may be the file itself") {
  const TestFolder folder;
  const fs::path file = folder.write("anna.cu", "int a;");
  CHECK(collect_file(file).text == "int a;");
  fs::create_symlink(file, folder.path() / "ben.cu");
  CHECK(collect_file(folder.path() / "ben.cu").reason == "ben.cu is a symbolic link");
  CHECK(collect_file(folder.path() / "cleo.cu").state == State::missing);
}
