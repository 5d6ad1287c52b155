/* SPDX-License-Identifier: MIT */
/* Execution of one thread over symbolic values; see paths.h. */
#include "checker/exec/paths/paths.h"

#include "checker/exec/loops/spin_multiply_executions.h"
#include "checker/exec/paths/control_dependencies.h"
#include "checker/exec/paths/symbolic.h"
#include "checker/exec/paths/thread_state.h"

static void step_barrier(struct runner *r, struct thread_state *s, const struct instr *instr) {
  unsigned round = s->rounds[instr->barrier_label + 1]++;
  for (int exit = 0; exit <= 1; exit++) {
    struct path_event *e = path_add_event(r, s, EVENT_FENCE, instr);
    e->event.order = exit ? ORDER_ACQ : ORDER_REL;
    e->event.regions = instr->regions;
    e->event.barrier_entry = !exit;
    e->event.barrier_exit = exit;
    e->barrier_label = instr->barrier_label;
    e->barrier_round = round;
  }
}

/* Whether the thread passes is for the whole execution to say (barrier_passing.h). */
static void step_meet(struct runner *r, struct thread_state *s, const struct instr *instr) {
  struct path_event *e = path_add_event(r, s, EVENT_MEET, instr);
  e->event.meeting = instr->barrier_label;
  e->event.arrive = instr->arrive;
  e->event.silent = instr->silent;
  e->event.has_resource = instr->resource;
  e->event.has_quorum = instr->quorum;
  e->resource = instr->resource ? state_value(r, s, instr->resource) : NULL;
  e->quorum = instr->quorum ? state_value(r, s, instr->quorum) : NULL;
  e->event.resource_known = !e->resource || e->resource->kind == EXPR_CONST;
  if (e->resource && e->resource->kind == EXPR_CONST) e->event.resource = e->resource->value;
  e->event.quorum_known = !e->quorum || e->quorum->kind == EXPR_CONST;
  if (e->quorum && e->event.quorum_known) e->event.quorum = e->quorum->value;
}

/* The kernel's body follows; on its own, it does not hold up what comes after it. */
static void step_call(struct runner *r, struct thread_state *s, const struct instr *instr) {
  struct path_event *e = path_add_event(r, s, EVENT_CALL, instr);
  e->event.kernel = s->kernel = instr->kernel;
  s->launch = e->event.po_index + 1;
  s->host_ctrl = s->ctrl;
}

static void step_return(struct thread_state *s) {
  s->launch = s->kernel = 0;
  s->ctrl = s->host_ctrl;
}

static struct cell at_cell(unsigned location) {
  return (struct cell){(int)location, (int)location, &no_reads};
}

/* memset and memcpy, as the accesses that they stand for. */
static void step_fill(struct runner *r, struct thread_state *s, const struct instr *instr) {
  const struct expr *value = state_value(r, s, instr->value);
  const struct reads *data = state_dependencies(r, s, instr->value);
  for (unsigned i = 0; i < instr->address.size; i++)
    path_add_write(r, s, instr, at_cell(instr->address.base + i), value, data);
}

static void step_copy(struct runner *r, struct thread_state *s, const struct instr *instr) {
  for (unsigned i = 0; i < instr->address.size; i++) {
    unsigned read = path_add_read(r, s, instr, at_cell(instr->from.base + i));
    path_add_write(r, s, instr, at_cell(instr->address.base + i), s->path.events[read].value,
                   reads_one(r->arena, read));
  }
}

/* Where an object may have been another's memory before, its cells start again at
 * zero: initial writes are of the first lifetime only. */
static void step_lifetime(struct runner *r, struct thread_state *s, const struct instr *instr) {
  const struct object *object = &r->program->objects[instr->object];
  bool begins = instr->kind == INSTR_ALLOC;
  path_add_event(r, s, begins ? EVENT_ALLOC : EVENT_FREE, instr)->event.object = instr->object + 1;
  for (unsigned i = 0; begins && object->freed && i < object->size; i++)
    path_add_write(r, s, instr, at_cell(object->base + i), expr_constant(r->arena, 0), &no_reads);
}

