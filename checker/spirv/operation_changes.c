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

unsigned spirv_scope(enum scope scope) {
  static const unsigned numbers[] = {
      [SCOPE_WI] = 4, [SCOPE_SG] = 3, [SCOPE_WG] = 2, [SCOPE_QF] = 5, [SCOPE_DEV] = 1, [SCOPE_SYS] = 0};
  return numbers[scope];
}
