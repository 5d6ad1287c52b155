/* SPDX-License-Identifier: MIT */
/* A runtime like the paper's GMAC, with mprotect and SIGSEGV.
 *
 * Every object's content can be foretold, so that each read is checked.  Word w of
 * an object that the host has swept for the e-th time is w + e.  A kernel adds 1 to
 * the first word of each page of the objects that it writes; a touch of the host
 * writes the second word of a page. */
#include "hwsem/timing/adsm_runtime.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "checker/base/number.h"
#include "checker/base/out_of_memory_guard.h"
#include "hwsem/timing/adsm_units.h"

enum { PAGE = 4096, PAGE_WORDS = PAGE / sizeof(uint64_t), REGIONS_LIMIT = 30000, OBJECTS = 3 };

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* ---- the thread that copies: one transfer at a time, as the paper's DMA ---- */

struct engine {
  pthread_t thread;
  sem_t go;
  atomic_bool busy;
  bool started, quit;
  void *to;
  const void *from;
  size_t size;
};

static void *engine_main(void *context) {
  struct engine *engine = context;
  for (;;) {
    while (sem_wait(&engine->go) != 0) continue;
    if (engine->quit) return NULL;
    memcpy(engine->to, engine->from, engine->size);
    atomic_store_explicit(&engine->busy, false, memory_order_release);
  }
}

static void engine_open(struct engine *engine) {
  sem_init(&engine->go, 0, 0);
  atomic_init(&engine->busy, false);
  engine->started = pthread_create(&engine->thread, NULL, engine_main, engine) == 0;
}

static void engine_wait(struct engine *engine) {
  while (atomic_load_explicit(&engine->busy, memory_order_acquire)) sched_yield();
}

/* Without a thread the host copies. */
static void engine_copy(struct engine *engine, void *to, const void *from, size_t size) {
  engine_wait(engine);
  if (!engine->started) {
    memcpy(to, from, size);
    return;
  }
  engine->to = to;
  engine->from = from;
  engine->size = size;
  atomic_store_explicit(&engine->busy, true, memory_order_release);
  sem_post(&engine->go);
}

static void engine_close(struct engine *engine) {
  engine_wait(engine);
  if (engine->started) {
    engine->quit = true;
    sem_post(&engine->go);
    pthread_join(engine->thread, NULL);
  }
  sem_destroy(&engine->go);
}

/* ---- the runtime ---- */

struct content {
  int64_t sweeps, bumps; /* of the host; of kernels since */
  uint64_t *touched;     /* by page: what touches added to the second word since the last sweep */
};

struct runtime {
  struct adsm_host host; /* first: patterns know this part */
  struct adsm_units units;
  int64_t s, pages;
  char *shared, *device;
  enum adsm_event intent; /* the host's next access */
  struct content contents[OBJECTS];
  uint64_t touches;
  FILE *file; /* s bytes of input; NULL until it is needed */
  struct engine engine;
  struct adsm_cost cost;
  int64_t begin, aside; /* time since when, and not to be counted */
  bool right;
};

/* The runtime of this thread, for its signals. */
static _Thread_local struct runtime *current;
static struct sigaction before_us;

static struct runtime *of_units(struct adsm_units *units) {
  return (struct runtime *)(void *)((char *)units - offsetof(struct runtime, units));
}
static struct runtime *of_host(struct adsm_host *host) {
  return (struct runtime *)(void *)host;
}

static void protect(struct runtime *r, size_t offset, int64_t size, enum adsm_state state) {
  static const int rights[ADSM_STATES] = {
      [ADSM_INVALID] = PROT_NONE, [ADSM_READ_ONLY] = PROT_READ, [ADSM_DIRTY] = PROT_READ | PROT_WRITE};
  if (r->units.protocol == ADSM_BATCH) return;
  if (mprotect(r->shared + offset, (size_t)size, rights[state]) == 0) return;
  /* Too many regions of memory, for this system: go on without protection, and say so. */
  mprotect(r->shared, (size_t)(r->units.objects * r->s), PROT_READ | PROT_WRITE);
  r->units.protocol = ADSM_BATCH;
  r->right = false;
}

static void download(struct runtime *r, size_t offset, int64_t size) {
  int64_t begin = now();
  memcpy(r->shared + offset, r->device + offset, (size_t)size);
  r->cost.down += size;
  r->cost.down_time += now() - begin;
}

