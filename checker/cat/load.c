/* SPDX-License-Identifier: MIT */
/* Loading a model: its statements are run symbolically, and what only a
 * candidate decides is left to the interpreter. */
#include <string.h>
#include <strings.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/cat/bell.h"
#include "checker/cat/drop_unused_nodes.h"
#include "checker/cat/find_models.h"
#include "checker/cat/match_if_try.h"
#include "checker/cat/naming_conventions.h"
#include "checker/cat/one_event_rmw.h"
#include "checker/cat/rmw_atomicity.h"
#include "checker/cat/run_statements.h"

/* Far above any model; a model that needs more is one that expands without end. */
enum { STEP_LIMIT = 300000 };

struct loader {
  struct runner runner;
  struct eval eval;
  struct arena *arena;
  const struct cat_search *search;
  struct diags *diags;
  struct cat_ast *ast;
  struct cat_ir *ir;
  const struct file *bell; /* NULL: none */
  struct bell declared;
  bool legacy;                  /* a file has words of the 2015 herd */
  bool open;                    /* some value is not known: ast->resume is set */
  bool tells;                   /* what is chosen is a leaf as others are */
  VEC(struct cat_check) checks; /* nodes in the full graph */
  VEC(struct cat_hint) hints;
  VEC(struct cat_choice) choices;
  VEC(struct cat_show) shows;
  bool ordered_all; /* `with co from generate_cos(...)`, or a file that has it */
  uint32_t ordered; /* the writes of which alone it chooses an order, and the order; 0: none */
  uint32_t chosen;
};

/* ---- files ----------------------------------------------------------- */

static void report_missing_model(struct loader *loader, const char *name) {
  const char *near = find_suggestion(loader->arena, loader->search, name);
  const char *hint = near ? suggest_hint(loader->arena, near) : " (-I DIR and LITSCOPE_LIB name folders to search)";
  diag_fail(loader->diags, "cannot find the model '%s'%s", name, hint);
}

static const struct file *read_file(struct loader *loader, const char *path) {
  struct source *source = source_read(loader->arena, path, loader->diags);
  const struct file *file = source ? cat_parse(loader->arena, &loader->ast->symbols, source, loader->diags) : NULL;
  loader->legacy |= file && file->legacy;
  return file;
}

/* ---- includes -------------------------------------------------------- */

static const char *chain_text(struct arena *arena, const struct chain *chain, const char *path) {
  const char *text = path;
  for (; chain; chain = chain->parent) {
    text = arena_printf(arena, "%s -> %s", chain->path, text);
    if (find_is_same_file(chain->path, path)) break;
  }
  return text;
}

static const struct file *include_file(struct runner *runner, const struct run_state *state,
                                       const struct statement *statement, bool *skip) {
  struct loader *loader = runner->context;
  const char *text = builtins_file_text(statement->path);
  if (text && *statement->file) return *statement->file; /* run before: for programs without annotations, say */
  if (text) {
    const struct source *source = source_from_text(loader->arena, statement->path, text, strlen(text));
    return *statement->file = cat_parse(loader->arena, &loader->ast->symbols, source, loader->diags);
  }
  const char *path = find_include(loader->arena, loader->search, statement->source->name, statement->path);
  if (!path) {
    *skip = builtins_have_file(statement->path);
    if (!*skip)
      diag_error(loader->diags, statement->source, statement->span, "cannot find the file '%s' to include",
                 statement->path);
    loader->ordered_all |= builtins_file_chooses_co(statement->path);
    return NULL;
  }
  for (const struct chain *chain = state->chain; chain; chain = chain->parent) {
    if (!find_is_same_file(chain->path, path)) continue;
    diag_error(loader->diags, statement->source, statement->span, "this include is circular: %s",
               chain_text(loader->arena, state->chain, path));
    return NULL;
  }
  if (!*statement->file) *statement->file = read_file(loader, path);
  return *statement->file;
}

