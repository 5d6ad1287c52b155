/* SPDX-License-Identifier: MIT */
/* One read after the other, in the order of events, is given each of its sources.
 * What a read's choice settles is done there, and not again for the choices of
 * those after it: its value, registers that depend on no later read, the key of the
 * execution up to the next open read.
 */
#include "checker/exec/search/independent_reads.h"

#include "checker/exec/search/thread_symmetry.h"
#include "checker/exec/search/value_propagation.h"

/* A register that is settled by the choice of a read. */
struct hanging {
  unsigned thread, reg;
};

struct product {
  struct judge *judge;
  struct frame *frame;
  unsigned *reads; /* open ones, ascending */
  unsigned count;
  word **sources;           /* by open read: what it may see */
  struct hanging **hanging; /* by open read: registers that depend on it, and on no later one */
  unsigned *hanging_count;
  bool (*go_on)(void *context);
  void *context;
};

/* Does the read see one of several writes, whose values are known? */
static bool is_free(const struct judge *j, const struct frame *f, unsigned event) {
  const word *sources = frame_sources(j->frames, f, event);
  if (!value_is_variable(j->frames, event) || words_empty(j->frames->shape.w, sources)) return false;
  SET_EACH (w, j->frames->shape.w, sources)
    if (!f->known[w]) return false;
  return true;
}

bool independent_reads_apply(const struct judge *j, const struct frame *f) {
  const struct frames *all = j->frames;
  if (j->probe || all->record || j->model->ir.dynamic || j->model->judge || j->classes) return false;
  if (!words_empty(all->condition_words, f->pending)) return false;
  const struct symmetry *symmetry = j->control->options->symmetry;
  if (symmetry && symmetry_tied(symmetry, all->structure)) return false;
  for (unsigned t = 0; t < all->structure->execution.program->thread_count; t++)
    if (all->structure->paths[t]->repeat_count) return false;
  SET_EACH (e, all->shape.w, f->unknown)
    if (!is_free(j, f, e)) return false;
  for (unsigned e = all->structure->init_count; e < all->shape.n; e++)
    if (all->structure->events[e].kind == EVENT_READ && f->known[e] &&
        !set_single(all->shape.w, frame_sources(all, f, e)))
      return false;
  return true;
}

/* ---- What depends on what ----------------------------------------------------------- */

struct last_search {
  const struct product *p;
  unsigned offset, last;
};

static bool note_later(void *context, unsigned reg) {
  struct last_search *l = context;
  for (unsigned i = l->last; i < l->p->count; i++)
    if (l->p->reads[i] == l->offset + reg) l->last = i + 1;
  return true;
}

/* The open read, by number plus one, which is the last that the value depends on; 0: none. */
static unsigned last_read(const struct product *p, unsigned offset, const struct expr *e) {
  struct last_search l = {p, offset, 0};
  expr_registers(e, note_later, &l);
  return l.last;
}

static void set_register(const struct product *p, struct hanging h) {
  const struct structure *st = p->judge->structure;
  unsigned offset = st->offset[h.thread];
  path_value(st->paths[h.thread]->registers[h.reg], p->frame->known + offset, p->frame->value + offset,
             &p->judge->registers[h.thread][h.reg]);
}

static void hang_registers(struct product *p) {
  const struct program *program = p->judge->test->program;
  struct arena *arena = p->judge->frames->arena;
  unsigned most = 0;
  for (unsigned t = 0; t < program->thread_count; t++) most += program->threads[t].reg_count;
  for (unsigned i = 0; i < p->count; i++) p->hanging[i] = ARENA_ARRAY(arena, struct hanging, most);
  for (unsigned t = 0; t < program->thread_count; t++)
    for (unsigned r = 0; r < program->threads[t].reg_count; r++) {
      struct hanging h = {t, r};
      unsigned last = last_read(p, p->judge->structure->offset[t], p->judge->structure->paths[t]->registers[r]);
      if (last)
        p->hanging[last - 1][p->hanging_count[last - 1]++] = h;
      else
        set_register(p, h);
    }
}

static void fix_values(const struct product *p) {
  const struct structure *st = p->judge->structure;
  for (unsigned e = st->init_count; e < p->judge->frames->shape.n; e++)
    if (st->value[e]) st->events[e].value = p->frame->value[e];
}

static void find_reads(struct product *p) {
  const struct frames *all = p->judge->frames;
  struct arena *arena = all->arena;
  p->reads = ARENA_ARRAY(arena, unsigned, all->shape.n);
  SET_EACH (e, all->shape.w, p->frame->unknown) p->reads[p->count++] = e;
  p->sources = ARENA_ARRAY(arena, word *, p->count);
  p->hanging = ARENA_ARRAY(arena, struct hanging *, p->count);
  p->hanging_count = ARENA_ARRAY(arena, unsigned, p->count);
  for (unsigned i = 0; i < p->count; i++) {
    p->sources[i] = ARENA_COPY(arena, word, frame_sources(all, p->frame, p->reads[i]), all->shape.w);
  }
}

/* ---- All choices --------------------------------------------------------------------- */

static void see(const struct product *p, unsigned i, unsigned write) {
  const struct frames *all = p->judge->frames;
  struct frame *f = p->frame;
  unsigned read = p->reads[i];
  word *sources = rel_row(all->shape, f->sources, read);
  words_clear(all->shape.w, sources);
  set_add(sources, write);
  rel_add(all->shape, f->p.lo[CHOICE_RF], write, read);
  f->known[read] = true;
  f->value[read] = p->judge->structure->events[read].value = f->value[write];
  for (unsigned h = 0; h < p->hanging_count[i]; h++) set_register(p, p->hanging[i][h]);
}

/* `key`: up to the open read number `i`. */
static bool choose(const struct product *p, unsigned i, uint64_t key) {
  struct judge *j = p->judge;
  if (i == p->count) {
    j->control->stats.visited++;
    return p->go_on(p->context) && judge_tell(j, p->frame, judge_key_end(j, p->frame, key));
  }
  unsigned next = i + 1 < p->count ? p->reads[i + 1] : j->frames->shape.n;
  bool on = true;
  SET_EACH (write, j->frames->shape.w, p->sources[i]) {
    see(p, i, write);
    on = on && choose(p, i + 1, judge_key_events(j, p->frame, key, p->reads[i], next));
    rel_drop(j->frames->shape, p->frame->p.lo[CHOICE_RF], write, p->reads[i]);
  }
  return on;
}

bool independent_reads_run(struct judge *j, struct frame *f, bool (*go_on)(void *context), void *context) {
  struct product p = {.judge = j, .frame = f, .go_on = go_on, .context = context};
  find_reads(&p);
  fix_values(&p);
  judge_settle(j, f);
  hang_registers(&p);
  unsigned first = p.count ? p.reads[0] : j->frames->shape.n;
  return choose(&p, 0, judge_key_events(j, f, judge_key_begin(j), 0, first));
}
