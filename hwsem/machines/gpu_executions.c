/* SPDX-License-Identifier: MIT */
/* Executions of the GPU machine.  The shadow of a state is bytes: for each cache
 * line the write its value comes from and the list of writes that it holds and
 * that have not been written back; for memory the list of all writes so far, in
 * coherence order; for each read instruction what it has read.  Writes are
 * numbered from 1 by thread and instruction; 0 is the initial one. */
#include "hwsem/machines/gpu_executions.h"

#include "checker/base/array.h"
#include "hwsem/machines/gpu_state.h"

/* A list of writes, ended by 0 when it is not full, and who wrote last. */
struct list {
  unsigned at, room;
};

struct shadow_line {
  unsigned top; /* byte: the write the value comes from */
  struct list pending;
};

/* The machine's own functions take it for the GPU's, whose states are the first bytes of its own. */
struct gpu_executions {
  struct gpu gpu;
  struct shadow_line *lines; /* by cache * line_count + line */
  struct list *memory;       /* by line */
  struct list *local;        /* by local cell */
  unsigned **write;          /* by thread, instruction: number, 0: none */
  unsigned **read;           /* by thread, instruction: byte of what it read, 0: none */
  unsigned size;             /* bytes laid out */
  unsigned *observed;        /* bytes */
  unsigned writes;
};

static const struct hw_thread *code_of(const struct gpu_executions *st, unsigned t) {
  return st->gpu.threads[t].code;
}

const char *gpu_executions_refuses(const struct machine *gpu) {
  const struct gpu *g = gpu->self;
  unsigned writes = 0;
  if (g->posts) return "-strict cannot follow posted invalidations that are carried out later";
  if (g->knobs.allocate == ALLOCATE_NO) return "-strict cannot follow writes that take no line of a cache";
  for (unsigned t = 0; t < g->thread_count; t++) {
    for (unsigned i = 0; i < g->threads[t].code->instr_count; i++) {
      const struct hw_instr *instr = &g->threads[t].code->instrs[i];
      if (hw_jumps(instr->op) && instr->destination <= i) return "-strict cannot follow loops";
      writes += instr->op == HW_ST || instr->op == HW_RMW;
    }
  }
  return writes < 255 ? NULL : "-strict can follow 254 writes at most";
}

/* Layout. */

/* Of the threads of a cache; NULL: of all. */
static unsigned writes_to(const struct gpu_executions *st, int line, const struct cache *cache) {
  unsigned count = 0;
  for (unsigned t = 0; t < st->gpu.thread_count; t++) {
    if (cache && !cache_serves(cache, &st->gpu.threads[t])) continue;
    for (unsigned i = 0; i < code_of(st, t)->instr_count; i++)
      if (st->write[t][i] && gpu_touches(&st->gpu, &code_of(st, t)->instrs[i], line)) count++;
  }
  return count;
}

static struct list lay_list(struct gpu_executions *st, unsigned room) {
  struct list list = {st->size, room};
  st->size += room;
  return list;
}

static void lay_lines(struct arena *arena, struct gpu_executions *st) {
  unsigned lines = st->gpu.line_count, count = st->gpu.cache_count * lines;
  st->lines = ARENA_ARRAY(arena, struct shadow_line, count + 1);
  for (unsigned i = 0; i < count; i++) {
    st->lines[i].top = st->size++;
    st->lines[i].pending = lay_list(st, writes_to(st, (int)(i % lines), &st->gpu.caches[i / lines]));
  }
}

static void number_accesses(struct arena *arena, struct gpu_executions *st) {
  unsigned threads = st->gpu.thread_count;
  st->write = ARENA_ARRAY(arena, unsigned *, threads + 1);
  st->read = ARENA_ARRAY(arena, unsigned *, threads + 1);
  for (unsigned t = 0; t < threads; t++) {
    unsigned count = code_of(st, t)->instr_count;
    st->write[t] = ARENA_ARRAY(arena, unsigned, count + 1);
    st->read[t] = ARENA_ARRAY(arena, unsigned, count + 1);
    for (unsigned i = 0; i < count; i++) {
      enum hw_op op = code_of(st, t)->instrs[i].op;
      if (op == HW_ST || op == HW_RMW) st->write[t][i] = ++st->writes;
      if (op == HW_LD || op == HW_RMW) st->read[t][i] = st->size++;
    }
  }
}

