/* SPDX-License-Identifier: MIT */
/* Divided work: the store of parts, its files, and who does which part next.
 * One lock guards everything; parts are large enough for that. */
#include "checker/base/parts.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checker/base/escape.h"
#include "checker/base/infile.h"
#include "checker/base/out_of_memory_guard.h"
#include "checker/base/pool.h"
#include "checker/base/text.h"

static const char FIRST_LINE[] = "litscope-parts 4";

/* Texts are in pages, so that a number that is far from the others costs little. */
enum { PAGE = 1024, PAGES = 1 << 16 };

struct page {
  char *texts[PAGE]; /* in malloc's memory; NULL: not done */
  bool cut[PAGE];    /* by a limit: another run may come further */
};

struct parts {
  struct arena *arena; /* of the opener */
  struct parts_division division;
  pthread_mutex_t lock;
  struct page **pages;
  uint64_t page_end;          /* one past the last page that is there */
  uint64_t end;               /* one past the last part with a text */
  uint64_t next, total, done; /* to be claimed, of all, with a text */
  uint64_t contradicted;      /* a part with two results, PARTS_END: none */
  struct guarded guarded;
  FILE *journal;
  void (*progress)(void *context, uint64_t done, uint64_t total);
  void *progress_context;
  bool broken; /* the journal could not be written */
  bool merges, goes_on;
};

/* ---- the store ---- */

static char **text_of(const struct parts *p, uint64_t part) {
  struct page *page = part < (uint64_t)PAGE * PAGES ? p->pages[part / PAGE] : NULL;
  return page ? &page->texts[part % PAGE] : NULL;
}

static bool is_cut(const struct parts *p, uint64_t part) {
  return p->pages[part / PAGE]->cut[part % PAGE];
}

/* Times are the only numbers with a point, and no result. */
static const char *skip_time(const char *at) {
  const char *end = at + strspn(at, "0123456789");
  if (end == at || *end != '.' || !isdigit((unsigned char)end[1])) return at;
  return end + 1 + strspn(end + 1, "0123456789");
}

static bool say_the_same(const char *a, const char *b) {
  for (;;) {
    const char *past_a = skip_time(a), *past_b = skip_time(b);
    if (past_a > a && past_b > b) {
      a = past_a;
      b = past_b;
    } else if (*a != *b) {
      return false;
    } else if (!*a) {
      return true;
    } else if (isdigit((unsigned char)*a)) { /* a whole number, or that and then something else */
      size_t length = strspn(a, "0123456789");
      if (strncmp(a, b, length) != 0) return false;
      a += length;
      b += length;
    } else {
      a++;
      b++;
    }
  }
}

/* Keeps a copy: of a result that is whole the first, else the last.  false: memory is out. */
static bool keep(struct parts *p, uint64_t part, const char *text, bool cut) {
  assert(part < (uint64_t)PAGE * PAGES);
  struct page **page = &p->pages[part / PAGE];
  if (!*page && !(*page = calloc(1, sizeof **page))) return false;
  if (part / PAGE >= p->page_end) p->page_end = part / PAGE + 1;
  char **place = &(*page)->texts[part % PAGE];
  bool *was_cut = &(*page)->cut[part % PAGE];
  if (*place && !*was_cut) {
    if (!cut && p->contradicted == PARTS_END && !say_the_same(*place, text)) p->contradicted = part;
    return true;
  }
  char *copy = strdup(text);
  if (!copy) return false;
  p->done += *place == NULL;
  free(*place);
  *place = copy;
  *was_cut = cut;
  if (part >= p->end) p->end = part + 1;
  return true;
}

/* ---- lines: a word, a checksum of it and of the rest, the rest ---- */

/* What it guards against is damage, and a line cut short. */
static uint32_t checksum(const char *word, const char *rest) {
  return text_hash(text_hash(TEXT_HASH, word), rest);
}

static void write_line(const char *word, const char *rest, FILE *out) {
  fprintf(out, "%s %08" PRIx32 " %s\n", word, checksum(word, rest), rest);
}

static void write_total(uint64_t total, FILE *out) {
  char text[24];
  snprintf(text, sizeof text, "%" PRIu64, total);
  write_line("of", text, out);
}

