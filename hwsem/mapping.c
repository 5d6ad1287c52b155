/* SPDX-License-Identifier: MIT */
/* Reading of mappings: the schema has checked the shape, so what is left is to
 * turn words into sets and nested locks into steps, and a few rules that a
 * schema cannot state. */
#include "hwsem/mapping.h"

#include <string.h>

#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "hwsem/mapping_cell.h"

static const char *const KIND_NAMES[] = {"load", "store", "rmw", "fence", "barrier", NULL};
static const char *const SCOPE_WORDS[] = {"none", "wi", "sg", "wg", "qf", "dev", "sys", NULL};
static const char *const ORDER_WORDS[] = {"na", "rlx", "con", "acq", "rel", "ar", "sc", NULL};
static const char *const LEVEL_WORDS[] = {"L1", "L2", "GL", "local", NULL};
static const char *const TARGET_WORDS[] = {"wg", "dev", "sys", NULL};

typedef VEC(struct mapping_step) steps;

struct reader {
  struct arena *arena;
  const struct xml_file *file;
  struct diags *diags;
  steps steps;
  unsigned rmw_locks, line_locks; /* open around the step being read */
};

const char *mapping_kind_name(enum mapping_kind kind) {
  return KIND_NAMES[kind];
}

bool mapping_kind_of(enum instr_kind instr, enum mapping_kind *kind) {
  switch (instr) {
    case INSTR_LOAD:
      *kind = MAP_LOAD;
      return true;
    case INSTR_STORE:
      *kind = MAP_STORE;
      return true;
    case INSTR_RMW:
    case INSTR_CAS:
      *kind = MAP_RMW;
      return true;
    case INSTR_FENCE:
      *kind = MAP_FENCE;
      return true;
    case INSTR_BARRIER:
      *kind = MAP_BARRIER;
      return true;
    default:
      return false;
  }
}

/* The first, where the word is none of these, or missing. */
static unsigned find_word(const char *const *words, const char *word) {
  int place = word ? text_place(word, words) : 0;
  return place < 0 ? 0 : (unsigned)place;
}

/* The set of the words in a list; absent: all. */
static unsigned read_set(struct arena *arena, const struct xml_node *node, const char *attribute,
                         const char *const *words) {
  const char *list = xml_value(node, attribute);
  if (!list) return ~0u;
  unsigned set = 0;
  for (const char **word = text_split(arena, list, XML_BLANKS, NULL); *word; word++)
    set |= 1u << find_word(words, *word);
  return set;
}

static void add_step(struct reader *r, struct mapping_step step) {
  *vec_push(r->arena, &r->steps) = step;
}

static unsigned read_word(const struct xml_node *node, const char *attribute, const char *const *words) {
  return find_word(words, xml_value(node, attribute));
}

static void error_at(struct reader *r, const struct xml_node *node, const char *message) {
  diag_error(r->diags, r->file->source, xml_span(r->file, node), "%s", message);
}

static void read_steps(struct reader *r, const struct xml_node *parent);

static void read_lock(struct reader *r, const struct xml_node *node) {
  bool rmw = xml_is(node, "lock-rmw");
  unsigned *open = rmw ? &r->rmw_locks : &r->line_locks;
  if (*open) error_at(r, node, "this lock is taken while it is already held");
  enum hw_target target = read_word(node, "target", TARGET_WORDS);
  add_step(r, (struct mapping_step){.op = rmw ? HW_LOCK_RMW : HW_LOCK_LINE, .target = target});
  ++*open;
  read_steps(r, node);
  --*open;
  add_step(r, (struct mapping_step){.op = rmw ? HW_UNLOCK_RMW : HW_UNLOCK_LINE, .target = target});
}

