/* SPDX-License-Identifier: MIT */
/* Contexts for blocks: patterns with a hole, over address spaces and places. */
#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/pool.h"
#include "checker/base/text.h"
#include "checker/small_programs/small_program.h"
#include "checker/verify/legalizer_blocks_internal.h"

/* What a block must be for a pattern to say something of it. */
enum {
  NEED_READ = 1,
  NEED_WRITE = 2,
  NEED_ACQUIRE = 4,
  NEED_RELEASE = 8,
  NEED_SC = 16,
  NEED_ATOMIC = 32,
  NEED_PLAIN = 64,
  NEED_FENCE = 128,   /* else it is for accesses, */
  NEED_BARRIER = 256, /* or for barriers that others wait at */
  ALONE = 512,        /* one thread: scope does not matter */
  CONSTANT = 1024     /* nobody writes its location, and for what the scalar cache reads */
};

/* Digits are locations: 1 data, 2 and 3 flags; `@` is the block, with its location; `h`
 * is its scope.  Relaxed exchanges of contexts return nothing (legalizer_blocks_strongest_code.c), additions
 * do. */
static const struct {
  const char *name, *text;
  unsigned needs;
} PATTERNS[] = {
    {"own", "W1n @1", NEED_READ | ALONE},
    {"own", "@1 R1n", NEED_WRITE | ALONE},
    {"own", "R1n @1", NEED_WRITE | ALONE},
    {"own", "@1 W1n R1n", NEED_WRITE | ALONE},
    {"own", "W1n @ R1n", NEED_FENCE | ALONE},
    {"constant", "@1", NEED_READ | ALONE | CONSTANT},
    {"constant", "R1n @1", NEED_READ | ALONE | CONSTANT},
    {"constant", "W2d | R2d ! @1", NEED_READ | CONSTANT},
    {"constant", "@1 W2d | R2d ! R1n", NEED_READ | CONSTANT},
    {"CoWR", "W1hr | @1 R1hr", NEED_READ | NEED_ATOMIC},
    {"CoRR", "W1hr | R1hr @1", NEED_READ | NEED_ATOMIC},
    {"CoRW", "@1 | R1hr R1hr", NEED_WRITE | NEED_ATOMIC},
    {"CoWW", "W1hr @1 | R1hr", NEED_WRITE | NEED_ATOMIC},
    {"atomic", "@1 | U1hr", NEED_WRITE | NEED_ATOMIC},
    {"MP data", "@1 W2d | R2d ! R1n", NEED_WRITE},
    {"MP data", "W1n W2d | R2d ! @1", NEED_READ},
    {"MP data", "W1n W2d | R2d ! @1", NEED_WRITE},
    {"LB data", "R1n W2d | R2d ! @1", NEED_WRITE},
    {"LB data", "@1 W2d | R2d ! W1n", NEED_READ},
    {"MP release", "W1n @2 | R2h ! R1n", NEED_WRITE | NEED_RELEASE},
    {"MP release", "U1dr @2 | R2h ! R1n", NEED_WRITE | NEED_RELEASE},
    {"MP release", "X1dr @2 | R2h ! R1n", NEED_WRITE | NEED_RELEASE},
    {"LB release", "R1n @2 | R2h ! W1n", NEED_WRITE | NEED_RELEASE},
    {"MP acquire", "W1n W2h | @2 ! R1n", NEED_READ | NEED_ACQUIRE},
    {"MP acquire", "W1hr W2h | @2 R1hr", NEED_READ | NEED_ACQUIRE},
    {"LB acquire", "R1n W2h | @2 ! W1n", NEED_READ | NEED_ACQUIRE},
    {"LB acquire", "R1hr W2h | @2 W1hr", NEED_READ | NEED_ACQUIRE},
    {"ISA2 first", "W1n @2 | R2h ! W3d | R3d ! R1n", NEED_WRITE | NEED_RELEASE},
    {"ISA2 first", "R1n @2 | R2h ! W3d | R3d ! W1n", NEED_WRITE | NEED_RELEASE},
    {"ISA2 second", "W1n W2d | R2d ! @3 | R3h ! R1n", NEED_WRITE | NEED_RELEASE},
    {"ISA2 second", "W1n W2h | @2 ! W3d | R3d ! R1n", NEED_READ | NEED_ACQUIRE},
    {"ISA2 third", "W1n W2d | R2d ! W3h | @3 ! R1n", NEED_READ | NEED_ACQUIRE},
    {"SB first", "@1 R2hc | W2hc R1hc", NEED_WRITE | NEED_SC},
    {"SB second", "W1hc @2 | W2hc R1hc", NEED_READ | NEED_SC},
    {"IRIW", "W1hc | W2hc | @1 R2hc | R2hc R1hc", NEED_READ | NEED_SC},
    {"IRIW", "W1hc | W2hc | R1hc @2 | R2hc R1hc", NEED_READ | NEED_SC},
    {"MP release", "W1n @ W2hr | R2h ! R1n", NEED_FENCE | NEED_RELEASE},
    {"MP release", "U1dr @ W2hr | R2h ! R1n", NEED_FENCE | NEED_RELEASE},
    {"MP release", "X1dr @ W2hr | R2h ! R1n", NEED_FENCE | NEED_RELEASE},
    {"MP release", "W1n @ U2hr | R2h ! R1n", NEED_FENCE | NEED_RELEASE},
    {"LB release", "R1n @ W2hr | R2h ! W1n", NEED_FENCE | NEED_RELEASE},
    {"MP acquire", "W1n W2h | R2hr ! @ R1n", NEED_FENCE | NEED_ACQUIRE},
    {"MP acquire", "W1hr W2h | R2hr @ R1hr", NEED_FENCE | NEED_ACQUIRE},
    {"MP acquire", "W1hr W2h | X2hr @ R1hr", NEED_FENCE | NEED_ACQUIRE},
    {"LB acquire", "R1n W2h | R2hr ! @ W1n", NEED_FENCE | NEED_ACQUIRE},
    {"LB acquire", "R1hr W2h | R2hr @ W1hr", NEED_FENCE | NEED_ACQUIRE},
    {"ISA2 first", "W1n @ W2hr | R2h ! W3d | R3d ! R1n", NEED_FENCE | NEED_RELEASE},
    {"ISA2 first", "R1n @ W2hr | R2h ! W3d | R3d ! W1n", NEED_FENCE | NEED_RELEASE},
    {"ISA2 second", "W1n W2d | R2d ! @ W3hr | R3h ! R1n", NEED_FENCE | NEED_RELEASE},
    {"ISA2 second", "W1n W2d | R2dr ! @ W3h | R3h ! R1n", NEED_FENCE | NEED_ACQUIRE},
    {"ISA2 third", "W1n W2d | R2d ! W3h | R3hr ! @ R1n", NEED_FENCE | NEED_ACQUIRE},
    {"SB", "W1hr @ R2hr | W2hr Fhc R1hr", NEED_FENCE | NEED_SC},
    {"MP release", "W1n @ | B R1n", NEED_BARRIER | NEED_RELEASE},
    {"MP release", "U1dr @ | B R1n", NEED_BARRIER | NEED_RELEASE},
    {"MP release", "X1dr @ | B R1n", NEED_BARRIER | NEED_RELEASE},
    {"LB release", "R1n @ | B W1n", NEED_BARRIER | NEED_RELEASE},
    {"MP acquire", "W1n B | @ R1n", NEED_BARRIER | NEED_ACQUIRE},
    {"LB acquire", "R1n B | @ W1n", NEED_BARRIER | NEED_ACQUIRE},
    {"ISA2 first", "W1n @ | B W2d | R2d ! R1n", NEED_BARRIER | NEED_RELEASE},
    {"ISA2 second", "W1n B | @ W2d | R2d ! R1n", NEED_BARRIER | NEED_ACQUIRE},
};
enum { PATTERN_COUNT = ARRAY_COUNT(PATTERNS), DIGITS = 3 };