/* Reads the includes that the interpreter may meet in statements that were not run. */
static void prepare_includes(struct loader *loader, const struct chain *chain, const struct statement *const *at,
                             unsigned count) {
  for (unsigned i = 0; i < count && !loader->runner.failed; i++) {
    const struct statement *statement = at[i];
    if (statement->kind == STMT_INCLUDE && !*statement->file) {
      const struct run_state state = {.chain = chain};
      bool skip = false;
      const struct file *file = include_file(&loader->runner, &state, statement, &skip);
      loader->runner.failed |= !file && !skip;
      if (!file) continue;
      const struct chain inner = {file, file->source->name, chain};
      prepare_includes(loader, &inner, file->body.at, file->body.count);
    }
    for (unsigned c = 0; c < statement->clause_count; c++)
      prepare_includes(loader, chain, statement->clauses[c].statements, statement->clauses[c].statement_count);
    bool holds = statement->kind != STMT_IF || eval_variants(&loader->eval, statement->condition);
    const struct block *block = holds ? &statement->body : &statement->other;
    prepare_includes(loader, chain, block->at, block->count);
  }
}

/* ---- what only a candidate decides ----------------------------------- */

/* Marks where the interpreter would take over: just before the statement that
 * was taken last, the first one that leaves something open. */
static void mark_resume(struct loader *loader, const struct run_state *state) {
  if (loader->open) return;
  loader->open = true;
  loader->ast->resume = *state;
  loader->ast->resume.at--;
  loader->ast->resume.remaining++;
  loader->ast->early_count = (unsigned)loader->checks.count;
}

/* A check or choice needs what is open. */
static void mark_dynamic(struct loader *loader, const struct run_state *state) {
  mark_resume(loader, state);
  loader->ir->dynamic = true;
}

static void note_later(struct runner *runner, const struct run_state *state) {
  mark_resume(runner->context, state);
}

static bool add_check(struct runner *runner, struct run_state *state, const struct cat_check *check, bool known) {
  struct loader *loader = runner->context;
  struct cat_check *added;
  if (known && (loader->tells || !graph_is_chosen(&loader->ast->graph, check->node))) {
    *vec_push(loader->arena, &loader->checks) = *check;
    return true;
  }
  mark_dynamic(loader, state);
  if (known && check->role == ROLE_REQUIRE)
    *vec_push(loader->arena, &loader->hints) = (struct cat_hint){(uint32_t)loader->checks.count, *check};
  /* In its place one that always holds, so that the check can be named. */
  added = vec_push(loader->arena, &loader->checks);
  *added = *check;
  added->kind = CHECK_EMPTY;
  added->negated = check->role == ROLE_FLAG;
  added->node = graph_empty(&loader->ast->graph, CAT_REL);
  return true;
}

/* A match or forall over something unknown: what follows a forall does not see
 * its body, but a match may bind anything. */
static bool skip_undecided(struct runner *runner, const struct run_state *state, const struct statement *statement,
                           bool *stop) {
  struct loader *loader = runner->context;
  mark_dynamic(loader, state);
  *stop = statement->kind == STMT_MATCH;
  if (statement->kind == STMT_FORALL) prepare_includes(loader, state->chain, statement->body.at, statement->body.count);
  if (!*stop) return true;
  prepare_includes(loader, state->chain, state->at - 1, state->remaining + 1);
  for (const struct run_frame *frame = state->below; frame; frame = frame->below)
    prepare_includes(loader, frame->chain, frame->at, frame->remaining);
  return true;
}

/* ---- coherence orders ------------------------------------------------ */

static const struct cat_node *ir_node(const struct loader *loader, uint32_t node) {
  return &graph_at(&loader->ast->graph, node)->ir;
}

/* Is the set contained in W, by its form? */
static bool within_writes(struct loader *loader, uint32_t set) {
  const struct cat_node *ir = ir_node(loader, set);
  if (set == predefined_base(&loader->eval, BASE_W)) return true;
  switch (ir->op) {
    case CAT_BASE:
      return ir->base == BASE_W || ir->base == BASE_IW || ir->base == BASE_FW;
    case CAT_INTER:
      return within_writes(loader, ir->a) || within_writes(loader, ir->b);
    case CAT_UNION:
      return within_writes(loader, ir->a) && within_writes(loader, ir->b);
    case CAT_DIFF:
      return within_writes(loader, ir->a);
    case CAT_EMPTY:
      return true;
    default:
      return false;
  }
}

