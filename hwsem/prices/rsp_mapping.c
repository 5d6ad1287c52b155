/* SPDX-License-Identifier: MIT */
/* Mapping steps become instructions of the timed GPU one by one, except that locks
 * taken, or released, side by side are one message. */
#include "hwsem/prices/rsp_mapping.h"

#include <string.h>

#include "checker/base/vec.h"

#define OPERATION(name, kind, scope, order, remote)                   \
  {                                                                   \
    name, {                                                           \
      MAP_##kind, SCOPE_##scope, ORDER_##order, remote, REGION_GLOBAL \
    }                                                                 \
  }
const struct rsp_operation rsp_operations[RSP_OPERATIONS] = {
    OPERATION("load WG", LOAD, WG, ACQ, false),          OPERATION("load DV", LOAD, DEV, ACQ, false),
    OPERATION("load DV remote", LOAD, DEV, ACQ, true),   OPERATION("store WG", STORE, WG, REL, false),
    OPERATION("store DV", STORE, DEV, REL, false),       OPERATION("store DV remote", STORE, DEV, REL, true),
    OPERATION("RMW WG", RMW, WG, ACQ_REL, false),        OPERATION("RMW DV", RMW, DEV, ACQ_REL, false),
    OPERATION("RMW DV remote", RMW, DEV, ACQ_REL, true),
};

static const char no_system[] = "it reaches beyond one device";
static const char no_local[] = "it accesses local memory";

/* Steps as instructions of the timed GPU: near is in the L1, or for a work-group.  It has none for control flow and
 * arithmetic, nor for meeting at a barrier. */
static const struct {
  enum { NONE, ACCESS, CACHE, LOCK } kind;
  enum rsp_instr near, far;
} translations[HW_JUMP + 1] = {
    [HW_LD] = {ACCESS, RSP_LD, RSP_LD},           [HW_ST] = {ACCESS, RSP_ST, RSP_ST_L2},
    [HW_RMW] = {ACCESS, RSP_INC_L1, RSP_INC_L2},  [HW_FLU] = {CACHE, RSP_FLU_WG, RSP_FLU_DV},
    [HW_INV] = {CACHE, RSP_INV_WG, RSP_INV_DV},   [HW_LOCK_RMW] = {LOCK, RSP_LK, RSP_LK},
    [HW_LOCK_LINE] = {LOCK, RSP_LK, RSP_LK},      [HW_UNLOCK_RMW] = {LOCK, RSP_UNLK, RSP_UNLK},
    [HW_UNLOCK_LINE] = {LOCK, RSP_UNLK, RSP_UNLK}};

/* Of a step that has one.  Returns why it has no price. */
static const char *translate(struct mapping_step step, enum rsp_instr *instr) {
  bool access = translations[step.op].kind == ACCESS, cache = translations[step.op].kind == CACHE;
  bool far = access ? step.level == LEVEL_L2 : step.target != TARGET_WG;
  *instr = far ? translations[step.op].far : translations[step.op].near;
  if (*instr == RSP_INV_DV && step.posted) *instr = RSP_POSTED_INV_DV;
  if (access && step.level == LEVEL_LOCAL) return no_local;
  if (access && step.level == LEVEL_GL) return no_system;
  if (cache && step.level != LEVEL_L1) return no_system;
  if (!access && step.target == TARGET_SYS && step.op != HW_LOCK_LINE && step.op != HW_UNLOCK_LINE) return no_system;
  return NULL;
}

const char *rsp_sequence_of_cell(struct arena *arena, const struct mapping_cell *cell, struct rsp_sequence *sequence) {
  VEC(enum rsp_instr) instrs = {0};
  for (unsigned i = 0; i < cell->step_count; i++) {
    enum rsp_instr instr;
    if (translations[cell->steps[i].op].kind == NONE) continue;
    const char *fault = translate(cell->steps[i], &instr);
    if (fault) return fault;
    bool lock = instr == RSP_LK || instr == RSP_UNLK;
    if (lock && instrs.count && instrs.at[instrs.count - 1] == instr) continue;
    *vec_push(arena, &instrs) = instr;
  }
  *sequence = (struct rsp_sequence){instrs.at, instrs.count};
  return NULL;
}