static void read_broadcast(struct reader *r, const struct xml_node *node) {
  struct mapping_step step = {.op = xml_is(node, "flu") ? HW_FLU : HW_INV};
  step.level = read_word(node, "cache", LEVEL_WORDS);
  step.target = read_word(node, "target", TARGET_WORDS);
  step.posted = read_word(node, "posted", (const char *const[]){"no", "yes", NULL});
  if (step.level == LEVEL_L2 && step.target == TARGET_WG)
    error_at(r, node, "an L2 belongs to a device, not to a work-group: expected target=\"dev\" or \"sys\"");
  add_step(r, step);
}

static void read_access(struct reader *r, const struct xml_node *node) {
  enum hw_op op = xml_is(node, "ld") ? HW_LD : xml_is(node, "st") ? HW_ST : HW_RMW;
  add_step(r, (struct mapping_step){.op = op, .level = read_word(node, "level", LEVEL_WORDS)});
}

static void read_steps(struct reader *r, const struct xml_node *parent) {
  for (const struct xml_node *node = xml_first(parent); node; node = xml_next(node)) {
    if (xml_is(node, "lock-rmw") || xml_is(node, "lock-line"))
      read_lock(r, node);
    else if (xml_is(node, "flu") || xml_is(node, "inv"))
      read_broadcast(r, node);
    else if (xml_is(node, "meet"))
      add_step(r, (struct mapping_step){.op = HW_MEET});
    else
      read_access(r, node);
  }
}

static unsigned count_steps(const struct mapping_cell *cell, enum hw_op op) {
  unsigned count = 0;
  for (unsigned i = 0; i < cell->step_count; i++) count += cell->steps[i].op == op;
  return count;
}

/* An operation does its own access once, and no other. */
static void check_cell(struct reader *r, const struct xml_node *node, const struct mapping_cell *cell) {
  static const enum hw_op ACCESS[] = {HW_LD, HW_ST, HW_RMW};
  for (unsigned i = 0; i < 3; i++) {
    unsigned expected = (unsigned)cell->kind == i ? 1 : 0, found = count_steps(cell, ACCESS[i]);
    static const char *const NAMES[] = {"ld", "st", "inc"};
    if (found != expected)
      diag_error(r->diags, r->file->source, xml_span(r->file, node), "a %s has %s <%s> instruction, but %u found here",
                 mapping_kind_name(cell->kind), expected ? "exactly one" : "no", NAMES[i], found);
  }
  unsigned meets = count_steps(cell, HW_MEET);
  if (meets != (cell->kind == MAP_BARRIER))
    error_at(r, node,
             cell->kind == MAP_BARRIER ? "a barrier has exactly one <meet> instruction"
                                       : "only a barrier has a <meet> instruction");
  if (!mapping_kind_is_access(cell->kind) && count_steps(cell, HW_LOCK_LINE))
    error_at(r, node, "a line lock needs an operation that accesses memory");
}

struct mapping_cell mapping_cell_read(struct arena *arena, const struct xml_file *file, const struct xml_node *node) {
  struct mapping_cell cell = {
      .kind = (enum mapping_kind)read_word(node, "kind", KIND_NAMES),
      .scopes = read_set(arena, node, "scope", SCOPE_WORDS),
      .orders = read_set(arena, node, "order", ORDER_WORDS),
      .remotes = read_set(arena, node, "remote", (const char *const[]){"no", "yes", NULL}),
      .span = xml_span(file, node),
  };
  const char *region = xml_value(node, "region");
  cell.regions = !region ? ~0u : !strcmp(region, "local") ? REGION_LOCAL : REGION_GLOBAL;
  return cell;
}

static struct mapping_cell read_cell(struct reader *r, const struct xml_node *node) {
  struct mapping_cell cell = mapping_cell_read(r->arena, r->file, node);
  r->steps = (steps){0};
  read_steps(r, node);
  cell.step_count = (unsigned)r->steps.count;
  cell.steps = r->steps.at;
  check_cell(r, node, &cell);
  return cell;
}