static void upload(struct runtime *r, size_t offset, int64_t size, bool beside) {
  int64_t begin = now();
  if (beside) {
    engine_copy(&r->engine, r->device + offset, r->shared + offset, (size_t)size);
  } else {
    engine_wait(&r->engine);
    memcpy(r->device + offset, r->shared + offset, (size_t)size);
  }
  r->cost.up += size;
  r->cost.up_time += now() - begin;
}

/* A unit goes along an edge.  Calls protect whole objects at the end. */
static void take_edge(struct adsm_units *units, int64_t object, int64_t unit, struct adsm_edge edge,
                      enum adsm_event event) {
  struct runtime *r = of_units(units);
  int64_t size = adsm_unit_size(units, object, unit);
  size_t offset = (size_t)(object * r->s + (unit - units->first[object]) * units->size[object]);
  bool down = edge.transfer == ADSM_DOWN;
  if (down && edge.fault) protect(r, offset, size, ADSM_DIRTY);
  if (down) download(r, offset, size);
  if (event == ADSM_EVICT) protect(r, offset, size, edge.next);
  if (edge.transfer == ADSM_UP) upload(r, offset, size, event == ADSM_EVICT);
  bool open = down && edge.next == ADSM_DIRTY;
  if (edge.fault && !open) protect(r, offset, size, edge.next);
}

/* An access was caught.  A unit that is being uploaded is not written to. */
static void serve_fault(struct runtime *r, size_t offset) {
  int64_t begin = now(), moved = r->cost.up_time + r->cost.down_time;
  int64_t object = (int64_t)offset / r->s;
  if (r->intent == ADSM_WRITE) engine_wait(&r->engine);
  adsm_units_touch(&r->units, object, adsm_unit_at(&r->units, object, (int64_t)offset % r->s), r->intent);
  r->cost.faults++;
  r->cost.fault_time += now() - begin - (r->cost.up_time + r->cost.down_time - moved);
}

static void on_fault(int number, siginfo_t *info, void *context) {
  struct runtime *r = current;
  const char *at = info->si_addr;
  (void)context;
  if (r && at >= r->shared && at < r->shared + r->units.objects * r->s)
    serve_fault(r, (size_t)(at - r->shared));
  else
    sigaction(number, &before_us, NULL); /* not ours: as without us, the next time */
}

/* ---- what the host does ---- */

static volatile uint64_t *words_at(const struct runtime *r, char *memory, int64_t object, int64_t page) {
  return (volatile uint64_t *)(void *)(memory + object * r->s + page * PAGE);
}

/* What word 0 or 1 of a page must be. */
static uint64_t expected(const struct runtime *r, int64_t object, int64_t page, int word) {
  const struct content *content = &r->contents[object];
  uint64_t base = content->sweeps ? (uint64_t)(page * PAGE_WORDS + word + content->sweeps) : 0;
  return base + (word ? content->touched[page] : (uint64_t)content->bumps);
}

static void check_page(struct runtime *r, char *memory, int64_t object, int64_t page) {
  volatile uint64_t *words = words_at(r, memory, object, page);
  for (int word = 0; word < 2; word++) r->right &= words[word] == expected(r, object, page, word);
}

static void begin_sweep(struct runtime *r, int64_t object) {
  struct content *content = &r->contents[object];
  content->sweeps++;
  content->bumps = 0;
  memset(content->touched, 0, (size_t)r->pages * sizeof *content->touched);
}

/* Input comes in chunks of a unit, which is made writable before: a fault within
 * read() could not be begun again (section 4.4). */
static void input(struct runtime *r, int64_t object) {
  begin_sweep(r, object);
  r->intent = ADSM_WRITE;
  for (int64_t at = 0; at < r->s; at += r->units.size[object]) {
    char *chunk = r->shared + object * r->s + at;
    size_t size = (size_t)adsm_unit_size(&r->units, object, adsm_unit_at(&r->units, object, at));
    *(volatile char *)chunk = 0;
    r->right &= pread(fileno(r->file), chunk, size, at) == (ssize_t)size;
  }
}

