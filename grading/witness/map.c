/// @file
/// What the grader's map says: whose the program's code and data are, and which functions may be
/// called.
///
/// A line a fact, numbers in hexadecimal, addresses as the linker gave them out: see
/// witness_map.cpp of the grader.

#include <stddef.h>

#include "libvex_guest_amd64.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_basics.h"
#include "pub_tool_clientstate.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_oset.h"
#include "pub_tool_vki.h"
#include "witness.h"

enum { most_ranges = 16 };
typedef struct {
  Range all[most_ranges];
  Int count;
} Ranges;

static Bool is_in(const Ranges* ranges, Addr address) {
  for (Int k = 0; k < ranges->count; ++k) {
    if (holds(&ranges->all[k], address)) return True;
  }
  return False;
}

static Ranges code, text, linkage, data_of_student, open_objects, all_data, constant_data,
    thread_data, builtins;
static UWord code_offset;  ///< of the code in the program's file
static UWord storage_bytes, storage_alignment;
static Addr telling;
static Entry* entries;
static Int entry_count;
static OSet* callable;  ///< Entry, by address, once that is known
static Bool is_located = False;

static __attribute__((noreturn)) void stop(const HChar* what) {
  VG_(message)(Vg_UserMsg, "the map of the program: %s\n", what);
  VG_(exit)(2);
}

static HChar* read_all(const HChar* file) {
  const Int descriptor = VG_(fd_open)(file, VKI_O_RDONLY, 0);
  if (descriptor < 0) stop("it cannot be read");
  SizeT room = 1 << 16, size = 0;
  HChar* bytes = VG_(malloc)("witness.map", room + 1);
  for (;;) {
    const Int more = VG_(read)(descriptor, bytes + size, (Int)(room - size));
    if (more <= 0) break;
    size += (SizeT)more;
    if (size == room) bytes = VG_(realloc)("witness.map", bytes, (room *= 2) + 1);
  }
  VG_(close)(descriptor);
  bytes[size] = '\0';
  return bytes;
}

static UWord take_number(HChar** rest) {
  HChar* end = NULL;
  const UWord number = VG_(strtoull16)(*rest, &end);
  if (end == *rest) stop("a number is missing");
  *rest = end;
  return number;
}

static void take_range(Ranges* ranges, HChar* rest) {
  if (ranges->count == most_ranges) stop("too many ranges");
  Range* range = &ranges->all[ranges->count++];
  range->begin = take_number(&rest);
  range->end = take_number(&rest);
}

static void take_entry(HChar* rest, Bool is_slot) {
  if (entry_count % 256 == 0) {
    entries = VG_(realloc)("witness.map", entries, (SizeT)(entry_count + 256) * sizeof *entries);
  }
  Entry* entry = &entries[entry_count++];
  entry->address = take_number(&rest);
  entry->name = rest + (*rest == ' ' ? 1 : 0);
  entry->is_slot = is_slot;
}

static void take_line(HChar* line) {
  static const struct {
    const HChar* word;
    Ranges* ranges;
  } kinds[] = {{"text ", &text},          {"linkage ", &linkage}, {"data ", &data_of_student},
               {"open ", &open_objects},  {"all ", &all_data},    {"constants ", &constant_data},
               {"thread ", &thread_data}, {"builtin ", &builtins}};
  for (UInt k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
    const SizeT length = VG_(strlen)(kinds[k].word);
    if (VG_(strncmp)(line, kinds[k].word, length) == 0) {
      take_range(kinds[k].ranges, line + length);
      return;
    }
  }
  HChar* rest = VG_(strchr)(line, ' ');
  if (rest == NULL) stop("a line of one word");
  if (VG_(strncmp)(line, "code ", 5) == 0) {
    take_range(&code, rest);
    take_number(&rest), take_number(&rest);
    code_offset = take_number(&rest);
  } else if (VG_(strncmp)(line, "storage ", 8) == 0) {
    storage_bytes = take_number(&rest);
    storage_alignment = take_number(&rest);
  } else if (VG_(strncmp)(line, "telling ", 8) == 0) {
    telling = take_number(&rest);
  } else if (VG_(strncmp)(line, "entry ", 6) == 0) {
    take_entry(rest, False);
  } else if (VG_(strncmp)(line, "slot ", 5) == 0) {
    take_entry(rest, True);
  } else {
    stop("a word that is not known");
  }
}

void read_map(const HChar* file) {
  HChar* line = read_all(file);
  while (*line != '\0') {
    HChar* end = VG_(strchr)(line, '\n');
    if (end == NULL) stop("its last line has no end");
    *end = '\0';
    take_line(line);
    line = end + 1;
  }
  if (code.count != 1 || text.count != 1 || telling == 0) stop("something is missing");
}

