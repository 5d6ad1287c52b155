/* SPDX-License-Identifier: MIT */
/* Checks tests against a model with nothing but the C library: what runs of
 * litscope where libxml2, PCRE2 and Graphviz are not.
 *
 *     check MODEL.cat TEST.litmus...
 */
#include <stdio.h>

#include "checker/base/out_of_memory_guard.h"
#include "checker/report/log.h"

struct arguments {
  int count;
  char **at;
  int status;
};

static void check(void *context) {
  struct arguments *arguments = context;
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  struct cat_search search = {0};
  const struct cat_model *model = cat_load(arena, arguments->at[1], &search, &diags);
  struct litmus_options options = {0};
  struct enumerate_options engine = {.unroll = 2, .prune = true, .workers = 2};
  for (int i = 2; model && i < arguments->count; i++) {
    const struct source *source = source_read(arena, arguments->at[i], &diags);
    const struct litmus_test *test = source ? litmus_parse(arena, source, &options, &diags) : NULL;
    if (test) log_write(stdout, verdict_run(arena, test, model, &engine, NULL), false, NULL);
  }
  diags_print(&diags, stderr);
  arguments->status = diags.errors ? 2 : 0;
  arena_free(arena);
}

int main(int argc, char **argv) {
  struct arguments arguments = {argc, argv, 2};
  if (argc < 3 || !guard_run(check, &arguments)) return 2;
  return arguments.status;
}
