/* SPDX-License-Identifier: MIT */
/* Instructions on memory that threads share: addresses, operations, waiting for
 * them, caches. */
#include <string.h>

#include "hwsem/amd/unfold_parts.h"

/* ---- addresses ---- */

enum { MOST_WORDS = 4 };

/* Where an access goes. */
struct place {
  bool flat, local, private, out, argument;
  uint32_t address;      /* in private memory, or of the results or arguments */
  int words[MOST_WORDS]; /* the location of each word; -1: none */
};

/* An address must be a number, or something that is known when it is read. */
static bool is_address(struct amd_unfolding *u, const struct amd_instr *i, struct amd_value *v) {
  if (v->is_address) *v = value_number(v->number);
  if (v->kind == VALUE_UNSET) return unfold_fail(u, "the address of %s is in a register that nothing has set", i->name);
  if (v->kind == VALUE_OPAQUE)
    return unfold_fail(u, "the address of %s depends on memory in a way that the machine does not model", i->name);
  return true;
}

/* Base and offset of a global access: `v0, s[0:1]` or `v[0:1], off`. */
static bool global_address(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i,
                           const struct amd_operand *vector, const struct amd_operand *scalar,
                           struct amd_wide *address) {
  struct amd_wide v, s = {{value_number(0), value_number(0)}};
  bool pair = scalar->kind == AMD_OFF;
  if (vector->kind == AMD_REG && vector->words != (pair ? 2u : 1u))
    return unfold_fail(
        u,
        "the address of %s must be a pair of vector registers, or one vector register and a pair of scalar registers",
        i->name);
  if (!unfold_read_wide(u, p, vector, pair ? 2 : 1, &v)) return false;
  if (!pair && !unfold_read_wide(u, p, scalar, 2, &s)) return false;
  for (unsigned k = 0; k < 2; k++)
    if (!is_address(u, i, &v.at[k]) || !is_address(u, i, &s.at[k])) return false;
  uint64_t offset = (uint64_t)i->offset;
  struct amd_wide more = {{value_number((uint32_t)offset), value_number((uint32_t)(offset >> 32))}};
  *address = value_combine_wide(u, AMD_ADD, 2, value_combine_wide(u, AMD_ADD, 2, v, s), more);
  return true;
}

/* The location at an address of global memory. */
static bool location_at(const struct amd_unfolding *u, uint64_t address, unsigned *location) {
  for (unsigned k = 0; k < u->location_count; k++) {
    struct amd_pointer pointer = amd_pointer(u->locations, k, false);
    if (u->locations[k].region != REGION_GLOBAL) continue;
    *location = k;
    if (address == ((uint64_t)pointer.word[1] << 32 | pointer.word[0])) return true;
  }
  return false;
}

/* An access of nothing.  On a path that conditions lead to it may never be run: then it ends
 * the runs that come there. */
static bool access_nothing(struct amd_unfolding *u, struct amd_path *p, const char *what) {
  if (p->decision_count == 0 && !u->loops)
    return unfold_fail(u, "the address of %s is not a %slocation of the test", u->instr->name, what);
  unfold_node(u, p, AMD_NODE_HAZARD);
  return false;
}

/* Whether words are those of a pointer.  false: not known on this path. */
static bool is_at(struct amd_unfolding *u, struct amd_path *p, const struct amd_value *words,
                  const struct amd_pointer *pointer, bool *truth) {
  struct amd_value same = value_number(1);
  for (unsigned k = 0; k < pointer->words; k++)
    same = value_combine(u, AMD_AND, same, value_combine(u, AMD_EQ, words[k], value_number(pointer->word[k])));
  return unfold_decide(u, p, AMD_NE, same, value_number(0), truth);
}

/* The location at an address that is known only when it is read: forks say which. */
static bool choose_location(struct amd_unfolding *u, struct amd_path *p, const struct amd_value *words, bool flat,
                            bool local, unsigned *location) {
  for (unsigned k = 0; k < u->location_count; k++) {
    enum region region = u->locations[k].region;
    bool here = false;
    if (region != REGION_LOCAL && (local || region != REGION_GLOBAL)) continue;
    if (region == REGION_LOCAL && !local && !flat) continue;
    struct amd_pointer pointer = amd_pointer(u->locations, k, flat);
    if (!is_at(u, p, words, &pointer, &here)) return false;
    *location = k;
    if (here) return true;
  }
  return access_nothing(u, p, local ? "local " : "");
}

