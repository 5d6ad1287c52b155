/* SPDX-License-Identifier: MIT */
/* Tests on devices, as far as no device is needed: places, statements from
 * jumps, tables, histograms, and what is refused by a device's own words. */
#include <string.h>

#include "checker/base/tags.h"
#include "checker/base/text.h"
#include "checker/device/fits_device.h"
#include "checker/device/structured_flow.h"
#include "checker/litmus/litmus.h"
#include "tests/unit/unit.h"

static struct litmus_test *parse(struct arena *arena, const char *text, struct diags *diags) {
  const struct litmus_options options = {0};
  struct litmus_test *test =
      litmus_parse(arena, source_from_text(arena, "t.litmus", text, strlen(text)), &options, diags);
  assert_non_null(test);
  return test;
}

static struct layout *layout_of(struct arena *arena, const char *text, struct diags *diags) {
  *diags = diags_new(arena);
  return layout_new(arena, parse(arena, text, diags)->program, false, diags);
}

static const char SB[] =
    "OpenCL SB\n{ [x]=0; [y]=0; }\n"
    "P0 (global atomic_int* x, global atomic_int* y) {\n"
    "  atomic_store_explicit(x, 1, memory_order_seq_cst, memory_scope_device);\n"
    "  int r0 = atomic_load_explicit(y, memory_order_seq_cst, memory_scope_device); }\n"
    "P1 (global atomic_int* x, global atomic_int* y) {\n"
    "  atomic_store_explicit(y, 1, memory_order_seq_cst, memory_scope_device);\n"
    "  int r0 = atomic_load_explicit(x, memory_order_seq_cst, memory_scope_device); }\n"
    "scopeTree (device (work_group P0) (work_group P1))\nexists (0:r0=0 /\\ 1:r0=0)\n";

/* Every message of a device that does not offer what a test needs. */
static const char HEAVY[] =
    "OpenCL Heavy\n{ [x]=0; [y]=5000000000; [w]=0; }\n"
    "P0 (global atomic_int* x, global atomic_int* y, local atomic_int* w) {\n"
    "  atomic_store_explicit(w, 1, memory_order_seq_cst, memory_scope_work_group);\n"
    "  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_work_group);\n"
    "  int r0 = atomic_load_explicit(y, memory_order_acquire, memory_scope_device); }\n"
    "exists (0:r0=0)\n";

static struct device_facts strong_device(void) {
  return (struct device_facts){.name = "dev",
                               .version = "OpenCL 3.0",
                               .usable = 1,
                               .is_cpu = 1,
                               .units = 4,
                               .group_items = 64,
                               .wide = 1,
                               .orders = 0xff,
                               .scopes = 0xff,
                               .fence_orders = 0xff,
                               .fence_scopes = 0xff,
                               .local_bytes = 1024,
                               .allocation_bytes = (uint64_t)1 << 30};
}

static bool fits(struct arena *arena, const char *text, const struct device_facts *facts, const char *setting,
                 uint32_t instances, struct fitted *fitted, const char *message) {
  struct diags diags;
  struct layout *layout = layout_of(arena, text, &diags);
  assert_non_null(layout);
  struct settings settings = settings_new();
  assert_true(settings_read(&settings, source_from_text(arena, "s", setting, strlen(setting)), &diags));
  bool good = fit(layout, "T", &(struct device_use){facts, &settings, instances}, fitted, &diags);
  bool said = !message;
  for (size_t i = 0; i < diags.count; i++) said |= message && !strcmp(diags.at[i].message, message);
  if (!said) fail_msg("not said: %s", message);
  return good;
}

TEST(places_follow_the_scope_tree) {
  struct arena *arena = *state;
  struct diags diags;
  struct layout *layout = layout_of(arena, SB, &diags);
  assert_int_equal(layout->part_count, 2);
  assert_int_equal(layout->members, 1);
  assert_int_equal(layout->cell_count, 2);
  assert_int_equal(layout->result_count, 2);
  assert_false(layout->wide);
  assert_int_equal(layout->orders, 1u << ORDER_SC);
  assert_true(layout_of(arena, HEAVY, &diags)->wide);
}

TEST(devices_are_taken_at_their_word) {
  struct arena *arena = *state;
  struct device_facts facts = strong_device();
  struct fitted fitted;
  assert_true(fits(arena, SB, &facts, "", 1000, &fitted, NULL));
  assert_int_equal(fitted.launch.groups, 4);
  assert_int_equal(fitted.shape.items, 1);
  assert_true(fits(arena, HEAVY, &facts, "lanes=2,groups=3", 1000, &fitted, NULL));
  assert_int_equal(fitted.shape.wide, 8);
  assert_int_equal(fitted.shape.items, 2);

  facts.orders = facts.fence_orders = 1u << ORDER_RLX;
  facts.scopes = facts.fence_scopes = 0;
  facts.wide = 0;
  facts.local_bytes = 4;
  assert_false(
      fits(arena, SB, &facts, "", 1, &fitted, "T needs atomic operations that 'dev' does not offer: order seq_cst"));
  assert_false(
      fits(arena, SB, &facts, "", 1, &fitted, "T needs atomic operations that 'dev' does not offer: scope device"));
  assert_false(fits(arena, HEAVY, &facts, "", 1, &fitted, "T needs fences that 'dev' does not offer: order seq_cst"));
  assert_false(
      fits(arena, HEAVY, &facts, "", 1, &fitted, "T needs fences that 'dev' does not offer: scope work_group"));
  assert_false(
      fits(arena, HEAVY, &facts, "", 1, &fitted, "T has 64-bit values, but 'dev' has no 64-bit atomic operations"));
  assert_false(fits(arena, HEAVY, &facts, "", 1, &fitted, "T needs 8 bytes of local memory, but 'dev' has 4"));

  facts = strong_device();
  assert_false(fits(arena, SB, &facts, "lanes=65", 1, &fitted,
                    "T needs work-groups of 65 work-items, but those of 'dev' have at most 64"));
  facts.allocation_bytes = 1 << 20;
  assert_false(fits(arena, SB, &facts, "", 10000, &fitted,
                    "T needs a buffer of 1 MiB, but 'dev' allows 1; fewer instances (-n) need less"));
  assert_false(fits(arena, SB, &facts, "stride=1024", 10000000, &fitted,
                    "T needs more cells than kernels can number; fewer instances (-n) or a smaller stride need less"));
  facts.usable = 0;
  assert_false(
      fits(arena, SB, &facts, "", 1, &fitted, "'dev' offers no atomic operations with orders: it is 'OpenCL 3.0'"));
}