static void step_assign(struct runner *r, struct thread_state *s, const struct instr *instr) {
  const struct reads *hidden = arms_hidden(r, s, instr->value);
  const struct expr *value = state_value(r, s, instr->value);
  if (r->limits->settles && expr_is_truth(value->kind)) value = state_settle(r, s, value, 0);
  state_set_register(s, instr->reg, value, state_dependencies(r, s, instr->value));
  if (s->joins && instr->reg != NO_REG) s->hidden_in[instr->reg] = reads_union(r->arena, s->hidden, hidden);
}

static bool step_plain(struct runner *r, struct thread_state *s, const struct instr *instr, struct cell cell) {
  switch (instr->kind) {
    case INSTR_LOAD: {
      unsigned read = path_add_read(r, s, instr, cell);
      const struct expr *value = s->path.events[read].value;
      state_set_register(s, instr->reg, value, reads_one(r->arena, read));
      if (instr->awaits)
        state_require(r, s, symbolic_apply(r->arena, EXPR_NE, value, expr_constant(r->arena, instr->nothing), NULL),
                      true);
      break;
    }
    case INSTR_STORE:
      path_add_write(r, s, instr, cell, state_value(r, s, instr->value), state_dependencies(r, s, instr->value));
      break;
    case INSTR_RMW:
      path_rmw(r, s, instr, cell);
      break;
    case INSTR_FENCE:
      path_add_event(r, s, EVENT_FENCE, instr)->event.regions = instr->regions;
      break;
    case INSTR_BARRIER:
      step_barrier(r, s, instr);
      break;
    case INSTR_MEET:
      step_meet(r, s, instr);
      break;
    case INSTR_MARK:
      path_add_mark(r, s, instr, cell);
      break;
    case INSTR_ASSIGN:
      step_assign(r, s, instr);
      break;
    case INSTR_CALL:
      step_call(r, s, instr);
      break;
    case INSTR_RETURN:
      step_return(s);
      break;
    case INSTR_SYNC:
      path_add_event(r, s, EVENT_SYNC, instr);
      break;
    case INSTR_ALLOC:
    case INSTR_FREE:
      step_lifetime(r, s, instr);
      break;
    case INSTR_FILL:
      step_fill(r, s, instr);
      break;
    case INSTR_COPY:
      step_copy(r, s, instr);
      break;
    default:
      return false;
  }
  s->pc++;
  return true;
}

static bool has_address(const struct instr *instr) {
  return instr_is_access(instr) || (instr->kind == INSTR_MARK && instr->address.size);
}

static void step(struct runner *r, struct thread_state *s) {
  const struct instr *instr = &r->thread->instrs[s->pc];
  struct cell cell = {-1, -1, &no_reads}, at = {-1, -1, &no_reads};
  arms_step(s);
  if (divisions_fork(r, s, instr)) return;
  if (has_address(instr)) {
    cell_resolve(r, s, &instr->address, 0, &cell);
    if (instr->alias) cell.name = (int)instr->alias - 1;
    if (s->end == THREAD_RUNNING && instr->kind == INSTR_CAS && instr->expected_in_memory)
      cell_resolve(r, s, &instr->expected_at, 1, &at);
    if (s->end != THREAD_RUNNING) return;
    s->pinned[0] = s->pinned[1] = -1;
  }
  if (step_plain(r, s, instr, cell)) {
    if ((r->limits->stops || r->limits->begins) && instr->kind == INSTR_MEET && !instr->arrive) path_meet_or_stop(r, s);
    return;
  }
  if (instr->kind == INSTR_CAS)
    path_cas(r, s, instr, cell, at);
  else if (instr->kind == INSTR_LOCK)
    path_lock(r, s, instr, cell);
  else if (instr->kind == INSTR_BRANCH)
    path_branch(r, s, instr);
  else
    path_jump(r, s, instr->target);
}

