/* SPDX-License-Identifier: MIT */
/* Threads in another language.
 *
 * Instructions of memory come from the mapping; expressions become arithmetic of
 * one operation each, over registers r0, r1, ... that both languages have.
 * Values of comparisons are computed (`set`), not branched for: what a compiler
 * may do without a control dependency is not given one.
 */
#include "checker/translate/translate_thread.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/tags.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/litmus/vulkan.h"

struct lowering {
  struct arena *arena;
  const struct language_mapping *mapping;
  const struct program *program;
  const struct thread *thread;
  const char *const *locations;
  struct column *column;
  struct diags *diags;
  const char **names; /* by register */
  unsigned next;      /* number of the next new register */
  unsigned number;    /* of the thread */
  unsigned barriers;
  bool *target; /* by instruction: a jump goes there */
  const struct instr *instr;
  struct counted counted; /* up to it */
  bool failed;
};

static void refuse(struct lowering *l, const char *what) {
  if (!l->failed)
    diag_error(l->diags, l->program->source, l->instr->span, "%s cannot be translated by %s: %s", l->thread->name,
               l->mapping->name, what);
  l->failed = true;
}

/* ---- registers ---- */

/* `r` and digits, as the columns want them. */
static bool is_plain(const char *name) {
  size_t digits = name && *name == 'r' ? strspn(name + 1, "0123456789") : 0;
  return digits > 0 && digits < 6 && !name[1 + digits];
}

static const char *new_register(struct lowering *l) {
  return arena_printf(l->arena, "r%u", l->next++);
}

static void name_registers(struct lowering *l) {
  const struct thread *thread = l->thread;
  l->names = ARENA_ARRAY(l->arena, const char *, thread->reg_count + 1);
  l->column->registers = ARENA_ARRAY(l->arena, const char *, thread->reg_count + 1);
  l->column->initial = thread->reg_init;
  for (unsigned r = 0; r < thread->reg_count; r++) {
    unsigned number = is_plain(thread->reg_names[r]) ? (unsigned)strtoul(thread->reg_names[r] + 1, NULL, 10) : 0;
    if (number >= l->next) l->next = number + 1;
  }
  for (unsigned r = 0; r < thread->reg_count; r++) {
    const char *name = thread->reg_names[r];
    l->names[r] = is_plain(name) ? name : new_register(l);
    if (name) l->column->registers[r] = l->names[r];
  }
}

/* ---- cells ---- */

static void add_cell(struct lowering *l, bool label, const char *text) {
  unsigned line = 0;
  if (l->instr && l->program->source && l->instr->span.length && !label)
    line = source_line(&l->counted, l->program->source, l->instr->span.at);
  *vec_push(l->arena, l->column) = (struct column_entry){text, label, line, {0, 0}};
}

static const char *label_at(struct lowering *l, unsigned instr) {
  return arena_printf(l->arena, "LC%u%02u", l->number, instr);
}

/* ---- expressions ---- */

static const char *value_of(struct lowering *l, const struct expr *e);

static const char *word_of(enum expr_kind kind) {
  static const char *const WORDS[] = {
      [EXPR_ADD] = "add",   [EXPR_SUB] = "sub",   [EXPR_MUL] = "mul",   [EXPR_DIV] = "div",   [EXPR_MOD] = "rem",
      [EXPR_AND] = "and",   [EXPR_OR] = "or",     [EXPR_XOR] = "xor",   [EXPR_SHL] = "shl",   [EXPR_SHR] = "shr",
      [EXPR_EQ] = "set.eq", [EXPR_NE] = "set.ne", [EXPR_LT] = "set.lt", [EXPR_LE] = "set.le", [EXPR_GT] = "set.gt",
      [EXPR_GE] = "set.ge", [EXPR_COND] = NULL,
  };
  return WORDS[kind];
}

static const char *emit(struct lowering *l, const char *to, const char *word, const char *a, const char *b) {
  const char *reg = to ? to : new_register(l);
  add_cell(l, false, arena_printf(l->arena, "%s %s, %s, %s", word, reg, a, b));
  return reg;
}

