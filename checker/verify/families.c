/* SPDX-License-Identifier: MIT */
/* Families, generated in a fixed order. */
#include "checker/verify/families.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/verify/notation.h"
#include "checker/verify/small_family.h"

struct filling {
  struct arena *arena;
  struct family *family;
};

static void add(struct filling *f, const char *kind, const char *groups, const char *text) {
  *vec_push(f->arena, f->family) = (struct family_program){kind, groups, text};
}

static unsigned size_of(const struct family_program *program) {
  unsigned size = 0;
  for (const char *c = program->text; *c; c++) size += isupper((unsigned char)*c) != 0;
  return size;
}

int family_compare(const struct family_program *a, const struct family_program *b) {
  unsigned x = size_of(a), y = size_of(b);
  return x != y ? (x < y ? -1 : 1) : strcmp(a->text, b->text);
}

/* ---- 2x2 ---- */

static bool has_remote(const struct small_program *p) {
  for (unsigned t = 0; t < p->threads; t++)
    for (unsigned i = 0; i < p->count[t]; i++)
      if (strchr("DS", p->ops[t][i].scope)) return true;
  return false;
}

static bool add_small(void *context, const struct small_program *p) {
  static const char LOCATIONS[] = "xyzuvw";
  struct filling *f = context;
  struct text text;
  if (has_remote(p)) return true;
  text_open(&text);
  for (unsigned t = 0; t < p->threads; t++) {
    if (t) fputs(" | ", text.out);
    for (unsigned i = 0; i < p->count[t]; i++)
      fprintf(text.out, "%s%c%c%c", i ? " " : "", p->ops[t][i].kind, LOCATIONS[p->ops[t][i].location],
              p->ops[t][i].scope);
  }
  add(f, NULL, p->wg[0] == p->wg[1] ? "0,0" : "0,1", text_keep(&text, f->arena));
  return true;
}

static void fill_2x2(struct filling *f) {
  struct small_family family = {.threads = 2, .ops = 2, .devices = 1};
  small_generate(&family, add_small, f);
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
  struct text text;
  text_open(&text);
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

static void add_expanded(struct filling *f, const char *kind, const char *groups, const char *template, char scope,
                         const char *a, const char *b, const char *c, const char *d) {
  struct holes holes = {scope, {a, b, c, d}};
  add(f, kind, groups, expand(f, template, &holes));
}

/* At work-group scope in one work-group, at device scope in all placements. */
struct placement {
  char scope;
  const char *groups;
};

static const struct placement PAIRS[] = {{'w', "0,0"}, {'d', "0,0"}, {'d', "0,1"}, {0, NULL}};
static const struct placement TRIPLES[] = {{'w', "0,0,0"}, {'d', "0,0,0"}, {'d', "0,0,1"},
                                           {'d', "0,1,1"}, {'d', "0,1,2"}, {0, NULL}};
static const struct placement QUADRUPLES[] = {{'w', "0,0,0,0"}, {'d', "0,0,0,0"}, {'d', "0,0,1,1"},
                                              {'d', "0,1,0,1"}, {'d', "0,1,2,3"}, {0, NULL}};

/* Every order at each of up to four marks. */
static void add_orders(struct filling *f, const char *kind, const char *template, unsigned marks,
                       const struct placement *places) {
  unsigned count = 1;
  for (unsigned i = 0; i < marks; i++) count *= ORDER_COUNT;
  for (; places->groups; places++) {
    for (unsigned n = 0; n < count; n++) {
      const char *o[4] = {"", "", "", ""};
      for (unsigned i = 0, rest = n; i < marks; i++, rest /= ORDER_COUNT) o[i] = ORDERS[rest % ORDER_COUNT];
      add_expanded(f, kind, places->groups, template, places->scope, o[0], o[1], o[2], o[3]);
    }
  }
}

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
enum { LINK_COUNT = sizeof LINKS / sizeof *LINKS };

static const char *const PAYLOADS[][2] = {{"Wxn", "Rxn"}, {"Wxwr", "Rxwr"}, {"Wxdr", "Rxdr"},
                                          {"Wxn", "Wxn"}, {"Wxn", "Uxdr"},  {"Uxdr", "Rxn"}};
enum { PAYLOAD_COUNT = sizeof PAYLOADS / sizeof *PAYLOADS };

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
  for (unsigned g = 0; groups[g]; g++)
    for (unsigned p = 0; p < (g == 4 ? 1 : payloads); p++)
      add_chain(f, groups[g], PAYLOADS[p], link_text(f, a->release, 'y', s), middle, link_text(f, b->acquire, 'z', t));
}

