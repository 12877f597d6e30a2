#include <sys/resource.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/host_state.hpp"
#include "base/region_allocator.hpp"
#include "tests/support/host_test.hpp"

using namespace host_test;
using emulator::base::arena_size;
using emulator::base::available_host_memory;
using emulator::base::RegionAllocator;
using emulator::base::total_host_memory;

TEST_CASE("regions come from the untouched end until there is none") {
  RegionAllocator regions(1000, 100);
  CHECK(regions.take(30) == 1000);
  CHECK(regions.take(20) == 1030);
  regions.give_back(1000, 30);
  CHECK(regions.take(10) == 1050);  // what was freed rests
  CHECK_FALSE(regions.take(41));
  CHECK(regions.take(40) == 1060);
  CHECK(regions.take(10) == 1000);  // now it serves again
  CHECK_FALSE(regions.take(21));
  CHECK(regions.take(20) == 1010);
  CHECK_FALSE(regions.take(1));
}

TEST_CASE("freed regions that touch become one") {
  RegionAllocator regions(0, 50);
  for (std::uintptr_t begin = 0; begin < 50; begin += 10) CHECK(regions.take(10) == begin);
  SUBCASE("with the one before") {
    regions.give_back(10, 10);
    regions.give_back(20, 10);
    CHECK(regions.take(20) == 10);
    CHECK_FALSE(regions.take(1));
  }
  SUBCASE("with the one behind") {
    regions.give_back(20, 10);
    regions.give_back(10, 10);
    CHECK(regions.take(20) == 10);
    CHECK_FALSE(regions.take(1));
  }
  SUBCASE("with both") {
    regions.give_back(10, 10);
    regions.give_back(30, 10);
    CHECK_FALSE(regions.take(30));
    regions.give_back(20, 10);
    CHECK(regions.take(30) == 10);
    CHECK_FALSE(regions.take(1));
  }
  SUBCASE("but not across one in use") {
    regions.give_back(20, 10);
    regions.give_back(0, 10);
    regions.give_back(40, 10);
    CHECK_FALSE(regions.take(11));
    CHECK(regions.take(10) == 0);
    CHECK(regions.take(10) == 20);
    CHECK(regions.take(10) == 40);
    CHECK_FALSE(regions.take(1));
  }
  SUBCASE("and the lowest that is large enough is taken") {
    regions.give_back(0, 10);
    regions.give_back(20, 10);
    regions.give_back(30, 10);
    CHECK(regions.take(15) == 20);
    CHECK(regions.take(5) == 0);
    CHECK(regions.take(5) == 5);
    CHECK(regions.take(5) == 35);
  }
}

TEST_CASE("more can be allocated over time than the arena holds at once") {
  const Fresh fresh;
  std::size_t free_bytes = 0;
  REQUIRE(cudaMemGetInfo(&free_bytes, nullptr) == cudaSuccess);
  const std::size_t size = free_bytes / 4 * 3;
  bool good = true;
  for (std::size_t total = 0; total <= arena_size + arena_size / 8; total += size) {
    char* pointer = nullptr;
    good = good && cudaMalloc(&pointer, size) == cudaSuccess;
    // Fresh pages each time, though the addresses come again.
    good = good && pointer[0] == 0 && pointer[size - 1] == 0;
    if (good) pointer[0] = pointer[size - 1] = 1;
    good = good && cudaFree(pointer) == cudaSuccess;
  }
  CHECK(good);
}

namespace {

// What Linux says of the mapping that holds the byte: "rd wr mr mw me ac hg", say. Empty if it says
// nothing.
std::string mapping_flags(const void* address) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream mappings("/proc/self/smaps");
  bool holds_it = false;
  for (std::string line; std::getline(mappings, line);) {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    if (std::sscanf(line.c_str(), "%zx-%zx ", &begin, &end) == 2) {
      holds_it = begin <= wanted && wanted < end;
    } else if (holds_it && line.starts_with("VmFlags:")) {
      return line.substr(8) + " ";
    }
  }
  return "";
}

bool has_large_pages() {
  return std::filesystem::exists("/sys/kernel/mm/transparent_hugepage/enabled");
}

}  // namespace

TEST_CASE("large allocations ask for large pages, small ones do not") {
  const Fresh fresh;
  const auto asks = [](const void* pointer) {
    return mapping_flags(pointer).find(" hg ") != std::string::npos;
  };
  constexpr std::size_t large = std::size_t{8} << 20;
  char* pointer = nullptr;
  char* small = nullptr;
  REQUIRE(cudaMalloc(&pointer, large) == cudaSuccess);
  REQUIRE(cudaMalloc(&small, 4096) == cudaSuccess);
  if (!has_large_pages() || mapping_flags(pointer).empty()) return;
  CHECK(asks(pointer));
  CHECK_FALSE(asks(small));
}

TEST_CASE("wrong accesses by the host fault") {
  const Fresh fresh;
  char* pointer = nullptr;
  REQUIRE(cudaMalloc(&pointer, 1024) == cudaSuccess);
  const auto write = [&](std::ptrdiff_t offset) {
    return in_child([&] { *static_cast<volatile char*>(pointer + offset) = 1; }).signal;
  };
  CHECK(write(0) == 0);
  CHECK(write(1023) == 0);
  CHECK(write(1024) == SIGSEGV);  // the page after it
  REQUIRE(cudaFree(pointer) == cudaSuccess);
  CHECK(write(0) == SIGSEGV);
  const auto read = in_child([&] { (void)*static_cast<volatile char*>(pointer); });
  CHECK(read.signal == SIGSEGV);
}

