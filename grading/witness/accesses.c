/// @file
/// What the student's instructions, and library functions that they call, do to memory; and what
/// they ask of the operating system, which is nothing.

#include "pub_tool_aspacemgr.h"
#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"
#include "witness.h"

static const HChar uncounted[] = "accesses that nobody counted";

static Stack* stack_of(Addr pointer, Addr code) {
  Stack* stack = current_stack();
  if (stack == NULL || !holds(&stack->range, pointer)) {
    find_and_end("jump", code, "the code has jumped from one stack to another, as out of a kernel");
  }
  return stack;
}

static const HChar* in_words(Operation operation) {
  return operation == a_load ? "read" : "written";
}

/// An access to what all threads of a grid share.
static void see_device(Stack* stack, Addr address, UWord bytes, Operation operation, Addr code,
                       const HChar* memory) {
  if (!stack->is_fiber) {
    // Pinned and managed memory that the exercise asks for.
    if (is_lent(address) && is_lent(address + bytes - 1)) return;
    find("host", code, "host code touches the device's memory: %lu bytes of %s are %s", bytes,
         memory, in_words(operation));
  } else if (!was_announced(stack, address, bytes, operation)) {
    find("uncounted", code, "%s: %lu bytes of %s are %s", uncounted, bytes, memory,
         in_words(operation));
  }
}

/// Whether all of it is in what the two addresses, its first and its last byte, say.
static Bool reaches(const Range* range, Addr address, UWord bytes) {
  return holds(range, address) || holds(range, address + bytes - 1);
}

// What kernels leave in variables of the program is for kernels: a few ranges, together as one when
// they are many.
enum { most_left = 64 };
static Range left[most_left];
static UInt left_count;

static void note_left(Addr begin, UWord bytes) {
  const Addr end = begin + bytes;
  for (UInt k = 0; k < left_count; ++k) {
    const Bool is_last = k + 1 == most_left;
    if (!is_last && (begin > left[k].end || end < left[k].begin)) continue;
    if (begin < left[k].begin) left[k].begin = begin;
    if (end > left[k].end) left[k].end = end;
    return;
  }
  left[left_count].begin = begin;
  left[left_count++].end = end;
}

void see_announced_store(Addr address, UWord bytes, Addr code) {
  const DataOwner owner = owner_of_data(address);
  if (owner == no_range) {
    Bool is_student = False, is_begin = False;
    const Stack* stack = stack_at(VG_(get_running_tid)(), address);
    const Bool is_on_stack = stack != NULL && !stack->is_fiber;
    if (is_on_stack || (find_block(address, &is_student, &is_begin) && !is_lent(address))) {
      find("uncounted", code, "a kernel has %lu bytes of the host's memory written", bytes);
    }
    return;
  }
  note_left(address, bytes);
  if (owner != constants) return;
  find("uncounted", code, "%s: a kernel writes %lu bytes of constant memory", uncounted, bytes);
}

static Bool was_left(Addr address, UWord bytes) {
  for (UInt k = 0; k < left_count; ++k) {
    if (reaches(&left[k], address, bytes)) return True;
  }
  return False;
}

/// @return whether it was an access to a variable of the program's, and all was said of it
static Bool see_variable(Stack* stack, Addr address, UWord bytes, Operation operation, Addr code) {
  const DataOwner owner = owner_of_data(address);
  const DataOwner last_owner = owner_of_data(address + bytes - 1);
  if (owner == no_range && last_owner == no_range) return False;
  if (operation != a_load && (owner != last_owner || (owner != student_data && owner != open_data)))
    return False;
  if (owner == constants && last_owner == constants) return True;
  if (stack->is_fiber) {
    if (operation != a_load) note_left(address, bytes);
    see_device(stack, address, bytes, operation, code, "the program's variables");
  } else if (was_left(address, bytes)) {
    see_device(stack, address, bytes, operation, code, "what kernels have left in variables");
  }
  return True;
}

/// The same of shared memory, which is the thread's own. To the host these are its own
/// thread_local variables: see thread_variables.c.
static Bool see_thread_variable(Stack* stack, Addr address, UWord bytes, Operation operation,
                                Addr code) {
  const Range storage = thread_storage(VG_(get_running_tid)());
  if (!reaches(&storage, address, bytes)) return False;
  const UWord offset = address - storage.begin;
  const Bool is_student =
      is_thread_variable_of_student(offset) && is_thread_variable_of_student(offset + bytes - 1);
  if (!is_student && operation != a_load) return False;
  if (!stack->is_fiber || (!is_student && is_builtin_variable(offset))) return True;
  see_device(stack, address, bytes, operation, code, "shared memory");
  return True;
}

