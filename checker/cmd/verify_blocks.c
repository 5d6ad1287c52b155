/* SPDX-License-Identifier: MIT */
/* The code of single memory operations, from LLVM's tests. */
#include "checker/cmd/verify_blocks.h"

#include <inttypes.h>
#include <string.h>

#include "checker/base/outfile.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/cmd/campaign.h"
#include "checker/cmd/files.h"
#include "checker/cmd/folder.h"
#include "checker/cmd/interrupts.h"
#include "checker/cmd/models.h"
#include "checker/cmd/result_files.h"
#include "checker/report/blocks_html.h"
#include "checker/report/blocks_json.h"
#include "checker/verify/blocks.h"

struct verifying {
  struct invocation *call;
  const struct amd_target *targets;
  unsigned target_count;
  struct blocks_options options;
  struct llc llc;
  struct result_files files;
  const char *folder;   /* of the page; NULL: none */
  struct text sections; /* of it */
  VEC(struct blocks_row) rows;
  uint64_t answers[BLOCK_UNREAD + 1], blocks, needs[BLOCK_NOTHING + 1];
  bool limited;
};

/* -target: GPUs by LLVM's names or by the machine's. */
static bool is_wanted(void *context, const char *label) {
  const struct verifying *v = context;
  size_t count;
  const char **words = option_words(v->call, OPTION_TARGET, &count);
  const char *mode = strchr(label, ':');
  const char *processor = mode ? arena_strndup(v->call->arena, label, (size_t)(mode - label)) : label;
  const char *own = arena_printf(v->call->arena, "%s%s", blocks_target_name(processor), mode ? mode : "");
  for (size_t i = 0; i < count; i++)
    if (!strcmp(words[i], label) || !strcmp(words[i], own)) return true;
  return count == 0;
}

/* ---- text ---- */

static const char *operation_name(struct arena *arena, const struct legalizer_function *f) {
  static const char *const KINDS[] = {[INSTR_LOAD] = "load",
                                      [INSTR_STORE] = "store",
                                      [INSTR_RMW] = "rmw",
                                      [INSTR_CAS] = "cas",
                                      [INSTR_FENCE] = "fence"};
  static const char *const SPACES[] = {"flat", "global", "", "local", "", "private"};
  const char *space = f->kind == INSTR_FENCE ? "" : SPACES[f->space < 6 ? f->space : 2];
  const char *scope = f->scope == SCOPE_SG ? "wave" : scope_name(f->scope);
  return arena_printf(arena, "%s%s%s %s %s%s", space, *space ? " " : "", KINDS[f->kind], order_name(f->order),
                      f->order == ORDER_NA ? "" : scope, f->one_as ? " one-as" : "");
}

static struct blocks_row *row_of(struct verifying *v, const char *label, const char *operation, const char *kind) {
  for (size_t i = 0; i < v->rows.count; i++) {
    struct blocks_row *row = &v->rows.at[i];
    if (!strcmp(row->gpu, label) && !strcmp(row->operation, operation) && !strcmp(row->kind, kind)) return row;
  }
  struct blocks_row *row = vec_push(v->call->arena, &v->rows);
  *row = (struct blocks_row){.gpu = label, .operation = operation, .kind = kind};
  return row;
}

static void print_elements(struct verifying *v, const struct block *b, const char *label) {
  struct arena *arena = v->call->arena;
  FILE *out = v->files.out;
  for (unsigned e = 0; e < b->element_count; e++) {
    const struct block_element *element = &b->elements[e];
    const char *where = element->before ? "before" : b->function->kind == INSTR_FENCE ? "" : "after";
    const char *kind = arena_printf(arena, "%s%s%s", element->kind, *where ? " " : "", where);
    row_of(v, label, operation_name(arena, b->function), kind)->by_need[element->need]++;
    v->needs[element->need]++;
    if (option_on(v->call, OPTION_QUIET)) continue;
    fprintf(out, "  %-36s %s%s%s%s\n", kind, block_need_name(element->need), element->context ? ", " : "",
            element->context ? element->context : "",
            element->argument && element->need == BLOCK_NOT_NEEDED ? "; may be for an argument" : "");
  }
  if (!b->together && !option_on(v->call, OPTION_QUIET)) fputs("  what is not needed cannot all go at once\n", out);
}