static struct mapping *read_mapping(struct reader *r) {
  struct mapping *mapping = ARENA_NEW(r->arena, struct mapping);
  VEC(struct mapping_cell) cells = {0};
  mapping->name = xml_value(r->file->root, "name");
  mapping->source = r->file->source;
  for (const struct xml_node *node = xml_first(r->file->root); node; node = xml_next(node)) {
    if (xml_is(node, "title"))
      mapping->title = xml_text(r->arena, node);
    else if (xml_is(node, "about"))
      mapping->about = xml_text(r->arena, node);
    else
      *vec_push(r->arena, &cells) = read_cell(r, node);
  }
  mapping->cells = cells.at;
  mapping->cell_count = (unsigned)cells.count;
  return mapping;
}

/* Operations that are never used: slips, which nothing else shows. */

static bool order_fits(enum mapping_kind kind, enum order order) {
  switch (kind) {
    case MAP_LOAD:
      return order != ORDER_REL && order != ORDER_ACQ_REL;
    case MAP_STORE:
      return order != ORDER_ACQ && order != ORDER_ACQ_REL && order != ORDER_CON;
    case MAP_RMW:
    case MAP_FENCE:
      return order != ORDER_NA;
    case MAP_BARRIER:
      break;
  }
  return true;
}

/* Can a program have the operation? */
static bool key_is_possible(struct mapping_key key) {
  if (!order_fits(key.kind, key.order)) return false;
  if (!mapping_kind_is_access(key.kind)) return true;
  return (key.order == ORDER_NA) == (key.scope == SCOPE_NONE) && !(key.remote && key.order == ORDER_NA);
}

/* The key of a number, all keys of a kind having numbers from 0 on; false: no more of them. */
static bool key_of_number(unsigned number, enum mapping_kind kind, struct mapping_key *key) {
  *key = (struct mapping_key){.kind = kind};
  key->region = number % 2 ? REGION_LOCAL : REGION_GLOBAL, number /= 2;
  key->remote = number % 2, number /= 2;
  key->scope = (enum scope)(number % (SCOPE_SYS + 1)), number /= SCOPE_SYS + 1;
  key->order = (enum order)number;
  return number <= ORDER_SC;
}

/* Why a cell is never used; NULL: it is. */
static const char *fault_of_cell(const struct mapping *mapping, const struct mapping_cell *cell) {
  struct mapping_key key;
  bool possible = false;
  for (unsigned number = 0; key_of_number(number, cell->kind, &key); number++) {
    if (!mapping_cell_matches(cell, key) || !key_is_possible(key)) continue;
    if (mapping_find(mapping, key) == cell) return NULL;
    possible = true;
  }
  return possible ? "earlier operations of the mapping already match everything that it matches"
                  : "operations of this kind do not have these orders, scopes and regions";
}

static void warn_of_unused(const struct mapping *mapping, struct diags *diags) {
  for (unsigned i = 0; i < mapping->cell_count; i++) {
    const char *fault = fault_of_cell(mapping, &mapping->cells[i]);
    if (fault) diag_warning(diags, mapping->source, mapping->cells[i].span, "this operation is never used: %s", fault);
  }
}

struct mapping *mapping_load(struct arena *arena, const char *name, const struct xml_folders *search,
                             struct diags *diags) {
  struct xml_file file;
  size_t before = diags->errors;
  if (!xml_open(arena, name, (struct xml_kind){"mapping.rng", "mapping"}, search, &file, diags)) return NULL;
  struct reader reader = {.arena = arena, .file = &file, .diags = diags};
  struct mapping *mapping = read_mapping(&reader);
  if (diags->errors != before) return NULL;
  warn_of_unused(mapping, diags);
  return mapping;
}

bool mapping_key_equal(struct mapping_key a, struct mapping_key b) {
  return a.kind == b.kind && a.scope == b.scope && a.order == b.order && a.remote == b.remote && a.region == b.region;
}

bool mapping_cell_matches(const struct mapping_cell *cell, struct mapping_key key) {
  return cell->kind == key.kind && cell->scopes >> key.scope & 1 && cell->orders >> key.order & 1 &&
         cell->remotes >> key.remote & 1 && cell->regions & key.region;
}