static unsigned observe_lists(struct gpu_executions *st, const struct list *lists, unsigned count, unsigned n) {
  for (unsigned i = 0; i < count; i++)
    for (unsigned k = 0; k < lists[i].room; k++) st->observed[n++] = lists[i].at + k;
  return n;
}

/* Observables: reads by thread and instruction, then coherence. */
static unsigned choose_observables(struct arena *arena, struct gpu_executions *st) {
  unsigned n = 0;
  st->observed = ARENA_ARRAY(arena, unsigned, st->size + 1);
  for (unsigned t = 0; t < st->gpu.thread_count; t++)
    for (unsigned i = 0; i < code_of(st, t)->instr_count; i++)
      if (st->read[t][i]) st->observed[n++] = st->read[t][i];
  n = observe_lists(st, st->memory, st->gpu.line_count, n);
  return observe_lists(st, st->local, st->gpu.local_count, n);
}

/* Lists. */

static void push(uint8_t *s, struct list list, unsigned write) {
  for (unsigned i = 0; i < list.room; i++) {
    if (s[list.at + i]) continue;
    s[list.at + i] = (uint8_t)write;
    return;
  }
}

static uint8_t last(const uint8_t *s, struct list list) {
  uint8_t write = 0;
  for (unsigned i = 0; i < list.room && s[list.at + i]; i++) write = s[list.at + i];
  return write;
}

static void pour(uint8_t *s, struct list from, struct list to) {
  for (unsigned i = 0; i < from.room && s[from.at + i]; i++) {
    push(s, to, s[from.at + i]);
    s[from.at + i] = 0;
  }
}

/* Steps. */

static struct shadow_line line_of(const struct gpu_executions *st, const struct cache *cache, unsigned x) {
  return st->lines[(unsigned)(cache - st->gpu.caches) * st->gpu.line_count + x];
}

/* The write that a cache fetches: what its device's L2 shows, or memory. */
static uint8_t source_top(const struct gpu_executions *st, const uint8_t *s, const struct cache *cache, unsigned x) {
  bool from_l2 = cache->level == LEVEL_L1 && !st->gpu.flat;
  return from_l2 ? s[line_of(st, &st->gpu.l2[cache->dev], x).top] : last(s, st->memory[x]);
}

/* Writes reach a device's L2: `from` is emptied into it. */
static void pour_into_l2(const struct gpu_executions *st, uint8_t *s, struct list from, unsigned d, unsigned x) {
  if (st->gpu.flat) {
    pour(s, from, st->memory[x]);
    return;
  }
  struct shadow_line line = line_of(st, &st->gpu.l2[d], x);
  pour(s, from, line.pending);
  s[line.top] = last(s, line.pending);
}

static void write_one(uint8_t *s, struct shadow_line line, unsigned write) {
  push(s, line.pending, write);
  s[line.top] = (uint8_t)write;
}

/* A compare-and-swap writes when it finds what it expects, unless it is weak and
 * fails all the same. */
static bool writes_in(const struct gpu_executions *st, const struct hw_instr *instr, struct step step,
                      unsigned location, const uint8_t *before) {
  if (instr->op != HW_RMW || !instr->cas) return instr->op != HW_LD;
  return step.detail >> 24 == 0 && gpu_cas_succeeds(&st->gpu, before, &st->gpu.threads[step.agent], instr, location);
}

