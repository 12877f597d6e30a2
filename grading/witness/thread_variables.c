/// @file
/// The student's thread_local variables. The shared memory of kernels is made of the same storage,
/// so the host's are put back to what they were before a kernel: on a GPU also, a kernel leaves
/// nothing there for the host to find.

#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "witness.h"

static UChar** kept;  ///< by thread: the variables, one range after the other

/// Copies all of the thread's variables, this way or that.
static void copy_all(ThreadId tid, UChar* copy, Bool is_back) {
  const Range storage = thread_storage(tid);
  for (Int k = 0; thread_range_of_student(k) != NULL; ++k) {
    const Range* range = thread_range_of_student(k);
    const SizeT bytes = range->end - range->begin;
    void* own = (void*)(storage.begin + range->begin);
    if (is_back) {
      VG_(memcpy)(own, copy, bytes);
    } else {
      VG_(memcpy)(copy, own, bytes);
    }
    copy += bytes;
  }
}

void keep_host_variables(ThreadId tid) {
  if (kept == NULL) kept = VG_(calloc)("witness.variables", VG_N_THREADS, sizeof *kept);
  if (kept[tid] != NULL) return;
  SizeT bytes = 1;
  for (Int k = 0; thread_range_of_student(k) != NULL; ++k) {
    bytes += thread_range_of_student(k)->end - thread_range_of_student(k)->begin;
  }
  kept[tid] = VG_(malloc)("witness.variables", bytes);
  copy_all(tid, kept[tid], False);
}

void restore_host_variables(ThreadId tid) {
  if (kept == NULL || kept[tid] == NULL) return;
  copy_all(tid, kept[tid], True);
  VG_(free)(kept[tid]);
  kept[tid] = NULL;
}

void forget_host_variables(ThreadId tid) {
  if (kept == NULL || kept[tid] == NULL) return;
  VG_(free)(kept[tid]);
  kept[tid] = NULL;
}
