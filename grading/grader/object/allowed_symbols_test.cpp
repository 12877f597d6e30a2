#include "grader/object/allowed_symbols.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/object/known_functions.hpp"

using namespace course::tool::grading;

namespace {

bool allowed(const std::string& symbol, bool cublas = false, bool cutensor = false) {
  return is_allowed(symbol, {cublas, cutensor, {}});
}

}  // namespace

TEST_CASE("what kernels, launches and checks of errors leave undefined is allowed") {
  for (const std::string symbol :
       {"_Z10cudaMallocPPvm",
        "_Z8cudaFreePv",
        "_Z16cudaGetLastErrorv",
        "_Z10cudaMemsetPvim",
        "_Z16cudaGetErrorName9cudaError",
        "_Z21cudaDeviceSynchronizev",
        "_Z20cudaEventSynchronizeP10CUevent_st",
        "_ZN8emulator6detail6launchEPKcRKNS_13ConfigurationENS0_10ThreadBodyEPKv",
        "_ZN8emulator6detail13block_barrierENS0_11BarrierKindEi",
        "_ZN8emulator6detail14warp_operationENS0_13WarpOperationEjmiiPb",
        "_ZN8emulator6detail14copy_to_symbolEPvmPKvmm14cudaMemcpyKindP11CUstream_st",
        "__tsan_read4",
        "__tsan_unaligned_write8",
        "__tsan_atomic32_fetch_add",
        "__sanitizer_cov_trace_pc",
        "__ubsan_handle_type_mismatch_v1",
        "threadIdx",
        "blockDim",
        "_ZNSt13runtime_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
        "_ZTISt13runtime_error",
        "_ZTVN10__cxxabiv120__si_class_type_infoE",
        "_ZSt9terminatev",
        "_ZSt20__throw_length_errorPKc",
        "_ZSt28__throw_bad_array_new_lengthv",
        "_Znwm",
        "_ZdlPvm",
        "__cxa_throw",
        "__gxx_personality_v0",
        "_Unwind_Resume",
        "_ZSt4cout",
        "_ZNSolsEi",
        "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc",
        "memcpy",
        "strlen",
        "strcmp",
        "printf",
        "fprintf",
        "stderr",
        "exit",
        "abort",
        "__assert_fail",
        "malloc",
        "sqrtf",
        "sqrt",
        "fmaxf",
        "sincosf",
        "powl",
        "__errno_location"}) {
    CAPTURE(symbol);
    CHECK(allowed(symbol));
  }
}

TEST_CASE("files, processes, threads, and what is the emulator's own are not") {
  for (const std::string symbol :
       {"fork",
        "vfork",
        "execve",
        "system",
        "popen",
        "open",
        "openat",
        "fopen",
        "fdopen",
        "read",
        "write",
        "send",
        "sendmsg",
        "socket",
        "mmap",
        "strcpy",
        "snprintf",
        "sprintf",
        "__printf_chk",
        "__memcpy_chk",
        "qsort",
        "time",
        "frexpl",
        "sincosl",
        "lgammaf",
        "_ZSt3cin",
        "mempcpy",
        "stpncpy",
        "mprotect",
        "munmap",
        "ptrace",
        "dlsym",
        "dlopen",
        "pthread_create",
        "signal",
        "sigaction",
        "alarm",
        "setitimer",
        "kill",
        "raise",
        "_exit",
        "_Exit",
        "quick_exit",
        "syscall",
        "getenv",
        "environ",
        "longjmp",
        "_setjmp",
        "atexit",
        "at_quick_exit",
        "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE",
        "_ZNSt14basic_ifstreamIcSt11char_traitsIcEEC1EPKcSt13_Ios_Openmode",
        "_ZNSt13basic_filebufIcSt11char_traitsIcEED1Ev",
        "_ZNSt10filesystem6removeERKNS_7__cxx114pathE",
        "_ZNSt13random_device7_M_finiEv",
        "_ZN8emulator14clear_findingsEv",
        "_ZN8emulator12set_checkingEb",
        "_ZN8emulator13set_recordingEb",
        "_ZN8emulator14clear_launchesEv",
        "_ZN8emulator8launchesEv",
        "_ZN8emulator6detail11add_findingENS_7FindingE",
        "_Z17cudaMallocManagedPPvmj",
        "_Z13cudaHostAllocPPvmj",
        "_Z14cudaMallocHostPPvm",
        "_Z16cudaHostRegisterPvmj",
        "_Z18cudaLaunchHostFuncP11CUstream_stPFvPvES1_",
        "_Z12launch_naivePKfiS0_S0_Pfii",
        "_ZN6course8exercise12expect_exactEv",
        "main",
        "cudaMallocX",
        "sqrtx",
        "f",
        "__tsa"}) {
    CAPTURE(symbol);
    CHECK_FALSE(allowed(symbol));
  }
}

