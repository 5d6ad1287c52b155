/* SPDX-License-Identifier: MIT */
/* `merge`: files of parts, of one command, become what one run of it would have
 * printed. The command is run again, and finds all its work done. */
#include <string.h>

#include "checker/base/parts.h"
#include "checker/base/vec.h"
#include "checker/cmd/command.h"

/* The next word of a command's text, as division.c writes it, in place; `*rest`
 * becomes what is behind it, or NULL. */
static char *take_word(char *text, char **rest) {
  char *from = text, *to = text;
  while (*from && *from != ' ') {
    if (*from != '\\' || !from[1]) {
      *to++ = *from++;
      continue;
    }
    *to++ = from[1] == '_' ? ' ' : from[1] == 'n' ? '\n' : from[1];
    from += 2;
  }
  *rest = *from ? from + 1 : NULL;
  *to = '\0';
  return text;
}

int command_merge(struct invocation *call) {
  struct diags diags = diags_new(call->arena);
  if (!call->word_count)
    diag_error(&diags, NULL, (struct span){0}, "merge: which files? They are what runs with -shard wrote, or journals");
  const char *text = call->word_count ? parts_command(call->arena, call->words[0], &diags) : NULL;
  if (!text) return diags_report(&diags);
  VEC(char *) arguments = {0};
  *vec_push(call->arena, &arguments) = call->arguments[0];
  for (char *rest = arena_strdup(call->arena, text), *next; rest; rest = next)
    *vec_push(call->arena, &arguments) = take_word(rest, &next);
  int count = (int)arguments.count;
  *vec_push(call->arena, &arguments) = NULL;
  struct invocation whole = {.arena = call->arena};
  if (!invocation_parse(&whole, count, arguments.at, &diags)) return diags_report(&diags);
  whole.merged = call->words;
  whole.run = call->run;
  return call->run(&whole);
}
