/* SPDX-License-Identifier: MIT */
/* `verify -blocks`: the code of single memory operations, from LLVM's tests.  A part is a file.
 *
 *     part = line...                                                what is printed of it, then
 *     line = "o" TEXT | "v" TEXT (not with -q) | "j" JSON | "h" HTML | "e" ERROR | "w" WARNING
 *          | "r" COUNT... GPU tab OPERATION tab INSTRUCTION | "n" COUNT...       rows and sums of the tally
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/outfile.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/cmd/campaign.h"
#include "checker/cmd/compiler_options.h"
#include "checker/cmd/interrupts.h"
#include "checker/cmd/model_options.h"
#include "checker/cmd/output_folder.h"
#include "checker/cmd/test_files.h"
#include "checker/cmd/verify_campaigns.h"
#include "checker/report/legalizer_blocks_html.h"
#include "checker/report/legalizer_blocks_json.h"
#include "checker/verify/legalizer_blocks.h"

enum { ANSWERS = BLOCK_UNREAD + 1, NEEDS = BLOCK_NOTHING + 1 };

/* What is counted. */
struct tally {
  struct arena *arena; /* of the rows */
  uint64_t answers[ANSWERS], needs[NEEDS];
  VEC(struct blocks_row) rows;
};

struct verifying {
  struct invocation *call;
  struct files files;
  const struct amd_target *targets;
  unsigned target_count;
  struct blocks_options options;
  struct llc llc;
  const char *folder; /* of the page; NULL: none */
};

/* A file at work. */
struct part {
  const struct verifying *v;
  struct arena *arena;
  struct tally tally;
  FILE *out; /* the part's text */
};

/* -target: GPUs by LLVM's names or by the machine's. */
static bool is_wanted(void *context, const char *label) {
  const struct part *p = context;
  size_t count;
  const char **words = option_words(p->v->call, OPTION_TARGET, &count);
  const char *mode = strchr(label, ':');
  const char *processor = mode ? arena_strndup(p->arena, label, (size_t)(mode - label)) : label;
  const char *own = arena_printf(p->arena, "%s%s", blocks_target_name(processor), mode ? mode : "");
  return !count || text_index(label, words, count) >= 0 || text_index(own, words, count) >= 0;
}

/* ---- the text of a part ---- */

/* Each line of the text with its letter; frees the text. */
static void put_lines(struct part *p, char letter, struct text *text) {
  text_end(text);
  for (const char **line = text_split(p->arena, text->at, "\n", NULL); *line; line++)
    fprintf(p->out, "%c%s\n", letter, *line);
  text_free(text);
}

static void put_tally(const struct part *p) {
  const struct tally *tally = &p->tally;
  ARRAY_EACH (const struct blocks_row, row, tally->rows.at, tally->rows.count) {
    fputc('r', p->out);
    for (unsigned n = 0; n < NEEDS; n++) fprintf(p->out, "%u ", row->by_need[n]);
    fprintf(p->out, "%s\t%s\t%s\n", row->gpu, row->operation, row->kind);
  }
  fputc('n', p->out);
  for (unsigned n = 0; n < ANSWERS; n++) fprintf(p->out, "%" PRIu64 " ", tally->answers[n]);
  for (unsigned n = 0; n < NEEDS; n++) fprintf(p->out, "%" PRIu64 " ", tally->needs[n]);
  fputc('\n', p->out);
}

/* ---- blocks ---- */

static const char *operation_name(struct arena *arena, const struct legalizer_function *f) {
  static const char *const KINDS[] = {[INSTR_LOAD] = "load", [INSTR_STORE] = "store", [INSTR_RMW] = "rmw",
                                      [INSTR_CAS] = "cas",   [INSTR_FENCE] = "fence", [INSTR_BARRIER] = "barrier"};
  static const char *const SPACES[] = {"flat", "global", "", "local", "", "private"};
  const char *space = legalizer_accesses(f) ? SPACES[f->space < 6 ? f->space : 2] : "";
  const char *scope = f->scope == SCOPE_SG ? "wave" : scope_name(f->scope);
  return arena_printf(arena, "%s%s%s %s %s%s", space, *space ? " " : "", KINDS[f->kind], order_name(f->order),
                      f->order == ORDER_NA ? "" : scope, f->one_as ? " one-as" : "");
}

