/* SPDX-License-Identifier: MIT */
/* Where threads are: both spellings of the scope tree, one result.
 *
 *   place = "@" level number { "," level number }          after a thread's name
 *   level = "wi" | "sg" | "wg" | "qf" | "dev" | ...
 *   tree  = "scopeTree" { node }                           after the threads
 *   node  = "(" word { node | thread } ")" | thread
 *
 * A tree's words are OpenCL's, CUDA's, the promotion paper's or HSAIL's, all of
 * one of them; each nests in larger ones only, and levels may be left out: a
 * thread directly below a device has a work-group of its own.
 */
#include <assert.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/litmus/test_draft.h"

enum level { LEVEL_WI, LEVEL_SG, LEVEL_WG, LEVEL_KERNEL, LEVEL_QF, LEVEL_DEV, LEVEL_SYS, LEVEL_TOP };

/* Whose words they are: a set, as many are of several. */
enum spelling { OPENCL = 1, CUDA = 2, PAPER = 4, HSAIL = 8, VULKAN = 16, ANY = 31 };

static const struct level_word {
  const char *text;
  enum level level;
  unsigned spellings;
} level_words[] = {
    {"device", LEVEL_DEV, OPENCL | CUDA},
    {"dev", LEVEL_DEV, OPENCL | CUDA},
    {"component", LEVEL_DEV, PAPER},
    {"cmp", LEVEL_DEV, PAPER},
    {"agent", LEVEL_DEV, PAPER | HSAIL},
    {"gpu", LEVEL_DEV, CUDA},
    {"qf", LEVEL_QF, VULKAN},
    {"cluster", LEVEL_QF, CUDA},
    {"kernel", LEVEL_KERNEL, OPENCL | CUDA},
    {"grid", LEVEL_KERNEL, CUDA},
    {"work_group", LEVEL_WG, OPENCL},
    {"workgroup", LEVEL_WG, OPENCL | HSAIL},
    {"wg", LEVEL_WG, OPENCL | PAPER | HSAIL | VULKAN},
    {"cta", LEVEL_WG, CUDA},
    {"block", LEVEL_WG, CUDA},
    {"sub_group", LEVEL_SG, OPENCL},
    {"subgroup", LEVEL_SG, OPENCL},
    {"sg", LEVEL_SG, OPENCL | VULKAN},
    {"warp", LEVEL_SG, CUDA},
    {"wv", LEVEL_SG, PAPER},
    {"wave", LEVEL_SG, HSAIL},
    {"wavefront", LEVEL_SG, HSAIL},
    {"work_item", LEVEL_WI, OPENCL},
    {"workitem", LEVEL_WI, OPENCL | HSAIL},
    {"wi", LEVEL_WI, ANY},
    {"thread", LEVEL_WI, CUDA},
    {"system", LEVEL_SYS, ANY},
    {"sys", LEVEL_SYS, ANY},
};
enum { LEVEL_WORDS = ARRAY_COUNT(level_words) };

/* The only spelling of the set, or that of the first of several. */
static const char *spelling_name(unsigned spellings) {
  if (spellings == (PAPER | HSAIL)) return "HSA's";
  if (spellings & OPENCL) return "OpenCL's";
  if (spellings & CUDA) return "CUDA's";
  if (spellings & PAPER) return "the promotion paper's";
  return spellings & HSAIL ? "HSAIL's" : "Vulkan's";
}

static const char *respell(enum level level, unsigned spellings) {
  for (int i = 0; i < LEVEL_WORDS; i++)
    if (level_words[i].level == level && level_words[i].spellings & spellings) return level_words[i].text;
  return NULL;
}

static const char *level_name(enum level level) {
  static const char *const names[] = {"work-item",    "sub-group", "work-group", "kernel",
                                      "queue family", "device",    "system",     "tree"};
  return names[level];
}

static const struct level_word *parse_level(struct draft *draft) {
  struct reader *reader = &draft->reader;
  const struct token *token = reader->token;
  const char *name = reader_take_name(reader, "a scope such as work_group or device");
  const struct level_word *found = FIND_ROW(level_words, LEVEL_WORDS, text, name);
  if (!found)
    reader_fail(reader, token->span, "unknown scope '%s'%s", name,
                reader_hint(reader, name, ROW_TEXTS(reader->arena, level_words, LEVEL_WORDS, text)));
  return reader->failed ? NULL : found;
}

static unsigned level_of(const char *text) {
  return level_words[ROW_INDEX(level_words, LEVEL_WORDS, text, text)].level;
}

/* Languages that name levels have all of them in every head, and no others. */
static void check_places(struct draft *draft, unsigned seen, struct span span) {
  unsigned all = 0;
  const char *example = "";
  for (const char *const *word = draft->dialect->places; *word; word++) {
    all |= 1u << level_of(*word);
    example = arena_printf(draft->reader.arena, "%s%s%s 0", example, *example ? ", " : "", *word);
  }
  if (draft->dialect->clusters) seen &= ~(1u << LEVEL_QF | 1u << LEVEL_KERNEL);
  if (seen != all)
    reader_fail(&draft->reader, span, "a thread of a %s test has a place such as @%s", draft->dialect->name, example);
}

