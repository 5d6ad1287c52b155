/* SPDX-License-Identifier: MIT */
/* Instructions on memory that threads share: addresses, operations, caches. */

#include "checker/base/array.h"
#include "hwsem/amd/unfold_internal.h"

/* ---- addresses ---- */

enum { MOST_WORDS = 16, WORD = 4, PIECES = MOST_WORDS * WORD };

/* What an access touches of a cell: from byte `from` of the access to before `to`.  The cell begins at its byte `at`,
 * which may be before its first. */
struct piece {
  unsigned location;
  int at, from, to;
};

/* Where an access goes. */
struct place {
  bool flat, local, private, out, argument;
  uint32_t address; /* in private memory, or of the results or arguments */
  struct piece pieces[PIECES];
  unsigned count;
};

/* An access of nothing.  On a path that conditions lead to it may never be run: then it ends
 * the runs that come there. */
static bool access_nothing(struct amd_unfolding *u, struct amd_path *p, const char *what) {
  if (p->decision_count == 0 && !u->loops && !u->joints.count)
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

/* Does an address reach locations of a region: in local memory, or by a flat or global address? */
static bool is_reached(enum region region, bool flat, bool local) {
  if (region == REGION_LOCAL) return local || flat;
  return region == REGION_GLOBAL && !local;
}

/* The address that is known only when it is read: forks say which it is, of those in cells of which an access of so
 * many bytes is a whole part. */
static bool choose_address(struct amd_unfolding *u, struct amd_path *p, const struct place *place,
                           const struct amd_value *words, unsigned bytes, struct amd_pointer *address) {
  bool flat = place->flat && !place->local;
  for (unsigned k = 0; k < u->location_count; k++) {
    if (!is_reached(u->locations[k].region, flat, place->local)) continue;
    bool here = false;
    *address = amd_pointer(u->locations, k, flat);
    for (unsigned at = 0; at < amd_bytes(&u->locations[k]); at += bytes, address->word[0] += bytes) {
      if (!is_at(u, p, words, address, &here)) return false;
      if (here) return true;
    }
  }
  for (unsigned k = 0; k < u->thread->argument_count && !place->local; k++) {
    const struct amd_argument *constants = &u->thread->arguments[k];
    unsigned step = bytes < WORD ? bytes : WORD;
    *address = (struct amd_pointer){{constants->offset, KERNARG}, 2};
    for (size_t at = 0; constants->indexed && at < constants->size; at += step, address->word[0] += step) {
      bool here = false;
      if (!is_at(u, p, words, address, &here)) return false;
      if (here) return true;
    }
  }
  return access_nothing(u, p, place->local ? "local " : "");
}

/* How many bytes a local access has at the first of its addresses, of which there may be two. */
static unsigned bytes_at_first(const struct amd_instr *i) {
  return i->fn2 ? i->bytes / 2 : i->bytes;
}

/* Two halves of a cell, at the two addresses of a local access, are one piece. */
static void add_piece(struct place *place, struct piece piece) {
  ARRAY_EACH (struct piece, other, place->pieces, place->count) {
    if (other->location != piece.location || other->at != piece.at || other->to != piece.from) continue;
    other->to = piece.to;
    return;
  }
  if (place->count < PIECES) place->pieces[place->count++] = piece;
}

/* The cells at an address, from byte `first` of the access on. */
static void find_pieces(const struct amd_unfolding *u, uint32_t address, uint32_t upper, unsigned first, unsigned bytes,
                        struct place *place) {
  for (unsigned k = 0; k < u->location_count; k++) {
    if (!is_reached(u->locations[k].region, false, place->local)) continue;
    struct amd_pointer pointer = amd_pointer(u->locations, k, false);
    int64_t at = (int64_t)pointer.word[0] - address, end = at + amd_bytes(&u->locations[k]);
    if ((!place->local && pointer.word[1] != upper) || at >= bytes || end <= 0) continue;
    int offset = (int)first;
    add_piece(place, (struct piece){k, offset + (int)at, offset + (at > 0 ? (int)at : 0),
                                    offset + (end < bytes ? (int)end : (int)bytes)});
  }
}

static bool find_local(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i, uint32_t address,
                       struct place *place) {
  unsigned first = bytes_at_first(i);
  place->address = address + (uint32_t)i->offset;
  find_pieces(u, address + (uint32_t)i->offset, 0, 0, first, place);
  if (first < i->bytes) find_pieces(u, address + (uint32_t)i->second, 0, first, i->bytes - first, place);
  return place->count || access_nothing(u, p, "local ");
}

static bool local_location(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i,
                           const struct amd_operand *operand, struct place *place) {
  struct amd_value v = {0};
  struct amd_pointer chosen;
  if (!unfold_read_word(u, p, operand, 0, &v) || !unfold_is_address(u, i, &v)) return false;
  if (v.kind == VALUE_NUMBER) return find_local(u, p, i, v.number, place);
  if (i->fn2)
    return unfold_fail(u, "the address of %s depends on memory in a way that the machine does not model", i->name);
  v = value_combine(u, AMD_ADD, v, value_number((uint32_t)i->offset));
  return choose_address(u, p, place, &v, i->bytes, &chosen) &&
         find_local(u, p, i, chosen.word[0] - (uint32_t)i->offset, place);
}

/* ---- operations on memory ---- */

static bool check_data(struct amd_unfolding *u, struct amd_value v) {
  if (v.kind == VALUE_UNSET) return unfold_fail(u, "%s writes a register that nothing has set", u->instr->name);
  if (v.kind == VALUE_OPAQUE) return unfold_fail(u, "%s writes a value that is outside the machine", u->instr->name);
  return true;
}

/* Registers that hold a cell's new value. */
static bool read_data(struct amd_unfolding *u, struct amd_path *p, unsigned reg, unsigned words,
                      struct amd_words *data) {
  for (unsigned w = 0; w < words; w++) {
    struct amd_value v = {0};
    if (!unfold_read(u, p, reg + w, &v) || !check_data(u, v)) return false;
    data->word[w] = value_expression(u, v);
  }
  return true;
}

static void fill(struct amd_path *p, unsigned to, unsigned slot, struct amd_value value) {
  p->before[slot] = p->regs[to].value;
  p->regs[to] = (struct amd_cell){.value = value, .pending = (uint8_t)(slot + 1)};
}
static bool find_global(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i,
                        const struct amd_wide *address, struct place *place) {
  struct amd_pointer at = {{address->at[0].number, address->at[1].number}, 2};
  bool upper_known = address->at[1].kind == VALUE_NUMBER, known = address->at[0].kind == VALUE_NUMBER && upper_known;
  place->private = place->flat && upper_known && address->at[1].number == AMD_PRIVATE_APERTURE;
  if (place->private) return true;
  if (!known && !choose_address(u, p, place, address->at, i->bytes, &at)) return false;
  uint32_t upper = at.word[1];
  place->address = at.word[0];
  place->out = upper == OUT;
  place->argument = upper == KERNARG;
  place->local = place->flat && upper == AMD_LOCAL_APERTURE;
  if (place->out || place->argument) return true;
  if (place->local) return find_local(u, p, i, place->address - (uint32_t)i->offset, place);
  find_pieces(u, place->address, upper, 0, i->bytes, place);
  return place->count || access_nothing(u, p, "");
}

/* `at`: the operand of the address. */
static bool find_place(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i, unsigned at,
                       const struct amd_operand *scalar, struct place *place) {
  enum amd_space space = amd_op_space(i->op);
  bool local = space == AMD_SPACE_LOCAL;
  struct amd_wide address = {0};
  *place = (struct place){.flat = space == AMD_SPACE_FLAT, .local = local};
  if (local) return local_location(u, p, i, &i->at[at], place);
  return unfold_address(u, p, i, &i->at[at], scalar, &address) && find_global(u, p, i, &address, place);
}

/* Of an access: what its operations are, what counts those in global memory, and the slot of the first; -1: none yet.
 */
struct access {
  enum amd_node_kind kind;
  enum amd_class global;
  int first;
};

/* A flat access counts in the counters of both kinds of memory; the one of the
 * kind that it does not go to lets it go at once.  Of several cells each is an operation
 * of its own, and counters count the first. */
static struct amd_node *issue_piece(struct amd_unfolding *u, struct amd_path *p, struct access *access,
                                    const struct place *place, unsigned location) {
  enum amd_class global = access->global;
  int *first = &access->first;
  struct amd_node *node = *first < 0 ? unfold_operation(u, p, access->kind, place->local ? AMD_LOCAL : global)
                                     : unfold_slot(u, p, access->kind);
  if (*first < 0 && place->flat) wait_counters_increment(u, p, place->local ? global : AMD_LOCAL, NO_SLOT);
  if (*first < 0)
    *first = (int)node->slot;
  else
    p->together[*first] |= amd_slot(node->slot);
  node->location = location;
  node->local = place->local;
  struct amd_value read = value_of_slot(u, node->slot, 0);
  node->seen = unfold_note_access(u, p, node->location, access->kind == AMD_NODE_STORE ? NULL : &read);
  return node;
}

/* ---- bytes of words and cells ---- */

/* The first `bytes` bytes of a word. */
static struct amd_value low_bytes(struct amd_unfolding *u, struct amd_value v, unsigned bytes) {
  return bytes < WORD ? value_combine(u, AMD_AND, v, value_number((1u << 8 * bytes) - 1)) : v;
}

/* The word at a byte of a row of words; after them are zeros. */
static struct amd_value word_at(struct amd_unfolding *u, const struct amd_value *words, unsigned count, unsigned byte) {
  struct amd_value zero = value_number(0);
  unsigned k = byte / WORD;
  struct amd_wide two = {{k < count ? words[k] : zero, k + 1 < count ? words[k + 1] : zero}};
  return byte % WORD ? value_shift_wide(u, AMD_SHR, two, 8 * (byte % WORD)).at[0] : two.at[0];
}

/* What a piece has of word `w` of an access, in its place; `cell`: what the cell holds. */
static struct amd_value part_of_word(struct amd_unfolding *u, const struct piece *piece, struct amd_wide cell,
                                     unsigned w) {
  int begin = WORD * (int)w, from = piece->from > begin ? piece->from : begin;
  int to = piece->to < begin + WORD ? piece->to : begin + WORD;
  struct amd_value part = word_at(u, cell.at, 2, (unsigned)(from - piece->at));
  part = low_bytes(u, part, (unsigned)(to - from));
  return value_combine(u, AMD_SHL, part, value_number(8 * (unsigned)(from - begin)));
}

static bool has_part(const struct piece *piece, unsigned w) {
  return piece->from < WORD * ((int)w + 1) && piece->to > WORD * (int)w;
}

/* What has been read of each piece of a place, and the slot that has it; -1: it is there at once. */
struct loaded {
  struct place place;
  struct amd_wide cells[PIECES];
  int slots[PIECES];
};

/* Word `w` of what was loaded, with bytes of zero between the cells; of a load without cells nothing is known.
 * *slot: one of those that fill it; -1: it is there at once. */
static struct amd_value whole_word(struct amd_unfolding *u, const struct loaded *loaded, unsigned w, int *slot) {
  const struct place *place = &loaded->place;
  struct amd_value word = value_number(0);
  bool any = false;
  *slot = -1;
  for (unsigned k = 0; k < place->count; k++) {
    if (!has_part(&place->pieces[k], w)) continue;
    any = true;
    if (*slot < 0) *slot = loaded->slots[k];
    word = value_combine(u, AMD_OR, word, part_of_word(u, &place->pieces[k], loaded->cells[k], w));
  }
  if (!any) *slot = loaded->slots[0];
  return any ? word : (struct amd_value){.kind = VALUE_OPAQUE};
}

/* The byte after an array's last cell, where a struct may end in padding; local memory has its variables in any
 * order. */
static uint32_t array_end(const struct amd_unfolding *u, unsigned location) {
  uint32_t end = 0, align = 1;
  for (unsigned k = location - u->locations[location].cell; k < u->location_count; k++) {
    const struct location *l = &u->locations[k];
    if (l->region != u->locations[location].region || (l->cell == 0 && k > location)) break;
    if (amd_bytes(l) > align) align = amd_bytes(l);
    uint32_t cell_end = amd_pointer(u->locations, k, false).word[0] + amd_bytes(l);
    if (cell_end > end) end = cell_end;
  }
  return (end + align - 1) / align * align;
}

/* Words without cells are padding: in local memory, or between and after the cells of an array; else nothing is
 * known of them. */
static bool check_words(struct amd_unfolding *u, const struct amd_instr *i, const struct place *place,
                        const char *does) {
  uint32_t end = array_end(u, place->pieces[0].location);
  if (place->address % WORD && place->address + i->bytes > end)
    return unfold_fail(u, "%s %s past the end of %s", i->name, does, u->locations[place->pieces[0].location].name);
  bool padded = place->local ? i->op == AMD_OP_DS_LOAD : place->address + i->bytes <= end;
  for (unsigned w = 0; w < i->words && !padded; w++) {
    bool any = false;
    for (unsigned k = 0; k < place->count; k++) any |= has_part(&place->pieces[k], w);
    if (!any) return unfold_fail(u, "%s %s more than one location, and they are not all of one array", i->name, does);
  }
  return true;
}

/* What was loaded, in the register for it. */
static bool fill_word(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i,
                      const struct loaded *loaded, unsigned w) {
  int slot;
  unsigned reg = i->at[0].reg + w;
  enum amd_piece piece = i->piece ? i->piece : i->at[0].piece;
  struct amd_value word = whole_word(u, loaded, w, &slot);
  if (i->extends) word = value_combine(u, (enum amd_fn)i->extends, word, value_number(0));
  if (piece && !unfold_join_piece(u, p, reg, piece, false, &word)) return false;
  if (slot < 0) return unfold_write(u, p, reg, word);
  bool plain = word.kind == VALUE_OPAQUE || (word.kind == VALUE_EXPRESSION && word.expr->kind == AMD_EXPR_SLOT);
  if (u->thread->past_hazards && (!plain || (word.expr && word.expr->word)))
    return unfold_fail(
        u,
        "%s reads parts of cells, or cells of 64 bits: what a register holds before it was waited for is not followed",
        i->name);
  fill(p, reg, (unsigned)slot, word);
  return true;
}

/* The bytes of an argument: of a pointer, or of what is passed. */
static size_t argument_bytes(const struct amd_unfolding *u, const struct amd_argument *a, const unsigned char **bytes,
                             struct amd_pointer *pointer) {
  *pointer = (struct amd_pointer){{0, OUT}, 2};
  *bytes = a->kind == AMD_ARGUMENT_BYTES ? a->bytes : (const unsigned char *)pointer->word;
  if (a->kind == AMD_ARGUMENT_BYTES) return a->size;
  if (a->kind == AMD_ARGUMENT_LOCATION) *pointer = amd_pointer(u->locations, a->location, a->flat);
  if (a->kind == AMD_ARGUMENT_NUMBER) *pointer = (struct amd_pointer){{a->number, 0}, 1};
  if (a->kind == AMD_ARGUMENT_LOCATION && pointer->words == 2 && pointer->word[0] < a->before) pointer->word[1]--;
  if (a->kind == AMD_ARGUMENT_LOCATION) pointer->word[0] -= a->before;
  return sizeof(uint32_t) * pointer->words;
}

/* A word of the kernel's arguments; bytes between them are zero. */
static struct amd_value argument_word(const struct amd_unfolding *u, uint64_t offset) {
  struct amd_value word = {.kind = VALUE_UNSET};
  ARRAY_EACH (const struct amd_argument, a, u->thread->arguments, u->thread->argument_count) {
    const unsigned char *bytes;
    struct amd_pointer pointer;
    size_t size = argument_bytes(u, a, &bytes, &pointer);
    for (unsigned b = 0; b < WORD; b++) {
      if (offset + b < a->offset || offset + b >= a->offset + size) continue;
      word.kind = VALUE_NUMBER;
      word.number |= (uint32_t)bytes[offset + b - a->offset] << 8 * b;
    }
  }
  return word;
}

/* The same as in the instruction, which may read a part of a word. */
static struct amd_value argument_part(struct amd_unfolding *u, const struct amd_instr *i, uint64_t offset) {
  struct amd_value word = argument_word(u, offset);
  word = low_bytes(u, word, i->bytes);
  return i->extends ? value_combine(u, (enum amd_fn)i->extends, word, value_number(0)) : word;
}

/* Arguments that a vector load reads: whose address differs between lanes. */
static bool load_arguments(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i,
                           const struct place *place) {
  for (unsigned k = 0; k < i->words; k++) {
    struct amd_value word = argument_part(u, i, place->address + WORD * k);
    if (i->piece && !unfold_join_piece(u, p, i->at[0].reg, i->piece, false, &word)) return false;
    if (!unfold_write(u, p, i->at[0].reg + k, word)) return false;
  }
  wait_counters_increment(u, p, AMD_LOADS, NO_SLOT);
  if (place->flat) wait_counters_increment(u, p, AMD_LOCAL, NO_SLOT);
  wait_counters_guard(u, p, i->at[0].reg, i->words, AMD_LOADS);
  return true;
}

/* What a cell that no thread writes holds. */
static struct amd_wide constant_cell(struct amd_unfolding *u, unsigned location) {
  uint64_t init = (uint64_t)amd_initial(&u->locations[location]);
  bool wide = amd_bytes(&u->locations[location]) > WORD;
  u->constants |= amd_only(location);
  return (struct amd_wide){{value_number((uint32_t)init), value_number(wide ? (uint32_t)(init >> 32) : 0)}};
}

static bool changes(const struct amd_unfolding *u, unsigned location) {
  return u->head->facts.changing >> location & 1;
}

/* Whether a load reads the same whenever it is served, so that it needs no request. */
static bool is_fixed(const struct amd_unfolding *u, const struct place *place) {
  if (!u->head->facts.fixed || u->thread->past_hazards) return false;
  for (unsigned k = 0; k < place->count; k++)
    if (changes(u, place->pieces[k].location)) return false;
  return true;
}

/* Such a load: counters count it, and what it reads may be read once its counter was waited for. */
static bool load_fixed(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i, struct loaded *loaded) {
  const struct place *place = &loaded->place;
  enum amd_class class = place->local ? AMD_LOCAL : AMD_LOADS;
  for (unsigned k = 0; k < place->count; k++) {
    loaded->cells[k] = constant_cell(u, place->pieces[k].location);
    loaded->slots[k] = -1;
  }
  for (unsigned w = 0; w < i->words; w++)
    if (!fill_word(u, p, i, loaded, w)) return false;
  wait_counters_increment(u, p, class, NO_SLOT);
  if (place->flat) wait_counters_increment(u, p, place->local ? AMD_LOADS : AMD_LOCAL, NO_SLOT);
  wait_counters_guard(u, p, i->at[0].reg, i->words, class);
  return true;
}

/* A load of each cell. */
static bool load_pieces(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i, struct loaded *loaded,
                        unsigned passes) {
  const struct place *place = &loaded->place;
  struct access access = {AMD_NODE_LOAD, AMD_LOADS, -1};
  for (unsigned k = 0; k < i->words; k++)
    if (!unfold_covered(u, p, i->at[0].reg + k)) return false;
  if (is_fixed(u, place)) return load_fixed(u, p, i, loaded);
  for (unsigned k = 0; k < place->count && !u->failed; k++) {
    unsigned location = place->pieces[k].location;
    struct amd_node *node = issue_piece(u, p, &access, place, location);
    node->returns = true;
    node->passes = passes;
    unfold_count(u, p, node);
    loaded->slots[k] = (int)node->slot;
    bool wide = amd_bytes(&u->locations[location]) > WORD;
    loaded->cells[k] =
        (struct amd_wide){{value_of_slot(u, node->slot, 0), wide ? value_of_slot(u, node->slot, 1) : value_number(0)}};
  }
  for (unsigned w = 0; w < i->words && !u->failed; w++)
    if (!fill_word(u, p, i, loaded, w)) return false;
  return !u->failed;
}

bool unfold_load(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  struct loaded loaded;
  const struct place *place = &loaded.place;
  if (!find_place(u, p, i, 1, &i->at[2], &loaded.place)) return false;
  if (place->private) return unfold_private(u, p, i);
  if (place->argument) return load_arguments(u, p, i, place);
  if (place->out) return access_nothing(u, p, "");
  if (!check_words(u, i, place, "reads")) return false;
  const struct amd_rule *rule = amd_target_rule(u->target, AMD_LOAD, NULL, i->bits);
  unsigned passes = u->target->group_l0 ? AMD_L0 : 0; /* it is looked into where a queue ends */
  return load_pieces(u, p, i, &loaded, place->local ? 0 : passes | (rule ? rule->caches : 0));
}

/* To the results: what a thread leaves, and no traffic of memory. */
static bool store_results(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i, uint64_t address) {
  unsigned first = (uint32_t)address / 4;
  if ((uint32_t)address % 4 || i->bytes % WORD || first + i->words > OUTS)
    return unfold_fail(u, "%s writes outside the results", i->name);
  for (unsigned k = 0; k < i->words; k++) {
    struct amd_value v = {0};
    if (!unfold_read_word(u, p, &i->at[1], k, &v)) return false;
    p->out[first + k] = v;
  }
  wait_counters_increment(u, p, AMD_STORES, NO_SLOT);
  return true;
}

/* A value for the caller of a piece of code: wherever it goes. */
static bool store_value(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  struct amd_value v = {0};
  if (!unfold_read_word(u, p, &i->at[1], 0, &v)) return false;
  if (i->op != AMD_OP_DS_STORE) wait_counters_increment(u, p, AMD_STORES, NO_SLOT);
  if (i->op != AMD_OP_GLOBAL_STORE) wait_counters_increment(u, p, AMD_LOCAL, NO_SLOT);
  return true;
}

/* The registers that are stored, as one row of words. */
static bool read_words(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i, unsigned at_first,
                       struct amd_value *words) {
  for (unsigned k = 0; k < i->words; k++) {
    const struct amd_operand *from = &i->at[k < at_first ? 1 : 2];
    enum amd_piece piece = i->piece ? i->piece : from->piece;
    if (!unfold_read(u, p, k < at_first ? from->reg + k : from->reg + k - at_first, &words[k])) return false;
    if (piece) words[k] = value_piece(u, words[k], piece, false);
  }
  return true;
}

/* What a store writes to a cell: all its bytes, or some, where the others stay as they are (*kept). */
static bool data_of_piece(struct amd_unfolding *u, const struct amd_value *words, unsigned count,
                          const struct piece *piece, struct amd_words *data, uint64_t *kept) {
  unsigned bytes = amd_bytes(&u->locations[piece->location]), from = (unsigned)piece->from;
  unsigned some = (unsigned)(piece->to - piece->from), skipped = (unsigned)(piece->from - piece->at);
  struct amd_wide value = {{value_number(0), value_number(0)}};
  for (unsigned w = 0; w * WORD < some; w++) {
    value.at[w] = low_bytes(u, word_at(u, words, count, from + WORD * w), some - WORD * w);
    if (!check_data(u, value.at[w])) return false;
  }
  if (skipped) value = value_shift_wide(u, AMD_SHL, value, 8 * skipped);
  for (unsigned w = 0; w * WORD < bytes; w++) data->word[w] = value_expression(u, value.at[w]);
  uint64_t written = (UINT64_MAX >> (64 - 8 * some)) << 8 * skipped;
  *kept = ~written & (UINT64_MAX >> (64 - 8 * bytes));
  return true;
}

bool unfold_store(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  struct place place;
  struct amd_value words[MOST_WORDS];
  struct amd_words data[PIECES] = {0};
  uint64_t kept[PIECES];
  struct access access = {AMD_NODE_STORE, AMD_STORES, -1};
  unsigned at_first = i->op == AMD_OP_DS_STORE && i->fn2 ? i->words / 2 : i->words;
  if (u->thread->single && p->accesses) return store_value(u, p, i);
  if (!find_place(u, p, i, 0, &i->at[2], &place)) return false;
  if (place.private) return unfold_private(u, p, i);
  if (place.argument) return access_nothing(u, p, "");
  if (place.out) return store_results(u, p, i, place.address);
  if (!check_words(u, i, &place, "writes") || !read_words(u, p, i, at_first, words)) return false;
  for (unsigned k = 0; k < place.count; k++)
    if (!data_of_piece(u, words, i->words, &place.pieces[k], &data[k], &kept[k])) return false;
  const struct amd_rule *rule = amd_target_rule(u->target, AMD_STORE, NULL, i->bits);
  for (unsigned k = 0; k < place.count && !u->failed; k++) {
    struct amd_node *node = issue_piece(u, p, &access, &place, place.pieces[k].location);
    node->data = data[k];
    node->kept = kept[k];
    node->through = !place.local && rule && rule->caches;
  }
  return true;
}

/* A read-modify-write is of one whole cell. */
static bool is_one_cell(struct amd_unfolding *u, const struct amd_instr *i, const struct place *place) {
  const struct location *l = &u->locations[place->pieces[0].location];
  unsigned bytes = amd_bytes(l);
  if (place->count == 1 && place->pieces[0].at == 0 && bytes == i->bytes) return true;
  return unfold_fail(u, "%s is one operation on %u bytes, where %s has %u", i->name, i->bytes, l->name, bytes);
}

/* Operands of a read-modify-write: [destination] address data ... */
bool unfold_rmw(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  enum amd_space space = amd_op_space(i->op);
  bool named = space == AMD_SPACE_LOCAL;
  bool cas =
      i->op == AMD_OP_GLOBAL_CAS || i->op == AMD_OP_FLAT_CAS || i->op == AMD_OP_DS_CAS || i->op == AMD_OP_DS_CAS_OLD;
  bool returns = named ? i->returns : (i->bits & u->target->return_bits) != 0;
  unsigned first = returns ? 1 : 0;
  struct place place;
  const struct amd_operand *data = &i->at[first + 1];
  if (!find_place(u, p, i, first, &i->at[first + 2], &place)) return false;
  if (place.private) return unfold_fail(u, "%s of private memory is outside the machine", i->name);
  if (place.out || place.argument) return access_nothing(u, p, "");
  if (!is_one_cell(u, i, &place)) return false;
  unsigned other = !cas ? data->reg : named ? i->at[first + 2].reg : data->reg + i->words;
  struct amd_words a = {{NULL}}, b = {{NULL}};
  if (!read_data(u, p, data->reg, i->words, &a) || (cas && !read_data(u, p, other, i->words, &b))) return false;
  for (unsigned w = 0; returns && w < i->words; w++)
    if (!unfold_covered(u, p, i->at[0].reg + w)) return false;
  struct access access = {cas ? AMD_NODE_CAS : AMD_NODE_RMW, returns ? AMD_LOADS : AMD_STORES, -1};
  struct amd_node *node = issue_piece(u, p, &access, &place, place.pieces[0].location);
  node->returns = returns;
  node->op = (enum rmw_op)i->fn;
  node->data = i->op == AMD_OP_DS_CAS_OLD ? b : a;
  node->expected = i->op == AMD_OP_DS_CAS_OLD ? a : b;
  if (unfold_counts(node)) unfold_count(u, p, node);
  if (returns && i->words > 1 && u->thread->past_hazards)
    return unfold_fail(u, "what a register of %s holds before it was waited for is not followed", i->name);
  for (unsigned w = 0; returns && w < i->words && !u->failed; w++)
    fill(p, i->at[0].reg + w, node->slot, value_of_slot(u, node->slot, w));
  return true;
}

/* ---- buffers ---- */

/* Is a buffer's resource an address (two words), all of memory as its size (-1; any with `addr64`), and a format?  That
 * of private memory, there at the kernel's start or loaded from where nobody knows, is in registers of which the code
 * has not set all. */
static bool is_global_resource(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  const struct amd_operand *address = &i->at[1], *resource = &i->at[2];
  bool sized = address->kind != AMD_REG || address->words != 2;
  if (resource->kind != AMD_REG || resource->words != 4) return false;
  for (unsigned k = 0; k < 4; k++) {
    struct amd_value word = {0};
    if (!unfold_read_word(u, p, resource, k, &word)) return false;
    if (word.kind == VALUE_UNSET || word.kind == VALUE_OPAQUE) return false;
    if (k == 2 && sized && word.number != UINT32_MAX) return false;
  }
  return true;
}

/* Its operands are data, an address or `off`, the resource and an offset; what it returns goes where the data was.
 * As a global instruction: base and address in the places that those have. */
static bool global_of_buffer(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i,
                             struct amd_instr *global) {
  struct amd_value offset = value_number(0);
  bool load = i->op == AMD_OP_PRIVATE_LOAD, store = i->op == AMD_OP_PRIVATE_STORE;
  bool returns = load || (!store && i->bits & u->target->return_bits);
  if (!unfold_read_word(u, p, &i->at[3], 0, &offset)) return false;
  if (offset.kind != VALUE_NUMBER) return unfold_fail(u, "the address of %s is not known before running", i->name);
  *global = *i;
  if (load || store) global->op = load ? AMD_OP_GLOBAL_LOAD : AMD_OP_GLOBAL_STORE;
  global->offset += offset.number;
  unsigned count = 0;
  if (returns) global->at[count++] = i->at[0];
  if (returns && i->op == AMD_OP_GLOBAL_CAS) global->at[0].words /= 2; /* the old value, where the new one was */
  global->at[count] = i->at[1];
  if (i->at[1].kind == AMD_OFF) global->at[count] = (struct amd_operand){.kind = AMD_NUMBER};
  count++;
  if (!load) global->at[count++] = i->at[0];
  global->at[count] = i->at[2];
  global->at[count++].words = 2;
  global->count = count;
  return true;
}

bool unfold_buffer(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  struct amd_instr global;
  bool access = i->op == AMD_OP_PRIVATE_LOAD || i->op == AMD_OP_PRIVATE_STORE;
  if (access && (i->count != 4 || !is_global_resource(u, p, i))) return unfold_private(u, p, i);
  if (!global_of_buffer(u, p, i, &global)) return false;
  return !access                         ? unfold_rmw(u, p, &global)
         : i->op == AMD_OP_PRIVATE_STORE ? unfold_store(u, p, &global)
                                         : unfold_load(u, p, &global);
}

/* A cell through the scalar cache: of a location that some thread writes a load with a slot, else a constant. */
static int scalar_cell(struct amd_unfolding *u, struct amd_path *p, struct access *access, const struct place *place,
                       unsigned location, struct amd_wide *cell) {
  bool wide = amd_bytes(&u->locations[location]) > WORD;
  if (!changes(u, location)) {
    *cell = constant_cell(u, location);
    unfold_note_access(u, p, location, &cell->at[0]);
    return -1;
  }
  struct amd_node *node = issue_piece(u, p, access, place, location);
  node->returns = true;
  node->passes = AMD_L0 | AMD_GL1 | (u->target->group_l0 ? AMD_L2 : 0);
  unsigned slot = node->slot;
  *cell = (struct amd_wide){{value_of_slot(u, slot, 0), wide ? value_of_slot(u, slot, 1) : value_number(0)}};
  return (int)slot;
}

/* Of locations. */
static bool load_scalars(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i, uint64_t address,
                         struct access *access) {
  struct loaded loaded = {.place = {.address = (uint32_t)address}};
  struct place *place = &loaded.place;
  find_pieces(u, (uint32_t)address, (uint32_t)(address >> 32), 0, i->bytes, place);
  if (!place->count || !check_words(u, i, place, "reads"))
    return place->count ? false
                        : unfold_fail(u, "%s reads through the scalar cache what is no location of the test", i->name);
  for (unsigned k = 0; k < i->words; k++)
    if (!unfold_covered(u, p, i->at[0].reg + k)) return false;
  for (unsigned k = 0; k < place->count && !u->failed; k++)
    loaded.slots[k] = scalar_cell(u, p, access, place, place->pieces[k].location, &loaded.cells[k]);
  for (unsigned w = 0; w < i->words && !u->failed; w++)
    if (!fill_word(u, p, i, &loaded, w)) return false;
  return !u->failed;
}

/* A table of the driver's, in the memory that the program counter is in (s_getpc_b64, of which the lower word came in a
 * register): PAL keeps the resource of private memory there. */
static bool load_from_table(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  for (unsigned k = 0; k < i->words; k++)
    if (!unfold_write(u, p, i->at[0].reg + k, (struct amd_value){.kind = VALUE_OPAQUE})) return false;
  if (!u->thread->single) wait_counters_guard(u, p, i->at[0].reg, i->words, AMD_SCALAR);
  return true;
}

/* Its offset: a number, or in a register. */
static bool scalar_offset(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i, uint64_t *offset) {
  struct amd_value v = {0};
  if (i->at[2].kind != AMD_REG && i->at[2].kind != AMD_NUMBER) return false;
  if (!unfold_read_word(u, p, &i->at[2], 0, &v)) return false;
  *offset = (i->at[2].kind == AMD_NUMBER ? i->at[2].number : v.number * (uint64_t)(i->scales ? i->bytes : 1)) +
            (uint64_t)i->offset;
  return v.kind == VALUE_NUMBER;
}

/* Of the kernel's arguments, and of locations. */
bool unfold_scalar_load(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  struct amd_wide base;
  if (!unfold_read_wide(u, p, &i->at[1], 2, &base)) return false;
  bool unset = base.at[0].kind == VALUE_UNSET && base.at[1].kind == VALUE_UNSET;
  bool known = base.at[0].kind == VALUE_NUMBER && base.at[1].kind == VALUE_NUMBER;
  bool kernarg = unset ? u->thread->argument_count > 0 : known && base.at[1].number == KERNARG;
  bool table = base.at[0].kind == VALUE_UNSET && base.at[1].kind == VALUE_NUMBER && base.at[1].number == 0;
  uint64_t offset;
  if (!scalar_offset(u, p, i, &offset) || (!known && !unset && !table))
    return !u->failed && unfold_fail(u, "the address is not known before running");
  if (table) return load_from_table(u, p, i);
  offset += unset ? 0 : base.at[0].number;
  struct access access = {AMD_NODE_LOAD, AMD_SCALAR, -1};
  if (!kernarg && unset)
    return unfold_fail(u, "%s reads through the scalar cache what is no location of the test", i->name);
  if (!kernarg && !load_scalars(u, p, i, ((uint64_t)base.at[1].number << 32) + offset, &access)) return false;
  for (unsigned k = 0; kernarg && k < i->words; k++)
    if (!unfold_write(u, p, i->at[0].reg + k, argument_part(u, i, offset + WORD * k))) return false;
  if (!u->thread->single && access.first < 0) wait_counters_guard(u, p, i->at[0].reg, i->words, AMD_SCALAR);
  return true;
}

/* ---- caches ---- */

/* An instruction may both write back and invalidate: in this order. */
bool unfold_cache(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  const struct amd_rule *back = amd_target_rule(u->target, AMD_WRITE_BACK, i->name, i->bits);
  const struct amd_rule *invalidate = amd_target_rule(u->target, AMD_INVALIDATE, i->name, i->bits);
  if (back && back->caches)
    unfold_operation(u, p, AMD_NODE_WRITE_BACK, AMD_STORES);
  else if (back)
    wait_counters_increment(u, p, AMD_STORES, NO_SLOT);
  if (!invalidate) return true;
  unfold_node(u, p, AMD_NODE_INVALIDATE)->caches = invalidate->caches;
  if (invalidate->counted) wait_counters_increment(u, p, AMD_LOADS, NO_SLOT);
  return true;
}
