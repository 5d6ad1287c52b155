/* SPDX-License-Identifier: MIT */
/* Lists of small programs for compilers, in a fixed order: G2 and M3. */
#include <assert.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/small_programs/small_family.h"

struct filling {
  struct arena *arena;
  struct small_list *list;
};

/* `groups`: the work-groups of the program's threads. */
static void add(struct filling *f, const char *kind, const char *groups, const char *text) {
  struct small_listed *listed = vec_push(f->arena, f->list);
  listed->kind = kind;
  const char *stop = small_read(arena_printf(f->arena, "%s (wg %s)", text, groups), &small_opencl, &listed->program);
  assert(!stop);
  (void)stop;
}

/* ---- G2 ---- */

static void fill_g2(struct filling *f) {
  static const char *const ANY[] = {"Wxn", "Wxw", "Wxd", "Rxn", "Rxw", "Rxd", "Uxw", "Uxd",
                                    "Wyn", "Wyw", "Wyd", "Ryn", "Ryw", "Ryd", "Uyw", "Uyd"};
  static const char *const RELEASE[] = {"Wyw", "Wyd", "Uyw", "Uyd"}, *const ACQUIRE[] = {"Ryw", "Ryd", "Uyw", "Uyd"};
  static const char *const GROUPS[] = {"0,0", "0,1"};
  for (unsigned a = 0; a < 16; a++)
    for (unsigned b = 0; b < 4; b++)
      for (unsigned c = 0; c < 4; c++)
        for (unsigned d = 0; d < 8; d++)
          for (unsigned g = 0; g < 2; g++)
            add(f, NULL, GROUPS[g], arena_printf(f->arena, "%s %s | %s ! %s", ANY[a], RELEASE[b], ACQUIRE[c], ANY[d]));
}

/* ---- M3 ---- */

/* In templates `$` is a scope and `%`, `&`, `@`, `?` are orders, filled in for one program. */
struct holes {
  char scope;
  const char *orders[4];
};

static const char *const ORDERS[] = {"r", "", "c"};
enum { ORDER_COUNT = 3 };

static const char *expand(struct filling *f, const char *template, const struct holes *holes) {
  static const char MARKS[] = "%&@?";
  struct text text = text_new();
  for (const char *c = template; *c; c++) {
    const char *mark = strchr(MARKS, *c);
    if (*c == '$')
      fputc(holes->scope, text.out);
    else if (mark)
      fputs(holes->orders[mark - MARKS], text.out);
    else
      fputc(*c, text.out);
  }
  return text_keep(&text, f->arena);
}

/* One program of a shape with each combination of orders at its marks, in each
 * placement; where there are several shapes they take turns. */
static void add_orders(struct filling *f, const char *const (*shapes)[2], unsigned marks, char scope,
                       const char *const *places) {
  unsigned count = 1;
  for (unsigned i = 0; i < marks; i++) count *= ORDER_COUNT;
  for (unsigned n = 0; n < count; n++) {
    struct holes holes = {scope, {"", "", "", ""}};
    for (unsigned i = marks, rest = n; i-- > 0; rest /= ORDER_COUNT) holes.orders[i] = ORDERS[rest % ORDER_COUNT];
    for (unsigned g = 0; places[g]; g++)
      for (unsigned k = 0; shapes[k][0]; k++) add(f, shapes[k][0], places[g], expand(f, shapes[k][1], &holes));
  }
}

/* At work-group scope in one work-group, at device scope in all placements. */
static const struct {
  char scope;
  const char *pairs[3], *triples[5], *quadruples[5];
} SCOPES[] = {
    {'w', {"0,0"}, {"0,0,0"}, {"0,0,0,0"}},
    {'d', {"0,0", "0,1"}, {"0,0,0", "0,0,1", "0,1,1", "0,1,2"}, {"0,0,0,0", "0,0,1,1", "0,1,0,1", "0,1,2,3"}}};
enum { SCOPE_COUNT = ARRAY_COUNT(SCOPES) };

/* Links of a chain: the end of one thread, the beginning of the next. */
struct link {
  const char *release, *acquire;
  bool first, second; /* with all payloads as the first, the second link */
};

static const struct link LINKS[] = {
    {"W#$", "R#$ !", true, true},
    {"U#$", "R#$ !", true, true},
    {"W#$", "U#$ !", false, true},
    {"W#$", "X#$ !", false, false},
    {"F$l W#$r", "R#$r ! F$q", true, true},
    {"W#$c", "R#$c !", false, false},
    {"F$c W#$r", "R#$r ! F$c", false, false},
    {"F$a W#$r", "R#$q !", false, false},
    {"W#$l", "C#$ =", false, false},
};
enum { LINK_COUNT = ARRAY_COUNT(LINKS) };

