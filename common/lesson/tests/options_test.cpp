#include "options.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <doctest/doctest.h>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

using course::Data;
using course::Defaults;
using course::Options;
using Arguments = std::vector<std::string>;

namespace {

Defaults matrix_defaults() {
  Defaults defaults;
  defaults.program = "01_global";
  defaults.description = "What it does.";
  defaults.on_gpu = {16384, 8192};
  defaults.on_emulator = {2048, 1024};
  return defaults;
}

Defaults vector_defaults() {
  Defaults defaults = matrix_defaults();
  defaults.matrix = false;
  defaults.on_gpu = {1000, 1};
  return defaults;
}

Defaults product_defaults() {
  Defaults defaults = matrix_defaults();
  defaults.product = true;
  defaults.on_gpu = {4096, 2048, 1024};
  return defaults;
}

/// The line that a command line is refused with; "" if it is obeyed.
std::string refusal(const Arguments& arguments, const Defaults& defaults = matrix_defaults()) {
  try {
    course::parse_arguments(arguments, defaults);
  } catch (const course::UsageError& error) {
    return error.what();
  }
  return "";
}

/// A folder that is removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "options_test_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  fs::path path() const { return path_; }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

std::string contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

struct ProcessResult {
  int status;
  std::string out;
  std::string err;
};

/// Runs parse_options in a process of its own, which it may end.
ProcessResult run(Arguments arguments) {
  const TemporaryFolder folder;
  const std::string out = folder.file("out");
  const std::string err = folder.file("err");
  std::fflush(nullptr);  // or the child would print it again
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    if (!std::freopen(out.c_str(), "w", stdout) || !std::freopen(err.c_str(), "w", stderr))
      _exit(99);
    arguments.insert(arguments.begin(), "program");
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    course::parse_options(static_cast<int>(argv.size()), argv.data(), matrix_defaults());
    _exit(42);  // it returned
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  return {WEXITSTATUS(status), contents(out), contents(err)};
}

}  // namespace

TEST_CASE("an empty command line gives the defaults") {
  const Options options = course::parse_arguments({}, matrix_defaults());
  CHECK(options.program == "01_global");
  CHECK(options.rows == 16384);
  CHECK(options.cols == 8192);
  CHECK(options.repeat == 20);
  CHECK(options.data == Data::ladder);
  CHECK(options.seed == 1);
  CHECK(options.csv.empty());
  CHECK(options.json.empty());
  CHECK_FALSE(options.traffic);
  CHECK_FALSE(options.help);
}

TEST_CASE("the emulator has its own default shape") {
  Defaults defaults = matrix_defaults();
  defaults.emulator = true;
  const Options options = course::parse_arguments({}, defaults);
  CHECK(options.rows == 2048);
  CHECK(options.cols == 1024);
}

TEST_CASE("values come after a space or an equals sign, in any order") {
  const Options options =
      course::parse_arguments({"--seed=18446744073709551615", "--cols", "3", "--rows=2147482624",
                               "--repeat", "100000", "--data=random"},
                              matrix_defaults());
  CHECK(options.rows == 2147482624);
  CHECK(options.cols == 3);
  CHECK(options.repeat == 100000);
  CHECK(options.data == Data::random);
  CHECK(options.seed == UINT64_MAX);
  CHECK(course::parse_arguments({"--data", "ladder", "--seed", "0"}, matrix_defaults()).seed == 0);
}

TEST_CASE("--rows alone leaves the columns at their default") {
  const Options options = course::parse_arguments({"--rows", "5"}, matrix_defaults());
  CHECK(options.rows == 5);
  CHECK(options.cols == 8192);
}

TEST_CASE("--size is rows and columns of a matrix, the elements of a vector") {
  const Options matrix = course::parse_arguments({"--size", "257"}, matrix_defaults());
  CHECK(matrix.rows == 257);
  CHECK(matrix.cols == 257);
  const Options vector = course::parse_arguments({"--size", "257"}, vector_defaults());
  CHECK(vector.rows == 257);
  CHECK(vector.cols == 1);
  CHECK(course::parse_arguments({}, vector_defaults()).rows == 1000);
}

TEST_CASE("a product of matrices has three extents") {
  const Options none = course::parse_arguments({}, product_defaults());
  CHECK(none.rows == 4096);
  CHECK(none.cols == 2048);
  CHECK(none.inner == 1024);
  const Options all =
      course::parse_arguments({"--m", "5", "--k=6", "--n", "7"}, product_defaults());
  CHECK(all.rows == 5);
  CHECK(all.inner == 6);
  CHECK(all.cols == 7);
  const Options square = course::parse_arguments({"--size", "33"}, product_defaults());
  CHECK(square.rows == 33);
  CHECK(square.cols == 33);
  CHECK(square.inner == 33);
  CHECK(course::parse_arguments({"--size", "33"}, matrix_defaults()).inner == 0);
  CHECK(refusal({"--k", "0"}, product_defaults()) ==
        "--k wants a whole number from 1 to 2147482624, got '0'");
  CHECK(refusal({"--size", "3", "--k", "4"}, product_defaults()) ==
        "--size stands for --m and --n and --k and cannot go with them");
  CHECK(refusal({"--rows", "3"}, product_defaults()) == "unknown option '--rows'");
  CHECK(refusal({"--k", "3"}) == "unknown option '--k'");
  const std::string text = course::help_text(product_defaults());
  CHECK(text.find("  --k N         columns of A, rows of B (default 1024)\n") != std::string::npos);
  CHECK(text.find("  --size N      stands for --m N --n N --k N\n") != std::string::npos);
  CHECK(text.find("\n  01_global --m 1000 --n 500 --k 2000") != std::string::npos);
}

