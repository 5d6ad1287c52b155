/* SPDX-License-Identifier: MIT */
/* Small programs as litmus tests. A language is either functions (OpenCL, C) or
 * columns (HSA, PTX, Vulkan), and has words for its operations: the orders' and
 * scopes' in tables, what is around them in one function for each language. */
#include "checker/verify/small_program_words.h"

#include <ctype.h>
#include <string.h>

#include "checker/base/text.h"
#include "checker/base/vec.h"

/* ---- names ---- */

/* Shapes by kinds and locations alone. */
static const struct {
  const char *ops, *name;
} SHAPES[] = {
    {"Wx Wy|Ry Rx", "MP"},         {"Wx Ry|Wy Rx", "SB"},         {"Rx Wy|Ry Wx", "LB"},
    {"Wx Wy|Wy Rx", "R"},          {"Wx Wy|Ry Wx", "S"},          {"Wx Wy|Wy Wx", "2+2W"},
    {"Wx|Rx Rx", "CoRR"},          {"Rx|Rx Wx", "CoRW1"},         {"Wx|Rx Wx", "CoRW2"},
    {"Wx|Wx Rx", "CoWR"},          {"Rx|Wx Wx", "CoWW"},          {"Wx|Rx Wy|Ry Rx", "WRC"},
    {"Wx|Rx Ry|Wy Rx", "RWC"},     {"Wx Wy|Ry Wz|Rz Rx", "ISA2"}, {"Wx|Wy|Rx Ry|Ry Rx", "IRIW"},
    {"Wx Wy|Wy Wz|Rz Rx", "Z6.3"}, {"Wx Ry|Wy Rz|Wz Rx", "3.SB"}, {"Rx Wy|Ry Wz|Rz Wx", "3.LB"},
    {"Wx Wy|Wy Wz|Wz Wx", "3.2W"}, {"Wx Wy|Ry Wz|Rz Wx", "Z6.2"}, {"Wx|Rx Wy|Ry Wx", "WWC"},
    {"Wx|Rx Wy|Wy Rx", "WRW+WR"},  {"Wx|Rx Ry|Wy Wx", "WRR+2W"},
};

static const char *location_of(const struct small_op *op) {
  return small_is_access(op) ? small_location_names[op->location] : "";
}

const char *small_shape(const char *ops) {
  for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++)
    if (!strcmp(SHAPES[i].ops, ops)) return SHAPES[i].name;
  return NULL;
}

static const char *shape_of(struct arena *arena, const struct small_program *p) {
  struct text text;
  text_open(&text);
  for (unsigned t = 0; t < p->threads; t++) {
    if (t) fputc('|', text.out);
    for (unsigned i = 0; i < p->count[t]; i++)
      fprintf(text.out, "%s%c%s", i ? " " : "", p->ops[t][i].kind, location_of(&p->ops[t][i]));
  }
  return small_shape(text_keep(&text, arena));
}

/* The numbers of threads' instances, unless each thread has its own, or all have one. */
static void print_instances(const char *word, const uint8_t *at, unsigned count, bool apart, FILE *out) {
  bool plain = true;
  for (unsigned i = 0; i < count; i++) plain &= at[i] == (apart ? i : 0);
  if (plain) return;
  fprintf(out, "-%s", word);
  for (unsigned i = 0; i < count; i++) fprintf(out, "%d", at[i]);
}

/* `-st-av-dv-sc0`, of what is in braces. */
static void print_words(const struct small_op *op, FILE *out) {
  for (unsigned i = 0; op->words && i < op->word_length; i++) {
    char c = op->words[i];
    bool plain = isalnum((unsigned char)c) || c == '_';
    if (!i || !plain) fputc('-', out);
    if (plain) fputc(c, out);
  }
}

const char *small_name(struct arena *arena, const struct small_program *p) {
  struct text text;
  text_open(&text);
  const char *shape = shape_of(arena, p);
  if (shape) fprintf(text.out, "%s-", shape);
  for (unsigned t = 0; t < p->threads; t++) {
    if (t) fputc('+', text.out);
    for (unsigned i = 0; i < p->count[t]; i++) {
      const struct small_op *op = &p->ops[t][i];
      if (i) fputc('.', text.out);
      if (op->guard) fputs(op->guard == '!' ? "if." : "ifnot.", text.out);
      if (op->dependency) fputs(op->dependency == '&' ? "addr." : "data.", text.out);
      fprintf(text.out, "%c%s", op->kind, location_of(op));
      print_words(op, text.out);
      if (op->kind != 'B' && !op->words) fputc(op->scope, text.out);
      if (op->order) fputc(op->order, text.out);
    }
  }
  print_instances("wg", p->wg, p->threads, true, text.out);
  print_instances(p->language == LANG_VULKAN ? "qf" : "dev", p->dev, p->threads, false, text.out);
  return text_keep(&text, arena);
}