static struct blocks_row *row_of(struct tally *tally, const char *label, const char *operation, const char *kind) {
  ARRAY_EACH (struct blocks_row, row, tally->rows.at, tally->rows.count)
    if (!strcmp(row->gpu, label) && !strcmp(row->operation, operation) && !strcmp(row->kind, kind)) return row;
  struct blocks_row *row = vec_push(tally->arena, &tally->rows);
  *row = (struct blocks_row){.gpu = label, .operation = operation, .kind = kind};
  return row;
}

static void put_elements(struct part *p, const struct block *b, const char *label) {
  struct text text = text_new();
  ARRAY_EACH (const struct block_element, element, b->elements, b->element_count) {
    const char *where = element->before ? "before" : legalizer_accesses(b->function) ? "after" : "";
    const char *kind = arena_printf(p->arena, "%s%s%s", element->kind, *where ? " " : "", where);
    row_of(&p->tally, label, operation_name(p->arena, b->function), kind)->by_need[element->need]++;
    p->tally.needs[element->need]++;
    fprintf(text.out, "  %-36s %s%s%s%s\n", kind, block_need_name(element->need), element->context ? ", " : "",
            element->context ? element->context : "",
            element->argument && element->need == BLOCK_NOT_NEEDED ? "; may be for an argument" : "");
  }
  if (!b->together) fputs("  what is not needed cannot all go at once\n", text.out);
  put_lines(p, 'v', &text);
}

static void put_block(struct part *p, const struct block *b, const char *label) {
  bool answered = b->answer == BLOCK_SOUND || b->answer == BLOCK_UNSOUND;
  struct text text = text_new();
  p->tally.answers[b->answer]++;
  fprintf(text.out, "Block %s %s %s", b->function->name, label, block_answer_name(b->answer));
  if (answered)
    fprintf(text.out, ", %u contexts%s\n", b->contexts,
            b->scalar ? " in which its location does not change: it is read through the scalar cache" : "");
  else
    fprintf(text.out, ": %s\n", b->reason);
  if (b->answer == BLOCK_UNSOUND) fprintf(text.out, "  in %s: %s\n", b->context, b->trace ? b->trace : "");
  put_lines(p, 'o', &text);
  if (answered) put_elements(p, b, label);
}

/* For -json and for the page. */
static void put_records(struct part *p, const char *path, const struct block *b, const char *label) {
  if (option_given(p->v->call, OPTION_JSON)) {
    struct text text = text_new();
    json_write_block(text.out, path, label, p->v->options.model->ir.name, b);
    put_lines(p, 'j', &text);
  }
  if (p->v->folder) {
    struct text text = text_new();
    blocks_html_block(text.out, path, label, operation_name(p->arena, b->function), b);
    put_lines(p, 'h', &text);
  }
}

static bool verify_file(struct part *p, const char *path, const struct source *source, struct diags *diags) {
  const struct verifying *v = p->v;
  struct legalizer file;
  struct blocks_result result;
  size_t count;
  const char **targets = option_words(v->call, OPTION_TARGET, &count);
  if (!source) source = source_read(p->arena, path, diags);
  if (!source || !legalizer_read(p->arena, source, v->options.llc ? targets : NULL, &file, diags)) return true;
  struct blocks_options options = v->options;
  options.targets = v->targets;
  options.target_count = v->target_count;
  options.wanted = is_wanted;
  options.context = p;
  if (!blocks_verify(p->arena, &file, &options, &result, diags)) return true;
  struct text head = text_new();
  fprintf(head.out, "File %s: %s\n", path, v->options.llc ? v->options.llc->name : "CHECK lines");
  put_lines(p, 'o', &head);
  for (size_t i = 0; i < result.count; i++) {
    const char *label = file.runs[result.at[i].run].label;
    put_block(p, &result.at[i], label);
    put_records(p, path, &result.at[i], label);
  }
  fprintf(p->out, "oContexts %zu\noExplorations %" PRIu64 "\noPrograms %zu\noStates-explored %" PRIu64 "\no\n",
          result.contexts, result.explored, result.programs, result.states);
  put_tally(p);
  return !result.stopped;
}