/* The local location at an address, or -1. */
static int local_at(const struct amd_unfolding *u, uint32_t address) {
  for (unsigned k = 0; k < u->location_count; k++)
    if (u->locations[k].region == REGION_LOCAL && address == amd_pointer(u->locations, k, false).word[0]) return (int)k;
  return -1;
}

/* How many words a local access has at the first of its addresses, of which there may be two. */
static unsigned words_at_first(const struct amd_instr *i) {
  return i->fn2 ? i->words / 2 : i->words;
}

/* The locations of a local access; of words that are loaded at once, some may be
 * padding, which optimisers read where it costs nothing. */
static bool find_local(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i, uint32_t address,
                       struct place *place) {
  unsigned first = words_at_first(i);
  bool any = false;
  for (unsigned k = 0; k < i->words && k < MOST_WORDS; k++) {
    int64_t offset = k < first ? i->offset + 4 * k : i->second + 4 * (k - first);
    place->words[k] = local_at(u, address + (uint32_t)offset);
    any |= place->words[k] >= 0;
  }
  return any || access_nothing(u, p, "local ");
}

/* The locations behind the first, of the same array. */
static void find_words(const struct amd_unfolding *u, const struct amd_instr *i, unsigned location,
                       struct place *place) {
  const struct location *first = &u->locations[location];
  for (unsigned k = 0; k < i->words && k < MOST_WORDS; k++) {
    bool same =
        location + k < u->location_count && first[k].region == first->region && first[k].cell == first->cell + k;
    place->words[k] = same ? (int)(location + k) : -1;
  }
}

static bool local_location(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i,
                           const struct amd_operand *operand, struct place *place) {
  struct amd_value v = {0};
  unsigned location;
  if (!unfold_read_word(u, p, operand, 0, &v) || !is_address(u, i, &v)) return false;
  if (v.kind == VALUE_NUMBER) return find_local(u, p, i, v.number, place);
  if (i->fn2)
    return unfold_fail(u, "the address of %s depends on memory in a way that the machine does not model", i->name);
  v = value_combine(u, AMD_ADD, v, value_number((uint32_t)i->offset));
  if (!choose_location(u, p, &v, false, true, &location)) return false;
  find_words(u, i, location, place);
  return true;
}

/* ---- operations on memory ---- */

static bool read_data(struct amd_unfolding *u, struct amd_path *p, unsigned reg, const struct amd_expr **data) {
  struct amd_value v = {0};
  if (!unfold_read(u, p, reg, &v)) return false;
  if (v.kind == VALUE_UNSET) return unfold_fail(u, "%s writes a register that nothing has set", u->instr->name);
  if (v.kind == VALUE_OPAQUE) return unfold_fail(u, "%s writes a value that is outside the machine", u->instr->name);
  *data = value_expression(u, v);
  return true;
}

static bool fill(struct amd_unfolding *u, struct amd_path *p, unsigned to, unsigned slot) {
  p->before[slot] = p->regs[to].value;
  p->regs[to] = (struct amd_cell){.value = value_of_slot(u, slot), .pending = (uint8_t)(slot + 1)};
  return true;
}

static bool is_register(const struct amd_operand *operand, unsigned words) {
  return operand->kind == AMD_REG && operand->words == words && operand->reg >= AMD_V;
}

static bool find_global(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i,
                        const struct amd_wide *address, struct place *place) {
  unsigned location = 0;
  if (address->at[0].kind != VALUE_NUMBER || address->at[1].kind != VALUE_NUMBER) {
    if (!choose_location(u, p, address->at, place->flat, false, &location)) return false;
    find_words(u, i, location, place);
    place->local = u->locations[location].region == REGION_LOCAL;
    return true;
  }
  uint32_t upper = address->at[1].number;
  place->address = address->at[0].number;
  place->out = upper == OUT;
  place->argument = upper == KERNARG;
  place->private = place->flat && upper == AMD_PRIVATE_APERTURE;
  place->local = place->flat && upper == AMD_LOCAL_APERTURE;
  if (place->private || place->out || place->argument) return true;
  if (place->local) return find_local(u, p, i, place->address - (uint32_t)i->offset, place);
  if (!location_at(u, (uint64_t)upper << 32 | place->address, &location)) return access_nothing(u, p, "");
  find_words(u, i, location, place);
  return true;
}