/* ---- words ---- */

/* By scope, in the order of SMALL_SCOPES. */
static const char *const SCOPES[LANGUAGES][8] = {
    [LANG_OPENCL] = {"", "", "memory_scope_work_group", "", "memory_scope_device", "memory_scope_device",
                     "memory_scope_all_svm_devices", "memory_scope_all_svm_devices"},
    [LANG_HSA] = {"", "", "wg", "", "agent", "agent", "sys", "sys"},
    [LANG_PTX] = {"", "", "cta", "", "gpu", "", "sys", ""},
    [LANG_VULKAN] = {"", "", "wg", "qf", "dv", "", "", ""},
};

enum { RELEASE, ACQUIRE, BOTH, RELAXED, CONSISTENT, WEAK };

static const char *const ORDERS[LANGUAGES][6] = {
    [LANG_OPENCL] = {"memory_order_release", "memory_order_acquire", "memory_order_acq_rel", "memory_order_relaxed",
                     "memory_order_seq_cst", ""},
    [LANG_C] = {"memory_order_release", "memory_order_acquire", "memory_order_acq_rel", "memory_order_relaxed",
                "memory_order_seq_cst", ""},
    [LANG_HSA] = {"rel", "acq", "ar", "rlx", "sc", ""},
    [LANG_PTX] = {"release", "acquire", "acq_rel", "relaxed", "sc", "weak"},
    [LANG_VULKAN] = {"rel.", "acq.", "acq_rel.", "", "", ""},
};

static const char *scope_word(const struct small_program *p, const struct small_op *op) {
  return SCOPES[p->language][strchr(SMALL_SCOPES, op->scope) - SMALL_SCOPES];
}

static unsigned order_of(const struct small_op *op) {
  static const unsigned OF_LETTERS[] = {RELAXED, CONSISTENT, ACQUIRE, RELEASE, BOTH};
  if (op->scope == 'n') return WEAK;
  if (op->order) return OF_LETTERS[strchr(SMALL_ORDERS, op->order) - SMALL_ORDERS];
  return op->kind == 'W' ? RELEASE : op->kind == 'R' ? ACQUIRE : BOTH;
}

static const char *order_word(const struct small_program *p, const struct small_op *op) {
  return ORDERS[p->language][order_of(op)];
}

static bool is_remote(const struct small_op *op) {
  return op->scope == 'D' || op->scope == 'S';
}

/* `r0 & 128` is added to an address or value that depends on a register: nothing, which no compiler knows, since no
 * value, not even a sum, has this bit. */
static int nothing_mask(const struct small_program *p) {
  int64_t sum = 0;
  int mask = 128;
  for (unsigned t = 0; t < p->threads; t++)
    for (unsigned i = 0; i < p->count[t]; i++) sum += p->ops[t][i].value;
  while (mask <= sum && mask < 1 << 30) mask *= 2;
  return mask;
}

/* ---- what all languages share ---- */

/* The locations that a test has: global ones up to the last that is used, as their numbers
 * are the notation's, and those in local memory that are used. */
static bool has_location(const struct small_program *p, unsigned location) {
  for (unsigned t = 0; t < p->threads; t++)
    for (unsigned i = 0; i < p->count[t]; i++) {
      const struct small_op *op = &p->ops[t][i];
      if (!small_is_access(op)) continue;
      if (op->location == location || (op->location > location && op->location < SMALL_GLOBALS)) return true;
    }
  return location < p->globals;
}

/* Calls for each register: of which thread, its number, whether it is read under a guard. */
static void each_register(const struct small_program *p, FILE *out,
                          void (*print)(FILE *out, unsigned thread, unsigned reg, bool guarded)) {
  for (unsigned t = 0; t < p->threads; t++) {
    unsigned reg = 0;
    bool guarded = false;
    for (unsigned i = 0; i < p->count[t]; i++) {
      guarded |= p->ops[t][i].guard && reg;
      if (small_reads(&p->ops[t][i])) print(out, t, reg++, guarded);
    }
  }
}

static void print_initial(FILE *out, unsigned thread, unsigned reg, bool guarded) {
  if (guarded) fprintf(out, " %u:r%u=-1;", thread, reg);
}

