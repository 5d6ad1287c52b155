/* SPDX-License-Identifier: MIT */
/* Tests from cycles of relations: each cycle with every choice of orders, scopes and
 * scope trees that is asked for, once up to symmetry. */
#include <string.h>

#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/cmd/command_forms.h"
#include "checker/cmd/family_options.h"
#include "checker/program_search/cycle.h"
#include "checker/small_programs/small_language_words.h"
#include "checker/small_programs/small_program_text.h"

struct choice {
  char scope, order;
};

struct cycles {
  struct invocation *call;
  struct cycle cycle;
  struct small_family wanted; /* its orders, scopes, language */
  struct choice accesses[32], fences[32];
  unsigned access_count, fence_count;
  struct small_places places;
  VEC(struct small_code) seen; /* of the cycle */
  struct model_set models;
  struct judge_model *judges;
  struct test_folder folder;
  bool is_pattern;   /* the cycle that is made stands for several */
  const char *fault; /* of those the first that is none, and why */
  bool writes;
  struct enumerate_options limits;
  struct diags *diags;
  size_t tests;
};

/* ---- choices ---- */

static void list_choices(struct cycles *c) {
  static const struct {
    unsigned bit;
    char letter;
  } SCOPES[] = {{SMALL_WG, 'w'}, {SMALL_QF, 'q'}, {SMALL_DEV, 'd'}, {SMALL_SYS, 's'}},
    ORDERS[] = {{SMALL_RLX, 'r'}, {SMALL_RA, 0}, {SMALL_SC, 'c'}};
  const struct small_language *language = c->wanted.language;
  unsigned scopes = c->wanted.scopes ? c->wanted.scopes : SMALL_DEV;
  if (c->wanted.orders & SMALL_NA) c->accesses[c->access_count++] = (struct choice){'n', 0};
  for (unsigned s = 0; s < 4; s++) {
    bool scoped = small_is_scoped(language);
    if (scoped ? !(scopes & SCOPES[s].bit) : s > 0) continue;
    for (int remote = 0; remote <= (c->wanted.remote && strchr("ds", SCOPES[s].letter)); remote++)
      for (unsigned o = 0; o < 3; o++) {
        char letter = !scoped ? 'a' : remote ? (SCOPES[s].letter == 'd' ? 'D' : 'S') : SCOPES[s].letter;
        struct choice choice = {letter, ORDERS[o].letter};
        bool strongest = ORDERS[o].bit == (small_has_order(language, 'F', 'c') ? SMALL_SC : SMALL_RA);
        if (strongest || (c->wanted.orders & SMALL_RA && ORDERS[o].bit == SMALL_RA))
          c->fences[c->fence_count++] = choice;
        if (!(c->wanted.orders & ORDERS[o].bit)) continue;
        if (ORDERS[o].bit == SMALL_SC && !small_has_order(language, 'W', 'c')) continue;
        c->accesses[c->access_count++] = choice;
      }
  }
}

/* ---- tests ---- */

static bool is_new(struct cycles *c) {
  struct small_code code = small_canonical(&c->cycle.program);
  for (size_t i = 0; i < c->seen.count; i++)
    if (!memcmp(&c->seen.at[i], &code, sizeof code)) return false;
  *vec_push(c->call->arena, &c->seen) = code;
  return true;
}

/* diy's name; what the accesses are after it, where there is a choice. */
static const char *name_of(struct cycles *c) {
  struct arena *arena = c->call->arena;
  bool plain = c->access_count == 1 && c->fence_count <= 1 && c->places.apart && c->wanted.classes < 2;
  if (plain) return c->cycle.name;
  const char *ops = small_name(arena, &c->cycle.program), *at = ops;
  /* The shape's name is there already. */
  for (const char *dash = strchr(ops, '-'); dash && !strncmp(c->cycle.name, ops, (size_t)(dash - ops)); dash = NULL)
    at = dash + 1;
  return arena_printf(arena, "%s-%s", c->cycle.name, at);
}

