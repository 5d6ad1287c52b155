/* SPDX-License-Identifier: MIT */
/* Barriers of a PTX module's threads (PTX ISA, "bar, barrier", "bar.warp.sync", "exit").
 *
 * The k-th time that a thread comes to a barrier of some name it meets the others there at their k-th time.  Who has
 * ended is not waited for: at its end a thread comes, once more, to all that others may still wait at, without ordering
 * memory.  So threads are followed twice: first it is counted how often they meet.  A barrier with a number of threads
 * counts in warps instead, so that it is refused where only a part of one may come. */
#include "checker/litmus/ptx_module_barriers.h"

#include <inttypes.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/litmus/ptx_module_gatherings.h"
#include "checker/program/known_flow.h"

static int label_of(const struct program *program, const char *name) {
  for (unsigned i = 0; i < program->barrier_label_count; i++)
    if (!strcmp(program->barrier_labels[i], name)) return (int)i;
  return -1;
}

static int label_named(struct arena *arena, struct program *program, const char *name) {
  int known = label_of(program, name);
  if (known >= 0) return known;
  const char **labels = ARENA_ARRAY(arena, const char *, program->barrier_label_count + 1u);
  for (unsigned i = 0; i < program->barrier_label_count; i++) labels[i] = program->barrier_labels[i];
  labels[program->barrier_label_count] = name;
  program->barrier_labels = labels;
  return (int)program->barrier_label_count++;
}

/* Is the thread of this number one of those that meet there? */
static bool is_member(const struct following *f, unsigned thread, const struct ptx_meeting *at, unsigned wg) {
  if (f->program->threads[thread].wg != wg) return false;
  unsigned item = thread - first_of_block(f, wg);
  return !at->of_warp || (item / f->warp_size == at->warp && at->mask >> item % f->warp_size & 1);
}

/* ---- threads that end ---- */

/* Does only a run know how often a thread of the block comes there?  The first instruction of that kind. */
static const struct instr *find_uncounted(const struct following *f, const struct thread *followed, int label,
                                          unsigned wg) {
  for (unsigned t = 0; t < f->program->thread_count; t++)
    for (unsigned i = 0; followed[t].wg == wg && i < followed[t].instr_count; i++)
      if (is_at(&followed[t].instrs[i], label) && !is_number(followed[t].instrs[i].resource))
        return &followed[t].instrs[i];
  return NULL;
}

/* How often the threads of a block meet there, as far as `followed` are; only those that are known count. */
static int64_t count_turns(const struct following *f, const struct thread *followed, int label, unsigned wg) {
  int64_t count = 0;
  for (unsigned t = 0; t < f->program->thread_count; t++)
    for (unsigned i = 0; followed[t].wg == wg && i < followed[t].instr_count; i++) {
      const struct instr *instr = &followed[t].instrs[i];
      if (!is_at(instr, label) || !is_number(instr->resource)) continue;
      if (count <= instr->resource->value) count = instr->resource->value + 1;
    }
  return count;
}

static const struct instr *find_meeting(const struct thread *thread, int label) {
  for (unsigned i = 0; i < thread->instr_count; i++)
    if (is_at(&thread->instrs[i], label)) return &thread->instrs[i];
  return NULL;
}

/* At the thread's end: where it has come there no more often than `turn` times, it comes now, and leaves. */
static void add_leave(const struct following *f, struct thread *thread, const struct instr *others, int64_t turn) {
  const struct instr *own = find_meeting(thread, others->barrier_label);
  struct instr *instrs = ARENA_ARRAY(f->arena, struct instr, thread->instr_count + 2u);
  const struct expr *number = expr_constant(f->arena, turn);
  memcpy(instrs, thread->instrs, thread->instr_count * sizeof *instrs);
  unsigned at = thread->instr_count, end = at + (own ? 2 : 1);
  const struct expr *may = own ? expr_operation(f->arena, EXPR_LE, own->resource, number, NULL) : NULL;
  if (own)
    instrs[at++] = (struct instr){
        .kind = INSTR_BRANCH, .reg = NO_REG, .barrier_label = -1, .value = may, .target = end, .span = others->span};
  instrs[at++] = (struct instr){.kind = INSTR_MEET,
                                .reg = NO_REG,
                                .barrier_label = others->barrier_label,
                                .resource = number,
                                .quorum = others->quorum,
                                .arrive = true,
                                .silent = true,
                                .value = others->value ? expr_constant(f->arena, PTX_ENDED) : NULL,
                                .span = others->span};
  thread->instrs = instrs;
  thread->instr_count = at;
}