// Runs in a process of its own, started by the tests that follow.
TEST_CASE("child: first allocation" * doctest::skip()) {
  char* pointer = nullptr;
  if (cudaMalloc(&pointer, 4096) != cudaSuccess) _exit(3);
  std::fprintf(stderr, "%zx", reinterpret_cast<std::size_t>(pointer));
  _exit(0);
}

namespace {

// Starts this program afresh, so that nothing is reserved yet, to run the child's test.
void start_child() {
  execl("/proc/self/exe", "child", "--no-version", "--no-skip",
        "--test-case=child: first allocation", nullptr);
  _exit(4);
}

}  // namespace

TEST_CASE("the first allocation lies where it always lies") {
  const ChildResult child = in_child(start_child);
  CHECK(child.status == 0);
  CHECK(child.error_output == "200000000000");
}

TEST_CASE("without room for the arena, one clear line and exit status 1") {
  const ChildResult child = in_child([] {
    const rlimit limit{rlim_t{1} << 33, rlim_t{1} << 33};
    setrlimit(RLIMIT_AS, &limit);
    start_child();
  });
  CHECK(child.status == 1);
  CHECK(
      child.error_output ==
      "emulator: cannot reserve the addresses from 0x200000000000 on (Cannot allocate memory): is "
      "there a limit on virtual memory (ulimit -v)?\n");
}

namespace {

// A tree of the files in which Linux describes memory.
class FakeSystem {
 public:
  FakeSystem() {
    char name[] = "/tmp/emulator_host_test_XXXXXX";
    REQUIRE(mkdtemp(name) != nullptr);
    root_ = name;
    write("/proc/meminfo", "MemTotal:       1000 kB\nMemFree: 7 kB\nMemAvailable:   900 kB\n");
  }
  ~FakeSystem() { std::filesystem::remove_all(root_); }
  FakeSystem(const FakeSystem&) = delete;
  FakeSystem& operator=(const FakeSystem&) = delete;

  void write(const std::string& path, const std::string& text) const {
    const std::filesystem::path file = root_ + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  std::size_t available() const { return available_host_memory(root_); }
  std::size_t total() const { return total_host_memory(root_); }

 private:
  std::string root_;
};

}  // namespace

TEST_CASE("without control groups, the host's memory counts") {
  const FakeSystem system;
  CHECK(system.available() == 900 * 1024);
  CHECK(system.total() == 1000 * 1024);
}

TEST_CASE("limits of control groups, version 2") {
  const FakeSystem system;
  system.write("/proc/self/cgroup", "0::/outer/inner\n");
  const std::string outer = "/sys/fs/cgroup/outer";
  system.write(outer + "/memory.max", "max\n");
  system.write(outer + "/memory.current", "100\n");
  CHECK(system.available() == 900 * 1024);

  system.write(outer + "/memory.max", "50000\n");
  CHECK(system.available() == 49900);
  CHECK(system.total() == 50000);

  // The inner group is narrower, but most of what it uses is cache.
  system.write(outer + "/inner/memory.max", "40000\n");
  system.write(outer + "/inner/memory.current", "10000\n");
  CHECK(system.available() == 30000);
  system.write(outer + "/inner/memory.stat", "anon 1\nactive_file 77\ninactive_file 8000\n");
  CHECK(system.available() == 38000);
  CHECK(system.total() == 40000);

  system.write(outer + "/memory.current", "60000\n");  // above its limit
  CHECK(system.available() == 0);
}

TEST_CASE("in a container the limit is where control groups are mounted") {
  const FakeSystem system;
  system.write("/proc/self/cgroup", "0::/path/of/the/host\n");
  system.write("/sys/fs/cgroup/memory.max", "5000\n");
  system.write("/sys/fs/cgroup/memory.current", "1000\n");
  CHECK(system.available() == 4000);
}

TEST_CASE("lines that make no sense are passed over") {
  const FakeSystem system;
  system.write("/proc/self/cgroup", "\n:\n0::\n0::nowhere\n0:\n");
  CHECK(system.available() == 900 * 1024);
  system.write("/proc/meminfo", "MemAvailable: much\n");
  CHECK(system.available() == huge);  // nothing is known to limit it
}

TEST_CASE("limits of control groups, version 1") {
  const FakeSystem system;
  system.write("/proc/self/cgroup", "nonsense\n9:cpu:/other\n4:cpu,memory:/job\n0::/\n");
  const std::string root = "/sys/fs/cgroup/memory";
  system.write(root + "/other/memory.limit_in_bytes", "1\n");  // not of a group for memory
  system.write(root + "/other/memory.usage_in_bytes", "0\n");
  system.write(root + "/memory.limit_in_bytes", "9223372036854771712\n");
  system.write(root + "/memory.usage_in_bytes", "100\n");
  CHECK(system.available() == 900 * 1024);
  system.write(root + "/job/memory.limit_in_bytes", "20000\n");
  system.write(root + "/job/memory.usage_in_bytes", "15000\n");
  system.write(root + "/job/memory.stat", "inactive_file 1\ntotal_inactive_file 4000\n");
  CHECK(system.available() == 9000);
  CHECK(system.total() == 20000);
}