/* `at`: the operand of the address. */
static bool find_place(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i, unsigned at,
                       const struct amd_operand *scalar, struct place *place) {
  static const struct amd_operand OFF = {.kind = AMD_OFF};
  enum amd_space space = amd_op_space(i->op);
  bool local = space == AMD_SPACE_LOCAL;
  struct amd_wide address = {0};
  *place = (struct place){.flat = space == AMD_SPACE_FLAT, .local = local, .words = {-1, -1, -1, -1}};
  if (local) return local_location(u, p, i, &i->at[at], place);
  return global_address(u, p, i, &i->at[at], place->flat ? &OFF : scalar, &address) &&
         find_global(u, p, i, &address, place);
}

/* A flat access counts in the counters of both kinds of memory; the one of the
 * kind that it does not go to lets it go at once.  Of several words each is an operation
 * of its own, and counters count the first. */
static struct amd_node *issue_word(struct amd_unfolding *u, struct amd_path *p, enum amd_node_kind kind,
                                   const struct place *place, unsigned word, enum amd_class global, int *first) {
  struct amd_node *node =
      *first < 0 ? unfold_operation(u, p, kind, place->local ? AMD_LOCAL : global) : unfold_slot(u, p, kind);
  if (*first < 0 && place->flat) unfold_issue(u, p, place->local ? global : AMD_LOCAL, NO_SLOT);
  if (*first < 0)
    *first = (int)node->slot;
  else
    p->together[*first] |= 1u << node->slot;
  node->location = (unsigned)place->words[word];
  node->local = place->local;
  struct amd_value read = value_of_slot(u, node->slot);
  node->seen = unfold_note_access(u, p, node->location, kind == AMD_NODE_STORE ? NULL : &read);
  return node;
}

static struct amd_node *issue_access(struct amd_unfolding *u, struct amd_path *p, enum amd_node_kind kind,
                                     const struct place *place, enum amd_class global) {
  int first = -1;
  return issue_word(u, p, kind, place, 0, global, &first);
}

/* Words that are no locations are padding in local memory; elsewhere nothing is known of them. */
static bool check_words(struct amd_unfolding *u, const struct amd_instr *i, const struct place *place,
                        const char *does) {
  for (unsigned k = 0; k < i->words; k++)
    if (k >= MOST_WORDS || (place->words[k] < 0 && (!place->local || i->op != AMD_OP_DS_LOAD)))
      return unfold_fail(u, "%s %s more than one location, and they are not all of one array", i->name, does);
  return true;
}

/* What is loaded besides locations: not followed. */
static void fill_padding(struct amd_path *p, const struct amd_instr *i, const struct place *place, int slot) {
  for (unsigned k = 0; k < i->words; k++)
    if (place->words[k] < 0)
      p->regs[i->at[0].reg + k] = (struct amd_cell){.value.kind = VALUE_OPAQUE, .pending = (uint8_t)(slot + 1)};
}

/* A word of the kernel's arguments. */
static struct amd_value argument_word(const struct amd_unfolding *u, uint64_t offset) {
  for (unsigned n = 0; n < u->thread->argument_count; n++) {
    const struct amd_argument *a = &u->thread->arguments[n];
    struct amd_pointer pointer = {{0, OUT}, 2};
    if (a->kind == AMD_ARGUMENT_LOCATION) pointer = amd_pointer(u->locations, a->location, a->flat);
    if (a->kind == AMD_ARGUMENT_NUMBER) pointer = (struct amd_pointer){{a->number, 0}, 1};
    if (a->kind == AMD_ARGUMENT_LOCATION && pointer.words == 2 && pointer.word[0] < a->before) pointer.word[1]--;
    if (a->kind == AMD_ARGUMENT_LOCATION) pointer.word[0] -= a->before;
    for (unsigned k = 0; k < pointer.words; k++)
      if (offset == a->offset + 4 * k) return value_number(pointer.word[k]);
  }
  return (struct amd_value){.kind = VALUE_UNSET};
}