static struct rsp_machine machine_with(struct arena *arena, const struct rsp_parameters *p, const struct rsp_cu *cus,
                                       bool hit) {
  struct rsp_machine machine = rsp_machine_new(arena, p);
  for (int64_t cu = 0; cu < p->n; cu++) {
    machine.cus[cu] = cus[cu];
    machine.cus[cu].line = hit;
  }
  return machine;
}

struct rsp_price rsp_price_operation(const struct rsp_parameters *parameters, const struct rsp_cu *cus,
                                     struct rsp_sequence sequence, bool hit) {
  struct arena *arena = arena_new();
  struct rsp_machine machine = machine_with(arena, parameters, cus, hit);
  struct rsp_price price = rsp_price_sequence(&machine, sequence);
  arena_free(arena);
  return price;
}

/* ---- threads -------------------------------------------------------------------- */

enum { MOST_PATHS = 4096 };

/* A run along one path.  An address that depends on a register is taken for its
 * first cell. */
struct path {
  struct rsp_machine machine;
  bool *valid;  /* by location: is it in the own L1? */
  bool *looped; /* by instruction: has it gone backwards? */
  enum rsp_instr last;
  int64_t now;
  unsigned instructions;
};

/* Where a path goes on once those before it have ended. */
struct waiting {
  struct path path;
  unsigned at;
};

static const char TOO_MANY[] = "it has too many paths";

struct walk {
  struct arena *arena;
  const struct hw_thread *code;
  size_t locations;
  int64_t unit;
  unsigned paths;
  VEC(struct waiting) waiting;
  struct rsp_thread_price price;
};

static struct path fork_path(struct walk *w, const struct path *path) {
  struct path other = *path;
  other.machine.cus = arena_copy(w->arena, path->machine.cus, (size_t)path->machine.p.n, sizeof *path->machine.cus);
  other.valid = arena_copy(w->arena, path->valid, w->locations, sizeof *path->valid);
  other.looped = arena_copy(w->arena, path->looped, w->code->instr_count, sizeof *path->looped);
  return other;
}

/* Does an instruction, unless it, or what the path has done before, has no price. */
static void execute(struct walk *w, struct path *path, const struct hw_instr *instr) {
  enum rsp_instr what;
  if (translations[instr->op].kind == NONE) return;
  const char *fault = translate((struct mapping_step){instr->op, instr->level, instr->target, instr->posted}, &what);
  if (fault) w->price.fault = fault;
  if (w->price.fault) return;
  bool joined = (what == RSP_LK || what == RSP_UNLK) && what == path->last && !instr->first;
  path->last = what;
  path->instructions++;
  if (joined) return;
  bool accesses = translations[instr->op].kind == ACCESS;
  struct rsp_cu *cu = &path->machine.cus[w->unit];
  if (accesses) cu->line = path->valid[instr->address.base];
  path->now = rsp_execute(&path->machine, w->unit, what, path->now);
  if (accesses) path->valid[instr->address.base] = cu->line;
  if (instr->op == HW_INV) memset(path->valid, 0, w->locations * sizeof *path->valid);
}

static void end_path(struct walk *w, const struct path *path) {
  struct rsp_thread_price *price = &w->price;
  if (w->paths == 0 || path->now < price->least) price->least = path->now;
  if (path->now > price->most) price->most = path->now;
  if (path->instructions > price->instructions) price->instructions = path->instructions;
  w->paths++;
}

/* May the path go to `destination`?  Backwards only once from each instruction. */
static bool may_go(struct path *path, unsigned from, unsigned destination) {
  if (destination > from) return true;
  if (path->looped[from]) return false;
  path->looped[from] = true;
  return true;
}