static const char *const PAYLOADS[][2] = {{"Wxn", "Rxn"}, {"Wxwr", "Rxwr"}, {"Wxdr", "Rxdr"},
                                          {"Wxn", "Wxn"}, {"Wxn", "Uxdr"},  {"Uxdr", "Rxn"}};
enum { PAYLOAD_COUNT = ARRAY_COUNT(PAYLOADS) };

/* `#` is the location, `$` the scope. */
static const char *link_text(struct filling *f, const char *template, char location, char scope) {
  char *text = arena_strdup(f->arena, template);
  for (char *c = text; *c; c++) *c = *c == '#' ? location : *c == '$' ? scope : *c;
  return text;
}

static void add_chain(struct filling *f, const char *groups, const char *const *payload, const char *release,
                      const char *middle, const char *acquire) {
  add(f, "chain", groups,
      arena_printf(f->arena, "%s %s | %s | %s %s", payload[0], release, middle, acquire, payload[1]));
}

static void add_links(struct filling *f, const struct link *a, const struct link *b, char s, char t) {
  static const char *const GROUPS[][6] = {
      {"0,0,0"}, {"0,0,0", "0,0,1"}, {"0,0,0", "0,1,1"}, {"0,0,0", "0,0,1", "0,1,1", "0,1,2", "0,1,0"}};
  const char *const *groups = GROUPS[(s == 'd') * 2 + (t == 'd')];
  const char *middle =
      arena_printf(f->arena, "%s %s", link_text(f, a->acquire, 'y', s), link_text(f, b->release, 'z', t));
  unsigned payloads = a->first && b->second ? PAYLOAD_COUNT : 1;
  for (unsigned p = 0; p < payloads; p++)
    for (unsigned g = 0; groups[g] && g < (p ? 4 : 5); g++)
      add_chain(f, groups[g], PAYLOADS[p], link_text(f, a->release, 'y', s), middle, link_text(f, b->acquire, 'z', t));
}

/* A device link, then a barrier. */
static void add_barrier_last(struct filling *f, const struct link *a) {
  const char *acquire = link_text(f, a->acquire, 'y', 'd');
  size_t length = strcspn(acquire, "!=");
  const char *tail = acquire[length] ? acquire + length + 1 : "";
  const char *middle =
      arena_printf(f->arena, "%.*s%s B", (int)(length - (length && acquire[length - 1] == ' ')), acquire, tail);
  add_chain(f, "0,1,1", PAYLOADS[2], link_text(f, a->release, 'y', 'd'), middle, "B");
}

static void fill_chains(struct filling *f) {
  for (unsigned a = 0; a < LINK_COUNT; a++) {
    for (const char *scope = "wd"; *scope; scope++)
      for (unsigned b = 0; b < LINK_COUNT; b++)
        for (const char *second = "wd"; *second; second++) add_links(f, &LINKS[a], &LINKS[b], *scope, *second);
    add_barrier_last(f, &LINKS[a]);
  }
  for (unsigned b = 0; b < LINK_COUNT; b++) {
    const char *middle = arena_printf(f->arena, "B %s", link_text(f, LINKS[b].release, 'z', 'd'));
    for (unsigned p = 0; p < (LINKS[b].second ? PAYLOAD_COUNT : 1); p++)
      add_chain(f, "0,0,1", PAYLOADS[p], "B", middle, link_text(f, LINKS[b].acquire, 'z', 'd'));
  }
}

static void fill_mixed(struct filling *f) {
  static const char *const FIRST[] = {"Wxwr", "Wxw", "Wxd", "Wxdr"}, *const READ[] = {"Rxwr", "Rxw", "Rxd"};
  static const char *const FLAG[] = {"Wyd", "Wydc", "Wyw"}, *const SEEN[] = {"Ryd", "Rydc", "Ryw"};
  static const char *const LAST[] = {"Rxn", "Rxd", "Rxwr"}, *const GROUPS[] = {"0,0,1", "0,0,0"};
  for (unsigned n = 0; n < 4 * 3 * 3 * 3 * 3 * 2; n++)
    add(f, "WRCm", GROUPS[n % 2],
        arena_printf(f->arena, "%s | %s ! %s | %s ! %s", FIRST[n / 162], READ[n / 54 % 3], FLAG[n / 18 % 3],
                     SEEN[n / 6 % 3], LAST[n / 2 % 3]));
}

