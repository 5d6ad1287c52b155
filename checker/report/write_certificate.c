/* SPDX-License-Identifier: MIT */
/* Everything but the tree of a certificate.  Events are what their words say: an
 * instruction has those that its events get (order, scope, annotations), a location
 * those of its accesses, and a set of the model is the events that have some word.
 */
#include <inttypes.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/tags.h"
#include "checker/exec/predefined_relations.h"
#include "checker/report/write_certificate_program.h"

/* ---- What cannot be told ------------------------------------------------------------ */

static bool is_float(const struct expr *e) {
  return expr_is_float(e->kind);
}

static const char *instr_refusal(const struct instr *instr) {
  switch (instr->kind) {
    case INSTR_CALL:
    case INSTR_RETURN:
    case INSTR_SYNC:
    case INSTR_ALLOC:
    case INSTR_FREE:
    case INSTR_FILL:
    case INSTR_COPY:
      return "kernels and objects";
    case INSTR_LOCK:
      return "locks";
    default:
      break;
  }
  if (instr->kind == INSTR_RMW && instr->op == RMW_MBARRIER) return "mbarriers";
  if (instr->kind == INSTR_RMW && (instr->op == RMW_INC || instr->op == RMW_DEC)) return "atomic operations that wrap";
  if (instr->unless || instr->fails_apart || instr->around) return "operations that mean something else when they fail";
  if (instr_has(instr, is_float) || (instr->kind == INSTR_RMW && rmw_is_float(instr->op)))
    return "floating-point arithmetic";
  bool divides = (instr->kind == INSTR_RMW && instr->op == RMW_DIV) || instr_has(instr, expr_may_divide_by_0);
  return divides ? "divisions by what is not constant" : NULL;
}

const char *certificate_refuse_barriers(const struct program *program) {
  INSTR_EACH (instr, program) {
    if (instr->kind != INSTR_MEET) continue;
    if (instr->quorum) return "barriers with a quorum";
    if (instr->resource && instr->resource->kind != EXPR_CONST) return "barriers whose resource is read";
  }
  return NULL;
}

const char *certificate_refuse_program(const struct program *program) {
  if (program->object_count) return "kernels and objects";
  if (program->annotation_count) return "annotations that the test or a Bell file declares";
  for (unsigned l = 0; l < program->location_count; l++)
    if (program->locations[l].any) return "initial values that are not known";
  INSTR_EACH (instr, program) {
    const char *refusal = instr_refusal(instr);
    if (refusal) return refusal;
  }
  return NULL;
}

static bool is_not_shown(const void *context, struct observable what) {
  const struct litmus_test *test = context;
  for (unsigned i = 0; i < test->observable_count; i++)
    if (!observable_compare(test->program, test->observables[i], what)) return false;
  return true;
}

const char *certificate_refuse_question(const struct litmus_test *test) {
  if (prop_sums(test->condition) || prop_sums(test->filter)) return "sums in conditions";
  return prop_has(test->filter, is_not_shown, test) ? "filters on values that states do not show" : NULL;
}

const char *certificate_refusal(const struct litmus_test *test, const struct cat_model *model) {
  const struct cat_model *serves = enumerate_model(test, model);
  if (serves->judge) return "models written in C";
  if (serves->ir.dynamic && !serves->told)
    return "models that choose relations in ways of their own (`with`, `forall`)";
  if (serves->ir.co == CO_NONE) return "models without coherence";
  const char *refusal = certificate_refuse_question(test);
  return refusal ? refusal : certificate_refuse_program(test->program);
}

/* ---- Words ------------------------------------------------------------------------------ */

/* The first of a builtin's or a tag's names. */
static void print_name(FILE *out, const char *names) {
  fprintf(out, "%.*s", (int)strcspn(names, " "), names);
}

static void print_base(FILE *out, enum cat_base base) {
  fputc(' ', out);
  cat_base_print(base, out);
}

static void print_tags(FILE *out, tag_set tags) {
  for (int tag = 0; tag < TAG_COUNT; tag++) {
    if (!tags_have(tags, (enum tag)tag)) continue;
    fputs(" #", out);
    print_name(out, tag_names((enum tag)tag));
  }
}

/* What an event is besides its kind and its place. */
struct strength {
  bool access;
  enum order order;
  const struct instr *scoped; /* NULL: no scope */
  tag_set tags;
  unsigned regions; /* of a fence */
  int barrier;      /* BASE_ENTRY_FENCE, BASE_EXIT_FENCE; -1: none */
};