/* The access of a thread's step. */
static void execution_access(const struct gpu_executions *st, struct step step, const uint8_t *before, uint8_t *s) {
  const struct gpu *g = &st->gpu;
  unsigned t = step.agent, i = step.detail & 0xffffff;
  const struct hw_instr *instr = &code_of(st, t)->instrs[i];
  int location = gpu_locate(before, &g->threads[t], &instr->address);
  if (location < 0) return;
  int at = g->line_of[location];
  const struct cache *l1 = &g->l1[g->threads[t].wg], *l2 = &g->l2[g->threads[t].dev];
  unsigned x = (unsigned)at;
  bool writes = writes_in(st, instr, step, (unsigned)location, before);
  uint8_t source;
  if (at < 0) {
    struct list cell = st->local[-1 - at];
    source = last(s, cell);
    if (writes) push(s, cell, st->write[t][i]);
  } else if (instr->level == LEVEL_L1) {
    source = s[line_of(st, l1, x).top];
    if (writes) write_one(s, line_of(st, l1, x), st->write[t][i]);
  } else if (instr->level == LEVEL_L2 && !g->flat) {
    source = s[line_of(st, l2, x).top];
    if (writes) write_one(s, line_of(st, l2, x), st->write[t][i]);
  } else {
    source = last(s, st->memory[x]);
    if (writes) push(s, st->memory[x], st->write[t][i]);
  }
  if (st->read[t][i]) s[st->read[t][i]] = (uint8_t)(source + 1);
}

/* Absent lines show nothing. */
static void clear_absent(const struct gpu_executions *st, const uint8_t *after, uint8_t *s) {
  unsigned lines = st->gpu.line_count;
  for (unsigned i = 0; i < st->gpu.cache_count * lines; i++) {
    if (line_state(after, st->gpu.caches[i / lines].lines[i % lines]) != ABSENT) continue;
    s[st->lines[i].top] = 0;
    memset(s + st->lines[i].pending.at, 0, st->lines[i].pending.room);
  }
}

static void follow(const struct gpu_executions *st, struct step step, const uint8_t *before, const uint8_t *after,
                   uint8_t *s) {
  const struct gpu *g = &st->gpu;
  const struct cache *cache;
  unsigned agent = step.agent, x = step.detail;
  switch (step.code) {
    case GPU_WB1:
      pour_into_l2(st, s, line_of(st, &g->l1[agent], x).pending, g->wg_dev[agent], x);
      break;
    case GPU_WB2:
      pour(s, line_of(st, &g->l2[agent], x).pending, st->memory[x]);
      break;
    case GPU_FETCH1:
    case GPU_FETCH2:
      cache = step.code == GPU_FETCH1 ? &g->l1[agent] : &g->l2[agent];
      s[line_of(st, cache, x).top] = source_top(st, s, cache, x);
      break;
    case GPU_THREAD:
      if (hw_is_access(code_of(st, agent)->instrs[step.detail & 0xffffff].op)) execution_access(st, step, before, s);
      break;
    default:
      break;
  }
  clear_absent(st, after, s);
}

/* The machine. */

struct follower {
  struct successor_sink sink;
  const struct gpu_executions *st;
  struct successor_sink *outer;
  const uint8_t *state;
  bool stopped;
};

static bool emit_followed(struct successor_sink *sink, struct step step, const void *next) {
  struct follower *f = (struct follower *)sink;
  const struct gpu_executions *st = f->st;
  uint8_t s[st->size], before[GPU_BUFFER], after[GPU_BUFFER];
  size_t inner = st->gpu.state_size;
  memcpy(s, f->state, st->size);
  memcpy(s, next, inner);
  memcpy(before, f->state, inner);
  memcpy(after, next, inner);
  follow(st, step, before, after, s);
  if (f->outer->emit(f->outer, step, s)) return true;
  f->stopped = true;
  return false;
}

/* A fetch that brings the same value of another write: no step of the machine
 * within, but one of this. */
