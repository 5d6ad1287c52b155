/* SPDX-License-Identifier: MIT */
/* `synth`: the cheapest sound cells of a mapping, with a certificate: for each cell
 * every cheaper candidate and a program that refutes it. `-check` runs those programs
 * and searches nothing: candidates are listed again, in the same order. */
#include "checker/search/synth.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "checker/base/outfile.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/cmd/cost_mapping.h"
#include "checker/cmd/families.h"
#include "checker/cmd/hardware.h"
#include "checker/cmd/sweep_files.h"
#include "checker/cmd/synth_target.h"
#include "checker/cmd/terminal.h"
#include "checker/report/search_json.h"
#include "hwsem/machines/gpu.h"
#include "hwsem/timing/rsp_mapping.h"

static const struct span nowhere;
static const char CERTIFICATE[] = "litscope-certificate 2", DEFAULT_PRICE[] = "timing-rsp";

struct synth_command {
  struct invocation *call;
  struct pricing *pricing;
  struct target target;
  struct small_family family;
  struct synth_options options;
  struct progress progress;
};

/* ---- what is asked for ---- */

/* Cycles of unit 0 when the line misses, in the state of the FIFOs that -params says. */
static int64_t price_of(void *context, const struct mapping_cell *cell) {
  const struct synth_command *command = context;
  struct arena *arena = arena_new();
  struct rsp_sequence sequence;
  bool known = !rsp_sequence_of_cell(arena, cell, &sequence);
  int64_t price =
      known ? rsp_price_operation(&command->pricing->parameters, command->pricing->cus, sequence, false).latency : -1;
  arena_free(arena);
  return price;
}

static const char *key_text(struct arena *arena, struct mapping_key key) {
  struct text text;
  text_open(&text);
  mapping_key_print(key, text.out);
  return text_keep(&text, arena);
}

static const char *cell_text(struct arena *arena, const struct mapping_cell *cell) {
  struct text text;
  text_open(&text);
  mapping_cell_print(cell, text.out);
  return text_keep(&text, arena);
}

/* The device-scope operations whose text matches. */
static bool choose_cells(struct synth_command *command, const char *pattern, struct diags *diags) {
  static const enum order ORDERS[] = {ORDER_ACQ, ORDER_REL, ORDER_ACQ_REL};
  int error;
  PCRE2_SIZE at;
  pcre2_code *code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, 0, &error, &at, NULL);
  if (!code) {
    diag_error(diags, NULL, nowhere, "option -cells: '%s' is no regular expression", pattern);
    return false;
  }
  pcre2_match_data *data = pcre2_match_data_create_from_pattern(code, NULL);
  for (int remote = 0; remote <= 1; remote++)
    for (enum mapping_kind kind = MAP_LOAD; kind <= MAP_RMW; kind++) {
      struct mapping_key key = {kind, SCOPE_DEV, ORDERS[kind], remote, REGION_GLOBAL};
      const char *text = key_text(command->call->arena, key);
      if (pcre2_match(code, (PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED, 0, 0, data, NULL) > 0)
        command->options.keys[command->options.key_count++] = key;
    }
  pcre2_match_data_free(data);
  pcre2_code_free(code);
  if (!command->options.key_count)
    diag_error(diags, NULL, nowhere,
               "option -cells: '%s' matches none of load acq dev, store rel dev, rmw ar dev, and "
               "the same with remote",
               pattern);
  return command->options.key_count > 0;
}

static bool choose_target(struct synth_command *command, const struct hardware *hardware, struct diags *diags) {
  size_t count;
  const struct target *targets = hardware_of_kind(hardware, &gpu_kind, command->call->arena, &count);
  if (count == 1 && targets[0].mapping) {
    command->target = targets[0];
    return true;
  }
  diag_error(diags, NULL, nowhere, "synth begins with one mapping of the GPU, not with %zu", count);
  return false;
}