static void add_leaves_at(struct following *f, const struct thread *followed, const struct ptx_meeting *at,
                          unsigned wg) {
  int label = label_of(f->program, at->name);
  int64_t turns = count_turns(f, followed, label, wg);
  const struct instr *uncounted = find_uncounted(f, followed, label, wg);
  if (uncounted && !at->gathers && !f->failed) {
    f->failed = true;
    diag_error(
        f->diags, f->program->source, uncounted->span,
        "a barrier in a loop whose rounds are not known in advance is not supported: who ends before others is not "
        "waited for");
  }
  const struct instr *one = NULL;
  for (unsigned t = 0; t < f->program->thread_count && !one; t++)
    if (is_member(f, t, at, wg)) one = find_meeting(&f->program->threads[t], label);
  for (unsigned t = 0; t < f->program->thread_count; t++)
    for (int64_t turn = 0; one && turn < turns && is_member(f, t, at, wg); turn++)
      add_leave(f, &f->program->threads[t], one, turn);
}

static void add_leaves(struct following *f) {
  struct thread *followed = ARENA_COPY(f->arena, struct thread, f->program->threads, f->program->thread_count);
  for (unsigned t = 0; t < f->program->thread_count; t++) thread_follow_known(f->arena, &followed[t]);
  for (unsigned wg = 0; wg < f->program->wg_count; wg++)
    ARRAY_EACH (const struct ptx_meeting, at, f->meetings->all.at, f->meetings->all.count)
      add_leaves_at(f, followed, at, wg);
}

/* ---- who meets in a turn ---- */

/* The instructions of a thread that are of a turn: how many, and the last of them. */
static unsigned places_of(const struct thread *thread, const struct turn *turn, struct instr **place) {
  unsigned count = 0;
  for (unsigned i = 0; i < thread->instr_count; i++) {
    if (!is_of(&thread->instrs[i], turn)) continue;
    *place = &thread->instrs[i];
    count++;
  }
  return count;
}

static void drop(const struct following *f, struct thread *thread, const struct instr *instr) {
  bool *out = ARENA_ARRAY(f->arena, bool, thread->instr_count);
  out[instr - thread->instrs] = true;
  thread_leave_out(f->arena, thread, out);
}

/* Does the thread wait nowhere but there? */
static bool waits_only_at(const struct thread *thread, int label) {
  for (unsigned i = 0; i < thread->instr_count; i++)
    if (thread->instrs[i].kind == INSTR_MEET && !instr_leaves(&thread->instrs[i]) &&
        thread->instrs[i].barrier_label != label)
      return false;
  return true;
}

/* A thread of a block that comes to a place of the turn; of a warp, if one is given.  NULL: none. */
static const struct instr *find_place(const struct following *f, const struct turn *turn, unsigned warp_of) {
  for (unsigned t = 0; t < f->program->thread_count; t++) {
    const struct thread *thread = &f->program->threads[t];
    bool same = warp_of == f->program->thread_count || t / f->warp_size == warp_of / f->warp_size;
    for (unsigned i = 0; same && thread->wg == turn->wg && i < thread->instr_count; i++)
      if (is_of(&thread->instrs[i], turn) && !instr_leaves(&thread->instrs[i])) return &thread->instrs[i];
  }
  return NULL;
}

/* That a thread ends orders nothing, so that nothing would say of a loop that it waits for those whom it
 * lets pass. */
static void refuse_waits(struct following *f, const struct turn *turn) {
  for (unsigned t = 0; t < f->program->thread_count && !f->failed; t++) {
    const struct thread *thread = &f->program->threads[t];
    bool loops = false, leaves = false;
    const struct instr *place = NULL;
    for (unsigned i = 0; thread->wg == turn->wg && i < thread->instr_count; i++) {
      loops |= thread_loop_ends_at(thread, i);
      if (is_of(&thread->instrs[i], turn) && instr_leaves(&thread->instrs[i])) leaves = true;
    }
    if (loops && leaves) place = find_place(f, turn, f->program->thread_count);
    if (!place) continue;
    f->failed = true;
    diag_error(
        f->diags, f->program->source, place->span,
        "%s may end without coming here, after a loop whose rounds are not known in advance: that is not supported",
        thread->name);
  }
}

/* Where each comes at one place, or ends before it, and has nothing else to wait for, nobody needs to be counted: those
 * who come meet by a name of their own. */
static void name_turn(struct following *f, const struct turn *turn) {
  struct program *program = f->program;
  VEC(struct instr *) come = {0};
  VEC(unsigned) gone = {0};
  for (unsigned t = 0; t < program->thread_count; t++) {
    struct instr *place = NULL;
    if (!is_member(f, t, turn->at, turn->wg)) continue;
    if (places_of(&program->threads[t], turn, &place) != 1) return;
    if (instr_leaves(place) && !waits_only_at(&program->threads[t], turn->label)) return;
    if (instr_leaves(place))
      *vec_push(f->arena, &gone) = t;
    else
      *vec_push(f->arena, &come) = place;
  }
  const char *name = arena_printf(f->arena, "%s.%" PRId64, turn->at->name, turn->number);
  int label = label_named(f->arena, program, name);
  for (size_t i = 0; i < come.count; i++) {
    come.at[i]->barrier_label = label;
    come.at[i]->resource = come.at[i]->quorum = NULL;
  }
  for (size_t i = 0; i < gone.count; i++) {
    struct instr *place = NULL;
    places_of(&program->threads[gone.at[i]], turn, &place);
    drop(f, &program->threads[gone.at[i]], place);
  }
}