static const char *const GROUPS[][5] = {[1] = {"0", NULL},
                                        [2] = {"0,0", "0,1", NULL},
                                        [3] = {"0,0,0", "0,0,1", "0,1,1", "0,1,2", NULL},
                                        [4] = {"0,0,1,1", "0,1,2,3", NULL}};

/* ---- which patterns ---- */

/* What an operation is, as a set of needs. */
static unsigned has(const struct legalizer_function *f) {
  unsigned set = 0;
  if (f->kind == INSTR_FENCE || f->kind == INSTR_BARRIER) set |= NEED_FENCE;
  if (f->kind == INSTR_LOAD || f->kind == INSTR_RMW || f->kind == INSTR_CAS) set |= NEED_READ;
  if (f->kind == INSTR_STORE || f->kind == INSTR_RMW || f->kind == INSTR_CAS) set |= NEED_WRITE;
  if (order_acquires(f->order) || order_acquires(f->failure)) set |= NEED_ACQUIRE;
  if (order_releases(f->order)) set |= NEED_RELEASE;
  if (f->order == ORDER_SC || f->failure == ORDER_SC) set |= NEED_SC;
  set |= f->order == ORDER_NA ? NEED_PLAIN : NEED_ATOMIC;
  return set;
}

/* The same of a barrier, whose scope is the work-group whatever its fences say. */
static unsigned has_as_barrier(const struct legalizer_function *f) {
  return NEED_BARRIER | (f->releases ? NEED_RELEASE : 0) | (f->acquires ? NEED_ACQUIRE : 0);
}

