/* SPDX-License-Identifier: MIT */
/* Programs under the ADSM protocols: Figures 2, 7, 8, 10 and 12 of its paper from
 * profiles of the Parboil suite. */

#include "checker/base/array.h"
#include "hwsem/timing/adsm_profile.h"
#include "hwsem/timing/table_with_plot.h"
#include "hwsem/timing/view_list.h"

static const char help_adsm_programs[] =
    "Programs as phases of their shared data, under batch-, lazy- and rolling-update and with copies by\n"
    "hand: slow-down over these (Figure 7), bytes over those of batch-update (Figure 8), where the time\n"
    "goes under rolling-update (Figure 10), block sizes of all programs (section 5.2), block and rolling\n"
    "sizes of tpacf (Figure 12), block sizes of a vector addition next to what the paper says about them\n"
    "(Figure 11), and the IPC that an interconnect lets a kernel have (Figure 2).\n"
    "\n"
    "A profile is one word, such as data/4M+bins/64K!|read:data;100(call:500;peek:bins:2). Objects\n"
    "with sizes (kernels write those with !), then phases: read:X and dump:X (files, a call for each\n"
    "block), fill:X and load:X (the host writes, reads it in order), peek:X:N and poke:X:N (N cells,\n"
    "evenly spread), weave:X:P:S (written as P parts side by side, S bytes of each in turn), cpu:T\n"
    "and call:T (T microseconds of the host, of a kernel that is waited for), N(...) for repetitions.\n"
    "With @2 after it an object is on a second accelerator (of four), and so are call:T@2, start:T@2\n"
    "(the host goes on) and wait@2: a call takes the objects of its accelerator alone. The host\n"
    "leaves these alone until it has waited for the call.\n"
    "\n"
    "Time: one engine makes transfers. An eviction starts one and goes on, but waits while an earlier one\n"
    "is under way; fetches in faults and what is left at calls are waited for. A block that is written\n"
    "after its eviction is sent again.\n"
    "\n"
    "What to believe: the orders. As published, batch-update is slowest everywhere, far behind for\n"
    "pns and rpes, which move most; lazy and rolling are as fast as copies by hand; rolling moves\n"
    "less than lazy for mri-q; computation comes first, then I/O and copies, signals stay below 2 %;\n"
    "block sizes do not matter except for tpacf. Profiles are chosen, and the calls of pns and rpes\n"
    "fitted to the two published slow-downs. Figure 12 is reproduced because tpacf is assumed to\n"
    "write four parts of its data in turn: time grows with the block up to the point where R blocks\n"
    "hold all parts (R times B = 4 MB), drops there, and R=4 is flat. With passes that follow each\n"
    "other (`adsm`, multi-pass) it would not grow, so this rests on that assumption. Figure 11's\n"
    "least upload time lies at 64 KB because faults hide transfers as production does (`adsm`, where\n"
    "they do not, has it at 128 KB). For that time to fall faster there than bandwidth rises, faults\n"
    "must last longer than the start of a transfer, and the host must write faster than the bus moves\n"
    "data: with fault=22000,produce=150, everything that the text says about Figure 11 is reproduced.\n";

