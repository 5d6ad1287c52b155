/* SPDX-License-Identifier: MIT */
/* `merge`: files of parts, of one command, become what one run of it would have
 * printed. The command is run again, and finds all its work done: the one that the
 * caller names, or, where that can do no harm, the one that the files say they are of. */

#include "checker/base/escape.h"
#include "checker/base/parts.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/cmd/command.h"
#include "checker/cmd/option_conflicts.h"
#include "checker/cmd/recorded_command.h"
#include "checker/cmd/shard_options.h"

/* The command that the caller has named after `--`, or the one that the first file is of; NULL, with errors. */
static char **command_line(struct invocation *call, int *count, struct diags *diags) {
  VEC(char *) words = {0};
  *vec_push(call->arena, &words) = call->arguments[0];
  for (char **word = call->command_words; word && *word; word++) *vec_push(call->arena, &words) = *word;
  if (!call->command_words) {
    const char *text = parts_command(call->arena, call->words[0], diags);
    if (!text) return NULL;
    for (char *rest = arena_strdup(call->arena, text); rest;) {
      *vec_push(call->arena, &words) = rest;
      if (!take_replaced(&rest, ' ', division_escaped)) break;
    }
  }
  *count = (int)words.count;
  *vec_push(call->arena, &words) = NULL;
  return words.at;
}

static int refuse(struct invocation *call, char **line, const char *fault, struct diags *diags) {
  struct text text = text_new();
  for (char **word = line + 1; *word; word++) {
    fputc(' ', text.out);
    shell_print(*word, text.out);
  }
  diag_fail(diags,
            "%s: its command asks for what no file may ask for (%s); if it is the one that you divided, name it "
            "yourself: litscope merge FILE... --%s",
            call->words[0], fault, text_keep(&text, call->arena));
  return diags_report(diags);
}

int command_merge(struct invocation *call) {
  struct diags diags = diags_new(call->arena);
  if (!call->word_count) {
    diag_fail(&diags, "merge: which files? They are what runs with -shard wrote, or journals");
    return diags_report(&diags);
  }
  int count = 0;
  char **line = command_line(call, &count, &diags);
  if (!line) return diags_report(&diags);
  struct invocation whole = {.arena = call->arena, .recorded = !call->command_words};
  if (!invocation_parse(&whole, count, line, &diags) || !options_go_together(&whole, &diags))
    return diags_report(&diags);
  const char *fault = whole.recorded ? recorded_fault(&whole) : NULL;
  if (fault) return refuse(call, line, fault, &diags);
  if (!division_applies(&whole)) return division_refuse(&whole);
  whole.merged = call->words;
  whole.run = call->run;
  return call->run(&whole);
}