static const char *truth_of(struct lowering *l, const struct expr *e) {
  return expr_is_truth(e->kind) ? value_of(l, e) : emit(l, NULL, "set.ne", value_of(l, e), "0");
}

/* The operation, into register `to` or a new one. */
static const char *operate(struct lowering *l, const struct expr *e, const char *to) {
  switch (e->kind) {
    case EXPR_NEG:
      return emit(l, to, "sub", "0", value_of(l, e->a));
    case EXPR_NOT:
      return emit(l, to, "xor", value_of(l, e->a), "-1");
    case EXPR_LNOT:
      return emit(l, to, "set.eq", value_of(l, e->a), "0");
    case EXPR_LAND:
    case EXPR_LOR: {
      const char *a = truth_of(l, e->a), *b = truth_of(l, e->b);
      return emit(l, to, e->kind == EXPR_LAND ? "and" : "or", a, b);
    }
    case EXPR_COND: {
      const char *c = value_of(l, e->a), *a = value_of(l, e->b), *b = value_of(l, e->c);
      return emit(l, to, "selp", a, arena_printf(l->arena, "%s, %s", b, c));
    }
    default: {
      if (expr_is_unsigned(e->kind) || expr_is_float(e->kind)) {
        refuse(l, "the columns have no arithmetic on unsigned values or on floats");
        return "0";
      }
      const char *a = value_of(l, e->a), *b = value_of(l, e->b);
      return emit(l, to, word_of(e->kind), a, b);
    }
  }
}

static const char *value_of(struct lowering *l, const struct expr *e) {
  if (e->kind == EXPR_CONST) return arena_printf(l->arena, "%" PRId64, e->value);
  return e->kind == EXPR_REG ? l->names[e->reg] : operate(l, e, NULL);
}

/* Vulkan's columns have no move. */
static void move(struct lowering *l, const char *to, const char *value) {
  if (l->mapping->to == LANG_PTX)
    add_cell(l, false, arena_printf(l->arena, "ld %s, %s", to, value));
  else
    emit(l, to, "add", value, "0");
}

static void assign(struct lowering *l, const struct instr *instr) {
  const struct expr *e = instr->value;
  if (e->kind == EXPR_CONST || e->kind == EXPR_REG)
    move(l, l->names[instr->reg], value_of(l, e));
  else
    operate(l, e, l->names[instr->reg]);
}

/* ---- memory ---- */

/* The name of a cell, or NULL: it is not known before running. */
static const char *cell_of(struct lowering *l, const struct address *address) {
  if (!address->index) return l->locations[address->base];
  int64_t index = address->index->kind == EXPR_CONST ? address->index->value : -1;
  if (index >= 0 && index < (int64_t)address->size) return l->locations[address->base + (unsigned)index];
  refuse(l, "an address depends on a register");
  return "";
}

/* What an instruction accesses, by the name that it has there. */
static const char *accessed(struct lowering *l, const struct instr *instr) {
  return instr->alias ? l->locations[instr->alias - 1] : cell_of(l, &instr->address);
}

/* An instruction's words with what stands for `{scope}` and `{op}`. */
static const char *fill(struct lowering *l, const char *words, enum scope scope, const char *op) {
  const char *text = "", *brace;
  while ((brace = strchr(words, '{'))) {
    const char *end = strchr(brace, '}');
    bool scoped = text_begins(brace, "{scope}");
    const char *value = scoped ? l->mapping->scopes[scope] : op;
    if (!end) break;
    if (!value) {
      refuse(l, scoped ? "the mapping has no word for its scope" : "the mapping has no word for this function");
      return words;
    }
    text = arena_printf(l->arena, "%s%.*s%s", text, (int)(brace - words), words, value);
    words = end + 1;
  }
  text = arena_printf(l->arena, "%s%s", text, words);
  size_t length = strlen(text); /* an empty {op} leaves its point */
  return length && text[length - 1] == '.' ? arena_strndup(l->arena, text, length - 1) : text;
}

