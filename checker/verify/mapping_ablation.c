/* SPDX-License-Identifier: MIT */
/* Ablations: the changes, the core of programs, and the trials. */
#include "checker/verify/mapping_ablation.h"

#include <string.h>

#include "checker/base/array.h"
#include "checker/base/limit.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "hwsem/compile_by_mapping.h"
#include "hwsem/machines/gpu.h"

/* The core: race-free programs with what the model allows them.  A program that
 * a limit leaves without a verdict stays in it: it may be race-free, and then
 * each change that it would be tried with is undecided. */

struct core_program {
  struct small_program program;
  struct litmus_test *test;
  const struct verdict *verdict;
  bool wide;
};

struct core {
  struct arena *arena;
  const struct cat_model *model;
  const struct ablate_options *options;
  VEC(struct core_program) kept;
  uint64_t programs, undecided;
  bool wide; /* the pass with system scope and two devices */
};

/* The narrow programs are kept by the first pass. */
static void keep(struct core *core, const struct small_program *program) {
  if (core->wide && !small_is_wide(program)) return;
  struct litmus_test *test = small_test(core->arena, program);
  const struct verdict *v = verdict_run(core->arena, test, core->model, &core->options->verify.model, NULL);
  core->programs++;
  if (v->bad) return;
  core->undecided += v->end != END_DONE;
  *vec_push(core->arena, &core->kept) = (struct core_program){*program, test, v, small_is_wide(program)};
}

/* Each placement of two threads. */
static void keep_placed(struct core *core, const char *text) {
  struct small_program program;
  if (small_read(text, &small_opencl, &program)) return;
  keep(core, &program);
  if (small_is_wide(&program)) {
    program.dev[1] = 1;
    keep(core, &program);
    program.dev[1] = 0;
  }
  program.wg[1] = 0;
  keep(core, &program);
}

/* A pattern's `?` are scopes of atomics, `*` scopes of any access; each is
 * replaced by every letter. */
static void keep_pattern(struct core *core, const char *pattern, bool wide) {
  const char *hole = strpbrk(pattern, "?*");
  if (!hole) {
    keep_placed(core, pattern);
    return;
  }
  const char *letters = wide ? "wdDsS" : "wdD";
  for (const char *letter = *hole == '*' ? "n" : letters; *letter; letter++) {
    char text[64];
    snprintf(text, sizeof text, "%.*s%c%s", (int)(hole - pattern), pattern, *letter, hole + 1);
    keep_pattern(core, text, wide);
    if (*letter == 'n') letter = letters - 1;
  }
}

static const char *const PATTERNS[] = {
    /* one location */
    "Rx*|Wx*1", "Wx*1|Wx*2", "Wx*1|Ux?8", "Ux?8|Ux?16", "Rx*|Ux?8",
    /* one location, what is written is read or updated once more */
    "Wx?1|Rx* Ux?8", "Ux?8|Rx* Ux?16", "Wx?1|Ux?8 Rx*", "Ux?8|Ux?16 Rx*",
    /* message passing */
    "Wxn1 Wy?2|Ry? ! Rxn", "Wxn1 Wy?2|Uy?8 ! Rxn", "Wxn1 Uy?8|Ry? ! Rxn", "Wxn1 Uy?8|Uy?16 ! Rxn",
    /* with a store to the flag before: its place in the queue is taken */
    "Wy?0 Wxn1 Wy?2|Ry? ! Rxn", "Wy?0 Wxn1 Wy?2|Uy?8 ! Rxn"};

static void build_core(struct core *core, bool wide) {
  core->wide = wide;
  for (size_t i = 0; i < ARRAY_COUNT(PATTERNS); i++) keep_pattern(core, PATTERNS[i], wide);
}

/* Changes. */

struct changes {
  struct arena *arena;
  struct mapping_key key;
  const struct mapping_cell *cell;
  VEC(struct ablation) at;
};

static bool same_step(struct mapping_step a, struct mapping_step b) {
  return a.op == b.op && a.level == b.level && a.target == b.target;
}

static bool same_cell(const struct mapping_cell *a, const struct mapping_cell *b) {
  if (a->step_count != b->step_count) return false;
  for (unsigned i = 0; i < a->step_count; i++)
    if (!same_step(a->steps[i], b->steps[i])) return false;
  return true;
}