static void print_strength(FILE *out, const struct strength *s) {
  fputs(" (", out);
  if (s->order != ORDER_NA || s->access) print_base(out, execution_order_set(s->order));
  if (s->order != ORDER_NA && s->access) print_base(out, BASE_A);
  if (s->scoped && s->scoped->scope != SCOPE_NONE) print_base(out, execution_scope_set(s->scoped->scope));
  if (s->scoped && s->scoped->implicit_scope) print_base(out, BASE_IMPLICIT_SCOPE);
  if (s->regions & REGION_GLOBAL) print_base(out, BASE_G);
  if (s->regions & REGION_LOCAL) print_base(out, BASE_L);
  if (s->barrier >= 0) print_base(out, (enum cat_base)s->barrier);
  print_tags(out, s->tags);
  fputs(")", out);
}

/* The half of an operation that reads, or writes; its order is the whole one's or,
 * where the two differ, its part of it. */
static void print_half(FILE *out, const struct instr *instr, bool reads) {
  enum order own = reads ? ORDER_ACQ : ORDER_REL, order = instr->order;
  if (instr->split) order = order == own || order == ORDER_ACQ_REL ? own : ORDER_RLX;
  print_strength(
      out, &(struct strength){true, order, instr, instr->tags | (reads ? instr->read_tags : instr->write_tags), 0, -1});
}

static void print_ordinary(FILE *out) {
  print_strength(out, &(struct strength){.access = true, .barrier = -1});
}

/* ---- Values and cells ---------------------------------------------------------------------- */

void certificate_print_value(FILE *out, const struct expr *e) {
  static const char *const WORDS[] = {
      [EXPR_ADD] = "add",   [EXPR_SUB] = "sub",   [EXPR_MUL] = "mul",   [EXPR_DIV] = "div",   [EXPR_MOD] = "mod",
      [EXPR_AND] = "and",   [EXPR_OR] = "or",     [EXPR_XOR] = "xor",   [EXPR_SHL] = "shl",   [EXPR_SHR] = "shr",
      [EXPR_EQ] = "eq",     [EXPR_NE] = "ne",     [EXPR_LT] = "lt",     [EXPR_LE] = "le",     [EXPR_GT] = "gt",
      [EXPR_GE] = "ge",     [EXPR_LAND] = "land", [EXPR_LOR] = "lor",   [EXPR_NEG] = "neg",   [EXPR_NOT] = "not",
      [EXPR_LNOT] = "lnot", [EXPR_COND] = "cond", [EXPR_UDIV] = "udiv", [EXPR_UMOD] = "umod", [EXPR_ULT] = "ult"};
  fputc(' ', out);
  if (e->kind == EXPR_CONST) {
    fprintf(out, "%" PRId64, e->value);
  } else if (e->kind == EXPR_REG) {
    fprintf(out, "$%u", e->reg);
  } else {
    fprintf(out, "(%s", WORDS[e->kind]);
    certificate_print_value(out, e->a);
    if (e->b) certificate_print_value(out, e->b);
    if (e->c) certificate_print_value(out, e->c);
    fputc(')', out);
  }
}

static void print_optional(FILE *out, const struct expr *e) {
  if (e)
    certificate_print_value(out, e);
  else
    fputs(" -", out);
}

void certificate_print_cell(FILE *out, const struct address *address, unsigned alias) {
  fprintf(out, " (at %u %u", address->base, address_cells(address));
  print_optional(out, address->index);
  fprintf(out, " %d)", (int)alias - 1);
}

/* ---- Instructions ---------------------------------------------------------------------------- */

static void print_cas(FILE *out, const struct instr *instr) {
  fprintf(out, "(cas %d", instr->reg);
  certificate_print_cell(out, &instr->address, instr->alias);
  if (instr->expected_in_memory) {
    fputs(" (memory", out);
    certificate_print_cell(out, &instr->expected_at, 0);
    print_ordinary(out);
    fputc(')', out);
  } else {
    certificate_print_value(out, instr->expected);
  }
  certificate_print_value(out, instr->value);
  fprintf(out, " (%s%s%s%s)", instr->weak ? " weak" : "", instr->returns_old ? " returns-old" : "",
          instr->writeback && instr->expected_in_memory ? " writes-back" : "", instr->rewrites ? " rewrites" : "");
  print_half(out, instr, true);
  print_half(out, instr, false);
  print_strength(out, &(struct strength){true, instr->failure, instr, instr->tags | instr->read_tags, 0, -1});
}

