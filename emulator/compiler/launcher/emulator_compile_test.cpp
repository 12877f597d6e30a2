// Runs emulator-compile as CMake does, with small scripts in g++'s place, which write down how they
// were called.

#include <doctest/doctest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "compiler/testing/compile_test.hpp"

namespace {

using namespace emulator::compiler::testing;  // NOLINT: the tests are written in its terms

// A compiler that passes its source on, and writes to its output what it is given to compile.
const std::string obedient =
    "case \" $* \" in *' -E '*) for last; do :; done; cat \"$last\";;\n"
    "*) cat > k.o;; esac";

using Calls = std::vector<std::vector<std::string>>;

Calls calls(const Scratch& scratch) {
  Calls result(1);
  std::istringstream lines(scratch.read("calls"));
  for (std::string line; std::getline(lines, line);) {
    if (line == "----") {
      result.emplace_back();
    } else {
      result.back().push_back(line);
    }
  }
  result.pop_back();
  return result;
}

}  // namespace

TEST_CASE("both steps get the flags that are theirs") {
  const Scratch scratch;
  scratch.write_compiler(obedient);
  scratch.write("k.cu", "int x;\n");
  scratch.write("deep.rsp", "-include 'a b.h' -Da\\ b");
  scratch.write("flags.rsp", "-DX=\"1 2\"\n\n@deep.rsp");
  const Result result = scratch.compile(
      "./g++ -O2 @flags.rsp -Wp,-DY -fsanitize=thread,undefined -fsanitize=thread -I inc -MD -MP "
      "-x cu --param p=1 -ok.o -c k.cu");
  CHECK(result.status == 0);
  const Calls both = calls(scratch);
  REQUIRE(both.size() == 2);
  using Arguments = std::vector<std::string>;
  CHECK(both[0] == Arguments{"-DEMULATOR_TRANSLATOR",
                             "-include",
                             "cuda_runtime.h",
                             "-D__CUDA_ARCH_LIST__=750",
                             "-O2",
                             "-DX=1 2",
                             "-include",
                             "a b.h",
                             "-Da b",
                             "-fsanitize=undefined",
                             "-I",
                             "inc",
                             "--param",
                             "p=1",
                             "-Wp,-DY",
                             "-MD",
                             "-MP",
                             "-MF",
                             "k.d",
                             "-MQ",
                             "k.o",
                             "-E",
                             "-x",
                             "c++",
                             "k.cu"});
  CHECK(both[1] == Arguments{"-O2",
                             "-DX=1 2",
                             "-include",
                             "a b.h",
                             "-Da b",
                             "-fsanitize=thread,undefined",
                             "-fsanitize=thread",
                             "-I",
                             "inc",
                             "--param",
                             "p=1",
                             "-wrapper",
                             fs::canonical(program).string() + ",--emulator-step",
                             "-fstack-clash-protection",
                             "-gno-statement-frontiers",
                             "-fsanitize=thread",
                             "-fsanitize=alignment,shift-exponent",
                             "-fsanitize-recover=alignment,shift-exponent",
                             "--param=tsan-distinguish-volatile=1",
                             "-fsanitize-coverage=trace-pc",
                             "-fno-reorder-blocks",
                             "-fno-crossjumping",
                             "-fno-tree-loop-distribute-patterns",
                             "-finline-small-functions",
                             "--param=early-inlining-insns=500",
                             "-c",
                             "-o",
                             "k.o",
                             "-x",
                             "c++-cpp-output",
                             "-"});
  CHECK(scratch.read("k.o") == "int x;\n");
}

