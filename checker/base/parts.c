/* SPDX-License-Identifier: MIT */
/* Divided work: the store of parts, its files, and who does which part next.
 * Everything is behind one lock; parts are large enough for that. */
#include "checker/base/parts.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checker/base/guard.h"
#include "checker/base/infile.h"
#include "checker/base/pool.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"

static const char FIRST_LINE[] = "litscope-parts 2";

struct parts {
  struct arena *arena; /* of the opener; texts are in malloc's memory */
  struct parts_division division;
  pthread_mutex_t lock;
  char **texts; /* NULL: not done */
  uint64_t room, next, total, done;
  FILE *journal;
  bool broken; /* the journal could not be written */
  bool merges;
};

/* ---- lines ---- */

/* FNV-1a: what it guards against is a line cut short. */
static uint32_t checksum(uint64_t part, const char *text) {
  uint32_t hash = 2166136261u ^ (uint32_t)part;
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 16777619u;
  return hash;
}

static void write_escaped(const char *text, FILE *out) {
  for (; *text; text++) {
    if (*text == '\n')
      fputs("\\n", out);
    else if (*text == '\\')
      fputs("\\\\", out);
    else
      fputc(*text, out);
  }
}

/* In place; false: not written by write_escaped. */
static bool unescape(char *text) {
  char *to = text;
  for (const char *from = text; *from; from++) {
    if (*from != '\\') {
      *to++ = *from;
      continue;
    }
    from++;
    if (*from != 'n' && *from != '\\') return false;
    *to++ = *from == 'n' ? '\n' : '\\';
  }
  *to = '\0';
  return true;
}

static void write_part(uint64_t part, const char *text, FILE *out) {
  fprintf(out, "part %" PRIu64 " %08" PRIx32 " ", part, checksum(part, text));
  write_escaped(text, out);
  fputc('\n', out);
}

static void write_head(const struct parts *p, FILE *out) {
  fprintf(out, "%s\ncommand %s\nfiles %s\n", FIRST_LINE, p->division.command, p->division.files);
}

/* ---- the store ---- */

static bool make_room(struct parts *p, uint64_t part) {
  if (part < p->room) return true;
  uint64_t room = 2 * part + 64;
  char **texts = realloc(p->texts, room * sizeof *texts);
  if (!texts) return false;
  memset(texts + p->room, 0, (room - p->room) * sizeof *texts);
  p->texts = texts;
  p->room = room;
  return true;
}

/* Keeps a copy, the first time; false: memory is out. */
static bool keep(struct parts *p, uint64_t part, const char *text) {
  if (!make_room(p, part)) return false;
  if (p->texts[part]) return true;
  p->texts[part] = strdup(text);
  p->done += p->texts[part] != NULL;
  return p->texts[part] != NULL;
}

/* ---- reading ---- */

/* Far above any sweep's: a number beyond is no part's. */
static const uint64_t MOST_PARTS = 1u << 26;

static bool take_line(struct parts *p, char *line) {
  uint64_t part, total;
  uint32_t sum;
  int used = 0;
  if (sscanf(line, "of %" SCNu64 "%n", &total, &used) == 1 && !line[used]) {
    if (total <= MOST_PARTS) p->total = total;
    return total <= MOST_PARTS;
  }
  if (sscanf(line, "part %" SCNu64 " %8" SCNx32 "%n", &part, &sum, &used) != 2 || line[used] != ' ') return false;
  char *text = line + used + 1;
  if (part >= MOST_PARTS || !unescape(text) || checksum(part, text) != sum) return false;
  if (!keep(p, part, text)) guard_out_of_memory();
  return true;
}

/* One file being read, line by line. */
struct lines {
  FILE *in;
  char *line;
  size_t room;
  long good; /* where the last whole line ended */
};

/* The first line says what the file is; what is something else may have no lines, nor an end. */
static bool take_first_line(struct lines *lines) {
  char first[sizeof FIRST_LINE];
  return fread(first, 1, sizeof first, lines->in) == sizeof first && first[sizeof first - 1] == '\n' &&
         !memcmp(first, FIRST_LINE, sizeof first - 1);
}

