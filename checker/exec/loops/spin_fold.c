/* SPDX-License-Identifier: MIT */
/* Whether a round of a spin loop, which a path has gone, is folded: spin_folds_idle_round, on which
 * jumps_and_unrolling.c ends the path.  Before any path is made: where rounds begin, which instructions' events no flag
 * can be about, which values a location can have.
 */
#include "checker/exec/loops/spin_fold.h"

#include <assert.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/tags.h"
#include "checker/base/vec.h"
#include "checker/cat/print.h"
#include "checker/exec/loops/checks_survive_removal.h"
#include "checker/exec/loops/possible_events.h"
#include "checker/exec/loops/possible_model_flags.h"
#include "checker/exec/loops/spin_iteration_estimate.h"
#include "checker/exec/loops/spin_multiply_executions.h"
#include "checker/exec/paths/event_structure.h"
#include "checker/exec/scope_inclusion.h"
#include "checker/program/live_registers.h"

enum { NOWHERE = -1 };

struct wait_thread {
  bool moves;         /* may a read take another's place? */
  const bool *begins; /* by instruction: a round may begin there */
  const int *copies;  /* by instruction: where the round begins of which a copy begins here; else NOWHERE */
  const bool *loud;   /* by instruction: a flag may be about one of its events */
  const bool *live;   /* live_registers */
};

/* What a location can hold; and are any two accesses of it morally strong? */
struct contents {
  bool any, strong;
  VEC(int64_t) values;
};

struct spin_folds {
  const struct program *program;
  struct wait_thread *threads;
  struct contents *contents; /* by location; NULL: exchanges count */
  bool moral;                /* exchanges where accesses are strong, by what is written from what is read */
  unsigned loops;
};

/* ---- Loops ------------------------------------------------------------------------------ */

/* Do they do the same, as instructions that rounds have? */
static bool same_step(const struct instr *a, const struct instr *b) {
  bool steps = a->kind == INSTR_LOAD || a->kind == INSTR_RMW || a->kind == INSTR_FENCE || a->kind == INSTR_ASSIGN ||
               a->kind == INSTR_CAS;
  return steps && instr_same(a, b);
}

/* Does a jump lead to an instruction of these, but for the one at `from`? */
static bool is_entered(const struct thread *thread, unsigned first, unsigned last, unsigned from) {
  for (unsigned i = 0; i < thread->instr_count; i++) {
    const struct instr *instr = &thread->instrs[i];
    if (i != from && (instr_jumps(instr) || instr->kind == INSTR_CALL) && instr->target >= first &&
        instr->target <= last)
      return true;
  }
  return false;
}

/* Where a copy of the round begins that the jump at `from` ends, right before its loop; else NOWHERE. */
static int copy_before(const struct thread *thread, unsigned target, unsigned start, unsigned from) {
  unsigned length = from - start;
  if (thread->instrs[from].kind != INSTR_JUMP || !length || length > target) return NOWHERE;
  unsigned first = target - length;
  for (unsigned i = 0; i < length; i++)
    if (!same_step(&thread->instrs[first + i], &thread->instrs[start + i])) return NOWHERE;
  return is_entered(thread, first + 1, start, from) ? NOWHERE : (int)first;
}

/* May the instruction hand on what the round has read last? */
static bool may_hand_on(const struct instr *instr) {
  return instr->kind == INSTR_LOAD || instr->kind == INSTR_CAS ||
         (instr->kind == INSTR_ASSIGN && instr->value->kind == EXPR_REG);
}

/* May a round go through the instruction in vain? */
static bool may_look(const struct thread *thread, const struct wait_thread *t, unsigned pc, const bool *live) {
  const struct instr *instr = &thread->instrs[pc];
  bool looks = instr->kind == INSTR_LOAD || instr->kind == INSTR_FENCE || instr->kind == INSTR_CAS ||
               (instr->kind == INSTR_RMW && instr->op == RMW_EXCHANGE);
  bool keeps = instr->reg == NO_REG || instr_jumps(instr) || instr->kind == INSTR_FENCE || !live[instr->reg] ||
               (t->moves && may_hand_on(instr));
  return (instr_is_control(instr) || (looks && !t->loud[pc])) && keeps;
}

