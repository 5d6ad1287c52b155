/* SPDX-License-Identifier: MIT */
/* Access patterns of the paper's programs (sections 4.3 and 5). */
#include "hwsem/prices/adsm_patterns.h"

static void vector_add(struct adsm_host *h) {
  h->sweep(h, 0, ADSM_WRITE);
  h->sweep(h, 1, ADSM_WRITE);
  h->call(h);
  h->sync(h);
  h->sweep(h, 2, ADSM_READ);
}

static void stencil_step(struct adsm_host *h) {
  h->sync(h);
  h->touch(h, 0, h->p->s / 2, ADSM_WRITE);
  h->call(h);
}

static void one_step(struct adsm_host *h) {
  h->call(h);
  h->forget(h);
  stencil_step(h);
}

static void stencil(struct adsm_host *h) {
  h->sweep(h, 0, ADSM_WRITE);
  h->call(h);
  for (int64_t i = 0; i < h->p->T; i++) stencil_step(h);
  h->sync(h);
}

static void stencil_dump(struct adsm_host *h) {
  stencil(h);
  h->sweep(h, 0, ADSM_READ);
}

static void file_input(struct adsm_host *h) {
  h->input(h, 0);
  h->call(h);
  h->sync(h);
}

/* `m` blocks of B bytes, evenly spaced; or as many as there are. */
static void sparse(struct adsm_host *h, enum adsm_event event) {
  int64_t blocks = (h->p->s + h->p->B - 1) / h->p->B;
  int64_t touched = h->p->m < blocks ? h->p->m : blocks;
  h->call(h);
  h->forget(h);
  h->sync(h);
  for (int64_t i = 0; i < touched; i++) h->touch(h, 0, i * blocks / touched * h->p->B, event);
  h->call(h);
}

static void sparse_read(struct adsm_host *h) {
  sparse(h, ADSM_READ);
}
static void sparse_write(struct adsm_host *h) {
  sparse(h, ADSM_WRITE);
}

static void multi_pass(struct adsm_host *h) {
  for (int64_t i = 0; i < h->p->p; i++) h->sweep(h, 0, ADSM_WRITE);
  h->call(h);
  h->sync(h);
}

static void constant_input(struct adsm_host *h) {
  h->sweep(h, 0, ADSM_WRITE);
  for (int64_t i = 0; i < h->p->T; i++) {
    h->call(h);
    h->sync(h);
  }
}

static void read_back(struct adsm_host *h) {
  h->sweep(h, 0, ADSM_WRITE);
  h->call(h);
  h->forget(h);
  h->sync(h);
  h->sweep(h, 0, ADSM_READ);
}

/* `writes`: by object, what the kernel writes. */
static const struct {
  const char *name;
  int64_t objects;
  bool writes[ADSM_PATTERN_OBJECTS];
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

int64_t adsm_pattern_objects(enum adsm_pattern pattern) {
  return patterns[pattern].objects;
}
bool adsm_pattern_writes(enum adsm_pattern pattern, int64_t object) {
  return patterns[pattern].writes[object];
}
void adsm_pattern_run(enum adsm_pattern pattern, struct adsm_host *host) {
  patterns[pattern].run(host);
}
