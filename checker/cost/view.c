/* SPDX-License-Identifier: MIT */
/* Views, as the command line asks for them. */
#include "checker/cost/view.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "checker/base/outfile.h"
#include "checker/base/pool.h"
#include "checker/cmd/interrupts.h"
#include "checker/cmd/output_folder.h"
#include "checker/cmd/terminal.h"

static void list_views(FILE *out) {
  fputs("views:\n", out);
  for (size_t i = 0; i < cost_view_count; i++) fprintf(out, "  %-16s%s\n", cost_views[i]->name, cost_views[i]->summary);
  fprintf(out, "  %-16s%s\n", "mapping", "compiler mappings on tests: sound or not, instructions, cycles");
  fputs(
      "\nlitscope cost VIEW [-params name=value,...] [-machine FILE.xml] [-csv|-json|-svg]\n"
      "litscope cost help VIEW                       what a view shows, its parameters\n"
      "litscope cost mapping -mapping A,B TEST...\n"
      "litscope cost adsm [-mapping batch,lazy,rolling] TEST...\n"
      "litscope cost adsm -run                       the protocols on this machine, with page protection\n",
      out);
}

/* ---- help ---- */

/* Runs the view to learn which parameters it asks for. */
static int help_view(const struct cost_view *view, const struct cost_request *request, struct diags *diags) {
  struct cost_request only = *request;
  only.help = true;
  struct cost_report *report = cost_run(view, &only, diags);
  if (!report) return diags_report(diags);
  const struct description *machine = report->given.description;
  printf("litscope cost %s: %s\n\n%s\nparameters, of %s:\n", view->name, view->summary, view->help,
         machine->source->name);
  for (size_t i = 0; i < machine->parameters.count; i++)
    if (report->given.used[i]) parameter_print(&machine->parameters.at[i], stdout);
  return STATUS_DONE;
}

/* ---- the command ---- */

/* At most one of -csv, -json and -svg. */
static bool one_format(const struct invocation *call, struct diags *diags) {
  static const enum option_id ids[] = {OPTION_CSV, OPTION_COST_JSON, OPTION_SVG};
  const char *first = NULL;
  for (int i = 0; i < 3; i++) {
    if (!option_given(call, ids[i])) continue;
    const char *name = option_table[ids[i]].name;
    if (first) return diag_fail(diags, "options -%s and -%s exclude each other", first, name);
    first = name;
  }
  return true;
}

static struct cost_request make_request(struct invocation *call, struct xml_folders *search) {
  size_t mappings;
  unsigned jobs = (unsigned)option_number(call, OPTION_JOBS);
  const char **names = option_words(call, OPTION_MAPPING, &mappings);
  *search = mapping_search(call);
  return (struct cost_request){.arena = call->arena,
                               .search = search,
                               .machine = option_text(call, OPTION_COST_MACHINE),
                               .parameters = option_text(call, OPTION_PARAMS),
                               .mappings = names,
                               .mapping_count = mappings,
                               .trace = option_on(call, OPTION_TRACE),
                               .record = option_text(call, OPTION_RECORD),
                               .measure = option_on(call, OPTION_MEASURE),
                               .timeout = option_real(call, OPTION_TIMEOUT),
                               .max_memory = option_number(call, OPTION_MAX_MEMORY) << 20,
                               .max_states = option_number(call, OPTION_MAX_STATES),
                               .jobs = jobs ? jobs : pool_processors(),
                               .cancel = tests_watch_interrupt()};
}

/* Opens FOLDER/NAME, which must be closed by close_told. */
static void open_told(struct arena *arena, const char *folder, const char *name, struct outfile *file,
                      const char **path) {
  *path = arena_printf(arena, "%s/%s", folder, name);
  outfile_open(arena, *path, file);
}

/* Its path on standard output tells that it is there. */
static void close_told(struct outfile *file, const char *path, struct diags *diags) {
  if (outfile_finish(file, true, diags)) printf("%s\n", path);
}

