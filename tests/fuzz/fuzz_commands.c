/* SPDX-License-Identifier: MIT */
/* A whole command on several files: the last byte chooses which, a letter for each (of
 * tests, which end in a newline, their size does, so that seeds need no change); lines of `---` part the rest
 * into files, tests mostly.  It ends, within its limits or soon after. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checker/base/array.h"
#include "checker/base/out_of_memory_guard.h"
#include "checker/cmd/command.h"
#include "fuzz.h"

enum { FILES = 4 };
#define FOLDERS " -I models -I mappings"
#define LIMITS " -j 1 -q -timeout 0.3 -max-memory 100" FOLDERS
#define STATES LIMITS " -max-states 20000"
#define TEST " litmus/rsp/RSP_Test2.litmus"
#define CODE " tests/compilers/MP_dev.litmus"

struct choice {
  int (*command)(struct invocation *call);
  const char *words; /* separated by blanks; `@`: the first file, by another name where an ending follows, and as an
                      * index where it is there twice; else all come last */
};

static const struct choice CHOICES[] = {
    {command_check, "check" LIMITS},
    {command_check, "check -why -model sc,opencl" LIMITS},
    {command_check, "check -certify /dev/null" LIMITS},
    {command_explore, "explore -mapping rsp-original -outcome true" STATES},
    {command_explore, "explore -machine sc" STATES},
    {command_verify, "verify -mapping rsp-original,rsp-corrected" STATES},
    {command_verify, "verify -strict -mapping rsp-corrected" STATES},
    {command_verify, "verify -mapping opencl-ptx" LIMITS},
    {command_verify, "verify -certify /dev/null -mapping rsp-original" STATES},
    {command_progress, "progress" STATES},
    {command_compile, "compile -q -mapping rsp-original" FOLDERS},
    {command_compile, "compile -q -mapping opencl-ptx" FOLDERS},
    {command_cost, "cost mapping -mapping rsp-original,rsp-corrected" STATES},
    {command_merge, "merge"},
    {command_compare, "compare"},
    {command_check, "check -journal @" LIMITS TEST},
    {command_verify, "verify -family 2x1 -mapping rsp-original -journal @" LIMITS},
    {command_check, "check -expect @" LIMITS TEST},
    {command_synth, "synth -check @" LIMITS},
    {command_cost, "cost gpu-steal -params file=@,program=sssp" LIMITS},
    {command_cost, "cost replay -trace @" LIMITS},
    {command_cost, "cost replay -machine timing-amo-run -trace @" LIMITS},
    {command_cost, "cost rsp-ops -machine @" LIMITS},
    {command_check, "check -bell @" LIMITS TEST},
    {command_check, "check -macros @" LIMITS TEST},
    {command_verify, "verify -target sm_70 -compiler @.ptx" STATES CODE},
    {command_verify, "verify -target gfx942 -compiler @.s" STATES CODE},
    {command_check, "check" LIMITS " @@"},
    {command_verify, "verify -mapping rsp-original -family @" STATES},
    {command_explore, "explore -mapping rsp-corrected -emit promela" STATES},
    {command_explore, "explore -mapping rsp-corrected -emit murphi" STATES},
    {command_cost, "cost adsm -mapping batch,lazy" STATES},
    {command_check, "check -model @.cat -certify /dev/null" LIMITS TEST},
    {command_progress, "progress -certify /dev/null" STATES},
    {command_check, "check -model @.cat" LIMITS TEST},
    {command_check, "check @.spvasm" LIMITS},
    {command_repair, "repair @.spvasm" LIMITS},
    {command_repair, "repair" LIMITS},
};

struct call {
  const struct choice *choice;
  char paths[FILES][64];
  int files[FILES], file_count;
};

/* What `merge` runs again: of a file's command, what the file may ask for. */
static int run_again(struct invocation *call) {
  static int (*const commands[COMMAND_COUNT])(struct invocation * call) = {
#define COMMAND_FUNCTION(id, name, operands, summary) [COMMAND_##id] = command_##name,
      COMMAND_LIST(COMMAND_FUNCTION)
#undef COMMAND_FUNCTION
  };
  return commands[call->command](call);
}

/* The first file by a name with the ending that follows `@`. */
static void name_file(struct call *c) {
  const char *at = strstr(c->choice->words, "@.");
  if (!at) return;
  char name[sizeof c->paths[0]];
  int length = (int)strcspn(at + 1, " ");
  snprintf(name, sizeof name, "/tmp/litscope-fuzz-%ld%.*s", (long)getpid(), length, at + 1);
  unlink(name);
  if (symlink(c->paths[0], name)) abort();
  strcpy(c->paths[0], name);
}

static void run(void *context) {
  struct call *c = context;
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  struct invocation *call = ARENA_NEW(arena, struct invocation);
  const char *at = strchr(c->choice->words, '@');
  if (at && at[1] == '@') at++;
  int before = at ? (int)(at - c->choice->words) : (int)strlen(c->choice->words);
  char *words[40], *text = arena_printf(arena, "litscope %.*s%s%s", before, c->choice->words, at ? c->paths[0] : "",
                                        at ? at + (at[1] == '.' ? strcspn(at, " ") : 1) : "");
  int count = 0;
  while (text) words[count++] = strsep(&text, " ");
  for (int i = 0; i < c->file_count && !at; i++) words[count++] = c->paths[i];
  words[count] = NULL;
  call->arena = arena;
  call->run = run_again;
  if (!invocation_parse(call, count, words, &diags)) abort();
  int status = c->choice->command(call);
  if (status < STATUS_DONE || status > STATUS_LIMIT) abort();
  arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!size) return 0;
  size_t number = data[size - 1] == '\n' ? size : (uint8_t)(data[size - 1] - 'A');
  struct call c = {.choice = &CHOICES[number % ARRAY_COUNT(CHOICES)]};
  stdout = stderr = fuzz_nowhere();
  while (c.file_count < FILES) {
    const uint8_t *cut = memmem(data, size, "\n---\n", 5);
    fuzz_file(data, cut ? (size_t)(cut - data) : size, &c.files[c.file_count], c.paths[c.file_count]);
    c.file_count++;
    if (!cut) break;
    size -= (size_t)(cut + 5 - data);
    data = cut + 5;
  }
  name_file(&c);
  guard_run(run, &c);
  if (strstr(c.choice->words, "@.")) unlink(c.paths[0]);
  for (int i = 0; i < c.file_count; i++) close(c.files[i]);
  return 0;
}