static bool fetch_same_values(struct follower *f) {
  const struct gpu_executions *st = f->st;
  const struct gpu *g = &st->gpu;
  uint8_t now[GPU_BUFFER];
  memcpy(now, f->state, st->gpu.state_size);
  if (gpu_all_finished(g, now)) return true;
  for (const struct cache *cache = g->caches; cache < g->caches + g->cache_count; cache++)
    for (unsigned x = 0; x < g->line_count; x++) {
      struct step step = {(uint16_t)cache_code(cache, GPU_FETCH1), (uint16_t)cache->owner, x};
      if (gpu_may_refetch(g, now, cache, x) &&
          f->state[line_of(st, cache, x).top] != source_top(st, f->state, cache, x) &&
          !emit_followed(&f->sink, step, f->state))
        return false;
    }
  return true;
}

static bool successors_by(const struct machine *m, const void *state, struct successor_sink *sink,
                          bool (*inner)(const struct machine *, const void *, struct successor_sink *)) {
  const struct gpu_executions *st = m->self;
  struct follower f = {.sink = {.emit = emit_followed}, .st = st, .outer = sink, .state = state};
  return inner(m, state, &f.sink) && fetch_same_values(&f);
}

static bool successors(const struct machine *m, const void *state, struct successor_sink *sink) {
  return successors_by(m, state, sink, gpu_successors);
}

static bool ample(const struct machine *m, const void *state, struct successor_sink *sink) {
  return successors_by(m, state, sink, gpu_ample);
}

static void initial(const struct machine *m, void *state) {
  const struct gpu_executions *st = m->self;
  memset(state, 0, st->size);
  gpu_initial(m, state);
}

static int64_t observe(const struct machine *m, const void *state, unsigned i) {
  const struct gpu_executions *st = m->self;
  return ((const uint8_t *)state)[st->observed[i]];
}

void gpu_executions_machine(struct arena *arena, const struct machine *gpu, struct machine *machine) {
  struct gpu_executions *st = ARENA_MAKE(arena, struct gpu_executions, .gpu = *(const struct gpu *)gpu->self,
                                         .size = (unsigned)gpu->state_size + (gpu->state_size == 0));
  const struct gpu *g = &st->gpu;
  number_accesses(arena, st);
  lay_lines(arena, st);
  st->memory = ARENA_ARRAY(arena, struct list, g->line_count + 1);
  for (unsigned x = 0; x < g->line_count; x++) st->memory[x] = lay_list(st, writes_to(st, (int)x, NULL));
  st->local = ARENA_ARRAY(arena, struct list, g->local_count + 1);
  for (unsigned k = 0; k < g->local_count; k++) st->local[k] = lay_list(st, writes_to(st, -1 - (int)k, NULL));
  *machine = (struct machine){.name = "gpu executions",
                              .state_size = st->size,
                              .self = st,
                              .initial = initial,
                              .successors = successors,
                              .final = gpu_final,
                              .ample = ample,
                              .step_kind = gpu_step_kind,
                              .print_step = gpu_print_step,
                              .source = gpu_source,
                              .print_state = gpu_print_state,
                              .lane_count = gpu->lane_count,
                              .print_lane = gpu_print_lane,
                              .route = gpu_route,
                              .also_reaches = gpu_also_reaches,
                              .observable_count = choose_observables(arena, st),
                              .observe = observe};
}

/* Executions that others hand in. */

/* The instruction of the machine that does an access, which reads or writes: of a
 * compare-and-swap with its expected value in memory, the ordinary read is the load
 * before it and the ordinary write the store after it. */
static unsigned instr_of(const struct gpu_executions *st, const struct execution_access *access, bool reads) {
  const struct hw_thread *code = code_of(st, (unsigned)access->thread);
  const struct instr *source = &code->thread->instrs[access->instr];
  for (unsigned i = 0; i < code->instr_count; i++) {
    const struct hw_instr *instr = &code->instrs[i];
    if (instr->source != access->instr || !hw_is_access(instr->op)) continue;
    enum hw_op op = !access->ordinary ? HW_RMW : reads ? HW_LD : HW_ST;
    if (source->kind != INSTR_CAS || instr->op == op) return i;
  }
  return 0;
}