/* Is there a way round, from `start` to the jump, that looks and does nothing? */
static bool may_wait(const struct thread *thread, const struct wait_thread *t, unsigned start, unsigned from) {
  const bool *live = &t->live[start * thread->reg_count];
  bool reached[from + 1], events[from + 1];
  memset(reached, 0, sizeof reached);
  memset(events, 0, sizeof events);
  reached[start] = true;
  for (unsigned pc = start; pc < from; pc++) {
    const struct instr *instr = &thread->instrs[pc];
    if (!reached[pc] || !may_look(thread, t, pc, live)) continue;
    bool event = events[pc] || !instr_is_control(instr);
    unsigned next[] = {instr->kind == INSTR_JUMP ? from + 1 : pc + 1, instr_jumps(instr) ? instr->target : from + 1};
    for (unsigned i = 0; i < 2; i++) {
      if (next[i] <= pc || next[i] > from) continue;
      reached[next[i]] = true;
      events[next[i]] |= event;
    }
  }
  return events[from];
}

static void find_rounds(struct arena *arena, const struct thread *thread, struct wait_thread *out, unsigned *loops) {
  bool *begins = ARENA_ARRAY(arena, bool, thread->instr_count + 1);
  int *copies = ARENA_ARRAY(arena, int, thread->instr_count + 1);
  out->live = live_registers(arena, thread, iterations_named(arena, thread));
  for (unsigned i = 0; i <= thread->instr_count; i++) copies[i] = NOWHERE;
  for (unsigned i = 0; i < thread->instr_count; i++) {
    if (!thread_loop_ends_at(thread, i)) continue;
    unsigned target = thread->instrs[i].target, start = iterations_start(thread, target, i);
    int copy = copy_before(thread, target, start, i);
    begins[target] = begins[start] = true;
    if (copy != NOWHERE) copies[copy] = (int)start;
    *loops += may_wait(thread, out, start, i);
  }
  out->begins = begins;
  out->copies = copies;
}

/* ---- Events that flags are about --------------------------------------------------------- */

/* Which instructions' events can a flag be about?  Returns whether that can be said. */
static bool find_loud(struct arena *arena, const struct program *program, const struct cat_ir *ir, const bool *skip,
                      struct wait_thread *threads) {
  struct arena *scratch = arena_new();
  struct structure *all = possible_events(scratch, program);
  bool *loud[program->thread_count + 1];
  for (unsigned t = 0; t < program->thread_count; t++)
    threads[t].loud = loud[t] = ARENA_ARRAY(arena, bool, program->threads[t].instr_count + 1);
  if (all) {
    word *found = ARENA_ARRAY(scratch, word, all->execution.shape.w);
    possible_model_flags_find(ir, &all->execution, skip, found);
    SET_EACH (e, all->execution.shape.w, found)
      if (all->events[e].thread >= 0) loud[all->events[e].thread][all->events[e].instr] = true;
  }
  arena_free(scratch);
  return all != NULL;
}

/* ---- Values -------------------------------------------------------------------------------- */

/* The value that the instruction leaves where it writes, if that is always the same. */
static bool leaves_constant(const struct instr *instr, int64_t *value) {
  bool exchange = instr->kind == INSTR_RMW && instr->op == RMW_EXCHANGE;
  bool swap = instr->kind == INSTR_CAS && !instr->unless && !instr->writeback; /* what it rewrites was there */
  if (!(exchange || swap || instr->kind == INSTR_STORE) || !instr->value || instr->value->kind != EXPR_CONST)
    return false;
  *value = exchange && instr->width.bits ? width_fit(instr->width, instr->value->value) : instr->value->value;
  return true;
}

static void add_contents(struct arena *arena, const struct spin_folds *w, const struct instr *instr) {
  int64_t value;
  for (unsigned x = 0; x < w->program->location_count; x++) {
    if (!instr_writes(w->program, instr, x)) continue;
    if (leaves_constant(instr, &value))
      *vec_push(arena, &w->contents[x].values) = value;
    else
      w->contents[x].any = true;
  }
}

/* Are the two accesses strong, of as many bits, and in each other's scope? */
static bool are_strong(const struct program *program, const struct instr *a, unsigned t, const struct instr *b,
                       unsigned u) {
  const tag_set expected = tag_bit(TAG_GEN) | tag_bit(TAG_SIZE_1) | tag_bit(TAG_SIZE_2);
  bool plain = !((a->tags | b->tags) & ~expected) && !a->read_tags && !a->write_tags && !a->alias;
  return plain && a->order != ORDER_NA && b->order != ORDER_NA && a->tags == b->tags &&
         scope_includes(&program->threads[t], a->scope, &program->threads[u]) &&
         scope_includes(&program->threads[u], b->scope, &program->threads[t]);
}

static bool accesses(const struct instr *instr, unsigned location) {
  return instr_is_access(instr) && address_may_be(&instr->address, location);
}

