/* SPDX-License-Identifier: MIT */
/* The predefined names, and how each spelling finds its meaning. */
#include "checker/cat/builtins.h"

#include <string.h>

#include "checker/base/array.h"
#include "checker/base/path.h"
#include "checker/base/tags.h"
#include "checker/base/text.h"
#include "checker/cat/ir.h"

const struct cat_predefined cat_bases[BASE_COUNT] = {
#define BASE_ROW(id, type, names) [BASE_##id] = {type, names},
    CAT_BUILTIN_LIST(BASE_ROW)
#undef BASE_ROW
};

void cat_base_print(enum cat_base base, FILE *out) {
  fprintf(out, "%.*s", (int)strcspn(cat_bases[base].names, " "), cat_bases[base].names);
}

static const struct {
  enum primitive primitive;
  const char *names;
} primitives[] = {
#define PRIMITIVE_ROW(id, names) {PRIM_##id, names},
    CAT_PRIMITIVES(PRIMITIVE_ROW)
#undef PRIMITIVE_ROW
};

/* Definitions in cat.  Each is evaluated at its first use, where only other
 * predefined names are in sight. */
static const struct {
  const char *names, *text;
} definitions[] = {
    {"po-loc pos", "po & loc"},
    {"rfe", "rf & ext"},
    {"rfi", "rf & int"},
    {"coe moe", "co & ext"},
    {"coi moi", "co & int"},
    {"fre", "fr & ext"},
    {"fri", "fr & int"},
    {"co0", "loc & ((IW * (W \\ IW)) | ((W \\ FW) * FW))"},
    {"pco", /* herd's obsco and co0: what po and rf say of co where a location is coherent */
     "(po-loc & (W * W)) | (rf; (po-loc & (R * W))) | (((po-loc & (W * R)); rf^-1) \\ id)"
     " | ((rf; (po-loc & (R * R)); rf^-1) \\ id) | co0"},
    {"asw", "IW * (M \\ IW)"},
    /* C's mutexes: locks of the kernel are not atomic */
    {"LS", "(LKR | LKW) & A"},
    {"lo", "let mutex = LS | (UL & A) in co & (mutex * mutex)"},
    {"emptyset", "{}"},
    {"atom amo", "rmw"},
    {"lxsx ctrlisync ctrlisb inv-field inv-domain", "0"},
    {"X", "RMW"},
    {"LK", "LKR | LKW"},
    {"different-values", "fun r -> r \\ same-value"},
    {"EX NExp ls ul lk mutexloc ADDR PTE SPEC failed_rmw brmw fga", "{}"},
    {"Exp EXEC EV", "_"},
    {"PoD BR", "B"},
    {"partial_po", "po"},
    {"poloc", "po & loc"},
    {"thd sthd", "int"},
    {"ad", "addr"},
    {"dd", "data"},
    {"cd", "ctrl"},
    {"uni", "unv"},
    {"imm", "fun r -> r \\ (r; r+)"},
    {"same-instance same-instr si", "rmw | rmw^-1 | id"},
    {"sm", "[M]"},
    {"iico_data iico_ctrl", "rmw"},
    {"toid", "fun s -> [s]"},
    {"noid", "fun r -> r \\ id"},
    {"sameloc", "fun r -> r & loc"},
    {"symm", "fun r -> r | r^-1"},
    {"fencerel fromto", "fun s -> po; [s]; po"},
    {"ctrlcfence", "fun (r, s) -> (r; [s]); po"},
    {"imply", "fun (a, b) -> ~a | b"},
    {"nodetour", "fun (r1, r2, r3) -> r1 \\ (r2; r3)"},
    {"singlestep", "fun r -> r \\ (r; r)"},
    {"udr", "fun r -> domain r | range r"},
    {"tag2fenced", "fun t -> po; [tag2events t]; po"},
    {"as_transitive", "fun r -> r+"}, /* herd7: a relation that stands for its closure */
    {"inter_transitive", "fun (r, s) -> r+ & s"},
    {"map", "fun f -> let rec over s = match s with || {} -> {} || e ++ s -> f e ++ over s end in over"},
    {"generate_orders", "fun (s, pco) -> cross (co_locs (pco, classes-loc s))"},
    {"generate_cos", "fun pco -> cross (co_locs (pco, classes-loc W))"},
    {"WW", "fun r -> r & (W * W)"},
    {"WR", "fun r -> r & (W * R)"},
    {"RW", "fun r -> r & (R * W)"},
    {"RR", "fun r -> r & (R * R)"},
    {"RM", "fun r -> r & (R * M)"},
    {"MR", "fun r -> r & (M * R)"},
    {"WM", "fun r -> r & (W * M)"},
    {"MW", "fun r -> r & (M * W)"},
    {"MM", "fun r -> r & (M * M)"},
    {"AA", "fun r -> r & (A * A)"},
    {"AP", "fun r -> r & (A * P)"},
    {"PA", "fun r -> r & (P * A)"},
    {"PP", "fun r -> r & (P * P)"},
};

