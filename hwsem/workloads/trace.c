/* SPDX-License-Identifier: MIT */
/* Traces as text: a reader that keeps each thread's requests. */
#include "hwsem/workloads/trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "checker/base/infile.h"
#include "checker/base/vec.h"
#include "hwsem/workloads/line_error.h"
#include "hwsem/workloads/trace_write.h"

enum { LINE_ROOM = 1 << 16, MOST_WORDS = 1 << 28 };

struct thread_trace {
  VEC(struct work_request) requests;
  size_t next;
};

struct reader {
  gzFile file;
  const char *path;
  unsigned number; /* of the line */
  char *line, *at;
  struct arena *arena;
  struct diags *diags;
  struct work *work;
  struct thread_trace *threads;
};

static bool fail(struct reader *r, const char *what) {
  line_error(r->diags, r->path, r->number, r->line, r->at, what);
  return false;
}

static bool next_line(struct reader *r) {
  do {
    if (!gzgets(r->file, r->line, LINE_ROOM)) return false;
    r->number++;
  } while (*r->line == '#' || *r->line == '\n');
  r->at = r->line;
  return true;
}

static bool take_number(struct reader *r, int64_t low, int64_t high, int64_t *value) {
  char *end;
  errno = 0;
  *value = strtoll(r->at, &end, 10);
  if (end == r->at || errno || *value < low || *value > high) return fail(r, "a number is missing or out of range");
  r->at = end;
  return true;
}

static bool take_address(struct reader *r, uint32_t *address) {
  int64_t value;
  if (!take_number(r, 0, (int64_t)r->work->words - 1, &value)) return false;
  *address = (uint32_t)value;
  return true;
}

static bool take_value(struct reader *r, int32_t *value) {
  int64_t number;
  if (!take_number(r, INT32_MIN, INT32_MAX, &number)) return false;
  *value = (int32_t)number;
  return true;
}

/* The next word, as its place in a list; -1: it is not there. */
static int take_word(struct reader *r, const char *const *names) {
  r->at += strspn(r->at, " ");
  size_t length = strcspn(r->at, " \n");
  for (int i = 0; names[i]; i++)
    if (strlen(names[i]) == length && !strncmp(names[i], r->at, length)) {
      r->at += length;
      return i;
    }
  return -1;
}

static bool take_scope(struct reader *r, struct work_request *q) {
  int scope = take_word(r, work_scope_names);
  if (scope < 0) return fail(r, "expected plain, group, device or remote");
  q->scope = (enum work_scope)scope;
  return true;
}

static bool take_amo(struct reader *r, struct work_request *q) {
  static const char *const forget[] = {"forget", NULL};
  int amo = take_word(r, work_amo_names);
  if (amo < 0) return fail(r, "expected add, min, max, or, swap or cas");
  q->amo = (enum work_amo)amo;
  if (!take_address(r, &q->address) || !take_value(r, &q->value) || !take_scope(r, q)) return false;
  if (q->amo == WORK_CAS) return take_value(r, &q->expected);
  q->forgets = take_word(r, forget) == 0;
  return true;
}

static bool take_lanes(struct reader *r, struct work_request *q) {
  uint32_t *at = ARENA_ARRAY(r->arena, uint32_t, WORK_LANES);
  q->at = at;
  q->values = ARENA_ARRAY(r->arena, int32_t, WORK_LANES);
  for (;;) {
    r->at += strspn(r->at, " ");
    if (*r->at == '\n' || !*r->at) return q->lanes ? true : fail(r, "a vector access has at least one lane");
    if (q->lanes == WORK_LANES) return fail(r, "a vector access has too many lanes");
    if (!take_address(r, &at[q->lanes])) return false;
    if (q->kind == WORK_SCATTER) {
      if (*r->at != '=') return fail(r, "expected ADDRESS=VALUE");
      r->at++;
      if (!take_value(r, &q->values[q->lanes])) return false;
    }
    q->lanes++;
  }
}

