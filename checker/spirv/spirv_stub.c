/* SPDX-License-Identifier: MIT */
/* In place of all other files of this folder where litscope is built without SPIRV-Tools. */

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/spirv/operation_changes.h"

bool spirv_is_kernel(const struct source *source) {
  static const char *const endings[] = {".spvasm", ".spv", ".cl", ".comp"};
  bool is = false;
  for (size_t i = 0; i < ARRAY_COUNT(endings); i++) is |= text_ends_in(source->name, endings[i]);
  return is;
}

struct spirv_code *spirv_open(struct arena *arena, const struct source *source, const struct spirv_options *options,
                              struct diags *diags) {
  (void)arena, (void)options;
  diag_error(diags, source, (struct span){0}, "litscope was built without SPIRV-Tools, so that it reads no kernels");
  return NULL;
}

bool spirv_read(struct arena *arena, const struct source *source, const struct spirv_options *options,
                struct spirv_test *test, struct diags *diags) {
  (void)test;
  return spirv_open(arena, source, options, diags) != NULL;
}

/* ---- what is asked of kernels that have been read: there are none ---- */

bool spirv_make(struct arena *arena, const struct spirv_code *code, struct spirv_changes changes,
                struct spirv_test *test, struct diags *diags) {
  (void)arena, (void)code, (void)changes, (void)test, (void)diags;
  return false;
}

const struct spirv_operation *spirv_operations(struct arena *arena, const struct spirv_code *code, unsigned *count,
                                               unsigned *memory) {
  (void)arena, (void)code;
  *count = *memory = 0;
  return NULL;
}

unsigned spirv_semantics(const struct spirv_words *words, enum order order) {
  (void)words, (void)order;
  return 0;
}

unsigned spirv_scope(enum scope scope) {
  return (unsigned)scope;
}

const struct source *spirv_text(struct arena *arena, const struct source *source, struct diags *diags) {
  (void)arena, (void)diags;
  return source;
}

const char *spirv_constant(const struct spirv_code *code, unsigned value, const char **type, uint32_t *line) {
  (void)code, (void)value, (void)line;
  *type = NULL;
  return NULL;
}

bool spirv_is_source(const struct source *source, bool *glsl) {
  (void)source;
  *glsl = false;
  return false;
}

bool spirv_has_name(const struct spirv_code *code, const char *name) {
  (void)code, (void)name;
  return false;
}

bool spirv_is_glsl450(const struct spirv_code *code) {
  (void)code;
  return false;
}