static const char *const ESCAPED[] = {"\n\\n", "\\\\\\", NULL};

/* The checksum goes on over what is written; `out` NULL: that alone. */
static uint32_t write_escaped(uint32_t before, const char *text, FILE *out) {
  for (; *text; text++) {
    const char *two = *text == '\n' ? "\\n" : *text == '\\' ? "\\\\" : (char[]){*text, '\0'};
    before = text_hash(before, two);
    if (out) fputs(two, out);
  }
  return before;
}

static void write_part(uint64_t part, const char *text, bool cut, FILE *out) {
  const char *word = cut ? "cut" : "part";
  char number[24];
  snprintf(number, sizeof number, "%" PRIu64 " ", part);
  fprintf(out, "%s %08" PRIx32 " %s", word, write_escaped(checksum(word, number), text, NULL), number);
  write_escaped(0, text, out);
  fputc('\n', out);
}

static void write_head(const struct parts *p, FILE *out) {
  fprintf(out, "%s\n", FIRST_LINE);
  write_line("version", p->division.version, out);
  write_line("command", p->division.command, out);
  write_line("files", p->division.files, out);
}

/* ---- reading ---- */

/* One file being read, line by line. */
struct lines {
  FILE *in;
  const char *path;
  char *line;
  size_t room;
  long good;                       /* where the last line with an end ended */
  unsigned number, damaged, first; /* lines read, those that are damaged, the first of them */
};

/* The first line says what the file is; what is something else may have no lines, nor an end. */
static bool take_first_line(struct lines *lines) {
  char first[sizeof FIRST_LINE];
  lines->number = 1;
  return fread(first, 1, sizeof first, lines->in) == sizeof first && first[sizeof first - 1] == '\n' &&
         !memcmp(first, FIRST_LINE, sizeof first - 1);
}

/* The next line that has an end, without it; NULL: there is none. */
static char *next_line(struct lines *lines) {
  errno = 0;
  ssize_t length = getline(&lines->line, &lines->room, lines->in);
  if (length < 0 && errno == ENOMEM) guard_out_of_memory();
  if (length <= 0 || lines->line[length - 1] != '\n') return NULL;
  lines->number++;
  lines->good = ftell(lines->in);
  lines->line[length - 1] = '\0';
  if (strlen(lines->line) + 1 < (size_t)length) *lines->line = '\0'; /* a zero byte is damage */
  return lines->line;
}

/* The rest of a line with this word and the right checksum; NULL: it is another, or damaged. */
static char *rest_of(char *line, const char *word) {
  size_t length = strlen(word);
  if (strncmp(line, word, length) != 0 || line[length] != ' ') return NULL;
  char *sum = line + length + 1, *end;
  unsigned long read = strtoul(sum, &end, 16);
  return end == sum + 8 && *end == ' ' && read == checksum(word, end + 1) ? end + 1 : NULL;
}

static bool take_total(struct parts *p, const char *rest, const struct lines *lines, struct diags *diags) {
  uint64_t total = strtoull(rest, NULL, 10);
  if (p->total == PARTS_UNKNOWN || p->total == total) {
    p->total = total;
    return true;
  }
  return diag_fail(diags, "%s:%u: there are %" PRIu64 " parts here, and %" PRIu64 " elsewhere", lines->path,
                   lines->number, total, p->total);
}

/* A run that goes on with a journal does again what a limit has cut. */
static bool take_part(struct parts *p, char *rest, bool cut, struct lines *lines, struct diags *diags) {
  char *text;
  uint64_t part = strtoull(rest, &text, 10);
  if (*text != ' ' || part >= (uint64_t)PAGE * PAGES || !take_replaced(&(char *){text + 1}, '\0', ESCAPED)) {
    lines->first = lines->damaged++ ? lines->first : lines->number;
    return true;
  }
  if (cut && !p->merges) return true;
  if (!keep(p, part, text + 1, cut)) guard_out_of_memory();
  if (p->contradicted == PARTS_END) return true;
  return diag_fail(diags, "%s:%u: this result of part %" PRIu64 " contradicts another one of it", lines->path,
                   lines->number, part);
}

