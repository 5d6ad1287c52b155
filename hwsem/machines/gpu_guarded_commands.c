/* SPDX-License-Identifier: MIT */
/* The GPU as guarded commands: its variables, the words of its rules, and what a final state shows. */
#include "hwsem/machines/gpu_guarded_commands.h"

#include <assert.h>
#include <ctype.h>
#include <limits.h>

#include "checker/base/array.h"
#include "checker/base/embed.h"
#include "checker/base/text.h"
#include "hwsem/machines/kinds.h"
#include "hwsem/rule_templates.h"

EMBED_TEXT(gpu_rules, "hwsem/machines/gpu.rules")

struct gpu_guarded_commands {
  struct rules *r;
  const struct gpu *g;
  const char ***registers; /* names, by thread */
};

/* ---- names ---- */

/* A name as an identifier, told from all others by its number where it is none. */
static const char *identifier(const struct gpu_guarded_commands *x, const char *name, unsigned number) {
  char *text = arena_strdup(x->r->arena, name);
  bool plain = true;
  for (char *at = text; *at; at++) {
    if (isalnum((unsigned char)*at)) continue;
    *at = '_';
    plain = false;
  }
  return plain ? text : arena_printf(x->r->arena, "%s_%u", text, number);
}

static const char *location_name(const struct gpu_guarded_commands *x, unsigned location) {
  return identifier(x, x->g->program->program->locations[location].name, location);
}

static const char *line_name(const struct gpu_guarded_commands *x, unsigned line) {
  return location_name(x, x->g->location_of[line]);
}

static void name_registers(struct gpu_guarded_commands *x) {
  x->registers = ARENA_ARRAY(x->r->arena, const char **, x->g->thread_count + 1);
  for (unsigned t = 0; t < x->g->thread_count; t++) {
    const struct hw_thread *code = x->g->threads[t].code;
    x->registers[t] = ARENA_ARRAY(x->r->arena, const char *, code->reg_count + 1);
    for (unsigned i = 0; i < code->reg_count; i++) {
      const char *name = i < code->thread->reg_count ? code->thread->reg_names[i] : NULL;
      x->registers[t][i] = name ? arena_printf(x->r->arena, "P%u_%s", t, identifier(x, name, i))
                                : arena_printf(x->r->arena, "temporary_%u_%u", t, i);
    }
  }
}

/* ---- words ---- */

static struct rule_value number(int64_t value) {
  return (struct rule_value){NULL, value};
}

static struct rule_value text(const char *value) {
  return (struct rule_value){value, 0};
}