static void fill_fenced(struct filling *f, unsigned s) {
  static const char *const TWO[] = {"r", "c"};
  for (unsigned n = 0; n < 8; n++) {
    struct holes holes = {SCOPES[s].scope, {TWO[n >> 2], TWO[n >> 1 & 1], TWO[n & 1], ""}};
    for (const char *kind = "WU"; *kind; kind++)
      for (unsigned g = 0; SCOPES[s].pairs[g]; g++)
        for (const char *fence = "lqac"; *fence; fence++)
          add(f, "SBf", SCOPES[s].pairs[g],
              expand(f, arena_printf(f->arena, "%cx$r F$%c Ry$%% | %cy$& F$%c Rx$@", *kind, *fence, *kind, *fence),
                     &holes));
  }
}

static void fill_pairs(struct filling *f) {
  static const char *const SHAPES[][2] = {{"SB", "Wx$% Ry$& | Wy$@ Rx$?"},
                                          {"LB", "Rx$% Wy$& | Ry$@ Wx$?"},
                                          {"2+2W", "Wx$% Wy$& | Wy$@ Wx$?"},
                                          {"MPa", "Wx$% Wy$& | Ry$@ Rx$?"},
                                          {"R", "Wx$% Wy$& | Wy$@ Rx$?"},
                                          {"S", "Wx$% Wy$& | Ry$@ Wx$?"},
                                          {NULL, NULL}};
  for (unsigned s = 0; s < SCOPE_COUNT; s++) {
    add_orders(f, SHAPES, 4, SCOPES[s].scope, SCOPES[s].pairs);
    fill_fenced(f, s);
  }
}

static void fill_triples(struct filling *f) {
  static const char *const SHAPES[][2] = {
      {"WRC", "Wx$% | Rx$& Wy$& | Ry$@ Rx$@"},       {"RWC", "Wx$% | Rx$& Ry$& | Wy$@ Rx$@"},
      {"ISA2", "Wx$% Wy$% | Ry$& Wz$& | Rz$@ Rx$@"}, {"Z6.0", "Wx$% Wy$% | Wy$& Rz$& | Wz$@ Rx$@"},
      {"3.SB", "Wx$% Ry$% | Wy$& Rz$& | Wz$@ Rx$@"}, {NULL, NULL}};
  static const char *const FOUR[][2] = {{"IRIW", "Wx$% | Wy$% | Rx$& Ry$& | Ry$& Rx$&"}, {NULL, NULL}};
  for (unsigned s = 0; s < SCOPE_COUNT; s++) {
    add_orders(f, SHAPES, 3, SCOPES[s].scope, SCOPES[s].triples);
    add_orders(f, FOUR, 2, SCOPES[s].scope, SCOPES[s].quadruples);
  }
}

static void fill_coherence(struct filling *f) {
  for (const char *a = "RUX"; *a; a++)
    for (const char *b = "RUX"; *b; b++) {
      const char *shapes[][2] = {{"coh", arena_printf(f->arena, "Wx$%% | %cx$%% %cx$%%", *a, *b)},
                                 {"coh", arena_printf(f->arena, "Wx$%% %cx$%% | %cx$%% Wx$%%", *b, *a)},
                                 {NULL, NULL}};
      for (unsigned s = 0; s < SCOPE_COUNT; s++) add_orders(f, shapes, 1, SCOPES[s].scope, SCOPES[s].pairs);
    }
}

static void fill_system(struct filling *f) {
  static const char *const SHAPES[][2] = {{"sys", "Wxn Wy$% | Ry$& ! Rxn"},
                                          {"sys", "Wx$% Ry$& | Wy$% Rx$&"},
                                          {"sys", "Wxn Uy$% | Uy$& ! Rxn"},
                                          {NULL, NULL}};
  add_orders(f, SHAPES, 2, 's', SCOPES[1].pairs);
}

static void fill_scopes(struct filling *f) {
  for (unsigned n = 1; n < 15; n++)
    add(f, "SBmix", "0,0",
        arena_printf(f->arena, "Wx%cc Ry%cc | Wy%cc Rx%cc", "wd"[n >> 3], "wd"[n >> 2 & 1], "wd"[n >> 1 & 1],
                     "wd"[n & 1]));
}

