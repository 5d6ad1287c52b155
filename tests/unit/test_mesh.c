/* SPDX-License-Identifier: MIT */
/* The mesh with contention: latencies without it, links that are shared, classes
 * that go first, buffers that fill up; and the machine on it. */
#include "hwsem/timing/fear_mesh.h"
#include "hwsem/timing/mesh.h"
#include "tests/unit/unit.h"

enum { MOST = 4096 };

struct log {
  int64_t now, at[MOST]; /* by payload: when it came */
  int count, order[MOST];
};

static void note(void *context, const struct mesh_message *message) {
  struct log *log = context;
  log->at[message->payload] = log->now;
  log->order[log->count++] = (int)message->payload;
}

static void send(struct mesh *mesh, int from, int to, int class, int flits, int payload) {
  mesh_send(mesh, from, to, class, flits, 0)->payload = payload;
}

static void run_until_empty(struct mesh *mesh, struct log *log) {
  for (; !mesh_is_empty(mesh) && log->now < 100000; log->now++) mesh_step(mesh, log->now, note, log);
  assert_true(mesh_is_empty(mesh));
}

/* Alone, a message takes a cycle for each hop and one for each flit at the end. */
TEST(alone_it_is_hops_and_flits) {
  for (int from = 0; from < 16; from++)
    for (int to = 0; to < 16; to++)
      for (int flits = 1; flits < 200; flits += flits) {
        struct arena *arena = arena_new();
        struct mesh *mesh = mesh_new(arena, 4, 1);
        struct log log = {0};
        send(mesh, from, to, 0, flits, 0);
        run_until_empty(mesh, &log);
        struct mesh_counts counts = mesh_counts(mesh);
        assert_int_equal(counts.cycles, counts.unloaded);
        assert_int_equal(log.at[0], counts.hops + flits);
        arena_free(arena);
      }
}

/* A link carries one flit a cycle: what many send to one node comes at that rate. */
TEST(links_are_shared) {
  struct arena *arena = *state;
  struct mesh *mesh = mesh_new(arena, 4, 4);
  struct log log = {0};
  int64_t sent = 0;
  for (int i = 0; i < 300; i++, sent++) send(mesh, 1 + i % 15, 0, 0, 2, i);
  run_until_empty(mesh, &log);
  assert_int_equal(log.count, sent);
  assert_true(log.now >= 2 * sent);
  assert_true(log.now <= 2 * sent + 20);
}

/* With requests ahead of it at every router, an urgent message comes as if alone. */
TEST(the_urgent_class_goes_first) {
  int64_t came[2];
  for (int class = 0; class < 2; class ++) {
    struct arena *arena = arena_new();
    struct mesh *mesh = mesh_new(arena, 4, 2);
    struct log log = {0};
    for (int i = 1; i < 100; i++) send(mesh, i % 4, 3 + 4 * (i % 4), 0, 1, i);
    send(mesh, 0, 15, class, 1, 0);
    run_until_empty(mesh, &log);
    came[class] = log.at[0];
    arena_free(arena);
  }
  assert_int_equal(came[1], 6 + 1);
  assert_true(came[0] > 2 * came[1]);
}

static struct fear_mesh_parameters defaults(void) {
  return (struct fear_mesh_parameters){.W = 6,
                                       .mems = 8,
                                       .period = 2,
                                       .classes = 2,
                                       .buffer = 4,
                                       .data = 3,
                                       .layout = FEAR_LATTICE,
                                       .k = 9,
                                       .B = 16,
                                       .M = 8192,
                                       .u = 1,
                                       .L1 = 1,
                                       .L2 = 100,
                                       .ALU = 1,
                                       .Z = 73,
                                       .E = 256,
                                       .LUT = 1024,
                                       .spec = 1,
                                       .ops = 64,
                                       .sets = 128,
                                       .ways = 4,
                                       .port = 1,
                                       .elements = 4096};
}

static struct fear_result run(const struct fear_mesh_parameters *p, enum fear_sharing sharing) {
  struct arena *arena = arena_new();
  struct fear_rings rings;
  struct cost_limit limit = {0};
  assert_true(fear_rings_new(arena, p->W, (enum fear_layout)p->layout, p->k, 0, &rings));
  struct fear_result result = fear_mesh_run(p, &rings, sharing, &limit);
  arena_free(arena);
  return result;
}

/* Every operation is done once, from one of the three places. */
TEST(operations_add_up) {
  for (int sharing = 0; sharing < FEAR_SHARINGS; sharing++)
    for (int k = 0; k < 2; k++) {
      struct fear_mesh_parameters p = defaults();
      if (k) p.k = 1, p.layout = FEAR_ROWS, p.classes = 1;
      struct fear_result result = run(&p, (enum fear_sharing)sharing);
      assert_int_equal(result.operations, 28 * 64);
      assert_int_equal(result.cached + result.speculative + result.fetched, result.operations);
      assert_true(result.network.cycles >= result.network.unloaded);
      assert_true(result.latency > result.acquisition);
    }
}

/* Own data is found in the cache, unless the table of addresses or the L1 is too small. */
TEST(own_bins_are_cached) {
  struct fear_mesh_parameters p = defaults();
  p.ops = 512;
  int64_t cached = run(&p, FEAR_BINS).cached;
  assert_true(cached >= 28 * (512 - 64));
  p.LUT = 16;
  assert_true(run(&p, FEAR_BINS).cached < cached);
  p.LUT = 1024;
  p.sets = p.ways = 1;
  assert_true(run(&p, FEAR_BINS).cached < cached / 4);
}

/* Updates cost: more wires and ideal updates are never slower; and messages. */
TEST(updates_cost) {
  struct fear_mesh_parameters p = defaults();
  struct fear_result usual = run(&p, FEAR_CELLS);
  p.B = 1;
  assert_true(run(&p, FEAR_CELLS).end > 2 * usual.end);
  p.B = 16;
  p.u = 0;
  struct fear_result ideal = run(&p, FEAR_CELLS);
  assert_true(ideal.end < usual.end);
  /* A grant and a release, each told to the nine members in turn. */
  assert_true(usual.network.messages - ideal.network.messages > 17 * usual.operations);
}