static bool run(struct runner *r, struct thread_state *s) {
  while (s->end == THREAD_RUNNING && !r->too_long) {
    if (path_in_vain(r, s)) break;
    path_note_round(r, s);
    if (s->pc < r->thread->instr_count)
      step(r, s);
    else
      path_end(r, s);
  }
  return !r->too_long;
}

/* ---- Entry ----------------------------------------------------------------- */

struct thread_state *thread_start(struct arena *arena, const struct program *program, unsigned thread,
                                  const struct path_limits *limits) {
  struct runner r = {arena, program, &program->threads[thread], thread, limits, false};
  struct thread_state *s = ARENA_NEW(arena, struct thread_state);
  s->path.registers = ARENA_ARRAY(arena, const struct expr *, r.thread->reg_count);
  s->path.identity = 1;
  s->dependencies = ARENA_ARRAY(arena, const struct reads *, r.thread->reg_count);
  s->taken = ARENA_ARRAY(arena, unsigned, r.thread->instr_count);
  s->failed = ARENA_ARRAY(arena, unsigned, r.thread->instr_count);
  s->rounds = ARENA_ARRAY(arena, unsigned, program->barrier_label_count + 1);
  s->ctrl = &no_reads;
  arms_start(&r, s);
  s->pinned[0] = s->pinned[1] = -1;
  if (!limits->forks) s->shown = path_shown(arena, r.thread);
  s->path.ways = 1;
  if (limits->count_spins) s->counted_spins = spin_count_find(arena, r.thread);
  if (limits->stops || limits->cut_spins || limits->count_spins) s->iterations_at = iterations_new(arena, r.thread);
  if (limits->spin_folds) s->looks_at = iterations_new(arena, r.thread);
  for (unsigned reg = 0; reg < r.thread->reg_count; reg++) {
    s->path.registers[reg] = expr_constant(arena, r.thread->reg_init[reg]);
    s->dependencies[reg] = &no_reads;
  }
  return run(&r, s) ? s : NULL;
}

struct thread_state *thread_resume(struct arena *arena, const struct program *program, unsigned thread,
                                   const struct path_limits *limits, const struct thread_state *open, unsigned branch) {
  struct runner r = {arena, program, &program->threads[thread], thread, limits, false};
  struct thread_state *s = state_copy(&r, open->branches.at[branch]);
  s->branches = open->branches.at[branch]->branches;
  s->kept = false;
  state_settle_registers(&r, s, open->path.condition_count);
  return run(&r, s) ? s : NULL;
}

void thread_keep(const struct path_store *store, struct thread_state *state) {
  state->kept = true;
  state->led_to = ARENA_ARRAY(store->arena, struct thread_state *, state->branches.count);
}

bool thread_is_kept(const struct thread_state *state) {
  return state->kept;
}

struct thread_state *thread_go_on(const struct path_store *store, struct arena *arena, unsigned thread,
                                  const struct thread_state *open, unsigned branch) {
  if (open->kept && open->led_to[branch]) return open->led_to[branch];
  bool keeps = open->kept && arena_size(store->arena) <= store->room;
  struct thread_state *state =
      thread_resume(keeps ? store->arena : arena, store->program, thread, store->limits, open, branch);
  if (!keeps) return state;
  if (state) thread_keep(store, state);
  return open->led_to[branch] = state;
}

enum thread_end thread_end(const struct thread_state *state) {
  return state->end;
}

const struct path *thread_path(const struct thread_state *state) {
  return &state->path;
}

unsigned thread_branch_count(const struct thread_state *state) {
  return (unsigned)state->branches.count;
}

const struct path *thread_branch(const struct thread_state *state, unsigned branch) {
  return state->branches.at[branch]->end == THREAD_IMPOSSIBLE ? NULL : &state->branches.at[branch]->path;
}

unsigned thread_position(const struct thread_state *state) {
  return state->pc;
}