static bool pattern_fits(const struct block_operation *op, unsigned pattern) {
  const struct legalizer_function *f = op->function;
  unsigned needs = PATTERNS[pattern].needs, set = needs & NEED_BARRIER ? has_as_barrier(f) : has(f);
  bool private = legalizer_accesses(f) && f->space == 5; /* no other thread sees it */
  bool narrow = f->scope == SCOPE_SG && f->order != ORDER_NA && !(needs & NEED_BARRIER);
  if (needs & NEED_BARRIER && f->kind != INSTR_BARRIER) return false;
  if ((needs & NEED_FENCE) != (set & NEED_FENCE)) return false;
  if ((narrow || private) && !(needs & ALONE)) return false;
  if (op->scalar != ((needs & CONSTANT) != 0)) return false;
  if (f->bytes < 4 && strstr(PATTERNS[pattern].text, "U1h"))
    return false; /* there are no read-modify-writes of these */
  return !(needs & ~(set | ALONE | CONSTANT));
}

/* ---- text ---- */

struct filling {
  struct block_contexts *contexts;
  const struct block_operation *op;
  block_context_list *list;
  unsigned pattern;
  bool local[DIGITS + 1]; /* by digit */
  const char *groups;
  bool has_local;
};

static char letter_of(const struct filling *f, unsigned digit) {
  unsigned before = 0;
  if (!f->local[digit]) return "xyz"[digit - 1];
  for (unsigned d = 1; d < digit; d++) before += f->local[d] && strchr(PATTERNS[f->pattern].text, (int)('0' + d));
  return "ab"[before];
}

static char scope_letter(const struct legalizer_function *f) {
  return f->scope == SCOPE_SYS ? 's' : f->scope == SCOPE_DEV ? 'd' : 'w';
}