/* --- placement after the thread's name ----------------------------------------------- */

void draft_parse_place(struct draft *draft, struct draft_thread *thread) {
  struct reader *reader = &draft->reader;
  const struct token *first = reader->token;
  if (!reader_skip(reader, "@")) {
    if (draft->dialect->places) check_places(draft, 0, thread->span);
    return;
  }
  unsigned cluster = draft->dialect->clusters ? NO_PLACE : 0;
  thread->place = (struct placement){.given = true, .sg = NO_PLACE, .wg = NO_PLACE, .qf = cluster, .dev = 0};
  draft->placed = true;
  unsigned seen = 0;
  do {
    const struct token *word = reader->token;
    const struct level_word *found = parse_level(draft);
    if (!found) return;
    enum level level = found->level;
    const struct token *number = reader->token;
    int64_t value = reader_take_number(reader, "the number of a scope instance");
    if (value < 0 || value >= 1000000)
      reader_fail(reader, number->span, "expected the number of a scope instance, from 0 to 999999");
    if (seen & 1u << level) reader_fail(reader, word->span, "the %s is given twice", level_name(level));
    seen |= 1u << level;
    if (level == LEVEL_SG) thread->place.sg = (unsigned)value;
    if (level == LEVEL_WG) thread->place.wg = (unsigned)value;
    if (level == LEVEL_QF) thread->place.qf = (unsigned)value;
    if (level == LEVEL_DEV) thread->place.dev = (unsigned)value;
    if (level == LEVEL_KERNEL) thread->place.grid = (unsigned)value;
  } while (reader_skip(reader, ","));
  if (draft->dialect->places)
    check_places(draft, seen, reader_span_from(reader, first));
  else if (!(seen & 1u << LEVEL_WG))
    reader_fail(reader, reader_span_from(reader, first), "the placement names no work-group (wg)");
}

/* --- the tree after the threads ------------------------------------------------------- */

/* Instances that the walk is inside of, and how many there have been. */
struct walk {
  unsigned sg, wg, qf, dev; /* qf 0: in no cluster */
  unsigned sgs, wgs, qfs, devs;
  unsigned inside;                /* set of levels */
  unsigned spellings;             /* those that have all words so far */
  const struct level_word *first; /* the word that left no more than these */
  bool unnamed;                   /* device `unnamed_dev` holds what the tree puts into none */
  unsigned unnamed_dev;
};

static struct draft_thread *find_thread(struct draft *draft, unsigned number) {
  for (size_t i = 0; i < draft->threads.count; i++)
    if (draft->threads.at[i].number == number) return &draft->threads.at[i];
  return NULL;
}

static bool is_inside(const struct walk *walk, enum level level) {
  return walk->inside >> level & 1;
}

static void enter_device(struct walk *walk, bool named) {
  if (!named && !walk->unnamed) {
    walk->unnamed = true;
    walk->unnamed_dev = walk->devs++;
  }
  walk->dev = named ? walk->devs++ : walk->unnamed_dev;
  walk->inside |= 1u << LEVEL_DEV;
}

/* A level that the tree leaves out has an instance of its own around what is
 * entered, except that there is one device for all that are outside of any. */
static void enter(struct walk *walk, enum level level) {
  if (level == LEVEL_DEV || (level < LEVEL_DEV && !is_inside(walk, LEVEL_DEV))) enter_device(walk, level == LEVEL_DEV);
  if (level == LEVEL_QF) walk->qf = ++walk->qfs;
  if (level == LEVEL_WG || (level < LEVEL_WG && !is_inside(walk, LEVEL_WG))) walk->wg = walk->wgs++;
  if (level == LEVEL_SG || (level < LEVEL_SG && !is_inside(walk, LEVEL_SG))) walk->sg = walk->sgs++;
  for (int above = (int)level; above <= LEVEL_WG; above++) walk->inside |= 1u << above;
  walk->inside |= 1u << level;
}

static void parse_leaf(struct draft *draft, struct walk *walk) {
  struct reader *reader = &draft->reader;
  const struct token *token = reader->token;
  unsigned number;
  if (!draft_is_thread_name(token, &number)) {
    reader_fail_expected(reader, "')', '(' or a thread such as P0");
    return;
  }
  reader_take(reader);
  struct draft_thread *thread = find_thread(draft, number);
  if (!thread) {
    reader_fail(reader, token->span, "the scope tree has P%u, but there is no such thread", number);
    return;
  }
  if (thread->place.given) reader_fail(reader, token->span, "P%u is placed twice", number);
  unsigned outside = walk->inside;
  enter(walk, LEVEL_WI);
  unsigned qf = is_inside(walk, LEVEL_QF) ? walk->qf : 0;
  thread->place = (struct placement){.given = true, .sg = walk->sg, .wg = walk->wg, .qf = qf, .dev = walk->dev};
  walk->inside = outside;
}