static void print_shown(FILE *out, unsigned thread, unsigned reg, bool guarded) {
  (void)guarded;
  fprintf(out, "%u:r%u; ", thread, reg);
}

/* The length of an operation's words, before the proxy of the name that it uses; the proxy, or NULL. */
static int words_of(const struct small_op *op, const char **proxy) {
  const char *at = op->words ? memchr(op->words, '@', op->word_length) : NULL;
  *proxy = at ? at + 1 : NULL;
  return at ? (int)(at - op->words) : op->word_length;
}

static int proxy_length(const struct small_op *op, const char *proxy) {
  return (int)(op->words + op->word_length - proxy);
}

/* The name by which an operation has its location: `x`, `x_surface`. */
static const char *name_used(struct arena *arena, const struct small_op *op) {
  const char *proxy;
  words_of(op, &proxy);
  return proxy ? arena_printf(arena, "%s_%.*s", location_of(op), proxy_length(op, proxy), proxy) : location_of(op);
}

/* ` x_surface @ surface aliases x;`, once. */
static void write_aliases(const struct small_program *p, FILE *out) {
  struct arena *arena = arena_new();
  VEC(const char *) done = {0};
  for (unsigned t = 0; t < p->threads; t++)
    for (unsigned i = 0; i < p->count[t]; i++) {
      const struct small_op *op = &p->ops[t][i];
      const char *proxy, *name = name_used(arena, op);
      words_of(op, &proxy);
      bool known = !proxy;
      for (size_t k = 0; k < done.count; k++) known |= !strcmp(done.at[k], name);
      if (known) continue;
      *vec_push(arena, &done) = name;
      fprintf(out, " %s @ %.*s aliases %s;", name, proxy_length(op, proxy), proxy, location_of(op));
    }
  arena_free(arena);
}

static void write_initial(const struct small_program *p, FILE *out) {
  bool brackets = p->language == LANG_OPENCL || p->language == LANG_C;
  fputc('{', out);
  for (unsigned x = 0; x < SMALL_LOCATIONS; x++)
    if (has_location(p, x)) fprintf(out, brackets ? " [%s]=0;" : " %s=0;", small_location_names[x]);
  write_aliases(p, out);
  each_register(p, out, print_initial);
  fputs(" }\n", out);
}

static void write_end(const struct small_program *p, const char *condition, FILE *out) {
  fputs("locations [", out);
  each_register(p, out, print_shown);
  for (unsigned x = 0; x < SMALL_GLOBALS && has_location(p, x); x++)
    fprintf(out, "%s%s;", x ? " " : "", small_location_names[x]);
  fprintf(out, "]\n%s\n", condition);
}

/* `(device (work_group P0 P1)) (device (work_group P2))` */
static void write_tree(const struct small_program *p, const char *device, const char *group, FILE *out) {
  fputs("scopeTree", out);
  bool done[SMALL_THREADS] = {false};
  for (unsigned t = 0; t < p->threads; t++) {
    if (done[t]) continue;
    fprintf(out, " (%s", device);
    for (unsigned u = t; u < p->threads; u++) {
      if (done[u] || p->dev[u] != p->dev[t]) continue;
      fprintf(out, " (%s", group);
      for (unsigned v = u; v < p->threads; v++) {
        if (p->wg[v] != p->wg[u]) continue;
        fprintf(out, " P%u", v);
        done[v] = true;
      }
      fputc(')', out);
    }
    fputc(')', out);
  }
  fputc('\n', out);
}

/* ---- OpenCL and C ---- */

static void write_parameters(const struct small_program *p, unsigned t, FILE *out) {
  bool atomic[SMALL_LOCATIONS] = {false}, used[SMALL_LOCATIONS] = {false}, first = true;
  for (unsigned u = 0; u < p->threads; u++) {
    for (unsigned i = 0; i < p->count[u]; i++) {
      if (!small_is_access(&p->ops[u][i])) continue;
      atomic[p->ops[u][i].location] |= p->ops[u][i].scope != 'n';
      used[p->ops[u][i].location] |= u == t;
    }
  }
  fprintf(out, "P%u (", t);
  for (unsigned x = 0; x < SMALL_LOCATIONS; x++) {
    if (!used[x]) continue;
    const char *region = p->language == LANG_C ? "" : x < SMALL_GLOBALS ? "global " : "local ";
    fprintf(out, "%s%s%s* %s", first ? "" : ", ", region, atomic[x] ? "atomic_int" : "int", small_location_names[x]);
    first = false;
  }
  fputs(") {\n", out);
}