static bool already_there(const struct changes *c, const struct mapping_cell *cell) {
  for (size_t i = 0; i < c->at.count; i++)
    if (mapping_key_equal(c->at.at[i].key, c->key) && same_cell(c->at.at[i].cell, cell)) return true;
  return same_cell(c->cell, cell);
}

static struct mapping_cell *copy_cell(struct changes *c) {
  struct mapping_cell *copy = ARENA_COPY(c->arena, struct mapping_cell, c->cell, 1);
  copy->steps = ARENA_COPY(c->arena, struct mapping_step, c->cell->steps, c->cell->step_count);
  return copy;
}

static void add_change(struct changes *c, struct mapping_cell *cell, const char *change) {
  if (already_there(c, cell)) return;
  *vec_push(c->arena, &c->at) = (struct ablation){.key = c->key, .change = change, .cell = cell};
}

static void erase(struct mapping_cell *cell, unsigned i) {
  memmove(&cell->steps[i], &cell->steps[i + 1], (cell->step_count - i - 1) * sizeof *cell->steps);
  cell->step_count--;
}

static void move(struct mapping_cell *cell, unsigned from, unsigned to) {
  struct mapping_step step = cell->steps[from];
  unsigned low = from < to ? from : to, span = from < to ? to - from : from - to;
  memmove(&cell->steps[low + (from > to)], &cell->steps[low + (from < to)], span * sizeof step);
  cell->steps[to] = step;
}

/* `INV_L1 DV`, or `2nd INV_L1 DV` where the cell has several. */
static const char *step_name(struct changes *c, unsigned i) {
  static const char *const ORDINALS[] = {"1st ", "2nd ", "3rd ", "4th ", "5th ", "6th "};
  unsigned before = 0, all = 0;
  for (unsigned k = 0; k < c->cell->step_count; k++) {
    if (!same_step(c->cell->steps[k], c->cell->steps[i])) continue;
    all++;
    before += k < i;
  }
  struct text text = text_new();
  if (all > 1) fputs(ORDINALS[before < 6 ? before : 5], text.out);
  mapping_step_print(c->cell->steps[i], text.out);
  return text_keep(&text, c->arena);
}

static void leave_out(struct changes *c, unsigned i) {
  struct mapping_step step = c->cell->steps[i];
  if (hw_is_access(step.op) || hw_is_lock(step.op) || hw_is_unlock(step.op)) return;
  struct mapping_cell *cell = copy_cell(c);
  erase(cell, i);
  add_change(c, cell, arena_printf(c->arena, "without %s", step_name(c, i)));
  if (i + 1 >= c->cell->step_count || c->cell->steps[i + 1].op != step.op) return;
  erase(cell = copy_cell(c), i);
  erase(cell, i);
  add_change(c, cell, arena_printf(c->arena, "without %s and %s", step_name(c, i), step_name(c, i + 1)));
}

static unsigned matching_unlock(const struct mapping_cell *cell, unsigned lock) {
  enum hw_op wanted = cell->steps[lock].op == HW_LOCK_RMW ? HW_UNLOCK_RMW : HW_UNLOCK_LINE;
  unsigned i = lock;
  while (i < cell->step_count && cell->steps[i].op != wanted) i++;
  return i;
}

static void drop_lock(struct changes *c, unsigned i) {
  if (!hw_is_lock(c->cell->steps[i].op)) return;
  unsigned end = matching_unlock(c->cell, i);
  struct mapping_cell *cell = copy_cell(c);
  erase(cell, end);
  erase(cell, i);
  add_change(c, cell, arena_printf(c->arena, "without %s", step_name(c, i)));
  for (unsigned a = i + 1; a < end; a++) {
    if (!hw_is_access(c->cell->steps[a].op)) continue;
    move(cell = copy_cell(c), end, a + 1);
    add_change(c, cell, arena_printf(c->arena, "%s right after the access", step_name(c, end)));
  }
}