/* Arguments that a vector load reads: whose address differs between lanes. */
static bool load_arguments(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i,
                           const struct place *place) {
  for (unsigned k = 0; k < i->words; k++)
    if (!unfold_write(u, p, i->at[0].reg + k, argument_word(u, place->address + 4 * k))) return false;
  unfold_issue(u, p, AMD_LOADS, NO_SLOT);
  if (place->flat) unfold_issue(u, p, AMD_LOCAL, NO_SLOT);
  unfold_await(u, p, i->at[0].reg, i->words, AMD_LOADS);
  return true;
}

bool unfold_load(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  struct place place;
  int first = -1;
  if (!find_place(u, p, i, 1, &i->at[2], &place)) return false;
  if (place.private) return unfold_private(u, p, i);
  if (i->fn2 && place.flat) return unfold_fail(u, "%s of shared memory reads a part of a location", i->name);
  if (!is_register(&i->at[0], i->words)) return unfold_fail(u, "%s needs a vector register to load", i->name);
  if (place.argument) return load_arguments(u, p, i, &place);
  if (place.out) return access_nothing(u, p, "");
  if (!check_words(u, i, &place, "reads")) return false;
  for (unsigned k = 0; k < i->words; k++)
    if (!unfold_covered(u, p, i->at[0].reg + k)) return false;
  const struct amd_rule *rule = amd_target_rule(u->target, AMD_LOAD, NULL, i->bits);
  if (!place.local && i->bits && !rule) return unfold_fail(u, "%s has no load with these bits", u->target->full);
  for (unsigned k = 0; k < i->words && !u->failed; k++) {
    if (place.words[k] < 0) continue;
    struct amd_node *node = issue_word(u, p, AMD_NODE_LOAD, &place, k, AMD_LOADS, &first);
    node->returns = true;
    node->passes = rule && !place.local ? rule->caches : 0;
    unfold_count(u, p, node);
    fill(u, p, i->at[0].reg + k, node->slot);
  }
  fill_padding(p, i, &place, first);
  return true;
}

/* To the results: what a thread leaves behind, and no traffic of memory. */
static bool store_results(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i, uint64_t address) {
  unsigned first = (uint32_t)address / 4;
  if ((uint32_t)address % 4 || first + i->words > OUTS) return unfold_fail(u, "%s writes outside the results", i->name);
  for (unsigned k = 0; k < i->words; k++) {
    struct amd_value v = {0};
    if (!unfold_read_word(u, p, &i->at[1], k, &v)) return false;
    p->out[first + k] = v;
  }
  unfold_issue(u, p, AMD_STORES, NO_SLOT);
  return true;
}

/* A value for the caller of a piece of code: wherever it goes. */
static bool store_value(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  struct amd_value v = {0};
  if (!unfold_read_word(u, p, &i->at[1], 0, &v)) return false;
  if (i->op != AMD_OP_DS_STORE) unfold_issue(u, p, AMD_STORES, NO_SLOT);
  if (i->op != AMD_OP_GLOBAL_STORE) unfold_issue(u, p, AMD_LOCAL, NO_SLOT);
  return true;
}

bool unfold_store(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  struct place place;
  const struct amd_expr *data[MOST_WORDS] = {NULL};
  int first = -1;
  unsigned at_first = i->op == AMD_OP_DS_STORE ? words_at_first(i) : i->words;
  if (!is_register(&i->at[1], at_first) || (at_first < i->words && !is_register(&i->at[2], at_first)))
    return unfold_fail(u, "%s needs vector registers to store", i->name);
  if (u->thread->single && p->accesses) return store_value(u, p, i);
  if (!find_place(u, p, i, 0, &i->at[2], &place)) return false;
  if (place.private) return unfold_private(u, p, i);
  if (place.argument) return access_nothing(u, p, "");
  if (place.out) return store_results(u, p, i, place.address);
  if (i->fn2 && place.flat) return unfold_fail(u, "%s of shared memory writes a part of a location", i->name);
  if (!check_words(u, i, &place, "writes")) return false;
  for (unsigned k = 0; k < i->words; k++)
    if (!read_data(u, p, k < at_first ? i->at[1].reg + k : i->at[2].reg + k - at_first, &data[k])) return false;
  const struct amd_rule *rule = amd_target_rule(u->target, AMD_STORE, NULL, i->bits);
  for (unsigned k = 0; k < i->words && !u->failed; k++) {
    struct amd_node *node = issue_word(u, p, AMD_NODE_STORE, &place, k, AMD_STORES, &first);
    node->data = data[k];
    node->through = !place.local && rule && rule->caches;
  }
  return true;
}

