/* SPDX-License-Identifier: MIT */
/* The GPU: an L1 with a queue of dirty lines for each work-group, an L2 for each
 * device (or, where nothing goes beyond one device, memory alone), flushes,
 * invalidations and locks.
 *
 *     (machine gpu NAME flat|cached (KNOB WORD)... (code (INITIAL...) instr...)...)    a code for each thread
 *     instr = (ld REG LEVEL cell) | (st LEVEL cell value) | (rmw REG LEVEL cell OPERATOR BITS SIGNED value)
 *           | (cas REG REG LEVEL cell value value FLAGS)      the result, what was read; what is expected, written
 *           | (flu L1|L2 REACH) | (inv L1|L2 REACH) | (lk cell) | (unlk) | (lk-rmw REACH) | (unlk-rmw)
 *           | (meet LABEL) | (assign REG value) | (branch value TARGET) | (jump TARGET)
 *
 * A state: threads' places, and whether they wait for a flush; registers; memory;
 * caches; locks.  Arithmetic and branches forwards are part of the step before.
 */
#include <string.h>

#include "checker/certify/machine.h"

enum op { LD, ST, RMW, CAS, FLU, INV, LK, UNLK, LK_RMW, UNLK_RMW, MEET, ASSIGN, BRANCH, JUMP };
enum level { L1, L2, GL, LOCAL };
enum reach { WG, DV, SY };
enum line { ABSENT, CLEAN, DIRTY, MARKED }; /* MARKED: dirty and invalidated */

/* What machines differ in; the words' order is the values'. */
enum knob {
  WRITE_BACK,
  INVALIDATE_DIRTY,
  INC_L1_HITS,
  LD_HITS_MARKED,
  INC_HITS_MARKED,
  LOCK_RMW_BLOCKS,
  LOCK_RMW_TAKEN,
  LOCK_LINE_BLOCKS,
  INC_L2_OWN_LINE,
  KNOBS
};
enum { BLOCKS_FETCH, BLOCKS_WRITE_BACK, BLOCKS_OTHERS, BLOCKS_ALL, BLOCKS_UNFLUSHED, BLOCKS_NOTHING };
enum { INV_MARKS, INV_SKIPS, INV_DRAINS, INV_DROPS };
enum { OWN_DROP, OWN_KEEP, OWN_IGNORE, OWN_DISCARD };
static const char *const KNOB_NAMES[] = {
    "write-back",      "invalidate-dirty", "inc-l1-hits",      "ld-hits-marked",  "inc-hits-marked",
    "lock-rmw-blocks", "lock-rmw-taken",   "lock-line-blocks", "inc-l2-own-line", NULL};
static const char *const KNOB_WORDS[KNOBS][7] = {{"fifo", "any"},
                                                 {"mark", "skip", "drain", "drop"},
                                                 {"valid", "fresh"},
                                                 {"no", "yes"},
                                                 {"no", "yes"},
                                                 {"rmw1", "rmw"},
                                                 {"at-once", "own-first", "in-order"},
                                                 {"fetch", "write-back", "others", "all", "unflushed", "nothing"},
                                                 {"drop", "keep", "ignore", "discard"}};

/* Does it load or store a cell? */
static bool is_access(enum op op) {
  return op == LD || op == ST || op == RMW || op == CAS;
}

struct code {
  enum op op;
  enum level level;
  enum reach reach;
  int old;         /* CAS: a register for what is read; -1: none */
  struct instr in; /* its cell, registers, values and target */
};

struct unit {
  unsigned lines, queue; /* a cache: where its lines (state and value, one after the other) and its queue begin */
};

struct gpu {
  struct machine machine;
  unsigned knobs[KNOBS];
  bool flat;
  unsigned wg_count, dev_count, line_count, entries; /* of a queue */
  unsigned dev_of[MOST_THREADS];                     /* by work-group */
  bool is_local[MOST_WORDS];                         /* by location: never in a cache */
  const struct code *code[MOST_THREADS];
  unsigned lengths[MOST_THREADS], reg_counts[MOST_THREADS], registers[MOST_THREADS];
  int64_t *init[MOST_THREADS];
  unsigned waits, memory, rmw1, rmw2, held; /* held: locks of lines, by device; holders are thread + 1 */
  struct unit l1[MOST_THREADS], l2[MOST_THREADS];
};