/* Is an access of the location strong with all others of it? */
static bool is_strong_with_all(const struct program *program, const struct instr *access, unsigned t,
                               unsigned location) {
  for (unsigned u = 0; u < program->thread_count; u++)
    ARRAY_EACH (const struct instr, other, program->threads[u].instrs, program->threads[u].instr_count)
      if (accesses(other, location) && !are_strong(program, access, t, other, u)) return false;
  return true;
}

static bool is_strong(const struct program *program, unsigned location) {
  for (unsigned t = 0; t < program->thread_count; t++)
    ARRAY_EACH (const struct instr, instr, program->threads[t].instrs, program->threads[t].instr_count)
      if (accesses(instr, location) && !is_strong_with_all(program, instr, t, location)) return false;
  return true;
}

static void find_contents(struct arena *arena, struct spin_folds *w) {
  const struct program *program = w->program;
  w->contents = ARENA_ARRAY(arena, struct contents, program->location_count);
  for (unsigned x = 0; x < program->location_count; x++)
    *vec_push(arena, &w->contents[x].values) = program->locations[x].init;
  INSTR_EACH (instr, program) add_contents(arena, w, instr);
  for (unsigned x = 0; w->moral && x < program->location_count; x++) w->contents[x].strong = is_strong(program, x);
}

static bool is_it(void *context, unsigned event) {
  return event == *(const unsigned *)context;
}

static bool is_other(void *context, unsigned event) {
  return event != *(const unsigned *)context;
}

static bool says(const struct expr *e, unsigned event) {
  return !expr_registers(e, is_other, &event);
}

/* Do a read and the write after it, halves of one, leave the value that was there? */
static bool puts_back(const struct spin_folds *w, const struct path *path, const struct iteration *round,
                      unsigned read) {
  const struct path_event *write = &path->events[read + 1];
  const struct contents *c = w->contents ? &w->contents[path->events[read].event.location] : NULL;
  bool known[path->event_count];
  int64_t value[path->event_count], written;
  if (!c || c->any || !write->value || !expr_registers(write->value, is_it, &read)) return false;
  if (w->moral && !(c->strong && says(write->value, read))) return false;
  known[read] = true;
  for (size_t i = 0; i < c->values.count; i++) {
    value[read] = c->values.at[i];
    bool same = path_value(write->value, known, value, &written) && written == value[read];
    if (!same && iteration_may_see(path, round, read, value[read])) return false;
  }
  return true;
}

/* opencl and opencl-rsp.  Exchanges are folded under these (spin_fold.h), and under sc and rc11. */
static const unsigned char DIGESTS[][MD5_SIZE] = {
    {0x99, 0x0a, 0x8e, 0xf4, 0x21, 0x98, 0x7a, 0x12, 0x90, 0x4b, 0x53, 0x40, 0xfd, 0x4a, 0x71, 0xc4},
    {0x1f, 0xf9, 0x28, 0x2a, 0x2d, 0xc8, 0x4e, 0x82, 0x34, 0x5d, 0x6a, 0xb5, 0x9c, 0xed, 0x9c, 0x19},
};

static bool takes_exchanges(const struct cat_model *model) {
  return spin_count_multiplies(model) || cat_is_one_of(model, DIGESTS, ARRAY_COUNT(DIGESTS));
}

/* ptx, for which spin_fold.h speaks of compare-and-swaps that write back what they read. */
static const unsigned char PTX_DIGEST[][MD5_SIZE] = {
    {0x11, 0xc8, 0x12, 0x39, 0x2e, 0x07, 0x61, 0x21, 0x18, 0x77, 0xe8, 0xac, 0xbd, 0x0d, 0xf7, 0xbb},
};

/* ---- A read in the place of another ------------------------------------------------------------ */

/* Are they one event but for where they come from? */
static bool same_reads(const struct event *a, const struct event *b) {
  return a->kind == EVENT_READ && !a->rmw && !a->order_open && event_alike(a, b);
}

/* Of each live register: is it as before the round, or has it the read `b` for the read `a`? */
static bool follows_read(const struct iteration *round, const struct thread *text, const struct path *path, unsigned a,
                         unsigned b) {
  for (unsigned reg = 0; reg < text->reg_count; reg++) {
    const struct expr *before = round->registers[reg], *now = path->registers[reg];
    if (!round->live[reg]) continue;
    bool moves = before->kind == EXPR_REG && before->reg == a && now->kind == EXPR_REG && now->reg == b;
    if (!moves && (before != now || says(before, a))) return false;
  }
  return true;
}

