/* SPDX-License-Identifier: MIT */
/* The protocols next to copies by hand: slow-down and bytes, as in the paper's
 * Figures 7 and 8. */
#include "checker/base/array.h"
#include "hwsem/timing/adsm_profile.h"
#include "hwsem/timing/view_list.h"

/* Protocols, as they are and with kernels that say what they write. */
static const struct {
  const char *name;
  enum adsm_protocol protocol;
  bool annotated;
} KINDS[] = {{"batch", ADSM_BATCH, false},         {"lazy", ADSM_LAZY, false},
             {"rolling", ADSM_ROLLING, false},     {"batch, annotated", ADSM_BATCH, true},
             {"lazy, annotated", ADSM_LAZY, true}, {"rolling, annotated", ADSM_ROLLING, true}};
enum { KIND_COUNT = ARRAY_COUNT(KINDS) };

static void put_pattern(struct cost_report *report, struct table *slow, struct table *bytes,
                        const struct adsm_parameters *p, enum adsm_pattern pattern) {
  struct adsm_profile_cost hand = adsm_pattern_by_hand(p, pattern);
  int64_t kernels = hand.calls * p->kernel, base = adsm_profile_time(&hand) + kernels;
  table_put_text(slow, adsm_pattern_name(pattern));
  table_put_numbers(slow, hand.up, hand.down, base / 1000);
  table_put_text(bytes, adsm_pattern_name(pattern));
  struct adsm_parameters kind = *p;
  kind.annotate = 0;
  struct adsm_cost batch = adsm_run_pattern(report, &kind, pattern, ADSM_BATCH);
  table_put_ratio(bytes, hand.up + hand.down, batch.up + batch.down);
  for (int i = 0; i < KIND_COUNT; i++) {
    kind.annotate = KINDS[i].annotated;
    struct adsm_cost cost = adsm_run_pattern(report, &kind, pattern, KINDS[i].protocol);
    table_put_ratio(slow, adsm_cost_time(&cost) + kernels, base);
    if (i != 0) table_put_ratio(bytes, cost.up + cost.down, batch.up + batch.down);
  }
}

bool adsm_add_explicit(struct cost_report *report) {
  struct settings settings = cost_settings(report, "patterns", NULL, "pattern");
  struct table *slow = cost_add_table(report, "Slow-down over copies by hand");
  struct table *bytes = cost_add_table(report, "Bytes moved, over those of batch-update");
  table_columns(slow, "pattern", "up by hand|bytes", "down by hand|bytes", "time by hand|us", NULL);
  table_columns(bytes, "pattern", "by hand", NULL);
  for (int i = 0; i < KIND_COUNT; i++) {
    table_column(slow, KINDS[i].name, NULL);
    if (i != 0) table_column(bytes, KINDS[i].name, NULL);
  }
  for (size_t i = 0; i < settings.list.count; i++) {
    struct adsm_parameters p;
    enum adsm_pattern pattern;
    if (!adsm_setting_fill(&settings.list.at[i], &p)) return false;
    if (!adsm_setting_pattern(&settings.list.at[i], &pattern)) return false;
    put_pattern(report, slow, bytes, &p, pattern);
  }
  return true;
}
