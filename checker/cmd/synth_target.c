/* SPDX-License-Identifier: MIT */
/* `synth -target`: of what a compiler emits for each operation, the cheapest that keeps
 * every program of a family sound, with a certificate: sets of instructions that cannot
 * go together, each with a program that shows it. `-check` runs those programs, and works
 * out again what the cheapest choice is that has one of each set. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/infile.h"
#include "checker/base/outfile.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/cmd/campaign.h"
#include "checker/cmd/command_forms.h"
#include "checker/cmd/family_options.h"
#include "checker/cmd/machine_options.h"
#include "checker/cmd/synth_certificate_format.h"
#include "checker/cmd/synth_command.h"
#include "checker/cmd/synth_prices.h"
#include "checker/program_search/redundant_code.h"
#include "checker/report/search_json.h"

enum { MOST_PRICE = 1000000000 };

static const char CERTIFICATE[] = "litscope-certificate-target 1";

struct target_command {
  struct invocation *call;
  struct hardware hardware;
  const struct target *target;
  const struct cat_model *model;
  const char *model_name;
  pcre2_code *cells; /* NULL: all */
  struct target_code_prices prices;
  struct small_family family;
  struct small_list programs;
  struct compiled_options options;
  const struct target_code_ablation *ablation;
  struct redundancy_options search;
  struct redundancy *redundancy;
  struct redundancy_result result;
};

/* ---- what is asked for ---- */

static int64_t price(void *context, const char *change) {
  const struct target_command *c = context;
  if (c->cells && !synth_cells_match(c->cells, change, strcspn(change, ":"))) return -1;
  return target_code_price(&c->prices, change);
}

static bool read_cells(struct target_command *c, struct diags *diags) {
  const char *pattern = option_text(c->call, OPTION_CELLS);
  if (pattern) c->cells = synth_cells(pattern, diags);
  return !pattern || c->cells;
}

/* Without -model: for compilers OpenCL's own. */
static bool load_model(struct target_command *c, struct diags *diags) {
  struct cat_model *models[LANGUAGES];
  c->model_name = option_text(c->call, OPTION_MODEL);
  if (!c->model_name) c->model_name = "opencl";
  if (!models_load_one(c->call, models, diags)) return false;
  c->model = models[LANG_OPENCL];
  return c->model && models_check_programs(c->call, c->model, c->model_name, LANG_OPENCL, diags);
}

static bool prepare(struct target_command *c, struct diags *diags) {
  struct invocation *call = c->call;
  if (!hardware_load(call, &c->hardware, diags)) return false;
  if (c->hardware.named != 1)
    return diag_fail(diags, "synth takes one target and one compiler, not %zu", c->hardware.named);
  c->target = &c->hardware.at[0];
  if (!load_model(c, diags) || !target_code_prices_load(call, option_text(call, OPTION_COST), &c->prices, diags) ||
      !read_cells(c, diags))
    return false;
  const atomic_int *cancel = tests_watch_limits(call);
  c->options = (struct compiled_options){.model = families_limits(call, cancel),
                                         .explore = hardware_explore_options(call, cancel),
                                         .workers = option_jobs(call),
                                         .by_operation = true};
  return true;
}

static bool load_family(struct target_command *c, const char *name, struct diags *diags) {
  return families_compiled(c->call, name, &c->hardware, &c->family, &c->programs, diags);
}

/* Compiles the family, and finds the programs that are sound. */
static const struct target_code_ablation *emit(const struct target_command *c, const struct small_list *programs,
                                               struct diags *diags) {
  struct arena *arena = c->call->arena;
  const struct target_code_family *judged = target_code_family_new(arena, programs, c->model, &c->options);
  return target_code_ablation_new(arena, judged, c->target, &c->options, 1, diags);
}

/* ---- results ---- */

static bool same_operation(const char *a, const char *b) {
  size_t length = strcspn(a, ":");
  return !strncmp(a, b, length + 1);
}

