// Runs emucc as a reader would, on little programs in a folder of their own.

#include <doctest/doctest.h>

#include <string>

#include "compiler/nvcc/options.hpp"
#include "compiler/testing/compile_test.hpp"

namespace {

using emulator::compiler::nvcc::Arguments;
using emulator::compiler::nvcc::split_list;
using namespace emulator::compiler::testing;  // NOLINT: the tests are written in its terms

const std::string emucc = std::string("'") + EMUCC_PROGRAM + "' ";
const std::string build_folder = EMUCC_BUILD_FOLDER;

const std::string vectors = R"(
#include <cstdio>
#include <cstdlib>
__global__ void add(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] += a[i];
}
int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1000;
  float *a, *b;
  cudaMallocManaged(&a, n * sizeof(float));
  cudaMallocManaged(&b, n * sizeof(float));
  for (int i = 0; i < n; i++) { a[i] = i; b[i] = 1; }
  add<<<(n + 255) / 256, 256>>>(a, b, n);
  cudaDeviceSynchronize();
  printf("last %g\n", b[n - 1]);
  cudaFree(a);
  cudaFree(b);
  return argc > 2 ? atoi(argv[2]) : 0;
}
)";

TEST_CASE("emucc: a fast program, and one that is instrumented") {
  const Scratch scratch;
  scratch.write("with space/vectors.cu", vectors);
  const std::string source = " 'with space/vectors.cu' ";
  Result result = scratch.run(emucc + "-arch=sm_80 -O3" + source + "-o vectors && ./vectors 77");
  CHECK(result.errors == "");
  CHECK(result.output == "last 77\n");

  // It says so before main() when it cannot show what is asked for.
  for (const std::string setting :
       {"EMULATOR_CHECK=1", "EMULATOR_TRAFFIC=1", "EMULATOR_REPORT=r", "EMULATOR_SARIF=r"}) {
    result = scratch.run(setting + " ./vectors 77");
    CHECK(result.status == 2);
    CHECK(result.output == "");
    CHECK(contains(result.errors, "emucc --look"));
  }
  CHECK(scratch.run("EMULATOR_CHECK=0 ./vectors").status == 0);

  result = scratch.run(emucc + "--look" + source + "-o look && EMULATOR_TRAFFIC=1 ./look 77");
  CHECK(result.status == 0);
  CHECK(contains(result.output, "vectors.cu"));
  CHECK(contains(result.output, "b[i] += a[i];"));
}

TEST_CASE("emucc --run --check looks for mistakes, which --run says on a terminal") {
  const Scratch scratch;
  scratch.write("beyond.cu",
                "__global__ void fill(int* y) { y[threadIdx.x] = 1; }\n"
                "int main() {\n  int* y;\n  cudaMalloc(&y, 4);\n  fill<<<1, 2>>>(y);\n"
                "  cudaDeviceSynchronize();\n  cudaFree(y);\n}\n");
  const Result checked = scratch.run(emucc + "--run --check beyond.cu");
  CHECK(checked.status != 0);
  CHECK(contains(checked.errors, "beyond.cu:1"));
  CHECK(scratch.run(emucc + "--check beyond.cu -o beyond").status == 2);

  const std::string hint = "emucc: nothing was checked; --run --check looks for mistakes";
  scratch.write("vectors.cu", vectors);
  const auto on_terminal = [&](const std::string& options) {
    return scratch.run("script -qec \"" + emucc + options + " vectors.cu 5\" /dev/null").output;
  };
  CHECK(contains(on_terminal("--run"), hint));
  CHECK_FALSE(contains(on_terminal("--run --check"), hint));
  CHECK_FALSE(contains(scratch.run(emucc + "--run vectors.cu 5").errors, hint));
}