/* The block's operation in the notation. */
static void put_block(const struct filling *f, unsigned digit, FILE *out) {
  const struct legalizer_function *fn = f->op->function;
  static const char KINDS[] = {[INSTR_LOAD] = 'R', [INSTR_STORE] = 'W', [INSTR_RMW] = 'U',
                               [INSTR_CAS] = 'C',  [INSTR_FENCE] = 'F', [INSTR_BARRIER] = 'F'};
  bool barrier = PATTERNS[f->pattern].needs & NEED_BARRIER; /* else one is its fences here, for which nobody waits */
  fputc(barrier ? 'B' : fn->kind == INSTR_RMW && fn->op == RMW_EXCHANGE ? 'X' : KINDS[fn->kind], out);
  if (barrier) return;
  if (digit) fputc(letter_of(f, digit), out);
  if (fn->order == ORDER_NA) {
    fputc('n', out);
    return;
  }
  fputc(scope_letter(fn), out);
  fputc(fn->order == ORDER_RLX   ? 'r'
        : fn->order == ORDER_ACQ ? 'q'
        : fn->order == ORDER_REL ? 'l'
        : fn->order == ORDER_SC  ? 'c'
                                 : 'a',
        out);
}

static const char *write_text(const struct filling *f, unsigned *hole) {
  unsigned operations = 0;
  struct text text = text_new();
  for (const char *c = PATTERNS[f->pattern].text; *c; c++) {
    if (isupper((unsigned char)*c)) operations++;
    if (*c == '@') {
      *hole = operations++;
      bool at = isdigit((unsigned char)c[1]);
      put_block(f, at ? (unsigned)(c[1] - '0') : 0, text.out);
      c += at;
    } else if (*c == 'h') {
      fputc(scope_letter(f->op->function), text.out);
    } else if (isdigit((unsigned char)*c)) {
      fputc(letter_of(f, (unsigned)(*c - '0')), text.out);
    } else {
      fputc(*c, text.out);
    }
  }
  return text_keep(&text, f->contexts->arena);
}

/* Do all threads that use local locations share a work-group? */
static bool local_is_shared(const char *text, const char *groups) {
  char group = '\0';
  for (const char *c = text; *c; c++) {
    if (*c == '|') groups += 2;
    bool operand = c > text && isupper((unsigned char)c[-1]) && (*c == 'a' || *c == 'b') && c[-1] != 'F';
    if (!operand) continue;
    if (group && group != *groups) return false;
    group = *groups;
  }
  return true;
}

/* Does no other thread share the block's work-group? */
static bool is_alone(const char *pattern, const char *groups) {
  size_t own = 0;
  for (const char *c = pattern; *c != '@'; c++) own += *c == '|';
  for (size_t i = 0; 2 * i < strlen(groups); i++)
    if (i != own && groups[2 * i] == groups[2 * own]) return false;
  return true;
}

/* ---- contexts ---- */

static struct instr *hole_of(struct program *program, unsigned hole, unsigned *thread) {
  for (unsigned t = 0; t < program->thread_count; t++)
    for (unsigned i = 0; i < program->threads[t].instr_count; i++)
      if (program->threads[t].instrs[i].kind != INSTR_BRANCH && hole-- == 0) {
        *thread = t;
        return &program->threads[t].instrs[i];
      }
  return NULL;
}

/* What another operation writes to the hole's location; NULL: none does. */
static const struct expr *written_by_others(const struct program *program, const struct instr *hole) {
  INSTR_EACH (instr, program) {
    bool writes = instr->kind == INSTR_STORE || instr->kind == INSTR_RMW;
    if (instr != hole && writes && instr->address.base == hole->address.base) return instr->value;
  }
  return NULL;
}

static bool same_value(struct legalizer_value a, struct legalizer_value b) {
  return a.constant == b.constant && a.number == b.number;
}

static struct block_context *find(const struct filling *f, const char *text, unsigned hole, bool succeeds) {
  const struct legalizer_function *fn = f->op->function;
  for (size_t i = 0; i < f->contexts->all.count; i++) {
    struct block_context *c = f->contexts->all.at[i];
    if (c->hole == hole && c->succeeds == succeeds && c->function->failure == fn->failure &&
        c->function->op == fn->op && same_value(c->function->value, fn->value) &&
        same_value(c->function->expected, fn->expected) && !strcmp(c->text, text))
      return c;
  }
  return NULL;
}