static void show_cell(void *context, const struct mapping_key *key, size_t candidates) {
  struct synth_command *command = context;
  if (!command->progress.shown) return;
  struct arena *arena = arena_new();
  fprintf(stderr, "\r\033[K%s: %zu candidates\n", key_text(arena, *key), candidates);
  arena_free(arena);
}

static bool prepare(struct synth_command *command, struct model_set *models, const char *family, const char *cells,
                    unsigned steps, struct diags *diags) {
  struct invocation *call = command->call;
  struct hardware hardware;
  bool priced = option_given(call, OPTION_PARAMS) || option_given(call, OPTION_PRICE);
  if (option_given(call, OPTION_KNOB)) {
    diag_error(diags, NULL, nowhere, "option -knob: synth takes it for -target alone");
    return false;
  }
  if (!priced) *vec_push(call->arena, &call->values[OPTION_PARAMS]) = "q=8,d=8";
  if (!models_load(call, models, diags) || !hardware_load(call, &hardware, diags)) return false;
  if (!choose_target(command, &hardware, diags)) return false;
  command->pricing = pricing_new(call, diags);
  if (!command->pricing) return false;
  if (!small_family_read(call->arena, family, "-family", LANG_OPENCL, &command->family, diags)) return false;
  const struct loaded_model *model = &models->at[models->by_language ? LANG_OPENCL : 0];
  command->options.model = (struct judge_model){model->name, model->model, model->skip};
  command->options.families = &command->family;
  command->options.family_count = 1;
  command->options.target = &command->target;
  command->options.steps = steps;
  command->options.price = price_of;
  command->options.progress = show_cell;
  command->options.context = command;
  command->options.workers = families_workers(call);
  return choose_cells(command, cells, diags);
}

/* ---- files ---- */

static void write_xml_steps(const struct mapping_cell *cell, FILE *out) {
  static const char *const TARGETS[] = {"wg", "dev", "sys"}, *const LEVELS[] = {"L1", "L2", "GL", "local"};
  int depth = 2;
  for (unsigned i = 0; i < cell->step_count; i++) {
    struct mapping_step step = cell->steps[i];
    if (step.op == HW_UNLOCK_LINE || step.op == HW_UNLOCK_RMW) depth--;
    fprintf(out, "%*s", 2 * depth, "");
    if (step.op == HW_FLU || step.op == HW_INV)
      fprintf(out, "<%s cache=\"%s\" target=\"%s\"/>\n", step.op == HW_FLU ? "flu" : "inv", LEVELS[step.level],
              TARGETS[step.target]);
    else if (hw_is_access(step.op))
      fprintf(out, "<%s level=\"%s\"/>\n",
              step.op == HW_LD   ? "ld"
              : step.op == HW_ST ? "st"
                                 : "inc",
              LEVELS[step.level]);
    else if (step.op == HW_LOCK_RMW)
      fprintf(out, "<lock-rmw target=\"%s\">\n", TARGETS[step.target]);
    else
      fputs(step.op == HW_LOCK_LINE     ? "<lock-line>\n"
            : step.op == HW_UNLOCK_LINE ? "</lock-line>\n"
                                        : "</lock-rmw>\n",
            out);
    if (step.op == HW_LOCK_LINE || step.op == HW_LOCK_RMW) depth++;
  }
}

/* Is it dearer before? */
static bool is_cheaper(const struct synth_cell *cell) {
  return cell->found && (cell->price_before < 0 || cell->price < cell->price_before);
}

/* The mapping's own text with the cells that were found in front: the first that
 * serves an operation counts. */