static void move(Ranges* ranges, Addr by) {
  for (Int k = 0; k < ranges->count; ++k) {
    ranges->all[k].begin += by;
    ranges->all[k].end += by;
  }
}

/// The program's code is mapped where the dynamic linker, or the kernel, saw fit.
static Bool find_program(Addr* moved) {
  Addr starts[512];
  const Int count = VG_(am_get_segment_starts)(SkFileC, starts, 512);
  for (Int k = 0; k < count; ++k) {
    const NSegment* segment = VG_(am_find_nsegment)(starts[k]);
    const HChar* name = segment == NULL ? NULL : VG_(am_get_filename)(segment);
    if (name == NULL || !segment->hasX || VG_(strcmp)(name, VG_(args_the_exename)) != 0) continue;
    *moved = segment->start - (code.all[0].begin - (code_offset - (UWord)segment->offset));
    return True;
  }
  return False;
}

Bool locate_program(void) {
  if (is_located) return True;
  Addr moved = 0;
  if (!find_program(&moved)) return False;
  Ranges* const all[] = {&code,         &text,     &linkage,      &data_of_student,
                         &open_objects, &all_data, &constant_data};
  for (UInt k = 0; k < sizeof all / sizeof *all; ++k) move(all[k], moved);
  telling += moved;
  for (Int k = 0; k < entry_count; ++k) entries[k].address += moved;
  is_located = True;
  return True;
}

static Owner owner_of_library(Addr address) {
  const NSegment* segment = VG_(am_find_nsegment)(address);
  if (segment == NULL) return of_library;  // Valgrind's own replacements
  if (segment->kind == SkFileV || segment->kind == SkAnonV) return of_library;
  if (segment->kind != SkFileC || segment->hasW) return of_nobody;
  const HChar* name = VG_(am_get_filename)(segment);
  if (name == NULL) return of_nobody;
  return VG_(strstr)(name, "/libgcc_s") != NULL ? of_unwinder : of_library;
}

Owner owner_of(Addr address) {
  if (!locate_program()) return of_library;  // the dynamic linker, before all
  if (!is_in(&code, address)) return owner_of_library(address);
  if (is_in(&text, address)) return of_student;
  return is_in(&linkage, address) ? of_linkage : of_runtime;
}

DataOwner owner_of_data(Addr address) {
  if (!is_in(&all_data, address)) return no_range;
  if (is_in(&constant_data, address)) return constants;
  if (is_in(&data_of_student, address)) return student_data;
  return is_in(&open_objects, address) ? open_data : other_data;
}

/// What a function does with its arguments, a bit each, by a part of its name: the first that fits.
typedef struct {
  const HChar* part;
  UInt arguments;
} Uses;