static const struct {
  const char *name, *text;
} procedures[] = {
    {"subseteq", "procedure subseteq(a, b) = empty a \\ b end"},
    {"inclusion", "procedure inclusion(a, b) = empty a \\ b end"},
    {"total", "procedure total(r, s) = empty (s * s) \\ (r | r^-1) end"},
};

enum {
  PRIMITIVE_ROWS = ARRAY_COUNT(primitives),
  DEFINITION_ROWS = ARRAY_COUNT(definitions),
  PROCEDURE_ROWS = ARRAY_COUNT(procedures)
};

unsigned builtins_defined_count(void) {
  return DEFINITION_ROWS;
}

/* Binds each of the blank-separated names. */
static void bind(struct symbols *symbols, const char *names, const struct builtin *builtin) {
  while (*names) {
    size_t length = strcspn(names, " ");
    symbols_intern(symbols, names, length)->builtin = builtin;
    names += length;
    names += strspn(names, " ");
  }
}

static bool is_adsm(enum cat_base base) {
  return base == BASE_HOST || base == BASE_KERNEL || base == BASE_CALL || base == BASE_SYNC || base == BASE_SHARED ||
         base == BASE_LATE || base == BASE_ALLOC || base == BASE_FREE || base == BASE_FRESH;
}

/* Before the others: what a name means already, it goes on to mean. */
static void add_tags(struct arena *arena, struct symbols *symbols) {
  struct builtin *row = ARENA_ARRAY(arena, struct builtin, TAG_COUNT);
  for (int tag = 0; tag < TAG_COUNT; tag++) {
    const char *names = tag_names((enum tag)tag);
    const char *first = arena_strndup(arena, names, strcspn(names, " "));
    row[tag] = (struct builtin){.kind = BUILTIN_BASE, .base = BASE_TAG, .tag = first};
    bind(symbols, names, &row[tag]);
  }
}

static void add_bases(struct arena *arena, struct symbols *symbols, bool adsm) {
  struct builtin *row = ARENA_ARRAY(arena, struct builtin, BASE_COUNT);
  for (enum cat_base b = 0; b < BASE_COUNT; b++) {
    row[b] = (struct builtin){.kind = BUILTIN_BASE, .adsm = is_adsm(b), .base = b};
    if (!row[b].adsm || adsm) bind(symbols, cat_bases[b].names, &row[b]);
  }
}

static void add_functions(struct arena *arena, struct symbols *symbols) {
  struct builtin *row = ARENA_ARRAY(arena, struct builtin, PRIMITIVE_ROWS + DEFINITION_ROWS + PROCEDURE_ROWS);
  for (unsigned i = 0; i < PRIMITIVE_ROWS; i++, row++) {
    *row = (struct builtin){.kind = BUILTIN_PRIMITIVE, .primitive = primitives[i].primitive};
    bind(symbols, primitives[i].names, row);
  }
  for (unsigned i = 0; i < DEFINITION_ROWS; i++, row++) {
    *row = (struct builtin){.kind = BUILTIN_DEFINED, .text = definitions[i].text, .index = i};
    bind(symbols, definitions[i].names, row);
  }
  for (unsigned i = 0; i < PROCEDURE_ROWS; i++, row++) {
    *row = (struct builtin){.kind = BUILTIN_PROCEDURE, .text = procedures[i].text};
    bind(symbols, procedures[i].name, row);
  }
}

void builtins_add(struct arena *arena, struct symbols *symbols, bool adsm) {
  add_tags(arena, symbols);
  add_bases(arena, symbols, adsm);
  add_functions(arena, symbols);
}

const char *builtins_file_text(const char *path) {
  static const char lock[] =
      "let LF = LF | RL\n"
      "let ALL-LOCKS = LKR | LKW | UL | LF | RU\n"
      "let lk-rmw = [LKR]; rmw; [LKW]\n"
      "let critical = ([LKW]; po-loc; [UL]) \\ (po-loc; [LKW | UL]; po-loc)\n"
      "let Release = (try Release with {}) | UL\n"
      "let Acquire = (try Acquire with {}) | LKR\n"
      "flag ~empty [M \\ IW \\ ALL-LOCKS]; loc; [ALL-LOCKS] as mixed-lock-accesses\n"
      "flag ~empty UL \\ range(critical) as unmatched-unlock\n"
      "show co,rf,fr\n";
  return !strcmp(path_last(path), "lock.cat") ? lock : NULL;
}

bool builtins_file_chooses_co(const char *path) {
  static const char *const files[] = {"cos.cat", "cos-opt.cat", "cos-ok-opt.cat", "cos-no-opt.cat", "ncos.cat", NULL};
  return text_is_one_of(path, files);
}

bool builtins_have_file(const char *path) {
  static const char *const files[] = {"stdlib.cat",     "cos.cat",    "cos-opt.cat", "cos-ok-opt.cat",
                                      "cos-no-opt.cat", "cross.cat",  "ncos.cat",    "ncross.cat",
                                      "filters.cat",    "fences.cat", NULL};
  return text_is_one_of(path, files);
}
