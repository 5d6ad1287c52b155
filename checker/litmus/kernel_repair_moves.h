/* SPDX-License-Identifier: MIT */
/* Moves of a kernel: other orders, scopes and words of its operations, fences and barriers put in or left
 * out (checker/spirv/operation_changes.h), each with what is to be edited in the text. */
#ifndef LITSCOPE_LITMUS_KERNEL_REPAIR_MOVES_H
#define LITSCOPE_LITMUS_KERNEL_REPAIR_MOVES_H

#include "checker/litmus/repair_moves.h"
#include "checker/spirv/operation_changes.h"

/* As moves_find and moves_read, of a kernel. */
struct places kernel_moves_find(struct arena *arena, const struct litmus_test *test,
                                const struct litmus_options *options);
const struct litmus_test *kernel_moves_read(struct arena *arena, const struct litmus_test *test,
                                            const struct places *places, const unsigned *choice,
                                            const struct litmus_options *options);

/* A kernel whose text is edited. */
struct kernel_text {
  struct arena *arena;
  const struct source *source;
  const char *plain; /* of a source: the text with spaces for comments, directives and what strings hold */
  const struct spirv_code *code;
  bool vulkan;
};

/* The text of a source, with spaces in the place of all that is no code. */
const char *kernel_source_plain(struct arena *arena, const char *text);

/* The edits of the text that make a change of an operation, and how the operation is written then.  False: the text
 * cannot say it. */
bool kernel_edit_module(const struct kernel_text *text, const struct spirv_operation *op,
                        const struct spirv_change *change, struct form *form);

/* Likewise in OpenCL C and in GLSL. */
bool kernel_edit_source(const struct kernel_text *text, const struct spirv_operation *op,
                        const struct spirv_change *change, struct form *form);

/* How the operation is written in the source; NULL: a call that is not understood. */
const char *kernel_source_words(const struct kernel_text *text, const struct spirv_operation *op);

/* How a statement is taken out: with its line, where nothing else stands there. */
struct edit edit_removal(const char *text, struct span statement);

#endif