/* A step on its way: the state before, and after. */
struct move {
  const struct gpu *g;
  struct steps *steps;
  const int64_t *now;
  int64_t next[MOST_WORDS];
};

static struct move move_from(const struct gpu *g, struct steps *steps, const int64_t *now) {
  struct move m = {.g = g, .steps = steps, .now = now};
  memcpy(m.next, now, g->machine.words * sizeof *now);
  return m;
}

static unsigned wg_of(const struct gpu *g, unsigned t) {
  return g->machine.program->threads[t].place[1];
}
static unsigned dev_of(const struct gpu *g, unsigned t) {
  return g->machine.program->threads[t].place[3];
}

/* ---- Caches ------------------------------------------------------------------------------------ */

static int64_t *state_of(int64_t *s, struct unit cache, unsigned x) {
  return s + cache.lines + 2 * (size_t)x;
}
static enum line line(const int64_t *s, struct unit cache, unsigned x) {
  return (enum line)s[cache.lines + 2 * (size_t)x];
}
static int64_t value(const int64_t *s, struct unit cache, unsigned x) {
  return s[cache.lines + 2 * (size_t)x + 1];
}
static bool is_dirty(const int64_t *s, struct unit cache, unsigned x) {
  return line(s, cache, x) == DIRTY || line(s, cache, x) == MARKED;
}
static bool is_valid(const int64_t *s, struct unit cache, unsigned x) {
  return line(s, cache, x) == CLEAN || line(s, cache, x) == DIRTY;
}

static void set_line(int64_t *s, struct unit cache, unsigned x, enum line state, int64_t v) {
  state_of(s, cache, x)[0] = state;
  state_of(s, cache, x)[1] = state ? v : 0;
}

/* Entries of a queue: 1 + a line, or after those a thread's marker; 0 ends it. */
static unsigned length(const struct gpu *g, const int64_t *s, struct unit cache) {
  unsigned n = 0;
  while (n < g->entries && s[cache.queue + n]) n++;
  return n;
}
static int64_t marker(const struct gpu *g, unsigned t) {
  return 1 + (int64_t)g->line_count + t;
}
static bool is_marker(const struct gpu *g, int64_t entry) {
  return entry > (int64_t)g->line_count;
}

static void append(const struct gpu *g, int64_t *s, struct unit cache, int64_t entry) {
  unsigned n = length(g, s, cache);
  if (n == g->entries) bad(NULL, "a queue grows too long to be checked");
  s[cache.queue + n] = entry;
}

static void take_out(const struct gpu *g, int64_t *s, struct unit cache, unsigned i) {
  for (; i + 1 < g->entries; i++) s[cache.queue + i] = s[cache.queue + i + 1];
  s[cache.queue + i] = 0;
}

static bool holds_marker(const struct gpu *g, const int64_t *s, struct unit cache, unsigned t) {
  for (unsigned i = 0; i < g->entries; i++)
    if (s[cache.queue + i] == marker(g, t)) return true;
  return false;
}

/* Heads that are markers, or lines no longer dirty, are gone at once. */
static void tidy(const struct gpu *g, int64_t *s, struct unit cache) {
  for (int64_t head; (head = s[cache.queue]) != 0; take_out(g, s, cache, 0))
    if (!is_marker(g, head) && is_dirty(s, cache, (unsigned)head - 1)) return;
}

static void write_line(const struct gpu *g, int64_t *s, struct unit cache, unsigned x, int64_t v) {
  if (!is_dirty(s, cache, x)) append(g, s, cache, 1 + (int64_t)x);
  set_line(s, cache, x, DIRTY, v);
}

/* What L1s see below them: the L2, or memory. */
static bool behind_is_valid(const struct gpu *g, const int64_t *s, unsigned d, unsigned x) {
  return g->flat || is_valid(s, g->l2[d], x);
}
static int64_t behind(const struct gpu *g, const int64_t *s, unsigned d, unsigned x) {
  return g->flat ? s[g->memory + x] : value(s, g->l2[d], x);
}
static void write_behind(const struct gpu *g, int64_t *s, unsigned d, unsigned x, int64_t v) {
  if (g->flat)
    s[g->memory + x] = v;
  else
    write_line(g, s, g->l2[d], x, v);
}

/* ---- Of themselves: write-backs and fetches --------------------------------------------------------- */

