/// @file
/// What the emulator has announced and the student's code has not done yet, kept for each stack: a
/// thread of a kernel may be suspended in between.
///
/// Bytes are kept in blocks of 64, a bit each. What was announced and is not done is harmless, and
/// forgotten after some more.

#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"
#include "witness.h"

static ULong bits(UInt first, UInt count) {
  return (count >= 64 ? ~0ULL : (1ULL << count) - 1) << first;
}

static void announce_in_block(Stack* stack, Addr block, ULong bytes, Operation operation) {
  // The pieces of a structure, one after the other, are accessed together.
  Credit* newest = &stack->credits[(stack->next_credit - 1) % most_credits];
  if (operation != an_atomic && stack->next_credit != 0 && newest->block == block &&
      newest->operation == operation && ((newest->left | newest->used) & bytes) == 0) {
    newest->left |= bytes;
    return;
  }
  Credit* credit = &stack->credits[stack->next_credit++ % most_credits];
  credit->block = block;
  credit->left = bytes;
  credit->used = 0;
  credit->operation = operation;
  // One that the processor does not have is a load, and then an exchange; a wide exchange is a load
  // and a store.
  credit->loads = operation == an_atomic ? 3 : 0;
  credit->stores = operation == an_atomic ? 1 : 0;
}

void announce(Stack* stack, Addr address, UWord bytes, Operation operation) {
  // No GPU moves eight bytes at once that are not aligned; the compiler announces none.
  if (bytes >= 8 && address % 8 != 0) return;
  while (bytes > 0) {
    const UInt first = (UInt)(address % 64);
    const UWord count = bytes < 64 - first ? bytes : 64 - first;
    announce_in_block(stack, address / 64, bits(first, (UInt)count), operation);
    address += count;
    bytes -= count;
  }
}

static Bool take_atomic(Credit* credit, ULong wanted, Operation operation) {
  if ((wanted & ~credit->left) != 0) return False;
  UChar* times = operation == a_load ? &credit->loads : &credit->stores;
  if (*times == 0) return False;
  --*times;
  return True;
}

static Bool take_from_block(Stack* stack, Addr block, ULong wanted, Operation operation) {
  ULong missing = wanted;
  const UInt count = stack->next_credit < most_credits ? stack->next_credit : most_credits;
  // Newest first. Two moves that overlap may copy one structure, so each has to take one new byte
  // only.
  for (UInt k = 1; k <= count && missing != 0; ++k) {
    Credit* credit = &stack->credits[(stack->next_credit - k) % most_credits];
    if (credit->block != block) continue;
    if (credit->operation == an_atomic) {
      if (missing == wanted && take_atomic(credit, wanted, operation)) return True;
      continue;
    }
    if (credit->operation != operation || (credit->left & missing) == 0) continue;
    const ULong taken = credit->left & missing;
    missing &= ~(taken | credit->used);
    credit->left &= ~taken;
    credit->used |= taken;
  }
  return missing == 0;
}

Bool was_announced(Stack* stack, Addr address, UWord bytes, Operation operation) {
  Bool all = True;
  while (bytes > 0) {
    const UInt first = (UInt)(address % 64);
    const UWord count = bytes < 64 - first ? bytes : 64 - first;
    if (!take_from_block(stack, address / 64, bits(first, (UInt)count), operation)) all = False;
    address += count;
    bytes -= count;
  }
  return all;
}