TEST_CASE("emucc --run: arguments, exit status, signals, nothing left behind") {
  const Scratch scratch;
  scratch.write("vectors.cu", vectors);
  scratch.write("tmp/.keep", "");
  Result result = scratch.run("TMPDIR=$PWD/tmp " + emucc + "--run vectors.cu 5 7");
  CHECK(result.output == "last 5\n");
  CHECK(result.status == 7);

  scratch.write("library.cu", "int there();\nint main() { return there(); }\n");
  const std::string explained = "emucc: -lthere went to the program";
  CHECK(contains(scratch.run(emucc + "--run library.cu 5 -lthere").errors, explained));
  CHECK(!contains(scratch.run(emucc + "--run library.cu 5").errors, "went to the program"));

  scratch.write("wait.cu",
                "#include <unistd.h>\n#include <cstdio>\n"
                "int main() { puts(\"waits\"); fflush(stdout); sleep(60); }\n");
  scratch.write("interrupt.sh",
                "TMPDIR=$PWD/tmp " + emucc +
                    "--run wait.cu > out & p=$!\n"
                    "for i in $(seq 300); do grep -qs waits out && break; sleep 0.1; "
                    "done\nkill -TERM $p; wait $p; echo status $?\n");
  result = scratch.run("bash interrupt.sh");
  CHECK(contains(result.output, "status 143"));
  CHECK(scratch.run("ls tmp").output == "");
}

TEST_CASE("emucc: times between events are said once to be the emulator's") {
  const Scratch scratch;
  scratch.write("timed.cu",
                "int main() {\n"
                "  cudaEvent_t a, b;\n"
                "  cudaEventCreate(&a);\n  cudaEventCreate(&b);\n"
                "  cudaEventRecord(a);\n  cudaEventRecord(b);\n"
                "  float ms = 0;\n"
                "  for (int k = 0; k < 2; ++k) cudaEventElapsedTime(&ms, a, b);\n"
                "}\n");
  const Result result = scratch.run(emucc + "--run timed.cu");
  CHECK(result.status == 0);
  CHECK(result.output == "");
  CHECK(result.errors ==
        "emulator: times between events are the emulator's on this CPU: they say nothing about a "
        "GPU\n");
}

TEST_CASE("emucc: wrong usage is one line and status 2; wrong programs are g++'s to explain") {
  const Scratch scratch;
  scratch.write("a.cu", "int main() { return missing; }\n");
  scratch.write("b.cu", "int main() {}\n");
  const auto refuses = [&](const std::string& arguments, const std::string& line) {
    const Result result = scratch.run(emucc + arguments);
    CAPTURE(arguments);
    CHECK(result.status == 2);
    CHECK(result.errors == "emucc: " + line + "\n");
  };
  refuses("", "no source given (see --help)");
  refuses("none.cu", "cannot read 'none.cu'");
  refuses("a.cu -o a.cu", "-o a.cu would overwrite the source");
  refuses("a.cu -o", "-o: its value is missing");
  refuses("a.cu -std=c++98", "-std=c++98: want c++11, c++14, c++17, c++20 or c++23");
  refuses("-c a.cu b.cu -o x.o", "-c with -o wants one source, not 2");
  refuses("a.txt",
          "'a.txt': neither a source (.cu .cpp .cc .cxx .c) nor an object or library (.o .a .so)");
  refuses("-ptx a.cu",
          "-ptx: there is no device code: kernels become part of the program's machine code");
  refuses("-cubin a.cu b.cu", "-cubin and -fatbin want one source, and nothing else");
  refuses("-Wall a.cu",
          "unknown option '-Wall' (see --help; for g++'s own, write -Xcompiler -Wall)");
  refuses("-ccbin clang++-none a.cu", "-ccbin clang++-none: cannot be run");

  Result result = scratch.run(emucc + "a.cu");
  CHECK(result.status == 1);
  CHECK(contains(result.errors, "a.cu:1:"));
  CHECK(contains(result.errors, "missing"));
  CHECK_FALSE(scratch.has("a.out"));
  scratch.write("c.cu",
                "#include <cuda.h>\nint main() { return cuLinkCreate(CUDA_VERSION) + cube; }\n");
  result = scratch.run(emucc + "c.cu");
  CHECK(contains(result.errors,
                 "emucc: cuLinkCreate(): this part of the driver API is not modelled\n"));
  CHECK_FALSE(contains(result.errors, "emucc: cube"));
  refuses("-arch=fast a.cu", "-arch fast: want sm_90, compute_80, native or the like");
}

