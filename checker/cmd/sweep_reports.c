/* SPDX-License-Identifier: MIT */
/* -json and -junit of sweeps over generated programs. */
#include "checker/cmd/sweep_reports.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "checker/base/vec.h"
#include "checker/cmd/files.h"
#include "checker/report/json.h"
#include "checker/report/junit.h"
#include "checker/report/sweep_json.h"

static const struct span nowhere;

bool sweep_files_open(struct invocation *call, struct sweep_files *files, struct diags *diags) {
  *files = (struct sweep_files){.call = call, .out = stdout};
  const char *path = option_text(call, OPTION_JSON);
  if (diags->errors || !files_spare(call, &(struct files){0}, diags) || !path) return !diags->errors;
  bool alone = !strcmp(path, "-");
  if (!alone) outfile_open_named(call->arena, path, &files->json_file);
  int error = alone ? 0 : files->json_file.error;
  files->json = alone ? stdout : files->json_file.stream;
  if (alone) files->out = fopen("/dev/null", "w");
  if (files->json && files->out) {
    json_open_document(files->json, command_table[call->command].name);
    return true;
  }
  diag_error(diags, NULL, nowhere, "%s: %s", path, strerror(error));
  return false;
}

FILE *sweep_files_begin_json(struct sweep_files *files) {
  text_open(&files->line);
  return files->line.out;
}

void sweep_files_end_json(struct sweep_files *files) {
  text_end(&files->line);
  const char *line = files->line.at;
  if (files->json) fprintf(files->json, "%s\n    %.*s", files->begun ? "," : "", (int)strcspn(line, "\n"), line);
  files->begun = true;
  text_free(&files->line);
}

int sweep_files_add_result(struct sweep_files *files, struct result result) {
  *vec_push(files->call->arena, &files->results) = result;
  return result.kind == RESULT_DIFFERS ? STATUS_DIFFERS : result.kind == RESULT_LIMIT ? STATUS_LIMIT : STATUS_DONE;
}

/* ---- sweeps ---- */

static void print_counts(const struct sweep_result *r, enum sweep_count from, enum sweep_count to, FILE *out) {
  for (int c = (int)from; c <= (int)to; c++)
    if (r->counts[c] || ((sweep_counts[c].of & r->subject) && !sweep_counts[c].rare))
      fprintf(out, "%s %" PRIu64 "\n", sweep_counts[c].line, r->counts[c]);
}

static void print_refusals(const struct sweep_result *r, FILE *out) {
  if (r->subject == SWEEP_CODE && r->counts[COUNT_RACE_FREE] && !r->counts[COUNT_GUARDED])
    fputs(
        "Cannot-show a missing invalidate: no race-free program reads data only once it has seen a flag; those of "
        "`-family guarded` do\n",
        out);
  print_counts(r, COUNT_REFUSED, COUNT_REFUSED, out);
  for (unsigned i = 0; i < r->refusal_count; i++) {
    fprintf(out, "Refused-for %s: %" PRIu64 ", such as ", r->refusals[i].message, r->refusals[i].count);
    small_print(&r->refusals[i].smallest->program, out);
    fputc('\n', out);
  }
}

static void print_smallest(const struct sweep_result *r, FILE *out) {
  if (r->found) {
    fputs("Smallest ", out);
    small_print(&r->smallest, out);
    fputc('\n', out);
  }
  for (unsigned i = 0; i < r->kind_count; i++) {
    const struct sweep_kind *kind = &r->kinds[i];
    if (kind->kind) fprintf(out, "Unsound-of %s %" PRIu64 "\n", kind->kind, kind->unsound);
    fprintf(out, "Smallest%s%s ", kind->kind ? " " : "", kind->kind ? kind->kind : "");
    small_print(&kind->smallest->program, out);
    fputc('\n', out);
  }
}

static void print_sweep(const char *family, const char *target, const struct sweep_result *r, FILE *out) {
  if (r->subject == SWEEP_CODE)
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
  struct text text;
  text_open(&text);
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

int sweep_files_add_sweep(struct sweep_files *files, const char *family, const char *target, const char *model,
                          const struct sweep_result *r, const struct verify_result *example) {
  struct arena *arena = files->call->arena;
  bool differs = r->counts[COUNT_UNSOUND] || r->counts[COUNT_HAZARDS] || r->counts[COUNT_DEADLOCKS];
  bool whole = !r->counts[COUNT_UNDECIDED] && !r->refusal_count && !r->stopped;
  print_sweep(family, target, r, files->out);
  json_write_sweep(sweep_files_begin_json(files), family, target, model, r, example);
  sweep_files_end_json(files);
  return sweep_files_add_result(files,
                                (struct result){.test = arena_printf(arena, "exhaustive %s", family),
                                                .file = "",
                                                .subject = target,
                                                .verdict = sweep_answer(r),
                                                .kind = differs ? RESULT_DIFFERS
                                                        : whole ? RESULT_DONE
                                                                : RESULT_LIMIT,
                                                .message = differs || !whole ? message_of(arena, r, differs) : NULL,
                                                .seconds = r->seconds});
}

/* ---- ending ---- */

static void close_json(struct sweep_files *files, struct diags *diags) {
  json_close_document(files->json);
  if (files->out != stdout) fclose(files->out);
  /* What is lost of standard output is reported once for all, at the end. */
  if (files->json != stdout && !outfile_close(&files->json_file, true))
    diag_error(diags, NULL, nowhere, "%s: %s", option_text(files->call, OPTION_JSON), strerror(errno));
}

int sweep_files_close(struct sweep_files *files) {
  struct diags diags = diags_new(files->call->arena);
  const char *junit = option_text(files->call, OPTION_JUNIT);
  if (files->json) close_json(files, &diags);
  if (!junit) return diags_report(&diags);
  struct outfile file;
  if (outfile_open_named(files->call->arena, junit, &file))
    junit_write(file.stream, command_table[files->call->command].name, &files->results);
  if (!outfile_close(&file, true)) diag_error(&diags, NULL, nowhere, "%s: %s", junit, strerror(errno));
  return diags_report(&diags);
}