static void write_mapping(const struct synth_command *command, const struct synth_result *r, const char *name,
                          FILE *out) {
  const struct source *source = command->target.mapping->source;
  const char *operations = strstr(source->text, "</about>");
  operations = operations ? operations + strlen("</about>") : source->text;
  fprintf(
      out,
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<mapping name=\"%s\">\n  <title>%s with the cheapest sound cells "
      "that synth found</title>\n  <about>Found by litscope synth on %s, up to %u steps.</about>\n",
      name, command->target.name, option_text(command->call, OPTION_SYNTH_FAMILY), command->options.steps);
  for (size_t i = 0; i < r->cell_count; i++) {
    const struct synth_cell *cell = &r->cells[i];
    static const char *const ORDERS[] = {[ORDER_ACQ] = "acq", [ORDER_REL] = "rel", [ORDER_ACQ_REL] = "ar"};
    if (!is_cheaper(cell)) continue;
    fprintf(out, "  <operation kind=\"%s\" scope=\"dev\" order=\"%s\" remote=\"%s\" region=\"global\">\n",
            mapping_kind_name(cell->key.kind), ORDERS[cell->key.order], cell->key.remote ? "yes" : "no");
    write_xml_steps(cell->found, out);
    fputs("  </operation>\n", out);
  }
  fputs(operations, out);
}

static void write_certificate(const struct synth_command *command, const struct synth_result *r, FILE *out) {
  const struct invocation *call = command->call;
  struct arena *arena = arena_new();
  const char *price = option_text(call, OPTION_PRICE), *params = option_text(call, OPTION_PARAMS);
  const char *mapping = option_given(call, OPTION_MAPPING) ? call->values[OPTION_MAPPING].at[0] : command->target.name;
  fprintf(out, "%s\nmodel %s\nfamily %s\nmapping %s\nprice %s\nparams %s\nsteps %u\n", CERTIFICATE,
          command->options.model.name, option_text(call, OPTION_SYNTH_FAMILY), mapping, price ? price : DEFAULT_PRICE,
          params ? params : "", command->options.steps);
  fprintf(out, "sweep %" PRIu64 " programs %" PRIu64 " race-free %s\n", r->programs, r->race_free,
          r->sound ? "sound" : "unsound");
  for (size_t i = 0; i < r->cell_count; i++) {
    const struct synth_cell *cell = &r->cells[i];
    fprintf(out, "cell %s: %s\n", key_text(arena, cell->key), cell_text(arena, cell->found));
    for (size_t k = 0; k < cell->refuted_count; k++) {
      const struct synth_refutation *refuted = &cell->refuted[k];
      fprintf(out, "refuted %s: ", cell_text(arena, refuted->cell));
      small_print_place(refuted->program, out);
      fputs(" : ", out);
      small_print(refuted->program, out);
      fprintf(out, " : %s\n", refuted->order == WRITE_BACK_FIFO ? "fifo" : "any");
    }
  }
  fputs("end\n", out);
  arena_free(arena);
}

static bool write_file(const struct synth_command *command, const struct synth_result *r, const char *path, bool xml,
                       struct diags *diags) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  struct outfile file;
  bool open = outfile_open_named(command->call->arena, path, &file);
  if (open && xml)
    write_mapping(command, r, arena_strndup(command->call->arena, name, strcspn(name, ".")), file.stream);
  else if (open)
    write_certificate(command, r, file.stream);
  if (outfile_close(&file, true)) return true;
  diag_error(diags, NULL, nowhere, "%s: %s", path, strerror(errno));
  return false;
}

static bool write_files(const struct synth_command *command, const struct synth_result *r, struct diags *diags) {
  const char *path = option_text(command->call, OPTION_SYNTH_OUTPUT);
  return !path || (write_file(command, r, path, true, diags) &&
                   write_file(command, r, arena_printf(command->call->arena, "%s.certificate", path), false, diags));
}

/* ---- results ---- */