/* ---- values ---- */

/* What an operation leaves of a value, as far as that is known. */
static int64_t written(const struct instr *instr, int64_t old) {
  int64_t operand = instr->value ? instr->value->value : 0;
  if (instr->kind == INSTR_RMW) return rmw_apply(instr->op, old, operand);
  return instr->kind == INSTR_CAS && old != instr->expected->value ? old : operand;
}

/* What a location holds at first for 0 to come of it; 0: nothing does. */
static int64_t cleared_from(const struct instr *instr) {
  enum { ODD = 3 }; /* of no other operation */
  int64_t from = instr->kind == INSTR_CAS ? instr->expected->value : ODD;
  return !written(instr, from) ? from : 0;
}

/* Guards of other threads let 0 pass where that is what the hole writes, and nothing else. */
static void turn_guards(struct arena *arena, struct program *program, const struct instr *hole) {
  const struct instr *before = NULL;
  INSTR_EACH (instr, program) {
    bool turned = instr->kind == INSTR_BRANCH && before && before != hole && instr_is_access(before) &&
                  before->address.base == hole->address.base;
    if (turned) instr->value = expr_new(arena, EXPR_EQ, instr->value->a, instr->value->b, NULL);
    before = instr;
  }
}

static bool is_guarded(const struct program *program, const struct instr *hole) {
  const struct instr *before = NULL;
  INSTR_EACH (instr, program) {
    if (instr->kind == INSTR_BRANCH && before == hole) return true;
    before = instr;
  }
  return false;
}

/* Gives the hole the function's own operation and numbers.  What it writes differs from what was there, and the guards
 * of other threads tell them apart, where that is possible. */
static void set_values(struct arena *arena, struct litmus_test *test, struct instr *instr,
                       const struct legalizer_function *f) {
  struct program *program = test->program;
  if (f->kind == INSTR_RMW) instr->op = f->op;
  if (f->value.constant) instr->value = expr_constant(arena, f->value.number);
  if (f->expected.constant) instr->expected = expr_constant(arena, f->expected.number);
  if (f->kind == INSTR_LOAD || !instr_is_access(instr) || is_guarded(program, instr) || written(instr, 0)) return;
  if (f->kind == INSTR_RMW && !f->value.constant) instr->value = expr_constant(arena, 0);
  int64_t first = cleared_from(instr);
  if (!first) return;
  program->locations[instr->address.base].init = first;
  turn_guards(arena, program, instr);
}

static void add_variant(const struct filling *f, bool succeeds) {
  struct arena *arena = f->contexts->arena;
  unsigned hole = 0, thread = 0;
  const char *text = write_text(f, &hole);
  struct small_program program;
  if (!local_is_shared(text, f->groups)) return;
  const char *fault = small_read(arena_printf(arena, "%s (wg %s)", text, f->groups), &small_opencl, &program);
  assert(!fault); /* patterns and operations are in the notation */
  (void)fault;
  program.globals = DIGITS;
  text = small_text(arena, &program);
  struct block_context *context = find(f, text, hole, succeeds);
  if (!context) {
    struct litmus_test *test = small_test(arena, &program);
    struct instr *instr = hole_of(test->program, hole, &thread);
    set_values(arena, test, instr, f->op->function);
    if (instr->kind == INSTR_CAS) {
      const struct expr *expected = succeeds ? written_by_others(test->program, instr) : instr->expected;
      if (!expected) return;
      instr->expected = expected;
      instr->returns_old = true;
      instr->failure = f->op->function->failure;
    }
    context = ARENA_NEW(arena, struct block_context);
    *context = (struct block_context){.text = text,
                                      .name = PATTERNS[f->pattern].name,
                                      .hole = hole,
                                      .succeeds = succeeds,
                                      .function = f->op->function,
                                      .test = test,
                                      .operation = instr};
    if (PATTERNS[f->pattern].needs & CONSTANT) test->program->locations[instr->address.base].init = 8;
    *vec_push(arena, &f->contexts->all) = context;
  }
  for (size_t i = 0; i < f->list->count; i++)
    if (f->list->at[i] == context) return;
  *vec_push(arena, f->list) = context;
}

