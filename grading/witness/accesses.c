/// @file
/// What the student's instructions, and library functions that they call, do to memory; and what
/// they ask of the operating system, which is nothing.

#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"
#include "witness.h"

/// Arguments on the stack belong to the function that is called.
enum { bytes_of_arguments = 40 };

static const HChar uncounted[] = "accesses that nobody counted";

static Bool is_on_own_stack(const Stack* stack, Addr address, UWord bytes) {
  const Addr end = end_of_own_part(stack);
  if (address >= stack->range.begin && address + bytes <= end) return True;
  return address >= end + sizeof(Addr) &&
         address + bytes <= end + sizeof(Addr) + bytes_of_arguments;
}

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
    find("host", code, "host code touches device memory: %lu bytes of %s are %s", bytes, memory,
         in_words(operation));
  } else if (!was_announced(stack, address, bytes, operation)) {
    find("uncounted", code, "%s: %lu bytes of %s are %s", uncounted, bytes, memory,
         in_words(operation));
  }
}

/// @return whether it was an access to memory that is counted, or that needs no more looking at
static Bool see_shared(Stack* stack, Addr address, UWord bytes, Operation operation, Addr code) {
  if (holds(&arena, address) || holds(&arena, address + bytes - 1)) {
    see_device(stack, address, bytes, operation, code, "device memory");
    return True;
  }
  const DataOwner owner = owner_of_data(address);
  if (owner != no_range) {
    if (operation == a_store && owner != student_data && owner != open_data) return False;
    if (operation == a_load && (!stack->is_fiber || owner == constants)) return True;
    if (stack->is_fiber) {
      see_device(stack, address, bytes, operation, code, "the program's variables");
    }
    return True;
  }
  const Range storage = thread_storage(VG_(get_running_tid)());
  if (!holds(&storage, address)) return False;
  const UWord offset = address - storage.begin;
  if (operation == a_load && (!stack->is_fiber || is_builtin_variable(offset))) return True;
  if (operation == a_store && !is_thread_variable_of_student(offset)) return False;
  if (stack->is_fiber) see_device(stack, address, bytes, operation, code, "shared memory");
  return True;
}

void see_load(Addr address, UWord bytes, Addr code, Addr pointer) {
  Stack* stack = stack_of(pointer, code);
  if (is_on_own_stack(stack, address, bytes)) return;
  if (see_shared(stack, address, bytes, a_load, code)) return;
  // Nobody counts what a thread of a kernel finds among another one's local variables.
  const Stack* other = stack_at(VG_(get_running_tid)(), address);
  if (other != NULL && other != stack && other->is_fiber) {
    find("uncounted", code, "%s: %lu bytes of another thread's variables are read", uncounted,
         bytes);
  }
}

static void see_write(Addr address, UWord bytes, Addr code, Addr pointer) {
  Stack* stack = stack_of(pointer, code);
  if (is_on_own_stack(stack, address, bytes)) {
    if (stack->lowest == 0 || address < stack->lowest) stack->lowest = address;
    return;
  }
  if (see_shared(stack, address, bytes, a_store, code)) return;
  Bool is_student = False, is_begin = False;
  if (!stack->is_fiber && find_block(address, &is_student, &is_begin) && is_student) return;
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

static void see_library(Addr address, UWord bytes, Operation operation, Addr code) {
  if (holds(&arena, address) || holds(&arena, address + bytes - 1)) {
    find("uncounted", code, "%s: a library function is given device memory", uncounted);
  } else if (operation == a_store && is_of_runtime(VG_(get_running_tid)(), address)) {
    find_and_end("foreign-memory", code,
                 "a library function is made to write to the emulator's own memory");
  }
}

void see_library_load(Addr address, UWord bytes, Addr code, Addr pointer) {
  (void)pointer;
  see_library(address, bytes, a_load, code);
}

void see_library_store(Addr address, UWord bytes, Addr code, Addr pointer) {
  // The unwinder leaves on the stack where to go on.
  const Stack* stack = current_stack();
  if (stack != NULL && holds(&stack->range, address) && owner_of(code) == of_unwinder) return;
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
    return address >= end_of_own_part(stack) + sizeof(Addr) + bytes_of_arguments ||
           address == end_of_own_part(stack);
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
