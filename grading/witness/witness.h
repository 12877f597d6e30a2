/// @file
/// The witness: a tool on Valgrind that watches the program of a submission.
///
/// It asks three things of each machine instruction that the student's file became, whatever the
/// source calls itself: does it touch device memory, and was just that access announced by the
/// emulator, which has counted and checked it; does it write only what is its own; does it leave
/// its own code only by a call of a function that its object file names. What is not the student's
/// is trusted, and runs almost as fast as under Valgrind's empty tool.
///
/// In C, as Valgrind's interface is, and without a C library, as all of Valgrind. README.md says
/// how it works.
#ifndef COURSE_WITNESS_H
#define COURSE_WITNESS_H

#include "pub_tool_basics.h"

/// Whose code is at an address.
typedef enum {
  of_runtime,  ///< the emulator's and the grader's part of the program
  of_student,
  of_library,   ///< the C library's, say
  of_unwinder,  ///< libgcc_s's, which carries exceptions up the stack
  of_linkage,   ///< the program's stubs through which libraries are called
  of_nobody     ///< made while the program runs
} Owner;

/// On whose behalf a thread runs. A library called by the emulator runs on the emulator's.
typedef enum { for_runtime, for_student, for_library_of_student } Mode;

/// What an instruction does to memory, as the emulator announces it as well.
typedef enum { a_load, a_store, an_atomic } Operation;

/// A range of addresses, up to `end`.
typedef struct {
  Addr begin;
  Addr end;
} Range;

static inline Bool holds(const Range* range, Addr address) {
  return address - range->begin < range->end - range->begin;
}

/// The emulator's device memory: see arena_base and arena_size in
/// emulator/runtime/base/host_state.hpp.
static const Range arena = {0x200000000000UL, 0x210000000000UL};

// map.c: what the grader's map says of the program ------------------------------------------------

typedef enum { no_range, student_data, open_data, other_data, constants } DataOwner;

/// Reads the file. Ends the program if it is not as it should be.
void read_map(const HChar* file);
/// Looks where the program was loaded, once that is known.
/// @return whether it is
Bool locate_program(void);
Owner owner_of(Addr code);
/// Whose is what is at the address in the program's writable data; no_range if it is not there.
DataOwner owner_of_data(Addr address);

/// A function that the student's code may call, or the place where the dynamic linker leaves the
/// address of one.
typedef struct {
  Addr address;
  const HChar* name;
  Bool is_slot;
  UInt written;         ///< a bit for each of its arguments behind which it writes
  UInt answered;        ///< the same, but only to frames of the caller's own
  UInt called;          ///< the same for those that it calls, or has called later
  Bool is_for_kernels;  ///< device code may call it
  UWord calls;
} Entry;

/// The function that begins there; null if the student's code may not call it.
Entry* entry_at(Addr code);
/// One after the other; null past the last.
const Entry* next_entry(Bool from_start);
/// Where the emulator announces something: see emulator/runtime/events/witnessed.cpp.
Addr telling_function(void);
/// The running thread's copy of the program's thread-local storage.
Range thread_storage(ThreadId tid);
/// What the running thread's instructions take for the address of its own data.
Addr thread_pointer(ThreadId tid);
/// Whether the byte at this offset there is a variable of the student's.
Bool is_thread_variable_of_student(UWord offset);
/// Where such variables are, as offsets: one range after the other, null past the last.
const Range* thread_range_of_student(Int number);
/// Whether it is threadIdx or its like, which no announcement is made of.
Bool is_builtin_variable(UWord offset);

// stacks.c: the stacks that code runs on
// -------------------------------------------------------------

enum { most_calls = 24, most_credits = 64 };

enum { kept_registers = 6 };

/// A call from one side to the other that has not returned.
typedef struct {
  Addr stack;      ///< the stack pointer when it began
  Addr return_to;  ///< found there
  Mode caller;
  UWord kept[kept_registers];  ///< what the caller will find in its registers again
} Crossing;

/// Bytes of 64 that have been announced.
typedef struct {
  Addr block;  ///< their address / 64
  ULong left;  ///< one bit per byte: not yet accessed
  ULong used;
  Operation operation;
  UChar loads;  ///< of an atomic operation: how many loads and exchanges it may be made of
  UChar stores;
} Credit;