/* Takes a path to its end; others that branch off it wait. */
static void follow(struct walk *w, struct path path, unsigned at) {
  while (at < w->code->instr_count && !w->price.fault) {
    const struct hw_instr *instr = &w->code->instrs[at];
    if (instr->op == HW_BRANCH) {
      struct path other = fork_path(w, &path);
      if (may_go(&other, at, instr->destination))
        *vec_push(w->arena, &w->waiting) = (struct waiting){other, instr->destination};
    }
    if (w->waiting.count + w->paths >= MOST_PATHS) w->price.fault = TOO_MANY;
    if (instr->op == HW_JUMP) {
      if (!may_go(&path, at, instr->destination)) return;
      at = instr->destination;
      continue;
    }
    execute(w, &path, instr);
    at++;
  }
  if (at >= w->code->instr_count && !w->price.fault) end_path(w, &path);
}

/* A thread at its start. */
static void start(struct walk *w, struct path *path, const struct rsp_parameters *parameters, const struct rsp_cu *cus,
                  const struct hw_program *program, unsigned thread) {
  w->code = &program->threads[thread];
  w->locations = program->program->location_count;
  w->unit = w->code->thread->wg % parameters->n;
  *path = (struct path){.machine = machine_with(w->arena, parameters, cus, false), .last = RSP_LD};
  path->valid = ARENA_ARRAY(w->arena, bool, w->locations + 1);
  path->looped = ARENA_ARRAY(w->arena, bool, w->code->instr_count + 1);
}

struct rsp_thread_price rsp_price_thread(const struct rsp_parameters *parameters, const struct rsp_cu *cus,
                                         const struct hw_program *program, unsigned thread) {
  struct arena *arena = arena_new();
  struct walk w = {.arena = arena};
  struct path path;
  start(&w, &path, parameters, cus, program, thread);
  follow(&w, path, 0);
  while (w.waiting.count && !w.price.fault) {
    struct waiting next = w.waiting.at[--w.waiting.count];
    follow(&w, next.path, next.at);
  }
  if (!w.price.fault && w.paths == 0) w.price.fault = TOO_MANY;
  arena_free(arena);
  return w.price;
}

/* ---- runs ----------------------------------------------------------------------- */

struct rsp_run {
  struct walk *walks; /* by thread */
  struct path *paths;
};

struct rsp_run *rsp_run_new(struct arena *arena, const struct rsp_parameters *parameters, const struct rsp_cu *cus,
                            const struct hw_program *program) {
  struct rsp_run *run =
      ARENA_MAKE(arena, struct rsp_run, .walks = ARENA_ARRAY(arena, struct walk, program->thread_count),
                 .paths = ARENA_ARRAY(arena, struct path, program->thread_count));
  for (unsigned t = 0; t < program->thread_count; t++) {
    run->walks[t].arena = arena;
    start(&run->walks[t], &run->paths[t], parameters, cus, program, t);
  }
  return run;
}

int64_t rsp_run_step(struct rsp_run *run, unsigned thread, unsigned pc) {
  struct walk *w = &run->walks[thread];
  execute(w, &run->paths[thread], &w->code->instrs[pc]);
  return w->price.fault ? -1 : run->paths[thread].now;
}

int64_t rsp_run_now(const struct rsp_run *run, unsigned thread) {
  return run->paths[thread].now;
}

bool rsp_find_sequence(struct arena *arena, const struct mapping *mapping, int operation, struct rsp_sequence *sequence,
                       struct diags *diags) {
  const struct mapping_cell *cell = mapping_find(mapping, rsp_operations[operation].key);
  const char *fault = cell ? rsp_sequence_of_cell(arena, cell, sequence) : "it has no <operation> for it";
  if (fault)
    diag_error(diags, mapping->source, cell ? cell->span : (struct span){0}, "%s has no price on this machine: %s",
               rsp_operations[operation].name, fault);
  return !fault;
}