static void print_cell(const struct synth_cell *cell, unsigned steps, FILE *out) {
  struct arena *arena = arena_new();
  fprintf(out, "%s\n", key_text(arena, cell->key));
  if (cell->before) fprintf(out, "  before  %5" PRId64 "  %s\n", cell->price_before, cell_text(arena, cell->before));
  if (cell->found) {
    fprintf(out, "  %s  %5" PRId64 "  %s\n", is_cheaper(cell) ? "cheaper" : "least  ", cell->price,
            cell_text(arena, cell->found));
    fprintf(out, "  refuted %5zu  cheaper candidates\n", cell->refuted_count);
  } else {
    fprintf(out, "  no mapping of up to %u steps is sound\n", steps);
    if (cell->smallest) {
      fputs("  all fail on ", out);
      families_print(cell->smallest, out);
      fputc('\n', out);
    }
  }
  arena_free(arena);
}

static void write_json(const struct synth_command *command, const struct synth_result *r, struct sweep_files *files) {
  if (!files->json) return;
  const struct search_subject subject = {.family = option_text(command->call, OPTION_SYNTH_FAMILY),
                                         .language = command->family.language};
  struct text line;
  text_open(&line);
  json_write_synth(line.out, &subject, command->target.name, command->options.model.name, command->options.steps, r);
  text_end(&line);
  sweep_files_add_json(files, line.at);
  text_free(&line);
}

static int print_result(const struct synth_command *command, const struct synth_result *r, struct sweep_files *files) {
  struct diags diags = diags_new(command->call->arena);
  FILE *out = files->out;
  bool found = true;
  fprintf(out, "Synth %s\nFamily %s\nPrograms %" PRIu64 "\nRace-free with these operations %" PRIu64 "\n",
          command->target.name, option_text(command->call, OPTION_SYNTH_FAMILY), r->programs, r->race_free);
  for (size_t i = 0; i < r->cell_count; i++) {
    print_cell(&r->cells[i], command->options.steps, out);
    found &= r->cells[i].found != NULL;
  }
  write_json(command, r, files);
  if (!found) return STATUS_DIFFERS;
  fprintf(out, "%s\n", r->sound ? "Sound" : "Unsound");
  if (!r->sound) return STATUS_DIFFERS;
  write_files(command, r, &diags);
  return diags_report(&diags);
}

/* ---- checking ---- */

struct certificate {
  FILE *in;
  char *line;
  size_t room;
};

/* The rest of the next line behind a word; NULL: it begins otherwise. */
static const char *take(struct certificate *c, const char *begin) {
  ssize_t length = getline(&c->line, &c->room, c->in);
  if (length <= 0 || c->line[length - 1] != '\n') return NULL;
  c->line[length - 1] = '\0';
  size_t size = strlen(begin);
  return !strncmp(c->line, begin, size) && (c->line[size] == ' ' || !c->line[size])
             ? c->line + size + (c->line[size] == ' ')
             : NULL;
}

/* `CELL: PLACE : PROGRAM : ORDER` */
struct claim {
  const char *cell;
  struct small_program program;
  unsigned order;
};

static bool read_claim(struct arena *arena, const char *text, struct claim *claim) {
  const char *place = strstr(text, ": wg "), *program = place ? strstr(place + 2, " : ") : NULL;
  const char *order = program ? strstr(program + 3, " : ") : NULL;
  if (!order) return false;
  claim->cell = arena_strndup(arena, text, (size_t)(place - text));
  if (!small_parse(arena_strndup(arena, program + 3, (size_t)(order - program - 3)), &claim->program)) return false;
  if (!small_parse_place(place + 2, &claim->program)) return false;
  claim->order = !strcmp(order + 3, "fifo") ? WRITE_BACK_FIFO : WRITE_BACK_ANY;
  return true;
}

/* A cell that the certificate names, and its claims. */
struct claimed_cell {
  const char *key, *found;
  VEC(struct claim) refuted;
};

typedef VEC(struct claimed_cell) claimed_cells;