static void check_spelling(struct reader *reader, struct walk *walk, const struct level_word *word, struct span span) {
  if (!(walk->spellings & word->spellings)) {
    assert(walk->first); /* the spellings that are left are those of the words before */
    const char *other = respell(word->level, walk->spellings);
    reader_fail(reader, span, "the scope tree mixes spellings: '%s' is %s, '%s' is %s%s", walk->first->text,
                spelling_name(walk->spellings), word->text, spelling_name(word->spellings),
                suggest_hint(reader->arena, other));
  }
  if ((walk->spellings & word->spellings) != walk->spellings) walk->first = word;
  walk->spellings &= word->spellings;
}

/* Levels fall on the way down, so the recursion is at most six deep. */
static void parse_node(struct draft *draft, struct walk *walk, enum level above) {
  struct reader *reader = &draft->reader;
  if (!reader_skip(reader, "(")) {
    parse_leaf(draft, walk);
    return;
  }
  const struct token *word = reader->token;
  const struct level_word *found = parse_level(draft);
  if (!found) return;
  enum level level = found->level;
  check_spelling(reader, walk, found, word->span);
  if (level >= above)
    reader_fail(reader, word->span, "a %s cannot lie inside a %s", level_name(level), level_name(above));
  unsigned outside = walk->inside;
  enter(walk, level);
  for (unsigned parts = 0; !reader->failed && !reader_is(reader, ")"); parts++) {
    if (parts && level == LEVEL_WI) reader_fail(reader, reader->token->span, "a work-item is one thread");
    parse_node(draft, walk, level);
  }
  walk->inside = outside;
  reader_expect(reader, ")", "in the scope tree");
}

bool draft_at_scope_tree(const struct draft *draft) {
  const struct reader *reader = &draft->reader;
  return reader_is(reader, "scopeTree") || reader_is(reader, "ScopeTree") || reader_is(reader, "scopetree");
}

void draft_parse_scope_tree(struct draft *draft) {
  struct reader *reader = &draft->reader;
  const struct token *first = reader_take(reader);
  if (draft->placed) {
    reader_fail(reader, first->span, "the threads are placed already, by '@' after their names");
    return;
  }
  if (!draft->dialect->scoped) reader_fail(reader, first->span, "C has no scopes: threads have no place");
  draft->placed = draft->tree = true;
  struct walk walk = {.spellings = ANY};
  if (!reader_is(reader, "(")) reader_fail_expected(reader, "'(' after scopeTree");
  while (reader_is(reader, "(")) parse_node(draft, &walk, LEVEL_TOP);
}

/* --- instance numbers ------------------------------------------------------------------ */

static void place_apart(struct draft *draft) {
  for (unsigned i = 0; i < draft->threads.count; i++)
    draft->threads.at[i].place = (struct placement){.sg = i, .wg = i, .dev = 0};
}

/* A number after `@` counts within the instance above it. */
static bool same_instance(const struct placement *a, const struct placement *b, enum level level) {
  return a->dev == b->dev && (level >= LEVEL_DEV || a->qf == b->qf) && (level >= LEVEL_QF || a->wg == b->wg) &&
         (level >= LEVEL_WG || (a->sg == b->sg && a->sg != NO_PLACE));
}

static unsigned number_of(const struct placement *written, struct draft_thread *threads, size_t i, enum level level,
                          unsigned *count) {
  for (size_t j = 0; j < i; j++)
    if (same_instance(&written[i], &written[j], level))
      return level == LEVEL_DEV  ? threads[j].place.dev
             : level == LEVEL_QF ? threads[j].place.qf
             : level == LEVEL_WG ? threads[j].place.wg
                                 : threads[j].place.sg;
  return (*count)++;
}

static void number_instances(struct draft *draft) {
  size_t count = draft->threads.count;
  struct draft_thread *threads = draft->threads.at;
  struct placement *written = ARENA_ARRAY(draft->reader.arena, struct placement, count);
  for (size_t i = 0; i < count; i++) written[i] = threads[i].place;
  unsigned sgs = 0, wgs = 0, qfs = 0, devs = 0;
  for (size_t i = 0; i < count; i++) {
    threads[i].place.dev = number_of(written, threads, i, LEVEL_DEV, &devs);
    threads[i].place.qf = number_of(written, threads, i, LEVEL_QF, &qfs);
    threads[i].place.wg = number_of(written, threads, i, LEVEL_WG, &wgs);
    threads[i].place.sg = number_of(written, threads, i, LEVEL_SG, &sgs);
  }
}

void draft_resolve_places(struct draft *draft) {
  for (size_t i = 0; draft->placed && i < draft->threads.count; i++)
    if (!draft->threads.at[i].place.given) {
      const struct draft_thread *thread = &draft->threads.at[i];
      reader_fail(&draft->reader, thread->span,
                  draft->tree ? "%s has no place in the scope tree"
                              : "%s has no place, though other threads have one; write it as in @wg 0, dev 0",
                  thread->name);
      return;
    }
  if (!draft->placed) place_apart(draft);
  number_instances(draft);
}