/// @return whether it was an access to memory that is counted, or that needs no more looking at
static Bool see_shared(Stack* stack, Addr address, UWord bytes, Operation operation, Addr code) {
  if (reaches(&arena, address, bytes)) {
    see_device(stack, address, bytes, operation, code, "device memory");
    return True;
  }
  return see_variable(stack, address, bytes, operation, code) ||
         see_thread_variable(stack, address, bytes, operation, code);
}

// What a kernel finds in the host's memory are its arguments, each thread the same.
enum { line_bytes = 64, most_lines = 1024 };
static Addr lines[most_lines];
static UInt line_count, lent_line_count, lines_allowed;

void begin_launch(UWord parameter_bytes) {
  // Arguments begin and end anywhere; and what leads to them is also there.
  enum { besides = 24 };
  line_count = lent_line_count = 0;
  lines_allowed = (UInt)(parameter_bytes / line_bytes) + besides;
  if (lines_allowed > most_lines) lines_allowed = most_lines;
}

static Bool is_argument(Addr address) {
  const Addr line = address / line_bytes;
  for (UInt k = 0; k < line_count; ++k) {
    if (lines[line_count - 1 - k] == line) return True;
  }
  if (line_count == lines_allowed) return False;
  // An element of the function's arrays may be an argument; the arrays are for copies.
  enum { most_lent_lines = 2 };
  if (is_lent(address) && lent_line_count++ >= most_lent_lines) return False;
  lines[line_count++] = line;
  return True;
}

/// Whether nobody can write there.
static Bool is_constant(Addr address) {
  const NSegment* segment = VG_(am_find_nsegment)(address);
  return segment != NULL && segment->kind == SkFileC && !segment->hasW;
}

void see_load(Addr address, UWord bytes, Addr code, Addr pointer) {
  Stack* stack = stack_of(pointer, code);
  if (address >= stack->range.begin && address + bytes <= end_of_own_part(stack)) return;
  if (is_own_frame(stack, address, bytes)) return;
  if (see_shared(stack, address, bytes, a_load, code)) return;
  // Nobody counts what a thread of a kernel finds among another one's local variables.
  const ThreadId tid = VG_(get_running_tid)();
  const Stack* other = stack_at(tid, address);
  if (other != NULL && other != stack && other->is_fiber) {
    find("uncounted", code, "%s: %lu bytes of another thread's variables are read", uncounted,
         bytes);
    return;
  }
  Bool is_student = False, is_begin = False;
  const Bool is_in_heap = find_block(address, &is_student, &is_begin);
  if (is_in_heap && !is_student) {
    find_and_end("foreign-memory", code, "%lu bytes of the emulator's own memory are read", bytes);
  }
  if (!stack->is_fiber || other == stack || is_constant(address)) return;
  const Addr own = thread_pointer(tid);
  if (address - own < 4096) return;  // where the compiler keeps its guard of the stack
  if (!is_argument(address)) {
    find("uncounted", code, "%s: a kernel reads %lu bytes of the host's memory", uncounted, bytes);
  }
}

static void see_write(Addr address, UWord bytes, Addr code, Addr pointer) {
  Stack* stack = stack_of(pointer, code);
  if (is_own_frame(stack, address, bytes)) {
    note_depth(stack, address);
    return;
  }
  if (see_shared(stack, address, bytes, a_store, code)) return;
  Bool is_student = False, is_begin = False, is_last_student = False;
  if (!stack->is_fiber && find_block(address, &is_student, &is_begin) && is_student &&
      find_block(address + bytes - 1, &is_last_student, &is_begin) && is_last_student) {
    return;
  }
  find_and_end("foreign-memory", code, "%lu bytes are written that are not the program's own",
               bytes);
}

void see_store(Addr address, UWord bytes, Addr code, Addr pointer) {
  see_write(address, bytes, code, pointer);
}

void see_exchange(Addr address, UWord bytes, Addr code, Addr pointer) {
  see_write(address, bytes, code, pointer);
}

// Library functions that the student's code calls: none of them counts what it does.