TEST_CASE("what is no whole number in the range is refused with the range and what was given") {
  const std::string wants = "--rows wants a whole number from 1 to 2147482624, got ";
  for (const std::string value :
       {"abc", "0", "-1", "+1", "", " 1", "1 ", "1.5", "1e3", "0x10", "12abc", "2147483648",
        "18446744073709551616", "99999999999999999999999999", "nan"}) {
    CAPTURE(value);
    CHECK(refusal({"--rows", value}) == wants + "'" + value + "'");
    CHECK(refusal({"--rows=" + value}) == wants + "'" + value + "'");
  }
  CHECK(refusal({"--cols", "x"}) == "--cols wants a whole number from 1 to 2147482624, got 'x'");
  CHECK(refusal({"--size", "x"}) == "--size wants a whole number from 1 to 2147482624, got 'x'");
  CHECK(refusal({"--repeat", "0"}) == "--repeat wants a whole number from 1 to 100000, got '0'");
  CHECK(refusal({"--repeat", "100001"}) ==
        "--repeat wants a whole number from 1 to 100000, got '100001'");
  CHECK(refusal({"--seed", "18446744073709551616"}) ==
        "--seed wants a whole number from 0 to 18446744073709551615, got '18446744073709551616'");
}

TEST_CASE("the largest shape's bytes can be counted in size_t") {
  const std::size_t most = 2147482624;
  CHECK(most * most <= SIZE_MAX / sizeof(float));
}

TEST_CASE("--traffic goes with the emulator alone") {
  Defaults defaults = matrix_defaults();
  defaults.emulator = true;
  CHECK(course::parse_arguments({"--traffic", "--rows", "3"}, defaults).traffic);
  CHECK(refusal({"--traffic=1"}, defaults) == "--traffic takes no value");
  CHECK(refusal({"--traffic", "--traffic"}, defaults) == "--traffic is given twice");
  CHECK(refusal({"--traffic"}) ==
        "--traffic wants the emulator, which counts; this program runs on a GPU");
}

TEST_CASE("--data wants one of its names") {
  CHECK(refusal({"--data", "exact"}) == "--data wants ladder or random, got 'exact'");
  CHECK(refusal({"--data="}) == "--data wants ladder or random, got ''");
}

TEST_CASE("a missing value is refused, also where another option follows") {
  CHECK(refusal({"--seed", "5", "--repeat"}) ==
        "--repeat wants a whole number from 1 to 100000, got nothing");
  CHECK(refusal({"--csv", "--repeat", "5"}) == "--csv wants a file name, got nothing");
  CHECK(refusal({"--json="}) == "--json wants a file name, got ''");
}

TEST_CASE("unknown options and stray arguments are refused") {
  CHECK(refusal({"--row", "5"}) == "unknown option '--row'");
  CHECK(refusal({"--row=5"}) == "unknown option '--row'");
  CHECK(refusal({"5"}) == "unknown option '5'");
  CHECK(refusal({""}) == "unknown option ''");
  CHECK(refusal({"--rows", "5"}, vector_defaults()) == "unknown option '--rows'");
  CHECK(refusal({"--cols", "5"}, vector_defaults()) == "unknown option '--cols'");
  Defaults no_choice = matrix_defaults();
  no_choice.choose_data = false;
  CHECK(refusal({"--data", "random"}, no_choice) == "unknown option '--data'");
}

TEST_CASE("an option is given once, and --size not with --rows or --cols") {
  CHECK(refusal({"--rows", "5", "--rows=5"}) == "--rows is given twice");
  const std::string contradiction = "--size stands for --rows and --cols and cannot go with them";
  CHECK(refusal({"--size", "5", "--rows", "5"}) == contradiction);
  CHECK(refusal({"--cols", "5", "--size", "5"}) == contradiction);
}

TEST_CASE("a refusal is one line, whatever was typed") {
  CHECK(refusal({"--rows", "1\n2\r"}) ==
        "--rows wants a whole number from 1 to 2147482624, got '1?2?'");
}