/* A thread of n instructions, and where each that is a jump goes. */
static const struct flow *statements(struct arena *arena, const char *kinds, const unsigned *targets, bool *good) {
  struct thread thread = {.instr_count = (unsigned)strlen(kinds)};
  thread.instrs = ARENA_ARRAY(arena, struct instr, thread.instr_count);
  for (unsigned i = 0; i < thread.instr_count; i++) {
    thread.instrs[i].kind = kinds[i] == 'b' ? INSTR_BRANCH : kinds[i] == 'j' ? INSTR_JUMP : INSTR_ASSIGN;
    thread.instrs[i].target = targets[i];
  }
  return flow_of(arena, &thread, 0, thread.instr_count, good);
}

TEST(jumps_become_statements) {
  struct arena *arena = *state;
  bool good;
  /* if (..) a else b */
  const struct flow *flow = statements(arena, "bajaa", (const unsigned[]){3, 0, 4, 0, 0}, &good);
  assert_true(good);
  assert_int_equal(flow->kind, FLOW_IF);
  assert_non_null(flow->other);
  assert_int_equal(flow->next->kind, FLOW_INSTR);
  /* while (..) { a; if (..) break; if (..) continue; b } */
  flow = statements(arena, "babjbjaja", (const unsigned[]){8, 0, 4, 8, 6, 7, 0, 0, 0}, &good);
  assert_true(good);
  assert_int_equal(flow->kind, FLOW_LOOP);
  assert_int_equal(flow->body->kind, FLOW_BREAK);
  assert_int_equal(flow->next->kind, FLOW_INSTR);
  /* a jump into the middle of an if has no statement */
  statements(arena, "jbaaa", (const unsigned[]){3, 4, 0, 0, 0}, &good);
  assert_false(good);
}

TEST(the_seed_makes_the_tables) {
  const struct table_shape shape = {
      .parts = 2, .items = 2, .lanes = 1, .cells = 2, .results = 2, .wide = 4, .turns = 1};
  const struct launch launch = {.instances = 5, .groups = 4, .stride = 1, .shuffle = 1};
  assert_int_equal(tables_steps(&shape, &launch), 3);
  assert_int_equal(tables_instances(&shape, &launch), 6);
  uint32_t deal[2][12], seen = 0;
  for (int i = 0; i < 2; i++) {
    uint64_t random = 7;
    tables_deal(&random, &shape, &launch, deal[i]);
  }
  assert_memory_equal(deal[0], deal[1], sizeof deal[0]);
  for (int g = 0; g < 4; g++) seen |= 1u << (deal[0][g] & 0xffff);
  assert_int_equal(seen, 15); /* each role once a step */
}

TEST(histograms_count) {
  struct histogram h = {.width = 2};
  for (long long i = 0; i < 1000; i++) histogram_add(&h, (const long long[]){i % 100, -i % 100}, 1);
  histogram_add(&h, (const long long[]){0, 0}, 5);
  assert_int_equal(h.count, 100);
  assert_int_equal(h.counts[0], 15);
  assert_int_equal(h.counts[99], 10);
  histogram_free(&h);
}

/* What no device runs is refused with its reason. */
static void refused(struct arena *arena, const char *text, const char *message) {
  struct diags diags;
  assert_null(layout_of(arena, text, &diags));
  if (!strstr(diags.at[0].message, message)) fail_msg("said: %s", diags.at[0].message);
}

TEST(some_programs_are_for_no_device) {
  struct arena *arena = *state;
  refused(arena,
          "OpenCL T\n{ [x]=0; }\nP0 (global atomic_int* x) { int i = 0;\n"
          "  while (i < 2) { barrier(CLK_GLOBAL_MEM_FENCE); i = i + 1; } *x = i; }\nexists (true)\n",
          "a barrier in a loop, or a second one where one is under a condition: not all work-items of a device would "
          "reach it");
  struct diags diags = diags_new(arena);
  struct program *program = parse(arena, SB, &diags)->program;
  program->threads[0].instrs[0].read_tags = ~tag_bit(TAG_REMOTE);
  assert_null(layout_new(arena, program, false, &diags));
  assert_string_equal(diags.at[0].message, "kernels cannot express this operation");
}
