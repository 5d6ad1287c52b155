/* SPDX-License-Identifier: MIT */
/* The view of the mutex protocol on a network with finite buffers: which classes of
 * messages, buffers and queues keep it from standing still. */
#include "checker/base/text.h"
#include "hwsem/machines/fear_net.h"
#include "hwsem/timing/view_list.h"

static const char help_fear_network[] =
    "Requests, grants, releases and updates of the mutexes on a mesh whose routers have buffers of\n"
    "`buffer` messages for each input and class, explored completely. Members keep `queue` requests\n"
    "that they cannot grant yet; further ones stay in the network. classes=1 puts all messages into\n"
    "one class: then a release may queue up after requests that wait for it. classes=2 gives requests\n"
    "a class of their own, as the paper does (section IV-C).\n"
    "\n"
    "program=1+1 says how often each requester takes the mutex x, or which (xy+yx); mutex m is kept\n"
    "by the ring m modulo their number. Requesters stand at the last nodes of the mesh, rings are runs\n"
    "of K nodes. Stuck: states in which nothing can move before the program has ended; depth: of the\n"
    "nearest, which -trace shows. Exclusive: no mutex was ever with two nodes at once. The talking\n"
    "stick is left out: a member may change its table whenever the mutex's busy wire is clear.\n";

/* ---- what is explored, of this view and of fear-check ---- */

bool fear_setting_program(const struct setting *setting, struct fear_program *program) {
  const char *text = setting_text(setting, "program"), *fault = fear_program_read(text, program);
  if (fault) setting_error(setting, "program", "program '%s': %s", text, fault);
  return !fault;
}

struct explore_options fear_explore_limits(const struct cost_report *report) {
  const struct cost_request *request = report->request;
  return (struct explore_options){.max_states = request->max_states,
                                  .max_memory = request->max_memory,
                                  .timeout = request->timeout,
                                  .cancel = request->cancel};
}

static const char *text_of_run(struct arena *arena, const struct fear_trace *trace, const struct explore_step *steps,
                               size_t count) {
  const struct machine *machine = trace->machine;
  struct text text = text_new();
  fprintf(text.out, "%s: configuration %s, %zu transitions\n", trace->what, trace->name, count);
  for (size_t i = 0; i < count; i++) {
    fprintf(text.out, "%4zu  %s  ", i + 1,
            machine->step_kind(machine, steps[i].step) == STEP_THREAD ? "requester  " : "environment");
    machine->print_step(machine, steps[i].step, steps[i].before, steps[i].after, text.out);
    fputc('\n', text.out);
  }
  if (trace->ends && count) {
    fputs("What stands there:\n", text.out);
    machine->print_state(machine, steps[count - 1].after, text.out);
  }
  return text_keep(&text, arena);
}

int64_t fear_trace_length(struct cost_report *report, const struct fear_trace *trace) {
  if (trace->state == EXPLORE_NO_STATE) return -1;
  struct explore_step *steps;
  struct arena *arena = arena_new();
  size_t count = explore_trace(trace->explorer, trace->state, arena, &steps);
  if (report->request->trace)
    *vec_push(report->arena, &report->traces) = text_of_run(report->arena, trace, steps, count);
  arena_free(arena);
  return (int64_t)count;
}

/* ---- this view ---- */

static bool fill(const struct setting *setting, struct fear_program *program, struct fear_net_options *o) {
  size_t before = setting->diags->errors;
  *o = (struct fear_net_options){.width = (int)setting_number(setting, "W"),
                                 .height = (int)setting_number(setting, "H"),
                                 .K = (int)setting_number(setting, "K"),
                                 .classes = (int)setting_number(setting, "classes"),
                                 .buffer = (int)setting_number(setting, "buffer"),
                                 .queue = (int)setting_number(setting, "queue"),
                                 .busy = setting_number(setting, "busy") != 0};
  if (!fear_setting_program(setting, program) || setting->diags->errors > before) return false;
  const char *fault = fear_net_check(program, o);
  bool width = setting_is_given(setting, "W"), ring = setting_is_given(setting, "K");
  const char *cause = ring && !width ? "K" : "W";
  if (fault) setting_error(setting, cause, "%dx%d nodes, K=%d: %s", o->width, o->height, o->K, fault);
  return !fault;
}

static bool is_exclusive(const struct exploration *found) {
  bool twice = false;
  for (size_t i = 0; i < found->outcome_count; i++) twice |= found->outcomes[i].values[0] != 0;
  return !twice;
}

static void put_row(struct cost_report *report, struct explorer *explorer, struct table *table,
                    const struct setting *setting, const struct fear_program *program,
                    const struct fear_net_options *o) {
  struct arena *arena = arena_new();
  struct machine *machine = fear_net_new(arena, program, o);
  struct explore_options options = fear_explore_limits(report);
  struct exploration found;
  enum explore_end end = explore(explorer, machine, &options, &found);
  table_put_text(table, setting->name);
  table_put_text(table, arena_printf(report->arena, "%dx%d", o->width, o->height));
  table_put_text(table, setting_text(setting, "program"));
  table_put_numbers(table, o->K, o->classes, o->buffer, o->queue, o->busy, (int64_t)found.stats.states,
                    (int64_t)found.stats.transitions, (int64_t)found.stats.finals, (int64_t)found.stats.deadlocks);
  table_put_text(table, !is_exclusive(&found) ? "no" : end == EXPLORE_DONE ? "yes" : explore_end_text(end));
  int64_t depth =
      fear_trace_length(report, &(struct fear_trace){explorer, machine, found.deadlock, "Stuck", setting->name, true});
  table_put_number_where(table, depth >= 0, depth);
  report->limited |= end != EXPLORE_DONE;
  arena_free(arena);
}

static bool show_fear_network(struct cost_report *report) {
  struct settings settings = cost_settings(report, "networks", "program", NULL);
  struct table *table = cost_add_table(report, "Mutexes on a network with finite buffers, all reachable states");
  table_columns(table, "case", "mesh", "program", "K", "classes", "buffer", "queue", "busy wires", "states", "edges",
                "finals", "stuck", "exclusive", "depth|transitions", NULL);
  struct explorer *explorer = explorer_new();
  bool good = true;
  for (size_t i = 0; i < settings.list.count && good; i++) {
    struct fear_program program;
    struct fear_net_options o;
    good = fill(&settings.list.at[i], &program, &o);
    if (good && !report->request->help) put_row(report, explorer, table, &settings.list.at[i], &program, &o);
  }
  explorer_free(explorer);
  return good;
}

const struct cost_view view_fear_network = {
    .name = "fear-network",
    .machine = "timing-fear-net",
    .summary = "the mutex protocol on a network with finite buffers, explored: what can get stuck",
    .help = help_fear_network,
    .run = show_fear_network};
