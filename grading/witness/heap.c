/// @file
/// malloc(), new and the like, each block with its owner: the student's code may write to its own
/// blocks, and to what it was lent.

#include "pub_tool_basics.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_oset.h"
#include "pub_tool_replacemalloc.h"
#include "pub_tool_tooliface.h"
#include "witness.h"

typedef struct {
  Range range;
  Bool is_student;
} Block;

static OSet* blocks;
enum { most_lent = 64 };
static Range lent[most_lent];
static UInt lent_count;

static Word compare(const void* key, const void* element) {
  const Addr address = *(const Addr*)key;
  const Block* block = element;
  if (address < block->range.begin) return -1;
  return address >= block->range.end ? 1 : 0;
}

static Block* block_at(Addr address) {
  return blocks == NULL ? NULL : VG_(OSetGen_Lookup)(blocks, &address);
}

/// Which blocks there are, and where the next one will be, is something that a kernel could tell
/// the host.
static void refuse_in_kernel(void) {
  const Stack* stack = current_stack();
  if (mode == for_runtime || stack == NULL || !stack->is_fiber) return;
  find_and_end("foreign-memory", 0, "a kernel takes or frees memory of the host's");
}

static void* new_block(SizeT size, SizeT alignment) {
  refuse_in_kernel();
  if (blocks == NULL)
    blocks = VG_(OSetGen_Create)(0, compare, VG_(malloc), "witness.blocks", VG_(free));
  if ((SSizeT)size < 0) return NULL;
  void* memory =
      VG_(cli_malloc)(alignment < VG_(clo_alignment) ? VG_(clo_alignment) : alignment, size);
  if (memory == NULL) return NULL;
  Block* block = VG_(OSetGen_AllocNode)(blocks, sizeof *block);
  block->range.begin = (Addr)memory;
  block->range.end = (Addr)memory + (size == 0 ? 1 : size);
  block->is_student = mode != for_runtime;
  VG_(OSetGen_Insert)(blocks, block);
  return memory;
}

static void end_block(void* memory) {
  refuse_in_kernel();
  Block* block = block_at((Addr)memory);
  if (block == NULL || block->range.begin != (Addr)memory) return;
  if (mode != for_runtime && !block->is_student) {
    find_and_end("foreign-memory", 0, "memory of the emulator's is freed");
  }
  const Addr key = (Addr)memory;
  VG_(OSetGen_FreeNode)(blocks, VG_(OSetGen_Remove)(blocks, &key));
  VG_(cli_free)(memory);
}

static void* take(ThreadId tid, SizeT size) {
  (void)tid;
  return new_block(size, 1);
}
static void* take_aligned(ThreadId tid, SizeT size, SizeT alignment) {
  (void)tid;
  return new_block(size, alignment);
}
// Newer versions of Valgrind tell what the program has asked for besides.
#ifdef MEMALIGN_TELLS_WHAT_WAS_ASKED
static void* take_at_multiple(ThreadId tid, SizeT alignment, SizeT asked, SizeT size) {
  (void)tid, (void)asked;
#else
static void* take_at_multiple(ThreadId tid, SizeT alignment, SizeT size) {
  (void)tid;
#endif
  return new_block(size, alignment);
}
static void* take_zeros(ThreadId tid, SizeT count, SizeT size) {
  (void)tid;
  if (size != 0 && count > (SizeT)-1 / size) return NULL;
  void* memory = new_block(count * size, 1);
  if (memory != NULL) VG_(memset)(memory, 0, count * size);
  return memory;
}
static void give(ThreadId tid, void* memory) {
  (void)tid;
  end_block(memory);
}
static void give_aligned(ThreadId tid, void* memory, SizeT alignment) {
  (void)tid, (void)alignment;
  end_block(memory);
}
static void* resize(ThreadId tid, void* memory, SizeT size) {
  if (memory == NULL) return take(tid, size);
  const Block* block = block_at((Addr)memory);
  if (block == NULL || block->range.begin != (Addr)memory) return NULL;
  const SizeT old = block->range.end - block->range.begin;
  void* other = new_block(size, 1);
  if (other == NULL) return NULL;
  VG_(memcpy)(other, memory, old < size ? old : size);
  end_block(memory);
  return other;
}
static SizeT usable(ThreadId tid, void* memory) {
  (void)tid;
  const Block* block = block_at((Addr)memory);
  return block == NULL ? 0 : block->range.end - block->range.begin;
}

Bool find_block(Addr address, Bool* is_student, Bool* is_begin) {
  const Block* block = block_at(address);
  if (block != NULL) {
    *is_student = block->is_student;
    *is_begin = block->range.begin == address;
    return True;
  }
  for (UInt k = 0; k < lent_count && k < most_lent; ++k) {
    if (!holds(&lent[k], address)) continue;
    *is_student = True;
    *is_begin = lent[k].begin == address;
    return True;
  }
  return False;
}

void lend(Addr begin, Addr end) {
  const Range range = {begin, end};
  lent[lent_count++ % most_lent] = range;
}

Bool is_lent(Addr address) {
  for (UInt k = 0; k < most_lent; ++k) {
    if (holds(&lent[k], address)) return True;
  }
  return False;
}

void end_loan(Addr begin) {
  for (UInt k = 0; k < most_lent; ++k) {
    if (lent[k].begin == begin) lent[k].end = begin;
  }
}

void replace_malloc(void) {
  // What newer versions hand over besides is of no interest.
  VG_(needs_malloc_replacement)
  (take, take, (void*)take_aligned, take, (void*)take_aligned, (void*)take_at_multiple, take_zeros,
   give, give, give_aligned, give, give_aligned, resize, usable, 16);
}