TEST_CASE("copies are allowed, and cuBLAS and cuTENSOR where the exercise needs it") {
  CHECK_FALSE(allowed("cublasSgemv_v2"));
  CHECK(allowed("cublasSgemv_v2", true));
  CHECK_FALSE(allowed("cutensorContract", true));
  CHECK(allowed("cutensorContract", false, true));
  CHECK_FALSE(allowed("CUTENSOR_COMPUTE_DESC_32F"));
  CHECK(allowed("CUTENSOR_COMPUTE_DESC_32F", false, true));
  CHECK_FALSE(allowed("cublasSgemv_v2", false, true));
  // What writes files, or calls what it is given.
  CHECK_FALSE(allowed("cublasLoggerConfigure", true));
  CHECK_FALSE(allowed("cutensorLoggerOpenFile", false, true));
  CHECK_FALSE(allowed("cutensorHandleWritePlanCacheToFile", false, true));
  const std::string copy = "_Z10cudaMemcpyPvPKvm14cudaMemcpyKind";
  CHECK(allowed(copy));
  const std::string from =
      "_ZN8emulator6detail16copy_from_symbolEPvPKvmmm14cudaMemcpyKindP11CUstream_st";
  CHECK(allowed(from));
}

TEST_CASE("the teacher allows functions by the names that refusals show") {
  Permissions needs;
  needs.allow = {"fork", "std::thread::join()", "cudaMallocManaged"};
  CHECK(is_allowed("fork", needs));
  CHECK(is_allowed("_ZNSt6thread4joinEv", needs));
  CHECK(is_allowed("_Z17cudaMallocManagedPPvmj", needs));
  CHECK_FALSE(is_allowed("vfork", needs));
  CHECK_FALSE(is_allowed("_ZNSt6thread6detachEv", needs));
}

TEST_CASE("symbols are shown as a person writes them") {
  CHECK(readable("fork") == "fork()");
  CHECK(readable("_Z17cudaMallocManagedPPvmj") == "cudaMallocManaged()");
  CHECK(readable("_ZN8emulator14clear_findingsEv") == "emulator::clear_findings()");
  CHECK(readable("_ZNSt6thread4joinEv") == "std::thread::join()");
  CHECK(readable("_Z1fIiET_v") == "f<int>()");
}

TEST_CASE("what functions do is told by their rows, and of the libraries' by a part of the name") {
  CHECK(uses_of("cudaMalloc").written == arguments(1));
  CHECK(uses_of("_Z10cudaMallocPPvm").written == arguments(1));
  CHECK(uses_of("cudaMallocPitch").written == arguments(1, 2));
  CHECK(uses_of("cudaFree").written == 0);
  CHECK_FALSE(uses_of("cudaMalloc").in_kernels);
  CHECK(uses_of("cudaGraphCreate").written == arguments(1));
  CHECK(uses_of("cudaLaunchHostFunc").called == arguments(2));
  CHECK(uses_of("_ZN8emulator6detail6launchEPKcRKNS_13ConfigurationENS0_10ThreadBodyEPKv").called ==
        arguments(7));
  const Uses operation = uses_of("_ZN8emulator6detail14warp_operationENS0_13WarpOperationEjmiiPb");
  CHECK(operation.answered == arguments(6));
  CHECK(operation.in_kernels);
  CHECK(uses_of("_ZN8emulator6detail24is_from_global_to_sharedEPKvS2_").in_kernels);
  CHECK(uses_of("__tsan_read4").in_kernels);
  CHECK(uses_of("__tsan_atomic32_compare_exchange_val").written == arguments(1, 2));
  CHECK(uses_of("course_memcpy").written == arguments(1));
  CHECK(uses_of("course_memcpy").in_kernels);
  CHECK(uses_of("cublasSdot_v2").written == arguments(7));
  CHECK(uses_of("cublasCreate_v2").written == arguments(1));
  CHECK(uses_of("puts").written == 0);
}

TEST_CASE("no function has two rows, and each is one that the emulator's headers name") {
  std::set<std::string> words;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(EMULATOR_HEADERS)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path());
    std::string word;
    for (char c = 0; file.get(c);) {
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
        word += c;
      } else if (!word.empty()) {
        words.insert(std::exchange(word, {}));
      }
    }
  }
  std::set<std::string_view> names;
  for (const auto functions : {functions_of_cuda(), functions_of_emulator()}) {
    for (const KnownFunction& function : functions) {
      CAPTURE(function.name);
      CHECK(names.insert(function.name).second);
      CHECK(words.contains(std::string(function.name.substr(function.name.rfind(':') + 1))));
    }
  }
}

#ifdef EMULATOR_LIBRARY
TEST_CASE("each function that the emulator models is either allowed or refused on purpose") {
  const std::string command = NM " -g --defined-only '" EMULATOR_LIBRARY "' 2>/dev/null";
  std::FILE* const pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::set<std::string> functions;
  std::array<char, 4096> line{};
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
    const std::string text = line.data();
    const std::size_t type = text.find(" T ");
    if (type == std::string::npos) continue;
    const std::string symbol = text.substr(type + 3, text.find('\n') - type - 3);
    const std::string name = readable(symbol);
    if (name.starts_with("cuda") && name.find("::") == std::string::npos) functions.insert(symbol);
  }
  REQUIRE(pclose(pipe) == 0);
  REQUIRE(functions.size() > 100);
  for (const std::string& symbol : functions) {
    CAPTURE(readable(symbol));
    CHECK(allowed(symbol) != is_refused_on_purpose(symbol));
  }
  for (const KnownFunction& function : functions_of_cuda()) {
    if (!function.name.starts_with("cuda")) continue;  // the driver's
    CAPTURE(function.name);
    CHECK(std::any_of(functions.begin(), functions.end(), [&](const std::string& symbol) {
      return readable(symbol) == std::string(function.name) + "()";
    }));
  }
}
#endif