static bool do_part(void *context, uint64_t part, FILE *out) {
  const struct verifying *v = context;
  struct part p = {.v = v, .arena = arena_new(), .out = out};
  struct diags diags = diags_new(p.arena);
  p.tally.arena = p.arena;
  bool done = verify_file(&p, v->files.at[part], v->files.sources[part], &diags);
  if (diags.count) {
    struct text text = text_new();
    diags_print(&diags, text.out);
    put_lines(&p, diags.errors ? 'e' : 'w', &text);
  }
  arena_free(p.arena);
  return done;
}

/* One file after the other: each has work for all threads. */
static bool run(void *context, struct parts *parts, struct diags *diags) {
  struct verifying *v = context;
  (void)diags;
  parts_set_total(parts, v->files.count);
  parts_run(parts, 1, do_part, v);
  return !*v->options.explore.cancel;
}

/* ---- the sum ---- */

static void add_row(struct tally *tally, char *line) {
  unsigned counts[NEEDS];
  char *at = line;
  for (unsigned n = 0; n < NEEDS; n++) counts[n] = (unsigned)strtoul(at, &at, 10);
  at += *at == ' ';
  const char *gpu = strsep(&at, "\t"), *operation = strsep(&at, "\t");
  struct blocks_row *row = row_of(tally, gpu, operation ? operation : "", at ? at : "");
  for (unsigned n = 0; n < NEEDS; n++) row->by_need[n] += counts[n];
}

static void add_sums(struct tally *tally, char *line) {
  for (unsigned n = 0; n < ANSWERS; n++) tally->answers[n] += strtoull(line, &line, 10);
  for (unsigned n = 0; n < NEEDS; n++) tally->needs[n] += strtoull(line, &line, 10);
}

/* Prints a line of a part, or adds it up; false: it tells of an error. */
static bool add_line(const struct verifying *v, char *line, struct tally *tally, FILE *sections,
                     struct result_files *files) {
  switch (*line) {
    case 'v':
      if (option_on(v->call, OPTION_QUIET)) return true;
      /* fall through */
    case 'o':
      fprintf(files->out, "%s\n", line + 1);
      return true;
    case 'j':
      line[strlen(line)] = '\n';
      result_files_add_json(files, line + 1, strcspn(line + 1, "\n") + 1);
      return true;
    case 'h':
      fprintf(sections, "%s\n", line + 1);
      return true;
    case 'r':
      add_row(tally, line + 1);
      return true;
    case 'n':
      add_sums(tally, line + 1);
      return true;
    default:
      fprintf(stderr, "%s\n", line + 1);
      return *line == 'w';
  }
}

static void print_rows(const struct tally *tally, FILE *out) {
  if (!tally->rows.count) return;
  fputs("\nInstructions by GPU and operation: needed, needed by a value only, not needed, nothing here\n", out);
  ARRAY_EACH (const struct blocks_row, row, tally->rows.at, tally->rows.count) {
    fprintf(out, "%-16s %-32s %-32s", row->gpu, row->operation, row->kind);
    for (unsigned n = 0; n <= BLOCK_NOTHING; n++) fprintf(out, " %5u", row->by_need[n]);
    fputc('\n', out);
  }
}

static uint64_t block_count(const struct tally *tally) {
  uint64_t count = 0;
  for (unsigned n = 0; n < ANSWERS; n++) count += tally->answers[n];
  return count;
}

static void print_sums(const struct tally *tally, FILE *out) {
  print_rows(tally, out);
  fprintf(out,
          "\nBlocks %" PRIu64 "\nSound %" PRIu64 "\nUnsound %" PRIu64 "\nVacuous %" PRIu64 "\nUnread %" PRIu64 "\n",
          block_count(tally), tally->answers[BLOCK_SOUND], tally->answers[BLOCK_UNSOUND], tally->answers[BLOCK_VACUOUS],
          tally->answers[BLOCK_UNREAD]);
  for (unsigned n = 0; n <= BLOCK_NOTHING; n++)
    fprintf(out, "Instructions %s %" PRIu64 "\n", block_need_name((enum block_need)n), tally->needs[n]);
}