/* co0 says only that initial writes come first and final ones last, which the
 * engine's coherence orders keep anyway. */
static bool is_trivial_order(struct loader *loader, uint32_t order) {
  static const char text[] = "loc & ((IW * (W \\ IW)) | ((W \\ FW) * FW))";
  struct eval *e = &loader->eval;
  if (ir_node(loader, order)->op == CAT_EMPTY) return true;
  const struct source *source = source_from_text(loader->arena, "(predefined)", text, strlen(text));
  const struct exp *exp = cat_parse_expression(loader->arena, &loader->ast->symbols, source, loader->diags);
  const struct value *co0 = exp ? eval_exp(e, NULL, exp) : NULL;
  return co0 && co0->node == order;
}

/* Is it made of sets that are the same whatever an execution chooses? */
static bool is_given(struct loader *loader, uint32_t set) {
  const struct cat_node *ir = ir_node(loader, set);
  if (ir->op == CAT_EMPTY || (ir->op == CAT_BASE && ir->base != BASE_FW)) return true;
  if (ir->op == CAT_COMPL) return is_given(loader, ir->a);
  if (ir->op == CAT_DOMAIN || ir->op == CAT_RANGE) return ir->a == graph_base(&loader->ast->graph, BASE_RMW, NULL);
  return (ir->op == CAT_UNION || ir->op == CAT_INTER || ir->op == CAT_DIFF) && is_given(loader, ir->a) &&
         is_given(loader, ir->b);
}

/* with co from generate_cos(order): the engine chooses co for every model, so
 * what is left is that co agrees with the order. */
static const struct value *choose_coherence(struct loader *loader, const struct statement *statement,
                                            const struct value *orders) {
  struct graph *graph = &loader->ast->graph;
  struct eval *e = &loader->eval;
  if (ir_node(loader, orders->node)->op == CAT_EMPTY) return value_node(e, graph_empty(graph, CAT_REL));
  uint32_t co = predefined_base(e, BASE_CO);
  uint32_t square = graph_binary(graph, CAT_CROSS, orders->node, orders->node);
  if (!is_trivial_order(loader, orders->order)) {
    uint32_t wanted =
        graph_binary(graph, CAT_INTER, graph_unary(graph, CAT_PLUS, orders->order), predefined_base(e, BASE_LOC));
    wanted = graph_binary(graph, CAT_INTER, wanted, square);
    struct cat_check check = {.kind = CHECK_IRREFLEXIVE,
                              .role = ROLE_REQUIRE,
                              .node = graph_binary(graph, CAT_SEQ, wanted, predefined_unary(e, CAT_OPT, co)),
                              .name = arena_printf(loader->arena, "%s-order", statement->symbol->text),
                              .span = statement->span,
                              .source = statement->source};
    *vec_push(loader->arena, &loader->checks) = check;
  }
  bool all = orders->node == predefined_base(e, BASE_W);
  loader->ordered_all |= all || loader->ordered || !is_given(loader, orders->node);
  loader->ordered = orders->node;
  loader->chosen = all ? co : graph_binary(graph, CAT_INTER, co, square);
  return value_node(e, loader->chosen);
}

/* What is chosen from can be said: true, with *choice filled but for its node. */
static bool can_tell(const struct loader *loader, const struct value *value, struct cat_choice *choice) {
  if (!loader->tells || value->by_location) return false;
  *choice = (struct cat_choice){.orders = value->kind == VALUE_ORDERS};
  choice->a = value->node;
  if (choice->orders) choice->b = value->order;
  return choice->orders || value->firsts;
}

