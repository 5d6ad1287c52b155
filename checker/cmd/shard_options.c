/* SPDX-License-Identifier: MIT */
/* Shards, journals and their merging: the same for all commands that sweep. The
 * text of a command is what `merge` runs again, with the parts' texts in place of
 * the work. */
#include "checker/cmd/shard_options.h"

#include <inttypes.h>

#include "checker/base/escape.h"
#include "checker/base/text.h"
#include "checker/cmd/input_digest.h"
#include "checker/cmd/interrupts.h"
#include "checker/cmd/mpi_ranks.h"
#include "checker/cmd/test_files.h"

enum { MOST_SHARDS = 1 << 20 };

bool division_wanted(const struct invocation *call) {
  return call->merged || call->ranks || option_given(call, OPTION_SHARD) || option_given(call, OPTION_JOURNAL);
}

bool division_applies(const struct invocation *call) {
  switch (call->command) {
    case COMMAND_DIFF:
      return true;
    case COMMAND_EXPLORE:
      return !option_given(call, OPTION_CERTIFY);
    case COMMAND_CHECK:
      return !option_given(call, OPTION_DUMP) && !option_given(call, OPTION_CERTIFY);
    case COMMAND_SYNTH:
      return !option_given(call, OPTION_CHECK);
    case COMMAND_VERIFY:
      return !option_given(call, OPTION_CERTIFY);
    default:
      return false;
  }
}

int division_refuse(const struct invocation *call) {
  struct diags diags = diags_new(call->arena);
  diag_fail(&diags, "what this call does cannot be divided (-shard, -journal, mpirun)");
  return diags_report(&diags);
}

/* ---- the text of a command ---- */

static bool divides(enum option_id id) {
  return id == OPTION_SHARD || id == OPTION_JOURNAL || id == OPTION_JOBS || id == OPTION_QUIET ||
         id == OPTION_VERBOSE || id == OPTION_TIMEOUT;
}

const char *const division_escaped[] = {" \\_", "\n\\n", "\\\\\\", NULL};

static const char *command_text(const struct invocation *call) {
  struct text text = text_new();
  fputs(command_table[call->command].name, text.out);
  for (int id = 0; id < OPTION_COUNT; id++) {
    if (divides((enum option_id)id)) continue;
    for (size_t i = 0; i < call->values[id].count; i++) {
      fprintf(text.out, " -%s", option_table[id].name);
      if (option_table[id].kind == OPTION_SWITCH) continue;
      fputc(option_table[id].kind == OPTION_BOOL ? '=' : ' ', text.out);
      print_replaced(text.out, call->values[id].at[i], division_escaped);
    }
  }
  if (call->word_count) fputs(" --", text.out);
  for (size_t i = 0; i < call->word_count; i++) {
    fputc(' ', text.out);
    print_replaced(text.out, call->words[i], division_escaped);
  }
  return text_keep(&text, call->arena);
}

/* ---- opening ---- */

static bool read_shard(const struct invocation *call, struct parts_division *d, struct diags *diags) {
  const char *text = option_text(call, OPTION_SHARD);
  if (!text) return true;
  int used = 0;
  if (sscanf(text, "%7u/%7u%n", &d->shard, &d->shards, &used) == 2 && !text[used] && d->shard >= 1 &&
      d->shard <= d->shards && d->shards <= MOST_SHARDS)
    return true;
  return diag_fail(diags, "option -shard takes I/N with I from 1 to N, such as 2/8, not '%s'", text);
}

bool division_open(struct invocation *call, struct division *division, struct diags *diags) {
  struct parts_division d = {
      .version = LITSCOPE_VERSION, .command = command_text(call), .team = ranks_team(call->ranks)};
  struct diags own = diags_new(call->arena); /* warnings of damage are printed though the work goes on */
  d.files = contents_digest(call);
  if (!ranks_own(call->ranks)) d.journal = option_text(call, OPTION_JOURNAL);
  *division = (struct division){.call = call, .is_shard = option_given(call, OPTION_SHARD)};
  if (!read_shard(call, &d, diags)) return false;
  division->parts = parts_open(call->arena, &d, &own);
  if (division->parts && call->merged) parts_only_merge(division->parts);
  for (const char *const *file = call->merged; division->parts && !own.errors && file && *file; file++)
    parts_read(division->parts, *file, &own);
  diags_print(&own, stderr);
  diags->errors += own.errors;
  if (division->parts && own.errors) parts_close(division->parts, &own);
  if (own.errors) return false;
  ranks_begin(call->ranks, division->parts, option_on(call, OPTION_QUIET));
  return true;
}

/* ---- ending ---- */

int division_close(struct division *division) {
  struct diags diags = diags_new(division->call->arena);
  parts_close(division->parts, &diags);
  return diags_report(&diags);
}

bool division_ends(struct division *division, bool stopped, int *status) {
  struct diags diags = diags_new(division->call->arena);
  *status = STATUS_DONE;
  ranks_end(division->call->ranks);
  if (ranks_own(division->call->ranks)) {
    division_close(division);
    return true;
  }
  if (stopped) {
    fprintf(stderr, "litscope: %s after %" PRIu64 " parts%s\n", tests_stop_reason(), parts_done(division->parts),
            option_given(division->call, OPTION_JOURNAL) ? "; the journal has them" : "");
    *status = STATUS_LIMIT;
  }
  if (division->is_shard)
    parts_write(division->parts, stdout);
  else if (!stopped && parts_complete(division->parts, &diags))
    return false;
  *status = status_join(*status, diags_report(&diags));
  *status = status_join(*status, division_close(division));
  return true;
}