static bool is_locked_against(const struct gpu *g, const int64_t *s, unsigned w, unsigned x) {
  int64_t holder = s[g->held + g->dev_of[w] * g->line_count + x];
  return holder && (wg_of(g, (unsigned)holder - 1) != w || g->knobs[LOCK_LINE_BLOCKS] == BLOCKS_ALL);
}

static bool may_write_back(const struct gpu *g, const int64_t *s, unsigned w, unsigned x, unsigned i) {
  unsigned blocks = g->knobs[LOCK_LINE_BLOCKS];
  if (blocks == BLOCKS_FETCH || blocks == BLOCKS_NOTHING || !is_locked_against(g, s, w, x)) return true;
  for (unsigned k = i + 1; k < g->entries && blocks == BLOCKS_UNFLUSHED; k++)
    if (is_marker(g, s[g->l1[w].queue + k])) return true;
  return false;
}

static void write_back(const struct gpu *g, struct steps *steps, const int64_t *s, bool far, unsigned agent,
                       unsigned i) {
  struct unit cache = far ? g->l2[agent] : g->l1[agent];
  int64_t entry = s[cache.queue + i];
  if (!entry || is_marker(g, entry)) return;
  for (unsigned k = 0; k < i; k++)
    if (s[cache.queue + k] == entry) return; /* queued twice, it is written back once */
  unsigned x = (unsigned)entry - 1;
  if (!is_dirty(s, cache, x) || (!far && !may_write_back(g, s, agent, x, i))) return;
  struct move m = move_from(g, steps, s);
  take_out(g, m.next, cache, i);
  if (far)
    m.next[g->memory + x] = value(s, cache, x);
  else
    write_behind(g, m.next, g->dev_of[agent], x, value(s, cache, x));
  set_line(m.next, cache, x, line(s, cache, x) == DIRTY ? CLEAN : ABSENT, value(s, cache, x));
  tidy(g, m.next, cache);
  steps->take(steps, (struct step){far ? S_WB2 : S_WB1, agent, x, 0}, m.next);
}

static void write_backs(const struct gpu *g, const int64_t *s, struct steps *steps) {
  unsigned first = g->knobs[WRITE_BACK] ? g->entries : 1; /* only the head, or any */
  for (unsigned i = 0; i < first; i++) {
    for (unsigned w = 0; w < g->wg_count; w++) write_back(g, steps, s, false, w, i);
    for (unsigned d = 0; d < g->dev_count && !g->flat; d++) write_back(g, steps, s, true, d, i);
  }
}

/* A fetch that changes nothing is none. */
static void fetch(const struct gpu *g, struct steps *steps, const int64_t *s, bool far, unsigned agent, unsigned x) {
  struct unit cache = far ? g->l2[agent] : g->l1[agent];
  int64_t v = far ? s[g->memory + x] : behind(g, s, g->dev_of[agent], x);
  if (is_dirty(s, cache, x) || (line(s, cache, x) == CLEAN && value(s, cache, x) == v)) return;
  struct move m = move_from(g, steps, s);
  set_line(m.next, cache, x, CLEAN, v);
  steps->take(steps, (struct step){far ? S_FETCH2 : S_FETCH1, agent, x, 0}, m.next);
}

static void fetches(const struct gpu *g, const int64_t *s, struct steps *steps) {
  unsigned blocks = g->knobs[LOCK_LINE_BLOCKS];
  bool blocked = blocks != BLOCKS_WRITE_BACK && blocks != BLOCKS_NOTHING;
  for (unsigned x = 0; x < g->line_count; x++) {
    if (g->is_local[x]) continue;
    for (unsigned w = 0; w < g->wg_count; w++)
      if (behind_is_valid(g, s, g->dev_of[w], x) && !(blocked && is_locked_against(g, s, w, x)))
        fetch(g, steps, s, false, w, x);
    for (unsigned d = 0; d < g->dev_count && !g->flat; d++) fetch(g, steps, s, true, d, x);
  }
}

/* ---- Threads --------------------------------------------------------------------------------------------- */