typedef struct {
  Range range;
  Bool is_fiber;      ///< of a kernel's thread
  Bool is_in_signal;  ///< a signal's handler is on it
  Mode before_signal;
  Crossing in[most_calls];  ///< into the student's code
  Int count_in;
  Crossing out[most_calls];  ///< out of it, into the emulator's
  Int count_out;
  Credit credits[most_credits];  ///< a ring
  UInt next_credit;
  Addr lowest;  ///< that the student's code has written to; 0 if none
} Stack;

void add_fiber(Addr begin, Addr end);
/// Another thread may get its number, and has another stack.
void forget_thread(ThreadId tid);
/// The stack that an address is in; null if in none.
Stack* stack_at(ThreadId tid, Addr address);
/// Where the student's part of the stack ends: above are frames of others.
Addr end_of_own_part(const Stack* stack);
/// Whether the student's code may write there: to frames of its own, and to arguments that it got
/// on the stack.
Bool is_own_frame(const Stack* stack, Addr address, UWord bytes);
/// Something was written there that the next thread on this stack must not find.
void note_depth(Stack* stack, Addr address);

// thread_variables.c: the host's thread_local variables ------------------------------------------

/// A kernel's code is about to run on the thread: what is in its variables is the host's. Nothing
/// if that was kept already.
void keep_host_variables(ThreadId tid);
/// Code of the host's is about to run.
void restore_host_variables(ThreadId tid);
/// The thread has ended.
void forget_host_variables(ThreadId tid);

// ledger.c: announced and done --------------------------------------------------------------------

void announce(Stack* stack, Addr address, UWord bytes, Operation operation);
/// Takes what was announced.
/// @return whether it was
Bool was_announced(Stack* stack, Addr address, UWord bytes, Operation operation);

// heap.c: memory of malloc() and new, each block with its owner ----------------------------------

void replace_malloc(void);
/// Whether the byte is in a block.
/// @param is_student whether it is the student's
/// @param is_begin whether it is its first
Bool find_block(Addr address, Bool* is_student, Bool* is_begin);
/// Memory that the student's code may write though it did not ask for it; until it ends.
void lend(Addr begin, Addr end);
void end_loan(Addr begin);
Bool is_lent(Addr address);

// crossings.c: from one side to the other ---------------------------------------------------------

extern Mode mode;  ///< of the running thread

void enter_runtime(Addr code, Addr stack);
void enter_student(Addr code, Addr stack);
void enter_library(Addr code, Addr stack);
void run_unknown_code(Addr code);
void tell(UWord what, UWord first, UWord second, UWord third, Addr stack);
void watch_threads_and_signals(void);
Stack* current_stack(void);

// accesses.c: what the student's instructions do --------------------------------------------------

/// The emulator has announced that a kernel stores there: what it does itself is not seen.
void see_announced_store(Addr address, UWord bytes, Addr code);
void see_load(Addr address, UWord bytes, Addr code, Addr stack);
void see_store(Addr address, UWord bytes, Addr code, Addr stack);
void see_exchange(Addr address, UWord bytes, Addr code, Addr stack);
void see_library_load(Addr address, UWord bytes, Addr code, Addr stack);
void see_library_store(Addr address, UWord bytes, Addr code, Addr stack);
void see_special(Addr code);
/// Whether the byte at the address is the emulator's own, which others must leave alone.
Bool is_of_runtime(ThreadId tid, Addr address);
/// A kernel begins, with that many bytes of arguments.
void begin_launch(UWord parameter_bytes);
void watch_system_calls(void);

// report.c: what goes to the grader ---------------------------------------------------------------

void open_report(const HChar* file);
/// Notes what was found, with the line of the student's file at or below `code`, if there is one.
/// The same twice is noted once.
void find(const HChar* kind, Addr code, const HChar* format, ...) PRINTF_CHECK(3, 4);
/// The same, and the program ends.
__attribute__((noreturn)) void find_and_end(const HChar* kind, Addr code, const HChar* format, ...)
    PRINTF_CHECK(3, 4);
void close_report(void);

#endif
