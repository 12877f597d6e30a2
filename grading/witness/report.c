/// @file
/// The report: lines of words between tabs, each written at once, so that nothing is lost however
/// the program ends.
///
///     witness  1
///     finding  uncounted  residual.cu  12  accesses that nobody counted: 4 bytes of device memory
///     are read call     cudaMemcpy2D  8 end

#include "pub_tool_basics.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_stacktrace.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vki.h"
#include "witness.h"

/// Moves a descriptor to where the program has none. Of Valgrind's core, whose headers are not for
/// tools.
extern Int VG_(safe_fd)(Int descriptor);

enum { most_findings = 50, longest_text = 400 };

static Int report = -1;
static struct {
  const HChar* kind;
  Addr code;
} found[most_findings];
static Int found_count;

static void say(const HChar* line) {
  if (report >= 0) VG_(write)(report, line, (Int)VG_(strlen)(line));
}

void open_report(const HChar* file) {
  // Valgrind keeps what it opens out of the program's reach.
  report = VG_(fd_open)(file, VKI_O_WRONLY | VKI_O_TRUNC, 0);
  if (report < 0) {
    VG_(message)(Vg_UserMsg, "the report cannot be written\n");
    VG_(exit)(2);
  }
  report = VG_(safe_fd)(report);
  say("witness\t1\n");
}

static Bool ends_with(const HChar* text, const HChar* end) {
  const SizeT length = VG_(strlen)(text), wanted = VG_(strlen)(end);
  return length >= wanted && VG_(strcmp)(text + length - wanted, end) == 0;
}

/// The line that the student wrote: of the instruction, or of the call that led there. A header's
/// says little.
static Bool find_line(Addr code, const HChar** file, UInt* line) {
  enum { deepest = 16 };
  Addr calls[deepest];
  calls[0] = code;
  const ThreadId tid = VG_(get_running_tid)();
  const UInt count = tid == VG_INVALID_THREADID
                         ? 1
                         : VG_(get_StackTrace)(tid, calls + 1, deepest - 1, NULL, NULL, 0) + 1;
  for (UInt k = 0; k < count; ++k) {
    const HChar* folder = "";
    // What comes back to the place after a call belongs to the call.
    const Addr place = calls[k] - (k > 1 ? 1 : 0);
    if (place == 0 || owner_of(place) != of_student) continue;
    if (!VG_(get_filename_linenum)(VG_(current_DiEpoch)(), place, file, &folder, line)) continue;
    if (ends_with(*file, ".cu")) return True;
  }
  *file = "";
  *line = 0;
  return False;
}

static void find_with(const HChar* kind, Addr code, const HChar* format, va_list arguments) {
  for (Int k = 0; k < found_count; ++k) {
    if (found[k].code == code && VG_(strcmp)(found[k].kind, kind) == 0) return;
  }
  if (found_count == most_findings) return;
  found[found_count].kind = kind;
  found[found_count++].code = code;
  HChar text[longest_text];
  VG_(vsnprintf)(text, sizeof text, format, arguments);
  const HChar* file = "";
  UInt line = 0;
  find_line(code, &file, &line);
  if (code != 0) {
    VG_(message)
    (Vg_UserMsg, "%s: %s, %s\n", kind, text, VG_(describe_IP)(VG_(current_DiEpoch)(), code, NULL));
  }
  HChar whole[2 * longest_text];
  VG_(snprintf)(whole, sizeof whole, "finding\t%s\t%.200s\t%u\t%s\n", kind, file, line, text);
  say(whole);
}

void find(const HChar* kind, Addr code, const HChar* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  find_with(kind, code, format, arguments);
  va_end(arguments);
}

void find_and_end(const HChar* kind, Addr code, const HChar* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  find_with(kind, code, format, arguments);
  va_end(arguments);
  close_report();
  VG_(exit)(1);
}

void close_report(void) {
  HChar line[longest_text];
  for (const Entry* entry = next_entry(True); entry != NULL; entry = next_entry(False)) {
    if (entry->calls == 0) continue;
    VG_(snprintf)(line, sizeof line, "call\t%.300s\t%lu\n", entry->name, entry->calls);
    say(line);
  }
  say("end\n");
}