static bool take_line(struct parts *p, char *line, struct lines *lines, struct diags *diags) {
  char *rest;
  if ((rest = rest_of(line, "of"))) return take_total(p, rest, lines, diags);
  if ((rest = rest_of(line, "part"))) return take_part(p, rest, false, lines, diags);
  if ((rest = rest_of(line, "cut"))) return take_part(p, rest, true, lines, diags);
  lines->first = lines->damaged++ ? lines->first : lines->number;
  return true;
}

/* What the parts of a file are of. */
struct head {
  const char *version, *command, *files;
};

static const char *head_line(struct arena *arena, struct lines *lines, const char *word) {
  char *line = next_line(lines), *rest = line ? rest_of(line, word) : NULL;
  return rest ? arena_strdup(arena, rest) : NULL;
}

static bool read_head(struct arena *arena, struct lines *lines, struct head *head, struct diags *diags) {
  if (!take_first_line(lines))
    return diag_fail(diags, "%s: this is not a file of parts, as -shard and -journal write them", lines->path);
  head->version = head_line(arena, lines, "version");
  head->command = head->version ? head_line(arena, lines, "command") : NULL;
  head->files = head->command ? head_line(arena, lines, "files") : NULL;
  if (!head->files)
    diag_fail(diags, "%s:%u: this line, which says what the parts are of, is damaged", lines->path, lines->number);
  return head->files != NULL;
}

static bool is_ours(const struct parts *p, const struct head *head, const char *path, struct diags *diags) {
  const struct parts_division *own = &p->division;
  if (strcmp(own->version, head->version) != 0)
    diag_fail(diags, "%s: this was written by litscope %s, whose answers may differ", path, head->version);
  else if (strcmp(own->command, head->command) != 0)
    diag_fail(diags, "%s: this belongs to another command: %s", path, head->command);
  else if (strcmp(own->files, head->files) != 0)
    diag_fail(diags,
              "%s: a test, a model, the compiler or another file of the command has been changed since this was "
              "written",
              path);
  else
    return true;
  return false;
}

static bool read_lines(struct parts *p, struct lines *lines, struct diags *diags) {
  struct head head;
  if (!read_head(p->arena, lines, &head, diags) || !is_ours(p, &head, lines->path, diags)) return false;
  for (char *line; (line = next_line(lines));)
    if (!take_line(p, line, lines, diags)) return false;
  if (lines->damaged)
    diag_warning(diags, NULL, (struct span){0}, "%s:%u: this line is damaged%s: what it says of a part does not count",
                 lines->path, lines->first, lines->damaged > 1 ? ", and others are" : "");
  return true;
}

bool parts_read(struct parts *p, const char *path, struct diags *diags) {
  struct lines lines = {.in = infile_open(path), .path = path};
  if (!lines.in) return diag_fail(diags, "%s: %s", path, infile_reason());
  bool good = read_lines(p, &lines, diags);
  fclose(lines.in);
  free(lines.line);
  return good;
}

const char *parts_command(struct arena *arena, const char *path, struct diags *diags) {
  struct lines lines = {.in = infile_open(path), .path = path};
  if (!lines.in) {
    diag_fail(diags, "%s: %s", path, infile_reason());
    return NULL;
  }
  struct head head = {0};
  bool good = read_head(arena, &lines, &head, diags);
  fclose(lines.in);
  free(lines.line);
  return good ? head.command : NULL;
}

/* ---- the journal ---- */

/* What is there is read, and what was cut short is dropped. */
static bool resume(struct parts *p, const char *path, struct diags *diags) {
  struct lines lines = {.in = p->journal, .path = path};
  fseek(p->journal, 0, SEEK_END);
  bool fresh = ftell(p->journal) == 0;
  rewind(p->journal);
  bool good = fresh || read_lines(p, &lines, diags);
  free(lines.line);
  if (!good) return false;
  if (fresh)
    write_head(p, p->journal);
  else
    fseek(p->journal, lines.good, SEEK_SET);
  if (!fflush(p->journal) && !ftruncate(fileno(p->journal), ftell(p->journal))) return true;
  return diag_fail(diags, "%s: %s", path, strerror(errno));
}

