/* SPDX-License-Identifier: MIT */
/* What the words of SPIR-V's memory operations mean, however a test spells
 * them: for the VULKAN dialect and for Khronos' own tests.
 */
#ifndef LITSCOPE_LITMUS_VULKAN_H
#define LITSCOPE_LITMUS_VULKAN_H

#include "checker/program/program.h"

/* What an instruction's words say. */
struct vulkan_words {
  enum order order; /* ORDER_NA: neither atomic nor a fence */
  enum scope scope;
  tag_set tags;            /* of all its events */
  tag_set sem;             /* the storage classes of its semantics */
  bool available, visible; /* MakeAvailable, MakeVisible */
};

/* Puts them on a load, a store, a read-modify-write or compare-and-swap (both halves of which are
 * made available or visible at once) or a fence. */
void vulkan_apply(struct instr *instr, const struct vulkan_words *words);

/* Puts them on a fence or control barrier that has an order: what acquires and
 * releases is in the sets of both. */
void vulkan_apply_fence(struct instr *instr, const struct vulkan_words *words);

/* The words of an access, fence, barrier or mark, without its operands: "ld.atom.acq.dv.sc0.semsc0.semvis".  In
 * `arena`; NULL: the notation has none for it. */
const char *vulkan_spell(struct arena *arena, const struct instr *instr);

#endif