/* On to the next instruction that is a step. */
static void go_to(const struct gpu *g, int64_t *s, unsigned t, unsigned place) {
  int64_t *registers = s + g->registers[t];
  for (; place < g->lengths[t]; place++) {
    const struct code *c = &g->code[t][place];
    bool forwards = (c->op == BRANCH || c->op == JUMP) && c->in.target > place;
    if (c->op == ASSIGN && c->in.reg >= 0)
      registers[c->in.reg] = value_of_registers(c->in.value, registers);
    else if (c->op != ASSIGN && !forwards)
      break;
    else if (forwards && (c->op == JUMP || !value_of_registers(c->in.value, registers)))
      place = c->in.target - 1;
  }
  s[t] = place;
  s[g->waits + t] = 0;
}

static void done(struct move *m, unsigned t) {
  go_to(m->g, m->next, t, (unsigned)m->now[t] + 1);
  m->steps->take(m->steps, (struct step){S_THREAD, t, 0, 0}, m->next);
}

static void stay(struct move *m, unsigned t, bool waits) {
  m->next[m->g->waits + t] = waits;
  m->steps->take(m->steps, (struct step){S_THREAD, t, 0, 0}, m->next);
}

static bool is_free(const int64_t *s, unsigned lock, unsigned t) {
  return !s[lock] || s[lock] == t + 1;
}

/* ---- Accesses ---------------------------------------------------------------------------------------------- */

/* The conditions of an access at a level; *old is then what it reads. */
static bool may_access(const struct gpu *g, const int64_t *s, unsigned t, const struct code *c, unsigned x,
                       int64_t *old) {
  unsigned w = wg_of(g, t), d = dev_of(g, t), own = g->knobs[INC_L2_OWN_LINE];
  struct unit near = g->l1[w];
  bool reads = c->op != ST, updates = c->op == RMW || c->op == CAS;
  *old = g->is_local[x] ? s[g->memory + x] : value(s, near, x);
  if (g->is_local[x]) return true;
  if (c->level == L1) {
    if (!reads) return true;
    if (!line(s, near, x) || (line(s, near, x) == MARKED && !g->knobs[updates ? INC_HITS_MARKED : LD_HITS_MARKED]))
      return false;
    bool fresh = behind_is_valid(g, s, d, x) && behind(g, s, d, x) == *old;
    bool stale = g->knobs[INC_L1_HITS] && line(s, near, x) == CLEAN && !fresh;
    return !updates || (is_free(s, g->rmw1 + w, t) && !stale);
  }
  if (is_dirty(s, near, x) && own != OWN_IGNORE && own != OWN_DISCARD) return false;
  if (c->level == GL) {
    *old = s[g->memory + x];
    return !is_dirty(s, g->l2[d], x);
  }
  *old = behind(g, s, d, x);
  if (g->knobs[LOCK_RMW_BLOCKS] && !is_free(s, g->rmw1 + w, t)) return false;
  return behind_is_valid(g, s, d, x) && is_free(s, g->rmw2 + d, t) && is_free(s, g->held + d * g->line_count + x, t);
}

static void store(const struct gpu *g, int64_t *s, unsigned t, const struct code *c, unsigned x, int64_t v) {
  if (g->is_local[x] || c->level == GL)
    s[g->memory + x] = v;
  else if (c->level == L1)
    write_line(g, s, g->l1[wg_of(g, t)], x, v);
  else
    write_behind(g, s, dev_of(g, t), x, v);
}

/* What must not stay in nearer caches. */
static void drop_nearer(const struct gpu *g, int64_t *s, unsigned t, const struct code *c, unsigned x) {
  unsigned own = g->knobs[INC_L2_OWN_LINE];
  struct unit near = g->l1[wg_of(g, t)];
  if (g->is_local[x] || c->level == L1) return;
  if (own == OWN_DROP || own == OWN_DISCARD) set_line(s, near, x, ABSENT, 0);
  if (own == OWN_DISCARD) tidy(g, s, near);
  if (c->level == GL) set_line(s, g->l2[dev_of(g, t)], x, ABSENT, 0);
}