static bool take_request(struct reader *r, struct work_request *q) {
  int kind = take_word(r, work_kind_names);
  if (kind < 0) return fail(r, "expected load, store, amo, gather, scatter, compute or barrier");
  *q = (struct work_request){.kind = (enum work_kind)kind};
  switch (q->kind) {
    case WORK_LOAD:
      return take_address(r, &q->address) && take_scope(r, q);
    case WORK_STORE:
      return take_address(r, &q->address) && take_value(r, &q->value) && take_scope(r, q);
    case WORK_AMO:
      return take_amo(r, q);
    case WORK_GATHER:
    case WORK_SCATTER:
      return take_lanes(r, q);
    case WORK_COMPUTE:
      return take_number(r, 0, 1000000000, &q->cycles);
    case WORK_BARRIER:
    case WORK_KINDS:
      break;
  }
  return true;
}

static bool read_work(struct work *work, unsigned thread, struct work_request **request) {
  struct thread_trace *t = &((struct thread_trace *)work->program)[thread];
  *request = t->next < t->requests.count ? &t->requests.at[t->next++] : NULL;
  return *request != NULL;
}

/* NAME NUMBER */
static bool read_head(struct reader *r, const char *name, int64_t high, int64_t *value) {
  size_t length = strlen(name);
  if (!next_line(r)) {
    diag_error(r->diags, NULL, (struct span){0}, "%s: the line with '%s' and a number is missing", r->path, name);
    return false;
  }
  if (strncmp(r->line, name, length) != 0 || r->line[length] != ' ')
    return fail(r, arena_printf(r->arena, "expected a line with '%s' and a number", name));
  r->at = r->line + length;
  return take_number(r, 1, high, value);
}

static bool read_init(struct reader *r) {
  uint32_t address;
  int32_t value;
  r->at = r->line + 5;
  if (!take_address(r, &address) || !take_value(r, &value)) return false;
  r->work->memory[address] = value;
  return true;
}

static bool read_body(struct reader *r) {
  while (next_line(r)) {
    int64_t thread;
    struct work_request request;
    if (!strncmp(r->line, "init ", 5)) {
      if (!read_init(r)) return false;
      continue;
    }
    if (!take_number(r, 0, (int64_t)r->work->threads - 1, &thread) || !take_request(r, &request)) return false;
    if (*(r->at += strspn(r->at, " ")) && *r->at != '\n') return fail(r, "there is more than one request on the line");
    *vec_push(r->arena, &r->threads[thread].requests) = request;
  }
  int error;
  gzerror(r->file, &error);
  if (error == Z_OK || error == Z_STREAM_END) return true;
  diag_error(r->diags, NULL, (struct span){0}, "%s: the file is damaged", r->path);
  return false;
}

static bool read_all(struct reader *r) {
  int64_t version, threads, words;
  if (!read_head(r, "litscope-trace", 1, &version) || !read_head(r, "threads", WORK_THREADS, &threads) ||
      !read_head(r, "words", MOST_WORDS, &words))
    return false;
  r->threads = ARENA_ARRAY(r->arena, struct thread_trace, (size_t)threads);
  r->work = work_new(r->arena, (unsigned)threads, NULL, r->threads);
  r->work->read = read_work;
  work_allocate(r->work, (uint32_t)words);
  return r->work->out_of_memory ? fail(r, strerror(ENOMEM)) : read_body(r);
}

struct work *trace_read(struct arena *arena, const char *path, struct diags *diags) {
  int descriptor = infile_descriptor(path, false);
  struct reader r = {.path = path, .arena = arena, .diags = diags};
  if (descriptor >= 0 && !(r.file = gzdopen(descriptor, "rb"))) close(descriptor);
  if (!r.file) {
    diag_error(diags, NULL, (struct span){0}, "%s: %s", path, infile_reason());
    return NULL;
  }
  r.line = arena_array(arena, LINE_ROOM, 1);
  bool good = read_all(&r);
  gzclose(r.file);
  if (good) return r.work;
  if (r.work) work_free(r.work);
  return NULL;
}