void certificate_print_operator(FILE *out, enum rmw_op op, struct width width) {
  static const char *const OPS[RMW_OPS] = {
      [RMW_EXCHANGE] = "exchange", [RMW_ADD] = "add",   [RMW_SUB] = "sub",  [RMW_OR] = "or",
      [RMW_XOR] = "xor",           [RMW_AND] = "and",   [RMW_MIN] = "min",  [RMW_MAX] = "max",
      [RMW_MUL] = "mul",           [RMW_UMIN] = "umin", [RMW_UMAX] = "umax"};
  fprintf(out, " %s %u %d", OPS[op], width.bits, width.is_signed);
}

static void print_rmw(FILE *out, const struct instr *instr) {
  fprintf(out, "(rmw %d", instr->reg);
  certificate_print_cell(out, &instr->address, instr->alias);
  certificate_print_operator(out, instr->op, instr->width);
  certificate_print_value(out, instr->value);
  print_half(out, instr, true);
  print_half(out, instr, false);
}

static void print_access(FILE *out, const struct instr *instr) {
  bool load = instr->kind == INSTR_LOAD;
  if (load)
    fprintf(out, "(load %d", instr->reg);
  else
    fputs("(store", out);
  certificate_print_cell(out, &instr->address, instr->alias);
  if (!load) certificate_print_value(out, instr->value);
  print_half(out, instr, load);
}

struct named_registers {
  const struct thread *thread;
  bool *printed;
  FILE *out;
};

/* A register, if it has a name; each once in all. */
static bool print_named(void *context, unsigned reg) {
  const struct named_registers *n = context;
  if (n->thread->reg_names[reg] && !n->printed[reg]) fprintf(n->out, " $%u", reg);
  n->printed[reg] = true;
  return true;
}

/* Where the condition begins, and what it names. */
static void print_condition(FILE *out, const struct thread *thread, const struct instr *branch) {
  bool printed[thread->reg_count + 1];
  memset(printed, 0, sizeof printed);
  fprintf(out, " %u", branch->condition - 1);
  struct named_registers named = {thread, printed, out};
  for (const struct instr *instr = &thread->instrs[branch->condition - 1]; instr <= branch; instr++) {
    const struct expr *used[INSTR_EXPRESSIONS];
    unsigned count = instr_expressions(instr, used);
    for (unsigned i = 0; i < count; i++) expr_registers(used[i], print_named, &named);
  }
}

static void print_control(FILE *out, const struct thread *thread, const struct instr *instr) {
  switch (instr->kind) {
    case INSTR_ASSIGN:
      fprintf(out, "(assign %d", instr->reg);
      certificate_print_value(out, instr->value);
      break;
    case INSTR_BRANCH:
      fputs("(branch", out);
      certificate_print_value(out, instr->value);
      fprintf(out, " %u", instr->target);
      if (instr->condition) print_condition(out, thread, instr);
      break;
    default:
      fprintf(out, "(jump %u", instr->target);
  }
}

static void print_instr(FILE *out, const struct thread *thread, const struct instr *instr) {
  struct strength fence = {false, instr->order, instr, instr->tags, instr->regions, -1};
  fputs("\n   ", out);
  switch (instr->kind) {
    case INSTR_CAS:
      print_cas(out, instr);
      break;
    case INSTR_RMW:
      print_rmw(out, instr);
      break;
    case INSTR_LOAD:
    case INSTR_STORE:
      print_access(out, instr);
      break;
    case INSTR_MARK:
    case INSTR_FENCE:
      if (instr->kind == INSTR_MARK) fence.regions = 0;
      fputs(instr->kind == INSTR_MARK ? "(mark" : "(fence", out);
      print_strength(out, &fence);
      break;
    case INSTR_MEET:
      fprintf(out, "(meet %d", instr->barrier_label);
      print_optional(out, instr->resource);
      print_optional(out, instr->quorum);
      fputs(instr->arrive ? " arrive" : " wait", out);
      fence.regions = 0;
      print_strength(out, &fence);
      break;
    case INSTR_BARRIER:
      fprintf(out, "(barrier %d", instr->barrier_label + 1);
      for (int exits = 0; exits <= 1; exits++) {
        fence.order = exits ? ORDER_ACQ : ORDER_REL;
        fence.barrier = exits ? BASE_EXIT_FENCE : BASE_ENTRY_FENCE;
        print_strength(out, &fence);
      }
      break;
    default:
      print_control(out, thread, instr);
  }
  fputc(')', out);
}

