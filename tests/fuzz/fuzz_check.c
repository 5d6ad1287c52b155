/* SPDX-License-Identifier: MIT */
/* A small test, whatever it is, run to its end under two models, with pruning
 * and without: the counts must agree; where orders are partial and threads jump, more
 * may count without (models/README.md), but none where there are none. */
#include <stdlib.h>

#include "checker/exec/enumerate.h"
#include "fuzz.h"

struct models {
  struct arena *arena;
  struct cat_model *at[2];
};

static const struct models *load_models(void) {
  static struct models models;
  if (models.arena) return &models;
  models.arena = arena_new();
  struct diags diags = diags_new(models.arena);
  const char *const folders[] = {"models"};
  struct cat_search search = {.folders = folders, .folder_count = 1};
  models.at[0] = cat_load(models.arena, "opencl-rsp", &search, &diags);
  models.at[1] = cat_load(models.arena, "rc11", &search, &diags);
  if (!models.at[0] || !models.at[1]) abort();
  return &models;
}

static bool go_on(void *context, const struct candidate *candidate) {
  (void)context;
  (void)candidate;
  return true;
}

static bool has_jumps(const struct program *program) {
  for (unsigned t = 0; t < program->thread_count; t++)
    for (unsigned i = 0; i < program->threads[t].instr_count; i++) {
      enum instr_kind kind = program->threads[t].instrs[i].kind;
      if (kind == INSTR_BRANCH || kind == INSTR_JUMP) return true;
    }
  return false;
}

static void compare(const struct litmus_test *test, const struct cat_model *model) {
  struct enumerate_options options = {.unroll = 1, .max_events = 24, .max_memory = 64u << 20, .timeout = 0.2};
  const struct enumerate_sink sink = {.consistent = go_on};
  struct enumerate_stats plain, pruned;
  options.prune = true;
  if (enumerate(test, model, &options, &sink, &pruned) != END_DONE) return;
  options.prune = false;
  if (enumerate(test, model, &options, &sink, &plain) != END_DONE) return;
  bool more = test->program->partial_coherence && has_jumps(test->program);
  if (more ? plain.consistent < pruned.consistent || (plain.consistent && !pruned.consistent)
           : plain.consistent != pruned.consistent)
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > 4096) return 0;
  const struct models *models = load_models();
  struct fuzz_input in = fuzz_text(data, size);
  struct litmus_test *test = litmus_parse(in.arena, in.source, NULL, &in.diags);
  for (int i = 0; test && i < 2; i++) compare(test, models->at[i]);
  return fuzz_done(&in);
}
