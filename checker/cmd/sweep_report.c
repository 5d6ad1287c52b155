/* SPDX-License-Identifier: MIT */
/* Sweeps as text, JSON and test cases. */
#include "checker/cmd/sweep_report.h"

#include <inttypes.h>

#include "checker/base/array.h"
#include "checker/report/sweep_json.h"

static void print_counts(const struct sweep_result *r, enum sweep_count from, enum sweep_count to, FILE *out) {
  for (int c = (int)from; c <= (int)to; c++)
    if (r->counts[c] || ((sweep_counts[c].of & r->swept) && !sweep_counts[c].rare))
      fprintf(out, "%s %" PRIu64 "\n", sweep_counts[c].line, r->counts[c]);
}

static void print_refusals(const struct sweep_result *r, FILE *out) {
  if (r->swept == SWEPT_CODE && r->counts[COUNT_RACE_FREE] && !r->counts[COUNT_GUARDED])
    fputs(
        "Cannot-show a missing invalidate: no race-free program reads data only once it has seen a flag; those of "
        "`-family guarded` do\n",
        out);
  print_counts(r, COUNT_REFUSED, COUNT_REFUSED, out);
  uint64_t others = r->counts[COUNT_REFUSED];
  for (unsigned i = 0; i < r->refusal_count; i++) {
    others -= r->refusals[i].count;
    fprintf(out, "Refused-for %s: %" PRIu64 ", such as ", r->refusals[i].message, r->refusals[i].count);
    small_print(&r->refusals[i].smallest->program, out);
    fputc('\n', out);
  }
  if (others) fprintf(out, "Refused-for other reasons: %" PRIu64 "\n", others);
}

static void print_smallest(const struct sweep_result *r, FILE *out) {
  if (r->found) {
    fputs("Smallest ", out);
    small_print(&r->smallest, out);
    fputc('\n', out);
  }
  ARRAY_EACH (const struct sweep_kind, kind, r->kinds, r->kind_count) {
    if (kind->kind) fprintf(out, "Unsound-of %s %" PRIu64 "\n", kind->kind, kind->unsound);
    fprintf(out, "Smallest%s%s ", kind->kind ? " " : "", kind->kind ? kind->kind : "");
    small_print(&kind->smallest->program, out);
    fputc('\n', out);
  }
}

static void print_sweep(const char *family, const char *target, const struct sweep_result *r, FILE *out) {
  if (r->swept == SWEPT_CODE)
    fprintf(out, "Target %s\nFamily %s\n", target, family);
  else
    fprintf(out, "Mapping %s\n", target);
  print_counts(r, COUNT_PROGRAMS, COUNT_UNDECIDED, out);
  print_refusals(r, out);
  print_counts(r, COUNT_STATES, COUNT_THREADS, out);
  print_smallest(r, out);
  fprintf(out, "Time %s %.2f\n\n", target, r->seconds);
  fflush(out);
}

/* What JUnit's readers see of a sweep that failed, or was not whole. */
static const char *message_of(struct arena *arena, const struct sweep_result *r, bool differs) {
  const struct small_program *smallest = r->found        ? &r->smallest
                                         : r->kind_count ? &r->kinds[0].smallest->program
                                                         : NULL;
  const uint64_t *counts = r->counts;
  struct text text = text_new();
  if (differs) {
    fprintf(text.out, "%" PRIu64 " of %" PRIu64 " race-free programs are unsound, ", counts[COUNT_UNSOUND],
            counts[COUNT_RACE_FREE]);
    if (counts[COUNT_HAZARDS]) fprintf(text.out, "%" PRIu64 " have hazards, ", counts[COUNT_HAZARDS]);
    fprintf(text.out, "%" PRIu64 " get stuck", counts[COUNT_DEADLOCKS]);
    if (smallest) fprintf(text.out, "; smallest: %s", small_text(arena, smallest));
  } else {
    fprintf(text.out, "%" PRIu64 " programs undecided", counts[COUNT_UNDECIDED]);
    if (counts[COUNT_REFUSED]) fprintf(text.out, ", %" PRIu64 " refused", counts[COUNT_REFUSED]);
    if (r->stopped) fputs(", and not all were tried", text.out);
  }
  return text_keep(&text, arena);
}

int sweep_report(struct result_files *files, const char *family, const char *target, const char *model,
                 const struct sweep_result *r, const struct verify_result *example) {
  struct arena *arena = files->call->arena;
  bool differs = r->counts[COUNT_UNSOUND] || r->counts[COUNT_HAZARDS] || r->counts[COUNT_DEADLOCKS];
  bool whole = !r->counts[COUNT_UNDECIDED] && !r->counts[COUNT_REFUSED] && !r->stopped;
  print_sweep(family, target, r, files->out);
  json_write_sweep(result_files_begin_json(files), family, target, model, r, example);
  result_files_end_json(files);
  return result_files_add_result(files,
                                 (struct result){.test = arena_printf(arena, "family %s", family),
                                                 .file = "",
                                                 .subject = target,
                                                 .verdict = sweep_answer(r),
                                                 .kind = differs ? RESULT_DIFFERS
                                                         : whole ? RESULT_DONE
                                                                 : RESULT_LIMIT,
                                                 .message = differs || !whole ? message_of(arena, r, differs) : NULL,
                                                 .seconds = r->seconds});
}