static void print_result(const struct target_command *c, const struct target_code_ablation *ablation,
                         const struct redundancy_result *r, FILE *out) {
  int64_t all = 0, kept = 0;
  fprintf(out, "Synth %s\nFamily %s\nPrograms %zu\nSound as emitted %zu\n", c->target->name, c->family.name,
          c->programs.count, ablation->count);
  for (size_t i = 0; i < r->element_count; i++) {
    const struct redundancy_element *e = &r->elements[i];
    const char *colon = strchr(e->name, ':');
    if (!i || !same_operation(r->elements[i - 1].name, e->name))
      fprintf(out, "%.*s\n", (int)(colon - e->name), e->name);
    fprintf(out, "  %-8s %4" PRId64 "  %s\n", e->kept ? "needed" : "could go", e->price, colon + 2);
    all += e->price;
    if (e->kept) kept += e->price;
  }
  fprintf(out, "Price %" PRId64 " of %" PRId64 "\nRefuted %zu sets of instructions\nSound\n", kept, all,
          r->refuted_count);
}

/* The options that a certificate holds. */
static const struct synth_option HEAD[] = {{"model", OPTION_MODEL},
                                           {"variant", OPTION_VARIANT},
                                           {"family", OPTION_SYNTH_FAMILY},
                                           {"target", OPTION_TARGET},
                                           {"compiler", OPTION_COMPILER},
                                           {"through", OPTION_COMPILER_INPUT},
                                           {"compiler-option", OPTION_COMPILER_OPTION},
                                           {"place", OPTION_PLACE},
                                           {"knob", OPTION_KNOB},
                                           {"price", OPTION_COST},
                                           {"params", OPTION_PARAMS},
                                           {"cells", OPTION_CELLS}};
enum { HEAD_COUNT = ARRAY_COUNT(HEAD) };

static void write_certificate(const struct target_command *c, const struct target_code_ablation *ablation,
                              const struct redundancy_result *r, const char *path, struct diags *diags) {
  struct outfile file;
  if (outfile_open_named(c->call->arena, path, &file)) {
    FILE *out = file.stream;
    fprintf(out, "%s\n", CERTIFICATE);
    for (unsigned i = 0; i < HEAD_COUNT; i++) {
      const char *value = HEAD[i].id == OPTION_MODEL      ? c->model_name
                          : HEAD[i].id == OPTION_COMPILER ? strchr(c->target->name, '/') + 1
                                                          : synth_words(c->call, HEAD[i].id);
      fprintf(out, "%s %s\n", HEAD[i].word, value);
    }
    fprintf(out, "sweep %zu programs %zu sound\n", c->programs.count, ablation->count);
    for (size_t i = 0; i < r->element_count; i++)
      fprintf(out, "%s %" PRId64 " %s\n", r->elements[i].kept ? "needed" : "gone", r->elements[i].price,
              r->elements[i].name);
    for (size_t k = 0; k < r->refuted_count; k++) {
      fputs("refuted ", out);
      small_print(&c->programs.at[r->refuted[k].program].program, out);
      fputc('\t', out);
      for (size_t i = 0; i < r->refuted[k].count; i++)
        fprintf(out, "%s%s", i ? "; " : "", r->elements[r->refuted[k].elements[i]].name);
      fputc('\n', out);
    }
    fputs("end\n", out);
  }
  outfile_finish(&file, true, diags);
}

static int stopped(const struct target_command *c) {
  fprintf(stderr, "litscope: synth: %s, nothing is certain\n",
          *c->options.explore.cancel ? tests_stop_reason() : "a limit was reached");
  return STATUS_LIMIT;
}

/* ---- searching ---- */

static bool run(void *context, struct parts *parts, struct diags *diags) {
  struct target_command *c = context;
  c->ablation = emit(c, &c->programs, diags);
  if (!c->ablation) return false;
  c->search = (struct redundancy_options){c->ablation, price, c, parts};
  c->redundancy = redundancy_new(c->call->arena, &c->search);
  return redundancy_do_parts(c->redundancy);
}

static bool finish(void *context) {
  struct target_command *c = context;
  c->result = redundancy_finish(c->redundancy);
  return c->result.complete && !*c->options.explore.cancel;
}