static const struct language_cell *find_cell(struct lowering *l, enum mapping_kind kind, enum order order,
                                             enum scope scope, unsigned regions) {
  struct mapping_key key = {kind, scope, order, false, regions == REGION_LOCAL ? REGION_LOCAL : REGION_GLOBAL};
  const struct language_cell *cell = language_find(l->mapping, key);
  if (!cell) refuse(l, "the mapping does not have this operation");
  return cell;
}

/* Is this a translation to the same language, which keeps each operation's words? */
static bool keeps_words(const struct lowering *l) {
  return l->mapping->from[l->mapping->to];
}

static void emit_own(struct lowering *l, const struct instr *instr, const char *operands) {
  const char *words = vulkan_spell(l->arena, instr);
  if (!words) refuse(l, "the notation has no words for it");
  add_cell(l, false, words && *operands ? arena_printf(l->arena, "%s %s", words, operands) : words);
}

static void emit_cell(struct lowering *l, const struct language_cell *cell, enum scope scope, const char *op,
                      const char *operands) {
  for (unsigned i = 0; cell && i < cell->step_count && !l->failed; i++) {
    const char *words = fill(l, cell->steps[i].words, scope, op);
    bool bare = cell->steps[i].kind == LANGUAGE_FENCE;
    add_cell(l, false, bare ? words : arena_printf(l->arena, "%s %s", words, operands));
  }
}

/* An access, by its own words or by those of the mapping. */
static void emit_access(struct lowering *l, const struct instr *instr, const struct language_cell *cell, const char *op,
                        const char *operands) {
  if (keeps_words(l))
    emit_own(l, instr, operands);
  else
    emit_cell(l, cell, instr->scope, op, operands);
}

static unsigned region_of(const struct lowering *l, const struct address *address) {
  return l->program->locations[address->base].region;
}

/* A register for what an operation returns. */
static const char *result_of(struct lowering *l, const struct instr *instr) {
  return instr->reg == NO_REG ? new_register(l) : l->names[instr->reg];
}

/* On failure the value that was read goes where the expected one was. */
static void write_back(struct lowering *l, const struct instr *instr, const char *old, const char *expected) {
  const struct address *place = &instr->expected_at;
  const struct language_cell *store = find_cell(l, MAP_STORE, ORDER_NA, SCOPE_NONE, region_of(l, place));
  const char *label = label_at(l, l->thread->instr_count + 1 + (unsigned)(instr - l->thread->instrs));
  add_cell(l, false, arena_printf(l->arena, "beq %s, %s, %s", old, expected, label));
  emit_cell(l, store, SCOPE_NONE, NULL, arena_printf(l->arena, "%s, %s", cell_of(l, place), old));
  add_cell(l, true, arena_printf(l->arena, "%s:", label));
}

/* Has the language an order of its own for a compare-and-swap that fails? */
static bool fails_apart(const struct lowering *l) {
  return l->mapping->to == LANG_VULKAN;
}

/* `{op}`, with the order where it fails; none is relaxed. */
static const char *swap_words(struct lowering *l, const struct instr *instr) {
  if (!fails_apart(l) || !order_synchronizes(instr->failure)) return l->mapping->swap;
  struct mapping_key key = {MAP_LOAD, instr->scope, instr->failure, false, region_of(l, &instr->address)};
  const char *words = language_find_failure(l->mapping, key);
  if (!words) refuse(l, "the mapping has no words for its order where it fails");
  return arena_printf(l->arena, "%s.%s", l->mapping->swap, words);
}

static void lower_swap(struct lowering *l, const struct instr *instr, const struct language_cell *cell) {
  bool plain = instr->returns_old && instr->reg != NO_REG;
  const char *place = accessed(l, instr), *old = plain ? l->names[instr->reg] : new_register(l), *expected;
  if (instr->expected_in_memory) {
    const struct language_cell *load = find_cell(l, MAP_LOAD, ORDER_NA, SCOPE_NONE, region_of(l, &instr->expected_at));
    expected = new_register(l);
    emit_cell(l, load, SCOPE_NONE, NULL, arena_printf(l->arena, "%s, %s", expected, cell_of(l, &instr->expected_at)));
  } else {
    expected = value_of(l, instr->expected);
  }
  const char *value = value_of(l, instr->value);
  emit_access(l, instr, cell, swap_words(l, instr),
              arena_printf(l->arena, "%s, %s, %s, %s", old, place, expected, value));
  if (instr->writeback) write_back(l, instr, old, expected);
  if (instr->reg != NO_REG && !plain) emit(l, l->names[instr->reg], "set.eq", old, expected);
}

