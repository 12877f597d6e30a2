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
#include "pub_tool_oset.h"
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

/// What lies in a library has been called from the student's file: that line is of use.
static Addr in_students_file(Addr code) {
  if (code != 0 && owner_of(code) == of_student) return code;
  return 0;
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
  const HChar* folder = "";
  UInt line = 0;
  const Addr shown = in_students_file(code);
  if (shown == 0 ||
      !VG_(get_filename_linenum)(VG_(current_DiEpoch)(), shown, &file, &folder, &line)) {
    file = "";
    line = 0;
  }
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
