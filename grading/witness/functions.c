/// @file
/// What the functions do that the student's code may call, by their names.

#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"
#include "witness.h"

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

void describe_function(Entry* entry) {
  entry->written = arguments_used(uses_to_write, entry->name);
  entry->called = arguments_used(uses_to_call, entry->name);
  entry->answered = arguments_used(uses_to_answer, entry->name);
  entry->is_for_kernels = is_for_kernels(entry->name);
}