/* What was found, everywhere it is wanted. */
static int print(void *context, struct parts *parts, size_t subject, bool stopped, struct result_files *files) {
  const struct target_command *c = context;
  const char *path = option_text(c->call, OPTION_SYNTH_OUTPUT);
  struct diags diags = diags_new(c->call->arena);
  (void)parts;
  (void)subject;
  (void)stopped;
  print_result(c, c->ablation, &c->result, files->out);
  struct redundancy_question question = {c->target->name, c->model_name, c->family.name, &c->programs,
                                         c->ablation->count};
  json_write_redundant_code(result_files_begin_json(files), &question, &c->result);
  result_files_end_json(files);
  if (path) write_certificate(c, c->ablation, &c->result, path, &diags);
  return diags_report(&diags);
}

static int search(struct target_command *c, struct diags *diags) {
  const struct campaign campaign = {
      .context = c, .subjects = 1, .cancel = c->options.explore.cancel, .run = run, .finish = finish, .print = print};
  if (!load_family(c, option_text(c->call, OPTION_SYNTH_FAMILY), diags)) return diags_report(diags);
  return campaign_run(c->call, &campaign);
}

int synth_target(struct invocation *call) {
  struct target_command c = {.call = call};
  struct diags diags = diags_new(call->arena);
  int status = prepare(&c, &diags) ? search(&c, &diags) : diags_report(&diags);
  pcre2_code_free(c.cells);
  return status;
}

/* ---- checking ---- */

struct claims {
  VEC(struct redundancy_element) elements;
  VEC(struct redundancy_refutation) refuted;
  struct small_list programs; /* one for each of those */
  int64_t price;              /* of what is needed */
};

static int find_element(const struct claims *claims, const char *name) {
  return ROW_INDEX(claims->elements.at, claims->elements.count, name, name);
}

static bool read_element(struct arena *arena, struct claims *claims, char *line) {
  char *rest = strchr(line, ' '), *end;
  struct redundancy_element element = {.kept = text_begins(line, "needed ")};
  if (!element.kept && !text_begins(line, "gone ")) return false;
  element.price = strtoll(rest, &end, 10);
  if (end == rest || *end != ' ' || element.price < 0 || element.price > MOST_PRICE) return false;
  element.name = end + 1;
  if (element.kept) claims->price += element.price;
  *vec_push(arena, &claims->elements) = element;
  return true;
}

static bool read_refutation(struct arena *arena, struct claims *claims, char *text) {
  char *names = strchr(text, '\t');
  VEC(size_t) elements = {0};
  struct small_listed listed = {0};
  if (!names) return false;
  *names++ = '\0';
  if (small_read(text, &small_opencl, &listed.program)) return false;
  for (char *name = names, *next; name; name = next) {
    next = strstr(name, "; ");
    if (next) {
      *next = '\0';
      next += 2;
    }
    int element = find_element(claims, name);
    if (element < 0) return false;
    *vec_push(arena, &elements) = (size_t)element;
  }
  *vec_push(arena, &claims->refuted) =
      (struct redundancy_refutation){elements.at, elements.count, claims->programs.count};
  *vec_push(arena, &claims->programs) = listed;
  return true;
}

static bool read_line(struct arena *arena, struct claims *claims, char *line) {
  char *refuted = synth_line_behind(line, "refuted");
  return refuted ? read_refutation(arena, claims, refuted) : read_element(arena, claims, line);
}

static bool read_certificate(struct invocation *call, struct synth_lines *lines, struct claims *claims) {
  enum option_id kept = option_given(call, OPTION_SYNTH_FAMILY) ? OPTION_SYNTH_FAMILY : OPTION_COUNT;
  bool good = synth_lines_head(lines, call, CERTIFICATE, HEAD, HEAD_COUNT, kept) && synth_lines_next(lines) &&
              synth_line_behind(lines->line, "sweep");
  while (good && (good = synth_lines_next(lines)) && strcmp(lines->line, "end") != 0)
    good = read_line(call->arena, claims, lines->line);
  return good;
}