/* The target made narrower; false: it is as narrow as can be. */
static bool narrow_step(struct mapping_step *step) {
  enum hw_target least = step->op == HW_LOCK_RMW || step->level == LEVEL_L2 ? TARGET_DEV : TARGET_WG;
  bool has_target = step->op == HW_FLU || step->op == HW_INV || step->op == HW_LOCK_RMW;
  if (!has_target || step->target <= least) return false;
  step->target--;
  return true;
}

static void narrow(struct changes *c, unsigned i) {
  struct mapping_cell *cell = copy_cell(c);
  if (!narrow_step(&cell->steps[i])) return;
  if (hw_is_lock(cell->steps[i].op)) cell->steps[matching_unlock(cell, i)].target = cell->steps[i].target;
  add_change(c, cell, arena_printf(c->arena, "%s only %s", step_name(c, i), hw_target_name(cell->steps[i].target)));
  bool pair = i + 1 < cell->step_count && cell->steps[i + 1].op == cell->steps[i].op;
  if (!pair || hw_is_lock(cell->steps[i].op)) return;
  cell = copy_cell(c);
  while (narrow_step(&cell->steps[i])) continue;
  while (narrow_step(&cell->steps[i + 1])) continue;
  add_change(c, cell, arena_printf(c->arena, "%s and %s only own", step_name(c, i), step_name(c, i + 1)));
}

static void exchange(struct changes *c, unsigned i) {
  if (i + 1 >= c->cell->step_count || hw_is_lock(c->cell->steps[i].op) || hw_is_lock(c->cell->steps[i + 1].op)) return;
  if (hw_is_unlock(c->cell->steps[i].op)) return;
  struct mapping_cell *cell = copy_cell(c);
  move(cell, i, i + 1);
  add_change(c, cell, arena_printf(c->arena, "%s before %s", step_name(c, i + 1), step_name(c, i)));
}

/* First or last of its span. */
static void move_access(struct changes *c, unsigned i) {
  if (!hw_is_access(c->cell->steps[i].op)) return;
  unsigned first = i, last = i;
  while (first > 0 && !hw_is_lock(c->cell->steps[first - 1].op)) first--;
  while (last + 1 < c->cell->step_count && !hw_is_unlock(c->cell->steps[last + 1].op)) last++;
  struct mapping_cell *cell = copy_cell(c);
  move(cell, i, first);
  add_change(c, cell, arena_printf(c->arena, "%s first", step_name(c, i)));
  move(cell = copy_cell(c), i, last);
  add_change(c, cell, arena_printf(c->arena, "%s last", step_name(c, i)));
}

static void change_cell(struct changes *c) {
  for (unsigned i = 0; i < c->cell->step_count; i++) leave_out(c, i);
  for (unsigned i = 0; i < c->cell->step_count; i++) exchange(c, i);
  for (unsigned i = 0; i < c->cell->step_count; i++) move_access(c, i);
  for (unsigned i = 0; i < c->cell->step_count; i++) narrow(c, i);
  for (unsigned i = 0; i < c->cell->step_count; i++) drop_lock(c, i);
}

static void all_changes(struct changes *c, const struct mapping *mapping) {
  static const enum scope SCOPES[] = {SCOPE_DEV, SCOPE_SYS};
  static const struct {
    enum mapping_kind kind;
    enum order order;
  } ROWS[] = {{MAP_LOAD, ORDER_ACQ}, {MAP_STORE, ORDER_REL}, {MAP_RMW, ORDER_ACQ_REL}};
  for (size_t s = 0; s < ARRAY_COUNT(SCOPES); s++) {
    for (int remote = 0; remote <= 1; remote++) {
      for (size_t r = 0; r < ARRAY_COUNT(ROWS); r++) {
        c->key = (struct mapping_key){ROWS[r].kind, SCOPES[s], ROWS[r].order, remote, REGION_GLOBAL};
        c->cell = mapping_find(mapping, c->key);
        if (c->cell) change_cell(c);
      }
    }
  }
}

/* Trials. */

static bool uses(const struct core_program *p, struct mapping_key key) {
  const struct program *program = p->test->program;
  INSTR_EACH (instr, program) {
    struct mapping_key own;
    if (compile_key(program, instr, &own) && own.kind == key.kind && own.scope == key.scope && own.order == key.order &&
        own.remote == key.remote)
      return true;
  }
  return false;
}