/* Behind the operands of an atomic operation or fence. */
static void write_order(const struct small_program *p, const struct small_op *op, FILE *out) {
  fputs(order_word(p, op), out);
  if (p->language != LANG_C) fprintf(out, ", %s", scope_word(p, op));
  fputs(");\n", out);
}

/* `x`, or `x + (r0 & 128)` */
static void write_place(const struct small_program *p, const struct small_op *op, unsigned last, FILE *out) {
  fputs(location_of(op), out);
  if (op->dependency == '&') fprintf(out, " + (r%u & %d)", last, nothing_mask(p));
}

static void write_value(const struct small_program *p, const struct small_op *op, unsigned last, FILE *out) {
  fprintf(out, "%d", op->value);
  if (op->dependency == '^') fprintf(out, " + (r%u & %d)", last, nothing_mask(p));
}

/* An ordinary access: `*x`, or `*(x + (r0 & 128))`. */
static void write_ordinary(const struct small_program *p, const struct small_op *op, unsigned last, FILE *out) {
  bool address = op->dependency == '&';
  fputs(address ? "*(" : "*", out);
  write_place(p, op, last, out);
  if (address) fputc(')', out);
  if (op->kind == 'W') {
    fputs(" = ", out);
    write_value(p, op, last, out);
  }
  fputs(";\n", out);
}

/* What a fence or barrier orders, in OpenCL. */
static const char *flags_of(const struct small_program *p) {
  return small_uses_local(p) ? "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE" : "CLK_GLOBAL_MEM_FENCE";
}

static void write_fence(const struct small_program *p, const struct small_op *op, FILE *out) {
  if (p->language == LANG_C)
    fputs("atomic_thread_fence(", out);
  else
    fprintf(out, "atomic_work_item_fence%s(%s, ", is_remote(op) ? "_remote" : "", flags_of(p));
  write_order(p, op, out);
}

/* An atomic access; a compare-exchange expects what is in the variable e. */
static void write_call(const struct small_program *p, const struct small_op *op, unsigned last, FILE *out) {
  static const char *const FUNCTIONS[] = {
      ['W'] = "store", ['R'] = "load", ['U'] = "fetch_add", ['X'] = "exchange", ['C'] = "compare_exchange_strong"};
  fprintf(out, "atomic_%s_explicit%s(", FUNCTIONS[(unsigned char)op->kind], is_remote(op) ? "_remote" : "");
  write_place(p, op, last, out);
  if (op->kind == 'C') fprintf(out, ", &e%u", last + 1);
  if (small_writes(op)) {
    fputs(", ", out);
    write_value(p, op, last, out);
  }
  fputs(", ", out);
  if (op->kind == 'C') {
    unsigned order = order_of(op);
    fprintf(out, "%s, ", ORDERS[p->language][order]);
    order = order == BOTH ? ACQUIRE : order == RELEASE ? RELAXED : order; /* where it fails */
    fprintf(out, "%s, %s);\n", ORDERS[p->language][order], scope_word(p, op));
    return;
  }
  write_order(p, op, out);
}

static void write_operation(const struct small_program *p, const struct small_op *op, unsigned last, FILE *out) {
  if (op->kind == 'B')
    fprintf(out, "barrier(%s);\n", flags_of(p));
  else if (op->kind == 'F')
    write_fence(p, op, out);
  else if (op->scope == 'n')
    write_ordinary(p, op, last, out);
  else
    write_call(p, op, last, out);
}

static void write_function(const struct small_program *p, unsigned t, FILE *out) {
  unsigned reg = 0, depth = 0;
  fputc('\n', out);
  write_parameters(p, t, out);
  for (unsigned i = 0; i < p->count[t]; i++) {
    const struct small_op *op = &p->ops[t][i];
    if (op->guard && reg) {
      fprintf(out, "%*sif (r%u %s 0) {\n", (int)(2 + 2 * depth), "", reg - 1, op->guard == '!' ? "!=" : "==");
      depth++;
    }
    fprintf(out, "%*s", (int)(2 + 2 * depth), "");
    unsigned last = reg - 1; /* of what depends on it */
    if (op->kind == 'C') fprintf(out, "int e%u = 0; ", reg);
    if (small_reads(op)) fprintf(out, "%sr%u = ", depth ? "" : "int ", reg++);
    write_operation(p, op, last, out);
  }
  for (; depth; depth--) fprintf(out, "%*s}\n", (int)(2 * depth), "");
  fputs("}\n", out);
}