/* ---- The program ------------------------------------------------------------------------------- */

static void print_location(FILE *out, const struct program *program, unsigned i) {
  const struct location *x = &program->locations[i];
  fprintf(out, "\n (location \"%s\" %" PRId64 " %u %u (", x->name, x->init, program_generic(program, i),
          program_physical(program, i));
  print_base(out, x->atomic ? BASE_AL : BASE_NAL);
  if (x->region & REGION_GLOBAL) print_base(out, BASE_G);
  if (x->region & REGION_LOCAL) print_base(out, BASE_L);
  fputs("))", out);
}

void certificate_print_program(FILE *out, const struct program *program, unsigned unroll) {
  fprintf(out, "(program (unroll %u) (coherence %s)", unroll, program->partial_coherence ? "partial" : "total");
  for (unsigned i = 0; i < program->location_count; i++) print_location(out, program, i);
  for (unsigned i = 0; i < program->pair_count; i++)
    fprintf(out, "\n (pair %u %u)", program->pairs[i].from, program->pairs[i].to);
  ARRAY_EACH (const struct thread, thread, program->threads, program->thread_count) {
    fprintf(out, "\n (thread (%u %u %u %u) (", thread->sg, thread->wg, thread->qf, thread->dev);
    for (unsigned r = 0; r < thread->reg_count; r++) fprintf(out, "%s%" PRId64, r ? " " : "", thread->reg_init[r]);
    fputc(')', out);
    for (unsigned i = 0; i < thread->instr_count; i++) print_instr(out, thread, &thread->instrs[i]);
    fputc(')', out);
  }
  fprintf(out, ")\n(values %s)\n", program->free_values ? "free" : "justified");
}

/* ---- The model ------------------------------------------------------------------------------------ */

static bool is_of_adsm(enum cat_base base) {
  return base == BASE_LAUNCH || base == BASE_SAMEOBJ || base == BASE_ASSIGNED || base == BASE_WRITABLE ||
         base == BASE_SAMEACC;
}

static void print_choice(FILE *out, const struct cat_ir *ir, uint32_t node) {
  const struct cat_choice *choice = ir->choices;
  while (choice->node != node) choice++;
  fprintf(out, choice->orders ? " orders %u %u)" : " firsts %u)", choice->a, choice->b);
}

static void print_node(FILE *out, const struct cat_ir *ir, uint32_t i) {
  static const char *const OPS[] = {
      [CAT_BASE] = "base",   [CAT_EMPTY] = "empty",   [CAT_UNION] = "union", [CAT_INTER] = "inter",
      [CAT_DIFF] = "diff",   [CAT_COMPL] = "compl",   [CAT_SEQ] = "seq",     [CAT_INVERSE] = "inverse",
      [CAT_PLUS] = "plus",   [CAT_STAR] = "star",     [CAT_OPT] = "opt",     [CAT_TOID] = "toid",
      [CAT_CROSS] = "cross", [CAT_DOMAIN] = "domain", [CAT_RANGE] = "range", [CAT_REC] = "rec"};
  const struct cat_node *node = &ir->nodes[i];
  fputs(node->type == CAT_SET ? "\n (set" : "\n (rel", out);
  if (node->op == CAT_CHOSEN) {
    print_choice(out, ir, i);
    return;
  }
  fprintf(out, " %s", OPS[node->op]);
  if (node->op == CAT_BASE && is_of_adsm(node->base))
    fputs(" nothing", out);
  else if (node->op == CAT_BASE && node->base != BASE_TAG)
    print_base(out, node->base);
  if (node->op == CAT_BASE) print_tags(out, node->type == CAT_SET ? node->tags : 0);
  if (cat_operand_count(node->op) > 0) fprintf(out, " %u", node->a);
  if (cat_operand_count(node->op) > 1) fprintf(out, " %u", node->b);
  if (node->op == CAT_REC) fprintf(out, " %u", node->group_end);
  fputc(')', out);
}

static void print_model(FILE *out, const struct cat_ir *ir, const bool *skip) {
  static const char *const ROLES[] = {
      [ROLE_REQUIRE] = "require", [ROLE_UNDEFINED] = "undefined-unless", [ROLE_FLAG] = "flag"};
  fputs("(definitions", out);
  for (uint32_t i = 0; i < ir->node_count; i++) {
    print_node(out, ir, i);
    fprintf(out, " ; %u%s%s", i, ir->nodes[i].name ? " " : "", ir->nodes[i].name ? ir->nodes[i].name : "");
  }
  fputs("\n)\n(checks", out);
  for (uint32_t i = 0; i < ir->check_count; i++) {
    const struct cat_check *check = &ir->checks[i];
    if (skip && skip[i]) continue;
    fprintf(out, "\n (%s %s %s %u \"%s\")", ROLES[check->role], check->negated ? "is-not" : "is",
            cat_check_word(check->kind), check->node, check->name);
  }
  fputs(")\n", out);
}

