/* SPDX-License-Identifier: MIT */
/* Access patterns of the paper's programs (sections 4.3 and 5). */
#include "hwsem/timing/adsm_patterns.h"

#include <stddef.h>

#include "checker/base/number.h"
#include "checker/base/text.h"
#include "hwsem/timing/adsm_units.h"

static void write_all(struct adsm_host *h, int64_t object) {
  h->sweep(h, object, ADSM_WRITE, ADSM_PART_CPU, h->p->produce);
}
static void read_all(struct adsm_host *h, int64_t object) {
  h->sweep(h, object, ADSM_READ, ADSM_PART_CPU, 0);
}

static void vector_add(struct adsm_host *h) {
  write_all(h, 0);
  write_all(h, 1);
  h->call(h, 0);
  h->sync(h, 0);
  read_all(h, 2);
}

static void stencil_step(struct adsm_host *h) {
  h->sync(h, 0);
  h->touch(h, 0, h->p->s / 2, ADSM_WRITE);
  h->call(h, 0);
}

static void one_step(struct adsm_host *h) {
  h->call(h, 0);
  h->forget(h);
  stencil_step(h);
}

static void stencil(struct adsm_host *h) {
  write_all(h, 0);
  h->call(h, 0);
  for (int64_t i = 0; i < h->p->T; i++) stencil_step(h);
  h->sync(h, 0);
}

static void stencil_dump(struct adsm_host *h) {
  stencil(h);
  read_all(h, 0);
}

static void file_input(struct adsm_host *h) {
  h->sweep(h, 0, ADSM_WRITE, ADSM_PART_IO_READ, h->p->input);
  h->call(h, 0);
  h->sync(h, 0);
}

/* `m` blocks of B bytes, evenly spaced; or as many as there are. */
static void sparse(struct adsm_host *h, enum adsm_event event) {
  int64_t blocks = (h->p->s + h->p->B - 1) / h->p->B;
  int64_t touched = smaller(h->p->m, blocks);
  h->call(h, 0);
  h->forget(h);
  h->sync(h, 0);
  for (int64_t i = 0; i < touched; i++) h->touch(h, 0, i * blocks / touched * h->p->B, event);
  h->call(h, 0);
}

static void sparse_read(struct adsm_host *h) {
  sparse(h, ADSM_READ);
}
static void sparse_write(struct adsm_host *h) {
  sparse(h, ADSM_WRITE);
}

static void multi_pass(struct adsm_host *h) {
  for (int64_t i = 0; i < h->p->p; i++) write_all(h, 0);
  h->call(h, 0);
  h->sync(h, 0);
}

static void constant_input(struct adsm_host *h) {
  write_all(h, 0);
  for (int64_t i = 0; i < h->p->T; i++) {
    h->call(h, 0);
    h->sync(h, 0);
  }
}

static void read_back(struct adsm_host *h) {
  write_all(h, 0);
  h->call(h, 0);
  h->forget(h);
  h->sync(h, 0);
  read_all(h, 0);
}

/* `writes`: by object, what the kernel writes. */
static const struct {
  const char *name;
  int64_t objects;
  bool writes[3];
  void (*run)(struct adsm_host *h);
} patterns[ADSM_PATTERNS] = {
    [ADSM_VECTOR_ADD] = {"vector-add", 3, {[2] = true}, vector_add},
    [ADSM_STENCIL_STEP] = {"stencil-step", 2, {true, true}, one_step},
    [ADSM_STENCIL] = {"stencil", 2, {true, true}, stencil},
    [ADSM_STENCIL_DUMP] = {"stencil-dump", 2, {true, true}, stencil_dump},
    [ADSM_FILE_INPUT] = {"file-input", 1, {false}, file_input},
    [ADSM_SPARSE_READ] = {"sparse-read", 1, {true}, sparse_read},
    [ADSM_SPARSE_WRITE] = {"sparse-write", 1, {true}, sparse_write},
    [ADSM_MULTI_PASS] = {"multi-pass", 1, {true}, multi_pass},
    [ADSM_CONSTANT_INPUT] = {"constant-input", 1, {false}, constant_input},
    [ADSM_READ_BACK] = {"read-back", 1, {false}, read_back},
};