/* The next line, without its end; NULL at the end, or where it is not whole. */
static char *next_line(struct lines *lines) {
  errno = 0;
  ssize_t length = getline(&lines->line, &lines->room, lines->in);
  if (length < 0 && errno == ENOMEM) guard_out_of_memory();
  if (length <= 0 || lines->line[length - 1] != '\n' || strlen(lines->line) != (size_t)length) return NULL;
  lines->line[length - 1] = '\0';
  return lines->line;
}

/* What the parts of a file are of. */
struct head {
  const char *command, *files;
};

/* The rest of the next line, which begins with a word; NULL: it does not. */
static const char *line_of(struct arena *arena, struct lines *lines, const char *word) {
  size_t length = strlen(word);
  const char *line = next_line(lines);
  return line && !strncmp(line, word, length) ? arena_strdup(arena, line + length) : NULL;
}

static bool read_head(struct arena *arena, struct lines *lines, const char *path, struct head *head,
                      struct diags *diags) {
  head->command = take_first_line(lines) ? line_of(arena, lines, "command ") : NULL;
  head->files = head->command ? line_of(arena, lines, "files ") : NULL;
  if (head->files) {
    lines->good = ftell(lines->in);
    return true;
  }
  diag_error(diags, NULL, (struct span){0}, "%s: this is no file of parts, as -shard and -journal write them", path);
  return false;
}

static bool is_ours(const struct parts *p, const struct head *head, const char *path, struct diags *diags) {
  bool same = !strcmp(p->division.command, head->command);
  if (same && !strcmp(p->division.files, head->files)) return true;
  if (same)
    diag_error(diags, NULL, (struct span){0},
               "%s: a test, a model or another file of the command has been changed since this was written", path);
  else
    diag_error(diags, NULL, (struct span){0}, "%s: this is of another command: %s", path, head->command);
  return false;
}

static bool read_lines(struct parts *p, struct lines *lines, const char *path, struct diags *diags) {
  struct head head;
  if (!read_head(p->arena, lines, path, &head, diags) || !is_ours(p, &head, path, diags)) return false;
  for (char *line = next_line(lines); line && take_line(p, line); line = next_line(lines))
    lines->good = ftell(lines->in);
  return true;
}

bool parts_read(struct parts *p, const char *path, struct diags *diags) {
  struct lines lines = {.in = infile_open(path)};
  if (!lines.in) {
    diag_error(diags, NULL, (struct span){0}, "%s: %s", path, infile_reason());
    return false;
  }
  bool good = read_lines(p, &lines, path, diags);
  fclose(lines.in);
  free(lines.line);
  return good;
}

const char *parts_command(struct arena *arena, const char *path, struct diags *diags) {
  struct lines lines = {.in = infile_open(path)};
  if (!lines.in) {
    diag_error(diags, NULL, (struct span){0}, "%s: %s", path, infile_reason());
    return NULL;
  }
  struct head head;
  bool good = read_head(arena, &lines, path, &head, diags);
  fclose(lines.in);
  free(lines.line);
  return good ? head.command : NULL;
}

/* ---- the journal ---- */

/* What is there is read, and what was cut short is dropped. */
static bool resume(struct parts *p, const char *path, struct diags *diags) {
  struct lines lines = {.in = p->journal};
  fseek(p->journal, 0, SEEK_END);
  bool fresh = ftell(p->journal) == 0;
  rewind(p->journal);
  bool good = fresh || read_lines(p, &lines, path, diags);
  free(lines.line);
  if (!good) return false;
  if (fresh)
    write_head(p, p->journal);
  else
    fseek(p->journal, lines.good, SEEK_SET);
  if (!fflush(p->journal) && !ftruncate(fileno(p->journal), ftell(p->journal))) return true;
  diag_error(diags, NULL, (struct span){0}, "%s: %s", path, strerror(errno));
  return false;
}