static void print_block(struct verifying *v, const struct legalizer *file, const struct block *b) {
  FILE *out = v->files.out;
  const char *label = file->runs[b->run].label;
  v->answers[b->answer]++;
  v->blocks++;
  fprintf(out, "Block %s %s %s", b->function->name, label, block_answer_name(b->answer));
  if (b->answer == BLOCK_UNREAD || b->answer == BLOCK_VACUOUS) {
    fprintf(out, ": %s\n", b->reason);
    return;
  }
  fprintf(out, ", %u contexts%s\n", b->contexts,
          b->scalar ? " in which its location does not change: it is read through the scalar cache" : "");
  if (b->answer == BLOCK_UNSOUND) fprintf(out, "  in %s: %s\n", b->context, b->trace ? b->trace : "");
  print_elements(v, b, label);
}

static void print_rows(struct verifying *v) {
  FILE *out = v->files.out;
  if (!v->rows.count) return;
  fputs("\nInstructions by GPU and operation: needed, needed by a value only, not needed, nothing here\n", out);
  for (size_t i = 0; i < v->rows.count; i++) {
    const struct blocks_row *row = &v->rows.at[i];
    fprintf(out, "%-16s %-32s %-32s", row->gpu, row->operation, row->kind);
    for (unsigned n = 0; n <= BLOCK_NOTHING; n++) fprintf(out, " %5u", row->by_need[n]);
    fputc('\n', out);
  }
}

/* ---- running ---- */

static bool verify_file(struct verifying *v, const char *path, struct diags *diags) {
  struct arena *arena = v->call->arena;
  struct source *source = source_read(arena, path, diags);
  struct legalizer file;
  struct blocks_result result;
  if (!source || !legalizer_read(arena, source, &file, diags)) return false;
  if (!blocks_verify(arena, &file, v->targets, v->target_count, is_wanted, v, &v->options, &result, diags))
    return false;
  fprintf(v->files.out, "File %s: %s\n", path, v->options.llc ? v->options.llc->name : "CHECK lines");
  for (size_t i = 0; i < result.count; i++) {
    print_block(v, &file, &result.at[i]);
    json_write_block(result_files_begin_json(&v->files), path, file.runs[result.at[i].run].label,
                     v->options.model->ir.name, &result.at[i]);
    const struct block *block = &result.at[i];
    if (v->folder)
      blocks_html_block(v->sections.out, path, file.runs[block->run].label, operation_name(arena, block->function),
                        block);
    result_files_end_json(&v->files);
  }
  fprintf(v->files.out, "Contexts %zu\nExplorations %" PRIu64 "\n\n", result.contexts, result.explored);
  fflush(v->files.out);
  v->limited |= result.stopped;
  return true;
}

static void print_sums(struct verifying *v) {
  FILE *out = v->files.out;
  print_rows(v);
  fprintf(out,
          "\nBlocks %" PRIu64 "\nSound %" PRIu64 "\nUnsound %" PRIu64 "\nVacuous %" PRIu64 "\nUnread %" PRIu64 "\n",
          v->blocks, v->answers[BLOCK_SOUND], v->answers[BLOCK_UNSOUND], v->answers[BLOCK_VACUOUS],
          v->answers[BLOCK_UNREAD]);
  for (unsigned n = 0; n <= BLOCK_NOTHING; n++)
    fprintf(out, "Instructions %s %" PRIu64 "\n", block_need_name((enum block_need)n), v->needs[n]);
}