static void fill_chains(struct filling *f) {
  for (unsigned a = 0; a < LINK_COUNT; a++)
    for (unsigned b = 0; b < LINK_COUNT; b++)
      for (unsigned n = 0; n < 4; n++) add_links(f, &LINKS[a], &LINKS[b], "wd"[n / 2], "wd"[n % 2]);
  for (unsigned b = 0; b < LINK_COUNT; b++) {
    const char *middle = arena_printf(f->arena, "B %s", link_text(f, LINKS[b].release, 'z', 'd'));
    for (unsigned p = 0; p < (LINKS[b].second ? PAYLOAD_COUNT : 1); p++)
      add_chain(f, "0,0,1", PAYLOADS[p], "B", middle, link_text(f, LINKS[b].acquire, 'z', 'd'));
  }
  for (unsigned a = 0; a < LINK_COUNT; a++) {
    const char *acquire = link_text(f, LINKS[a].acquire, 'y', 'd');
    size_t length = strcspn(acquire, "!=");
    const char *tail = acquire[length] ? acquire + length + 1 : "";
    const char *middle =
        arena_printf(f->arena, "%.*s%s B", (int)(length - (length && acquire[length - 1] == ' ')), acquire, tail);
    add_chain(f, "0,1,1", PAYLOADS[2], link_text(f, LINKS[a].release, 'y', 'd'), middle, "B");
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

static void fill_fenced(struct filling *f) {
  static const char *const TWO[] = {"r", "c"};
  for (const struct placement *p = PAIRS; p->groups; p++)
    for (const char *kind = "WU"; *kind; kind++)
      for (const char *fence = "lqac"; *fence; fence++)
        for (unsigned n = 0; n < 8; n++)
          add_expanded(f, "SBf", p->groups,
                       arena_printf(f->arena, "%cx$r F$%c Ry$%% | %cy$& F$%c Rx$@", *kind, *fence, *kind, *fence),
                       p->scope, TWO[n & 1], TWO[n >> 1 & 1], TWO[n >> 2], "");
}

static void fill_coherence(struct filling *f) {
  for (const char *a = "RUX"; *a; a++)
    for (const char *b = "RUX"; *b; b++) {
      const char *reads = arena_printf(f->arena, "Wx$%% | %cx$%% %cx$%%", *a, *b);
      const char *crossed = arena_printf(f->arena, "Wx$%% %cx$%% | %cx$%% Wx$%%", *b, *a);
      add_orders(f, "coh", reads, 1, PAIRS);
      add_orders(f, "coh", crossed, 1, PAIRS);
    }
}

static void fill_system(struct filling *f) {
  static const struct placement PLACES[] = {{'s', "0,0"}, {'s', "0,1"}, {0, NULL}};
  add_orders(f, "sys", "Wxn Wy$% | Ry$& ! Rxn", 2, PLACES);
  add_orders(f, "sys", "Wx$% Ry$& | Wy$% Rx$&", 2, PLACES);
  add_orders(f, "sys", "Wxn Uy$% | Uy$& ! Rxn", 2, PLACES);
}

static void fill_scopes(struct filling *f) {
  for (unsigned n = 1; n < 15; n++)
    add(f, "SBmix", "0,0",
        arena_printf(f->arena, "Wx%cc Ry%cc | Wy%cc Rx%cc", "wd"[n >> 3], "wd"[n >> 2 & 1], "wd"[n >> 1 & 1],
                     "wd"[n & 1]));
}

static void fill_local(struct filling *f) {
  static const char *const LOCAL_LINKS[][2] = {
      {"Wyd", "Ryd !"},           {"Wyw", "Ryw !"},           {"Waw", "Raw !"}, {"Fwl Wawr", "Rawr ! Fwq"},
      {"Fdl Wydr", "Rydr ! Fdq"}, {"Fwl Wywr", "Rywr ! Fwq"}, {"B", "B"},       {"Uaw", "Uaw !"},
      {"Fwc Wawr", "Rawr ! Fwc"}, {"Wawc", "Rawc !"},         {"Xaw", "Caw ="}};
  static const char *const LOADS[][2] = {
      {"Wxn", "Rxn"},  {"Wbn", "Rbn"}, {"Wbwr", "Rbwr"}, {"Wxdr", "Rxdr"}, {"Wbn Wxn", "Rbn Rxn"},
      {"Ubwr", "Rbn"}, {"Wbn", "Wbn"}, {"Rbn", "Wbn"},   {"Rxn", "Wxn"},   {"Wbn Rxn", "Wxn Rbn"}};
  for (unsigned i = 0; i < 11; i++)
    for (unsigned k = 0; k < 10; k++)
      add(f, "LDS", "0,0",
          arena_printf(f->arena, "%s %s | %s %s", LOADS[k][0], LOCAL_LINKS[i][0], LOCAL_LINKS[i][1], LOADS[k][1]));
  static const struct placement ONE[] = {{'w', "0,0"}, {0, NULL}};
  add_orders(f, "LDSsb", "Waw% Rbw& | Wbw% Raw&", 2, ONE);
  add_orders(f, "LDSsb", "Waw% Ryw& | Wyw% Raw&", 2, ONE);
  add_orders(f, "LDSsb", "Waw% Ryd& | Wyd% Raw&", 2, ONE);
}

static void fill_local_chains(struct filling *f) {
  static const char *const FIRST[][3] = {
      {"Wxn Fwl Wawr", "Rawr ! Fwq", "w"}, {"Wxdr B", "B", ""},      {"Rxn B", "B", ""}, {"Wxn Uaw", "Uaw !", "w"},
      {"Wxn Fwc Wawr", "Rawr ! Fwc", "w"}, {"Wxn Xaw", "Caw =", "w"}};
  for (unsigned i = 0; i < 6; i++) {
    add(f, "LDS3", "0,0,1", arena_printf(f->arena, "%s | %s Wzd | Rzd ! Rxn", FIRST[i][0], FIRST[i][1]));
    add(f, "LDS3", "0,0,1", arena_printf(f->arena, "%s | %s Fdl Wzdr | Rzdr ! Fdq Rxn", FIRST[i][0], FIRST[i][1]));
    if (*FIRST[i][2])
      add(f, "LDS3", "0,0,0", arena_printf(f->arena, "%s | %s Wzw | Rzw ! Rxn", FIRST[i][0], FIRST[i][1]));
  }
}

static void fill_barriers(struct filling *f) {
  static const char *const PROGRAMS[] = {"Wxn B | B Rxn | B Rxn", "Wxn B B | B Wyd B | B B Ryd Rxn",
                                         "Wxn B | B Wxn B | B B Rxn", "Wxn Wyn B | B Uxd B | B Ryn B Rxn"};
  for (unsigned i = 0; i < 4; i++) add(f, "barrier", "0,0,0", PROGRAMS[i]);
}

static void fill_m3(struct filling *f) {
  fill_chains(f);
  add_orders(f, "SB", "Wx$% Ry$& | Wy$@ Rx$?", 4, PAIRS);
  add_orders(f, "LB", "Rx$% Wy$& | Ry$@ Wx$?", 4, PAIRS);
  add_orders(f, "2+2W", "Wx$% Wy$& | Wy$@ Wx$?", 4, PAIRS);
  add_orders(f, "MPa", "Wx$% Wy$& | Ry$@ Rx$?", 4, PAIRS);
  add_orders(f, "R", "Wx$% Wy$& | Wy$@ Rx$?", 4, PAIRS);
  add_orders(f, "S", "Wx$% Wy$& | Ry$@ Wx$?", 4, PAIRS);
  fill_fenced(f);
  add_orders(f, "WRC", "Wx$% | Rx$& Wy$& | Ry$@ Rx$@", 3, TRIPLES);
  add_orders(f, "RWC", "Wx$% | Rx$& Ry$& | Wy$@ Rx$@", 3, TRIPLES);
  add_orders(f, "ISA2", "Wx$% Wy$% | Ry$& Wz$& | Rz$@ Rx$@", 3, TRIPLES);
  add_orders(f, "Z6.0", "Wx$% Wy$% | Wy$& Rz$& | Wz$@ Rx$@", 3, TRIPLES);
  add_orders(f, "3.SB", "Wx$% Ry$% | Wy$& Rz$& | Wz$@ Rx$@", 3, TRIPLES);
  add_orders(f, "IRIW", "Wx$% | Wy$% | Rx$& Ry$& | Ry$& Rx$&", 2, QUADRUPLES);
  fill_mixed(f);
  fill_scopes(f);
  fill_coherence(f);
  fill_local(f);
  fill_local_chains(f);
  fill_barriers(f);
  fill_system(f);
}

/* ---- files ---- */

static bool fill_file(struct filling *f, const char *path, struct diags *diags) {
  const struct source *source = source_read(f->arena, path, diags);
  for (size_t at = 0; source && at < source->size;) {
    size_t length = strcspn(source->text + at, "\n");
    const char *line = arena_strndup(f->arena, source->text + at, length), *tab = strchr(line, '\t'), *stop = "";
    struct span span = {(uint32_t)at, (uint32_t)length};
    at += length + 1;
    if (!*line || *line == '#') continue;
    const char *groups = tab ? arena_strndup(f->arena, line, (size_t)(tab - line)) : "";
    if (!tab || !notation_test(f->arena, tab + 1, groups, &stop)) {
      diag_error(diags, source, span,
                 "not a program of a family: expected work-groups, a tab, and operations such as Wxn Wyd "
                 "| Ryd ! Rxn%s%s",
                 *stop ? "; not understood from: " : "", stop);
      return false;
    }
    add(f, NULL, groups, tab + 1);
  }
  return source != NULL;
}

static const struct {
  const char *name;
  void (*fill)(struct filling *f);
} FAMILIES[] = {{"2x2", fill_2x2}, {"G2", fill_g2}, {"M3", fill_m3}};

bool family_known(const char *name) {
  for (size_t i = 0; i < sizeof FAMILIES / sizeof *FAMILIES; i++)
    if (!strcmp(FAMILIES[i].name, name)) return true;
  return access(name, F_OK) == 0;
}

bool family_load(struct arena *arena, const char *name, struct family *family, struct diags *diags) {
  struct filling f = {arena, family};
  *family = (struct family){.name = name};
  for (size_t i = 0; i < sizeof FAMILIES / sizeof *FAMILIES; i++) {
    if (strcmp(FAMILIES[i].name, name) != 0) continue;
    FAMILIES[i].fill(&f);
    return true;
  }
  return fill_file(&f, name, diags);
}