TEST_CASE("names of dependency files and targets are g++'s") {
  const Scratch scratch;
  scratch.write_compiler(obedient);
  scratch.write("sub/k.v2.cu", "int x;\n");
  const auto preprocessing = [&](const std::string& arguments) {
    fs::remove(scratch.path("calls"));
    scratch.compile("./g++ " + arguments);
    const Calls made = calls(scratch);
    std::string line;
    for (const std::string& argument : made.at(0)) line += argument + ' ';
    return line;
  };
  CHECK(contains(preprocessing("-MMD -c sub/k.v2.cu"), " -MF k.v2.d -MQ k.v2.o "));
  CHECK(contains(preprocessing("-MMD -o out.d/k -c sub/k.v2.cu"), " -MF out.d/k.d -MQ out.d/k "));
  CHECK(contains(preprocessing("-MD -MF f -MT t -c sub/k.v2.cu"), " -MD -MF f -MT t -E "));
  CHECK(contains(preprocessing("-MD -MFf -MQt -c sub/k.v2.cu"), " -MD -MFf -MQt -E "));
  CHECK(contains(preprocessing("-c sub/k.v2.cu"), "cuda_runtime.h -D__CUDA_ARCH_LIST__=750 -E "));
}

TEST_CASE("commands that do not compile one C++ source run as they are") {
  const Scratch scratch;
  scratch.write_compiler("echo out; echo err >&2; exit 3");
  const auto unchanged = [&](const std::string& arguments) {
    fs::remove(scratch.path("calls"));
    const Result result = scratch.compile("./g++ " + arguments);
    const Calls made = calls(scratch);
    std::string line;
    for (const std::string& argument : made.at(0)) line += argument + ' ';
    return made.size() == 1 && line == arguments + ' ' && result.status == 3 &&
           result.output == "out\n" && result.errors == "err\n";
  };
  CHECK(unchanged("a.o b.o -o program"));
  CHECK(unchanged("-E a.cu"));
  CHECK(unchanged("-E -c a.cu"));
  CHECK(unchanged("-S a.cu -c"));
  CHECK(unchanged("-M -c a.cu"));
  CHECK(unchanged("-c a.cu b.cu"));
  CHECK(unchanged("-c a.c"));
  CHECK(unchanged("-c a.s"));
  CHECK(unchanged("-x c -c a.cu"));
  CHECK(unchanged("-x c++-header -c a.cpp"));
  CHECK(unchanged("--version"));
  CHECK(unchanged("-c a.cu -o"));
}

TEST_CASE("every kind of C++ source is compiled") {
  const Scratch scratch;
  scratch.write_compiler(obedient);
  const auto steps = [&](const std::string& name, const std::string& flags) {
    fs::remove(scratch.path("calls"));
    scratch.write(name, "int x;");
    scratch.compile("./g++ " + flags + " -c " + name);
    return calls(scratch).size();
  };
  CHECK(steps("a.cu", "") == 2);
  CHECK(steps("a.cpp", "") == 2);
  CHECK(steps("a.C", "") == 2);
  CHECK(steps("a.txt", "-xc++") == 2);
  CHECK(steps("a.txt", "") == 1);
}

TEST_CASE("after a failure there is no object") {
  const Scratch scratch;
  scratch.write("k.cu", "int x;\n");

  SUBCASE("of the preprocessor") {
    scratch.write_compiler("echo 'no such header' >&2; exit 4");
    scratch.write("k.o", "old");
    const Result result = scratch.compile("./g++ -c k.cu");
    CHECK(result.status == 4);
    CHECK(result.errors == "no such header\n");
    CHECK(!scratch.has("k.o"));
  }
  SUBCASE("of the translator") {
    scratch.write_compiler(obedient);
    scratch.write("k.cu", "# 5 \"k.cu\"\nx = a<<<b;\n");
    scratch.write("k.o", "old");
    const Result result = scratch.compile("./g++ -c k.cu");
    CHECK(result.status == 1);
    CHECK(result.errors == "k.cu:5: error: '<<<' without a matching '>>>('\n");
    CHECK(!scratch.has("k.o"));
    CHECK(calls(scratch).size() == 1);
  }
  SUBCASE("of the compiler") {
    scratch.write_compiler("case \" $* \" in *' -E '*) echo 'int x;';; *) exit 5;; esac");
    scratch.write("out/k.o", "old");
    CHECK(scratch.compile("./g++ -c k.cu -o out/k.o").status == 5);
    CHECK(!scratch.has("out/k.o"));
  }
  SUBCASE("of a compiler that a signal ends, without having read its input") {
    scratch.write_compiler(
        "case \" $* \" in *' -E '*) head -c 1000000 /dev/zero | tr '\\0' ';';; *) kill -9 $$;; "
        "esac");
    scratch.write("k.o", "old");
    CHECK(scratch.compile("./g++ -c k.cu").status == 128 + 9);
    CHECK(!scratch.has("k.o"));
  }
  SUBCASE("to find the compiler") {
    scratch.write("k.o", "old");
    const Result result = scratch.compile("g++-none -c k.cu");
    CHECK(result.status == 1);
    CHECK(result.errors == "emulator-compile: cannot run 'g++-none': No such file or directory\n");
    CHECK(!scratch.has("k.o"));
  }
  SUBCASE("but what is no file stays") {
    scratch.write_compiler("exit 1");
    fs::create_symlink("target", scratch.path("link.o"));
    CHECK(scratch.compile("./g++ -c k.cu -o link.o").status == 1);
    CHECK(fs::is_symlink(scratch.path("link.o")));
  }
}