/* ---- HSA, PTX, Vulkan: a cell for each instruction ---- */

struct cells {
  struct arena *arena;
  const struct small_program *p;
  struct {
    const char **at;
    size_t count, room;
  } of[SMALL_THREADS];
};

/* A register of a name that no operation has: what depends on another one goes through it. */
static const char *spare_register(const struct small_program *p) {
  return p->language == LANG_HSA ? "c1" : "r9";
}

static const char *operands(struct arena *arena, const struct small_program *p, const struct small_op *op,
                            unsigned reg) {
  const char *place = name_used(arena, op), *value = arena_printf(arena, "%d", op->value);
  if (op->dependency == '&') place = arena_printf(arena, "[%s + %s]", place, spare_register(p));
  if (op->dependency == '^') value = spare_register(p);
  if (op->kind == 'W') return arena_printf(arena, "%s, %s", place, value);
  if (op->kind == 'R') return arena_printf(arena, "r%u, %s", reg, place);
  return arena_printf(arena, "r%u, %s, %s", reg, place, value);
}

static const char *hsa_cell(struct arena *arena, const struct small_program *p, const struct small_op *op,
                            unsigned reg) {
  static const char *const NAMES[] = {"ST", "LD", "ADD"};
  const char *remote = is_remote(op) ? "rm_" : "";
  if (op->kind == 'F') return arena_printf(arena, "fence_%s%s_%s", remote, order_word(p, op), scope_word(p, op));
  if (op->scope == 'n') return arena_printf(arena, "%s %s", op->kind == 'W' ? "st" : "ld", operands(arena, p, op, reg));
  return arena_printf(arena, "atomic_%s_%s%s_%s %s", NAMES[strchr("WRU", op->kind) - "WRU"], remote, order_word(p, op),
                      scope_word(p, op), operands(arena, p, op, reg));
}

static const char *ptx_cell(struct arena *arena, const struct small_program *p, const struct small_op *op,
                            unsigned reg) {
  static const char *const NAMES[] = {"st", "ld", "atom"};
  if (op->kind == 'F') return arena_printf(arena, "fence.%s.%s", order_word(p, op), scope_word(p, op));
  return arena_printf(arena, "%s.%s%s%s%s %s", NAMES[strchr("WRU", op->kind) - "WRU"], order_word(p, op),
                      op->scope == 'n' ? "" : ".", scope_word(p, op), op->kind == 'U' ? ".add" : "",
                      operands(arena, p, op, reg));
}

static const char *vulkan_cell(struct arena *arena, const struct small_program *p, const struct small_op *op,
                               unsigned reg) {
  static const char *const NAMES[] = {"st", "ld", "rmw"};
  static const char *const SEMANTICS[] = {".semsc0.semav", ".semsc0.semvis", ".semsc0.semav.semvis", "", "", ""};
  const char *semantics = SEMANTICS[order_of(op)];
  if (op->kind == 'F') return arena_printf(arena, "membar.%s%s%s", order_word(p, op), scope_word(p, op), semantics);
  const char *name = NAMES[strchr("WRU", op->kind) - "WRU"];
  if (op->scope == 'n') return arena_printf(arena, "%s.nonpriv.sc0 %s", name, operands(arena, p, op, reg));
  return arena_printf(arena, "%s.atom.%s%s.sc0%s%s %s", name, order_word(p, op), scope_word(p, op), semantics,
                      op->kind == 'U' ? ".add" : "", operands(arena, p, op, reg));
}

/* `bar.cta.sync 15`: a language's, or these words with its number. */
static const char *barrier_cell(struct arena *arena, const struct small_program *p, const struct small_op *op) {
  const char *usual = small_barrier_word(p->language);
  return op->words ? arena_printf(arena, "%.*s%s", (int)op->word_length, op->words, usual + strcspn(usual, " "))
                   : usual;
}

static const char *cell_of(struct arena *arena, const struct small_program *p, const struct small_op *op,
                           unsigned reg) {
  const char *proxy;
  int length = words_of(op, &proxy);
  if (op->kind == 'B') return barrier_cell(arena, p, op);
  if (op->words && op->kind == 'F') return arena_printf(arena, "%.*s", length, op->words);
  if (op->words) return arena_printf(arena, "%.*s %s", length, op->words, operands(arena, p, op, reg));
  if (p->language == LANG_HSA) return hsa_cell(arena, p, op, reg);
  return (p->language == LANG_PTX ? ptx_cell : vulkan_cell)(arena, p, op, reg);
}

