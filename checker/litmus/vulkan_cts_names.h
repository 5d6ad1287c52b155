/* SPDX-License-Identifier: MIT */
/* Names of the Vulkan CTS's tests of the memory model, as tests.
 *
 *   name   = "dEQP-VK.memory_model." ( direct | chain )
 *   direct = ("message_passing" | "write_after_read") . ("ext" | "core11") . type . coherence . sync . write
 *            . scope . payload's memory . payload . guard's memory . guard . stage
 *   chain  = "transitive" . coherence . sync . payload's memory . payload . guard's memory . guard . visibility
 *
 * vktMemoryModelMessagePassing.cpp of KhronosGroup/VK-GL-CTS writes a shader for each
 * name; here each is the litmus test of one pair of its invocations (in chains, of three
 * or four).  The type of the values, the kind of memory and the stage make no difference
 * to a model, so that many names have one program.
 */
#ifndef LITSCOPE_LITMUS_VULKAN_CTS_NAMES_H
#define LITSCOPE_LITMUS_VULKAN_CTS_NAMES_H

#include "checker/base/arena.h"
#include "checker/base/diag.h"

/* Is it such a name, or a pattern of such names? */
bool cts_is_name(const char *word);

/* The test of a name, in `arena`; NULL, with an error at the word that is wrong: the CTS
 * has no such test, or none of the memory model. */
const struct source *cts_source(struct arena *arena, const char *name, struct diags *diags);

/* Gives the names that a pattern matches, in which `*` stands for anything: of those with
 * one program, the first.  Names live in `arena`.  False: none matches. */
bool cts_each(struct arena *arena, const char *pattern, void (*take)(void *context, const char *name), void *context);

#endif