/// Whether it is what a kernel shares with others, or what only kernels may see.
static Bool is_shared(const Stack* stack, Addr address, UWord bytes) {
  const Bool is_host = stack == NULL || !stack->is_fiber;
  if (is_host && is_lent(address) && is_lent(address + bytes - 1)) return False;
  if (reaches(&arena, address, bytes) || was_left(address, bytes)) return True;
  const Range storage = thread_storage(VG_(get_running_tid)());
  if (reaches(&storage, address, bytes)) {
    if (is_host) return False;
    return is_thread_variable_of_student(address - storage.begin) ||
           is_thread_variable_of_student(address - storage.begin + bytes - 1);
  }
  return stack != NULL && stack->is_fiber && owner_of_data(address) == student_data;
}

static void see_library(Addr address, UWord bytes, Operation operation, Addr code) {
  const Stack* stack = current_stack();
  if (is_shared(stack, address, bytes)) {
    find("uncounted", code, "%s: a library function is given device memory", uncounted);
    return;
  }
  if (operation != a_store) return;
  const ThreadId tid = VG_(get_running_tid)();
  if (is_of_runtime(tid, address) || is_of_runtime(tid, address + bytes - 1)) {
    find_and_end("foreign-memory", code,
                 "a library function is made to write to the emulator's own memory");
  }
  // What functions keep for themselves, as the state of rand(), leads out of a kernel; errno is
  // among the libraries' own variables of a thread.
  if (stack == NULL || !stack->is_fiber || holds(&stack->range, address)) return;
  enum { most_of_libraries = 65536 };
  const Range own = thread_storage(tid);
  if (!holds(&own, address) && address >= own.begin - most_of_libraries &&
      address < thread_pointer(tid)) {
    return;
  }
  find("uncounted", code, "%s: a library function keeps %lu bytes for a kernel", uncounted, bytes);
}

void see_library_load(Addr address, UWord bytes, Addr code, Addr pointer) {
  (void)pointer;
  see_library(address, bytes, a_load, code);
}

void see_library_store(Addr address, UWord bytes, Addr code, Addr pointer) {
  Stack* stack = current_stack();
  if (stack != NULL && holds(&stack->range, address)) {
    note_depth(stack, address);
    // The unwinder leaves on the stack where to go on.
    if (owner_of(code) == of_unwinder) return;
  }
  (void)pointer;
  see_library(address, bytes, a_store, code);
}

Bool is_of_runtime(ThreadId tid, Addr address) {
  const DataOwner owner = owner_of_data(address);
  if (owner != no_range) return owner == other_data;
  const Range storage = thread_storage(tid);
  if (holds(&storage, address)) {
    const UWord offset = address - storage.begin;
    return !is_thread_variable_of_student(offset) && !is_builtin_variable(offset);
  }
  const Stack* stack = stack_at(tid, address);
  if (stack != NULL) {
    if (stack != current_stack()) return stack->is_fiber;
    return address >= end_of_own_part(stack) && !is_own_frame(stack, address, 1);
  }
  Bool is_student = False, is_begin = False;
  return find_block(address, &is_student, &is_begin) && !is_student;
}

void see_special(Addr code) {
  find_and_end("system", code,
               "an instruction of the file's own calls the operating system, or who watches");
}

// System calls
// -------------------------------------------------------------------------------------

/// What the C and the C++ library ask for on their own.
static Bool is_harmless(UInt number, const UWord* arguments) {
  switch (number) {
    case __NR_brk:
    case __NR_futex:
    case __NR_madvise:
    case __NR_clock_gettime:
    case __NR_gettimeofday:
    case __NR_getpid:
    case __NR_gettid:
    case __NR_tgkill:  // abort()
    case __NR_rt_sigprocmask:
    case __NR_exit_group:
      return True;
    case __NR_write:
      return arguments[0] == 2;
    default:
      return False;
  }
}

static void before_system_call(ThreadId tid, UInt number, UWord* arguments, UInt count) {
  (void)tid, (void)count;
  if (mode == for_runtime || is_harmless(number, arguments)) return;
  find_and_end("system", 0, "a library function is made to call the operating system (call %u)",
               number);
}

static void after_system_call(ThreadId tid, UInt number, UWord* arguments, UInt count,
                              SysRes result) {
  (void)tid, (void)number, (void)arguments, (void)count, (void)result;
}

void watch_system_calls(void) {
  VG_(needs_syscall_wrapper)(before_system_call, after_system_call);
}