const char *adsm_pattern_name(enum adsm_pattern pattern) {
  return patterns[pattern].name;
}

int64_t adsm_pattern_objects(const struct adsm_parameters *p, enum adsm_pattern pattern, struct adsm_object *object) {
  for (int64_t i = 0; i < patterns[pattern].objects; i++)
    object[i] = (struct adsm_object){.size = p->s, .written = patterns[pattern].writes[i]};
  return patterns[pattern].objects;
}

void adsm_pattern_run(enum adsm_pattern pattern, struct adsm_host *host) {
  patterns[pattern].run(host);
}

static bool find_pattern(const char *name, enum adsm_pattern *pattern) {
  int i = ROW_INDEX(patterns, ADSM_PATTERNS, name, name);
  *pattern = (enum adsm_pattern)i;
  return i >= 0;
}

bool adsm_setting_pattern(const struct setting *setting, enum adsm_pattern *pattern) {
  const char *name = setting_text(setting, "pattern");
  if (find_pattern(name, pattern)) return true;
  return setting_error(setting, "pattern", "unknown pattern '%s'", name);
}

/* ---- the protocols, with prices ---- */

struct priced {
  struct adsm_host host; /* first: programs know this part */
  struct adsm_units units;
  int64_t rate; /* ns to produce 1024 bytes of what is being written */
  struct adsm_cost cost;
};

static struct priced *of_host(struct adsm_host *host) {
  return (struct priced *)(void *)host;
}

/* An eviction runs while the host produces the next block. */
static void take_edge(struct adsm_units *units, int64_t object, int64_t unit, struct adsm_edge edge,
                      enum adsm_event event) {
  struct priced *r = (struct priced *)(void *)((char *)units - offsetof(struct priced, units));
  int64_t hidden = event == ADSM_EVICT ? units->size[0] * r->rate / 1024 : 0;
  int64_t bytes = edge.transfer == ADSM_STAY ? 0 : adsm_unit_size(units, object, unit);
  r->cost.events++;
  adsm_pay(&r->cost, r->host.p, edge, bytes, adsm_unit_count(units), hidden);
}

static void sweep(struct adsm_host *host, int64_t object, enum adsm_event event, enum adsm_part part, int64_t rate) {
  struct priced *r = of_host(host);
  (void)part;
  if (event == ADSM_WRITE) r->rate = rate;
  for (int64_t u = r->units.first[object]; u < r->units.first[object + 1]; u++)
    adsm_units_touch(&r->units, object, u, event);
  r->cost.host_time += host->p->s * rate / 1024;
}

static void touch(struct adsm_host *host, int64_t object, int64_t byte, enum adsm_event event) {
  struct priced *r = of_host(host);
  adsm_units_touch(&r->units, object, adsm_unit_at(&r->units, object, byte), event);
}

static void call(struct adsm_host *host, int accelerator) {
  adsm_units_call(&of_host(host)->units, accelerator);
}
static void sync_host(struct adsm_host *host, int accelerator) {
  adsm_units_sync(&of_host(host)->units, accelerator);
}
static void forget(struct adsm_host *host) {
  of_host(host)->cost = (struct adsm_cost){.events = of_host(host)->cost.events};
}

struct adsm_cost adsm_pattern_cost(const struct adsm_parameters *p, enum adsm_pattern pattern,
                                   enum adsm_protocol protocol) {
  struct adsm_object object[ADSM_OBJECTS];
  struct priced r = {.host = {p, sweep, touch, call, sync_host, forget},
                     .units = adsm_units_open(p, protocol, object, adsm_pattern_objects(p, pattern, object)),
                     .rate = p->produce};
  r.units.edge = take_edge;
  adsm_pattern_run(pattern, &r.host);
  adsm_units_close(&r.units);
  return r.cost;
}