static const struct value *choose_value(struct runner *runner, struct run_state *state,
                                        const struct statement *statement, const struct value *value) {
  struct loader *loader = runner->context;
  bool known = value->kind == VALUE_ORDERS && !graph_is_chosen(&loader->ast->graph, value->node) &&
               !graph_is_chosen(&loader->ast->graph, value->order);
  if (known && value->by_location && within_writes(loader, value->node))
    return choose_coherence(loader, statement, value);
  if (value->kind == VALUE_ORDERS || value->of_relations) { /* so the types of what follows can be checked */
    struct cat_choice choice;
    uint32_t leaf = graph_leaf(&loader->ast->graph, CAT_REL, NULL);
    if (can_tell(loader, value, &choice)) {
      choice.node = leaf;
      *vec_push(loader->arena, &loader->choices) = choice;
    } else {
      mark_dynamic(loader, state);
    }
    return value_node(&loader->eval, leaf);
  }
  if (value->kind == VALUE_SET && value->count == 1) return value->items[0]; /* no choice */
  switch (value->kind) {
    case VALUE_NONE:
    case VALUE_SET:
    case VALUE_CLASSES:
    case VALUE_PARTS:
    case VALUE_LATER:
      mark_dynamic(loader, state);
      return value_of_kind(&loader->eval, VALUE_LATER);
    default:
      diag_error(loader->diags, statement->exp->source, statement->exp->span, "expected a set of values, found %s",
                 value_describe(&loader->eval, value));
      runner->failed = true;
      return NULL;
  }
}

/* ---- shows ----------------------------------------------------------- */

static void add_show(struct runner *runner, const struct run_state *state, const struct statement *statement,
                     unsigned name, const struct value *value) {
  (void)state;
  struct loader *loader = runner->context;
  const char *label = statement->kind == STMT_SHOW_AS ? statement->symbol->text : statement->names[name]->text;
  size_t kept = 0;
  for (size_t i = 0; i < loader->shows.count; i++)
    if (strcmp(loader->shows.at[i].name, label) != 0) loader->shows.at[kept++] = loader->shows.at[i];
  loader->shows.count = kept;
  if (value && value->kind == VALUE_NODE && !graph_is_chosen(&loader->ast->graph, value->node))
    *vec_push(loader->arena, &loader->shows) = (struct cat_show){label, value->node};
}

/* ---- the model ------------------------------------------------------- */

static void finish(struct runner *runner, const struct run_state *state) {
  (void)runner;
  (void)state;
}

/* Does the model look at the order of writes that an execution has?  What is left to the
 * interpreter may do so. */
static bool asks_of_order(const struct loader *loader) {
  const struct graph *graph = &loader->ast->graph;
  for (uint32_t i = 0; i < graph->count; i++) {
    const struct cat_node *node = &graph_at(graph, i)->ir;
    if (node->op == CAT_BASE && (node->base == BASE_CO || node->base == BASE_FR)) return true;
  }
  return loader->ir->dynamic;
}

/* Does the model look at co beyond the order that it chooses of some writes? */
static bool looks_further(const struct loader *loader) {
  const struct graph *graph = &loader->ast->graph;
  const struct cat_ir *ir = loader->ir;
  bool *used = ARENA_ARRAY(loader->arena, bool, graph->count);
  uint32_t *stack = ARENA_ARRAY(loader->arena, uint32_t, graph->count);
  if (loader->chosen) used[loader->chosen] = true; /* and so what it is made of is skipped */
  for (uint32_t i = 0; i < ir->check_count; i++) graph_mark(graph, used, stack, ir->checks[i].node);
  for (uint32_t i = 0; i < graph->count; i++) {
    const struct cat_node *node = ir_node(loader, i);
    if (used[i] && node->op == CAT_BASE && (node->base == BASE_CO || node->base == BASE_FR)) return true;
  }
  return false;
}

/* Words of -variant that every model has a use for: how many events a
 * read-modify-write is. */
static const char *const RMW_WORDS[] = {"normw", "onermw", "rmw-if-mentioned"};

/* Definitions and flags do not decide: see rmw_atomicity.h. */
static bool forbids_lost_update(const struct loader *loader) {
  const struct graph *graph = &loader->ast->graph;
  if (atomicity_demanded(graph, loader->checks.at, loader->checks.count, loader->arena)) return true;
  for (size_t i = 0; i < loader->hints.count; i++)
    if (atomicity_demanded(graph, &loader->hints.at[i].axiom, 1, loader->arena)) return true;
  return false;
}