static void access_cell(struct move *m, unsigned t, const struct code *c) {
  const struct gpu *g = m->g;
  int64_t *registers = m->next + g->registers[t], old = 0, result = 0;
  int cell = cell_at(g->machine.program, &c->in.cell, registers);
  unsigned ways = 1;
  if (cell >= 0 && !may_access(g, m->now, t, c, (unsigned)cell, &old)) return;
  for (unsigned way = 0; way < ways; way++) {
    *m = move_from(g, m->steps, m->now);
    registers = m->next + g->registers[t];
    result = old;
    if (cell >= 0 && c->op == CAS) {
      bool equal = old == value_of_registers(c->in.expected, registers), succeeds = equal && !way;
      if (equal && c->in.weak) ways = 2; /* it may fail all the same */
      if (succeeds) store(g, m->next, t, c, (unsigned)cell, value_of_registers(c->in.value, registers));
      result = c->in.returns_old ? old : succeeds;
    } else if (cell >= 0 && c->op != LD) {
      int64_t operand = value_of_registers(c->in.value, registers);
      store(g, m->next, t, c, (unsigned)cell, c->op == ST ? operand : updated(&c->in, old, operand));
    }
    if (cell >= 0) drop_nearer(g, m->next, t, c, (unsigned)cell);
    if (c->old >= 0) registers[c->old] = old;
    if (c->in.reg >= 0) registers[c->in.reg] = result;
    done(m, t);
  }
}

/* ---- Flushes, invalidations, locks, barriers ------------------------------------------------------------------ */

static unsigned caches_of(const struct gpu *g, unsigned t, const struct code *c, struct unit *caches) {
  unsigned n = 0;
  for (unsigned d = 0; c->level == L2 && !g->flat && d < g->dev_count; d++)
    if (c->reach == SY || d == dev_of(g, t)) caches[n++] = g->l2[d];
  for (unsigned w = 0; c->level == L1 && w < g->wg_count; w++)
    if (c->reach == SY || w == wg_of(g, t) || (c->reach == DV && g->dev_of[w] == dev_of(g, t))) caches[n++] = g->l1[w];
  return n;
}

static void flush(struct move *m, unsigned t, const struct code *c) {
  struct unit caches[MOST_THREADS];
  unsigned n = caches_of(m->g, t, c, caches), marked = 0;
  bool waits = m->now[m->g->waits + t];
  for (unsigned i = 0; i < n; i++) {
    if (waits && holds_marker(m->g, m->now, caches[i], t)) return;
    if (waits || !m->now[caches[i].queue]) continue;
    append(m->g, m->next, caches[i], marker(m->g, t));
    marked++;
  }
  if (marked)
    stay(m, t, true);
  else
    done(m, t);
}

static void invalidate(struct move *m, unsigned t, const struct code *c) {
  const struct gpu *g = m->g;
  struct unit caches[MOST_THREADS];
  unsigned n = caches_of(g, t, c, caches), how = g->knobs[INVALIDATE_DIRTY];
  for (unsigned i = 0; i < n; i++) {
    for (unsigned x = 0; x < g->line_count; x++) {
      enum line was = line(m->now, caches[i], x);
      if (how == INV_DRAINS && (was == DIRTY || was == MARKED)) return;
      if (was == CLEAN || (was && how == INV_DROPS)) set_line(m->next, caches[i], x, ABSENT, 0);
      if (was == DIRTY && how == INV_MARKS) set_line(m->next, caches[i], x, MARKED, value(m->now, caches[i], x));
    }
    if (how == INV_DROPS) tidy(g, m->next, caches[i]);
  }
  done(m, t);
}

/* All locks at once, or one a step: the own L1's first, or by number. */
static void lock_rmw(struct move *m, unsigned t, const struct code *c) {
  const struct gpu *g = m->g;
  unsigned locks[2 * MOST_THREADS + 1], n = 0, order = g->knobs[LOCK_RMW_TAKEN];
  if (order == 1) locks[n++] = g->rmw1 + wg_of(g, t);
  for (unsigned w = 0; w < g->wg_count; w++)
    if (c->reach == SY || g->dev_of[w] == dev_of(g, t)) locks[n++] = g->rmw1 + w;
  for (unsigned d = 0; d < g->dev_count && c->reach == SY; d++) locks[n++] = g->rmw2 + d;
  bool rest = false;
  for (unsigned i = 0, taken = 0; i < n; i++) {
    if (m->next[locks[i]] == t + 1) continue;
    rest = order && taken;
    if (rest) break;
    if (m->next[locks[i]]) return;
    m->next[locks[i]] = t + 1;
    taken++;
  }
  if (rest)
    stay(m, t, false);
  else
    done(m, t);
}

static void release(struct move *m, unsigned t, unsigned from, unsigned count) {
  for (unsigned i = from; i < from + count; i++)
    if (m->next[i] == t + 1) m->next[i] = 0;
}