TEST_CASE("emucc: a program is not linked statically, and one that is says why it cannot run") {
  const Scratch scratch;
  scratch.write("set.cu", R"(#include <stdio.h>
__global__ void set(int* x) { *x = 42; }
int main() {
  int* x;
  cudaMallocManaged(&x, sizeof(int));
  set<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  printf("%d\n", *x);
}
)");
  const std::string why =
      ": the runtime wraps functions of the C library, and finds them only in a shared one\n";
  const auto refuses = [&](const std::string& arguments, const std::string& option) {
    const Result result = scratch.run(emucc + arguments);
    CAPTURE(arguments);
    CHECK(result.status == 2);
    CHECK(result.errors == "emucc: " + option + why);
  };
  refuses("set.cu -static", "-static");
  refuses("set.cu -Xcompiler -O3,-static", "-static");
  refuses("set.cu -Xcompiler -static-pie", "-static-pie");
  refuses("-forward-unknown-to-host-compiler set.cu -static-pie", "-static-pie");
  // An object is the same whatever it is linked into.
  REQUIRE(scratch.run(emucc + "-Xcompiler -static -c set.cu").errors == "");
  CHECK(scratch.run(emucc + "set.o -o set && ./set").output == "42\n");

  // Build systems link by themselves.
  const std::string toolkit = build_folder + "/emulator/toolkit/lib64";
  if (scratch.run("g++ -static set.o -L'" + toolkit + "' -lcudart_static -o set").status != 0) {
    MESSAGE("without a static C library there is nothing more to see");
    return;
  }
  const Result result = scratch.run("./set");
  CHECK(result.status == 2);
  CHECK(contains(result.errors, "emulator: error: this program is linked statically"));
}

TEST_CASE("emucc: options in nvcc's forms") {
  const Scratch scratch;
  scratch.write("a.cu", "int main() {}\n");
  const Result result = scratch.run(
      emucc +
      "--dryrun -Isome -I more -DX=1 -D Y --define-macro=Z -std c++20 -O 1 -g "
      "-gencode arch=compute_80,code=sm_80 --generate-code=arch=compute_90,code=sm_90 "
      "-Xcompiler -Wall,-Wextra -Xptxas=-v -t4 -use_fast_math -maxrregcount 32 "
      "-Xlinker -z,now --cccl none -I/usr/local/cuda/include a.cu -lm 2>&1 | grep -v '^#'");
  CHECK(result.status == 0);
  for (const std::string part : {"-Isome", "-Imore", "-DX=1", "-DY", "-DZ", "-std=c++20", "-O1",
                                 " -g ", "-Wall", "-Wextra", "-lm", "-Xlinker -z -Xlinker now"}) {
    CAPTURE(part);
    CHECK(contains(result.output, part));
  }
  CHECK_FALSE(contains(result.output, "compute_"));
  CHECK_FALSE(contains(result.output, "/usr/local/cuda"));
  CHECK_FALSE(scratch.has("a.out"));
  // As nvcc's manual allows it for each, and what else it takes.
  const Result further = scratch.run(
      emucc +
      "--dryrun -I=some -D=X=1 -D=Y --forward-unknown-to-host-linker -zlazy "
      "--no-host-device-initializer-list --no-host-device-move-forward --brief-diagnostics=true "
      "--jobserver -static-global-template-stub=false --compress-mode=size "
      "-device-stack-protector=true -fdevice-time-trace=a --jump-table-density=1 --gen-opt-lto "
      "--frandom-seed=1 --run-args x -Ofc max a.cu 2>&1 | grep -v '^#'");
  CHECK(further.status == 0);
  for (const std::string part : {"-Isome", "-DX=1", "-DY", "-zlazy"}) {
    CAPTURE(part);
    CHECK(contains(further.output, part));
  }
  CHECK(contains(scratch.run(emucc + "--list-gpu-arch").output, "compute_90\n"));
  CHECK(contains(scratch.run(emucc + "--list-gpu-code").output, "sm_90\n"));
  CHECK(split_list("-a,-b '-c d'") == Arguments{"-a", "-b", "-c d"});
}

TEST_CASE("emucc: once installed, it needs nothing of the build folder") {
  const Scratch scratch;
  REQUIRE(scratch.run("cmake --install '" + build_folder + "' --prefix prefix --component emucc")
              .status == 0);
  scratch.write("vectors.cu", vectors);
  const std::string installed = "prefix/bin/emucc ";
  CHECK_FALSE(contains(scratch.read("prefix/lib/emucc/emucc.parts"), build_folder + "/"));
  const Result shown = scratch.run(installed + "--dryrun vectors.cu");
  CHECK_FALSE(contains(shown.errors, build_folder + "/"));
  // The prefix may move as well.
  const Result result = scratch.run("mv prefix moved && moved/bin/emucc --run vectors.cu 9");
  CHECK(result.output == "last 9\n");
  CHECK(result.errors == "");
}

}  // namespace