static void lower_access(struct lowering *l, const struct instr *instr) {
  const struct language_cell *cell = NULL;
  bool both = instr->kind == INSTR_CAS && !fails_apart(l);
  enum order order = both ? order_of_both(instr->order, instr->failure) : instr->order;
  enum mapping_kind kind;
  if (!keeps_words(l) && mapping_kind_of(instr->kind, &kind))
    cell = find_cell(l, kind, order, instr->scope, region_of(l, &instr->address));
  if (instr->kind == INSTR_CAS) {
    lower_swap(l, instr, cell);
    return;
  }
  if (instr->kind == INSTR_RMW && instr->width.bits && instr->width.bits < 32) refuse(l, "its type is narrow");
  const char *value = instr->kind == INSTR_LOAD ? NULL : value_of(l, instr->value);
  const char *place = accessed(l, instr), *op = NULL;
  if (instr->kind == INSTR_RMW) op = l->mapping->updates[instr->op];
  if (instr->kind == INSTR_STORE)
    emit_access(l, instr, cell, NULL, arena_printf(l->arena, "%s, %s", place, value));
  else if (instr->kind == INSTR_LOAD)
    emit_access(l, instr, cell, NULL, arena_printf(l->arena, "%s, %s", result_of(l, instr), place));
  else
    emit_access(l, instr, cell, op, arena_printf(l->arena, "%s, %s, %s", result_of(l, instr), place, value));
}

/* ---- barriers ---- */

/* Columns' barriers meet by name, those of OpenCL in order: the same where every
 * run of the thread comes by all of them once. */
static bool is_straight(const struct lowering *l, unsigned at) {
  for (unsigned i = 0; i < l->thread->instr_count; i++) {
    const struct instr *instr = &l->thread->instrs[i];
    if (instr->kind != INSTR_BRANCH && instr->kind != INSTR_JUMP) continue;
    unsigned first = i < instr->target ? i : instr->target, last = i < instr->target ? instr->target : i + 1;
    if (first < at && at < last) return false;
    if (first == at && instr->target == at) return false;
  }
  return true;
}

static void lower_barrier(struct lowering *l, const struct instr *instr, unsigned at) {
  const struct language_cell *cell = find_cell(l, MAP_BARRIER, instr->order, instr->scope, instr->regions);
  if (!is_straight(l, at)) refuse(l, "a barrier is under a condition or in a loop");
  unsigned name = instr->barrier_label < 0 ? l->barriers++ : 100 + (unsigned)instr->barrier_label;
  enum scope scope = instr->scope > SCOPE_WG ? instr->scope : SCOPE_WG;
  emit_cell(l, cell, scope, NULL, arena_printf(l->arena, "%u", name));
}

/* The fence that a kernel in OpenCL has after its barrier; NULL: none. */
static const struct instr *fence_of_meet(const struct lowering *l, const struct instr *meet) {
  const struct instr *next = meet + 1;
  bool fences =
      meet->kind == INSTR_MEET && next < l->thread->instrs + l->thread->instr_count && next->kind == INSTR_BARRIER;
  return fences && next->span.at == meet->span.at ? next : NULL;
}

/* A barrier that has a name already, in columns its number. */
static void lower_meet(struct lowering *l, const struct instr *instr) {
  const struct instr *fence = fence_of_meet(l, instr);
  const char *operands = arena_printf(l->arena, "%d", instr->barrier_label);
  if (instr->resource || instr->quorum)
    operands = arena_printf(l->arena, "%s, %s", operands, instr->resource ? value_of(l, instr->resource) : "0");
  if (instr->quorum) operands = arena_printf(l->arena, "%s, %s", operands, value_of(l, instr->quorum));
  if (keeps_words(l)) {
    emit_own(l, instr, operands);
    return;
  }
  enum scope scope = fence ? fence->scope : instr->scope;
  if (scope < SCOPE_WG) scope = SCOPE_WG;
  emit_cell(l, find_cell(l, MAP_BARRIER, instr->order, scope, fence ? fence->regions : REGION_LOCAL), scope, NULL,
            operands);
}