static bool open_journal(struct parts *p, struct diags *diags) {
  const char *path = p->division.journal;
  if (!path) return true;
  struct stat status;
  if (stat(path, &status) == 0 && S_ISFIFO(status.st_mode))
    return diag_fail(diags, "%s: a journal cannot be a pipe, since it is read and then written", path);
  FILE *made = fopen(path, "a");
  if (made) fclose(made);
  p->journal = made ? fopen(path, "r+") : NULL;
  if (!p->journal) return diag_fail(diags, "%s: %s", path, strerror(errno));
  if (flock(fileno(p->journal), LOCK_EX | LOCK_NB))
    return diag_fail(diags, "%s: another run writes this journal", path);
  return resume(p, path, diags);
}

static void free_pages(void *object) {
  struct parts *p = object;
  for (uint64_t i = 0; i < p->page_end; i++) {
    for (unsigned k = 0; p->pages[i] && k < PAGE; k++) free(p->pages[i]->texts[k]);
    free(p->pages[i]);
  }
  free(p->pages);
}

struct parts *parts_open(struct arena *arena, const struct parts_division *division, struct diags *diags) {
  struct parts *p = ARENA_MAKE(arena, struct parts, .arena = arena, .division = *division, .total = PARTS_UNKNOWN,
                               .contradicted = PARTS_END);
  p->pages = guard_must(calloc(PAGES, sizeof *p->pages));
  guard_own(&p->guarded, free_pages, p);
  pthread_mutex_init(&p->lock, NULL);
  if (open_journal(p, diags)) return p;
  parts_close(p, diags);
  return NULL;
}

bool parts_close(struct parts *p, struct diags *diags) {
  bool good = !p->broken;
  if (p->journal) good &= fclose(p->journal) == 0;
  if (!good) diag_fail(diags, "%s: the journal could not be written", p->division.journal);
  guard_disown(&p->guarded);
  free_pages(p);
  pthread_mutex_destroy(&p->lock);
  return good;
}

/* ---- who does what ---- */

void parts_watch(struct parts *p, void (*progress)(void *context, uint64_t done, uint64_t total), void *context) {
  p->progress = progress;
  p->progress_context = context;
}

void parts_only_merge(struct parts *p) {
  p->merges = true;
}

void parts_go_on(struct parts *p) {
  p->goes_on = true;
}

static bool is_mine(const struct parts *p, uint64_t part) {
  char *const *text = text_of(p, part);
  if (text && *text) return false;
  return !p->division.shards || part % p->division.shards == p->division.shard - 1;
}

bool parts_claim_here(struct parts *p, uint64_t *part) {
  pthread_mutex_lock(&p->lock);
  bool some = !p->merges;
  while (some) {
    *part = p->next++;
    some = p->total == PARTS_UNKNOWN || *part < p->total;
    if (some && is_mine(p, *part)) break;
  }
  pthread_mutex_unlock(&p->lock);
  return some;
}

bool parts_claim(struct parts *p, uint64_t *part) {
  const struct parts_team *team = p->division.team;
  guard_met_limit(); /* by work before this */
  return team && !p->merges ? team->claim(team->context, part) : parts_claim_here(p, part);
}

void parts_hand_in_here(struct parts *p, uint64_t part, const char *text, bool cut) {
  pthread_mutex_lock(&p->lock);
  char *const *old = text_of(p, part);
  bool news = !old || !*old || is_cut(p, part), kept = keep(p, part, text, cut);
  if (news && kept && p->journal) {
    write_part(part, text, cut, p->journal);
    p->broken |= fflush(p->journal) != 0;
  }
  if (p->progress && kept) p->progress(p->progress_context, p->done, p->total);
  pthread_mutex_unlock(&p->lock);
  if (!kept) guard_out_of_memory();
}

void parts_write_counts(FILE *out, const uint64_t *counts, size_t count, double seconds) {
  for (size_t i = 0; i < count; i++) fprintf(out, "%" PRIu64 " ", counts[i]);
  fprintf(out, "%.6f", seconds);
}