static void sweep(struct adsm_host *host, int64_t object, enum adsm_event event, enum adsm_part part, int64_t rate) {
  struct runtime *r = of_host(host);
  (void)rate;
  if (part == ADSM_PART_IO_READ) {
    input(r, object);
    return;
  }
  r->intent = event;
  if (event == ADSM_WRITE) begin_sweep(r, object);
  uint64_t base = (uint64_t)r->contents[object].sweeps;
  for (int64_t page = 0; page < r->pages; page++) {
    volatile uint64_t *words = words_at(r, r->shared, object, page);
    uint64_t first = (uint64_t)page * PAGE_WORDS + base;
    for (uint64_t w = 0; w < PAGE_WORDS; w++) {
      if (event == ADSM_WRITE)
        words[w] = first + w;
      else
        (void)words[w];
    }
    if (event == ADSM_READ) check_page(r, r->shared, object, page);
  }
}

static void touch(struct adsm_host *host, int64_t object, int64_t byte, enum adsm_event event) {
  struct runtime *r = of_host(host);
  struct content *content = &r->contents[object];
  int64_t page = byte / PAGE;
  r->intent = event;
  if (event == ADSM_READ) {
    check_page(r, r->shared, object, page);
    return;
  }
  content->touched[page] = ++r->touches;
  words_at(r, r->shared, object, page)[1] = expected(r, object, page, 1);
}

/* A kernel: what it reads must be there, and what it writes is seen later. */
static void kernel(struct runtime *r) {
  int64_t begin = now();
  for (int64_t object = 0; object < r->units.objects; object++) {
    bool writes = r->units.object[object].written;
    for (int64_t page = 0; page < r->pages; page++) {
      check_page(r, r->device, object, page);
      if (writes) words_at(r, r->device, object, page)[0]++;
    }
    r->contents[object].bumps += writes;
  }
  r->aside += now() - begin;
}

static void call(struct adsm_host *host, int accelerator) {
  struct runtime *r = of_host(host);
  int64_t begin = now();
  engine_wait(&r->engine);
  r->cost.up_time += now() - begin;
  adsm_units_call(&r->units, accelerator);
  for (int64_t object = 0; object < r->units.objects; object++) {
    bool kept = r->units.annotated && !r->units.object[object].written;
    protect(r, (size_t)(object * r->s), r->s, kept ? ADSM_READ_ONLY : ADSM_INVALID);
  }
  kernel(r);
}

static void sync_host(struct adsm_host *host, int accelerator) {
  adsm_units_sync(&of_host(host)->units, accelerator);
}

static void forget(struct adsm_host *host) {
  struct runtime *r = of_host(host);
  r->cost = (struct adsm_cost){0};
  r->aside = 0;
  r->begin = now();
}

/* A file that holds what a first sweep would write. */
static FILE *input_file(int64_t s) {
  FILE *file = tmpfile();
  for (int64_t w = 0; file && w < s / (int64_t)sizeof(uint64_t); w++) {
    uint64_t word = (uint64_t)w + 1;
    if (fwrite(&word, sizeof word, 1, file) != 1) break;
  }
  if (file) fflush(file);
  return file;
}

/* ---- a run ---- */

static char *map(size_t size) {
  char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  madvise(memory, size, MADV_NOHUGEPAGE);
  memset(memory, 0, size); /* pages are there before the clock runs */
  return memory;
}

static void runtime_close(struct runtime *r) {
  size_t size = (size_t)(r->units.objects * r->s);
  if (r->shared) munmap(r->shared, size);
  if (r->device) munmap(r->device, size);
  for (int64_t object = 0; object < OBJECTS; object++) free(r->contents[object].touched);
  if (r->file) fclose(r->file);
  adsm_units_close(&r->units);
}

static void runtime_open(struct runtime *r, const struct adsm_parameters *p, enum adsm_pattern pattern,
                         enum adsm_protocol protocol) {
  struct adsm_object object[ADSM_OBJECTS];
  int64_t objects = adsm_pattern_objects(p, pattern, object);
  *r = (struct runtime){.host = {p, sweep, touch, call, sync_host, forget},
                        .units = adsm_units_open(p, protocol, object, objects),
                        .s = p->s,
                        .pages = p->s / PAGE,
                        .right = true};
  r->units.edge = take_edge;
  r->shared = map((size_t)(objects * p->s));
  r->device = map((size_t)(objects * p->s));
  bool all = r->shared && r->device;
  for (int64_t i = 0; i < objects; i++) {
    r->contents[i].touched = calloc((size_t)r->pages, sizeof(uint64_t));
    all &= r->contents[i].touched != NULL;
  }
  if (pattern == ADSM_FILE_INPUT) all &= (r->file = input_file(p->s)) != NULL;
  if (!all) {
    runtime_close(r);
    guard_out_of_memory();
  }
}