static bool read_cells(struct arena *arena, struct certificate *c, claimed_cells *cells) {
  for (;;) {
    ssize_t length = getline(&c->line, &c->room, c->in);
    if (length <= 0 || c->line[length - 1] != '\n') return false;
    c->line[length - 1] = '\0';
    const char *line = arena_strdup(arena, c->line);
    if (!strcmp(line, "end")) return true;
    const char *colon = strstr(line, ": ");
    if (!strncmp(line, "cell ", 5) && colon) {
      struct claimed_cell *cell = vec_push(arena, cells);
      cell->key = arena_strndup(arena, line + 5, (size_t)(colon - line - 5));
      cell->found = colon + 2;
    } else if (!strncmp(line, "refuted ", 8) && cells->count) {
      if (!read_claim(arena, line + 8, vec_push(arena, &cells->at[cells->count - 1].refuted))) return false;
    } else {
      return false;
    }
  }
}

static int find_key(const struct synth_command *command, const char *text) {
  for (size_t i = 0; i < command->options.key_count; i++)
    if (!strcmp(key_text(command->call->arena, command->options.keys[i]), text)) return (int)i;
  return -1;
}

/* The candidate that a cell names: the first behind those that are refuted. */
static const struct mapping_cell *claimed_candidate(struct synth_command *command, const struct claimed_cell *cell,
                                                    struct mapping_cell ***candidates) {
  struct arena *arena = command->call->arena;
  int key = find_key(command, cell->key);
  size_t count;
  if (key < 0) return NULL;
  *candidates = synth_candidates(arena, &command->options, command->options.keys[key], INT64_MAX, &count);
  if (cell->refuted.count >= count) return NULL;
  const struct mapping_cell *found = (*candidates)[cell->refuted.count];
  return strcmp(cell_text(arena, found), cell->found) ? NULL : found;
}

static bool check_claims(struct synth_command *command, const struct claimed_cell *cell,
                         struct mapping_cell *const *candidates, const struct mapping *mapping, size_t *run) {
  const struct synth_options *o = &command->options;
  struct mapping_key key = o->keys[find_key(command, cell->key)];
  for (size_t i = 0; i < cell->refuted.count; i++) {
    struct arena *arena = arena_new();
    const struct claim *claim = &cell->refuted.at[i];
    bool good = !strcmp(cell_text(arena, candidates[i]), claim->cell) &&
                synth_refutes(o, synth_with(arena, mapping, key, candidates[i]), &claim->program, claim->order);
    if (!good) printf("Not refuted: %s: %s\n", cell->key, cell_text(arena, candidates[i]));
    arena_free(arena);
    if (!good) return false;
    ++*run;
  }
  return true;
}

static int check_cells(struct synth_command *command, const claimed_cells *cells) {
  struct arena *arena = command->call->arena;
  const struct mapping *mapping = command->target.mapping;
  struct mapping_cell ***candidates = ARENA_ARRAY(arena, struct mapping_cell **, cells->count + 1);
  for (size_t i = 0; i < cells->count; i++) {
    const struct mapping_cell *found = claimed_candidate(command, &cells->at[i], &candidates[i]);
    if (!found) {
      printf("Not the next candidate: %s: %s\n", cells->at[i].key, cells->at[i].found);
      return STATUS_DIFFERS;
    }
    struct mapping_key key = command->options.keys[find_key(command, cells->at[i].key)];
    const struct mapping_cell *now = mapping_find(mapping, key);
    if (!now || price_of(command, now) < 0 || price_of(command, found) < price_of(command, now))
      mapping = synth_with(arena, mapping, key, found);
  }
  size_t run = 0;
  for (size_t i = 0; i < cells->count; i++)
    if (!check_claims(command, &cells->at[i], candidates[i], mapping, &run)) return STATUS_DIFFERS;
  printf("Certificate holds: %zu candidates refuted, %zu cells\n", run, cells->count);
  return STATUS_DONE;
}