const struct mapping *mapping_with(struct arena *arena, const struct mapping *mapping, struct mapping_key key,
                                   const struct mapping_cell *cell) {
  struct mapping *copy = ARENA_COPY(arena, struct mapping, mapping, 1);
  copy->cells = ARENA_ARRAY(arena, struct mapping_cell, mapping->cell_count + 1);
  copy->cells[0] = *cell;
  copy->cells[0].scopes = 1u << key.scope;
  copy->cells[0].orders = 1u << key.order;
  copy->cells[0].remotes = 1u << key.remote;
  copy->cells[0].regions = REGION_GLOBAL;
  memcpy(copy->cells + 1, mapping->cells, mapping->cell_count * sizeof *copy->cells);
  copy->cell_count++;
  return copy;
}

const struct mapping_cell *mapping_find(const struct mapping *mapping, struct mapping_key key) {
  for (unsigned i = 0; i < mapping->cell_count; i++)
    if (mapping_cell_matches(&mapping->cells[i], key)) return &mapping->cells[i];
  return NULL;
}

/* Printing. */

const char *hw_target_name(enum hw_target target) {
  static const char *const NAMES[] = {"WG", "DV", "SY"};
  return NAMES[target];
}

void mapping_step_print(struct mapping_step step, FILE *out) {
  static const char *const LEVELS[] = {"L1", "L2", "GL", "LM"};
  static const struct {
    const char *name;
    bool level, target, plain; /* plain: without the level where that is L1 */
  } FORMS[] = {[HW_LD] = {"LD", true, false, true},
               [HW_ST] = {"ST", true, false, true},
               [HW_RMW] = {"INC", true, false, false},
               [HW_FLU] = {"FLU", true, true, false},
               [HW_INV] = {"INV", true, true, false},
               [HW_LOCK_RMW] = {"LK_rmw", false, true, false},
               [HW_UNLOCK_RMW] = {"UNLK_rmw", false, false, false},
               [HW_LOCK_LINE] = {"LK", false, false, false},
               [HW_UNLOCK_LINE] = {"UNLK", false, false, false},
               [HW_MEET] = {"MEET", false, false, false},
               [HW_ASSIGN] = {"", false, false, false},
               [HW_BRANCH] = {"", false, false, false},
               [HW_JUMP] = {"", false, false, false}};
  fputs(FORMS[step.op].name, out);
  if (FORMS[step.op].level && !(FORMS[step.op].plain && step.level == LEVEL_L1))
    fprintf(out, "_%s", LEVELS[step.level]);
  if (FORMS[step.op].target) fprintf(out, " %s", hw_target_name(step.target));
}

void mapping_cell_print(const struct mapping_cell *cell, FILE *out) {
  bool first = true;
  for (unsigned i = 0; i < cell->step_count; i++) {
    struct mapping_step step = cell->steps[i];
    if (hw_is_unlock(step.op)) {
      fputs(" }", out);
      first = false;
      continue;
    }
    fputs(first ? (i ? " " : "") : "; ", out);
    mapping_step_print(step, out);
    first = hw_is_lock(step.op);
    if (first) fputs(" {", out);
  }
}

const char *mapping_cell_text(struct arena *arena, const struct mapping_cell *cell) {
  return TEXT_PRINTED(arena, out, mapping_cell_print(cell, out));
}

const char *mapping_key_text(struct arena *arena, struct mapping_key key) {
  struct text text = text_new();
  FILE *out = text.out;
  fputs(mapping_kind_name(key.kind), out);
  if (key.region == REGION_LOCAL) fputs(" local", out);
  if (key.kind != MAP_BARRIER) fprintf(out, " %s", ORDER_WORDS[key.order]);
  if (key.scope != SCOPE_NONE) fprintf(out, " %s", SCOPE_WORDS[key.scope]);
  if (key.remote) fputs(" remote", out);
  return text_keep(&text, arena);
}