static bool write_page(struct verifying *v, struct diags *diags) {
  struct arena *arena = v->call->arena;
  const char *path = arena_printf(arena, "%s/blocks.html", v->folder), *command = "litscope";
  for (char **argument = v->call->arguments + 1; *argument; argument++)
    command = arena_printf(arena, "%s %s", command, *argument);
  struct blocks_sums sums = {.rows = v->rows.at, .row_count = v->rows.count, .blocks = v->blocks};
  memcpy(sums.answers, v->answers, sizeof sums.answers);
  struct outfile file;
  text_end(&v->sections);
  if (outfile_open(arena, path, &file)) blocks_html_page(file.stream, LITSCOPE_VERSION, command, &sums, v->sections.at);
  text_free(&v->sections);
  return outfile_finish(&file, true, diags);
}

static bool load_settings(struct verifying *v, struct diags *diags) {
  struct invocation *call = v->call;
  struct xml_search search = {0};
  size_t folder_count, knob_count;
  search.folders = search_folders(call, "mappings", &folder_count);
  search.folder_count = (unsigned)folder_count;
  v->targets = amd_targets_load(call->arena, "amdgpu", &search, &v->target_count, diags);
  v->options.knobs = amd_knobs_default();
  const char **knobs = option_words(call, OPTION_KNOB, &knob_count);
  for (size_t i = 0; i < knob_count; i++) {
    const char *equals = strchr(knobs[i], '=');
    if (!equals) diag_error(diags, NULL, (struct span){0}, "option -knob: expected NAME=WORD, found '%s'", knobs[i]);
    if (equals)
      knobs_set(&amd_knob_table, &v->options.knobs, arena_strndup(call->arena, knobs[i], (size_t)(equals - knobs[i])),
                equals + 1, diags);
  }
  if (option_text(call, OPTION_PLACE))
    knobs_set(&amd_knob_table, &v->options.knobs, "place", option_text(call, OPTION_PLACE), diags);
  size_t compilers;
  const char **compiler = option_words(call, OPTION_COMPILER, &compilers);
  if (compilers > 1) diag_error(diags, NULL, (struct span){0}, "-blocks takes one -compiler");
  if (compilers && llc_find(call->arena, LLC_TOOL, compiler[0], &v->llc, diags)) v->options.llc = &v->llc;
  size_t models;
  const char **model = option_words(call, OPTION_MODEL, &models);
  v->options.model = models_read(call, models ? model[0] : "rc11-scoped", diags);
  return !diags->errors;
}

int verify_blocks(struct invocation *call) {
  struct diags diags = diags_new(call->arena);
  struct verifying v = {.call = call};
  if (!call->word_count) diag_error(&diags, NULL, (struct span){0}, "-blocks: no file given");
  if (diags.errors || !load_settings(&v, &diags) || !files_spare(call, &(struct files){0}, &diags) ||
      !result_files_open(call, &v.files, &diags))
    return diags_report(&diags);
  v.options.workers = campaign_workers(call);
  v.options.explore =
      (struct explore_options){.por = true, .symmetry = true, .workers = 1, .cancel = tests_watch_limits(call)};
  v.options.check =
      (struct enumerate_options){.unroll = 2, .workers = 1, .prune = true, .cancel = v.options.explore.cancel};
  int status = STATUS_DONE;
  v.folder = option_text(call, OPTION_OUTPUT);
  if (v.folder && !folder_make(call->arena, v.folder, &diags)) return diags_report(&diags);
  if (v.folder) text_open(&v.sections);
  for (size_t i = 0; i < call->word_count; i++) {
    struct diags own = diags_new(call->arena);
    if (!verify_file(&v, call->words[i], &own)) status = status_join(status, diags_report(&own));
  }
  if (v.blocks) print_sums(&v);
  if (v.folder && !write_page(&v, &diags)) status = status_join(status, diags_report(&diags));
  if (v.limited) {
    fprintf(stderr, "litscope: %s: the counts cover what was done until then\n", tests_stop_reason());
    status = status_join(status, STATUS_LIMIT);
  }
  if (v.answers[BLOCK_UNSOUND]) status = status_join(status, STATUS_DIFFERS);
  return status_join(status, result_files_close(&v.files, true));
}