static void lock_line(struct move *m, unsigned t, const struct code *c) {
  const struct gpu *g = m->g;
  int cell = cell_at(g->machine.program, &c->in.cell, m->next + g->registers[t]);
  if (cell >= 0 && !g->is_local[cell]) {
    unsigned lock = g->held + dev_of(g, t) * g->line_count + (unsigned)cell;
    if (!is_free(m->now, lock, t)) return;
    m->next[lock] = t + 1;
  }
  done(m, t);
}

static void jump_back(struct move *m, unsigned t, const struct code *c) {
  bool taken = c->op == JUMP || !value_of_registers(c->in.value, m->next + m->g->registers[t]);
  go_to(m->g, m->next, t, taken ? c->in.target : (unsigned)m->now[t] + 1);
  m->steps->take(m->steps, (struct step){S_THREAD, t, 0, 0}, m->next);
}

static void thread_step(const struct gpu *g, const int64_t *s, unsigned t, struct steps *steps) {
  const struct code *c = &g->code[t][s[t]];
  struct move m = move_from(g, steps, s);
  switch (c->op) {
    case FLU:
      flush(&m, t, c);
      return;
    case INV:
      invalidate(&m, t, c);
      return;
    case LK:
      lock_line(&m, t, c);
      return;
    case LK_RMW:
      lock_rmw(&m, t, c);
      return;
    case UNLK:
      release(&m, t, g->held + dev_of(g, t) * g->line_count, g->line_count);
      done(&m, t);
      return;
    case UNLK_RMW:
      release(&m, t, g->rmw1, g->wg_count);
      release(&m, t, g->rmw2, g->dev_count);
      done(&m, t);
      return;
    case BRANCH:
    case JUMP:
      jump_back(&m, t, c);
      return;
    case MEET:
      return;
    default:
      access_cell(&m, t, c);
  }
}

/* At a barrier; *label is its name. */
static bool waits_at(const struct gpu *g, const int64_t *s, unsigned t, unsigned *label) {
  if (s[t] == g->lengths[t] || g->code[t][s[t]].op != MEET) return false;
  *label = g->code[t][s[t]].in.label;
  return true;
}

/* When all of a work-group that have not ended wait at barriers, those open at which
 * two or more are; if there is none, those at which one is alone. */
static void meetings(const struct gpu *g, const int64_t *s, unsigned w, struct steps *steps) {
  unsigned label, other, most = 0, counts[MOST_THREADS] = {0};
  for (unsigned t = 0; t < g->machine.program->thread_count; t++) {
    if (wg_of(g, t) != w || s[t] == g->lengths[t]) continue;
    if (!waits_at(g, s, t, &label)) return;
    for (unsigned u = 0; u < g->machine.program->thread_count; u++) {
      if (wg_of(g, u) != w || !waits_at(g, s, u, &other) || other != label) continue;
      if (u < t && counts[u]) break; /* it counts with the first */
      counts[t]++;
    }
    if (counts[t] > most) most = counts[t];
  }
  for (unsigned t = 0; t < g->machine.program->thread_count; t++) {
    if (!counts[t] || (most > 1 && counts[t] < 2) || !waits_at(g, s, t, &label)) continue;
    struct move m = move_from(g, steps, s);
    for (unsigned u = t; u < g->machine.program->thread_count; u++)
      if (wg_of(g, u) == w && waits_at(g, s, u, &other) && other == label) go_to(g, m.next, u, (unsigned)s[u] + 1);
    steps->take(steps, (struct step){S_MEET, w, label, 0}, m.next);
  }
}

/* ---- The machine ------------------------------------------------------------------------------------------------ */

static mask running(const struct machine *machine, const int64_t *s) {
  mask threads = 0;
  for (unsigned t = 0; t < machine->program->thread_count; t++)
    if (s[t] != ((const struct gpu *)machine)->lengths[t]) threads |= BIT(t);
  return threads;
}

static void successors(const struct machine *machine, const int64_t *s, struct steps *steps) {
  const struct gpu *g = (const struct gpu *)machine;
  write_backs(g, s, steps);
  if (!running(machine, s)) return;
  for (unsigned t = 0; t < machine->program->thread_count; t++)
    if (s[t] < g->lengths[t]) thread_step(g, s, t, steps);
  for (unsigned w = 0; w < g->wg_count; w++) meetings(g, s, w, steps);
  fetches(g, s, steps);
}