TEST_CASE("a signal ends the compiler too, and leaves no object") {
  const Scratch scratch;
  scratch.write("k.cu", "int x;\n");
  scratch.write("k.o", "old");
  const std::string wait = "for i in $(seq 500); do [ -e started ] && break; sleep 0.01; done; ";
  const std::string started =
      "trap 'echo ended >> ended; exit 1' TERM; touch started; for i in $(seq 500); do sleep 0.01; "
      "done";

  SUBCASE("while it preprocesses") {
    scratch.write_compiler(started);
  }
  SUBCASE("while it compiles") {
    scratch.write_compiler("case \" $* \" in *' -E '*) echo 'int x;'; exit;; esac\n" + started);
  }
  const Result result =
      scratch.run("'" + program + "' ./g++ -c k.cu & " + wait + "kill -TERM $!; wait $!; echo $?");
  CHECK(result.output == "143\n");
  CHECK(scratch.read("ended") == "ended\n");
  CHECK(!scratch.has("k.o"));
}

TEST_CASE("clang is refused") {
  const Scratch scratch;
  scratch.write("k.cu", "int x;\n");
  const auto refusal = [](const std::string& name) {
    return "emulator-compile: '" + name + "' is clang, the emulator needs g++ 11 or newer\n";
  };

  SUBCASE("by its name") {
    const Result result = scratch.compile("/opt/clang++-14 -c k.cu");
    CHECK(result.status == 1);
    CHECK(result.errors == refusal("/opt/clang++-14"));
  }
  SUBCASE("by what it writes") {
    scratch.write_compiler("echo '# 1 \"k.cu\"'; echo '# 1 \"<command line>\" 1'; exit 1");
    const Result result = scratch.compile("./g++ -c k.cu");
    CHECK(result.status == 1);
    CHECK(result.errors == refusal("./g++"));
  }
}

TEST_CASE("options of the launcher's own") {
  const Scratch scratch;
  scratch.write_compiler(obedient);
  scratch.write("k.cu", "k<<<1, 2>>>(x)");
  Result result = scratch.compile("--emulator-show ./g++ -c k.cu");
  CHECK(result.status == 0);
  CHECK(contains(result.output, "::emulator::launch_with(\"k\""));
  CHECK(!scratch.has("k.o"));

  result = scratch.compile("--emulator-plan ./g++ -c k.cu");
  CHECK(result.status == 2);
  CHECK(result.errors == "emulator-compile: unknown option '--emulator-plan' (see --help)\n");
  result = scratch.compile("");
  CHECK(result.status == 2);
  CHECK(result.errors == "emulator-compile: no compiler given (see --help)\n");
  result = scratch.compile("--emulator-fast --");
  CHECK(result.status == 2);
  result = scratch.compile("--help");
  CHECK(result.status == 0);
  CHECK(contains(result.output, "usage: emulator-compile "));
}