static bool emit(void *context) {
  struct cycles *c = context;
  if (!is_new(c)) return true;
  struct telling_test test = {.program = &c->cycle.program, .name = name_of(c), .condition = c->cycle.condition};
  c->tests++;
  if (c->writes) return test_folder_add(&c->folder, &test, c->judges, c->models.count, &c->limits, c->diags);
  printf("%-40s  ", test.name);
  small_print(test.program, stdout);
  printf("  %s\n", test.condition);
  return true;
}

static bool choose(struct cycles *c, unsigned t, unsigned i) {
  struct small_program *p = &c->cycle.program;
  if (t == p->threads || t >= SMALL_THREADS) return small_place(&c->places, p);
  if (i == p->count[t]) return choose(c, t + 1, 0);
  bool fence = p->ops[t][i].kind == 'F';
  const struct choice *choices = fence ? c->fences : c->accesses;
  for (unsigned k = 0; k < (fence ? c->fence_count : c->access_count); k++) {
    p->ops[t][i].scope = choices[k].scope;
    p->ops[t][i].order = choices[k].order;
    if (!choose(c, t, i + 1)) return false;
  }
  return true;
}

/* The locations after the first in each of the classes. */
static bool choose_classes(struct cycles *c) {
  struct small_program *p = &c->cycle.program;
  unsigned locations = 1, ways;
  for (unsigned t = 0; t < p->threads; t++)
    for (unsigned i = 0; i < p->count[t]; i++)
      if (small_is_access(&p->ops[t][i]) && p->ops[t][i].location >= locations) locations = p->ops[t][i].location + 1u;
  ways = c->wanted.classes > 1 ? 1u << (locations - 1) : 1;
  for (unsigned way = 0; way < ways; way++) {
    for (unsigned x = 1; x < locations; x++) p->class[x] = way >> (x - 1) & 1;
    if (!choose(c, 0, 0)) return false;
  }
  return true;
}

/* ---- what is asked for ---- */

static bool has_address_dependency(const struct small_program *p) {
  for (unsigned t = 0; t < p->threads; t++)
    for (unsigned i = 0; i < p->count[t]; i++)
      if (p->ops[t][i].dependency == '&') return true;
  return false;
}

static bool add_cycle(struct cycles *c, const char *text) {
  const char *fault = cycle_read(c->call->arena, text, &c->cycle);
  if (fault && c->is_pattern) {
    if (!c->fault) c->fault = arena_printf(c->call->arena, "%s: %s", text, fault);
    return false;
  }
  if (fault) return diag_fail(c->diags, "cycle '%s': %s", text, fault);
  c->cycle.program.language = c->wanted.language;
  if (!c->wanted.language->addresses && has_address_dependency(&c->cycle.program))
    return diag_fail(c->diags, "cycle '%s': tests in %s have no addresses that depend on what was read", text,
                     litmus_language_word(c->wanted.language->tests));
  return choose_classes(c);
}

static void visit(void *context, const char *text) {
  struct cycles *c = context;
  if (!c->is_pattern) c->seen.count = 0;
  if (!c->diags->errors) add_cycle(c, text);
}

/* A cycle, or all that one with wildcards stands for: what is none of these is left out. */
static void add_pattern(struct cycles *c, const char *text) {
  size_t tests = c->tests;
  c->is_pattern = strchr(text, '*') != NULL;
  c->seen.count = 0;
  c->fault = NULL;
  if (!c->is_pattern) {
    add_cycle(c, text);
    return;
  }
  const char *fault = cycle_expand(c->call->arena, text, visit, c);
  c->is_pattern = false;
  if (!fault && c->tests == tests) fault = c->fault ? c->fault : "no choice of directions fits together";
  if (fault && !c->diags->errors) diag_fail(c->diags, "cycle '%s': %s", text, fault);
}

/* Edges separated by commas or spaces. */
static void read_words(struct cycles *c, enum option_id id, const char *initial, struct cycle_words *words) {
  struct arena *arena = c->call->arena;
  const char *given = option_text(c->call, id);
  for (const char **edge = text_split(arena, given ? given : initial, ", ", NULL); *edge; edge++)
    if (!cycle_words_add(arena, *edge, words))
      diag_fail(c->diags, "option -%s: no edge is as '%s' says", option_table[id].name, *edge);
}