static const Uses uses_to_write[] = {{"cudaMallocPitch", 3},
                                     {"cudaMalloc", 1},
                                     {"cudaHostAlloc", 1},
                                     {"cudaMemcpy", 1},
                                     {"cudaGetDevice", 1},
                                     {"cudaDeviceGet", 1},
                                     {"cudaMemGetInfo", 3},
                                     {"cudaDriverGetVersion", 1},
                                     {"cudaRuntimeGetVersion", 1},
                                     {"cudaFuncGetAttributes", 1},
                                     {"cudaOccupancy", 1},
                                     {"best_block_size", 3},
                                     {"cudaRuntimeGetVersion", 1},
                                     {"cudaFuncGetAttributes", 1},
                                     {"cudaOccupancy", 3},
                                     {"best_block_size", 3},
                                     {"cudaStreamCreate", 1},
                                     {"cudaStreamEndCapture", 2},
                                     {"cudaGraphInstantiate", 1},
                                     {"cudaEventCreate", 1},
                                     {"cudaEventElapsedTime", 1},
                                     {"copy_from_symbol", 1},
                                     {"copy_to_symbol", 1},
                                     {"symbol_address", 1},
                                     {"symbol_size", 1},
                                     {"course_mem", 1},
                                     {"copy_bytes", 1},
                                     {"set_bytes", 1},
                                     {"course_sincos", 3},
                                     {"course_frexp", 1},
                                     {"course_modf", 1},
                                     {"course_remquo", 1},
                                     {"__tsan_atomic", 3},
                                     {"cublasCreate", 1},
                                     {"cublasGetVector", 16},
                                     {"cublasGetMatrix", 32},
                                     {"cublasGetLoggerCallback", 1},
                                     {"cublasLtMatmulAlgoGetHeuristic", 768},
                                     {"cublasLtMatmulAlgoGetIds", 768},
                                     {"cublasLtMatmulAlgoInit", 256},
                                     {"cublasLtMatmulAlgoCheck", 128},
                                     {"cublasLtMatmulAlgoConfigGetAttribute", 20},
                                     {"cublasLtMatmulAlgoConfigSetAttribute", 1},
                                     {"cublasLtCreate", 1},
                                     {"cublasLtGetProperty", 2},
                                     {"cublasLtMatrixLayoutCreate", 1},
                                     {"cublasLtMatrixLayoutInit_internal", 1},
                                     {"cublasLtMatrixLayoutSetAttribute", 1},
                                     {"cublasLtMatrixLayoutGetAttribute", 20},
                                     {"cublasLtMatmulDescCreate", 1},
                                     {"cublasLtMatmulDescInit_internal", 1},
                                     {"cublasLtMatmulDescSetAttribute", 1},
                                     {"cublasLtMatmulDescGetAttribute", 20},
                                     {"cublasLtMatmulPreferenceCreate", 1},
                                     {"cublasLtMatmulPreferenceInit_internal", 1},
                                     {"cublasLtMatmulPreferenceSetAttribute", 1},
                                     {"cublasLtMatmulPreferenceGetAttribute", 20},
                                     {"cublasLtMatrixTransformDescCreate", 1},
                                     {"cublasLtMatrixTransformDescInit_internal", 1},
                                     {"cublasLtMatrixTransformDescSetAttribute", 1},
                                     {"cublasLtMatrixTransformDescGetAttribute", 20},
                                     {"cublasGet", 2},
                                     {"Nrm2Ex", 32},
                                     {"AsumEx", 32},
                                     {"IamaxEx", 32},
                                     {"IaminEx", 32},
                                     {"DotEx", 256},
                                     {"DotcEx", 256},
                                     {"RotgEx", 54},
                                     {"RotmgEx", 554},
                                     {"getrsBatched", 512},
                                     {"cutensorCreateTensorDescriptor", 2},
                                     {"cutensorCreateContraction", 2},
                                     {"cutensorCreateReduction", 2},
                                     {"cutensorCreatePermutation", 2},
                                     {"cutensorCreateElementwise", 2},
                                     {"cutensorCreatePlan", 2},
                                     {"cutensorCreate", 1},
                                     {"cutensorOperationDescriptorGet", 8},
                                     {"cutensorPlanPreferenceGet", 8},
                                     {"cutensorPlanGet", 8},
                                     {"cutensorEstimateWorkspaceSize", 16},
                                     {"rotg", 30},
                                     {"rotmg", 62},
                                     {"nrm2", 16},
                                     {"asum", 16},
                                     {"amax", 16},
                                     {"amin", 16},
                                     {"dot", 64},
                                     {NULL, 0}};

/// What launch() is to call stands in a structure of three words. Such a one is on the stack, where
/// argument 6 is the first word.
static const Uses uses_to_call[] = {{"detail6launchE", 64},
                                    {"remember_kernel", 5},
                                    {"best_block_size", 12},
                                    {"__cxa_atexit", 1},
                                    {"__cxa_throw", 4},
                                    {"cublasSetLoggerCallback", 1},
                                    {"cublasLtLoggerSetCallback", 1},
                                    {NULL, 0}};

