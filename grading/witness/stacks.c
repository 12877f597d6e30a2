/// @file
/// The stacks that code runs on: one a host thread, and one a kernel's thread, which the emulator
/// announces.

#include "pub_tool_basics.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "witness.h"

static Stack** fibers;  ///< by address
static Int fiber_count, fiber_room;
static Stack** thread_stacks;  ///< by thread
static Stack* last;            ///< that was asked for: mostly the one that is asked for next

static Int first_behind(Addr address) {
  Int low = 0, high = fiber_count;
  while (low < high) {
    const Int middle = (low + high) / 2;
    if (fibers[middle]->range.begin <= address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

static Stack* new_stack(Addr begin, Addr end, Bool is_fiber) {
  Stack* stack = VG_(calloc)("witness.stack", 1, sizeof *stack);
  stack->range.begin = begin;
  stack->range.end = end;
  stack->is_fiber = is_fiber;
  return stack;
}

void add_fiber(Addr begin, Addr end) {
  // Where one was, another may be made.
  for (Int k = fiber_count - 1; k >= 0; --k) {
    if (fibers[k]->range.begin >= end || begin >= fibers[k]->range.end) continue;
    if (last == fibers[k]) last = NULL;
    VG_(free)(fibers[k]);
    --fiber_count;
    VG_(memmove)(&fibers[k], &fibers[k + 1], (SizeT)(fiber_count - k) * sizeof *fibers);
  }
  if (fiber_count == fiber_room) {
    fiber_room += 256;
    fibers = VG_(realloc)("witness.stacks", fibers, (SizeT)fiber_room * sizeof *fibers);
  }
  const Int at = first_behind(begin);
  VG_(memmove)(&fibers[at + 1], &fibers[at], (SizeT)(fiber_count - at) * sizeof *fibers);
  fibers[at] = new_stack(begin, end, True);
  ++fiber_count;
}

static Stack* stack_of_thread(ThreadId tid) {
  if (thread_stacks == NULL) {
    thread_stacks = VG_(calloc)("witness.stacks", VG_N_THREADS, sizeof *thread_stacks);
  }
  if (thread_stacks[tid] == NULL) {
    const SizeT largest = 8UL << 20;
    const Addr end = VG_(thread_get_stack_max)(tid) + 1;
    thread_stacks[tid] = new_stack(end - largest, end, False);
  }
  return thread_stacks[tid];
}

void forget_thread(ThreadId tid) {
  if (thread_stacks == NULL || thread_stacks[tid] == NULL) return;
  VG_(free)(thread_stacks[tid]);
  thread_stacks[tid] = NULL;
}

Stack* stack_at(ThreadId tid, Addr address) {
  if (last != NULL && last->is_fiber && holds(&last->range, address)) return last;
  const Int behind = first_behind(address);
  if (behind > 0 && holds(&fibers[behind - 1]->range, address)) return last = fibers[behind - 1];
  Stack* own = stack_of_thread(tid);
  return holds(&own->range, address) ? own : NULL;
}

Bool is_own_frame(const Stack* stack, Addr address, UWord bytes) {
  // Arguments on the stack belong to the function that is called.
  enum { bytes_of_arguments = 40 };
  Addr lowest = stack->range.begin;
  for (Int k = stack->count_in - 1; k >= 0; --k) {
    const Addr end = stack->in[k].stack;
    if (address >= lowest && address + bytes <= end) return True;
    const Addr arguments = end + sizeof(Addr);
    if (address >= arguments && address + bytes <= arguments + bytes_of_arguments) return True;
    // Further up are frames of the emulator's, then those of its caller.
    lowest = stack->range.end;
    for (Int j = 0; k > 0 && j < stack->count_out; ++j) {
      const Addr call = stack->out[j].stack;
      if (call > end && call < stack->in[k - 1].stack) lowest = call + sizeof(Addr);
    }
  }
  return False;
}

void note_depth(Stack* stack, Addr address) {
  if (stack->lowest == 0 || address < stack->lowest) stack->lowest = address;
}

Addr end_of_own_part(const Stack* stack) {
  // The outermost call into the student's code: its return address is not the student's any more.
  return stack->count_in == 0 ? stack->range.begin : stack->in[0].stack;
}
