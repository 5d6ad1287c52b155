/* SPDX-License-Identifier: MIT */
/* A whole command on several files: the last byte chooses which (tests end in a
 * newline, so that seeds need no change), lines of `---` part the rest into tests.
 * It ends, within its limits or soon after. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checker/base/guard.h"
#include "checker/cmd/command.h"
#include "fuzz.h"

enum { FILES = 4 };
#define LIMITS " -timeout 0.3 -max-memory 100"
#define STATES LIMITS " -max-states 20000"

struct choice {
  int (*command)(struct invocation *call);
  const char *words; /* separated by blanks */
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
    {command_compile, "compile -mapping rsp-original"},
    {command_translate, "translate -mapping opencl-ptx"},
    {command_cost, "cost mapping -mapping rsp-original,rsp-corrected" STATES},
};

struct call {
  const struct choice *choice;
  char paths[FILES][64];
  int files[FILES], file_count;
};

static void run(void *context) {
  struct call *c = context;
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  struct invocation *call = ARENA_NEW(arena, struct invocation);
  char *text = arena_printf(arena, "litscope %s -j 1 -q -I models -I mappings", c->choice->words), *words[40];
  int count = 0;
  while (text) words[count++] = strsep(&text, " ");
  for (int i = 0; i < c->file_count; i++) words[count++] = c->paths[i];
  words[count] = NULL;
  call->arena = arena;
  if (!invocation_parse(call, count, words, &diags)) abort();
  int status = c->choice->command(call);
  if (status < STATUS_DONE || status > STATUS_LIMIT) abort();
  arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!size) return 0;
  struct call c = {.choice = &CHOICES[data[size - 1] % (sizeof CHOICES / sizeof *CHOICES)]};
  stdout = stderr = fuzz_nowhere();
  while (c.file_count < FILES) {
    const uint8_t *cut = memmem(data, size, "\n---\n", 5);
    fuzz_file(data, cut ? (size_t)(cut - data) : size, &c.files[c.file_count], c.paths[c.file_count]);
    c.file_count++;
    if (!cut) break;
    size -= (size_t)(cut + 5 - data);
    data = cut + 5;
  }
  guard_run(run, &c);
  for (int i = 0; i < c.file_count; i++) close(c.files[i]);
  return 0;
}