/* A variable that the machine has, or 0. */
static struct rule_value variable(const struct gpu_guarded_commands *x, bool has, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static struct rule_value variable(const struct gpu_guarded_commands *x, bool has, const char *format, ...) {
  if (!has) return number(0);
  va_list args;
  va_start(args, format);
  const char *name = arena_vprintf(x->r->arena, format, args);
  va_end(args);
  return text(name);
}

static const char *cache_name(const struct gpu_guarded_commands *x, unsigned c) {
  bool l1 = c < x->g->wg_count;
  return arena_printf(x->r->arena, l1 ? "l1_%u" : "l2_%u", l1 ? c : c - x->g->wg_count);
}

/* What a line holds that is absent: the value that all do at first. */
static int64_t first_value(const struct domain *domain) {
  return domain->count ? domain->values[0] : 0;
}

static struct rule_value holder_of(const struct gpu_guarded_commands *x, unsigned c) {
  const struct gpu *g = x->g;
  struct field lock = c < g->wg_count ? g->rmw1[c] : g->rmw2[c - g->wg_count];
  return variable(x, lock.bits, "rmw_%s", cache_name(x, c));
}

/* The instruction in the words of `litscope compile`, on one line. */
static const char *instr_words(const struct gpu_guarded_commands *x, unsigned t, const struct hw_instr *instr) {
  return TEXT_PRINTED(x->r->arena, out, hw_instr_print(x->g->program, x->g->threads[t].code, instr, out));
}

/* The k-th of the caches that an instruction reaches. */
static unsigned target_cache(const struct gpu *g, unsigned t, const struct hw_instr *instr, unsigned k) {
  const struct cache *caches[g->wg_count + g->dev_count];
  gpu_targets(g, &g->threads[t], instr, caches);
  return (unsigned)(caches[k] - g->caches);
}

static unsigned count_targets(const struct gpu *g, unsigned t, const struct hw_instr *instr) {
  const struct cache *caches[g->wg_count + g->dev_count];
  return gpu_targets(g, &g->threads[t], instr, caches);
}

/* Labels of a work-group's barriers, in the order of the program: how many there are up to the k-th, which is
 * *label. */
static unsigned count_labels(const struct gpu *g, unsigned w, unsigned k, int *label) {
  unsigned count = 0, all = 0;
  for (unsigned t = 0; t < g->thread_count; t++) all += g->threads[t].code->instr_count;
  int labels[all + 1];
  for (unsigned t = 0; t < g->thread_count; t++)
    for (unsigned pc = 0; g->threads[t].wg == w && pc < g->threads[t].code->instr_count && count <= k; pc++) {
      const struct hw_instr *instr = &g->threads[t].code->instrs[pc];
      bool seen = instr->op != HW_MEET;
      for (unsigned i = 0; i < count; i++) seen |= labels[i] == instr->meeting;
      if (!seen) *label = labels[count++] = instr->meeting;
    }
  return count;
}

static struct rule_value label_of(const struct gpu *g, unsigned w, unsigned k) {
  int label = -1;
  count_labels(g, w, k, &label);
  return number(label);
}

/* Numbers by name. */
static const char *const ENUMS[] = {
    "ABSENT CV DV DI",                                                                      /* enum line_state */
    "L1 L2 GL LOCAL",                                                                       /* enum hw_level */
    "WG DEV SYS",                                                                           /* enum hw_target */
    "LD ST RMW FLU INV LOCK_RMW UNLOCK_RMW LOCK_LINE UNLOCK_LINE MEET ASSIGN BRANCH JUMP"}; /* enum hw_op */

/* The words of gpu.rules; A and B are their arguments.  T: the thread A, I: its instruction B. */
#define A ((unsigned)a[0])
#define B ((unsigned)a[1])
#define T (g->threads[A])
#define I (T.code->instrs[B])
#define VALUE(e) text(rules_value(x->r, e, x->registers[A]))
#define WORDS(X)                                                                                                 \
  X("threads", number(g->thread_count))                                                                          \
  X("groups", number(g->wg_count))                                                                               \
  X("devices", number(g->dev_count))                                                                             \
  X("caches", number(g->cache_count))                                                                            \
  X("lines", number(g->line_count))                                                                              \
  X("locks", number(g->wg_count + g->dev_count + 1))                                                             \
  X("flat", number(g->flat))                                                                                     \
  X("posts", number(g->posts))                                                                                   \
  X("l1_lines", number(gpu_capacity(g->knobs.l1_lines)))                                                         \
  X("fifo_entries", number(gpu_capacity(g->knobs.fifo_entries)))                                                 \
  /* Caches and memory. */                                                                                       \
  X("home", number(A < g->wg_count ? g->wg_dev[A] : A - g->wg_count))                                            \
  X("entries", number(g->caches[A].capacity))                                                                    \
  X("writes", number(g->caches[A].lines[B].state.bits > 1))                                                      \
  X("begins", number(A < g->wg_count && g->begun[A].bits))                                                       \
  X("nothing", number(first_value(g->caches[A].lines[B].value.domain)))                                          \
  X("name", text(cache_name(x, A)))                                                                              \
  X("place", A < g->wg_count ? variable(x, true, "1(wg%u)", A) : variable(x, true, "2(dev%u)", A - g->wg_count)) \
  X("line", text(g->program->program->locations[g->location_of[A]].name))                                        \
  X("state", variable(x, true, "state_%s_%s", cache_name(x, A), line_name(x, B)))                                \
  X("value", variable(x, true, "value_%s_%s", cache_name(x, A), line_name(x, B)))                                \
  X("queue", variable(x, B < g->caches[A].capacity, "queue_%s_%u", cache_name(x, A), B))                         \
  X("rmw", holder_of(x, A))                                                                                      \
  X("begun", variable(x, g->begun[A].bits, "begun_%u", A))                                                       \
  X("posted", variable(x, g->posts, "posted_%u_%u", A, B))                                                       \
  X("lock", variable(x, g->lk[A * g->line_count + B].bits, "lock_%u_%s", A, line_name(x, B)))                    \
  X("memory", variable(x, true, "mem_%s", line_name(x, A)))                                                      \
  X("local", number(g->line_of[A] < 0))                                                                          \
  X("line_of", number(g->line_of[A]))                                                                            \
  X("local_cell", variable(x, true, "local_%s", location_name(x, A)))                                            \
  /* Threads. */                                                                                                 \
  X("wg", number(T.wg))                                                                                          \
  X("dev", number(T.dev))                                                                                        \
  X("end", number(T.code->instr_count))                                                                          \
  X("pc", variable(x, true, "pc_%u", A))                                                                         \
  X("phase", variable(x, T.phase.bits, "phase_%u", A))                                                           \
  X("owing", number(T.owed.bits > 0))                                                                            \
  X("owes_rmw", variable(x, T.owed.bits, "owes_rmw_%u", A))                                                      \
  X("owes_lines", variable(x, T.owed.bits, "owes_lines_%u", A))                                                  \
  X("register", a[1] == NO_REG ? number(0) : text(x->registers[A][B]))                                           \
  X("old", text(RULES_OLD))                                                                                      \
  X("labels", number(count_labels(g, A, UINT_MAX, &(int){0})))                                                   \
  X("label", label_of(g, A, B))                                                                                  \
  /* Instructions. */                                                                                            \
  X("words", text(instr_words(x, A, &I)))                                                                        \
  X("op", number(I.op))                                                                                          \
  X("level", number(I.level))                                                                                    \
  X("target", number(I.target))                                                                                  \
  X("accesses", number(hw_is_access(I.op)))                                                                      \
  X("atomic", number(I.atomic))                                                                                  \
  X("posted_inv", number(I.posted))                                                                              \
  X("cas", number(I.cas))                                                                                        \
  X("weak", number(I.weak))                                                                                      \
  X("returns_old", number(I.returns_old))                                                                        \
  X("reg", number(I.reg))                                                                                        \
  X("old_reg", number(I.old_reg))                                                                                \
  X("destination", number(I.destination))                                                                        \
  X("meeting", number(I.meeting))                                                                                \
  X("indexed", number(I.address.index != NULL))                                                                  \
  X("index", VALUE(I.address.index))                                                                             \
  X("base", number(I.address.base))                                                                              \
  X("cells", number(I.address.index ? I.address.size : 1))                                                       \
  X("operand", VALUE(I.value))                                                                                   \
  X("expected", VALUE(I.expected))                                                                               \
  X("truth", text(rules_truth(x->r, I.value, x->registers[A])))                                                  \
  X("modified", text(rules_modified(x->r, I.function, I.width, VALUE(I.value).text)))                            \
  X("targets", number(count_targets(g, A, &I)))                                                                  \
  X("target_cache", number(target_cache(g, A, &I, (unsigned)a[2])))

static struct rule_value word(void *context, const char *name, const int64_t *a) {
  const struct gpu_guarded_commands *x = context;
  const struct gpu *g = x->g;
#define WORD(word, value) \
  if (!strcmp(name, word)) return value;
  WORDS(WORD)
#undef WORD
  for (size_t i = 0; i < ARRAY_COUNT(ENUMS); i++)
    if (knob_word(ENUMS[i], name) >= 0) return number(knob_word(ENUMS[i], name));
  const char *colon = strchr(name, ':');
  assert(colon);
  const char *knob = arena_strndup(x->r->arena, name, (size_t)(colon - name));
  return number(knobs_are(&gpu_knob_table, &g->knobs, knob, colon + 1));
}

/* ---- going on ---- */

/* Registers that are never read again are cleared. */
static void forget_dead(const struct gpu_guarded_commands *x, unsigned t, unsigned pc) {
  const struct gpu_thread *thread = &x->g->threads[t];
  for (uint64_t dead = thread->dead[pc]; dead; dead &= dead - 1) {
    unsigned reg = (unsigned)__builtin_ctzll(dead);
    rules_set(x->r, x->registers[t][reg], rules_number(x->r, first_value(thread->regs[reg].domain)));
  }
}

/* To an instruction, and past what can be done at once after it. */
static void go(const struct gpu_guarded_commands *x, unsigned t, unsigned pc) {
  const struct gpu_thread *thread = &x->g->threads[t];
  for (; pc < thread->code->instr_count; pc++) {
    const struct hw_instr *instr = &thread->code->instrs[pc];
    if (instr->op == HW_ASSIGN) {
      if (instr->reg != NO_REG)
        rules_set(x->r, x->registers[t][instr->reg], rules_value(x->r, instr->value, x->registers[t]));
    } else if (instr->op == HW_BRANCH && instr->destination > pc) {
      rules_if(x->r, rules_truth(x->r, instr->value, x->registers[t]));
      go(x, t, pc + 1);
      rules_else(x->r);
      go(x, t, instr->destination);
      rules_end_if(x->r);
      return;
    } else if (instr->op == HW_JUMP && instr->destination > pc) {
      pc = instr->destination - 1;
    } else {
      break;
    }
  }
  rules_set(x->r, arena_printf(x->r->arena, "pc_%u", t), rules_number(x->r, pc));
  if (thread->phase.bits) rules_set(x->r, arena_printf(x->r->arena, "phase_%u", t), "0");
  forget_dead(x, t, pc);
}

static void act(void *context, const char *name, const int64_t *a) {
  assert(!strcmp(name, "go"));
  (void)name;
  go(context, A, B);
}

/* ---- variables ---- */

static const char *name_of(struct gpu_guarded_commands *x, const char *of, unsigned a, unsigned b) {
  return word(x, of, (const int64_t[]){a, b, 0}).text;
}

static void declare_cell(struct gpu_guarded_commands *x, const uint8_t *s, const char *name, struct gpu_cell c) {
  const struct domain *domain = c.domain;
  int64_t low = first_value(domain), high = low;
  for (unsigned i = 1; i < domain->count; i++) {
    if (domain->values[i] < low) low = domain->values[i];
    if (domain->values[i] > high) high = domain->values[i];
  }
  if (!domain->count) {
    low = -(INT64_C(1) << (domain->bits - 1));
    high = -(low + 1);
  }
  rules_variable(x->r, name, low, high, value_get(s, c));
}

/* One that the machine may lack. */
static void declare(struct gpu_guarded_commands *x, const char *of, unsigned a, unsigned b, int64_t high,
                    int64_t initial) {
  const char *name = name_of(x, of, a, b);
  if (name) rules_variable(x->r, name, 0, high, initial);
}

static void declare_cache(struct gpu_guarded_commands *x, const uint8_t *s, unsigned c) {
  const struct gpu *g = x->g;
  const struct cache *cache = &g->caches[c];
  for (unsigned line = 0; line < g->line_count; line++) {
    const struct gpu_line *at = &cache->lines[line];
    declare(x, "state", c, line, at->state.bits > 1 ? DI : CV, (int64_t)field_get(s, at->state));
    declare_cell(x, s, name_of(x, "value", c, line), at->value);
  }
  for (unsigned k = 0; k < cache->capacity; k++) declare(x, "queue", c, k, g->line_count + g->thread_count, 0);
  declare(x, "rmw", c, 0, g->thread_count, 0);
  if (c >= g->wg_count) return;
  declare(x, "begun", c, 0, 1, 0);
  for (unsigned t = 0; t < g->thread_count; t++) declare(x, "posted", c, t, 1, 0);
}

static void declare_thread(struct gpu_guarded_commands *x, const uint8_t *s, unsigned t) {
  const struct gpu_thread *thread = &x->g->threads[t];
  declare(x, "pc", t, 0, thread->code->instr_count, (int64_t)field_get(s, thread->pc));
  declare(x, "phase", t, 0, 1 + x->g->wg_count + x->g->dev_count, 0);
  declare(x, "owes_rmw", t, 0, 1, 0);
  declare(x, "owes_lines", t, 0, 1, 0);
  for (unsigned i = 0; i < thread->code->reg_count; i++) declare_cell(x, s, x->registers[t][i], thread->regs[i]);
}

static const char *name_memory(struct gpu_guarded_commands *x, unsigned location) {
  int line = x->g->line_of[location];
  return line < 0 ? name_of(x, "local_cell", location, 0) : name_of(x, "memory", (unsigned)line, 0);
}

static void declare_all(struct gpu_guarded_commands *x, const uint8_t *s) {
  const struct gpu *g = x->g;
  for (unsigned i = 0; i < g->program->program->location_count; i++)
    declare_cell(x, s, name_memory(x, i), g->line_of[i] < 0 ? g->local[-1 - g->line_of[i]] : g->memory[g->line_of[i]]);
  for (unsigned c = 0; c < g->cache_count; c++) declare_cache(x, s, c);
  for (unsigned d = 0; d < g->dev_count; d++)
    for (unsigned line = 0; line < g->line_count; line++) declare(x, "lock", d, line, g->thread_count, 0);
  for (unsigned t = 0; t < g->thread_count; t++) declare_thread(x, s, t);
}

/* ---- what a state shows ---- */

static const char *shown(struct gpu_guarded_commands *x, struct operand o) {
  if (o.constant) return rules_number(x->r, o.value);
  return o.what.thread >= 0 ? x->registers[o.what.thread][o.what.index] : name_memory(x, o.what.index);
}

static const char *sum(struct gpu_guarded_commands *x, const struct prop *p) {
  const char *sum = rules_number(x->r, 0);
  for (unsigned i = 0; i < p->addend_count; i++)
    sum = rules_operation(x->r, sum, p->addends[i].subtracted ? "-" : "+",
                          shown(x, (struct operand){.what = p->addends[i].what}));
  return sum;
}

static const char *proposition(struct gpu_guarded_commands *x, const struct prop *p) {
  switch (p->kind) {
    case PROP_TRUE:
      return RULES_TRUE;
    case PROP_FALSE:
      return RULES_FALSE;
    case PROP_COMPARE:
      return rules_compare(x->r, shown(x, p->left), p->compare, shown(x, p->right));
    case PROP_SUM:
      return rules_compare(x->r, sum(x, p), p->compare, rules_number(x->r, p->right.value));
    case PROP_AND:
      return rules_and(x->r, proposition(x, p->a), proposition(x, p->b));
    case PROP_OR:
      return rules_or(x->r, proposition(x, p->a), proposition(x, p->b));
    case PROP_IMPLIES:
      return rules_or(x->r, rules_not(x->r, proposition(x, p->a)), proposition(x, p->b));
    case PROP_NOT:
      return rules_not(x->r, proposition(x, p->a));
  }
  return RULES_TRUE;
}

static bool modifies(const struct gpu *g) {
  for (unsigned t = 0; t < g->thread_count; t++)
    for (unsigned pc = 0; pc < g->threads[t].code->instr_count; pc++)
      if (g->threads[t].code->instrs[pc].op == HW_RMW) return true;
  return false;
}

void gpu_write_rules(const struct machine *machine, const struct prop *wanted, struct rules *rules) {
  struct gpu_guarded_commands x = {.r = rules, .g = machine->self};
  struct rule_words words = {&x, word, act};
  struct rule_templates *text_of_rules = rule_templates_new(rules, gpu_rules, &words);
  uint8_t s[GPU_BUFFER] = {0};
  gpu_initial(machine, s);
  name_registers(&x);
  declare_all(&x, s);
  rule_templates_do(text_of_rules, "procedures");
  rules_begin(rules, modifies(x.g));
  rule_templates_do(text_of_rules, "rules");
  rules_finish(rules, rule_templates_condition(text_of_rules, "final"), proposition(&x, wanted));
}

bool gpu_has_lists(const struct machine *machine) {
  const struct gpu *g = machine->self;
  for (unsigned i = 0; i < g->program->program->location_count; i++)
    if (!g->domains[i]->count) return false;
  for (unsigned t = 0; t < g->thread_count; t++)
    for (unsigned i = 0; i < g->threads[t].code->reg_count; i++)
      if (!g->threads[t].domains[i]->count) return false;
  return true;
}