/* A link through local memory or a barrier, then one through global memory. */
static void add_local_chains(struct filling *f, const char *first, const char *second, bool flag) {
  add(f, "LDS3", "0,0,1", arena_printf(f->arena, "%s | %s Wzd | Rzd ! Rxn", first, second));
  add(f, "LDS3", "0,0,1", arena_printf(f->arena, "%s | %s Fdl Wzdr | Rzdr ! Fdq Rxn", first, second));
  if (flag) add(f, "LDS3", "0,0,0", arena_printf(f->arena, "%s | %s Wzw | Rzw ! Rxn", first, second));
}

static void fill_local(struct filling *f) {
  static const struct {
    const char *release, *acquire;
    const char *chains; /* the payloads with which it begins a chain, by their numbers */
  } LOCAL_LINKS[] = {{"Wyd", "Ryd !", ""},
                     {"Wyw", "Ryw !", ""},
                     {"Waw", "Raw !", ""},
                     {"Fwl Wawr", "Rawr ! Fwq", "0"},
                     {"Fdl Wydr", "Rydr ! Fdq", ""},
                     {"Fwl Wywr", "Rywr ! Fwq", ""},
                     {"B", "B", "38"},
                     {"Uaw", "Uaw !", "0"},
                     {"Fwc Wawr", "Rawr ! Fwc", "0"},
                     {"Wawc", "Rawc !", ""},
                     {"Xaw", "Caw =", "0"}};
  static const char *const LOADS[][2] = {
      {"Wxn", "Rxn"},  {"Wbn", "Rbn"}, {"Wbwr", "Rbwr"}, {"Wxdr", "Rxdr"}, {"Wbn Wxn", "Rbn Rxn"},
      {"Ubwr", "Rbn"}, {"Wbn", "Wbn"}, {"Rbn", "Wbn"},   {"Rxn", "Wxn"},   {"Wbn Rxn", "Wxn Rbn"}};
  static const char *const SHAPES[][2] = {{"LDSsb", "Waw% Rbw& | Wbw% Raw&"},
                                          {"LDSsb", "Waw% Ryw& | Wyw% Raw&"},
                                          {"LDSsb", "Waw% Ryd& | Wyd% Raw&"},
                                          {NULL, NULL}};
  for (unsigned i = 0; i < ARRAY_COUNT(LOCAL_LINKS); i++)
    for (unsigned k = 0; k < ARRAY_COUNT(LOADS); k++) {
      const char *first = arena_printf(f->arena, "%s %s", LOADS[k][0], LOCAL_LINKS[i].release);
      add(f, "LDS", "0,0", arena_printf(f->arena, "%s | %s %s", first, LOCAL_LINKS[i].acquire, LOADS[k][1]));
      if (strchr(LOCAL_LINKS[i].chains, (int)('0' + k)))
        add_local_chains(f, first, LOCAL_LINKS[i].acquire, *LOCAL_LINKS[i].release != 'B');
    }
  add_orders(f, SHAPES, 2, 'w', SCOPES[0].pairs);
}

static void fill_barriers(struct filling *f) {
  static const char *const PROGRAMS[] = {"Wxn B | B Rxn | B Rxn", "Wxn B B | B Wyd B | B B Ryd Rxn",
                                         "Wxn B | B Wxn B | B B Rxn", "Wxn Wyn B | B Uxd B | B Ryn B Rxn"};
  for (unsigned i = 0; i < 4; i++) add(f, "barrier", "0,0,0", PROGRAMS[i]);
}

/* In this order, since -ablate takes every third. */
static void fill_m3(struct filling *f) {
  fill_chains(f);
  fill_barriers(f);
  fill_pairs(f);
  fill_scopes(f);
  fill_coherence(f);
  fill_triples(f);
  fill_mixed(f);
  fill_local(f);
  fill_system(f);
}

/* Those that can show every kind of fault that programs of this size show at all. */
static void fill_guarded(struct filling *f) {
  fill_g2(f);
  fill_m3(f);
}

static const struct {
  const char *name;
  void (*fill)(struct filling *f);
} LISTS[] = {{"G2", fill_g2}, {"M3", fill_m3}, {"guarded", fill_guarded}};

bool small_list_is_first(const char *text) {
  size_t length = strcspn(text, ",");
  bool found = false;
  for (size_t i = 0; i < ARRAY_COUNT(LISTS); i++) found |= text_part_is(text, length, LISTS[i].name);
  return found;
}

bool small_list_add(struct arena *arena, struct small_list *list, const char *name) {
  struct filling f = {arena, list};
  int i = ROW_INDEX(LISTS, ARRAY_COUNT(LISTS), name, name);
  if (i >= 0) LISTS[i].fill(&f);
  return i >= 0;
}