struct adsm_measured adsm_pattern_measure(const struct adsm_parameters *p, enum adsm_pattern pattern,
                                          enum adsm_protocol protocol) {
  struct runtime r;
  runtime_open(&r, p, pattern, protocol);
  struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
  engine_open(&r.engine);
  sigaction(SIGSEGV, &action, &before_us);
  current = &r;
  protect(&r, 0, r.units.objects * r.s, adsm_initial_state(protocol));
  forget(&r.host);
  adsm_pattern_run(pattern, &r.host);
  engine_wait(&r.engine);
  r.cost.host_time = now() - r.begin - r.aside - r.cost.fault_time - r.cost.up_time - r.cost.down_time;
  current = NULL;
  sigaction(SIGSEGV, &before_us, NULL);
  engine_close(&r.engine);
  runtime_close(&r);
  return (struct adsm_measured){r.cost, r.right};
}

/* ---- what this machine's parameters are ---- */

const char *adsm_runtime_check(struct arena *arena, const struct adsm_parameters *p) {
  if (p->s % PAGE || p->B % PAGE)
    return arena_printf(arena, "with -run, s and B must be multiples of %d: protection is by page", PAGE);
  if (OBJECTS * (p->s / p->B) > REGIONS_LIMIT)
    return arena_printf(arena, "with -run, s / B must be at most %d: a process has few regions of memory",
                        REGIONS_LIMIT / OBJECTS);
  return NULL;
}

static int64_t copy_time(int64_t bytes, bool up) {
  enum { LEAST = 3000000, TIMES = 2000 };
  char *a = map((size_t)bytes), *b = map((size_t)bytes);
  if (!a || !b) guard_out_of_memory();
  int64_t best = INT64_MAX, begin = now();
  for (int i = 0; i < TIMES && (i < 3 || now() - begin < LEAST); i++) {
    int64_t from = now();
    memcpy(up ? b : a, up ? a : b, (size_t)bytes);
    int64_t time = now() - from;
    if (time < best) best = time;
  }
  munmap(a, (size_t)bytes);
  munmap(b, (size_t)bytes);
  return best;
}

/* The fastest of some runs. */
static int64_t host_time(const struct adsm_parameters *p, enum adsm_pattern pattern, enum adsm_protocol protocol) {
  int64_t best = INT64_MAX;
  for (int i = 0; i < 3; i++) {
    struct adsm_cost cost = adsm_pattern_measure(p, pattern, protocol).cost;
    int64_t time = cost.host_time + cost.fault_time;
    if (time < best) best = time;
  }
  return best;
}

/* One pass of writes, with a fault for each block and none evicted. */
static struct adsm_parameters one_pass(const struct adsm_parameters *p) {
  struct adsm_parameters pass = *p;
  pass.p = 1;
  pass.R = p->s / p->B + 1;
  return pass;
}

int64_t adsm_fault_here(const struct adsm_parameters *p) {
  struct adsm_parameters pass = one_pass(p);
  int64_t plain = host_time(&pass, ADSM_MULTI_PASS, ADSM_BATCH);
  int64_t caught = host_time(&pass, ADSM_MULTI_PASS, ADSM_ROLLING);
  return larger((caught - plain) / ((p->s - 1) / p->B + 1), 0);
}

struct adsm_parameters adsm_calibrate(const struct adsm_parameters *p) {
  struct adsm_parameters here = *p, pass = one_pass(p);
  int64_t small = copy_time(PAGE, true), up = copy_time(p->s, true), down = copy_time(p->s, false);
  here.half = here.search = 0;
  here.up = larger(p->s * 1000 / larger(up, 1), 1);
  here.down = larger(p->s * 1000 / larger(down, 1), 1);
  here.latency = larger(small - PAGE * 1000 / here.up, 0);
  here.fault = adsm_fault_here(p);
  here.produce = host_time(&pass, ADSM_MULTI_PASS, ADSM_BATCH) * 1024 / p->s;
  here.input = host_time(&pass, ADSM_FILE_INPUT, ADSM_BATCH) * 1024 / p->s;
  return here;
}