/* All threads have ended, and no line is dirty. */
static bool is_final(const struct machine *machine, const int64_t *s) {
  const struct gpu *g = (const struct gpu *)machine;
  if (running(machine, s)) return false;
  for (unsigned x = 0; x < g->line_count; x++) {
    for (unsigned w = 0; w < g->wg_count; w++)
      if (is_dirty(s, g->l1[w], x)) return false;
    for (unsigned d = 0; d < g->dev_count && !g->flat; d++)
      if (is_dirty(s, g->l2[d], x)) return false;
  }
  return true;
}

static void initial(const struct machine *machine, int64_t *s) {
  const struct gpu *g = (const struct gpu *)machine;
  for (unsigned x = 0; x < g->line_count; x++) s[g->memory + x] = machine->program->locations[x].init;
  for (unsigned t = 0; t < machine->program->thread_count; t++) {
    for (unsigned r = 0; r < g->reg_counts[t]; r++) s[g->registers[t] + r] = g->init[t][r];
    go_to(g, s, t, 0);
  }
}

static int64_t observe(const struct machine *machine, const int64_t *s, const struct observed *what) {
  const struct gpu *g = (const struct gpu *)machine;
  if (what->thread >= 0) return s[g->registers[what->thread] + what->index];
  return s[g->memory + machine->program->locations[what->index].physical];
}

/* ---- Reading -------------------------------------------------------------------------------------------------------
 */

static int read_register(const struct item *item, unsigned registers) {
  return number_of(item) < 0 ? -1 : (int)index_of(item, registers);
}

static void read_access(struct gpu *g, struct code *c, const struct item *item, unsigned registers) {
  static const char *const LEVELS[] = {"L1", "L2", "GL", "local", NULL};
  static const char *const FLAGS[] = {"weak", "returns-old", NULL};
  unsigned i = c->op == ST ? 1 : 2;
  if (c->op != ST) c->in.reg = read_register(part(item, 1), registers);
  if (c->op == CAS) c->old = read_register(part(item, i++), registers);
  c->level = (enum level)choice_of(part(item, i++), LEVELS, "level");
  c->in.cell = read_cell(g->machine.program, part(item, i++), registers);
  for (unsigned k = 0; k < c->in.cell.size && c->level == LOCAL; k++) g->is_local[c->in.cell.base + k] = true;
  if (c->op == LD) return;
  if (c->op == RMW) {
    c->in.op = read_operator(part(item, i++));
    c->in.bits = index_of(part(item, i++), 64);
    c->in.is_signed = index_of(part(item, i++), 2);
  }
  if (c->op == CAS) c->in.expected = read_expr(part(item, i++), registers, 0);
  c->in.value = read_expr(part(item, i++), registers, 0);
  for (const struct item *flag = c->op == CAS ? part(item, i)->first : NULL; flag; flag = flag->next)
    *(choice_of(flag, FLAGS, "flag") ? &c->in.returns_old : &c->in.weak) = true;
}

static struct code read_code(struct gpu *g, const struct item *item, unsigned registers, unsigned length) {
  static const char *const OPS[] = {"ld",     "st",       "rmw",  "cas",    "flu",    "inv",  "lk", "unlk",
                                    "lk-rmw", "unlk-rmw", "meet", "assign", "branch", "jump", NULL};
  static const char *const REACHES[] = {"WG", "DV", "SY", NULL}, *const CACHES[] = {"L1", "L2", NULL};
  struct code c = {.op = (enum op)choice_of(part(item, 0), OPS, "instruction"), .old = -1, .in = {.reg = -1}};
  if (is_access(c.op)) read_access(g, &c, item, registers);
  if (c.op == FLU || c.op == INV) {
    c.level = (enum level)choice_of(part(item, 1), CACHES, "cache");
    c.reach = (enum reach)choice_of(part(item, 2), REACHES, "reach");
  }
  if (c.op == LK) c.in.cell = read_cell(g->machine.program, part(item, 1), registers);
  if (c.op == LK_RMW) c.reach = (enum reach)choice_of(part(item, 1), REACHES, "reach");
  if (c.op == MEET) c.in.label = index_of(part(item, 1), 1000);
  if (c.op == ASSIGN) c.in.reg = read_register(part(item, 1), registers);
  if (c.op == ASSIGN || c.op == BRANCH) c.in.value = read_expr(part(item, c.op == ASSIGN ? 2 : 1), registers, 0);
  if (c.op == BRANCH || c.op == JUMP) c.in.target = index_of(part(item, c.op == BRANCH ? 2 : 1), length + 1);
  if (g->flat &&
      ((is_access(c.op) && c.level == GL) || ((c.op == FLU || c.op == INV) && c.level == L2) || c.reach == SY))
    bad(item, "this goes beyond one device: its L2 cannot be left out");
  return c;
}

