/* SPDX-License-Identifier: MIT */
/* Changes of operations, and the numbers of SPIR-V for their words; see operation_changes.h. */
#include "checker/spirv/operation_changes.h"

#include <spirv/unified1/spirv.h>

#include "checker/spirv/kernel_internal.h"

static bool is_before(const struct spirv_change *change) {
  return change->kind == CHANGE_FENCE || change->kind == CHANGE_BARRIER;
}

const struct spirv_change *change_at(const struct kernel_code *k, unsigned inst, bool before) {
  for (unsigned i = 0; i < k->changes.count; i++)
    if (k->changes.at[i].inst == inst && is_before(&k->changes.at[i]) == before) return &k->changes.at[i];
  return NULL;
}

/* ---- words and numbers ---- */

static unsigned order_bits(enum order order) {
  switch (order) {
    case ORDER_NA:
    case ORDER_RLX:
      return 0;
    case ORDER_CON:
    case ORDER_ACQ:
      return SpvMemorySemanticsAcquireMask;
    case ORDER_REL:
      return SpvMemorySemanticsReleaseMask;
    case ORDER_ACQ_REL:
      return SpvMemorySemanticsAcquireReleaseMask;
    case ORDER_SC:
      return SpvMemorySemanticsSequentiallyConsistentMask;
  }
  return 0;
}

unsigned spirv_semantics(const struct spirv_words *words, enum order order) {
  unsigned bits = order_bits(order);
  if (!bits) return 0;
  bits |= words->memory;
  if (words->available && order != ORDER_ACQ) bits |= SpvMemorySemanticsMakeAvailableMask;
  if (words->visible && order != ORDER_REL) bits |= SpvMemorySemanticsMakeVisibleMask;
  return bits;
}

enum order semantics_order(uint64_t bits) {
  if (bits & SpvMemorySemanticsSequentiallyConsistentMask) return ORDER_SC;
  if (bits & SpvMemorySemanticsAcquireReleaseMask) return ORDER_ACQ_REL;
  bool acquires = bits & SpvMemorySemanticsAcquireMask, releases = bits & SpvMemorySemanticsReleaseMask;
  if (acquires) return releases ? ORDER_ACQ_REL : ORDER_ACQ;
  return releases ? ORDER_REL : ORDER_RLX;
}

static const enum scope scopes[SCOPE_NUMBERS] = {SCOPE_SYS, SCOPE_DEV, SCOPE_WG, SCOPE_SG, SCOPE_WI, SCOPE_QF};

enum scope number_scope(uint64_t number) {
  return number < SCOPE_NUMBERS ? scopes[number] : SCOPE_SYS;
}

unsigned spirv_scope(enum scope scope) {
  unsigned number = SCOPE_NUMBERS;
  while (number-- > 1)
    if (scopes[number] == scope) return number;
  return 0;
}