const char *small_instruction(struct arena *arena, enum litmus_language language, const struct small_op *op) {
  struct small_program p = {.language = language, .threads = 1, .count = {1}, .ops = {{*op}}};
  return cell_of(arena, &p, op, 0);
}

static void add_cell(struct cells *cells, unsigned t, const char *text) {
  *vec_push(cells->arena, &cells->of[t]) = text;
}

static const char *const END_LABEL = "LC00";

static void add_guard(struct cells *cells, unsigned t, char guard, unsigned reg) {
  const char *test = guard == '!' ? "eq" : "ne"; /* jumps over the rest */
  if (cells->p->language != LANG_HSA) {
    add_cell(cells, t, arena_printf(cells->arena, "b%s r%u, 0, %s", test, reg, END_LABEL));
    return;
  }
  add_cell(cells, t, arena_printf(cells->arena, "cmp_%s c0, r%u, 0", test, reg));
  add_cell(cells, t, arena_printf(cells->arena, "cbr c0, %s", END_LABEL));
}

/* The spare register becomes what is added to the address, or the value to store. */
static void add_dependency(struct cells *cells, unsigned t, const struct small_op *op, unsigned reg) {
  const char *spare = spare_register(cells->p);
  add_cell(cells, t, arena_printf(cells->arena, "and %s, r%u, %d", spare, reg, nothing_mask(cells->p)));
  if (op->dependency == '^') add_cell(cells, t, arena_printf(cells->arena, "add %s, %s, %d", spare, spare, op->value));
}

static const char *head_of(struct arena *arena, const struct small_program *p, unsigned t) {
  if (p->language == LANG_PTX) return arena_printf(arena, "P%u@cta %u,gpu %u", t, p->wg[t], p->dev[t]);
  if (p->language == LANG_VULKAN) return arena_printf(arena, "P%u@sg %u,wg %u,qf %u", t, t, p->wg[t], p->dev[t]);
  return arena_printf(arena, "P%u", t);
}

static void fill_cells(struct cells *cells, unsigned t) {
  const struct small_program *p = cells->p;
  unsigned reg = 0;
  bool jumps = false;
  add_cell(cells, t, head_of(cells->arena, p, t));
  for (unsigned i = 0; i < p->count[t]; i++) {
    const struct small_op *op = &p->ops[t][i];
    if (op->guard && reg) {
      add_guard(cells, t, op->guard, reg - 1);
      jumps = true;
    }
    if (op->dependency && reg) add_dependency(cells, t, op, reg - 1);
    add_cell(cells, t, cell_of(cells->arena, p, op, reg));
    reg += small_reads(op);
  }
  if (jumps) add_cell(cells, t, arena_printf(cells->arena, "%s:", END_LABEL));
}

static void write_columns(const struct small_program *p, FILE *out) {
  struct cells cells = {.arena = arena_new(), .p = p};
  size_t rows = 0, widths[SMALL_THREADS] = {0};
  for (unsigned t = 0; t < p->threads; t++) {
    fill_cells(&cells, t);
    if (cells.of[t].count > rows) rows = cells.of[t].count;
    for (size_t i = 0; i < cells.of[t].count; i++)
      if (strlen(cells.of[t].at[i]) > widths[t]) widths[t] = strlen(cells.of[t].at[i]);
  }
  for (size_t row = 0; row < rows; row++) {
    for (unsigned t = 0; t < p->threads; t++)
      fprintf(out, "%s%-*s", t ? " | " : " ", (int)widths[t], row < cells.of[t].count ? cells.of[t].at[row] : "");
    fputs(" ;\n", out);
  }
  arena_free(cells.arena);
}

/* ---- whole tests ---- */

void small_write(const struct small_program *p, const char *name, const char *comment, const char *condition,
                 FILE *out) {
  fprintf(out, "%s %s\n", litmus_language_word(p->language), name);
  if (comment) fprintf(out, "(* %s *)\n", comment);
  write_initial(p, out);
  if (p->language == LANG_OPENCL || p->language == LANG_C) {
    for (unsigned t = 0; t < p->threads; t++) write_function(p, t, out);
    fputc('\n', out);
  } else {
    write_columns(p, out);
  }
  if (p->language == LANG_OPENCL) write_tree(p, "device", "work_group", out);
  if (p->language == LANG_HSA) write_tree(p, "agent", "wg", out);
  write_end(p, condition, out);
}
