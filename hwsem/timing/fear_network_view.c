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

struct explore_options cost_explore_limits(const struct cost_request *request) {
  return (struct explore_options){.max_states = request->max_states,
                                  .max_memory = request->max_memory,
                                  .timeout = request->timeout,
                                  .cancel = request->cancel};
}

static bool fill(const struct setting *setting, struct fear_program *program, struct fear_net_options *o,
                 struct diags *diags) {
  size_t before = diags->errors;
  *o = (struct fear_net_options){.width = (int)setting_number(setting, "W", diags),
                                 .height = (int)setting_number(setting, "H", diags),
                                 .K = (int)setting_number(setting, "K", diags),
                                 .classes = (int)setting_number(setting, "classes", diags),
                                 .buffer = (int)setting_number(setting, "buffer", diags),
                                 .queue = (int)setting_number(setting, "queue", diags),
                                 .busy = setting_number(setting, "busy", diags) != 0};
  const char *text = setting_text(setting, "program", diags), *fault = fear_program_read(text, program);
  if (fault) setting_error(setting, diags, "program", "program '%s': %s", text, fault);
  if (diags->errors > before) return false;
  fault = fear_net_check(program, o);
  bool width = setting_is_given(setting, "W"), ring = setting_is_given(setting, "K");
  const char *cause = ring && !width ? "K" : "W";
  if (fault) setting_error(setting, diags, cause, "%dx%d nodes, K=%d: %s", o->width, o->height, o->K, fault);
  return !fault;
}

void fear_add_trace(struct cost_report *report, const char *what, const char *name, const struct fear_trace *trace) {
  const struct machine *machine = trace->machine;
  const struct explore_step *steps = trace->steps;
  struct text text = text_new();
  fprintf(text.out, "%s: configuration %s, %zu transitions\n", what, name, trace->count);
  for (size_t i = 0; i < trace->count; i++) {
    fprintf(text.out, "%4zu  %s  ", i + 1,
            machine->step_kind(machine, steps[i].step) == STEP_THREAD ? "requester  " : "environment");
    machine->print_step(machine, steps[i].step, steps[i].before, steps[i].after, text.out);
    fputc('\n', text.out);
  }
  if (trace->ends && trace->count) {
    fputs("What stands there:\n", text.out);
    machine->print_state(machine, steps[trace->count - 1].after, text.out);
  }
  *vec_push(report->arena, &report->traces) = text_keep(&text, report->arena);
}

static bool is_exclusive(const struct exploration *found) {
  bool twice = false;
  for (size_t i = 0; i < found->outcome_count; i++) twice |= found->outcomes[i].values[0] != 0;
  return !twice;
}

/* What rows of the table have in common. */
struct networks {
  const struct cost_request *request;
  struct cost_report *report;
  struct explorer *explorer;
  struct table *table;
};

static void put_row(const struct networks *n, const struct setting *setting, const struct fear_program *program,
                    const struct fear_net_options *o) {
  struct table *table = n->table;
  struct arena *arena = arena_new();
  struct machine *machine = fear_net_new(arena, program, o);
  struct explore_options options = cost_explore_limits(n->request);
  struct exploration found;
  enum explore_end end = explore(n->explorer, machine, &options, &found);
  table_put_text(table, setting->name);
  table_put_text(table, arena_printf(n->report->arena, "%dx%d", o->width, o->height));
  table_put_text(table, setting_text(setting, "program", NULL));
  table_put_numbers(table, o->K, o->classes, o->buffer, o->queue, o->busy, (int64_t)found.stats.states,
                    (int64_t)found.stats.transitions, (int64_t)found.stats.finals, (int64_t)found.stats.deadlocks);
  table_put_text(table, !is_exclusive(&found) ? "no" : end == EXPLORE_DONE ? "yes" : explore_end_text(end));
  if (found.deadlock == EXPLORE_NO_STATE) {
    table_put_empty(table);
  } else {
    struct explore_step *steps;
    size_t count = explore_trace(n->explorer, found.deadlock, arena, &steps);
    table_put_number(table, (int64_t)count);
    if (n->request->trace)
      fear_add_trace(n->report, "Stuck", setting->name, &(struct fear_trace){machine, steps, count, true});
  }
  n->report->limited |= end != EXPLORE_DONE;
  arena_free(arena);
}

static bool show_fear_network(const struct cost_request *request, struct cost_report *report, struct diags *diags) {
  struct settings settings = cost_settings(report, "networks", "program", NULL);
  struct table *table = cost_add_table(report, "Mutexes on a network with finite buffers, all reachable states");
  table_columns(table, "case", "mesh", "program", "K", "classes", "buffer", "queue", "busy wires", "states", "edges",
                "finals", "stuck", "exclusive", "depth|transitions", NULL);
  struct networks networks = {request, report, explorer_new(), table};
  bool good = true;
  for (size_t i = 0; i < settings.list.count && good; i++) {
    struct fear_program program;
    struct fear_net_options o;
    good = fill(&settings.list.at[i], &program, &o, diags);
    if (good && !request->help) put_row(&networks, &settings.list.at[i], &program, &o);
  }
  explorer_free(networks.explorer);
  return good;
}

const struct cost_view view_fear_network = {
    .name = "fear-network",
    .machine = "timing-fear-net",
    .summary = "the mutex protocol on a network with finite buffers, explored: what can get stuck",
    .help = help_fear_network,
    .run = show_fear_network};