/* ---- control ---- */

/* The jump that is taken where a comparison does not hold. */
static const char *opposite_jump(enum expr_kind kind) {
  static const char *const words[EXPR_FTOU + 1] = {
      [EXPR_EQ] = "bne", [EXPR_NE] = "beq", [EXPR_LT] = "bge", [EXPR_LE] = "bgt", [EXPR_GT] = "ble", [EXPR_GE] = "blt"};
  return words[kind];
}

static void lower_branch(struct lowering *l, const struct instr *instr) {
  const struct expr *e = instr->value;
  const char *jump = opposite_jump(e->kind), *to = label_at(l, instr->target);
  const char *a = value_of(l, jump || e->kind == EXPR_LNOT ? e->a : e), *b = jump ? value_of(l, e->b) : "0";
  if (!jump) jump = e->kind == EXPR_LNOT ? "bne" : "beq";
  add_cell(l, false, arena_printf(l->arena, "%s %s, %s, %s", jump, a, b, to));
}

static void lower_instr(struct lowering *l, const struct instr *instr, unsigned at) {
  if (instr->awaits) {
    refuse(l, "it has no counterpart");
    return;
  }
  if (!l->mapping->from[LANG_VULKAN] && (instr->tags || instr->read_tags || instr->write_tags)) {
    refuse(l, tags_have(instr->tags, TAG_REMOTE) ? "remote operations have no counterpart" : "it has no counterpart");
    return;
  }
  switch (instr->kind) {
    case INSTR_LOAD:
    case INSTR_STORE:
    case INSTR_RMW:
    case INSTR_CAS:
      lower_access(l, instr);
      break;
    case INSTR_FENCE:
    case INSTR_MARK:
      if (keeps_words(l))
        emit_own(l, instr, "");
      else if (instr->kind == INSTR_FENCE)
        emit_cell(l, find_cell(l, MAP_FENCE, instr->order, instr->scope, instr->regions), instr->scope, NULL, "");
      else
        refuse(l, "it has no counterpart");
      break;
    case INSTR_MEET:
      lower_meet(l, instr);
      break;
    case INSTR_BARRIER: /* one that a kernel's fence belongs to has been written */
      if (!at || fence_of_meet(l, instr - 1) != instr) lower_barrier(l, instr, at);
      break;
    case INSTR_ASSIGN:
      assign(l, instr);
      break;
    case INSTR_BRANCH:
      lower_branch(l, instr);
      break;
    case INSTR_JUMP:
      add_cell(l, false, arena_printf(l->arena, "goto %s", label_at(l, instr->target)));
      break;
    default:
      refuse(l, "it has no counterpart");
      break;
  }
}

static void find_targets(struct lowering *l) {
  l->target = ARENA_ARRAY(l->arena, bool, l->thread->instr_count + 1);
  ARRAY_EACH (const struct instr, instr, l->thread->instrs, l->thread->instr_count)
    if (instr_jumps(instr)) l->target[instr->target] = true;
}

bool translate_thread(struct arena *arena, const struct lowered_program *lowered, unsigned thread,
                      struct column *column, struct diags *diags) {
  struct lowering l = {.arena = arena,
                       .mapping = lowered->mapping,
                       .program = lowered->program,
                       .thread = &lowered->program->threads[thread],
                       .locations = lowered->locations,
                       .column = column,
                       .diags = diags,
                       .number = thread};
  *column = (struct column){0};
  name_registers(&l);
  find_targets(&l);
  for (unsigned i = 0; i <= l.thread->instr_count && !l.failed; i++) {
    if (l.target[i]) add_cell(&l, true, arena_printf(arena, "%s:", label_at(&l, i)));
    if (i == l.thread->instr_count) break;
    l.instr = &l.thread->instrs[i];
    lower_instr(&l, l.instr, i);
  }
  return !l.failed;
}
