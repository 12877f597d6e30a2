/// @file
/// Counts the page faults of managed memory on a GPU, and what moves because of them: each of
/// chapter 14's ways with managed memory once, and one without it to compare with.
///
///     nvcc -std=c++20 -O3 -I common/lesson tools/measure/probes/page_faults.cu -o page_faults
///     ./page_faults --json docs/results/nvidia-h200/14_page_faults.json
///
/// CUPTI counts, the library beneath NVIDIA's profilers; it is loaded when the program runs. Where
/// it is missing, or must not count, the program says so and ends with 77, as skipped.

#define main chapter_main  // not the main() of this program
#include "../../../chapters/14_memory/memory.cu"
#undef main

#include <dlfcn.h>

#if !defined(CUDA_EMULATOR) && __has_include(<cupti.h>)
#include <cupti.h>

namespace {

#if CUPTI_API_VERSION >= 130000
using Counted = CUpti_ActivityUnifiedMemoryCounter3;
#else
using Counted = CUpti_ActivityUnifiedMemoryCounter2;
#endif

// What happened since the last look.
struct FaultCounts {
  std::uint64_t device_faults = 0;  // of kernels, as CUPTI adds them up
  std::uint64_t records = 0;        // the number of pieces in which it reports them
  std::uint64_t host_faults = 0;    // pages that the host missed
  std::uint64_t bytes_there = 0;
  std::uint64_t bytes_back = 0;
};
FaultCounts counts;

// A skipped program is not one that passed.
[[noreturn]] void skip(const std::string& why) {
  std::printf("SKIPPED: page faults are not counted here: %s\n", why.c_str());
  std::exit(77);
}

void* cupti() {
  for (const char* const name :
       {"libcupti.so", "libcupti.so.13", "libcupti.so.12", "/usr/local/cuda/lib64/libcupti.so",
        "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so"}) {
    if (void* const library = dlopen(name, RTLD_NOW)) return library;
  }
  skip("there is no libcupti.so; LD_LIBRARY_PATH can say where it is");
}

// A function of CUPTI's, with the type that its header gives it.
template <class Function>
Function* function(const char* name) {
  static void* const library = cupti();
  if (void* const found = dlsym(library, name)) return reinterpret_cast<Function*>(found);
  skip(std::string("libcupti.so has no ") + name);
}
#define CUPTI(name) function<decltype(name)>(#name)

void require(CUptiResult result, const char* what) {
  if (result == CUPTI_SUCCESS) return;
  const char* text = "";
  CUPTI(cuptiGetResultString)(result, &text);
  skip(std::string(what) + ": " + text);
}

void CUPTIAPI give_buffer(std::uint8_t** buffer, size_t* size, size_t* most_records) {
  *size = 1 << 20;
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, *size));
  *most_records = 0;  // as many as fit
}

void CUPTIAPI take_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, size_t, size_t valid) {
  CUpti_Activity* record = nullptr;
  while (CUPTI(cuptiActivityGetNextRecord)(buffer, valid, &record) == CUPTI_SUCCESS) {
    if (record->kind != CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER) continue;
    const auto& counted = *reinterpret_cast<const Counted*>(record);
    switch (counted.counterKind) {
      case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT:
        counts.device_faults += counted.value;
        ++counts.records;
        break;
      case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT:
        ++counts.host_faults;  // a record each
        break;
      case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD:
        counts.bytes_there += counted.value;
        break;
      case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH:
        counts.bytes_back += counted.value;
        break;
      default:
        break;
    }
  }
  std::free(buffer);
}

void begin_counting() {
  constexpr CUpti_ActivityUnifiedMemoryCounterKind kinds[] = {
      CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT,
      CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT,
      CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD,
      CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH};
  CUpti_ActivityUnifiedMemoryCounterConfig wanted[std::size(kinds)];
  for (size_t k = 0; k < std::size(kinds); ++k) {
    wanted[k] = {CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE, kinds[k], 0, 1};
  }
  require(CUPTI(cuptiActivityRegisterCallbacks)(give_buffer, take_buffer), "callbacks");
  require(
      CUPTI(cuptiActivityConfigureUnifiedMemoryCounter)(wanted, std::uint32_t{std::size(kinds)}),
      "counters of managed memory");
  require(CUPTI(cuptiActivityEnable)(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER), "counting");
}

// What was counted since the last call.
FaultCounts take_counts() {
  CUDA_CHECK(cudaDeviceSynchronize());
  require(CUPTI(cuptiActivityFlushAll)(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED), "reading the counters");
  return std::exchange(counts, {});
}

std::string line_of(const char* name, const FaultCounts& c) {
  char text[200];
  std::snprintf(text, sizeof text,
                "%-26s %8llu faults of the device in %6llu records, %8llu of the host; "
                "MB there %8.1f, back %8.1f",
                name, static_cast<unsigned long long>(c.device_faults),
                static_cast<unsigned long long>(c.records),
                static_cast<unsigned long long>(c.host_faults),
                static_cast<double>(c.bytes_there) / 1e6, static_cast<double>(c.bytes_back) / 1e6);
  return text;
}

int count_faults(const course::Options& options) {
  const size_t n = options.rows;
  const auto array = static_cast<double>(n * sizeof(float));
  course::device();  // CUPTI wants a driver that has begun, and no context yet
  begin_counting();
  course::require_memory(options, 10 * array, 4 * array);
  course::Report report(options, course::CeilingKind::bus);
  const std::vector<float> x = course::exact_vector(n, 4, options.seed);
  const std::vector<double> expected = computed(x);
  for (const MemoryRung& rung : rungs) {
    const bool to_compare_with = rung.name == std::string("pinned");
    if ((rung.x != Kind::managed && !to_compare_with) || !can_run(rung)) continue;
    Setup setup(rung, x);
    for (const char* const round : {"first", "again"}) {
      setup.restore();
      static_cast<void>(take_counts());
      setup.run();
      report.note(line_of((std::string(rung.name) + ", " + round).c_str(), take_counts()));
      report.check(rung.name, "exact data",
                   course::verify_exact(setup.y().data(), expected.data(), n, 1));
    }
  }
  return report.finish();
}

}  // namespace

#endif

int main(int argc, char** argv) try {
  course::Defaults defaults;
  defaults.program = "page_faults";
  defaults.description = "Page faults of managed memory, counted by CUPTI on a GPU.";
  defaults.on_gpu = {1 << 24, 1};
  defaults.on_emulator = {1 << 10, 1};
  defaults.emulator = course::on_emulator;
  defaults.matrix = false;
  defaults.choose_data = false;
  const course::Options options = course::parse_options(argc, argv, defaults);
#if !defined(CUDA_EMULATOR) && __has_include(<cupti.h>)
  return count_faults(options);
#else
  static_cast<void>(options);
  std::printf("SKIPPED: page faults are not counted here: compiled without CUPTI\n");
  return 77;
#endif
} catch (const std::exception& error) {
  return course::report_failure(error);
}
