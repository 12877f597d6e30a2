/// @file
/// Which side runs, and how one comes to the other: into the emulator's code at the functions that
/// the student's object file names, and back by a return; never from the middle of one stack to
/// another.

#include <stddef.h>

#include "libvex_guest_amd64.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_basics.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"
#include "witness.h"

/// Of Valgrind's core, whose headers are not for tools. A function's name as the linker has it is
/// looked up by the first, and read by the second.
extern Bool VG_(get_fnname_raw)(DiEpoch epoch, Addr code, const HChar** name);
extern void VG_(demangle)(Bool cxx, Bool z, const HChar* name, const HChar** result);

Mode mode = for_runtime;

static Stack* stack_in_use;  ///< of the student's code that runs, or ran last
static Owner last_library = of_library;

/// The same of a thread that does not run.
typedef struct {
  Mode mode;
  Stack* stack;
  Owner library;
} Turn;
static Turn* turns;

Stack* current_stack(void) {
  return stack_in_use;
}

static UWord guest_register(Int offset) {
  UWord value = 0;
  VG_(get_shadow_regs_area)(VG_(get_running_tid)(), (UChar*)&value, 0, offset, sizeof value);
  return value;
}

/// Registers that a function leaves as it found them.
static const Int kept_offsets[kept_registers] = {
    offsetof(VexGuestAMD64State, guest_RBX), offsetof(VexGuestAMD64State, guest_RBP),
    offsetof(VexGuestAMD64State, guest_R12), offsetof(VexGuestAMD64State, guest_R13),
    offsetof(VexGuestAMD64State, guest_R14), offsetof(VexGuestAMD64State, guest_R15)};

static Crossing crossing_at(Addr pointer) {
  Crossing call = {pointer, *(Addr*)pointer, mode, {0}};
  for (UInt k = 0; k < kept_registers; ++k) call.kept[k] = guest_register(kept_offsets[k]);
  return call;
}

/// Strings are to run forwards when others go on.
static void look_at_direction(Addr code) {
  if (guest_register(offsetof(VexGuestAMD64State, guest_DFLAG)) == 1) return;
  find_and_end("jump", code, "the code leaves the direction of strings turned round");
}

/// Calls that began further down the stack than it now reaches will not come back: a jump has ended
/// them.
static void forget_calls(Crossing* calls, Int* count, Addr stack) {
  while (*count > 0 && calls[*count - 1].stack < stack) --*count;
}

static void push(Crossing* calls, Int* count, Crossing call) {
  // Nobody nests so deep; the outermost, which says where the stack's own part ends, stays.
  if (*count == most_calls) --*count;
  calls[(*count)++] = call;
}

/// Whether code goes on where the latest of the calls comes back to; that call is over then.
static Bool returns(Crossing* calls, Int* count, Addr code, Addr stack, Mode* caller) {
  Int k = *count - 1;
  while (k >= 0 && calls[k].stack + sizeof(Addr) < stack) --k;
  if (k < 0 || calls[k].return_to != code || calls[k].stack + sizeof(Addr) != stack) return False;
  if (caller != NULL) {
    look_at_direction(code);
    for (UInt r = 0; r < kept_registers; ++r) {
      if (calls[k].kept[r] == guest_register(kept_offsets[r])) continue;
      find_and_end("jump", code, "the code returns with other registers than it was called with");
    }
    *caller = calls[k].caller;
  }
  *count = k;
  return True;
}

static Stack* stack_of_student(Addr pointer, Addr code) {
  Stack* stack = stack_at(VG_(get_running_tid)(), pointer);
  if (stack == NULL || stack != stack_in_use) {
    find_and_end("jump", code, "the code jumps from one stack to another, as out of a kernel");
  }
  return stack;
}

static void set_registers(Int offset, SizeT bytes) {
  static UChar zeros[16 * sizeof(U256)];
  VG_(set_shadow_regs_area)(VG_(get_running_tid)(), 0, offset, bytes, zeros);
}

/// What another thread had in registers that no call keeps: vectors, but for results, and those of
/// x87.
static void clear_registers(Bool is_begin) {
  const Int first = offsetof(VexGuestAMD64State, guest_YMM0);
  const SizeT results = is_begin ? 0 : 2 * sizeof(U256);
  set_registers(first + (Int)results, 16 * sizeof(U256) - results);
  set_registers(offsetof(VexGuestAMD64State, guest_FPREG), 8 * sizeof(ULong));
  static const Int others[] = {
      offsetof(VexGuestAMD64State, guest_RCX), offsetof(VexGuestAMD64State, guest_RSI),
      offsetof(VexGuestAMD64State, guest_R8),  offsetof(VexGuestAMD64State, guest_R9),
      offsetof(VexGuestAMD64State, guest_R10), offsetof(VexGuestAMD64State, guest_R11)};
  for (UInt k = 0; k < sizeof others / sizeof *others; ++k) set_registers(others[k], sizeof(UWord));
}

