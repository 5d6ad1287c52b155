/* SPDX-License-Identifier: MIT */
/* Any bytes as a model, which is printed and run on a small candidate. */
#include "checker/cat/cat.h"
#include "checker/cat/print.h"
#include "fuzz.h"

enum { EVENTS = 5, QUESTIONS = 2000 };

static const word set_value[1] = {0x0d};
static const word relation_value[EVENTS] = {0x1e, 0x08, 0x12, 0x00, 0x09};

static const word *value_of(void *context, const struct cat_node *node) {
  (void)context;
  return cat_bases[node->base].type == CAT_SET ? set_value : relation_value;
}

/* The interpreter asks now and then whether to go on. */
static bool is_enough(void *context) {
  return ++*(unsigned *)context > QUESTIONS;
}

static void interpret(const struct cat_model *model) {
  struct arena *scratch = arena_new();
  struct diags diags = diags_new(scratch);
  unsigned questions = 0;
  const struct cat_env env = {
      .shape = shape_of(EVENTS), .base = value_of, .stop = is_enough, .context = &questions, .diags = &diags};
  const char *failed;
  cat_interpret(model, &env, scratch, NULL, NULL, &failed);
  arena_free(scratch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct fuzz_input in = fuzz_input(data, size);
  const char *const folders[] = {"models"};
  struct cat_search search = {.folders = folders, .folder_count = 1};
  struct cat_model *model = cat_load(in.arena, in.path, &search, &in.diags);
  fuzz_check_read(&in, model);
  if (model) {
    cat_print(&model->ir, fuzz_nowhere());
    interpret(model);
  }
  return fuzz_done(&in);
}