bool synth_target_wrote(const char *path) {
  char line[sizeof CERTIFICATE + 1] = "";
  FILE *in = infile_open(path);
  bool is_ours = in && fgets(line, sizeof line, in) && !strncmp(line, CERTIFICATE, sizeof CERTIFICATE - 1);
  if (in) fclose(in);
  return is_ours;
}

/* Is each set refuted by its program, and what is needed the cheapest that has one of each? */
static int check_claims(struct target_command *c, struct claims *claims, struct diags *diags) {
  const struct target_code_ablation *ablation = emit(c, &claims->programs, diags);
  if (!ablation) return diags_report(diags);
  for (size_t k = 0; k < claims->refuted.count; k++) {
    if (redundancy_refutes(ablation, claims->elements.at, &claims->refuted.at[k])) continue;
    if (*c->options.explore.cancel) return stopped(c);
    printf("Not refuted by %s: %s\n", small_text(c->call->arena, &claims->programs.at[k].program),
           claims->elements.at[claims->refuted.at[k].elements[0]].name);
    return STATUS_DIFFERS;
  }
  ARRAY_EACH (const struct redundancy_element, element, claims->elements.at, claims->elements.count) {
    if (element->price == target_code_price(&c->prices, element->name)) continue;
    printf("Not its price: %s: %" PRId64 "\n", element->name, element->price);
    return STATUS_DIFFERS;
  }
  int64_t least =
      redundancy_choose(claims->elements.at, claims->elements.count, claims->refuted.at, claims->refuted.count);
  if (least != claims->price) {
    printf("Not the least price: %" PRId64 ", but %" PRId64 "\n", claims->price, least);
    return STATUS_DIFFERS;
  }
  printf("Certificate holds: %zu sets refuted, price %" PRId64 "\n", claims->refuted.count, claims->price);
  return STATUS_DONE;
}

/* What is to go, in the programs of another family. */
static bool is_gone(const void *set, const char *change) {
  const struct claims *claims = set;
  int element = find_element(claims, change);
  return element >= 0 && !claims->elements.at[element].kept;
}

static int check_family(struct target_command *c, const struct claims *claims, struct diags *diags) {
  if (!load_family(c, option_text(c->call, OPTION_SYNTH_FAMILY), diags)) return diags_report(diags);
  const struct target_code_ablation *ablation = emit(c, &c->programs, diags);
  if (!ablation) return diags_report(diags);
  struct explorer *explorer = explorer_new();
  size_t unsound = 0, first = 0;
  bool decided = true;
  for (size_t i = 0; i < ablation->count && decided; i++) {
    enum ablation_answer answer = ablation_without(ablation, ablation->programs[i], is_gone, claims, explorer);
    decided = answer != ABLATION_UNDECIDED && !*c->options.explore.cancel;
    if (answer != ABLATION_SOUND && !unsound++) first = ablation->programs[i];
  }
  explorer_free(explorer);
  if (!decided) return stopped(c);
  printf("Without what can be left out, on %s: of %zu sound programs %zu unsound", c->family.name, ablation->count,
         unsound);
  if (unsound) printf(", such as %s", small_text(c->call->arena, &c->programs.at[first].program));
  putchar('\n');
  return unsound ? STATUS_DIFFERS : STATUS_DONE;
}

int synth_target_check(struct invocation *call, const char *path) {
  struct target_command c = {.call = call};
  struct claims claims = {.price = 0};
  struct diags diags = diags_new(call->arena);
  bool held_out = option_given(call, OPTION_SYNTH_FAMILY);
  struct synth_lines lines;
  if (!synth_lines_open(call, path, &lines, &diags)) return diags_report(&diags);
  if (!read_certificate(call, &lines, &claims)) return synth_lines_refuse(&lines, &diags);
  if (!prepare(&c, &diags)) return diags_report(&diags);
  int status = held_out ? check_family(&c, &claims, &diags) : STATUS_DONE;
  status = status_join(status, check_claims(&c, &claims, &diags));
  pcre2_code_free(c.cells);
  return status;
}