const char *parts_read_counts(const char *text, uint64_t *counts, size_t count, double *seconds) {
  char *end;
  for (size_t i = 0; i < count; i++, text = end) {
    counts[i] = strtoull(text, &end, 10);
    if (end == text) return NULL;
  }
  *seconds = strtod(text, &end);
  return end == text ? NULL : end;
}

void parts_hand_in(struct parts *p, uint64_t part, const char *text) {
  const struct parts_team *team = p->division.team;
  bool cut = guard_met_limit();
  if (!team || !team->hand_in(team->context, part, text, cut)) parts_hand_in_here(p, part, text, cut);
}

void parts_set_total_here(struct parts *p, uint64_t total) {
  pthread_mutex_lock(&p->lock);
  if (p->journal && p->total != total) {
    write_total(total, p->journal);
    p->broken |= fflush(p->journal) != 0;
  }
  p->total = total;
  pthread_mutex_unlock(&p->lock);
}

void parts_set_total(struct parts *p, uint64_t total) {
  const struct parts_team *team = p->division.team;
  parts_set_total_here(p, total);
  if (team) team->set_total(team->context, total);
}

uint64_t parts_total(struct parts *p) {
  pthread_mutex_lock(&p->lock);
  uint64_t total = p->total;
  pthread_mutex_unlock(&p->lock);
  return total;
}

uint64_t parts_done(struct parts *p) {
  pthread_mutex_lock(&p->lock);
  uint64_t done = p->done;
  pthread_mutex_unlock(&p->lock);
  return done;
}

const char *parts_text(struct parts *p, uint64_t part) {
  char *const *text = text_of(p, part);
  return text ? *text : NULL;
}

/* ---- independent parts ---- */

struct parts_job {
  struct parts *parts;
  bool (*work)(void *context, uint64_t part, FILE *out);
  void *context;
};

static void *run_parts(void *context, size_t index) {
  const struct parts_job *job = context;
  uint64_t part;
  (void)index;
  for (bool go_on = true; go_on && parts_claim(job->parts, &part);) {
    struct text text = text_new();
    go_on = job->work(job->context, part, text.out);
    text_end(&text);
    if (!go_on) guard_note_limit();
    if (go_on || *text.at) parts_hand_in(job->parts, part, text.at);
    text_free(&text);
  }
  return NULL;
}

void parts_run(struct parts *p, unsigned workers, bool (*work)(void *context, uint64_t part, FILE *out),
               void *context) {
  struct parts_job job = {p, work, context};
  struct pool_jobs jobs = {.context = &job, .work = run_parts};
  pool_run(workers ? workers : 1, workers ? workers : 1, &jobs);
}

bool parts_complete(struct parts *p, struct diags *diags) {
  uint64_t first = 0, missing = 0;
  if (p->contradicted != PARTS_END)
    diag_fail(diags, "part %" PRIu64 " has two results that contradict each other", p->contradicted);
  if (p->total == PARTS_UNKNOWN)
    return diag_fail(diags, "parts are missing: none of the files says how many there are");
  if (!p->goes_on && p->end > p->total)
    return diag_fail(diags, "there is a part %" PRIu64 ", but the files say that there are %" PRIu64, p->end - 1,
                     p->total);
  for (uint64_t i = 0; i < p->total; i++) {
    if (parts_text(p, i)) continue;
    if (!missing++) first = i;
  }
  if (missing)
    diag_fail(diags, "%" PRIu64 " of %" PRIu64 " parts are missing, the first of them number %" PRIu64, missing,
              p->total, first);
  return !missing && p->contradicted == PARTS_END;
}

bool parts_some_cut(struct parts *p) {
  bool some = false;
  for (uint64_t i = 0; i < p->end && !some; i++) some = parts_text(p, i) && is_cut(p, i);
  return some;
}

void parts_write(struct parts *p, FILE *out) {
  write_head(p, out);
  if (p->total != PARTS_UNKNOWN) write_total(p->total, out);
  for (uint64_t i = 0; i < p->end; i++)
    if (parts_text(p, i)) write_part(i, parts_text(p, i), is_cut(p, i), out);
}