/* -csv -o: a file for each table, called by the view and the table's title. */
static void write_csv_files(const struct cost_report *report, const char *folder, struct diags *diags) {
  if (!folder_make(report->arena, folder, diags)) return;
  for (size_t i = 0; i < report->tables.count; i++) {
    const char *name = arena_printf(report->arena, "%s-%s", report->view->name, report->tables.at[i]->title), *path;
    char *plain = arena_strdup(report->arena, name);
    for (char *c = plain; *c; c++)
      if (!isalnum((unsigned char)*c)) *c = '-';
    struct outfile file;
    open_told(report->arena, folder, arena_printf(report->arena, "%s.csv", outfile_name(report->arena, plain)), &file,
              &path);
    if (file.stream) table_print_csv(report->tables.at[i], file.stream);
    close_told(&file, path, diags);
  }
}

/* -svg: VIEW.svg, with all of the view's plots. */
static void write_plots(const struct cost_report *report, const char *folder, struct diags *diags) {
  if (!folder_make(report->arena, folder, diags)) return;
  const char *path;
  struct outfile file;
  open_told(report->arena, folder, arena_printf(report->arena, "%s.svg", report->view->name), &file, &path);
  if (file.stream) plots_print_svg(report->plots.at, report->plots.count, file.stream);
  close_told(&file, path, diags);
}

static bool write_report(const struct invocation *call, const struct cost_report *report, struct diags *diags) {
  const char *folder = pictures_folder(call);
  if (option_on(call, OPTION_SVG) && !report->plots.count)
    diag_fail(diags, "view %s has no plot", report->view->name);
  else if (option_on(call, OPTION_SVG))
    write_plots(report, folder, diags);
  else if (folder && !option_on(call, OPTION_CSV))
    diag_fail(diags, "option -o of cost is for the tables of a view under -csv, or its plots under -svg");
  else if (folder)
    write_csv_files(report, folder, diags);
  else if (option_on(call, OPTION_COST_JSON))
    json_write_cost(stdout, report);
  else if (option_on(call, OPTION_CSV))
    cost_print_csv(report, stdout);
  else
    cost_print_text(report, stdout);
  return !diags->errors;
}

static int print_report(const struct invocation *call, const struct cost_report *report, struct diags *diags) {
  if (!write_report(call, report, diags)) return STATUS_BAD;
  if (!report->limited) return STATUS_DONE;
  diag_fail(diags, "a limit was reached: some rows are incomplete or missing");
  return STATUS_LIMIT;
}

/* `replay -trace FILE`: the file comes after the switch. */
static const char *trace_file(const struct invocation *call) {
  bool replays = call->word_count > 1 && !strcmp(call->words[0], "replay");
  return replays && option_on(call, OPTION_TRACE) ? call->words[1] : NULL;
}

static void show_progress(void *context, size_t done, size_t total) {
  progress_show(context, done, total, "tests");
}

/* -stats: how fast machines were simulated. */
static void print_stats(const struct cost_report *report) {
  if (!report->effort.events) {
    fprintf(stderr, "Stats %s: no events, as it simulates nothing\n", report->view->name);
    return;
  }
  fprintf(stderr, "Stats %s: %" PRId64 " events, %.2f s, %.1f million a second\n", report->view->name,
          report->effort.events, report->effort.seconds,
          report->effort.seconds > 0 ? (double)report->effort.events / report->effort.seconds / 1e6 : 0);
}

static int run_view(struct invocation *call, const char *name, bool help) {
  struct diags diags = diags_new(call->arena);
  const struct cost_view *view = cost_find_view(name, &diags);
  struct xml_folders search;
  struct cost_request request = make_request(call, &search);
  request.trace_file = trace_file(call);
  if (!view || !one_format(call, &diags)) return diags_report(&diags);
  if (help) return help_view(view, &request, &diags);
  struct progress progress = progress_new(true);
  request.progress = show_progress;
  request.progress_context = &progress;
  struct cost_report *report = cost_run(view, &request, &diags);
  progress_clear(&progress);
  if (report && option_on(call, OPTION_STATS)) print_stats(report);
  int status = report ? print_report(call, report, &diags) : STATUS_BAD;
  diags_report(&diags);
  return status;
}

int cost_view(struct invocation *call) {
  bool help = call->word_count && !strcmp(call->words[0], "help");
  if (call->word_count <= help) {
    list_views(stdout);
    return STATUS_DONE;
  }
  if (call->word_count > (help || trace_file(call) ? 2u : 1u)) {
    struct diags diags = diags_new(call->arena);
    diag_fail(&diags, "cost takes one view; '%s' is a second", call->words[help ? 2 : 1]);
    return diags_report(&diags);
  }
  return run_view(call, call->words[help], help);
}