static void read_thread(struct gpu *g, unsigned t, const struct item *list) {
  const struct item *registers = part(list, 1), *at = registers->next;
  if (list->count > MOST_INSTRUCTIONS || registers->count > MOST_REGISTERS) bad(list, "this thread is too long");
  if (registers->count < g->machine.program->threads[t].reg_count) bad(list, "registers are missing here");
  struct code *code = make((list->count + 1) * sizeof *code);
  g->code[t] = code;
  g->lengths[t] = list->count - 2;
  g->reg_counts[t] = registers->count;
  g->init[t] = make((registers->count + 1) * sizeof **g->init);
  for (unsigned r = 0; r < registers->count; r++) g->init[t][r] = number_of(part(registers, r));
  for (unsigned i = 0; i < g->lengths[t]; i++, at = at->next)
    code[i] = read_code(g, at, registers->count, g->lengths[t]);
}

static void lay_cache(struct gpu *g, struct unit *cache, unsigned *words) {
  cache->lines = *words;
  cache->queue = *words + 2 * g->line_count;
  *words = cache->queue + g->entries;
}

/* Where in the state what is. */
static void lay_out(struct gpu *g) {
  const struct program *p = g->machine.program;
  unsigned words = 2 * p->thread_count;
  g->waits = p->thread_count;
  for (unsigned t = 0; t < p->thread_count; t++) g->registers[t] = words, words += g->reg_counts[t];
  g->memory = words;
  g->rmw1 = g->memory + g->line_count;
  g->rmw2 = g->rmw1 + g->wg_count;
  g->held = g->rmw2 + g->dev_count;
  words = g->held + g->dev_count * g->line_count;
  g->entries = 2 * g->line_count + p->thread_count + 1;
  for (unsigned w = 0; w < g->wg_count; w++) lay_cache(g, &g->l1[w], &words);
  for (unsigned d = 0; d < g->dev_count && !g->flat; d++) lay_cache(g, &g->l2[d], &words);
  if (words > MOST_WORDS) bad(NULL, "states of machine gpu have more than %d words here", MOST_WORDS);
  g->machine.words = words;
}

static void place_threads(struct gpu *g, const struct item *list) {
  const struct program *p = g->machine.program;
  for (unsigned t = 0; t < p->thread_count; t++) {
    unsigned w = wg_of(g, t), d = dev_of(g, t);
    if (w >= MOST_THREADS || d >= MOST_THREADS) bad(list, "threads are in more than %d places", MOST_THREADS);
    if (w >= g->wg_count) g->wg_count = w + 1;
    if (d >= g->dev_count) g->dev_count = d + 1;
    g->dev_of[w] = d;
  }
  if (g->flat && g->dev_count > 1) bad(list, "several devices need their L2s");
}

const struct machine *gpu_machine(const struct program *p, const struct item *list) {
  static const char *const L2S[] = {"cached", "flat", NULL};
  struct gpu *g = make(sizeof *g);
  unsigned threads = 0;
  g->machine = (struct machine){"gpu", p, 0, initial, successors, running, is_final, observe};
  g->line_count = p->location_count;
  g->flat = choice_of(part(list, 3), L2S, "kind of L2");
  if (p->location_count > MOST_WORDS) bad(list, "this program is too long");
  place_threads(g, list);
  for (const struct item *at = part(list, 3)->next; at; at = at->next) {
    if (!is_list(at, "code")) {
      unsigned knob = choice_of(part(at, 0), KNOB_NAMES, "setting of a machine");
      g->knobs[knob] = choice_of(part(at, 1), KNOB_WORDS[knob], "word for this setting");
    } else if (threads < p->thread_count) {
      read_thread(g, threads++, at);
    } else {
      bad(at, "more code than threads");
    }
  }
  if (threads < p->thread_count) bad(list, "a thread has no code");
  lay_out(g);
  return &g->machine;
}