struct trials {
  const struct core *core;
  const struct target *target;
  const struct ablate_options *options;
};

static enum verify_answer try_once(const struct trials *trials, const struct target *target,
                                   const struct core_program *p, struct explorer *explorer) {
  struct arena *arena = arena_new();
  struct diags diags = diags_new(arena);
  struct verify_result result;
  struct verifier verifier = {.target = target, .options = &trials->options->verify, .explorer = explorer};
  verify_known(&verifier, p->test, p->verdict, arena, &result, &diags);
  enum verify_answer answer = result.answer;
  arena_free(arena);
  return answer;
}

static void try_program(const struct trials *trials, struct target target, const struct core_program *p,
                        struct explorer *explorer, struct ablation *a) {
  struct gpu_knobs knobs = *(const struct gpu_knobs *)target.settings;
  target.settings = &knobs;
  if (p->verdict->end != END_DONE) {
    a->undecided++;
    return;
  }
  a->race_free++;
  for (unsigned order = WRITE_BACK_FIFO; order <= WRITE_BACK_ANY; order++) {
    knobs.write_back = order;
    enum verify_answer answer = try_once(trials, &target, p, explorer);
    a->unsound[order] += answer == VERIFY_UNSOUND;
    a->stuck[order] += answer == VERIFY_DEADLOCK;
    a->undecided += answer == VERIFY_UNDECIDED;
    bool bad = answer == VERIFY_UNSOUND || answer == VERIFY_DEADLOCK;
    if (!bad || (a->found[order] && small_size(&p->program) >= small_size(&a->smallest[order]))) continue;
    a->smallest[order] = p->program;
    a->found[order] = true;
  }
}

static void try_one(const struct trials *trials, struct ablation *a) {
  struct arena *arena = arena_new();
  struct explorer *explorer = explorer_new();
  struct target target = *trials->target;
  target.mapping = mapping_with(arena, target.mapping, a->key, a->cell);
  ARRAY_EACH (const struct core_program, p, trials->core->kept.at, trials->core->kept.count) {
    if (is_cancelled(trials->options->verify.explore.cancel)) {
      a->undecided++;
      break;
    }
    if (p->wide == (a->key.scope == SCOPE_SYS) && uses(p, a->key)) try_program(trials, target, p, explorer, a);
  }
  explorer_free(explorer);
  arena_free(arena);
}

/* The changes of a target's mapping; are those of system scope among them? */
static bool list_changes(struct arena *arena, const struct target *target, struct changes *changes) {
  *changes = (struct changes){.arena = arena};
  all_changes(changes, target->mapping);
  return changes->at.count && changes->at.at[changes->at.count - 1].key.scope == SCOPE_SYS;
}

static struct core make_core(struct arena *arena, const struct cat_model *model, const struct ablate_options *options,
                             bool wide) {
  struct core core = {.arena = arena, .model = model, .options = options};
  build_core(&core, false);
  if (wide) build_core(&core, true);
  return core;
}

/* In parts: a part's text has the core's numbers, which are the same for all of a
 * target's, then the change's. */
enum tried_count {
  CORE_PROGRAMS,
  CORE_KEPT,
  CORE_UNDECIDED,
  TRIED_RACE_FREE,
  TRIED_UNSOUND,
  TRIED_UNSOUND_ANY_ORDER,
  TRIED_STUCK,
  TRIED_STUCK_ANY_ORDER,
  TRIED_UNDECIDED,
  TRIED_COUNTS
};

struct ablate_division {
  const struct ablate_options *options;
  const struct target *targets;
  size_t target_count;
  struct changes *changes; /* by target */
  struct core cores[2];    /* narrow, wide */
  bool *wide;              /* by target: which core it takes */
  uint64_t total;
};

static void write_smallest(const struct ablation *a, FILE *out) {
  for (unsigned order = 0; order < 2; order++) {
    if (!a->found[order]) continue;
    fprintf(out, "\n%u ", order);
    small_print(&a->smallest[order], out);
  }
}