/* ---- What is claimed ---------------------------------------------------------------------------------- */

static void print_operand(const void *context, const struct operand *operand, const struct operand *beside, FILE *out) {
  (void)beside;
  const struct litmus_test *test = context;
  if (operand->constant) {
    fprintf(out, " %" PRId64, operand->value);
    return;
  }
  for (unsigned i = 0; i < test->observable_count; i++)
    if (!observable_compare(test->program, test->observables[i], operand->what)) fprintf(out, " #%u", i);
}

static const struct prop_words certificate_words = {{[PROP_TRUE] = " true",
                                                     [PROP_FALSE] = " false",
                                                     [PROP_AND] = " (and@@)",
                                                     [PROP_OR] = " (or@@)",
                                                     [PROP_IMPLIES] = " (implies@@)",
                                                     [PROP_NOT] = " (not@)"},
                                                    {" (eq@@)", " (ne@@)", " (lt@@)", " (le@@)", " (gt@@)", " (ge@@)"},
                                                    false};

void certificate_print_question(FILE *out, const struct litmus_test *test) {
  fputs("(observed", out);
  ARRAY_EACH (const struct observable, o, test->observables, test->observable_count) {
    if (o->thread >= 0)
      fprintf(out, " (register %d %u)", o->thread, o->index);
    else
      fprintf(out, " (location %u)", o->index);
  }
  fputs(")\n(condition", out);
  prop_print(test->condition, &certificate_words, print_operand, test, out);
  fputs(")\n", out);
  if (!test->filter) return;
  fputs("(filter", out);
  prop_print(test->filter, &certificate_words, print_operand, test, out);
  fputs(")\n", out);
}

void certificate_print_states(FILE *out, const struct litmus_test *test, const struct outcomes *states) {
  fputs("\n (states", out);
  for (size_t i = 0; i < states->count; i++) {
    fputs("\n  (", out);
    for (unsigned k = 0; k < test->observable_count; k++)
      fprintf(out, "%s%" PRId64, k ? " " : "", states->at[i].values[k]);
    fputc(')', out);
  }
  fputc(')', out);
}

static void print_claims(FILE *out, const struct verdict *v) {
  fprintf(out, "(claims\n (observation %s)\n (executions %" PRIu64 " %" PRIu64 ")\n (raised",
          outcomes_observation(&v->states), v->states.matching, v->states.failing);
  for (size_t i = 0; i < v->flag_count; i++) fprintf(out, " \"%s\"", v->flags[i].name);
  fputc(')', out);
  certificate_print_states(out, v->test, &v->states);
  fputs(")\n", out);
}

void certificate_begin(FILE *out, const struct litmus_test *test) {
  fprintf(out, "(certificate 1) ; for litscope-certify\n(test \"%s\")\n", test->name);
}

static void write_question(FILE *out, const struct verdict *v, const struct cat_model *serves,
                           const struct enumerate_options *options) {
  certificate_begin(out, v->test);
  fprintf(out, "(model \"%s\")\n", v->model);
  certificate_print_program(out, v->test->program, options->unroll);
  print_model(out, serves->told ? &serves->told->ir : &serves->ir, options->skip);
  certificate_print_question(out, v->test);
}

void certificate_write(FILE *out, const struct verdict *v, const struct cat_model *model,
                       const struct enumerate_options *options, const char *tree) {
  write_question(out, v, enumerate_model(v->test, model), options);
  print_claims(out, v);
  fprintf(out, "(tree%s)\n", tree);
}

void certificate_write_solved(FILE *out, const struct verdict *v, const struct cat_model *model,
                              const struct enumerate_options *options, const bool *raised, const char *solved) {
  const struct cat_model *serves = enumerate_model(v->test, model);
  write_question(out, v, serves, options);
  fprintf(out, "(claims\n (observation %s)\n (raised", outcomes_observation(&v->states));
  for (uint32_t i = 0; i < serves->ir.check_count; i++)
    if (raised[i]) fprintf(out, " \"%s\"", serves->ir.checks[i].name);
  fprintf(out, "))\n%s", solved);
}