TEST_CASE("a chapter adds its own options") {
  int block = 128;
  std::size_t depth = 4;
  bool cold = false;
  Defaults defaults = matrix_defaults();
  defaults.add("--block", &block, 1, 1024, "threads in a block");
  defaults.add("--depth", &depth, 0, 8, "tiles in flight");
  defaults.add("--cold", &cold, "empty the cache before each launch");

  course::parse_arguments({}, defaults);
  CHECK(block == 128);
  CHECK(depth == 4);
  CHECK_FALSE(cold);

  CHECK(course::parse_arguments({"--block=256", "--cold", "--rows", "3"}, defaults).rows == 3);
  CHECK(block == 256);
  CHECK(depth == 4);
  CHECK(cold);

  CHECK(refusal({"--block", "1025"}, defaults) ==
        "--block wants a whole number from 1 to 1024, got '1025'");
  CHECK(refusal({"--cold=1"}, defaults) == "--cold takes no value");
  CHECK(refusal({"--cold", "1"}, defaults) == "unknown option '1'");
}

TEST_CASE("help shows every option with its default, the exit statuses and an example") {
  int block = 128;
  bool cold = false;
  Defaults defaults = matrix_defaults();
  defaults.add("--block", &block, 1, 1024, "threads in a block");
  defaults.add("--cold", &cold, "empty the cache before each launch");
  const std::string text = course::help_text(defaults);
  for (const std::string part :
       {"usage: 01_global [options]\n", "\nWhat it does.\n",
        "  --rows N      rows of the matrix (default 16384)\n",
        "  --cols N      columns of the matrix (default 8192)\n",
        "  --size N      stands for --rows N --cols N\n", "(default ladder)\n", "  --seed N  ",
        "  --repeat N ", "(default 20)\n", "  --block N     threads in a block (default 128)\n",
        "  --cold        empty the cache before each launch\n",
        "  --traffic     on the emulator: ", "  --csv FILE ", "  --json FILE ", "  --help ",
        "  77  skipped", "\n  01_global --rows 1000 --cols 3000"}) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);

  const std::string vector_text = course::help_text(vector_defaults());
  CHECK(vector_text.find("--rows") == std::string::npos);
  CHECK(vector_text.find("  --size N      number of elements (default 1000)") != std::string::npos);
}

TEST_CASE("--help wins over anything else") {
  CHECK(course::parse_arguments({"--nonsense", "--rows", "x", "--help"}, matrix_defaults()).help);
}

TEST_CASE("the example in the help can be run") {
  const TemporaryFolder folder;
  CHECK(refusal({"--rows", "1000", "--cols", "3000", "--json", folder.file("results.json")}) == "");
  CHECK(refusal({"--size", "1000000", "--json", folder.file("results.json")}, vector_defaults()) ==
        "");
}

TEST_CASE("a file that can be written is accepted and left as it is") {
  const TemporaryFolder folder;
  const std::string old_file = folder.file("old.csv");
  std::ofstream(old_file) << "kept";
  const Options options = course::parse_arguments(
      {"--csv", old_file, "--json=" + folder.file("new.json")}, matrix_defaults());
  CHECK(options.csv == old_file);
  CHECK(options.json == folder.file("new.json"));
  CHECK(contents(old_file) == "kept");
  CHECK_FALSE(fs::exists(folder.file("new.json")));
}

TEST_CASE("a file that cannot be written is refused, and no other one left behind") {
  const TemporaryFolder folder;
  const std::string nowhere = folder.file("missing/result.json");
  CHECK(refusal({"--json", nowhere}) ==
        "--json cannot write '" + nowhere + "': No such file or directory");
  CHECK(refusal({"--csv", folder.path().string()}) ==
        "--csv cannot write '" + folder.path().string() + "': Is a directory");
  CHECK(refusal({"--csv", folder.file("good.csv"), "--json", nowhere}) != "");
  CHECK(refusal({"--csv", folder.file("good.csv"), "--rows", "x"}) != "");
  CHECK(fs::is_empty(folder.path()));
}

TEST_CASE("--csv and --json must be two files") {
  CHECK(refusal({"--csv", "a", "--json", "a"}) == "--csv and --json name the same file 'a'");
}

TEST_CASE("parse_options returns, shows the help and exits with 0, or complains and exits with 2") {
  CHECK(run({"--rows", "3"}).status == 42);

  const ProcessResult help = run({"--help"});
  CHECK(help.status == 0);
  CHECK(help.out == course::help_text(matrix_defaults()));
  CHECK(help.err == "");

  const ProcessResult refused = run({"--traffic"});
  CHECK(refused.status == 2);
  CHECK(refused.out == "");
  CHECK(refused.err ==
        "01_global: --traffic wants the emulator, which counts; this program runs on a GPU "
        "(see --help)\n");

  const ProcessResult bad = run({"--rows", "abc"});
  CHECK(bad.status == 2);
  CHECK(bad.out == "");
  CHECK(bad.err ==
        "01_global: --rows wants a whole number from 1 to 2147482624, got 'abc' (see --help)\n");
}

TEST_CASE("parse_options takes an empty argv") {
  char* nothing = nullptr;
  CHECK(course::parse_options(0, &nothing, matrix_defaults()).rows == 16384);
}