static bool do_part(void *context, uint64_t part, FILE *out) {
  struct ablate_division *d = context;
  size_t target = 0;
  for (; part >= d->changes[target].at.count; target++) part -= d->changes[target].at.count;
  double start = monotonic_seconds();
  const struct core *core = &d->cores[d->wide[target]];
  struct ablation a = d->changes[target].at.at[part];
  struct trials trials = {core, &d->targets[target], d->options};
  try_one(&trials, &a);
  uint64_t counts[TRIED_COUNTS] = {
      [CORE_PROGRAMS] = core->programs, [CORE_KEPT] = core->kept.count,       [CORE_UNDECIDED] = core->undecided,
      [TRIED_RACE_FREE] = a.race_free,  [TRIED_UNSOUND] = a.unsound[0],       [TRIED_UNSOUND_ANY_ORDER] = a.unsound[1],
      [TRIED_STUCK] = a.stuck[0],       [TRIED_STUCK_ANY_ORDER] = a.stuck[1], [TRIED_UNDECIDED] = a.undecided};
  parts_write_counts(out, counts, TRIED_COUNTS, monotonic_seconds() - start);
  write_smallest(&a, out);
  return !is_cancelled(d->options->verify.explore.cancel);
}

bool ablate_run(struct parts *parts, const struct target *targets, size_t target_count, const struct cat_model *model,
                const struct ablate_options *options) {
  struct arena *arena = arena_new();
  struct ablate_division d = {.options = options, .targets = targets, .target_count = target_count};
  bool wanted[2] = {false, false};
  d.changes = ARENA_ARRAY(arena, struct changes, target_count + 1);
  d.wide = ARENA_ARRAY(arena, bool, target_count + 1);
  for (size_t i = 0; i < target_count; i++) {
    d.wide[i] = list_changes(arena, &targets[i], &d.changes[i]);
    wanted[d.wide[i]] |= d.changes[i].at.count > 0;
    d.total += d.changes[i].at.count;
  }
  parts_set_total(parts, d.total);
  for (int wide = 0; wide < 2; wide++)
    if (wanted[wide] && parts_done(parts) < d.total) d.cores[wide] = make_core(arena, model, options, wide);
  parts_run(parts, options->workers, do_part, &d);
  arena_free(arena);
  return !is_cancelled(options->verify.explore.cancel);
}

static void read_smallest(const char *const *lines, struct ablation *a) {
  for (; *lines; lines++) {
    unsigned order = **lines == '1';
    a->found[order] = !small_read(*lines + 2, &small_opencl, &a->smallest[order]);
  }
}

/* The seconds that the part took. */
static double read_counts(const char *text, struct ablate_result *result, struct ablation *a) {
  uint64_t counts[TRIED_COUNTS];
  double seconds;
  a->undecided = !parts_read_counts(text, counts, TRIED_COUNTS, &seconds);
  if (a->undecided) return 0;
  result->programs = counts[CORE_PROGRAMS];
  result->model_undecided = counts[CORE_UNDECIDED];
  result->race_free = counts[CORE_KEPT] - counts[CORE_UNDECIDED];
  a->race_free = counts[TRIED_RACE_FREE];
  a->unsound[0] = counts[TRIED_UNSOUND];
  a->unsound[1] = counts[TRIED_UNSOUND_ANY_ORDER];
  a->stuck[0] = counts[TRIED_STUCK];
  a->stuck[1] = counts[TRIED_STUCK_ANY_ORDER];
  a->undecided = counts[TRIED_UNDECIDED];
  return seconds;
}

struct ablate_result ablate_sum(struct arena *arena, struct parts *parts, const struct target *targets, size_t target) {
  struct ablate_result result = {0};
  struct changes changes;
  size_t first = 0;
  for (size_t i = 0; i <= target; i++) {
    if (i) first += changes.at.count;
    list_changes(arena, &targets[i], &changes);
  }
  for (size_t i = 0; i < changes.at.count; i++) {
    struct ablation *a = &changes.at.at[i];
    const char *text = parts_text(parts, first + i);
    a->undecided = !text;
    if (!text) continue;
    result.seconds += read_counts(text, &result, a);
    read_smallest(text_split(arena, text, "\n", NULL) + 1, a);
  }
  result.at = changes.at.at;
  result.count = changes.at.count;
  return result;
}