/* ---- what PTX leaves open ---- */

/* With a number of threads, warps arrive: all that have not ended, of a warp of which one comes.  Who leaves is of a
 * warp of which none does, or it is refused. */
static void count_in_warps(struct following *f, const struct turn *turn) {
  for (unsigned t = 0; t < f->program->thread_count; t++) {
    struct thread *thread = &f->program->threads[t];
    for (unsigned i = 0; thread->wg == turn->wg && i < thread->instr_count; i++) {
      if (!is_of(&thread->instrs[i], turn) || !instr_leaves(&thread->instrs[i])) continue;
      const struct instr *place = find_place(f, turn, t);
      if (place && !f->failed)
        diag_error(
            f->diags, f->program->source, place->span,
            "%s may end without coming here, where others of its warp come: with a number of threads, that is not "
            "supported",
            thread->name);
      f->failed |= place != NULL;
      drop(f, thread, &thread->instrs[i--]);
    }
  }
}

/* The turns of a barrier with a number of threads are those of each thread, so that the same come to all of them: else
 * one that is in its first may meet others in their second. */
static void refuse_others(struct following *f, const struct turn *turn) {
  struct turn first = *turn;
  first.number = 0;
  int64_t come = 0;
  const struct instr *place = find_place(f, turn, f->program->thread_count);
  bool same = true;
  for (unsigned t = 0; t < f->program->thread_count; t++) {
    struct instr *unused = NULL;
    bool comes = places_of(&f->program->threads[t], turn, &unused) > 0;
    same &= comes == (places_of(&f->program->threads[t], &first, &unused) > 0);
    come += comes && f->program->threads[t].wg == turn->wg;
  }
  if (!place || f->failed || (same && come <= place->quorum->value)) return;
  f->failed = true;
  diag_error(
      f->diags, f->program->source, place->span,
      "other threads meet here than at another time, at a barrier of the same name with a number of threads: that "
      "is not supported");
}

/* `bar.sync` is `barrier.sync.aligned`: all threads of the block that have not ended come to the same instruction. */
static void warn_of_places(struct following *f, const struct turn *turn) {
  const struct instr *first = find_place(f, turn, f->program->thread_count);
  for (unsigned t = 0; first && t < f->program->thread_count; t++) {
    const struct thread *thread = &f->program->threads[t];
    for (unsigned i = 0; thread->wg == turn->wg && i < thread->instr_count; i++) {
      const struct instr *instr = &thread->instrs[i];
      if (!is_of(instr, turn) || instr_leaves(instr) || instr->span.at == first->span.at) continue;
      unsigned line, column;
      source_position(f->program->source, first->span.at, &line, &column);
      diag_warning(f->diags, f->program->source, instr->span,
                   "all threads of the block have to come to the same barrier, as this one is aligned, but others come "
                   "to that of line %u: PTX does not say what happens then",
                   line);
      return;
    }
  }
}

/* ---- all turns ---- */

static void settle(struct following *f, const struct ptx_meeting *at, unsigned wg) {
  struct turn turn = {.at = at, .label = label_of(f->program, at->name), .wg = wg};
  int64_t turns = count_turns(f, f->program->threads, turn.label, wg);
  for (; turn.number < turns && !f->failed; turn.number++) {
    if (at->aligned && !at->counted) warn_of_places(f, &turn);
    refuse_waits(f, &turn);
    if (at->counted) count_in_warps(f, &turn);
    if (at->counted) refuse_others(f, &turn);
    if (!f->failed && !at->counted) name_turn(f, &turn);
  }
}

static void follow_all(const struct following *f) {
  for (unsigned t = 0; t < f->program->thread_count; t++) thread_follow_known(f->arena, &f->program->threads[t]);
}

bool ptx_module_follow(struct arena *arena, struct program *program, const struct ptx_meetings *meetings,
                       unsigned warp_size, struct diags *diags) {
  struct following f = {arena, program, meetings, warp_size, diags, false};
  if (meetings->all.count) add_leaves(&f);
  if (f.failed) return false;
  do follow_all(&f);
  while (ptx_gatherings_compute(&f));
  ptx_gatherings_exchange(&f);
  for (unsigned wg = 0; wg < program->wg_count; wg++)
    ARRAY_EACH (const struct ptx_meeting, at, meetings->all.at, meetings->all.count) settle(&f, at, wg);
  return !f.failed;
}