/* The model speaks of `rmw`, which is empty if its read-modify-writes are one event. */
static void warn_of_empty_rmw(const struct loader *loader) {
  const struct graph *graph = &loader->ast->graph;
  const struct cat_check *check = atomicity_mentioned(graph, loader->checks.at, loader->checks.count, loader->arena);
  if (!check) return;
  diag_warning(loader->diags, check->source, check->span,
               "this check uses `rmw`, but a read-modify-write is one event here and `rmw` is empty, since no check "
               "forbids that a write comes between its halves (as `empty rmw & (fre; coe)` does); -variant normw: two "
               "events, onermw: one, without this warning");
}

/* Does the model take a read-modify-write for one event, both read and write?
 * It is one in C and OpenCL, for herd7 and the 2015 herd, and so in every model
 * that leaves its atomicity to the tool; two events are for models that forbid
 * themselves that a write comes between them, as Dat3M's do, and for those of the
 * Linux kernel, which herd7 has two events for. */
static bool wants_one_event(const struct loader *loader) {
  if (eval_has_variant(&loader->eval, "normw")) return false;
  if (loader->legacy || eval_has_variant(&loader->eval, "onermw")) return true;
  if (eval_has_variant(&loader->eval, "rmw-if-mentioned")) return !loader->eval.rmw_relation || !asks_of_order(loader);
  if (loader->bell || forbids_lost_update(loader)) return false;
  warn_of_empty_rmw(loader);
  return true;
}

static void start(struct loader *loader, bool one_event, bool plain) {
  struct cat_ast *ast = loader->ast;
  ast->graph = graph_new(loader->arena, NULL);
  ast->defined = ARENA_ARRAY(loader->arena, const struct value *, builtins_defined_count());
  ast->views = one_event ? ARENA_ARRAY(loader->arena, uint32_t, BASE_COUNT) : NULL;
  loader->ir->dynamic = loader->open = loader->ordered_all = false;
  loader->ordered = loader->chosen = 0;
  loader->checks.count = loader->hints.count = loader->shows.count = loader->choices.count = 0;
  loader->declared.instructions.count = 0;
  loader->eval = (struct eval){.arena = loader->arena,
                               .graph = &ast->graph,
                               .symbols = &ast->symbols,
                               .diags = loader->diags,
                               .variants = loader->search->variants,
                               .variant_count = loader->search->variant_count,
                               .defined = ast->defined,
                               .views = ast->views,
                               .legacy = loader->legacy,
                               .plain = plain,
                               .bell = &loader->declared,
                               .step_limit = STEP_LIMIT};
  loader->runner = (struct runner){.eval = &loader->eval,
                                   .context = loader,
                                   .check = add_check,
                                   .choose = choose_value,
                                   .undecided = skip_undecided,
                                   .later = note_later,
                                   .include = include_file,
                                   .show = add_show,
                                   .finish = finish};
}

/* What the 2015 herd's `withsc` stands for. */
static const struct file *sc_order(struct loader *loader) {
  static const char text[] = "with S from linearisations(memory_order_seq_cst, 0)";
  const struct source *source = source_from_text(loader->arena, "withsc", text, strlen(text));
  return cat_parse(loader->arena, &loader->ast->symbols, source, loader->diags);
}

/* The state in which a file's statements come before what is left to run. */
static struct run_state run_before(struct loader *loader, const struct file *file, const struct chain *chain,
                                   const struct run_state *rest) {
  struct run_frame *frame = ARENA_MAKE(loader->arena, struct run_frame, .at = rest->at, .remaining = rest->remaining,
                                       .chain = rest->chain, .below = rest->below);
  return (struct run_state){.at = file->body.at, .remaining = file->body.count, .chain = chain, .below = frame};
}

/* Runs the model symbolically.  False after an error. */
static bool compile(struct loader *loader, const struct file *file, const char *path, bool one_event, bool plain) {
  start(loader, one_event, plain);
  struct chain *chain = ARENA_MAKE(loader->arena, struct chain, file, path, NULL);
  struct run_state state = {.at = file->body.at, .remaining = file->body.count, .chain = chain};
  if (file->with_sc) state = run_before(loader, sc_order(loader), chain, &state);
  if (loader->bell) {
    struct chain *inner = ARENA_MAKE(loader->arena, struct chain, loader->bell, loader->bell->source->name, chain);
    state = run_before(loader, loader->bell, inner, &state);
  }
  run_from(&loader->runner, state);
  return !loader->runner.failed;
}