#define ADSM(name) \
  { #name, offsetof(struct adsm_profile_parameters, adsm.name) }
#define OWN(name) \
  { #name, offsetof(struct adsm_profile_parameters, name) }
static const struct parameter_field FIELDS[] = {ADSM(latency), ADSM(up),       ADSM(down),  ADSM(half),  ADSM(fault),
                                                ADSM(search),  ADSM(produce),  ADSM(input), ADSM(B),     ADSM(R),
                                                ADSM(cell),    ADSM(annotate), OWN(output), OWN(launch), OWN(chunk)};
#undef ADSM
#undef OWN

struct profiled {
  const struct setting *setting;
  struct adsm_profile_parameters p;
  const struct adsm_profile *profile;
};

static bool load(struct cost_report *report, const struct setting *setting, struct profiled *program) {
  const char *fault;
  *program = (struct profiled){.setting = setting};
  if (!setting_fill(setting, FIELDS, ARRAY_COUNT(FIELDS), &program->p)) return false;
  program->profile = adsm_profile_read(report->arena, setting_text(setting, "profile"), &fault);
  if (!program->profile) return setting_error(setting, "profile", "profile of %s: %s", setting->name, fault);
  if (adsm_profile_fits(program->profile, program->p.adsm.B)) return true;
  return setting_error(setting, "B", "the objects of %s have too many blocks of %d bytes", setting->name,
                       (int)program->p.adsm.B);
}

/* Under a protocol. */
static struct adsm_profile_cost run(struct cost_report *report, const struct profiled *program,
                                    enum adsm_protocol protocol) {
  cost_begin(&report->effort);
  struct adsm_profile_cost cost = adsm_profile_run(&program->p, program->profile, protocol, &report->limit);
  cost_end(&report->effort, cost.events);
  return cost;
}

/* What a program takes with copies by hand, and under each protocol. */
struct outcome {
  struct adsm_profile_cost hand, under[ADSM_PROTOCOLS];
};

struct suite {
  struct settings settings;
  struct profiled *at;
  struct outcome *of;
  size_t count, done; /* done: they came to an end */
};

static bool load_all(struct cost_report *report, struct suite *all) {
  *all = (struct suite){.settings = cost_settings(report, "programs", "profile", NULL)};
  all->count = all->settings.list.count;
  all->at = ARENA_ARRAY(report->arena, struct profiled, all->count + 1);
  all->of = ARENA_ARRAY(report->arena, struct outcome, all->count + 1);
  for (size_t i = 0; i < all->count; i++)
    if (!load(report, &all->settings.list.at[i], &all->at[i])) return false;
  return true;
}

static void run_all(struct cost_report *report, struct suite *all) {
  for (; all->done < all->count; all->done++) {
    const struct profiled *program = &all->at[all->done];
    struct outcome *of = &all->of[all->done];
    cost_begin(&report->effort);
    of->hand = adsm_profile_by_hand(&program->p, program->profile, &report->limit);
    cost_end(&report->effort, of->hand.events);
    for (enum adsm_protocol k = 0; k < ADSM_PROTOCOLS; k++) of->under[k] = run(report, program, k);
    if (report->limit.met) return;
  }
}

/* ---- Figures 7 and 8 ---- */

static void add_slowdowns(struct cost_report *report, const struct suite *all) {
  struct chart chart =
      chart_add(report, PLOT_BARS, "Slow-down over copies by hand (Figure 7)", "program", "time (times that by hand)");
  chart.plot->log_y = true;
  table_columns(chart.table, "program", "by hand|us", NULL);
  for (enum adsm_protocol k = 0; k < ADSM_PROTOCOLS; k++) chart_column(&chart, adsm_protocol_name(k), "times by hand");
  for (size_t i = 0; i < all->done; i++) {
    int64_t base = adsm_profile_time(&all->of[i].hand);
    chart_row(&chart, all->at[i].setting->name);
    table_put_number(chart.table, base / 1000);
    for (int k = 0; k < ADSM_PROTOCOLS; k++) chart_put_ratio(&chart, adsm_profile_time(&all->of[i].under[k]), base);
  }
}

static void add_bytes(struct cost_report *report, const struct suite *all) {
  struct chart chart = chart_add(report, PLOT_STACK, "Bytes over those of batch-update (Figure 8)",
                                 "program and protocol", "bytes (times batch-update)");
  table_columns(chart.table, "program", "batch up|bytes", "batch down|bytes", "lazy up|times batch",
                "lazy down|times batch", "rolling up|times batch", "rolling down|times batch", NULL);
  plot_add_series(chart.plot, "host to accelerator");
  plot_add_series(chart.plot, "accelerator to host");
  for (size_t i = 0; i < all->done; i++) {
    const char *name = all->at[i].setting->name;
    const struct adsm_profile_cost *under = all->of[i].under, *batch = &under[ADSM_BATCH];
    table_put_text(chart.table, name);
    table_put_numbers(chart.table, batch->up, batch->down);
    for (enum adsm_protocol k = ADSM_LAZY; k <= ADSM_ROLLING; k++) {
      plot_add_group(chart.plot, arena_printf(report->arena, "%s %s", name, adsm_protocol_name(k)));
      chart_put_ratio(&chart, under[k].up, batch->up + batch->down);
      chart_put_ratio(&chart, under[k].down, batch->up + batch->down);
    }
  }
}

/* ---- Figure 10 ---- */

static void add_parts(struct cost_report *report, const struct suite *all) {
  struct chart chart = chart_add(report, PLOT_STACK, "Where time goes under rolling-update (Figure 10)", "program",
                                 "part of the time (%)");
  table_columns(chart.table, "program", "time|us", NULL);
  for (int k = 0; k < ADSM_PARTS; k++) chart_column(&chart, adsm_part_names[k], "%");
  table_column(chart.table, "faults", NULL);
  for (size_t i = 0; i < all->done; i++) {
    const struct adsm_profile_cost *cost = &all->of[i].under[ADSM_ROLLING];
    int64_t time = adsm_profile_time(cost);
    chart_row(&chart, all->at[i].setting->name);
    table_put_number(chart.table, time / 1000);
    for (int k = 0; k < ADSM_PARTS; k++) chart_put_ratio(&chart, 100 * cost->part[k], time);
    table_put_number(chart.table, cost->faults);
  }
}

/* ---- block and rolling sizes ---- */

/* Times by block size. */
static struct chart add_block_chart(struct cost_report *report, const char *title) {
  struct chart chart = chart_add(report, PLOT_LINES, title, "block size", "time (ms)");
  chart.plot->log_y = true;
  table_column(chart.table, "B", NULL);
  return chart;
}

/* A row of times of programs whose block or rolling size is set; false once the limit is met. */
static bool put_row(struct cost_report *report, const struct chart *chart, const char *name,
                    const struct profiled *programs, size_t count) {
  int64_t *times = ARENA_ARRAY(report->arena, int64_t, count + 1);
  for (size_t k = 0; k < count; k++) {
    struct adsm_profile_cost cost = run(report, &programs[k], ADSM_ROLLING);
    times[k] = adsm_profile_time(&cost);
  }
  if (report->limit.met) return false;
  chart_row(chart, name);
  for (size_t k = 0; k < count; k++) chart_put_time(chart, times[k]);
  return true;
}

static void add_blocks(struct cost_report *report, const struct suite *all) {
  struct settings blocks = cost_settings(report, "blocks", "B", NULL);
  struct chart chart = add_block_chart(report, "Block size of all programs (section 5.2)");
  struct profiled *programs = ARENA_ARRAY(report->arena, struct profiled, all->count + 1);
  for (size_t k = 0; k < all->count; k++) {
    programs[k] = all->at[k];
    chart_column(&chart, programs[k].setting->name, "us");
  }
  bool goes_on = true;
  for (size_t i = 0; i < blocks.list.count && goes_on; i++) {
    for (size_t k = 0; k < all->count; k++) programs[k].p.adsm.B = setting_number(&blocks.list.at[i], "B");
    goes_on = put_row(report, &chart, blocks.list.at[i].name, programs, all->count);
  }
}

static bool add_rolling(struct cost_report *report) {
  struct settings rows = cost_settings(report, "woven-blocks", NULL, NULL);
  struct settings sizes = cost_settings(report, "rolling-sizes", "R", NULL);
  struct chart chart = add_block_chart(report, "Block and rolling size of tpacf (Figure 12)");
  size_t count = sizes.list.count;
  struct profiled *programs = ARENA_ARRAY(report->arena, struct profiled, count + 1);
  for (size_t k = 0; k < count; k++) chart_column(&chart, sizes.list.at[k].name, "us");
  bool goes_on = true;
  for (size_t i = 0; i < rows.list.count && goes_on; i++) {
    struct profiled program;
    if (!load(report, &rows.list.at[i], &program)) return false;
    for (size_t k = 0; k < count; k++) {
      programs[k] = program;
      programs[k].p.adsm.R = setting_number(&sizes.list.at[k], "R");
    }
    goes_on = put_row(report, &chart, rows.list.at[i].name, programs, count);
  }
  return true;
}

/* ---- Figure 11 ---- */

/* Of a vector addition with a block size: what the host waits for, and the bandwidth of a block's transfer. */
struct addition {
  const char *name;
  struct adsm_profile_cost cost;
  double bandwidth;
};

/* Time falls by more than bandwidth rises from a row to the next. */
static bool falls_faster(const struct addition *row) {
  return (double)adsm_profile_time(&row[0].cost) / (double)adsm_profile_time(&row[1].cost) >
         row[1].bandwidth / row[0].bandwidth;
}

static void add_claims(struct cost_report *report, const struct addition *rows, size_t count) {
  enum { KB_64 = 4, FALLS = 2 };
  struct table *table = cost_add_statements(report, "The paper's text on Figure 11");
  if (count <= KB_64 + 1) return;
  bool least = true, widest = true;
  for (size_t i = 0; i + 1 < count; i++) widest = widest && rows[i].bandwidth < rows[count - 1].bandwidth;
  for (size_t i = KB_64 + 1; i < count; i++)
    least = least && rows[KB_64].cost.part[ADSM_PART_COPY] < rows[i].cost.part[ADSM_PART_COPY];
  cost_put_statement(table, "bandwidth is greatest at 32 MB", widest, "%.0f MB/s", rows[count - 1].bandwidth);
  for (const struct addition *row = rows; row < rows + FALLS; row++)
    cost_put_statement(
        table,
        arena_printf(report->arena, "from %s to %s time falls faster than bandwidth rises", row[0].name, row[1].name),
        falls_faster(row), "%.3f for %.3f",
        (double)adsm_profile_time(&row[0].cost) / (double)adsm_profile_time(&row[1].cost),
        row[1].bandwidth / row[0].bandwidth);
  cost_put_statement(table, "uploads wait less with 64 KB than with larger blocks", least, "%d us, 128 KB %d us",
                     (int)(rows[KB_64].cost.part[ADSM_PART_COPY] / 1000),
                     (int)(rows[KB_64 + 1].cost.part[ADSM_PART_COPY] / 1000));
}

static bool add_additions(struct cost_report *report) {
  struct settings rows = cost_settings(report, "vector-blocks", NULL, NULL);
  struct chart chart = add_block_chart(report, "Block size of a vector addition, up to its kernel (Figure 11)");
  struct addition *all = ARENA_ARRAY(report->arena, struct addition, rows.list.count + 1);
  static const char *const names[] = {"upload", "signals", "time"};
  for (int k = 0; k < 3; k++) chart_column(&chart, names[k], "us");
  table_column(chart.table, "bandwidth", "MB/s");
  for (size_t i = 0; i < rows.list.count; i++) {
    struct profiled program;
    if (!load(report, &rows.list.at[i], &program)) return false;
    const struct adsm_parameters *p = &program.p.adsm;
    all[i] = (struct addition){rows.list.at[i].name, run(report, &program, ADSM_ROLLING),
                               1000 * (double)p->B / (double)adsm_transfer_time(p, true, p->B)};
    if (report->limit.met) return true;
    const struct adsm_profile_cost *cost = &all[i].cost;
    chart_row(&chart, all[i].name);
    chart_put_time(&chart, cost->part[ADSM_PART_COPY]);
    chart_put_time(&chart, cost->part[ADSM_PART_SIGNAL]);
    chart_put_time(&chart, adsm_profile_time(cost));
    table_put_number(chart.table, (int64_t)all[i].bandwidth);
  }
  bool own = rows.list.count > 0 && setting_is_given(&rows.list.at[0], "profile");
  add_claims(report, all, own ? 0 : rows.list.count);
  return true;
}

/* ---- Figure 2 ---- */

static void add_links(struct cost_report *report) {
  struct settings links = cost_settings(report, "links", "link", NULL);
  struct settings kernels = cost_settings(report, "kernels", "traffic", NULL);
  struct chart chart = chart_add(report, PLOT_BARS, "Instructions per cycle that an interconnect supports (Figure 2)",
                                 "interconnect", "instructions per cycle");
  chart.plot->log_y = true;
  table_columns(chart.table, "interconnect", "bandwidth|MB/s", NULL);
  for (size_t k = 0; k < kernels.list.count; k++)
    chart_column(&chart, kernels.list.at[k].name, "instructions per cycle");
  ARRAY_EACH (const struct setting, link, links.list.at, links.list.count) {
    int64_t bandwidth = setting_number(link, "link"), clock = setting_number(link, "clock");
    chart_row(&chart, link->name);
    table_put_number(chart.table, bandwidth);
    for (size_t k = 0; k < kernels.list.count; k++)
      chart_put_ratio(&chart, 1000 * bandwidth, clock * setting_number(&kernels.list.at[k], "traffic"));
  }
}

static bool show_adsm_programs(struct cost_report *report) {
  struct suite all;
  if (!load_all(report, &all)) return false;
  run_all(report, &all);
  add_slowdowns(report, &all);
  add_bytes(report, &all);
  add_parts(report, &all);
  add_blocks(report, &all);
  if (!add_rolling(report) || !add_additions(report)) return false;
  add_links(report);
  return true;
}

const struct cost_view view_adsm_programs = {
    .name = "adsm-programs",
    .machine = "timing-adsm-programs",
    .summary = "ADSM protocols on profiles of the Parboil suite: slow-down, bytes, parts of the time",
    .help = help_adsm_programs,
    .run = show_adsm_programs,
    .slow = true};