static unsigned write_number(const struct gpu_executions *st, const struct execution_access *access) {
  return access->thread < 0 ? 0 : st->write[access->thread][instr_of(st, access, false)];
}

void gpu_executions_key(const struct machine *machine, const struct execution_words *x, int64_t *key) {
  const struct gpu_executions *st = machine->self;
  uint8_t s[st->size];
  memset(s, 0, st->size);
  ARRAY_EACH (const struct execution_read, read, x->reads, x->read_count)
    s[st->read[read->read.thread][instr_of(st, &read->read, true)]] = (uint8_t)(write_number(st, &read->source) + 1);
  for (unsigned i = 0; i < x->write_count; i++) {
    int line = st->gpu.line_of[x->writes[i].location];
    struct list list = line >= 0 ? st->memory[line] : st->local[-1 - line];
    unsigned place = x->writes[i].place;
    if (place < list.room) s[list.at + place] = (uint8_t)write_number(st, &x->writes[i].write);
  }
  for (unsigned i = 0; i < machine->observable_count; i++) key[i] = s[st->observed[i]];
}

/* Words. */

static const char *write_name(struct arena *arena, const struct gpu_executions *st, unsigned number) {
  if (number == 0) return "the initial value";
  for (unsigned t = 0; t < st->gpu.thread_count; t++)
    for (unsigned i = 0; i < code_of(st, t)->instr_count; i++)
      if (st->write[t][i] == number)
        return arena_printf(arena, "%s's instruction %u", code_of(st, t)->thread->name,
                            code_of(st, t)->instrs[i].source + 1);
  return "?";
}

/* *key: the first of the list; becomes the one after its last. */
static const char *describe_list(struct arena *arena, const struct gpu_executions *st, const int64_t **key,
                                 const char *name, struct list list) {
  if (!list.room) return "";
  const char *text = arena_printf(arena, "  co of %s:", name);
  for (unsigned k = 0; k < list.room; k++, ++*key)
    if (**key) text = arena_printf(arena, "%s%s %s", text, k ? "," : "", write_name(arena, st, (unsigned)**key));
  return arena_printf(arena, "%s\n", text);
}

/* What is read: of an array, the key does not tell which cell. */
static const char *read_name(struct arena *arena, const struct program *program, const struct address *address) {
  const char *name = program->locations[address->base].name;
  return address->index ? arena_strndup(arena, name, strcspn(name, "[")) : name;
}

const char *gpu_executions_describe(struct arena *arena, const struct machine *machine, const int64_t *key) {
  const struct gpu_executions *st = machine->self;
  const struct gpu *g = &st->gpu;
  const struct program *program = g->program->program;
  const char *text = "";
  unsigned n = 0;
  for (unsigned t = 0; t < g->thread_count; t++) {
    for (unsigned i = 0; i < code_of(st, t)->instr_count; i++) {
      if (!st->read[t][i]) continue;
      if (key[n])
        text = arena_printf(arena, "%s  %s's instruction %u reads %s from %s\n", text, code_of(st, t)->thread->name,
                            code_of(st, t)->instrs[i].source + 1,
                            read_name(arena, program, &code_of(st, t)->instrs[i].address),
                            write_name(arena, st, (unsigned)key[n] - 1));
      n++;
    }
  }
  const int64_t *lists = key + n;
  for (unsigned local = 0; local < 2; local++)
    for (unsigned i = 0; i < program->location_count; i++) {
      if ((g->line_of[i] < 0) != local) continue;
      struct list list = local ? st->local[-1 - g->line_of[i]] : st->memory[g->line_of[i]];
      text = arena_printf(arena, "%s%s", text, describe_list(arena, st, &lists, program->locations[i].name, list));
    }
  return text;
}