/* Fills the model from what running it has left. */
static void finish_model(struct loader *loader, struct cat_model *model, const struct file *file) {
  struct cat_ir *ir = loader->ir;
  struct cat_ast *ast = loader->ast;
  size_t checks = loader->checks.count;
  model->ast = ast;
  model->variants = loader->search->variants;
  model->variant_count = loader->search->variant_count;
  for (size_t i = 0; i < ARRAY_COUNT(RMW_WORDS); i++) *vec_push(loader->arena, &ast->symbols.variants) = RMW_WORDS[i];
  *vec_push(loader->arena, &ast->symbols.variants) = NULL;
  model->known_variants = ast->symbols.variants.at;
  model->instructions = loader->declared.instructions.at;
  model->instruction_count = loader->declared.instructions.count;
  ir->title = file->title;
  ir->co = file->without_co ? CO_NONE : CO_TOTAL;
  ast->early = loader->checks.at;
  if (!ir->dynamic) ast->early_count = (unsigned)checks;
  ir->check_count = (uint32_t)checks;
  ir->checks = ARENA_COPY(loader->arena, struct cat_check, loader->checks.at, checks);
  ir->hints = loader->hints.at;
  ir->hint_count = (uint32_t)loader->hints.count;
  ir->choices = loader->choices.at;
  ir->choice_count = (uint32_t)loader->choices.count;
  ir->shows = loader->shows.at;
  ir->show_count = (uint32_t)loader->shows.count;
  ir->orders_all = ir->dynamic || loader->legacy || loader->ordered_all || looks_further(loader);
  ir->ordered = loader->ordered ? loader->ordered : graph_empty(&ast->graph, CAT_SET);
  drop_unused_nodes(loader->arena, &ast->graph, ir);
}

/* Definitions that nothing uses may be wrong, as for herd7; in the model's own
 * file that is most likely a slip (a misspelt axiom reads as an argument of what
 * stands before it). */
static void warn_of_unused(const struct loader *loader, const char *path) {
  for (size_t i = 0; i < loader->eval.unused_errors.count; i++) {
    const struct diag *error = loader->eval.unused_errors.at[i], *own = error;
    while (own->message && strcmp(own->source->name, path) != 0) own++; /* where a predefined function is called */
    if (own->message)
      diag_warning(loader->diags, own->source, own->span, "in a definition that nothing uses: %s", error->message);
  }
}

/* Do they have the same checks, so that one's answers are about the other's? */
static bool same_checks(const struct cat_ir *a, const struct cat_ir *b) {
  if (a->check_count != b->check_count) return false;
  for (uint32_t i = 0; i < a->check_count; i++)
    if (a->checks[i].role != b->checks[i].role || strcmp(a->checks[i].name, b->checks[i].name) != 0) return false;
  return true;
}

/* A dynamic model's other form, the plain or the told one, if nothing is then left
 * to the interpreter. */
static const struct cat_model *other_form(const struct loader *whole, const struct cat_model *model,
                                          const struct file *file, bool one_event, bool plain) {
  struct cat_model *form = ARENA_NEW(whole->arena, struct cat_model);
  struct cat_ast *ast = ARENA_NEW(whole->arena, struct cat_ast);
  struct diags diags = diags_new(whole->arena);
  struct loader loader = {.arena = whole->arena,
                          .search = whole->search,
                          .diags = &diags,
                          .ast = ast,
                          .ir = &form->ir,
                          .tells = !plain,
                          .bell = whole->bell,
                          .legacy = whole->legacy};
  *ast = *whole->ast;
  *form = *model;
  if (!compile(&loader, file, model->path, one_event, plain) || form->ir.dynamic) return NULL;
  finish_model(&loader, form, file);
  return same_checks(&form->ir, &model->ir) ? form : NULL;
}