static int check_certificate(struct synth_command *command, const char *path) {
  struct invocation *call = command->call;
  struct diags diags = diags_new(call->arena);
  struct certificate c = {.in = fopen(path, "r")};
  struct model_set models;
  static const char *const WORDS[] = {"model", "family", "mapping", "price", "params", "steps", "sweep"};
  enum { HEAD = sizeof WORDS / sizeof *WORDS };
  const char *head[HEAD] = {NULL};
  claimed_cells cells = {0};
  if (!c.in) {
    diag_error(&diags, NULL, nowhere, "%s: %s", path, strerror(errno));
    return diags_report(&diags);
  }
  bool good = take(&c, CERTIFICATE) != NULL;
  for (int i = 0; i < HEAD && good; i++) {
    const char *text = take(&c, WORDS[i]);
    good = text != NULL;
    if (good) head[i] = arena_strdup(call->arena, text);
  }
  good = good && read_cells(call->arena, &c, &cells);
  fclose(c.in);
  free(c.line);
  if (!good) {
    diag_error(&diags, NULL, nowhere, "%s: this is no certificate, or not all of one", path);
    return diags_report(&diags);
  }
  static const enum option_id IDS[] = {OPTION_MODEL, OPTION_SYNTH_FAMILY, OPTION_MAPPING, OPTION_PRICE, OPTION_PARAMS};
  for (int i = 0; i < 5; i++) {
    call->values[IDS[i]].count = 0;
    *vec_push(call->arena, &call->values[IDS[i]]) = head[i];
  }
  unsigned steps = (unsigned)strtoul(head[5], NULL, 10);
  if (steps > SYNTH_STEPS || !prepare(command, &models, head[1], ".", steps, &diags)) return diags_report(&diags);
  command->options.verify.explore = hardware_explore_options(call, NULL);
  command->options.verify.model = families_limits(call, NULL);
  return check_cells(command, &cells);
}

/* Runs that a journal has, or that were done elsewhere, are not done again. */
static int search(struct synth_command *command) {
  struct invocation *call = command->call;
  struct diags diags = diags_new(call->arena);
  struct division division = {.call = call};
  bool divided = division_wanted(call);
  int status = STATUS_LIMIT;
  if (divided && !division_open(call, &division, &diags)) return diags_report(&diags);
  command->options.parts = division.parts;
  const atomic_int *cancel = tests_watch_limits(call);
  command->progress = progress_new(!option_on(call, OPTION_QUIET));
  command->options.verify.explore = hardware_explore_options(call, cancel);
  command->options.verify.model = families_limits(call, cancel);
  struct synth *synth = synth_new(call->arena, &command->options);
  if (divided && (synth_do_parts(synth) || *cancel) && division_ends(&division, *cancel, &status)) return status;
  struct synth_result result = synth_finish(synth);
  struct sweep_files files;
  status = STATUS_LIMIT;
  if (result.complete) {
    if (!sweep_files_open(call, &files, &diags)) return diags_report(&diags);
    status = print_result(command, &result, &files);
    status = status_join(status, sweep_files_close(&files));
  } else {
    fprintf(stderr, "litscope: synth: %s, nothing is certain\n", *cancel ? tests_stop_reason() : "a limit was met");
  }
  return divided ? status_join(status, division_close(&division)) : status;
}

int command_synth(struct invocation *call) {
  struct synth_command command = {.call = call};
  struct diags diags = diags_new(call->arena);
  struct model_set models;
  const char *certificate = option_text(call, OPTION_CHECK);
  if (certificate && synth_target_wrote(certificate)) return synth_target_check(call, certificate);
  if (!certificate && option_given(call, OPTION_TARGET)) return synth_target(call);
  if (certificate) return check_certificate(&command, option_text(call, OPTION_CHECK));
  if (!prepare(&command, &models, option_text(call, OPTION_SYNTH_FAMILY),
               option_given(call, OPTION_CELLS) ? option_text(call, OPTION_CELLS) : ".",
               (unsigned)option_number(call, OPTION_STEPS), &diags))
    return diags_report(&diags);
  return search(&command);
}