static bool write_page(const struct verifying *v, const struct tally *tally, const char *sections,
                       struct diags *diags) {
  struct arena *arena = v->call->arena;
  const char *path = arena_printf(arena, "%s/blocks.html", v->folder), *command = "litscope";
  for (char **argument = v->call->arguments + 1; *argument; argument++)
    command = arena_printf(arena, "%s %s", command, *argument);
  struct blocks_sums sums = {.rows = tally->rows.at, .row_count = tally->rows.count, .blocks = block_count(tally)};
  memcpy(sums.answers, tally->answers, sizeof sums.answers);
  struct outfile file;
  if (outfile_open(arena, path, &file)) blocks_html_page(file.stream, LITSCOPE_VERSION, command, &sums, sections);
  return outfile_finish(&file, true, diags);
}

static int print(void *context, struct parts *parts, size_t subject, bool stopped, struct result_files *files) {
  const struct verifying *v = context;
  struct tally tally = {.arena = v->call->arena};
  struct diags diags = diags_new(v->call->arena);
  int status = STATUS_DONE;
  (void)subject;
  struct text sections = text_new();
  for (uint64_t part = 0; part < v->files.count; part++) {
    const char *text = parts_text(parts, part);
    char *rest = arena_strdup(v->call->arena, text ? text : ""), *line;
    while ((line = strsep(&rest, "\n")) && *line)
      if (!add_line(v, line, &tally, sections.out, files)) status = STATUS_BAD;
  }
  text_end(&sections);
  if (block_count(&tally))
    print_sums(&tally, files->out);
  else if (status == STATUS_DONE && !stopped)
    diag_fail(&diags, "-blocks: there is no code for the targets in these files");
  if (v->folder) write_page(v, &tally, sections.at, &diags);
  text_free(&sections);
  if (tally.answers[BLOCK_UNSOUND]) status = status_join(status, STATUS_DIFFERS);
  return status_join(status, diags_report(&diags));
}

/* ---- the campaign ---- */

static void set_knob(void *knobs, const char *name, const char *value, struct diags *diags) {
  knobs_set(&amd_knob_table, knobs, name, value, diags);
}

static bool load_settings(struct verifying *v, struct diags *diags) {
  struct invocation *call = v->call;
  struct xml_folders search = mapping_search(call);
  v->targets = amd_targets_load(call->arena, "amdgpu", &search, &v->target_count, diags);
  v->options.knobs = amd_knobs_default();
  compiler_each_knob(call, set_knob, &v->options.knobs, diags);
  size_t compilers;
  const char **compiler = option_words(call, OPTION_COMPILER, &compilers);
  if (compilers > 1) diag_fail(diags, "-blocks takes one -compiler");
  if (compilers && llc_find(call->arena, LLC_TOOL, compiler[0], &v->llc, diags)) v->options.llc = &v->llc;
  size_t models;
  const char **model = option_words(call, OPTION_MODEL, &models);
  v->options.model = models_read(call, models ? model[0] : "rc11-scoped", diags);
  return !diags->errors;
}

static bool is_asked(const struct verify_request *request) {
  return option_on(request->call, OPTION_BLOCKS);
}

static int run_campaign(const struct verify_request *request) {
  struct invocation *call = request->call;
  struct diags diags = diags_new(call->arena);
  struct verifying v = {.call = call, .files = {.at = call->words, .count = call->word_count}};
  if (!call->word_count) diag_fail(&diags, "-blocks: no file given");
  if (diags.errors || !load_settings(&v, &diags)) return diags_report(&diags);
  call->tests = &v.files;
  files_read_pipes(call->arena, &v.files, &diags);
  v.options.workers = option_jobs(call);
  v.options.explore =
      (struct explore_options){.por = true, .symmetry = true, .workers = 1, .cancel = tests_watch_limits(call)};
  v.options.check =
      (struct enumerate_options){.unroll = 2, .workers = 1, .prune = true, .cancel = v.options.explore.cancel};
  v.folder = option_text(call, OPTION_OUTPUT);
  if (v.folder) folder_make(call->arena, v.folder, &diags);
  if (diags.errors) return diags_report(&diags);
  const struct campaign campaign = {
      .context = &v, .subjects = 1, .cancel = v.options.explore.cancel, .run = run, .print = print};
  return campaign_run(call, &campaign);
}

const struct verify_campaign verify_legalizer_blocks = {.is_asked = is_asked, .of_files = true, .run = run_campaign};