static bool open_journal(struct parts *p, struct diags *diags) {
  const char *path = p->division.journal;
  if (!path) return true;
  struct stat status;
  if (stat(path, &status) == 0 && S_ISFIFO(status.st_mode)) {
    diag_error(diags, NULL, (struct span){0}, "%s: a journal cannot be a pipe, since it is read and then written",
               path);
    return false;
  }
  FILE *made = fopen(path, "a");
  if (made) fclose(made);
  p->journal = made ? fopen(path, "r+") : NULL;
  if (!p->journal) {
    diag_error(diags, NULL, (struct span){0}, "%s: %s", path, strerror(errno));
    return false;
  }
  if (flock(fileno(p->journal), LOCK_EX | LOCK_NB)) {
    diag_error(diags, NULL, (struct span){0}, "%s: another run writes this journal", path);
    return false;
  }
  return resume(p, path, diags);
}

struct parts *parts_open(struct arena *arena, const struct parts_division *division, struct diags *diags) {
  struct parts *p = ARENA_NEW(arena, struct parts);
  *p = (struct parts){.arena = arena, .division = *division};
  pthread_mutex_init(&p->lock, NULL);
  if (open_journal(p, diags)) return p;
  parts_close(p, diags);
  return NULL;
}

bool parts_close(struct parts *p, struct diags *diags) {
  bool good = !p->broken;
  if (p->journal) good &= fclose(p->journal) == 0;
  if (!good) diag_error(diags, NULL, (struct span){0}, "%s: the journal could not be written", p->division.journal);
  for (uint64_t i = 0; i < p->room; i++) free(p->texts[i]);
  free(p->texts);
  p->texts = NULL;
  p->room = 0;
  pthread_mutex_destroy(&p->lock);
  return good;
}

/* ---- who does what ---- */

void parts_only_merge(struct parts *p) {
  p->merges = true;
}

static bool is_mine(const struct parts *p, uint64_t part) {
  if (part < p->room && p->texts[part]) return false;
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
  return team && !p->merges ? team->claim(team->context, part) : parts_claim_here(p, part);
}

/* The first result of a part counts. */
void parts_hand_in_here(struct parts *p, uint64_t part, const char *text) {
  pthread_mutex_lock(&p->lock);
  uint64_t done = p->done;
  bool kept = keep(p, part, text);
  if (p->done > done && p->journal) {
    write_part(part, text, p->journal);
    p->broken |= fflush(p->journal) != 0;
  }
  pthread_mutex_unlock(&p->lock);
  if (!kept) guard_out_of_memory();
}

void parts_hand_in(struct parts *p, uint64_t part, const char *text) {
  const struct parts_team *team = p->division.team;
  if (!team || !team->hand_in(team->context, part, text)) parts_hand_in_here(p, part, text);
}

void parts_set_total_here(struct parts *p, uint64_t total) {
  pthread_mutex_lock(&p->lock);
  if (p->journal && p->total != total) {
    fprintf(p->journal, "of %" PRIu64 "\n", total);
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
  return part < p->room ? p->texts[part] : NULL;
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
    struct text text;
    text_open(&text);
    go_on = job->work(job->context, part, text.out);
    text_end(&text);
    if (go_on) parts_hand_in(job->parts, part, text.at);
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
  for (uint64_t i = 0; i < p->total; i++) {
    if (parts_text(p, i)) continue;
    if (!missing++) first = i;
  }
  if (p->total != PARTS_UNKNOWN && !missing) return true;
  diag_error(diags, NULL, (struct span){0},
             "%" PRIu64 " of %" PRIu64 " parts are missing, the first of them number %" PRIu64, missing, p->total,
             first);
  return false;
}

void parts_write(struct parts *p, FILE *out) {
  write_head(p, out);
  if (p->total != PARTS_UNKNOWN) fprintf(out, "of %" PRIu64 "\n", p->total);
  for (uint64_t i = 0; i < p->room; i++)
    if (p->texts[i]) write_part(i, p->texts[i], out);
}
