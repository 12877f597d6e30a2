/// @file
/// The tool as Valgrind sees it, and what it puts into the code that it translates.

#include "libvex_guest_offsets.h"
#include "pub_tool_basics.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_options.h"
#include "pub_tool_tooliface.h"
#include "witness.h"

static const HChar* map_file = NULL;
static const HChar* report_file = NULL;

static Bool take_option(const HChar* word) {
  if (VG_STR_CLO(word, "--map", map_file)) return True;
  if (VG_STR_CLO(word, "--report", report_file)) return True;
  return False;
}

static void print_usage(void) {
  VG_(printf)
  ("    --map=<file>      whose the program's code and data are, from the grader\n"
   "    --report=<file>   where findings go\n");
}

static void print_nothing(void) {}

static void begin(void) {
  if (map_file == NULL || report_file == NULL) {
    VG_(message)(Vg_UserMsg, "the grader starts this tool: --map and --report are needed\n");
    VG_(exit)(2);
  }
  open_report(report_file);
  read_map(map_file);
}

static void end(Int status) {
  (void)status;
  close_report();
}

// What is put into the code
// ------------------------------------------------------------------------

static IRExpr* word(UWord value) {
  return mkIRExpr_HWord(value);
}

static IRExpr* in_new_variable(IRSB* block, IRType type, IRExpr* value) {
  const IRTemp variable = newIRTemp(block->tyenv, type);
  addStmtToIRSB(block, IRStmt_WrTmp(variable, value));
  return IRExpr_RdTmp(variable);
}

static IRExpr* guest_register(IRSB* block, Int offset) {
  return in_new_variable(block, Ity_I64, IRExpr_Get(offset, Ity_I64));
}

static IRExpr* stack_pointer(IRSB* block) {
  return guest_register(block, OFFSET_amd64_RSP);
}

static void add_call(IRSB* block, const HChar* name, void* function, IRExpr** arguments,
                     IRExpr* guard) {
  IRDirty* call = unsafeIRDirty_0_N(0, name, VG_(fnptr_to_fnentry)(function), arguments);
  if (guard != NULL) call->guard = guard;
  // For stack traces: these registers have to be as the program left them.
  static const Int offsets[] = {OFFSET_amd64_RSP, OFFSET_amd64_RBP, OFFSET_amd64_RIP};
  call->nFxState = sizeof offsets / sizeof *offsets;
  VG_(memset)(&call->fxState, 0, sizeof call->fxState);
  for (Int k = 0; k < call->nFxState; ++k) {
    call->fxState[k].fx = Ifx_Read;
    call->fxState[k].offset = (UShort)offsets[k];
    call->fxState[k].size = sizeof(UWord);
  }
  addStmtToIRSB(block, IRStmt_Dirty(call));
}

/// Whether the running thread's mode is, or is not, that one.
static IRExpr* mode_is(IRSB* block, IROp comparison, Mode wanted) {
  IRExpr* now = in_new_variable(block, Ity_I32, IRExpr_Load(Iend_LE, Ity_I32, word((UWord)&mode)));
  return in_new_variable(block, Ity_I1,
                         IRExpr_Binop(comparison, now, IRExpr_Const(IRConst_U32(wanted))));
}

static IRExpr* both(IRSB* block, IRExpr* a, IRExpr* b) {
  if (a == NULL) return b;
  if (b == NULL) return a;
  IRExpr* wide_a = in_new_variable(block, Ity_I32, IRExpr_Unop(Iop_1Uto32, a));
  IRExpr* wide_b = in_new_variable(block, Ity_I32, IRExpr_Unop(Iop_1Uto32, b));
  IRExpr* all = in_new_variable(block, Ity_I32, IRExpr_Binop(Iop_And32, wide_a, wide_b));
  return in_new_variable(block, Ity_I1,
                         IRExpr_Binop(Iop_CmpNE32, all, IRExpr_Const(IRConst_U32(0))));
}

typedef struct {
  IRSB* block;
  Addr code;  ///< the instruction that is looked at
  Bool is_student;
} Place;

typedef enum { load, store, exchange } Access;

static void add_access(const Place* place, Access access, IRExpr* address, UWord bytes,
                       IRExpr* guard) {
  static const struct {
    const HChar* name;
    void* function;
  } students[] = {{"see_load", see_load}, {"see_store", see_store}, {"see_exchange", see_exchange}},
    librarys[] = {{"see_library_load", see_library_load},
                  {"see_library_store", see_library_store},
                  {"see_library_store", see_library_store}};
  IRSB* block = place->block;
  if (!place->is_student)
    guard = both(block, guard, mode_is(block, Iop_CmpEQ32, for_library_of_student));
  add_call(block, place->is_student ? students[access].name : librarys[access].name,
           place->is_student ? students[access].function : librarys[access].function,
           mkIRExprVec_4(address, word(bytes), word(place->code), stack_pointer(block)), guard);
}