/* What the model's file says whose tests it is for; false: it says a word that is no language's. */
static bool read_languages(struct loader *loader, const struct file *file, struct cat_model *model) {
  const struct source *source = file->source;
  struct span all = convention_languages(source->text, file->title);
  if (!all.length) return true;
  model->languages = arena_strndup(loader->arena, source->text + all.at, all.length);
  const char *at = model->languages;
  for (size_t length; *at; at += length) {
    at += strspn(at, " \t\r\n");
    length = strcspn(at, " \t\r\n");
    const char *text = arena_strndup(loader->arena, at, length);
    if (!length || convention_holds(LANGUAGE, text)) continue;
    struct span span = {all.at + (uint32_t)(at - model->languages), (uint32_t)length};
    return diag_error(loader->diags, source, span,
                      "'%s' is not a language of tests; the languages are: OpenCL, C, HSA, ADSM, PTX, VULKAN, AMDGPU",
                      text);
  }
  return true;
}

bool cat_model_is_for(const struct cat_model *model, const char *language) {
  size_t length = strlen(language);
  const char *at = model->languages ? model->languages : "";
  for (size_t size; *at; at += size) {
    at += strspn(at, " \t\r\n");
    size = strcspn(at, " \t\r\n");
    if (size == length && !strncmp(at, language, length)) return true;
  }
  return !model->languages;
}

const char *cat_model_languages(struct arena *arena, const struct cat_model *model) {
  size_t count;
  const char **words = text_split(arena, model->languages, " \t\r\n", &count);
  return text_list(arena, words, count, " and ");
}

struct cat_model *cat_load(struct arena *arena, const char *name, const struct cat_search *search,
                           struct diags *diags) {
  struct cat_model *model = ARENA_NEW(arena, struct cat_model);
  struct cat_ast *ast = ARENA_NEW(arena, struct cat_ast);
  struct loader loader = {.arena = arena, .search = search, .diags = diags, .ast = ast, .ir = &model->ir};
  model->path = find_model(arena, search, name);
  if (!model->path) {
    report_missing_model(&loader, name);
    return NULL;
  }
  ast->symbols = symbols_new(arena);
  ast->variants = search->variants;
  ast->variant_count = search->variant_count;
  const struct file *file = read_file(&loader, model->path);
  if (file && search->bell && !(loader.bell = read_file(&loader, search->bell))) return NULL;
  if (!file) return NULL;
  builtins_add(arena, &ast->symbols, convention_holds(TITLE_ADSM, file->title));
  if (!compile(&loader, file, model->path, false, false)) return NULL;
  bool one_event = wants_one_event(&loader);
  if (one_event && !compile(&loader, file, model->path, true, false)) return NULL;
  warn_of_unused(&loader, model->path);
  model->ir.name = arena_strdup(arena, name);
  if (!read_languages(&loader, file, model)) return NULL;
  finish_model(&loader, model, file);
  if (!model->ir.dynamic) return model;
  const struct cat_model *plain = other_form(&loader, model, file, one_event, true);
  model->told = other_form(&loader, model, file, one_event, false);
  model->plain = plain;
  return model;
}

/* Hints say what follows from a check that holds, and go with the ones left out. */
struct cat_model *cat_model_strict(struct arena *arena, const struct cat_model *model, const bool *skip) {
  struct cat_model *strict = ARENA_COPY(arena, struct cat_model, model, 1);
  strict->strict = true;
  if (model->plain) strict->plain = cat_model_strict(arena, model->plain, skip);
  if (model->told) strict->told = cat_model_strict(arena, model->told, skip);
  if (model->ir.dynamic) return strict;
  struct cat_ir *ir = &strict->ir;
  ir->checks = ARENA_ARRAY(arena, struct cat_check, 2 * (size_t)model->ir.check_count);
  for (uint32_t i = 0; i < model->ir.check_count; i++) ir->checks[i] = model->ir.checks[i];
  for (uint32_t i = 0; i < model->ir.check_count; i++) {
    if (!skip[i]) continue;
    struct cat_check *turned = &ir->checks[ir->check_count++];
    *turned = model->ir.checks[i];
    turned->role = ROLE_REQUIRE;
    turned->negated = !turned->negated;
    turned->name = arena_printf(arena, "not %s", turned->name);
  }
  return strict;
}