static void add_all(struct cycles *c, unsigned edges) {
  struct cycle_words safe = {0}, relax = {0};
  read_words(c, OPTION_SAFE, "Pod** Rfe Fre Coe", &safe);
  read_words(c, OPTION_RELAX, "", &relax);
  if (!c->diags->errors) cycle_each(edges, &safe, &relax, visit, c);
}

/* -orders, -scopes, -classes and the language are words of a family: read as one. */
static bool read_choices(struct cycles *c) {
  struct invocation *call = c->call;
  const char *orders = option_text(call, OPTION_ORDERS), *scopes = option_text(call, OPTION_SCOPES);
  bool remote = scopes && strstr(scopes, "+remote");
  if (remote) {
    char *copy = arena_strdup(call->arena, scopes);
    *strstr(copy, "+remote") = '\0';
    scopes = copy;
  }
  const char *family = arena_printf(call->arena, "2x2,fences,orders=%s%s%s%s", orders ? orders : "rlx",
                                    scopes ? ",scopes=" : "", scopes ? scopes : "", remote ? ",remote" : "");
  const struct small_language *language = scopes ? &small_opencl : &small_c;
  const char *named = option_text(call, OPTION_LANGUAGE), *classes = option_text(call, OPTION_CLASSES);
  if (named) family = arena_printf(call->arena, "%s,language=%s", family, named);
  if (classes) family = arena_printf(call->arena, "%s,classes=%s", family, classes);
  if (!small_family_read(call->arena, family, "-orders, -scopes, -classes or -language", language, &c->wanted,
                         c->diags))
    return false;
  bool scoped = small_is_scoped(c->wanted.language);
  c->places = (struct small_places){.apart = !scoped || option_is(call, OPTION_TREES, "apart"),
                                    .together = option_is(call, OPTION_TREES, "same"),
                                    .clusters = c->wanted.clusters,
                                    .devices = scoped && option_is(call, OPTION_TREES, "devices") ? SMALL_THREADS : 1,
                                    .visit = emit,
                                    .context = c};
  list_choices(c);
  return true;
}

static bool read_models(struct cycles *c) {
  if (!option_given(c->call, OPTION_MODEL)) return true;
  if (!models_load(c->call, &c->models, c->diags)) return false;
  c->judges = ARENA_ARRAY(c->call->arena, struct judge_model, c->models.count);
  for (size_t i = 0; i < c->models.count; i++)
    if (!models_check_programs(c->call, c->models.at[i].model, c->models.at[i].name, c->wanted.language->tests,
                               c->diags))
      return false;
  for (size_t i = 0; i < c->models.count; i++) c->judges[i] = models_judge(c->call, &c->models.at[i]);
  return true;
}

int gen_cycles(struct invocation *call) {
  struct diags diags = diags_new(call->arena);
  struct cycles c = {.call = call, .diags = &diags, .limits = families_limits(call, NULL)};
  const char *folder = option_text(call, OPTION_OUTPUT);
  c.writes = folder != NULL;
  if (option_given(call, OPTION_MODEL) && !folder)
    diag_fail(&diags, "option -model: its answers go to the folder of the tests (-o DIR)");
  if (diags.errors || !read_choices(&c) || !read_models(&c)) return diags_report(&diags);
  if (folder && !test_folder_open(call, folder, &c.folder, &diags)) return diags_report(&diags);
  size_t count = call->values[OPTION_CYCLE].count;
  for (size_t i = 0; i < count && !diags.errors; i++) add_pattern(&c, call->values[OPTION_CYCLE].at[i]);
  unsigned edges = (unsigned)option_number(call, OPTION_CYCLES);
  if (edges && !diags.errors) add_all(&c, edges);
  if (folder) test_folder_close(&c.folder, !diags.errors, &diags);
  printf("Tests %zu\n", c.tests);
  return diags_report(&diags);
}
