/// @file
/// What the grader's map says: whose the program's code and data are, which functions may be
/// called, and what these do.
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
  entry->written = (UInt)take_number(&rest);
  entry->answered = (UInt)take_number(&rest);
  entry->called = (UInt)take_number(&rest);
  entry->is_for_kernels = take_number(&rest) != 0;
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

const Range* thread_range_of_student(Int number) {
  return number < thread_data.count ? &thread_data.all[number] : NULL;
}

Bool is_builtin_variable(UWord offset) {
  return is_in(&builtins, offset);
}