/* Has the round's last event read again what the last one before it had read, as in `s = load(x);
 * while (!cas(x, &s, s + 1));`, whose compare-and-swap leaves in `s` what it has seen?  Without the one and all of the
 * round, the other in its place, the thread has come to the same. */
static bool only_reads_again(const struct wait_thread *t, const struct thread *text, const struct path *path,
                             const struct iteration *round) {
  if (!t->moves || !round->first || path->event_count == round->first) return false;
  unsigned a = round->first - 1, b = path->event_count - 1;
  const struct event *before = &path->events[a].event, *now = &path->events[b].event;
  if (!same_reads(before, now) || t->loud[before->instr]) return false;
  for (unsigned i = 0; i < round->conditions; i++)
    if (says(path->conditions[i].value, a)) return false;
  return follows_read(round, text, path, a, b);
}

/* ---- Entry ------------------------------------------------------------------------------------ */

static bool asks_for_dependencies(const struct cat_ir *ir) {
  for (uint32_t i = 0; i < ir->node_count; i++) {
    enum cat_base base = ir->nodes[i].base;
    if (ir->nodes[i].op == CAT_BASE && (base == BASE_ADDR || base == BASE_DATA || base == BASE_CTRL)) return true;
  }
  return false;
}

static bool leaves_out_some(const bool *skip, uint32_t count) {
  for (uint32_t i = 0; skip && i < count; i++)
    if (skip[i]) return true;
  return false;
}

const struct spin_folds *spin_folds_find(struct arena *arena, const struct litmus_test *test,
                                         const struct cat_model *model, const bool *skip, bool *broken) {
  const struct program *program = test->program;
  if (!program_has_loop(program) || program->object_count || !removal_allowed(model, skip, broken)) return NULL;
  struct spin_folds *w = ARENA_NEW(arena, struct spin_folds);
  const struct cat_ir *ir = cat_graph(model);
  *w =
      (struct spin_folds){.program = program, .threads = ARENA_ARRAY(arena, struct wait_thread, program->thread_count)};
  if (!find_loud(arena, program, ir, skip, w->threads)) return NULL;
  for (unsigned t = 0; t < program->thread_count; t++) {
    w->threads[t].moves = !asks_for_dependencies(ir);
    find_rounds(arena, &program->threads[t], &w->threads[t], &w->loops);
  }
  w->moral = program->partial_coherence && cat_is_one_of(model, PTX_DIGEST, 1);
  bool all = !leaves_out_some(skip, model->ir.check_count);
  if (all && (w->moral || (!program->partial_coherence && takes_exchanges(model)))) find_contents(arena, w);
  return w;
}

unsigned spin_folds_count(const struct spin_folds *w) {
  return w ? w->loops : 0;
}

/* Can the events since the round began be taken away? */
static bool only_looked(const struct spin_folds *w, const struct wait_thread *t, const struct path *path,
                        const struct iteration *round) {
  for (unsigned i = round->first; i < path->event_count; i++) {
    const struct event *event = &path->events[i].event;
    bool fence = event->kind == EVENT_FENCE && !event->barrier_entry && !event->barrier_exit;
    if ((event->kind != EVENT_READ && !fence) || t->loud[event->instr]) return false;
    if (!event->rmw) continue;
    assert(event->kind == EVENT_READ && i + 1 < path->event_count && path->events[i + 1].event.kind == EVENT_WRITE &&
           path->events[i + 1].event.rmw && path->events[i + 1].event.location == event->location);
    if (!puts_back(w, path, round, i)) return false;
    i++; /* its write half */
  }
  return path->event_count > round->first;
}

bool spin_folds_idle_round(struct arena *arena, const struct spin_folds *w, unsigned thread,
                           const struct iteration **rounds, struct thread_place at) {
  unsigned pc = at.pc;
  const struct wait_thread *t = &w->threads[thread];
  const struct thread *text = &w->program->threads[thread];
  if (t->copies[pc] != NOWHERE) {
    unsigned start = (unsigned)t->copies[pc];
    rounds[start] = iteration_begin(arena, text, &t->live[start * text->reg_count], at.path, at.dependencies);
  }
  if (!t->begins[pc]) return false;
  const struct iteration *round = rounds[pc];
  if (round && only_looked(w, t, at.path, round) &&
      (iteration_keeps_registers(round, text, at.path, at.dependencies) || only_reads_again(t, text, at.path, round)))
    return true;
  rounds[pc] = iteration_begin(arena, text, &t->live[pc * text->reg_count], at.path, at.dependencies);
  return false;
}