/* Operands of a read-modify-write: [destination] address data ... */
bool unfold_rmw(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  enum amd_space space = amd_op_space(i->op);
  bool named = space == AMD_SPACE_LOCAL, flat = space == AMD_SPACE_FLAT;
  bool cas =
      i->op == AMD_OP_GLOBAL_CAS || i->op == AMD_OP_FLAT_CAS || i->op == AMD_OP_DS_CAS || i->op == AMD_OP_DS_CAS_OLD;
  bool returns = named ? i->returns : (i->bits & u->target->return_bits) != 0;
  unsigned first = returns ? 1 : 0, expected_count = 2 + (named ? (cas ? 1u : 0u) : flat ? 0u : 1u) + first;
  struct place place;
  if (i->count != expected_count) return unfold_fail(u, "%s cannot have %u operands here", i->name, i->count);
  const struct amd_operand *data = &i->at[first + 1];
  if (!is_register(data, cas && !named ? 2 : 1) || (returns && !is_register(&i->at[0], 1)))
    return unfold_fail(u, "%s needs vector registers for its data", i->name);
  if (!find_place(u, p, i, first, &i->at[first + 2], &place)) return false;
  if (place.private) return unfold_fail(u, "%s of private memory is outside the machine", i->name);
  if (place.out || place.argument) return access_nothing(u, p, "");
  unsigned other = !cas ? data->reg : named ? i->at[first + 2].reg : data->reg + 1;
  const struct amd_expr *a = NULL, *b = NULL;
  if (!read_data(u, p, data->reg, &a) || (cas && !read_data(u, p, other, &b))) return false;
  if (returns && !unfold_covered(u, p, i->at[0].reg)) return false;
  struct amd_node *node =
      issue_access(u, p, cas ? AMD_NODE_CAS : AMD_NODE_RMW, &place, returns ? AMD_LOADS : AMD_STORES);
  node->returns = returns;
  node->op = (enum rmw_op)i->fn;
  node->data = i->op == AMD_OP_DS_CAS_OLD ? b : a;
  node->expected = i->op == AMD_OP_DS_CAS_OLD ? a : b;
  if (unfold_counts(node)) unfold_count(u, p, node);
  return !returns || fill(u, p, i->at[0].reg, node->slot);
}

/* A word through the scalar cache: of a location that some thread writes a load with a slot, else a constant. */
static bool scalar_word(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i, unsigned word,
                        unsigned location, int *first) {
  struct amd_value v = value_number((uint32_t)u->locations[location].init);
  if (!(u->head->facts.changing >> location & 1)) {
    u->constants |= 1u << location;
    unfold_note_access(u, p, location, &v);
    return unfold_write(u, p, i->at[0].reg + word, v);
  }
  struct place place = {.words = {(int)location}};
  if (!unfold_covered(u, p, i->at[0].reg + word)) return false;
  struct amd_node *node = issue_word(u, p, AMD_NODE_LOAD, &place, 0, AMD_SCALAR, first);
  node->returns = true;
  node->passes = AMD_L0 | AMD_GL1;
  return fill(u, p, i->at[0].reg + word, node->slot);
}

