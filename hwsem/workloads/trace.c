/* SPDX-License-Identifier: MIT */
/* Traces as text: a reader that keeps each thread's requests. */
#include "hwsem/workloads/trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/vec.h"
#include "hwsem/workloads/line_file.h"
#include "hwsem/workloads/trace_write.h"

enum { MOST_WORDS = 1 << 28 };

struct thread_trace {
  VEC(struct work_request) requests;
  size_t next;
};

struct reader {
  struct line_file f;
  struct work *work;
  struct thread_trace *threads;
};

static bool fail(struct reader *r, const char *what) {
  return line_file_fail_at(&r->f, r->f.at, what);
}

static bool next_line(struct reader *r) {
  do
    if (!line_file_next(&r->f)) return false;
  while (*r->f.line == '#' || *r->f.line == '\n');
  return true;
}

static bool take_number(struct reader *r, int64_t low, int64_t high, int64_t *value) {
  char *end;
  errno = 0;
  *value = strtoll(r->f.at, &end, 10);
  if (end == r->f.at || errno || *value < low || *value > high) return fail(r, "a number is missing or out of range");
  r->f.at = end;
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
  r->f.at += strspn(r->f.at, " ");
  size_t length = strcspn(r->f.at, " \n");
  for (int i = 0; names[i]; i++)
    if (strlen(names[i]) == length && !strncmp(names[i], r->f.at, length)) {
      r->f.at += length;
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
  uint32_t *at = ARENA_ARRAY(r->f.arena, uint32_t, WORK_LANES);
  q->at = at;
  q->values = ARENA_ARRAY(r->f.arena, int32_t, WORK_LANES);
  for (;;) {
    r->f.at += strspn(r->f.at, " ");
    if (*r->f.at == '\n' || !*r->f.at) return q->lanes ? true : fail(r, "a vector access has at least one lane");
    if (q->lanes == WORK_LANES) return fail(r, "a vector access has too many lanes");
    if (!take_address(r, &at[q->lanes])) return false;
    if (q->kind == WORK_SCATTER) {
      if (*r->f.at != '=') return fail(r, "expected ADDRESS=VALUE");
      r->f.at++;
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
    return line_file_fail(&r->f, arena_printf(r->f.arena, "the line with '%s' and a number is missing", name));
  }
  if (strncmp(r->f.line, name, length) != 0 || r->f.line[length] != ' ')
    return fail(r, arena_printf(r->f.arena, "expected a line with '%s' and a number", name));
  r->f.at = r->f.line + length;
  return take_number(r, 1, high, value);
}

static bool read_init(struct reader *r) {
  uint32_t address;
  int32_t value;
  r->f.at = r->f.line + 5;
  if (!take_address(r, &address) || !take_value(r, &value)) return false;
  r->work->memory[address] = value;
  return true;
}

static bool read_body(struct reader *r) {
  while (next_line(r)) {
    int64_t thread;
    struct work_request request;
    if (!strncmp(r->f.line, "init ", 5)) {
      if (!read_init(r)) return false;
      continue;
    }
    if (!take_number(r, 0, (int64_t)r->work->threads - 1, &thread) || !take_request(r, &request)) return false;
    if (*(r->f.at += strspn(r->f.at, " ")) && *r->f.at != '\n')
      return fail(r, "there is more than one request on the line");
    *vec_push(r->f.arena, &r->threads[thread].requests) = request;
  }
  return line_file_is_whole(&r->f);
}

static bool read_all(struct reader *r) {
  int64_t version, threads = 0, words = 0;
  if (!read_head(r, "litscope-trace", 1, &version) || !read_head(r, "threads", WORK_THREADS, &threads) ||
      !read_head(r, "words", MOST_WORDS, &words))
    return false;
  r->threads = ARENA_ARRAY(r->f.arena, struct thread_trace, (size_t)threads);
  r->work = work_new(r->f.arena, (unsigned)threads, NULL, r->threads);
  r->work->read = read_work;
  work_allocate(r->work, (uint32_t)words);
  return r->work->out_of_memory ? fail(r, strerror(ENOMEM)) : read_body(r);
}

struct work *trace_read(struct arena *arena, const char *path, struct diags *diags) {
  struct reader r = {.work = NULL};
  if (!line_file_open(&r.f, arena, path, diags)) return NULL;
  bool good = read_all(&r);
  line_file_close(&r.f);
  if (good) return r.work;
  if (r.work) work_free(r.work);
  return NULL;
}