static unsigned threads_of(const char *text) {
  unsigned count = 1;
  for (; *text; text++) count += *text == '|';
  return count;
}

static void add_places(struct filling *f) {
  const char *const *groups = GROUPS[threads_of(PATTERNS[f->pattern].text)];
  for (; *groups; groups++) {
    if (f->op->alone && !is_alone(PATTERNS[f->pattern].text, *groups)) continue;
    f->groups = *groups;
    add_variant(f, false);
    if (f->op->function->kind == INSTR_CAS && !f->op->function->expected.constant) add_variant(f, true);
  }
}

/* May locations lie in these regions, by digit, as far as the operation promises
 * something there?  All three in local memory would show nothing more: each wave's accesses of it are in order. */
static bool promised(const struct filling *f, unsigned used, unsigned hole) {
  const struct legalizer_function *fn = f->op->function;
  bool some[2] = {false, false};
  for (unsigned d = 1; d <= DIGITS; d++) {
    if (used >> d & 1)
      some[f->local[d]] = true;
    else if (f->local[d])
      return false;
  }
  if (hole && f->local[hole] != f->op->local) return false;
  if (some[1] && !f->has_local) return false;
  if (f->local[1] && f->local[2] && f->local[3]) return false;
  if (fn->one_as && some[0] && some[1]) return false;
  if (fn->regions && ((some[0] && !(fn->regions & REGION_GLOBAL)) || (some[1] && !(fn->regions & REGION_LOCAL))))
    return false;
  return true;
}

void block_contexts_for(struct block_contexts *contexts, const struct block_operation *op, bool has_local,
                        block_context_list *list) {
  struct filling f = {.contexts = contexts, .op = op, .list = list, .has_local = has_local};
  for (f.pattern = 0; f.pattern < PATTERN_COUNT; f.pattern++) {
    if (!pattern_fits(op, f.pattern)) continue;
    const char *text = PATTERNS[f.pattern].text, *at = strchr(text, '@');
    unsigned used = 0, hole = isdigit((unsigned char)at[1]) ? (unsigned)(at[1] - '0') : 0;
    for (const char *c = text; *c; c++)
      if (isdigit((unsigned char)*c)) used |= 1u << (*c - '0');
    for (unsigned regions = 0; regions < 1u << DIGITS; regions++) {
      for (unsigned d = 1; d <= DIGITS; d++) f.local[d] = regions >> (d - 1) & 1;
      if (promised(&f, used, hole)) add_places(&f);
    }
  }
}

/* ---- the model ---- */

struct judging {
  const struct block_contexts *contexts;
  const struct blocks_options *options;
};

static void *judge(void *context, size_t index) {
  const struct judging *j = context;
  struct block_context *c = j->contexts->all.at[index];
  struct arena *arena = arena_new(), *kept = arena_new();
  const struct verdict *v = verdict_run(arena, c->test, j->options->model, &j->options->check, NULL);
  c->usable = !verdict_is_undefined(v) && v->end == END_DONE && !v->stats.cut;
  if (c->usable) c->allowed = outcomes_keep(kept, &v->states);
  arena_free(arena);
  return kept;
}

/* What is allowed moves to the contexts' arena, in order. */
static bool keep(void *context, size_t index, void *kept) {
  const struct judging *j = context;
  struct block_context *c = j->contexts->all.at[index];
  if (c->usable) c->allowed = outcomes_keep(j->contexts->arena, &c->allowed);
  arena_free(kept);
  return true;
}

void block_contexts_judge(struct block_contexts *contexts, const struct blocks_options *options) {
  struct judging judging = {contexts, options};
  struct pool_jobs jobs = {&judging, judge, keep, NULL};
  pool_run(contexts->all.count, options->workers, &jobs);
}