/// What kernels call, by the beginnings of names: hooks, and what stands for device functions.
static const HChar* const for_kernels[] = {"__tsan_",
                                           "__sanitizer_cov_",
                                           "__ubsan_",
                                           "course_",
                                           "_ZN8emulator14dynamic_shared",
                                           "_ZN8emulator10for_device",
                                           "_ZN8emulator6detail13block_barrier",
                                           "_ZN8emulator6detail12grid_barrier",
                                           "_ZN8emulator6detail14warp_operation",
                                           "_ZN8emulator6detail21is_cooperative_launch",
                                           "_ZN8emulator6detail27is_from_global_to_shared",
                                           "_ZN8emulator6detail13record_atomic",
                                           "_ZN8emulator6detail11note_atomic",
                                           "_ZN8emulator6detail12record_fence",
                                           "_ZN8emulator6detail10start_copy",
                                           "_ZN8emulator6detail13commit_copies",
                                           "_ZN8emulator6detail15wait_for_copies",
                                           "_ZN8emulator6detail13mbarrier_init",
                                           "_ZN8emulator6detail12mbarrier_end",
                                           "_ZN8emulator6detail15mbarrier_arrive",
                                           "_ZN8emulator6detail28mbarrier_arrive_after_copies",
                                           "_ZN8emulator6detail13mbarrier_wait",
                                           "_ZN8emulator6detail16mbarrier_pending",
                                           "_ZN8emulator6detail12bulk_copy_in",
                                           "_ZN8emulator6detail13bulk_copy_out",
                                           "_ZN8emulator6detail11bulk_commit",
                                           "_ZN8emulator6detail9bulk_wait",
                                           "_ZN8emulator6detail11proxy_fence",
                                           "_ZN8emulator6detail13named_barrier",
                                           "_ZN8emulator6detail14cluster_arrive",
                                           "_ZN8emulator6detail12cluster_wait",
                                           "_ZN8emulator6detail14cluster_blocks",
                                           "_ZN8emulator6detail14cluster_extent",
                                           "_ZN8emulator6detail12cluster_rank",
                                           "_ZN8emulator6detail13cluster_index",
                                           "_ZN8emulator6detail19is_explicit_cluster",
                                           "_ZN8emulator6detail17multiply_matrices",
                                           "_ZN8emulator6detail13load_matrices",
                                           "_ZN8emulator6detail14store_matrices",
                                           "_ZN8emulator6detail20load_matrix_elements",
                                           "_ZN8emulator6detail21store_matrix_elements",
                                           "_ZN8emulator6detail15meet_for_matrix",
                                           "_ZN8emulator6detail12check_matrix",
                                           "_ZN8emulator6detail14shared_address",
                                           "_ZN8emulator6detail14shared_pointer",
                                           "_ZN8emulator6detail17is_shared_address",
                                           "_ZN8emulator6detail16is_local_address",
                                           "_ZN8emulator6detail10copy_bytes",
                                           "_ZN8emulator6detail9set_bytes",
                                           "_ZN8emulator6detail13compare_bytes",
                                           "_ZN8emulator6detail12yield_thread",
                                           "_ZN8emulator6detail13not_modelled",
                                           "_ZN8emulator6detail4trap",
                                           NULL};

static Bool is_for_kernels(const HChar* name) {
  for (const HChar* const* begin = for_kernels; *begin != NULL; ++begin) {
    if (VG_(strncmp)(name, *begin, VG_(strlen)(*begin)) == 0) return True;
  }
  return False;
}

/// Those that leave a result, of which nobody is told, where the caller keeps its own variables.
static const Uses uses_to_answer[] = {{"warp_operation", 32},
                                      {"multiply_matrices", 16},
                                      {"13load_matrices", 8},
                                      {"load_matrix_elements", 1},
                                      {NULL, 0}};

static UInt arguments_used(const Uses* uses, const HChar* name) {
  for (; uses->part != NULL; ++uses) {
    if (VG_(strstr)(name, uses->part) != NULL) return uses->arguments;
  }
  return 0;
}

/// All addresses are known only once the dynamic linker is done, which is before the student's code
/// begins.
static void find_callable(void) {
  callable = VG_(OSetGen_Create)(0, NULL, VG_(malloc), "witness.entries", VG_(free));
  for (Int k = 0; k < entry_count; ++k) {
    const Addr address = entries[k].is_slot ? *(Addr*)entries[k].address : entries[k].address;
    if (VG_(OSetGen_Contains)(callable, &address)) continue;
    Entry* entry = VG_(OSetGen_AllocNode)(callable, sizeof *entry);
    *entry = entries[k];
    entry->address = address;
    entry->written = arguments_used(uses_to_write, entry->name);
    entry->called = arguments_used(uses_to_call, entry->name);
    entry->answered = arguments_used(uses_to_answer, entry->name);
    entry->is_for_kernels = is_for_kernels(entry->name);
    entry->calls = 0;
    VG_(OSetGen_Insert)(callable, entry);
  }
}

Entry* entry_at(Addr address) {
  if (callable == NULL) find_callable();
  return VG_(OSetGen_Lookup)(callable, &address);
}

const Entry* next_entry(Bool from_start) {
  if (callable == NULL) return NULL;
  if (from_start) VG_(OSetGen_ResetIter)(callable);
  return VG_(OSetGen_Next)(callable);
}

Addr telling_function(void) {
  return is_located ? telling : 0;
}

Addr thread_pointer(ThreadId tid) {
  Addr pointer = 0;
  VG_(get_shadow_regs_area)
  (tid, (UChar*)&pointer, 0, offsetof(VexGuestAMD64State, guest_FS_CONST), sizeof pointer);
  return pointer;
}

Range thread_storage(ThreadId tid) {
  const Addr end = thread_pointer(tid);
  const UWord alignment = storage_alignment == 0 ? 1 : storage_alignment;
  // What is left before `end` may be a library's.
  const Addr begin = end - (storage_bytes + alignment - 1) / alignment * alignment;
  const Range range = {begin, begin + storage_bytes};
  return range;
}

Bool is_thread_variable_of_student(UWord offset) {
  return is_in(&thread_data, offset);
}

Bool is_builtin_variable(UWord offset) {
  return is_in(&builtins, offset);
}