/// Accesses of a statement, before it is done.
static void look_at(const Place* place, IRStmt* statement) {
  IRTypeEnv* types = place->block->tyenv;
  switch (statement->tag) {
    case Ist_WrTmp: {
      const IRExpr* value = statement->Ist.WrTmp.data;
      if (value->tag == Iex_Load) {
        add_access(place, load, value->Iex.Load.addr, sizeofIRType(value->Iex.Load.ty), NULL);
      }
      break;
    }
    case Ist_Store:
      add_access(place, store, statement->Ist.Store.addr,
                 sizeofIRType(typeOfIRExpr(types, statement->Ist.Store.data)), NULL);
      break;
    case Ist_StoreG: {
      const IRStoreG* details = statement->Ist.StoreG.details;
      add_access(place, store, details->addr, sizeofIRType(typeOfIRExpr(types, details->data)),
                 details->guard);
      break;
    }
    case Ist_LoadG: {
      const IRLoadG* details = statement->Ist.LoadG.details;
      IRType result, loaded;
      typeOfIRLoadGOp(details->cvt, &result, &loaded);
      add_access(place, load, details->addr, sizeofIRType(loaded), details->guard);
      break;
    }
    case Ist_CAS: {
      const IRCAS* details = statement->Ist.CAS.details;
      UWord bytes = sizeofIRType(typeOfIRExpr(types, details->dataLo));
      if (details->dataHi != NULL) bytes *= 2;
      add_access(place, exchange, details->addr, bytes, NULL);
      break;
    }
    case Ist_LLSC: {
      const Bool is_load = statement->Ist.LLSC.storedata == NULL;
      const IRType type = is_load ? typeOfIRTemp(types, statement->Ist.LLSC.result)
                                  : typeOfIRExpr(types, statement->Ist.LLSC.storedata);
      add_access(place, is_load ? load : store, statement->Ist.LLSC.addr, sizeofIRType(type), NULL);
      break;
    }
    case Ist_Dirty: {
      const IRDirty* details = statement->Ist.Dirty.details;
      if (details->mFx == Ifx_Read || details->mFx == Ifx_Modify) {
        add_access(place, load, details->mAddr, details->mSize, details->guard);
      }
      if (details->mFx == Ifx_Write || details->mFx == Ifx_Modify) {
        add_access(place, store, details->mAddr, details->mSize, details->guard);
      }
      break;
    }
    default:
      break;
  }
}

/// Whether a jump of that kind asks the operating system, or Valgrind, for something.
static Bool is_special(IRJumpKind kind) {
  switch (kind) {
    case Ijk_Boring:
    case Ijk_Call:
    case Ijk_Ret:
    case Ijk_Yield:
    case Ijk_EmWarn:
    case Ijk_NoDecode:
    case Ijk_SigILL:
    case Ijk_SigTRAP:
    case Ijk_SigSEGV:
    case Ijk_SigBUS:
    case Ijk_SigFPE:
    case Ijk_SigFPE_IntDiv:
    case Ijk_SigFPE_IntOvf:
      return False;
    default:
      return True;
  }
}

static void add_crossing(IRSB* block, Owner owner, Addr code) {
  switch (owner) {
    case of_student:
      add_call(block, "enter_student", enter_student,
               mkIRExprVec_2(word(code), stack_pointer(block)),
               mode_is(block, Iop_CmpNE32, for_student));
      break;
    case of_runtime:
      add_call(block, "enter_runtime", enter_runtime,
               mkIRExprVec_2(word(code), stack_pointer(block)),
               mode_is(block, Iop_CmpNE32, for_runtime));
      break;
    case of_library:
    case of_unwinder:
      add_call(block, "enter_library", enter_library,
               mkIRExprVec_2(word(code), stack_pointer(block)),
               mode_is(block, Iop_CmpNE32, for_runtime));
      break;
    case of_linkage:
      break;
    case of_nobody:
      add_call(block, "run_unknown_code", run_unknown_code, mkIRExprVec_1(word(code)), NULL);
      break;
  }
}

static IRSB* instrument(VgCallbackClosure* closure, IRSB* in, const VexGuestLayout* layout,
                        const VexGuestExtents* extents, const VexArchInfo* host, IRType guest_word,
                        IRType host_word) {
  (void)closure, (void)layout, (void)host, (void)guest_word, (void)host_word;
  const Addr code = extents->base[0];
  const Owner owner = owner_of(code);
  IRSB* block = deepCopyIRSBExceptStmts(in);
  add_crossing(block, owner, code);
  if (code == telling_function()) {
    IRExpr* what = guest_register(block, OFFSET_amd64_RDI);
    IRExpr* first = guest_register(block, OFFSET_amd64_RSI);
    IRExpr* second = guest_register(block, OFFSET_amd64_RDX);
    IRExpr* third = guest_register(block, OFFSET_amd64_RCX);
    add_call(block, "tell", tell, mkIRExprVec_5(what, first, second, third, stack_pointer(block)),
             NULL);
  }
  const Bool is_library = owner == of_library || owner == of_unwinder;
  Place place = {block, code, owner == of_student};
  for (Int k = 0; k < in->stmts_used; ++k) {
    IRStmt* statement = in->stmts[k];
    if (statement->tag == Ist_IMark) place.code = statement->Ist.IMark.addr;
    if (place.is_student || is_library) look_at(&place, statement);
    if (place.is_student && statement->tag == Ist_Exit && is_special(statement->Ist.Exit.jk)) {
      add_call(block, "see_special", see_special, mkIRExprVec_1(word(place.code)),
               statement->Ist.Exit.guard);
    }
    addStmtToIRSB(block, statement);
  }
  if (place.is_student && is_special(in->jumpkind)) {
    add_call(block, "see_special", see_special, mkIRExprVec_1(word(place.code)), NULL);
  }
  return block;
}

static void introduce(void) {
  VG_(details_name)("witness");
  VG_(details_version)("1");
  VG_(details_description)("watches the program of a submission");
  VG_(details_copyright_author)("part of the course, under its licence");
  VG_(details_bug_reports_to)("the course");
  VG_(basic_tool_funcs)(begin, instrument, end);
  VG_(needs_command_line_options)(take_option, print_usage, print_nothing);
  replace_malloc();
  watch_system_calls();
  watch_threads_and_signals();
}

VG_DETERMINE_INTERFACE_VERSION(introduce)