/// A thread of a kernel begins, where another one has ended: what that one had in local variables
/// and in registers was loaded by it, and the next has to load it again. What it has called went
/// further down.
static void leave_nothing_behind(Stack* stack, Addr pointer) {
  enum { further_down = 2048, all_of_it = 65536 };
  Addr lowest = stack->lowest == 0 ? pointer : stack->lowest - further_down;
  if (pointer - lowest > all_of_it) lowest = pointer - all_of_it;
  if (lowest < pointer && VG_(am_is_valid_for_client)(lowest, pointer - lowest, VKI_PROT_WRITE)) {
    VG_(memset)((void*)lowest, 0xA5, pointer - lowest);
  }
  stack->lowest = 0;
  clear_registers(True);
}

void enter_student(Addr code, Addr pointer) {
  Stack* stack = stack_at(VG_(get_running_tid)(), pointer);
  if (stack == NULL) find_and_end("jump", code, "the code runs on a stack of its own making");
  if (stack->is_fiber) {
    keep_host_variables(VG_(get_running_tid)());
  } else {
    restore_host_variables(VG_(get_running_tid)());
  }
  if (mode == for_library_of_student) {
    if (stack != stack_in_use)
      find_and_end("jump", code, "the code jumps from one stack to another");
    mode = for_student;
    return;
  }
  const Bool is_other = stack != stack_in_use;
  stack_in_use = stack;
  if (!returns(stack->out, &stack->count_out, code, pointer, NULL)) {
    forget_calls(stack->in, &stack->count_in, pointer + 1);
    forget_calls(stack->out, &stack->count_out, pointer + 1);
    if (stack->is_fiber && stack->count_in == 0) leave_nothing_behind(stack, pointer);
    push(stack->in, &stack->count_in, crossing_at(pointer));
  } else if (is_other && stack->is_fiber) {
    clear_registers(False);
  }
  mode = for_student;
}

static Bool returns_from_student(Addr code, Addr pointer) {
  Stack* stack = stack_at(VG_(get_running_tid)(), pointer);
  return stack != NULL && stack == stack_in_use &&
         returns(stack->in, &stack->count_in, code, pointer, &mode);
}

/// The argument of that number, which may be none: then it is whatever is in its place.
static Addr argument(UInt number, Addr pointer) {
  static const Int registers[] = {
      offsetof(VexGuestAMD64State, guest_RDI), offsetof(VexGuestAMD64State, guest_RSI),
      offsetof(VexGuestAMD64State, guest_RDX), offsetof(VexGuestAMD64State, guest_RCX),
      offsetof(VexGuestAMD64State, guest_R8),  offsetof(VexGuestAMD64State, guest_R9)};
  enum { in_registers = sizeof registers / sizeof *registers };
  return number < in_registers ? guest_register(registers[number])
                               : ((Addr*)pointer)[1 + number - in_registers];
}

/// A function writes where its arguments point: not to our own memory. And what it calls is not our
/// own, but for what may be called anyway.
static void look_at_arguments(const Stack* stack, const Entry* entry, Addr pointer) {
  const HChar* what = NULL;
  for (UInt k = 0; entry->answered >> k != 0; ++k) {
    if ((entry->answered >> k & 1) == 0 || argument(k, pointer) == 0) continue;
    if (!is_own_frame(stack, argument(k, pointer), 1)) what = "use others' memory as registers";
  }
  for (UInt k = 0; entry->written >> k != 0; ++k) {
    if ((entry->written >> k & 1) == 0) continue;
    if (is_of_runtime(VG_(get_running_tid)(), argument(k, pointer))) {
      what = "write to the emulator's own memory";
    }
  }
  for (UInt k = 0; entry->called >> k != 0; ++k) {
    const Addr function = argument(k, pointer);
    if ((entry->called >> k & 1) == 0 || owner_of(function) != of_runtime) continue;
    if (entry_at(function) == NULL) what = "call the emulator's own code";
  }
  if (what == NULL) return;
  const HChar* name = entry->name;
  VG_(demangle)(True, False, entry->name, &name);
  find_and_end("foreign-memory", *(Addr*)pointer, "%s is to %s", name, what);
}

/// What a program does as it ends goes through lists of functions, in which there may be any.
static Bool ends_program(const HChar* name) {
  return VG_(strcmp)(name, "exit") == 0 || VG_(strcmp)(name, "abort") == 0;
}

/// A function that is for the host.
static void refuse_in_kernel(const Entry* entry, Addr pointer) {
  const HChar* name = entry->name;
  VG_(demangle)(True, False, entry->name, &name);
  find_and_end("jump", *(Addr*)pointer, "a kernel calls %s, which is for the host", name);
}

/// Exceptions of the student's end in the functions that have called him, in frames above his own:
/// see common/checks/entries.hpp and grading/judge/dispatch.cpp.
static Bool handles_exceptions(const Stack* stack, Addr code, Addr pointer) {
  const HChar* name = NULL;
  return !stack->is_fiber && stack->count_in > 0 && pointer > stack->in[0].stack &&
         VG_(get_fnname_raw)(VG_(current_DiEpoch)(), code, &name) &&
         (VG_(strstr)(name, "course7grading") != NULL ||
          VG_(strstr)(name, "course8boundary") != NULL);
}