/* Of the kernel's arguments, and of locations. */
bool unfold_scalar_load(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  struct amd_wide base;
  unsigned location;
  if (!unfold_read_wide(u, p, &i->at[1], 2, &base)) return false;
  bool unset = base.at[0].kind == VALUE_UNSET && base.at[1].kind == VALUE_UNSET;
  bool known = base.at[0].kind == VALUE_NUMBER && base.at[1].kind == VALUE_NUMBER;
  bool kernarg = unset ? u->thread->argument_count > 0 : known && base.at[1].number == KERNARG;
  if (i->at[2].kind != AMD_NUMBER || (!known && !unset))
    return unfold_fail(u, "the address is not known before running");
  if (i->at[0].kind != AMD_REG || i->at[0].words != i->words)
    return unfold_fail(u, "%s needs %u registers to load", i->name, i->words);
  uint64_t offset = i->at[2].number + (uint64_t)i->offset + (unset ? 0 : base.at[0].number);
  int first = -1;
  for (unsigned k = 0; k < i->words; k++) {
    if (kernarg) {
      if (!unfold_write(u, p, i->at[0].reg + k, argument_word(u, offset + 4 * k))) return false;
      continue;
    }
    if (unset || !location_at(u, ((uint64_t)base.at[1].number << 32) + offset + 4 * k, &location))
      return unfold_fail(u, "%s reads through the scalar cache what is no location of the test", i->name);
    if (!scalar_word(u, p, i, k, location, &first)) return false;
  }
  if (!u->thread->single && first < 0) unfold_await(u, p, i->at[0].reg, i->words, AMD_SCALAR);
  return true;
}

/* ---- waiting ---- */

static void cover(struct amd_path *p, uint32_t slots) {
  for (unsigned r = 0; r < AMD_REGISTERS; r++)
    if (p->regs[r].pending && slots >> (p->regs[r].pending - 1) & 1) p->regs[r].pending = 0;
}

/* Loads without slots: scalar ones come back in any order. */
static void cover_counted(struct amd_path *p, unsigned counter, unsigned most) {
  for (unsigned r = 0; r < AMD_REGISTERS; r++) {
    struct amd_cell *cell = &p->regs[r];
    bool scalar = cell->counter && cell->load->op == AMD_OP_SCALAR_LOAD;
    if (cell->counter == counter + 1 && (scalar ? most == 0 : cell->since >= most)) cell->counter = 0;
  }
}

/* Is it an operation that those behind it come back after?  Scalar loads are none. */
static bool in_order(const struct amd_unfolding *u, const struct amd_path *p, unsigned slot) {
  return slot != NO_SLOT && !amd_node_is_scalar(&u->nodes.at[p->by_slot[slot]]);
}

bool unfold_wait(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  uint32_t must = 0;
  bool any = false;
  for (unsigned c = 0; c < u->target->counter_count; c++) {
    int most = -1;
    for (unsigned k = 0; k < AMD_CLASSES; k++)
      if (u->target->counters[c].classes >> k & 1) most = i->wait[k];
    for (unsigned n = 0; most >= 0 && n + (unsigned)most < p->issued_count[c]; n++)
      if (in_order(u, p, p->issued[c][n]) || (most == 0 && p->issued[c][n] != NO_SLOT))
        must |= 1u << p->issued[c][n] | p->together[p->issued[c][n]];
    any |= most >= 0 && (unsigned)most < p->issued_count[c];
    if (most >= 0) cover_counted(p, c, (unsigned)most);
  }
  struct amd_node *node = unfold_node(u, p, AMD_NODE_WAIT);
  node->must = must;
  node->any = any;
  p->known |= must;
  cover(p, must);
  return true;
}

/* An instruction may both write back and invalidate: in this order. */
bool unfold_cache(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  const struct amd_rule *back = amd_target_rule(u->target, AMD_WRITE_BACK, i->name, i->bits);
  const struct amd_rule *invalidate = amd_target_rule(u->target, AMD_INVALIDATE, i->name, i->bits);
  if (!back && !invalidate) return unfold_fail(u, "%s has no %s with these bits", u->target->full, i->name);
  if (back && back->caches)
    unfold_operation(u, p, AMD_NODE_WRITE_BACK, AMD_STORES);
  else if (back)
    unfold_issue(u, p, AMD_STORES, NO_SLOT);
  if (!invalidate) return true;
  unfold_node(u, p, AMD_NODE_INVALIDATE)->caches = invalidate->caches;
  if (invalidate->counted) unfold_issue(u, p, AMD_LOADS, NO_SLOT);
  return true;
}