void enter_runtime(Addr code, Addr pointer) {
  if (returns_from_student(code, pointer)) return;
  Entry* entry = entry_at(code);
  if (entry != NULL) {
    Stack* stack = stack_of_student(pointer, code);
    ++entry->calls;
    look_at_direction(code);
    if (pointer > end_of_own_part(stack)) {
      find_and_end("jump", code, "the code calls the emulator from the middle of its stack");
    }
    if (stack->is_fiber && !entry->is_for_kernels) refuse_in_kernel(entry, pointer);
    look_at_arguments(stack, entry, pointer);
    note_depth(stack, pointer);
    forget_calls(stack->out, &stack->count_out, pointer + 1);
    push(stack->out, &stack->count_out, crossing_at(pointer));
    mode = for_runtime;
    return;
  }
  if (mode == for_library_of_student &&
      last_library == of_unwinder) {  // an exception has come to its handler
    Stack* stack = stack_at(VG_(get_running_tid)(), pointer);
    if (stack == stack_in_use && handles_exceptions(stack, code, pointer)) {
      forget_calls(stack->in, &stack->count_in, pointer);
      forget_calls(stack->out, &stack->count_out, pointer);
      mode = for_runtime;
      return;
    }
  }
  find_and_end("jump", code, "the code jumps into the emulator where it may not");
}

void enter_library(Addr code, Addr pointer) {
  last_library = owner_of(code);
  if (mode == for_library_of_student) return;
  if (returns_from_student(code, pointer)) return;  // what called it was a library
  const Stack* stack = stack_of_student(pointer, code);
  look_at_direction(code);
  const Entry* entry = entry_at(code);
  if (entry != NULL) look_at_arguments(stack, entry, pointer);
  if (entry == NULL) {
    // A virtual function of the C++ library may be called without being named.
    if (last_library == of_unwinder)
      find_and_end("jump", code, "the code jumps into a library where it may not");
  } else if (ends_program(entry->name)) {
    find_and_end("end", *(Addr*)pointer, "the program calls %s()", entry->name);
  }
  mode = for_library_of_student;
}

void run_unknown_code(Addr code) {
  find_and_end("foreign-code", code,
               "the program runs code that is neither its own nor a library's");
}

void tell(UWord what, UWord first, UWord second, UWord third, Addr pointer) {
  // See emulator/runtime/events/witnessed.hpp.
  enum { a_fiber = 16, a_loan, end_of_loan, a_launch };
  if (mode != for_runtime) return;
  if (what == a_fiber) {
    add_fiber(first, second);
  } else if (what == a_loan) {
    lend(first, second);
  } else if (what == end_of_loan) {
    end_loan(first);
  } else if (what == a_launch) {
    begin_launch(first);
  } else if (what <= an_atomic) {
    Stack* stack = stack_at(VG_(get_running_tid)(), pointer);
    if (stack == NULL) return;
    announce(stack, first, second, (Operation)what);
    if (what == a_load || !stack->is_fiber) return;
    see_announced_store(first, second,
                        stack->count_out == 0 ? 0 : stack->out[stack->count_out - 1].return_to);
  }
  (void)third;
}

// Threads and signals
// ------------------------------------------------------------------------------

static void begin_turn(ThreadId tid, ULong blocks) {
  (void)blocks;
  if (turns == NULL) turns = VG_(calloc)("witness.turns", VG_N_THREADS, sizeof *turns);
  mode = turns[tid].mode;
  stack_in_use = turns[tid].stack;
  last_library = turns[tid].library;
}

static void end_turn(ThreadId tid, ULong blocks) {
  (void)blocks;
  const Turn turn = {mode, stack_in_use, last_library};
  turns[tid] = turn;
}

static void end_thread(ThreadId tid) {
  forget_thread(tid);
  forget_host_variables(tid);
  if (turns == NULL) return;
  const Turn none = {for_runtime, NULL, of_library};
  turns[tid] = none;
}

/// All handlers are the emulator's. What they interrupt goes on when they return.
static void begin_signal(ThreadId tid, Int number, Bool on_other_stack) {
  (void)number, (void)on_other_stack;
  if (turns == NULL) return;
  Stack* stack = stack_at(tid, VG_(get_SP)(tid));
  if (stack != NULL) stack->before_signal = turns[tid].mode;
  mode = turns[tid].mode = for_runtime;
}

static void end_signal(ThreadId tid, Int number) {
  (void)number;
  Stack* stack = stack_at(tid, VG_(get_SP)(tid));
  if (stack == NULL || turns == NULL) return;
  mode = turns[tid].mode = stack->before_signal;
  if (mode != for_runtime) stack_in_use = turns[tid].stack = stack;
}

void watch_threads_and_signals(void) {
  VG_(track_pre_thread_ll_exit)(end_thread);
  VG_(track_start_client_code)(begin_turn);
  VG_(track_stop_client_code)(end_turn);
  VG_(track_pre_deliver_signal)(begin_signal);
  VG_(track_post_deliver_signal)(end_signal);
}
